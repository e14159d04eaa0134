//! Searching the cells that a ledger lacks, on several threads and beside other processes.

use crate::{Cell, Experiment, LabError, Ledger, Provenance, Record, Results, Run, Scale};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// The scale.
    pub scale: Scale,
    /// Searches side by side. Times are comparable if there are no more of them than cores.
    pub threads: usize,
    /// Whether rows made by other revisions count as done.
    pub reuse: bool,
    /// Set from outside to stop; finished rows are kept.
    pub interrupt: &'a AtomicBool,
}

/// Receives the progress of a run.
pub trait Observer {
    /// `done` of `all` cells are in the ledger. Called at the start of a stage and after every cell.
    fn progress(&mut self, experiment: &str, done: usize, all: usize);
}

/// Ignores progress.
impl Observer for () {
    fn progress(&mut self, _: &str, _: usize, _: usize) {}
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The ledger has all cells.
    Complete,
    /// It was interrupted; the same call continues it.
    Interrupted,
}

/// How often a run reports that it is alive; much less than the time after which its claims are void.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);
/// How long to wait before asking again for cells that another process is searching.
const PAUSE: Duration = Duration::from_millis(200);

/// The cells of an experiment, each once.
pub(crate) fn distinct(experiment: &dyn Experiment, scale: Scale, known: &Results) -> Vec<Cell> {
    let (mut cells, mut seen) = (experiment.cells(scale, known), HashSet::new());
    cells.retain(|cell| seen.insert(cell.key()));
    cells
}

/// Searches the cells of an experiment that the ledger lacks. Other processes may do the same at the same time: each cell is searched by
/// one of them, and all return when the ledger has everything.
pub fn run(
    experiment: &dyn Experiment,
    ledger: &Ledger,
    settings: &Settings<'_>,
    observer: &mut dyn Observer,
) -> Result<End, LabError> {
    let Settings { scale, threads, reuse, .. } = *settings;
    let started = Run { scale, threads, reuse, provenance: Provenance::here() };
    let crew = Crew { ledger, run: ledger.start(experiment.name(), &started)?, settings };
    let end = crew.complete(experiment, observer);
    ledger.end(crew.run)?;
    end
}

/// The threads of one run.
struct Crew<'a> {
    ledger: &'a Ledger,
    run: i64,
    settings: &'a Settings<'a>,
}

impl Crew<'_> {
    fn complete(&self, experiment: &dyn Experiment, observer: &mut dyn Observer) -> Result<End, LabError> {
        let (name, Settings { scale, reuse, interrupt, .. }) = (experiment.name(), *self.settings);
        loop {
            let known = self.ledger.results(name, reuse)?;
            let mut missing = distinct(experiment, scale, &known);
            let all = missing.len();
            missing.retain(|cell| known.get(cell).is_none());
            let mut done = all - missing.len();
            observer.progress(name, done, all);
            if missing.is_empty() {
                return Ok(End::Complete);
            }
            let taken = self.search(&missing, |cell, record| {
                self.ledger.add(cell, &record, self.run)?;
                done += 1;
                observer.progress(name, done, all);
                Ok(())
            })?;
            if interrupt.load(Ordering::Relaxed) {
                return Ok(End::Interrupted);
            }
            if taken == missing.len() {
                // Everything that is missing is being searched by others.
                std::thread::sleep(PAUSE);
                self.ledger.keep_alive(self.run)?;
            } else if done + taken < all {
                return Err(LabError::Ledger(format!("{name}: {} cells gave no result", all - done - taken)));
            }
        }
    }

    /// Searches cells on threads and hands over each result when it is there. The first error stops all. Returns how many cells were left
    /// to other runs.
    fn search(
        &self,
        cells: &[Cell],
        mut keep: impl FnMut(&Cell, Record) -> Result<(), LabError>,
    ) -> Result<usize, LabError> {
        let Settings { threads, interrupt, .. } = *self.settings;
        let (next, taken, failed) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        let work = |cell: &Cell| match self.ledger.claim(cell, self.run) {
            Ok(true) => cell.run(interrupt),
            Ok(false) => {
                taken.fetch_add(1, Ordering::Relaxed);
                Ok(None)
            }
            Err(error) => Err(error),
        };
        std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, cells.len().max(1)) {
                let (sender, next, failed, work) = (sender.clone(), &next, &failed, &work);
                scope.spawn(move || {
                    while let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let stop = interrupt.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
                        if stop || sender.send((cell, work(cell))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let (mut outcome, mut reported) = (Ok(()), Instant::now());
            loop {
                let received = receiver.recv_timeout(SIGN_OF_LIFE);
                let mut kept = match received {
                    Ok((cell, result)) => {
                        result.and_then(|record| record.map_or(Ok(()), |record| keep(cell, record)))
                    }
                    Err(RecvTimeoutError::Timeout) => Ok(()),
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if reported.elapsed() >= SIGN_OF_LIFE {
                    kept = kept.and_then(|()| self.ledger.keep_alive(self.run));
                    reported = Instant::now();
                }
                if outcome.is_ok() && kept.is_err() {
                    failed.store(true, Ordering::Relaxed);
                    outcome = kept;
                }
            }
            outcome
        })?;
        Ok(taken.into_inner())
    }
}
