//! The table of patterns: how often each pattern was proved and disproved in solved trees.
//!
//! The file: a line of text with the version, the number of patterns, the patterns in ascending order of their keys, and a checksum of
//! everything before it. A pattern is four numbers: the difference to the key before, the rank of the next smaller pattern it contains plus one
//! (0 for none), and how often the answer was yes and no. Numbers are stored in groups of seven bits, the low ones first (LEB128).

use crate::templates::Stack;
use delphic_base::{atomic_file, mix};
use rustc_hash::FxHashMap;
use std::path::Path;
use thiserror::Error;

/// The first line of a file.
const MAGIC: &[u8] = b"DELPHIC PATTERNS 1\n";

/// The counts of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Entry {
    /// The next smaller pattern it contains; itself for the smallest.
    pub parent: u64,
    /// How often the answer after such a move was yes.
    pub yes: u32,
    /// How often it was no.
    pub no: u32,
}

/// All patterns seen.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Table {
    entries: FxHashMap<u64, Entry>,
}

/// Why a table cannot be read or written.
#[derive(Debug, Error)]
pub enum TableError {
    /// The file cannot be read or written.
    #[error("pattern table: {0}")]
    Io(#[from] std::io::Error),
    /// Not a table of this version.
    #[error("this is not a pattern table of this version")]
    Foreign,
    /// A table that was damaged.
    #[error("the pattern table is damaged: {0}")]
    Damaged(&'static str),
}

impl Table {
    /// The number of patterns.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The counts of a pattern.
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.entries.get(&key).copied()
    }

    /// All patterns, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Entry)> {
        self.entries.iter().map(|(&key, &entry)| (key, entry))
    }

    /// Counts a solved move for all patterns around it.
    pub fn observe(&mut self, stack: &Stack, yes: bool) {
        let mut parent = stack[0];
        for &key in stack {
            let entry = self.entries.entry(key).or_insert(Entry { parent, yes: 0, no: 0 });
            let count = if yes { &mut entry.yes } else { &mut entry.no };
            *count = count.saturating_add(1);
            parent = key;
        }
    }

    /// Makes all patterns around a move known without counting it.
    pub fn note(&mut self, stack: &Stack) {
        let mut parent = stack[0];
        for &key in stack {
            self.entries.entry(key).or_insert(Entry { parent, yes: 0, no: 0 });
            parent = key;
        }
    }

    /// Adds the counts of another table.
    pub fn merge(&mut self, other: &Table) {
        for (key, seen) in other.iter() {
            let entry = self.entries.entry(key).or_insert(Entry { parent: seen.parent, yes: 0, no: 0 });
            (entry.yes, entry.no) = (entry.yes.saturating_add(seen.yes), entry.no.saturating_add(seen.no));
        }
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut keys: Vec<u64> = self.entries.keys().copied().collect();
        keys.sort_unstable();
        let mut bytes = MAGIC.to_vec();
        put(&mut bytes, keys.len() as u64);
        let mut before = 0;
        for &key in &keys {
            let Entry { parent, yes, no } = self.entries[&key];
            let rank = if parent == key { None } else { keys.binary_search(&parent).ok() };
            put(&mut bytes, key - before);
            for number in [rank.map_or(0, |rank| rank as u64 + 1), yes.into(), no.into()] {
                put(&mut bytes, number);
            }
            before = key;
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads what [`Table::to_bytes`] gives, and refuses everything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Table, TableError> {
        if !bytes.starts_with(MAGIC) {
            return Err(TableError::Foreign);
        }
        let Some((body, sum)) = bytes.split_last_chunk::<8>() else {
            return Err(TableError::Damaged("it is cut off"));
        };
        if body.len() < MAGIC.len() || checksum(body) != u64::from_le_bytes(*sum) {
            return Err(TableError::Damaged("the checksum is wrong"));
        }
        let mut rest = &body[MAGIC.len()..];
        let mut next = || take(&mut rest).ok_or(TableError::Damaged("a number is cut off"));
        let count = next()?;
        // A pattern takes at least four bytes, so a larger count cannot be true.
        if count > bytes.len() as u64 / 4 {
            return Err(TableError::Damaged("more patterns than bytes"));
        }
        let (mut rows, mut key) = (Vec::with_capacity(count as usize), 0u64);
        for nth in 0..count {
            let step = next()?;
            key = key.checked_add(step).ok_or(TableError::Damaged("a key is too large"))?;
            if nth > 0 && step == 0 {
                return Err(TableError::Damaged("a pattern occurs twice"));
            }
            let (rank, yes, no) = (next()?, next()?, next()?);
            let small =
                |number| u32::try_from(number).map_err(|_| TableError::Damaged("a count is too large"));
            rows.push((key, rank, small(yes)?, small(no)?));
        }
        if !rest.is_empty() {
            return Err(TableError::Damaged("there are bytes after its end"));
        }
        let mut entries = FxHashMap::default();
        for &(key, rank, yes, no) in &rows {
            let parent = match rank {
                0 => key,
                _ => {
                    rows.get(rank as usize - 1)
                        .ok_or(TableError::Damaged("a reference to a pattern that does not exist"))?
                        .0
                }
            };
            entries.insert(key, Entry { parent, yes, no });
        }
        Ok(Table { entries })
    }

    /// Reads a file.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        Table::from_bytes(&std::fs::read(path)?)
    }

    /// Writes a file; if that fails, an old one stays as it was.
    pub fn save(&self, path: &Path) -> Result<(), TableError> {
        Ok(atomic_file::write(path, &self.to_bytes())?)
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// A hash of all bytes, against accidents and not against forgery.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(bytes.len() as u64, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(sum ^ u64::from_le_bytes(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::Rng;
    use proptest::prelude::*;

    /// Stacks over few patterns, nested as real ones are: a smaller pattern contains less of the number.
    pub(crate) fn stack(number: u64) -> Stack {
        std::array::from_fn(|template| mix(mix(template as u64) ^ (number % (1 << template))))
    }

    fn random(seed: u64, size: usize) -> Table {
        let (mut table, mut rng) = (Table::default(), Rng::new(seed));
        for _ in 0..size {
            table.observe(&stack(rng.bits()), rng.below(3) == 0);
        }
        table
    }

    #[test]
    fn counts_agree_with_a_recount() {
        let mut rng = Rng::new(1);
        let seen: Vec<(u64, bool)> = (0..3000).map(|_| (rng.bits(), rng.below(3) == 0)).collect();
        let mut table = Table::default();
        seen.iter().for_each(|&(number, yes)| table.observe(&stack(number), yes));
        for (key, entry) in table.iter() {
            let recount = |answer| {
                seen.iter().filter(|(number, yes)| stack(*number).contains(&key) && *yes == answer).count()
            };
            assert_eq!((entry.yes as usize, entry.no as usize), (recount(true), recount(false)));
        }
        assert_eq!(table.len(), 255);
    }

    #[test]
    fn merging_is_seeing_both() {
        let (mut a, b) = (random(1, 500), random(2, 700));
        let mut both = a.clone();
        let mut rng = Rng::new(2);
        for _ in 0..700 {
            both.observe(&stack(rng.bits()), rng.below(3) == 0);
        }
        a.merge(&b);
        assert_eq!(a, both);
    }

    #[test]
    fn damaged_tables_are_refused() {
        let bytes = random(3, 300).to_bytes();
        assert_eq!(Table::from_bytes(&bytes).unwrap(), random(3, 300));
        for cut in 0..bytes.len() {
            assert!(Table::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 1 << (at % 8);
            assert!(Table::from_bytes(&bad).is_err(), "{at}");
        }
    }

    #[test]
    fn files_are_whole_or_not_there() {
        let path = std::env::temp_dir().join(format!("delphic-table-{}", std::process::id()));
        let table = random(4, 100);
        table.save(&path).unwrap();
        assert_eq!(Table::open(&path).unwrap(), table);
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(Table::open(&path), Err(TableError::Io(_))));
        assert!(table.save(Path::new("/")).is_err());
    }

    proptest! {
        /// Even with the right checksum no bytes crash the reader.
        #[test]
        fn no_bytes_crash_the_reader(body in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut bytes = MAGIC.to_vec();
            bytes.extend(body);
            let sum = checksum(&bytes);
            bytes.extend(sum.to_le_bytes());
            if let Ok(table) = Table::from_bytes(&bytes) {
                prop_assert_eq!(Table::from_bytes(&table.to_bytes()).unwrap(), table);
            }
        }
    }
}
