//! Back-up: means up to the root, bounds and proof numbers as far as they change.

use super::bounds;
use super::proof::{self, Goals, NEVER};
use super::tree::SideStats;
use super::{Mcts, Solving, Step};
use crate::arena::NodeId;
use crate::boundary::PerSide;
use delphic_game::{Bounds, Player};

impl Mcts<'_> {
    /// Adds values to the means of a node and of all nodes on the path, which leads to its parent.
    pub(super) fn record_path(&mut self, leaf: NodeId, values: &PerSide<f32>) {
        self.record(leaf, values);
        for nth in 0..self.path.len() {
            self.record(self.path[nth].id, values);
        }
    }

    fn record(&mut self, id: NodeId, values: &PerSide<f32>) {
        let node = &mut self.tree.nodes[id];
        node.visits = node.visits.saturating_add(1);
        let (sides, share) = (node.sides, 1.0 / node.visits as f32);
        for (side, value) in values.iter().enumerate().take(self.sides.count) {
            let side = &mut self.tree.sides[sides.sibling(side)];
            side.mean += (value - side.mean) * share;
        }
    }

    /// Backs up the bounds of a new node, as far as they change.
    pub(super) fn back_up_bounds(&mut self, leaf: NodeId) {
        let (solving, count) = (self.settings.solving, self.sides.count);
        let bounded = |side| {
            let (SideStats { lo, hi, .. }, range) = (*self.tree.side(leaf, side), self.sides.range(side));
            (lo, hi) != (range.lo, range.hi)
        };
        if solving == Solving::Off || !(0..count).any(bounded) {
            return;
        }
        if solving == Solving::Ludii && (0..count).all(|side| self.tree.side(leaf, side).lo == 0) {
            return;
        }
        for depth in (0..self.path.len()).rev() {
            let Step { id, mover, .. } = self.path[depth];
            let (node, (_, kids)) = (&self.tree.nodes[id], self.tree.tried(id));
            let found = bounds::combine(&self.sides, solving, mover, kids, node.tried < node.width);
            let mut changed = false;
            for (side, bounds) in found.iter().enumerate().take(count) {
                // Earlier bounds stay valid even if the children that proved them were discarded.
                changed |= self.tree.side_mut(id, side).tighten(*bounds);
            }
            if !changed {
                return;
            }
            if self.solves() {
                self.store(depth);
            }
        }
    }

    /// Stores the bounds of a position on the path, and takes over those found on another path. The root takes over none, because one of its
    /// children has to show the move to play.
    fn store(&mut self, depth: usize) {
        let (id, count) = (self.path[depth].id, self.sides.count);
        let mut known = [Bounds { lo: i16::MIN, hi: i16::MAX }; Player::MAX];
        for (side, bounds) in known.iter_mut().enumerate().take(count) {
            let SideStats { lo, hi, .. } = *self.tree.side(id, side);
            *bounds = Bounds { lo, hi };
        }
        self.behind.clear();
        self.behind.extend(self.path[1..=depth].iter().map(|step| step.id));
        let stored = self.game.store(&self.behind, known);
        for (side, bounds) in stored.iter().enumerate().take(count).filter(|_| depth > 0) {
            self.tree.side_mut(id, side).tighten(*bounds);
        }
    }

    /// Backs up proof numbers, as far as they change (paper 5, Algorithm 1).
    pub(super) fn back_up_numbers(&mut self) {
        let Some(bias) = self.settings.bias else { return };
        let count = self.sides.count;
        let entries = if bias.goals == Goals::OwnWins { count } else { 2 };
        for &Step { id, entry: mover, .. } in self.path.iter().rev() {
            let node = &mut self.tree.nodes[id];
            node.stale = true;
            let unvisited = usize::from(node.width - node.tried);
            let mut changed = false;
            for entry in 0..entries {
                let number = proof::combine(self.tree.tried(id).1, count, entry, mover, unvisited);
                let side = self.tree.side_mut(id, entry);
                // Proofs stay valid even if the children that showed them were discarded.
                if side.pn != number && side.pn != 0 && side.pn != NEVER {
                    (side.pn, changed) = (number, true);
                }
            }
            if !changed {
                return;
            }
        }
    }
}
