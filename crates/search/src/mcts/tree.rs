//! The tree: counters and values. The simulator keeps the moves under the same node numbers; the values of a node for each side are stored
//! in a separate array of [`SideStats`].

use crate::arena::{Arena, NodeId, ROOT};
use delphic_game::{Bounds, Player};

/// A node. Siblings are contiguous, in random order.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The first child, once expanded.
    pub(super) first: NodeId,
    /// The entries of the sides.
    pub(super) sides: NodeId,
    pub(super) visits: u32,
    /// The bias by proof numbers when the parent selects.
    pub(super) bias: f32,
    /// The number of children, 0 before the expansion.
    pub(super) width: u16,
    /// The number of visited children; they come first.
    pub(super) tried: u16,
    /// The number of the move that leads here, among the legal moves of the parent.
    pub(super) number: u16,
    /// The player to move, [`OVER`] at a terminal node.
    mover: u8,
    /// Whether the children's biases are out of date.
    pub(super) stale: bool,
}

/// The game is over.
const OVER: u8 = u8::MAX;

impl Node {
    /// The player to move at a visited node, `None` if it is terminal.
    #[inline]
    pub(super) fn mover(&self) -> Option<Player> {
        (self.mover != OVER).then(|| Player::new(self.mover.into()))
    }

    pub(super) fn set_mover(&mut self, mover: Option<Player>) {
        self.mover = mover.map_or(OVER, |player| player.index() as u8);
    }

    pub(super) fn is_over(&self) -> bool {
        self.mover == OVER
    }
}

/// The values of a node for one side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct SideStats {
    /// The mean of the values, between −1 and 1, of all iterations through the node.
    pub(super) mean: f32,
    /// The score bounds.
    pub(super) lo: i16,
    pub(super) hi: i16,
    /// The proof number of a win.
    pub(super) pn: u32,
}

impl SideStats {
    /// Intersects the bounds with `bounds`, and returns whether that changes them.
    #[inline]
    pub(super) fn tighten(&mut self, bounds: Bounds) -> bool {
        let before = (self.lo, self.hi);
        (self.lo, self.hi) = (self.lo.max(bounds.lo), self.hi.min(bounds.hi));
        (self.lo, self.hi) != before
    }
}

const _: () = assert!(size_of::<Node>() == 24 && size_of::<SideStats>() == 12);

pub(super) struct Tree {
    pub(super) nodes: Arena<Node>,
    pub(super) sides: Arena<SideStats>,
    count: usize,
}

impl Tree {
    /// A tree with an unvisited root.
    pub(super) fn new(blank: &[SideStats], mover: Player) -> Tree {
        let mut tree = Tree { nodes: Arena::new(), sides: Arena::new(), count: blank.len() };
        tree.add(&[0], blank);
        tree.nodes[ROOT].set_mover(Some(mover));
        tree
    }

    /// Adds unvisited siblings.
    pub(super) fn add(&mut self, numbers: &[u16], blank: &[SideStats]) -> NodeId {
        let first = self.nodes.open_block(numbers.len());
        let sides = self.sides.open_block(numbers.len() * self.count);
        for (nth, &number) in numbers.iter().enumerate() {
            blank.iter().for_each(|&side| self.sides.push(side));
            self.nodes.push(Node {
                first: ROOT,
                sides: sides.sibling(nth * self.count),
                visits: 0,
                bias: 0.0,
                width: 0,
                tried: 0,
                number,
                mover: 0,
                stale: false,
            });
        }
        first
    }

    #[inline]
    pub(super) fn side(&self, id: NodeId, side: usize) -> &SideStats {
        &self.sides[self.nodes[id].sides.sibling(side)]
    }

    #[inline]
    pub(super) fn side_mut(&mut self, id: NodeId, side: usize) -> &mut SideStats {
        let side = self.nodes[id].sides.sibling(side);
        &mut self.sides[side]
    }

    /// Whether every side's payoff is known.
    #[inline]
    pub(super) fn settled(&self, id: NodeId) -> bool {
        self.sides.block(self.nodes[id].sides, self.count).iter().all(|side| side.lo == side.hi)
    }

    /// The visited children, and the entries of their sides.
    #[inline]
    pub(super) fn tried(&self, id: NodeId) -> (&[Node], &[SideStats]) {
        let node = &self.nodes[id];
        let count = usize::from(node.tried);
        if count == 0 {
            return (&[], &[]);
        }
        let kids = self.nodes.block(node.first, count);
        (kids, self.sides.block(kids[0].sides, count * self.count))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.sides.bytes()
    }

    /// The bytes of a node with its sides.
    fn size(&self) -> u64 {
        (size_of::<Node>() + self.count * size_of::<SideStats>()) as u64
    }

    /// A copy of the subtree at `root`, without the children of nodes that have fewer than `least` visits; the values of those nodes stay.
    /// Also returns the old numbers of the blocks that were kept, in the order of their new ones.
    pub(super) fn pruned(&self, root: NodeId, least: u32) -> (Tree, Vec<(NodeId, usize)>) {
        let mut new = Tree { nodes: Arena::new(), sides: Arena::new(), count: self.count };
        new.nodes.open_block(1);
        new.sides.open_block(self.count);
        new.copy(&[self.nodes[root]], &self.sides, ROOT);
        let (mut stack, mut kept) = (vec![(root, ROOT)], vec![(root, 1)]);
        while let Some((old, copy)) = stack.pop() {
            let Node { first, width, tried, visits, .. } = self.nodes[old];
            if width == 0 || visits < least {
                continue;
            }
            let to = new.nodes.open_block(width.into());
            let sides = new.sides.open_block(usize::from(width) * self.count);
            new.copy(self.nodes.block(first, width.into()), &self.sides, sides);
            kept.push((first, width.into()));
            let node = &mut new.nodes[copy];
            (node.first, node.width, node.tried) = (to, width, tried);
            stack.extend((0..tried.into()).map(|nth| (first.sibling(nth), to.sibling(nth))));
        }
        (new, kept)
    }

    /// Adds copies of siblings, without their children, and of their sides.
    fn copy(&mut self, nodes: &[Node], from: &Arena<SideStats>, sides: NodeId) {
        for (nth, node) in nodes.iter().enumerate() {
            from.block(node.sides, self.count).iter().for_each(|&side| self.sides.push(side));
            let sides = sides.sibling(nth * self.count);
            self.nodes.push(Node { first: ROOT, sides, width: 0, tried: 0, ..*node });
        }
    }

    /// The number of visits below which nodes have to lose their children so that the rest fits into `bytes`.
    pub(super) fn least_visits(&self, bytes: u64) -> u32 {
        // The bytes below nodes with 2^k to 2^(k+1) - 1 visits. No node has more visits than its parent.
        let mut below = [0; 32];
        let mut stack = vec![ROOT];
        while let Some(id) = stack.pop() {
            let Node { first, width, tried, visits, .. } = self.nodes[id];
            if width > 0 {
                below[visits.max(1).ilog2() as usize] += u64::from(width) * self.size();
                stack.extend((0..tried.into()).map(|nth| first.sibling(nth)));
            }
        }
        let mut kept = self.size();
        let fits = |&k: &usize| {
            kept += below[k];
            kept <= bytes
        };
        let lowest = (0..32).rev().take_while(fits).last();
        lowest.map_or(u32::MAX, |k| 1 << k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLANK: [SideStats; 2] = [SideStats { mean: 0.0, lo: -1, hi: 1, pn: 1 }; 2];

    /// A tree in which every child but the first has half of its parent's visits.
    fn grow(tree: &mut Tree, id: NodeId, visits: u32) {
        tree.nodes[id].visits = visits;
        tree.side_mut(id, 1).mean = visits as f32;
        if visits < 2 {
            return;
        }
        let first = tree.add(&[0, 1, 2], &BLANK);
        let node = &mut tree.nodes[id];
        (node.first, node.width, node.tried) = (first, 3, 2);
        grow(tree, first, visits / 2);
        grow(tree, first.sibling(1), visits / 4);
    }

    fn count(tree: &Tree, id: NodeId) -> u64 {
        let node = &tree.nodes[id];
        assert_eq!(tree.side(id, 1).mean, node.visits as f32, "sides go with their nodes");
        let kids = (0..node.tried.into()).map(|nth| count(tree, node.first.sibling(nth)));
        1 + u64::from(node.width - node.tried) + kids.sum::<u64>()
    }

    #[test]
    fn what_is_left_fits() {
        let mut tree = Tree::new(&BLANK, Player::FIRST);
        grow(&mut tree, ROOT, 1 << 12);
        let all = tree.bytes();
        assert_eq!(count(&tree, ROOT) * tree.size(), all);
        for share in [2, 3, 10, 100] {
            let least = tree.least_visits(all / share);
            let (kept, blocks) = tree.pruned(ROOT, least);
            assert_eq!(blocks.iter().map(|(_, width)| width).sum::<usize>(), kept.nodes.len());
            assert!(kept.bytes() <= all / share);
            assert!(tree.pruned(ROOT, least / 2).0.bytes() > all / share, "no more than needed is given up");
            assert_eq!(count(&kept, ROOT) * tree.size(), kept.bytes());
        }
        let child = tree.nodes[ROOT].first;
        assert_eq!(tree.pruned(child, 0).0.nodes[ROOT].visits, 1 << 11);
    }
}
