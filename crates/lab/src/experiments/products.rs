//! Paper 2, tables 4 to 7: product propagation against proof numbers and alpha-beta on Domineering and NoGo.

use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::{Block, Figure, Number, Table, ratio, seconds};
use crate::{About, Caps, Cell, Experiment, Record, Results, Scale};
use Number::{Above, Is, Missing};

/// The experiment.
pub(super) struct Products;

const NAME: &str = "products";

const ABOUT: About = About {
    title: "Product propagation on Domineering and NoGo (paper 2)",
    paper: "2: Saffidine and Cazenave, Developments on Product Propagation (CG 2013), §4.2 and §4.3, tables 4 to 7.",
    claim: "PPT solves every Domineering board with the fewest nodes of the one-level searches and in the least time; PP² needs the fewest nodes in \
        memory. On NoGo the PP searches beat the PN searches; alpha-beta is best on 4×4, PPT becomes competitive on long strips.",
    instances: "The empty boards. The paper's 5×6 is `domineering:6x5` here, six rows and five columns, the vertical player first: there PP creates \
        101,244 nodes, the paper's number exactly. Its N×1 is `nogo:1xN`.",
    solvers: "`alphabeta:symmetry=off`, `pnt`, `pn2`, and with `ties=split` `pp`, `ppt`, `pp2`; all with mobility at the leaves and without symmetries.",
    limits: "smoke: 500,000 nodes and 2 s. quick: the paper's 10⁷ nodes (alpha-beta 10⁸) and 2 min. paper: 10⁷ nodes (alpha-beta none) and 3 h. Always 4 GiB.",
    counted: "Created nodes besides the root, which the paper calls node expansions; for PN² and PP² those of the main search. Times depend on the computer and on how many searches run side by side.",
    deviations: &[
        "The paper gives neither its order of moves nor which of equal products it follows, and many are equal. Ours is row by row; `ties=split` (the last where one child is enough, the first where all are needed) was \
         chosen because then PP meets the paper's numbers to within 2 in a thousand. With `ties=first`, which is our default, `ppt` creates 81,887, 318,145 and 1,891,614 nodes on the strips of NoGo. In random orders of moves it is up to five times as many.",
        "Our alpha-beta has no hand-made evaluation for NoGo, and on Domineering it sees results that are foregone, so its counts are not comparable.",
        "Our transposition graph tells all parents of a change; the paper does not say what its own did. For PNT that explains the difference on NoGo: with only the path just walked updated it creates 3,657,556 nodes on 4×4 and 1,983,059 on 18×1. For PPT it makes none.",
    ],
};

const SOLVERS: [(&str, &str); 6] = [
    ("αβ", "alphabeta:symmetry=off"),
    ("PNT", "pnt"),
    ("PN²", "pn2"),
    ("PP", "pp:ties=split"),
    ("PPT", "ppt:ties=split"),
    ("PP²", "pp2:ties=split"),
];

/// A game with what the paper found: for every board its nodes and seconds, in the order of [`SOLVERS`].
struct Domain {
    name: &'static str,
    /// The paper's tables of nodes and of times.
    tables: [u8; 2],
    boards: &'static [Board],
}

struct Board {
    name: &'static str,
    game: &'static str,
    nodes: [Number; 6],
    seconds: [Number; 6],
}

const DOMAINS: [Domain; 2] = [
    Domain {
        name: "Domineering",
        tables: [4, 5],
        boards: &[
            Board {
                name: "5×6",
                game: "domineering:6x5",
                nodes: [
                    Is(701_559.0),
                    Is(1_002_277.0),
                    Is(17_236.0),
                    Is(101_244.0),
                    Is(27_766.0),
                    Is(3_634.0),
                ],
                seconds: [Is(0.87), Is(5.92), Is(78.7), Is(0.24), Is(0.17), Is(0.22)],
            },
            Board {
                name: "6×6",
                game: "domineering:6x6",
                nodes: [
                    Is(38_907_049.0),
                    Above(1e7),
                    Above(154_107.0),
                    Is(5_525_608.0),
                    Is(528_032.0),
                    Is(24_190.0),
                ],
                seconds: [Is(40.68), Missing, Above(10_660.0), Is(20.1), Is(5.33), Is(15.5)],
            },
            Board {
                name: "7×6",
                game: "domineering:6x7",
                nodes: [
                    Is(6_387_283_988.0),
                    Above(1e7),
                    Above(511_568.0),
                    Above(1e7),
                    Is(4_294_785.0),
                    Is(145_757.0),
                ],
                seconds: [Is(5_656.0), Missing, Above(153_000.0), Above(35.84), Is(55.13), Is(320.3)],
            },
        ],
    },
    Domain {
        name: "NoGo",
        tables: [6, 7],
        boards: &[
            Board {
                name: "4×4",
                game: "nogo:4x4",
                nodes: [
                    Is(17_194_590.0),
                    Is(3_575_076.0),
                    Is(77_010.0),
                    Above(1e7),
                    Is(2_319_816.0),
                    Missing,
                ],
                seconds: [Is(33.05), Is(436.6), Is(27_519.0), Above(338.84), Is(396.36), Missing],
            },
            Board {
                name: "18×1",
                game: "nogo:1x18",
                nodes: [
                    Is(4_444_384.0),
                    Is(2_015_179.0),
                    Above(22_679.0),
                    Is(864_951.0),
                    Is(98_991.0),
                    Is(14_246.0),
                ],
                seconds: [Is(10.43), Is(144.2), Above(3_607.0), Is(21.39), Is(9.46), Is(109.7)],
            },
            Board {
                name: "20×1",
                game: "nogo:1x20",
                nodes: [
                    Is(154_006_001.0),
                    Above(1e7),
                    Above(29_098.0),
                    Is(6_173_393.0),
                    Is(389_119.0),
                    Missing,
                ],
                seconds: [Is(361.0), Above(809.0), Above(4_583.0), Is(156.3), Is(46.3), Missing],
            },
            Board {
                name: "22×1",
                game: "nogo:1x22",
                nodes: [Is(3_133_818_285.0), Above(1e7), Missing, Above(1e7), Is(2_814_553.0), Missing],
                seconds: [Is(7_564.0), Missing, Missing, Above(307.55), Is(446.58), Missing],
            },
        ],
    },
];

fn cell(board: &Board, solver: &str, scale: Scale) -> Cell {
    let alphabeta = solver.starts_with("alphabeta");
    let nodes = match scale {
        Scale::Smoke => Some(500_000),
        Scale::Quick if alphabeta => Some(100_000_000),
        Scale::Paper if alphabeta => None,
        Scale::Quick | Scale::Paper => Some(10_000_000),
    };
    let caps = Caps { nodes, ..Caps::default() }.seconds(scale.pick(2, 120, 10_800)).bytes(4 << 30);
    Cell::solve(NAME, board.game, "", solver, caps)
}

/// What a record says, if the search came to an end; what it had reached, if not.
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

    fn cells(&self, scale: Scale, _: &Results) -> Vec<Cell> {
        let boards = DOMAINS.iter().flat_map(|domain| domain.boards);
        boards.flat_map(|board| SOLVERS.map(|(_, solver)| cell(board, solver, scale))).collect()
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
                for (nth, (label, solver)) in SOLVERS.iter().enumerate() {
                    let record = known.get(&cell(board, solver, scale));
                    let ended = record.map_or("not run", |record| record.stop.as_str()).to_owned();
                    let names = || [board.name.to_owned(), (*label).to_owned()];
                    let (theirs, ours) =
                        (board.nodes[nth], number(record, |record| record.stats.created as f64));
                    let [name, who] = names();
                    nodes.row([
                        name,
                        who,
                        theirs.to_string(),
                        ours.to_string(),
                        ratio(ours, theirs),
                        ended.clone(),
                    ]);
                    let (theirs, ours) = (board.seconds[nth], number(record, Record::seconds));
                    let [name, who] = names();
                    times.row([
                        name,
                        who,
                        theirs.show(seconds),
                        ours.show(seconds),
                        ratio(ours, theirs),
                        ended,
                    ]);
                }
            }
            blocks.extend([nodes.into(), Block::text(agreement(domain, scale, known)), times.into()]);
        }
        blocks.push(scatter(scale, known).into());
        blocks
    }
}

/// How many of the paper's counts are met within a quarter.
fn agreement(domain: &Domain, scale: Scale, known: &Results) -> String {
    let (mut met, mut both, mut far) = (0, 0, Vec::new());
    for board in domain.boards {
        for (nth, (label, solver)) in SOLVERS.iter().enumerate().skip(1) {
            let ours = number(known.get(&cell(board, solver, scale)), |record| record.stats.created as f64);
            if let (Is(ours), Is(theirs)) = (ours, board.nodes[nth]) {
                both += 1;
                let near = (0.75..=1.25).contains(&(ours / theirs));
                met += usize::from(near);
                if !near {
                    far.push(format!("{label} on {} ({:.2})", board.name, ours / theirs));
                }
            }
        }
    }
    let mut text = format!(
        "Of the {both} best-first counts that both programs have, {met} are within 25 % of the paper's. Alpha-beta is left \
         out: what it knows of a game decides its counts."
    );
    if !far.is_empty() {
        text += &format!(" Further apart: {}.", far.join(", "));
    }
    text
}

fn scatter(scale: Scale, known: &Results) -> Figure {
    let series = SOLVERS.iter().enumerate().skip(1).map(|(nth, (label, solver))| {
        let boards = DOMAINS.iter().flat_map(|domain| domain.boards);
        let point = |board: &Board| {
            let ours = number(known.get(&cell(board, solver, scale)), |record| record.stats.created as f64);
            match (board.nodes[nth], ours) {
                (Is(theirs), Is(ours)) => Some((theirs, ours)),
                _ => None,
            }
        };
        Series { name: (*label).to_owned(), points: boards.filter_map(point).collect(), mark: Mark::Dots }
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
