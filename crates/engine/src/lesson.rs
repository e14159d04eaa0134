//! Learning from positions of a game: solve some, remember the patterns of solved moves, and see whether that helps with others.

use crate::knowledge::leaf;
use crate::{Solvable, Solver};
use delphic_game::{Asked, Force, Notation, Verdict};
use delphic_learn::Table;
use delphic_learn::clock::Stopwatch;
use delphic_learn::templates::Templates;
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
    let patterns = game.patterns()?;
    let templates = Templates::new(patterns.alike());
    let best = *game.payoffs().last()?;
    let interrupted = || lesson.limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
    let solve = |position: &G::State, task: Task<'_>| {
        let player = game.turn(position);
        let asked = Asked::new(game, Force { player, at_least: best }, position.clone());
        let prior = match &task {
            Task::Plain | Task::Learn(None, _) => None,
            Task::Learn(Some(chances), _) | Task::Test(chances, _) => Some(leaf(game, chances.clone())),
        };
        let watch = Stopwatch::start();
        let (report, _) = lesson.solver.run_with(prior, &asked, lesson.limits, lesson.config.seed, &mut ());
        let time = watch.elapsed();
        let solved = report.truth != Verdict::Open;
        let mut left = MOST;
        let mut each = |tell: &mut dyn FnMut(&_, bool)| {
            let Some(memory) = report.memory.as_deref().filter(|_| !interrupted()) else { return };
            memory.solved_moves(&asked, &mut |before: &G::State, mv, truth| {
                if left > 0 {
                    left -= 1;
                    let mut after = before.clone();
                    game.play(&mut after, mv);
                    let seen = patterns.surroundings(before, mv, &after, player);
                    let stack = templates.stack(&seen, game.turn(before) == player);
                    tell(&stack, truth == Verdict::Proved);
                }
            });
        };
        match task {
            Task::Plain => {}
            Task::Learn(_, table) => each(&mut |stack, yes| table.observe(stack, yes)),
            Task::Test(chances, calibration) => each(&mut |stack, yes| {
                if let Some(chance) = chances.of(stack) {
                    calibration.add(chance, yes);
                }
            }),
        }
        Run { solved, time, created: report.stats.created }
    };
    Some(run(&lesson.config, positions, known, solve, watcher))
}
