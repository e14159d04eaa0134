//! Paper 1's claims about figure 3: how many positions are concluded.

use super::claims::full;
use super::tables::{Counts, alone, counts};
use super::{COUNTED, Connect4, MCPNS, PNS, PPN_ROW, TRIED, by_clock, by_plies};
use crate::claim::{Finding, Ruling, larger_for_split, larger_sample, rule, sign_test};
use crate::experiments::more_often;
use crate::text::{p_value, signed};
use crate::{Results, Scale};
use delphic_base::Interval;

pub(super) fn order(
    experiment: &Connect4,
    scale: Scale,
    known: &Results,
    one: usize,
    other: usize,
) -> Finding {
    let [first, second] =
        [one, other].map(|row| counts(experiment.all(scale), TRIED[row].solver, scale, known));
    compare(scale, [&first, &second], [TRIED[one].label, TRIED[other].label], "created nodes")
}

pub(super) fn by_the_clock(experiment: &Connect4, scale: Scale, known: &Results) -> Finding {
    let [first, second] = [PPN_ROW, MCPNS].map(|row| {
        Counts::new(experiment.all(scale), |position| by_clock(position, TRIED[row].solver, scale), known)
    });
    compare(scale, [&first, &second], ["PPN", "MCPNS"], "processor time")
}

pub(super) fn by_work(experiment: &Connect4, scale: Scale, known: &Results) -> Finding {
    let positions = experiment.counted(scale, known);
    let [mcpns, ppn] = [COUNTED[0].1, COUNTED[1].1].map(|solver| {
        Counts::new(positions.iter().copied(), |position| by_plies(position, solver, scale), known)
    });
    compare(scale, [&ppn, &mcpns], ["PPN", "MCPNS"], "simulated plies")
}

/// Whether the first of two solvers concludes more.
fn compare(scale: Scale, [one, other]: [&Counts; 2], labels: [&str; 2], limit: &str) -> Finding {
    if one.all == 0 || one.all != other.all {
        return Finding::incomplete();
    }
    let (first, second) = alone(one, other);
    let [ours, theirs] = [one, other].map(|counts| counts.yes + counts.no);
    let holds = more_often(first, second);
    let words = match holds {
        Some(true) => format!("{} concludes more than {}", labels[0], labels[1]),
        Some(false) => format!("The opposite: {} concludes more than {}", labels[1], labels[0]),
        None => format!("The sample does not decide between {} and {}", labels[0], labels[1]),
    };
    Finding::new(
        rule(holds, full(scale)),
        format!("{ours} against {theirs} of {}", one.all),
        format!(
            "{words} with equal limits of {limit}: {first} and {second} positions are concluded by only one of the two ({}).",
            p_value(sign_test(first, second))
        ),
    )
    .needing(larger_sample(
        larger_for_split(first, second),
        "positions",
        Some(one.seconds.iter().chain(&other.seconds).sum()),
    ))
    .needing(format!("The paper's difference is {}, ours {}.", in_paper(labels), signed(ours as f64 - theirs as f64)))
}

/// How many positions more the first of two solvers concludes in the paper.
fn in_paper(labels: [&str; 2]) -> String {
    let paper = |label| TRIED.iter().find(|tried| tried.label == label).and_then(|tried| tried.paper);
    let [one, other] = labels.map(|label| paper(label).unwrap_or(0.0));
    signed(one - other)
}

pub(super) fn levels(experiment: &Connect4, scale: Scale, known: &Results) -> Finding {
    let counts = TRIED.each_ref().map(|tried| counts(experiment.all(scale), tried.solver, scale, known));
    if counts[PPN_ROW].all == 0 {
        return Finding::incomplete();
    }
    let [ppn, mcpns] = [PPN_ROW, MCPNS].map(|row| counts[row].yes + counts[row].no);
    let ours = format!("{ppn} and {mcpns} of {}", counts[PPN_ROW].all);
    if !full(scale) {
        return Finding::new(
            Ruling::Undecided,
            ours,
            "Counts depend on the limits, which are a hundredth of the paper's here. `delphic lab run connect4 --scale paper` has the paper's and takes about 50 CPU hours.",
        );
    }
    let outside: Vec<&str> = [PPN_ROW, MCPNS]
        .into_iter()
        .filter(|&row| {
            let share = Interval::share(counts[row].yes + counts[row].no, counts[row].all);
            TRIED[row]
                .paper
                .is_some_and(|paper| !(share.low..=share.high).contains(&(paper / super::THEIR_POSITIONS)))
        })
        .map(|row| TRIED[row].label)
        .collect();
    let holds = outside.is_empty();
    let words = match holds {
        true => "The paper's shares lie within our intervals.".to_owned(),
        false => format!(
            "The paper's shares lie outside our intervals for {}. Its positions are not published.",
            outside.join(", ")
        ),
    };
    Finding::new(rule(Some(holds), true), ours, words)
}

/// The paper's limit of PNS is one of nodes, so its count can be compared. Two random samples of positions, so the interval is that of the
/// difference of two shares.
pub(super) fn paper_limit(experiment: &Connect4, scale: Scale, known: &Results) -> Finding {
    let (all, concluded) = match scale {
        Scale::Smoke => return Finding::not_run("The paper's limit is not used at smoke."),
        Scale::Quick => {
            let found = experiment.paper_limit(scale, known);
            if !found.is_complete() || found.all == 0 {
                let done = format!(
                    "{} of {} positions have been tried with 35,000,000 nodes.",
                    found.tried, found.all
                );
                return Finding::not_run(done);
            }
            (found.all, found.concluded)
        }
        Scale::Paper => {
            let found = counts(experiment.all(scale), TRIED[PNS].solver, scale, known);
            (found.all, found.yes + found.no)
        }
    };
    if all == 0 {
        return Finding::incomplete();
    }
    let (ours, theirs) = (concluded as f64 / all as f64, 122.0 / super::THEIR_POSITIONS);
    let error = (ours * (1.0 - ours) / all as f64 + theirs * (1.0 - theirs) / super::THEIR_POSITIONS).sqrt();
    let (difference, margin) = (ours - theirs, 1.96 * error);
    let holds = difference.abs() <= margin;
    let words = match holds {
        true => "The difference of two samples of positions is within its 95 % interval around 0.",
        false => {
            "More than chance between two samples of positions explains. The limit is the same, so the positions or the programs differ; neither is published."
        }
    };
    Finding::new(
        rule(Some(holds), true),
        format!(
            "{concluded} of {all}; difference of the shares {:+.0} points (± {:.0})",
            100.0 * difference,
            100.0 * margin
        ),
        words,
    )
}

#[cfg(test)]
mod tests {
    use super::super::{cell, paper_limit as with_paper_limit};
    use super::*;
    use crate::{Record, Verdict};
    use delphic_engine::Stats;

    fn row(verdict: Verdict) -> Record {
        let (stop, line) = ("made up".to_owned(), String::new());
        Record { verdict, stop, score: None, estimated_at: None, line, stats: Stats::default() }
    }

    /// PNS concludes the first 90 positions at once and `later` more with the paper's limit; the last of the others may be missing.
    fn found(later: usize, missing: bool) -> Finding {
        let (experiment, mut known) = (Connect4::new().unwrap(), Results::default());
        for (nth, position) in experiment.all(Scale::Quick).iter().enumerate() {
            let verdict = |concluded| if concluded { Verdict::Disproved } else { Verdict::Unknown };
            let short = cell(position, TRIED[PNS].solver, Scale::Quick);
            known.insert(short.key(), row(verdict(nth < 90)), 1);
            if nth >= 90 && !(missing && nth == 199) {
                known.insert(with_paper_limit(position).key(), row(verdict(nth < 90 + later)), 1);
            }
        }
        super::paper_limit(&experiment, Scale::Quick, &known)
    }

    #[test]
    fn the_count_of_pns_is_compared_only_when_it_is_complete() {
        assert_eq!(found(32, true).ruling, Ruling::NotRun);
        assert_eq!(found(32, false).ruling, Ruling::Holds, "122 of 200, as in the paper");
        assert!(found(32, false).ours.starts_with("122 of 200; difference of the shares +0 points"));
        // 20 positions more are two standard errors; 17 are less.
        assert_eq!([found(49, false).ruling, found(52, false).ruling], [Ruling::Holds, Ruling::Contradicted]);
    }
}
