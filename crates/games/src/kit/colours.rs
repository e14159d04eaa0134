//! Boards whose cells are empty or of a player's colour: text, keys, pictures, and the player to move.
//!
//! In games that only place stones the number of stones determines the player to move; others write the player after the board
//! (`…_with_turn`).

use delphic_game::{NotationError, Player, bits::Bits, grid::Grid, mix, picture::Picture};

/// The glyphs of the players' stones.
pub const GLYPHS: [char; 3] = ['X', 'O', 'Z'];

/// The glyph of a bit of a board.
pub fn glyph<B: Bits>(stones: &[B], bit: usize) -> char {
    stones.iter().position(|set| set.has(bit)).map_or('.', |owner| GLYPHS[owner])
}

/// 64 bits for the stones of two players on a large board and the player to move.
#[inline]
pub fn key(stones: [u128; 2], turn: Player) -> u64 {
    let half = |set: u128| mix(set as u64 ^ mix((set >> 64) as u64));
    mix(half(stones[0]) ^ half(!stones[1]).rotate_left(32) ^ turn.index() as u64)
}

/// Reads a rectangular board of `N` players' stones. `bit` gives the bit of a cell of the grid.
pub fn read<B: Bits, const N: usize>(
    grid: Grid,
    text: &str,
    bit: impl Fn(usize) -> usize,
) -> Result<[B; N], NotationError> {
    sets(grid, text, &".XOZ"[..=N], bit)
}

/// Reads a rectangular board on which the first glyph is empty and each further one a set of its own.
fn sets<B: Bits, const N: usize>(
    grid: Grid,
    text: &str,
    glyphs: &str,
    bit: impl Fn(usize) -> usize,
) -> Result<[B; N], NotationError> {
    let mut sets = [B::EMPTY; N];
    for (cell, glyph) in grid.read(text, glyphs)?.into_iter().enumerate() {
        if glyph > 0 {
            sets[glyph - 1] = sets[glyph - 1] | B::single(bit(cell));
        }
    }
    Ok(sets)
}

/// The glyph of a cell of two players' sets and perhaps a third one that is blocked for both.
fn glyph_or_hole<B: Bits>(sets: &[B], cell: usize) -> char {
    if sets.get(2).is_some_and(|holes| holes.has(cell)) { '#' } else { glyph(sets, cell) }
}

/// The player to move if players have placed stones alternately. Refuses impossible numbers of stones.
pub fn mover<B: Bits, const N: usize>(stones: &[B; N]) -> Result<Player, NotationError> {
    let counts = stones.map(Bits::count);
    let total: usize = counts.iter().sum();
    if (0..N).all(|seat| counts[seat] == (total + N - 1 - seat) / N) {
        return Ok(Player::new(total % N));
    }
    let counts: Vec<String> =
        counts.iter().zip(GLYPHS).map(|(count, glyph)| format!("{count} {glyph}")).collect();
    Err(NotationError::position(format!("{} cannot be", counts.join(" and "))))
}

/// The player to move, and whether the last mover has won. No other player can have won: the game would have ended before.
pub fn standing<B: Bits, const N: usize>(
    stones: &[B; N],
    wins: impl Fn(B) -> bool,
) -> Result<(Player, bool), NotationError> {
    let turn = mover(stones)?;
    let last = turn.previous(N).index();
    if (0..N).any(|seat| seat != last && wins(stones[seat])) {
        return Err(NotationError::position("a player who did not move last has already won"));
    }
    Ok((turn, wins(stones[last])))
}

/// The stones that win, without those that are not needed for it: the line or the chain that ended the game. Empty if none wins.
pub fn winning_shape<B: Bits>(stones: B, wins: impl Fn(B) -> bool) -> B {
    if !wins(stones) {
        return B::EMPTY;
    }
    stones.cells().fold(stones, |shape, cell| {
        let rest = shape & !B::single(cell);
        if wins(rest) { rest } else { shape }
    })
}

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

/// The rows and the side to move, such as `.O/X. x`.
pub fn write_with_turn<B: Bits, const N: usize>(grid: Grid, sets: &[B; N], turn: Player) -> String {
    format!("{} {}", grid.write(|cell| glyph_or_hole(sets, cell)), letter(turn))
}

/// Reads what [`write_with_turn`] writes.
pub fn read_with_turn<B: Bits, const N: usize>(
    grid: Grid,
    text: &str,
) -> Result<([B; N], Player), NotationError> {
    let Some((board, turn)) = text.trim().rsplit_once(' ') else {
        return Err(NotationError::position("expected the board, a blank, and x or o for the side to move"));
    };
    Ok((sets(grid, board.trim(), &".XO#"[..=N], |cell| cell)?, player(turn)?))
}

/// The picture of the board, with the side to move.
pub fn picture_with_turn<B: Bits, const N: usize>(grid: Grid, sets: &[B; N], turn: Player) -> Picture {
    let mover = letter(turn).to_ascii_uppercase();
    grid.picture(|cell| glyph_or_hole(sets, cell)).note(format!("{mover} to move"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_winning_shape_has_no_stone_too_many() {
        let three_in_a_row = |stones: u64| stones.has_line(1, 3);
        assert_eq!(winning_shape(0b1011_1001, three_in_a_row), 0b0011_1000);
        assert_eq!(winning_shape(0b1011_0001, three_in_a_row), 0);
    }

    #[test]
    fn numbers_tell_the_mover() {
        assert_eq!(mover(&[0b11u64, 0b100]), Ok(Player::SECOND));
        assert_eq!(mover(&[0b11u64, 0b100, 0b1000]), Ok(Player::SECOND));
        assert_eq!(mover(&[0b1u64, 0b10, 0]), Ok(Player::new(2)));
        let error = mover(&[0b11u64, 0, 0b100]).unwrap_err();
        assert_eq!(error.to_string(), "malformed position: 2 X and 0 O and 1 Z cannot be");
    }

    #[test]
    fn only_the_players_stones_are_read() {
        let grid = Grid { rows: 1, cols: 3 };
        assert_eq!(read::<u64, 3>(grid, "XZ.", |cell| cell), Ok([1, 0, 2]));
        assert!(read::<u64, 2>(grid, "XZ.", |cell| cell).is_err());
    }

    #[test]
    fn text_round_trips() {
        let grid = Grid { rows: 2, cols: 3 };
        let sets = [0b000_001u64, 0b100_000, 0b000_100];
        assert_eq!(write_with_turn(grid, &sets, Player::SECOND), "X.#/..O o");
        assert_eq!(read_with_turn(grid, "X.#/..O o"), Ok((sets, Player::SECOND)));
        assert!(read_with_turn::<u64, 2>(grid, "X.#/..O o").is_err());
        assert!(read_with_turn::<u64, 3>(grid, "X.#/..O w").is_err());
        assert!(read_with_turn::<u64, 3>(grid, "X.#/..O").is_err());
    }
}
