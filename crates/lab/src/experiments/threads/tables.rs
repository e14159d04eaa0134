//! The tables and the figure of the page.

use super::{PROBLEMS, Problem, ThreadProblem, geometric_mean, threads, workers};
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::{Block, Figure, Table, seconds};
use crate::text::grouped;
use crate::{Crew, Results, Scale, Verdict};

/// The published efficiencies: program, threads, figure.
pub(super) const PUBLISHED: [(&str, usize, f64); 3] = [
    ("SPDFPN (Pawlewicz and Hayward 2013)", 4, 0.80),
    ("SPDFPN (Pawlewicz and Hayward 2013)", 16, 0.74),
    ("PNS-PDFPN (Čížek, Balko and Schmid 2025)", 1024, 0.325),
];

pub(super) fn blocks(scale: Scale, known: &Results) -> Vec<Block> {
    vec![
        Block::heading("Workers in turns"),
        efficiencies(scale, known).into(),
        figure(scale, known).into(),
        Block::heading("Sixteen workers with other options"),
        variants(scale, known).into(),
        Block::heading("Threads"),
        speed_ups(scale, known).into(),
        published().into(),
    ]
}

fn share(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"))
}

fn game(problem: &Problem, scale: Scale) -> String {
    let ThreadProblem { game, position, .. } = problem.at(scale);
    format!("{game} {position}").trim().to_owned()
}

/// A table with one column for each number.
fn table(caption: &str, first: &[&str], numbers: &[usize]) -> Table {
    let head = first.iter().map(|&name| name.to_owned()).chain(numbers.iter().map(usize::to_string));
    Table { caption: caption.to_owned(), head: head.collect(), rows: Vec::new() }
}

/// The geometric means of columns, as far as they have values.
fn means(name: &str, blanks: usize, columns: &[Vec<f64>]) -> Vec<String> {
    let blanks = std::iter::repeat_n(String::new(), blanks);
    let means = columns.iter().map(|column| share(geometric_mean(column)));
    std::iter::once(name.to_owned()).chain(blanks).chain(means).collect()
}

fn efficiencies(scale: Scale, known: &Results) -> Table {
    let counts = &workers(scale)[1..];
    let caption = "Efficiency of N workers: nodes expanded by one, divided by those of all N";
    let mut table = table(caption, &["problem", "game", "solver", "answer", "nodes of one"], counts);
    let mut columns = vec![Vec::new(); counts.len()];
    for problem in &PROBLEMS {
        let one = known.get(&problem.cell(Crew::lockstep(1), scale));
        let answer = one.map_or("not run", |record| match record.verdict {
            Verdict::Proved => "yes",
            Verdict::Disproved => "no",
            _ => "unknown",
        });
        let nodes = one.map_or_else(|| "–".to_owned(), |record| grouped(record.stats.expanded));
        let mut row = vec![
            problem.name.to_owned(),
            game(problem, scale),
            problem.at(scale).solver.to_owned(),
            answer.to_owned(),
            nodes,
        ];
        for (&count, column) in counts.iter().zip(&mut columns) {
            let efficiency = problem.efficiency(Crew::lockstep(count), scale, known);
            column.extend(efficiency);
            row.push(share(efficiency));
        }
        table.rows.push(row);
    }
    table.rows.push(means("geometric mean", 4, &columns));
    table
}

fn variants(scale: Scale, known: &Results) -> Table {
    let head = ["problem", "default", "spread everywhere", "added virtual value"];
    let mut table = Table::new("Efficiency of sixteen workers", head);
    let mut columns = vec![Vec::new(); 3];
    for problem in &PROBLEMS {
        let mut row = vec![problem.name.to_owned()];
        let crews = [Crew::lockstep(16)].into_iter().chain(problem.variants(scale));
        let found: Vec<Option<f64>> = crews.map(|crew| problem.efficiency(crew, scale, known)).collect();
        for (nth, column) in columns.iter_mut().enumerate() {
            let value = found.get(nth).copied().flatten();
            column.extend(value);
            row.push(share(value));
        }
        table.rows.push(row);
    }
    table.rows.push(means("geometric mean", 0, &columns));
    table
}

fn speed_ups(scale: Scale, known: &Results) -> Table {
    let counts = threads(scale);
    let caption =
        "Wall-clock time of one thread divided by that of N (only meaningful if nothing else was running)";
    let mut table = table(caption, &["problem", "seconds of one"], &counts[1..]);
    let mut columns = vec![Vec::new(); counts.len() - 1];
    for problem in &PROBLEMS {
        let one = problem.solved(Crew::Threads(1), scale, known);
        let time = one.map_or_else(|| "–".to_owned(), |record| seconds(record.seconds()));
        let mut row = vec![problem.name.to_owned(), time];
        for (&count, column) in counts[1..].iter().zip(&mut columns) {
            let ratio = problem.speed_up(count, scale, known);
            column.extend(ratio);
            row.push(share(ratio));
        }
        table.rows.push(row);
    }
    table.rows.push(means("geometric mean", 1, &columns));
    table
}

fn published() -> Table {
    let mut table = Table::new("Published efficiencies", ["program", "threads", "efficiency"]);
    for (program, threads, efficiency) in PUBLISHED {
        table.row([program.to_owned(), grouped(threads as u64), efficiency.to_string()]);
    }
    table
}

fn figure(scale: Scale, known: &Results) -> Figure {
    let curve = |problem: &Problem| {
        let point = |&count: &usize| {
            let efficiency = problem.efficiency(Crew::lockstep(count), scale, known)?;
            Some((count as f64, efficiency))
        };
        let points = workers(scale).iter().filter_map(point).collect();
        Series { name: problem.name.to_owned(), points, mark: Mark::Line }
    };
    let mut series: Vec<Series> = PROBLEMS.iter().map(curve).collect();
    let spdfpn = PUBLISHED[..2].iter().map(|&(_, threads, efficiency)| (threads as f64, efficiency));
    series.push(Series { name: "SPDFPN, published".to_owned(), points: spdfpn.collect(), mark: Mark::Dots });
    let plot = Plot { x: Axis::log("workers"), y: Axis::linear("efficiency"), series, diagonal: false };
    plot.figure(
        "efficiency",
        "Efficiency of workers in turns, and the published figures for SPDFPN on threads.",
    )
}
