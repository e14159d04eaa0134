//! `delphic perft`: the number of move sequences of each length.

use crate::args::Perft;
use crate::{Failure, output, position, units};
use serde_json::json;
use std::time::Instant;

pub(crate) fn run(options: &Perft) -> Result<u8, Failure> {
    let (game, position) =
        position::open(&options.game, options.position.as_deref(), options.moves.as_deref())?;
    let mut counts = Vec::new();
    for depth in 1..=options.depth {
        let started = Instant::now();
        let lines = position.perft(depth);
        let time = started.elapsed();
        let speed = (lines as f64 / time.as_secs_f64().max(1e-9)) as u64;
        if options.json {
            counts.push(json!({ "depth": depth, "lines": lines, "seconds": time.as_secs_f64() }));
        } else {
            output(&format!(
                "{depth:>3} {:>20}  {:>10}  {:>15}/s\n",
                units::grouped(lines),
                units::time(time),
                units::grouped(speed)
            ))?;
        }
        // Every game has ended: deeper counts are all 0.
        if lines == 0 {
            break;
        }
    }
    if options.json {
        let object =
            json!({ "schema": 1, "game": game.spec(), "position": position.write(), "perft": counts });
        output(&format!("{object}\n"))?;
    }
    Ok(0)
}
