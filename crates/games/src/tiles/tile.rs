//! The tiles of tiling games: shapes that are laid, turned and turned over.

use delphic_game::grid::Grid;

/// No board has a side as long as this.
const LARGEST: usize = 64;

/// A tile: the cells (row, column) it covers, the first ones in row 0 and in column 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Tile(Vec<(usize, usize)>);

impl Tile {
    /// Reads rows of `X` for covered and `.` for uncovered, such as `X./XX`.
    pub fn read(text: &str) -> Result<Tile, String> {
        let mut cells = Vec::new();
        for (row, line) in text.split('/').enumerate() {
            for (col, glyph) in line.chars().enumerate() {
                match glyph {
                    'X' => cells.push((row, col)),
                    '.' => {}
                    _ => return Err(format!("a tile is rows of X and . such as X./XX, found '{glyph}'")),
                }
                if row.max(col) >= LARGEST {
                    return Err("a tile is larger than any board".to_owned());
                }
            }
        }
        if cells.is_empty() {
            Err("a tile covers at least one cell, written X".to_owned())
        } else {
            Ok(Tile(cells).moved())
        }
    }

    /// The same tile as far up and left as possible, its cells in order.
    fn moved(mut self) -> Tile {
        let up = self.0.iter().map(|cell| cell.0).min().unwrap_or(0);
        let left = self.0.iter().map(|cell| cell.1).min().unwrap_or(0);
        self.0.iter_mut().for_each(|cell| *cell = (cell.0 - up, cell.1 - left));
        self.0.sort_unstable();
        self
    }

    /// How many rows and columns it takes.
    fn size(&self) -> (usize, usize) {
        let most = |of: fn(&(usize, usize)) -> usize| self.0.iter().map(of).max().unwrap_or(0) + 1;
        (most(|cell| cell.0), most(|cell| cell.1))
    }

    /// A quarter turn.
    pub(crate) fn turned(&self) -> Tile {
        let height = self.size().0;
        Tile(self.0.iter().map(|&(row, col)| (col, height - 1 - row)).collect()).moved()
    }

    /// The mirror image.
    pub(crate) fn flipped(&self) -> Tile {
        let width = self.size().1;
        Tile(self.0.iter().map(|&(row, col)| (row, width - 1 - col)).collect()).moved()
    }

    /// What [`read`](Tile::read) reads.
    pub(crate) fn write(&self) -> String {
        let (rows, cols) = self.size();
        Grid { rows, cols }.write(|cell| if self.0.contains(&(cell / cols, cell % cols)) { 'X' } else { '.' })
    }

    /// All ways to lay it on a board.
    pub(crate) fn places(&self, grid: Grid) -> impl Iterator<Item = u64> {
        let (height, width) = self.size();
        let corners = (0..grid.cells()).map(move |cell| (cell / grid.cols, cell % grid.cols));
        let fits = corners.filter(move |(row, col)| row + height <= grid.rows && col + width <= grid.cols);
        fits.map(move |(row, col)| {
            self.0.iter().fold(0, |set, cell| set | 1 << grid.cell(row + cell.0, col + cell.1))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_read_turned_and_flipped() {
        let tile = Tile::read("../.X/XX/..").unwrap();
        assert_eq!(tile.write(), ".X/XX", "empty rows around it do not matter");
        assert_eq!(tile.turned().write(), "X./XX");
        assert_eq!(tile.flipped().write(), "X./XX");
        assert_eq!((0..4).fold(tile.clone(), |tile, _| tile.turned()), tile);
        assert_eq!(tile.places(Grid { rows: 2, cols: 3 }).collect::<Vec<_>>(), [0b011_010, 0b110_100]);
        for bad in ["", "/", "..", "XO", "x"] {
            assert!(Tile::read(bad).is_err(), "{bad}");
        }
        assert!(Tile::read(&"/".repeat(100)).is_err() && Tile::read(&"X/".repeat(100)).is_err());
    }
}
