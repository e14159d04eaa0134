//! Claims of the papers, and what the ledger's rows say about each.

use crate::{Results, Scale};
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
}
