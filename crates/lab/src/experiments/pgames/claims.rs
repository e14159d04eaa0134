//! Paper 3's claims.

use super::tables::{Sample, error_rate, five, judged, mean, wrong};
use super::{MCPNS, MCTS, PGames, PNS, PPN, SHAPES, SOLVERS, UCT, VARIANTS, checkpoints};
use crate::claim::{Claim, Finding, rule};
use crate::report::short;
use crate::text::signed;
use crate::{Results, Scale};
use delphic_base::Interval;

pub(super) const CLAIMS: [Claim<PGames>; 18] = [
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
        id: "3.fig8.literal",
        place: "figures 8 and 11, §3.1",
        says: "PPN needs fewer iterations than MCPNS with the printed formulas.",
        figure: "picture",
        test: |_, scale, known| literal(scale, known),
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
            Finding::not_run(
                "PPN runs on every game here and is measured on Connect Four (paper 1); probability-based conspiracy numbers are not implemented.",
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
    let samples = five(shape, scale, known);
    if !complete(&samples, scale) {
        return Finding::incomplete();
    }
    let others: Vec<(usize, Option<bool>)> =
        (1..SOLVERS.len()).map(|other| (other, below(&samples[PPN], &samples[other], values))).collect();
    let names = |answer: Option<bool>| -> Vec<&str> {
        others.iter().filter(|(_, said)| *said == answer).map(|(other, _)| SOLVERS[*other].label).collect()
    };
    let (worse, same) = (names(Some(false)), names(None));
    let holds = if !worse.is_empty() { Some(false) } else { same.is_empty().then_some(true) };
    let words = match holds {
        Some(true) => "Less than each of the others, tree by tree. It rests on the tie rules and on θ for MCPNS, which the paper does not state (see Deviations).".to_owned(),
        Some(false) => format!("{} needs less.", worse.join(", ")),
        None => format!("The sample does not decide between PPN and {}.", same.join(", ")),
    };
    Finding::new(rule(holds, full(scale)), format!("PPN {}", mean(values(&samples[PPN]))), words)
}

fn literal(scale: Scale, known: &Results) -> Finding {
    let name = VARIANTS[0].name;
    let mut ours = Vec::new();
    let mut answers = Vec::new();
    for shape in [0, 1] {
        let [ppn, mcpns] = [SOLVERS[PPN].name, name].map(|name| Sample::new(shape, "", name, scale, known));
        if ppn.seeds.len() as u64 != super::trees(scale) || mcpns.seeds.len() != ppn.seeds.len() {
            return Finding::incomplete();
        }
        answers.push(below(&ppn, &mcpns, |sample| &sample.iterations));
        ours.push(format!("{} against {}", mean(&ppn.iterations), mean(&mcpns.iterations)));
    }
    let holds = both(&answers);
    let words = match holds {
        Some(false) => {
            "With the printed formulas (θ = 0) and the first of equal children MCPNS needs fewer iterations than PPN: the claim depends on how ties are broken, which the paper does not say."
        }
        Some(true) => "With the printed formulas PPN needs fewer iterations.",
        None => "The two shapes differ or are not decided.",
    };
    Finding::new(rule(holds, full(scale)), ours.join("; "), words)
}

/// One answer for two shapes.
fn both(answers: &[Option<bool>]) -> Option<bool> {
    if answers.contains(&Some(false)) { Some(false) } else { (!answers.contains(&None)).then_some(true) }
}

fn fewer(one: usize, other: usize, scale: Scale, known: &Results, values: Values) -> Finding {
    let (mut answers, mut ours) = (Vec::new(), Vec::new());
    for shape in [0, 1] {
        let samples = five(shape, scale, known);
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
    Finding::new(rule(holds, full(scale)), ours.join("; "), format!("{}.", said.join("; ")))
}

fn competitive(scale: Scale, known: &Results) -> Finding {
    let mut ratios = Vec::new();
    for shape in [0, 1] {
        let samples = five(shape, scale, known);
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
        "Within a factor of 2 counts as competitive. Both numbers depend on how ties are broken.",
    )
}

fn constants(scale: Scale, known: &Results) -> Finding {
    let (mut answers, mut ours) = (Vec::new(), Vec::new());
    for shape in [0, 1] {
        let samples = five(shape, scale, known);
        let variants = VARIANTS.iter().filter(|variant| variant.of == UCT);
        for (setting, name) in std::iter::once(("C = 1.414", SOLVERS[UCT].name))
            .chain(variants.map(|variant| (variant.setting, variant.name)))
        {
            let uct = Sample::new(shape, setting, name, scale, known);
            if !complete(&samples, scale) || uct.seeds.len() as u64 != super::trees(scale) {
                return Finding::incomplete();
            }
            answers.extend(
                [PPN, MCPNS, MCTS].map(|other| below(&samples[other], &uct, |sample| &sample.iterations)),
            );
            ours.push(format!("{setting}: {}", mean(&uct.iterations)));
        }
    }
    Finding::new(rule(both(&answers), full(scale)), ours.join("; "), "C is inside the root, as in the paper.")
}

fn playouts(scale: Scale, known: &Results) -> Finding {
    let mut answers = Vec::new();
    for shape in [0, 1] {
        for playouts in ["5", "20"] {
            let [ppn, mcpns] = ["ppn", "mcpns"]
                .map(|name| Sample::new(shape, name, &format!("{name}:playouts={playouts}"), scale, known));
            if ppn.seeds.len() as u64 != super::trees(scale) || mcpns.seeds.len() != ppn.seeds.len() {
                return Finding::incomplete();
            }
            answers.push(below(&ppn, &mcpns, |sample| &sample.iterations));
        }
    }
    let kept = answers.iter().filter(|answer| **answer == Some(true)).count();
    Finding::new(
        rule(both(&answers), full(scale)),
        format!("PPN before MCPNS in {kept} of {} cases", answers.len()),
        "With 5 and with 20 playouts, on both shapes. The number of iterations itself falls as playouts rise.",
    )
}

/// Per tree, how many of the examined moves are wrong; `None` unless all searches are there.
fn mistakes(shape: usize, solver: &str, scale: Scale, known: &Results) -> Option<Vec<f64>> {
    let judged = judged(shape, scale, known);
    if judged.len() as u64 != super::trees(scale) {
        return None;
    }
    let of = |tree| checkpoints(scale).map(|n| wrong(shape, tree, solver, n, known).map(f64::from)).sum();
    judged.iter().map(of).collect()
}

fn compared(shape: usize, one: usize, other: usize, scale: Scale, known: &Results) -> Option<Interval> {
    let [one, other] = [one, other].map(|nth| mistakes(shape, SOLVERS[nth].name, scale, known));
    let differences: Vec<f64> = one?.iter().zip(&other?).map(|(one, other)| other - one).collect();
    Interval::mean(&differences)
}

fn errors(shape: usize, scale: Scale, known: &Results) -> Finding {
    let (mut said, mut answers) = (Vec::new(), Vec::new());
    for other in [PNS, MCPNS, MCTS] {
        let Some(difference) = compared(shape, PPN, other, scale, known) else {
            return Finding::incomplete();
        };
        answers.push(match (difference.low > 0.0, difference.high < 0.0) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        });
        said.push(format!("{} {}", SOLVERS[other].label, signed_short(difference)));
    }
    let against: Vec<&str> = [PNS, MCPNS, MCTS]
        .into_iter()
        .zip(&answers)
        .filter(|(_, answer)| **answer == Some(false))
        .map(|(other, _)| SOLVERS[other].label)
        .collect();
    let words = match against.is_empty() {
        true => "Wrong moves beyond PPN's, a tree, summed over the checkpoints. The one of pure MCTS is an artefact of the rule for the final move.".to_owned(),
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
            let rates: Option<Vec<f64>> = checkpoints(scale)
                .map(|n| error_rate(shape, &judged, SOLVERS[nth].name, n, known).map(|rate| rate.value))
                .collect();
            let Some(rates) = rates else { return Finding::incomplete() };
            rises[place] += rates.windows(2).filter(|pair| pair[1] > pair[0]).count();
        }
    }
    let holds = match rises[0].cmp(&rises[1]) {
        std::cmp::Ordering::Less => Some(true),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(false),
    };
    Finding::new(
        rule(holds, full(scale)),
        format!("PPN rises {} times, MCPNS {}", rises[0], rises[1]),
        "Rises of the error rate from one checkpoint to the next, over both shapes.",
    )
}

fn uct_errors(scale: Scale, known: &Results) -> Finding {
    let (mut answers, mut said) = (Vec::new(), Vec::new());
    for shape in [0, 1] {
        let Some(difference) = compared(shape, UCT, PPN, scale, known) else { return Finding::incomplete() };
        answers.push(match (difference.low > 0.0, difference.high < 0.0) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        });
        said.push(format!("{}: {}", SHAPES[shape].2, signed_short(difference)));
    }
    let words = match both(&answers) {
        Some(true) => "Wrong moves of PPN beyond those of UCT, a tree, summed over the checkpoints.",
        Some(false) => "On one shape UCT makes more wrong moves than PPN, summed over the checkpoints.",
        None => "The sample does not decide on both shapes.",
    };
    Finding::new(rule(both(&answers), full(scale)), said.join("; "), words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Ruling;

    #[test]
    fn the_printed_formulas_are_the_first_variant() {
        assert!(VARIANTS[0].of == MCPNS && VARIANTS[0].name.ends_with("theta=0"));
        assert_eq!(
            [both(&[Some(true), None]), both(&[Some(true); 2]), both(&[None, Some(false)])],
            [None, Some(true), Some(false)]
        );
        assert_eq!(rule(both(&[Some(false)]), true), Ruling::Contradicted);
    }
}
