//! Tests on pairs, and scores of solvers on a benchmark.

/// The two-sided p-value of Wilcoxon's signed-rank test, exact: over all signs, given the ranks of the absolute differences. Zeros are left
/// out, equal differences share their mean rank.
pub fn wilcoxon(differences: &[f64]) -> f64 {
    let mut sizes: Vec<(f64, bool)> =
        differences.iter().filter(|value| **value != 0.0).map(|value| (value.abs(), *value > 0.0)).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Twice the mean ranks, which are whole numbers.
    let mut ranks = Vec::new();
    let mut from = 0;
    while from < sizes.len() {
        let same = sizes[from..].iter().take_while(|(size, _)| *size == sizes[from].0).count();
        ranks.resize(from + same, 2 * from + same + 1);
        from += same;
    }
    let total: usize = ranks.iter().sum();
    let positive: usize = ranks.iter().zip(&sizes).filter(|(_, (_, up))| *up).map(|(rank, _)| rank).sum();
    // The probability of every sum of the ranks whose signs are positive.
    let mut chances = vec![0.0; total + 1];
    chances[0] = 1.0;
    let mut reached = 0;
    for rank in ranks {
        for sum in (0..=reached).rev() {
            let half = chances[sum] / 2.0;
            chances[sum] = half;
            chances[sum + rank] += half;
        }
        reached += rank;
    }
    let tail: f64 = chances[..=positive.min(total - positive)].iter().sum();
    (2.0 * tail).min(1.0)
}

/// The Hodges–Lehmann estimate of a shift: the median of the means of all pairs of differences, each with itself included.
pub fn hodges_lehmann(differences: &[f64]) -> Option<f64> {
    let mut means = Vec::new();
    for (nth, one) in differences.iter().enumerate() {
        means.extend(differences[nth..].iter().map(|other| (one + other) / 2.0));
    }
    means.sort_by(f64::total_cmp);
    let middle = means.len() / 2;
    match means.len() {
        0 => None,
        length if length % 2 == 1 => Some(means[middle]),
        _ => Some((means[middle - 1] + means[middle]) / 2.0),
    }
}

/// Holm's correction for several tests: p-values that may be compared with one level.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut corrected = vec![1.0; values.len()];
    let mut least = 0.0_f64;
    for (nth, place) in order.into_iter().enumerate() {
        least = least.max(values[place] * (values.len() - nth) as f64).min(1.0);
        corrected[place] = least;
    }
    corrected
}

/// The penalised average runtime PAR2: the mean time, where a problem that was not solved counts twice the limit.
pub fn par2(times: &[Option<f64>], limit: f64) -> f64 {
    let total: f64 = times.iter().map(|time| time.unwrap_or(2.0 * limit)).sum();
    total / times.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-12
    }

    #[test]
    fn signed_ranks() {
        // Five positive differences: 1 of 32 sums is as large, on both sides.
        assert!(close(wilcoxon(&[1.0, 2.0, 3.0, 4.0, 5.0]), 2.0 / 32.0));
        assert!(close(wilcoxon(&[-1.0, -2.0, -3.0, -4.0, -5.0, 0.0]), 2.0 / 32.0));
        // Ranks 1, 2, 3 with signs +, −, +: the sums of negative ranks up to 2 are 0, 1, 2: 3 of 8.
        assert!(close(wilcoxon(&[1.0, -2.0, 3.0]), 6.0 / 8.0));
        // Equal sizes share rank 1.5: the sums 0 and 1.5 (twice) of 4.
        assert!(close(wilcoxon(&[1.0, -1.0]), 1.0));
        assert!(close(wilcoxon(&[]), 1.0) && close(wilcoxon(&[0.0, 0.0]), 1.0));
    }

    #[test]
    fn shifts_and_scores() {
        assert_eq!(hodges_lehmann(&[]), None);
        assert_eq!(hodges_lehmann(&[1.0, 2.0, 6.0]), Some(2.75));
        assert_eq!(hodges_lehmann(&[3.0]), Some(3.0));
        assert!(close(par2(&[Some(1.0), None], 5.0), 5.5));
    }

    #[test]
    fn corrected_values_keep_their_order() {
        let corrected = holm(&[0.01, 0.04, 0.03]);
        assert!(close(corrected[0], 0.03) && close(corrected[2], 0.06) && close(corrected[1], 0.06));
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }
}
