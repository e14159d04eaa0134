//! The first visit of a node: it is terminal, its bounds are known from another path, or playouts value it.

use super::proof::{Bias, Goals, NEVER};
use super::sides::Sides;
use super::{Estimator, Mcts};
use crate::arena::NodeId;
use crate::boundary::{Evaluator, PerSide};
use delphic_game::{Player, Rng};

impl Mcts<'_> {
    /// Visits a node for the first time; the simulator is at its position. Returns its values, `None` if they have to be estimated.
    pub(super) fn visit(&mut self, id: NodeId) -> Option<PerSide<f32>> {
        self.stats.created += 1;
        if let Some(outcome) = self.game.outcome() {
            self.tree.nodes[id].set_mover(None);
            for side in 0..self.sides.count {
                let payoff = self.sides.payoff(outcome, side);
                let side = self.tree.side_mut(id, side);
                (side.lo, side.hi) = (payoff, payoff);
            }
            self.settle(id);
            return Some(self.known_values(id));
        }
        let turn = self.game.turn();
        self.tree.nodes[id].set_mover(Some(turn));
        if self.solves() && self.recall(id) && self.tree.settled(id) {
            return Some(self.known_values(id));
        }
        if let Some(Bias { mobility: true, goals, .. }) = self.settings.bias {
            let moves = self.game.count_moves() as u32;
            let mover = self.entry(goals, turn);
            for side in (0..self.sides.count).filter(|&side| side != mover) {
                self.tree.side_mut(id, side).pn = moves;
            }
        }
        if let Estimator::Playouts { count, .. } = self.settings.estimator {
            self.stats.playouts += u64::from(count);
        }
        None
    }

    /// Takes over the bounds stored for the simulator's position, and returns whether they changed the node.
    pub(super) fn recall(&mut self, id: NodeId) -> bool {
        let Some(stored) = self.game.recall() else { return false };
        let mut changed = false;
        for (side, bounds) in stored.iter().enumerate().take(self.sides.count) {
            changed |= self.tree.side_mut(id, side).tighten(*bounds);
        }
        if self.tree.settled(id) {
            self.settle(id);
        }
        changed
    }

    /// Sets the proof numbers of a solved node.
    fn settle(&mut self, id: NodeId) {
        for side in 0..self.sides.count {
            let best = self.sides.range(side).hi;
            let side = self.tree.side_mut(id, side);
            side.pn = if side.lo == best { 0 } else { NEVER };
        }
        if let Some(Bias { goals: Goals::WinOf(winner), .. }) = self.settings.bias {
            let won = self.tree.side(id, self.sides.side(winner)).pn == 0;
            let number = |proved| if proved { 0 } else { NEVER };
            self.tree.side_mut(id, 0).pn = number(won);
            self.tree.side_mut(id, 1).pn = number(!won);
        }
    }

    /// The values of a visited node: its payoff if it is known, otherwise its mean.
    pub(super) fn known_values(&self, id: NodeId) -> PerSide<f32> {
        let mut values = [0.0; Player::MAX];
        for (side, value) in values.iter_mut().enumerate().take(self.sides.count) {
            let entry = self.tree.side(id, side);
            *value = if entry.lo == entry.hi { self.sides.value(entry.lo, side) } else { entry.mean };
        }
        values
    }
}

impl Estimator {
    /// The values of the simulator's position, which is not terminal.
    pub(super) fn values(self, game: &mut dyn Evaluator, sides: &Sides, rng: &mut Rng) -> PerSide<f32> {
        let mut values = [0.0; Player::MAX];
        match self {
            Estimator::Evaluation { after } => {
                let mut end = None;
                if after > 0 {
                    game.playouts(1, Some(after), rng, &mut |outcome| end = outcome);
                }
                if let Some(outcome) = end {
                    for (side, value) in values.iter_mut().enumerate().take(sides.count) {
                        *value = sides.value(sides.payoff(outcome, side), side);
                    }
                    return values;
                }
                for (side, value) in values.iter_mut().enumerate().take(sides.count) {
                    let player = sides.evaluated(side);
                    let chance = game.evaluate(player).map_or(0.0, |chance| 2.0 * chance as f32 - 1.0);
                    *value = if sides.side(player) == side { chance } else { -chance };
                }
            }
            Estimator::Playouts { count, cut } => {
                game.playouts(count, cut, rng, &mut |outcome| {
                    let Some(outcome) = outcome else { return };
                    for (side, value) in values.iter_mut().enumerate().take(sides.count) {
                        *value += sides.value(sides.payoff(outcome, side), side);
                    }
                });
                values.iter_mut().for_each(|value| *value /= count as f32);
            }
        }
        values
    }
}
