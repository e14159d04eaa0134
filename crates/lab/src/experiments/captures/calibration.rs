//! Part 3: predicted chances of moves against their answers.

use super::{Captures, Learner, Split};
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::{Block, Table, range, short};
use crate::text::grouped;
use crate::{Results, Scale};
use delphic_base::Interval;
use delphic_learn::calibration::Calibration;

/// Bins with fewer moves say little and are not drawn.
const FEWEST: u64 = 30;

pub(super) fn blocks(experiment: &Captures, scale: Scale, known: &Results) -> Vec<Block> {
    let (_, test) = Split::Third.of(experiment.set(scale));
    let seen = Learner::ALL.map(|learner| {
        let mut all = Calibration::default();
        let records =
            test.iter().filter_map(|problem| known.get(&experiment.predicted(problem, learner, scale)));
        records.filter_map(|record| record.line.parse().ok()).for_each(|one| all.merge(&one));
        (learner, all)
    });
    let mut table = Table::new(
        "Losses over the solved moves of the test problems; always saying ½ would give 0.25 and 0.693",
        ["prior", "moves", "Brier score", "logarithmic loss"],
    );
    for (learner, all) in seen.iter().filter(|(_, all)| all.moves() > 0) {
        table.row([
            learner.label().to_owned(),
            grouped(all.moves()),
            short(all.brier()),
            short(all.log_loss()),
        ]);
    }
    let series = seen.iter().map(|(learner, all)| Series {
        name: learner.label().to_owned(),
        points: all
            .bins()
            .filter(|bin| bin.moves >= FEWEST)
            .map(|bin| (bin.predicted, bin.observed))
            .collect(),
        mark: Mark::Line,
    });
    let plot = Plot {
        x: Axis::linear("predicted chance of a proof").from_to(0.0, 1.0),
        y: Axis::linear("observed share of proofs").from_to(0.0, 1.0),
        series: series.collect(),
        diagonal: true,
    };
    let mut bins = Table::new(
        "The tenths behind the figure, with their numbers of moves",
        ["prior", "predicted", "observed (95 %)", "moves"],
    );
    for (learner, all) in &seen {
        for bin in all.bins() {
            let percent = |share: f64| format!("{:.1} %", 100.0 * share);
            let hits = (bin.observed * bin.moves as f64).round() as usize;
            bins.row([
                learner.label().to_owned(),
                percent(bin.predicted),
                range(Interval::share(hits, bin.moves as usize), percent),
                grouped(bin.moves),
            ]);
        }
    }
    vec![
        Block::heading("Calibration"),
        Block::text(
            "Of the moves with a predicted chance of 70 %, 70 % should turn out proved. Each search is guided by the prior that is judged, so each looks at other moves. With mobility the chance is that of the pattern alone. Beta with 1000 and 1000 predicts about ½ \
             wherever a pattern was seen less than some hundred times, so nearly all of its moves are in the two middle tenths, and what is observed there jumps.",
        ),
        table.into(),
        plot.figure(
            "calibration",
            format!("Predicted and observed, by tenths of the predicted chance that have at least {FEWEST} moves; a prior on the dashed line is right."),
        )
        .into(),
        bins.into(),
    ]
}
