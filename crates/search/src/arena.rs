//! Storage for tree nodes: blocks of siblings in chunks that never move.
//!
//! One growing vector would need its old and its new copy at the same time whenever it grows, which makes a memory
//! limit a lie. Chunks cost one more lookup per access (its price has not been measured by itself) and no copy at all.

/// The number of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

/// The first node of an arena.
pub const ROOT: NodeId = NodeId(0);

/// No node.
pub const NONE: NodeId = NodeId(u32::MAX);

impl NodeId {
    /// Its place among all nodes, if every block is one node.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Node number `nth` of the block that starts with this one.
    #[inline]
    pub fn sibling(self, nth: usize) -> NodeId {
        NodeId(self.0 + nth as u32)
    }
}

/// Nodes in chunks.
#[derive(Debug)]
pub struct Arena<N> {
    chunks: Vec<Vec<N>>,
    /// The chunk that is being filled; those behind it are empty.
    current: usize,
    len: u64,
}

const CHUNK_BITS: u32 = 16;
const CHUNK: usize = 1 << CHUNK_BITS;

impl<N> Arena<N> {
    /// An arena without nodes.
    pub fn new() -> Arena<N> {
        Arena { chunks: Vec::new(), current: 0, len: 0 }
    }

    /// Makes sure the next `count` nodes, below 2^16, will stand side by side, and tells the number of the first.
    pub fn open_block(&mut self, count: usize) -> NodeId {
        assert!(count < CHUNK, "a node with {count} children is too wide");
        if self.chunks.get(self.current).is_some_and(|chunk| CHUNK - chunk.len() < count) {
            self.current += 1;
        }
        if self.current == self.chunks.len() {
            // The last chunk stays unused, so that NONE is never the number of a node.
            assert!(self.chunks.len() + 1 < 1 << (32 - CHUNK_BITS), "more than 2^32 nodes");
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        NodeId((self.current << CHUNK_BITS | self.chunks[self.current].len()) as u32)
    }

    /// Adds nodes, below 2^16, that stand side by side, and tells the number of the first.
    #[inline]
    pub fn add_block(&mut self, nodes: impl ExactSizeIterator<Item = N>) -> NodeId {
        let first = self.open_block(nodes.len());
        self.len += nodes.len() as u64;
        self.chunks[self.current].extend(nodes);
        first
    }

    /// Adds a node to the open block.
    #[inline]
    pub fn push(&mut self, node: N) {
        self.len += 1;
        self.chunks[self.current].push(node);
    }

    /// The block of `count` nodes that starts with `first`.
    #[inline]
    pub fn block(&self, first: NodeId, count: usize) -> &[N] {
        let start = first.0 as usize & (CHUNK - 1);
        &self.chunks[(first.0 >> CHUNK_BITS) as usize][start..start + count]
    }

    /// Forgets all nodes and keeps their memory for the next ones.
    pub fn clear(&mut self) {
        self.chunks.iter_mut().for_each(Vec::clear);
        (self.current, self.len) = (0, 0);
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// The bytes in use. Memory that is reserved but was never written to is not counted.
    #[inline]
    pub fn bytes(&self) -> u64 {
        self.len * size_of::<N>() as u64
    }
}

impl<N> std::ops::Index<NodeId> for Arena<N> {
    type Output = N;

    #[inline]
    fn index(&self, id: NodeId) -> &N {
        &self.chunks[(id.0 >> CHUNK_BITS) as usize][id.0 as usize & (CHUNK - 1)]
    }
}

impl<N> std::ops::IndexMut<NodeId> for Arena<N> {
    #[inline]
    fn index_mut(&mut self, id: NodeId) -> &mut N {
        &mut self.chunks[(id.0 >> CHUNK_BITS) as usize][id.0 as usize & (CHUNK - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_stay_together() {
        let mut arena = Arena::new();
        let mut blocks = Vec::new();
        for count in (1..600).cycle().take(2_000) {
            let first = arena.open_block(count);
            (0..count).for_each(|i| arena.push((blocks.len(), i)));
            blocks.push((first, count));
        }
        for (number, &(first, count)) in blocks.iter().enumerate() {
            assert!(arena.block(first, count).iter().copied().eq((0..count).map(|i| (number, i))));
            assert_eq!(arena[first.sibling(count - 1)], (number, count - 1));
        }
    }
}
