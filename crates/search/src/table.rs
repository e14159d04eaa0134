//! A table of positions with bounded memory: when it is full, the entry that took the least work is replaced.
//!
//! An entry keeps its whole state, so that a hit is never a collision. The table starts small and doubles in place: its slots are
//! in segments, each as large as all before it, and a doubling adds a segment and moves those entries there that belong to it. So no
//! slot is ever held twice, and the table can use all of its memory that a power of two can use.
//!
//! Most look-ups find nothing. Eight bits of each key stand at the beginning of a bucket, so that such a look-up reads one cache line and
//! not the three that four states take: up to 5 % of a search by `dfpn` on breakthrough:6x4.

mod presence;
mod saved;
mod shared;

pub(crate) use presence::{Presence, Trail};
pub(crate) use saved::{load, save};
pub(crate) use shared::{SharedTable, Store};

/// The number of entries in a bucket.
const BUCKET: usize = 4;
/// Buckets of a table at the start.
const SMALLEST: usize = 1 << 10;

pub(crate) struct Entry<S, V> {
    state: S,
    value: V,
    work: u32,
}

type Slot<S, V> = Option<Entry<S, V>>;

/// The entries that compete for the same places. In this order: tags at the end would be on another cache line than the lock of a shared bucket.
#[repr(C)]
struct Bucket<S, V> {
    /// Some bits of the key of each entry, which nearly always tell another state without reading it.
    tags: [u8; BUCKET],
    slots: [Slot<S, V>; BUCKET],
}

/// Bits 48 to 55 of a key. Lower ones number the buckets, higher ones choose a sample of the entries.
#[inline]
fn tag(key: u64) -> u8 {
    (key >> 48) as u8
}

impl<S, V> Bucket<S, V> {
    const fn new() -> Self {
        Bucket { tags: [0; BUCKET], slots: [const { None }; BUCKET] }
    }

    /// This many empty buckets.
    fn several(count: usize) -> Box<[Self]> {
        std::iter::repeat_with(Bucket::new).take(count).collect()
    }
}

impl<S: Eq, V> Bucket<S, V> {
    /// The place of a state, whose key is `key`, and its entry.
    #[inline]
    fn find(&self, key: u64, state: &S) -> Option<(usize, &Entry<S, V>)> {
        let tag = tag(key);
        (0..BUCKET).filter(|&nth| self.tags[nth] == tag).find_map(|nth| {
            self.slots[nth].as_ref().filter(|entry| entry.state == *state).map(|entry| (nth, entry))
        })
    }

    /// Writes an entry: to place `nth` if that is free, or over the older one of its state, or over the entry that took the least work.
    #[inline]
    fn write(&mut self, key: u64, entry: Entry<S, V>, nth: Option<usize>) -> Replaced {
        let free = nth.filter(|&nth| self.slots[nth].is_none());
        let older = || self.find(key, &entry.state).map(|(nth, _)| nth);
        let (place, replaced) = match free.or_else(older) {
            Some(place) => (place, Replaced::Older),
            None => {
                let work =
                    |i: &usize| self.slots[*i].as_ref().map_or(0, |entry| entry.work.saturating_add(1));
                ((0..BUCKET).min_by_key(work).unwrap_or(0), Replaced::Other)
            }
        };
        self.tags[place] = tag(key);
        let before = self.slots[place].replace(entry);
        if before.is_none() { Replaced::Nothing } else { replaced }
    }

    /// Moves those entries to another bucket, an empty one, for whose keys `moves` is true. In both they close up to the front.
    ///
    /// Not inlined: the loop is unrolled, and each copy of it is large.
    #[cold]
    #[inline(never)]
    fn divide(&mut self, to: &mut Self, key_of: &dyn Fn(&S) -> u64, moves: &dyn Fn(u64) -> bool) {
        let (mut stayed, mut moved) = (0, 0);
        for nth in 0..BUCKET {
            let Some(entry) = self.slots[nth].take() else { continue };
            let key = key_of(&entry.state);
            let (bucket, place) = if moves(key) { (&mut *to, &mut moved) } else { (&mut *self, &mut stayed) };
            (bucket.slots[*place], bucket.tags[*place]) = (Some(entry), tag(key));
            *place += 1;
        }
    }
}

/// What an entry took the place of.
#[derive(PartialEq)]
enum Replaced {
    Nothing,
    /// An older entry of its state.
    Older,
    /// The entry of another state.
    Other,
}

/// Values of states.
pub(crate) struct Table<S, V> {
    /// The first has `1 << first_bits` buckets, each other as many as all before it.
    segments: Vec<Box<[Bucket<S, V>]>>,
    first_bits: u32,
    /// The number of buckets.
    size: usize,
    /// The number of entries.
    used: usize,
    /// Buckets that fit into the memory allowed.
    most: usize,
    /// Bytes of a state outside of itself.
    heap: usize,
    /// The memory allowed, in bytes.
    limit: u64,
}

impl<S: Eq, V: Copy> Table<S, V> {
    /// A table that never holds more than `bytes`, nor fewer than one bucket, of states that own `heap` bytes each besides themselves.
    pub(crate) fn new(bytes: u64, heap: usize) -> Self {
        Table::starting_with(SMALLEST, bytes, heap)
    }

    /// The same with this many buckets at the start, if they fit.
    #[inline(never)]
    fn starting_with(buckets: usize, bytes: u64, heap: usize) -> Self {
        let bucket = (size_of::<Bucket<S, V>>() + BUCKET * heap) as u64;
        let most = (bytes / bucket).clamp(1, 1 << 38) as usize;
        let first = buckets.min(1 << most.ilog2());
        let segments = vec![Bucket::several(first)];
        Table { segments, first_bits: first.ilog2(), size: first, used: 0, most, heap, limit: bytes }
    }

    /// The number of slots.
    fn len(&self) -> usize {
        self.size * BUCKET
    }

    /// Gives an empty table this many slots, a power of two, if they fit.
    fn reserve(&mut self, slots: usize) {
        while self.len() < slots && 2 * self.size <= self.most {
            self.add_segment();
        }
    }

    fn add_segment(&mut self) {
        self.segments.push(Bucket::several(self.size));
        self.size *= 2;
    }

    /// The segment of a bucket, and its place there.
    #[inline]
    fn place(&self, bucket: usize) -> (usize, usize) {
        let above = bucket >> self.first_bits;
        match above.checked_ilog2() {
            None => (0, bucket),
            Some(doublings) => (doublings as usize + 1, bucket - (1 << (self.first_bits + doublings))),
        }
    }

    fn slot(&self, slot: usize) -> &Slot<S, V> {
        &self.bucket(slot / BUCKET).slots[slot % BUCKET]
    }

    /// The number of a key's bucket.
    #[inline]
    fn number(&self, key: u64) -> usize {
        (key as usize / BUCKET) & (self.size - 1)
    }

    #[inline]
    fn bucket(&self, number: usize) -> &Bucket<S, V> {
        let (segment, place) = self.place(number);
        &self.segments[segment][place]
    }

    #[inline]
    fn bucket_mut(&mut self, number: usize) -> &mut Bucket<S, V> {
        let (segment, place) = self.place(number);
        &mut self.segments[segment][place]
    }

    /// The value with the work that it took.
    #[inline]
    pub(crate) fn find(&self, key: u64, state: &S) -> Option<(V, u32)> {
        self.entry(key, state).map(|(_, entry)| (entry.value, entry.work))
    }

    /// The slot of a state, and its entry.
    #[inline]
    fn entry(&self, key: u64, state: &S) -> Option<(usize, &Entry<S, V>)> {
        let number = self.number(key);
        self.bucket(number).find(key, state).map(|(nth, entry)| (number * BUCKET + nth, entry))
    }

    /// Stores an entry. `key_of` computes the keys of other states when the table grows.
    #[inline(never)]
    pub(crate) fn put(&mut self, key: u64, entry: Entry<S, V>, key_of: &dyn Fn(&S) -> u64) {
        if self.used * 4 > self.len() * 3 && self.size * 2 <= self.most {
            self.grow(key_of);
        }
        let replaced = self.bucket_mut(self.number(key)).write(key, entry, None);
        self.used += usize::from(replaced == Replaced::Nothing);
    }

    /// Puts an entry where it was: in this place of its bucket, if that is free.
    fn put_back(&mut self, nth: usize, entry: Entry<S, V>, key_of: &dyn Fn(&S) -> u64) {
        let key = key_of(&entry.state);
        let number = self.number(key);
        if self.bucket(number).slots[nth].is_some() {
            return self.put(key, entry, key_of);
        }
        self.bucket_mut(number).write(key, entry, Some(nth));
        self.used += 1;
    }

    /// Doubles the table. One more bit of the key counts, so the entries of a bucket stay, or move to the one bucket that has this
    /// bit set.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, key_of: &dyn Fn(&S) -> u64) {
        let old = self.size;
        self.add_segment();
        let Some((new, segments)) = self.segments.split_last_mut() else { unreachable!("one was added") };
        let buckets = segments.iter_mut().flat_map(|segment| segment.iter_mut());
        for (from, to) in buckets.zip(new.iter_mut()) {
            from.divide(to, key_of, &|key| (key as usize / BUCKET) & old != 0);
        }
    }

    /// Memory held, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.size * size_of::<Bucket<S, V>>() + self.used * self.heap) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::mix;

    #[test]
    fn values_are_found_and_memory_is_bounded() {
        let limit = 1 << 20;
        let mut table: Table<u64, u64> = Table::new(limit, 0);
        for state in 0..200_000u64 {
            let entry = Entry { state, value: state * 7, work: state as u32 };
            table.put(mix(state), entry, &|&state| mix(state));
            assert!(table.bytes() <= limit);
        }
        let kept = (0..200_000u64).filter(|state| match table.find(mix(*state), state) {
            Some((value, _)) => value == state * 7 || panic!("{state} has {value}"),
            None => false,
        });
        assert!(kept.count() > 10_000);
        assert!(table.bytes() > limit / 2, "all the memory that a power of two can use");
        assert_eq!(
            table.find(mix(199_999), &199_999),
            Some((199_999 * 7, 199_999)),
            "the newest is always kept"
        );
    }
}
