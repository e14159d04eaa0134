//! Jobs done by threads, or one after the other.

use super::{Found, Job, Manager};
use crate::{
    Event, KeptTable, LimitGuard, Limits, Observer, Progress, Report, RootValue, Searchable, Stats,
    StopReason,
};
use delphic_game::{Force, Verdict};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The search of one job: it answers a question about a position within limits.
pub type Run<'r> = dyn Fn(&dyn Searchable, Force, Limits<'_>) -> Report + Sync + 'r;

/// How often the limits are looked at while threads work.
const PULSE: Duration = Duration::from_millis(5);

/// Searches by jobs of at most `size` nodes each, as many at a time as there are workers. With one worker, and in lockstep, the same jobs are
/// done in the same order every time.
pub fn solve(
    position: &dyn Searchable,
    question: Force,
    size: u64,
    run: &Run<'_>,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report {
    let limits = limits.begin();
    let workers = limits.crew().max(1);
    let search = Search {
        position,
        question,
        run,
        limits: Limits {
            memory: limits.memory.map(|memory| memory / (workers as u64 + 1)),
            checkpoints: None,
            turn: None,
            threads: 1,
            workers: crate::Workers::default(),
            ..limits
        },
        state: Mutex::new(State {
            manager: Manager::new(position.erased(), question, &position.state()),
            stats: Stats::default(),
            left: limits.nodes.unwrap_or(u64::MAX),
            size,
            stop: None,
            held: vec![0; workers],
        }),
        wake: Condvar::new(),
        tables: (0..workers).map(|_| KeptTable::default()).collect(),
    };
    let mut guard = LimitGuard::new(limits);
    if workers > 1 && limits.workers.lockstep == 0 {
        search.on_threads(workers, &mut guard, observer);
    } else {
        search.in_turns(workers, &mut guard, observer);
    }
    let State { manager, mut stats, stop, .. } =
        search.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    stats.time = guard.elapsed();
    let truth = manager.verdict();
    let solved = truth != Verdict::Open;
    Report {
        truth,
        stop: if solved { StopReason::Solved } else { stop.unwrap_or(StopReason::Nodes) },
        stats,
        root: if solved { RootValue::None } else { root_value(&manager) },
        estimate: None,
        line: manager.line(),
        memory: solved.then(|| position.remember(manager.solved())),
    }
}

fn root_value(manager: &Manager<'_>) -> RootValue {
    let (proof, disproof) = manager.numbers();
    RootValue::ProofNumbers(proof.into(), disproof.into())
}

struct Search<'s> {
    position: &'s dyn Searchable,
    question: Force,
    run: &'s Run<'s>,
    /// Those of a job.
    limits: Limits<'s>,
    state: Mutex<State<'s>>,
    wake: Condvar,
    /// What each worker has found, which its next job may meet again.
    tables: Vec<KeptTable>,
}

struct State<'s> {
    manager: Manager<'s>,
    stats: Stats,
    /// Nodes that may still be given to jobs.
    left: u64,
    size: u64,
    stop: Option<StopReason>,
    /// The bytes of each worker's table.
    held: Vec<u64>,
}

impl State<'_> {
    /// The next job and the nodes it may create.
    fn next(&mut self) -> Option<(Job, u64)> {
        let nodes = self.size.min(self.left);
        if self.stop.is_some() || nodes == 0 {
            return None;
        }
        let job = self.manager.next_job()?;
        self.left -= nodes;
        Some((job, nodes))
    }

    /// Takes in a worker's report of a job that was allowed `nodes`.
    fn report(&mut self, worker: usize, job: &Job, nodes: u64, report: &Report) {
        self.left += nodes.saturating_sub(report.stats.created);
        // Tables are kept, so what a worker holds it holds until its next report.
        self.held[worker] = report.stats.peak_bytes;
        let held = self.held.iter().sum::<u64>() + self.manager.bytes();
        let peak = self.stats.peak_bytes.max(held);
        self.stats = self.stats.then(report.stats);
        self.stats.peak_bytes = peak;
        self.manager.report(job.number, Found::of(report));
    }

    fn progress(&self, guard: &LimitGuard<'_>, observer: &mut dyn Observer) {
        let stats = Stats { time: guard.elapsed(), ..self.stats };
        let (root, decided) = (root_value(&self.manager), self.manager.decided());
        observer.event(Event::Progress(Progress { solver: "", stats, root, decided }));
    }
}

impl<'s> Search<'s> {
    fn lock(&self) -> MutexGuard<'_, State<'s>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does a job as worker number `worker`.
    fn work(&self, worker: usize, job: &Job, nodes: u64, interrupt: Option<&AtomicBool>) -> Report {
        let limits =
            Limits { nodes: Some(nodes), interrupt, kept: Some(&self.tables[worker]), ..self.limits };
        (self.run)(&*self.position.at(&job.state), self.question, limits)
    }

    /// Jobs are given out as if there were this many workers, and done in that order.
    fn in_turns(&self, workers: usize, guard: &mut LimitGuard<'_>, observer: &mut dyn Observer) {
        let mut state = self.lock();
        let (mut out, mut done) = (VecDeque::new(), 0);
        while state.manager.verdict() == Verdict::Open && state.stop.is_none() {
            while out.len() < workers
                && let Some(job) = state.next()
            {
                out.push_back(job);
            }
            let Some((job, nodes)) = out.pop_front() else {
                state.stop = Some(StopReason::Nodes);
                return;
            };
            let worker = done % workers;
            done += 1;
            let report = self.work(worker, &job, nodes, self.limits.interrupt);
            state.report(worker, &job, nodes, &report);
            state.stop = match report.stop {
                StopReason::Time | StopReason::Interrupted => Some(report.stop),
                _ => guard.stop(0, state.manager.bytes()),
            };
            if guard.report_due() {
                state.progress(guard, observer);
            }
        }
    }

    /// Every worker is a thread. This one keeps the limits, reports, and stops jobs whose answer does not matter any more.
    fn on_threads(&self, workers: usize, guard: &mut LimitGuard<'_>, observer: &mut dyn Observer) {
        let jobs: Vec<(AtomicBool, Mutex<Option<usize>>)> =
            (0..workers).map(|_| (AtomicBool::new(false), Mutex::new(None))).collect();
        let at = |worker: usize| jobs[worker].1.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = |worker: usize| {
            let mut state = self.lock();
            while state.manager.verdict() == Verdict::Open && state.stop.is_none() {
                let Some((job, nodes)) = state.next() else {
                    state = self.wake.wait_timeout(state, PULSE).unwrap_or_else(PoisonError::into_inner).0;
                    continue;
                };
                drop(state);
                jobs[worker].0.store(false, Relaxed);
                *at(worker) = Some(job.number);
                let report = self.work(worker, &job, nodes, Some(&jobs[worker].0));
                *at(worker) = None;
                state = self.lock();
                state.report(worker, &job, nodes, &report);
                self.wake.notify_all();
            }
            self.wake.notify_all();
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..workers).map(|number| scope.spawn(move || worker(number))).collect();
            while !threads.iter().all(std::thread::ScopedJoinHandle::is_finished) {
                let mut state = self.lock();
                if state.manager.verdict() == Verdict::Open && state.stop.is_none() {
                    state.stop = guard.stop(0, state.manager.bytes());
                    let idle = (0..workers).all(|number| at(number).is_none());
                    if idle && state.left == 0 {
                        state.stop = state.stop.or(Some(StopReason::Nodes));
                    }
                    if guard.report_due() {
                        state.progress(guard, observer);
                    }
                }
                for (number, (flag, _)) in jobs.iter().enumerate() {
                    let superfluous = at(number).is_some_and(|job| !state.manager.is_needed(job));
                    if state.stop.is_some() || superfluous {
                        flag.store(true, Relaxed);
                    }
                }
                drop(self.wake.wait_timeout(state, PULSE));
            }
        });
    }
}
