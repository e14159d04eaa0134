//! The objects of `--json` and of the web explorer's interface (docs/json.md).
//!
//! `revision` names the sources that the program was built from; only the program knows it.

mod lists;

pub use lists::{MISERE, OWN, agents, example, game, games, listed, solvers};

use crate::{
    Analysis, Answer, AnyGame, AnyPosition, Certified, Checked, CheckedBundle, Distance, Estimated, Header,
    MoveValue, RootValue, Stats, Value, claim_in_words,
};
use serde_json::{Value as Json, json};
use std::time::Duration;

/// The object of `solve`.
///
/// ```
/// use delphic_engine::{Request, game, json};
///
/// let answer = game("nim:1,2,4")?.position(None, None)?.solve(&Request::default(), &mut ());
/// let object = json::answer(&answer, "5b4bc8e");
/// assert_eq!((&object["value"], &object["revision"]), (&"win".into(), &"5b4bc8e".into()));
/// # Ok::<(), delphic_engine::InputError>(())
/// ```
pub fn answer(answer: &Answer, revision: &str) -> Json {
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
        "threads": answer.threads,
        "repeatable": answer.repeatable,
        "stop": answer.stop.name(),
        "restricted": answer.restricted.map(|found| json!({ "claim": found.claim.to_string(), "reason": found.reason })),
        "stats": stats(&answer.stats),
        "root": root(answer.root),
        "estimate": estimate,
        "revision": revision,
    })
}

/// The same for an answer with a certificate.
pub fn proved(about: &Answer, certified: Option<&Certified>, revision: &str) -> Json {
    let mut object = answer(about, revision);
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

/// The object of `analyze`: the answer, and the values of all moves.
pub fn analysis(analysis: &Analysis, revision: &str) -> Json {
    let mut object = answer(&analysis.answer, revision);
    object["moves"] = analysis.moves.iter().map(move_value).collect();
    object["best"] = analysis.best().iter().map(|mv| mv.mv.as_str()).collect();
    object["complete"] = analysis.complete().into();
    object
}

/// One move of an analysis.
pub fn move_value(mv: &MoveValue) -> Json {
    let (exact, at_most) = plies(mv.distance);
    json!({
        "move": mv.mv,
        "at_least": value(mv.bounds.0),
        "at_most": value(mv.bounds.1),
        "plies": exact,
        "plies_at_most": at_most,
        "line": mv.line,
    })
}

/// A distance as the fields `plies` and `plies_at_most`.
pub fn plies(distance: Option<Distance>) -> (Option<u32>, Option<u32>) {
    match distance {
        None => (None, None),
        Some(Distance::Exactly(plies)) => (Some(plies), None),
        Some(Distance::AtMost(plies)) => (None, Some(plies)),
    }
}

/// A value in words, or a number in games with scores.
pub fn value(value: Value) -> Json {
    match value {
        Value::Score(score) => score.into(),
        word => word.to_string().into(),
    }
}

/// Counters.
pub fn stats(stats: &Stats) -> Json {
    json!({
        "iterations": stats.iterations,
        "created": stats.created,
        "expanded": stats.expanded,
        "visited": stats.visited,
        "playouts": stats.playouts,
        "seconds": stats.time.as_secs_f64(),
        "peak_bytes": stats.peak_bytes,
    })
}

/// The heuristic values of a node. Expected work is given as proof numbers.
pub fn root(value: RootValue) -> Json {
    let (p, pn, dn) = match value {
        RootValue::None => (None, None, None),
        RootValue::Probability(p) => (Some(p), None, None),
        RootValue::ProofNumbers(pn, dn) | RootValue::Work { prove: pn, disprove: dn } => {
            (None, Some(pn), Some(dn))
        }
    };
    json!({ "p": p, "pn": pn, "dn": dn })
}

/// The object of `show`.
pub fn position(game: &dyn AnyGame, position: &dyn AnyPosition) -> Json {
    json!({
        "schema": 1,
        "game": game.spec(),
        "title": game.title(),
        "position": position.write(),
        "to_move": (!position.is_over()).then(|| position.turn().to_string()),
        "moves": position.moves(),
        "payoffs": position.payoffs(),
        "board": position.shown().text(false),
    })
}

/// The object of `check` for a valid certificate of `bytes` bytes, checked in `time`, of a game with these payoffs.
pub fn checked(header: &Header, payoffs: &[i16], checked: &Checked, bytes: u64, time: Duration) -> Json {
    json!({
        "schema": 1,
        "valid": true,
        "game": header.game,
        "position": header.position,
        "claims": header.claims.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "claims_in_words": claims_in_words(header, payoffs),
        "line": checked.line,
        "plies_at_most": (!checked.endless).then_some(checked.plies),
        "endless": checked.endless,
        "strategy_positions": checked.strategy,
        "looked_at": checked.looked_at,
        "bytes": bytes,
        "seconds": time.as_secs_f64(),
    })
}

/// The object of `check` for a valid certificate in parts.
pub fn checked_bundle(checked: &CheckedBundle, time: Duration) -> Json {
    let claims = checked.claims.iter();
    json!({
        "schema": 1,
        "valid": true,
        "game": checked.game,
        "position": checked.position,
        "claims": claims.clone().map(ToString::to_string).collect::<Vec<_>>(),
        "claims_in_words": claims.map(|&claim| claim_in_words(claim, &checked.payoffs)).collect::<Vec<_>>(),
        "parts": checked.parts,
        "citations": checked.citations,
        "strategy_positions": checked.strategy,
        "looked_at": checked.looked_at,
        "bytes": checked.bytes,
        "seconds": time.as_secs_f64(),
    })
}

/// The object of `check` for an invalid certificate.
pub fn refused(reason: &str) -> Json {
    json!({ "schema": 1, "valid": false, "reason": reason })
}

/// The claims of a certificate, in words.
pub fn claims_in_words(header: &Header, payoffs: &[i16]) -> Vec<String> {
    header.claims.iter().map(|&claim| claim_in_words(claim, payoffs)).collect()
}
