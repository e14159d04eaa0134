//! Part 2: what learning has brought, on problems that were not learnt from (figure 8).

use super::scatter::{Measure, Pairs, plot};
use super::{MOBILE, PNS, ignorant, in_words, learnt, solved, splits};
use crate::captures::{Learner, PLAIN, Set, Split};
use crate::report::{Block, Table, range, short};
use crate::{Record, Results, Scale};
use delphic_game::Interval;
use delphic_learn::compare::Comparison;
use delphic_learn::train::Run;

/// What we aim at: the geometric mean of how much faster the best learner is than plain PP.
const AIM: f64 = 3.0;

const TIME: Measure = Measure { name: "time", unit: " (s)", of: |record| record.seconds().max(1e-6) };

/// Figure 8: newly failed, newly solved, mean speed-up, all against PNS.
fn panel(learner: Learner) -> Option<[f64; 3]> {
    match learner {
        Learner::Beta => Some([27.0, 6.0, 45.9]),
        Learner::PeakedBeta => Some([13.0, 8.0, 30.7]),
        Learner::Gaussian => Some([21.0, 5.0, 135.5]),
        Learner::CalmGaussian => Some([5.0, 14.0, 8.8]),
        Learner::WeighedGaussian => None,
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
        let plot = plot(&pairs, &TIME, ["plain PP", "learnt PP"], ["newly solved", "newly failed"]);
        let origin = if panel(learner).is_some() { "a panel of figure 8" } else { "ours" };
        let slug: String =
            learner.name().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        blocks.push(
            plot.figure(format!("figure8-{slug}"), format!("{} ({origin}): time to solve a test problem of the third; on the borders it was not solved within the limit.", learner.label()))
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
        Learner::ALL.map(|learner| (learner, compare(&pairs(set, split, (solver, learner), scale, known))))
    };
    let mut paper = Table::new(
        format!("{title}: learnt PP against PNS, the paper's numbers (145 test problems) → ours"),
        ["prior", "newly failed", "newly solved", "mean speed-up (95 %)", "geometric mean (95 %)"],
    );
    for (learner, found) in against(PNS) {
        let beside = |nth: usize, ours: String| match panel(learner) {
            Some(theirs) => format!("{} → {ours}", theirs[nth]),
            None => ours,
        };
        let Comparison { newly_failed, newly_solved, time, .. } = &found;
        paper.row([
            learner.label().to_owned(),
            beside(0, newly_failed.to_string()),
            beside(1, newly_solved.to_string()),
            beside(2, interval(&found, time.mean)),
            interval(&found, time.geometric),
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
            interval(found, found.time.geometric),
            interval(found, found.time.median),
            interval(found, found.time.mean),
            interval(found, found.created.geometric),
        ]);
    };
    let plain = |problem, solver| known.get(&ignorant(problem, solver, scale));
    let mobility: Pairs<'_> =
        test.iter().filter_map(|problem| plain(problem, PLAIN).zip(plain(problem, MOBILE))).collect();
    row("PP by mobility, nothing learnt", &compare(&mobility));
    let found = against(PLAIN);
    found.iter().for_each(|(learner, found)| row(learner.label(), found));
    let mut blocks = vec![paper.into(), ours.into()];
    // What happens within a millisecond says nothing, nor does half of a test.
    if scale != Scale::Smoke {
        // Most of a speed-up over plain PP may be mobility, which nobody had to learn.
        let beyond = |learner| compare(&pairs(set, split, (MOBILE, learner), scale, known));
        let tried = |found: &Comparison| found.both + found.newly_solved + found.newly_failed + found.neither;
        let best = found.last().filter(|(_, found)| found.both > 0 && tried(found) == test.len());
        blocks.extend(best.map(|(learner, found)| verdict(*learner, found, &beyond(*learner))));
    }
    blocks
}

/// What a learner has reached against plain PP, and beyond PP by mobility.
fn verdict(learner: Learner, found: &Comparison, beyond: &Comparison) -> Block {
    Block::text(format!(
        "The aim is that learning makes PP {AIM} times as fast in the geometric mean and that fewer problems are newly failed than newly solved. {}: {}, {} newly failed and {} newly solved; the aim is {}. Against PP by mobility, \
         which has learnt nothing, it is {} times as fast and creates {} times fewer nodes in the geometric mean, with {} newly failed and {} newly solved.",
        learner.label(),
        interval(found, found.time.geometric),
        found.newly_failed,
        found.newly_solved,
        met(found),
        interval(beyond, beyond.time.geometric),
        interval(beyond, beyond.created.geometric),
        beyond.newly_failed,
        beyond.newly_solved,
    ))
}

/// Whether the aim is met, as far as the interval can tell.
fn met(found: &Comparison) -> &'static str {
    let Interval { value, low, .. } = found.time.geometric;
    match (value >= AIM && found.newly_failed < found.newly_solved, low >= AIM) {
        (true, true) => "met",
        (true, false) => "met, though the interval reaches below",
        (false, _) => "not met",
    }
}

fn interval(found: &Comparison, interval: Interval) -> String {
    match found.both {
        0 => "–".to_owned(),
        _ => range(interval, short),
    }
}
