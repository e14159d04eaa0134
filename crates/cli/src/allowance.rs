//! An agent's limits per move, as given on the command line.

use crate::args::Thinking;
use crate::units;
use delphic_engine::{Budget, Limits};
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The limits per move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Allowance {
    pub(crate) time: Option<Duration>,
    pub(crate) iterations: Option<u64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) memory: u64,
    pub(crate) threads: usize,
}

/// The default against a person.
const PATIENCE: Duration = Duration::from_secs(2);
/// The default iterations per move in an arena.
const ROUTINE: u64 = 1000;

impl Allowance {
    /// The given limits; two seconds if there are none.
    pub(crate) fn against_a_person(options: &Thinking) -> Allowance {
        let asked = Allowance::new(options);
        Allowance { time: if asked.endless() { Some(PATIENCE) } else { asked.time }, ..asked }
    }

    /// The given limits; a thousand iterations if there are none.
    pub(crate) fn among_agents(options: &Thinking) -> Allowance {
        let asked = Allowance::new(options);
        Allowance { iterations: if asked.endless() { Some(ROUTINE) } else { asked.iterations }, ..asked }
    }

    fn new(options: &Thinking) -> Allowance {
        let Thinking { time, iterations, nodes, memory } = *options;
        Allowance { time, iterations, nodes, memory, threads: 1 }
    }

    /// The same with this number of threads; the default is one.
    pub(crate) fn on_threads(self, threads: Option<u16>) -> Allowance {
        Allowance { threads: threads.map_or(1, usize::from), ..self }
    }

    /// The command-line arguments for these limits.
    pub(crate) fn arguments(&self) -> String {
        let time = self.time.map(|time| format!(" --time {}ms", time.as_millis().max(1)));
        let iterations = self.iterations.map(|count| format!(" --iterations {count}"));
        let nodes = self.nodes.map(|count| format!(" --nodes {count}"));
        let threads = (self.threads > 1).then(|| format!(" --threads {}", self.threads));
        [time, iterations, nodes, threads].into_iter().flatten().collect()
    }

    fn endless(&self) -> bool {
        self.time.is_none() && self.iterations.is_none() && self.nodes.is_none()
    }

    /// Replaces all limits except memory by this time.
    pub(crate) fn lasting(self, time: Duration) -> Allowance {
        Allowance { time: Some(time), iterations: None, nodes: None, ..self }
    }

    /// As the engine's budget; setting `interrupt` stops the search.
    pub(crate) fn budget(self, interrupt: &AtomicBool) -> Budget<'_> {
        let Allowance { time, iterations, nodes, memory, threads } = self;
        let limits = Limits {
            nodes,
            time,
            memory: Some(memory),
            interrupt: Some(interrupt),
            threads,
            ..Limits::default()
        };
        Budget { iterations, limits }
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = [
            self.time.map(units::time),
            self.iterations.map(|count| units::plural(count, "iteration")),
            self.nodes.map(|count| units::plural(count, "node")),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        if limits.is_empty() {
            return f.write_str("no limit");
        }
        f.write_str(&limits.join(" or "))
    }
}
