//! What is played for: who plays for himself, who against whom, and between which payoffs.

use delphic_game::{Bounds, Game, Outcome, Player, Score};

/// What everybody tries to achieve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Everybody plays for the own payoff.
    Own,
    /// One player plays for a score within a range, all others together against him.
    Against(Score),
}

/// The sides of a game: its players, or one player and all the others.
///
/// Everything a search keeps is kept once per side, and whoever moves reads the own entry. So no value is ever turned around, and it does
/// not matter who moves next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stakes {
    aim: Aim,
    /// How many sides there are.
    pub(super) sides: usize,
    /// The payoffs that the first side can get. Those of the second, if there are two, are their negatives.
    range: Bounds,
    /// From payoffs to values.
    scale: f32,
}

impl Stakes {
    pub(super) fn new<G: Game>(game: &G, aim: Aim) -> Stakes {
        let (sides, range) = match aim {
            Aim::Own => {
                let payoffs = game.payoffs();
                (game.players(), Bounds { lo: payoffs[0], hi: payoffs[payoffs.len() - 1] })
            }
            Aim::Against(Score { range, .. }) => (2, range),
        };
        Stakes { aim, sides, range, scale: 2.0 / f32::from((range.hi - range.lo).max(1)) }
    }

    /// The side of a player.
    #[inline]
    pub(super) fn side(&self, player: Player) -> usize {
        match self.aim {
            Aim::Own => player.seat(),
            Aim::Against(score) => usize::from(player != score.player),
        }
    }

    /// Whether what one side gains the other loses.
    #[inline]
    pub(super) fn zero_sum(&self) -> bool {
        self.sides == 2
    }

    /// Everything a side can get.
    #[inline]
    pub(super) fn range(&self, side: usize) -> Bounds {
        let Bounds { lo, hi } = self.range;
        if side == 1 && self.zero_sum() { Bounds { lo: -hi, hi: -lo } } else { self.range }
    }

    /// What a side gets at the end of a game.
    #[inline]
    pub(super) fn payoff(&self, outcome: Outcome, side: usize) -> i16 {
        match self.aim {
            Aim::Own => outcome.payoff(Player::new(side)),
            Aim::Against(Score { player, range }) => {
                let payoff = outcome.payoff(player).clamp(range.lo, range.hi);
                if side == 0 { payoff } else { -payoff }
            }
        }
    }

    /// A payoff as a value between −1 and 1.
    #[inline]
    pub(super) fn value(&self, payoff: i16, side: usize) -> f32 {
        f32::from(payoff - self.range(side).lo) * self.scale - 1.0
    }

    /// The player whose chance of success the game's evaluation tells, for a side.
    pub(super) fn judged(&self, side: usize) -> Player {
        match self.aim {
            Aim::Own => Player::new(side),
            Aim::Against(score) => score.player,
        }
    }
}
