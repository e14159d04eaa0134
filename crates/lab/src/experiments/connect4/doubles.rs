//! PPN as paper 1's Algorithm 1 prints it: one 64-bit float for each node and nothing else. The search ends when the root's number is
//! exactly 0 or 1.
//!
//! The kernel's `ppn` keeps exact verdicts apart from the probabilities. This search does not use them; it only notes them, to tell
//! a root that reads 1 because it is proved from one that reads 1 because of rounding. A proved node always reads 1: the product over its
//! siblings has a factor that is exactly 0. So rounding can end this search too early and cannot prolong it.

use super::problem;
use crate::{Caps, LabError, Record, Verdict};
use delphic_engine::{InputError, Stats, StopReason};
use delphic_game::{Game, Gate, Hints, Logic, Rng, Spec, Verdict as Truth};
use delphic_games::{Connect4, Family};
use delphic_search::GameProblem;
use delphic_search::problem::NodeStatus;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// PPN on plain doubles.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Doubles {
    /// Random games at a leaf.
    pub playouts: u32,
    /// What replaces a rate of 0; 1 − θ replaces 1.
    pub theta: f64,
}

/// The root reads 0.000000 or 1.000000 in six digits from here on.
const SIX_DIGITS: f64 = 5e-7;

/// The word for a search that ended because its root reads 0 or 1 without a proof.
pub const ROUNDING: &str = "rounding";

impl fmt::Display for Doubles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ppn-on-doubles:playouts={},theta={}", self.playouts, self.theta)
    }
}

struct Node<S> {
    state: S,
    parent: usize,
    /// The children are at `first..first + count`.
    first: usize,
    count: usize,
    gate: Gate,
    p: f64,
    truth: Truth,
}

impl Doubles {
    /// Searches a position of Connect Four; `None` if it was interrupted.
    pub(crate) fn run(
        &self,
        game: &str,
        moves: &str,
        seed: u64,
        caps: &Caps,
        interrupt: &AtomicBool,
    ) -> Result<Option<Record>, LabError> {
        let game = Connect4::build(&mut Spec::parse(game)).map_err(InputError::from)?;
        let problem = problem(&game, moves)?;
        let mut search =
            Search { settings: *self, problem, rng: Rng::new(seed), nodes: Vec::new(), scratch: Vec::new() };
        Ok(search.solve(caps.nodes.unwrap_or(u64::MAX), interrupt))
    }
}

struct Search<'g, G: Game> {
    settings: Doubles,
    problem: GameProblem<'g, G>,
    rng: Rng,
    nodes: Vec<Node<G::State>>,
    scratch: Vec<G::Move>,
}

impl<G: Hints> Search<'_, G> {
    fn solve(&mut self, most: u64, interrupt: &AtomicBool) -> Option<Record> {
        let started = Instant::now();
        let root = self.node(self.problem.position.clone(), 0);
        self.nodes.push(root);
        let (mut stats, mut six_digits) = (Stats::default(), None);
        while !exact(self.nodes[0].p) && stats.created < most {
            if interrupt.load(Ordering::Relaxed) {
                return None;
            }
            let leaf = self.descend();
            self.expand(leaf);
            stats.iterations += 1;
            stats.expanded += 1;
            stats.created = self.nodes.len() as u64 - 1;
            self.back_up(leaf);
            let p = self.nodes[0].p;
            if six_digits.is_none() && p.min(1.0 - p) < SIX_DIGITS {
                six_digits = Some(stats.created);
            }
        }
        stats.playouts = self.nodes.len() as u64 * u64::from(self.settings.playouts);
        stats.time = started.elapsed();
        let Node { p, truth, .. } = self.nodes[0];
        let (verdict, stop) = match (truth, exact(p)) {
            (Truth::Proved, _) => (Verdict::Proved, StopReason::Solved.name()),
            (Truth::Disproved, _) => (Verdict::Disproved, StopReason::Solved.name()),
            (Truth::Open, false) => (Verdict::Unknown, StopReason::Nodes.name()),
            (Truth::Open, true) if p == 1.0 => (Verdict::EstimatedYes, ROUNDING),
            (Truth::Open, true) => (Verdict::EstimatedNo, ROUNDING),
        };
        let (stop, line) = (stop.to_owned(), String::new());
        Some(Record { verdict, stop, score: Some(p), estimated_at: six_digits, line, stats })
    }

    fn node(&mut self, state: G::State, parent: usize) -> Node<G::State> {
        let (p, truth, gate) = match self.problem.status(&state, &mut self.scratch) {
            NodeStatus::Over(truth) => (f64::from(truth == Truth::Proved), truth, Gate::Or),
            NodeStatus::Open { role, .. } => (self.rate(&state), Truth::Open, role),
        };
        Node { state, parent, first: 0, count: 0, gate, p, truth }
    }

    /// The rate of successful playouts, θ from 0 and 1.
    fn rate(&mut self, state: &G::State) -> f64 {
        let Doubles { playouts, theta } = self.settings;
        let mut wins = 0;
        for _ in 0..playouts {
            let end = self.problem.playout(&mut state.clone(), &mut self.rng, &mut self.scratch);
            wins += u32::from(end == Truth::Proved);
        }
        match wins {
            0 => theta,
            wins if wins == playouts => 1.0 - theta,
            wins => f64::from(wins) / f64::from(playouts),
        }
    }

    /// The leaf to expand: the first largest child where one is enough, the first smallest where all are needed.
    fn descend(&self) -> usize {
        let mut at = 0;
        while self.nodes[at].count > 0 {
            let Node { first, count, gate, .. } = self.nodes[at];
            let mut best = first;
            for kid in first + 1..first + count {
                let (p, least) = (self.nodes[kid].p, self.nodes[best].p);
                if (gate == Gate::Or && p > least) || (gate == Gate::And && p < least) {
                    best = kid;
                }
            }
            at = best;
        }
        at
    }

    fn expand(&mut self, leaf: usize) {
        let (state, first) = (self.nodes[leaf].state.clone(), self.nodes.len());
        let mut moves = Vec::new();
        self.problem.game.moves(&state, &mut moves);
        for mv in &moves {
            let child = self.node(self.problem.child(&state, *mv), leaf);
            self.nodes.push(child);
        }
        (self.nodes[leaf].first, self.nodes[leaf].count) = (first, moves.len());
    }

    fn back_up(&mut self, leaf: usize) {
        let mut at = leaf;
        loop {
            let Node { first, count, gate, parent, .. } = self.nodes[at];
            let kids = &self.nodes[first..first + count];
            let product = |of: fn(f64) -> f64| kids.iter().map(|kid| of(kid.p)).product::<f64>();
            let p = match gate {
                Gate::Or => 1.0 - product(|p| 1.0 - p),
                Gate::And => product(|p| p),
            };
            let truth = self.problem.question.combine(gate, kids.iter().map(|kid| kid.truth));
            (self.nodes[at].p, self.nodes[at].truth) = (p, truth);
            if at == 0 {
                return;
            }
            at = parent;
        }
    }
}

/// Whether a number reads as a proof or a disproof.
fn exact(p: f64) -> bool {
    p == 0.0 || p == 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, random_position};

    /// Proofs are right, and a proved root reads exactly 0 or 1.
    #[test]
    fn proofs_agree_with_alphabeta() {
        let (game, go) = ("connect4:5x4", AtomicBool::new(false));
        let mut proved = 0;
        for seed in 1..=12 {
            let moves = random_position(game, 8, seed).unwrap();
            let (caps, solver) = (Caps::nodes(20_000), Doubles { playouts: 4, theta: 0.01 });
            let found = Cell::doubles("test", game, &moves, solver, caps).run(&go).unwrap().unwrap();
            let known = Cell::solve("test", game, &moves, "alphabeta".parse().unwrap(), Caps::default());
            let known = known.run(&go).unwrap().unwrap();
            if found.verdict.proven() {
                proved += 1;
                assert_eq!(found.verdict, known.verdict, "{moves}");
                assert_eq!(found.score, Some(f64::from(found.verdict == Verdict::Proved)), "{moves}");
            }
        }
        assert!(proved >= 6, "{proved} of 12");
    }
}
