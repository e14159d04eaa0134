//! The root's number in the course of a search: prolonged searches (figures 4 and 5), rounding, calibration.

use super::{CALIBRATED, Connect4, Position, early, exact, on_doubles, trace, watched};
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::{Block, Figure, Table, range};
use crate::text::{grouped, percent};
use crate::{Cell, Results, Scale};
use delphic_base::Interval;

/// The distance of a root from its answer.
pub(super) fn traced(experiment: &Connect4, scale: Scale, known: &Results) -> Figure {
    let series = experiment.prolonged(scale, known).into_iter().map(|(yes, position, nodes)| {
        let point = |cell: Cell| {
            let record = known.get(&cell)?;
            let p = record.score?;
            Some((record.stats.iterations as f64, if yes { 1.0 - p } else { p }))
        };
        let name = if yes { "solved position: 1 − PPN" } else { "unsolved position: PPN" };
        let points = trace(position, nodes).into_iter().filter_map(point).collect();
        Series { name: name.to_owned(), points, mark: Mark::Line }
    });
    let plot = Plot {
        x: Axis::log("iterations"),
        y: Axis::log("distance of the root's PPN from its answer"),
        series: series.collect(),
        diagonal: false,
    };
    plot.figure(
        "figure4",
        "Figures 4 and 5 of the paper: the root in the two searches that took PPN the most nodes to prove, one of each answer. The last point is just before the proof. In the paper's unsolved position the root reads 0.000000 from iteration 340,000 of \
         677,765 on, in its solved position 1.00000 from 100,000 of 214,110 on.",
    )
}

/// Of each watched search that PPN proves: the share of its nodes after which the root reads 0.000000 or 1.000000; 1 where it never
/// does.
pub(super) fn shares(experiment: &Connect4, scale: Scale, known: &Results) -> Vec<f64> {
    share_of(experiment, known, |position| watched(position, scale))
}

fn share_of(experiment: &Connect4, known: &Results, cell: impl Fn(&Position) -> Cell) -> Vec<f64> {
    let share = |position: &Position| {
        let record = known.get(&cell(position)).filter(|record| record.verdict.proven())?;
        let created = record.stats.created.max(1);
        Some(record.estimated_at.map_or(1.0, |at| at as f64 / created as f64))
    };
    experiment.positions.iter().filter(|position| !position.won_at_once).filter_map(share).collect()
}

/// How the searches on plain floats ended.
#[derive(Default)]
pub(super) struct Rounded {
    pub(super) all: usize,
    pub(super) proved: usize,
    /// The root read exactly 0 or 1 without a proof, and of these the false ones.
    pub(super) rounded: usize,
    pub(super) wrong: usize,
    /// The root was proved, and read neither 0 nor 1.
    pub(super) went_on: usize,
}

pub(super) fn rounded(experiment: &Connect4, scale: Scale, known: &Results) -> Rounded {
    let mut found = Rounded::default();
    for position in experiment.long(scale) {
        let Some(record) = known.get(&on_doubles(position, scale)) else { continue };
        let truth = known.get(&exact(position)).and_then(|exact| exact.verdict.yes());
        let estimated = !record.verdict.proven() && record.verdict.yes().is_some();
        found.all += 1;
        found.proved += usize::from(record.verdict.proven());
        let inexact = record.score.is_some_and(|p| p != 0.0 && p != 1.0);
        found.went_on += usize::from(record.verdict.proven() && inexact);
        found.rounded += usize::from(estimated);
        found.wrong += usize::from(estimated && truth.is_some() && truth != record.verdict.yes());
    }
    found
}

pub(super) fn prolongation(experiment: &Connect4, scale: Scale, known: &Results) -> Vec<Block> {
    let series = |name: &str, mut shares: Vec<f64>| {
        shares.sort_by(f64::total_cmp);
        let points = shares.iter().enumerate().map(|(nth, share)| (nth as f64 + 1.0, *share)).collect();
        Series { name: name.to_owned(), points, mark: Mark::Dots }
    };
    let apart = shares(experiment, scale, known);
    let together = share_of(experiment, known, |position| on_doubles(position, scale));
    if apart.is_empty() {
        return Vec::new();
    }
    let before = apart.iter().filter(|share| **share < 0.9).count();
    let mut sorted = apart.clone();
    sorted.sort_by(f64::total_cmp);
    let doubles = rounded(experiment, scale, known);
    let plot = Plot {
        x: Axis::linear("proved positions, in ascending order"),
        y: Axis::linear("share of nodes until the root reads 0 or 1").from_to(0.0, 1.0),
        series: vec![
            series("exact verdicts kept apart", apart.clone()),
            series("plain floats, as printed", together),
        ],
        diagonal: false,
    };
    vec![
        Block::text(format!(
            "Of {} positions, none won at once, PPN proves {} within the limit; {before} of these have a root within 5·10⁻⁷ of its answer before 90 % of the nodes are made; the median share is {}. Exact verdicts are kept apart from the probabilities there, so none of this is due to rounding. The printed \
             algorithm on plain floats ends {} of {} searches with a proof and {} because its root rounds to exactly 0 or 1, {} of them with the wrong answer. {} searches went on after a proof: a proved node reads exactly 0 or 1.",
            experiment.long(scale).len(),
            apart.len(),
            percent(sorted[sorted.len() / 2]),
            doubles.proved,
            doubles.all,
            doubles.rounded,
            doubles.wrong,
            doubles.went_on,
        )),
        plot.figure("prolonged", "When the root reads 0.000000 or 1.000000, as a share of the nodes to the proof; 1 where it never does before.")
            .into(),
    ]
}

/// Open positions whose root reads about the same.
pub(super) struct Bin {
    pub(super) predicted: f64,
    pub(super) observed: Interval,
    pub(super) positions: usize,
}

/// The root's number after some nodes against the answer, by fifths; only fifths with at least five positions.
pub(super) fn calibrated(experiment: &Connect4, nodes: u64, scale: Scale, known: &Results) -> Vec<Bin> {
    let mut fifths: [Vec<(f64, bool)>; 5] = Default::default();
    for position in experiment.calibrated(scale).iter().filter(|position| !position.won_at_once) {
        let Some(record) = known.get(&early(position, nodes)).filter(|record| !record.verdict.proven())
        else {
            continue;
        };
        let truth = known.get(&exact(position)).and_then(|exact| exact.verdict.yes());
        if let (Some(p), Some(truth)) = (record.score, truth) {
            fifths[((5.0 * p) as usize).min(4)].push((p, truth));
        }
    }
    let bin = |one: &Vec<(f64, bool)>| Bin {
        predicted: one.iter().map(|(p, _)| p).sum::<f64>() / one.len() as f64,
        observed: Interval::share(one.iter().filter(|(_, won)| *won).count(), one.len()),
        positions: one.len(),
    };
    fifths.iter().filter(|one| one.len() >= 5).map(bin).collect()
}

pub(super) fn calibration(experiment: &Connect4, scale: Scale, known: &Results) -> Vec<Block> {
    let mut table = Table::new(
        "PPN cut off early: the root's number and the share of positions that the first player wins, by fifths with at least five positions",
        ["nodes", "mean of the root", "won (95 %)", "positions"],
    );
    let mut series = Vec::new();
    for nodes in CALIBRATED {
        let bins = calibrated(experiment, nodes, scale, known);
        for Bin { predicted, observed, positions } in &bins {
            let row = [grouped(nodes), percent(*predicted), range(*observed, percent), positions.to_string()];
            table.row(row);
        }
        let points = bins.iter().map(|bin| (bin.predicted, bin.observed.value)).collect();
        series.push(Series { name: format!("{} nodes", grouped(nodes)), points, mark: Mark::Line });
    }
    let plot = Plot {
        x: Axis::linear("the root's number").from_to(0.0, 1.0),
        y: Axis::linear("share of positions won").from_to(0.0, 1.0),
        series,
        diagonal: true,
    };
    let figure = plot.figure(
        "calibration",
        "Calibration of the root's number in open searches; on the dashed line it is a probability.",
    );
    vec![table.into(), figure.into()]
}
