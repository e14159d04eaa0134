//! Two ways of solving the same problems: newly solved, newly failed, and the ratios of time and nodes.

use crate::train::Run;
use delphic_base::Interval;

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
    /// Time of the first way over time of the second, where both solve.
    pub time: SpeedUp,
    /// Created nodes of the first way over those of the second, where both solve.
    pub created: SpeedUp,
}

/// Three averages of ratios, each with its 95 % bootstrap interval. Above 1 the second way is better.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpeedUp {
    /// The arithmetic mean, which the paper reports and which a few large ratios dominate.
    pub mean: Interval,
    /// The median.
    pub median: Interval,
    /// The geometric mean.
    pub geometric: Interval,
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
        // Times below a microsecond and empty searches count as one unit, so that ratios exist.
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

impl SpeedUp {
    fn of(ratios: &[f64]) -> SpeedUp {
        let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let power =
            |Interval { value, low, high }| Interval { value: value.exp(), low: low.exp(), high: high.exp() };
        let [mean, median, geometric] = [
            Interval::mean(ratios),
            Interval::bootstrap(ratios, median),
            Interval::mean(&logarithms).map(power),
        ]
        // Without measurements the ratio is 1.
        .map(|measured| measured.unwrap_or(Interval { value: 1.0, low: 1.0, high: 1.0 }));
        SpeedUp { mean, median, geometric }
    }
}

fn median(ratios: &[f64]) -> f64 {
    let mut sorted = ratios.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { 0.5 * (sorted[middle - 1] + sorted[middle]) }
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
