//! Several workers on one search: what they share, and how they keep out of each other's way.
//!
//! Every worker runs the whole depth-first search on one table, as in Kaneko's parallel df-pn (2010). A child with workers below it gets
//! a worse *virtual* value, so that the next worker prefers another one. Where this is done decides whether a second worker helps.
//! At a node that the player to move wins, one good move is enough, and workers that spread there search moves that a right first
//! choice makes superfluous; at a node that the player to move loses, all moves must be refuted, and nothing is wasted. A refuted child
//! makes the second more likely. So workers stay together until a child of the node is refuted and spread then, as in
//! alpha-beta's "young brothers wait" (Feldmann 1993). No guess about the root is needed. On small boards of Domineering and
//! Clobber two workers then expand 0.95 to 1.04 times the nodes of one with `dfpp`, and sixteen 1.2 to 1.7 times; spreading everywhere
//! takes 1.9 and 6 times the nodes where the first player wins (docs/threads.md).

use crate::Stats;
use delphic_game::{Gate, Verdict};
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How several workers share a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Workers {
    /// If not 0: this many workers in turns, one step each, on one thread. Slower than one worker, but repeatable.
    pub lockstep: usize,
    /// If not 0: the seed of a random order of these turns.
    pub shuffle: u64,
    /// Where workers spread.
    pub spread: Spread,
    /// How a child with workers below it is valued.
    pub virtual_value: VirtualValue,
}

/// At which nodes workers spread over the children.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Spread {
    /// Where a child is refuted.
    #[default]
    Auto,
    /// Also where all children must hold, as if the answer were known to be yes.
    Yes,
    /// Also where one child is enough, as if the answer were known to be no.
    No,
    /// Everywhere.
    Both,
}

/// How the number to be made small, that of a child with `m` other workers below it, is raised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum VirtualValue {
    /// By the factor 1 + m.
    #[default]
    Multiply,
    /// By m (Kaneko 2010). Probabilities know no such form and are always divided by 1 + m.
    Add,
}

/// Every value of a type by its name.
fn named<T: Copy>(text: &str, names: &[(&str, T)]) -> Result<T, String> {
    let found = names.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

impl FromStr for Spread {
    type Err = String;

    fn from_str(text: &str) -> Result<Spread, String> {
        let names =
            [("auto", Spread::Auto), ("yes", Spread::Yes), ("no", Spread::No), ("both", Spread::Both)];
        named(text, &names)
    }
}

impl FromStr for VirtualValue {
    type Err = String;

    fn from_str(text: &str) -> Result<VirtualValue, String> {
        named(text, &[("multiply", VirtualValue::Multiply), ("add", VirtualValue::Add)])
    }
}

/// Something that workers write, on cache lines of its own, so that writing it does not slow down reading its neighbours.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Apart<T>(pub(crate) T);

/// What the workers of one search share.
#[derive(Debug)]
pub(crate) struct Crew {
    options: Workers,
    /// Nodes created by all of them.
    created: Apart<AtomicU64>,
    phase: AtomicU8,
    roster: Mutex<Roster>,
    changed: Condvar,
    /// The verdict of the root.
    answer: AtomicU8,
}

#[derive(Debug)]
struct Roster {
    /// Workers besides the first that still search.
    searching: usize,
    /// Of these, the ones that rest.
    resting: usize,
    /// The counters of those that have rested or stopped, by number.
    stats: Vec<Stats>,
}

/// Nodes that a worker creates before it adds them to the count of all.
const UNCOUNTED: u64 = 64;

const SEARCH: u8 = 0;
const REST: u8 = 1;
const STOP: u8 = 2;

/// Values of `answer`.
const UNKNOWN: u8 = 0;
const NO: u8 = 1;
const YES: u8 = 2;

impl Crew {
    /// A crew of `workers`, the first included.
    pub(crate) fn new(workers: usize, options: Workers) -> Crew {
        Crew {
            options,
            created: Apart::default(),
            phase: AtomicU8::new(SEARCH),
            roster: Mutex::new(Roster {
                // In turns, all others rest by themselves while the first works.
                searching: if options.lockstep > 0 { 0 } else { workers - 1 },
                resting: 0,
                stats: vec![Stats::default(); workers],
            }),
            changed: Condvar::new(),
            answer: AtomicU8::new(UNKNOWN),
        }
    }

    fn roster(&self) -> MutexGuard<'_, Roster> {
        self.roster.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nodes were created.
    pub(crate) fn count_all(&self, created: u64) {
        self.created.0.fetch_add(created, Ordering::Relaxed);
    }

    /// The same, for a worker that keeps up to [`UNCOUNTED`] nodes to itself: a word that all workers write at every node would wander
    /// from core to core all the time.
    #[inline]
    pub(crate) fn count(&self, created: u64, uncounted: &mut u64) {
        *uncounted += created;
        if *uncounted >= UNCOUNTED || self.options.lockstep > 0 {
            self.count_all(std::mem::take(uncounted));
        }
    }

    /// Nodes created by all workers.
    #[inline]
    pub(crate) fn created(&self) -> u64 {
        self.created.0.load(Ordering::Relaxed)
    }

    /// The counters of all workers but the first, as of their last rest.
    pub(crate) fn others(&self) -> Stats {
        self.roster().stats.iter().skip(1).fold(Stats::default(), |sum, &stats| sum.beside(stats))
    }

    /// The root is solved.
    pub(crate) fn solve(&self, verdict: Verdict) {
        let answer = if verdict == Verdict::Proved { YES } else { NO };
        self.answer.store(answer, Ordering::Release);
    }

    /// The verdict of the root, once a worker has found it.
    #[inline]
    pub(crate) fn answer(&self) -> Option<Verdict> {
        match self.answer.load(Ordering::Acquire) {
            UNKNOWN => None,
            answer => Some(Verdict::of(answer == YES)),
        }
    }

    /// For every worker but the first, before each step: rests if it is asked to, and returns whether to go on.
    #[inline]
    pub(crate) fn goes_on(&self, worker: usize, stats: &Stats, uncounted: &mut u64) -> bool {
        match self.phase.load(Ordering::Acquire) {
            SEARCH => true,
            _ => {
                self.count_all(std::mem::take(uncounted));
                self.rest_or_stop(worker, stats)
            }
        }
    }

    /// Whether every worker but the first shall rest or stop.
    #[inline]
    pub(crate) fn calls(&self) -> bool {
        self.phase.load(Ordering::Acquire) != SEARCH
    }

    #[cold]
    fn rest_or_stop(&self, worker: usize, stats: &Stats) -> bool {
        let mut roster = self.roster();
        roster.stats[worker] = *stats;
        roster.resting += 1;
        self.changed.notify_all();
        while self.phase.load(Ordering::Acquire) == REST {
            roster = self.changed.wait(roster).unwrap_or_else(PoisonError::into_inner);
        }
        roster.resting -= 1;
        self.phase.load(Ordering::Acquire) != STOP
    }

    /// Notes the counters of a worker.
    pub(crate) fn note(&self, worker: usize, stats: &Stats) {
        self.roster().stats[worker] = *stats;
    }

    /// For every worker but the first, on a thread of its own: it stops for good.
    pub(crate) fn leave(&self, worker: usize, stats: &Stats, uncounted: u64) {
        self.count_all(uncounted);
        self.note(worker, stats);
        let mut roster = self.roster();
        roster.searching -= 1;
        self.changed.notify_all();
    }

    /// For the first worker: does something while all others rest.
    pub(crate) fn while_resting<T>(&self, work: &mut dyn FnMut() -> T) -> T {
        let mut roster = self.roster();
        self.phase.store(REST, Ordering::Release);
        while roster.resting < roster.searching {
            roster = self.changed.wait(roster).unwrap_or_else(PoisonError::into_inner);
        }
        drop(roster);
        let done = work();
        let roster = self.roster();
        self.phase.store(SEARCH, Ordering::Release);
        drop(roster);
        self.changed.notify_all();
        done
    }

    /// For the first worker: the others shall stop.
    pub(crate) fn stop(&self) {
        let roster = self.roster();
        self.phase.store(STOP, Ordering::Release);
        drop(roster);
        self.changed.notify_all();
    }

    /// Whether workers spread at a node with this gate, which may have a refuted child.
    #[inline]
    pub(crate) fn spreads_at(&self, gate: Gate, has_refuted: bool) -> bool {
        has_refuted
            || match self.options.spread {
                Spread::Auto => false,
                Spread::Yes => gate == Gate::And,
                Spread::No => gate == Gate::Or,
                Spread::Both => true,
            }
    }

    pub(crate) fn virtual_value(&self) -> VirtualValue {
        self.options.virtual_value
    }
}

/// What one thread does.
pub(crate) type Job<'j> = Box<dyn FnOnce() + Send + 'j>;

/// Runs every job on a thread of its own, with `lead` on this one.
pub(crate) fn beside(jobs: Vec<Job<'_>>, lead: &mut dyn FnMut()) {
    std::thread::scope(|scope| {
        jobs.into_iter().for_each(|job| drop(scope.spawn(job)));
        lead();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    /// Workers rest when they are asked to, and nothing is counted meanwhile; they may stop at any moment.
    #[test]
    fn all_rest_while_one_works() {
        for round in 0..200 {
            let (crew, steps) = (Crew::new(4, Workers::default()), AtomicUsize::new(0));
            std::thread::scope(|scope| {
                for worker in 1..4 {
                    let (crew, steps) = (&crew, &steps);
                    scope.spawn(move || {
                        let mut own = 0;
                        while crew.goes_on(worker, &Stats::default(), &mut 0) && own < round * worker {
                            steps.fetch_add(1, Ordering::Relaxed);
                            own += 1;
                        }
                        crew.leave(worker, &Stats { created: own as u64, ..Stats::default() }, 0);
                    });
                }
                for _ in 0..3 {
                    crew.while_resting(&mut || {
                        let before = steps.load(Ordering::Relaxed);
                        std::thread::yield_now();
                        assert_eq!(steps.load(Ordering::Relaxed), before);
                    });
                }
                crew.stop();
            });
            assert_eq!(crew.others().created, steps.load(Ordering::Relaxed) as u64);
        }
    }
}
