//! Part 2 with large limits: how large a ratio becomes when the limit does not cap it. Priors are learnt from short searches.

use super::learning::{self, compare, interval, panel};
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

/// The paper's four models, the one with its largest ratio first.
const FOUR: [Learner; 4] = [Learner::Gaussian, Learner::Beta, Learner::TamedGaussian, Learner::PeakedBeta];

const SMOKE: [Long; 1] = [Long { nodes: 5_000, learners: &[Learner::Gaussian] }];
const QUICK: [Long; 3] = [
    Long { nodes: 100_000, learners: &FOUR },
    Long { nodes: 1_000_000, learners: &FOUR },
    Long { nodes: LARGE, learners: &FOUR },
];

/// A limit that does not cap the paper's mean ratios: more nodes than its 120 s allowed.
pub(super) const LARGE: u64 = 10_000_000;

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

/// The first limit for all test problems, problem by problem; then, search by search, those that the smaller limit left open. A search
/// whose counterpart has solved the problem comes first, because it gives a ratio.
pub(super) fn cells(experiment: &Captures, scale: Scale, known: &Results) -> Vec<Cell> {
    let (test, mut cells) = (Split::Third.of(experiment.set(scale)).1, Vec::new());
    let mut before: Option<u64> = None;
    for Long { nodes, learners } in limits(scale) {
        let of = |problem: &Problem, learner: Option<Learner>, nodes: u64| match learner {
            None => plain(problem, nodes),
            Some(learner) => learnt(experiment, problem, learner, nodes, scale),
        };
        let searches = || std::iter::once(None).chain(learners.iter().copied().map(Some));
        let Some(smaller) = before.replace(*nodes) else {
            cells
                .extend(test.iter().flat_map(|problem| searches().map(|search| of(problem, search, *nodes))));
            continue;
        };
        let solves = |problem: &Problem, search| {
            within(smaller, scale, known, |nodes| of(problem, search, nodes)).map(solved)
        };
        let mut open: Vec<(bool, Cell)> = Vec::new();
        for search in searches() {
            for problem in test.iter().filter(|problem| solves(problem, search) == Some(false)) {
                let counterpart = match search {
                    None => searches().any(|other| solves(problem, other) == Some(true)),
                    Some(_) => solves(problem, None) == Some(true),
                };
                open.push((!counterpart, of(problem, search, *nodes)));
            }
        }
        open.sort_by_key(|(later, _)| *later);
        cells.extend(open.into_iter().map(|(_, cell)| cell));
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

/// PNS and a learnt prior on the test problems of the third, with the largest limit that all of them have, and that limit.
pub(super) fn tested<'k>(
    experiment: &Captures,
    learner: Learner,
    scale: Scale,
    known: &'k Results,
) -> (Pairs<'k>, Option<u64>) {
    let all = Split::Third.of(experiment.set(scale)).1.len();
    let limits = limits(scale).iter().rev().filter(|long| long.learners.contains(&learner));
    let mut tried = limits.map(|long| (pairs(experiment, (learner, long.nodes), scale, known), long.nodes));
    match tried.find(|(pairs, _)| pairs.len() == all) {
        Some((pairs, nodes)) => (pairs, Some(nodes)),
        None => (learning::pairs(experiment, Split::Third, (PNS, learner), scale, known), None),
    }
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
        "Large limits on the third: learnt PP against PNS, the paper's numbers (145 test problems, 120 s) → ours, on the problems that both have tried",
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
