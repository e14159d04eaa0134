//! A transposition table for several workers.
//!
//! Every bucket has a lock beside its entries, on the same cache line, so a look-up misses the cache once, as in a table without locks. (States
//! of most games do not fit into an atomic word, so entries without locks would need unsafe code. Locks of 256 shards cost a second miss,
//! because the other core had written them: two threads on breakthrough:5x5 took 1.5 times the processor time per node.) Most look-ups find
//! nothing, and see that without the lock by a copy of the tags.
//!
//! The table grows by linear hashing (Litwin 1980): one bucket at a time is split in two, while the other workers go on. So it never has to be
//! moved as a whole, and it uses all of the memory allowed, not a power of two.

use super::saved::{SavedSlots, write_entry};
use super::{BUCKET, Bucket, Entry, Presence, Replaced, Table, tag};
use crate::checkpoint::Encode;
use crate::workers::Apart;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Buckets are allocated in chunks of at most this many.
const LARGEST_CHUNK: usize = 1 << 16;
/// A table of the allowed size has at least this many chunks, memory permitting, so that it can start small.
const CHUNKS: usize = 1 << 8;
/// One new entry in this many is counted, so that workers rarely write the counter.
const SAMPLE: usize = 16;
/// Buckets split at a time.
const BATCH: usize = 64;

/// A bucket behind its lock. Tags and lock begin a cache line, which is all that most look-ups read. Two threads on misère Domineering 6x6 took
/// 1.13 times the processor time per node of one thread where buckets began anywhere, and take 1.04 times.
#[repr(C, align(64))]
struct Locked<S, V> {
    /// A copy of the bucket's tags, to be read without the lock.
    tags: AtomicU32,
    bucket: Mutex<Bucket<S, V>>,
}

impl<S, V> Locked<S, V> {
    const fn new() -> Self {
        Locked { tags: AtomicU32::new(0), bucket: Mutex::new(Bucket::new()) }
    }

    fn lock(&self) -> MutexGuard<'_, Bucket<S, V>> {
        self.bucket.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the tags of the bucket, which the caller has locked.
    #[inline]
    fn show_tags(&self, bucket: &Bucket<S, V>) {
        self.tags.store(u32::from_ne_bytes(bucket.tags), Ordering::Release);
    }

    /// Whether the bucket may have an entry with this tag. All tags are compared at once: a branch for each would often be mispredicted.
    #[inline]
    fn shows(&self, tag: u8) -> bool {
        const ONES: u32 = u32::MAX / 255;
        let differences = self.tags.load(Ordering::Acquire) ^ (ONES * u32::from(tag));
        // The highest bit of every byte that is zero, and possibly of bytes above such a byte: a false alarm costs only a lock.
        differences.wrapping_sub(ONES) & !differences & (ONES << 7) != 0
    }
}

/// What one worker at a time does, in a few microseconds.
#[derive(Default)]
struct Turn(Mutex<()>);

impl Turn {
    /// Attempts to get a turn before a worker sleeps until it is free. To sleep and be woken takes longer than most turns: two threads on
    /// connect4:7x5 slept 4,000 times a second, a tenth of their time.
    const ATTEMPTS: usize = 1000;

    #[inline(never)]
    fn wait(&self) -> MutexGuard<'_, ()> {
        for _ in 0..Self::ATTEMPTS {
            if let Ok(turn) = self.0.try_lock() {
                return turn;
            }
            std::hint::spin_loop();
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Chunk<S, V> = Box<[Locked<S, V>]>;

/// Values of states, and the workers below them.
pub(crate) struct SharedTable<S, V> {
    /// Allocated in order, as the table grows.
    chunks: Box<[OnceLock<Chunk<S, V>>]>,
    /// A chunk has `1 << chunk_bits` buckets.
    chunk_bits: u32,
    /// Bytes of a state outside of itself.
    heap: usize,
    /// The memory allowed, in bytes.
    limit: u64,
    /// Buckets in use.
    size: Apart<AtomicUsize>,
    /// The number of entries, estimated from a sample of the keys.
    used: Apart<AtomicUsize>,
    /// Held while buckets are split.
    growing: Apart<Turn>,
    presence: Presence,
}

impl<S: Eq, V: Copy> SharedTable<S, V> {
    /// A table that never holds more than `bytes`, nor fewer than one bucket, of states that own `heap` bytes each besides themselves.
    #[inline(never)]
    fn new(bytes: u64, heap: usize) -> Self {
        let bucket = (size_of::<Locked<S, V>>() + BUCKET * heap) as u64;
        let most = (bytes / bucket).clamp(1, 1 << 38) as usize;
        let chunk = (most / CHUNKS).clamp(1, LARGEST_CHUNK);
        let chunk_bits = chunk.ilog2();
        let table = SharedTable {
            chunks: (0..most >> chunk_bits).map(|_| OnceLock::new()).collect(),
            chunk_bits,
            heap,
            limit: bytes,
            size: Apart::default(),
            used: Apart::default(),
            growing: Apart::default(),
            presence: Presence::new(),
        };
        table.chunk(0);
        table.size.0.store(1 << chunk_bits, Ordering::Release);
        table
    }

    /// A chunk, which is allocated if it is used for the first time.
    #[inline]
    fn chunk(&self, chunk: usize) -> &[Locked<S, V>] {
        self.chunks[chunk].get_or_init(|| self.new_chunk())
    }

    #[cold]
    #[inline(never)]
    fn new_chunk(&self) -> Chunk<S, V> {
        std::iter::repeat_with(Locked::new).take(1 << self.chunk_bits).collect()
    }

    #[inline]
    fn bucket(&self, number: usize) -> &Locked<S, V> {
        &self.chunk(number >> self.chunk_bits)[number & ((1 << self.chunk_bits) - 1)]
    }

    /// The bucket of a key, locked, and its number.
    #[inline]
    fn locked(&self, key: u64) -> (usize, MutexGuard<'_, Bucket<S, V>>) {
        loop {
            let number = place(key, self.size.0.load(Ordering::Acquire));
            let bucket = self.bucket(number).lock();
            // It may have been split before it was locked. A split changes the size before it unlocks the bucket.
            if place(key, self.size.0.load(Ordering::Acquire)) == number {
                return (number, bucket);
            }
        }
    }

    /// Loads the cache line of a key's bucket, so that a look-up soon after need not wait for memory. Best done for several keys without
    /// anything in between: then the processor waits for all of them at once, which locks prevent.
    #[inline]
    fn touch(&self, key: u64) {
        std::hint::black_box(
            self.bucket(place(key, self.size.0.load(Ordering::Relaxed))).tags.load(Ordering::Relaxed),
        );
    }

    #[inline]
    fn find(&self, key: u64, state: &S) -> Option<(V, u32)> {
        let number = place(key, self.size.0.load(Ordering::Acquire));
        if !self.bucket(number).shows(tag(key)) && place(key, self.size.0.load(Ordering::Acquire)) == number {
            return None;
        }
        self.entry(key, state).map(|(_, found)| found)
    }

    /// The slot of a state, and its value with the work that it took. Not inlined, because most look-ups do not come here.
    #[inline(never)]
    fn entry(&self, key: u64, state: &S) -> Option<(usize, (V, u32))> {
        let (number, bucket) = self.locked(key);
        let (nth, entry) = bucket.find(key, state)?;
        Some((number * BUCKET + nth, (entry.value, entry.work)))
    }

    #[inline(never)]
    fn put(&self, key: u64, entry: Entry<S, V>, nth: Option<usize>, key_of: &dyn Fn(&S) -> u64) {
        let (number, mut bucket) = self.locked(key);
        let replaced = bucket.write(key, entry, nth);
        self.bucket(number).show_tags(&bucket);
        drop(bucket);
        // Neither the bits of the bucket nor those of its chunk.
        if replaced != Replaced::Older && ((key >> 56) as usize).is_multiple_of(SAMPLE) {
            if replaced == Replaced::Nothing {
                self.used.0.fetch_add(SAMPLE, Ordering::Relaxed);
            }
            if self.is_due_to_grow() {
                self.split_some(key_of);
            }
        }
    }

    /// Whether a bucket is to be split: the table is full, or a round of splits is not at its end. Buckets that are not split yet hold twice as
    /// many entries as the others, so a round is soon brought to its end.
    #[inline]
    fn is_due_to_grow(&self) -> bool {
        let (size, used) = (self.size.0.load(Ordering::Relaxed), self.used.0.load(Ordering::Relaxed));
        !size.is_power_of_two() || used * 3 > size * BUCKET * 2
    }

    /// Splits a few buckets, unless the memory allowed is used up.
    #[cold]
    #[inline(never)]
    fn split_some(&self, key_of: &dyn Fn(&S) -> u64) {
        // If another worker is splitting buckets, this one waits: it would overfill those that are not split yet. The other may have ended the
        // round meanwhile; going on would begin the next one, and the table would double without need.
        let _turn = self.growing.0.wait();
        for _ in 0..BATCH {
            let new = self.size.0.load(Ordering::Relaxed);
            if new == self.chunks.len() << self.chunk_bits || !self.is_due_to_grow() {
                return;
            }
            self.split(new, key_of);
        }
    }

    /// Adds bucket number `new` and moves entries there that belong to it.
    fn split(&self, new: usize, key_of: &dyn Fn(&S) -> u64) {
        let old = new - (1 << new.ilog2());
        let (mut from, mut to) = (self.bucket(old).lock(), self.bucket(new).lock());
        from.divide(&mut to, key_of, &|key| place(key, new + 1) == new);
        // In this order a look-up sees every entry in one bucket or the other.
        self.bucket(new).show_tags(&to);
        self.size.0.store(new + 1, Ordering::Release);
        self.bucket(old).show_tags(&from);
    }

    /// Memory held, in bytes.
    fn bytes(&self) -> u64 {
        let chunks = self.chunks.iter().filter(|chunk| chunk.get().is_some()).count();
        let buckets = chunks << self.chunk_bits;
        let used = self.used.0.load(Ordering::Relaxed).min(buckets * BUCKET);
        (buckets * size_of::<Locked<S, V>>() + used * self.heap) as u64
    }

    /// Gives an empty table this many slots, if they fit.
    fn reserve(&self, slots: usize) {
        let most = self.chunks.len() << self.chunk_bits;
        let size = (slots / BUCKET).min(most).max(self.size.0.load(Ordering::Relaxed));
        self.size.0.store(size, Ordering::Release);
    }
}

/// The bucket of a key in a table with this many: by the bits that number the buckets of the next power of two, or one bit fewer if there is
/// no such bucket yet.
#[inline]
fn place(key: u64, size: usize) -> usize {
    let mask = size.next_power_of_two() - 1;
    match key as usize & mask {
        place if place < size => place,
        place => place & (mask >> 1),
    }
}

impl<S: Eq + Clone, V: Encode + Copy> SavedSlots<S> for SharedTable<S, V> {
    fn len(&self) -> usize {
        self.size.0.load(Ordering::Relaxed) * BUCKET
    }

    fn find(&self, key: u64, state: &S) -> Option<usize> {
        self.entry(key, state).map(|(slot, _)| slot)
    }

    fn state(&self, slot: usize) -> Option<S> {
        let bucket = self.bucket(slot / BUCKET).lock();
        bucket.slots[slot % BUCKET].as_ref().map(|entry| entry.state.clone())
    }

    fn write(&self, slot: usize, out: &mut dyn Write) -> io::Result<bool> {
        write_entry(&self.bucket(slot / BUCKET).lock().slots[slot % BUCKET], slot, out)
    }
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

    /// Whether both have the same limit.
    pub(crate) fn has_size_of(&self, other: &Self) -> bool {
        self.limit() == other.limit()
    }

    /// The memory allowed, in bytes.
    fn limit(&self) -> u64 {
        match self {
            Store::Own(table) => table.limit,
            Store::Shared(table) => table.limit,
        }
    }

    /// An empty table for several searches with the same limit.
    pub(crate) fn made_shared(&self) -> Self {
        let heap = match self {
            Store::Own(table) => table.heap,
            Store::Shared(table) => table.heap,
        };
        Store::Shared(Store::shared(self.limit(), heap))
    }

    /// The same table for another search, if it can be shared.
    pub(crate) fn another(&self) -> Option<Self> {
        match self {
            Store::Own(_) => None,
            Store::Shared(table) => Some(Store::Shared(Arc::clone(table))),
        }
    }

    /// Where the workers are that share it.
    #[inline]
    pub(crate) fn presence(&self) -> Option<&Presence> {
        match self {
            Store::Own(_) => None,
            Store::Shared(table) => Some(&table.presence),
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
            Store::Shared(table) => table.find(key, state),
        }
    }

    /// Prepares for looking a key up. A table of one search needs no preparation, because the processor does several look-ups at once
    /// where no lock is between them.
    #[inline]
    pub(crate) fn touch(&self, key: u64) {
        if let Store::Shared(table) = self {
            table.touch(key);
        }
    }

    /// Stores a value with the work that it took. `key_of` computes the keys of other states when the table grows.
    #[inline]
    pub(crate) fn put(&mut self, key: u64, state: S, value: V, work: u64, key_of: &dyn Fn(&S) -> u64) {
        let entry = Entry { state, value, work: work.min(u64::from(u32::MAX)) as u32 };
        match self {
            Store::Own(table) => table.put(key, entry, key_of),
            Store::Shared(table) => table.put(key, entry, None, key_of),
        }
    }

    /// Memory held, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Store::Own(table) => table.bytes(),
            Store::Shared(table) => table.bytes(),
        }
    }

    /// Gives an empty table this many slots, a power of two, if they fit.
    pub(super) fn reserve(&mut self, slots: usize) {
        match self {
            Store::Own(table) => table.reserve(slots),
            Store::Shared(table) => table.reserve(slots),
        }
    }

    /// Puts an entry where it was: in this place of its bucket, if that is free.
    pub(super) fn put_back(&mut self, nth: usize, entry: Entry<S, V>, key_of: &dyn Fn(&S) -> u64) {
        match self {
            Store::Own(table) => table.put_back(nth, entry, key_of),
            Store::Shared(table) => table.put(key_of(&entry.state), entry, Some(nth), key_of),
        }
    }
}

impl<S: Eq + Clone, V: Encode + Copy> Store<S, V> {
    /// The slots, for a checkpoint. The workers of a shared table must rest.
    pub(super) fn slots(&self) -> &dyn SavedSlots<S> {
        match self {
            Store::Own(table) => table,
            Store::Shared(table) => &**table,
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
        assert!((limit * 9 / 10..=limit).contains(&store.bytes()), "{}", store.bytes());
        let slots = store.slots();
        let used = (0..slots.len()).filter_map(|slot| slots.state(slot).map(|state| (slot, state)));
        let found: Vec<bool> =
            used.map(|(slot, state)| slots.find(mix(state), &state) == Some(slot)).collect();
        assert!(
            found.len() > 20_000 && found.into_iter().all(|same| same),
            "a state is in its own slot once"
        );
    }

    /// A table that grows under four threads keeps as much as one that a single search fills: what is lost was displaced from a full bucket.
    #[test]
    fn nothing_more_is_lost_while_a_table_grows() {
        let (bytes, states) = (1 << 26, 80_000u64);
        let key = |&state: &u64| mix(state);
        let mut own = Store::<u64, u64>::new(bytes, 0);
        (0..states).for_each(|state| own.put(mix(state), state, state, 1, &key));
        let shared = Store::<u64, u64>::shared(bytes, 0);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let mut store = Store::Shared(Arc::clone(&shared));
                scope.spawn(move || {
                    let states = (0..states).filter(|state| state % 4 == thread);
                    states.for_each(|state| store.put(mix(state), state, state, 1, &key));
                });
            }
        });
        assert!(shared.size.0.load(Ordering::Relaxed) > 1 << shared.chunk_bits, "it has grown");
        let kept = |store: &Store<u64, u64>| {
            (0..states).filter(|state| store.get(mix(*state), state) == Some(*state)).count()
        };
        let (own, shared) = (kept(&own), kept(&Store::Shared(shared)));
        assert!(shared * 100 >= own * 98, "{shared} of {states} kept, by one search {own}");
    }

    /// Four threads that grow a table together do not double it more often than its entries need: one that waited while another ended a round of
    /// splits once began the next.
    #[test]
    fn a_round_of_growth_begins_only_when_it_is_due() {
        let states = 80_000u64;
        for _ in 0..20 {
            let shared = Store::<u64, u64>::shared(1 << 28, 0);
            std::thread::scope(|scope| {
                for thread in 0..4 {
                    let mut store = Store::Shared(Arc::clone(&shared));
                    scope.spawn(move || {
                        let states = (0..states).filter(|state| state % 4 == thread);
                        states.for_each(|state| store.put(mix(state), state, state, 1, &|&state| mix(state)));
                    });
                }
            });
            let slots = shared.size.0.load(Ordering::Relaxed) * BUCKET;
            assert_eq!(slots, (states as usize * 4 / 3).next_power_of_two());
        }
    }

    #[test]
    fn a_table_of_a_few_buckets_keeps_its_limit() {
        for bytes in [0, 100, 1000, 10_000] {
            let shared = Store::<u64, u64>::shared(bytes, 0);
            let mut store = Store::Shared(shared);
            for state in 0..1000 {
                store.put(mix(state), state, state, 1, &|&state| mix(state));
            }
            let bucket = size_of::<Locked<u64, u64>>() as u64;
            assert!(store.bytes() <= bytes.max(bucket), "{bytes}: {}", store.bytes());
        }
    }

    #[test]
    fn places_are_stable_but_for_the_bucket_that_is_split() {
        for size in 1..200 {
            for key in (0..1000).map(mix) {
                let (before, after) = (place(key, size), place(key, size + 1));
                assert!(before < size);
                let split = size - (1 << size.ilog2());
                assert!(after == before || (before == split && after == size), "{size}: {before} {after}");
            }
        }
    }
}
