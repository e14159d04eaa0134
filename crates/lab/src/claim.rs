//! Claims of the papers, and what the ledger's rows say about each.

use crate::report::short;
use crate::{Results, Scale};
use delphic_base::Interval;
use std::fmt;

/// One statement of a paper that can be held against rows, and how. `E` is the experiment that has the rows.
#[derive(Clone, Copy)]
pub struct Claim<E: ?Sized> {
    /// A name that does not change: paper, place, subject; `1.fig3.ppn-mcpns`.
    pub id: &'static str,
    /// Its place in the paper: `figure 3`.
    pub place: &'static str,
    /// The statement, in a sentence.
    pub says: &'static str,
    /// The paper's own number, if it prints one.
    pub figure: &'static str,
    /// What the rows say.
    pub test: fn(&E, Scale, &Results) -> Finding,
}

/// The ruling on a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ruling {
    /// It holds at the paper's scale.
    Holds,
    /// It holds with fewer instances or smaller limits than the paper's.
    HoldsAtReducedScale,
    /// Our rows, or the paper itself, contradict it.
    Contradicted,
    /// The sample is too small to decide.
    Undecided,
    /// It cannot be tested; the words say why.
    NotTestable,
    /// The rows that would test it are missing.
    NotRun,
}

impl Ruling {
    /// All of them, in the order of the summaries.
    pub const ALL: [Ruling; 6] = [
        Ruling::Holds,
        Ruling::HoldsAtReducedScale,
        Ruling::Contradicted,
        Ruling::Undecided,
        Ruling::NotTestable,
        Ruling::NotRun,
    ];
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ruling::Holds => "holds",
            Ruling::HoldsAtReducedScale => "holds at reduced scale",
            Ruling::Contradicted => "contradicted",
            Ruling::Undecided => "undecided",
            Ruling::NotTestable => "not testable",
            Ruling::NotRun => "not run",
        })
    }
}

/// What the rows say about a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Our number with its interval; empty if there is none.
    pub ours: String,
    /// The ruling.
    pub ruling: Ruling,
    /// The reason, in a sentence or two.
    pub words: String,
}

impl Finding {
    /// A finding.
    pub fn new(ruling: Ruling, ours: impl Into<String>, words: impl Into<String>) -> Finding {
        Finding { ours: ours.into(), ruling, words: words.into() }
    }

    /// The claim cannot be tested, for this reason.
    pub fn not_testable(why: impl Into<String>) -> Finding {
        Finding::new(Ruling::NotTestable, "", why)
    }

    /// The rows are missing, for this reason.
    pub fn not_run(why: impl Into<String>) -> Finding {
        Finding::new(Ruling::NotRun, "", why)
    }

    /// Adds what it would take to decide the claim, if it is undecided.
    #[must_use]
    pub fn needing(mut self, what: impl AsRef<str>) -> Finding {
        if self.ruling == Ruling::Undecided {
            self.words = format!("{} {}", self.words, what.as_ref());
        }
        self
    }

    /// The rows of this scale are not complete.
    pub fn incomplete() -> Finding {
        Finding::not_run("The rows are missing at this scale.")
    }
}

/// Rules on a claim that the rows decide one way or the other (`Some`), or not at all (`None`). `full` is whether the rows have the paper's
/// instances and limits.
pub fn rule(holds: Option<bool>, full: bool) -> Ruling {
    match (holds, full) {
        (Some(true), true) => Ruling::Holds,
        (Some(true), false) => Ruling::HoldsAtReducedScale,
        (Some(false), _) => Ruling::Contradicted,
        (None, _) => Ruling::Undecided,
    }
}

/// A claim with its finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The claim's name.
    pub id: &'static str,
    /// Its place in the paper.
    pub place: &'static str,
    /// The statement.
    pub says: &'static str,
    /// The paper's number.
    pub figure: &'static str,
    /// What the rows say.
    pub finding: Finding,
}

impl Judged {
    /// The number of the paper, with which the claim's name begins.
    pub fn paper(&self) -> &'static str {
        self.id.split('.').next().unwrap_or_default()
    }
}

/// Holds an experiment's claims against its rows. At smoke no rows decide anything: a handful of instances shows only that everything
/// runs.
pub fn judge<E>(claims: &[Claim<E>], experiment: &E, scale: Scale, known: &Results) -> Vec<Judged> {
    let judged = claims.iter().map(|&Claim { id, place, says, figure, test }| {
        let mut finding = test(experiment, scale, known);
        let by_rows =
            !finding.ours.is_empty() && !matches!(finding.ruling, Ruling::NotTestable | Ruling::NotRun);
        if scale == Scale::Smoke && by_rows {
            finding.ruling = Ruling::NotRun;
            finding.words = "Scale smoke has too few instances to decide anything.".to_owned();
        }
        Judged { id, place, says, figure, finding }
    });
    judged.collect()
}

/// How many claims got each ruling: `holds: 3, contradicted: 1`.
pub fn summary<'a>(judged: impl IntoIterator<Item = &'a Judged> + Clone) -> String {
    let count = |ruling| judged.clone().into_iter().filter(|one| one.finding.ruling == ruling).count();
    let counts = Ruling::ALL.map(|ruling| (ruling, count(ruling)));
    let words: Vec<String> =
        counts.iter().filter(|(_, n)| *n > 0).map(|(ruling, n)| format!("{ruling}: {n}")).collect();
    words.join(", ")
}

/// The probability that a fair coin falls at least as unevenly as `one` to `other` (sign test, two-sided; McNemar's exact test for
/// pairs).
pub fn sign_test(one: usize, other: usize) -> f64 {
    let tosses = one + other;
    let mut ways = 1.0;
    let mut tail = 0.0;
    for heads in 0..=one.min(other) {
        tail += ways;
        ways *= (tosses - heads) as f64 / (heads + 1) as f64;
    }
    (2.0 * tail * 0.5f64.powi(tosses as i32)).min(1.0)
}

/// Standard deviations of a normal distribution: those of a two-sided test at 5 %, and those that give it a power of 80 %.
const LEVEL: f64 = 1.96;
const POWER: f64 = 0.84;

/// How many times as large a sample the sign test needs, if the observed split of the pairs is the true one.
pub fn larger_for_split(one: usize, other: usize) -> f64 {
    let (pairs, most) = ((one + other) as f64, one.max(other) as f64);
    let share = most / pairs;
    let needed = (0.5 * LEVEL + POWER * (share * (1.0 - share)).sqrt()) / (share - 0.5);
    needed * needed / pairs
}

/// How many times as large a sample an interval needs to leave out a value, if its estimate is the true one.
pub fn larger_for_interval(interval: Interval, value: f64) -> f64 {
    let needed = interval.margin() * (1.0 + POWER / LEVEL) / (interval.value - value);
    needed * needed
}

/// What a larger sample would take, in words. `seconds` is what the present one took, if that is known.
pub fn larger_sample(times: f64, what: &str, seconds: Option<f64>) -> String {
    if !times.is_finite() || times > 1000.0 {
        return format!(
            "The observed difference is so small that more than 1,000 times as many {what} would be needed."
        );
    }
    let hours = seconds.map_or_else(String::new, |seconds| {
        format!(", in {} CPU hours", short((seconds * times / 3600.0).max(0.01)))
    });
    let times = if times < 10.0 { format!("{:.1}", times.max(1.1)) } else { format!("{times:.0}") };
    format!(
        "If the observed difference is the true one, about {times} times as many {what} would decide{hours}."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coins_fall_as_they_do() {
        assert_eq!([sign_test(0, 0), sign_test(3, 3), sign_test(1, 0)], [1.0; 3]);
        assert_eq!([sign_test(5, 0), sign_test(0, 5)], [0.0625; 2]);
        // 1, 10 and 45 ways of 1024, on both sides.
        assert!((sign_test(8, 2) - 112.0 / 1024.0).abs() < 1e-12);
    }

    #[test]
    fn larger_samples_decide() {
        // Three quarters of 8 pairs: 0.98 + 0.84 · 0.433 = 1.344 over 0.25 is 5.375, so 28.9 pairs.
        assert!((larger_for_split(6, 2) - 28.9 / 8.0).abs() < 0.01);
        let times = larger_for_split(60, 20);
        assert!(times < 1.0 && sign_test(60, 20) < 0.05, "enough already: {times}");
        // A margin as wide as the distance decides half of the time; for four in five it must be smaller by 1.96 / 2.8.
        let interval = Interval { value: 0.5, low: 0.0, high: 1.0 };
        assert!((larger_for_interval(interval, 0.0) - (2.8f64 / 1.96).powi(2)).abs() < 1e-9);
        assert!(larger_sample(larger_for_split(3, 3), "positions", None).contains("more than 1,000 times"));
        let words = larger_sample(12.4, "positions", Some(360.0));
        assert!(
            words.ends_with("about 12 times as many positions would decide, in 1.24 CPU hours."),
            "{words}"
        );
        let finding = |ruling| Finding::new(ruling, "", "So.").needing("More.").words;
        assert_eq!([finding(Ruling::Undecided), finding(Ruling::Holds)], ["So. More.", "So."]);
    }
}
