//! Part 3: were the chances right that leaves were given?

use super::foretold as cell;
use crate::captures::{Learner, Set, Split};
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::{Block, Table, grouped, short};
use crate::{Results, Scale};
use delphic_learn::calibration::Calibration;

pub(super) fn blocks(set: &Set, scale: Scale, known: &Results) -> Vec<Block> {
    let (_, test) = Split::Third.of(set);
    let seen = Learner::ALL.map(|learner| {
        let mut all = Calibration::default();
        let records = test.iter().filter_map(|problem| known.get(&cell(problem, learner, scale)));
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
        points: all.bins().map(|bin| (bin.predicted, bin.observed)).collect(),
        mark: Mark::Line,
    });
    let plot = Plot {
        x: Axis::linear("predicted chance of a proof").from_to(0.0, 1.0),
        y: Axis::linear("observed share of proofs").from_to(0.0, 1.0),
        series: series.collect(),
        diagonal: true,
    };
    vec![
        Block::heading("Calibration"),
        Block::text(
            "Of the moves that were given a chance of 70 %, 70 % should turn out proved. Each search is guided by the prior that is judged, so each looks at other moves. With mobility the chance is that of the pattern alone.",
        ),
        table.into(),
        plot.figure(
            "calibration",
            "Predicted and observed, by tenths of the predicted chance; a prior on the dashed line is right.",
        )
        .into(),
    ]
}
