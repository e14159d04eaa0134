//! The side of a player: its letters on the board, and its goal in games where the two sides have different goals.

use delphic_engine::{AnyGame, AnyPosition, Mark, Player};

/// The goals of the first and the second side, for games in which they differ.
const GOALS: &[(&str, [&str; 2])] = &[
    ("hex", ["joins the left side (file a) with the right", "joins the bottom (rank 1) with the top"]),
    ("domineering", ["places vertical dominoes", "places horizontal dominoes"]),
    ("breakthrough", ["moves up the board", "moves down the board"]),
    ("knightthrough", ["moves up the board", "moves down the board"]),
    ("awari", ["sows from the lower row", "sows from the upper row"]),
    ("pgame", ["wants a positive sum", "wants a sum that is not positive"]),
];

/// The letters of stones, in the order of the players.
const STONES: [&str; 3] = ["X", "O", "Z"];

/// The pieces of a player: `X`, or `capital letters`. `None` if pieces have no owner or all look the same.
pub(crate) fn pieces(game: &dyn AnyGame, position: &dyn AnyPosition, player: Player) -> Option<&'static str> {
    let seat = colour(game, position, player);
    // On an empty board, the first moves show which pieces are placed.
    let mut board = position.again();
    for _ in 0..=game.players() {
        for spot in &board.picture().spots {
            match &spot.mark {
                Mark::Stone(owner) if owner.index() == seat => return STONES.get(seat).copied(),
                Mark::Man(owner, _) if owner.index() == seat => {
                    return ["capital letters", "small letters"].get(seat).copied();
                }
                _ => {}
            }
        }
        if board.is_over() {
            break;
        }
        board = board.after(0);
    }
    None
}

/// The goal of a player, if the two sides have different goals.
pub(crate) fn goal(game: &dyn AnyGame, position: &dyn AnyPosition, player: Player) -> Option<&'static str> {
    let bare = game.spec().split(':').next().unwrap_or_default();
    let (_, goals) = GOALS.iter().find(|(name, _)| *name == bare)?;
    goals.get(colour(game, position, player)).copied()
}

/// The colour of a player: its number, unless the players of Hex have swapped colours.
fn colour(game: &dyn AnyGame, position: &dyn AnyPosition, player: Player) -> usize {
    let swapped = game.spec().starts_with("hex:") && position.write().ends_with(" swapped");
    if swapped { 1 - player.index() } else { player.index() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_the_board() {
        for (spec, first, second) in [
            ("connect4", Some("X"), Some("O")),
            ("hex:4", Some("X"), Some("O")),
            ("reversi", Some("X"), Some("O")),
            ("los-alamos", Some("capital letters"), Some("small letters")),
            ("nim", None, None),
            ("domineering", None, None),
        ] {
            let game = delphic_engine::game(spec).expect("a game");
            let start = game.position(None, None).expect("a start");
            let found = [Player::FIRST, Player::SECOND].map(|player| pieces(&*game, &*start, player));
            assert_eq!(found, [first, second], "{spec}");
        }
    }

    #[test]
    fn a_swap_exchanges_goals() {
        let game = delphic_engine::game("hex:3,swap").expect("a game");
        let swapped = game.position(Some("b2 swap"), None).expect("a position");
        assert_eq!(pieces(&*game, &*swapped, Player::FIRST), Some("O"));
        assert_eq!(goal(&*game, &*swapped, Player::SECOND), Some(GOALS[0].1[0]));
    }
}
