//! Paper 4's claims.

use super::learning::{compare, guided_depth_first, interval, other_source, pairs, panel};
use super::long::tested;
use super::scatter::{Pairs, developed, without_knowledge};
use super::{BEST, Captures, DEPTH_FIRST, Learner, MOBILE, PNS, Source, Split, long, solved};
use crate::claim::{
    Claim, Finding, Ruling, larger_for_interval, larger_for_split, larger_sample, rule, sign_test,
};
use crate::report::{range, short};
use crate::text::{grouped, p_value};
use crate::{Results, Scale};
use delphic_base::Interval;

pub(super) const CLAIMS: [Claim<Captures>; 20] = [
    Claim {
        id: "4.fig1",
        place: "figures 1 to 3 and 6, algorithms 1 to 4",
        says: "Product propagation, proof-number search, and the models, as printed.",
        figure: "algorithms",
        test: |_, _, _| {
            Finding::new(
                Ruling::Holds,
                "",
                "Implemented as printed, apart from the deviations listed; tests compare the models with numerical integration.",
            )
        },
    },
    Claim {
        id: "4.fig4",
        place: "figure 4",
        says: "Without knowledge PP and PNS develop similar numbers of nodes.",
        figure: "picture, 192 problems",
        test: similar,
    },
    Claim {
        id: "4.fig5",
        place: "figure 5",
        says: "Eight nested templates of patterns.",
        figure: "templates",
        test: |_, _, _| Finding::new(Ruling::Holds, "", "Exactly these templates; a test has their cells."),
    },
    Claim {
        id: "4.fig7",
        place: "figure 7",
        says: "Two example problems.",
        figure: "illustration",
        test: |_, _, _| Finding::not_testable("The problems are not published in a readable form."),
    },
    Claim {
        id: "4.fig8.faster",
        place: "figure 8",
        says: "With each of the four learnt priors PP is faster than PNS.",
        figure: "mean ratios above 1 in all four panels",
        test: faster,
    },
    Claim {
        id: "4.fig8.beta",
        place: "figure 8, top left",
        says: "With the Beta model (1, 1) PP is 45.9 times as fast as PNS on average.",
        figure: "mean ratio 45.9",
        test: |experiment, scale, known| speed(experiment, scale, known, Learner::Beta),
    },
    Claim {
        id: "4.fig8.peaked",
        place: "figure 8, top right",
        says: "With the Beta model (1000, 1000) PP is 30.7 times as fast as PNS on average.",
        figure: "mean ratio 30.7",
        test: |experiment, scale, known| speed(experiment, scale, known, Learner::PeakedBeta),
    },
    Claim {
        id: "4.fig8.hierarchical",
        place: "figure 8, bottom left",
        says: "With the hierarchical model PP is 135.5 times as fast as PNS on average.",
        figure: "mean ratio 135.5",
        test: |experiment, scale, known| speed(experiment, scale, known, Learner::Gaussian),
    },
    Claim {
        id: "4.fig8.tuned",
        place: "figure 8, bottom right",
        says: "With the hierarchical model and a tuned prior PP is 8.8 times as fast as PNS on average.",
        figure: "mean ratio 8.8",
        test: |experiment, scale, known| speed(experiment, scale, known, Learner::TamedGaussian),
    },
    Claim {
        id: "4.orders",
        place: "abstract, §5.2",
        says: "Learning speeds up problem solving, sometimes by orders of magnitude.",
        figure: "ratios up to thousands, in the picture",
        test: orders,
    },
    Claim {
        id: "4.fig8.failed",
        place: "figure 8",
        says: "Some problems fail after learning that PNS solved before: over-fitting.",
        figure: "27, 13, 21, 5 of 145",
        test: |experiment, scale, known| failed(experiment, scale, known),
    },
    Claim {
        id: "4.fig8.solved",
        place: "figure 8",
        says: "Some problems are solved after learning that PNS failed at before.",
        figure: "6, 8, 5, 14 of 145",
        test: newly_solved,
    },
    Claim {
        id: "4.fig8.peaked-failed",
        place: "figure 8, §5.2",
        says: "A peaked prior reduces over-fitting.",
        figure: "13 against 27 newly failed (Beta), 5 against 21 (hierarchical)",
        test: tamed,
    },
    Claim {
        id: "4.hierarchical",
        place: "§5.2",
        says: "The hierarchical model over-fits less than the Beta model.",
        figure: "21 against 27 newly failed",
        test: |experiment, scale, known| {
            fewer_failed(experiment, scale, known, &[(Learner::Gaussian, Learner::Beta)])
        },
    },
    Claim {
        id: "4.plans",
        place: "§3",
        says: "The search explores what lowers the value of the current plan, not what would raise another one.",
        figure: "in words",
        test: |_, _, _| {
            Finding::not_testable(
                "A property of the algorithm, which ours shares. The paper names the second kind of search and does not define it, so there is nothing to compare with.",
            )
        },
    },
    Claim {
        id: "4.folds",
        place: "not in the paper",
        says: "In five-fold cross-validation the best learnt prior beats PP by mobility, which has learnt nothing.",
        figure: "none",
        test: folds,
    },
    Claim {
        id: "4.depth-first",
        place: "not in the paper",
        says: "A learnt prior speeds up the depth-first searches, which are the strong solvers here.",
        figure: "none",
        test: depth_first,
    },
    Claim {
        id: "4.unsolved",
        place: "§4.1",
        says: "Learning from every search after it ends, answered or not, as the paper does, solves more test problems than learning from answered searches alone (Beta model).",
        figure: "method",
        test: |experiment, scale, known| {
            from_more(experiment, scale, known, Learner::Beta, Source::EverySearch)
        },
    },
    Claim {
        id: "4.unsolved.hierarchical",
        place: "§4.1",
        says: "The same for the hierarchical model.",
        figure: "method",
        test: |experiment, scale, known| {
            from_more(experiment, scale, known, Learner::Gaussian, Source::EverySearch)
        },
    },
    Claim {
        id: "4.expanded",
        place: "§4.1",
        says: "Knowing patterns from the expansion of a node on, as the paper does, solves more test problems than knowing those of solved moves alone (Beta model).",
        figure: "method",
        test: |experiment, scale, known| from_more(experiment, scale, known, Learner::Beta, Source::Expanded),
    },
];

/// Never the paper's problems, so never its scale.
const FULL: bool = false;

fn similar(experiment: &Captures, scale: Scale, known: &Results) -> Finding {
    let ratios = developed(&without_knowledge(experiment.set(scale), scale, known));
    let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let Some(Interval { value, low, high }) = Interval::mean(&logarithms) else {
        return Finding::incomplete();
    };
    let middle = Interval { value: value.exp(), low: low.exp(), high: high.exp() };
    let near = ratios.iter().filter(|ratio| (0.25..=4.0).contains(*ratio)).count();
    let holds = (0.5..=2.0).contains(&middle.value) && 10 * near >= 9 * ratios.len();
    Finding::new(
        rule(Some(holds), FULL),
        format!("PNS develops {} times the nodes of PP", range(middle, short)),
        format!("Geometric mean; {near} of {} problems are within a factor of 4.", ratios.len()),
    )
}

fn speed(experiment: &Captures, scale: Scale, known: &Results, learner: Learner) -> Finding {
    let (pairs, nodes) = tested(experiment, learner, scale, known);
    let found = compare(&pairs);
    let (Some([_, _, theirs]), true) = (panel(learner), found.both > 0) else { return Finding::incomplete() };
    let mean = found.time.mean;
    let ours = format!("mean ratio {}", range(mean, short));
    let geometric = found.time.geometric;
    let direction = match (geometric.low > 1.0, geometric.high < 1.0) {
        (true, _) => "Learning makes PP faster than PNS",
        (_, true) => "Learning makes PP slower than PNS",
        _ => "Learning makes no clear difference to PNS",
    };
    // A ratio that the limit caps contradicts nothing.
    let uncapped = scale == Scale::Paper || nodes.is_some_and(|nodes| nodes >= long::LARGE);
    let limit = nodes.map_or_else(String::new, |nodes| format!(" of {} nodes", grouped(nodes)));
    let caveat = match (uncapped, super::caps(Split::Third, scale).nodes) {
        (true, Some(trained)) => {
            format!(
                "the limit{limit} does not cap it. Priors were learnt from searches of {} nodes",
                grouped(trained)
            )
        }
        _ => format!("the limit{limit} caps ratios"),
    };
    let words = format!(
        "{direction} (geometric mean {}); the size of the paper's ratio is {}. The problems differ from the paper's, and {caveat}.",
        range(geometric, short),
        if mean.high < theirs { "not reached" } else { "within the interval" },
    );
    let holds = match mean.high < theirs {
        true => uncapped.then_some(false),
        false => (geometric.low > 1.0).then_some(true),
    };
    Finding::new(rule(holds, FULL), ours, words).needing(
        "At scale paper training has 10,000,000 nodes, too, which takes days; the paper's own problems would be needed to repeat its figure.",
    )
}

/// The direction of figure 8's ratios, without their size.
fn faster(experiment: &Captures, scale: Scale, known: &Results) -> Finding {
    let (mut shown, mut answers) = (Vec::new(), Vec::new());
    for learner in &Learner::ALL[..4] {
        let found = compare(&tested(experiment, *learner, scale, known).0);
        if found.both == 0 {
            return Finding::incomplete();
        }
        let ratio = found.time.geometric;
        answers.push(match (ratio.low > 1.0, ratio.high < 1.0) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        });
        shown.push(format!("{}: {}", learner.label(), range(ratio, short)));
    }
    let holds =
        if answers.contains(&Some(false)) { Some(false) } else { (!answers.contains(&None)).then_some(true) };
    Finding::new(
        rule(holds, FULL),
        shown.join("; "),
        "Geometric means of the ratios of times over test problems that both solve.",
    )
}

fn orders(experiment: &Captures, scale: Scale, known: &Results) -> Finding {
    let mut largest: f64 = 0.0;
    let mut found = 0;
    for learner in Learner::ALL {
        for (pns, learnt) in pairs(experiment, Split::Third, (PNS, learner), scale, known) {
            if super::solved(pns) && super::solved(learnt) {
                found += 1;
                largest = largest.max(pns.stats.created.max(1) as f64 / learnt.stats.created.max(1) as f64);
            }
        }
    }
    if found == 0 {
        return Finding::incomplete();
    }
    let (more, tried) = large_limits(experiment, scale, known);
    let largest = largest.max(more);
    let tried =
        if tried.is_empty() { String::new() } else { format!(" Large limits: {}.", tried.join("; ")) };
    Finding::new(
        rule((largest >= 100.0).then_some(true), FULL),
        format!("largest ratio of created nodes: {}", short(largest)),
        format!(
            "Over all learners and test problems of the random third that both solve; it holds from 100 on. Nodes are compared, because single short times are noise.{tried}"
        ),
    )
    .needing("Larger limits, or priors learnt with larger ones as at scale paper, which takes days, could give larger ratios.")
}

/// All folds together: what the best model adds to mobility, in created nodes.
fn folds(experiment: &Captures, scale: Scale, known: &Results) -> Finding {
    let all: Vec<_> = Split::FOLDS
        .into_iter()
        .flat_map(|fold| pairs(experiment, fold, (MOBILE, BEST), scale, known))
        .collect();
    let found = compare(&all);
    if found.both == 0 {
        return Finding::incomplete();
    }
    beyond_one(found.created.geometric, "created nodes", found.newly_solved, found.newly_failed)
}

fn depth_first(experiment: &Captures, scale: Scale, known: &Results) -> Finding {
    let (mut shown, mut answers, mut larger) = (Vec::new(), Vec::new(), 0.0_f64);
    for (search, solver) in DEPTH_FIRST {
        let found = compare(&guided_depth_first(experiment, solver, search, scale, known));
        if found.both == 0 {
            return Finding::incomplete();
        }
        let Finding { ours, ruling, .. } =
            beyond_one(found.created.geometric, "created nodes", found.newly_solved, found.newly_failed);
        if ruling == Ruling::Undecided {
            larger = larger.max(larger_for_interval(found.created.geometric, 1.0));
        }
        answers.push(ruling);
        shown.push(format!("{}: {ours}", search.name()));
    }
    let ruling = match (answers.contains(&Ruling::Contradicted), answers.contains(&Ruling::Undecided)) {
        (true, _) => Ruling::Contradicted,
        (false, true) => Ruling::Undecided,
        (false, false) => rule(Some(true), FULL),
    };
    Finding::new(
        ruling,
        shown.join("; "),
        "Against the same search by mobility; on the random third, at scale paper on every problem.",
    )
    .needing(larger_sample(larger, "problems", None))
    .needing(fixed(experiment, scale))
}

/// Why a larger sample cannot be had.
fn fixed(experiment: &Captures, scale: Scale) -> String {
    let problems = experiment.set(scale).captures().count();
    format!(
        "There are {problems} problems in all; beyond these it is not time that is missing but other problems."
    )
}

/// Whether a ratio is above 1 for certain.
fn beyond_one(ratio: Interval, what: &str, newly_solved: usize, newly_failed: usize) -> Finding {
    let holds = match (ratio.low > 1.0, ratio.high < 1.0) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    Finding::new(
        rule(holds, FULL),
        format!(
            "{} times as many {what} without it, {newly_solved} newly solved, {newly_failed} newly failed",
            range(ratio, short)
        ),
        "Geometric mean over problems that both solve.",
    )
}

fn newly_failed(
    experiment: &Captures,
    scale: Scale,
    known: &Results,
    learner: Learner,
) -> Option<(usize, usize)> {
    let pairs = pairs(experiment, Split::Third, (PNS, learner), scale, known);
    let found = compare(&pairs);
    (!pairs.is_empty()).then_some((found.newly_failed, pairs.len()))
}

fn failed(experiment: &Captures, scale: Scale, known: &Results) -> Finding {
    let four: Option<Vec<(usize, usize)>> =
        Learner::ALL[..4].iter().map(|learner| newly_failed(experiment, scale, known, *learner)).collect();
    let Some(four) = four else { return Finding::incomplete() };
    let shown: Vec<String> = four.iter().map(|(failed, _)| failed.to_string()).collect();
    let any = four.iter().any(|(failed, _)| *failed > 0);
    Finding::new(
        rule(any.then_some(true), FULL),
        format!("{} of {}", shown.join(", "), four[0].1),
        "Newly failed against PNS on the random third, in the order of the figure's panels.",
    )
}

fn tamed(experiment: &Captures, scale: Scale, known: &Results) -> Finding {
    fewer_failed(
        experiment,
        scale,
        known,
        &[(Learner::PeakedBeta, Learner::Beta), (Learner::TamedGaussian, Learner::Gaussian)],
    )
}

/// Whether the first of each pair of learners fails newly on fewer problems. Of two tests, that from the fewest training problems and the
/// random third with its largest limit, the one with more failures of both together counts. Fewer by McNemar's exact test at 5 % on the
/// problems that only one of the two fails.
fn fewer_failed(
    experiment: &Captures,
    scale: Scale,
    known: &Results,
    learners: &[(Learner, Learner)],
) -> Finding {
    // PNS solves the problem and the learnt prior does not.
    let failed = |pairs: Pairs<'_>| -> Vec<bool> {
        pairs.iter().map(|(plain, learnt)| solved(plain) && !solved(learnt)).collect()
    };
    let fewest = |learner| failed(pairs(experiment, Split::Part(1), (PNS, learner), scale, known));
    let third = |learner| failed(tested(experiment, learner, scale, known).0);
    let count = |failed: &[bool]| failed.iter().filter(|failed| **failed).count();
    let (mut shown, mut answers) = (Vec::new(), Vec::new());
    for (one, other) in learners {
        let tests = [(fewest(*one), fewest(*other)), (third(*one), third(*other))];
        let whole = tests.into_iter().filter(|(one, other)| !one.is_empty() && one.len() == other.len());
        let Some((first, second)) = whole.max_by_key(|(one, other)| count(one) + count(other)) else {
            return Finding::incomplete();
        };
        let alone = |mine: &[bool], others: &[bool]| {
            mine.iter().zip(others).filter(|(mine, other)| **mine && !**other).count()
        };
        let (only_first, only_second) = (alone(&first, &second), alone(&second, &first));
        let p = sign_test(only_first, only_second);
        shown.push(format!("{} against {} of {} (p {p:.2})", count(&first), count(&second), first.len()));
        answers.push((p < 0.05).then_some(only_first < only_second));
    }
    let holds =
        if answers.contains(&Some(false)) { Some(false) } else { (!answers.contains(&None)).then_some(true) };
    Finding::new(
        rule(holds, FULL),
        shown.join("; "),
        "Newly failed against PNS, on the test with most failures: where learning is from the fewest problems, or the random third with its largest limit. McNemar's exact test.",
    )
    .needing("So few problems fail newly here that the test cannot reach 5 %: it takes at least six that only one of the two fails. The paper's priors, which failed on 5 to 27 of 145, were learnt from other problems.")
    .needing(fixed(experiment, scale))
}

/// The largest ratio with large limits, and what was tried. One large ratio is enough, so not every test problem need have been tried.
fn large_limits(experiment: &Captures, scale: Scale, known: &Results) -> (f64, Vec<String>) {
    let (mut largest, mut shown) = (0.0_f64, Vec::new());
    for long::Long { nodes, learners } in long::limits(scale) {
        for learner in *learners {
            let pairs = long::pairs(experiment, (*learner, *nodes), scale, known);
            let Some(ratio) = long::largest(&pairs) else { continue };
            largest = largest.max(ratio);
            shown.push(format!(
                "{} with {} nodes: {} problems",
                learner.label(),
                grouped(*nodes),
                pairs.len()
            ));
        }
    }
    (largest, shown)
}

/// Whether learning from another source solves test problems that the usual one does not, by McNemar's exact test.
fn from_more(
    experiment: &Captures,
    scale: Scale,
    known: &Results,
    learner: Learner,
    source: Source,
) -> Finding {
    let pairs = other_source(experiment, learner, source, scale, known);
    if pairs.is_empty() {
        return Finding::incomplete();
    }
    let found = compare(&pairs);
    let p = sign_test(found.newly_solved, found.newly_failed);
    let holds = (p < 0.05).then_some(found.newly_solved > found.newly_failed);
    let words = match holds {
        Some(true) => "Learning from more helps",
        Some(false) => "Learning from more harms",
        None => "The sample does not decide",
    };
    Finding::new(
        rule(holds, FULL),
        format!(
            "{} newly solved, {} newly failed of {}; {} times as many created nodes without it",
            found.newly_solved,
            found.newly_failed,
            pairs.len(),
            interval(&found, found.created.geometric)
        ),
        format!(
            "{words} ({}). On the random third, geometric mean over problems that both solve.",
            p_value(p)
        ),
    )
    .needing(larger_sample(larger_for_split(found.newly_solved, found.newly_failed), "problems", None))
    .needing(fixed(experiment, scale))
}

fn newly_solved(experiment: &Captures, scale: Scale, known: &Results) -> Finding {
    let mut shown = Vec::new();
    let mut tested = 0;
    for learner in &Learner::ALL[..4] {
        let pairs = pairs(experiment, Split::Third, (PNS, *learner), scale, known);
        if pairs.is_empty() {
            return Finding::incomplete();
        }
        tested = pairs.len();
        shown.push(compare(&pairs).newly_solved);
    }
    let words: Vec<String> = shown.iter().map(usize::to_string).collect();
    let any = shown.iter().any(|solved| *solved > 0);
    Finding::new(
        rule(any.then_some(true), FULL),
        format!("{} of {tested}", words.join(", ")),
        "Newly solved against PNS on the random third, in the order of the figure's panels.",
    )
}
