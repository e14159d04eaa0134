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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses, points: wins as f64 + draws as f64 / 2.0 }
    }

    #[test]
    fn intervals_are_wilsons() {
        // 30 of 100, from the definition: (0.3 + 0.0192) / 1.0384 ∓ 0.0886.
        let score = of(30, 0, 70).score();
        assert!((score.low - 0.2189).abs() < 1e-4 && (score.high - 0.3958).abs() < 1e-4, "{score:?}");
        assert_eq!(of(20, 20, 60).score(), score);
        let all = of(10, 0, 0).score();
        assert!(
            all.mean == 1.0 && (all.high - 1.0).abs() < 1e-9 && (all.low - 0.7225).abs() < 1e-4,
            "{all:?}"
        );
        assert_eq!(of(0, 0, 0).score(), Interval { mean: 0.5, low: 0.0, high: 1.0 });
    }

    #[test]
    fn elo_is_logarithmic() {
        assert_eq!(of(5, 10, 5).elo().mean, 0.0);
        assert!((of(10, 0, 1).elo().mean - 400.0).abs() < 1e-9);
        assert_eq!(of(3, 0, 0).elo().mean, f64::INFINITY);
        let (there, back) = (of(7, 2, 3), of(7, 2, 3).reversed());
        assert_eq!(back, of(3, 2, 7));
        assert!((there.elo().low + back.elo().high).abs() < 1e-9);
    }

    #[test]
    fn games_count_once() {
        let mut tally = Tally::default();
        [1.0, 0.0, 0.5, 1.0, 1.0 / 3.0].into_iter().for_each(|points| tally.add(points));
        assert_eq!((tally.wins, tally.draws, tally.losses, tally.games()), (2, 2, 1, 5));
    }
}
