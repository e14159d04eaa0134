//! Values known from elsewhere, found again.
//!
//! `data/known-values.tsv` lists positions with their value for the side to move and where it comes from. No solver is
//! good at everything, so each of a few may try within a number of nodes: one at least has to get there, and none may
//! get anywhere else.

use delphic_engine::{Limits, Request, game};
use std::collections::HashSet;
use std::path::Path;

const SOLVERS: [&str; 3] = ["pp", "pns", "brute"];

/// A line of the table.
struct Row<'a> {
    game: &'a str,
    /// The moves from the start, if there are any.
    moves: Option<&'a str>,
    value: &'a str,
    speed: &'a str,
}

#[test]
fn fast_values_hold() {
    check("fast", 1_500_000);
}

#[test]
#[ignore = "takes many minutes and some gigabytes"]
fn slow_values_hold() {
    check("slow", 40_000_000);
}

/// Solves the rows of one speed, with so many nodes for each solver.
fn check(speed: &str, nodes: u64) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/known-values.tsv");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (mut solved, mut answers) = (0, 0);
    for row in rows(&text).iter().filter(|row| row.speed == speed) {
        let concluded = row.solve(nodes);
        let place = format!("{} {}", row.game, row.moves.unwrap_or("-"));
        assert!(!concluded.is_empty(), "{place}: nobody solves it with {nodes} nodes");
        println!("{place}: {} by {}", row.value, concluded.join(", "));
        solved += 1;
        answers += concluded.len();
    }
    println!("{solved} {speed} rows, {answers} answers");
    assert!(solved > 0, "there are no {speed} rows");
}

impl Row<'_> {
    /// The solvers that get through, with the nodes they took.
    fn solve(&self, nodes: u64) -> Vec<String> {
        // A solver that fails uses up all it may, so nobody gets more than a tenth as long as that is enough for one.
        let mut stages = [nodes / 10, nodes].into_iter().map(|nodes| self.solve_within(nodes));
        stages.find(|concluded| !concluded.is_empty()).unwrap_or_default()
    }

    fn solve_within(&self, nodes: u64) -> Vec<String> {
        let position = game(self.game).unwrap().position(None, self.moves).unwrap();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut concluded = Vec::new();
        for solver in SOLVERS {
            let request = Request { solver: solver.parse().unwrap(), limits, ..Request::default() };
            let answer = position.solve(&request, &mut ());
            if let Some(value) = answer.value() {
                let place = position.picture();
                assert_eq!(value.to_string(), self.value, "{solver} on {}\n{place}", self.game);
                concluded.push(format!("{solver} ({})", answer.stats.created));
            }
        }
        concluded
    }
}

/// The table, which has to be well-formed throughout: a row that is misread is a value that nobody checks.
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
