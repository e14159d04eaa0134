//! Training and testing (paper 4, §5.2): several passes over the training problems, each search guided by what was learnt so far; then the test
//! problems, with and without.
//!
//! What a problem is and how it is solved is the caller's: a function that takes a problem and what is known, and tells how it went.

use crate::calibration::Calibration;
use crate::chances::Chances;
use crate::harvest::{harvest, solved_moves};
use crate::prior::Model;
use crate::table::Table;
use delphic_game::{Force, Rng};
use delphic_search::{Report, Searchable};
use std::sync::Arc;
use std::time::Duration;

/// How to train.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// What is learnt.
    pub model: Model,
    /// Passes over the problems that are not solved yet.
    pub passes: usize,
    /// The part of the problems kept for the test.
    pub test: f64,
    /// Which ones.
    pub seed: u64,
}

/// How a search went.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Run {
    /// Whether the problem was solved.
    pub solved: bool,
    /// All of the time, patterns included.
    pub time: Duration,
    /// Nodes created.
    pub created: u64,
}

/// What a solver may do with a problem.
pub enum Task<'a> {
    /// Solve it knowing nothing.
    Plain,
    /// Solve it with what is known, and add what is found.
    Learn(Option<Arc<Chances>>, &'a mut Table),
    /// Solve it with what is known, and compare.
    Test(Arc<Chances>, &'a mut Calibration),
}

impl Task<'_> {
    /// What is known about moves.
    pub fn known(&self) -> Option<Arc<Chances>> {
        match self {
            Task::Plain => None,
            Task::Learn(known, _) => known.clone(),
            Task::Test(known, _) => Some(known.clone()),
        }
    }

    /// Takes at most `most` solved moves of a search, to learn from them or to compare.
    pub fn take(&mut self, position: &dyn Searchable, question: Force, report: &Report, most: usize) {
        match self {
            Task::Plain => {}
            Task::Learn(_, table) => harvest(position, question, report, most, table),
            Task::Test(known, calibration) => {
                solved_moves(position, question, report, most, &mut |stack, yes| {
                    if let Some(chance) = known.of(stack) {
                        calibration.add(chance, yes);
                    }
                });
            }
        }
    }
}

/// The training as it goes on: one entry of the learning curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pass {
    /// Training problems tried in this pass.
    pub tried: usize,
    /// Those solved.
    pub solved: usize,
    /// Time taken.
    pub time: Duration,
    /// Nodes created.
    pub created: u64,
    /// Patterns known afterwards.
    pub patterns: usize,
}

/// Somebody who watches.
pub trait Watcher {
    /// A pass is over; this is what is known.
    fn pass(&mut self, pass: &Pass, table: &Table) {
        let _ = (pass, table);
    }

    /// A test problem was tried without knowledge and with it.
    fn test(&mut self, number: usize, plain: &Run, learnt: &Run) {
        let _ = (number, plain, learnt);
    }
}

/// Nobody watches.
impl Watcher for () {}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The learning curve.
    pub passes: Vec<Pass>,
    /// All that was learnt.
    pub table: Table,
    /// The same as chances.
    pub chances: Arc<Chances>,
    /// Each test problem by number, without knowledge and with it.
    pub runs: Vec<(usize, Run, Run)>,
    /// Predictions about the moves of the test problems.
    pub calibration: Calibration,
}

/// Splits the numbers below `count`: those to train with, and those to test.
pub fn split(count: usize, test: f64, seed: u64) -> (Vec<usize>, Vec<usize>) {
    let (mut numbers, mut rng) = ((0..count).collect::<Vec<_>>(), Rng::new(seed));
    for i in (1..count).rev() {
        numbers.swap(i, rng.below(i + 1));
    }
    let tested = ((count as f64 * test.clamp(0.0, 1.0)).round() as usize).min(count);
    let training = numbers.split_off(tested);
    (training, numbers)
}

/// Trains and tests. `known` is a table to start from: an earlier training goes on from where it was saved.
pub fn run<P>(
    config: &Config,
    problems: &[P],
    known: Table,
    mut solve: impl FnMut(&P, Task<'_>) -> Run,
    watcher: &mut dyn Watcher,
) -> Outcome {
    let (mut waiting, test) = split(problems.len(), config.test, config.seed);
    let (mut table, mut passes) = (known, Vec::new());
    let fit = |table: &Table| Arc::new(config.model.fit(table));
    let mut chances = (!table.is_empty()).then(|| fit(&table));
    let mut fitted = table.len();
    for _ in 0..config.passes {
        let mut pass =
            Pass { tried: waiting.len(), solved: 0, time: Duration::ZERO, created: 0, patterns: 0 };
        waiting.retain(|&number| {
            let run = solve(&problems[number], Task::Learn(chances.clone(), &mut table));
            pass.solved += usize::from(run.solved);
            pass.time += run.time;
            pass.created += run.created;
            // Fitting takes as long as the table is, so it waits until there is something new.
            if table.len() > fitted + fitted / 8 {
                fitted = table.len();
                chances = Some(fit(&table));
            }
            !run.solved
        });
        pass.patterns = table.len();
        watcher.pass(&pass, &table);
        passes.push(pass);
        if pass.solved == 0 {
            break;
        }
    }
    let chances = fit(&table);
    let (mut calibration, mut runs) = (Calibration::default(), Vec::new());
    for number in test {
        let plain = solve(&problems[number], Task::Plain);
        let learnt = solve(&problems[number], Task::Test(chances.clone(), &mut calibration));
        watcher.test(number, &plain, &learnt);
        runs.push((number, plain, learnt));
    }
    Outcome { passes, table, chances, runs, calibration }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beta::Beta;

    #[test]
    fn splits_are_fair_and_fixed() {
        let (training, test) = split(30, 1.0 / 3.0, 1);
        assert_eq!((training.len(), test.len()), (20, 10));
        assert_eq!(split(30, 1.0 / 3.0, 1), (training.clone(), test.clone()));
        assert_ne!(split(30, 1.0 / 3.0, 2).1, test);
        let mut all = [training, test].concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..30));
        assert_eq!(split(0, 0.5, 1), (vec![], vec![]));
    }

    /// A toy: hard problems are solved only by who knows something.
    #[test]
    fn unsolved_problems_come_again() {
        let config = Config { model: Model::Beta(Beta::default()), passes: 5, test: 0.25, seed: 3 };
        let problems: Vec<bool> = (0..40).map(|i| i % 2 == 0).collect();
        let solve = |hard: &bool, task: Task<'_>| {
            let run = |solved| Run { solved, time: Duration::from_millis(1), created: 10 };
            match task {
                Task::Plain => run(!hard),
                Task::Learn(known, table) => {
                    table.observe(&[1, 2, 3, 4, 5, 6, 7, 8], true);
                    run(!hard || known.is_some_and(|known| known.len() == 8))
                }
                Task::Test(..) => run(true),
            }
        };
        let outcome = run(&config, &problems, Table::default(), solve, &mut ());
        assert_eq!(outcome.passes.iter().map(|pass| pass.solved).sum::<usize>(), 30);
        assert_eq!(outcome.runs.len(), 10);
        assert!(outcome.runs.iter().all(|(_, _, learnt)| learnt.solved));
    }
}
