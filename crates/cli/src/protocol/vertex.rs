//! The names of moves in the Go Text Protocol.

use super::hex::Benzene;
use delphic_engine::vertex::{COLUMNS, vertex};
use delphic_engine::{AnyPosition, Mark};
use std::collections::BTreeMap;

/// The columns and rows of a board as drawn: the longest row and the number of rows.
pub(crate) fn shape(position: &dyn AnyPosition) -> (usize, usize) {
    let mut rows: BTreeMap<i32, usize> = BTreeMap::new();
    for spot in position.picture().cells() {
        *rows.entry(spot.y).or_default() += 1;
    }
    (rows.values().copied().max().unwrap_or(0), rows.len())
}

/// The names of moves on a board. A move that is one cell, a letter and a number, is a vertex: capitals without I. All
/// other moves keep their names, and so do all moves of boards for which the protocol's 25 letters are not enough. Hex
/// has its own conventions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Vertices {
    pub(crate) columns: usize,
    pub(super) hex: Option<Benzene>,
}

impl Vertices {
    /// The names for a game whose board has this number of columns.
    pub(super) fn of(spec: &str, columns: usize) -> Vertices {
        Vertices { columns, hex: Benzene::of(spec) }
    }

    /// The protocol's name of a move from `position`.
    pub(crate) fn name(self, position: &dyn AnyPosition, mv: &str) -> String {
        self.hex.map_or_else(|| self.plain(mv), |hex| hex.name(position, mv))
    }

    fn plain(self, mv: &str) -> String {
        let named = if self.columns <= COLUMNS { vertex(mv) } else { None };
        named.unwrap_or_else(|| mv.to_owned())
    }

    /// The board as text, with the letters by which moves are named.
    pub(crate) fn board(self, position: &dyn AnyPosition) -> String {
        if let Some(hex) = self.hex {
            return hex.board(position);
        }
        let mut picture = position.shown();
        if position.moves().iter().any(|mv| self.plain(mv) != *mv) {
            for spot in &mut picture.spots {
                if let Mark::Label(label) = &mut spot.mark
                    && let [b'a'..=b'y'] = label.as_bytes()
                {
                    *label = self.plain(&format!("{label}1")).trim_end_matches('1').to_owned();
                }
            }
        }
        picture.to_string()
    }

    /// The number of the legal move of `position` with this name in the protocol; case does not matter.
    pub(crate) fn find(self, position: &dyn AnyPosition, name: &str) -> Option<usize> {
        position.moves().iter().position(|mv| self.name(position, mv).eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letter_i_is_left_out() {
        let vertices = Vertices { columns: 25, hex: None };
        let names = [("a1", "A1"), ("h8", "H8"), ("i9", "J9"), ("j10", "K10"), ("y25", "Z25")];
        for (mv, name) in names {
            assert_eq!(vertices.plain(mv), name);
        }
        let board = delphic_engine::game("y:9").and_then(|game| game.position(None, None)).expect("a board");
        assert!(vertices.find(&*board, "j1").is_some() && vertices.find(&*board, "i1").is_none());
    }

    #[test]
    fn other_moves_keep_their_names() {
        let vertices = Vertices { columns: 9, hex: None };
        for mv in ["a1+a2", "i1-i2", "pass", "swap", "4", "P@c3", "aa1", "a4-a1/c3", "i", ""] {
            assert_eq!(vertices.plain(mv), mv);
        }
        assert_eq!(Vertices { columns: 26, hex: None }.plain("i9"), "i9");
    }
}
