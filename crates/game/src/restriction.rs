//! Games that leave out moves.

use crate::{Player, Verdict};

/// What a game says whose rules leave out moves that the real question allows. Answers that the missing moves could change do not
/// hold for the real question.
///
/// With fewer moves a player achieves no more than with all of them. So what that player forces is forced in truth, but what that
/// player cannot force, and what the others force against them, may be owed to the missing moves.
///
/// ```
/// use delphic_game::{Player, Restriction, Verdict};
///
/// let attacker = Player::FIRST;
/// let zone = Restriction { player: Some(attacker), reason: "the attacker plays near the target only" };
/// assert_eq!(zone.verdict(attacker, Verdict::Proved), Verdict::Proved);
/// assert_eq!(zone.verdict(attacker, Verdict::Disproved), Verdict::Open);
/// assert_eq!(zone.verdict(attacker.other(), Verdict::Proved), Verdict::Open);
/// assert_eq!(zone.verdict(attacker.other(), Verdict::Disproved), Verdict::Disproved);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Restriction {
    /// The only player whose moves are left out in a way that matters; `None` if there are several, and no answer holds.
    pub player: Option<Player>,
    /// What is left out, a clause for reports without capital or full stop.
    pub reason: &'static str,
}

impl Restriction {
    /// What an answer to "can `asked` force this much?", found under the restriction, says about the real question.
    pub fn verdict(&self, asked: Player, found: Verdict) -> Verdict {
        let holds = match found {
            Verdict::Proved => self.player == Some(asked),
            Verdict::Disproved => self.player.is_some_and(|player| player != asked),
            Verdict::Open => true,
        };
        if holds { found } else { Verdict::Open }
    }
}
