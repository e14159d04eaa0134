//! Stones of two or three players on a board: their text, and whose turn their numbers tell.

use delphic_game::{NotationError, Player, bits::Bits, grid::Grid, mix};

/// What stands for each player's stones.
pub const GLYPHS: [char; 3] = ['X', 'O', 'Z'];

/// What stands for a bit of a board.
pub fn glyph<B: Bits>(stones: &[B], bit: usize) -> char {
    stones.iter().position(|set| set.has(bit)).map_or('.', |owner| GLYPHS[owner])
}

/// 64 bits for the stones of two players on a large board, and for who moves.
#[inline]
pub fn key(stones: [u128; 2], turn: Player) -> u64 {
    let half = |set: u128| mix(set as u64 ^ mix((set >> 64) as u64));
    mix(half(stones[0]) ^ half(!stones[1]).rotate_left(32) ^ turn.seat() as u64)
}

/// Reads a rectangular board of `N` players' stones. `bit` gives the bit of a cell of the grid.
pub fn read<B: Bits, const N: usize>(
    grid: Grid,
    text: &str,
    bit: impl Fn(usize) -> usize,
) -> Result<[B; N], NotationError> {
    let mut stones = [B::EMPTY; N];
    for (cell, glyph) in grid.read(text, &".XOZ"[..=N])?.into_iter().enumerate() {
        if glyph > 0 {
            stones[glyph - 1] = stones[glyph - 1] | B::single(bit(cell));
        }
    }
    Ok(stones)
}

/// Whose turn it is when all have placed one stone after the other. Refuses numbers that cannot come about so.
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

/// Whose turn it is, and whether who moved last has won. Nobody else can have: the game would be over.
pub fn standing<B: Bits, const N: usize>(
    stones: &[B; N],
    wins: impl Fn(B) -> bool,
) -> Result<(Player, bool), NotationError> {
    let turn = mover(stones)?;
    let last = turn.previous(N).seat();
    if (0..N).any(|seat| seat != last && wins(stones[seat])) {
        return Err(NotationError::position("somebody has already won who did not move last"));
    }
    Ok((turn, wins(stones[last])))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
