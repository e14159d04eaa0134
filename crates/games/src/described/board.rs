//! Boards of described games: cells, directions between them, sides, and regions.
//!
//! A board is a picture of rows, in which cells stand at coordinates, and a table of neighbours for every direction. A graph has no directions:
//! its neighbours are numbered, and a number means another thing at every cell.

use delphic_game::grid::column_name;

/// The most cells of a board: a set of them is a word.
pub(crate) const CELLS: usize = 64;

/// What a board looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// Squares in rows and columns.
    Grid,
    /// The same, where the sides that face each other are joined.
    Torus,
    /// Hexagons in a rhombus of rows and columns, as in Hex.
    Rhombus,
    /// Hexagons in a triangle with this many along a side.
    Triangle,
    /// Hexagons in a hexagon with this many along a side.
    Hexagon,
    /// The lines between the dots around rows and columns of boxes.
    Dots,
    /// Points and the edges that join them.
    Graph,
}

/// Which cells of a grid are joined by diagonals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Diagonals {
    /// None.
    No,
    /// All.
    Yes,
    /// Those with an even sum of row and column, the top left cell among them.
    Even,
    /// The others.
    Odd,
}

/// Where a direction leads from every cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Direction {
    pub(crate) name: String,
    pub(crate) to: Vec<Option<u8>>,
}

/// A board.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) shape: Shape,
    pub(crate) cells: usize,
    pub(crate) names: Vec<String>,
    /// Rows from the top; `None` where there is no cell.
    pub(crate) layout: Vec<Vec<Option<u8>>>,
    /// The steps to neighbours, those in opposite directions in pairs. A graph has numbered neighbours.
    pub(crate) directions: Vec<Direction>,
    /// The neighbours of every cell.
    pub(crate) near: Vec<u64>,
    /// Sets of cells that count when they are full.
    pub(crate) regions: Vec<u64>,
    /// Named sets of cells.
    pub(crate) zones: Vec<(String, u64)>,
}

/// Steps of squares: a row down, a column to the right.
const SQUARE: [(&str, i32, i32); 8] = [
    ("n", -1, 0),
    ("s", 1, 0),
    ("e", 0, 1),
    ("w", 0, -1),
    ("ne", -1, 1),
    ("sw", 1, -1),
    ("nw", -1, -1),
    ("se", 1, 1),
];
/// Steps of hexagons whose rows are shifted to the right by half a cell each, as those of a rhombus.
const HEXAGONAL: [(&str, i32, i32); 6] =
    [("e", 0, 1), ("w", 0, -1), ("se", 1, 0), ("nw", -1, 0), ("sw", 1, -1), ("ne", -1, 1)];

impl Board {
    /// Squares in rows and columns. Where `holes` says so there is no cell.
    pub(crate) fn grid(
        rows: usize,
        cols: usize,
        torus: bool,
        diagonals: Diagonals,
        holes: &dyn Fn(usize, usize) -> bool,
    ) -> Board {
        let shape = if torus { Shape::Torus } else { Shape::Grid };
        let mut board = Board::on_layout(shape, rows, cols, holes);
        let steps = &SQUARE[..if diagonals == Diagonals::No { 4 } else { 8 }];
        let joined = |row: usize, col: usize, diagonal: bool| {
            !diagonal
                || match diagonals {
                    Diagonals::No => false,
                    Diagonals::Yes => true,
                    Diagonals::Even => (row + col).is_multiple_of(2),
                    Diagonals::Odd => !(row + col).is_multiple_of(2),
                }
        };
        for &(name, down, right) in steps {
            let direction = board.offset(name, down, right, &|row, col| joined(row, col, down * right != 0));
            board.directions.push(direction);
        }
        board.finish()
    }

    /// Hexagons in a rhombus.
    pub(crate) fn rhombus(rows: usize, cols: usize) -> Board {
        Board::hexagonal(Shape::Rhombus, rows, cols, &|_, _| false)
    }

    /// Hexagons in a triangle: one in the first row, one more in every further one.
    pub(crate) fn triangle(side: usize) -> Board {
        // In the coordinates of the rhombus the triangle fills the lower right half.
        let mut board = Board::hexagonal(Shape::Triangle, side, side, &|row, col| row + col + 1 < side);
        let edge = |row: usize, col: usize| row + col + 1 == side;
        let left = board.where_cells(&edge);
        board.zones.retain(|(name, _)| name == "right" || name == "bottom");
        board.zones.push(("left".to_owned(), left));
        board
    }

    /// Hexagons in a hexagon.
    pub(crate) fn hexagon(side: usize) -> Board {
        let size = 2 * side - 1;
        let outside = |row: usize, col: usize| row + col + 1 < side || row + col > 3 * (side - 1);
        let mut board = Board::hexagonal(Shape::Hexagon, size, size, &outside);
        board.zones.clear();
        board
    }

    fn hexagonal(shape: Shape, rows: usize, cols: usize, holes: &dyn Fn(usize, usize) -> bool) -> Board {
        let mut board = Board::on_layout(shape, rows, cols, holes);
        for (name, down, right) in HEXAGONAL {
            let direction = board.offset(name, down, right, &|_, _| true);
            board.directions.push(direction);
        }
        board.finish()
    }

    /// The lines around boxes, between dots at even rows and columns. Lines that meet at a dot at a right angle are neighbours.
    pub(crate) fn dots(rows: usize, cols: usize) -> Board {
        let (high, wide) = (2 * rows + 1, 2 * cols + 1);
        let mut board = Board::on_layout(Shape::Dots, high, wide, &|row, col| (row + col).is_multiple_of(2));
        for (name, down, right) in SQUARE.into_iter().skip(4) {
            let direction = board.offset(name, down, right, &|_, _| true);
            board.directions.push(direction);
        }
        let around = |row: usize, col: usize| {
            let sides = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)];
            sides.iter().filter_map(|&(row, col)| board.layout[row][col]).fold(0, |set, cell| set | 1 << cell)
        };
        let boxes = (0..rows).flat_map(|row| (0..cols).map(move |col| (2 * row + 1, 2 * col + 1)));
        board.regions = boxes.map(|(row, col)| around(row, col)).collect();
        board.finish()
    }

    /// Points by name and the pairs of them that are joined.
    pub(crate) fn graph(names: Vec<String>, edges: &[(usize, usize)]) -> Board {
        let cells = names.len();
        let mut near = vec![0u64; cells];
        for &(a, b) in edges {
            near[a] |= 1 << b;
            near[b] |= 1 << a;
        }
        let most = near.iter().map(|set| set.count_ones()).max().unwrap_or(0);
        let nth =
            |set: u64, nth: u32| (0..CELLS as u8).filter(|&cell| set >> cell & 1 == 1).nth(nth as usize);
        let numbered = |number: u32| Direction {
            name: (number + 1).to_string(),
            to: near.iter().map(|&set| nth(set, number)).collect(),
        };
        Board {
            shape: Shape::Graph,
            cells,
            layout: vec![(0..cells as u8).map(Some).collect()],
            names,
            directions: (0..most).map(numbered).collect(),
            near,
            regions: Vec::new(),
            zones: Vec::new(),
        }
    }

    fn on_layout(shape: Shape, rows: usize, cols: usize, holes: &dyn Fn(usize, usize) -> bool) -> Board {
        let (mut names, mut next) = (Vec::new(), 0u8);
        let mut place = |row: usize, col: usize| {
            if holes(row, col) {
                return None;
            }
            names.push(format!("{}{}", column_name(col), rows - row));
            next += 1;
            Some(next - 1)
        };
        let layout: Vec<Vec<Option<u8>>> =
            (0..rows).map(|row| (0..cols).map(|col| place(row, col)).collect()).collect();
        let cells = names.len();
        let mut board = Board {
            shape,
            cells,
            names,
            layout,
            directions: Vec::new(),
            near: vec![0; cells],
            regions: Vec::new(),
            zones: Vec::new(),
        };
        board.zones = vec![
            ("top".to_owned(), board.where_cells(&|row, _| row == 0)),
            ("bottom".to_owned(), board.where_cells(&|row, _| row + 1 == rows)),
            ("left".to_owned(), board.where_cells(&|_, col| col == 0)),
            ("right".to_owned(), board.where_cells(&|_, col| col + 1 == cols)),
        ];
        board
    }

    /// The cells at coordinates that `wanted` accepts.
    fn where_cells(&self, wanted: &dyn Fn(usize, usize) -> bool) -> u64 {
        let rows = self.layout.iter().enumerate();
        let cells =
            rows.flat_map(|(row, cells)| cells.iter().enumerate().map(move |(col, cell)| (row, col, cell)));
        let wanted = cells.filter(|(row, col, _)| wanted(*row, *col));
        wanted.filter_map(|(_, _, cell)| *cell).fold(0, |set, cell| set | 1 << cell)
    }

    /// The cell at some coordinates; those of a torus repeat.
    fn at(&self, row: i32, col: i32) -> Option<u8> {
        let (rows, cols) = (self.layout.len() as i32, self.layout[0].len() as i32);
        let (row, col) = match self.shape {
            Shape::Torus => (row.rem_euclid(rows), col.rem_euclid(cols)),
            _ if row < 0 || col < 0 => return None,
            _ => (row, col),
        };
        *self.layout.get(row as usize)?.get(col as usize)?
    }

    /// The direction that leads `down` rows down and `right` columns to the right, from cells that `from` accepts.
    fn offset(&self, name: &str, down: i32, right: i32, from: &dyn Fn(usize, usize) -> bool) -> Direction {
        let mut to = vec![None; self.cells];
        for (row, cells) in self.layout.iter().enumerate() {
            for (col, cell) in cells.iter().enumerate() {
                if let Some(cell) = cell.filter(|_| from(row, col)) {
                    // On a narrow torus a step may lead back to where it began.
                    let there = self.at(row as i32 + down, col as i32 + right);
                    to[usize::from(cell)] = there.filter(|&other| other != cell);
                }
            }
        }
        Direction { name: name.to_owned(), to }
    }

    fn finish(mut self) -> Board {
        for direction in &self.directions {
            for (cell, to) in direction.to.iter().enumerate() {
                self.near[cell] |= to.map_or(0, |to| 1 << to);
            }
        }
        self
    }

    /// The direction of this name: one of the board's, or on squares a leap such as `nne`.
    pub(crate) fn direction(&self, name: &str) -> Option<Direction> {
        if let Some(direction) = self.directions.iter().find(|direction| direction.name == name) {
            return (self.shape != Shape::Graph).then(|| direction.clone());
        }
        let squares = matches!(self.shape, Shape::Grid | Shape::Torus);
        if !squares || name.is_empty() || name.len() > 8 {
            return None;
        }
        let step = |letter: char| {
            let found = SQUARE.iter().take(4).find(|(name, ..)| name.starts_with(letter));
            found.map(|&(_, down, right)| (down, right))
        };
        let steps: Option<Vec<(i32, i32)>> = name.chars().map(step).collect();
        let sum = |(down, right): (i32, i32), (d, r): (i32, i32)| (down + d, right + r);
        let (down, right) = steps?.into_iter().fold((0, 0), sum);
        ((down, right) != (0, 0)).then(|| self.offset(name, down, right, &|_, _| true))
    }

    /// The cell of this name.
    pub(crate) fn cell(&self, name: &str) -> Option<u8> {
        self.names.iter().position(|other| other == name).map(|cell| cell as u8)
    }

    /// The set of cells of this name.
    pub(crate) fn zone(&self, name: &str) -> Option<u64> {
        self.zones.iter().find(|(other, _)| other == name).map(|&(_, set)| set)
    }

    /// All cells.
    pub(crate) fn all(&self) -> u64 {
        if self.cells == 0 { 0 } else { u64::MAX >> (CELLS - self.cells) }
    }

    /// The sets of `length` cells in a straight line.
    pub(crate) fn lines(&self, length: usize, directions: &[Direction]) -> Vec<u64> {
        let mut lines = Vec::new();
        for direction in directions {
            for start in 0..self.cells {
                let (mut set, mut cell) = (1u64 << start, start);
                for _ in 1..length {
                    match direction.to[cell] {
                        Some(next) => cell = usize::from(next),
                        None => break,
                    }
                    set |= 1 << cell;
                }
                if set.count_ones() as usize == length {
                    lines.push(set);
                }
            }
        }
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_the_cells_and_neighbours_they_should() {
        let edges = |board: &Board| board.near.iter().map(|set| set.count_ones()).sum::<u32>() / 2;
        let no = |_: usize, _: usize| false;
        for (board, cells, joined) in [
            (Board::grid(3, 3, false, Diagonals::No, &no), 9, 12),
            (Board::grid(3, 3, false, Diagonals::Yes, &no), 9, 20),
            (Board::grid(3, 3, false, Diagonals::Even, &no), 9, 16),
            (Board::grid(3, 5, false, Diagonals::Odd, &|r, c| r != 1 && c % 4 == 0), 11, 22),
            (Board::grid(4, 4, true, Diagonals::No, &no), 16, 32),
            (Board::rhombus(3, 4), 12, 2 * 4 + 3 * 3 + 2 * 3),
            (Board::triangle(4), 10, 18),
            (Board::hexagon(2), 7, 12),
            // A corner dot joins one pair of lines, a dot at the side two, the one in the middle four.
            (Board::dots(2, 2), 12, 4 + 4 * 2 + 4),
            (Board::graph(["a", "b", "c"].map(str::to_owned).to_vec(), &[(0, 1), (1, 2)]), 3, 2),
        ] {
            assert_eq!((board.cells, edges(&board)), (cells, joined), "{:?}", board.shape);
            for (cell, &near) in board.near.iter().enumerate() {
                let back = (0..board.cells).filter(|&other| board.near[other] >> cell & 1 == 1);
                assert_eq!(back.fold(0, |set, other| set | 1 << other), near, "{:?} {cell}", board.shape);
            }
        }
    }

    #[test]
    fn lines_leaps_sides_and_boxes() {
        let no = |_: usize, _: usize| false;
        let square = Board::grid(3, 3, false, Diagonals::Yes, &no);
        assert_eq!(square.lines(3, &square.directions).len(), 8);
        let torus = Board::grid(3, 3, true, Diagonals::Yes, &no);
        assert_eq!(torus.lines(3, &torus.directions).len(), 12);
        let knight = square.direction("nne").unwrap();
        assert_eq!(knight.to[usize::from(square.cell("a1").unwrap())], square.cell("b3"));
        assert!(square.direction("x").is_none() && square.direction("ns").is_none());
        assert_eq!(Board::triangle(3).zone("left").map(u64::count_ones), Some(3));
        let dots = Board::dots(2, 3);
        assert!(dots.regions.len() == 6 && dots.regions.iter().all(|set| set.count_ones() == 4));
        assert_eq!(dots.cells, 17);
    }
}
