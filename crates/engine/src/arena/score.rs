//! The statistics of a series of games: score, interval, Elo.

use delphic_base::Interval;

/// Results of one agent against another.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Tally {
    /// Games with score 1.
    pub wins: u64,
    /// Games with a score between 0 and 1.
    pub draws: u64,
    /// Games with score 0.
    pub losses: u64,
    /// The sum of the scores.
    pub points: f64,
}

impl Tally {
    /// Adds a game with score `points`, between 0 and 1.
    pub fn add(&mut self, points: f64) {
        *match points {
            1.0 => &mut self.wins,
            0.0 => &mut self.losses,
            _ => &mut self.draws,
        } += 1;
        self.points += points;
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The same from the other side.
    pub fn reversed(&self) -> Tally {
        let points = self.games() as f64 - self.points;
        Tally { wins: self.losses, draws: self.draws, losses: self.wins, points }
    }

    /// The mean score with its interval. Draws have less variance than Wilson's interval assumes, so it is conservative.
    pub fn score(&self) -> Interval {
        Interval::wilson(self.points, self.games() as f64)
    }

    /// The score as a difference in Elo.
    pub fn elo(&self) -> Interval {
        let Interval { value, low, high } = self.score();
        Interval { value: elo(value), low: elo(low), high: elo(high) }
    }
}

/// The difference in Elo for an expected score.
fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}
