//! Part 2 with large limits: how large a ratio becomes when the limit does not cap it. Priors are learnt from short searches.

use super::learning::{compare, interval, panel};
use super::scatter::Pairs;
use super::{Captures, Guided, Learner, Lesson, PNS, Problem, Split, cell, solved};
use crate::captures::CaptureSolver;
use crate::report::{Block, Table, short};
use crate::text::grouped;
use crate::{Caps, Cell, Record, Results, Scale};

/// A limit for the test problems of the third, and the models that are tried with it.
pub(super) struct Long {
    pub(super) nodes: u64,
    pub(super) learners: &'static [Learner],
}

/// The paper's four models, and the one with its largest ratio.
const FOUR: [Learner; 4] = [Learner::Beta, Learner::PeakedBeta, Learner::Gaussian, Learner::TamedGaussian];
const LARGEST: [Learner; 1] = [Learner::Gaussian];

const SMOKE: [Long; 1] = [Long { nodes: 5_000, learners: &LARGEST }];
const QUICK: [Long; 2] =
    [Long { nodes: 100_000, learners: &FOUR }, Long { nodes: 1_000_000, learners: &LARGEST }];

/// The limits of a scale, ascending. At paper the third itself has a large one.
pub(super) fn limits(scale: Scale) -> &'static [Long] {
    scale.pick(&SMOKE, &QUICK, &[])
}

fn caps(nodes: u64) -> Caps {
    Caps::nodes(nodes).bytes(4 << 30)
}

fn plain(problem: &Problem, nodes: u64) -> Cell {
    cell(problem, CaptureSolver::plain(super::named(PNS)), caps(nodes))
}

fn learnt(experiment: &Captures, problem: &Problem, learner: Learner, nodes: u64, scale: Scale) -> Cell {
    let trained = super::caps(Split::Third, scale).nodes;
    let lesson = Lesson { trained, ..experiment.lesson(Split::Third, learner, Guided::Pp, scale) };
    cell(problem, CaptureSolver::learnt(lesson), caps(nodes))
}

/// Problem by problem, so that a run that is stopped has whole pairs. After the first limit only the problems that one of the two has
/// solved are tried, by the other: where neither has, a ratio would need both to solve it.
pub(super) fn cells(experiment: &Captures, scale: Scale, known: &Results) -> Vec<Cell> {
    let (test, mut cells) = (Split::Third.of(experiment.set(scale)).1, Vec::new());
    for (nth, Long { nodes, learners }) in limits(scale).iter().enumerate() {
        for problem in &test {
            if nth == 0 {
                cells.push(plain(problem, *nodes));
                let learnt = |learner: &Learner| learnt(experiment, problem, *learner, *nodes, scale);
                cells.extend(learners.iter().map(learnt));
                continue;
            }
            let before = limits(scale)[nth - 1].nodes;
            for learner in *learners {
                let of = |nodes| [plain(problem, nodes), learnt(experiment, problem, *learner, nodes, scale)];
                let [one, other] = of(before).map(|cell| known.get(&cell).map(solved));
                let [pns, guided] = of(*nodes);
                match (one, other) {
                    (Some(false), Some(true)) => cells.push(pns),
                    (Some(true), Some(false)) => cells.push(guided),
                    _ => {}
                }
            }
        }
    }
    cells
}

/// The search with the smallest limit that solves the problem, up to this limit; otherwise the one with this limit. A search with a larger
/// limit only continues the same search.
fn within(nodes: u64, scale: Scale, known: &Results, cell: impl Fn(u64) -> Cell) -> Option<&Record> {
    let smaller = limits(scale).iter().map(|long| long.nodes).filter(|smaller| *smaller < nodes);
    let done = smaller.filter_map(|smaller| known.get(&cell(smaller))).find(|record| solved(record));
    done.or_else(|| known.get(&cell(nodes)))
}

/// PNS and PP with a learnt prior, on the problems that both have tried.
pub(super) fn pairs<'k>(
    experiment: &Captures,
    (learner, nodes): (Learner, u64),
    scale: Scale,
    known: &'k Results,
) -> Pairs<'k> {
    let pair = |problem: &Problem| {
        let learnt = within(nodes, scale, known, |nodes| learnt(experiment, problem, learner, nodes, scale));
        within(nodes, scale, known, |nodes| plain(problem, nodes)).zip(learnt)
    };
    Split::Third.of(experiment.set(scale)).1.into_iter().filter_map(pair).collect()
}

/// The largest ratio of created nodes over problems that both solve.
pub(super) fn largest(pairs: &Pairs<'_>) -> Option<f64> {
    let ratios = pairs
        .iter()
        .filter(|(pns, learnt)| solved(pns) && solved(learnt))
        .map(|(pns, learnt)| pns.stats.created.max(1) as f64 / learnt.stats.created.max(1) as f64);
    ratios.max_by(f64::total_cmp)
}

pub(super) fn blocks(experiment: &Captures, scale: Scale, known: &Results) -> Vec<Block> {
    if limits(scale).is_empty() {
        return Vec::new();
    }
    let mut table = Table::new(
        "Large limits on the third: learnt PP against PNS, the paper's numbers (145 test problems, 120 s) → ours; with the largest limit only problems that at least one of the two solves",
        [
            "prior",
            "nodes",
            "problems",
            "newly failed",
            "newly solved",
            "time: mean ratio (95 %)",
            "time: geometric (95 %)",
            "largest ratio of nodes",
        ],
    );
    for Long { nodes, learners } in limits(scale) {
        for learner in *learners {
            let pairs = pairs(experiment, (*learner, *nodes), scale, known);
            if pairs.is_empty() {
                continue;
            }
            let found = compare(&pairs);
            let beside = |nth: usize, ours: String| match panel(*learner) {
                Some(theirs) => format!("{} → {ours}", theirs[nth]),
                None => ours,
            };
            table.row([
                learner.label().to_owned(),
                grouped(*nodes),
                pairs.len().to_string(),
                beside(0, found.newly_failed.to_string()),
                beside(1, found.newly_solved.to_string()),
                beside(2, interval(&found, found.time.mean)),
                interval(&found, found.time.geometric),
                largest(&pairs).map_or_else(|| "–".to_owned(), short),
            ]);
        }
    }
    let shown: Block = match table.rows.is_empty() {
        true => Block::text(
            "No rows with large limits have been made for this page yet; the same command makes them.",
        ),
        false => table.into(),
    };
    vec![Block::heading("Large limits"), shown]
}
