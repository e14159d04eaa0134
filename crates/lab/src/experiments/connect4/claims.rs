//! Paper 1's claims.

use super::concluded::{by_the_clock, by_work, levels, order, paper_limit};
use super::roots::{calibrated, rounded, shares};
use super::tables::{Counts, counts};
use super::{Connect4, GRID, MCPNS, PNS, PPN_ROW, TRIED, watched};
use crate::claim::{Claim, Finding, Ruling, rule};
use crate::report::{range, short};
use crate::text::{grouped, percent};
use crate::{Results, Scale};
use delphic_base::Interval;

pub(super) const CLAIMS: [Claim<Connect4>; 25] = [
    Claim {
        id: "1.fig1",
        place: "figures 1 and 2",
        says: "How PPN and MCPNS back up values.",
        figure: "illustration",
        test: |_, _, _| {
            Finding::not_testable(
                "Illustrations; nothing was measured. The rules' unit tests compute trees of this kind.",
            )
        },
    },
    Claim {
        id: "1.alg1",
        place: "algorithm 1",
        says: "PPN: products at the nodes, playouts at the leaves, θ where all playouts agree.",
        figure: "algorithm",
        test: |_, _, _| {
            Finding::new(
                Ruling::Holds,
                "",
                "Implemented as printed; children that end the game are recognised before playouts.",
            )
        },
    },
    Claim {
        id: "1.fig3.pns-ppn",
        place: "figure 3",
        says: "PNS concludes more positions than PPN.",
        figure: "122 against 102 of 200",
        test: |experiment, scale, known| order(experiment, scale, known, PNS, PPN_ROW),
    },
    Claim {
        id: "1.fig3.ppn-mcpns",
        place: "figure 3",
        says: "PPN concludes more positions than MCPNS.",
        figure: "102 against 80 of 200",
        test: |experiment, scale, known| order(experiment, scale, known, PPN_ROW, MCPNS),
    },
    Claim {
        id: "1.fig3.clock",
        place: "figure 3",
        says: "PPN concludes more positions than MCPNS when both have the same time.",
        figure: "102 against 80 of 200",
        test: by_the_clock,
    },
    Claim {
        id: "1.fig3.work",
        place: "figure 3",
        says: "PPN concludes more positions than MCPNS when both simulate the same number of plies.",
        figure: "102 against 80 of 200",
        test: by_work,
    },
    Claim {
        id: "1.fig3.levels",
        place: "figure 3",
        says: "PPN concludes 102 and MCPNS 80 of 200 positions within 420 s.",
        figure: "102 and 80",
        test: levels,
    },
    Claim {
        id: "1.fig3.pns",
        place: "figure 3",
        says: "PNS concludes 122 of 200 positions within 35,000,000 nodes.",
        figure: "122 of 200",
        test: paper_limit,
    },
    Claim {
        id: "1.fig4",
        place: "figure 4",
        says: "In an unsolved position the root reads 0.000000 half-way through the search.",
        figure: "50 % (340,000 of 677,765 iterations)",
        test: |experiment, scale, known| prolonged(experiment, scale, known, false),
    },
    Claim {
        id: "1.fig5",
        place: "figure 5",
        says: "In a solved position the root reads 1.00000 half-way through the search.",
        figure: "47 % (100,000 of 214,110 iterations)",
        test: |experiment, scale, known| prolonged(experiment, scale, known, true),
    },
    Claim {
        id: "1.alg2",
        place: "algorithm 2",
        says: "The precision rate ends the search when the root is within it of 0 or 1.",
        figure: "algorithm",
        test: |_, _, _| {
            Finding::new(
                Ruling::Holds,
                "",
                "Implemented with the inverse test: as printed, the loop would end at once. A conclusion by rate is an estimate, not a proof.",
            )
        },
    },
    Claim {
        id: "1.fig6.trend",
        place: "figures 6 and 7",
        says: "A coarser precision rate concludes more positions.",
        figure: "up to 135 of 200",
        test: trend,
    },
    Claim {
        id: "1.fig7.best",
        place: "figure 7",
        says: "PPN with θ = 0.001 and rate 0.001 concludes more positions than PNS and MCPNS.",
        figure: "135 against 122 and 82",
        test: best,
    },
    Claim {
        id: "1.pr.accuracy",
        place: "discussion",
        says: "A precision rate not above θ does not affect accuracy.",
        figure: "no false conclusion",
        test: |experiment, scale, known| accuracy(experiment, scale, known, false),
    },
    Claim {
        id: "1.pr.above",
        place: "figures 6 and 7, text",
        says: "A precision rate above θ gives false conclusions.",
        figure: "no number",
        test: |experiment, scale, known| accuracy(experiment, scale, known, true),
    },
    Claim {
        id: "1.table1.nodes",
        place: "table 1",
        says: "Precision rates save nodes, coarser ones more.",
        figure: "0.66 0.79 0.83; 0.63 0.81 0.82 of the nodes",
        test: |experiment, scale, known| savings(experiment, scale, known, Counts::mean_nodes),
    },
    Claim {
        id: "1.table1.time",
        place: "table 1",
        says: "Precision rates save time, coarser ones more.",
        figure: "0.73 0.85 0.90; 0.70 0.87 0.91 of the time",
        test: |experiment, scale, known| savings(experiment, scale, known, Counts::mean_seconds),
    },
    Claim {
        id: "1.table1.theta",
        place: "table 1",
        says: "θ (0.01 or 0.001) does not matter much for nodes and time.",
        figure: "at most 4 % apart",
        test: theta,
    },
    Claim {
        id: "1.abstract.57",
        place: "abstract",
        says: "A precision rate reduces the nodes by up to 57 %.",
        figure: "57 %",
        test: fifty_seven,
    },
    Claim {
        id: "1.floats",
        place: "§3, discussion",
        says: "Rounding of floating-point numbers prolongs the search.",
        figure: "explanation",
        test: floats,
    },
    Claim {
        id: "1.floats.early",
        place: "§3, discussion",
        says: "With plain floats a root reads 0 or 1 only when it is proved.",
        figure: "implied by algorithm 1",
        test: |experiment, scale, known| {
            let found = rounded(experiment, scale, known);
            if found.all == 0 {
                return Finding::incomplete();
            }
            let ours = format!(
                "{} of {} searches that read exactly 0 or 1 did so by rounding, {} of them falsely",
                found.rounded,
                found.rounded + found.proved,
                found.wrong
            );
            let holds = if found.rounded > 0 { Some(false) } else { None };
            let words = match found.rounded {
                0 => "No search of this scale is ended by rounding; a product of about 1 − 10⁻¹⁷ would be.",
                _ => {
                    "1 − Π(1 − p) rounds to 1 once the product falls below 10⁻¹⁶, so the printed algorithm takes some estimates for proofs."
                }
            };
            Finding::new(rule(holds, full(scale)), ours, words)
        },
    },
    Claim {
        id: "1.calibration",
        place: "not in the paper",
        says: "The root's number is a probability: of the positions with about p, a share of p is won.",
        figure: "none",
        test: |experiment, scale, known| calibration(experiment, scale, known),
    },
    Claim {
        id: "1.table2",
        place: "table 2",
        says: "PPN is the best algorithm on Connect Four.",
        figure: "PPN",
        test: table2,
    },
    Claim {
        id: "1.examples",
        place: "§3, text",
        says: "Two positions on which PPN needs more nodes than PNS and MCPNS.",
        figure: "2,295,856 / 1,921,730 / 1,114,283; 661,783 / 11,055 / 1,567",
        test: |_, _, _| {
            Finding::not_testable(
                "The positions are not published. The paper gives the first count as 2,295,856 and as 2,274,949 nodes.",
            )
        },
    },
    Claim {
        id: "1.future",
        place: "conclusion, future work",
        says: "A depth-first PPN, and its comparison with df-pn.",
        figure: "future work",
        test: depth_first,
    },
];

pub(super) fn full(scale: Scale) -> bool {
    scale == Scale::Paper
}

fn prolonged(experiment: &Connect4, scale: Scale, known: &Results, solved: bool) -> Finding {
    let found = experiment.prolonged(scale, known).into_iter().find(|(yes, ..)| *yes == solved);
    let Some((_, position, nodes)) = found else { return Finding::incomplete() };
    let Some(record) = known.get(&watched(position, scale)) else { return Finding::incomplete() };
    let iterations = record.stats.iterations;
    match record.estimated_at {
        Some(at) => {
            let share = at as f64 / nodes.max(1) as f64;
            let holds = (0.25..=0.75).contains(&share).then_some(true);
            Finding::new(
                rule(holds, full(scale)),
                format!("after {} of the nodes of {} iterations", percent(share), grouped(iterations)),
                "The position with this answer that takes PPN the most nodes to prove; the paper's is not published. Half-way is between 25 % and 75 %.",
            )
            .needing("One position outside contradicts nothing: the claim is about another one. With the paper's limits (scale paper, about 50 CPU hours) longer proofs would be among ours.")
        }
        None => Finding::new(
            Ruling::Undecided,
            format!("never, in {} iterations", grouped(iterations)),
            "The hardest position with this answer that PPN proves at this scale is too easy to be prolonged. Scale paper, about 50 CPU hours, has harder ones.",
        ),
    }
}

/// The counts of the rates 10⁻³, 10⁻⁴ and 10⁻⁵ for both θ, in the order of the grid.
fn grid(experiment: &Connect4, scale: Scale, known: &Results) -> Option<Vec<Counts>> {
    let all = GRID.iter().map(|setting| counts(experiment.all(scale), &setting.solver(), scale, known));
    let all: Vec<Counts> = all.collect();
    (all.iter().all(|counts| counts.all == experiment.all(scale).len())).then_some(all)
}

fn trend(experiment: &Connect4, scale: Scale, known: &Results) -> Finding {
    let Some(grid) = grid(experiment, scale, known) else { return Finding::incomplete() };
    let concluded: Vec<usize> = grid.iter().map(Counts::concluded).collect();
    let falling = |rows: &[usize]| rows.windows(2).all(|pair| pair[0] >= pair[1]);
    let holds = falling(&concluded[1..4]) && falling(&concluded[4..7]) && concluded[3] >= concluded[0];
    Finding::new(
        rule(Some(holds), full(scale)),
        format!(
            "{} for θ = 0.01, {} for 0.001, {} without rate, of {}",
            list(&concluded[1..4]),
            list(&concluded[4..7]),
            concluded[0],
            grid[0].all
        ),
        "Conclusions by rate are estimates; table 1 below counts the false ones.",
    )
}

fn list(counts: &[usize]) -> String {
    counts.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

fn best(experiment: &Connect4, scale: Scale, known: &Results) -> Finding {
    let Some(grid) = grid(experiment, scale, known) else { return Finding::incomplete() };
    let rated = &grid[4];
    let [pns, mcpns] = [PNS, MCPNS].map(|row| counts(experiment.all(scale), TRIED[row].solver, scale, known));
    if pns.all != rated.all || mcpns.all != rated.all {
        return Finding::incomplete();
    }
    let (ours, pns, mcpns) = (rated.concluded(), pns.yes + pns.no, mcpns.yes + mcpns.no);
    Finding::new(
        rule(Some(ours > pns && ours > mcpns), full(scale)),
        format!("{ours} against {pns} and {mcpns} of {}", rated.all),
        format!(
            "{} of the {ours} are estimates, {} of them false; PNS and MCPNS conclude by proof only, so the comparison is uneven.",
            rated.estimated, rated.wrong
        ),
    )
}

fn accuracy(experiment: &Connect4, scale: Scale, known: &Results, above: bool) -> Finding {
    let Some(grid) = grid(experiment, scale, known) else { return Finding::incomplete() };
    let rows = || {
        GRID.iter().zip(&grid).filter(|(setting, _)| setting.rate != "0" && setting.above_theta() == above)
    };
    let estimated: usize = rows().map(|(_, counts)| counts.estimated).sum();
    let wrong: usize = rows().map(|(_, counts)| counts.wrong).sum();
    let ours = format!(
        "{wrong} of {estimated} estimates are false, {}",
        range(Interval::share(wrong, estimated), percent)
    );
    let words = match (above, wrong) {
        (_, 0) if estimated == 0 => return Finding::new(Ruling::Undecided, "", "No search was ended by its estimate."),
        (false, 0) => "No estimate is false; that decides the claim only if the interval ends below 5 %.".to_owned(),
        (false, _) => "Some conclusions by rate are false although the rate is not above θ: the claim is wrong, though the share is small.".to_owned(),
        (true, 0) => "No estimate of these positions is false.".to_owned(),
        (true, _) => "Rates above θ do give false conclusions.".to_owned(),
    };
    // That none of a few is false does not show that none ever is.
    let few = Interval::share(wrong, estimated).high > 0.05;
    let holds = match (above, wrong) {
        (true, _) => (wrong > 0).then_some(true),
        (false, 0) => (!few).then_some(true),
        (false, _) => Some(false),
    };
    Finding::new(rule(holds, full(scale)), ours, words)
}

fn savings(
    experiment: &Connect4,
    scale: Scale,
    known: &Results,
    measure: fn(&Counts) -> Option<f64>,
) -> Finding {
    let Some(grid) = grid(experiment, scale, known) else { return Finding::incomplete() };
    let means: Option<Vec<f64>> = grid.iter().map(measure).collect();
    let Some(means) = means.filter(|means| means[0] > 0.0) else { return Finding::incomplete() };
    let relative: Vec<f64> = means.iter().map(|mean| mean / means[0]).collect();
    let rising = |rows: &[f64]| rows.windows(2).all(|pair| pair[0] <= pair[1]) && rows[0] < 1.0;
    let saves = relative[1..7].iter().all(|relative| *relative < 1.0);
    let holds = match rising(&relative[1..4]) && rising(&relative[4..7]) {
        true => saves.then_some(true),
        false => Some(false),
    };
    let words = |rows: &[f64]| rows.iter().map(|value| short(*value)).collect::<Vec<_>>().join(" ");
    Finding::new(
        rule(holds, full(scale)),
        format!("{}; {}", words(&relative[1..4]), words(&relative[4..7])),
        "Relative to the search without rate; the limit on nodes caps what a rate can save.",
    )
}

fn theta(experiment: &Connect4, scale: Scale, known: &Results) -> Finding {
    let Some(grid) = grid(experiment, scale, known) else { return Finding::incomplete() };
    let means: Option<Vec<f64>> = grid.iter().map(Counts::mean_nodes).collect();
    let Some(means) = means else { return Finding::incomplete() };
    let apart = (1..4).map(|nth| (means[nth + 3] / means[nth] - 1.0).abs()).fold(0.0, f64::max);
    Finding::new(
        rule(Some(apart < 0.05), full(scale)),
        format!("at most {} apart", percent(apart)),
        "Nodes for the same rate, θ = 0.001 over θ = 0.01.",
    )
}

fn fifty_seven(experiment: &Connect4, scale: Scale, known: &Results) -> Finding {
    let ours = grid(experiment, scale, known).and_then(|grid| {
        let means: Option<Vec<f64>> = grid.iter().map(Counts::mean_nodes).collect();
        means.map(|means| 1.0 - means[1..7].iter().copied().fold(f64::INFINITY, f64::min) / means[0])
    });
    Finding::new(
        Ruling::Contradicted,
        ours.map_or_else(String::new, |saved| format!("at most {} on average", percent(saved))),
        "The paper's own table 1 gives at most 37 % (1,269,588 of 2,004,053 nodes remain); it does not say what the 57 % refers to.",
    )
}

fn floats(experiment: &Connect4, scale: Scale, known: &Results) -> Finding {
    let mut shares = shares(experiment, scale, known);
    let doubles = rounded(experiment, scale, known);
    if shares.is_empty() || doubles.all == 0 {
        return Finding::incomplete();
    }
    shares.sort_by(f64::total_cmp);
    let early = shares.iter().filter(|share| **share < 0.9).count();
    let ours = format!(
        "{early} of {} proofs are prolonged with exact verdicts apart, median share {}; on plain floats {} of {} searches went on after their root was proved",
        shares.len(),
        percent(shares[shares.len() / 2]),
        doubles.went_on,
        doubles.all
    );
    match (early, doubles.went_on) {
        (0, _) => Finding::new(Ruling::Undecided, ours, "No search of this scale is prolonged."),
        (_, 1..) => {
            Finding::new(Ruling::Undecided, ours, "On plain floats some searches went on after a proof.")
        }
        _ => Finding::new(
            Ruling::Contradicted,
            ours,
            "With exact verdicts kept apart rounding can prolong nothing, and searches are prolonged all the same. On plain floats a proved node reads exactly 1, because one factor of the product is exactly 0; so rounding can only end a search too early. What prolongs a search is that a probability near 0 or 1 is not a proof.",
        ),
    }
}

/// Whether the observed shares lie around the predicted ones.
fn calibration(experiment: &Connect4, scale: Scale, known: &Results) -> Finding {
    let bins = calibrated(experiment, super::CALIBRATED[1], scale, known);
    if bins.is_empty() {
        return Finding::incomplete();
    }
    let outside: Vec<String> = bins
        .iter()
        .filter(|bin| !(bin.observed.low..=bin.observed.high).contains(&bin.predicted))
        .map(|bin| format!("{} predicted, {} observed", percent(bin.predicted), range(bin.observed, percent)))
        .collect();
    let positions: usize = bins.iter().map(|bin| bin.positions).sum();
    // One of five intervals may miss by chance.
    let holds = match outside.len() {
        0 => Some(true),
        1 => None,
        _ => Some(false),
    };
    let words = match outside.is_empty() {
        true => "Every predicted share lies within the interval of the observed one.".to_owned(),
        false => format!("Outside: {}.", outside.join("; ")),
    };
    Finding::new(
        rule(holds, full(scale)),
        format!(
            "{} of {} fifths fit, over {positions} open positions",
            bins.len() - outside.len(),
            bins.len()
        ),
        format!("After {} nodes. {words}", grouped(super::CALIBRATED[1])),
    )
}

fn table2(experiment: &Connect4, scale: Scale, known: &Results) -> Finding {
    let positions = experiment.all(scale);
    let proved = |solver: &str| {
        let counts = counts(positions, solver, scale, known);
        (counts.all == positions.len()).then_some(counts.yes + counts.no)
    };
    let solvers = ["alphabeta", "pnt", "dfpn", super::PPN];
    let found: Option<Vec<usize>> = solvers.iter().map(|solver| proved(solver)).collect();
    let Some(found) = found else { return Finding::incomplete() };
    let holds = found[..3].iter().all(|count| *count <= found[3]);
    Finding::new(
        rule(Some(holds), full(scale)),
        format!(
            "PPN {}, alpha-beta {}, PNT {}, df-pn {} of {}",
            found[3],
            found[0],
            found[1],
            found[2],
            positions.len()
        ),
        match holds {
            true => "No solver with a table concludes more.",
            false => {
                "Solvers that recognise transpositions conclude far more than PPN on Connect Four; the paper compared only searches on trees."
            }
        },
    )
}

/// The paper claims nothing here, so nothing is decided.
fn depth_first(experiment: &Connect4, scale: Scale, known: &Results) -> Finding {
    let positions = experiment.all(scale);
    let [dfppn, dfpn] = ["dfppn:playouts=60", "dfpn"].map(|solver| counts(positions, solver, scale, known));
    if dfppn.all != positions.len() || dfpn.all != positions.len() {
        return Finding::incomplete();
    }
    Finding::new(
        Ruling::NotTestable,
        format!("df-PPN {}, df-pn {} of {}", dfppn.yes + dfppn.no, dfpn.yes + dfpn.no, positions.len()),
        "Announced and not claimed. df-pn had ten times the nodes, because its leaves need no playouts; very hard problems and larger games are not part of this experiment.",
    )
}
