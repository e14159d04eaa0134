//! The speed of the rules of every game: perft and playouts per second, on one core.

use super::timed;
use crate::args::Bench;
use crate::tables::table;
use crate::{Failure, output, units};
use delphic_engine::{AnyPosition, GAMES, game};
use std::time::Duration;

/// The target of playouts per second.
const AIMS: [(&str, f64); 6] = [
    ("connect4", 4e6),
    ("reversi", 200e3),
    ("loa", 20e3),
    ("los-alamos", 15e3),
    ("minishogi", 15e3),
    ("ataxx", 100e3),
];

/// The length of a timed batch: shorter than a usual time slice of the scheduler.
const SLICE: Duration = Duration::from_millis(1);

pub(super) fn run(options: &Bench) -> Result<(), Failure> {
    let span = Duration::from_millis(if options.quick { 10 } else { 150 });
    let mut list = table(["game", "perft depth", "M lines/s", "playouts/s", "aim", "reached"]);
    let mut seen = Vec::new();
    for (name, _) in GAMES {
        let game = game(name)?;
        // Some games have two names.
        if seen.contains(&game.spec().to_owned()) {
            continue;
        }
        seen.push(game.spec().to_owned());
        let position = game.position(None, None)?;
        let depth = depth(&*position, SLICE * 4);
        let (mut lines, mut playouts) = (0f64, 0f64);
        for round in 0..options.rounds {
            lines = lines.max(rate(span, |batch| (0..batch).map(|_| position.perft(depth)).sum()));
            playouts = playouts.max(rate(span, |batch| {
                position.random_results(batch, round.into());
                batch
            }));
        }
        let aim = AIMS.iter().find(|(aimed, _)| aimed == name).map(|(_, aim)| *aim);
        list.add_row([
            game.spec().to_owned(),
            depth.to_string(),
            format!("{:.2}", lines / 1e6),
            units::grouped(playouts as u64),
            aim.map_or_else(String::new, |aim| units::grouped(aim as u64)),
            aim.map_or_else(String::new, |aim| format!("{:.0} %", 100.0 * playouts / aim)),
        ]);
    }
    output(&format!("{list}\n"))
}

/// The greatest depth that can be counted within about `span`, extrapolated from the growth of the counts.
fn depth(position: &dyn AnyPosition, span: Duration) -> u32 {
    let (mut depth, mut before) = (1, 1);
    loop {
        let (lines, time) = timed(|| position.perft(depth));
        // When games begin to end, counts shrink and cannot be extrapolated.
        if lines < before {
            return depth - 1;
        }
        if time.as_secs_f64() * lines as f64 / before as f64 > span.as_secs_f64() {
            return depth;
        }
        (depth, before) = (depth + 1, lines);
    }
}

/// The highest rate of `work` per second over batches large enough to be timed, repeated for `span`. Other programs
/// share the machine, so the best of many short batches measures its speed and the mean does not.
fn rate(span: Duration, mut work: impl FnMut(u64) -> u64) -> f64 {
    let (mut best, mut spent, mut batch) = (0f64, Duration::ZERO, 1);
    while spent < span {
        let (units, time) = timed(|| work(batch));
        spent += time;
        if time < SLICE {
            batch *= 2;
        }
        if time * 2 > SLICE || spent >= span {
            best = best.max(units as f64 / time.as_secs_f64().max(1e-9));
        }
    }
    best
}
