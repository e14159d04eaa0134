//! Positions with exactly one winning move.

use crate::api::{Reply, Shared, place};
use crate::reply::Fields;
use crate::search::{limits, start};
use axum::body::Bytes;
use axum::extract::State;
use delphic_engine::{Ask, Limits, Request, find_puzzle, json};
use serde_json::json;

/// Nodes for one position.
const NODES: u64 = 300_000;
/// Positions that are tried for a puzzle.
const TRIES: u64 = 2_000;
/// The limit on positions visited to find the exact length of a puzzle.
const EXACT: u64 = 300_000;
/// The default minimum length of the longest defence.
const DEPTH: u64 = 5;

/// Tries positions of random games.
pub(crate) async fn find(State(app): Shared, body: Bytes) -> Reply {
    let fields = Fields::read(&body, &["game", "position", "moves", "seed", "seconds", "nodes", "depth"])?;
    let (game, base) = place(&app, &fields)?;
    let (seed, depth) = (fields.count("seed")?.unwrap_or(1), fields.count("depth")?.unwrap_or(DEPTH));
    let depth = u32::try_from(depth).unwrap_or(u32::MAX);
    let allowed = limits(&app, &fields)?.begin();
    start(&app, move |_, sink| {
        for nth in 0..TRIES {
            let nodes = Some(allowed.nodes.unwrap_or(NODES));
            let limits = Limits { nodes, interrupt: Some(sink.cancel().flag()), ..allowed };
            if limits.is_over().is_some() {
                break;
            }
            let position = game.position(Some(&base.random(None, seed.wrapping_add(nth))), None)?;
            let request = Request { ask: Ask::Win, limits, ..Request::default() };
            if let Some(puzzle) = find_puzzle(&*position, &request, EXACT, depth) {
                let (plies, plies_at_most) = json::plies(puzzle.distance);
                sink.send(
                    "puzzle",
                    &json!({
                        "game": game.spec(),
                        "position": position.write(),
                        "to_move": position.turn().to_string(),
                        "solution": puzzle.mv,
                        "plies": plies,
                        "plies_at_most": plies_at_most,
                        "line": puzzle.line,
                        "tried": nth + 1,
                    }),
                );
                return Ok(());
            }
            sink.offer("tried", &json!({ "positions": nth + 1 }));
        }
        sink.send("none", &json!({}));
        Ok(())
    })
}
