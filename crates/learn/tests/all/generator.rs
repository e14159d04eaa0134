//! How the repository's capture problems were made: `data/go-captures.tsv` is what this generator prints for seed 1.
//!
//! On boards of seven lines the attacker threatens with every move, so that all captures are proved for the whole board, and failures
//! are not kept. On boards of five lines everything legal is tried, and both answers are kept.

use delphic_game::bits::Bits;
use delphic_game::{Notation, Player, Rng, Verdict};
use delphic_games::GoCapture;
use delphic_games::go::{CaptureState, Ko, PASS, Position};
use delphic_learn::capture::raise_limit;
use delphic_search::rule::Product;
use delphic_search::{LeafPrior, Limits, Searchable, Symmetry, graph};
use std::sync::Arc;

const OWN: &str = include_str!("../../../../data/go-captures.tsv");

/// A position after some random moves that do not fill the mover's eyes, and a stone with two or three liberties.
fn draw(game: &GoCapture, rng: &mut Rng) -> Option<CaptureState> {
    let board = game.board();
    let mut position = Position::new(Arc::new(board.clone()), Ko::PositionalSuperko);
    for _ in 0..board.size() * 2 + rng.below(board.size() * 3) {
        let own = position.stones()[position.turn().index()];
        let empty: Vec<usize> = board.empty(position.stones()).cells().collect();
        let point = empty[rng.below(empty.len())];
        let eye = board.around(point).without(own).is_empty();
        if eye || position.play(point).is_err() {
            position.pass();
        }
    }
    let stones = *position.stones();
    let owner = Player::new(rng.below(2));
    let theirs = stones[owner.index()];
    if theirs.is_empty() {
        return None;
    }
    let target = theirs.nth(rng.below(theirs.count())) as u16;
    let attacker = owner.other();
    let mut state = CaptureState { stones, target, ko: PASS, taken: 0, limit: 0, attacker, turn: attacker };
    let liberties = game.liberties(&state).count();
    state.limit = liberties as u16;
    (2..=3).contains(&liberties).then_some(state)
}

/// The next problem that takes some search, as a line of the file.
fn next(game: &GoCapture, zone: &str, rng: &mut Rng) -> String {
    let limits = Limits { nodes: Some(60_000), ..Limits::default() };
    loop {
        let Some(state) = draw(game, rng) else { continue };
        let most = state.limit + if zone == "off" { 0 } else { 2 };
        let product = |at: &delphic_search::Position<'_, GoCapture>, question, limits: Limits<'_>| {
            let shared = at.graph(question, LeafPrior::Mobility, Symmetry::Off);
            graph::solve(shared, &Product::default(), limits, &mut ())
        };
        let found = raise_limit(game, &state, most, limits, product, |_, _, _| {});
        let answer = match found.verdict {
            Verdict::Proved => "captured",
            Verdict::Disproved if zone == "off" => "safe",
            _ => continue,
        };
        if found.stats.created >= if zone == "off" { 300 } else { 60 } {
            let position = game.write(&CaptureState { limit: found.limit, ..state });
            return format!("{}\t{zone}\t{answer}\t{position}", game.board().size());
        }
    }
}

fn generate(count: usize, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let seven = GoCapture::new(7).zoned(1, true);
    let mut lines: Vec<String> = (0..count / 2).map(|_| next(&seven, "threats", &mut rng)).collect();
    let five = GoCapture::new(5);
    lines.extend((0..count / 2).map(|_| next(&five, "off", &mut rng)));
    lines
}

fn file() -> impl Iterator<Item = &'static str> {
    OWN.lines().filter(|line| !line.starts_with('#'))
}

#[test]
fn the_file_begins_as_the_generator_does() {
    let mut rng = Rng::new(1);
    let seven = GoCapture::new(7).zoned(1, true);
    for line in file().take(6) {
        assert_eq!(next(&seven, "threats", &mut rng), line);
    }
}

/// The whole file; minutes.
#[test]
#[ignore = "minutes"]
fn the_file_is_what_the_generator_makes() {
    assert!(generate(60, 1).iter().eq(file()));
}
