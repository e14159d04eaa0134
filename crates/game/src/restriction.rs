//! Restrictions: games whose rules leave out moves of the real game.

use crate::{Player, Verdict};

/// The rules leave out moves of one player. Verdicts that the missing moves could change do not hold for the real game.
///
/// With fewer moves a player can force no more than with all of them. So what the restricted player can force holds in the real game; but
/// that this player cannot force something, or that the others can, may be due to the missing moves.
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
    /// The player whose moves are restricted; `None` if there are several, and then no verdict holds.
    pub player: Option<Player>,
    /// The restriction as a clause for reports, without capital and full stop.
    pub reason: &'static str,
}

impl Restriction {
    /// The verdict on "can `asked` force this?" in the real game, from the one found under the restriction.
    pub fn verdict(&self, asked: Player, found: Verdict) -> Verdict {
        let holds = match found {
            Verdict::Proved => self.player == Some(asked),
            Verdict::Disproved => self.player.is_some_and(|player| player != asked),
            Verdict::Open => true,
        };
        if holds { found } else { Verdict::Open }
    }
}
