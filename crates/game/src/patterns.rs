//! Patterns: the cells around a move, for learned priors (paper 4, §4.1).

use crate::{Game, Player};

/// The cells of the largest template.
pub const CELLS: usize = 37;

/// The number of nested templates.
pub const TEMPLATES: usize = 8;

/// How many cells each template has; they are the first ones of [`OFFSETS`].
pub const SIZES: [usize; TEMPLATES] = [1, 5, 9, 13, 21, 25, 29, 37];

/// Where the cells of the templates of paper 4, figure 5, lie: rows down and columns to the right of the move.
#[rustfmt::skip]
pub const OFFSETS: [(i8, i8); CELLS] = [
    (0, 0),
    (-1, 0), (0, -1), (0, 1), (1, 0),
    (-1, -1), (-1, 1), (1, -1), (1, 1),
    (-2, 0), (0, -2), (0, 2), (2, 0),
    (-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1),
    (-3, 0), (0, -3), (0, 3), (3, 0),
    (-2, -2), (-2, 2), (2, -2), (2, 2),
    (-3, -1), (-3, 1), (-1, -3), (-1, 3), (1, -3), (1, 3), (3, -1), (3, 1),
];

/// How many states a cell may have.
pub const STATES: usize = 6;

/// The surroundings of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Surroundings {
    /// The state of every cell, in the order of [`OFFSETS`]; each below [`STATES`].
    pub cells: [u8; CELLS],
    /// A small number that distinguishes moves with the same cells, for example passes.
    pub context: u8,
}

/// A game on a board of squares whose moves are at a cell.
pub trait Patterns: Game {
    /// The surroundings of `mv`, played in `before` and leading to `after`, as seen by `player`, the player of the question.
    fn surroundings(
        &self,
        before: &Self::State,
        mv: Self::Move,
        after: &Self::State,
        player: Player,
    ) -> Surroundings;

    /// The symmetries of the square, of the eight, that preserve the value of a move: one bit each, numbered as in
    /// [`Grid::image`](crate::grid::Grid::image).
    fn alike(&self) -> u8 {
        0xff
    }
}

/// The surroundings of a place on a board of `rows` by `cols`: `state` gives the state of a cell on the board, all other cells are `outside`.
pub fn around(
    (row, col): (usize, usize),
    (rows, cols): (usize, usize),
    outside: u8,
    state: impl Fn(usize, usize) -> u8,
) -> [u8; CELLS] {
    OFFSETS.map(|(down, right)| {
        let (row, col) = (row.wrapping_add_signed(down.into()), col.wrapping_add_signed(right.into()));
        if row < rows && col < cols { state(row, col) } else { outside }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paper 4, figure 5, row by row.
    #[test]
    fn templates_are_nested_as_in_the_paper() {
        let figure = ["..757..", ".64346.", "7421247", "5310135", "7421247", ".64346.", "..757.."];
        let mut cells = 0;
        for (row, line) in figure.iter().enumerate() {
            for (col, glyph) in line.chars().enumerate().filter(|(_, glyph)| *glyph != '.') {
                let offset = (row as i8 - 3, col as i8 - 3);
                let number = OFFSETS.iter().position(|&known| known == offset).unwrap();
                let template = SIZES.iter().position(|&size| number < size).unwrap();
                assert_eq!(template, glyph.to_digit(10).unwrap() as usize, "{offset:?}");
                cells += 1;
            }
        }
        assert_eq!(cells, CELLS);
    }
}
