//! One worker, or several on one table: on threads, or in turns on one thread. All search from the root.
//!
//! This is compiled once for all games; a [`Worker`] knows the type of its game, and needs no call through a table per node.

use super::Search;
use crate::solved::{ProofMemory, SolvedTable};
use crate::workers::{Crew, Job, beside};
use crate::{LimitGuard, Limits, Observer, Report, Solvable, Stats, StopReason};
use delphic_game::{Rng, Verdict};
use std::io::{self, Read};

/// A search of some game.
pub(super) trait Worker: Send {
    /// Reads a checkpoint.
    fn load(&mut self, from: &mut dyn Read) -> io::Result<()>;

    /// Its counters so far, from a checkpoint.
    fn restore(&mut self, stats: Stats);

    /// Goes to the root.
    fn begin_at_root(&mut self) -> Option<bool>;

    /// The first worker: searches until the root is answered by any of them, or a limit is reached. The last position on its path has just
    /// got this answer, if any.
    fn lead(
        &mut self,
        answer: Option<bool>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<bool, StopReason>;

    /// Any other worker: searches until the first says stop.
    fn follow(&mut self, number: usize, crew: &Crew);

    /// One step: backs up the answer of the last position, if there is one, and searches another. Returns the answer of the root.
    fn step(&mut self, answer: &mut Option<bool>) -> Option<bool>;

    /// Stops or saves if it is time to.
    fn check_limits(&self, guard: &mut LimitGuard<'_>, observer: &mut dyn Observer) -> Option<StopReason>;

    /// The counters of this worker.
    fn own_stats(&self) -> Stats;

    /// The counters of all workers.
    fn all_stats(&self, guard: &LimitGuard<'_>) -> Stats;

    /// As much of a line with the root's answer as the table still remembers.
    fn line(&self, yes: bool) -> Vec<u16>;

    /// The solved positions.
    fn remember(self: Box<Self>) -> ProofMemory;
}

impl<G: Solvable> Worker for Search<'_, G> {
    fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.load(from)
    }

    fn restore(&mut self, stats: Stats) {
        self.stats = stats;
    }

    fn begin_at_root(&mut self) -> Option<bool> {
        let answer = self.begin(self.problem.position.clone());
        self.show();
        answer
    }

    fn lead(
        &mut self,
        answer: Option<bool>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<bool, StopReason> {
        self.go_on(answer, guard, observer)
    }

    fn follow(&mut self, number: usize, crew: &Crew) {
        let mut answer = self.begin_at_root();
        while crew.goes_on(number, &self.stats, &mut self.uncounted) {
            if let Some(yes) = self.step(&mut answer) {
                crew.solve(Verdict::of(yes));
                break;
            }
        }
        crew.leave(number, &self.stats, self.uncounted);
    }

    fn step(&mut self, answer: &mut Option<bool>) -> Option<bool> {
        let root = self.settle(answer);
        if root.is_none() {
            *answer = self.advance_apart();
        }
        root
    }

    fn check_limits(&self, guard: &mut LimitGuard<'_>, observer: &mut dyn Observer) -> Option<StopReason> {
        self.check_limits(guard, observer)
    }

    fn own_stats(&self) -> Stats {
        self.stats
    }

    fn all_stats(&self, guard: &LimitGuard<'_>) -> Stats {
        self.stats(guard)
    }

    fn line(&self, yes: bool) -> Vec<u16> {
        self.line(yes)
    }

    fn remember(self: Box<Self>) -> ProofMemory {
        let Search { table, symmetry, .. } = *self;
        ProofMemory::new::<G>(Box::new(SolvedTable { table, symmetry, verdict: Verdict::of }))
    }
}

/// Searches until the root is answered or a limit is reached. There is a crew if there are several workers.
pub(super) fn run(
    mut workers: Vec<Box<dyn Worker + '_>>,
    crew: Option<&Crew>,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report {
    let mut guard = LimitGuard::new(Limits { memory: None, ..limits });
    let Some((first, others)) = workers.split_first_mut() else { unreachable!("there are workers") };
    let begun = match guard.resume(observer, &mut |from| first.load(from)) {
        Ok(None) => first.begin_at_root(),
        Ok(Some(stats)) => {
            first.restore(stats);
            crew.inspect(|crew| crew.count_all(stats.created));
            None
        }
        Err(stop) => return Report::stopped(Verdict::Open, stop),
    };
    let found = match crew {
        None => first.lead(begun, &mut guard, observer),
        Some(crew) if limits.workers.lockstep > 0 => {
            in_turns(&mut **first, others, crew, begun, limits.workers.shuffle, &mut guard, observer)
        }
        Some(crew) => {
            let mut found = Err(StopReason::Interrupted);
            let jobs = others.iter_mut().enumerate();
            let jobs = jobs.map(|(nth, other)| Box::new(move || other.follow(nth + 1, crew)) as Job<'_>);
            beside(jobs.collect(), &mut || {
                found = first.lead(begun, &mut guard, observer);
                crew.stop();
            });
            found
        }
    };
    let mut report = Report::at_once(Verdict::Open);
    report.stats = first.all_stats(&guard);
    match found {
        Err(stop) => report.stop = stop,
        Ok(yes) => (report.truth, report.line) = (Verdict::of(yes), first.line(yes)),
    }
    if report.truth != Verdict::Open || limits.keep_open {
        report.memory = Some(workers.swap_remove(0).remember());
    }
    report
}

/// One step of every worker after the other, or of random workers. The same workers always do the same.
fn in_turns(
    first: &mut dyn Worker,
    others: &mut [Box<dyn Worker + '_>],
    crew: &Crew,
    begun: Option<bool>,
    shuffle: u64,
    guard: &mut LimitGuard<'_>,
    observer: &mut dyn Observer,
) -> Result<bool, StopReason> {
    let mut order = (shuffle != 0).then(|| Rng::new(shuffle));
    let mut answers: Vec<Option<bool>> = vec![begun];
    answers.extend(others.iter_mut().map(|other| other.begin_at_root()));
    loop {
        for turn in 0..answers.len() {
            let number = order.as_mut().map_or(turn, |order| order.below(answers.len()));
            if number == 0
                && let Some(reason) = first.check_limits(guard, observer)
            {
                return Err(reason);
            }
            let answer = &mut answers[number];
            let root = if number == 0 { first.step(answer) } else { others[number - 1].step(answer) };
            if let Some(yes) = root {
                for (number, other) in others.iter().enumerate() {
                    crew.note(number + 1, &other.own_stats());
                }
                return Ok(yes);
            }
        }
    }
}
