//! Estimates from samples, with confidence intervals.

use crate::Rng;

/// An estimate with its 95 % confidence interval.
///
/// ```
/// use delphic_base::Interval;
///
/// let wins = Interval::share(60, 100);
/// assert_eq!(wins.value, 0.6);
/// assert!(0.50 < wins.low && wins.high < 0.70);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

/// Standard deviations within which 95 % of a normal distribution lie.
const Z: f64 = 1.959_964;

/// Samples that the bootstrap draws.
const SAMPLES: usize = 2000;

impl Interval {
    /// A share, `hits` of `all`, with Wilson's limits.
    pub fn share(hits: usize, all: usize) -> Interval {
        Interval::wilson(hits as f64, all as f64)
    }

    /// The mean of `trials` numbers between 0 and 1 with this sum, with Wilson's interval: it stays within 0 to 1 and is meaningful even after a
    /// single trial.
    pub fn wilson(sum: f64, trials: f64) -> Interval {
        if trials == 0.0 {
            return Interval { value: 0.5, low: 0.0, high: 1.0 };
        }
        let (p, z2) = (sum / trials, Z * Z);
        let centre = (p + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
        let half = Z / (1.0 + z2 / trials) * (p * (1.0 - p) / trials + z2 / (4.0 * trials * trials)).sqrt();
        Interval { value: p, low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }

    /// A statistic with its bootstrap interval: percentiles over samples drawn with replacement. It is deterministic, and `None` without numbers.
    pub fn bootstrap(values: &[f64], statistic: impl Fn(&[f64]) -> f64) -> Option<Interval> {
        if values.is_empty() {
            return None;
        }
        let mut rng = Rng::new(1);
        let mut sample = vec![0.0; values.len()];
        let mut drawn: Vec<f64> = (0..SAMPLES)
            .map(|_| {
                sample.iter_mut().for_each(|place| *place = values[rng.below(values.len())]);
                statistic(&sample)
            })
            .collect();
        drawn.sort_unstable_by(f64::total_cmp);
        let tail = SAMPLES / 40;
        Some(Interval { value: statistic(values), low: drawn[tail], high: drawn[SAMPLES - 1 - tail] })
    }

    /// The mean with its bootstrap limits.
    pub fn mean(values: &[f64]) -> Option<Interval> {
        Interval::bootstrap(values, |values| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// Half its width.
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Interval { value, low, high } = self;
        write!(f, "{value:.2} [{low:.2}, {high:.2}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_the_mean() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let Interval { value, low, high } = Interval::mean(&values).unwrap();
        assert_eq!(value, 49.5);
        // The standard error is 2.9.
        assert!(low > 41.0 && low < 46.0 && high > 53.0 && high < 58.0);
        assert_eq!(Interval::mean(&[]), None);
        assert_eq!(Interval::mean(&[3.0]), Some(Interval { value: 3.0, low: 3.0, high: 3.0 }));
    }

    #[test]
    fn shares_have_wilsons_limits() {
        let Interval { value, low, high } = Interval::share(8, 10);
        assert_eq!(value, 0.8);
        assert!((low - 0.4902).abs() < 1e-4 && (high - 0.9433).abs() < 1e-4);
        assert_eq!(Interval::share(0, 0), Interval { value: 0.5, low: 0.0, high: 1.0 });
        assert!(Interval::share(0, 5).low < 1e-9 && Interval::share(5, 5).high > 1.0 - 1e-9);
    }
}
