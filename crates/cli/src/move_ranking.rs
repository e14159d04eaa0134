//! An agent's ranking of the moves, and what is proven about each.

use delphic_engine::{AnyGame, Considered, Thought, Value};
use std::cmp::Reverse;

/// The lowest and the highest value of a game: the bounds of a move about which nothing is proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    worst: Value,
    best: Value,
}

impl Range {
    pub(crate) fn of(game: &dyn AnyGame) -> Range {
        let payoffs = game.payoffs();
        let value = |payoff: Option<&i16>| Value::of(payoff.copied().unwrap_or(0), &payoffs);
        Range { worst: value(payoffs.first()), best: value(payoffs.last()) }
    }

    /// The bounds of a move about which nothing is proven.
    pub(crate) fn unknown(self) -> (Value, Value) {
        (self.worst, self.best)
    }

    /// The lowest value of the game.
    pub(crate) fn worst(self) -> Value {
        self.worst
    }

    /// What is proven about a move: `win`, `at least draw`, or nothing.
    pub(crate) fn proven(self, mv: &Considered) -> Option<String> {
        match mv.bounds {
            (low, high) if low == high => Some(low.to_string()),
            (low, high) => match (low != self.worst, high != self.best) {
                (false, false) => None,
                (true, false) => Some(format!("at least {low}")),
                (false, true) => Some(format!("at most {high}")),
                (true, true) => Some(format!("{low} to {high}")),
            },
        }
    }

    /// The moves in the agent's order of preference: its choice first, proven losses last.
    pub(crate) fn by_preference(self, thought: &Thought) -> Vec<&Considered> {
        let mut order: Vec<usize> = (0..thought.moves.len()).collect();
        order.sort_by_key(|&nth| {
            let mv = &thought.moves[nth];
            let (won, lost) = (mv.bounds.0 == self.best, mv.bounds.1 == self.worst);
            (nth != thought.choice, !won, lost, Reverse(mv.visits))
        });
        order.into_iter().map(|nth| &thought.moves[nth]).collect()
    }
}

/// A mean between −1 and 1 as a share of the highest payoff: `61 %`.
pub(crate) fn percent(mean: f64) -> String {
    format!("{:.0} %", (mean + 1.0) * 50.0)
}
