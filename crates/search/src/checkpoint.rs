//! Searches that can be saved and resumed.
//!
//! Nothing is written that follows from the rules: no states, no moves. A search writes a walk from its root in the order of moves;
//! the reader replays the rules, and the verdict of an inner node is combined anew from its children. So a checkpoint needs
//! no code in any game, is small, and cannot contradict the rules unnoticed. What it says of leaves and table
//! entries is believed: a checkpoint is trusted by the program that wrote it and is not a certificate.

use crate::boundary::Status;
use crate::rule::Packed;
use crate::{Estimate, Stats};
use delphic_game::Verdict;
use std::fmt;
use std::io::{self, Read, Write};
use std::time::Duration;

/// What a search has spent, and its estimate.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Spent {
    /// Its counters.
    pub stats: Stats,
    /// Its first estimate within the precision rate.
    pub estimate: Option<Estimate>,
}

/// The content of a checkpoint, written on demand.
pub type Content<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Where checkpoints are kept.
pub trait CheckpointStore: Sync + fmt::Debug {
    /// Whether it is time for another one. Asked every few milliseconds.
    fn due(&self) -> bool;

    /// Saves a checkpoint.
    fn save(&self, spent: &Spent, content: Content<'_>) -> io::Result<()>;

    /// The checkpoint to resume from, if there is one. It is returned once.
    fn load(&self) -> Option<(Spent, Box<dyn Read + '_>)>;

    /// What was loaded is in place; that took so long, which does not count as search time.
    fn loaded(&self, took: Duration) {
        let _ = took;
    }

    /// What was loaded cannot be used.
    fn refuse(&self, why: io::Error);
}

/// A small value in a checkpoint.
pub trait Encode: Sized {
    /// Writes it.
    fn put(self, out: &mut dyn Write) -> io::Result<()>;

    /// Reads one.
    fn get(from: &mut dyn Read) -> io::Result<Self>;
}

/// The error for content that does not fit the rules.
pub(crate) fn mismatch(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The error for content that does not fit into the memory allowed.
pub(crate) fn too_large() -> io::Error {
    io::Error::from(io::ErrorKind::OutOfMemory)
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Encode for $number {
            fn put(self, out: &mut dyn Write) -> io::Result<()> {
                out.write_all(&self.to_le_bytes())
            }

            fn get(from: &mut dyn Read) -> io::Result<Self> {
                let mut bytes = [0; size_of::<$number>()];
                from.read_exact(&mut bytes)?;
                Ok(<$number>::from_le_bytes(bytes))
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, i16, f32, f64);

impl Encode for () {
    fn put(self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn get(_: &mut dyn Read) -> io::Result<()> {
        Ok(())
    }
}

impl Encode for bool {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        u8::from(self).put(out)
    }

    fn get(from: &mut dyn Read) -> io::Result<bool> {
        match u8::get(from)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(mismatch("a flag is neither set nor clear")),
        }
    }
}

impl<A: Encode, B: Encode> Encode for (A, B) {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        self.0.put(out)?;
        self.1.put(out)
    }

    fn get(from: &mut dyn Read) -> io::Result<(A, B)> {
        Ok((A::get(from)?, B::get(from)?))
    }
}

impl Encode for Packed {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        (self[0], self[1]).put(out)
    }

    fn get(from: &mut dyn Read) -> io::Result<Packed> {
        Encode::get(from).map(|(first, second)| [first, second])
    }
}

impl<T: Encode> Encode for Option<T> {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        self.is_some().put(out)?;
        self.map_or(Ok(()), |value| value.put(out))
    }

    fn get(from: &mut dyn Read) -> io::Result<Option<T>> {
        if bool::get(from)? { T::get(from).map(Some) } else { Ok(None) }
    }
}

impl Encode for Verdict {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Verdict::Open => 0u8.put(out),
            Verdict::Proved => 1u8.put(out),
            Verdict::Disproved => 2u8.put(out),
        }
    }

    fn get(from: &mut dyn Read) -> io::Result<Verdict> {
        match u8::get(from)? {
            0 => Ok(Verdict::Open),
            1 => Ok(Verdict::Proved),
            2 => Ok(Verdict::Disproved),
            _ => Err(mismatch("an unknown verdict")),
        }
    }
}

/// A node of a best-first search, as it is written.
pub(crate) enum Record<I> {
    /// Its children follow later.
    Expanded,
    /// Its verdict, and the rule's value unless it is solved.
    Leaf(Verdict, Option<I>),
}

impl<I: Encode> Record<I> {
    /// The record of a node with `width` children.
    pub(crate) fn of(width: u16, verdict: Verdict, info: I) -> Self {
        match width {
            0 => Record::Leaf(verdict, (verdict == Verdict::Open).then_some(info)),
            _ => Record::Expanded,
        }
    }

    pub(crate) fn put(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Record::Expanded => true.put(out),
            Record::Leaf(verdict, info) => {
                (false, verdict).put(out)?;
                info.map_or(Ok(()), |info| info.put(out))
            }
        }
    }

    /// Reads the record of a node with this status. Leaves can be solved without being over only where a second search has
    /// valued them.
    pub(crate) fn get(status: Status, valued_by_search: bool, from: &mut dyn Read) -> io::Result<Self> {
        let seen = status.verdict();
        if bool::get(from)? {
            return match seen {
                Verdict::Open => Ok(Record::Expanded),
                _ => Err(mismatch("moves are made in a position that is over")),
            };
        }
        let verdict = Verdict::get(from)?;
        if verdict != seen && (seen != Verdict::Open || !valued_by_search) {
            return Err(mismatch("a position is not what the rules say"));
        }
        Ok(Record::Leaf(verdict, if verdict == Verdict::Open { Some(I::get(from)?) } else { None }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<T: Encode + Copy + PartialEq + fmt::Debug>(value: T) {
        let mut bytes = Vec::new();
        value.put(&mut bytes).unwrap();
        assert_eq!(T::get(&mut &bytes[..]).unwrap(), value);
        if let Some((_, short)) = bytes.split_last() {
            assert!(T::get(&mut &short[..]).is_err(), "{value:?} cut off");
        }
    }

    #[test]
    fn fields_are_read_as_they_are_written() {
        round_trip(());
        round_trip((u8::MAX, (u16::MAX, u32::MAX)));
        round_trip((i16::MIN, (f32::MIN_POSITIVE, -1.5f64)));
        round_trip((true, (Some(Verdict::Disproved), None::<u8>)));
        assert!(Verdict::get(&mut &[3u8][..]).is_err() && bool::get(&mut &[2u8][..]).is_err());
    }
}
