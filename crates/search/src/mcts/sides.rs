//! Maps players to sides (max^n, or one player against all others) and payoffs to values.

use delphic_game::{Bounds, Outcome, Player, Score};

/// The objective of the players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objective {
    /// Every player maximises their own payoff.
    Own,
    /// One player maximises a score within a range, all others minimise it.
    Against(Score),
}

/// The sides of a game: its players, or one player and all the others.
///
/// Every value is stored once per side, and the player to move reads the entry of its side. So values are never negated, and turns need not
/// alternate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    objective: Objective,
    /// The number of sides.
    pub(super) count: usize,
    /// The range of payoffs of the first side. That of the second, if there are two, is its negative.
    range: Bounds,
    /// From payoffs to values.
    scale: f32,
}

impl Sides {
    /// The sides of a game with this number of players and these payoffs.
    pub(super) fn new(players: usize, payoffs: &[i16], objective: Objective) -> Sides {
        let (count, range) = match objective {
            Objective::Own => (players, Bounds { lo: payoffs[0], hi: payoffs[payoffs.len() - 1] }),
            Objective::Against(Score { range, .. }) => (2, range),
        };
        Sides { objective, count, range, scale: 2.0 / f32::from((range.hi - range.lo).max(1)) }
    }

    /// The side of a player.
    #[inline]
    pub(super) fn side(&self, player: Player) -> usize {
        match self.objective {
            Objective::Own => player.index(),
            Objective::Against(score) => usize::from(player != score.player),
        }
    }

    /// Whether there are two sides and the game is zero-sum.
    #[inline]
    pub(super) fn zero_sum(&self) -> bool {
        self.count == 2
    }

    /// The payoffs that a side can get.
    #[inline]
    pub(super) fn range(&self, side: usize) -> Bounds {
        let Bounds { lo, hi } = self.range;
        if side == 1 && self.zero_sum() { Bounds { lo: -hi, hi: -lo } } else { self.range }
    }

    /// The payoff of a side at the end of a game.
    #[inline]
    pub(super) fn payoff(&self, outcome: Outcome, side: usize) -> i16 {
        match self.objective {
            Objective::Own => outcome.payoff(Player::new(side)),
            Objective::Against(Score { player, range }) => {
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

    /// The player whose winning chance is evaluated for a side.
    pub(super) fn evaluated(&self, side: usize) -> Player {
        match self.objective {
            Objective::Own => Player::new(side),
            Objective::Against(score) => score.player,
        }
    }
}
