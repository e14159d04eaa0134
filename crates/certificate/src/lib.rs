//! Certificates: winning strategies in a file, and the checker that needs nothing but the rules.
//!
//! A certificate claims that a player can, or cannot, force a payoff, and has the move of the proving side for every position that its
//! strategy can reach. Positions are not stored. Writer and checker [`Walk`] through the game in the same order (the chosen move where
//! the prover moves, every legal move where another player does, each position once), so the file is a list of choices in the order in
//! which the walk needs them. `docs/certificates.md` specifies the format.
//!
//! This crate does not depend on any search. A claim that the checker accepts is true, wherever the file comes from.

mod bundle;
mod check;
mod file;
mod fingerprint;
mod tree;
mod walk;

pub use bundle::{Bundle, CheckedEntry, Entry, Lemmas, PartWriter, find_circle, renumber};
pub use check::{Checked, Refusal, check, print};
pub use file::{Header, Writer};
pub use fingerprint::fingerprint;
pub use tree::{Branch, ProofTree, trees};
pub use walk::{Arrival, Fault, Guide, Step, Visited, Walk, meeting};

use delphic_game::{Force, Outcome, Player, Question, Verdict};
use std::fmt;
use std::str::FromStr;

/// A player can, or cannot, force a payoff.
///
/// ```
/// use delphic_certificate::Claim;
/// use delphic_game::{Outcome, Player};
///
/// let no_loss: Claim = "second >= 0".parse()?;
/// assert!(no_loss.allows(Outcome::DRAW) && no_loss.chooses(Player::SECOND));
/// let no_win: Claim = "second < 1".parse()?;
/// assert!(no_win.allows(Outcome::DRAW) && no_win.chooses(Player::FIRST));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The player and what they would have to force.
    pub question: Force,
    /// Whether the claim is that the player can force it. If not, the claim is that all others together can prevent it.
    pub holds: bool,
}

impl Claim {
    /// Whether the strategy chooses when `mover` is to move; otherwise every move is followed.
    #[inline]
    pub fn chooses(&self, mover: Player) -> bool {
        (mover == self.question.player) == self.holds
    }

    /// Whether this outcome agrees with the claim.
    #[inline]
    pub fn allows(&self, outcome: Outcome) -> bool {
        self.question.answer(outcome) == Verdict::of(self.holds)
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.holds { ">=" } else { "<" };
        write!(f, "{} {sign} {}", self.question.player, self.question.at_least)
    }
}

impl FromStr for Claim {
    type Err = String;

    fn from_str(text: &str) -> Result<Claim, String> {
        let error =
            || format!("'{text}' is not a claim; expected something like 'first >= 1' or 'second < 0'");
        let mut words = text.split(' ');
        let (Some(who), Some(sign), Some(payoff), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(error());
        };
        let mut seats = (0..Player::MAX).map(Player::new);
        let player = seats.find(|player| player.to_string() == who).ok_or_else(error)?;
        let holds = match sign {
            ">=" => true,
            "<" => false,
            _ => return Err(error()),
        };
        let at_least = payoff.parse().map_err(|_| error())?;
        Ok(Claim { question: Force { player, at_least }, holds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_read_as_they_print() {
        for text in ["first >= 1", "second < 0", "third >= -12", "fourth < 32767"] {
            assert_eq!(text.parse::<Claim>().unwrap().to_string(), text);
        }
        for bad in ["", "first", "first > 1", "fifth >= 1", "first >= 1 ", "first >= 99999", "first  >= 1"] {
            assert!(bad.parse::<Claim>().is_err(), "{bad}");
        }
    }

    /// Two sides of one question: the players who do not choose in one claim choose in the other.
    #[test]
    fn a_denial_is_everybody_elses_strategy() {
        let claim: Claim = "second >= 0".parse().unwrap();
        let denial = Claim { holds: false, ..claim };
        for seat in 0..3 {
            assert_eq!(claim.chooses(Player::new(seat)), seat == 1);
            assert_ne!(claim.chooses(Player::new(seat)), denial.chooses(Player::new(seat)));
        }
        assert!(claim.allows(Outcome::DRAW) && !denial.allows(Outcome::DRAW));
    }
}
