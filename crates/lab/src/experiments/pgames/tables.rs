//! The tables and figures of paper 3.

use super::readings::{LABELS, LITERAL, MCPNS, Observed, PLACES, READINGS, Reading, UCT, VARIANTS, observed};
use super::{SHAPES, checkpoints, cut, fewer_trees, more_trees, refutation, scaled, trees, whole};
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
        let samples = five(nth, LITERAL, scale, known);
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
    blocks.push(orders(scale, known).into());
    blocks.push(sensitivity(scale, known).into());
    blocks.push(Block::text(
        "Errors are shares of wrong moves over all trees and checkpoints. The printed rule for the final move spoils pure MCTS: it spends nearly all visits on one move, so a move with a single visit gets a bonus of 1 and is selected, however bad. The most visited move does not have this fault.",
    ));
    blocks.push(variants(scale, known).into());
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
        Sample::of_first(trees(scale), shape, label, solver, known)
    }

    /// Of the first trees only.
    fn of_first(trees: u64, shape: usize, label: impl Into<String>, solver: &str, known: &Results) -> Sample {
        let (branching, shape, _) = SHAPES[shape];
        let done = |seed| known.get(&whole(shape, seed, solver)).map(|record| (seed, record));
        let records: Vec<(u64, &Record)> = (1..=trees).filter_map(done).collect();
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

/// On the trees that only a close pair of solvers has.
pub(super) fn more(shape: usize, solver: &str, scale: Scale, known: &Results) -> Sample {
    Sample::of_first(more_trees(scale), shape, "", solver, known)
}

/// The paper's five on a shape, under a reading.
pub(super) fn five(shape: usize, reading: Reading, scale: Scale, known: &Results) -> Vec<Sample> {
    let of = |nth: usize| Sample::new(shape, LABELS[nth], &reading.solver(nth), scale, known);
    (0..LABELS.len()).map(of).collect()
}

/// A variant on the trees that it has, and the same solver as printed on the same trees.
pub(super) fn varied(shape: usize, of: usize, name: &str, scale: Scale, known: &Results) -> [Sample; 2] {
    [name.to_owned(), LITERAL.solver(of)]
        .map(|name| Sample::of_first(fewer_trees(scale), shape, LABELS[of], &name, known))
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
    let mut table =
        Table::new("Means over trees; places by iterations. Printed formulas, ties at random", head);
    let average =
        |sample: &Sample| Interval::mean(&sample.iterations).map_or(f64::INFINITY, |interval| interval.value);
    for (one, place) in samples.iter().zip(PLACES) {
        let better = samples.iter().filter(|other| average(other) < average(one)).count();
        table.row([
            one.label.clone(),
            one.iterations.len().to_string(),
            one.open.to_string(),
            mean(&one.iterations),
            mean(&one.seconds),
            (better + 1).to_string(),
            place.to_owned(),
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
    judged_up_to(shape, trees(scale), known)
}

/// The same for this many trees.
pub(super) fn judged_up_to(shape: usize, trees: u64, known: &Results) -> Vec<(u64, Vec<bool>)> {
    let (branching, shape, _) = SHAPES[shape];
    let mut judged = Vec::new();
    for seed in 1..=trees {
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
    let shown = observed().into_iter().filter(|one| one.reading == LITERAL);
    let series = shown.map(|one| {
        let rate = |iterations: u64| {
            let rate = error_rate(shape, &judged, &one.solver(), iterations, known)?;
            Some((iterations as f64, 100.0 * rate.value))
        };
        Series { name: one.label(), points: checkpoints(scale).filter_map(rate).collect(), mark: Mark::Line }
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
            "Figure {number} of the paper: how often the selected move is wrong, over {} trees. In {risky} of them MAX wins and has a move that loses the win; elsewhere no move is wrong. MCTS and UCT select by v + 1/√n as printed, which makes the curve of pure MCTS an artefact of that rule, \
             and beside it by most visits.",
            judged.len()
        ),
    )
}

/// The solvers in ascending order of their mean iterations.
pub(super) fn ranked(samples: &[Sample]) -> String {
    let average = |sample: &Sample| Interval::mean(&sample.iterations).map(|interval| interval.value);
    let mut means: Vec<(f64, &str)> =
        samples.iter().filter_map(|one| Some((average(one)?, one.label.as_str()))).collect();
    means.sort_by(|a, b| a.0.total_cmp(&b.0));
    let words: Vec<String> = means.iter().map(|(mean, label)| format!("{label} {}", short(*mean))).collect();
    words.join(" < ")
}

fn orders(scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        "The order of the five solvers by mean iterations, for every reading; in the paper PPN < MCTS, MCPNS < UCT, PNS",
        ["ties", "θ of MCPNS", SHAPES[0].2, SHAPES[1].2],
    );
    for reading in READINGS {
        let [first, second] = [0, 1].map(|shape| ranked(&five(shape, reading, scale, known)));
        table.row([reading.ties.to_owned(), reading.theta.to_owned(), first, second]);
    }
    table
}

/// The share of wrong moves over all checkpoints.
fn errors(shape: usize, one: &Observed, scale: Scale, known: &Results) -> String {
    let judged = judged(shape, scale, known);
    let mut answers = Vec::new();
    for n in checkpoints(scale) {
        answers.extend(judged.iter().filter_map(|tree| wrong(shape, tree, &one.solver(), n, known)));
    }
    let wrong = answers.iter().filter(|wrong| **wrong).count();
    match answers.len() {
        0 => "–".to_owned(),
        all => format!("{:.1} %", 100.0 * wrong as f64 / all as f64),
    }
}

fn sensitivity(scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        "Ties × θ × final move, for each solver: mean iterations to solve a tree (95 %), and wrong moves before that",
        [
            "solver",
            "ties",
            "θ",
            "final move",
            "iterations, 2 branches",
            "8 branches",
            "errors, 2 branches",
            "8 branches",
        ],
    );
    for one in observed() {
        let Observed { nth, reading, .. } = one;
        let iterations = [0, 1].map(|shape| {
            mean(&Sample::new(shape, LABELS[nth], &reading.solver(nth), scale, known).iterations)
        });
        let errors = [0, 1].map(|shape| errors(shape, &one, scale, known));
        let theta = match nth {
            super::readings::PPN => "0.01",
            MCPNS => reading.theta,
            _ => "–",
        };
        let mut row = [LABELS[nth], reading.ties, theta, one.final_move()].map(str::to_owned).to_vec();
        row.extend(iterations.into_iter().chain(errors));
        table.rows.push(row);
    }
    table
}

fn variants(scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        format!(
            "Other settings, on the first {} trees; mean iterations (95 %). Values from −1 to 1 halve UCT's exploration",
            fewer_trees(scale)
        ),
        ["solver", "setting", SHAPES[0].2, SHAPES[1].2],
    );
    let mut shown = None;
    for variant in &VARIANTS {
        if shown != Some(variant.of) {
            shown = Some(variant.of);
            let setting =
                if variant.of == UCT { "as above (values from 0 to 1, C = 1.414)" } else { "as above" };
            let [one, other] = [0, 1]
                .map(|shape| mean(&varied(shape, variant.of, variant.name, scale, known)[1].iterations));
            table.row([LABELS[variant.of].to_owned(), setting.to_owned(), one, other]);
        }
        let [one, other] =
            [0, 1].map(|shape| mean(&varied(shape, variant.of, variant.name, scale, known)[0].iterations));
        table.row([LABELS[variant.of].to_owned(), variant.setting.to_owned(), one, other]);
    }
    table
}
