//! What learning has brought: problems newly solved and newly failed, and how much faster the others are.

use crate::train::Run;
use delphic_game::Rng;

/// Two ways of solving the same problems.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// Solved by both.
    pub both: usize,
    /// Solved only the second way.
    pub newly_solved: usize,
    /// Solved only the first way.
    pub newly_failed: usize,
    /// Solved by neither.
    pub neither: usize,
    /// How many times faster the second way is, where both solve.
    pub time: SpeedUp,
    /// How many times fewer nodes it creates there.
    pub created: SpeedUp,
}

/// The middle of some ratios, three ways, each with an interval that holds it in 95 of 100 samples (bootstrap).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpeedUp {
    /// The arithmetic mean, which the paper reports and a few large ratios make.
    pub mean: Estimate,
    /// The median.
    pub median: Estimate,
    /// The geometric mean.
    pub geometric: Estimate,
}

/// A number with an interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} [{:.2}, {:.2}]", self.value, self.low, self.high)
    }
}

impl Comparison {
    /// Compares pairs of runs, the first way and the second.
    pub fn of<'a>(runs: impl Iterator<Item = (&'a Run, &'a Run)>) -> Comparison {
        let runs: Vec<_> = runs.collect();
        let count =
            |first, second| runs.iter().filter(|(a, b)| (a.solved, b.solved) == (first, second)).count();
        let ratios = |part: fn(&Run) -> f64| -> Vec<f64> {
            runs.iter().filter(|(a, b)| a.solved && b.solved).map(|(a, b)| part(a) / part(b)).collect()
        };
        // Anything below a microsecond or a node is as good as one.
        let time = ratios(|run| run.time.as_secs_f64().max(1e-6));
        let created = ratios(|run| run.created.max(1) as f64);
        Comparison {
            both: count(true, true),
            newly_solved: count(false, true),
            newly_failed: count(true, false),
            neither: count(false, false),
            time: SpeedUp::of(&time),
            created: SpeedUp::of(&created),
        }
    }
}

/// Samples drawn for the intervals.
const SAMPLES: usize = 2000;

impl SpeedUp {
    fn of(ratios: &[f64]) -> SpeedUp {
        let mean = |ratios: &[f64]| ratios.iter().sum::<f64>() / ratios.len() as f64;
        let geometric =
            |ratios: &[f64]| (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
        SpeedUp {
            mean: Estimate::of(ratios, mean),
            median: Estimate::of(ratios, median),
            geometric: Estimate::of(ratios, geometric),
        }
    }
}

fn median(ratios: &[f64]) -> f64 {
    let mut sorted = ratios.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { 0.5 * (sorted[middle - 1] + sorted[middle]) }
}

impl Estimate {
    fn of(ratios: &[f64], statistic: impl Fn(&[f64]) -> f64) -> Estimate {
        if ratios.is_empty() {
            return Estimate { value: 1.0, low: 1.0, high: 1.0 };
        }
        let mut rng = Rng::new(1);
        let mut sample = vec![0.0; ratios.len()];
        let mut drawn: Vec<f64> = (0..SAMPLES)
            .map(|_| {
                sample.iter_mut().for_each(|place| *place = ratios[rng.below(ratios.len())]);
                statistic(&sample)
            })
            .collect();
        drawn.sort_unstable_by(f64::total_cmp);
        Estimate {
            value: statistic(ratios),
            low: drawn[SAMPLES / 40],
            high: drawn[SAMPLES - 1 - SAMPLES / 40],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn runs_are_sorted_and_averaged() {
        let run = |solved, millis| Run { solved, time: Duration::from_millis(millis), created: millis };
        let pairs = [
            (run(true, 8), run(true, 1)),
            (run(true, 8), run(true, 4)),
            (run(true, 8), run(true, 16)),
            (run(false, 9), run(true, 1)),
            (run(true, 9), run(false, 1)),
        ];
        let found = Comparison::of(pairs.iter().map(|(a, b)| (a, b)));
        assert_eq!((found.both, found.newly_solved, found.newly_failed, found.neither), (3, 1, 1, 0));
        assert!((found.time.geometric.value - 2.0).abs() < 1e-9);
        assert!((found.time.median.value - 2.0).abs() < 1e-9);
        assert!((found.created.mean.value - 3.5).abs() < 1e-9);
        assert!(found.time.mean.low >= 0.5 && found.time.mean.high <= 8.0);
        assert_eq!(Comparison::of(std::iter::empty()).time.mean.value, 1.0);
    }
}
