//! Paper 2, table 3 and figure 1: openings of Y, side 6.

use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::{Block, Figure, Table, grouped, range, short};
use crate::{About, Caps, Cell, Experiment, Record, Results, Scale, random_position};
use delphic_game::Interval;
use std::collections::HashSet;

/// The experiment.
pub(super) struct Y;

const NAME: &str = "y";
const GAME: &str = "y:6";

const ABOUT: About = About {
    title: "Product propagation on openings of Y (paper 2)",
    paper: "2: Saffidine and Cazenave, Developments on Product Propagation (CG 2013), §4.1, table 3 and figure 1.",
    claim: "Of 77,012 openings PP with the reduction evaluation solves 77,010 within 60 s, MCTS 76,434, MCTS-E 69,298. PP is the fastest on 68,477; MCTS needs the \
        fewest iterations on 35,444.",
    instances: "Positions of `y:6` after 2, 3, 4 and 5 random stones in turn, from seeds 1, 2, …: 8 at smoke, 60 at quick, 2,000 at paper, less those that came before. The paper does not say how its openings were made.",
    solvers: "PP is `pp:prior=eval`, MCTS is `uct:playouts=1`, MCTS-E is `mcts-e`; both with C = 1.414 inside the root.",
    limits: "60 s and 4 GiB as in the paper; at smoke 2 s.",
    counted: "Positions solved within the limit, solved fastest, and solved with the fewest expansions, which the paper calls iterations, as shares of all. A position that two solvers share counts for neither.",
    deviations: &[
        "A sample instead of all 77,012 openings.",
        "An iteration of the paper's MCTS makes all children of a leaf, each with a playout (its §2); one of ours makes a single child. So expanded nodes are compared, which for PP are its iterations.",
        "The paper does not give the constant of its MCTS. Its times are of its machine; only their order is compared.",
    ],
};

const SOLVERS: [(&str, &str); 3] =
    [("PP", "pp:prior=eval"), ("MCTS", "uct:playouts=1"), ("MCTS-E", "mcts-e")];

/// Table 3: solved, fastest, fewest iterations; in the order of [`SOLVERS`].
const TABLE_3: [[f64; 3]; 3] =
    [[77_010.0, 68_477.0, 22_621.0], [76_434.0, 3_645.0, 35_444.0], [69_298.0, 4_878.0, 18_942.0]];
const THEIR_POSITIONS: f64 = 77_012.0;

fn positions(scale: Scale) -> Vec<String> {
    let draw = |seed: u64| random_position(GAME, 2 + (seed % 4) as usize, seed).unwrap_or_default();
    let mut positions: Vec<String> = (1..=scale.pick(8, 60, 2000)).map(draw).collect();
    let mut seen = HashSet::new();
    positions.retain(|position| seen.insert(position.clone()));
    positions
}

fn cell(position: &str, solver: &str, scale: Scale) -> Cell {
    Cell::solve(NAME, GAME, position, solver, Caps::default().seconds(scale.pick(2, 60, 60)).bytes(4 << 30))
}

impl Experiment for Y {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn cells(&self, scale: Scale, _: &Results) -> Vec<Cell> {
        let positions = positions(scale);
        positions
            .iter()
            .flat_map(|position| SOLVERS.map(|(_, solver)| cell(position, solver, scale)))
            .collect()
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        let mut done: Vec<[&Record; 3]> = Vec::new();
        for position in positions(scale) {
            let records = SOLVERS.map(|(_, solver)| known.get(&cell(&position, solver, scale)));
            if let [Some(first), Some(second), Some(third)] = records {
                done.push([first, second, third]);
            }
        }
        let mut table = Table::new(
            format!(
                "Table 3 of the paper, as shares; {} positions of ours, 77,012 of the paper's",
                grouped(done.len() as u64)
            ),
            ["what", "solver", "paper", "ours (95 %)", "ours / paper", "positions"],
        );
        let measures: [(&str, Measure); 3] = [
            ("solved", |_| 0.0),
            ("fastest", |record| record.stats.time.as_secs_f64()),
            ("fewest expansions", |record| record.stats.expanded as f64),
        ];
        for (nth, (what, measure)) in measures.into_iter().enumerate() {
            for (who, (label, _)) in SOLVERS.iter().enumerate() {
                let solved =
                    |record: &Record| if record.verdict.proven() { measure(record) } else { f64::INFINITY };
                // The first measure is the same for all who solve; for the others a tie counts for nobody.
                let best = |records: &&[&Record; 3]| {
                    let mine = solved(records[who]);
                    let others = (0..3).filter(|other| *other != who);
                    mine.is_finite()
                        && (nth == 0 || others.clone().all(|other| mine < solved(records[other])))
                };
                let hits = done.iter().filter(best).count();
                let ours = Interval::share(hits, done.len());
                let theirs = TABLE_3[who][nth] / THEIR_POSITIONS;
                let percent = |share: f64| format!("{:.1} %", 100.0 * share);
                table.row([
                    what.to_owned(),
                    (*label).to_owned(),
                    percent(theirs),
                    range(ours, percent),
                    short(ours.value / theirs),
                    hits.to_string(),
                ]);
            }
        }
        vec![table.into(), scatter(&done, scale).into()]
    }
}

/// What is the less, the better.
type Measure = fn(&Record) -> f64;

fn scatter(done: &[[&Record; 3]], scale: Scale) -> Figure {
    let limit = scale.pick(2.0, 60.0, 60.0);
    // What was not solved stands on the border.
    let seconds = |record: &Record| if record.verdict.proven() { record.seconds().max(1e-6) } else { limit };
    let series = [1, 2].map(|who: usize| Series {
        name: SOLVERS[who].0.to_owned(),
        points: done.iter().map(|records| (seconds(records[0]), seconds(records[who]))).collect(),
        mark: Mark::Dots,
    });
    let least = done.iter().flatten().map(|record| seconds(record)).fold(limit, f64::min);
    let plot = Plot {
        x: Axis::log("time of PP (s)").from_to(least / 1.3, limit),
        y: Axis::log("time of the other solver (s)").from_to(least / 1.3, limit),
        series: series.to_vec(),
        diagonal: true,
    };
    plot.figure("figure1", format!(
            "Figure 1 of the paper: time to solve a position; on the upper border ({limit} s) it was not solved."
        ))
}
