//! What a series of games says: score, interval, Elo.

/// Results of one agent against another.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Tally {
    /// Games that counted in full.
    pub wins: u64,
    /// Games that counted in part.
    pub draws: u64,
    /// Games that did not count.
    pub losses: u64,
    /// The sum of what they counted.
    pub points: f64,
}

/// An estimate and the limits within which the truth lies with a probability of 95 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The estimate.
    pub mean: f64,
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

/// Standard deviations within which 95 % of a normal distribution lie.
const Z: f64 = 1.959_964;

impl Tally {
    /// Adds a game that counted `points`, between 0 and 1.
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

    /// The mean of what a game counts, with Wilson's interval: it never leaves 0 to 1 and says something after a single game. Draws make results
    /// scatter less than it supposes, so it is on the safe side.
    pub fn score(&self) -> Interval {
        let n = self.games() as f64;
        if n == 0.0 {
            return Interval { mean: 0.5, low: 0.0, high: 1.0 };
        }
        let (p, z2) = (self.points / n, Z * Z);
        let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        Interval { mean: p, low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }

    /// The same as a difference in Elo.
    pub fn elo(&self) -> Interval {
        let Interval { mean, low, high } = self.score();
        Interval { mean: elo(mean), low: elo(low), high: elo(high) }
    }
}

impl Interval {
    /// Half its width.
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The difference in Elo that leads to a score.
fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}
