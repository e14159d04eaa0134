//! Makes capture problems out of random games and solves them: `make_captures [COUNT] [SEED]` prints lines for `data/go-captures.tsv`.
//!
//! On boards of seven lines the attacker threatens with every move, so that all captures are proved for the whole board but failures are not kept. On
//! boards of five lines everything legal is tried, and both answers are kept.

use delphic_game::bits::Bits;
use delphic_game::{Notation, Player, Rng, Verdict};
use delphic_games::GoCapture;
use delphic_games::go::{CaptureState, Ko, PASS, Position};
use delphic_learn::capture::raise_limit;
use delphic_search::Limits;
use delphic_search::dag::{self, Symmetry};
use delphic_search::prior::Leaf;
use delphic_search::rule::Product;
use std::sync::Arc;

/// A position after some random moves that do not fill own eyes, and a stone with two or three liberties.
fn draw(game: &GoCapture, rng: &mut Rng) -> Option<CaptureState> {
    let board = game.board();
    let mut position = Position::new(Arc::new(board.clone()), Ko::PositionalSuperko);
    for _ in 0..board.size() * 2 + rng.below(board.size() * 3) {
        let own = position.stones()[position.turn().seat()];
        let empty: Vec<usize> = board.empty(position.stones()).cells().collect();
        let point = empty[rng.below(empty.len())];
        let eye = board.around(point).without(own).is_empty();
        if eye || position.play(point).is_err() {
            position.pass();
        }
    }
    let stones = *position.stones();
    let owner = Player::new(rng.below(2));
    let theirs = stones[owner.seat()];
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

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().ok());
    let count = arguments.next().flatten().unwrap_or(60);
    let mut rng = Rng::new(arguments.next().flatten().unwrap_or(1));
    for (size, zone) in [(7, "threats"), (5, "off")] {
        let game = if zone == "off" { GoCapture::new(size) } else { GoCapture::new(size).zoned(1, true) };
        let limits = Limits { nodes: Some(60_000), ..Limits::default() };
        let mut left = count / 2;
        while left > 0 {
            let Some(state) = draw(&game, &mut rng) else { continue };
            let more = if zone == "off" { 0 } else { 2 };
            let found = raise_limit(
                &game,
                &state,
                state.limit + more,
                limits,
                |asked, limits| {
                    dag::solve(asked, Product::default(), Leaf::Mobility, Symmetry::Off, limits, &mut ())
                },
                |_, _| {},
            );
            let answer = match found.verdict {
                Verdict::Proved => "captured",
                Verdict::Disproved if zone == "off" => "safe",
                _ => continue,
            };
            let hard = found.stats.created >= if zone == "off" { 300 } else { 60 };
            if hard {
                let position = game.write(&CaptureState { limit: found.limit, ..state });
                println!("{size}\t{zone}\t{answer}\t{position}");
                left -= 1;
            }
        }
    }
}
