//! What the papers claim or announce beyond their own games.

use super::tables::{Outcome, PAIRS, Pair, solved, values};
use super::{Benchmark, GAMES, SOLVERS, limit, short_name};
use crate::claim::{Claim, Finding, Ruling, larger_for_interval, larger_sample, rule};
use crate::report::short;
use crate::stats::holm;
use crate::text::p_value;
use crate::{Results, Scale};

pub(super) const CLAIMS: [Claim<Benchmark>; 10] = [
    Claim {
        id: "1.bench.ppn-pns",
        place: "table 2",
        says: "PPN is better than PNS, on ten games.",
        figure: "in words, for some types of trees",
        test: |experiment, scale, known| better(experiment, scale, known, "ppn", "pns"),
    },
    Claim {
        id: "1.bench.table2",
        place: "table 2",
        says: "PPN is the best algorithm for some types of trees.",
        figure: "in words",
        test: best_somewhere,
    },
    Claim {
        id: "1.bench.dfppn",
        place: "conclusion, future work",
        says: "df-PPN is better than df-pn on hard problems.",
        figure: "future work",
        test: |experiment, scale, known| better(experiment, scale, known, "dfppn", "dfpn"),
    },
    Claim {
        id: "2.bench.pp-pns",
        place: "§5",
        says: "PP is better than PNS, on ten games.",
        figure: "shown for Y, Domineering and NoGo",
        test: |experiment, scale, known| better(experiment, scale, known, "pp", "pns"),
    },
    Claim {
        id: "2.bench.ppt-pnt",
        place: "§5",
        says: "PPT is better than PNT, on ten games.",
        figure: "shown for Domineering and NoGo",
        test: |experiment, scale, known| better(experiment, scale, known, "ppt", "pnt"),
    },
    Claim {
        id: "2.bench.dfpp",
        place: "§3.2, future work",
        says: "Depth-first PP is better than df-pn.",
        figure: "future work",
        test: |experiment, scale, known| better(experiment, scale, known, "dfpp", "dfpn"),
    },
    Claim {
        id: "2.bench.outcomes",
        place: "§5, future work",
        says: "Product propagation for several outcomes.",
        figure: "future work",
        test: |experiment, scale, known| {
            let found = values(experiment, scale, known);
            let Some(all) = found.first().map(|row| row.all).filter(|all| *all > 0) else {
                return Finding::incomplete();
            };
            let shown: Vec<String> = found.iter().map(|row| format!("{} {}", row.solver, row.both)).collect();
            Finding::new(
                Ruling::NotTestable,
                format!("{} of {all}", shown.join(", ")),
                "Announced and not defined: the paper has no product rule for several outcomes, and there is none here. Positions of Connect Four and Reversi whose value (win, draw or loss) is proved by two yes-no questions, each within the limit.",
            )
        },
    },
    Claim {
        id: "3.bench.ppn-mcpns",
        place: "§5, future work",
        says: "PPN is better than MCPNS in games, too.",
        figure: "future work; shown for P-games",
        test: |experiment, scale, known| better(experiment, scale, known, "ppn", "mcpns"),
    },
    Claim {
        id: "3.bench.playouts",
        place: "not in the papers",
        says: "Playouts at the leaves are worth their time: PPN is better than PP by mobility.",
        figure: "none",
        test: |experiment, scale, known| better(experiment, scale, known, "ppn", "pp"),
    },
    Claim {
        id: "3.bench.pcn",
        place: "§5, future work",
        says: "Conspiracy numbers with probabilities.",
        figure: "future work",
        test: |_, _, _| {
            Finding::not_testable(
                "The paper names probability-based conspiracy numbers and does not define them, so there is nothing to implement.",
            )
        },
    },
];

/// Whether the first of two solvers is faster at 5 %, by Wilcoxon's test with Holm's correction over all pairs of the page.
fn better(experiment: &Benchmark, scale: Scale, known: &Results, one: &str, other: &str) -> Finding {
    let outcome = Outcome::new(experiment, scale, known);
    let Some(nth) = PAIRS.iter().position(|pair| *pair == (one, other)) else { return Finding::incomplete() };
    if outcome.instances.is_empty() {
        return Finding::incomplete();
    }
    let found = PAIRS.map(|(one, other)| Pair::new(outcome.of(one), outcome.of(other), limit(scale)));
    let p = holm(&found.iter().map(|pair| pair.wilcoxon).collect::<Vec<_>>())[nth];
    let pair = &found[nth];
    let times =
        |name: &str| outcome.of(name).iter().map(|time| time.unwrap_or(limit(scale))).collect::<Vec<_>>();
    let seconds: f64 = [one, other].iter().flat_map(|name| times(name)).sum();
    let larger = pair.shift.map_or(f64::INFINITY, |shift| larger_for_interval(shift, 0.0));
    let factor = pair.factor.unwrap_or(1.0);
    let holds = (p < 0.05).then_some(factor > 1.0);
    let [first, second] = [one, other].map(|name| solved(outcome.of(name)));
    let words = match holds {
        Some(true) => format!("`{one}` is faster"),
        Some(false) => format!("The opposite: `{other}` is faster"),
        None => "The sample does not decide".to_owned(),
    };
    Finding::new(
        rule(holds, scale == Scale::Paper),
        format!(
            "{first} against {second} of {} solved; `{other}` takes {} times as long",
            outcome.instances.len(),
            short(factor)
        ),
        format!(
            "{words} ({}, Wilcoxon with Holm); {} and {} are solved by only one of the two.",
            p_value(p),
            pair.alone.0,
            pair.alone.1
        ),
    )
    .needing(larger_sample(larger, "positions", Some(seconds)))
}

/// The games in which no solver solves more positions than PPN.
fn best_somewhere(experiment: &Benchmark, scale: Scale, known: &Results) -> Finding {
    let outcome = Outcome::new(experiment, scale, known);
    if outcome.instances.is_empty() {
        return Finding::incomplete();
    }
    let count = |name: &str, game: usize| {
        outcome
            .of(name)
            .iter()
            .zip(&outcome.instances)
            .filter(|(time, one)| time.is_some() && one.0 == game)
            .count()
    };
    let (mut most, mut trees) = (Vec::new(), Vec::new());
    for (game, (name, ..)) in GAMES.iter().enumerate() {
        let ppn = count("ppn", game);
        let others = |names: &[&str]| names.iter().all(|other| count(other, game) <= ppn);
        let all: Vec<&str> = SOLVERS.iter().map(|solver| short_name(solver)).collect();
        if ppn > 0 && others(&all) {
            most.push(*name);
        }
        if ppn > 0 && others(&["pns", "mcpns", "pp", "uct"]) {
            trees.push(*name);
        }
    }
    let list = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    Finding::new(
        if most.is_empty() { Ruling::Contradicted } else { rule(Some(true), scale == Scale::Paper) },
        format!("solves as many as every other solver in: {}", list(&most)),
        format!(
            "Among searches on trees (`pns`, `mcpns`, `pp`, `uct`) it solves the most, or as many, in: {}. Solvers with a table solve more nearly everywhere.",
            list(&trees)
        ),
    )
}
