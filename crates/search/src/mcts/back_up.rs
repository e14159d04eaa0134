//! Carrying news up: means all the way, certain payoffs and proof numbers as far as they change.

use super::bounds::{self, Everyone};
use super::proof::{self, Goals, NEVER};
use super::tree::Seat;
use super::{Mcts, Solving};
use crate::arena::NodeId;
use delphic_game::{Bounds, Hints, Player, Progressive};

impl<G: Progressive + Hints> Mcts<'_, G> {
    pub(super) fn record(&mut self, id: NodeId, values: &Everyone<f32>) {
        let node = &mut self.tree.nodes[id];
        node.visits = node.visits.saturating_add(1);
        let (seats, share) = (node.seats, 1.0 / node.visits as f32);
        for (side, value) in values.iter().enumerate().take(self.stakes.sides) {
            let seat = &mut self.tree.seats[seats.sibling(side)];
            seat.mean += (value - seat.mean) * share;
        }
    }

    /// Carries what a new node has made certain up the path, as far as it makes a difference.
    pub(super) fn back_up_bounds(&mut self, leaf: NodeId) {
        let solving = self.settings.solving;
        let news = |side| {
            let (Seat { lo, hi, .. }, range) = (*self.tree.seat(leaf, side), self.stakes.range(side));
            (lo, hi) != (range.lo, range.hi)
        };
        if solving == Solving::Off || !(0..self.stakes.sides).any(news) {
            return;
        }
        if solving == Solving::Ludii && (0..self.stakes.sides).all(|side| self.tree.seat(leaf, side).lo == 0)
        {
            return;
        }
        for depth in (0..self.path.len()).rev() {
            let (id, mover, _) = self.path[depth];
            let (node, (_, kids)) = (&self.tree.nodes[id], self.tree.tried(id));
            let found = bounds::combine(&self.stakes, solving, mover, kids, node.tried < node.width);
            let mut changed = false;
            for (side, bounds) in found.iter().enumerate().take(self.stakes.sides) {
                // What was certain stays so, even if the children that showed it were given up.
                changed |= self.tree.seat_mut(id, side).tighten(*bounds);
            }
            if !changed {
                return;
            }
            if self.solves() {
                self.remember(depth);
            }
        }
    }

    /// Remembers what is certain about a position on the path, and learns what another way there has shown. The root learns from its
    /// children alone, because one of them will be played.
    fn remember(&mut self, depth: usize) {
        let mut state = self.state.clone();
        for &(id, ..) in &self.path[1..=depth] {
            self.game.play(&mut state, self.tree.nodes[id].mv);
        }
        self.game.canonicalize(&mut state);
        let certain =
            self.certain.entry(state).or_insert([Bounds { lo: i16::MIN, hi: i16::MAX }; Player::MAX]);
        for (side, bounds) in certain.iter_mut().enumerate().take(self.stakes.sides) {
            let seat = self.tree.seat_mut(self.path[depth].0, side);
            *bounds = Bounds { lo: seat.lo.max(bounds.lo), hi: seat.hi.min(bounds.hi) };
            if depth > 0 {
                seat.tighten(*bounds);
            }
        }
    }

    /// Carries proof numbers up the path, as far as they change (paper 5, Algorithm 1).
    pub(super) fn back_up_numbers(&mut self) {
        let Some(bias) = self.settings.bias else { return };
        let sides = self.stakes.sides;
        let entries = if bias.goals == Goals::OwnWins { sides } else { 2 };
        for &(id, _, mover) in self.path.iter().rev() {
            let node = &mut self.tree.nodes[id];
            node.stale = true;
            let unvisited = usize::from(node.width - node.tried);
            let mut changed = false;
            for entry in 0..entries {
                let number = proof::combine(self.tree.tried(id).1, sides, entry, mover, unvisited);
                let seat = self.tree.seat_mut(id, entry);
                // Proofs stay, even if the children that showed them were given up.
                if seat.pn != number && seat.pn != 0 && seat.pn != NEVER {
                    (seat.pn, changed) = (number, true);
                }
            }
            if !changed {
                return;
            }
        }
    }
}
