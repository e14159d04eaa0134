//! Paper 2's claims about Domineering and NoGo.

use super::tried::differing;
use super::{
    Board, DOMAINS, Domain, Products, labelled, nodes_of, number, ratios, seconds_of, times_of, unlimited,
};
use crate::claim::{Claim, Finding, Ruling, rule};
use crate::report::Number::{self, Above, Is, Missing};
use crate::report::{seconds, short};
use crate::text::grouped;
use crate::{Record, Results, Scale};

pub(super) const CLAIMS: [Claim<Products>; 19] = [
    Claim {
        id: "2.alg1",
        place: "algorithm 1, tables 1 and 2, §3.2",
        says: "Product propagation in the best-first framework, with mobility at the leaves.",
        figure: "101,244 nodes for PP on 5×6",
        test: |_, scale, known| exact(scale, known),
    },
    Claim {
        id: "2.table4.nodes",
        place: "table 4",
        says: "Node counts of the best-first searches on Domineering.",
        figure: "10 counts",
        test: |_, scale, known| agreement(&DOMAINS[0], scale, known),
    },
    Claim {
        id: "2.table4.pnt",
        place: "table 4",
        says: "PNT needs 1,002,277 nodes on Domineering 5×6.",
        figure: "1,002,277",
        test: |_, scale, known| count(&DOMAINS[0].boards[0], "PNT", scale, known),
    },
    Claim {
        id: "2.table4.ppt",
        place: "§4.2, tables 4 and 5",
        says: "PPT is the best algorithm on every Domineering board.",
        figure: "0.17, 5.33, 55.13 s; αβ 0.87, 40.68, 5,656 s",
        test: |_, scale, known| fastest(&DOMAINS[0], &["αβ", "PNT", "PN²", "PP", "PP²"], scale, known),
    },
    Claim {
        id: "2.table4.ppt-rules",
        place: "§4.2, tables 4 and 5",
        says: "PPT is faster than alpha-beta on every Domineering board, if alpha-beta uses the rules alone.",
        figure: "0.17, 5.33, 55.13 s against 0.87, 40.68, 5,656 s",
        test: |_, scale, known| faster(DOMAINS[0].boards, "PPT", "αβ by rules", scale, known),
    },
    Claim {
        id: "2.table4.ppt-best-first",
        place: "§4.2, tables 4 and 5",
        says: "PPT is the fastest of the best-first searches on every Domineering board.",
        figure: "0.17, 5.33, 55.13 s",
        test: |_, scale, known| fastest(&DOMAINS[0], &["PNT", "PN²", "PP", "PP²"], scale, known),
    },
    Claim {
        id: "2.table5",
        place: "table 5",
        says: "Times on Domineering, one solver over another.",
        figure: "PP² over PPT: 1.3, 2.9, 5.8",
        test: |_, scale, known| time_ratio(&DOMAINS[0], "PP²", "PPT", scale, known),
    },
    Claim {
        id: "2.pns",
        place: "§4.2 and §4.3, text",
        says: "Plain PNS solves none of the boards within 10⁷ nodes.",
        figure: "0 of 7",
        test: |_, scale, known| plain_pns(scale, known),
    },
    Claim {
        id: "2.table6.nodes",
        place: "table 6",
        says: "Node counts of the best-first searches on NoGo.",
        figure: "9 counts",
        test: |_, scale, known| agreement(&DOMAINS[1], scale, known),
    },
    Claim {
        id: "2.table6.pp2",
        place: "table 6",
        says: "PP² needs 14,246 nodes on NoGo 18×1.",
        figure: "14,246",
        test: |_, scale, known| count(&DOMAINS[1].boards[1], "PP²", scale, known),
    },
    Claim {
        id: "2.table6.pn2",
        place: "table 6",
        says: "PN² needs 77,010 nodes on NoGo 4×4.",
        figure: "77,010",
        test: |_, scale, known| count(&DOMAINS[1].boards[0], "PN²", scale, known),
    },
    Claim {
        id: "2.table7.4x4",
        place: "table 7, §4.3",
        says: "Alpha-beta is faster than PPT on NoGo 4×4.",
        figure: "33 s against 396 s",
        test: |_, scale, known| faster(&DOMAINS[1].boards[..1], "αβ", "PPT", scale, known),
    },
    Claim {
        id: "2.table7.strips",
        place: "table 7, §4.3",
        says: "PPT is faster than alpha-beta on the strips 18×1, 20×1 and 22×1 of NoGo.",
        figure: "9.46, 46.3, 447 s against 10.4, 361, 7,564 s",
        test: |_, scale, known| faster(&DOMAINS[1].boards[1..], "PPT", "αβ", scale, known),
    },
    Claim {
        id: "2.table7.strips-rules",
        place: "table 7, §4.3",
        says: "PPT is faster than alpha-beta on the strips of NoGo, if alpha-beta uses the rules alone.",
        figure: "9.46, 46.3, 447 s against 10.4, 361, 7,564 s",
        test: |_, scale, known| faster(&DOMAINS[1].boards[1..], "PPT", "αβ by rules", scale, known),
    },
    Claim {
        id: "2.table6.families",
        place: "§5",
        says: "On NoGo the PP searches beat the PN searches: PPT is faster than PNT everywhere.",
        figure: "396, 9.46, 46.3, 447 s against 437, 144, > 809 s",
        test: |_, scale, known| faster(DOMAINS[1].boards, "PPT", "PNT", scale, known),
    },
    Claim {
        id: "2.table4.alphabeta",
        place: "tables 4 and 6",
        says: "Node counts of alpha-beta.",
        figure: "701,559 to 6,387,283,988",
        test: |_, scale, known| alphabeta(scale, known),
    },
    Claim {
        id: "2.table4.pp2",
        place: "tables 4 and 6",
        says: "PP² keeps the fewest nodes in memory.",
        figure: "3,634, 24,190, 145,757; 14,246",
        test: |_, scale, known| smallest(scale, known),
    },
    Claim {
        id: "2.dfpp",
        place: "§3.2, footnote",
        says: "Product propagation can be made depth-first, as df-pn.",
        figure: "no number",
        test: |_, scale, known| depth_first(scale, known),
    },
    Claim {
        id: "2.outcomes",
        place: "§5, future work",
        says: "Product propagation for several outcomes, and better treatment of transpositions.",
        figure: "future work",
        test: |_, _, _| {
            Finding::not_testable(
                "The paper announces both and defines neither. Several outcomes are answered by several yes-no questions here, and the benchmark has rows of them; transpositions are shared by all parents, with plain or weak sums.",
            )
        },
    },
];

fn full(scale: Scale) -> bool {
    scale != Scale::Smoke
}

fn exact(scale: Scale, known: &Results) -> Finding {
    match nodes_of(&DOMAINS[0].boards[0], labelled("PP"), scale, known) {
        Is(nodes) => Finding::new(
            rule(Some(nodes == 101_244.0), true),
            grouped(nodes as u64),
            "The count is exactly the paper's. It depends on Algorithm 1, the mobility prior, the order of moves and the treatment of ties, so all of these agree.",
        ),
        Above(_) | Missing => Finding::incomplete(),
    }
}

fn agreement(domain: &Domain, scale: Scale, known: &Results) -> Finding {
    let ratios = ratios(domain, scale, known);
    if ratios.is_empty() {
        return Finding::incomplete();
    }
    let near = ratios.iter().filter(|(_, _, ratio)| (0.75..=1.25).contains(ratio)).count();
    let far: Vec<String> = ratios
        .iter()
        .filter(|(_, _, ratio)| !(0.75..=1.25).contains(ratio))
        .map(|(label, board, ratio)| format!("{label} on {board}, {ratio:.2} times the paper's"))
        .collect();
    let words =
        if far.is_empty() { "All agree.".to_owned() } else { format!("Further apart: {}.", far.join("; ")) };
    // Single counts that differ have claims of their own.
    let holds = (10 * near >= 8 * ratios.len()).then_some(true);
    Finding::new(rule(holds, full(scale)), format!("{near} of {} within 25 %", ratios.len()), words)
}

fn count(board: &Board, label: &str, scale: Scale, known: &Results) -> Finding {
    let entry = labelled(label);
    let (ours, theirs) = (nodes_of(board, entry, scale, known), entry.of(&board.nodes));
    let (Is(theirs), ours) = (theirs, ours) else { return Finding::incomplete() };
    let longer = differing(board, label).map(|one| one.longer(entry.solver, scale, known));
    let tried = differing(board, label).filter(|one| one.was_run(scale, known));
    let ours = match (ours, longer) {
        (Above(_), Some(longer)) if longer != Missing => longer,
        (ours, _) => ours,
    };
    let settings = match (&tried, tried.and_then(|one| one.nearest(scale, known))) {
        (None, _) => "no other settings were run".to_owned(),
        (Some(_), None) => "other settings do not solve it either".to_owned(),
        (Some(_), Some((setting, times))) => {
            format!("of other settings \"{setting}\" comes nearest, with {} times", short(times))
        }
    };
    match ours {
        Missing => Finding::incomplete(),
        Above(ours) if ours < 1.25 * theirs => Finding::new(
            Ruling::Undecided,
            format!("> {}", grouped(ours as u64)),
            format!(
                "The search was stopped before 1.25 times the paper's count; {settings}. The paper's own search took 27,519 s; scale paper has 3 hours."
            ),
        ),
        Above(ours) => Finding::new(
            Ruling::Contradicted,
            format!("> {}", grouped(ours as u64)),
            format!("More than {} times the paper's count; {settings}.", short(ours / theirs)),
        ),
        Is(ours) => {
            let near = (0.75..=1.25).contains(&(ours / theirs));
            let words = match near {
                true => "Within 25 %.".to_owned(),
                false => format!("{} times the paper's count; {settings}.", short(ours / theirs)),
            };
            Finding::new(rule(Some(near), full(scale)), grouped(ours as u64), words)
        }
    }
}

/// The counts of alpha-beta by rules alone beside the paper's. Its order of moves and the size of its table are not published, so no count of
/// ours can confirm or contradict them.
fn alphabeta(scale: Scale, known: &Results) -> Finding {
    let (mut ratios, mut shown) = (Vec::new(), Vec::new());
    for board in DOMAINS.iter().flat_map(|domain| domain.boards) {
        let entry = labelled("αβ by rules");
        let (ours, theirs) = (nodes_of(board, entry, scale, known), entry.of(&board.nodes));
        let Is(theirs) = theirs else { continue };
        match ours {
            Missing => return Finding::incomplete(),
            Is(ours) => ratios.push(ours / theirs),
            Above(_) => {}
        }
        shown.push(format!("{} {}", board.name, ours.show(|count| grouped(count as u64))));
    }
    let near = ratios.iter().filter(|ratio| (0.5..=2.0).contains(*ratio)).count();
    let times: Vec<String> = ratios.iter().map(|ratio| short(*ratio)).collect();
    Finding::new(
        Ruling::NotTestable,
        shown.join(", "),
        format!(
            "The paper's order of moves, table and evaluation are not published, and they decide such counts. Alpha-beta by rules alone, with children counted, has {} times the paper's counts on the boards that it solves; {near} of {} are within a factor of 2.",
            times.join(", "),
            ratios.len()
        ),
    )
}

/// Two times of single runs that are nearer to each other than this decide nothing: the machine had other work.
const MARGIN: f64 = 1.25;

/// With this number of runs on both sides, runs that do not overlap decide: by chance that happens twice in 70.
const ENOUGH: usize = 4;

/// How `one` compares with `other` on a board: `Some(true)` if it is faster for certain.
fn quicker(board: &Board, one: &str, other: &str, scale: Scale, known: &Results) -> Option<bool> {
    let time = |label| {
        let entry = labelled(label);
        match number(known.get(&unlimited(board, entry, scale)), Record::seconds) {
            Missing => seconds_of(board, entry, scale, known),
            longer => longer,
        }
    };
    let runs = [one, other].map(|label| times_of(board, labelled(label), scale, known));
    if let [[first, .., last], [other_first, .., other_last]] = [&runs[0][..], &runs[1][..]]
        && runs.iter().all(|runs| runs.len() >= ENOUGH)
    {
        return match (last < other_first, other_last < first) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
    }
    match (time(one), time(other)) {
        (Is(one), Is(other)) if one.max(other) < MARGIN * one.min(other) => None,
        (Is(one), Is(other)) => Some(one < other),
        (Is(one), Above(other)) if one < other => Some(true),
        (Above(one), Is(other)) if other < one => Some(false),
        _ => None,
    }
}

/// Whether all of these solvers were run on all boards.
fn all_run(boards: &[Board], labels: &[&str], scale: Scale, known: &Results) -> bool {
    let run = |board, label| seconds_of(board, labelled(label), scale, known) != Missing;
    boards.iter().all(|board| labels.iter().all(|label| run(board, label)))
}

fn times(boards: &[Board], label: &str, scale: Scale, known: &Results) -> String {
    let shown: Vec<String> =
        boards.iter().map(|board| seconds_of(board, labelled(label), scale, known).show(seconds)).collect();
    format!("{label} {} s", shown.join(", "))
}

fn faster(boards: &[Board], one: &str, other: &str, scale: Scale, known: &Results) -> Finding {
    if !all_run(boards, &[one, other], scale, known) {
        return Finding::incomplete();
    }
    let answers: Vec<Option<bool>> =
        boards.iter().map(|board| quicker(board, one, other, scale, known)).collect();
    let ours = format!("{}; {}", times(boards, one, scale, known), times(boards, other, scale, known));
    verdict(boards, &answers, ours, &format!("{one} is not faster than {other}"), scale)
}

fn fastest(domain: &Domain, others: &[&str], scale: Scale, known: &Results) -> Finding {
    if !all_run(domain.boards, &[others, &["PPT"]].concat(), scale, known) {
        return Finding::incomplete();
    }
    let beats = |board: &Board| {
        let answers: Vec<Option<bool>> =
            others.iter().map(|other| quicker(board, "PPT", other, scale, known)).collect();
        match (answers.contains(&Some(false)), answers.contains(&None)) {
            (true, _) => Some(false),
            (false, true) => None,
            (false, false) => Some(true),
        }
    };
    let answers: Vec<Option<bool>> = domain.boards.iter().map(beats).collect();
    let ours = format!(
        "{}; {}",
        times(domain.boards, "PPT", scale, known),
        times(domain.boards, others[0], scale, known)
    );
    let mut finding = verdict(domain.boards, &answers, ours, "PPT is not the fastest", scale);
    if finding.ruling == Ruling::Undecided {
        let open = domain.boards.iter().flat_map(|board| others.iter().map(move |other| (board, *other)));
        let open = open.filter(|(board, other)| quicker(board, "PPT", other, scale, known).is_none());
        let open: Vec<String> = open.map(|(board, other)| format!("{other} on {}", board.name)).collect();
        finding.words = format!("Not decided against {}. {}", open.join(", "), finding.words);
    }
    if others.contains(&"αβ") && finding.ruling == Ruling::Contradicted {
        finding.words +=
            " Our alpha-beta recognises positions whose result is certain, which the paper's did not.";
    }
    finding
}

fn verdict(boards: &[Board], answers: &[Option<bool>], ours: String, not: &str, scale: Scale) -> Finding {
    let against: Vec<&str> = boards
        .iter()
        .zip(answers)
        .filter(|(_, answer)| **answer == Some(false))
        .map(|(board, _)| board.name)
        .collect();
    if !against.is_empty() {
        return Finding::new(Ruling::Contradicted, ours, format!("{not} on {}.", against.join(", ")));
    }
    match answers.contains(&None) {
        true => Finding::new(
            Ruling::Undecided,
            ours,
            "Runs overlap, or single times are within 25 % of each other, or searches were stopped. A quiet machine, or scale paper with its 3 hours, could decide.",
        ),
        false => Finding::new(
            rule(Some(true), full(scale)),
            ours,
            "On every board; medians of five runs where a search takes less than 1 s, on one machine. A search that does not solve a board within its limits counts as slower than one that does in less time.",
        ),
    }
}

fn time_ratio(domain: &Domain, one: &str, other: &str, scale: Scale, known: &Results) -> Finding {
    let ratio = |board: &Board, of: &dyn Fn(&str) -> Number| match (of(one), of(other)) {
        (Is(one), Is(other)) if other > 0.0 => Some((board.name, one / other)),
        _ => None,
    };
    let all = |of: &dyn Fn(&Board, &str) -> Number| -> Option<Vec<f64>> {
        domain
            .boards
            .iter()
            .map(|board| ratio(board, &|label| of(board, label)).map(|(_, value)| value))
            .collect()
    };
    let ours = all(&|board, label| seconds_of(board, labelled(label), scale, known));
    let theirs = all(&|board, label| labelled(label).of(&board.seconds));
    let (Some(ours), Some(theirs)) = (ours, theirs) else { return Finding::incomplete() };
    let near = ours.iter().zip(&theirs).all(|(ours, theirs)| (0.5..=2.0).contains(&(ours / theirs)));
    let shown: Vec<String> = ours.iter().map(|ratio| short(*ratio)).collect();
    Finding::new(
        rule(Some(near), full(scale)),
        format!("{one} over {other}: {}", shown.join(", ")),
        "Ratios of times on one machine; within a factor of 2 counts as the same.",
    )
}

fn plain_pns(scale: Scale, known: &Results) -> Finding {
    let boards = || DOMAINS.iter().flat_map(|domain| domain.boards);
    let numbers: Vec<(&str, Number)> =
        boards().map(|board| (board.name, nodes_of(board, labelled("PNS"), scale, known))).collect();
    if numbers.iter().any(|(_, number)| *number == Missing) {
        return Finding::incomplete();
    }
    let solved: Vec<&str> =
        numbers.iter().filter(|(_, number)| matches!(number, Is(_))).map(|(name, _)| *name).collect();
    let words = match solved.is_empty() {
        true => "None is solved.".to_owned(),
        false => format!("PNS with mobility solves {}.", solved.join(", ")),
    };
    Finding::new(
        rule(Some(solved.is_empty()), full(scale)),
        format!("{} of {} boards", solved.len(), numbers.len()),
        words,
    )
}

/// Whether PP² creates the fewest nodes of its main search among the best-first searches, where it finishes.
fn smallest(scale: Scale, known: &Results) -> Finding {
    let (mut shown, mut against) = (Vec::new(), Vec::new());
    for board in DOMAINS.iter().flat_map(|domain| domain.boards) {
        let Is(mine) = nodes_of(board, labelled("PP²"), scale, known) else { continue };
        let beaten = ["PNT", "PN²", "PP", "PPT"].into_iter().filter(
            |label| matches!(nodes_of(board, labelled(label), scale, known), Is(other) if other < mine),
        );
        against.extend(beaten.map(|label| format!("{label} on {}", board.name)));
        shown.push(grouped(mine as u64));
    }
    if shown.is_empty() {
        return Finding::incomplete();
    }
    let words = match against.is_empty() {
        true => "On every board that it solves.".to_owned(),
        false => format!("Fewer: {}.", against.join(", ")),
    };
    Finding::new(rule(Some(against.is_empty()), full(scale)), shown.join(", "), words)
}

fn depth_first(scale: Scale, known: &Results) -> Finding {
    let boards = || DOMAINS.iter().flat_map(|domain| domain.boards);
    let numbers: Vec<Number> =
        boards().map(|board| nodes_of(board, labelled("df-PP"), scale, known)).collect();
    if numbers.contains(&Missing) {
        return Finding::incomplete();
    }
    let solved = numbers.iter().filter(|number| matches!(number, Is(_))).count();
    Finding::new(
        rule((solved > 0).then_some(true), full(scale)),
        format!("df-PP solves {solved} of {} boards", numbers.len()),
        "Its counts and times are in the tables.",
    )
}

/// The labels in the claims are those of solvers.
#[cfg(test)]
mod tests {
    use super::super::{SOLVERS, cell};
    use super::*;
    use crate::Verdict;
    use delphic_engine::Stats;
    use std::time::Duration;

    /// Rows of two solvers on the first board of Domineering with these seconds, in the order of the runs.
    fn timed(runs: [(&str, &[f64]); 2]) -> Results {
        let mut known = Results::default();
        for (label, seconds) in runs {
            for (nth, seconds) in seconds.iter().enumerate() {
                let entry = labelled(label);
                let cell = cell(&DOMAINS[0].boards[0], entry.solver, Scale::Quick).seeded(nth as u64 + 1);
                let stats = Stats { time: Duration::from_secs_f64(*seconds), ..Stats::default() };
                let (stop, line) = ("solved".to_owned(), String::new());
                let record =
                    Record { verdict: Verdict::Proved, stop, score: None, estimated_at: None, line, stats };
                known.insert(cell.key(), record, 1);
            }
        }
        known
    }

    #[test]
    fn times_decide_only_if_they_are_apart() {
        let board = &DOMAINS[0].boards[0];
        let said = |one: &[f64], other: &[f64]| {
            quicker(board, "PPT", "PP", Scale::Quick, &timed([("PPT", one), ("PP", other)]))
        };
        // One run each: 25 % apart.
        assert_eq!(
            [said(&[1.0], &[1.2]), said(&[1.0], &[1.3]), said(&[1.3], &[1.0])],
            [None, Some(true), Some(false)]
        );
        // Five runs each: no overlap, however near.
        assert_eq!(said(&[1.0, 1.1, 1.04, 1.03, 1.02], &[1.2, 1.11, 1.15, 1.16, 1.14]), Some(true));
        assert_eq!(said(&[1.0, 1.3, 1.04, 1.03, 1.02], &[1.2, 1.11, 1.15, 1.16, 1.14]), None);
        assert_eq!(said(&[2.0, 2.0, 2.0, 2.0, 2.0], &[1.2, 1.11, 1.15, 1.16, 1.14]), Some(false));
        // Five runs of one and a single run of the other: the medians, 25 % apart.
        assert_eq!(
            [said(&[1.0, 9.0, 1.0, 1.0, 1.0], &[1.1]), said(&[1.0, 9.0, 1.0, 1.0, 1.0], &[1.5])],
            [None, Some(true)]
        );
    }

    #[test]
    fn labels_are_solvers() {
        for label in ["αβ", "αβ by rules", "PNS", "PNT", "PN²", "PP", "PPT", "PP²", "df-PP"] {
            assert_eq!(labelled(label).label, label);
        }
        assert_eq!(SOLVERS.len(), 9);
    }
}
