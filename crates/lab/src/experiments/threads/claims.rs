//! What is published about workers on one search, what we aim at, and what the rows say.

use super::{PROBLEMS, Problem, Threads, geometric_mean, threads, workers};
use crate::claim::{Claim, Finding, Ruling, larger_for_interval, larger_sample, rule};
use crate::report::{range, short};
use crate::{Crew, Results, Scale};
use delphic_base::Interval;

/// Problems won by the side to move come first.
const WON: usize = 5;

pub(super) const CLAIMS: [Claim<Threads>; 9] = [
    Claim {
        id: "T.spdfpn.4",
        place: "Pawlewicz and Hayward 2013, a task of 4.2 h",
        says: "Four workers have an efficiency of 0.80.",
        figure: "0.80",
        test: |_, scale, known| reaches(scale, known, 4, 0.80),
    },
    Claim {
        id: "T.spdfpn.16",
        place: "Pawlewicz and Hayward 2013, a task of 4.2 h",
        says: "Sixteen workers have an efficiency of 0.74.",
        figure: "0.74",
        test: |_, scale, known| reaches(scale, known, 16, 0.74),
    },
    Claim {
        id: "T.pdfpn.1024",
        place: "Čížek, Balko and Schmid 2025",
        says: "1,024 workers have an efficiency of 0.325.",
        figure: "0.325",
        test: |_, _, _| {
            Finding::not_run(
                "Workers in turns end at 64 here. 1,024 workers need problems of at least a hundred million nodes to be fed; ten such problems with one worker and with 1,024 in turns, on one core, take days.",
            )
        },
    },
    Claim {
        id: "T.kaneko.add",
        place: "Kaneko 2010",
        says: "The number of workers below a child is added to its proof number.",
        figure: "in words",
        test: |_, scale, known| added(scale, known),
    },
    Claim {
        id: "T.spread.won",
        place: "docs/threads.md",
        says: "Where the side to move wins, workers that spread only where a child is refuted waste less than workers that spread everywhere.",
        figure: "0.91 against 0.12 at 16 on Domineering 8×6",
        test: |_, scale, known| spreading(&PROBLEMS[..WON], scale, known),
    },
    Claim {
        id: "T.spread.lost",
        place: "docs/threads.md",
        says: "The same where the side to move loses.",
        figure: "0.79 against 0.89 at 16 on NoGo 4×4",
        test: |_, scale, known| spreading(&PROBLEMS[WON..], scale, known),
    },
    Claim {
        id: "T.aim.16",
        place: "docs/threads.md",
        says: "Sixteen workers have an efficiency of at least 0.6 on seven of ten problems.",
        figure: "7 of 10",
        test: |_, scale, known| most(scale, known),
    },
    Claim {
        id: "T.aim.time",
        place: "docs/threads.md",
        says: "Two threads take at most 1 / 1.7 of the time of one, as the geometric mean.",
        figure: "1.7",
        test: |_, scale, known| time(scale, known),
    },
    Claim {
        id: "T.answers",
        place: "docs/threads.md",
        says: "The answer does not depend on the number of workers.",
        figure: "all",
        test: |_, scale, known| answers(scale, known),
    },
];

/// The efficiencies of problems that are solved by both crews.
fn efficiencies(problems: &[Problem], crew: Crew, scale: Scale, known: &Results) -> Vec<f64> {
    problems.iter().filter_map(|problem| problem.efficiency(crew, scale, known)).collect()
}

/// Short problems can show that a figure is reached, but not that it is out of reach: they have less to share out.
fn reached(holds: bool, scale: Scale) -> Option<bool> {
    (holds || scale == Scale::Paper).then_some(holds)
}

/// What it takes to decide a figure that is not reached.
const LONGER: &str = "Problems of a few seconds have too little to share out to contradict a figure about hours; scale paper has ten that take 7 s to minutes with one thread, each with ten crews and more.";

fn reaches(scale: Scale, known: &Results, workers: usize, published: f64) -> Finding {
    let found = efficiencies(&PROBLEMS, Crew::lockstep(workers), scale, known);
    if found.len() < PROBLEMS.len() {
        return Finding::incomplete();
    }
    let mean = geometric_mean(&found).unwrap_or(0.0);
    Finding::new(
        rule(reached(mean >= published, scale), scale == Scale::Paper),
        format!("{mean:.2}"),
        "Geometric mean over ten problems, by expanded nodes; the published figure is by time.",
    )
    .needing(LONGER)
}

fn spreading(problems: &[Problem], scale: Scale, known: &Results) -> Finding {
    let pair = |problem: &Problem| {
        let refuted = problem.efficiency(Crew::lockstep(16), scale, known)?;
        Some((refuted, problem.efficiency(problem.variants(scale)[0], scale, known)?))
    };
    match problems.iter().map(pair).collect::<Option<Vec<(f64, f64)>>>() {
        Some(pairs) => compared(&pairs, scale),
        None => Finding::incomplete(),
    }
}

/// Two ways to spread, problem by problem: the first is better if the interval of the ratio is above 1.
fn compared(pairs: &[(f64, f64)], scale: Scale) -> Finding {
    let logarithms: Vec<f64> =
        pairs.iter().map(|(refuted, everywhere)| (refuted / everywhere).ln()).collect();
    let Some(Interval { value, low, high }) = Interval::mean(&logarithms) else {
        return Finding::incomplete();
    };
    let (ours, theirs): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let [ours, theirs] = [ours, theirs].map(|values| geometric_mean(&values).unwrap_or(0.0));
    let ratio = Interval { value: value.exp(), low: low.exp(), high: high.exp() };
    let (holds, words) = match (ratio.low > 1.0, ratio.high < 1.0) {
        (true, _) => (Some(true), "They waste less"),
        (_, true) => (Some(false), "The opposite: they waste more"),
        _ => (None, "The difference is not clear"),
    };
    Finding::new(
        rule(holds, scale == Scale::Paper),
        format!("{ours:.2} against {theirs:.2}, ratio {}", range(ratio, short)),
        format!(
            "{words}. Geometric means of five problems at sixteen workers. At first the plain means decided, which called equal means a contradiction; the interval was added after these rows had been seen."
        ),
    )
    .needing(larger_sample(larger_for_interval(Interval { value, low, high }, 0.0), "problems", None))
}

fn added(scale: Scale, known: &Results) -> Finding {
    let pairs: Vec<(f64, f64)> = PROBLEMS
        .iter()
        .filter(|problem| problem.at(scale).solver == "dfpn")
        .filter_map(|problem| {
            let multiplied = problem.efficiency(Crew::lockstep(16), scale, known)?;
            Some((multiplied, problem.efficiency(problem.variants(scale)[1], scale, known)?))
        })
        .collect();
    if pairs.is_empty() {
        return Finding::incomplete();
    }
    let (multiplied, added): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    let [multiplied, added] = [multiplied, added].map(|values| geometric_mean(&values).unwrap_or(0.0));
    Finding::new(
        Ruling::Undecided,
        format!("added {added:.2}, multiplied {multiplied:.2}"),
        "Geometric means of the problems of `dfpn` at sixteen workers.",
    )
    .needing("The paper proposes the addition and does not compare it with another form, so only a clear loss could contradict it; a difference as small as this one does not.")
}

fn most(scale: Scale, known: &Results) -> Finding {
    let found = efficiencies(&PROBLEMS, Crew::lockstep(16), scale, known);
    if found.len() < PROBLEMS.len() {
        return Finding::incomplete();
    }
    let good = found.iter().filter(|&&efficiency| efficiency >= 0.6).count();
    let least = found.iter().copied().fold(f64::INFINITY, f64::min);
    Finding::new(
        rule(reached(good >= 7, scale), scale == Scale::Paper),
        format!("{good} of {}", found.len()),
        format!("The least efficiency is {least:.2}."),
    )
    .needing(LONGER)
}

fn time(scale: Scale, known: &Results) -> Finding {
    if threads(scale).len() < 2 {
        return Finding::not_testable("This machine has one core.");
    }
    let ratios: Vec<f64> = PROBLEMS.iter().filter_map(|problem| problem.speed_up(2, scale, known)).collect();
    if ratios.len() < PROBLEMS.len() {
        return Finding::incomplete();
    }
    let (mean, least) =
        (geometric_mean(&ratios).unwrap_or(0.0), ratios.iter().copied().fold(f64::INFINITY, f64::min));
    Finding::new(
        rule(reached(mean >= 1.7, scale), scale == Scale::Paper),
        format!("{mean:.2}"),
        format!("The least ratio is {least:.2}. Other programs on the machine make both smaller."),
    )
    .needing(LONGER)
}

fn answers(scale: Scale, known: &Results) -> Finding {
    let (mut equal, mut all) = (0, 0);
    for problem in &PROBLEMS {
        let Some(one) = problem.solved(Crew::lockstep(1), scale, known) else { continue };
        let turns = workers(scale)[1..].iter().map(|&count| Crew::lockstep(count));
        let crews = turns.chain(problem.variants(scale)).chain(threads(scale).into_iter().map(Crew::Threads));
        for record in crews.filter_map(|crew| problem.solved(crew, scale, known)) {
            all += 1;
            equal += usize::from(record.verdict == one.verdict);
        }
    }
    if all == 0 {
        return Finding::incomplete();
    }
    Finding::new(
        rule(Some(equal == all), scale == Scale::Paper),
        format!("{equal} of {all}"),
        "Solved searches with several workers whose answer is that of one.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clear_differences_decide() {
        let ruling = |pairs: &[(f64, f64)]| compared(pairs, Scale::Quick).ruling;
        assert_eq!(ruling(&[(0.9, 0.1), (0.8, 0.2), (0.7, 0.1)]), Ruling::HoldsAtReducedScale);
        assert_eq!(ruling(&[(0.1, 0.9), (0.2, 0.8), (0.1, 0.7)]), Ruling::Contradicted);
        assert_eq!(ruling(&[(0.66, 0.66), (0.5, 0.6), (0.8, 0.7)]), Ruling::Undecided);
        assert_eq!(ruling(&[]), Ruling::NotRun);
    }
}
