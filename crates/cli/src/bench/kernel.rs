//! The generic kernel compared with a search written for one case, and the rules of a few games alone.

use super::timed;
use crate::args::Bench;
use crate::tables::table;
use crate::{Failure, output, units};
use delphic_engine::{Ask, Conclusion, Request, Solver, game};
use delphic_search::yardstick;
use std::time::Duration;

pub(super) fn run(options: &Bench) -> Result<(), Failure> {
    kernel(options)?;
    rules(options)
}

/// The generic kernel compared with a search written for this one case (the yardstick).
fn kernel(options: &Bench) -> Result<(), Failure> {
    let (rows, cols) = if options.quick { (6, 5) } else { (6, 6) };
    let position = game(&format!("domineering:{rows}x{cols}"))?.position(None, None)?;
    let request = Request {
        ask: Ask::Win,
        solver: "pp:prior=mobility".parse::<Solver>().map_err(delphic_engine::InputError::from)?,
        ..Request::default()
    };
    let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
    let (mut answer, mut rival) = (None, None);
    for _ in 0..options.rounds {
        let (found, time) = timed(|| yardstick::solve(rows, cols));
        (rival, theirs) = (Some(found), theirs.min(time));
        let (found, time) = timed(|| position.solve(&request, &mut ()));
        (answer, ours) = (Some(found), ours.min(time));
    }
    let (Some(answer), Some(rival)) = (answer, rival) else { return Ok(()) };
    if (answer.conclusion == Conclusion::Proved) != rival.first_player_wins {
        return Err(Failure::Other(format!(
            "the kernel and the yardstick disagree about domineering:{rows}x{cols}"
        )));
    }
    let speed = |created: u64, time: Duration| format!("{:.2} M", created as f64 / time.as_secs_f64() / 1e6);
    let mut list = table(["product propagation, best of rounds", "created", "time", "nodes/s", "bytes/node"]);
    let row = |name: &str, created: u64, time, bytes: f64| {
        [
            name.to_owned(),
            units::grouped(created),
            units::time(time),
            speed(created, time),
            format!("{bytes:.1}"),
        ]
    };
    let stats = answer.stats;
    list.add_row(row("kernel", stats.created, ours, stats.peak_bytes as f64 / stats.created as f64));
    list.add_row(row("yardstick", rival.created, theirs, yardstick::NODE_BYTES as f64));
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    output(&format!("domineering:{rows}x{cols}\n{list}\nkernel time / yardstick time: {ratio:.2}\n\n"))
}

/// Rules alone: perft and playouts.
fn rules(options: &Bench) -> Result<(), Failure> {
    let mut list = table(["game", "perft depth", "perft lines/s", "playouts/s"]);
    for (spec, depth, count) in [
        ("connect4:7x6", 9, 4_000_000),
        ("domineering:6x6", 5, 1_000_000),
        ("nogo:9x9", 3, 200_000),
        ("tictactoe", 9, 2_000_000),
        ("pgame:b=8,d=8", 8, 2_000_000),
    ] {
        let position = game(spec)?.position(None, None)?;
        let (depth, count) = if options.quick { (depth - 1, count / 20) } else { (depth, count) };
        let (mut lines, mut playouts) = (0f64, 0f64);
        for round in 0..options.rounds {
            let (found, time) = timed(|| position.perft(depth));
            lines = lines.max(found as f64 / time.as_secs_f64());
            let (won, time) = timed(|| position.random_results(count, round.into())[0]);
            if won > count {
                return Err(Failure::Other(format!("{won} wins in {count} playouts")));
            }
            playouts = playouts.max(count as f64 / time.as_secs_f64());
        }
        let row = [
            spec.to_owned(),
            depth.to_string(),
            units::grouped(lines as u64),
            units::grouped(playouts as u64),
        ];
        list.add_row(row);
    }
    output(&format!("{list}\n"))
}
