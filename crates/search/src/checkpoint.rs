//! Searches that can be put down and taken up again.
//!
//! Nothing is written that the rules can tell: no states, no moves. A search writes a walk from its root in the order of moves,
//! whoever reads it replays the rules, and the truth of an inner node is combined anew from its children. So a checkpoint needs
//! no code in any game, is small, and cannot contradict the rules without being noticed. What it says of leaves and table
//! entries is believed: it is a note to oneself, not a certificate.

use crate::{Estimate, Stats};
use delphic_game::{Bounds, Logic, Look, Outcome, Player, Verdict};
use std::fmt;
use std::io::{self, Read, Write};

/// What a search has spent and found out by the way.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Account {
    /// Its counters.
    pub stats: Stats,
    /// Its first estimate within the precision rate.
    pub estimate: Option<Estimate>,
}

/// The content of a checkpoint, written on demand.
pub type Content<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Where checkpoints are kept.
pub trait Archive: Sync + fmt::Debug {
    /// Whether it is time for another one. Asked every few milliseconds.
    fn due(&self) -> bool;

    /// Keeps a checkpoint. If that fails, the search goes on without.
    fn save(&self, account: &Account, content: Content<'_>);

    /// The checkpoint to go on from, if there is one. Told once.
    fn load(&self) -> Option<(Account, Box<dyn Read + '_>)>;

    /// What was loaded cannot be used.
    fn refuse(&self, why: io::Error);
}

/// A small value in a checkpoint.
pub trait Field: Sized {
    /// Writes it.
    fn put(self, out: &mut dyn Write) -> io::Result<()>;

    /// Reads one.
    fn get(from: &mut dyn Read) -> io::Result<Self>;
}

/// The error about content that does not fit the rules.
pub(crate) fn misfit(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The error about content that does not fit into the memory allowed.
pub(crate) fn too_large() -> io::Error {
    io::Error::from(io::ErrorKind::OutOfMemory)
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Field for $number {
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

impl Field for () {
    fn put(self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn get(_: &mut dyn Read) -> io::Result<()> {
        Ok(())
    }
}

impl Field for bool {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        u8::from(self).put(out)
    }

    fn get(from: &mut dyn Read) -> io::Result<bool> {
        match u8::get(from)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(misfit("neither yes nor no")),
        }
    }
}

impl<A: Field, B: Field> Field for (A, B) {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        self.0.put(out)?;
        self.1.put(out)
    }

    fn get(from: &mut dyn Read) -> io::Result<(A, B)> {
        Ok((A::get(from)?, B::get(from)?))
    }
}

impl<T: Field> Field for Option<T> {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        self.is_some().put(out)?;
        self.map_or(Ok(()), |value| value.put(out))
    }

    fn get(from: &mut dyn Read) -> io::Result<Option<T>> {
        if bool::get(from)? { T::get(from).map(Some) } else { Ok(None) }
    }
}

impl Field for Verdict {
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
            _ => Err(misfit("no verdict")),
        }
    }
}

impl Field for Bounds {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        (self.lo, self.hi).put(out)
    }

    fn get(from: &mut dyn Read) -> io::Result<Bounds> {
        Field::get(from).map(|(lo, hi)| Bounds { lo, hi })
    }
}

impl Field for Outcome {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        (0..Player::MAX).try_for_each(|seat| self.payoff(Player::new(seat)).put(out))
    }

    fn get(from: &mut dyn Read) -> io::Result<Outcome> {
        let mut payoffs = [0; Player::MAX];
        for payoff in &mut payoffs {
            *payoff = i16::get(from)?;
        }
        Ok(Outcome::new(payoffs))
    }
}

/// A node of a best-first search, as it is written.
pub(crate) enum Record<I, T> {
    /// Its children are told later.
    Expanded,
    /// What is known of it; a solved leaf needs no more than its truth.
    Leaf(T, Option<I>),
}

impl<I: Field, T: Field + Copy + PartialEq> Record<I, T> {
    /// The record of a node with so many children.
    pub(crate) fn of(logic: &impl Logic<Truth = T>, width: u16, truth: T, info: I) -> Self {
        match width {
            0 => Record::Leaf(truth, (!logic.settled(truth)).then_some(info)),
            _ => Record::Expanded,
        }
    }

    pub(crate) fn put(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Record::Expanded => true.put(out),
            Record::Leaf(truth, info) => {
                (false, truth).put(out)?;
                info.map_or(Ok(()), |info| info.put(out))
            }
        }
    }

    /// Reads what is said of a node that looks like this. Leaves can be solved without being over only where a second search
    /// has valued them.
    pub(crate) fn get<L: Logic<Truth = T>>(
        logic: &L,
        look: Look<L::Role, T>,
        valued_by_search: bool,
        from: &mut dyn Read,
    ) -> io::Result<Self> {
        let seen = match look {
            Look::Over(truth) => truth,
            Look::Open { .. } => logic.open(),
        };
        if bool::get(from)? {
            return match logic.settled(seen) {
                true => Err(misfit("moves are made in a position that is over")),
                false => Ok(Record::Expanded),
            };
        }
        let truth = T::get(from)?;
        if truth != seen && (logic.settled(seen) || !valued_by_search) {
            return Err(misfit("a position is not what the rules say"));
        }
        Ok(Record::Leaf(truth, if logic.settled(truth) { None } else { Some(I::get(from)?) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<T: Field + Copy + PartialEq + fmt::Debug>(value: T) {
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
        round_trip((Bounds { lo: -3, hi: 4 }, Outcome::new([1, -2, 3, -4])));
        assert!(Verdict::get(&mut &[3u8][..]).is_err() && bool::get(&mut &[2u8][..]).is_err());
    }
}
