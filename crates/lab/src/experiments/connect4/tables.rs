//! The tables and figures of paper 1.

use super::{
    COUNTED, Connect4, GRID, LACKED, MCPNS, PNS, PPN_ROW, Position, THEIR_POSITIONS, TRIED, by_clock,
    by_plies, cell, exact, most_plies, roots, seeds,
};
use crate::claim::sign_test;
use crate::plot::{Axis, Bar, Bars, Plot, Series};
use crate::report::{Block, Figure, Table, range, short};
use crate::text::{grouped, p_value, percent};
use crate::{Cell, Results, Scale, Verdict};
use delphic_base::Interval;

pub(super) fn blocks(experiment: &Connect4, scale: Scale, known: &Results) -> Vec<Block> {
    let all = experiment.all(scale);
    let mut blocks = vec![Block::heading("Concluded by proof (figure 3)")];
    blocks.push(figure3(all, scale, known).into());
    blocks.push(Block::text(order(all, scale, known)));
    let bars = TRIED.iter().map(|tried| (tried.label.to_owned(), counts(all, tried.solver, scale, known)));
    blocks.push(concluded("figure3", &bars.collect::<Vec<_>>()).into());
    if scale == Scale::Quick {
        blocks.push(Block::text(experiment.paper_limit(scale, known).in_words()));
    }
    blocks.push(by_seed(experiment.reseeded(scale), scale, known).into());
    if scale != Scale::Smoke {
        blocks.push(same_time(all, scale, known).into());
    }
    blocks.push(same_work(&experiment.counted(scale, known), scale, known).into());
    blocks.push(Block::heading("Prolonged search (figures 4 and 5)"));
    blocks.push(roots::traced(experiment, scale, known).into());
    blocks.extend(roots::prolongation(experiment, scale, known));
    blocks.push(Block::heading("The root's number as a probability"));
    blocks.extend(roots::calibration(experiment, scale, known));
    blocks.push(Block::heading("Precision rate (figures 6 and 7, table 1)"));
    blocks.extend(precision(all, scale, known));
    blocks.push(Block::heading("Solvers that the paper lacked"));
    blocks.extend(possible(all, scale, known));
    blocks
}

/// What a solver concluded.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) all: usize,
    pub(super) yes: usize,
    pub(super) no: usize,
    /// Concluded without proof, and of these the false ones.
    pub(super) estimated: usize,
    pub(super) wrong: usize,
    pub(super) open: usize,
    /// Positions that are not won at once, and how many of them are concluded by proof.
    pub(super) harder: usize,
    pub(super) harder_proved: usize,
    /// Position by position.
    pub(super) proved: Vec<bool>,
    pub(super) nodes: Vec<f64>,
    pub(super) seconds: Vec<f64>,
}

impl Counts {
    pub(super) fn new<'p>(
        positions: impl IntoIterator<Item = &'p Position>,
        cell: impl Fn(&Position) -> Cell,
        known: &Results,
    ) -> Counts {
        let mut counts = Counts::default();
        for position in positions {
            let Some(record) = known.get(&cell(position)) else { continue };
            let truth = known.get(&exact(position)).and_then(|exact| exact.verdict.yes());
            let (proven, harder) = (record.verdict.proven(), !position.won_at_once);
            let estimated = !proven && record.verdict.yes().is_some();
            counts.all += 1;
            counts.yes += usize::from(record.verdict == Verdict::Proved);
            counts.no += usize::from(record.verdict == Verdict::Disproved);
            counts.estimated += usize::from(estimated);
            counts.wrong += usize::from(estimated && truth.is_some() && truth != record.verdict.yes());
            counts.open += usize::from(record.verdict == Verdict::Unknown);
            counts.harder += usize::from(harder);
            counts.harder_proved += usize::from(harder && proven);
            counts.proved.push(proven);
            counts.nodes.push(record.stats.created as f64);
            counts.seconds.push(record.seconds());
        }
        counts
    }

    /// Concluded, with or without proof.
    pub(super) fn concluded(&self) -> usize {
        self.all - self.open
    }

    pub(super) fn mean_nodes(&self) -> Option<f64> {
        Interval::mean(&self.nodes).map(|interval| interval.value)
    }

    pub(super) fn mean_seconds(&self) -> Option<f64> {
        Interval::mean(&self.seconds).map(|interval| interval.value)
    }
}

pub(super) fn counts(positions: &[Position], solver: &str, scale: Scale, known: &Results) -> Counts {
    Counts::new(positions, |position| cell(position, solver, scale), known)
}

/// Positions that only the first concludes by proof, and only the second.
pub(super) fn alone(one: &Counts, other: &Counts) -> (usize, usize) {
    let count = |a: &Counts, b: &Counts| a.proved.iter().zip(&b.proved).filter(|(a, b)| **a && !**b).count();
    (count(one, other), count(other, one))
}

fn or_dash(value: Option<f64>, write: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), write)
}

fn whole(value: f64) -> String {
    grouped(value.round() as u64)
}

fn figure3(all: &[Position], scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        "Figure 3: positions concluded by proof; in the paper of 200",
        [
            "solver",
            "paper",
            "ours",
            "share (95 %)",
            "not won at once",
            "solved",
            "unsolved",
            "out of bounds",
            "mean nodes",
        ],
    );
    for tried in &TRIED {
        let counts = counts(all, tried.solver, scale, known);
        let proved = counts.yes + counts.no;
        table.row([
            tried.label.to_owned(),
            or_dash(tried.paper, whole),
            format!("{proved} of {}", counts.all),
            range(Interval::share(proved, counts.all), percent),
            format!("{} of {}", counts.harder_proved, counts.harder),
            counts.yes.to_string(),
            counts.no.to_string(),
            counts.open.to_string(),
            or_dash(counts.mean_nodes(), whole),
        ]);
    }
    table
}

/// Whether the paper's order holds, pair by pair.
fn order(all: &[Position], scale: Scale, known: &Results) -> String {
    let counts = TRIED.each_ref().map(|tried| counts(all, tried.solver, scale, known));
    let pair = |one: usize, other: usize| {
        let (first, second) = alone(&counts[one], &counts[other]);
        format!(
            "{} alone concludes {first}, {} alone {second} ({})",
            TRIED[one].label,
            TRIED[other].label,
            p_value(sign_test(first, second))
        )
    };
    let easy = all.iter().filter(|position| position.won_at_once).count();
    let limits = match scale {
        Scale::Paper => "The limits are the paper's",
        _ => {
            "The limits are smaller than the paper's, so counts cannot be compared with its counts, only orders"
        }
    };
    format!(
        "{limits}. In {easy} of {} positions the side to move wins with its next move. Positions that only one of two solvers concludes, with the exact sign test: {}; {}.",
        all.len(),
        pair(PNS, PPN_ROW),
        pair(PPN_ROW, MCPNS),
    )
}

/// Ours and, where the paper has a number, the paper's.
fn concluded(slug: &str, counts: &[(String, Counts)]) -> Figure {
    let parts = ["solved", "unsolved", "out of bounds", "concluded (paper)", "out of bounds (paper)"];
    let mut bars = Vec::new();
    for ((name, counts), tried) in counts.iter().zip(&TRIED) {
        let ours = [counts.yes, counts.no, counts.open].map(|count| count as f64);
        bars.push(Bar { name: name.clone(), parts: [&ours[..], &[0.0, 0.0]].concat(), interval: None });
        bars.extend(tried.paper.map(|paper| Bar {
            name: format!("{name}, paper"),
            parts: vec![0.0, 0.0, 0.0, paper, THEIR_POSITIONS - paper],
            interval: None,
        }));
    }
    let bars = Bars { axis: Axis::linear("positions"), parts: parts.map(str::to_owned).to_vec(), bars };
    bars.figure(slug, "Figure 3 of the paper beside our positions and limits.")
}

fn by_seed(positions: &[Position], scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        format!("The same for each seed, on the first {} positions", positions.len()),
        ["solver", "concluded by seed", "least", "most"],
    );
    for tried in TRIED.iter().filter(|tried| tried.random) {
        let proved: Vec<usize> = seeds(scale)
            .map(|seed| {
                let counts = Counts::new(
                    positions,
                    |position| cell(position, tried.solver, scale).seeded(seed),
                    known,
                );
                counts.yes + counts.no
            })
            .collect();
        table.row([
            tried.label.to_owned(),
            proved.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
            proved.iter().min().map_or(String::new(), usize::to_string),
            proved.iter().max().map_or(String::new(), usize::to_string),
        ]);
    }
    table
}

fn same_time(positions: &[Position], scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        "Equal time instead of equal nodes, as in the paper: positions concluded by proof",
        ["solver", "concluded", "not won at once", "mean nodes", "nodes a second"],
    );
    for row in [MCPNS, PPN_ROW] {
        let counts = Counts::new(positions, |position| by_clock(position, TRIED[row].solver, scale), known);
        let (nodes, seconds): (f64, f64) = (counts.nodes.iter().sum(), counts.seconds.iter().sum());
        table.row([
            TRIED[row].label.to_owned(),
            format!("{} of {}", counts.yes + counts.no, counts.all),
            format!("{} of {}", counts.harder_proved, counts.harder),
            or_dash(counts.mean_nodes(), whole),
            or_dash((seconds > 0.0).then_some(nodes / seconds), whole),
        ]);
    }
    table
}

fn same_work(positions: &[&Position], scale: Scale, known: &Results) -> Table {
    let caption = format!(
        "Equal work: positions concluded by proof within {} simulated plies",
        grouped(most_plies(scale))
    );
    let mut table = Table::new(
        caption,
        ["solver", "concluded", "not won at once", "mean nodes", "plies for each node", "nodes a second"],
    );
    for (label, solver) in COUNTED {
        let cell = |position: &Position| by_plies(position, solver, scale);
        let counts = Counts::new(positions.iter().copied(), cell, known);
        let records = positions.iter().filter_map(|position| known.get(&by_plies(position, solver, scale)));
        let plies: f64 = records.filter_map(|record| record.score).sum();
        let (nodes, seconds): (f64, f64) = (counts.nodes.iter().sum(), counts.seconds.iter().sum());
        table.row([
            label.to_owned(),
            format!("{} of {}", counts.yes + counts.no, counts.all),
            format!("{} of {}", counts.harder_proved, counts.harder),
            or_dash(counts.mean_nodes(), whole),
            or_dash((nodes > 0.0).then_some(plies / nodes), whole),
            or_dash((seconds > 0.0).then_some(nodes / seconds), whole),
        ]);
    }
    table
}

fn precision(positions: &[Position], scale: Scale, known: &Results) -> Vec<Block> {
    let mut table = Table::new(
        "Table 1: average nodes and seconds, relative to the search without precision rate; and how many estimates are false",
        [
            "θ",
            "rate",
            "nodes, paper",
            "relative",
            "nodes, ours",
            "relative",
            "time, paper",
            "time, ours",
            "concluded",
            "estimated",
            "false",
        ],
    );
    let counts = GRID.each_ref().map(|setting| counts(positions, &setting.solver(), scale, known));
    let (base_nodes, base_seconds) = (counts[0].mean_nodes(), counts[0].mean_seconds());
    let (theirs, their_seconds) = GRID[0].paper.unwrap_or((f64::NAN, f64::NAN));
    let relative = |value: Option<f64>, base: Option<f64>| {
        or_dash(value.zip(base).map(|(value, base)| value / base), short)
    };
    for (setting, counts) in GRID.iter().zip(&counts) {
        table.row([
            setting.theta.to_owned(),
            if setting.rate == "0" { "–" } else { setting.rate }.to_owned(),
            or_dash(setting.paper.map(|paper| paper.0), whole),
            or_dash(setting.paper.map(|paper| paper.0 / theirs), short),
            or_dash(counts.mean_nodes(), whole),
            relative(counts.mean_nodes(), base_nodes),
            or_dash(setting.paper.map(|paper| paper.1 / their_seconds), short),
            relative(counts.mean_seconds(), base_seconds),
            format!("{} of {}", counts.concluded(), counts.all),
            counts.estimated.to_string(),
            counts.wrong.to_string(),
        ]);
    }
    let estimated: usize = counts.iter().map(|counts| counts.estimated).sum();
    let wrong: usize = counts.iter().map(|counts| counts.wrong).sum();
    let text = match estimated {
        0 => "No search was ended by its estimate.".to_owned(),
        _ => format!(
            "Over all rates {estimated} conclusions rest on an estimate; {wrong} of them are false, {}. Times are relative to the first row, the paper's to its 251 s.",
            range(Interval::share(wrong, estimated), percent)
        ),
    };
    vec![table.into(), Block::text(text), stacked(&counts).into()]
}

fn stacked(counts: &[Counts]) -> Figure {
    let parts = ["solved", "unsolved", "estimated, true", "estimated, false", "out of bounds"];
    let bar = |(setting, counts): (&super::Setting, &Counts)| {
        let right = counts.estimated - counts.wrong;
        let parts = [counts.yes, counts.no, right, counts.wrong, counts.open].map(|count| count as f64);
        let rate = if setting.rate == "0" { "no rate".to_owned() } else { format!("rate {}", setting.rate) };
        // The false ones are few, and a number would not fit into their narrow part: it is in the name.
        let wrong = if counts.wrong > 0 { format!(" ({} false)", counts.wrong) } else { String::new() };
        Bar { name: format!("θ = {}, {rate}{wrong}", setting.theta), parts: parts.to_vec(), interval: None }
    };
    let bars = Bars {
        axis: Axis::linear("positions"),
        parts: parts.map(str::to_owned).to_vec(),
        bars: GRID.iter().zip(counts).map(bar).collect(),
    };
    bars.figure("figure6", "Figures 6 and 7 of the paper, with the estimates set apart and checked. The last two rates are above θ.")
}

fn possible(positions: &[Position], scale: Scale, known: &Results) -> Vec<Block> {
    let mut table = Table::new(
        "The same positions and limits with the paper's solvers and those it lacked (`auto` has no limit)",
        [
            "solver",
            "concluded",
            "not won at once",
            "solved",
            "unsolved",
            "out of bounds",
            "mean nodes",
            "mean seconds",
        ],
    );
    let mut series = Vec::new();
    let solvers = TRIED.iter().map(|tried| tried.solver).chain(LACKED).chain(["auto"]);
    for solver in solvers {
        let cell = |position: &Position| {
            if solver == "auto" { exact(position) } else { cell(position, solver, scale) }
        };
        let counts = Counts::new(positions, cell, known);
        let name = solver.replace(":playouts=60", "").replace(",theta=0.01", "");
        table.row([
            name.clone(),
            (counts.yes + counts.no).to_string(),
            format!("{} of {}", counts.harder_proved, counts.harder),
            counts.yes.to_string(),
            counts.no.to_string(),
            counts.open.to_string(),
            or_dash(counts.mean_nodes(), whole),
            or_dash(counts.mean_seconds(), short),
        ]);
        let harder = positions.iter().filter(|position| !position.won_at_once);
        let proofs =
            harder.filter_map(|position| known.get(&cell(position))).filter(|record| record.verdict.proven());
        series.push(Series::cactus(&name, proofs.map(|record| record.seconds().max(1e-6))));
    }
    let plot = Plot {
        x: Axis::linear("positions concluded by proof, of those not won at once"),
        y: Axis::log("seconds for each"),
        series,
        diagonal: false,
    };
    let figure = plot.figure("cactus", "How many positions each solver proves with at most this much time for each; curves end where the limit does. Time, because `alphabeta` counts its nodes differently.");
    vec![table.into(), figure.into()]
}
