//! Answers as JSON (docs/json.md).

use delphic_engine::{Answer, Estimated, Hope, Value};
use serde_json::{Value as Json, json};

pub(crate) fn answer(answer: &Answer) -> Json {
    let stats = &answer.stats;
    let (p, pn, dn) = match answer.hope {
        Hope::None => (None, None, None),
        Hope::Probability(p) => (Some(p), None, None),
        // Expected work takes the place of proof numbers.
        Hope::ProofNumbers(pn, dn) | Hope::Work { prove: pn, disprove: dn } => (None, Some(pn), Some(dn)),
    };
    let estimate = answer.estimate.map(|Estimated { first, right }| {
        json!({
            "yes": first.yes,
            "created": first.created,
            "seconds": first.time.as_secs_f64(),
            "right": right,
        })
    });
    json!({
        "schema": 1,
        "game": answer.game,
        "position": answer.position,
        "question": answer.question,
        "verdict": answer.conclusion.name(),
        "value": answer.value().map(value),
        "at_least": value(answer.bounds.0),
        "at_most": value(answer.bounds.1),
        "for": answer.player.to_string(),
        "to_move": answer.turn.to_string(),
        "payoffs": answer.payoffs,
        "line": answer.line,
        "solver": answer.solver,
        "searched_by": answer.searched_by,
        "seed": answer.seed,
        "stop": answer.stop.name(),
        "stats": {
            "iterations": stats.iterations,
            "created": stats.created,
            "expanded": stats.expanded,
            "visited": stats.visited,
            "playouts": stats.playouts,
            "seconds": stats.time.as_secs_f64(),
            "peak_bytes": stats.peak_bytes,
        },
        "root": { "p": p, "pn": pn, "dn": dn },
        "estimate": estimate,
    })
}

fn value(value: Value) -> Json {
    match value {
        Value::Score(score) => score.into(),
        word => word.to_string().into(),
    }
}
