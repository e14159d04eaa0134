//! Paper 3's claims.

use super::readings::{LABELS, LITERAL, MCPNS, MCTS, Observed, PNS, PPN, READINGS, Reading, UCT, VARIANTS};
use super::tables::{Sample, error_rate, five, judged, judged_up_to, mean, more, ranked, varied, wrong};
use super::{PGames, SHAPES, checkpoints, finer_checkpoints};
use crate::claim::{Claim, Finding, Ruling, larger_for_interval, larger_sample, rule, sign_test};
use crate::report::short;
use crate::text::{p_value, signed};
use crate::{Results, Scale};
use delphic_base::Interval;

pub(super) const CLAIMS: [Claim<PGames>; 23] = [
    Claim {
        id: "3.fig1",
        place: "figures 1 to 6",
        says: "How MCPNS, PPN and MCTS back up values.",
        figure: "0.2 and 0.988, among others",
        test: |_, _, _| {
            Finding::not_testable(
                "Illustrations; nothing was measured. The rules' unit tests have the numbers of figures 1 and 2.",
            )
        },
    },
    Claim {
        id: "3.fig8.ppn",
        place: "figure 8",
        says: "PPN needs the fewest iterations (2 branches, 20 layers).",
        figure: "picture",
        test: |_, scale, known| least(0, scale, known, |sample| &sample.iterations),
    },
    Claim {
        id: "3.fig11.ppn",
        place: "figure 11",
        says: "PPN needs the fewest iterations (8 branches, 8 layers).",
        figure: "picture",
        test: |_, scale, known| least(1, scale, known, |sample| &sample.iterations),
    },
    Claim {
        id: "3.order.random",
        place: "§4, figures 8 and 11",
        says: "By iterations PPN < pure MCTS < MCPNS < UCT < PNS: printed formulas, ties at random.",
        figure: "in words and pictures",
        test: |_, scale, known| order(READINGS[0], scale, known),
    },
    Claim {
        id: "3.order.random-theta",
        place: "§4, figures 8 and 11",
        says: "The same order with ties at random and θ = 0.01 for MCPNS.",
        figure: "in words and pictures",
        test: |_, scale, known| order(READINGS[1], scale, known),
    },
    Claim {
        id: "3.order.first",
        place: "§4, figures 8 and 11",
        says: "The same order with printed formulas and the first of equal children.",
        figure: "in words and pictures",
        test: |_, scale, known| order(READINGS[2], scale, known),
    },
    Claim {
        id: "3.order.first-theta",
        place: "§4, figures 8 and 11",
        says: "The same order with the first of equal children and θ = 0.01 for MCPNS.",
        figure: "in words and pictures",
        test: |_, scale, known| order(READINGS[3], scale, known),
    },
    Claim {
        id: "3.ppn.insensitive",
        place: "not in the paper",
        says: "PPN needs the same number of iterations, within 10 %, whether ties are broken at random or by order; the others do not.",
        figure: "none",
        test: |_, scale, known| insensitive(scale, known),
    },
    Claim {
        id: "3.fig7.ppn",
        place: "figure 7",
        says: "PPN takes the least time (2 branches, 20 layers).",
        figure: "picture",
        test: |_, scale, known| least(0, scale, known, |sample| &sample.seconds),
    },
    Claim {
        id: "3.fig10.ppn",
        place: "figure 10",
        says: "PPN takes the least time (8 branches, 8 layers).",
        figure: "picture",
        test: |_, scale, known| least(1, scale, known, |sample| &sample.seconds),
    },
    Claim {
        id: "3.mcts.pns",
        place: "§4, text",
        says: "Pure MCTS needs fewer iterations than PNS.",
        figure: "in words",
        test: |_, scale, known| fewer(MCTS, PNS, scale, known, |sample| &sample.iterations),
    },
    Claim {
        id: "3.mcts.pns-time",
        place: "§4, text",
        says: "Pure MCTS takes less time than PNS.",
        figure: "in words",
        test: |_, scale, known| fewer(MCTS, PNS, scale, known, |sample| &sample.seconds),
    },
    Claim {
        id: "3.mcts.mcpns",
        place: "§4, text",
        says: "Pure MCTS is competitive with MCPNS.",
        figure: "in words",
        test: |_, scale, known| competitive(scale, known),
    },
    Claim {
        id: "3.uct.mcpns",
        place: "§4, text",
        says: "UCT needs more iterations than MCPNS.",
        figure: "in words",
        test: |_, scale, known| fewer(MCPNS, UCT, scale, known, |sample| &sample.iterations),
    },
    Claim {
        id: "3.uct.mcts",
        place: "§4, text",
        says: "UCT needs more iterations than pure MCTS.",
        figure: "in words",
        test: |_, scale, known| fewer(MCTS, UCT, scale, known, |sample| &sample.iterations),
    },
    Claim {
        id: "3.uct.c",
        place: "§4, text",
        says: "UCT needs more iterations than PPN, MCPNS and pure MCTS for every constant that was tried.",
        figure: "in words",
        test: |_, scale, known| constants(scale, known),
    },
    Claim {
        id: "3.playouts",
        place: "§4, text",
        says: "The number of playouts does not influence the results.",
        figure: "in words",
        test: |_, scale, known| playouts(scale, known),
    },
    Claim {
        id: "3.fig9.ppn",
        place: "figure 9",
        says: "The error rate of PPN falls faster than those of PNS, MCPNS and pure MCTS (2 branches).",
        figure: "picture",
        test: |_, scale, known| errors(0, scale, known),
    },
    Claim {
        id: "3.fig12.ppn",
        place: "figure 12",
        says: "The error rate of PPN falls faster than those of PNS, MCPNS and pure MCTS (8 branches).",
        figure: "picture",
        test: |_, scale, known| errors(1, scale, known),
    },
    Claim {
        id: "3.final",
        place: "§3.2, figures 9 and 12",
        says: "The final move of MCTS is that with the largest v + 1/√n.",
        figure: "method",
        test: |_, scale, known| final_move(scale, known),
    },
    Claim {
        id: "3.fig9.smooth",
        place: "figures 9 and 12",
        says: "The error rate of PPN falls more smoothly than that of MCPNS.",
        figure: "picture",
        test: |_, scale, known| smooth(scale, known),
    },
    Claim {
        id: "3.fig9.uct",
        place: "figures 9 and 12",
        says: "The error rate of UCT falls fastest.",
        figure: "picture",
        test: |_, scale, known| uct_errors(scale, known),
    },
    Claim {
        id: "3.future",
        place: "§5, future work",
        says: "PPN on large games, and conspiracy numbers with probabilities.",
        figure: "future work",
        test: |_, _, _| {
            Finding::not_testable(
                "Announced and not claimed. PPN is measured on Connect Four (paper 1) and on ten games (benchmark); probability-based conspiracy numbers are named and not defined.",
            )
        },
    },
];

/// Quick has the paper's trees.
fn full(scale: Scale) -> bool {
    scale != Scale::Smoke
}

type Values = fn(&Sample) -> &Vec<f64>;

fn complete(samples: &[Sample], scale: Scale) -> bool {
    samples.iter().all(|sample| sample.seeds.len() as u64 == super::trees(scale))
}

/// Whether the first of two samples is below the second, tree by tree.
fn below(one: &Sample, other: &Sample, values: Values) -> Option<bool> {
    let Interval { low, high, .. } = Interval::mean(&other.beyond(one, values))?;
    match (low > 0.0, high < 0.0) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

fn least(shape: usize, scale: Scale, known: &Results, values: Values) -> Finding {
    let samples = five(shape, LITERAL, scale, known);
    if !complete(&samples, scale) {
        return Finding::incomplete();
    }
    let others: Vec<(usize, Option<bool>)> =
        (1..LABELS.len()).map(|other| (other, below(&samples[PPN], &samples[other], values))).collect();
    let names = |answer: Option<bool>| -> Vec<&str> {
        others.iter().filter(|(_, said)| *said == answer).map(|(other, _)| LABELS[*other]).collect()
    };
    let (worse, same) = (names(Some(false)), names(None));
    let holds = if !worse.is_empty() { Some(false) } else { same.is_empty().then_some(true) };
    let words = match holds {
        Some(true) => {
            "Less than each of the others, tree by tree, with printed formulas and ties at random.".to_owned()
        }
        Some(false) => format!("{} needs less.", worse.join(", ")),
        None => format!("The sample does not decide between PPN and {}.", same.join(", ")),
    };
    Finding::new(rule(holds, full(scale)), format!("PPN {}", mean(values(&samples[PPN]))), words)
}

/// The neighbours that the paper's 200 trees do not tell apart, which have more trees: shape, reading, pair.
const CLOSE: (usize, Reading, [usize; 2]) = (super::CLOSE_SHAPE, READINGS[1], super::CLOSE_PAIR);

/// The paper's order under a reading: the neighbours in it, tree by tree, on both shapes.
fn order(reading: Reading, scale: Scale, known: &Results) -> Finding {
    let (mut answers, mut ours, mut turned, mut open) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut closer = String::new();
    for (shape, (branching, ..)) in SHAPES.iter().enumerate() {
        let samples = five(shape, reading, scale, known);
        if !complete(&samples, scale) {
            return Finding::incomplete();
        }
        for pair in [[PPN, MCTS], [MCTS, MCPNS], [MCPNS, UCT], [UCT, PNS], [PPN, MCPNS]] {
            let mut answer = below(&samples[pair[0]], &samples[pair[1]], |sample| &sample.iterations);
            if CLOSE == (shape, reading, pair) {
                let [one, other] = pair.map(|nth| more(shape, &reading.solver(nth), scale, known));
                answer = below(&one, &other, |sample| &sample.iterations);
                closer = format!(
                    " {} and {} (b = {branching}) on {} trees: {} and {}.",
                    LABELS[pair[0]],
                    LABELS[pair[1]],
                    one.seeds.len().min(other.seeds.len()),
                    mean(&one.iterations),
                    mean(&other.iterations)
                );
            }
            let names = pair.map(|nth| LABELS[nth]);
            match answer {
                Some(true) => {}
                Some(false) => turned.push(format!("{} < {} (b = {branching})", names[1], names[0])),
                None => open.push(format!("{} and {} (b = {branching})", names[0], names[1])),
            }
            answers.push(answer);
        }
        ours.push(ranked(&samples));
    }
    let holds = both(&answers);
    let words = match holds {
        Some(true) => {
            "Every neighbour in this order is apart from the next on both shapes, tree by tree.".to_owned()
        }
        Some(false) => format!("The opposite holds for {}.", turned.join(", ")),
        None => format!("Not decided for {}; nothing is the other way round.", open.join(", ")),
    };
    Finding::new(rule(holds, full(scale)), ours.join("; "), words + &closer)
}

/// Random ties over the first of equals, in mean iterations, for every solver and shape.
fn insensitive(scale: Scale, known: &Results) -> Finding {
    let (mut shown, mut steady, mut moved) = (Vec::new(), true, 0);
    for (nth, label) in LABELS.iter().enumerate() {
        let mut ratios = Vec::new();
        for shape in [0, 1] {
            let [random, first] = [READINGS[0], READINGS[2]].map(|reading| {
                let sample = Sample::new(shape, "", &reading.solver(nth), scale, known);
                (sample.seeds.len() as u64 == super::trees(scale)).then_some(sample.iterations)
            });
            let (Some(random), Some(first)) = (random, first) else { return Finding::incomplete() };
            let total = |values: &[f64]| values.iter().sum::<f64>();
            ratios.push(total(&random) / total(&first));
        }
        if nth == PPN {
            steady = ratios.iter().all(|ratio| (0.9..=1.1).contains(ratio));
        } else {
            moved += usize::from(ratios.iter().any(|ratio| !(0.9..=1.1).contains(ratio)));
        }
        let ratios: Vec<String> = ratios.iter().map(|ratio| short(*ratio)).collect();
        shown.push(format!("{label} {}", ratios.join(" and ")));
    }
    let words = format!(
        "Iterations with random ties over those with the first of equals, on both shapes. {moved} of the other four solvers change by more than 10 % on some shape. Products of playout rates hardly ever tie."
    );
    Finding::new(rule(Some(steady && moved > 0), full(scale)), shown.join("; "), words)
}

/// What the printed rule does to pure MCTS, beside the most visited move.
fn final_move(scale: Scale, known: &Results) -> Finding {
    let (mut ours, mut worse) = (Vec::new(), Vec::new());
    for nth in [MCTS, UCT] {
        for shape in [0, 1] {
            let [bound, visits] = [false, true].map(|visits| {
                let one = Observed { nth, reading: LITERAL, visits: Some(visits) };
                mistakes(shape, &one.solver(), super::trees(scale), scale, known)
            });
            let (Some(bound), Some(visits)) = (bound, visits) else { return Finding::incomplete() };
            let share = |wrong: &[f64]| {
                let examined = wrong.len() * checkpoints(scale).count();
                100.0 * wrong.iter().sum::<f64>() / examined as f64
            };
            worse.push(share(&bound) > share(&visits));
            ours.push(format!(
                "{}, b = {}: {:.1} % against {:.1} %",
                LABELS[nth],
                SHAPES[shape].0,
                share(&bound),
                share(&visits)
            ));
        }
    }
    Finding::new(
        Ruling::NotTestable,
        ours.join("; "),
        format!(
            "A choice of the paper, not a result. Wrong moves by the printed rule against the most visited move; the printed rule is worse in {} of 4 cases. For pure MCTS, which visits nearly one move only, it selects the move with the fewest visits.",
            worse.iter().filter(|worse| **worse).count()
        ),
    )
}

/// One answer for two shapes.
fn both(answers: &[Option<bool>]) -> Option<bool> {
    if answers.contains(&Some(false)) { Some(false) } else { (!answers.contains(&None)).then_some(true) }
}

fn fewer(one: usize, other: usize, scale: Scale, known: &Results, values: Values) -> Finding {
    let (mut answers, mut ours) = (Vec::new(), Vec::new());
    for shape in [0, 1] {
        let samples = five(shape, LITERAL, scale, known);
        if !complete(&samples, scale) {
            return Finding::incomplete();
        }
        answers.push(below(&samples[one], &samples[other], values));
        ours.push(format!("{} against {}", mean(values(&samples[one])), mean(values(&samples[other]))));
    }
    let holds = both(&answers);
    let words = |answer: &Option<bool>| match answer {
        Some(true) => "holds",
        Some(false) => "the opposite holds",
        None => "is not decided",
    };
    let said: Vec<String> = SHAPES
        .iter()
        .zip(&answers)
        .map(|((.., shape), answer)| format!("{shape}: {}", words(answer)))
        .collect();
    let first = both(&[0, 1].map(|shape| {
        let samples = five(shape, READINGS[2], scale, known);
        below(&samples[one], &samples[other], values)
    }));
    let words =
        format!("{}. With the first of equal children it {} on both shapes.", said.join("; "), words(&first));
    Finding::new(rule(holds, full(scale)), ours.join("; "), words)
}

fn competitive(scale: Scale, known: &Results) -> Finding {
    let mut ratios = Vec::new();
    for shape in [0, 1] {
        let samples = five(shape, LITERAL, scale, known);
        let [mcts, mcpns] = [MCTS, MCPNS].map(|nth| Interval::mean(&samples[nth].iterations));
        let (true, Some(mcts), Some(mcpns)) = (complete(&samples, scale), mcts, mcpns) else {
            return Finding::incomplete();
        };
        ratios.push(mcts.value / mcpns.value);
    }
    let holds = ratios.iter().all(|ratio| (0.5..=2.0).contains(ratio));
    let shown: Vec<String> = ratios.iter().map(|ratio| short(*ratio)).collect();
    Finding::new(
        rule(Some(holds), full(scale)),
        format!("{} times the iterations", shown.join(" and ")),
        "Within a factor of 2 counts as competitive. Both numbers depend on how ties are broken, see the last tables.",
    )
}

fn constants(scale: Scale, known: &Results) -> Finding {
    let (mut answers, mut ours, mut less, mut open) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (shape, (branching, ..)) in SHAPES.iter().enumerate() {
        for variant in VARIANTS.iter().filter(|variant| variant.of == UCT) {
            let [uct, usual] = varied(shape, UCT, variant.name, scale, known);
            let trees = super::fewer_trees(scale);
            if uct.seeds.len() as u64 != trees || usual.seeds.len() as u64 != trees {
                return Finding::incomplete();
            }
            for other in [PPN, MCPNS, MCTS] {
                let sample = Sample::new(shape, "", &LITERAL.solver(other), scale, known);
                let answer = below(&sample, &uct, |sample| &sample.iterations);
                let pair = format!("{} and {} (b = {branching})", variant.setting, LABELS[other]);
                match answer {
                    Some(true) => {}
                    Some(false) => less.push(pair),
                    None => open.push(pair),
                }
                answers.push(answer);
            }
            ours.push(format!("b = {branching}, {}: {}", variant.setting, mean(&uct.iterations)));
        }
    }
    let words = match (less.is_empty(), open.is_empty()) {
        (true, true) => "C is inside the root, as in the paper.".to_owned(),
        (true, false) => {
            format!("Not decided for {}; C is inside the root, as in the paper.", open.join(", "))
        }
        (false, _) => format!("UCT needs fewer iterations: {}.", less.join(", ")),
    };
    Finding::new(rule(both(&answers), scale == Scale::Paper), ours.join("; "), words)
}

fn playouts(scale: Scale, known: &Results) -> Finding {
    let mut answers = Vec::new();
    for shape in [0, 1] {
        for playouts in ["5", "20"] {
            let named = |of: usize| {
                let words = format!("{playouts} playouts");
                let variant = VARIANTS.iter().find(|variant| variant.of == of && variant.setting == words);
                variant.map(|variant| varied(shape, of, variant.name, scale, known))
            };
            let (Some([ppn, _]), Some([mcpns, _])) = (named(PPN), named(MCPNS)) else {
                return Finding::incomplete();
            };
            if ppn.seeds.len() as u64 != super::fewer_trees(scale) || mcpns.seeds.len() != ppn.seeds.len() {
                return Finding::incomplete();
            }
            answers.push(below(&ppn, &mcpns, |sample| &sample.iterations));
        }
    }
    let kept = answers.iter().filter(|answer| **answer == Some(true)).count();
    Finding::new(
        rule(both(&answers), scale == Scale::Paper),
        format!("PPN before MCPNS in {kept} of {} cases", answers.len()),
        "With 5 and with 20 playouts, on both shapes. The number of iterations itself falls as playouts rise.",
    )
}

/// Per tree, how many of the examined moves are wrong; `None` unless all searches are there.
fn mistakes(shape: usize, solver: &str, trees: u64, scale: Scale, known: &Results) -> Option<Vec<f64>> {
    let judged = judged_up_to(shape, trees, known);
    if judged.len() as u64 != trees {
        return None;
    }
    let of = |tree| checkpoints(scale).map(|n| wrong(shape, tree, solver, n, known).map(f64::from)).sum();
    judged.iter().map(of).collect()
}

fn compared(
    shape: usize,
    [one, other]: [usize; 2],
    trees: u64,
    scale: Scale,
    known: &Results,
) -> Option<Interval> {
    let [one, other] = [one, other].map(|nth| mistakes(shape, &LITERAL.solver(nth), trees, scale, known));
    let differences: Vec<f64> = one?.iter().zip(&other?).map(|(one, other)| other - one).collect();
    Interval::mean(&differences)
}

fn errors(shape: usize, scale: Scale, known: &Results) -> Finding {
    let (mut said, mut answers) = (Vec::new(), Vec::new());
    for other in [PNS, MCPNS, MCTS] {
        let Some(difference) = compared(shape, [PPN, other], super::trees(scale), scale, known) else {
            return Finding::incomplete();
        };
        answers.push(match (difference.low > 0.0, difference.high < 0.0) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        });
        said.push(format!("{} {}", LABELS[other], signed_short(difference)));
    }
    let against: Vec<&str> = [PNS, MCPNS, MCTS]
        .into_iter()
        .zip(&answers)
        .filter(|(_, answer)| **answer == Some(false))
        .map(|(other, _)| LABELS[other])
        .collect();
    let words = match against.is_empty() {
        true => "Wrong moves beyond PPN's for each tree, summed over the checkpoints. Those of pure MCTS are an artefact of the rule for the final move.".to_owned(),
        false => format!("{} makes fewer wrong moves than PPN, summed over the checkpoints.", against.join(", ")),
    };
    Finding::new(rule(both(&answers), full(scale)), said.join("; "), words)
}

fn signed_short(Interval { value, low, high }: Interval) -> String {
    let show = |value: f64| {
        if value.abs() >= 100.0 { signed(value) } else { format!("{value:+.2}").replace('-', "−") }
    };
    format!("{} ({} to {})", show(value), show(low), show(high))
}

/// How often an error rate rises from one checkpoint to the next.
fn smooth(scale: Scale, known: &Results) -> Finding {
    let mut rises = [0, 0];
    for shape in [0, 1] {
        let judged = judged(shape, scale, known);
        for (place, nth) in [PPN, MCPNS].into_iter().enumerate() {
            let rates: Option<Vec<f64>> = finer_checkpoints(scale)
                .map(|n| error_rate(shape, &judged, &LITERAL.solver(nth), n, known).map(|rate| rate.value))
                .collect();
            let Some(rates) = rates else { return Finding::incomplete() };
            rises[place] += rates.windows(2).filter(|pair| pair[1] > pair[0]).count();
        }
    }
    let p = sign_test(rises[0], rises[1]);
    let holds = (p < 0.05).then_some(rises[0] < rises[1]);
    Finding::new(
        rule(holds, full(scale)),
        format!("PPN rises {} times, MCPNS {}", rises[0], rises[1]),
        format!(
            "Rises of the error rate from one checkpoint to the next, over both shapes: {} of each solver ({}). Waves finer than a factor of two in iterations would not show.",
            2 * (finer_checkpoints(scale).count() - 1),
            p_value(p)
        ),
    )
    .needing("More trees make both curves smoother, so only more checkpoints, a search each, could show a difference.")
}

fn uct_errors(scale: Scale, known: &Results) -> Finding {
    let (mut answers, mut said, mut larger) = (Vec::new(), Vec::new(), 0.0_f64);
    for shape in [0, 1] {
        // All trees that both have, or the paper's number until then.
        let [all, first] = [super::more_moves(shape, scale), super::trees(scale)];
        let found = [all, first].into_iter().find_map(|trees| {
            compared(shape, super::EVEN_PAIR, trees, scale, known).map(|difference| (difference, trees))
        });
        let Some((difference, trees)) = found else { return Finding::incomplete() };
        answers.push(match (difference.low > 0.0, difference.high < 0.0) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        });
        said.push(format!("{}, {trees} trees: {}", SHAPES[shape].2, signed_short(difference)));
        if answers[shape].is_none() {
            larger = larger.max(larger_for_interval(difference, 0.0));
        }
    }
    let words = match both(&answers) {
        Some(true) => "Wrong moves of PPN beyond those of UCT for each tree, summed over the checkpoints.",
        Some(false) => "On one shape UCT makes more wrong moves than PPN, summed over the checkpoints.",
        None => {
            "The sample does not decide on both shapes. Wrong moves of PPN beyond those of UCT for each tree, summed over the checkpoints."
        }
    };
    Finding::new(rule(both(&answers), full(scale)), said.join("; "), words)
        .needing(larger_sample(larger, "trees", None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_answer_for_two_shapes() {
        assert_eq!(
            [both(&[Some(true), None]), both(&[Some(true); 2]), both(&[None, Some(false)])],
            [None, Some(true), Some(false)]
        );
        assert_eq!(rule(both(&[Some(false)]), true), Ruling::Contradicted);
    }
}
