//! When a search has to stop, and how it says why.

use crate::checkpoint::{Account, Archive, Content, misfit};
use crate::{Hope, Stats, Turn};
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search may use. The default is one thread and no other limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// Nodes it may create.
    pub nodes: Option<u64>,
    /// Time it may take.
    pub time: Option<Duration>,
    /// Bytes its tables may hold.
    pub memory: Option<u64>,
    /// Raised from outside to stop it.
    pub interrupt: Option<&'a AtomicBool>,
    /// Threads it may use; 0 and 1 mean one.
    pub threads: usize,
    /// Its place among searches that take turns.
    pub turn: Option<Turn<'a>>,
    /// When an estimate is good enough.
    pub precision: Option<Precision>,
    /// Where it keeps checkpoints, and finds the one to go on from.
    pub archive: Option<&'a dyn Archive>,
}

impl<'a> Limits<'a> {
    /// What a table may hold: all that is allowed, or a gibibyte.
    pub fn table_bytes(&self) -> u64 {
        self.memory.unwrap_or(1 << 30)
    }

    /// What is left after a search that took so much.
    pub fn left_after(self, spent: &Stats) -> Limits<'a> {
        Limits {
            nodes: self.nodes.map(|nodes| nodes.saturating_sub(spent.created)),
            time: self.time.map(|time| time.saturating_sub(spent.time)),
            ..self
        }
    }
}

/// The precision rate of paper 1, §4: a root whose probability is so close to 0 or 1 counts as estimated. That is no proof.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Precision {
    /// How close, between 0 and ½.
    pub rate: f64,
    /// Whether the search ends there. Otherwise it goes on and only remembers.
    pub stop: bool,
}

/// An answer by estimate: when a root came within the precision rate for the first time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The answer it suggests.
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
    /// Somebody asked it to.
    Interrupted,
    /// The estimate is within the precision rate.
    Precision,
    /// The checkpoint to go on from does not fit.
    Checkpoint,
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
        }
    }
}

/// Keeps a search within its limits and tells when to report progress.
///
/// Nodes, memory and the interrupt are compared at every call. The clock is read only as often as needed to
/// notice a limit within a few milliseconds, because reading it (25 ns) would show in fast searches.
#[derive(Debug)]
pub struct Governor<'a> {
    limits: Limits<'a>,
    started: Instant,
    /// Time taken before a checkpoint was made from which the search goes on.
    earlier: Duration,
    /// Created nodes at which a limit or the end of a turn is near.
    milestone: u64,
    /// Calls until the clock is read again, and how many there are between two readings.
    countdown: u32,
    stride: u32,
    last_reading: Duration,
    last_report: Duration,
    save_due: bool,
    estimate: Option<Estimate>,
}

/// The clock is read about this often.
const PULSE: Duration = Duration::from_millis(2);
/// Progress is reported about this often.
const REPORT: Duration = Duration::from_millis(100);

impl<'a> Governor<'a> {
    /// Starts the clock.
    pub fn new(limits: Limits<'a>) -> Governor<'a> {
        let zero = Duration::ZERO;
        Governor {
            limits,
            started: Instant::now(),
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
        let turn = limits.turn.map_or(u64::MAX, |turn| created + turn.nodes);
        limits.nodes.unwrap_or(u64::MAX).min(turn)
    }

    /// The time since the start, earlier runs of the same search included. The time limit is for this run.
    pub fn elapsed(&self) -> Duration {
        self.earlier + self.started.elapsed()
    }

    /// Whether a search that has created so many nodes and holds so many bytes has to stop.
    #[inline]
    pub fn stop(&mut self, created: u64, bytes: u64) -> Option<StopReason> {
        if created >= self.milestone {
            if self.limits.nodes.is_some_and(|limit| created >= limit) {
                return Some(StopReason::Nodes);
            }
            if let Some(turn) = self.limits.turn {
                turn.pass();
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
        let since = now - self.last_reading;
        self.last_reading = now;
        self.stride = if since < PULSE { (self.stride * 2).min(1 << 16) } else { (self.stride / 2).max(1) };
        self.countdown = self.stride;
        self.save_due = self.limits.archive.is_some_and(Archive::due);
        self.limits.time.is_some_and(|limit| now >= limit).then_some(StopReason::Time)
    }

    /// Whether anybody asked for [`Precision`].
    #[inline]
    pub fn watches_estimates(&self) -> bool {
        self.limits.precision.is_some()
    }

    /// Compares the view of the open root, after so many created nodes, with the precision rate.
    pub fn consider(&mut self, hope: Hope, created: u64) -> Option<StopReason> {
        let (Some(Precision { rate, stop }), Hope::Probability(p)) = (self.limits.precision, hope) else {
            return None;
        };
        if p.min(1.0 - p) > rate {
            return None;
        }
        let time = self.elapsed();
        self.estimate.get_or_insert(Estimate { yes: p > 0.5, created, time });
        stop.then_some(StopReason::Precision)
    }

    /// The first estimate within the precision rate.
    pub fn estimate(&self) -> Option<Estimate> {
        self.estimate
    }

    /// Whether it is time to report progress. True at most every tenth of a second.
    #[inline]
    pub fn report_due(&mut self) -> bool {
        let due = self.last_reading - self.last_report >= REPORT;
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

    /// Keeps a checkpoint, if anybody asked for them.
    pub fn save(&self, stats: Stats, content: Content<'_>) {
        if let Some(archive) = self.limits.archive {
            archive.save(&Account { stats, estimate: self.estimate }, content);
        }
    }

    /// Goes on from a checkpoint, if there is one: `read` takes in its content. Tells what was spent before.
    pub fn resume(
        &mut self,
        read: &mut dyn FnMut(&mut dyn Read) -> io::Result<()>,
    ) -> Result<Option<Stats>, StopReason> {
        let Some((archive, (account, mut content))) =
            self.limits.archive.and_then(|archive| Some((archive, archive.load()?)))
        else {
            return Ok(None);
        };
        let complete = read(&mut *content).and_then(|()| match content.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(misfit("it does not end where the search does")),
        });
        match complete {
            Ok(()) => {
                (self.earlier, self.estimate) = (account.stats.time, account.estimate);
                Ok(Some(account.stats))
            }
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => Err(StopReason::Memory),
            Err(error) => {
                archive.refuse(error);
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
        assert_eq!(Governor::new(nodes).stop(9, 0), None);
        assert_eq!(Governor::new(nodes).stop(10, 0), Some(StopReason::Nodes));
        let memory = Limits { memory: Some(10), ..Limits::default() };
        assert_eq!(Governor::new(memory).stop(9, 11), Some(StopReason::Memory));
        let time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(Governor::new(time).stop(9, 11), Some(StopReason::Time));
        let flag = AtomicBool::new(true);
        let interrupt = Limits { interrupt: Some(&flag), ..Limits::default() };
        assert_eq!(Governor::new(interrupt).stop(0, 0), Some(StopReason::Interrupted));
    }
}
