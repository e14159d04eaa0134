//! A table of positions with bounded memory: when it is full, the entry that took the least work is replaced.
//!
//! An entry keeps its whole state, so that a hit is never a collision. The table starts small and doubles in place: its slots are
//! in segments, each as large as all before it, and a doubling adds a segment and moves those entries there that belong to it. So no
//! slot is ever held twice, and the table can use all of its memory that a power of two can use.

mod presence;
mod saved;
mod shared;

pub(crate) use presence::{Presence, Trail};
pub(crate) use saved::{load, save};
pub(crate) use shared::{SharedTable, Store};

/// Entries that compete for the same places.
const BUCKET: usize = 4;
/// Slots of a table at the start.
const SMALLEST: usize = 1 << 12;

pub(crate) struct Entry<S, V> {
    state: S,
    value: V,
    work: u32,
}

type Slot<S, V> = Option<Entry<S, V>>;

/// Values of states.
pub(crate) struct Table<S, V> {
    /// The first has `1 << first_bits` slots, each other as many as all before it.
    segments: Vec<Box<[Slot<S, V>]>>,
    first_bits: u32,
    len: usize,
    used: usize,
    /// Slots that fit into the memory allowed.
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

    /// The same with this many slots at the start, if they fit.
    #[inline(never)]
    fn starting_with(slots: usize, bytes: u64, heap: usize) -> Self {
        let slot = (size_of::<Slot<S, V>>() + heap) as u64;
        let most = (bytes / slot).min(1 << 40) as usize;
        let first = slots.min(1 << most.max(BUCKET).ilog2());
        let segments = vec![vacant(first)];
        Table { segments, first_bits: first.ilog2(), len: first, used: 0, most, heap, limit: bytes }
    }

    /// The number of slots.
    fn len(&self) -> usize {
        self.len
    }

    /// Gives an empty table this many slots, a power of two, if they fit.
    fn reserve(&mut self, slots: usize) {
        while self.len < slots && 2 * self.len <= self.most {
            self.add_segment();
        }
    }

    fn add_segment(&mut self) {
        self.segments.push(vacant(self.len));
        self.len *= 2;
    }

    /// The segment of a slot, and its place there.
    #[inline]
    fn place(&self, slot: usize) -> (usize, usize) {
        let above = slot >> self.first_bits;
        match above.checked_ilog2() {
            None => (0, slot),
            Some(doublings) => (doublings as usize + 1, slot - (1 << (self.first_bits + doublings))),
        }
    }

    fn slot(&self, slot: usize) -> &Slot<S, V> {
        let (segment, place) = self.place(slot);
        &self.segments[segment][place]
    }

    /// The first slot of a key's bucket.
    #[inline]
    fn start(&self, key: u64) -> usize {
        key as usize & (self.len - 1) & !(BUCKET - 1)
    }

    #[inline]
    fn bucket(&self, start: usize) -> &[Slot<S, V>] {
        let (segment, place) = self.place(start);
        &self.segments[segment][place..place + BUCKET]
    }

    #[inline]
    fn bucket_mut(&mut self, start: usize) -> &mut [Slot<S, V>] {
        let (segment, place) = self.place(start);
        &mut self.segments[segment][place..place + BUCKET]
    }

    /// The value with the work that it took.
    #[inline]
    pub(crate) fn find(&self, key: u64, state: &S) -> Option<(V, u32)> {
        self.entry(key, state).map(|(_, entry)| (entry.value, entry.work))
    }

    #[inline]
    fn entry(&self, key: u64, state: &S) -> Option<(usize, &Entry<S, V>)> {
        let start = self.start(key);
        self.bucket(start).iter().enumerate().find_map(|(nth, slot)| {
            slot.as_ref().filter(|entry| entry.state == *state).map(|entry| (start + nth, entry))
        })
    }

    /// Stores an entry. `key_of` computes the keys of other states when the table grows.
    #[inline(never)]
    pub(crate) fn put(&mut self, key: u64, entry: Entry<S, V>, key_of: &dyn Fn(&S) -> u64) {
        if self.used * 4 > self.len * 3 && self.len * 2 <= self.most {
            self.grow(key_of);
        }
        let replaced = write_slot(self.bucket_mut(self.start(key)), entry, None);
        self.used += usize::from(replaced == Replaced::Nothing);
    }

    /// Puts an entry where it was: in this place of its bucket, if that is free.
    fn put_back(&mut self, nth: usize, entry: Entry<S, V>, key_of: &dyn Fn(&S) -> u64) {
        let key = key_of(&entry.state);
        if self.bucket(self.start(key))[nth].is_some() {
            return self.put(key, entry, key_of);
        }
        write_slot(self.bucket_mut(self.start(key)), entry, Some(nth));
        self.used += 1;
    }

    /// Doubles the table. One more bit of the key counts, so the entries of a bucket stay, or move to the one bucket that has this
    /// bit set; in both they close up to the front.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, key_of: &dyn Fn(&S) -> u64) {
        let old = self.len;
        self.add_segment();
        let Some((new, segments)) = self.segments.split_last_mut() else { unreachable!("one was added") };
        let mut start = 0;
        for segment in segments {
            for bucket in segment.chunks_mut(BUCKET) {
                divide(bucket, &mut new[start..start + BUCKET], &|state| key_of(state) as usize & old != 0);
                start += BUCKET;
            }
        }
    }

    /// Memory held, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.len * size_of::<Slot<S, V>>() + self.used * self.heap) as u64
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

/// Writes an entry into its bucket: to place `nth` if that is free, or over the older one of its state, or over the entry that took the least
/// work.
#[inline]
fn write_slot<S: Eq, V>(bucket: &mut [Slot<S, V>], entry: Entry<S, V>, nth: Option<usize>) -> Replaced {
    let same = |slot: &Slot<S, V>| slot.as_ref().is_some_and(|old| old.state == entry.state);
    let free = nth.filter(|&nth| bucket[nth].is_none());
    let (place, replaced) = match free.or_else(|| bucket.iter().position(same)) {
        Some(place) => (place, Replaced::Older),
        None => {
            let work_at = |i: &usize| bucket[*i].as_ref().map_or(0, |entry| entry.work.saturating_add(1));
            ((0..BUCKET).min_by_key(work_at).unwrap_or(0), Replaced::Other)
        }
    };
    let before = bucket[place].replace(entry);
    if before.is_none() { Replaced::Nothing } else { replaced }
}

/// Moves those entries of a bucket to another one, an empty one, for which `moves` is true. In both they close up to the front.
///
/// Not inlined, and for slices: with a known number of slots the loop is unrolled, and each copy of it is three times as large.
#[cold]
#[inline(never)]
fn divide<S, V>(from: &mut [Slot<S, V>], to: &mut [Slot<S, V>], moves: &dyn Fn(&S) -> bool) {
    let (mut stayed, mut moved) = (0, 0);
    for nth in 0..from.len() {
        let Some(entry) = from[nth].take() else { continue };
        let (bucket, place) =
            if moves(&entry.state) { (&mut *to, &mut moved) } else { (&mut *from, &mut stayed) };
        bucket[*place] = Some(entry);
        *place += 1;
    }
}

fn vacant<S, V>(slots: usize) -> Box<[Slot<S, V>]> {
    std::iter::repeat_with(|| None).take(slots).collect()
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
