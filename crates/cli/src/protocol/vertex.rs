//! The names of moves in the Go Text Protocol.

use delphic_engine::vertex::{COLUMNS, vertex};
use delphic_engine::{AnyPosition, Mark, Picture};
use std::collections::BTreeMap;

/// The columns and rows of a board, as they are drawn: the longest row and the number of rows.
pub(crate) fn shape(position: &dyn AnyPosition) -> (usize, usize) {
    let mut rows: BTreeMap<i32, usize> = BTreeMap::new();
    for spot in position.picture().cells() {
        *rows.entry(spot.y).or_default() += 1;
    }
    (rows.values().copied().max().unwrap_or(0), rows.len())
}

/// How moves are named on some board. A move that is one cell, a letter and a number, is a vertex: capitals without I. Whatever else a
/// move is keeps the name it has in our notation, and so does everything where the protocol's 25 letters are not enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Vertices {
    pub(crate) columns: usize,
}

impl Vertices {
    /// A move's name in the protocol.
    pub(crate) fn name(self, mv: &str) -> String {
        let named = if self.columns <= COLUMNS { vertex(mv) } else { None };
        named.unwrap_or_else(|| mv.to_owned())
    }

    /// The board with the letters by which moves are named, if they are named by letters.
    pub(crate) fn picture(self, position: &dyn AnyPosition) -> Picture {
        let mut picture = position.picture();
        if position.moves().iter().all(|mv| self.name(mv) == *mv) {
            return picture;
        }
        for spot in &mut picture.spots {
            if let Mark::Label(label) = &mut spot.mark
                && let [b'a'..=b'y'] = label.as_bytes()
            {
                *label = self.name(&format!("{label}1")).trim_end_matches('1').to_owned();
            }
        }
        picture
    }

    /// The number of the legal move with this name in the protocol; capitals do not matter.
    pub(crate) fn find(self, moves: &[String], name: &str) -> Option<usize> {
        moves.iter().position(|mv| self.name(mv).eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letter_i_is_left_out() {
        let vertices = Vertices { columns: 25 };
        let names = [("a1", "A1"), ("h8", "H8"), ("i9", "J9"), ("j10", "K10"), ("y25", "Z25")];
        for (mv, name) in names {
            assert_eq!(vertices.name(mv), name);
        }
        let moves: Vec<String> = names.iter().map(|(mv, _)| (*mv).to_owned()).collect();
        assert_eq!(vertices.find(&moves, "j9"), Some(2));
        assert_eq!(vertices.find(&moves, "i9"), None);
    }

    #[test]
    fn other_moves_keep_their_names() {
        let vertices = Vertices { columns: 9 };
        for mv in ["a1+a2", "i1-i2", "pass", "swap", "4", "P@c3", "aa1", "a4-a1/c3", "i", ""] {
            assert_eq!(vertices.name(mv), mv);
        }
        assert_eq!(Vertices { columns: 26 }.name("i9"), "i9");
    }
}
