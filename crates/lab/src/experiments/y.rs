//! Paper 2, table 3 and figure 1: openings of Y, side 6.

mod claims;

use super::known as named;
use crate::claim::{Judged, judge};
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::{Block, Figure, Table, range};
use crate::text::grouped;
use crate::{About, Caps, Cell, Experiment, LabError, Record, Results, Scale, random_position};
use delphic_base::Interval;
use std::collections::HashSet;

/// The experiment, with its openings.
pub(super) struct Y {
    openings: Vec<String>,
}

const NAME: &str = "y";
const GAME: &str = "y:6";

const ABOUT: About = About {
    title: "Product propagation on openings of Y (paper 2)",
    paper: "2: Saffidine and Cazenave, Developments on Product Propagation (CG 2013), §4.1, table 3 and figure 1.",
    instances: "Positions of `y:6` after 2, 3, 4 and 5 random stones in turn, from seeds 1, 2, …, duplicates left out: 8 seeds at smoke, 60 at quick, 2,000 at paper. The paper does not say how its 77,012 openings were made. PNS tries the first 50 at paper, as in the paper's \
        preliminary set, the first 20 at quick.",
    solvers: "PP is `pp:prior=eval`, MCTS is `uct:playouts=1`, MCTS-E is `mcts-e`; both with C = 1.414 inside the root. PNS is `pns:prior=mobility`.",
    limits: "Processor time: 60 s at paper as in the paper (PNS 180 s), 3 s at quick, 1 s at smoke; always 4 GiB.",
    counted: "Positions solved within the limit, solved fastest, and solved with the fewest expansions, which the paper calls iterations, as shares of all. A position on which two solvers tie counts for neither.",
    deviations: &[
        "A sample instead of all 77,012 openings.",
        "An iteration of the paper's MCTS makes all children of a leaf, each with a playout (its §2); one of ours makes a single child. So expanded nodes are compared, which for PP are its iterations.",
        "Our MCTS does more than the paper's: positions whose value is certain go into a table shared by transpositions and symmetries, and branches that cannot change the root's value are not searched. Both help MCTS and MCTS-E against PP, which searches a plain tree.",
        "The paper's MCTS-E evaluates after a few random moves; ours evaluates the new node itself.",
        "The paper does not give the constant of its MCTS. Its times are of its machine; only their order is compared.",
    ],
};

const SOLVERS: [(&str, &str); 3] =
    [("PP", "pp:prior=eval"), ("MCTS", "uct:playouts=1"), ("MCTS-E", "mcts-e")];
const PP: usize = 0;
const MCTS: usize = 1;
const PNS: &str = "pns:prior=mobility";

/// Table 3: solved, fastest, fewest iterations; in the order of [`SOLVERS`].
const TABLE_3: [[f64; 3]; 3] =
    [[77_010.0, 68_477.0, 22_621.0], [76_434.0, 3_645.0, 35_444.0], [69_298.0, 4_878.0, 18_942.0]];
const THEIR_POSITIONS: f64 = 77_012.0;

fn limit(scale: Scale) -> u64 {
    scale.pick(1, 3, 60)
}

fn cell(position: &str, solver: &str, scale: Scale) -> Cell {
    Cell::solve(NAME, GAME, position, named(solver), Caps::default().seconds(limit(scale)).bytes(4 << 30))
}

fn pns(position: &str, scale: Scale) -> Cell {
    let caps = Caps::default().seconds(scale.pick(1, 3, 180)).bytes(4 << 30);
    Cell::solve(NAME, GAME, position, named(PNS), caps)
}

/// A quantity of which less is better.
type Measure = fn(&Record) -> f64;

const SECONDS: Measure = |record| record.stats.time.as_secs_f64();
const EXPANSIONS: Measure = |record| record.stats.expanded as f64;

/// The measure of a search that solved its position; infinite otherwise.
fn cost(record: &Record, measure: Measure) -> f64 {
    if record.verdict.proven() { measure(record) } else { f64::INFINITY }
}

/// Positions on which `who` is strictly better than all `others`.
fn wins(done: &[[&Record; 3]], who: usize, others: &[usize], measure: Measure) -> usize {
    let best = |records: &&[&Record; 3]| {
        let mine = cost(records[who], measure);
        mine.is_finite() && others.iter().all(|other| mine < cost(records[*other], measure))
    };
    done.iter().filter(best).count()
}

fn solved(done: &[[&Record; 3]], who: usize) -> usize {
    done.iter().filter(|records| records[who].verdict.proven()).count()
}

impl Y {
    /// Draws the openings.
    pub(super) fn new() -> Result<Y, LabError> {
        let draw = |seed: u64| random_position(GAME, 2 + (seed % 4) as usize, seed);
        Ok(Y { openings: (1..=2000).map(draw).collect::<Result<_, _>>()? })
    }

    fn positions(&self, scale: Scale) -> Vec<&str> {
        let mut seen = HashSet::new();
        let drawn = self.openings[..scale.pick(8, 60, 2000)].iter().map(String::as_str);
        drawn.filter(|position| seen.insert(*position)).collect()
    }

    /// The first positions, which PNS tries.
    fn first(&self, scale: Scale) -> Vec<&str> {
        let mut positions = self.positions(scale);
        positions.truncate(scale.pick(2, 20, 50));
        positions
    }

    /// The positions that all three solvers have tried.
    fn done<'k>(&self, scale: Scale, known: &'k Results) -> Vec<[&'k Record; 3]> {
        let mut done = Vec::new();
        for position in self.positions(scale) {
            let records = SOLVERS.map(|(_, solver)| known.get(&cell(position, solver, scale)));
            if let [Some(first), Some(second), Some(third)] = records {
                done.push([first, second, third]);
            }
        }
        done
    }
}

impl Experiment for Y {
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
        let positions = self.positions(scale);
        let solvers =
            positions.iter().flat_map(|position| SOLVERS.map(|(_, solver)| cell(position, solver, scale)));
        solvers.chain(self.first(scale).into_iter().map(|position| pns(position, scale))).collect()
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        let done = self.done(scale, known);
        let caption = format!(
            "Table 3, as shares; {} positions of ours, 77,012 of the paper's",
            grouped(done.len() as u64)
        );
        let mut table = Table::new(caption, ["what", "solver", "paper", "ours (95 %)", "positions"]);
        let mut add = |what: &str, who: usize, theirs: f64, hits: usize| {
            let percent = |share: f64| format!("{:.1} %", 100.0 * share);
            table.row([
                what.to_owned(),
                SOLVERS[who].0.to_owned(),
                percent(theirs / THEIR_POSITIONS),
                range(Interval::share(hits, done.len()), percent),
                hits.to_string(),
            ]);
        };
        for (who, theirs) in TABLE_3.iter().enumerate() {
            add("solved", who, theirs[0], solved(&done, who));
        }
        for (what, column, measure) in [("fastest", 1, SECONDS), ("fewest expansions", 2, EXPANSIONS)] {
            for (who, theirs) in TABLE_3.iter().enumerate() {
                let others: Vec<usize> = (0..3).filter(|other| *other != who).collect();
                add(what, who, theirs[column], wins(&done, who, &others, measure));
            }
        }
        // The paper's text: the same without MCTS-E.
        for (what, theirs, measure) in [
            ("fastest, without MCTS-E", [72_830.0, 4_180.0], SECONDS),
            ("fewest expansions, without MCTS-E", [30_719.0, 46_291.0], EXPANSIONS),
        ] {
            add(what, PP, theirs[0], wins(&done, PP, &[MCTS], measure));
            add(what, MCTS, theirs[1], wins(&done, MCTS, &[PP], measure));
        }
        vec![table.into(), scatter(&done, scale).into()]
    }
}

fn scatter(done: &[[&Record; 3]], scale: Scale) -> Figure {
    let limit = limit(scale) as f64;
    // Unsolved positions stand on the border, in a series of their own.
    let seconds = |record: &Record| if record.verdict.proven() { record.seconds().max(1e-6) } else { limit };
    let series = |who: usize, proven: bool| Series {
        name: format!("{}{}", SOLVERS[who].0, if proven { "" } else { ", not solved" }),
        points: done
            .iter()
            .filter(|records| records[who].verdict.proven() == proven)
            .map(|records| (seconds(records[PP]), seconds(records[who])))
            .collect(),
        mark: Mark::Dots,
    };
    let least = done.iter().flatten().map(|record| seconds(record)).fold(limit, f64::min);
    let plot = Plot {
        x: Axis::log("time of PP (s)").from_to(least / 1.3, limit),
        y: Axis::log("time of the other solver (s)").from_to(least / 1.3, limit),
        series: vec![series(1, true), series(2, true), series(1, false), series(2, false)],
        diagonal: true,
    };
    plot.figure(
        "figure1",
        format!("Figure 1 of the paper: time to solve a position; on the upper border ({limit} s) it was not solved. The paper draws about 150 positions and prints no numbers."),
    )
}
