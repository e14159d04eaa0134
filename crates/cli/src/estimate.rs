//! `delphic estimate`: the size of a problem, before a long run.

use crate::args::Estimate;
use crate::interrupt::{self, INTERRUPT};
use crate::tables::table;
use crate::{Failure, output, position, units};
use delphic_engine::json as words;
use delphic_engine::{Answer, Conclusion, InputError, Limits, Request, Solver, Value};
use serde_json::{Value as Json, json};

/// The solvers that are run: depth-first searches with a bounded transposition table, and one that keeps the whole graph.
const PROBED: [&str; 4] = ["alphabeta", "dfpn", "dfpp", "ppt"];
/// The same for games with cycles.
const CYCLIC: [&str; 2] = ["retro", "pns"];

pub(crate) fn run(options: &Estimate) -> Result<u8, Failure> {
    let (game, position) = position::at(&options.at)?;
    interrupt::listen()?;
    let samples = usize::try_from(options.samples.min(10_000_000)).unwrap_or(1);
    let sample = position.estimate(samples, options.seed);
    // With perfect move ordering a search visits about the square root of all positions, in the worst case all of them.
    let worst = sample.states.map_or(sample.tree, |states| states.min(sample.tree));
    let best = worst / 2.0;
    let mut probes = Vec::new();
    let probed: &[&'static str] = if game.endless().is_some() { &CYCLIC } else { &PROBED };
    for &name in probed {
        let solver: Solver = name.parse().map_err(InputError::from)?;
        let limits = Limits {
            time: Some(options.probe),
            memory: Some(options.memory),
            interrupt: Some(&INTERRUPT),
            ..Limits::default()
        };
        let request = Request { solver, limits, seed: options.seed, ..Request::default() };
        probes.push(Probe::new(name, &position.solve(&request, &mut ()), (best, worst), options.memory));
    }
    let (low, high) = sample.interval;
    if options.json {
        let object = json!({
            "schema": 1,
            "game": game.spec(),
            "position": position.write(),
            "samples": sample.samples,
            "log10_tree": sample.tree,
            "log10_tree_low": low,
            "log10_tree_high": high,
            "log10_states_at_most": sample.states,
            "plies_mean": sample.plies,
            "plies_longest": sample.longest,
            "branching_mean": sample.branching,
            "log10_nodes_least": best,
            "log10_nodes_most": worst,
            "probes": probes.iter().map(Probe::json).collect::<Vec<_>>(),
        });
        output(&format!("{object}\n"))?;
        return Ok(0);
    }
    let mut text = String::new();
    let mut row = |label: &str, content: String| text += &format!("{label:<9}{content}\n");
    row("game", game.spec().to_owned());
    row("position", position.write());
    row("tree", format!("{} nodes (95 %: {} to {})", power(sample.tree), power(low), power(high)));
    row(
        "states",
        sample.states.map_or("no bound is known".to_owned(), |states| format!("at most {}", power(states))),
    );
    row(
        "games",
        format!(
            "{}: {:.1} plies on average, {} at most, {:.1} legal moves on average",
            units::plural(sample.samples as u64, "random game"),
            sample.plies,
            sample.longest,
            sample.branching
        ),
    );
    row(
        "needed",
        format!("from about {} nodes, with perfect move ordering, to {}", power(best), power(worst)),
    );
    let mut list = table(["solver", "probe", "nodes", "nodes/s", "bytes/node", "time", "memory"]);
    for probe in &probes {
        list.add_row(probe.row());
    }
    output(&format!("{text}\n{list}\n"))?;
    Ok(0)
}

/// A short run of a solver, and the extrapolation to a whole search.
struct Probe {
    solver: &'static str,
    value: Option<Value>,
    created: u64,
    /// Nodes per second.
    speed: f64,
    /// Bytes per node.
    each: f64,
    needed: Needed,
}

/// The time and the memory of a whole search.
enum Needed {
    /// The probe was the whole search.
    Spent { seconds: f64, bytes: u64 },
    /// Decimal logarithms of the bounds on seconds and on bytes.
    Between { seconds: (f64, f64), bytes: (f64, f64) },
    /// The probe was too short to create a node.
    Unknown,
}

impl Probe {
    /// `nodes` are the decimal logarithms of the bounds on the nodes of a whole search.
    fn new(solver: &'static str, answer: &Answer, nodes: (f64, f64), memory: u64) -> Probe {
        let stats = &answer.stats;
        let speed = stats.created as f64 / stats.time.as_secs_f64().max(1e-6);
        let each = stats.peak_bytes as f64 / stats.created.max(1) as f64;
        let needed = if answer.conclusion != Conclusion::Unknown {
            Needed::Spent { seconds: stats.time.as_secs_f64(), bytes: stats.peak_bytes }
        } else if stats.created == 0 {
            Needed::Unknown
        } else {
            let bytes = |nodes: f64| (nodes + each.max(1e-9).log10()).min((memory as f64).log10());
            let seconds = (nodes.0 - speed.log10(), nodes.1 - speed.log10());
            Needed::Between { seconds, bytes: (bytes(nodes.0), bytes(nodes.1)) }
        };
        Probe { solver, value: answer.value(), created: stats.created, speed, each, needed }
    }

    fn row(&self) -> [String; 7] {
        let (time, memory) = match self.needed {
            Needed::Spent { seconds, bytes } => (long(seconds.max(1e-9).log10()), units::size(bytes)),
            Needed::Between { seconds, bytes } => {
                let size = |log: f64| units::size(10f64.powf(log) as u64);
                let memory = match (size(bytes.0), size(bytes.1)) {
                    (least, most) if least == most => least,
                    (least, most) => format!("{least} to {most}"),
                };
                (format!("{} to {}", long(seconds.0), long(seconds.1)), memory)
            }
            Needed::Unknown => ("not known".to_owned(), "not known".to_owned()),
        };
        [
            self.solver.to_owned(),
            self.value.map_or("not solved".to_owned(), |value| format!("solved: {value}")),
            units::grouped(self.created),
            units::grouped(self.speed as u64),
            format!("{:.1}", self.each),
            time,
            memory,
        ]
    }

    fn json(&self) -> Json {
        let needed = match self.needed {
            Needed::Spent { seconds, bytes } => json!({ "seconds": seconds, "bytes": bytes }),
            Needed::Between { seconds, bytes } => json!({
                "log10_seconds_least": seconds.0,
                "log10_seconds_most": seconds.1,
                "log10_bytes_least": bytes.0,
                "log10_bytes_most": bytes.1,
            }),
            Needed::Unknown => Json::Null,
        };
        json!({
            "solver": self.solver,
            "value": self.value.map(words::value),
            "created": self.created,
            "nodes_per_second": self.speed,
            "bytes_per_node": self.each,
            "needed": needed,
        })
    }
}

/// A number given by its decimal logarithm.
fn power(log: f64) -> String {
    if log < 6.0 {
        return units::grouped(10f64.powf(log).round() as u64);
    }
    format!("{:.1}e{}", 10f64.powf(log.fract()), log.trunc())
}

/// A time given by the decimal logarithm of its seconds.
fn long(log: f64) -> String {
    const YEAR: f64 = 365.25 * 86400.0;
    if log < YEAR.log10() {
        return units::time(std::time::Duration::from_secs_f64(10f64.powf(log)));
    }
    format!("{} years", power(log - YEAR.log10()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_and_long_times() {
        assert_eq!(power(5f64.log10()), "5");
        assert_eq!(power(12.5), "3.2e12");
        assert_eq!(long(2.0), "1 min 40 s");
        assert_eq!(long(10.5), "1,002 years");
        assert!(long(-9.0).ends_with("ms"));
    }
}
