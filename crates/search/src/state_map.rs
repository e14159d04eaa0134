//! A lossless map from states to values whose memory is known exactly.
//!
//! Entries are in chunks that never move, and the index holds only hashes and numbers, so that growing is compiled once for all
//! games and never holds a state twice.

use crate::arena::{Arena, NodeId};
use crate::index::Index;

/// A map from states to values.
///
/// ```
/// use delphic_search::StateMap;
///
/// let mut map = StateMap::new(0);
/// *map.get_or_insert(7, "state", 1) += 1;
/// assert_eq!(map.get(7, &"state"), Some(&2));
/// // Keys may collide: the states are compared.
/// assert_eq!(map.get(7, &"another"), None);
/// ```
pub struct StateMap<S, V> {
    entries: Arena<(S, V)>,
    index: Index,
    /// Bytes of a state outside of itself.
    heap: usize,
}

impl<S: Eq, V> StateMap<S, V> {
    /// An empty map of states that own `heap` bytes each besides themselves.
    pub fn new(heap: usize) -> Self {
        StateMap { entries: Arena::new(), index: Index::default(), heap }
    }

    fn find(&self, key: u64, state: &S) -> Option<NodeId> {
        self.index.find(key, |id| self.entries[id].0 == *state)
    }

    /// The value of a state, whose key is `key`.
    pub fn get(&self, key: u64, state: &S) -> Option<&V> {
        self.find(key, state).map(|id| &self.entries[id].1)
    }

    /// Loads what a look-up of this key reads first, so that it is at hand a little later.
    #[inline]
    pub fn touch(&self, key: u64) {
        self.index.touch(key);
    }

    /// The value of a state, which is stored with `value` if it is new.
    pub fn get_or_insert(&mut self, key: u64, state: S, value: V) -> &mut V {
        let id = self.find(key, &state).unwrap_or_else(|| {
            let id = self.entries.open_block(1);
            self.entries.push((state, value));
            self.index.insert(key, id);
            id
        });
        &mut self.entries[id].1
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.len() == 0
    }

    /// Memory held, in bytes, with what the next insertions may add at once.
    pub fn bytes(&self) -> u64 {
        self.entries.bytes() + self.index.bytes() + (self.entries.len() * self.heap) as u64
    }
}
