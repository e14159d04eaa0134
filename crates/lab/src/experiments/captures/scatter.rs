//! Two ways of searching against each other, problem by problem; what one of them does not solve is drawn on the border. Figure 4 is the
//! first of these.

use super::{PLAIN, PNS, Set, Split, plain, solved};
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::{Block, short};
use crate::{Record, Results, Scale};

/// A quantity that is compared.
pub(super) struct Measure {
    pub(super) name: &'static str,
    /// The unit in brackets, if it has one.
    pub(super) unit: &'static str,
    /// The quantity of a search; positive.
    pub(super) of: fn(&Record) -> f64,
}

const DEVELOPED: Measure =
    Measure { name: "developed nodes", unit: "", of: |record| record.stats.expanded.max(1) as f64 };

/// Two searches for each problem.
pub(super) type Pairs<'k> = Vec<(&'k Record, &'k Record)>;

/// The first way from left to right, the second from bottom to top. `alone` are the legend's words for problems that only the second
/// solves, and only the first.
pub(super) fn plot(pairs: &Pairs<'_>, measure: &Measure, ways: [&str; 2], alone: [&str; 2]) -> Plot {
    let taken = |record: &Record| solved(record).then(|| (measure.of)(record));
    let (least, most) = pairs
        .iter()
        .flat_map(|(first, second)| [taken(first), taken(second)])
        .flatten()
        .fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
    // The border is apart from everything that was solved.
    let (low, border) = if most > 0.0 { (least / 1.3, most * 2.0) } else { (1.0, 10.0) };
    let series = |name: &str, solved: (bool, bool)| Series {
        name: name.to_owned(),
        points: pairs
            .iter()
            .map(|(first, second)| (taken(first), taken(second)))
            .filter(|(first, second)| (first.is_some(), second.is_some()) == solved)
            .map(|(first, second)| (first.unwrap_or(border), second.unwrap_or(border)))
            .collect(),
        mark: Mark::Dots,
    };
    let [x, y] =
        ways.map(|way| Axis::log(format!("{} of {way}{}", measure.name, measure.unit)).from_to(low, border));
    Plot {
        x,
        y,
        series: vec![
            series("solved by both", (true, true)),
            series(alone[0], (false, true)),
            series(alone[1], (true, false)),
        ],
        diagonal: true,
    }
}

/// PNS and PP without knowledge, on the problems that both have tried.
pub(super) fn without_knowledge<'k>(set: &Set, scale: Scale, known: &'k Results) -> Pairs<'k> {
    let of = |problem, solver| known.get(&plain(problem, solver, Split::Part(0), scale));
    set.captures().filter_map(|problem| of(problem, PNS).zip(of(problem, PLAIN))).collect()
}

/// Developed nodes of PNS over those of PP, where both solve.
pub(super) fn developed(pairs: &Pairs<'_>) -> Vec<f64> {
    let both = pairs.iter().filter(|(pns, pp)| solved(pns) && solved(pp));
    both.map(|(pns, pp)| (DEVELOPED.of)(pns) / (DEVELOPED.of)(pp)).collect()
}

/// Figure 4.
pub(super) fn blocks(set: &Set, scale: Scale, known: &Results) -> Vec<Block> {
    let pairs = without_knowledge(set, scale, known);
    let plot = plot(&pairs, &DEVELOPED, ["PNS", "PP"], ["solved by PP alone", "solved by PNS alone"]);
    let count = |what: &dyn Fn(&Record, &Record) -> bool| pairs.iter().filter(|(a, b)| what(a, b)).count();
    let both = developed(&pairs);
    let middle = (both.iter().map(|ratio| ratio.ln()).sum::<f64>() / both.len().max(1) as f64).exp();
    vec![
        Block::heading("PNS and PP without knowledge (figure 4)"),
        Block::text(format!(
            "Of {} problems both solve {}, PP alone {}, PNS alone {}. Of those that both solve PP develops fewer nodes in {}, PNS in {}; in the geometric mean PNS develops {} times as many as PP, and {} are \
             within a factor of 4. The paper shows the picture alone and calls the two similar.",
            pairs.len(),
            both.len(),
            count(&|pns, pp| !solved(pns) && solved(pp)),
            count(&|pns, pp| solved(pns) && !solved(pp)),
            both.iter().filter(|ratio| **ratio > 1.0).count(),
            both.iter().filter(|ratio| **ratio < 1.0).count(),
            short(middle),
            both.iter().filter(|ratio| (0.25..=4.0).contains(*ratio)).count(),
        )),
        plot.figure("figure4", "Figure 4 of the paper: nodes developed to solve a problem; on the borders it was not solved within the limit.")
        .into(),
    ]
}
