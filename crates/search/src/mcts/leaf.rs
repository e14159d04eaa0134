//! What is found out about a new node: that the game is over, what is certain on another way to it, or what random games say.

use super::bounds::Everyone;
use super::proof::{Bias, Goals, NEVER};
use super::{Estimator, Mcts};
use crate::arena::NodeId;
use delphic_game::{Hints, Outcome, Player, Progressive, playout, result};

impl<G: Progressive + Hints> Mcts<'_, G> {
    /// Looks at a new node for the first time. Its position may be played on from.
    pub(super) fn visit(&mut self, id: NodeId, state: &mut G::State) -> Everyone<f32> {
        self.stats.created += 1;
        let game = self.game;
        if let Some(outcome) = result(game, state, &mut self.moves) {
            self.tree.nodes[id].over = true;
            for side in 0..self.stakes.sides {
                let payoff = self.stakes.payoff(outcome, side);
                let seat = self.tree.seat_mut(id, side);
                (seat.lo, seat.hi) = (payoff, payoff);
            }
            self.settle(id);
            return self.known_values(id);
        }
        if self.solves() && self.recall(id, state) && self.tree.settled(id) {
            return self.known_values(id);
        }
        if let Some(Bias { mobility: true, goals, .. }) = self.settings.bias {
            // The moves were listed to see whether there are any, or are counted once more.
            let moves = game.count_moves(state, &mut self.moves) as u32;
            let mover = goals.entry(game.turn(state));
            for side in (0..self.stakes.sides).filter(|&side| side != mover) {
                self.tree.seat_mut(id, side).pn = moves;
            }
        }
        self.estimate(state)
    }

    /// Takes over what is certain about the position of a node, and tells whether that was news.
    pub(super) fn recall(&mut self, id: NodeId, state: &G::State) -> bool {
        if self.certain.is_empty() {
            return false;
        }
        let mut form = state.clone();
        self.game.canonicalize(&mut form);
        let Some(certain) = self.certain.get(&form) else { return false };
        let mut news = false;
        for (side, bounds) in certain.iter().enumerate().take(self.stakes.sides) {
            news |= self.tree.seat_mut(id, side).tighten(*bounds);
        }
        if self.tree.settled(id) {
            self.settle(id);
        }
        news
    }

    /// Gives a node that is solved its proof numbers.
    fn settle(&mut self, id: NodeId) {
        for side in 0..self.stakes.sides {
            let best = self.stakes.range(side).hi;
            let seat = self.tree.seat_mut(id, side);
            seat.pn = if seat.lo == best { 0 } else { NEVER };
        }
        if let Some(Bias { goals: Goals::WinOf(winner), .. }) = self.settings.bias {
            let won = self.tree.seat(id, self.stakes.side(winner)).pn == 0;
            let number = |proved| if proved { 0 } else { NEVER };
            self.tree.seat_mut(id, 0).pn = number(won);
            self.tree.seat_mut(id, 1).pn = number(!won);
        }
    }

    /// The values of a node that is solved, or what is thought of it so far.
    pub(super) fn known_values(&self, id: NodeId) -> Everyone<f32> {
        let mut values = [0.0; Player::MAX];
        for (side, value) in values.iter_mut().enumerate().take(self.stakes.sides) {
            let seat = self.tree.seat(id, side);
            *value = if seat.lo == seat.hi { self.stakes.value(seat.lo, side) } else { seat.mean };
        }
        values
    }

    fn estimate(&mut self, state: &mut G::State) -> Everyone<f32> {
        let mut values = [0.0; Player::MAX];
        let sides = self.stakes.sides;
        match self.settings.estimator {
            Estimator::Evaluation => {
                for (side, value) in values.iter_mut().enumerate().take(sides) {
                    let judged = self.stakes.judged(side);
                    let chance =
                        self.game.evaluate(state, judged).map_or(0.0, |chance| 2.0 * chance as f32 - 1.0);
                    *value = if self.stakes.side(judged) == side { chance } else { -chance };
                }
            }
            Estimator::Playouts { count, cut } => {
                for nth in 0..count {
                    let mut copy = (nth + 1 < count).then(|| state.clone());
                    let state = copy.as_mut().unwrap_or(state);
                    if let Some(outcome) = self.playout(state, cut) {
                        for (side, value) in values.iter_mut().enumerate().take(sides) {
                            *value += self.stakes.value(self.stakes.payoff(outcome, side), side);
                        }
                    }
                }
                values.iter_mut().for_each(|value| *value /= count as f32);
                self.stats.playouts += u64::from(count);
            }
        }
        values
    }

    /// A random game, `None` if it was cut short.
    fn playout(&mut self, state: &mut G::State, cut: Option<u32>) -> Option<Outcome> {
        let game = self.game;
        let Some(plies) = cut else { return Some(playout(game, state, &mut self.rng, &mut self.moves)) };
        for _ in 0..plies {
            let outcome = game.outcome(state);
            if outcome.is_some() {
                return outcome;
            }
            match game.random_move(state, &mut self.rng, &mut self.moves) {
                Some(mv) => game.play(state, mv),
                None => return Some(game.stuck(state)),
            }
        }
        result(game, state, &mut self.moves)
    }
}
