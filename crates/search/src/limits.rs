//! Limits of a search, and the reasons why it stops.

use crate::checkpoint::{CheckpointStore, Content, Spent, mismatch};
use crate::{Event, Observer, RootValue, Stats, Turn, Workers};
use delphic_game::Force;
use delphic_game::erased::ErasedState;
use std::any::Any;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The limits of a search. The default is one thread and no other limit.
///
/// ```
/// use delphic_search::{LimitGuard, Limits, StopReason};
/// use std::time::Duration;
///
/// let limits = Limits { nodes: Some(1_000), time: Some(Duration::from_secs(60)), ..Limits::default() };
/// let mut guard = LimitGuard::new(limits);
/// assert_eq!(guard.stop(999, 0), None);
/// assert_eq!(guard.stop(1_000, 0), Some(StopReason::Nodes));
/// assert_eq!(limits.after(300).nodes, Some(700));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// The limit on created nodes.
    pub nodes: Option<u64>,
    /// The time limit, counted from `started`.
    pub time: Option<Duration>,
    /// The start of the clock; by default the start of the search. Searches with the same start share a deadline.
    pub started: Option<Instant>,
    /// The memory limit, in bytes.
    pub memory: Option<u64>,
    /// A flag that is set to interrupt the search.
    pub interrupt: Option<&'a AtomicBool>,
    /// The number of threads; 0 and 1 mean one.
    pub threads: usize,
    /// How several workers share a search.
    pub workers: Workers,
    /// The place of this search among searches that take turns.
    pub turn: Option<Turn<'a>>,
    /// The precision rate at which the root's value counts as an estimate.
    pub precision: Option<Precision>,
    /// The store of checkpoints, which may have one to resume from.
    pub checkpoints: Option<&'a dyn CheckpointStore>,
    /// Whether the report of an unsolved search includes the positions it has stored.
    pub keep_open: bool,
    /// Positions that are proved elsewhere. Depth-first searches and provers use them, others ignore them.
    pub lemmas: Option<Lemmas<'a>>,
    /// A table from an earlier search, to go on with. Depth-first searches with one worker use it.
    pub kept: Option<&'a KeptTable>,
}

/// A table that is kept from one depth-first search to the next, so that positions which several of them meet are searched once. All of
/// them must have the same rules, solver and question; then what it holds is true, and its values are comparable.
///
/// By default the searches come one after the other: a search that begins while another has the table begins without one. Searches that
/// run at the same time need a [`shared`](Self::shared) table.
#[derive(Default)]
pub struct KeptTable {
    table: Mutex<Option<Box<dyn Any + Send>>>,
    shared: bool,
}

impl KeptTable {
    /// A table that several searches may use at the same time. All of them must have the same memory limit.
    pub fn shared() -> KeptTable {
        KeptTable { shared: true, ..KeptTable::default() }
    }

    /// Whether several searches use it at the same time.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared
    }

    /// The table, which others must not use meanwhile.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Option<Box<dyn Any + Send>>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for KeptTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeptTable")
    }
}

/// Positions whose answers to one question are known. They must be true: a search takes them for solved.
#[derive(Clone, Copy)]
pub struct Lemmas<'a> {
    /// The question.
    pub question: Force,
    /// The positions in canonical form, with their answers.
    pub answers: &'a [(ErasedState, bool)],
}

impl std::fmt::Debug for Lemmas<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} lemmas for {:?}", self.answers.len(), self.question)
    }
}

impl<'a> Limits<'a> {
    /// The number of workers of a search that can have several.
    pub fn crew(&self) -> usize {
        if self.workers.lockstep > 0 { self.workers.lockstep } else { self.threads.max(1) }
    }

    /// The size of a transposition table: the memory limit, or a gibibyte without one.
    pub fn table_bytes(&self) -> u64 {
        self.memory.unwrap_or(1 << 30)
    }

    /// The same limits with the clock started now, unless it is running already.
    #[must_use]
    pub fn begin(self) -> Limits<'a> {
        Limits { started: Some(self.started.unwrap_or_else(Instant::now)), ..self }
    }

    /// The time left until the deadline.
    pub fn time_left(&self) -> Option<Duration> {
        let spent = self.started.map_or(Duration::ZERO, |started| started.elapsed());
        self.time.map(|time| time.saturating_sub(spent))
    }

    /// The limits after a search that created this many nodes.
    #[must_use]
    pub fn after(self, created: u64) -> Limits<'a> {
        Limits { nodes: self.nodes.map(|nodes| nodes.saturating_sub(created)), ..self }
    }

    /// Whether the deadline has passed or the interrupt flag is set.
    pub fn is_over(&self) -> Option<StopReason> {
        if self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(StopReason::Interrupted);
        }
        (self.time_left() == Some(Duration::ZERO)).then_some(StopReason::Time)
    }
}

/// The precision rate of paper 1, §4: when the root's probability is this close to 0 or 1, it counts as an estimate, not as a proof.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Precision {
    /// The distance from 0 or 1, below one half.
    pub rate: f64,
    /// Whether the search stops there. Otherwise it continues and only records the estimate.
    pub stop: bool,
}

/// An estimate of the answer, and when the root first reached the precision rate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The estimated answer.
    pub yes: bool,
    /// Nodes created by then.
    pub created: u64,
    /// Time taken by then.
    pub time: Duration,
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The question is answered.
    Solved,
    /// The node limit.
    Nodes,
    /// The limit on iterations.
    Iterations,
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// An interrupt from outside.
    Interrupted,
    /// The precision rate was reached.
    Precision,
    /// The checkpoint to resume from cannot be used.
    Checkpoint,
    /// The answer holds only under the restriction of the rules.
    Restricted,
    /// Positions of the game can repeat, and the search does not handle cycles.
    Cycles,
}

impl StopReason {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Solved => "solved",
            StopReason::Nodes => "nodes",
            StopReason::Iterations => "iterations",
            StopReason::Time => "time",
            StopReason::Memory => "memory",
            StopReason::Interrupted => "interrupted",
            StopReason::Precision => "precision",
            StopReason::Checkpoint => "checkpoint",
            StopReason::Restricted => "restricted",
            StopReason::Cycles => "cycles",
        }
    }
}

/// Checks the limits of a running search, and schedules progress reports and checkpoints.
///
/// Nodes, memory and the interrupt flag are checked at every call. The clock is read only as often as needed to detect a limit
/// within a few milliseconds, because reading it (25 ns) would slow down fast searches.
#[derive(Debug)]
pub struct LimitGuard<'a> {
    limits: Limits<'a>,
    started: Instant,
    /// Time taken by earlier runs of a resumed search.
    earlier: Duration,
    /// The number of created nodes at which the node limit or the end of a turn is reached.
    milestone: u64,
    /// Calls until the clock is read again, and calls between two readings.
    countdown: u32,
    stride: u32,
    last_reading: Duration,
    last_report: Duration,
    save_due: bool,
    estimate: Option<Estimate>,
}

/// The target interval between two readings of the clock.
const PULSE: Duration = Duration::from_millis(2);
/// The maximum number of calls between two readings: single steps can suddenly become a thousand times slower.
const LONGEST_STRIDE: u32 = 1 << 10;
/// The interval of progress reports.
const REPORT: Duration = Duration::from_millis(100);

impl<'a> LimitGuard<'a> {
    /// Starts the clock, unless it runs already.
    pub fn new(limits: Limits<'a>) -> LimitGuard<'a> {
        let zero = Duration::ZERO;
        LimitGuard {
            started: limits.started.unwrap_or_else(Instant::now),
            limits,
            earlier: zero,
            milestone: Self::next_milestone(&limits, 0),
            countdown: 0,
            stride: 1,
            last_reading: zero,
            last_report: zero,
            save_due: false,
            estimate: None,
        }
    }

    fn next_milestone(limits: &Limits<'_>, created: u64) -> u64 {
        let turn = limits.turn.map_or(u64::MAX, |turn| created.saturating_add(turn.nodes(created)));
        limits.nodes.unwrap_or(u64::MAX).min(turn)
    }

    /// The time since the start, including earlier runs of a resumed search. The time limit applies to this run alone.
    pub fn elapsed(&self) -> Duration {
        self.earlier + self.started.elapsed()
    }

    /// Whether the next call of [`stop`](Self::stop) blocks until other searches have had their turns.
    #[inline]
    pub(crate) fn turn_ends(&self, created: u64) -> bool {
        self.limits.turn.is_some() && created >= self.milestone
    }

    /// Whether a search with this many created nodes and bytes held has to stop.
    #[inline]
    pub fn stop(&mut self, created: u64, bytes: u64) -> Option<StopReason> {
        if created >= self.milestone {
            if self.limits.nodes.is_some_and(|limit| created >= limit) {
                return Some(StopReason::Nodes);
            }
            if let Some(turn) = self.limits.turn {
                turn.pass();
                self.countdown = 0;
            }
            self.milestone = Self::next_milestone(&self.limits, created);
        }
        if self.limits.memory.is_some_and(|limit| bytes > limit) {
            return Some(StopReason::Memory);
        }
        if self.limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(StopReason::Interrupted);
        }
        if self.countdown > 0 {
            self.countdown -= 1;
            return None;
        }
        self.read_clock()
    }

    #[cold]
    fn read_clock(&mut self) -> Option<StopReason> {
        let now = self.started.elapsed();
        let since = now.saturating_sub(self.last_reading);
        self.last_reading = now;
        self.stride =
            if since < PULSE { (self.stride * 2).min(LONGEST_STRIDE) } else { (self.stride / 2).max(1) };
        self.countdown = self.stride;
        self.save_due = self.limits.checkpoints.is_some_and(CheckpointStore::due);
        self.limits.time.is_some_and(|limit| now >= limit).then_some(StopReason::Time)
    }

    /// Whether a [`Precision`] was requested.
    #[inline]
    pub fn watches_estimates(&self) -> bool {
        self.limits.precision.is_some()
    }

    /// Compares the value of the open root, after `created` nodes, with the precision rate.
    pub fn consider(&mut self, root: RootValue, created: u64) -> Option<StopReason> {
        let (Some(Precision { rate, stop }), RootValue::Probability(p)) = (self.limits.precision, root)
        else {
            return None;
        };
        if p.min(1.0 - p) > rate {
            return None;
        }
        let time = self.elapsed();
        self.estimate.get_or_insert(Estimate { yes: p > 0.5, created, time });
        stop.then_some(StopReason::Precision)
    }

    /// The first estimate that reached the precision rate.
    pub fn estimate(&self) -> Option<Estimate> {
        self.estimate
    }

    /// Whether it is time to report progress: true at most every tenth of a second.
    #[inline]
    pub fn report_due(&mut self) -> bool {
        let due = self.last_reading.saturating_sub(self.last_report) >= REPORT;
        if due {
            self.last_report = self.last_reading;
        }
        due
    }

    /// Whether it is time for a checkpoint.
    #[inline]
    pub fn save_due(&mut self) -> bool {
        std::mem::take(&mut self.save_due)
    }

    /// Saves a checkpoint, if there is a store. A failure is reported to the observer, and the search continues.
    pub fn save(&self, stats: Stats, observer: &mut dyn Observer, content: Content<'_>) {
        if let Some(store) = self.limits.checkpoints {
            observer.event(Event::Saving);
            if let Err(error) = store.save(&Spent { stats, estimate: self.estimate }, content) {
                observer.event(Event::SaveFailed(&error.to_string()));
            }
        }
    }

    /// Resumes from a checkpoint, if there is one: `read` parses its content. Returns the counters of the earlier runs. Loading does not count
    /// towards the time limit; otherwise a large checkpoint could never be resumed with a short limit.
    pub fn resume(
        &mut self,
        observer: &mut dyn Observer,
        read: &mut dyn FnMut(&mut dyn Read) -> io::Result<()>,
    ) -> Result<Option<Stats>, StopReason> {
        let Some(store) = self.limits.checkpoints else { return Ok(None) };
        let begun = Instant::now();
        let Some((spent, mut content)) = store.load() else { return Ok(None) };
        observer.event(Event::Loading);
        let complete = read(&mut *content).and_then(|()| match content.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(mismatch("it has more data than the search expects")),
        });
        self.started += begun.elapsed();
        store.loaded(begun.elapsed());
        match complete {
            Ok(()) => {
                (self.earlier, self.estimate) = (spent.stats.time, spent.estimate);
                Ok(Some(spent.stats))
            }
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => Err(StopReason::Memory),
            Err(error) => {
                store.refuse(error);
                Err(StopReason::Checkpoint)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_has_its_reason() {
        let nodes = Limits { nodes: Some(10), ..Limits::default() };
        assert_eq!(LimitGuard::new(nodes).stop(9, 0), None);
        assert_eq!(LimitGuard::new(nodes).stop(10, 0), Some(StopReason::Nodes));
        let memory = Limits { memory: Some(10), ..Limits::default() };
        assert_eq!(LimitGuard::new(memory).stop(9, 11), Some(StopReason::Memory));
        let time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(LimitGuard::new(time).stop(9, 11), Some(StopReason::Time));
        let flag = AtomicBool::new(true);
        let interrupt = Limits { interrupt: Some(&flag), ..Limits::default() };
        assert_eq!(LimitGuard::new(interrupt).stop(0, 0), Some(StopReason::Interrupted));
    }
}
