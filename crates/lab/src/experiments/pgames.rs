//! Paper 3, figures 7 to 12: five solvers on P-game trees.

use crate::plot::{Axis, Bar, Bars, Mark, Plot, Series};
use crate::report::{Block, Figure, Table, range, short};
use crate::{About, Caps, Cell, Experiment, Record, Results, Scale, Verdict};
use delphic_engine::Ask;
use delphic_game::Interval;

/// The experiment.
pub(super) struct PGames;

const NAME: &str = "pgames";

const ABOUT: About = About {
    title: "Probability-based proof-number search on P-game trees (paper 3)",
    paper: "3: Song, Iida and van den Herik, Probability based Proof Number Search (ICAART 2019), §4, figures 7 to 12.",
    claim: "PPN takes the least time and the fewest iterations to solve a tree. MCPNS and pure MCTS follow, then UCT; PNS is worse than pure MCTS. The error \
        rate of the selected move falls faster and more smoothly for PPN than for PNS, MCPNS and pure MCTS; for UCT it falls fastest.",
    instances: "The trees `pgame:b=2,d=20,seed=n` and `pgame:b=8,d=8,seed=n` for n = 1, 2, …: 10 of each at smoke, the paper's 200 at quick and paper. The \
        search of tree n has seed n.",
    solvers: "`ppn`, `mcpns`, `uct` (C = 1.414 inside the root) and `mcts` with 10 playouts at a leaf, `pns`. Besides, `mcpns:theta=0`, the formulas as they are printed.",
    limits: "None: every tree is solved.",
    counted: "Iterations; those of UCT and pure MCTS, which make one node each, are divided by the branching factor as in the paper. Whether MAX, to move, wins; a \
        draw is no win. Intervals are bootstrap intervals for 95 %, those of error rates Wilson's.",
    deviations: &[
        "The paper draws its numbers and does not print them, so there is nothing to divide by; what it says in words stands beside ours.",
        "The selected move after n iterations is the first move of the line of a search that was cut off after n times the branching factor created nodes. It is wrong if \
         MAX wins the tree but not after that move.",
        "The paper does not say what its MCPNS does with a leaf that won all its playouts. Ours keeps pn and dn above θ = 0.01; θ = 0 is shown too.",
    ],
};

const SHAPES: [(u64, &str, &str); 2] =
    [(2, "b=2,d=20", "2 branches, 20 layers"), (8, "b=8,d=8", "8 branches, 8 layers")];

/// Label, solver, and the place the paper's text gives it.
const SOLVERS: [(&str, &str, &str); 6] = [
    ("PPN", "ppn:playouts=10", "1"),
    ("MCPNS", "mcpns:playouts=10", "2 or 3"),
    ("MCTS", "mcts:playouts=10", "2 or 3"),
    ("UCT", "uct:playouts=10", "4 or 5"),
    ("PNS", "pns", "4 or 5"),
    ("MCPNS, θ = 0", "mcpns:playouts=10,theta=0", "–"),
];

fn trees(scale: Scale) -> u64 {
    scale.pick(10, 200, 200)
}

/// Scaled iterations after which the selected move is looked at: 8, 16, and so on.
fn checkpoints(scale: Scale) -> impl Iterator<Item = u64> {
    (3..scale.pick(12, 15, 17)).map(|power| 1 << power)
}

fn tree(shape: &str, seed: u64) -> String {
    format!("pgame:{shape},seed={seed}")
}

fn whole(shape: &str, seed: u64, solver: &str) -> Cell {
    Cell::solve(NAME, &tree(shape, seed), "", solver, Caps::default().bytes(4 << 30)).seeded(seed)
}

fn cut(shape: &str, branching: u64, seed: u64, solver: &str, iterations: u64) -> Cell {
    let caps = Caps::nodes(iterations * branching).bytes(4 << 30);
    Cell::solve(NAME, &tree(shape, seed), "", solver, caps).seeded(seed)
}

/// Whether MIN gets at least a draw after MAX's move with this number: then the move does not win.
fn refutation(shape: &str, seed: u64, child: u64) -> Cell {
    let position = format!("/{child}");
    Cell::solve(NAME, &tree(shape, seed), &position, "alphabeta", Caps::default()).asking(Ask::Draw)
}

/// Iterations as the paper plots them.
fn scaled(record: &Record, solver: &str, branching: u64) -> f64 {
    let one_node_each = solver.starts_with("uct") || solver.starts_with("mcts");
    record.stats.iterations as f64 / if one_node_each { branching as f64 } else { 1.0 }
}

impl Experiment for PGames {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn cells(&self, scale: Scale, _: &Results) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (branching, shape, _) in SHAPES {
            for seed in 1..=trees(scale) {
                cells.extend((0..branching).map(|child| refutation(shape, seed, child)));
                for (_, solver, _) in SOLVERS {
                    cells.push(whole(shape, seed, solver));
                    cells.extend(checkpoints(scale).map(|n| cut(shape, branching, seed, solver, n)));
                }
            }
        }
        cells
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        let figures = [(7, 8, 9), (10, 11, 12)];
        let mut blocks = Vec::new();
        for ((branching, shape, name), (time, iterations, errors)) in SHAPES.into_iter().zip(figures) {
            blocks.push(Block::heading(name));
            let sample: Vec<Sample> =
                SOLVERS.iter().map(|who| Sample::new(branching, shape, who, scale, known)).collect();
            blocks.push(table(&sample).into());
            blocks.push(Block::text(verdict(&sample)));
            blocks.push(
                bars(&sample, iterations, "mean iterations to solve a tree", |sample| &sample.iterations)
                    .into(),
            );
            blocks
                .push(bars(&sample, time, "mean time to solve a tree (s)", |sample| &sample.seconds).into());
            blocks.push(error_rates(branching, shape, errors, scale, known).into());
        }
        blocks
    }
}

/// What one solver needed for the trees that are done, in their order.
struct Sample {
    label: &'static str,
    place: &'static str,
    iterations: Vec<f64>,
    /// The trees that these belong to.
    seeds: Vec<u64>,
    seconds: Vec<f64>,
    open: usize,
}

impl Sample {
    fn new(
        branching: u64,
        shape: &str,
        who: &(&'static str, &str, &'static str),
        scale: Scale,
        known: &Results,
    ) -> Sample {
        let (label, solver, place) = *who;
        let done = |seed| known.get(&whole(shape, seed, solver)).map(|record| (seed, record));
        let records: Vec<(u64, &Record)> = (1..=trees(scale)).filter_map(done).collect();
        let solved = || records.iter().filter(|(_, record)| record.verdict.proven());
        Sample {
            label,
            place,
            iterations: solved().map(|(_, record)| scaled(record, solver, branching)).collect(),
            seeds: solved().map(|(seed, _)| *seed).collect(),
            seconds: solved().map(|(_, record)| record.seconds()).collect(),
            open: records.len() - solved().count(),
        }
    }

    /// Iterations for one tree.
    fn of(&self, seed: u64) -> Option<f64> {
        self.seeds.binary_search(&seed).ok().map(|place| self.iterations[place])
    }
}

fn mean(values: &[f64]) -> String {
    Interval::mean(values).map_or_else(|| "–".to_owned(), |interval| range(interval, short))
}

fn table(sample: &[Sample]) -> Table {
    let head = [
        "solver",
        "trees solved",
        "open",
        "mean iterations (95 %)",
        "mean seconds (95 %)",
        "place here",
        "place in the paper",
    ];
    let mut table = Table::new("Means over trees; places by iterations, among the paper's five", head);
    let average =
        |sample: &Sample| Interval::mean(&sample.iterations).map_or(f64::INFINITY, |interval| interval.value);
    for one in sample {
        let better =
            sample.iter().filter(|other| other.place != "–" && average(other) < average(one)).count();
        table.row([
            one.label.to_owned(),
            one.iterations.len().to_string(),
            one.open.to_string(),
            mean(&one.iterations),
            mean(&one.seconds),
            if one.place == "–" { "–".to_owned() } else { (better + 1).to_string() },
            one.place.to_owned(),
        ]);
    }
    table
}

/// Whether PPN needs the fewest iterations, from the differences tree by tree.
fn verdict(sample: &[Sample]) -> String {
    let Some((ppn, others)) = sample.split_first() else { return String::new() };
    let mut sentences = vec!["Iterations more than PPN, tree by tree:".to_owned()];
    for other in others {
        let difference = |seed: &u64| Some(other.of(*seed)? - ppn.of(*seed)?);
        let differences: Vec<f64> = ppn.seeds.iter().filter_map(difference).collect();
        let Some(Interval { value: mean, low, high }) = Interval::mean(&differences) else { continue };
        let said = match (low > 0.0, high < 0.0) {
            (true, _) => "more than PPN",
            (_, true) => "fewer than PPN",
            _ => "not told apart by this sample",
        };
        sentences.push(format!("{} {mean:+.0} ({low:+.0} to {high:+.0}), {said};", other.label));
    }
    let last = sentences.len() - 1;
    sentences[last] = sentences[last].replace(';', ".");
    sentences.join(" ")
}

fn bars(sample: &[Sample], number: u32, label: &str, values: impl Fn(&Sample) -> &Vec<f64>) -> Figure {
    let bar = |one: &Sample| {
        let Interval { value: mean, low, high } = Interval::mean(values(one))?;
        Some(Bar { name: one.label.to_owned(), parts: vec![mean], interval: Some((low, high)) })
    };
    let bars = Bars {
        axis: Axis::log(label),
        parts: vec![label.to_owned()],
        bars: sample.iter().filter_map(bar).collect(),
    };
    bars.figure(
        format!("figure{number}"),
        format!("Figure {number} of the paper: {label}, with 95 % bootstrap intervals."),
    )
}

fn error_rates(branching: u64, shape: &str, number: u32, scale: Scale, known: &Results) -> Figure {
    let mut judged = Vec::new();
    for seed in 1..=trees(scale) {
        let loses = |child| {
            known.get(&refutation(shape, seed, child)).map(|record| record.verdict == Verdict::Proved)
        };
        let moves: Option<Vec<bool>> = (0..branching).map(loses).collect();
        judged.extend(moves.map(|moves| (seed, moves)));
    }
    let risky = judged.iter().filter(|(_, moves)| moves.contains(&true) && moves.contains(&false)).count();
    let series = SOLVERS.iter().map(|(label, solver, _)| {
        let rate = |iterations: u64| {
            let (mut wrong, mut of) = (0, 0);
            for (seed, moves) in &judged {
                let Some(record) = known.get(&cut(shape, branching, *seed, solver, iterations)) else {
                    continue;
                };
                let winnable = moves.contains(&false);
                let chosen = record.first_move().parse::<usize>().unwrap_or(0);
                wrong += usize::from(winnable && moves.get(chosen) == Some(&true));
                of += 1;
            }
            (of > 0).then(|| (iterations as f64, 100.0 * wrong as f64 / of as f64))
        };
        Series {
            name: (*label).to_owned(),
            points: checkpoints(scale).filter_map(rate).collect(),
            mark: Mark::Line,
        }
    });
    let plot = Plot {
        x: Axis::log("iterations (scaled)"),
        y: Axis::linear("error rate of the selected move (%)"),
        series: series.collect(),
        diagonal: false,
    };
    plot.figure(format!("figure{number}"), format!(
            "Figure {number} of the paper: how often the selected move is wrong, over {} trees. In {risky} of them MAX wins and has a move that \
             throws the win away; elsewhere no move is wrong.",
            judged.len()
        ))
}
