//! Paper 3, figures 7 to 12: five solvers on P-game trees.

mod claims;
mod readings;
mod tables;

use super::known as named;
use crate::claim::{Judged, judge};
use crate::report::Block;
use crate::{About, Algorithm, Caps, Cell, Experiment, Mark, Record, Results, Scale};
use delphic_engine::Ask;
use readings::{LABELS, LITERAL, MCPNS, PPN, READINGS, VARIANTS, observed};

/// The experiment.
pub(super) struct PGames;

const NAME: &str = "pgames";

const ABOUT: About = About {
    title: "Probability-based proof-number search on P-game trees (paper 3)",
    paper: "3: Song, Iida and van den Herik, Probability based Proof Number Search (ICAART 2019), §4, figures 7 to 12.",
    instances: "The trees `pgame:b=2,d=20,seed=n` and `pgame:b=8,d=8,seed=n` for n = 1, 2, …: 6 of each at smoke, the paper's 200 at quick and paper. The search of tree n has seed n. Variants of the last table: the first 3 trees at smoke, 50 at quick, 200 at paper.",
    solvers: "`ppn`, `mcpns`, `uct` (C = 1.414 inside the root, values from 0 to 1) and `mcts` with 10 playouts at a leaf, `pns`; each with `ties=random` and `ties=first`, MCPNS with `theta=0` and `theta=0.01`, MCTS and UCT with `final=bound` and `final=visits`.",
    limits: "None: every tree is solved.",
    counted: "Iterations; those of UCT and pure MCTS, which make one node each, are divided by the branching factor as in the paper. Whether MAX, to move, wins; a draw is not a win. Means have bootstrap intervals for 95 %, error rates Wilson's. An order of two solvers is decided by the \
        bootstrap interval of their differences, tree by tree.",
    deviations: &[
        "The paper draws its numbers and does not print them; its statements in words stand beside ours.",
        "Ties and θ. The paper does not say which of equal children is followed, nor what its MCPNS does with a leaf that won all its playouts. The figures and, unless they say otherwise, the verdicts use the printed formulas with nothing added: MCPNS without θ, ties at random. This reading was chosen because it adds \
         nothing and does not depend on the order of the moves; that the paper's order appears under it was known from a preliminary experiment on other random numbers. The other three readings stand beside it, with verdicts of their own.",
        "PPN needs some θ: at θ = 0 the number of a leaf that won all playouts would read as a proof. It has the paper's 0.01, and 0.1 and 0.000001 in the last table.",
        "The final move. After n iterations MCTS and UCT select the move with the largest v + 1/√n, the rule that the paper prints, where v is a move's mean value and n its visits; beside it we show the most visited move. The others select the first move of their line.",
        "The value scale. Values from 0 to 1, as the winning rates of the paper's figure 5; its §3.2 backs up 1, 0 and −1. Values from −1 to 1 are the same as a quarter of C; the last table has them.",
        "Trees were added after rows had been seen, because the first did not decide: from 25 to 50 for the variants, from 100 to 200 for the selected moves, with 12 checkpoints in place of 6 for the waves of PPN and MCPNS, trees 201 to 600 for MCTS and MCPNS with θ = 0.01 and ties at random (8 branches), and trees 201 to 800 for the selected moves of UCT and PPN (2 branches).",
        "Whether an error rate falls smoothly is decided by the sign test on the numbers of its rises, where plain numbers decided at first.",
        "The search behind the selected move is cut off after n times the branching factor created nodes. The move is wrong if MAX wins the tree but not after that move.",
    ],
    algorithms: &[
        Algorithm {
            name: "PNS",
            mark: Mark::Choices,
            words: "The paper does not say which of equal children is followed; both choices are shown.",
        },
        Algorithm {
            name: "MCPNS",
            mark: Mark::Choices,
            words: "The same, and with and without θ. Every θ above 0 changes the iterations by about as much: the change is at 0 itself, where leaves tie.",
        },
        Algorithm {
            name: "PPN",
            mark: Mark::Choices,
            words: "With the paper's θ. Terminal children are recognised before playouts.",
        },
        Algorithm {
            name: "UCT solver",
            mark: Mark::Choices,
            words: "v + √(C ln N / n) with C = √2, values from 0 to 1; the paper backs up 1, 0 and −1. Positions whose value is certain go into a table.",
        },
        Algorithm {
            name: "pure MCTS",
            mark: Mark::Choices,
            words: "Follows the best mean. Ties and the final move are choices, and both are shown.",
        },
    ],
};

const SHAPES: [(u64, &str, &str); 2] =
    [(2, "b=2,d=20", "2 branches, 20 layers"), (8, "b=8,d=8", "8 branches, 8 layers")];

fn trees(scale: Scale) -> u64 {
    scale.pick(6, 200, 200)
}

/// The trees of the two solvers that the paper's trees do not tell apart under one reading.
fn more_trees(scale: Scale) -> u64 {
    scale.pick(6, 600, 600)
}
const CLOSE_SHAPE: usize = 1;
const CLOSE_PAIR: [usize; 2] = [readings::MCTS, readings::MCPNS];

/// The trees of the selected moves of UCT and PPN on the shape where the paper's trees do not tell them apart.
fn more_moves(shape: usize, scale: Scale) -> u64 {
    if shape == EVEN_SHAPE { scale.pick(6, 800, 800) } else { trees(scale) }
}
const EVEN_SHAPE: usize = 0;
const EVEN_PAIR: [usize; 2] = [readings::UCT, readings::PPN];

/// The first of them, for the variants.
fn fewer_trees(scale: Scale) -> u64 {
    scale.pick(3, 50, 200)
}

/// Scaled iterations after which the selected move is examined: 8, 32, and so on.
fn checkpoints(scale: Scale) -> impl Iterator<Item = u64> {
    (0..scale.pick(3, 6, 8)).map(|nth| 8 << (2 * nth))
}

/// Those of PPN and MCPNS, whose curves are compared for waves: 8, 16, and so on.
fn finer_checkpoints(scale: Scale) -> impl Iterator<Item = u64> {
    (0..scale.pick(5, 12, 15)).map(|nth| 8 << nth)
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
        let names: Vec<String> =
            READINGS.iter().flat_map(|reading| (0..LABELS.len()).map(|nth| reading.solver(nth))).collect();
        let observed: Vec<String> = observed().iter().map(readings::Observed::solver).collect();
        for (branching, shape, _) in SHAPES {
            for seed in 1..=trees(scale) {
                cells.extend(names.iter().map(|name| whole(shape, seed, name)));
                cells.extend((0..branching).map(|child| refutation(shape, seed, child)));
                for name in &observed {
                    cells.extend(checkpoints(scale).map(|n| cut(shape, branching, seed, name, n)));
                }
                for name in [PPN, MCPNS].map(|nth| LITERAL.solver(nth)) {
                    cells.extend(finer_checkpoints(scale).map(|n| cut(shape, branching, seed, &name, n)));
                }
                if seed <= fewer_trees(scale) {
                    cells.extend(VARIANTS.iter().map(|variant| whole(shape, seed, variant.name)));
                }
            }
        }
        let shape = SHAPES[CLOSE_SHAPE].1;
        for seed in trees(scale) + 1..=more_trees(scale) {
            cells.extend(CLOSE_PAIR.map(|nth| whole(shape, seed, &READINGS[1].solver(nth))));
        }
        let (branching, shape, _) = SHAPES[EVEN_SHAPE];
        for seed in trees(scale) + 1..=more_moves(EVEN_SHAPE, scale) {
            cells.extend((0..branching).map(|child| refutation(shape, seed, child)));
            for name in EVEN_PAIR.map(|nth| LITERAL.solver(nth)) {
                cells.extend(checkpoints(scale).map(|n| cut(shape, branching, seed, &name, n)));
            }
        }
        cells
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        tables::blocks(scale, known)
    }
}
