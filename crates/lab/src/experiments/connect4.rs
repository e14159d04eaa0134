//! Paper 1: PPN on random Connect Four positions, the prolonged search, the precision rate and what it costs in truth.

use crate::plot::{Axis, Bar, Bars, Mark, Plot, Series};
use crate::report::{Block, Figure, Table, grouped, range, short};
use crate::{About, Caps, Cell, Experiment, Results, Scale, Verdict, random_position};
use delphic_game::Interval;

/// The experiment.
pub(super) struct Connect4;

const NAME: &str = "connect4";

const ABOUT: About = About {
    title: "The nature of probability-based proof-number search, on Connect Four (paper 1)",
    paper: "1: Primanita and Iida, Nature of Probability-Based Proof Number Search, figures 3 to 7 and table 1.",
    claim: "Of 200 positions PNS concludes 122, PPN 102, MCPNS 80. PPN searches on long after its root has come near 0 or 1. A precision rate ends that: up to 135 \
        positions are concluded, without harm to accuracy as long as the rate is not above θ.",
    instances: "Positions after 12 random plies, the games that are over by then thrown away, from seeds 1, 2, …: 20 at smoke; at quick the paper's 200 for its three solvers and 100 for all else; 200 at paper.",
    solvers: "`pns`, `mcpns:playouts=60`, `ppn:playouts=60,theta=0.01`; θ × precision rate as in the paper; then solvers the paper lacked: `pnt`, `dfpn`, `ppt`, `dfpp`, \
        `ppnt`, `dfppn`, `ews`, `alphabeta`, `auto`. Exact values are those of `auto`.",
    limits: "The paper's 35,000,000 nodes, and where a leaf costs 60 playouts 3,350,000: its program made 7,979 nodes a second (table 1) and had 420 s. That is scale \
        paper; quick has a tenth of both, smoke a 200th. `auto` has no limit.",
    counted: "Solved: the first player, to move, wins. Unsolved: he does not; a draw counts against him. Out of bounds: a limit came first. Nodes are created nodes, means over \
        all positions, those out of bounds included.",
    deviations: &[
        "Time limits became node limits, so that the same command gives the same numbers everywhere. In the paper time stopped both PPN and MCPNS, and how many nodes its MCPNS made in a second it does not tell; here both get as many. In \
         both of the paper's examples of prolonged search MCPNS needs fewer nodes than PPN: 1,114,283 against 2,295,856 and 1,567 against 661,783.",
        "A conclusion by precision rate is an estimate here, never a proof, and is compared with the exact value. The paper's Algorithm 2 prints the test the wrong way round.",
        "The two traced positions are those that took PPN the most nodes to prove, one of each answer. The paper took those where PPN was the most behind PNS in time; here PPN creates fewer nodes than PNS where both prove.",
        "Our kernel keeps truth apart from the numbers, so rounding cannot prolong a search; what remains of the effect is the search's own.",
    ],
};

/// The paper's three, and how many of 200 positions they concluded (figure 3 and its text).
const TRIED: [(&str, &str, f64); 3] = [
    ("PNS", "pns", 122.0),
    ("MCPNS", "mcpns:playouts=60", 80.0),
    ("PPN", "ppn:playouts=60,theta=0.01", 102.0),
];

/// The positions the paper had.
const THEIR_POSITIONS: f64 = 200.0;

/// Table 1: θ, precision rate, average nodes.
const GRID: [(&str, &str, f64); 7] = [
    ("0.01", "0", 2_004_052.895),
    ("0.01", "0.001", 1_323_718.975),
    ("0.01", "0.0001", 1_582_187.985),
    ("0.01", "0.00001", 1_667_750.875),
    ("0.001", "0.001", 1_269_587.96),
    ("0.001", "0.0001", 1_614_710.08),
    ("0.001", "0.00001", 1_638_641.2),
];

const LACKED: [&str; 8] =
    ["pnt", "dfpn", "ppt", "dfpp", "ppnt:playouts=60", "dfppn:playouts=60", "ews", "alphabeta"];

/// Points on the curve of a root.
const TRACE: u32 = 16;

/// The positions for the paper's three solvers; the first of them are for all others.
fn positions(scale: Scale) -> Vec<String> {
    // A position that cannot be drawn leaves the start, which every run would show at once.
    (1..=scale.pick(20, 200, 200)).map(|seed| random_position(NAME, 12, seed).unwrap_or_default()).collect()
}

/// The positions for all solvers.
fn fewer(scale: Scale) -> Vec<String> {
    let mut positions = positions(scale);
    positions.truncate(scale.pick(20, 100, 200));
    positions
}

fn cell(position: &str, solver: &str, scale: Scale) -> Cell {
    let nodes: u64 = if solver.contains("playouts=60") { 3_350_000 } else { 35_000_000 };
    Cell::solve(NAME, NAME, position, solver, Caps::nodes(nodes / scale.pick(200, 10, 1)).bytes(4 << 30))
}

fn exact(position: &str) -> Cell {
    Cell::solve(NAME, NAME, position, "auto", Caps::default().bytes(1 << 30))
}

fn precise(theta: &str, rate: &str) -> String {
    format!("ppn:playouts=60,theta={theta},precision={rate}")
}

/// The cells of a curve: one search, cut off at growing numbers of nodes.
fn trace(position: &str, nodes: u64) -> Vec<Cell> {
    let cut = |nth: u32| (nodes as f64 * 1.3f64.powi(nth as i32 + 1 - TRACE as i32)) as u64;
    let cell =
        |nth| Cell::solve(NAME, NAME, position, TRIED[2].1, Caps::nodes(cut(nth).max(1)).bytes(4 << 30));
    (0..TRACE).map(cell).collect()
}

/// The positions of the two answers that take PPN the most nodes to prove, with those nodes.
fn prolonged(scale: Scale, known: &Results) -> Vec<(bool, String, u64)> {
    let mut worst: [Option<(String, u64)>; 2] = [None, None];
    for position in fewer(scale) {
        let Some(ppn) = known.get(&cell(&position, TRIED[2].1, scale)) else {
            // As long as some are missing there is no worst one.
            return Vec::new();
        };
        let place = &mut worst[usize::from(ppn.verdict == Verdict::Proved)];
        if ppn.verdict.proven() && place.as_ref().is_none_or(|(_, nodes)| *nodes < ppn.stats.created) {
            *place = Some((position, ppn.stats.created));
        }
    }
    let found = worst.into_iter().enumerate();
    found.filter_map(|(yes, found)| found.map(|(position, nodes)| (yes == 1, position, nodes))).collect()
}

impl Experiment for Connect4 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn cells(&self, scale: Scale, known: &Results) -> Vec<Cell> {
        let mut cells = Vec::new();
        for position in positions(scale) {
            cells.push(exact(&position));
            cells.extend(TRIED.map(|(_, solver, _)| cell(&position, solver, scale)));
        }
        for position in fewer(scale) {
            cells.extend(LACKED.map(|solver| cell(&position, solver, scale)));
            cells.extend(GRID.iter().map(|(theta, rate, _)| cell(&position, &precise(theta, rate), scale)));
        }
        for (_, position, nodes) in prolonged(scale, known) {
            cells.extend(trace(&position, nodes));
        }
        cells
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        let (positions, all) = (fewer(scale), positions(scale));
        let counts = |solver: &str| Counts::new(&all, |position| cell(position, solver, scale), known);
        let mut blocks = vec![Block::heading("Concluded by proof")];
        let mut table = Table::new(
            "Figure 3 of the paper: positions concluded, as shares of all (the paper had 200)",
            [
                "solver",
                "paper",
                "ours (95 %)",
                "ours / paper",
                "solved",
                "unsolved",
                "out of bounds",
                "mean nodes",
            ],
        );
        for (label, solver, theirs) in TRIED {
            let (counts, theirs) = (counts(solver), theirs / THEIR_POSITIONS);
            let ours = Interval::share(counts.yes + counts.no, counts.all);
            table.row([
                label.to_owned(),
                percent(theirs),
                range(ours, percent),
                short(ours.value / theirs),
                counts.yes.to_string(),
                counts.no.to_string(),
                counts.open.to_string(),
                counts.mean_nodes(),
            ]);
        }
        blocks.push(table.into());
        blocks.push(Block::text(order(&TRIED.map(|(_, solver, _)| counts(solver)))));
        let bars =
            TRIED.iter().map(|(label, solver, _)| ((*label).to_owned(), counts(solver))).collect::<Vec<_>>();
        blocks.push(stacked("figure3", "Figure 3 of the paper, for our positions and limits.", &bars).into());
        blocks.push(Block::heading("Prolonged search"));
        blocks.push(roots(scale, known).into());
        blocks.push(Block::heading("Precision rate"));
        blocks.extend(precision(&positions, scale, known));
        blocks.push(Block::heading("What would have been possible"));
        blocks.extend(possible(&positions, scale, known));
        blocks
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Whether the paper's order holds: PNS before PPN before MCPNS.
fn order([pns, mcpns, ppn]: &[Counts; 3]) -> String {
    let alone = |one: &Counts, other: &Counts| {
        one.proved.iter().zip(&other.proved).filter(|(one, other)| **one && !**other).count()
    };
    let pair = |one: &Counts, other: &Counts| {
        let (first, second) = (alone(one, other), alone(other, one));
        format!("{first} and {second} (as uneven by chance: {})", percent(by_chance(first, second)))
    };
    let against = [pair(pns, ppn), pair(ppn, mcpns)];
    let [pns, mcpns, ppn] = [pns, mcpns, ppn].map(|counts| counts.yes + counts.no);
    let holds = if pns > ppn && ppn > mcpns { "holds" } else { "does not hold" };
    format!(
        "Concluded by proof: PNS {pns}, PPN {ppn}, MCPNS {mcpns}. The paper's order, PNS before PPN before MCPNS, {holds} for this sample and these limits. \
         Of PNS and PPN, positions that only one of them concludes: {}. Of PPN and MCPNS: {}. Positions that are won at once, many among random ones, are easy for all.",
        against[0], against[1]
    )
}

/// How likely a coin falls at least as unevenly as `one` to `other` (sign test, both sides).
fn by_chance(one: usize, other: usize) -> f64 {
    let tosses = one + other;
    let mut ways = 1.0;
    let mut tail = 0.0;
    for heads in 0..=one.min(other) {
        tail += ways;
        ways *= (tosses - heads) as f64 / (heads + 1) as f64;
    }
    (2.0 * tail * 0.5f64.powi(tosses as i32)).min(1.0)
}

/// What a solver concluded.
#[derive(Default)]
struct Counts {
    all: usize,
    yes: usize,
    no: usize,
    /// Concluded without proof, and of these the ones that are false.
    estimated: usize,
    wrong: usize,
    open: usize,
    /// Position by position.
    proved: Vec<bool>,
    nodes: Vec<f64>,
    seconds: Vec<f64>,
}

impl Counts {
    fn new(positions: &[String], cell: impl Fn(&str) -> Cell, known: &Results) -> Counts {
        let mut counts = Counts::default();
        for position in positions {
            let Some(record) = known.get(&cell(position)) else { continue };
            let truth = known.get(&exact(position)).and_then(|exact| exact.verdict.yes());
            let estimated = !record.verdict.proven() && record.verdict.yes().is_some();
            counts.all += 1;
            counts.yes += usize::from(record.verdict == Verdict::Proved);
            counts.no += usize::from(record.verdict == Verdict::Disproved);
            counts.estimated += usize::from(estimated);
            counts.wrong += usize::from(estimated && truth.is_some() && truth != record.verdict.yes());
            counts.open += usize::from(record.verdict == Verdict::Unknown);
            counts.proved.push(record.verdict.proven());
            counts.nodes.push(record.stats.created as f64);
            counts.seconds.push(record.seconds());
        }
        counts
    }

    fn mean_nodes(&self) -> String {
        Interval::mean(&self.nodes)
            .map_or_else(|| "–".to_owned(), |interval| grouped(interval.value.round() as u64))
    }
}

fn stacked(slug: &str, caption: &str, counts: &[(String, Counts)]) -> Figure {
    let parts = ["solved", "unsolved", "estimated, true", "estimated, false", "out of bounds"];
    let bar = |(name, counts): &(String, Counts)| {
        let right = counts.estimated - counts.wrong;
        let parts = [counts.yes, counts.no, right, counts.wrong, counts.open].map(|count| count as f64);
        Bar { name: name.clone(), parts: parts.to_vec(), interval: None }
    };
    let bars = Bars {
        axis: Axis::linear("positions"),
        parts: parts.map(str::to_owned).to_vec(),
        bars: counts.iter().map(bar).collect(),
    };
    bars.figure(slug, caption)
}

/// How far the root is from its answer.
fn roots(scale: Scale, known: &Results) -> Figure {
    let series = prolonged(scale, known).into_iter().map(|(yes, position, nodes)| {
        let point = |cell: Cell| {
            let record = known.get(&cell)?;
            let p = record.score?;
            Some((record.stats.iterations as f64, if yes { 1.0 - p } else { p }))
        };
        let name = if yes { "solved position: 1 − PPN" } else { "unsolved position: PPN" };
        let points = trace(&position, nodes).into_iter().filter_map(point).collect();
        Series { name: name.to_owned(), points, mark: Mark::Line }
    });
    let plot = Plot {
        x: Axis::log("iterations"),
        y: Axis::log("distance of the root's PPN from its answer"),
        series: series.collect(),
        diagonal: false,
    };
    plot.figure("figure4", "Figures 4 and 5 of the paper: the root of the two most prolonged searches. The last point is just before the proof.")
}

fn precision(positions: &[String], scale: Scale, known: &Results) -> Vec<Block> {
    let mut table = Table::new(
        "Table 1 of the paper: average nodes, relative to the search without precision rate; and how many estimates were false",
        [
            "θ",
            "rate",
            "paper: nodes",
            "relative",
            "ours: nodes",
            "relative",
            "concluded",
            "of them estimated",
            "false",
        ],
    );
    let counts = |theta: &str, rate: &str| {
        let solver = precise(theta, rate);
        Counts::new(positions, |position| cell(position, &solver, scale), known)
    };
    let (theta, rate, theirs) = GRID[0];
    let base = Interval::mean(&counts(theta, rate).nodes).map_or(f64::NAN, |interval| interval.value);
    let (mut bars, mut estimated, mut wrong) = (Vec::new(), 0, 0);
    for (theta, rate, nodes) in GRID {
        let counts = counts(theta, rate);
        let ours = Interval::mean(&counts.nodes).map_or(f64::NAN, |interval| interval.value);
        table.row([
            theta.to_owned(),
            if rate == "0" { "–" } else { rate }.to_owned(),
            grouped(nodes.round() as u64),
            short(nodes / theirs),
            counts.mean_nodes(),
            short(ours / base),
            format!("{} of {}", counts.all - counts.open, counts.all),
            counts.estimated.to_string(),
            counts.wrong.to_string(),
        ]);
        (estimated, wrong) = (estimated + counts.estimated, wrong + counts.wrong);
        let rate = if rate == "0" { "no rate".to_owned() } else { format!("rate {rate}") };
        bars.push((format!("θ = {theta}, {rate}"), counts));
    }
    let interval = Interval::share(wrong, estimated);
    let text = format!(
        "Over all rates {estimated} conclusions rest on an estimate; {wrong} of them are false, {} (95 % interval {} to {}).",
        percent(interval.value),
        percent(interval.low),
        percent(interval.high)
    );
    let text = if estimated == 0 { "No search was ended by its estimate.".to_owned() } else { text };
    vec![
        table.into(),
        Block::text(text),
        stacked("figure6", "Figures 6 and 7 of the paper, with the estimates set apart and checked.", &bars)
            .into(),
    ]
}

fn possible(positions: &[String], scale: Scale, known: &Results) -> Vec<Block> {
    let mut table = Table::new(
        "The same positions and limits with the paper's solvers and those it lacked (auto has no limit)",
        ["solver", "solved", "unsolved", "out of bounds", "mean nodes", "mean seconds"],
    );
    let mut series = Vec::new();
    let solvers = TRIED.iter().map(|tried| tried.1).chain(LACKED).chain(["auto"]);
    for solver in solvers {
        let cell =
            |position: &str| if solver == "auto" { exact(position) } else { cell(position, solver, scale) };
        let counts = Counts::new(positions, cell, known);
        let name = solver.split(':').next().unwrap_or(solver).to_owned();
        let seconds =
            Interval::mean(&counts.seconds).map_or_else(|| "–".to_owned(), |interval| short(interval.value));
        table.row([
            name.clone(),
            counts.yes.to_string(),
            counts.no.to_string(),
            counts.open.to_string(),
            counts.mean_nodes(),
            seconds,
        ]);
        let records = positions.iter().filter_map(|position| known.get(&cell(position)));
        let proofs = records.filter(|record| record.verdict.proven());
        series.push(Series::cactus(&name, proofs.map(|record| record.stats.created.max(1) as f64)));
    }
    let plot = Plot {
        x: Axis::linear("positions concluded by proof"),
        y: Axis::log("created nodes needed for each"),
        series,
        diagonal: false,
    };
    let figure = plot.figure("cactus", "How many positions each solver proves when each may take so many nodes; curves end where the limit does.");
    vec![table.into(), figure.into()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coins_fall_as_they_do() {
        assert_eq!([by_chance(0, 0), by_chance(3, 3), by_chance(1, 0)], [1.0; 3]);
        assert_eq!([by_chance(5, 0), by_chance(0, 5)], [0.0625; 2]);
        // 1, 10 and 45 ways of 1024, on both sides.
        assert!((by_chance(8, 2) - 112.0 / 1024.0).abs() < 1e-12);
    }
}
