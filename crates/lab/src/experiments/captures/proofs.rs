//! Part 1: captures proved by each solver, and where we and GNU Go differ.

use super::{EXAMINER, Problem, SOLVERS, Set, opinion, proof, solved};
use crate::plot::{Axis, Plot, Series};
use crate::report::{Block, Figure, Table, seconds};
use crate::{Record, Results, Scale, Verdict};
use delphic_base::Interval;
use delphic_engine::vertex::vertex;

pub(super) fn blocks(set: &Set, scale: Scale, known: &Results) -> Vec<Block> {
    let mut blocks = vec![Block::heading("Captures proved"), proved(set, scale, known).into()];
    blocks.push(Block::text(
        "A capture that is proved holds for the whole board and under the simple ko rule, whichever side has ko threats. A \"no\" means that attacks in the zone fail under every liberty limit that was tried; it \
         contradicts nothing, unless there is no zone.",
    ));
    blocks.push(cactus(set, scale, known).into());
    blocks.extend(disagreements(set, scale, known));
    blocks
}

/// A solver's result on a problem.
struct Found<'k> {
    problem: &'k Problem,
    /// The last search.
    record: &'k Record,
    /// The time of all searches.
    seconds: f64,
}

/// A solver's results on problems whose answer is proved, as far as it has finished them.
fn found<'k>(set: &'k Set, solver: &str, scale: Scale, known: &'k Results) -> Vec<Found<'k>> {
    let of = |problem: &'k Problem| {
        let mut seconds = 0.0;
        let stages = proof(problem, solver, scale);
        for (nth, cell) in stages.iter().enumerate() {
            let record = known.get(cell)?;
            seconds += record.seconds();
            if solved(record) || nth + 1 == stages.len() {
                return Some(Found { problem, record, seconds });
            }
        }
        None
    };
    set.problems.iter().filter(|problem| problem.proven.is_some()).filter_map(of).collect()
}

/// Whether a result contradicts the proven answer.
fn contradicts(problem: &Problem, record: &Record) -> bool {
    match record.verdict {
        Verdict::Proved => problem.proven == Some(false),
        Verdict::Disproved => problem.proven == Some(true) && problem.game.ends_with("zone=off"),
        _ => false,
    }
}

fn proved(set: &Set, scale: Scale, known: &Results) -> Table {
    let captures = |part| {
        let there = |problem: &&Problem| problem.part == part && problem.proven == Some(true);
        set.problems.iter().filter(there).count()
    };
    let [first, second] = [0, 1].map(|part| format!("{} ({})", set.parts[part], captures(part)));
    let mut table = Table::new(
        "Captures proved, among problems whose answer is known by proof",
        [
            "solver",
            &first,
            &second,
            "share (95 %)",
            "no",
            "open",
            "against a proof",
            "s for all",
            "s at most, if proved",
        ],
    );
    for solver in SOLVERS {
        let found = found(set, solver, scale, known);
        let count = |what: &dyn Fn(&Found<'_>) -> bool| found.iter().filter(|one| what(one)).count();
        let falls = |one: &Found<'_>| one.problem.proven == Some(true);
        let proofs = |part| count(&|one| falls(one) && one.problem.part == part && solved(one.record));
        let ours = Interval::share(proofs(0) + proofs(1), count(&falls));
        let longest = found.iter().filter(|one| solved(one.record)).map(|one| one.seconds);
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        table.row([
            solver.to_owned(),
            proofs(0).to_string(),
            proofs(1).to_string(),
            match count(&falls) {
                0 => "–".to_owned(),
                _ => format!("{} % ({} to {})", percent(ours.value), percent(ours.low), percent(ours.high)),
            },
            count(&|one| one.record.verdict == Verdict::Disproved).to_string(),
            count(&|one| one.record.verdict == Verdict::Unknown).to_string(),
            count(&|one| contradicts(one.problem, one.record)).to_string(),
            seconds(found.iter().map(|one| one.seconds).sum()),
            seconds(longest.fold(0.0, f64::max)),
        ]);
    }
    table
}

/// How many problems are proved in how much time each.
fn cactus(set: &Set, scale: Scale, known: &Results) -> Figure {
    let series = SOLVERS.map(|solver| {
        let found = found(set, solver, scale, known);
        let proofs = found.iter().filter(|one| solved(one.record));
        Series::cactus(solver, proofs.map(|one| one.seconds.max(1e-5)))
    });
    let plot = Plot {
        x: Axis::linear("captures proved"),
        y: Axis::log("processor time for each (s)"),
        series: series.to_vec(),
        diagonal: false,
    };
    plot.figure("proved", "How many captures each solver proves with at most this much time for each.")
}

/// Captures that we prove and that GNU Go says are not captures.
fn disagreements(set: &Set, scale: Scale, known: &Results) -> Vec<Block> {
    if set.problems.iter().all(|problem| problem.proven.is_some() && problem.proven == problem.opinion) {
        return Vec::new();
    }
    let mut table = Table::new(
        "Captures that we prove and that GNU Go says are not captures (letters without I, as in GTP)",
        ["problem", "target", "liberty limit", "proved by", "line of the first"],
    );
    let opinions = set.problems.iter().filter(|problem| problem.proven.is_none());
    let examined: Vec<(&Problem, &Record)> =
        opinions.filter_map(|problem| Some((problem, known.get(&opinion(problem, scale))?))).collect();
    let mut all: Vec<(&Problem, &str, &Record)> =
        examined.iter().map(|(problem, record)| (*problem, EXAMINER, *record)).collect();
    for solver in SOLVERS {
        all.extend(found(set, solver, scale, known).into_iter().map(|one| (one.problem, solver, one.record)));
    }
    all.retain(|(problem, _, record)| problem.opinion == Some(false) && solved(record));
    for denied in &set.problems {
        let proofs: Vec<_> = all.iter().filter(|(problem, ..)| problem.id == denied.id).collect();
        let Some((problem, _, record)) = proofs.first() else { continue };
        let target = problem.position.split(' ').nth(2).and_then(|word| word.split(':').nth(1));
        table.row([
            problem.id.clone(),
            target.map(named).unwrap_or_default(),
            record.score.map(|limit| limit.to_string()).unwrap_or_default(),
            proofs.iter().map(|(_, solver, _)| *solver).collect::<Vec<_>>().join(", "),
            record.line.split(' ').map(named).collect::<Vec<_>>().join(" "),
        ]);
    }
    let count = |says: bool, proofs: bool| {
        examined
            .iter()
            .filter(|(problem, record)| problem.opinion == Some(says) && (solved(record) || !proofs))
            .count()
    };
    vec![
        Block::heading("Problems without a proof"),
        Block::text(format!(
            "Of {} problems that GNU Go calls captures, and of which there is no proof, `{EXAMINER}` proves {}. Of {} that it says are not captures it proves {}. The table lists the captures that any solver proves although GNU Go says they are none. GNU Go counts a stone as saved that is \
             captured and recaptured at once; here it counts as captured.",
            count(true, false),
            count(true, true),
            count(false, false),
            count(false, true),
        )),
        table.into(),
    ]
}

/// A move as the Go Text Protocol writes it.
fn named(mv: &str) -> String {
    vertex(mv).unwrap_or_else(|| mv.to_owned())
}
