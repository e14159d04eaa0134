//! Paper 2, tables 4 to 7: product propagation against proof numbers and alpha-beta on Domineering and NoGo.

mod bare;
mod claims;
mod paper;
mod tried;

pub use bare::BareAlphaBeta;

use super::known as named;
use crate::claim::{Judged, judge};
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::{Block, Figure, Number, Table, ratio, seconds};
use crate::text::grouped;
use crate::{About, Algorithm, Caps, Cell, Experiment, Mark as Near, Record, Results, Scale};
use Number::{Above, Is, Missing};
use paper::{Board, DOMAINS, Domain};

/// The experiment.
pub(super) struct Products;

const NAME: &str = "products";

const ABOUT: About = About {
    title: "Product propagation on Domineering and NoGo (paper 2)",
    paper: "2: Saffidine and Cazenave, Developments on Product Propagation (CG 2013), §4.2 and §4.3, tables 4 to 7.",
    instances: "The empty boards. The paper's 5×6 is `domineering:6x5` here, six rows and five columns, the vertical player first: there PP creates 101,244 nodes, the paper's number exactly. Its N×1 is `nogo:1xN`.",
    solvers: "`alphabeta:symmetry=off` with everything that our games offer it, and beside it the same search by the rules alone (`alphabeta-by-rules`), as the paper's; `pnt`, `pn2`, and with `ties=split` `pp`, `ppt`, `pp2`; all with mobility at the leaves and without symmetries. Beyond the tables: plain `pns:prior=mobility`, of which the paper says that it solves no board, and `dfpp:symmetry=off`, the depth-first product propagation that it names as future work.",
    limits: "smoke: 500,000 nodes and 1 s. quick: the paper's 10⁷ nodes (alpha-beta 10⁸) and 30 s. paper: 10⁷ nodes (alpha-beta none) and 3 h. PN² with other settings has 90 s at quick. Always 4 GiB. Times are processor times; a search that takes less than 1 s is run five times, and its time is the median.",
    counted: "Created nodes besides the root, which the paper calls node expansions; for PN² and PP² those of the main search. `alphabeta` counts only the positions it enters, the others every child they make; of alpha-beta by rules alone every child it looks at is counted, each time. Times depend on the computer and on how many \
        searches run side by side.",
    deviations: &[
        "The paper gives neither its order of moves nor which of equal products it follows, and many are equal. Ours is row by row; `ties=split` (the last where one child is enough, the first where all are needed) was chosen because then PP meets the \
         paper's numbers to within 2 in a thousand. With `ties=first`, which is our default, and in other orders of moves the counts are others (docs/decisions.md).",
        "Our alpha-beta has no hand-made evaluation for NoGo. On Domineering it recognises positions whose result is certain, and on NoGo sums of small parts; so neither its counts nor its times are comparable with the paper's. By rules alone it recognises nothing. It still tries moves that leave few replies first, and looks up all children in its table before it searches one; the paper does not say whether its own did.",
        "Our transposition graph updates all parents of a node (at most 20,000 updates at a time); the paper does not say what its own did. For PNT that explains the difference on NoGo: with only the path just walked updated its counts come within 3 % of the paper's. For PPT it makes no difference (docs/decisions.md).",
        "PNT on 5×6, PP² on 18×1 and PN² on 4×4 differ from the paper's counts by half and more; other settings were tried for each, see the end of the page. Updating only the path does not explain PNT on 5×6 (docs/decisions.md).",
        "The row of alpha-beta with all knowledge is newer than the others: Domineering and NoGo recognise more results since then, on which the other rows do not depend.",
        "Rulings made more cautious after rows had been seen: where both searches were run five times, one is faster if each of its runs is faster than each of the other's; where one was run once, two times within 25 % of each other decide nothing. The repeated runs were added because single runs did not decide.",
        "PP on Domineering 7×6 was also run without a limit of nodes, after rows had been seen: the limit ended it before PPT's time, so times could not be compared.",
        "Counts of alpha-beta cannot be compared, so they are not testable; they were called undecided at first.",
    ],
    algorithms: &[
        Algorithm {
            name: "PP (algorithm 1, tables 1 and 2)",
            mark: Near::Choices,
            words: "Ties are split, see the deviations; values are pairs of base-2 logarithms in 32 bits. The count on Domineering 5×6 is the paper's.",
        },
        Algorithm {
            name: "PPT and PNT",
            mark: Near::Choices,
            words: "The paper does not say how far an update goes; ours goes to all parents, at most 20,000 updates at a time.",
        },
        Algorithm {
            name: "PP² and PN²",
            mark: Near::Choices,
            words: "The second search may create as many nodes as the main search has, as printed. Two counts differ for unknown reasons, see the end of the page.",
        },
        Algorithm { name: "PNS", mark: Near::AsPrinted, words: "With mobility at the leaves." },
        Algorithm {
            name: "alpha-beta",
            mark: Near::Differs,
            words: "With a table, killer moves and a history as in the paper; beyond that it looks up all children in the table first, tries moves that leave few replies first, and uses what the games know. By rules alone it uses nothing of the games.",
        },
    ],
};

/// A solver: its label, its name, and its place in the paper's tables.
struct Entry {
    label: &'static str,
    solver: &'static str,
    paper: Option<usize>,
}

const fn entry(label: &'static str, solver: &'static str, paper: Option<usize>) -> Entry {
    Entry { label, solver, paper }
}

/// Alpha-beta by the rules alone; a search of this experiment and not a solver of the engine.
const BARE: &str = "alphabeta-by-rules";

const SOLVERS: [Entry; 9] = [
    entry("αβ", "alphabeta:symmetry=off", Some(0)),
    entry("αβ by rules", BARE, Some(0)),
    entry("PNS", "pns:prior=mobility", None),
    entry("PNT", "pnt", Some(1)),
    entry("PN²", "pn2", Some(2)),
    entry("PP", "pp:ties=split", Some(3)),
    entry("PPT", "ppt:ties=split", Some(4)),
    entry("PP²", "pp2:ties=split", Some(5)),
    entry("df-PP", "dfpp:symmetry=off", None),
];

impl Entry {
    /// The paper's number in one of its rows; nothing for solvers that it does not have.
    fn of(&self, row: &[Number; 6]) -> Number {
        self.paper.map_or(Missing, |nth| row[nth])
    }
}

/// The solver with this label.
fn labelled(label: &str) -> &'static Entry {
    SOLVERS.iter().find(|entry| entry.label == label).unwrap_or(&SOLVERS[0])
}

fn cell(board: &Board, solver: &str, scale: Scale) -> Cell {
    let alphabeta = solver.starts_with("alphabeta");
    let nodes = match scale {
        Scale::Smoke => Some(500_000),
        Scale::Quick if alphabeta => Some(100_000_000),
        Scale::Paper if alphabeta => None,
        Scale::Quick | Scale::Paper => Some(10_000_000),
    };
    within(board, solver, Caps { nodes, ..Caps::default() }.seconds(scale.pick(1, 30, 10_800)))
}

fn within(board: &Board, solver: &str, caps: Caps) -> Cell {
    let caps = caps.bytes(4 << 30);
    match solver {
        BARE => Cell::bare(NAME, board.game, caps),
        _ => Cell::solve(NAME, board.game, "", named(solver), caps),
    }
}

/// The same without a limit of nodes: its time is compared where the limit ended a search earlier than PPT.
fn unlimited(board: &Board, entry: &Entry, scale: Scale) -> Cell {
    within(board, entry.solver, Caps::default().seconds(scale.pick(1, 60, 10_800)))
}

/// Whether the limit of nodes ended a search before PPT solves the board.
fn ended_early(board: &Board, entry: &Entry, scale: Scale, known: &Results) -> bool {
    let of = |entry: &Entry| known.get(&cell(board, entry.solver, scale));
    match (of(entry), of(labelled("PPT"))) {
        (Some(one), Some(ppt)) => one.stop == "nodes" && one.seconds() < ppt.seconds(),
        _ => false,
    }
}

/// How often a search that does not take long is run, for its time. The searches are deterministic: their seeds only tell them apart.
fn runs(scale: Scale) -> u64 {
    scale.pick(1, 5, 5)
}

/// Whether a search is run several times.
fn is_short(record: &Record) -> bool {
    record.verdict.proven() && record.seconds() < 1.0
}

/// A measure of a finished search; of one that was stopped, what it had reached.
fn nodes_of(board: &Board, entry: &Entry, scale: Scale, known: &Results) -> Number {
    let count = |record: &Record| match entry.solver {
        BARE => record.stats.visited,
        _ => record.stats.created,
    };
    number(known.get(&cell(board, entry.solver, scale)), |record| count(record) as f64)
}

/// The median of all runs.
fn seconds_of(board: &Board, entry: &Entry, scale: Scale, known: &Results) -> Number {
    let seconds = times_of(board, entry, scale, known);
    match known.get(&cell(board, entry.solver, scale)) {
        None => Missing,
        Some(record) if record.verdict.proven() => Is(seconds[seconds.len() / 2]),
        Some(record) => Above(record.seconds()),
    }
}

/// The seconds of every run that solved the board, ascending.
fn times_of(board: &Board, entry: &Entry, scale: Scale, known: &Results) -> Vec<f64> {
    let runs = (1..=runs(scale)).filter_map(|nth| known.get(&cell(board, entry.solver, scale).seeded(nth)));
    let mut seconds: Vec<f64> = runs.filter(|record| record.verdict.proven()).map(Record::seconds).collect();
    seconds.sort_by(f64::total_cmp);
    seconds
}

fn number(record: Option<&Record>, measure: impl Fn(&Record) -> f64) -> Number {
    match record {
        None => Missing,
        Some(record) if record.verdict.proven() => Is(measure(record)),
        Some(record) => Above(measure(record)),
    }
}

impl Experiment for Products {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn claims(&self, scale: Scale, known: &Results) -> Vec<Judged> {
        judge(&claims::CLAIMS, self, scale, known)
    }

    fn cells(&self, scale: Scale, known: &Results) -> Vec<Cell> {
        let boards = DOMAINS.iter().flat_map(|domain| domain.boards);
        let mut cells: Vec<Cell> = boards
            .clone()
            .flat_map(|board| SOLVERS.iter().map(|entry| cell(board, entry.solver, scale)))
            .collect();
        // One run of each after the other, so that other work on the machine meets all alike.
        for nth in 2..=runs(scale) {
            for (board, entry) in
                boards.clone().flat_map(|board| SOLVERS.iter().map(move |entry| (board, entry)))
            {
                if known.get(&cell(board, entry.solver, scale)).is_some_and(is_short) {
                    cells.push(cell(board, entry.solver, scale).seeded(nth));
                }
            }
        }
        for board in DOMAINS[0].boards {
            let best_first = SOLVERS.iter().filter(|entry| entry.paper.is_some_and(|nth| nth > 0));
            let early = best_first.filter(|entry| ended_early(board, entry, scale, known));
            cells.extend(early.map(|entry| unlimited(board, entry, scale)));
        }
        cells.extend(tried::cells(scale));
        cells
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        let mut blocks = Vec::new();
        for domain in &DOMAINS {
            blocks.push(Block::heading(domain.name));
            let [mut nodes, mut times] = [("created nodes", 0), ("seconds", 1)].map(|(what, nth)| {
                let caption = format!("Table {} of the paper: {what}", domain.tables[nth]);
                Table::new(caption, ["board", "solver", "paper", "ours", "ours / paper", "ended by"])
            });
            for board in domain.boards {
                for entry in &SOLVERS {
                    let record = known.get(&cell(board, entry.solver, scale));
                    let ended = record.map_or("not run", |record| record.stop.as_str());
                    let row = |theirs: Number, ours: Number, show: fn(f64) -> String| {
                        let names = [board.name, entry.label].map(str::to_owned);
                        let numbers =
                            [theirs.show(show), ours.show(show), ratio(ours, theirs), ended.to_owned()];
                        names.into_iter().chain(numbers).collect::<Vec<String>>()
                    };
                    let whole = |value: f64| grouped(value.round() as u64);
                    nodes.rows.push(row(entry.of(&board.nodes), nodes_of(board, entry, scale, known), whole));
                    times.rows.push(row(
                        entry.of(&board.seconds),
                        seconds_of(board, entry, scale, known),
                        seconds,
                    ));
                }
            }
            blocks.extend([nodes.into(), Block::text(agreement(domain, scale, known)), times.into()]);
        }
        blocks.push(scatter(scale, known).into());
        blocks.extend(tried::blocks(scale, known));
        blocks
    }
}

/// The best-first counts of the paper that ours can be compared with: label, board, ours over the paper's.
fn ratios(domain: &Domain, scale: Scale, known: &Results) -> Vec<(&'static str, &'static str, f64)> {
    let mut found = Vec::new();
    for board in domain.boards {
        for entry in SOLVERS.iter().filter(|entry| entry.paper.is_some_and(|nth| nth > 0)) {
            if let (Is(ours), Is(theirs)) = (nodes_of(board, entry, scale, known), entry.of(&board.nodes)) {
                found.push((entry.label, board.name, ours / theirs));
            }
        }
    }
    found
}

/// How many of the paper's counts are met within a quarter.
fn agreement(domain: &Domain, scale: Scale, known: &Results) -> String {
    let ratios = ratios(domain, scale, known);
    let (near, far): (Vec<_>, Vec<_>) =
        ratios.iter().partition(|(_, _, ratio)| (0.75..=1.25).contains(ratio));
    let mut text = format!(
        "Of the {} best-first counts that both programs have, {} are within 25 % of the paper's. Alpha-beta is left out, because its counts depend on what it uses of a game beyond the rules.",
        ratios.len(),
        near.len()
    );
    if !far.is_empty() {
        let far: Vec<String> =
            far.iter().map(|(label, board, ratio)| format!("{label} on {board} ({ratio:.2})")).collect();
        text += &format!(" Further apart: {}; see the end of the page.", far.join(", "));
    }
    text
}

fn scatter(scale: Scale, known: &Results) -> Figure {
    let series = SOLVERS.iter().filter(|entry| entry.paper.is_some_and(|nth| nth > 0)).map(|entry| {
        let boards = DOMAINS.iter().flat_map(|domain| domain.boards);
        let point = |board: &Board| match (entry.of(&board.nodes), nodes_of(board, entry, scale, known)) {
            (Is(theirs), Is(ours)) => Some((theirs, ours)),
            _ => None,
        };
        Series { name: entry.label.to_owned(), points: boards.filter_map(point).collect(), mark: Mark::Dots }
    });
    let plot = Plot {
        x: Axis::log("created nodes in the paper"),
        y: Axis::log("created nodes here"),
        series: series.collect(),
        diagonal: true,
    };
    plot.figure(
        "nodes",
        "Best-first searches on boards that both programs solved; on the dashed line the counts are equal.",
    )
}
