//! Boards that hold only X for the first player, O for the second and perhaps # for neither: their text.
//!
//! Sets of cells are numbered as [`Grid`] numbers cells.

use delphic_game::{NotationError, Player, bits::Bits, grid::Grid, picture::Picture};

const GLYPHS: &str = ".XO#";

/// How the side to move is written.
pub fn letter(turn: Player) -> char {
    if turn == Player::FIRST { 'x' } else { 'o' }
}

/// The player that [`letter`] writes so.
pub fn player(text: &str) -> Result<Player, NotationError> {
    match text {
        "x" => Ok(Player::FIRST),
        "o" => Ok(Player::SECOND),
        other => {
            Err(NotationError::position(format!("the side to move is x or o, found '{}'", other.trim())))
        }
    }
}

fn glyph<B: Bits, const N: usize>(sets: &[B; N], cell: usize) -> char {
    let place = sets.iter().position(|set| set.has(cell)).map_or(0, |set| set + 1);
    char::from(GLYPHS.as_bytes()[place])
}

/// The rows and the side to move, such as `.O/X. x`.
pub fn write<B: Bits, const N: usize>(grid: Grid, sets: &[B; N], turn: Player) -> String {
    format!("{} {}", grid.write(|cell| glyph(sets, cell)), letter(turn))
}

/// Reads what [`write`] writes.
pub fn read<B: Bits, const N: usize>(grid: Grid, text: &str) -> Result<([B; N], Player), NotationError> {
    let Some((board, turn)) = text.trim().rsplit_once(' ') else {
        return Err(NotationError::position("expected the board, a blank, and x or o for the side to move"));
    };
    let mut sets = [B::EMPTY; N];
    for (cell, glyph) in grid.read(board.trim(), &GLYPHS[..=N])?.into_iter().enumerate() {
        if glyph > 0 {
            sets[glyph - 1] = sets[glyph - 1] | B::single(cell);
        }
    }
    Ok((sets, player(turn)?))
}

/// The board for the eye.
pub fn picture<B: Bits, const N: usize>(grid: Grid, sets: &[B; N], turn: Player) -> Picture {
    let mover = letter(turn).to_ascii_uppercase();
    grid.picture(|cell| glyph(sets, cell)).note(format!("{mover} to move"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let grid = Grid { rows: 2, cols: 3 };
        let sets = [0b000_001u64, 0b100_000, 0b000_100];
        assert_eq!(write(grid, &sets, Player::SECOND), "X.#/..O o");
        assert_eq!(read(grid, "X.#/..O o"), Ok((sets, Player::SECOND)));
        assert!(read::<u64, 2>(grid, "X.#/..O o").is_err());
        assert!(read::<u64, 3>(grid, "X.#/..O w").is_err());
        assert!(read::<u64, 3>(grid, "X.#/..O").is_err());
    }
}
