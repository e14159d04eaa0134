//! The events of a search, sent to the client.

use crate::stream::Sink;
use delphic_engine::{Event, Observer, RootMove, Value, json};
use delphic_game::Verdict;
use serde_json::{Value as Json, json};

/// Sends the events of a search to the client.
pub(crate) struct Watch<'a> {
    pub(crate) sink: &'a Sink,
    /// Every payoff of the game, ascending.
    pub(crate) payoffs: Vec<i16>,
    /// The legal moves at the root.
    pub(crate) moves: Vec<String>,
}

impl Watch<'_> {
    fn value(&self, payoff: i16) -> Json {
        json::value(Value::of(payoff, &self.payoffs))
    }
}

impl Observer for Watch<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Question { player, at_least, known: (least, most) } => self.sink.send(
                "question",
                &json!({
                    "for": player.to_string(),
                    "asked": self.value(at_least),
                    "at_least": self.value(least),
                    "at_most": self.value(most),
                }),
            ),
            Event::Progress(progress) => self.sink.offer(
                "progress",
                &json!({
                    "solver": progress.solver,
                    "stats": json::stats(&progress.stats),
                    "root": json::root(progress.root),
                    "decided": progress.decided.0,
                    "of": progress.decided.1,
                }),
            ),
            Event::RootMoves(moves) => {
                let one = |(mv, found): (&String, &RootMove)| {
                    let mut object = json::root(found.value);
                    object["move"] = mv.as_str().into();
                    object["verdict"] = verdict(found.verdict).into();
                    object
                };
                self.sink.offer("root_moves", &self.moves.iter().zip(moves).map(one).collect());
            }
            Event::MoveBounds { nth, known: (least, most) } => self.sink.send(
                "move",
                &json!({
                    "move": self.moves.get(nth),
                    "at_least": self.value(least),
                    "at_most": self.value(most),
                }),
            ),
            Event::Proof { positions } => self.sink.offer("proof", &json!({ "positions": positions })),
            Event::Loading => self.sink.send("loading", &json!({})),
            Event::SaveFailed(why) => self.sink.send("save_failed", &json!({ "error": why })),
            _ => {}
        }
    }
}

/// The word for a verdict.
pub(crate) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved",
        Verdict::Disproved => "disproved",
        Verdict::Open => "open",
    }
}
