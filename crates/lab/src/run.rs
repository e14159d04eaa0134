//! Doing what is missing, on several threads.

use crate::{Cell, Experiment, LabError, Ledger, Record, Results, Run, Scale};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// How much is done.
    pub scale: Scale,
    /// Searches side by side. With no more of them than cores, times mean what they say.
    pub threads: usize,
    /// Raised from outside to stop; what is done is kept.
    pub interrupt: &'a AtomicBool,
}

/// Somebody who watches a run.
pub trait Watch {
    /// So many of the cells asked for are in the ledger now. Called at the start of a stage and after every cell.
    fn progress(&mut self, experiment: &str, done: usize, all: usize);
}

/// Nobody watches.
impl Watch for () {
    fn progress(&mut self, _: &str, _: usize, _: usize) {}
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The ledger has all cells.
    Complete,
    /// Somebody stopped it; the same call goes on.
    Interrupted,
}

/// The cells of an experiment, each once.
pub(crate) fn distinct(experiment: &dyn Experiment, scale: Scale, known: &Results) -> Vec<Cell> {
    let (mut cells, mut seen) = (experiment.cells(scale, known), HashSet::new());
    cells.retain(|cell| seen.insert(cell.key()));
    cells
}

/// Does the cells of an experiment that the ledger does not have.
pub fn run(
    experiment: &dyn Experiment,
    ledger: &Ledger,
    settings: &Settings<'_>,
    watch: &mut dyn Watch,
) -> Result<End, LabError> {
    let (name, Settings { scale, threads, interrupt }) = (experiment.name(), *settings);
    let version = env!("CARGO_PKG_VERSION").to_owned();
    ledger.note(name, &Run { scale, threads, version })?;
    loop {
        let known = ledger.results(name)?;
        let mut asked = distinct(experiment, scale, &known);
        let all = asked.len();
        asked.retain(|cell| known.get(cell).is_none());
        watch.progress(name, all - asked.len(), all);
        if asked.is_empty() {
            return Ok(End::Complete);
        }
        let mut done = all - asked.len();
        each(&asked, threads, interrupt, |cell, record| {
            ledger.add(cell, &record)?;
            done += 1;
            watch.progress(name, done, all);
            Ok(())
        })?;
        if interrupt.load(Ordering::Relaxed) {
            return Ok(End::Interrupted);
        }
        if done < all {
            return Err(LabError::Ledger(format!("{name}: {} cells gave no result", all - done)));
        }
    }
}

/// Runs cells on threads and hands over each result as it comes. The first error stops all.
fn each(
    cells: &[Cell],
    threads: usize,
    interrupt: &AtomicBool,
    mut keep: impl FnMut(&Cell, Record) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, cells.len().max(1)) {
            let (sender, next, failed) = (sender.clone(), &next, &failed);
            scope.spawn(move || {
                while let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let stop = interrupt.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
                    if stop || sender.send((cell, cell.run(interrupt))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut outcome = Ok(());
        for (cell, result) in receiver {
            let kept = result.and_then(|record| record.map_or(Ok(()), |record| keep(cell, record)));
            if outcome.is_ok() && kept.is_err() {
                failed.store(true, Ordering::Relaxed);
                outcome = kept;
            }
        }
        outcome
    })
}
