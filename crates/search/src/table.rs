//! A table of positions with bounded memory: when it is full, what took the least work makes room.
//!
//! An entry keeps its whole state, so that a hit is never a collision. The table starts small and doubles until the next size
//! would not fit beside the present one.

mod saved;

pub(crate) use saved::{load, save};

/// Entries that compete for the same places.
const BUCKET: usize = 4;
const SMALLEST: usize = 1 << 12;

struct Entry<S, V> {
    state: S,
    value: V,
    work: u32,
}

/// Values of states.
pub(crate) struct Table<S, V> {
    slots: Vec<Option<Entry<S, V>>>,
    used: usize,
    /// Slots that fit into the memory allowed.
    most: usize,
}

impl<S: Eq, V: Copy> Table<S, V> {
    /// A table that never holds more than `bytes`, even while it grows.
    pub(crate) fn new(bytes: u64) -> Self {
        let most = (bytes / size_of::<Option<Entry<S, V>>>() as u64).min(1 << 40) as usize;
        let mut table = Table { slots: Vec::new(), used: 0, most };
        table.slots.resize_with(SMALLEST.min(most.max(BUCKET).next_power_of_two()), || None);
        table
    }

    /// Gives an empty table so many slots, a power of two, if they fit. In as many slots as before nobody has to make room.
    fn reserve(&mut self, slots: usize) {
        if slots > self.slots.len() && slots <= self.most {
            self.slots.resize_with(slots, || None);
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1) & !(BUCKET - 1)
    }

    /// The value of `state`, whose key is `key`.
    #[inline]
    pub(crate) fn get(&self, key: u64, state: &S) -> Option<V> {
        self.find(key, state).map(|(value, _)| value)
    }

    /// The same with the work that it took.
    #[inline]
    pub(crate) fn find(&self, key: u64, state: &S) -> Option<(V, u32)> {
        self.entry(key, state).map(|(_, entry)| (entry.value, entry.work))
    }

    /// The entry of `state` and its place.
    #[inline]
    fn entry(&self, key: u64, state: &S) -> Option<(usize, &Entry<S, V>)> {
        let start = self.bucket(key);
        let bucket = self.slots[start..start + BUCKET].iter().enumerate();
        let mut entries = bucket.filter_map(|(nth, slot)| Some((start + nth, slot.as_ref()?)));
        entries.find(|(_, entry)| entry.state == *state)
    }

    /// Remembers a value that took so much work. `key_of` finds the keys of other states when the table grows.
    pub(crate) fn put(&mut self, key: u64, state: S, value: V, work: u64, key_of: impl Fn(&S) -> u64) {
        // Old and new slots exist side by side while the table grows.
        if self.used * 4 > self.slots.len() * 3 && self.slots.len() * 3 <= self.most {
            self.grow(&key_of);
        }
        let start = self.bucket(key);
        let bucket = &mut self.slots[start..start + BUCKET];
        let same = bucket.iter().position(|slot| slot.as_ref().is_some_and(|entry| entry.state == state));
        let place = same.unwrap_or_else(|| {
            let work_at = |i: &usize| bucket[*i].as_ref().map_or(0, |entry| entry.work.saturating_add(1));
            (0..BUCKET).min_by_key(work_at).unwrap_or(0)
        });
        self.used += usize::from(bucket[place].is_none());
        bucket[place] = Some(Entry { state, value, work: work.min(u64::from(u32::MAX)) as u32 });
    }

    /// Puts an entry where it was: in this place of its bucket, if that is free.
    fn put_back(&mut self, nth: usize, entry: Entry<S, V>, key_of: impl Fn(&S) -> u64) {
        let key = key_of(&entry.state);
        let place = self.bucket(key) + nth;
        match &mut self.slots[place] {
            Some(_) => self.put(key, entry.state, entry.value, entry.work.into(), key_of),
            free => {
                *free = Some(entry);
                self.used += 1;
            }
        }
    }

    fn grow(&mut self, key_of: &impl Fn(&S) -> u64) {
        let doubled = 2 * self.slots.len();
        let old = std::mem::take(&mut self.slots);
        self.slots.resize_with(doubled, || None);
        self.used = 0;
        for entry in old.into_iter().flatten() {
            let start = self.bucket(key_of(&entry.state));
            if let Some(free) = self.slots[start..start + BUCKET].iter_mut().find(|slot| slot.is_none()) {
                *free = Some(entry);
                self.used += 1;
            }
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.slots.len() * size_of::<Option<Entry<S, V>>>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::mix;

    #[test]
    fn what_is_found_is_what_was_put_and_memory_is_bounded() {
        let limit = 1 << 20;
        let mut table: Table<u64, u64> = Table::new(limit);
        for state in 0..200_000u64 {
            table.put(mix(state), state, state * 7, state, |&state| mix(state));
            assert!(table.bytes() <= limit);
        }
        let kept = (0..200_000u64).filter(|state| match table.get(mix(*state), state) {
            Some(value) => value == state * 7 || panic!("{state} has {value}"),
            None => false,
        });
        assert!(kept.count() > 10_000);
        assert_eq!(table.get(mix(199_999), &199_999), Some(199_999 * 7), "the newest is always kept");
    }
}
