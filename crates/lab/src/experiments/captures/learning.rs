//! Part 2: what learning has brought, on problems that were not learnt from (figure 8).

use super::scatter::{Measure, Pairs, plot};
use super::{IGNORANT, ignorant, in_words, learnt, solved, splits};
use crate::captures::{Learner, PLAIN, Set, Split};
use crate::report::{Block, Figure, Table, short};
use crate::{Record, Results, Scale};
use delphic_learn::compare::{Comparison, Estimate};
use delphic_learn::train::Run;

/// What we aim at: the geometric mean of how much faster the best learner is than plain PP.
const AIM: f64 = 3.0;

const TIME: Measure = Measure { name: "time", unit: " (s)", of: |record| record.seconds().max(1e-6) };

/// The names of the learners, and figure 8: newly failed, newly solved, mean speed-up, all against PNS.
fn panel(learner: Learner) -> (&'static str, Option<[f64; 3]>) {
    match learner {
        Learner::Beta => ("Beta, 1 and 1", Some([27.0, 6.0, 45.9])),
        Learner::PeakedBeta => ("Beta, 1000 and 1000", Some([13.0, 8.0, 30.7])),
        Learner::Gaussian => ("hierarchical", Some([21.0, 5.0, 135.5])),
        Learner::CalmGaussian => ("hierarchical, slow", Some([5.0, 14.0, 8.8])),
        Learner::WeighedGaussian => ("hierarchical × mobility", None),
    }
}

pub(super) fn blocks(set: &Set, scale: Scale, known: &Results) -> Vec<Block> {
    let mut blocks = vec![
        Block::heading("Learning (figure 8)"),
        Block::text(
            "All problems here are of the test: nothing was learnt from them. Newly solved and newly failed are counted against the way that is compared with; speed-ups above 1 are faster. \"hierarchical × mobility\" is not the \
             paper's: it multiplies the learnt odds by those of the number of replies, so \"PP by mobility\", which has learnt nothing, shows what of it is mobility alone.",
        ),
    ];
    for &split in splits(scale) {
        blocks.extend(of_split(split, set, scale, known));
    }
    for learner in Learner::ALL {
        let pairs = pairs(set, Split::Third, (PLAIN, learner), scale, known);
        let (name, paper) = panel(learner);
        let plot = plot(&pairs, &TIME, ["plain PP", "learnt PP"], ["newly solved", "newly failed"]);
        let origin = if paper.is_some() { "a panel of figure 8" } else { "ours" };
        let slug: String =
            learner.name().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        blocks.push(
            Figure {
                slug: format!("figure8-{slug}"),
                caption: format!("{name} ({origin}): time to solve a test problem of the third; on the borders it was not solved within the limit."),
                svg: plot.svg(),
                csv: plot.csv(),
            }
            .into(),
        );
    }
    blocks
}

/// A solver that knows nothing and a learner, on the problems of a test that both have tried.
fn pairs<'k>(
    set: &Set,
    split: Split,
    (solver, learner): (&str, Learner),
    scale: Scale,
    known: &'k Results,
) -> Pairs<'k> {
    let (_, test) = split.of(set);
    let pair = |problem| {
        known.get(&ignorant(problem, solver, scale)).zip(known.get(&learnt(problem, split, learner, scale)))
    };
    test.into_iter().filter_map(pair).collect()
}

fn compare(pairs: &Pairs<'_>) -> Comparison {
    let run = |record: &Record| Run {
        solved: solved(record),
        time: record.stats.time,
        created: record.stats.created,
    };
    let runs: Vec<(Run, Run)> = pairs.iter().map(|(first, second)| (run(first), run(second))).collect();
    Comparison::of(runs.iter().map(|(first, second)| (first, second)))
}

fn of_split(split: Split, set: &Set, scale: Scale, known: &Results) -> Vec<Block> {
    let (training, test) = split.of(set);
    let title = format!("{} ({} and {} problems)", in_words(split, set), training.len(), test.len());
    let against = |solver| {
        Learner::ALL
            .map(|learner| (panel(learner), compare(&pairs(set, split, (solver, learner), scale, known))))
    };
    let mut paper = Table::new(
        format!("{title}: learnt PP against PNS, the paper's numbers (145 test problems) → ours"),
        ["prior", "newly failed", "newly solved", "mean speed-up", "ours (95 %)", "geometric mean (95 %)"],
    );
    for ((name, theirs), found) in against(IGNORANT[0]) {
        let beside = |nth: usize, ours: String| match theirs {
            Some(theirs) => format!("{} → {ours}", theirs[nth]),
            None => ours,
        };
        let Comparison { newly_failed, newly_solved, time, .. } = found;
        paper.row([
            name.to_owned(),
            beside(0, newly_failed.to_string()),
            beside(1, newly_solved.to_string()),
            beside(2, short(time.mean.value)),
            interval(time.mean),
            interval(time.geometric),
        ]);
    }
    let mut ours = Table::new(
        format!("{title}: against plain PP"),
        [
            "prior",
            "both solve",
            "newly solved",
            "newly failed",
            "time: geometric mean (95 %)",
            "time: median (95 %)",
            "time: mean (95 %)",
            "nodes: geometric mean (95 %)",
        ],
    );
    let mut row = |name: &str, found: &Comparison| {
        ours.row([
            name.to_owned(),
            found.both.to_string(),
            found.newly_solved.to_string(),
            found.newly_failed.to_string(),
            interval(found.time.geometric),
            interval(found.time.median),
            interval(found.time.mean),
            interval(found.created.geometric),
        ]);
    };
    let plain = |problem, solver| known.get(&ignorant(problem, solver, scale));
    let mobility: Pairs<'_> =
        test.iter().filter_map(|problem| plain(problem, PLAIN).zip(plain(problem, IGNORANT[2]))).collect();
    row("PP by mobility, nothing learnt", &compare(&mobility));
    let found = against(PLAIN);
    found.iter().for_each(|((name, _), found)| row(name, found));
    let best = &found[found.len() - 1].1;
    let verdict = format!(
        "The aim is that learning makes PP {AIM} times as fast in the geometric mean and that fewer problems are newly failed than newly solved. {} reaches {}, {} newly failed and {} newly solved: {}.",
        found[found.len() - 1].0.0,
        interval(best.time.geometric),
        best.newly_failed,
        best.newly_solved,
        met(best),
    );
    vec![paper.into(), ours.into(), Block::text(verdict)]
}

/// Whether the aim is met, as far as the interval can tell.
fn met(found: &Comparison) -> &'static str {
    let Estimate { value, low, .. } = found.time.geometric;
    match (value >= AIM && found.newly_failed < found.newly_solved, low >= AIM) {
        (true, true) => "met",
        (true, false) => "met, though the interval reaches below",
        (false, _) => "not met",
    }
}

fn interval(Estimate { value, low, high }: Estimate) -> String {
    format!("{} ({} to {})", short(value), short(low), short(high))
}
