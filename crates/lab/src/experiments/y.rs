//! Paper 2, table 3 and figure 1: openings of Y, side 6.

mod claims;

use super::known as named;
use crate::claim::{Judged, judge};
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::{Block, Figure, Table, range};
use crate::text::grouped;
use crate::{
    About, Algorithm, Caps, Cell, Experiment, LabError, Mark as Near, Record, Results, Scale, random_position,
};
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
    instances: "Different positions of `y:6` after 2, 3, 4 and 5 random stones in turn, from seeds 1, 2, …: 8 at smoke, 1,000 at quick, 2,000 at paper. The paper does not say how its 77,012 openings were made. The first of them also for PNS (50 at paper, as in the paper's \
        preliminary set; 20 at quick), for MCTS-E with random moves (all at quick, 100 at paper, 2 at smoke), and at quick with a longer limit (59).",
    solvers: "PP is `pp:prior=eval`, MCTS is `uct:playouts=1`, MCTS-E is `mcts-e`; both with C = 1.414 inside the root. PNS is `pns:prior=mobility`. MCTS-E after random moves is `mcts-e:moves=4`.",
    limits: "Processor time: 60 s at paper as in the paper (PNS 180 s). At quick 0.3 s, a 200th of the paper's, so that 1,000 openings take about a quarter of an hour on one core; the first 59 and PNS also 3 s. 0.3 s at smoke. Always 4 GiB.",
    counted: "Positions solved within the limit, solved fastest, and solved with the fewest expansions, which the paper calls iterations, as shares of all. A position on which two solvers tie counts for neither.",
    deviations: &[
        "A sample instead of all 77,012 openings.",
        "An iteration of the paper's MCTS makes all children of a leaf, each with a playout (its §2); one of ours makes a single child. So expanded nodes are compared, which for PP are its iterations.",
        "Our MCTS does more than the paper's: positions whose value is certain go into a table shared by transpositions and symmetries, and branches that cannot change the root's value are not searched. Both help MCTS and MCTS-E against PP, which searches a plain tree.",
        "The paper's MCTS-E evaluates after a few random moves and does not say how many; ours evaluates the new node itself, and beside it after 4 random moves.",
        "MCTS-E after random moves had 100 openings at quick at first, which did not decide; the others were added after these rows had been seen.",
        "Rulings changed after rows had been seen: the correlation of times (figure 1) is decided by an interval, where its value alone decided at first, and uses the longer limit where there is one.",
        "The paper does not give the constant of its MCTS. Its times are of its machine; only their order is compared.",
    ],
    algorithms: &[
        Algorithm {
            name: "PP with an evaluation",
            mark: Near::AsPrinted,
            words: "The evaluation of a leaf is its probability.",
        },
        Algorithm {
            name: "MCTS solver",
            mark: Near::Differs,
            words: "It makes one child in an iteration, has a table of positions whose value is certain, and leaves out branches that cannot change the root.",
        },
        Algorithm {
            name: "MCTS-E",
            mark: Near::Differs,
            words: "It evaluates the new node at once; after 4 random moves beside it.",
        },
        Algorithm { name: "PNS", mark: Near::AsPrinted, words: "With mobility at the leaves." },
    ],
};

const SOLVERS: [(&str, &str); 3] =
    [("PP", "pp:prior=eval"), ("MCTS", "uct:playouts=1"), ("MCTS-E", "mcts-e")];
const PP: usize = 0;
const MCTS: usize = 1;
const MCTS_E: usize = 2;
const PNS: &str = "pns:prior=mobility";
/// MCTS-E as the paper describes it.
const AFTER_MOVES: &str = "mcts-e:moves=4";
/// Different openings at smoke, quick and paper.
const OPENINGS: [usize; 3] = [8, 1_000, 2_000];
/// Openings that are also tried with [`LONGER`] at quick.
const TRIED_LONGER: usize = 59;
/// The longer limit.
const LONGER: Limit = Limit { millis: 3_000 };

/// Table 3: solved, fastest, fewest iterations; in the order of [`SOLVERS`].
const TABLE_3: [[f64; 3]; 3] =
    [[77_010.0, 68_477.0, 22_621.0], [76_434.0, 3_645.0, 35_444.0], [69_298.0, 4_878.0, 18_942.0]];
const THEIR_POSITIONS: f64 = 77_012.0;

/// A limit of processor time.
#[derive(Clone, Copy)]
struct Limit {
    millis: u64,
}

impl Limit {
    fn seconds(self) -> f64 {
        self.millis as f64 / 1000.0
    }

    fn caps(self) -> Caps {
        let caps = Caps::default().bytes(4 << 30);
        match self.millis % 1000 {
            0 => caps.seconds(self.millis / 1000),
            _ => Caps { millis: Some(self.millis), ..caps },
        }
    }
}

fn limit(scale: Scale) -> Limit {
    Limit { millis: scale.pick(300, 300, 60_000) }
}

fn cell(position: &str, solver: &str, scale: Scale) -> Cell {
    timed(position, solver, limit(scale))
}

fn timed(position: &str, solver: &str, limit: Limit) -> Cell {
    Cell::solve(NAME, GAME, position, named(solver), limit.caps())
}

fn pns(position: &str, scale: Scale) -> Cell {
    timed(position, PNS, scale.pick(limit(scale), LONGER, Limit { millis: 180_000 }))
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
        let (mut openings, mut seen, mut seed) = (Vec::new(), HashSet::new(), 0);
        while openings.len() < OPENINGS[2] {
            seed += 1;
            let opening = random_position(GAME, 2 + (seed % 4) as usize, seed)?;
            if seen.insert(opening.clone()) {
                openings.push(opening);
            }
        }
        Ok(Y { openings })
    }

    fn positions(&self, scale: Scale) -> &[String] {
        let [smoke, quick, paper] = OPENINGS;
        &self.openings[..scale.pick(smoke, quick, paper)]
    }

    /// The first positions, which PNS tries.
    fn first(&self, scale: Scale) -> &[String] {
        &self.openings[..scale.pick(2, 20, 50)]
    }

    /// The first positions, which MCTS-E tries with random moves.
    fn evaluated_later(&self, scale: Scale) -> &[String] {
        &self.openings[..scale.pick(2, 1000, 100)]
    }

    /// The first positions, which all three solvers try with a longer limit.
    fn longer(&self, scale: Scale) -> &[String] {
        &self.openings[..scale.pick(0, TRIED_LONGER, 0)]
    }

    /// The positions that all three solvers have tried.
    fn done<'k>(&self, scale: Scale, known: &'k Results) -> Vec<[&'k Record; 3]> {
        within(self.positions(scale), limit(scale), known)
    }

    /// The same, with the longer limit in place of the shorter one where all three have tried that.
    fn with_longer<'k>(&self, scale: Scale, known: &'k Results) -> Vec<[&'k Record; 3]> {
        let of = |position: &String, limit| within(std::slice::from_ref(position), limit, known).pop();
        let longest = |(nth, position)| {
            let longer = (nth < self.longer(scale).len()).then(|| of(position, LONGER)).flatten();
            longer.or_else(|| of(position, limit(scale)))
        };
        self.positions(scale).iter().enumerate().filter_map(longest).collect()
    }

    /// MCTS-E with random moves and without, on the positions that both have tried.
    fn after_moves<'k>(&self, scale: Scale, known: &'k Results) -> Vec<[&'k Record; 2]> {
        let pair = |position: &String| {
            let of = |solver| known.get(&cell(position, solver, scale));
            Some([of(AFTER_MOVES)?, of(SOLVERS[MCTS_E].1)?])
        };
        self.evaluated_later(scale).iter().filter_map(pair).collect()
    }
}

/// The records of all three solvers on positions that they have tried within this limit.
fn within<'k>(positions: &[String], limit: Limit, known: &'k Results) -> Vec<[&'k Record; 3]> {
    let mut done = Vec::new();
    for position in positions {
        let records = SOLVERS.map(|(_, solver)| known.get(&timed(position, solver, limit)));
        if let [Some(first), Some(second), Some(third)] = records {
            done.push([first, second, third]);
        }
    }
    done
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
        let (mut cells, all) = (Vec::new(), SOLVERS.map(|(_, solver)| solver));
        // Opening by opening, so that a run that is stopped has whole ones.
        cells.extend(self.first(scale).iter().map(|position| pns(position, scale)));
        for (nth, position) in self.positions(scale).iter().enumerate() {
            cells.extend(all.map(|solver| cell(position, solver, scale)));
            if nth < self.evaluated_later(scale).len() {
                cells.push(cell(position, AFTER_MOVES, scale));
            }
        }
        for position in self.longer(scale) {
            cells.extend(all.map(|solver| timed(position, solver, LONGER)));
        }
        cells
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
        let mut blocks = vec![table.into(), scatter(&done, scale).into()];
        if !self.longer(scale).is_empty() {
            blocks.push(limits_compared(self.longer(scale), scale, known).into());
        }
        blocks.push(random_moves(&self.after_moves(scale, known)).into());
        blocks
    }
}

/// What a longer limit changes, on the first positions.
fn limits_compared(positions: &[String], scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        "The first openings with the limit of this page and with a longer one: solved, fastest, fewest expansions",
        ["limit", "openings", "PP", "MCTS", "MCTS-E"],
    );
    for limit in [limit(scale), LONGER] {
        let done = within(positions, limit, known);
        let of = |who: usize| {
            let others: Vec<usize> = (0..3).filter(|other| *other != who).collect();
            let [fastest, fewest] = [SECONDS, EXPANSIONS].map(|measure| wins(&done, who, &others, measure));
            format!("{}, {fastest}, {fewest}", solved(&done, who))
        };
        table.row([format!("{} s", limit.seconds()), done.len().to_string(), of(0), of(1), of(2)]);
    }
    table
}

/// MCTS-E that evaluates after random moves, beside the one that evaluates at once.
fn random_moves(pairs: &[[&Record; 2]]) -> Table {
    let mut table = Table::new(
        format!("MCTS-E, evaluation after 4 random moves and at once, on {} openings", pairs.len()),
        [
            "solver",
            "solved (95 %)",
            "solved only by this one",
            "faster where both solve",
            "fewer expansions there",
        ],
    );
    for (who, name) in ["after 4 random moves", "at once"].into_iter().enumerate() {
        let solves = |pair: &&[&Record; 2], who: usize| pair[who].verdict.proven();
        let solved = pairs.iter().filter(|pair| solves(pair, who)).count();
        let alone = pairs.iter().filter(|pair| solves(pair, who) && !solves(pair, 1 - who)).count();
        let better = |measure: Measure| {
            let both = pairs.iter().filter(|pair| solves(pair, 0) && solves(pair, 1));
            both.filter(|pair| measure(pair[who]) < measure(pair[1 - who])).count().to_string()
        };
        table.row([
            name.to_owned(),
            range(Interval::share(solved, pairs.len()), crate::text::percent),
            alone.to_string(),
            better(SECONDS),
            better(EXPANSIONS),
        ]);
    }
    table
}

fn scatter(done: &[[&Record; 3]], scale: Scale) -> Figure {
    let limit = limit(scale).seconds();
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
