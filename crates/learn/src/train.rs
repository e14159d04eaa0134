//! Training and testing (paper 4, §5.2): several passes over the training problems, each search guided by what was learned so far; then the
//! test problems, without a learned prior and with it.
//!
//! The caller defines what a problem is and how it is solved: a function of a problem and of a [`Task`].

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
    /// The model.
    pub model: Model,
    /// Passes over the problems that are not solved yet.
    pub passes: usize,
    /// The part of the problems kept for the test.
    pub test: f64,
    /// Chooses the test problems.
    pub seed: u64,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Run {
    /// Whether the problem was solved.
    pub solved: bool,
    /// All of the time, pattern matching included.
    pub time: Duration,
    /// Nodes created.
    pub created: u64,
}

/// How to solve a problem.
pub enum Task<'a> {
    /// Without a learned prior.
    Plain,
    /// With the chances learned so far, adding the solved moves to the table.
    Learn(Option<Arc<Chances>>, &'a mut Table),
    /// With learned chances, comparing them with the answers.
    Test(Arc<Chances>, &'a mut Calibration),
}

impl Task<'_> {
    /// The chances to search with.
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

/// One pass of the training, a point of the learning curve.
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
    /// Patterns in the table afterwards.
    pub patterns: usize,
}

/// Receives the progress of a training. All methods do nothing by default.
pub trait Watcher {
    /// A training problem was tried: `done` of `of` in this pass, counted from 1, and the table has this many patterns.
    fn trained(&mut self, pass: usize, done: usize, of: usize, patterns: usize) {
        let _ = (pass, done, of, patterns);
    }

    /// The model is about to be fitted to a table of this many patterns, which may take a while.
    fn fitting(&mut self, patterns: usize) {
        let _ = patterns;
    }

    /// A pass is finished, with this table.
    fn pass(&mut self, pass: &Pass, table: &Table) {
        let _ = (pass, table);
    }

    /// A test problem is about to be tried: `done` of `of` are finished.
    fn testing(&mut self, done: usize, of: usize) {
        let _ = (done, of);
    }

    /// A test problem was tried without a learned prior and with it.
    fn test(&mut self, number: usize, plain: &Run, learnt: &Run) {
        let _ = (number, plain, learnt);
    }
}

/// Ignores progress.
impl Watcher for () {}

/// The result of a training.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The learning curve.
    pub passes: Vec<Pass>,
    /// The patterns and their counts.
    pub table: Table,
    /// The fitted chances.
    pub chances: Arc<Chances>,
    /// Each test problem by number, without a learned prior and with it.
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

/// Trains and tests. `known` is a table to start from: an earlier training continues from where it was saved.
pub fn run<P>(
    config: &Config,
    problems: &[P],
    known: Table,
    mut solve: impl FnMut(&P, Task<'_>) -> Run,
    watcher: &mut dyn Watcher,
) -> Outcome {
    let (mut waiting, test) = split(problems.len(), config.test, config.seed);
    let (mut table, mut passes) = (known, Vec::new());
    let fit = |table: &Table, watcher: &mut dyn Watcher| {
        watcher.fitting(table.len());
        Arc::new(config.model.fit(table))
    };
    let mut chances = (!table.is_empty()).then(|| fit(&table, watcher));
    let mut fitted = table.len();
    for nth in 1..=config.passes {
        let mut pass =
            Pass { tried: waiting.len(), solved: 0, time: Duration::ZERO, created: 0, patterns: 0 };
        let mut done = 0;
        waiting.retain(|&number| {
            let run = solve(&problems[number], Task::Learn(chances.clone(), &mut table));
            pass.solved += usize::from(run.solved);
            pass.time += run.time;
            pass.created += run.created;
            done += 1;
            watcher.trained(nth, done, pass.tried, table.len());
            // Fitting takes time in proportion to the table, so it waits until the table has grown.
            if table.len() > fitted + fitted / 8 {
                fitted = table.len();
                chances = Some(fit(&table, watcher));
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
    let chances = fit(&table, watcher);
    let (mut calibration, mut runs) = (Calibration::default(), Vec::new());
    for (done, number) in test.iter().copied().enumerate() {
        watcher.testing(done, test.len());
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

    /// Counts what is reported.
    #[derive(Default)]
    struct Log {
        trained: usize,
        fits: usize,
        tests: usize,
    }

    impl Watcher for Log {
        fn trained(&mut self, _: usize, done: usize, of: usize, _: usize) {
            assert!((1..=of).contains(&done));
            self.trained += 1;
        }

        fn fitting(&mut self, _: usize) {
            self.fits += 1;
        }

        fn testing(&mut self, done: usize, of: usize) {
            assert!(done < of && done == self.tests);
            self.tests += 1;
        }
    }

    /// A toy: hard problems are solved only with a learned prior.
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
        let mut log = Log::default();
        let outcome = run(&config, &problems, Table::default(), solve, &mut log);
        // Every phase reports: each training problem, each fit, each test problem.
        let tried: usize = outcome.passes.iter().map(|pass| pass.tried).sum();
        assert_eq!((log.trained, log.tests), (tried, 10));
        assert!(log.fits >= 2, "once while training and once before the test");
        assert_eq!(outcome.passes.iter().map(|pass| pass.solved).sum::<usize>(), 30);
        assert_eq!(outcome.runs.len(), 10);
        assert!(outcome.runs.iter().all(|(_, _, learnt)| learnt.solved));
    }
}
