//! Paper 3, figures 7 to 12: five solvers on P-game trees.

mod claims;
mod tables;

use super::known as named;
use crate::claim::{Judged, judge};
use crate::report::Block;
use crate::{About, Caps, Cell, Experiment, Record, Results, Scale};
use delphic_engine::Ask;

/// The experiment.
pub(super) struct PGames;

const NAME: &str = "pgames";

const ABOUT: About = About {
    title: "Probability-based proof-number search on P-game trees (paper 3)",
    paper: "3: Song, Iida and van den Herik, Probability based Proof Number Search (ICAART 2019), §4, figures 7 to 12.",
    instances: "The trees `pgame:b=2,d=20,seed=n` and `pgame:b=8,d=8,seed=n` for n = 1, 2, …: 10 of each at smoke, the paper's 200 at quick and paper. The search of tree n has seed n.",
    solvers: "`ppn`, `mcpns`, `uct` (C = 1.414 inside the root, values from 0 to 1) and `mcts` with 10 playouts at a leaf, `pns`. Besides, variants of what the paper leaves open or says in its text: θ, the number of playouts, the constant of UCT.",
    limits: "None: every tree is solved.",
    counted: "Iterations; those of UCT and pure MCTS, which make one node each, are divided by the branching factor as in the paper. Whether MAX, to move, wins; a draw is not a win. Means have bootstrap intervals for 95 %, error rates Wilson's.",
    deviations: &[
        "The paper draws its numbers and does not print them; its statements in words stand beside ours.",
        "Ties. `ppn`, `mcpns` and `pns` follow the first of equal children, `mcts` and `uct` a random one; the paper does not say what it did. Where many playouts end alike, ties are frequent and the choice decides: with the first of equals pure MCTS needs two to three times fewer \
         iterations, with a random one MCPNS without θ needs two to three times more. PPN hardly ever ties.",
        "θ. The paper does not say what its MCPNS does with a leaf that won all its playouts. Ours keeps pn and dn at or above θ = 0.01, a choice made after seeing that with θ = 0 MCPNS beats PPN; θ = 0, the printed formulas, is shown too.",
        "The final move. After n iterations MCTS and UCT select the move with the largest v + 1/√n, the rule that the paper prints, where v is a move's mean value and n its visits; the others select the first move of their line. Pure MCTS puts nearly all visits on one move, so a move with a \
         single visit gets a bonus of 1 and is selected: its error rates in figures 9 and 12 are an artefact of this rule, worse than choosing at random.",
        "The search behind the selected move is cut off after n times the branching factor created nodes. The move is wrong if MAX wins the tree but not after that move.",
    ],
};

const SHAPES: [(u64, &str, &str); 2] =
    [(2, "b=2,d=20", "2 branches, 20 layers"), (8, "b=8,d=8", "8 branches, 8 layers")];

/// One of the paper's five solvers.
struct Solver {
    label: &'static str,
    name: &'static str,
    /// Its place by iterations in the paper's text.
    place: &'static str,
}

const SOLVERS: [Solver; 5] = [
    Solver { label: "PPN", name: "ppn:playouts=10", place: "1" },
    Solver { label: "MCPNS", name: "mcpns:playouts=10", place: "2 or 3" },
    Solver { label: "MCTS", name: "mcts:playouts=10", place: "2 or 3" },
    Solver { label: "UCT", name: "uct:playouts=10", place: "4 or 5" },
    Solver { label: "PNS", name: "pns", place: "4 or 5" },
];
const PPN: usize = 0;
const MCPNS: usize = 1;
const MCTS: usize = 2;
const UCT: usize = 3;
const PNS: usize = 4;

/// A change of one of the five in something that the paper leaves open, or tries and does not show. A new variant is a new line here.
struct Variant {
    /// Which of [`SOLVERS`] it changes.
    of: usize,
    /// What is changed, in words.
    setting: &'static str,
    name: &'static str,
    /// Whether its selected moves are looked at, too.
    errors: bool,
}

const fn variant(of: usize, setting: &'static str, name: &'static str) -> Variant {
    Variant { of, setting, name, errors: false }
}

const VARIANTS: [Variant; 9] = [
    Variant {
        of: MCPNS,
        setting: "θ = 0, the printed formulas",
        name: "mcpns:playouts=10,theta=0",
        errors: true,
    },
    variant(PPN, "θ = 0.1", "ppn:playouts=10,theta=0.1"),
    variant(PPN, "θ = 0.0001", "ppn:playouts=10,theta=0.0001"),
    variant(PPN, "5 playouts", "ppn:playouts=5"),
    variant(PPN, "20 playouts", "ppn:playouts=20"),
    variant(MCPNS, "5 playouts", "mcpns:playouts=5"),
    variant(MCPNS, "20 playouts", "mcpns:playouts=20"),
    variant(UCT, "C = 0.5", "uct:playouts=10,c=0.5"),
    variant(UCT, "C = 4", "uct:playouts=10,c=4"),
];

/// A solver whose selected moves are looked at: label and name.
fn observed() -> impl Iterator<Item = (String, &'static str)> {
    let five = SOLVERS.iter().map(|solver| (solver.label.to_owned(), solver.name));
    let others = VARIANTS.iter().filter(|variant| variant.errors);
    five.chain(
        others.map(|variant| (format!("{}, {}", SOLVERS[variant.of].label, variant.setting), variant.name)),
    )
}

fn trees(scale: Scale) -> u64 {
    scale.pick(10, 200, 200)
}

/// Scaled iterations after which the selected move is examined: 8, 16, and so on.
fn checkpoints(scale: Scale) -> impl Iterator<Item = u64> {
    (3..scale.pick(12, 15, 17)).map(|power| 1 << power)
}

fn tree(shape: &str, seed: u64) -> String {
    format!("pgame:{shape},seed={seed}")
}

fn whole(shape: &str, seed: u64, solver: &str) -> Cell {
    Cell::solve(NAME, &tree(shape, seed), "", named(solver), Caps::default().bytes(4 << 30)).seeded(seed)
}

fn cut(shape: &str, branching: u64, seed: u64, solver: &str, iterations: u64) -> Cell {
    let caps = Caps::nodes(iterations * branching).bytes(4 << 30);
    Cell::solve(NAME, &tree(shape, seed), "", named(solver), caps).seeded(seed)
}

/// Whether MIN gets at least a draw after MAX's move with this number; then the move does not win.
fn refutation(shape: &str, seed: u64, child: u64) -> Cell {
    let position = format!("/{child}");
    Cell::solve(NAME, &tree(shape, seed), &position, named("alphabeta"), Caps::default()).asking(Ask::Draw)
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

    fn claims(&self, scale: Scale, known: &Results) -> Vec<Judged> {
        judge(&claims::CLAIMS, self, scale, known)
    }

    fn cells(&self, scale: Scale, _: &Results) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (branching, shape, _) in SHAPES {
            for seed in 1..=trees(scale) {
                cells.extend((0..branching).map(|child| refutation(shape, seed, child)));
                let names = SOLVERS
                    .iter()
                    .map(|solver| solver.name)
                    .chain(VARIANTS.iter().map(|variant| variant.name));
                cells.extend(names.map(|name| whole(shape, seed, name)));
                for (_, name) in observed() {
                    cells.extend(checkpoints(scale).map(|n| cut(shape, branching, seed, name, n)));
                }
            }
        }
        cells
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        tables::blocks(scale, known)
    }
}
