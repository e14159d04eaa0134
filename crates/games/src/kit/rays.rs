//! The rows, columns and diagonals through a cell, and how far a piece slides along them.

use delphic_game::grid::Grid;

/// A line through a cell, without the cell itself.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Line {
    /// The cells of the line with higher numbers.
    pub after: u64,
    /// Those with lower numbers.
    pub before: u64,
}

impl Line {
    /// The whole line.
    #[inline]
    pub fn both(self) -> u64 {
        self.after | self.before
    }

    /// What a slider sees in both directions: all cells up to the first occupied one, and that one too.
    #[inline]
    fn seen(self, occupied: u64) -> u64 {
        let ahead = self.after & occupied;
        // The 1 stands for the edge, behind which there is nothing to see.
        let behind = self.before & occupied | 1;
        let up_to_first = ahead ^ ahead.wrapping_sub(1);
        let down_to_last = u64::MAX << (63 - behind.leading_zeros());
        self.both() & up_to_first & down_to_last
    }
}

/// The lines of a board of at most 64 cells.
#[derive(Clone, Debug)]
pub(crate) struct Rays {
    through: Box<[[Line; 4]; 64]>,
    steps: [usize; 4],
}

impl Rays {
    /// The lines of `grid`.
    pub fn new(grid: Grid) -> Rays {
        let mut through = Box::new([[Line::default(); 4]; 64]);
        // The row, the column, and the diagonals falling to the right and to the left.
        let directions: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
        for cell in 0..grid.cells() {
            for (line, (down, right)) in through[cell].iter_mut().zip(directions) {
                line.after = ray(grid, cell, down, right);
                line.before = ray(grid, cell, -down, -right);
            }
        }
        Rays { through, steps: [1, grid.cols, grid.cols + 1, grid.cols - 1] }
    }

    /// The four lines through a cell: the row, the column, the falling and the rising diagonal.
    #[inline]
    pub fn through(&self, cell: usize) -> &[Line; 4] {
        &self.through[cell & 63]
    }

    /// How far apart neighbours on line number `which` are.
    #[inline]
    pub fn step(&self, which: usize) -> usize {
        self.steps[which & 3]
    }

    /// What a rook sees, the first piece on every line included.
    #[inline]
    pub fn rook(&self, cell: usize, occupied: u64) -> u64 {
        let [row, column, ..] = self.through(cell);
        row.seen(occupied) | column.seen(occupied)
    }

    /// What a bishop sees.
    #[inline]
    pub fn bishop(&self, cell: usize, occupied: u64) -> u64 {
        let [.., falling, rising] = self.through(cell);
        falling.seen(occupied) | rising.seen(occupied)
    }
}

/// The cells from `cell` to the edge in one direction.
fn ray(grid: Grid, cell: usize, down: isize, right: isize) -> u64 {
    let mut set = 0;
    let mut at = cell;
    while let Some(next) = shifted(grid, at, down, right) {
        set |= 1 << next;
        at = next;
    }
    set
}

/// The cell `down` rows down and `right` columns to the right, if it is on the board.
pub(crate) fn shifted(grid: Grid, cell: usize, down: isize, right: isize) -> Option<usize> {
    let row = (cell / grid.cols).checked_add_signed(down).filter(|&row| row < grid.rows)?;
    let col = (cell % grid.cols).checked_add_signed(right).filter(|&col| col < grid.cols)?;
    Some(grid.cell(row, col))
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{Rng, bits::Bits};

    /// Step by step, until something is in the way.
    fn walked(grid: Grid, cell: usize, occupied: u64, directions: &[(isize, isize)]) -> u64 {
        let mut seen = 0;
        for &(down, right) in directions {
            let mut at = cell;
            while let Some(next) = shifted(grid, at, down, right) {
                seen |= 1 << next;
                if occupied.has(next) {
                    break;
                }
                at = next;
            }
        }
        seen
    }

    #[test]
    fn sliding_is_walking() {
        let mut rng = Rng::new(3);
        for (rows, cols) in [(8, 8), (5, 5), (6, 6), (3, 7)] {
            let grid = Grid { rows, cols };
            let lines = Rays::new(grid);
            for _ in 0..200 {
                let occupied = rng.bits() & rng.bits() & (u64::MAX >> (64 - grid.cells()));
                for cell in 0..grid.cells() {
                    let straight = walked(grid, cell, occupied, &[(0, 1), (0, -1), (1, 0), (-1, 0)]);
                    let slanting = walked(grid, cell, occupied, &[(1, 1), (1, -1), (-1, 1), (-1, -1)]);
                    assert_eq!(lines.rook(cell, occupied), straight);
                    assert_eq!(lines.bishop(cell, occupied), slanting);
                }
            }
        }
    }
}
