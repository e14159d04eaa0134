//! Learning from positions of a game: solve some, remember the patterns of solved moves, and see whether that helps with others.

use crate::knowledge::leaf;
use crate::{Solvable, Solver};
use delphic_game::{Asked, Force, Notation, Verdict};
use delphic_learn::Table;
use delphic_learn::clock::Stopwatch;
use delphic_learn::train::{Config, Outcome, Run, Task, Watcher, run};
use delphic_search::Limits;
use std::sync::atomic::Ordering;

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// Who solves the positions; one that keeps a tree or a graph, because tables tell nothing of moves.
    pub solver: Solver,
    /// What one position may cost.
    pub limits: Limits<'a>,
    /// Passes, model, and which positions are kept for the test.
    pub config: Config,
}

/// Solved moves of one search that are remembered.
const MOST: usize = 100_000;

/// Learns from positions of a game with patterns: does the side to move win?
pub(crate) fn learn<G: Notation + Solvable>(
    game: &G,
    positions: &[G::State],
    lesson: &Lesson<'_>,
    known: Table,
    watcher: &mut dyn Watcher,
) -> Option<Outcome> {
    game.patterns()?;
    let best = *game.payoffs().last()?;
    let interrupted = || lesson.limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
    let solve = |position: &G::State, mut task: Task<'_>| {
        let player = game.turn(position);
        let asked = Asked::new(game, Force { player, at_least: best }, position.clone());
        let prior = task.known().map(|chances| leaf(game, chances));
        let watch = Stopwatch::start();
        let (report, _) = lesson.solver.run_with(prior, &asked, lesson.limits, lesson.config.seed, &mut ());
        let time = watch.elapsed();
        let solved = report.truth != Verdict::Open;
        if !interrupted() {
            task.take(&asked, &report, MOST);
        }
        Run { solved, time, created: report.stats.created }
    };
    Some(run(&lesson.config, positions, known, solve, watcher))
}
