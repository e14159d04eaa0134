//! Learning a prior: solve training positions, count the patterns of solved moves, and compare searches of test positions.

use crate::pattern_prior::leaf_prior;
use crate::{AnyPosition, InputError, Solver};
use delphic_game::{Force, Verdict};
use delphic_learn::Table;
use delphic_learn::clock::Stopwatch;
use delphic_learn::train::{Config, Outcome, Run, Task, Watcher, run};
use delphic_search::Limits;
use std::sync::atomic::Ordering;

/// How to learn.
#[derive(Clone, Debug)]
pub struct Training<'a> {
    /// The solver; it must keep a tree or graph, since tables store positions and not moves.
    pub solver: Solver,
    /// The limits for one position.
    pub limits: Limits<'a>,
    /// Passes, model, and the share of held-out positions.
    pub config: Config,
}

/// The number of solved moves counted per search.
const MOST_MOVES: usize = 100_000;

/// Learns from positions of a game with patterns, with the question whether the side to move wins. `known` is the table to extend.
/// Terminal positions are skipped.
pub fn train(
    positions: &[Box<dyn AnyPosition>],
    training: &Training<'_>,
    known: Table,
    watcher: &mut dyn Watcher,
) -> Result<Outcome, InputError> {
    let positions: Vec<&dyn AnyPosition> =
        positions.iter().map(|position| &**position).filter(|position| !position.is_over()).collect();
    if let Some(position) = positions.iter().find(|position| position.search().pattern_symmetry().is_none()) {
        let spec = position.spec();
        return Err(InputError::Request(format!("{spec} has no patterns to learn")));
    }
    let interrupted = || training.limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
    let solve = |position: &&dyn AnyPosition, mut task: Task<'_>| {
        let search = position.search();
        let at_least = position.game_payoffs().last().copied().unwrap_or(i16::MAX);
        let question = Force { player: position.turn(), at_least };
        let prior = task.known().map(|chances| leaf_prior(&*search, chances));
        let (watch, seed) = (Stopwatch::start(), training.config.seed);
        let (report, _) = training.solver.run(&*search, question, prior, training.limits, seed, &mut ());
        let time = watch.elapsed();
        if !interrupted() {
            task.take(&*search, question, &report, MOST_MOVES);
        }
        Run { solved: report.truth != Verdict::Open, time, created: report.stats.created }
    };
    Ok(run(&training.config, &positions, known, solve, watcher))
}
