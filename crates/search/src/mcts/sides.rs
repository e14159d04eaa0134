//! Maps players to sides (max^n, or one player against all others) and payoffs to values.

use delphic_game::{Bounds, Outcome, Player, Score};

/// What the players try to achieve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objective {
    /// Every player plays for their own payoff.
    Own,
    /// One player plays for a score within a range, all others together against them.
    Against(Score),
}

/// The sides of a game: its players, or one player and all the others.
///
/// Every value is stored once per side, and each mover reads the entry of its side. So no value is ever negated, and it does
/// not matter who moves next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    objective: Objective,
    /// How many there are.
    pub(super) count: usize,
    /// The payoffs that the first side can get. Those of the second, if there are two, are their negatives.
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

    /// Whether one side gains what the other loses.
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

    /// The player whose chance of success is evaluated for a side.
    pub(super) fn evaluated(&self, side: usize) -> Player {
        match self.objective {
            Objective::Own => Player::new(side),
            Objective::Against(score) => score.player,
        }
    }
}
