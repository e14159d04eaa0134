//! What a search tells about itself, while it runs and when it ends.

use crate::memory::Memory;
use crate::{Estimate, StopReason};
use delphic_game::Problem;
use delphic_game::problem::Truth;
use std::time::Duration;

/// Counters of a search. `created`, `expanded` and `visited` are three different numbers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Rounds of select, expand and back up.
    pub iterations: u64,
    /// Nodes made, the root not counted.
    pub created: u64,
    /// Nodes whose children were made.
    pub expanded: u64,
    /// Nodes passed on the way down, the expanded ones included.
    pub visited: u64,
    /// Random games played.
    pub playouts: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// The most bytes the search's tables held.
    pub peak_bytes: u64,
}

impl Stats {
    /// What came on top of earlier counts of the same search.
    pub fn since(self, earlier: &Stats) -> Stats {
        Stats {
            iterations: self.iterations - earlier.iterations,
            created: self.created - earlier.created,
            expanded: self.expanded - earlier.expanded,
            visited: self.visited - earlier.visited,
            playouts: self.playouts - earlier.playouts,
            time: self.time - earlier.time,
            peak_bytes: self.peak_bytes,
        }
    }

    /// The sums of two searches made one after the other, and the larger peak.
    pub fn then(self, next: Stats) -> Stats {
        Stats {
            iterations: self.iterations + next.iterations,
            created: self.created + next.created,
            expanded: self.expanded + next.expanded,
            visited: self.visited + next.visited,
            playouts: self.playouts + next.playouts,
            time: self.time + next.time,
            peak_bytes: self.peak_bytes.max(next.peak_bytes),
        }
    }
}

/// What a rule thinks of a node: numbers for people to read, nothing to conclude from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Hope {
    /// Nothing to say.
    None,
    /// An estimated probability that the answer is yes.
    Probability(f64),
    /// Proof and disproof number.
    ProofNumbers(f64, f64),
    /// The work expected to prove or to disprove.
    Work {
        /// To prove.
        prove: f64,
        /// To disprove.
        disprove: f64,
    },
}

/// How a search ended. "Not solved" is an answer too.
pub struct Report<P: Problem> {
    /// What is known of the root.
    pub truth: Truth<P>,
    /// Why the search ended.
    pub stop: StopReason,
    /// Its counters.
    pub stats: Stats,
    /// The rule's view of the root at the end.
    pub hope: Hope,
    /// Where an estimate was first good enough, if anybody asked.
    pub estimate: Option<Estimate>,
    /// A line of play: if the root is solved, one that shows it; otherwise the one searched last.
    pub line: Vec<P::Move>,
    /// If the root is solved, what the search remembers of the positions below.
    pub memory: Option<Box<dyn Memory<P>>>,
}

impl<P: Problem> Report<P> {
    /// The report about a position that needs no search.
    pub fn at_once(truth: Truth<P>) -> Report<P> {
        Report {
            truth,
            stop: StopReason::Solved,
            stats: Stats::default(),
            hope: Hope::None,
            estimate: None,
            line: Vec::new(),
            memory: None,
        }
    }
}

/// Somebody who watches a search. Searches print nothing themselves.
pub trait Observer {
    /// Called now and then, at most ten times a second.
    fn progress(&mut self, stats: &Stats, hope: Hope);
}

/// Nobody watches.
impl Observer for () {
    fn progress(&mut self, _: &Stats, _: Hope) {}
}
