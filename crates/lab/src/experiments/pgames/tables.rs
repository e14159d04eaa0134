//! The tables and figures of paper 3.

use super::{SHAPES, SOLVERS, VARIANTS, checkpoints, cut, observed, refutation, scaled, trees, whole};
use crate::plot::{Axis, Bar, Bars, Mark, Plot, Series};
use crate::report::{Block, Figure, Table, range, short};
use crate::text::signed;
use crate::{Record, Results, Scale, Verdict};
use delphic_base::Interval;

pub(super) fn blocks(scale: Scale, known: &Results) -> Vec<Block> {
    let figures = [(7, 8, 9), (10, 11, 12)];
    let mut blocks = Vec::new();
    for (nth, (time, iterations, errors)) in figures.into_iter().enumerate() {
        let (_, _, name) = SHAPES[nth];
        blocks.push(Block::heading(name));
        let samples = five(nth, scale, known);
        blocks.push(table(&samples).into());
        blocks.push(Block::text(differences(&samples)));
        blocks.push(points(&samples, time, "mean time to solve a tree (s)", |sample| &sample.seconds).into());
        blocks.push(
            points(&samples, iterations, "mean iterations to solve a tree", |sample| &sample.iterations)
                .into(),
        );
        blocks.push(error_rates(nth, errors, scale, known).into());
    }
    blocks.push(Block::heading("What the results depend on"));
    blocks.push(sensitivity(scale, known).into());
    blocks
}

/// What one solver needed for the trees that are solved, in their order.
pub(super) struct Sample {
    label: String,
    pub(super) iterations: Vec<f64>,
    /// The trees that these belong to.
    pub(super) seeds: Vec<u64>,
    pub(super) seconds: Vec<f64>,
    open: usize,
}

impl Sample {
    pub(super) fn new(
        shape: usize,
        label: impl Into<String>,
        solver: &str,
        scale: Scale,
        known: &Results,
    ) -> Sample {
        let (branching, shape, _) = SHAPES[shape];
        let done = |seed| known.get(&whole(shape, seed, solver)).map(|record| (seed, record));
        let records: Vec<(u64, &Record)> = (1..=trees(scale)).filter_map(done).collect();
        let solved = || records.iter().filter(|(_, record)| record.verdict.proven());
        Sample {
            label: label.into(),
            iterations: solved().map(|(_, record)| scaled(record, solver, branching)).collect(),
            seeds: solved().map(|(seed, _)| *seed).collect(),
            seconds: solved().map(|(_, record)| record.seconds()).collect(),
            open: records.len() - solved().count(),
        }
    }

    /// Differences to another sample, tree by tree.
    pub(super) fn beyond(&self, other: &Sample, values: fn(&Sample) -> &Vec<f64>) -> Vec<f64> {
        let of = |sample: &Sample, seed: u64| {
            sample.seeds.binary_search(&seed).ok().map(|place| values(sample)[place])
        };
        self.seeds.iter().filter_map(|&seed| Some(of(self, seed)? - of(other, seed)?)).collect()
    }
}

/// The paper's five on a shape.
pub(super) fn five(shape: usize, scale: Scale, known: &Results) -> Vec<Sample> {
    SOLVERS.iter().map(|solver| Sample::new(shape, solver.label, solver.name, scale, known)).collect()
}

pub(super) fn mean(values: &[f64]) -> String {
    Interval::mean(values).map_or_else(|| "–".to_owned(), |interval| range(interval, short))
}

fn table(samples: &[Sample]) -> Table {
    let head = [
        "solver",
        "solved",
        "open",
        "mean iterations (95 %)",
        "mean seconds (95 %)",
        "place",
        "place in the paper",
    ];
    let mut table = Table::new("Means over trees; places by iterations", head);
    let average =
        |sample: &Sample| Interval::mean(&sample.iterations).map_or(f64::INFINITY, |interval| interval.value);
    for (one, solver) in samples.iter().zip(&SOLVERS) {
        let better = samples.iter().filter(|other| average(other) < average(one)).count();
        table.row([
            one.label.clone(),
            one.iterations.len().to_string(),
            one.open.to_string(),
            mean(&one.iterations),
            mean(&one.seconds),
            (better + 1).to_string(),
            solver.place.to_owned(),
        ]);
    }
    table
}

/// Iterations beyond those of PPN, tree by tree.
fn differences(samples: &[Sample]) -> String {
    let Some((ppn, others)) = samples.split_first() else { return String::new() };
    let said = others.iter().filter_map(|other| {
        let Interval { value, low, high } = Interval::mean(&other.beyond(ppn, |sample| &sample.iterations))?;
        let apart = if low <= 0.0 && high >= 0.0 { ", undecided" } else { "" };
        Some(format!("{} {} ({} to {}{apart})", other.label, signed(value), signed(low), signed(high)))
    });
    format!("Iterations beyond those of PPN, tree by tree: {}.", said.collect::<Vec<_>>().join("; "))
}

fn points(samples: &[Sample], number: u32, label: &str, values: impl Fn(&Sample) -> &Vec<f64>) -> Figure {
    let bar = |one: &Sample| {
        let Interval { value, low, high } = Interval::mean(values(one))?;
        Some(Bar { name: one.label.clone(), parts: vec![value], interval: Some((low, high)) })
    };
    let bars = Bars {
        axis: Axis::log(label),
        parts: vec![label.to_owned()],
        bars: samples.iter().filter_map(bar).collect(),
    };
    bars.figure(
        format!("figure{number}"),
        format!("Figure {number} of the paper: {label}, with 95 % bootstrap intervals."),
    )
}

/// The trees of a shape whose moves are all known, and which moves lose the win.
pub(super) fn judged(shape: usize, scale: Scale, known: &Results) -> Vec<(u64, Vec<bool>)> {
    let (branching, shape, _) = SHAPES[shape];
    let mut judged = Vec::new();
    for seed in 1..=trees(scale) {
        let loses = |child| {
            known.get(&refutation(shape, seed, child)).map(|record| record.verdict == Verdict::Proved)
        };
        let moves: Option<Vec<bool>> = (0..branching).map(loses).collect();
        judged.extend(moves.map(|moves| (seed, moves)));
    }
    judged
}

/// Whether the move selected after this many iterations is wrong; `None` if the search is missing.
pub(super) fn wrong(
    shape: usize,
    (seed, moves): &(u64, Vec<bool>),
    solver: &str,
    iterations: u64,
    known: &Results,
) -> Option<bool> {
    let (branching, shape, _) = SHAPES[shape];
    let record = known.get(&cut(shape, branching, *seed, solver, iterations))?;
    let chosen = record.first_move().parse::<usize>().unwrap_or(0);
    Some(moves.contains(&false) && moves.get(chosen) == Some(&true))
}

/// The share of wrong moves after this many iterations.
pub(super) fn error_rate(
    shape: usize,
    judged: &[(u64, Vec<bool>)],
    solver: &str,
    iterations: u64,
    known: &Results,
) -> Option<Interval> {
    let answers: Vec<bool> =
        judged.iter().filter_map(|tree| wrong(shape, tree, solver, iterations, known)).collect();
    let wrong = answers.iter().filter(|wrong| **wrong).count();
    (!answers.is_empty()).then(|| Interval::share(wrong, answers.len()))
}

fn error_rates(shape: usize, number: u32, scale: Scale, known: &Results) -> Figure {
    let judged = judged(shape, scale, known);
    let risky = judged.iter().filter(|(_, moves)| moves.contains(&true) && moves.contains(&false)).count();
    let series = observed().map(|(label, solver)| {
        let rate = |iterations: u64| {
            let rate = error_rate(shape, &judged, solver, iterations, known)?;
            Some((iterations as f64, 100.0 * rate.value))
        };
        Series { name: label, points: checkpoints(scale).filter_map(rate).collect(), mark: Mark::Line }
    });
    let plot = Plot {
        x: Axis::log("iterations (scaled)"),
        y: Axis::linear("error rate of the selected move (%)"),
        series: series.collect(),
        diagonal: false,
    };
    plot.figure(
        format!("figure{number}"),
        format!(
            "Figure {number} of the paper: how often the selected move is wrong, over {} trees. In {risky} of them MAX wins and has a move that loses the win; elsewhere no move is wrong. MCTS and UCT select by v + 1/√n, which makes the curve of pure MCTS \
             an artefact (see Deviations).",
            judged.len()
        ),
    )
}

fn sensitivity(scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        "The same solvers with other choices; mean iterations (95 %)",
        ["solver", "setting", SHAPES[0].2, SHAPES[1].2],
    );
    for (nth, solver) in SOLVERS.iter().enumerate() {
        let settings = std::iter::once(("as above", solver.name)).chain(
            VARIANTS
                .iter()
                .filter(|variant| variant.of == nth)
                .map(|variant| (variant.setting, variant.name)),
        );
        for (setting, name) in settings {
            let cells =
                [0, 1].map(|shape| mean(&Sample::new(shape, solver.label, name, scale, known).iterations));
            let [first, second] = cells;
            table.row([solver.label.to_owned(), setting.to_owned(), first, second]);
        }
    }
    table
}
