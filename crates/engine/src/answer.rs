//! The answer to a request.

use delphic_certificate::Claim;
use delphic_game::{Force, Player};
use delphic_search::{Estimate, RootValue, Stats, StopReason};
use std::fmt;
use std::time::Duration;

/// The value of a position for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The lowest payoff of a game that knows only −1, 0 and 1.
    Loss,
    /// Payoff 0 of such a game.
    Draw,
    /// The highest payoff of such a game.
    Win,
    /// The payoff of a game with scores.
    Score(i16),
}

impl Value {
    /// `payoff` in the words of a game with these payoffs.
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
    /// The answer is yes; to the question for the value: it is known.
    Proved,
    /// The answer is no; to the question for the value: the side to move loses.
    Disproved,
    /// There is no proof, but the estimate is within the precision that was asked for.
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

/// An answer by precision rate (paper 1), and what came of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimated {
    /// When the estimate was first within the rate, and what it said.
    pub first: Estimate,
    /// Whether it was right, if the question was answered later.
    pub right: Option<bool>,
}

/// An answer that was found under a restriction of the rules, and does not hold for the real question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Restricted {
    /// What holds under the restriction.
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
    /// What was asked.
    pub question: String,
    /// What is claimed.
    pub conclusion: Conclusion,
    /// The least and the greatest value for `player` that are not excluded.
    pub bounds: (Value, Value),
    /// The player whose value this is: the side to move, unless the question was about another.
    pub player: Player,
    /// The estimate, if the solver was asked for one and reached it.
    pub estimate: Option<Estimated>,
    /// The side to move.
    pub turn: Player,
    /// The payoffs of all players in order, if max^n was asked for and is known.
    pub payoffs: Option<Vec<i16>>,
    /// What was found only under a restriction of the rules.
    pub restricted: Option<Restricted>,
    /// A line of play: if there is an answer, one that shows it.
    pub line: Vec<String>,
    /// The most plies the game can last if the sides that the answer speaks for play as its proof does; then `line` shows it.
    pub plies: Option<u32>,
    /// The solver's full spec.
    pub solver: String,
    /// The solver that searched last: with `auto`, the member of the portfolio that gave the answer.
    pub searched_by: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The threads that it was allowed.
    pub threads: usize,
    /// Whether the same request gives the same line and counts again. Value and proof do not depend on that.
    pub repeatable: bool,
    /// Why the search ended.
    pub stop: StopReason,
    /// Its counters.
    pub stats: Stats,
    /// Nodes created to find the line that resists longest, besides those of the search.
    pub line_created: u64,
    /// The time that this took.
    pub line_time: Duration,
    /// The rule's value of the root, while the question is open.
    pub root: RootValue,
}

impl Answer {
    /// The value for `player`, if it is known.
    pub fn value(&self) -> Option<Value> {
        (self.bounds.0 == self.bounds.1).then_some(self.bounds.0)
    }
}
