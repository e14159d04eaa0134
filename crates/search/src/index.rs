//! The index of a graph: from keys to node numbers.
//!
//! Half of every key is kept beside the number, so that the index grows without reading the nodes (which took a tenth of a run
//! of `ppt` on domineering:7x8) and states are hardly ever compared in vain.
//!
//! It is a table with linear probing: the half key decides the first slot, and a look-up reads slots side by side. hashbrown keeps its
//! control bytes apart from the slots, which is one cache miss more for each state that is found; `brute` took 1.15 times as long with
//! it on domineering:7x8 and 1.16 times on nogo:5x5.

use crate::arena::{NONE, NodeId};

/// The index of a graph.
#[derive(Default)]
pub(crate) struct Index {
    /// Half a key and the number of its node; [`NONE`] in free slots. The number of slots is a power of two, or zero.
    slots: Vec<(u32, NodeId)>,
    len: usize,
}

/// Slots of the smallest index that holds something.
const LEAST: usize = 16;

impl Index {
    /// The slot where the search for half a key begins: the upper bits of a product in which all bits of the half show.
    #[inline]
    fn first(&self, half: u32) -> usize {
        (u64::from(half).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - self.slots.len().trailing_zeros()))
            as usize
    }

    /// The node with this key whose state is the `right` one.
    #[inline]
    pub(crate) fn find(&self, key: u64, right: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        if self.slots.is_empty() {
            return None;
        }
        let half = (key >> 32) as u32;
        let mut slot = self.first(half);
        loop {
            match self.slots[slot] {
                (_, NONE) => return None,
                (other, id) if other == half && right(id) => return Some(id),
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Loads the first slot of a key, so that it is at hand a little later.
    #[inline]
    pub(crate) fn touch(&self, key: u64) {
        if !self.slots.is_empty() {
            std::hint::black_box(self.slots[self.first((key >> 32) as u32)].1);
        }
    }

    /// Enters a node that is not there yet.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64, id: NodeId) {
        if self.len >= self.room() {
            self.grow();
        }
        self.put((key >> 32) as u32, id);
        self.len += 1;
    }

    /// Writes an entry into the first free slot.
    #[inline]
    fn put(&mut self, half: u32, id: NodeId) {
        let mut slot = self.first(half);
        while self.slots[slot].1 != NONE {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = (half, id);
    }

    /// The entries that fit: three quarters of the slots, so that a free one is never far.
    #[inline]
    fn room(&self) -> usize {
        self.slots.len() / 4 * 3
    }

    #[cold]
    fn grow(&mut self) {
        let slots = LEAST.max(2 * self.slots.len());
        for (half, id) in std::mem::replace(&mut self.slots, vec![(0, NONE); slots]) {
            if id != NONE {
                self.put(half, id);
            }
        }
    }

    /// Bytes held. Where the next expansion may make the index grow, its old and its new copy, twice as large, are counted.
    pub(crate) fn bytes(&self) -> u64 {
        let held = (self.slots.len() * size_of::<(u32, NodeId)>()) as u64;
        // An expansion adds a few hundred entries at most; the wider ones are rare and their share is small.
        let grows = self.room() - self.len < 1_000;
        if grows { 3 * held } else { held }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Arena;

    /// Half keys that are equal, and ones that share their first slot, are told apart by the states.
    #[test]
    fn equal_half_keys_are_compared() {
        for spread in [0, 1, 5, 1 << 20] {
            let (mut states, mut index) = (Arena::new(), Index::default());
            let key = |state: u64| (state % 7 * spread) << 32 | state;
            for state in 0..1_000 {
                assert_eq!(index.find(key(state), |id| states[id] == state), None);
                let id = states.open_block(1);
                states.push(state);
                index.insert(key(state), id);
            }
            for state in 0..1_000 {
                assert_eq!(
                    index.find(key(state), |id| states[id] == state).map(NodeId::index),
                    Some(state as usize)
                );
            }
            assert!(index.len <= index.room() && index.bytes() >= 8 * 1_000);
        }
    }
}
