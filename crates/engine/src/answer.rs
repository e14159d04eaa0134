//! The answer to a request.

use delphic_certificate::Claim;
use delphic_game::{Force, Player};
use delphic_search::{Estimate, RootValue, Stats, StopReason};
use std::fmt;
use std::time::Duration;

/// The value of a position for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The lowest payoff of a game whose payoffs are −1, 0 and 1.
    Loss,
    /// Payoff 0 of such a game.
    Draw,
    /// The highest payoff of such a game.
    Win,
    /// The payoff of a game with scores.
    Score(i16),
}

impl Value {
    /// `payoff` as a win, draw or loss, or as a score if the game has other payoffs.
    pub fn of(payoff: i16, payoffs: &[i16]) -> Value {
        match payoff {
            -1 if payoffs.iter().all(|p| p.abs() <= 1) => Value::Loss,
            0 if payoffs.iter().all(|p| p.abs() <= 1) => Value::Draw,
            1 if payoffs.iter().all(|p| p.abs() <= 1) => Value::Win,
            score => Value::Score(score),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Loss => f.write_str("loss"),
            Value::Draw => f.write_str("draw"),
            Value::Win => f.write_str("win"),
            Value::Score(score) => write!(f, "{score}"),
        }
    }
}

/// A claim in words, for a game with these payoffs: "the first player can force a win".
///
/// ```
/// use delphic_engine::claim_in_words;
///
/// let claim = "second >= 0".parse()?;
/// assert_eq!(claim_in_words(claim, &[-1, 0, 1]), "the second player can force at least a draw");
/// # Ok::<(), String>(())
/// ```
pub fn claim_in_words(claim: Claim, payoffs: &[i16]) -> String {
    let Claim { question: Force { player, at_least }, holds } = claim;
    let what = match Value::of(at_least, payoffs) {
        Value::Win => "a win".to_owned(),
        Value::Draw => "at least a draw".to_owned(),
        Value::Loss | Value::Score(_) => format!("a payoff of at least {at_least}"),
    };
    format!("the {player} player {} force {what}", if holds { "can" } else { "cannot" })
}

/// The verdict on a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conclusion {
    /// The answer is yes; for the value: it is known.
    Proved,
    /// The answer is no; for the value: the player loses.
    Disproved,
    /// There is no proof, but the estimate has reached the requested precision.
    Estimated,
    /// There is no answer.
    Unknown,
}

impl Conclusion {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Conclusion::Proved => "proved",
            Conclusion::Disproved => "disproved",
            Conclusion::Estimated => "estimated",
            Conclusion::Unknown => "unknown",
        }
    }
}

/// An estimate by precision rate (paper 1), and whether it was right.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimated {
    /// When the precision rate was first reached, and the estimate then.
    pub first: Estimate,
    /// Whether it was right, if the question was answered later.
    pub right: Option<bool>,
}

/// An answer that holds only under a restriction of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Restricted {
    /// The claim that holds under the restriction.
    pub claim: Claim,
    /// The restriction, as a clause.
    pub reason: &'static str,
}

/// The answer to a request.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The game's full spec.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// The question.
    pub question: String,
    /// The verdict.
    pub conclusion: Conclusion,
    /// Lower and upper bound on the value for `player`.
    pub bounds: (Value, Value),
    /// The player that the question is about: by default the side to move.
    pub player: Player,
    /// The estimate, if one was requested and reached.
    pub estimate: Option<Estimated>,
    /// The side to move.
    pub turn: Player,
    /// The payoffs of all players in order, if the question was max^n and is answered.
    pub payoffs: Option<Vec<i16>>,
    /// A result that holds only under a restriction of the rules.
    pub restricted: Option<Restricted>,
    /// A line of play that follows the proof; without an answer, the path to the most-proving node.
    pub line: Vec<String>,
    /// The maximum length of the game against the strategies of the proof; then `line` is a line of that length.
    pub plies: Option<u32>,
    /// The solver's full spec.
    pub solver: String,
    /// The solver that searched last: with `auto`, the member of the portfolio that gave the answer.
    pub searched_by: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads allowed.
    pub threads: usize,
    /// Whether the same request reproduces line and node counts. The value is the same in any case.
    pub repeatable: bool,
    /// Why the search ended.
    pub stop: StopReason,
    /// Its counters.
    pub stats: Stats,
    /// Nodes created to find the line of longest resistance, in addition to those of the search.
    pub line_created: u64,
    /// The time for it.
    pub line_time: Duration,
    /// The heuristic value of the root, if the question is open.
    pub root: RootValue,
}

impl Answer {
    /// The value for `player`, if it is known.
    pub fn value(&self) -> Option<Value> {
        (self.bounds.0 == self.bounds.1).then_some(self.bounds.0)
    }
}
