//! Means and shares with their intervals.

use delphic_engine::arena::{Interval, Tally};
use delphic_game::Rng;

/// Samples drawn for an interval.
const RESAMPLES: usize = 1000;

/// The mean with its 95 % bootstrap interval (percentiles of the means of samples drawn with replacement). Always the same for the same numbers.
pub fn mean(values: &[f64]) -> Option<Interval> {
    if values.is_empty() {
        return None;
    }
    let size = values.len();
    let mut rng = Rng::new(1);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| (0..size).map(|_| values[rng.below(size)]).sum::<f64>() / size as f64)
        .collect();
    means.sort_by(f64::total_cmp);
    let mean = values.iter().sum::<f64>() / size as f64;
    Some(Interval { mean, low: means[RESAMPLES / 40], high: means[RESAMPLES - 1 - RESAMPLES / 40] })
}

/// A share with Wilson's 95 % interval.
pub fn share(hits: usize, of: usize) -> Interval {
    let mut tally = Tally::default();
    (0..of).for_each(|nth| tally.add(if nth < hits { 1.0 } else { 0.0 }));
    tally.score()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_the_mean() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let interval = mean(&values).unwrap();
        assert_eq!(interval.mean, 49.5);
        // The standard error is 2.9.
        assert!(interval.low > 41.0 && interval.low < 46.0 && interval.high > 53.0 && interval.high < 58.0);
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[3.0]).map(|interval| (interval.low, interval.high)), Some((3.0, 3.0)));
        assert!(share(3, 10).low < 0.3 && share(3, 10).high > 0.3);
    }
}
