//! Part 2: what learnt priors change, on problems that were not learnt from (figure 8).

use super::scatter::{Measure, Pairs, plot};
use super::{
    ABLATIONS, BEST, Captures, DEPTH_FIRST, Guided, Learner, MOBILE, PLAIN, PNS, Problem, Source, Split,
    VALIDATED, guides_depth_first, in_words, long, plain, solved, splits,
};
use crate::report::{Block, Table, range, short};
use crate::text::grouped;
use crate::{Record, Results, Scale};
use delphic_base::Interval;
use delphic_learn::compare::Comparison;
use delphic_learn::train::Run;

/// Our aim: PP this many times as fast as without a learnt prior, in the geometric mean.
const AIM: f64 = 3.0;

const TIME: Measure = Measure { name: "time", unit: " (s)", of: |record| record.seconds().max(1e-6) };

/// Figure 8: newly failed, newly solved, mean speed-up, all against PNS.
pub(super) fn panel(learner: Learner) -> Option<[f64; 3]> {
    match learner {
        Learner::Beta => Some([27.0, 6.0, 45.9]),
        Learner::PeakedBeta => Some([13.0, 8.0, 30.7]),
        Learner::Gaussian => Some([21.0, 5.0, 135.5]),
        Learner::TamedGaussian => Some([5.0, 14.0, 8.8]),
        Learner::WeighedGaussian => None,
    }
}

pub(super) fn blocks(experiment: &Captures, scale: Scale, known: &Results) -> Vec<Block> {
    let mut blocks = vec![
        Block::heading("Learning (figure 8)"),
        Block::text(
            "All problems here are for the test: nothing was learnt from them. Newly solved and newly failed are counted against the search that is compared with; ratios above 1 mean that the learnt prior is faster. \"hierarchical × mobility\" is not the \
             paper's: it multiplies the learnt odds by those of the number of replies, so \"PP by mobility\", which has learnt nothing, shows how much of it is mobility alone.",
        ),
        Block::text(cap(experiment, scale, known)),
    ];
    for learner in Learner::ALL {
        let (pairs, nodes) = long::tested(experiment, learner, scale, known);
        let plot = plot(&pairs, &TIME, ["PNS", "learnt PP"], ["newly solved", "newly failed"]);
        let origin = match panel(learner) {
            Some([failed, solved, mean]) => {
                format!(
                    "a panel of figure 8; there {failed} newly failed, {solved} newly solved, mean speed-up {mean}"
                )
            }
            None => "ours".to_owned(),
        };
        let slug: String =
            learner.name().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        let caption = format!(
            "{} ({origin}): PNS against PP with the learnt prior, time to solve a test problem of the third; on the borders it was not solved within the limit{}.",
            learner.label(),
            nodes.map_or_else(String::new, |nodes| format!(" of {} nodes", grouped(nodes)))
        );
        blocks.push(plot.figure(format!("figure8-{slug}"), caption).into());
    }
    for &split in splits(scale) {
        blocks.extend(of_split(experiment, split, scale, known));
    }
    blocks.push(Block::heading("What is learnt from"));
    blocks.push(sources(experiment, scale, known).into());
    blocks.extend(long::blocks(experiment, scale, known));
    blocks.push(Block::heading("Learnt priors in depth-first searches"));
    blocks.push(depth_first(experiment, scale, known).into());
    if scale != Scale::Smoke {
        blocks.push(Block::heading("Five-fold cross-validation"));
        blocks.push(folds(experiment, scale, known).into());
    }
    blocks
}

/// How large a ratio can become at all.
fn cap(experiment: &Captures, scale: Scale, known: &Results) -> String {
    let (_, test) = Split::Third.of(experiment.set(scale));
    let seconds = |solver: &str| {
        let records =
            test.iter().filter_map(|problem| known.get(&plain(problem, solver, Split::Third, scale)));
        records.filter(|record| solved(record)).map(Record::seconds).collect::<Vec<f64>>()
    };
    let pns = seconds(PNS);
    let slowest = pns.iter().copied().fold(0.0, f64::max);
    let short_ones = pns.iter().filter(|seconds| **seconds < 0.001).count();
    format!(
        "What caps the ratios: the slowest test problem of the third that PNS solves takes {} s here, where the paper's limit was 120 s, and {short_ones} of the {} that it solves take less than a millisecond, where single times are mostly noise.",
        short(slowest),
        pns.len()
    )
}

/// A solver without a learnt prior and PP with one, on the problems of a test that both have tried.
pub(super) fn pairs<'k>(
    experiment: &Captures,
    split: Split,
    (solver, learner): (&str, Learner),
    scale: Scale,
    known: &'k Results,
) -> Pairs<'k> {
    guided(experiment, split, solver, learner, Guided::Pp, scale, known)
}

fn guided<'k>(
    experiment: &Captures,
    split: Split,
    solver: &str,
    learner: Learner,
    guided: Guided,
    scale: Scale,
    known: &'k Results,
) -> Pairs<'k> {
    let (_, test) = split.of(experiment.set(scale));
    let pair = |problem: &Problem| {
        let learnt = experiment.learnt(problem, split, learner, guided, scale);
        known.get(&plain(problem, solver, split, scale)).zip(known.get(&learnt))
    };
    test.into_iter().filter_map(pair).collect()
}

pub(super) fn compare(pairs: &Pairs<'_>) -> Comparison {
    let run = |record: &Record| Run {
        solved: solved(record),
        time: record.stats.time,
        created: record.stats.created,
    };
    let runs: Vec<(Run, Run)> = pairs.iter().map(|(first, second)| (run(first), run(second))).collect();
    Comparison::of(runs.iter().map(|(first, second)| (first, second)))
}

fn of_split(experiment: &Captures, split: Split, scale: Scale, known: &Results) -> Vec<Block> {
    let set = experiment.set(scale);
    let (training, test) = split.of(set);
    let title = format!("{} ({} and {} problems)", in_words(split, set), training.len(), test.len());
    let against = |solver| {
        Learner::ALL
            .map(|learner| (learner, compare(&pairs(experiment, split, (solver, learner), scale, known))))
    };
    let mut paper = Table::new(
        format!("{title}: learnt PP against PNS, the paper's numbers (145 test problems) → ours"),
        ["prior", "newly failed", "newly solved", "mean ratio (95 %)", "geometric mean (95 %)"],
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
    let head =
        ["prior", "solved", "time: geometric (95 %)", "time: median (95 %)", "nodes: geometric (95 %)"];
    let mut ours =
        Table::new(format!("{title}: against plain PP; solved by both, newly solved, newly failed"), head);
    let mut row = |name: &str, found: &Comparison| {
        ours.row([
            name.to_owned(),
            format!("{}, +{}, −{}", found.both, found.newly_solved, found.newly_failed),
            interval(found, found.time.geometric),
            interval(found, found.time.median),
            interval(found, found.created.geometric),
        ]);
    };
    let of = |problem, solver| known.get(&plain(problem, solver, split, scale));
    let mobility: Pairs<'_> =
        test.iter().filter_map(|problem| of(problem, PLAIN).zip(of(problem, MOBILE))).collect();
    row("PP by mobility, nothing learnt", &compare(&mobility));
    let found = against(PLAIN);
    found.iter().for_each(|(learner, found)| row(learner.label(), found));
    let mut blocks = vec![paper.into(), ours.into()];
    // Neither times below a millisecond nor half of a test say anything.
    if scale != Scale::Smoke {
        // Most of the gain over plain PP may be mobility, which needs no learning.
        let beyond = |learner| compare(&pairs(experiment, split, (MOBILE, learner), scale, known));
        let tried = |found: &Comparison| found.both + found.newly_solved + found.newly_failed + found.neither;
        let best = found.last().filter(|(_, found)| found.both > 0 && tried(found) == test.len());
        blocks.extend(best.map(|(learner, found)| verdict(*learner, found, &beyond(*learner))));
    }
    blocks
}

/// The same model with another source, against the one that learns from answered searches alone, on the third.
pub(super) fn other_source<'k>(
    experiment: &Captures,
    learner: Learner,
    source: Source,
    scale: Scale,
    known: &'k Results,
) -> Pairs<'k> {
    let pair = |problem: &Problem| {
        let usual = experiment.learnt(problem, Split::Third, learner, Guided::Pp, scale);
        known.get(&usual).zip(known.get(&experiment.learnt_from(problem, learner, source, scale)))
    };
    Split::Third.of(experiment.set(scale)).1.into_iter().filter_map(pair).collect()
}

fn sources(experiment: &Captures, scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        "Learning from more, against the same model that learns only from searches that answer their question, on the third; ratios above 1 mean that learning from more is faster",
        ["model", "learnt from", "both solve", "newly solved", "newly failed", "nodes: geometric (95 %)"],
    );
    for (learner, source) in ABLATIONS {
        let pairs = other_source(experiment, learner, source, scale, known);
        if pairs.is_empty() {
            continue;
        }
        let found = compare(&pairs);
        table.row([
            learner.label().to_owned(),
            source.label().to_owned(),
            found.both.to_string(),
            found.newly_solved.to_string(),
            found.newly_failed.to_string(),
            interval(&found, found.created.geometric),
        ]);
    }
    table
}

/// A depth-first search by mobility, and with the best prior.
pub(super) fn guided_depth_first<'k>(
    experiment: &Captures,
    solver: &str,
    search: Guided,
    scale: Scale,
    known: &'k Results,
) -> Pairs<'k> {
    let splits = [Split::Third].into_iter().chain(Split::FOLDS);
    let splits = splits.filter(|split| guides_depth_first(*split, scale));
    splits.flat_map(|split| guided(experiment, split, solver, BEST, search, scale, known)).collect()
}

fn depth_first(experiment: &Captures, scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        format!(
            "The prior \"{}\" in depth-first searches, against the same search by mobility, {}",
            BEST.label(),
            if scale == Scale::Paper { "every problem tested once (five folds)" } else { "on the third" }
        ),
        [
            "search",
            "both solve",
            "newly solved",
            "newly failed",
            "time: geometric (95 %)",
            "nodes: geometric (95 %)",
        ],
    );
    for (search, solver) in DEPTH_FIRST {
        let found = compare(&guided_depth_first(experiment, solver, search, scale, known));
        table.row([
            search.name().to_owned(),
            found.both.to_string(),
            found.newly_solved.to_string(),
            found.newly_failed.to_string(),
            interval(&found, found.time.geometric),
            interval(&found, found.created.geometric),
        ]);
    }
    table
}

fn folds(experiment: &Captures, scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        "Every problem tested once, with a prior learnt from the other four fifths; all folds together",
        ["prior", "against", "both solve", "newly solved", "newly failed", "time: geometric (95 %)"],
    );
    for learner in VALIDATED {
        for (name, solver) in [("PNS", PNS), ("plain PP", PLAIN), ("PP by mobility", MOBILE)] {
            let all: Pairs<'_> = Split::FOLDS
                .into_iter()
                .flat_map(|fold| pairs(experiment, fold, (solver, learner), scale, known))
                .collect();
            // At quick only the best model is validated.
            if all.is_empty() {
                continue;
            }
            let found = compare(&all);
            table.row([
                learner.label().to_owned(),
                name.to_owned(),
                found.both.to_string(),
                found.newly_solved.to_string(),
                found.newly_failed.to_string(),
                interval(&found, found.time.geometric),
            ]);
        }
    }
    table
}

/// A learner against plain PP, and against PP by mobility.
fn verdict(learner: Learner, found: &Comparison, beyond: &Comparison) -> Block {
    Block::text(format!(
        "Our aim is that learning makes PP {AIM} times as fast in the geometric mean and that fewer problems are newly failed than newly solved. {}: {}, {} newly failed and {} newly solved; the aim is {}. Against PP by mobility, which has learnt nothing, the ratio of times is {} and that of \
         created nodes {} in the geometric mean, with {} newly failed and {} newly solved.",
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

/// Whether the aim is met, and whether the interval confirms it.
fn met(found: &Comparison) -> &'static str {
    let Interval { value, low, .. } = found.time.geometric;
    match (value >= AIM && found.newly_failed < found.newly_solved, low >= AIM) {
        (true, true) => "met",
        (true, false) => "met, though the interval reaches below",
        (false, _) => "not met",
    }
}

pub(super) fn interval(found: &Comparison, interval: Interval) -> String {
    match found.both {
        0 => "–".to_owned(),
        _ => range(interval, short),
    }
}
