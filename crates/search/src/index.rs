//! The index of a graph: from keys to node numbers.
//!
//! Half of every key is kept beside the number, so that the index grows without reading the nodes (which took a tenth of a run
//! of `ppt` on domineering:7x8) and states are hardly ever compared in vain.

use crate::arena::NodeId;
use hashbrown::HashTable;

/// The index of a graph.
#[derive(Default)]
pub(crate) struct Index(HashTable<(u32, NodeId)>);

/// Half a key as a hash: its bits must show at both ends of the word.
#[inline]
fn spread(half: u32) -> u64 {
    u64::from(half).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Index {
    /// The node with this key whose state is the `right` one.
    #[inline]
    pub(crate) fn find(&self, key: u64, right: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let half = (key >> 32) as u32;
        self.0.find(spread(half), |&(other, id)| other == half && right(id)).map(|&(_, id)| id)
    }

    /// Enters a node that is not there yet.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64, id: NodeId) {
        let half = (key >> 32) as u32;
        self.0.insert_unique(spread(half), (half, id), |&(half, _)| spread(half));
    }

    /// Bytes held: a control byte beside each slot, and slots for at most 7/8 of which there are entries. Where the next expansion may
    /// make the index grow, its old and its new copy, twice as large, are counted.
    pub(crate) fn bytes(&self) -> u64 {
        let held = (self.0.capacity() * 8 / 7 * (size_of::<(u32, NodeId)>() + 1)) as u64;
        // An expansion adds a few hundred entries at most; the wider ones are rare and their share is small.
        let grows = self.0.capacity() - self.0.len() < 1_000;
        if grows { 3 * held } else { held }
    }
}
