//! Players and their payoffs.

use std::fmt;

/// A player, numbered from 0. Two-player games use [`Player::FIRST`] and [`Player::SECOND`].
///
/// ```
/// use delphic_game::Player;
///
/// assert_eq!(Player::FIRST.other(), Player::SECOND);
/// assert_eq!("third".parse(), Ok(Player::new(2)));
/// assert_eq!(Player::new(2).next(3), Player::FIRST);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Player(u8);

impl Player {
    /// The largest number of players of a game.
    pub const MAX: usize = 4;
    /// The player who moves first in the start position.
    pub const FIRST: Player = Player(0);
    /// The other side of a two-player game.
    pub const SECOND: Player = Player(1);

    /// The player with number `index`, below [`Player::MAX`].
    #[inline]
    pub const fn new(index: usize) -> Player {
        assert!(index < Player::MAX);
        Player(index as u8)
    }

    /// The player's number, from 0: an index for per-player tables.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The opponent in a two-player game.
    #[inline]
    pub const fn other(self) -> Player {
        Player(self.0 ^ 1)
    }

    /// The player before this one, of `players` in all.
    #[inline]
    pub const fn previous(self, players: usize) -> Player {
        Player(((self.0 as usize + players - 1) % players) as u8)
    }

    /// The player after this one, of `players` in all.
    #[inline]
    pub const fn next(self, players: usize) -> Player {
        Player(((self.0 as usize + 1) % players) as u8)
    }
}

/// The names of the players.
const NAMES: [&str; Player::MAX] = ["first", "second", "third", "fourth"];

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES[self.index()])
    }
}

impl std::str::FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        let index = NAMES.iter().position(|name| *name == text);
        index.map(Player::new).ok_or_else(|| format!("expected one of {}", NAMES.join(", ")))
    }
}

/// The result of a finished game: one payoff per player.
///
/// Two-player results are zero-sum: +1 win, 0 draw, −1 loss, or a score and its negative. Players that the game does not have get 0.
///
/// ```
/// use delphic_game::{Outcome, Player};
///
/// let score = Outcome::score(5);
/// assert_eq!([Player::FIRST, Player::SECOND].map(|player| score.payoff(player)), [5, -5]);
/// assert_eq!(Outcome::win(Player::FIRST).negated(), Outcome::loss(Player::FIRST));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome([i16; Player::MAX]);

impl Outcome {
    /// All payoffs are 0.
    pub const DRAW: Outcome = Outcome([0; Player::MAX]);

    /// One payoff per player.
    #[inline]
    pub const fn new(payoffs: [i16; Player::MAX]) -> Outcome {
        Outcome(payoffs)
    }

    /// A two-player win: 1 for `winner`, −1 for the other.
    #[inline]
    pub const fn win(winner: Player) -> Outcome {
        Outcome::score(if winner.0 == 0 { 1 } else { -1 })
    }

    /// A two-player loss: −1 for `loser`, 1 for the other.
    #[inline]
    pub const fn loss(loser: Player) -> Outcome {
        Outcome::win(loser.other())
    }

    /// `loser` gets −1 and all others of `players` get 1.
    #[inline]
    pub fn loss_among(loser: Player, players: usize) -> Outcome {
        if players == 2 {
            return Outcome::loss(loser);
        }
        let mut payoffs = [0; Player::MAX];
        payoffs[..players].fill(1);
        payoffs[loser.index()] = -1;
        Outcome(payoffs)
    }

    /// `winner` gets 1 and all others of `players` get −1.
    #[inline]
    pub fn win_among(winner: Player, players: usize) -> Outcome {
        Outcome::loss_among(winner, players).negated()
    }

    /// A two-player score: `points` for the first player, its negative for the second.
    #[inline]
    pub const fn score(points: i16) -> Outcome {
        Outcome([points, -points, 0, 0])
    }

    /// The payoff of `player`.
    #[inline]
    pub const fn payoff(self, player: Player) -> i16 {
        self.0[player.index()]
    }

    /// Every payoff negated: the result under misère play.
    #[inline]
    pub fn negated(self) -> Outcome {
        Outcome(self.0.map(|payoff| -payoff))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_player_outcomes_are_zero_sum() {
        for outcome in [Outcome::win(Player::FIRST), Outcome::loss(Player::FIRST), Outcome::score(7)] {
            assert_eq!(outcome.payoff(Player::FIRST), -outcome.payoff(Player::SECOND));
        }
        assert_eq!(Outcome::win(Player::FIRST).negated().payoff(Player::SECOND), 1);
        assert_eq!(Outcome::loss_among(Player::SECOND, 2), Outcome::loss(Player::SECOND));
        assert_eq!(Outcome::win_among(Player::FIRST, 2), Outcome::win(Player::FIRST));
        assert_eq!(Outcome::win_among(Player::SECOND, 3), Outcome::new([-1, 1, -1, 0]));
        assert_eq!(Player::new(2).next(3), Player::FIRST);
        assert_eq!(Player::FIRST.previous(3), Player::new(2));
        assert_eq!("third".parse(), Ok(Player::new(2)));
        assert!("3".parse::<Player>().is_err());
    }
}
