//! `delphic estimate`: how big a position is before a long run.

use crate::args::Estimate;
use crate::lists::table;
use crate::solve::{INTERRUPT, listen_for_interrupts};
use crate::{Failure, output, units};
use delphic_engine::{Answer, Conclusion, InputError, Limits, Request, Solver, game};

/// Who is tried: two depth-first searches with a table of bounded size, and one that keeps everything.
const PROBED: [&str; 4] = ["alphabeta", "dfpn", "dfpp", "ppt"];

pub(crate) fn run(options: &Estimate) -> Result<u8, Failure> {
    let game = game(&options.at.game)?;
    let position = game.position(options.at.position.as_deref(), options.at.moves.as_deref())?;
    listen_for_interrupts()?;
    let samples = usize::try_from(options.samples.clamp(1, 10_000_000)).unwrap_or(1);
    let sample = position.estimate(samples, options.seed);
    let mut text = String::new();
    let mut row = |label: &str, content: String| text += &format!("{label:<9}{content}\n");
    row("game", game.spec().to_owned());
    row("position", position.write());
    let (low, high) = sample.interval;
    row("tree", format!("{} nodes (95 %: {} to {})", power(sample.tree), power(low), power(high)));
    row(
        "states",
        sample.states.map_or("no bound is known".to_owned(), |states| format!("at most {}", power(states))),
    );
    row(
        "games",
        format!(
            "{} random ones: {:.1} plies on average, {} at most, {:.1} moves to choose from",
            units::grouped(sample.samples as u64),
            sample.plies,
            sample.longest,
            sample.branching
        ),
    );
    // With the best move always first, a search looks at about the square root of what there is; at worst at all of it.
    let worst = sample.states.map_or(sample.tree, |states| states.min(sample.tree));
    let best = worst / 2.0;
    row(
        "needed",
        format!("from about {} nodes, if the best moves come first, to {}", power(best), power(worst)),
    );
    let mut list = table(["solver", "probe", "nodes", "nodes/s", "bytes/node", "time", "memory"]);
    for name in PROBED {
        let solver: Solver = name.parse().map_err(InputError::from)?;
        let limits = Limits {
            time: Some(options.probe),
            memory: Some(options.memory),
            interrupt: Some(&INTERRUPT),
            ..Limits::default()
        };
        let request = Request { solver, limits, seed: options.seed, ..Request::default() };
        let answer = position.solve(&request, &mut ());
        list.add_row(probe(name, &answer, best, worst, options.memory));
    }
    output(&format!("{text}\n{list}\n"))?;
    Ok(0)
}

/// What a short run says about a long one.
fn probe(name: &str, answer: &Answer, best: f64, worst: f64, memory: u64) -> [String; 7] {
    let stats = &answer.stats;
    let speed = stats.created as f64 / stats.time.as_secs_f64().max(1e-6);
    let each = stats.peak_bytes as f64 / stats.created.max(1) as f64;
    let (time, needed) = if answer.conclusion == Conclusion::Unknown {
        let bytes = |nodes: f64| (nodes + each.max(1e-9).log10()).min((memory as f64).log10());
        let size = |nodes: f64| units::size(10f64.powf(bytes(nodes)) as u64);
        let memory = match (size(best), size(worst)) {
            (least, most) if least == most => least,
            (least, most) => format!("{least} to {most}"),
        };
        (format!("{} to {}", long(best - speed.log10()), long(worst - speed.log10())), memory)
    } else {
        (units::time(stats.time), units::size(stats.peak_bytes))
    };
    let found = answer.value().map_or("not solved".to_owned(), |value| format!("solved: {value}"));
    [
        name.to_owned(),
        found,
        units::grouped(stats.created),
        units::grouped(speed as u64),
        format!("{each:.1}"),
        time,
        needed,
    ]
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
