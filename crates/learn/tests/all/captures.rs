//! Capture problems: our own, and GNU Go's where their files are present.

use delphic_game::bits::Bits;
use delphic_game::testing::oracle;
use delphic_game::{Force, Game, Notation, Outcome, Verdict};
use delphic_games::GoCapture;
use delphic_games::go::{CaptureState, PASS};
use delphic_learn::capture::{CaptureProblem, raise_limit};
use delphic_search::kernel::{self, Expand};
use delphic_search::rule::{Counts, MinSum, Product, Sum, Ties};
use delphic_search::{LeafPrior, Limits, Position, Report, Searchable, Symmetry, depth_first, graph};
use proptest::prelude::*;
use std::collections::HashMap;

const OWN: &str = include_str!("../../../../data/go-captures.tsv");

fn ppt(position: &dyn Searchable, question: Force, limits: Limits<'_>) -> Report {
    let game = position.graph(question, LeafPrior::Mobility, Symmetry::Off);
    graph::solve(game, &Product::default(), limits, &mut ())
}

/// The problems of the repository: the game, whether the target falls, the position.
fn own() -> Vec<(GoCapture, bool, CaptureState)> {
    let read = |line: &str| {
        let words: Vec<&str> = line.split('\t').collect();
        let [size, zone, answer, position] = words[..] else { panic!("{line}") };
        let game = GoCapture::new(size.parse().unwrap());
        let game = if zone == "off" { game } else { game.zoned(1, true) };
        let state = game.read(position).unwrap();
        (game, answer == "captured", state)
    };
    OWN.lines().filter(|line| !line.starts_with('#')).map(read).collect()
}

#[test]
fn all_solvers_agree_on_our_problems() {
    let (numbers, product) =
        (MinSum { kind: Counts, sum: Sum::Plain, ties: Ties::First }, Product::default());
    let limits = Limits { nodes: Some(60_000), memory: Some(1 << 26), ..Limits::default() };
    let (mut solved, mut tried) = (0, 0);
    for (game, falls, state) in own() {
        let question = Force { player: state.attacker, at_least: 1 };
        let at = Position { game: &game, state };
        let tree = |prior| at.tree(question, prior);
        let table = at.table(question, LeafPrior::Mobility, Symmetry::Off, limits.table_bytes());
        let answers = [
            kernel::solve(tree(LeafPrior::Uniform), &numbers, Expand::Plain, limits, &mut ()).truth,
            kernel::solve(tree(LeafPrior::Mobility), &product, Expand::Plain, limits, &mut ()).truth,
            ppt(&at, question, limits).truth,
            depth_first::solve(table, &numbers, limits, &mut ()).truth,
            at.alphabeta(question, Symmetry::Off, limits, &mut ()).truth,
        ];
        for truth in answers {
            assert!(truth == Verdict::Open || truth == Verdict::of(falls), "{}", game.write(&state));
            solved += usize::from(truth != Verdict::Open);
            tried += 1;
        }
    }
    assert!(solved * 10 >= tried * 8, "{solved} of {tried}");
}

/// Whether an attacker whose moves come from a search in a zone captures against every legal defence. `None` if that takes too long.
fn holds(
    plain: &GoCapture,
    zoned: &GoCapture,
    state: &CaptureState,
    known: &mut HashMap<CaptureState, bool>,
) -> Option<bool> {
    if let Some(outcome) = plain.outcome(state) {
        return Some(outcome == Outcome::win(state.attacker));
    }
    if let Some(&yes) = known.get(state) {
        return Some(yes);
    }
    if known.len() > 3_000 {
        return None;
    }
    let mut moves = Vec::new();
    if state.attacks() {
        let question = Force { player: state.attacker, at_least: 1 };
        let limits = Limits { nodes: Some(200_000), ..Limits::default() };
        let report = ppt(&Position { game: zoned, state: *state }, question, limits);
        // A defender's move that the zone left out may need a wider attack than the zone allows: then this proves nothing.
        if report.truth != Verdict::Proved {
            return None;
        }
        let mut legal = Vec::new();
        zoned.moves(state, &mut legal);
        moves.extend(report.line.first().map(|&nth| legal[usize::from(nth)]));
    } else {
        plain.moves(state, &mut moves);
    }
    let mut yes = true;
    for mv in moves {
        let mut next = *state;
        plain.play(&mut next, mv);
        yes &= holds(plain, zoned, &next, known)?;
    }
    known.insert(*state, yes);
    Some(yes)
}

#[test]
fn captures_in_the_zone_hold_on_the_whole_board() {
    let (mut held, mut tried) = (0, 0);
    for (zoned, falls, state) in own().into_iter().filter(|(game, ..)| game.board().size() == 7) {
        assert!(falls);
        let plain = GoCapture::new(7);
        let answer = holds(&plain, &zoned, &state, &mut HashMap::new());
        assert_ne!(answer, Some(false), "{}", plain.write(&state));
        held += usize::from(answer == Some(true));
        tried += 1;
    }
    println!("{held} of {tried} captures played out against every reply");
    assert!(held >= 5, "{held} of {tried}");
}

#[test]
fn problems_are_written_and_read() {
    for (game, _, state) in own() {
        let size = game.board().size();
        let problem =
            CaptureProblem { id: String::new(), size, position: state, capture: None, proven: false };
        let again = CaptureProblem::read_sgf(&problem.write_sgf()).unwrap();
        let limit = game.liberties(&state).count() as u16;
        assert_eq!(again.position, CaptureState { limit, ..state });
    }
    let json = r#"{"size":3,"black":["B3"],"white":["A3","C1"],"to_move":"black","target":"A3","target_color":"white","ko_ban":null}"#;
    let problem = CaptureProblem::read_json(json).unwrap();
    assert_eq!(GoCapture::new(3).write(&problem.position), "OX./.../..O x O:a3 1");
    for (good, bad) in [
        ("B3", "I3"),
        ("B3", "A3"),
        ("B3", "D1"),
        ("\"black\",\"target\"", "1,\"target\""),
        (":3,", ":20,"),
        ("\"A3\",\"C1\"", "\"C1\""),
    ] {
        assert!(CaptureProblem::read_json(&json.replace(good, bad)).is_err(), "{good} {bad}");
    }
    for bad in ["", "(;SZ[9])", "(;SZ[9]AB[aa]TR[bb])", "(;SZ[9]AB[aa]AW[ab][ba]TR[aa])"] {
        assert!(CaptureProblem::read_sgf(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_limit_is_raised_until_the_target_falls() {
    // A ladder: the target has two liberties, and three for a moment only if it captures something; a limit of two is enough.
    let game = GoCapture::new(9).zoned(1, true);
    let state = CaptureState { limit: 0, ..game.start() };
    let attempt = raise_limit(
        &game,
        &state,
        5,
        Limits::default(),
        |at, question, limits| ppt(at, question, limits),
        |_, _, _| {},
    );
    assert_eq!((attempt.verdict, attempt.limit), (Verdict::Proved, 2));
    let first = attempt.write_line(&game, &state).swap_remove(0);
    assert_ne!(first, game.write_move(&state, PASS));
}

/// Every position of the oracle files is one of ours, and of every fourth problem with a proof of capture this many are proved
/// within 5,000 nodes: the searches are deterministic, so the counts are exact.
#[test]
fn gnu_go_problems_are_read_and_some_proved() {
    for (file, expected) in [
        ("gnugo_capture.jsonl", (135, 9, 8)),
        ("gnugo_capture_ko.jsonl", (41, 2, 2)),
        ("gnugo_games_capture.jsonl", (400, 34, 20)),
    ] {
        let Some(path) = oracle(&format!("go-capture/{file}")) else { continue };
        let text = std::fs::read_to_string(path).unwrap();
        let (mut read, mut tried, mut proved) = (0, 0, 0);
        for line in text.lines() {
            let problem = CaptureProblem::read_json(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            read += 1;
            if problem.proven && read % 4 == 0 {
                let game = GoCapture::new(problem.size).zoned(1, true);
                let limits = Limits { nodes: Some(5_000), ..Limits::default() };
                let most = problem.position.limit + 1;
                let attempt = raise_limit(
                    &game,
                    &problem.position,
                    most,
                    limits,
                    |at, question, limits| ppt(at, question, limits),
                    |_, _, _| {},
                );
                tried += 1;
                proved += usize::from(attempt.verdict == Verdict::Proved);
            }
        }
        assert_eq!((read, tried, proved), expected, "{file}: read, tried, proved");
    }
}

proptest! {
    #[test]
    fn no_text_crashes_the_readers(text in "[\\[\\]{}(;):\",a-cA-T0-9 ]{0,80}") {
        let _ = CaptureProblem::read_json(&text);
        let _ = CaptureProblem::read_sgf(&text);
    }
}
