//! Agents' moves.

use crate::api::{Reply, Shared, place};
use crate::reply::{Fields, bad};
use crate::search::{limits, start};
use axum::body::Bytes;
use axum::extract::State;
use delphic_engine::{Agent, Budget, Considered, Limits, json};
use serde_json::json;
use std::time::Duration;

/// The time for a move unless another is asked for.
const TIME: Duration = Duration::from_secs(1);

/// Lets an agent choose a move for the side to move.
pub(crate) async fn choose(State(app): Shared, body: Bytes) -> Reply {
    let fields = Fields::read(
        &body,
        &["game", "position", "moves", "agent", "seed", "seconds", "nodes", "iterations"],
    )?;
    let (_, position) = place(&app, &fields)?;
    let agent: Agent = fields.parsed("agent")?.ok_or_else(|| bad("'agent' is missing"))?;
    if matches!(&agent, Agent::Solver(solver) if solver.pattern_file().is_some()) {
        return Err(bad("solvers with a file of patterns are not available here"));
    }
    if position.is_over() {
        return Err(bad("the game is over"));
    }
    let (seed, iterations) = (fields.count("seed")?.unwrap_or(1), fields.count("iterations")?);
    let mut allowed = limits(&app, &fields)?;
    if fields.number("seconds")?.is_none() && iterations.is_none() {
        allowed.time = allowed.time.map(|time| time.min(TIME));
    }
    start(&app, move |_, sink| {
        let mut player = position.player(&agent, position.turn(), seed);
        let limits = Limits { interrupt: Some(sink.cancel().flag()), ..allowed };
        let thought = player.think(&Budget { iterations, limits }, &mut ());
        let considered = |mv: &Considered| {
            json!({
                "move": mv.mv,
                "visits": mv.visits,
                "mean": mv.mean,
                "at_least": json::value(mv.bounds.0),
                "at_most": json::value(mv.bounds.1),
            })
        };
        sink.send(
            "choice",
            &json!({
                "agent": agent.to_string(),
                "move": thought.moves[thought.choice].mv,
                "moves": thought.moves.iter().map(considered).collect::<Vec<_>>(),
                "stop": thought.stop.name(),
                "stats": json::stats(&thought.stats),
            }),
        );
        Ok(())
    })
}
