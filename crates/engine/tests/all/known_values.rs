//! Values known from elsewhere, found again.
//!
//! `data/known-values.tsv` lists positions with their value for the side to move and where it comes from. `auto` has to
//! find every one within a time; a few other solvers try with a number of nodes, and may fail but not differ.

use delphic_engine::{Limits, Request, game};
use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

const OTHERS: [&str; 3] = ["pp", "pns", "brute"];

/// A line of the table.
struct Row<'a> {
    game: &'a str,
    /// The moves from the start, if there are any.
    moves: Option<&'a str>,
    value: &'a str,
    speed: &'a str,
}

/// Far longer than any of them takes, for machines that are slow or busy.
#[test]
fn fast_values_hold() {
    check("fast", Duration::from_secs(20), 30_000);
}

#[test]
#[ignore = "takes many minutes and some gigabytes"]
fn slow_values_hold() {
    check("slow", Duration::from_secs(600), 4_000_000);
}

/// Solves the rows of one speed, with a time limit for `auto` and a node limit for each of the others.
fn check(speed: &str, time: Duration, nodes: u64) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/known-values.tsv");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (mut solved, mut answers, started) = (0, 0, Instant::now());
    for row in rows(&text).iter().filter(|row| row.speed == speed) {
        let place = format!("{} {}", row.game, row.moves.unwrap_or("-"));
        let by_auto =
            row.solve("auto", Limits { time: Some(time), memory: Some(2 << 30), ..Limits::default() });
        let by_auto = by_auto.unwrap_or_else(|| panic!("{place}: auto does not solve it within {time:?}"));
        let others = OTHERS.iter().filter_map(|solver| {
            row.solve(solver, Limits { nodes: Some(nodes), memory: Some(2 << 30), ..Limits::default() })
        });
        let others: Vec<String> = others.collect();
        println!("{place}: {} by {by_auto} {}", row.value, others.join(" "));
        solved += 1;
        answers += 1 + others.len();
    }
    println!("{solved} {speed} rows, {answers} answers, {:.1?}", started.elapsed());
    assert!(solved > 0, "there are no {speed} rows");
}

impl Row<'_> {
    /// What it took, if the solver gets through; then it must have got the value right.
    fn solve(&self, solver: &str, limits: Limits<'_>) -> Option<String> {
        // Files are named from the root of the repository.
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(self.game);
        let name = if self.game.ends_with(".toml") { file.to_str().unwrap() } else { self.game };
        let position = game(name).unwrap().position(None, self.moves).unwrap();
        let request = Request { solver: solver.parse().unwrap(), limits, ..Request::default() };
        let answer = position.solve(&request, &mut ());
        let value = answer.value()?;
        assert_eq!(value.to_string(), self.value, "{solver} on {}\n{}", self.game, position.picture());
        Some(format!("{solver} ({}, {:.2?})", answer.stats.created, answer.stats.time))
    }
}

/// The table, which has to be well-formed throughout: a misread row would leave a value unchecked.
fn rows(text: &str) -> Vec<Row<'_>> {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("game\tposition\tvalue\tspeed\tsource"), "the header");
    let mut seen = HashSet::new();
    let read = |line| {
        let columns: Vec<&str> = str::split(line, '\t').collect();
        let [game, position, value, speed, source] = columns[..] else { panic!("not five columns: {line}") };
        assert!(["win", "draw", "loss"].contains(&value), "no value: {line}");
        assert!(["fast", "slow"].contains(&speed), "no speed: {line}");
        assert!(!source.is_empty(), "no source: {line}");
        assert!(seen.insert((game, position)), "a second time: {line}");
        Row { game, moves: (position != "-").then_some(position), value, speed }
    };
    lines.map(read).collect()
}
