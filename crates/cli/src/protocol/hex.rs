//! Hex over the Go Text Protocol, in the conventions of HexGui and MoHex (Benzene).
//!
//! There, rank 1 is the top row, cells touch along the other diagonal (b2 touches c1 and a3), black moves first
//! and joins north with south, and `swap-pieces` replaces the first stone by a white one at its mirror image.
//! Here, rank 1 is the bottom row, b2 touches a1 and c3, the first player joins file a with the last, and a
//! swap exchanges the players' colours. A rotation maps one board to the other; after a swap, since the players keep
//! their colours there, the board is mirrored as well.

use delphic_engine::AnyPosition;

/// The name of the swap in the protocol.
const SWAP: &str = "swap-pieces";

/// The translation for a board with sides of this length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Benzene {
    pub(super) side: usize,
}

/// A cell by column and row, both from 0.
type Cell = (usize, usize);

impl Benzene {
    /// The translation, if the game is Hex.
    pub(super) fn of(spec: &str) -> Option<Benzene> {
        let rest = spec.strip_prefix("hex:")?;
        Some(Benzene { side: rest.split(',').next()?.parse().ok()? })
    }

    /// The name in the protocol of one of our moves from `position`.
    pub(super) fn name(self, position: &dyn AnyPosition, mv: &str) -> String {
        match cell(mv) {
            Some(ours) => written(self.there(ours, swapped(position))),
            None => SWAP.to_owned(),
        }
    }

    /// The board as Benzene draws it: each row half a cell further to the right, black X, white O.
    pub(super) fn board(self, position: &dyn AnyPosition) -> String {
        let (text, swapped) = (position.write(), swapped(position));
        let ranks: Vec<Vec<char>> = text
            .split(' ')
            .next()
            .unwrap_or_default()
            .split('/')
            .rev()
            .map(|rank| rank.chars().collect())
            .collect();
        let mut rows = vec![vec!['.'; self.side]; self.side];
        for (y, rank) in ranks.iter().enumerate() {
            for (x, &stone) in rank.iter().enumerate() {
                let (column, row) = self.there((x, y), swapped);
                // After a swap our first colour belongs to the second player, who is white.
                rows[row][column] = match (stone, swapped) {
                    ('X', true) => 'O',
                    ('O', true) => 'X',
                    (stone, _) => stone,
                };
            }
        }
        let letters: Vec<String> = (0..self.side).map(|column| letter(column).to_string()).collect();
        let mut text = format!("    {}\n", letters.join(" "));
        for (row, cells) in rows.iter().enumerate() {
            let cells: Vec<String> = cells.iter().map(char::to_string).collect();
            text += &format!("{}{:>2}  {}\n", " ".repeat(row), row + 1, cells.join(" "));
        }
        text + "X (black) joins north and south, O (white) joins west and east"
    }

    fn there(self, (x, y): Cell, swapped: bool) -> Cell {
        let (column, row) = (self.side - 1 - y, x);
        if swapped { (row, column) } else { (column, row) }
    }
}

/// Whether the players have exchanged colours.
fn swapped(position: &dyn AnyPosition) -> bool {
    position.write().ends_with(" swapped")
}

/// The cell with a name such as `c2`.
fn cell(name: &str) -> Option<Cell> {
    let (file, rank) = (name.chars().next()?, name.get(1..)?.parse::<usize>().ok()?);
    Some((usize::from(u8::try_from(file).ok()?.checked_sub(b'a')?), rank.checked_sub(1)?))
}

fn written((column, row): Cell) -> String {
    format!("{}{}", letter(column), row + 1)
}

/// Letters without a gap: unlike in Go there is a column i.
fn letter(column: usize) -> char {
    char::from(b'a' + column as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_engine::game;

    /// Neighbours there are neighbours here, and each colour's sides are its sides.
    #[test]
    fn the_translation_keeps_neighbours_and_sides() {
        let board = Benzene { side: 5 };
        let touching = |(ax, ay): Cell, (bx, by): Cell, diagonal: &[(i32, i32)]| {
            let step = (bx as i32 - ax as i32, by as i32 - ay as i32);
            [(1, 0), (-1, 0), (0, 1), (0, -1)].contains(&step) || diagonal.contains(&step)
        };
        let cells: Vec<Cell> = (0..25).map(|cell| (cell % 5, cell / 5)).collect();
        for swapped in [false, true] {
            for &a in &cells {
                for &b in &cells {
                    let there =
                        touching(board.there(a, swapped), board.there(b, swapped), &[(1, -1), (-1, 1)]);
                    assert_eq!(touching(a, b, &[(1, 1), (-1, -1)]), there, "{a:?} {b:?} {swapped}");
                }
            }
            for y in 0..5 {
                // Our first colour is black, who joins rows, unless it was swapped.
                let ((west, north), (east, south)) =
                    (board.there((0, y), swapped), board.there((4, y), swapped));
                assert_eq!(if swapped { (west, east) } else { (north, south) }, (0, 4));
            }
        }
    }

    #[test]
    fn there_is_a_column_i() {
        let board = Benzene { side: 11 };
        let position = game("hex:11").and_then(|game| game.position(None, None)).expect("a board");
        let names: Vec<String> = position.moves().iter().map(|mv| board.name(&*position, mv)).collect();
        assert!(names.contains(&"i1".to_owned()) && names.contains(&"k11".to_owned()));
    }
}
