//! What to play, and why: the view of the root's moves.

use super::tree::Seat;
use super::{Mcts, Solving};
use crate::arena::{NodeId, ROOT};
use delphic_game::{Bounds, Hints, Progressive};

/// What a search thinks of a move at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View<M> {
    /// The move.
    pub mv: M,
    /// Iterations that went through it.
    pub visits: u32,
    /// The mean of their values for the mover, between −1 and 1.
    pub mean: f64,
    /// The payoffs for the mover that are not excluded.
    pub bounds: Bounds,
}

/// Farther than any known line.
const UNKNOWN: u32 = u32::MAX / 2;

impl<G: Progressive + Hints> Mcts<'_, G> {
    /// The view of every legal move at the root, in the order of the rules.
    pub fn views(&self) -> Vec<View<G::Move>> {
        let (mover, sides) = (self.mover(), self.stakes.sides);
        let (kids, seats) = self.tree.tried(ROOT);
        let mut moves = Vec::new();
        self.game.moves(&self.state, &mut moves);
        let view = |mv| match kids.iter().position(|kid| kid.mv == mv) {
            None => View { mv, visits: 0, mean: 0.0, bounds: self.stakes.range(mover) },
            Some(nth) => {
                let Seat { mean, lo, hi, .. } = seats[nth * sides + mover];
                View { mv, visits: kids[nth].visits, mean: mean.into(), bounds: Bounds { lo, hi } }
            }
        };
        moves.into_iter().map(view).collect()
    }

    /// The move to play. A proven win is played by the shortest known line and a proven loss by the longest; nothing is less wanted than a proven
    /// loss. Apart from that it is the move with the most visits, or one whose certain payoff is at least as good as that one's mean.
    pub fn choose(&mut self) -> G::Move {
        let (views, mover) = (self.views(), self.mover());
        let preferred: Vec<&View<G::Move>> = match self.settings.solving {
            Solving::Off => most_visited(views.iter()),
            Solving::Ludii => self.as_published(&views, mover),
            _ if self.solved() => self.by_distance(&views, mover),
            _ => self.by_certainty(&views, mover),
        };
        preferred[self.rng.below(preferred.len())].mv
    }

    /// At a solved root: moves that keep its payoff; of wins the fastest, of losses the slowest.
    fn by_distance<'v>(&self, views: &'v [View<G::Move>], mover: usize) -> Vec<&'v View<G::Move>> {
        let (payoff, range) = (self.tree.seat(ROOT, mover).lo, self.stakes.range(mover));
        let good = views.iter().filter(|view| view.bounds == Bounds { lo: payoff, hi: payoff });
        if payoff > range.lo && payoff < range.hi {
            return most_visited(good);
        }
        let winner = if payoff == range.hi { Some(mover) } else { None };
        let distance = |view: &View<G::Move>| {
            let plies = self.kid(view.mv).map_or(UNKNOWN, |id| {
                let mut state = self.state.clone();
                self.game.play(&mut state, view.mv);
                self.distance(id, &state, winner, mover)
            });
            if winner.is_some() { UNKNOWN - plies } else { plies }
        };
        let far: Vec<_> = good.map(|view| (distance(view), view)).collect();
        let best = far.iter().map(|(plies, _)| *plies).max();
        most_visited(far.into_iter().filter(|(plies, _)| Some(*plies) == best).map(|(_, view)| view))
    }

    /// At an open root.
    fn by_certainty<'v>(&self, views: &'v [View<G::Move>], mover: usize) -> Vec<&'v View<G::Move>> {
        let range = self.stakes.range(mover);
        let value = |payoff| f64::from(self.stakes.value(payoff, mover));
        let leaders = most_visited(views.iter().filter(|view| view.bounds.hi > range.lo));
        let Some(leader) = leaders.first() else { return views.iter().collect() };
        let mean = leader.mean.clamp(value(leader.bounds.lo), value(leader.bounds.hi));
        let certain = views.iter().map(|view| view.bounds.lo).max().unwrap_or(range.lo);
        if certain > range.lo && value(certain) >= mean {
            return most_visited(views.iter().filter(|view| view.bounds.lo == certain));
        }
        leaders
    }

    /// The scan of the published code: most visits, then the higher mean; a proven move at least as good as the best so far goes first.
    fn as_published<'v>(&self, views: &'v [View<G::Move>], mover: usize) -> Vec<&'v View<G::Move>> {
        let (mut best, mut highest, mut visits, mut proven) = (Vec::new(), f64::NEG_INFINITY, 0, false);
        for view in views {
            let solved = view.bounds.lo == view.bounds.hi;
            let mean = if solved { f64::from(self.stakes.value(view.bounds.lo, mover)) } else { view.mean };
            let better = match (solved, proven) {
                (true, _) => mean >= highest,
                (false, true) => mean > highest && view.visits >= visits,
                (false, false) => (view.visits, mean) > (visits, highest),
            };
            if better {
                (best, highest, proven) = (vec![view], mean, solved);
            } else if (view.visits, mean, solved) == (visits, highest, proven) {
                best.push(view);
            }
            visits = visits.max(view.visits);
        }
        if best.is_empty() { views.iter().collect() } else { best }
    }

    fn kid(&self, mv: G::Move) -> Option<NodeId> {
        let (kids, _) = self.tree.tried(ROOT);
        kids.iter().position(|kid| kid.mv == mv).map(|nth| self.tree.nodes[ROOT].first.sibling(nth))
    }

    /// The plies to the end of a game that `winner` wins, or, without one, `loser` loses: he who is sure to win hurries, the other delays, as far as
    /// the tree knows.
    fn distance(&self, id: NodeId, state: &G::State, winner: Option<usize>, loser: usize) -> u32 {
        let node = &self.tree.nodes[id];
        if node.over {
            return 1;
        }
        let side = winner.unwrap_or(loser);
        let payoff = self.tree.seat(id, side).lo;
        let hurries = (self.stakes.side(self.game.turn(state)) == side) == winner.is_some();
        let plies = (0..usize::from(node.tried)).map(|nth| node.first.sibling(nth)).filter_map(|kid| {
            let seat = self.tree.seat(kid, side);
            (seat.lo == payoff && seat.hi == payoff).then(|| {
                let mut next = state.clone();
                self.game.play(&mut next, self.tree.nodes[kid].mv);
                self.distance(kid, &next, winner, loser)
            })
        });
        let plies = if hurries { plies.min() } else { plies.max() };
        plies.map_or(UNKNOWN, |plies| (plies + 1).min(UNKNOWN))
    }

    /// From the root through children that share the payoff of their solved parents. Elsewhere by the final-move rule of paper 3: the
    /// best v + 1/√n, with values from 0 to 1.
    pub fn line(&self) -> Vec<G::Move> {
        let (mut line, mut id, mut state) = (Vec::new(), ROOT, self.state.clone());
        while self.tree.nodes[id].tried > 0 {
            let (mover, sides) = (self.stakes.side(self.game.turn(&state)), self.stakes.sides);
            let (seat, (kids, seats)) = (self.tree.seat(id, mover), self.tree.tried(id));
            let own = |nth: usize| &seats[nth * sides + mover];
            let shares =
                |nth: &usize| seat.lo == seat.hi && (own(*nth).lo, own(*nth).hi) == (seat.lo, seat.hi);
            let worth = |nth: &usize| own(*nth).mean / 2.0 + 1.0 / (kids[*nth].visits as f32).sqrt();
            let promising = || (0..kids.len()).max_by(|a, b| worth(a).total_cmp(&worth(b)));
            let Some(chosen) = (0..kids.len()).find(shares).or_else(promising) else { break };
            id = self.tree.nodes[id].first.sibling(chosen);
            let mv = self.tree.nodes[id].mv;
            line.push(mv);
            self.game.play(&mut state, mv);
        }
        line
    }
}

/// Those with the most visits, and among them with the best mean.
fn most_visited<'v, M: 'v>(views: impl Iterator<Item = &'v View<M>>) -> Vec<&'v View<M>> {
    let mut best: Vec<&View<M>> = Vec::new();
    for view in views {
        let found = best.first().map(|best| (best.visits, best.mean));
        if found.is_none_or(|found| (view.visits, view.mean) > found) {
            best.clear();
        }
        if best.first().is_none_or(|best| (best.visits, best.mean) == (view.visits, view.mean)) {
            best.push(view);
        }
    }
    best
}
