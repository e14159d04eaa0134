//! The cost of a created node for each solver, on a few problems in one run.

use super::timed;
use crate::args::Bench;
use crate::tables::table;
use crate::{Failure, output, units};
use delphic_engine::{Ask, InputError, Limits, Request, SOLVERS, Solver, game};
use std::time::Duration;

/// Too large to be solved within the node limit, also by static outcomes, so that all solvers do the same amount of work.
const PROBLEMS: [&str; 3] = ["domineering:8x8,misere", "nogo:5x5", "clobber:5x6"];
/// All others are compared with this one.
const MEASURE: &str = "pp";

pub(super) fn run(options: &Bench) -> Result<(), Failure> {
    PROBLEMS.iter().try_for_each(|problem| run_on(problem, options))
}

fn run_on(problem: &str, options: &Bench) -> Result<(), Failure> {
    let position = game(problem)?.position(None, None)?;
    let (nodes, time) = if options.quick { (10_000, 1) } else { (500_000, 1) };
    let limits =
        Limits { nodes: Some(nodes), time: Some(Duration::from_secs(time)), threads: 1, ..Limits::default() };
    let mut rows = Vec::new();
    for info in SOLVERS {
        let solver: Solver = info.name.parse().map_err(InputError::from)?;
        let request = Request { ask: Ask::Win, solver, limits, ..Request::default() };
        let mut best: Option<(f64, delphic_engine::Stats)> = None;
        for _ in 0..options.rounds {
            let (answer, time) = timed(|| position.solve(&request, &mut ()));
            let per_node = time.as_secs_f64() / answer.stats.created.max(1) as f64;
            if best.is_none_or(|(least, _)| per_node < least) {
                best = Some((per_node, answer.stats));
            }
        }
        if let Some((per_node, stats)) = best {
            rows.push((info.name, per_node, stats));
        }
    }
    let measure = rows.iter().find(|(name, ..)| *name == MEASURE).map_or(f64::NAN, |(_, cost, _)| *cost);
    let heads = ["solver", "created", "created/s", "visited/s", "time per created node / pp"];
    let mut list = table(heads);
    for (name, per_node, stats) in rows {
        let visited = stats.visited as f64 / (per_node * stats.created.max(1) as f64);
        list.add_row([
            name.to_owned(),
            units::grouped(stats.created),
            units::grouped((1.0 / per_node) as u64),
            units::grouped(visited as u64),
            format!("{:.2}", per_node / measure),
        ]);
    }
    output(&format!(
        "{problem}, at most {} created nodes or {time} s each\n{list}\n\n",
        units::grouped(nodes)
    ))
}
