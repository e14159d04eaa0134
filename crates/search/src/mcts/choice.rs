//! The move to play, and the statistics of the root's moves.

use super::tree::SideStats;
use super::{FinalMove, Mcts, Solving};
use crate::arena::{NodeId, ROOT};
use delphic_game::Bounds;

/// The statistics of a move at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveStats {
    /// The number of the move.
    pub number: u16,
    /// Iterations that went through it.
    pub visits: u32,
    /// The mean of their values for the player to move, between −1 and 1.
    pub mean: f64,
    /// The bounds on the payoff of the player to move.
    pub bounds: Bounds,
}

/// More plies than any line.
const UNKNOWN: u32 = u32::MAX / 2;

impl Mcts<'_> {
    /// The statistics of all `moves` legal moves at the root, in the order of the rules.
    pub fn move_stats(&self, moves: usize) -> Vec<MoveStats> {
        let (mover, count) = (self.mover(), self.sides.count);
        let bounds = self.sides.range(mover);
        let mut all: Vec<MoveStats> =
            (0..moves as u16).map(|number| MoveStats { number, visits: 0, mean: 0.0, bounds }).collect();
        let (kids, sides) = self.tree.tried(ROOT);
        for (nth, kid) in kids.iter().enumerate() {
            let SideStats { mean, lo, hi, .. } = sides[nth * count + mover];
            let stats = &mut all[usize::from(kid.number)];
            (stats.visits, stats.mean, stats.bounds) = (kid.visits, mean.into(), Bounds { lo, hi });
        }
        all
    }

    /// The number of the move to play. A proven win is played by the shortest known line and a proven loss by the longest; any other move is
    /// preferred to a proven loss. Otherwise it is the move with the most visits, or one whose guaranteed payoff is at least as good as that
    /// move's mean.
    pub fn choose(&mut self, moves: usize) -> usize {
        let (stats, mover) = (self.move_stats(moves), self.mover());
        let preferred: Vec<&MoveStats> = match self.settings.solving {
            Solving::Off => most_visited(stats.iter()),
            Solving::Ludii => self.as_published(&stats, mover),
            _ if self.solved() => self.by_distance(&stats, mover),
            _ => self.by_certainty(&stats, mover),
        };
        preferred[self.rng.below(preferred.len())].number.into()
    }

    /// At a solved root: moves that keep its payoff; the shortest win or the longest loss.
    fn by_distance<'v>(&self, moves: &'v [MoveStats], mover: usize) -> Vec<&'v MoveStats> {
        let (payoff, range) = (self.tree.side(ROOT, mover).lo, self.sides.range(mover));
        let good = moves.iter().filter(|mv| mv.bounds == Bounds { lo: payoff, hi: payoff });
        if payoff > range.lo && payoff < range.hi {
            return most_visited(good);
        }
        let winner = if payoff == range.hi { Some(mover) } else { None };
        let distance = |mv: &MoveStats| {
            let plies = self.child(mv.number).map_or(UNKNOWN, |id| self.distance(id, winner, mover));
            if winner.is_some() { UNKNOWN - plies } else { plies }
        };
        let far: Vec<_> = good.map(|mv| (distance(mv), mv)).collect();
        let best = far.iter().map(|(plies, _)| *plies).max();
        most_visited(far.into_iter().filter(|(plies, _)| Some(*plies) == best).map(|(_, mv)| mv))
    }

    /// At an open root.
    fn by_certainty<'v>(&self, moves: &'v [MoveStats], mover: usize) -> Vec<&'v MoveStats> {
        let range = self.sides.range(mover);
        let value = |payoff| f64::from(self.sides.value(payoff, mover));
        let leaders = most_visited(moves.iter().filter(|mv| mv.bounds.hi > range.lo));
        let Some(leader) = leaders.first() else { return moves.iter().collect() };
        let mean = leader.mean.clamp(value(leader.bounds.lo), value(leader.bounds.hi));
        let certain = moves.iter().map(|mv| mv.bounds.lo).max().unwrap_or(range.lo);
        if certain > range.lo && value(certain) >= mean {
            return most_visited(moves.iter().filter(|mv| mv.bounds.lo == certain));
        }
        leaders
    }

    /// The selection of the published code: most visits, then the higher mean; a proven move at least as good as the best so far replaces it.
    fn as_published<'v>(&self, moves: &'v [MoveStats], mover: usize) -> Vec<&'v MoveStats> {
        let (mut best, mut highest, mut visits, mut proven) = (Vec::new(), f64::NEG_INFINITY, 0, false);
        for mv in moves {
            let solved = mv.bounds.lo == mv.bounds.hi;
            let mean = if solved { f64::from(self.sides.value(mv.bounds.lo, mover)) } else { mv.mean };
            let better = match (solved, proven) {
                (true, _) => mean >= highest,
                (false, true) => mean > highest && mv.visits >= visits,
                (false, false) => (mv.visits, mean) > (visits, highest),
            };
            if better {
                (best, highest, proven) = (vec![mv], mean, solved);
            } else if (mv.visits, mean, solved) == (visits, highest, proven) {
                best.push(mv);
            }
            visits = visits.max(mv.visits);
        }
        if best.is_empty() { moves.iter().collect() } else { best }
    }

    fn child(&self, number: u16) -> Option<NodeId> {
        let (kids, _) = self.tree.tried(ROOT);
        let place = kids.iter().position(|kid| kid.number == number)?;
        Some(self.tree.nodes[ROOT].first.sibling(place))
    }

    /// The plies to the end of a game that `winner` wins or, without one, `loser` loses: shortest win against longest defence, within the tree.
    fn distance(&self, id: NodeId, winner: Option<usize>, loser: usize) -> u32 {
        let node = &self.tree.nodes[id];
        if node.is_over() {
            return 1;
        }
        let side = winner.unwrap_or(loser);
        let payoff = self.tree.side(id, side).lo;
        let hurries = (self.mover_at(id) == side) == winner.is_some();
        let plies = (0..usize::from(node.tried)).map(|nth| node.first.sibling(nth)).filter_map(|kid| {
            let entry = self.tree.side(kid, side);
            (entry.lo == payoff && entry.hi == payoff).then(|| self.distance(kid, winner, loser))
        });
        let plies = if hurries { plies.min() } else { plies.max() };
        plies.map_or(UNKNOWN, |plies| (plies + 1).min(UNKNOWN))
    }

    /// The line from the root as move numbers: below a solved node a child with the same payoff, below an open node by [`FinalMove`].
    pub fn line(&self) -> Vec<u16> {
        let (mut line, mut id) = (Vec::new(), ROOT);
        while self.tree.nodes[id].tried > 0 {
            let (mover, count) = (self.mover_at(id), self.sides.count);
            let (side, (kids, sides)) = (self.tree.side(id, mover), self.tree.tried(id));
            let own = |nth: usize| &sides[nth * count + mover];
            let shares =
                |nth: &usize| side.lo == side.hi && (own(*nth).lo, own(*nth).hi) == (side.lo, side.hi);
            let worth = |nth: &usize| {
                let (mean, visits) = (own(*nth).mean, kids[*nth].visits);
                match self.settings.final_move {
                    FinalMove::Bound => (0, mean / 2.0 + 1.0 / (visits as f32).sqrt()),
                    FinalMove::Visits => (visits, mean),
                }
            };
            let order = |a: (u32, f32), b: (u32, f32)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
            let promising = || (0..kids.len()).max_by(|a, b| order(worth(a), worth(b)));
            let Some(chosen) = (0..kids.len()).find(shares).or_else(promising) else { break };
            id = self.tree.nodes[id].first.sibling(chosen);
            line.push(self.tree.nodes[id].number);
        }
        line
    }
}

/// The moves with the most visits, and among them those with the best mean.
fn most_visited<'v>(moves: impl Iterator<Item = &'v MoveStats>) -> Vec<&'v MoveStats> {
    let mut best: Vec<&MoveStats> = Vec::new();
    for mv in moves {
        let found = best.first().map(|best| (best.visits, best.mean));
        if found.is_none_or(|found| (mv.visits, mv.mean) > found) {
            best.clear();
        }
        if best.first().is_none_or(|best| (best.visits, best.mean) == (mv.visits, mv.mean)) {
            best.push(mv);
        }
    }
    best
}
