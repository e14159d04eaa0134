//! Paper 2's claims about Y.

use super::{EXPANSIONS, MCTS, Measure, PP, SECONDS, SOLVERS, Y, cost, pns, solved, wins};
use crate::claim::{Claim, Finding, larger_for_split, larger_sample, rule, sign_test};
use crate::experiments::more_often;
use crate::text::p_value;
use crate::{Results, Scale};

pub(super) const CLAIMS: [Claim<Y>; 8] = [
    Claim {
        id: "2.table3.solved",
        place: "table 3",
        says: "PP solves the most positions within 60 s, then MCTS, then MCTS-E.",
        figure: "77,010, 76,434, 69,298 of 77,012",
        test: most_solved,
    },
    Claim {
        id: "2.table3.fastest",
        place: "table 3",
        says: "PP is the fastest on most positions.",
        figure: "88.9 %",
        test: |experiment, scale, known| leader(experiment, scale, known, PP, SECONDS, "is the fastest"),
    },
    Claim {
        id: "2.table3.fewest",
        place: "table 3",
        says: "MCTS needs the fewest iterations on the most positions.",
        figure: "46.0 % (PP 29.4 %, MCTS-E 24.6 %)",
        test: |experiment, scale, known| {
            leader(experiment, scale, known, MCTS, EXPANSIONS, "needs the fewest expansions")
        },
    },
    Claim {
        id: "2.y.pair-time",
        place: "§4.1, text",
        says: "Without MCTS-E, PP is faster than MCTS on most positions.",
        figure: "72,830 against 4,180",
        test: |experiment, scale, known| pair(experiment, scale, known, PP, MCTS, SECONDS),
    },
    Claim {
        id: "2.y.pair-iterations",
        place: "§4.1, text",
        says: "Without MCTS-E, MCTS needs fewer iterations than PP on most positions.",
        figure: "46,291 against 30,719",
        test: |experiment, scale, known| pair(experiment, scale, known, MCTS, PP, EXPANSIONS),
    },
    Claim {
        id: "2.y.pns",
        place: "§4.1, text",
        says: "PNS with mobility solves none of about 50 positions in 3 minutes.",
        figure: "0 of about 50",
        test: plain,
    },
    Claim {
        id: "2.fig1",
        place: "figure 1",
        says: "Positions that are hard for PP are hard for MCTS and MCTS-E.",
        figure: "picture, about 150 positions",
        test: correlation,
    },
    Claim {
        id: "2.y.mcts-e",
        place: "§2",
        says: "Evaluating after a few random moves, as the paper's MCTS-E does, is no worse than evaluating the new node itself.",
        figure: "method",
        test: random_moves,
    },
];

fn full(scale: Scale) -> bool {
    // A sample of the paper's openings at most.
    scale == Scale::Paper
}

fn most_solved(experiment: &Y, scale: Scale, known: &Results) -> Finding {
    let done = experiment.done(scale, known);
    if done.is_empty() {
        return Finding::incomplete();
    }
    let counts = [0, 1, 2].map(|who| solved(&done, who));
    let alone = |one: usize, other: usize| {
        done.iter().filter(|r| r[one].verdict.proven() && !r[other].verdict.proven()).count()
    };
    let pairs = [(0, 1), (1, 2)].map(|(one, other)| more_often(alone(one, other), alone(other, one)));
    let ours = format!("{}, {}, {} of {}", counts[0], counts[1], counts[2], done.len());
    let words = |one: usize, other: usize, answer: Option<bool>| {
        let [one, other] = [one, other].map(|who| SOLVERS[who].0);
        match answer {
            Some(true) => format!("{one} solves more than {other}."),
            Some(false) => format!("{other} solves more than {one}, the opposite of the paper."),
            None => format!("The sample does not decide between {one} and {other}."),
        }
    };
    let holds = match pairs {
        [Some(true), Some(true)] => Some(true),
        [Some(false), _] | [_, Some(false)] => Some(false),
        _ => None,
    };
    Finding::new(
        rule(holds, full(scale)),
        ours,
        format!("{} {}", words(0, 1, pairs[0]), words(1, 2, pairs[1])),
    )
}

fn leader(
    experiment: &Y,
    scale: Scale,
    known: &Results,
    who: usize,
    measure: Measure,
    what: &str,
) -> Finding {
    let done = experiment.done(scale, known);
    if done.is_empty() {
        return Finding::incomplete();
    }
    let counts = [0, 1, 2].map(|who| {
        let others: Vec<usize> = (0..3).filter(|other| *other != who).collect();
        wins(&done, who, &others, measure)
    });
    let best = (0..3).filter(|other| *other != who).max_by_key(|other| counts[*other]).unwrap_or(0);
    let holds = more_often(counts[who], counts[best]);
    let shares: Vec<String> = (0..3)
        .map(|who| format!("{} {:.1} %", SOLVERS[who].0, 100.0 * counts[who] as f64 / done.len() as f64))
        .collect();
    let words = match holds {
        Some(true) => format!("{} {what} most often.", SOLVERS[who].0),
        Some(false) => format!(
            "The opposite: {} {what} most often ({}).",
            SOLVERS[best].0,
            p_value(sign_test(counts[who], counts[best]))
        ),
        None => "The sample does not decide.".to_owned(),
    };
    let unit = if what.contains("expansions") {
        " Expanded nodes are compared, because an iteration of the paper's MCTS makes all children of a leaf."
    } else {
        ""
    };
    Finding::new(rule(holds, full(scale)), shares.join(", "), words + unit)
}

fn pair(
    experiment: &Y,
    scale: Scale,
    known: &Results,
    one: usize,
    other: usize,
    measure: Measure,
) -> Finding {
    let done = experiment.done(scale, known);
    if done.is_empty() {
        return Finding::incomplete();
    }
    let [first, second] = [wins(&done, one, &[other], measure), wins(&done, other, &[one], measure)];
    let holds = more_often(first, second);
    let words = match holds {
        Some(true) => "As in the paper",
        Some(false) => "The opposite of the paper",
        None => "The sample does not decide",
    };
    Finding::new(
        rule(holds, full(scale)),
        format!("{} {first}, {} {second}", SOLVERS[one].0, SOLVERS[other].0),
        format!("{words} ({}).", p_value(sign_test(first, second))),
    )
}

fn random_moves(experiment: &Y, scale: Scale, known: &Results) -> Finding {
    let pairs = experiment.after_moves(scale, known);
    if pairs.is_empty() {
        return Finding::incomplete();
    }
    let alone = |who: usize| {
        pairs.iter().filter(|pair| pair[who].verdict.proven() && !pair[1 - who].verdict.proven()).count()
    };
    let [after, at_once] = [alone(0), alone(1)];
    let [moves, direct] = [0, 1].map(|who| pairs.iter().filter(|pair| pair[who].verdict.proven()).count());
    let answer = more_often(after, at_once);
    let words = match answer {
        Some(true) => "After random moves it solves more",
        Some(false) => "After random moves it solves fewer",
        None => "The sample does not decide",
    };
    Finding::new(
        rule(answer, full(scale)),
        format!("{moves} against {direct} of {}", pairs.len()),
        format!(
            "{words}: {after} and {at_once} openings are solved by only one of the two ({}). The paper does not say how many random moves; ours are 4.",
            p_value(sign_test(after, at_once))
        ),
    )
    .needing(larger_sample(
        larger_for_split(after, at_once),
        "openings",
        Some(pairs.iter().flatten().map(|record| record.seconds()).sum()),
    ))
}

fn plain(experiment: &Y, scale: Scale, known: &Results) -> Finding {
    let positions = experiment.first(scale);
    let records: Option<Vec<_>> = positions.iter().map(|position| known.get(&pns(position, scale))).collect();
    let Some(records) = records else { return Finding::incomplete() };
    let solved = records.iter().filter(|record| record.verdict.proven()).count();
    let words = match solved {
        0 => "None is solved within the limit.".to_owned(),
        _ if full(scale) => "Some are solved. The openings are ours, and the machine is faster.".to_owned(),
        _ => "Some are solved, although the limit is shorter. The openings are ours, and the machine is faster.".to_owned(),
    };
    Finding::new(rule(Some(solved == 0), full(scale)), format!("{solved} of {}", records.len()), words)
}

/// Spearman's rank correlation of the times of PP and MCTS over positions that both solve.
fn correlation(experiment: &Y, scale: Scale, known: &Results) -> Finding {
    let pairs: Vec<(f64, f64)> = experiment
        .with_longer(scale, known)
        .iter()
        .map(|records| (cost(records[PP], SECONDS), cost(records[MCTS], SECONDS)))
        .filter(|(one, other)| one.is_finite() && other.is_finite())
        .collect();
    if pairs.len() < 5 {
        return Finding::incomplete();
    }
    let r = spearman(&pairs);
    // Fisher's interval.
    let margin = 1.96 / (pairs.len() as f64 - 3.0).sqrt();
    let [low, high] = [-margin, margin].map(|off| (r.atanh() + off).tanh());
    let holds = match (r >= 0.5 && low > 0.2, high < 0.2) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    Finding::new(
        rule(holds, full(scale)),
        format!("rank correlation {r:.2} ({low:.2} to {high:.2}) over {} positions", pairs.len())
            .replace('-', "−"),
        "Times of PP and MCTS where both solve, with the longer limit where it was tried. It holds if the correlation is at least 0.5 and its interval above 0.2, and is contradicted if the interval is below 0.2. Limits cut off the hard positions and so lower the correlation.",
    )
    .needing("The paper's 60 s for 2,000 openings (scale paper) take at most 100 CPU hours.")
}

fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |of: fn(&(f64, f64)) -> f64| {
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|a, b| of(&pairs[*a]).total_cmp(&of(&pairs[*b])));
        let mut ranks = vec![0.0; pairs.len()];
        order.into_iter().enumerate().for_each(|(rank, nth)| ranks[nth] = rank as f64);
        ranks
    };
    let (one, other) = (ranks(|pair| pair.0), ranks(|pair| pair.1));
    let n = pairs.len() as f64;
    let squares: f64 = one.iter().zip(&other).map(|(one, other)| (one - other) * (one - other)).sum();
    1.0 - 6.0 * squares / (n * (n * n - 1.0))
}

#[cfg(test)]
mod tests {
    use super::super::cell;
    use super::*;
    use crate::claim::{Ruling, judge};
    use crate::{Record, Verdict};
    use delphic_engine::Stats;
    use std::collections::HashMap;
    use std::time::Duration;

    #[test]
    fn ranks_are_correlated() {
        let line: Vec<(f64, f64)> = (0..10).map(|n| (f64::from(n), f64::from(n * n))).collect();
        assert!((spearman(&line) - 1.0).abs() < 1e-12);
        let turned: Vec<(f64, f64)> = line.iter().map(|(x, y)| (*x, -y)).collect();
        assert!((spearman(&turned) + 1.0).abs() < 1e-12);
    }

    /// Made-up rows in which PP is always first and MCTS-E is always last, in time and in expansions.
    fn made_up(experiment: &Y, scale: Scale) -> Results {
        let mut known = Results::default();
        for (nth, position) in experiment.positions(scale).iter().enumerate() {
            for (rank, (_, solver)) in SOLVERS.iter().enumerate() {
                let millis = (nth as u64 + 1) * (rank as u64 + 1);
                let stats =
                    Stats { time: Duration::from_millis(millis), expanded: millis, ..Stats::default() };
                let stop = "solved".to_owned();
                let (score, estimated_at, line) = (None, None, String::new());
                let record = Record { verdict: Verdict::Proved, stop, score, estimated_at, line, stats };
                known.insert(cell(position, solver, scale).key(), record, 1);
            }
        }
        known
    }

    #[test]
    fn rulings_follow_the_rows() {
        let experiment = Y::new().unwrap();
        let rulings = |scale| {
            let judged = judge(&CLAIMS, &experiment, scale, &made_up(&experiment, scale));
            judged.into_iter().map(|one| (one.id, one.finding)).collect::<HashMap<_, _>>()
        };
        let quick = rulings(Scale::Quick);
        let ruling = |id| quick[id].ruling;
        assert_eq!(ruling("2.table3.fastest"), Ruling::HoldsAtReducedScale);
        assert_eq!(ruling("2.table3.fewest"), Ruling::Contradicted);
        assert!(
            quick["2.table3.fewest"].words.starts_with("The opposite: PP"),
            "{:?}",
            quick["2.table3.fewest"]
        );
        assert_eq!(ruling("2.y.pair-time"), Ruling::HoldsAtReducedScale);
        assert_eq!(ruling("2.y.pair-iterations"), Ruling::Contradicted);
        assert_eq!(ruling("2.table3.solved"), Ruling::Undecided, "all solve everything");
        assert_eq!(ruling("2.fig1"), Ruling::HoldsAtReducedScale);
        assert_eq!(ruling("2.y.pns"), Ruling::NotRun, "its rows are missing");
        assert_eq!(rulings(Scale::Paper)["2.table3.fastest"].ruling, Ruling::Holds);
        assert_eq!(rulings(Scale::Smoke)["2.table3.fastest"].ruling, Ruling::NotRun);
    }
}
