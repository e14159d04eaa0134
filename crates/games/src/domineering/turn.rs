//! Rows and columns of a board exchanged.

use super::word::Word;
use delphic_game::bits::Bits;

/// How the sets of a board are turned.
#[derive(Clone, Debug)]
pub(super) struct Turn<B> {
    rows: usize,
    cols: usize,
    /// By the cells of a row's first eight columns, the same cells as the first row of the turned board's columns. Empty if the board fits
    /// into eight rows of eight, which are turned without a table.
    spread: Vec<B>,
}

impl<B: Word> Turn<B> {
    pub(super) fn new(rows: usize, cols: usize) -> Turn<B> {
        let place = |col: usize| if col < cols { B::single(col * rows) } else { B::EMPTY };
        let spread = |byte: u64| byte.cells().fold(B::EMPTY, |set, col| set | place(col));
        let bytes = if rows > 8 || cols > 8 { 256 } else { 0 };
        Turn { rows, cols, spread: (0..bytes).map(spread).collect() }
    }

    /// Rows become columns.
    pub(super) fn turned(&self, set: B) -> B {
        let &Turn { rows, cols, ref spread } = self;
        if spread.is_empty() {
            let (set, full) = (set.low(), u64::MAX >> (64 - cols));
            let bytes = (0..rows).fold(0, |out, row| out | (set >> (row * cols) & full) << (8 * row));
            let columns = transposed(bytes);
            let set = (0..cols).fold(0, |out, col| out | (columns >> (8 * col) & 0xff) << (col * rows));
            return B::of_low(set);
        }
        let mut out = B::EMPTY;
        for row in 0..rows {
            for col in (0..cols).step_by(8) {
                let full = u64::MAX >> (64 - (cols - col).min(8));
                let cells = (set >> (row * cols + col) as u32).low() & full;
                out = out | spread[cells as usize] << (col * rows + row) as u32;
            }
        }
        out
    }
}

/// The rows of a board of eight rows of eight become its columns.
fn transposed(mut board: u64) -> u64 {
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let swapped = (board ^ board >> shift) & mask;
        board ^= swapped ^ swapped << shift;
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<B: Word>(rows: usize, cols: usize) {
        let turn = Turn::<B>::new(rows, cols);
        let whole = B::below(rows * cols);
        let pattern = whole.cells().filter(|cell| cell * cell % 7 < 3);
        let pattern = pattern.fold(B::EMPTY, |set, cell| set | B::single(cell));
        for set in whole.cells().map(B::single).chain([B::EMPTY, whole, pattern]) {
            let place = |cell: usize| cell % cols * rows + cell / cols;
            let expected = set.cells().fold(B::EMPTY, |out, cell| out | B::single(place(cell)));
            assert_eq!(turn.turned(set), expected, "{rows}x{cols} {set:?}");
        }
    }

    #[test]
    fn rows_become_columns() {
        for (rows, cols) in [(1, 1), (3, 5), (8, 8), (1, 64), (64, 1), (7, 9), (9, 7), (3, 20)] {
            check::<u64>(rows, cols);
            check::<u128>(rows, cols);
        }
        for (rows, cols) in [(9, 9), (8, 9), (9, 8), (7, 18), (1, 127), (127, 1), (5, 25), (2, 63)] {
            check::<u128>(rows, cols);
        }
    }
}
