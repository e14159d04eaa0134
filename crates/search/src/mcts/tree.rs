//! The tree: moves and counters, no positions. What belongs to a side is kept beside the nodes, one [`Seat`] for each.

use crate::arena::{Arena, NodeId, ROOT};
use delphic_game::Bounds;

/// A node. Siblings stand side by side, in random order.
#[derive(Clone, Copy)]
pub(super) struct Node<M> {
    /// The first child, once expanded.
    pub(super) first: NodeId,
    /// What the sides have here.
    pub(super) seats: NodeId,
    pub(super) visits: u32,
    /// What proof numbers add to this node's value when its parent chooses.
    pub(super) bias: f32,
    /// The number of children, 0 before the expansion.
    pub(super) width: u16,
    /// How many of them were visited, from the first on.
    pub(super) tried: u16,
    /// What led here from the parent.
    pub(super) mv: M,
    /// The game is over here.
    pub(super) over: bool,
    /// The children's biases are out of date.
    pub(super) stale: bool,
}

/// What one side has at a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Seat {
    /// The mean of the values, between −1 and 1, of all iterations through the node.
    pub(super) mean: f32,
    /// The payoffs that are not excluded.
    pub(super) lo: i16,
    pub(super) hi: i16,
    /// The least number of leaves to prove for a win.
    pub(super) pn: u32,
}

impl Seat {
    /// Excludes what lies outside of `bounds` too, and tells whether that was news.
    #[inline]
    pub(super) fn tighten(&mut self, bounds: Bounds) -> bool {
        let before = (self.lo, self.hi);
        (self.lo, self.hi) = (self.lo.max(bounds.lo), self.hi.min(bounds.hi));
        (self.lo, self.hi) != before
    }
}

const _: () = assert!(size_of::<Node<u16>>() == 24 && size_of::<Seat>() == 12);

pub(super) struct Tree<M> {
    pub(super) nodes: Arena<Node<M>>,
    pub(super) seats: Arena<Seat>,
    sides: usize,
}

impl<M: Copy> Tree<M> {
    /// A root that nothing is known of. Its move is never looked at.
    pub(super) fn new(mv: M, blank: &[Seat]) -> Tree<M> {
        let mut tree = Tree { nodes: Arena::new(), seats: Arena::new(), sides: blank.len() };
        tree.add(&[mv], blank);
        tree
    }

    /// Adds siblings that were never visited.
    pub(super) fn add(&mut self, moves: &[M], blank: &[Seat]) -> NodeId {
        let first = self.nodes.open_block(moves.len());
        let seats = self.seats.open_block(moves.len() * self.sides);
        for (nth, &mv) in moves.iter().enumerate() {
            blank.iter().for_each(|&seat| self.seats.push(seat));
            self.nodes.push(Node {
                first: ROOT,
                seats: seats.sibling(nth * self.sides),
                visits: 0,
                bias: 0.0,
                width: 0,
                tried: 0,
                mv,
                over: false,
                stale: false,
            });
        }
        first
    }

    #[inline]
    pub(super) fn seat(&self, id: NodeId, side: usize) -> &Seat {
        &self.seats[self.nodes[id].seats.sibling(side)]
    }

    #[inline]
    pub(super) fn seat_mut(&mut self, id: NodeId, side: usize) -> &mut Seat {
        let seat = self.nodes[id].seats.sibling(side);
        &mut self.seats[seat]
    }

    /// Whether every side's payoff is known.
    #[inline]
    pub(super) fn settled(&self, id: NodeId) -> bool {
        self.seats.block(self.nodes[id].seats, self.sides).iter().all(|seat| seat.lo == seat.hi)
    }

    /// The children that were visited, and their seats, one after the other.
    #[inline]
    pub(super) fn tried(&self, id: NodeId) -> (&[Node<M>], &[Seat]) {
        let node = &self.nodes[id];
        let count = usize::from(node.tried);
        if count == 0 {
            return (&[], &[]);
        }
        let kids = self.nodes.block(node.first, count);
        (kids, self.seats.block(kids[0].seats, count * self.sides))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.seats.bytes()
    }

    /// The bytes of a node with its seats.
    fn size(&self) -> u64 {
        (size_of::<Node<M>>() + self.sides * size_of::<Seat>()) as u64
    }

    /// The same tree from `root` on, without the children of nodes that have fewer than `least` visits. What those nodes have learnt
    /// from them stays.
    pub(super) fn pruned(&self, root: NodeId, least: u32) -> Tree<M> {
        let mut new = Tree { nodes: Arena::new(), seats: Arena::new(), sides: self.sides };
        new.nodes.open_block(1);
        new.seats.open_block(self.sides);
        new.copy(&[self.nodes[root]], &self.seats, ROOT);
        let mut waiting = vec![(root, ROOT)];
        while let Some((old, copy)) = waiting.pop() {
            let Node { first, width, tried, visits, .. } = self.nodes[old];
            if width == 0 || visits < least {
                continue;
            }
            let to = new.nodes.open_block(width.into());
            let seats = new.seats.open_block(usize::from(width) * self.sides);
            new.copy(self.nodes.block(first, width.into()), &self.seats, seats);
            let node = &mut new.nodes[copy];
            (node.first, node.width, node.tried) = (to, width, tried);
            waiting.extend((0..tried.into()).map(|nth| (first.sibling(nth), to.sibling(nth))));
        }
        new
    }

    /// Adds copies of siblings, without their children, and of their seats.
    fn copy(&mut self, nodes: &[Node<M>], from: &Arena<Seat>, seats: NodeId) {
        for (nth, node) in nodes.iter().enumerate() {
            from.block(node.seats, self.sides).iter().for_each(|&seat| self.seats.push(seat));
            let seats = seats.sibling(nth * self.sides);
            self.nodes.push(Node { first: ROOT, seats, width: 0, tried: 0, ..*node });
        }
    }

    /// The number of visits below which nodes have to lose their children so that what is left fits into `bytes`.
    pub(super) fn least_visits(&self, bytes: u64) -> u32 {
        // What hangs on nodes with 2^k to 2^(k+1) - 1 visits. Nobody has more visits than his parent.
        let mut hanging = [0; 32];
        let mut waiting = vec![ROOT];
        while let Some(id) = waiting.pop() {
            let Node { first, width, tried, visits, .. } = self.nodes[id];
            if width > 0 {
                hanging[visits.max(1).ilog2() as usize] += u64::from(width) * self.size();
                waiting.extend((0..tried.into()).map(|nth| first.sibling(nth)));
            }
        }
        let mut kept = self.size();
        let fits = |&k: &usize| {
            kept += hanging[k];
            kept <= bytes
        };
        let lowest = (0..32).rev().take_while(fits).last();
        lowest.map_or(u32::MAX, |k| 1 << k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLANK: [Seat; 2] = [Seat { mean: 0.0, lo: -1, hi: 1, pn: 1 }; 2];

    /// A tree in which every child but the first has half of its parent's visits.
    fn grow(tree: &mut Tree<u32>, id: NodeId, visits: u32) {
        tree.nodes[id].visits = visits;
        tree.seat_mut(id, 1).mean = visits as f32;
        if visits < 2 {
            return;
        }
        let first = tree.add(&[visits, 0, 1], &BLANK);
        let node = &mut tree.nodes[id];
        (node.first, node.width, node.tried) = (first, 3, 2);
        grow(tree, first, visits / 2);
        grow(tree, first.sibling(1), visits / 4);
    }

    fn count(tree: &Tree<u32>, id: NodeId) -> u64 {
        let node = &tree.nodes[id];
        assert_eq!(tree.seat(id, 1).mean, node.visits as f32, "seats go with their nodes");
        let kids = (0..node.tried.into()).map(|nth| count(tree, node.first.sibling(nth)));
        1 + u64::from(node.width - node.tried) + kids.sum::<u64>()
    }

    #[test]
    fn what_is_left_fits() {
        let mut tree = Tree::new(0, &BLANK);
        grow(&mut tree, ROOT, 1 << 12);
        let all = tree.bytes();
        assert_eq!(count(&tree, ROOT) * tree.size(), all);
        for share in [2, 3, 10, 100] {
            let least = tree.least_visits(all / share);
            let kept = tree.pruned(ROOT, least);
            assert!(kept.bytes() <= all / share);
            assert!(tree.pruned(ROOT, least / 2).bytes() > all / share, "no more than needed is given up");
            assert_eq!(count(&kept, ROOT) * tree.size(), kept.bytes());
        }
        let child = tree.nodes[ROOT].first;
        assert_eq!(tree.pruned(child, 0).nodes[ROOT].visits, 1 << 11);
    }
}
