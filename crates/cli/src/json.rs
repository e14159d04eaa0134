//! Answers as JSON (docs/json.md).

use crate::version;
use delphic_engine::{Analysis, Answer, Certified, Distance, Estimated, MoveValue, RootValue, Value};
use serde_json::{Value as Json, json};

/// An answer whose certificate was asked for.
pub fn proved(about: &Answer, certified: Option<&Certified>) -> Json {
    let mut object = answer(about);
    object["certificate"] = certified.map_or(Json::Null, |certified| {
        json!({
            "claims": certified.claims.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "strategy_positions": certified.strategy,
            "looked_at": certified.looked_at,
            "bytes": certified.bytes,
            "searched_again": certified.created,
            "seconds": certified.time.as_secs_f64(),
        })
    });
    object
}

/// An answer.
pub fn answer(answer: &Answer) -> Json {
    let stats = &answer.stats;
    let (p, pn, dn) = match answer.root {
        RootValue::None => (None, None, None),
        RootValue::Probability(p) => (Some(p), None, None),
        // Expected work takes the place of proof numbers.
        RootValue::ProofNumbers(pn, dn) | RootValue::Work { prove: pn, disprove: dn } => {
            (None, Some(pn), Some(dn))
        }
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
        "plies_at_most": answer.plies,
        "solver": answer.solver,
        "searched_by": answer.searched_by,
        "seed": answer.seed,
        "stop": answer.stop.name(),
        "restricted": answer.restricted.map(|found| json!({ "claim": found.claim.to_string(), "reason": found.reason })),
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
        "revision": version::REVISION,
    })
}

/// The values of all moves.
pub fn analysis(analysis: &Analysis) -> Json {
    let mut object = answer(&analysis.answer);
    let one = |mv: &MoveValue| {
        let (exact, at_most) = match mv.distance {
            None => (None, None),
            Some(Distance::Exactly(plies)) => (Some(plies), None),
            Some(Distance::AtMost(plies)) => (None, Some(plies)),
        };
        json!({
            "move": mv.mv,
            "at_least": value(mv.bounds.0),
            "at_most": value(mv.bounds.1),
            "plies": exact,
            "plies_at_most": at_most,
            "line": mv.line,
        })
    };
    object["moves"] = analysis.moves.iter().map(one).collect();
    object["best"] = analysis.best().iter().map(|mv| mv.mv.as_str()).collect();
    object["complete"] = analysis.complete().into();
    object
}

/// A value in words, or a number in games with scores.
pub(crate) fn value(value: Value) -> Json {
    match value {
        Value::Score(score) => score.into(),
        word => word.to_string().into(),
    }
}
