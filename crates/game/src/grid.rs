//! Rectangular boards: sizes, symmetries and their text.

use crate::picture::{Mark, Picture, Tiling};
use crate::{NotationError, Spec, SpecError};

/// The size of a board.
///
/// ```
/// use delphic_game::{Spec, grid::{Grid, SQUARE}};
///
/// let grid = Grid::take(&mut Spec::parse("board:3x3"), "8x8", 64)?;
/// assert_eq!(grid.symmetries(), SQUARE);
/// assert_eq!(grid.write(|cell| if cell == grid.cell(0, 0) { 'X' } else { '.' }).matches('X').count(), 1);
/// # Ok::<(), delphic_game::SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub cols: usize,
}

/// The symmetries of a rectangle, as maps of (row, column) coordinates: the identity, both mirrors, the half turn.
pub const RECTANGLE: usize = 4;
/// A square has the four diagonal ones as well.
pub const SQUARE: usize = 8;

impl Grid {
    /// Takes a size such as `6x7` from a spec, or `default`; it must have at most `cells` cells.
    pub fn take(spec: &mut Spec, default: &str, cells: usize) -> Result<Grid, SpecError> {
        let text = spec.value().unwrap_or_else(|| default.to_owned());
        let parsed = text
            .split_once('x')
            .and_then(|(a, b)| Some((a.parse::<usize>().ok()?, b.parse::<usize>().ok()?)));
        let Some((rows, cols)) = parsed else {
            return Err(spec.impossible(format!("'{text}' is not a board size such as {default}")));
        };
        match rows.checked_mul(cols) {
            Some(size) if size > 0 && size <= cells => Ok(Grid { rows, cols }),
            _ => Err(spec.impossible(format!("a board of {text} is impossible; from 1 to {cells} cells"))),
        }
    }

    /// The number of cells.
    pub fn cells(self) -> usize {
        self.rows * self.cols
    }

    /// The cell in `row` and `col`, row by row from the top left.
    pub fn cell(self, row: usize, col: usize) -> usize {
        row * self.cols + col
    }

    /// The name of a cell: a letter for the column from the left, a number for the row from the bottom.
    pub fn name(self, cell: usize) -> String {
        let (row, col) = (cell / self.cols, cell % self.cols);
        format!("{}{}", column_name(col), self.rows - row)
    }

    /// The number of symmetries of the board.
    pub fn symmetries(self) -> usize {
        if self.rows == self.cols { SQUARE } else { RECTANGLE }
    }

    /// Where symmetry number `which` (0 is the identity) takes `cell`. Those from [`RECTANGLE`] on exchange rows
    /// and columns and exist on squares only.
    pub fn image(self, cell: usize, which: usize) -> usize {
        let (mut row, mut col) = (cell / self.cols, cell % self.cols);
        if which & 1 != 0 {
            col = self.cols - 1 - col;
        }
        if which & 2 != 0 {
            row = self.rows - 1 - row;
        }
        if which & 4 != 0 {
            (row, col) = (col, row);
        }
        self.cell(row, col)
    }

    /// A board as text, rows from the top separated by `/`.
    pub fn write(self, glyph: impl Fn(usize) -> char) -> String {
        let row = |r: usize| (0..self.cols).map(|c| glyph(self.cell(r, c))).collect::<String>();
        (0..self.rows).map(row).collect::<Vec<_>>().join("/")
    }

    /// Reads what [`write`](Grid::write) writes: one of the characters of `glyphs` for each cell, as an index into it.
    pub fn read(self, text: &str, glyphs: &str) -> Result<Vec<usize>, NotationError> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.rows {
            let found = rows.len();
            return Err(NotationError::position(format!(
                "expected {} rows separated by '/', found {found}",
                self.rows
            )));
        }
        let mut cells = Vec::with_capacity(self.cells());
        for (number, row) in rows.iter().enumerate() {
            if row.chars().count() != self.cols {
                let found = row.chars().count();
                let expected = self.cols;
                return Err(NotationError::position(format!(
                    "row {} has {found} cells, expected {expected}",
                    number + 1
                )));
            }
            for c in row.chars() {
                let glyph = glyphs.chars().position(|g| g == c);
                cells.push(glyph.ok_or_else(|| {
                    NotationError::position(format!("row {}: '{c}' is none of '{glyphs}'", number + 1))
                })?);
            }
        }
        Ok(cells)
    }

    /// A picture of a board: what [`Mark::of`] makes of the glyphs, row numbers on the left, column letters below.
    pub fn picture(self, glyph: impl Fn(usize) -> char) -> Picture {
        let mut picture = Picture::new(Tiling::Squares);
        for cell in 0..self.cells() {
            let (row, col) = (cell / self.cols, cell % self.cols);
            picture.put(2 * col as i32, 2 * row as i32, Mark::of(glyph(cell)));
        }
        for row in 0..self.rows {
            picture.label(-2, 2 * row as i32, self.rows - row);
        }
        for col in 0..self.cols {
            picture.label(2 * col as i32, 2 * self.rows as i32, column_name(col));
        }
        picture
    }
}

/// `a` to `z`, then `aa`, `ab` and so on, as in spreadsheets.
pub fn column_name(col: usize) -> String {
    let letter = char::from(b'a' + (col % 26) as u8);
    if col < 26 { letter.to_string() } else { format!("{}{letter}", column_name(col / 26 - 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_text() {
        let grid = Grid { rows: 2, cols: 3 };
        assert_eq!(grid.name(0), "a2");
        assert_eq!(grid.name(5), "c1");
        let text = grid.write(|cell| if cell == 4 { 'X' } else { '.' });
        assert_eq!(text, ".../.X.");
        assert_eq!(grid.read(&text, ".X"), Ok(vec![0, 0, 0, 0, 1, 0]));
        assert_eq!(
            grid.read("...", ".X").unwrap_err().to_string(),
            "malformed position: expected 2 rows separated by '/', found 1"
        );
        assert_eq!(column_name(27), "ab");
    }

    #[test]
    fn symmetries_are_permutations() {
        for grid in [Grid { rows: 3, cols: 3 }, Grid { rows: 2, cols: 4 }] {
            for which in 0..grid.symmetries() {
                let mut images: Vec<usize> = (0..grid.cells()).map(|cell| grid.image(cell, which)).collect();
                images.sort_unstable();
                assert!(images.into_iter().eq(0..grid.cells()));
            }
        }
    }

    #[test]
    fn sizes() {
        let take = |text: &str| Grid::take(&mut Spec::parse(text), "8x8", 64);
        assert_eq!(take("g:3x5"), Ok(Grid { rows: 3, cols: 5 }));
        assert_eq!(take("g"), Ok(Grid { rows: 8, cols: 8 }));
        for bad in ["g:0x5", "g:9x9", "g:5", "g:-1x3", "g:99999999999x99999999999"] {
            assert!(take(bad).is_err(), "{bad}");
        }
    }
}
