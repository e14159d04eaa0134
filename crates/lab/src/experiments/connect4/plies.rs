//! PPN and MCPNS on Connect Four with a limit of simulated plies: equal work, as a clock would give, that repeats exactly.
//!
//! Solvers do not count the plies of their random games. Here the prior plays them, move by move and with the same random numbers as
//! the solvers' own, and stops the kernel when it has played enough.

use super::problem;
use crate::{Caps, LabError, Record, Verdict};
use delphic_engine::{InputError, Limits, Stats, StopReason};
use delphic_game::{Game, Question, Rng, Spec, Verdict as Truth};
use delphic_games::{Connect4, Family};
use delphic_learn::clock::Stopwatch;
use delphic_search::boundary::GameTree;
use delphic_search::kernel::{self, Expand};
use delphic_search::prior::{LeafPosition, Prior};
use delphic_search::rule::{Evidence, MinSum, Product, Rates, Sum, Ties};
use delphic_search::{GameProblem, Report};
use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// A search whose random games are counted by their plies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Counted {
    /// Which search.
    pub search: Simulated,
    /// Random games at a leaf.
    pub playouts: u32,
    /// What replaces a rate, or a proof or disproof number, of 0.
    pub theta: f64,
}

/// The two searches of paper 1 with random games at the leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Simulated {
    /// Probability-based proof-number search.
    Ppn,
    /// Monte-Carlo proof-number search.
    Mcpns,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.search {
            Simulated::Ppn => "ppn",
            Simulated::Mcpns => "mcpns",
        };
        write!(f, "{name}-by-plies:playouts={},theta={}", self.playouts, self.theta)
    }
}

impl Counted {
    /// Searches a position of Connect Four; `None` if it was interrupted. The score of the record is the number of simulated plies.
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
        let (plies, enough) = (Cell::new(0), AtomicBool::new(false));
        let prior = CountedPlayouts {
            per_leaf: self.playouts,
            rng: Rng::new(seed),
            plies: &plies,
            most: caps.plies.unwrap_or(u64::MAX),
            enough: &enough,
            interrupt,
        };
        let tree = Box::new(GameTree::new(problem, prior));
        let limits = Limits { interrupt: Some(&enough), ..caps.limits(interrupt) };
        let watch = Stopwatch::start();
        let Report { truth, stop, stats, .. } = match self.search {
            Simulated::Ppn => {
                let mut rule = Product::default();
                rule.theta = self.theta;
                kernel::solve(tree, &rule, Expand::Plain, limits, &mut ())
            }
            Simulated::Mcpns => {
                let rule =
                    MinSum { kind: Rates { theta: self.theta }, sum: Sum::Plain, ties: Ties::default() };
                kernel::solve(tree, &rule, Expand::Plain, limits, &mut ())
            }
        };
        if truth == Truth::Open && interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let verdict = match truth {
            Truth::Proved => Verdict::Proved,
            Truth::Disproved => Verdict::Disproved,
            Truth::Open => Verdict::Unknown,
        };
        let stop = if stop == StopReason::Interrupted { "plies" } else { stop.name() };
        let (stop, score, line) = (stop.to_owned(), Some(plies.get() as f64), String::new());
        let stats = Stats { time: watch.elapsed(), ..stats };
        Ok(Some(Record { verdict, stop, score, estimated_at: None, line, stats }))
    }
}

/// Random games at a leaf, of which every ply is counted.
struct CountedPlayouts<'s> {
    per_leaf: u32,
    rng: Rng,
    plies: &'s Cell<u64>,
    most: u64,
    /// Raised to stop the search: there were enough plies, or it is interrupted.
    enough: &'s AtomicBool,
    interrupt: &'s AtomicBool,
}

impl Prior<Connect4> for CountedPlayouts<'_> {
    fn evidence(
        &mut self,
        problem: &GameProblem<'_, Connect4>,
        leaf: LeafPosition<'_, Connect4>,
        scratch: &mut Vec<<Connect4 as Game>::Move>,
    ) -> Evidence {
        let (game, mut wins, mut plies) = (problem.game, 0, 0);
        for _ in 0..self.per_leaf {
            let mut state = *leaf.state;
            let end = loop {
                if let Some(outcome) = game.outcome(&state) {
                    break outcome;
                }
                match game.random_move(&state, &mut self.rng, scratch) {
                    Some(mv) => game.play(&mut state, mv),
                    None => break game.stuck(&state),
                }
                plies += 1;
            };
            wins += u32::from(problem.question.answer(end) == Truth::Proved);
        }
        self.plies.set(self.plies.get() + plies);
        if self.plies.get() >= self.most || self.interrupt.load(Ordering::Relaxed) {
            self.enough.store(true, Ordering::Relaxed);
        }
        Evidence::Playouts { wins, played: self.per_leaf }
    }

    fn costly(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, random_position};

    /// Without a limit of plies these are the solvers themselves, random numbers included; with one they stop there.
    #[test]
    fn counting_changes_nothing() {
        let (game, go) = ("connect4:5x4", AtomicBool::new(false));
        let searches = [(Simulated::Ppn, "ppn:playouts=5"), (Simulated::Mcpns, "mcpns:playouts=5")];
        for (seed, (search, solver)) in (1..=4).flat_map(|seed| searches.map(|search| (seed, search))) {
            let moves = random_position(game, 6, seed).unwrap();
            let counted = Counted { search, playouts: 5, theta: 0.01 };
            let run = |cell: Cell| cell.seeded(seed).run(&go).unwrap().unwrap();
            let caps = Caps::nodes(3_000);
            let ours = run(Cell::counted("test", game, &moves, counted, caps));
            let theirs = run(Cell::solve("test", game, &moves, solver.parse().unwrap(), caps));
            let facts = |record: &Record| (record.verdict, record.stats.created, record.stats.visited);
            assert_eq!(facts(&ours), facts(&theirs), "{moves}");
            assert!(ours.score.unwrap() >= 2.0 * ours.stats.created as f64, "{ours:?}");
            let less = Caps { plies: Some(ours.score.unwrap() as u64 / 2), ..Caps::default() };
            let cut = run(Cell::counted("test", game, &moves, counted, less));
            assert!(cut.stop == "plies" && !cut.verdict.proven(), "{cut:?}");
            assert!(cut.stats.created < ours.stats.created);
        }
    }
}
