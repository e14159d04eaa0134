//! A table that several workers use at the same time.
//!
//! The states of most games do not fit into an atomic word, so entries are guarded by locks. The table is cut into shards by the high bits of
//! the key; each shard is a [`Table`] behind a lock and grows on its own, so the memory limit holds at every moment and nothing
//! has to stop for a growing shard. With this many shards two workers rarely meet at a lock.
//!
//! Beside the entries there is a count of the workers below each position, by a hash of its key. A collision makes a child look
//! more crowded than it is: that misguides a worker and cannot mislead a proof.

use super::{BUCKET, Entry, Slot, Table};
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shards of a table.
const SHARDS: usize = 1 << 8;
/// Slots of a shard at the start.
const SMALLEST: usize = 1 << 6;
/// Counters of workers.
const COUNTERS: usize = 1 << 16;

/// A shard and its lock, on cache lines of their own: a lock is written at every access, and its neighbours must not suffer.
#[repr(align(128))]
struct Shard<S, V>(Mutex<Table<S, V>>);

/// Values of states, and the workers below them.
pub(crate) struct SharedTable<S, V> {
    shards: Box<[Shard<S, V>]>,
    workers: Box<[AtomicU16]>,
    /// Counts the positions that were solved while another worker was below them.
    overtaken: AtomicU64,
}

impl<S: Eq, V: Copy> SharedTable<S, V> {
    /// A table that never holds more than `bytes`, of states that own `heap` bytes each besides themselves.
    #[inline(never)]
    fn new(bytes: u64, heap: usize) -> Self {
        // A shard holds at least one bucket, so a very small table has fewer shards.
        let bucket = (BUCKET * (size_of::<Slot<S, V>>() + heap)) as u64;
        let shards = 1 << (bytes / bucket).clamp(1, SHARDS as u64).ilog2();
        let shard = || Shard(Mutex::new(Table::starting_with(SMALLEST, bytes / shards, heap)));
        SharedTable {
            shards: (0..shards).map(|_| shard()).collect(),
            workers: counters(),
            overtaken: AtomicU64::new(0),
        }
    }

    fn lock(shard: &Shard<S, V>) -> MutexGuard<'_, Table<S, V>> {
        shard.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A shard takes the high bits of a key, its table the low ones.
    #[inline]
    fn number(&self, key: u64) -> usize {
        (key >> 48) as usize & (self.shards.len() - 1)
    }

    #[inline]
    fn shard(&self, key: u64) -> MutexGuard<'_, Table<S, V>> {
        Self::lock(&self.shards[self.number(key)])
    }

    #[inline]
    fn counter(&self, key: u64) -> &AtomicU16 {
        // Neither the shard's bits nor the bucket's alone.
        &self.workers[(key >> 24) as usize % COUNTERS]
    }

    /// The workers below a position.
    #[inline]
    pub(crate) fn workers(&self, key: u64) -> u16 {
        self.counter(key).load(Ordering::Relaxed)
    }

    /// A worker goes below a position.
    #[inline]
    pub(crate) fn arrive(&self, key: u64) {
        self.counter(key).fetch_add(1, Ordering::Relaxed);
    }

    /// A worker comes back from below a position. Returns whether another one may still be there.
    #[inline]
    pub(crate) fn depart(&self, key: u64) -> bool {
        self.counter(key).fetch_sub(1, Ordering::Relaxed) > 1
    }

    /// A position was solved while another worker may be below it.
    pub(crate) fn overtake(&self) {
        self.overtaken.fetch_add(1, Ordering::Release);
    }

    /// How often that has happened.
    #[inline]
    pub(crate) fn overtaken(&self) -> u64 {
        self.overtaken.load(Ordering::Acquire)
    }
}

fn counters() -> Box<[AtomicU16]> {
    (0..COUNTERS).map(|_| AtomicU16::new(0)).collect()
}

/// The table of one search, or one that it shares with others.
pub(crate) enum Store<S, V> {
    /// Its own.
    Own(Table<S, V>),
    /// A shared one.
    Shared(Arc<SharedTable<S, V>>),
}

impl<S: Eq, V: Copy> Store<S, V> {
    /// A table of its own that never holds more than `bytes`.
    pub(crate) fn new(bytes: u64, heap: usize) -> Self {
        Store::Own(Table::new(bytes, heap))
    }

    /// A table for several searches.
    pub(crate) fn shared(bytes: u64, heap: usize) -> Arc<SharedTable<S, V>> {
        Arc::new(SharedTable::new(bytes, heap))
    }

    /// The table, if it is shared.
    #[inline]
    pub(crate) fn as_shared(&self) -> Option<&SharedTable<S, V>> {
        match self {
            Store::Own(_) => None,
            Store::Shared(table) => Some(table),
        }
    }

    /// The value of `state`, whose key is `key`.
    #[inline]
    pub(crate) fn get(&self, key: u64, state: &S) -> Option<V> {
        self.find(key, state).map(|(value, _)| value)
    }

    /// The value with the work that it took.
    #[inline]
    pub(crate) fn find(&self, key: u64, state: &S) -> Option<(V, u32)> {
        match self {
            Store::Own(table) => table.find(key, state),
            Store::Shared(table) => table.shard(key).find(key, state),
        }
    }

    /// Stores a value with the work that it took. `key_of` computes the keys of other states when the table grows.
    #[inline]
    pub(crate) fn put(&mut self, key: u64, state: S, value: V, work: u64, key_of: &dyn Fn(&S) -> u64) {
        match self {
            Store::Own(table) => table.put(key, state, value, work, key_of),
            Store::Shared(table) => table.shard(key).put(key, state, value, work, key_of),
        }
    }

    /// Memory held, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Store::Own(table) => table.bytes(),
            Store::Shared(table) => table.shards.iter().map(|shard| SharedTable::lock(shard).bytes()).sum(),
        }
    }

    /// The slots, for a checkpoint. The workers of a shared table must rest.
    pub(super) fn slots(&self) -> Slots<'_, S, V> {
        match self {
            Store::Own(table) => Slots::Own(table),
            Store::Shared(table) => {
                let shards: Vec<_> = table.shards.iter().map(SharedTable::lock).collect();
                let mut end = 0;
                let ends = shards.iter().map(|shard| {
                    end += shard.len();
                    end
                });
                let ends = ends.collect();
                Slots::Shared { table, shards, ends }
            }
        }
    }

    /// Gives an empty table this many slots, a power of two, if they fit. The shards of a shared one grow when they need to.
    pub(super) fn reserve(&mut self, slots: usize) {
        if let Store::Own(table) = self {
            table.reserve(slots);
        }
    }

    /// Puts an entry where it was: in this place of its bucket, if that is free.
    pub(super) fn put_back(&mut self, nth: usize, entry: Entry<S, V>, key_of: &dyn Fn(&S) -> u64) {
        match self {
            Store::Own(table) => table.put_back(nth, entry, key_of),
            Store::Shared(table) => {
                let key = key_of(&entry.state);
                table.shard(key).put_back(nth, entry, key_of);
            }
        }
    }
}

/// All slots of a table, numbered from 0.
pub(super) enum Slots<'t, S, V> {
    /// Of one table.
    Own(&'t Table<S, V>),
    /// Of all shards, one after the other.
    Shared {
        /// The shared table.
        table: &'t SharedTable<S, V>,
        /// Its shards, locked.
        shards: Vec<MutexGuard<'t, Table<S, V>>>,
        /// The number of the slot after the last one of each.
        ends: Vec<usize>,
    },
}

impl<S: Eq, V: Copy> Slots<'_, S, V> {
    pub(super) fn len(&self) -> usize {
        match self {
            Slots::Own(table) => table.len(),
            Slots::Shared { ends, .. } => ends.last().copied().unwrap_or(0),
        }
    }

    pub(super) fn slot(&self, slot: usize) -> &Slot<S, V> {
        match self {
            Slots::Own(table) => table.slot(slot),
            Slots::Shared { shards, ends, .. } => {
                let shard = ends.partition_point(|&end| end <= slot);
                let begin = ends[shard] - shards[shard].len();
                shards[shard].slot(slot - begin)
            }
        }
    }

    /// The number of the slot that holds a state.
    pub(super) fn find(&self, key: u64, state: &S) -> Option<usize> {
        match self {
            Slots::Own(table) => table.entry(key, state).map(|(slot, _)| slot),
            Slots::Shared { table, shards, ends } => {
                let shard = table.number(key);
                let begin = ends[shard] - shards[shard].len();
                shards[shard].entry(key, state).map(|(slot, _)| begin + slot)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::mix;

    /// Four threads fill a table that is too small: it keeps its limit, and what is found is what was put.
    #[test]
    fn values_are_found_and_memory_is_bounded_for_all_threads() {
        let limit = 1 << 20;
        let shared = Store::<u64, u64>::shared(limit, 0);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let mut store = Store::Shared(Arc::clone(&shared));
                scope.spawn(move || {
                    for state in (0..100_000u64).filter(|state| state % 3 != thread) {
                        store.put(mix(state), state, state * 7, state, &|&state| mix(state));
                        let found = store.get(mix(state / 2), &(state / 2));
                        assert!(found.is_none_or(|value| value == state / 2 * 7));
                    }
                });
            }
        });
        let store = Store::Shared(shared);
        assert!((limit / 2..=limit).contains(&store.bytes()), "{}", store.bytes());
        let slots = store.slots();
        let used = (0..slots.len()).filter_map(|slot| slots.slot(slot).as_ref().map(|entry| (slot, entry)));
        let found = used.map(|(slot, entry)| slots.find(mix(entry.state), &entry.state) == Some(slot));
        let found: Vec<bool> = found.collect();
        assert!(found.len() > 5_000 && found.into_iter().all(|same| same), "a state is in its own slot once");
    }

    #[test]
    fn a_table_of_a_few_buckets_keeps_its_limit() {
        for bytes in [0, 100, 1000, 10_000] {
            let shared = Store::<u64, u64>::shared(bytes, 0);
            let mut store = Store::Shared(shared);
            for state in 0..1000 {
                store.put(mix(state), state, state, 1, &|&state| mix(state));
            }
            let bucket = (BUCKET * size_of::<Slot<u64, u64>>()) as u64;
            assert!(store.bytes() <= bytes.max(bucket), "{bytes}: {}", store.bytes());
        }
    }
}
