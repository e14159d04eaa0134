//! Havannah: two colours on a hexagon of hexagons; a ring, a bridge or a fork wins, a full board is a draw.
//!
//! Rules: Christian Freeling 1976. A ring is a loop around at least one cell, empty or with any stone. A bridge
//! joins two corners, a fork three edges; corners belong to no edge. No swap, as in OpenSpiel.

use crate::kit::bits256::Bits256;
use crate::kit::connection::{Connection, Shape};
use crate::kit::hex_board::{ENCIRCLED, HexBoard, joins};
use crate::kit::symmetry::Symmetry;
use crate::{Facts, Family, Info};
use delphic_game::{Spec, SpecError, bits::Bits};

/// Havannah on one board size.
pub type Havannah = Connection<Hexagon>;

/// The board. Cell (file x, rank y), both from 0, exists if |x − y| is less than the side.
#[derive(Clone, Debug)]
pub struct Hexagon {
    side: usize,
    hexes: HexBoard<Bits256>,
    corners: Bits256,
    edges: [Bits256; 6],
    /// The corners and the edges.
    rim: Bits256,
    symmetry: Symmetry,
}

impl Havannah {
    /// A hexagon of `side` cells a side, from 2 to 8.
    pub fn new(side: usize) -> Havannah {
        let last = 2 * side - 2;
        let hexes = HexBoard::new(last + 1, last + 1, |x, y| x.abs_diff(y) < side);
        let lines = [
            hexes.set(|x, _| x == 0),
            hexes.set(|_, y| y == 0),
            hexes.set(|x, _| x == last),
            hexes.set(|_, y| y == last),
            hexes.set(|x, y| x + 1 == y + side),
            hexes.set(|x, y| y + 1 == x + side),
        ];
        let rim = lines.into_iter().fold(Bits256::EMPTY, |set, line| set | line);
        let twice = |x, y| lines.iter().filter(|line| line.has(y * (last + 1) + x)).count() == 2;
        let corners = hexes.set(twice);
        let edges = lines.map(|line| line & !corners);
        // A sixth of a turn about the middle takes (1, 0) to (1, 1) and (0, 1) to (−1, 0).
        let middle = side as i32 - 1;
        let symmetry = |which: usize| {
            hexes.symmetry(|x, y| {
                let (mut x, mut y) = (x - middle, y - middle);
                for _ in 0..which % 6 {
                    (x, y) = (x - y, x);
                }
                if which >= 6 {
                    (x, y) = (y, x);
                }
                (x + middle, y + middle)
            })
        };
        let symmetry = Symmetry::new((1..12).map(symmetry).collect());
        Connection(Hexagon { side, hexes, corners, edges, rim, symmetry })
    }
}

impl Hexagon {
    /// Whether a chain has a bridge or a fork.
    #[inline]
    fn spans(&self, chain: Bits256) -> bool {
        (chain & self.corners).count() >= 2
            || self.edges.iter().filter(|&&edge| !(chain & edge).is_empty()).count() >= 3
    }
}

impl Shape for Hexagon {
    type Cells = Bits256;

    const HOW: &'static str = "A move is a cell, c2 (files a…, ranks from 1 at the bottom; c2 touches b1, b2, c1, c3, d2 and d3). A \
        position is its ranks from the top, X for the first player's stones, O for the second's, . for empty; the middle rank has \
        all files, those above lack files on the left, those below on the right: ../.X./.O";

    const DRAWS: bool = true;

    fn hexes(&self) -> &HexBoard<Bits256> {
        &self.hexes
    }

    fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    #[inline]
    fn completes(&self, stones: Bits256, cell: usize) -> bool {
        let ring = self.hexes.ring(cell, stones);
        if ring == ENCIRCLED {
            return true;
        }
        // A neighbour can have become the middle of six only if it lies between two other neighbours.
        let mut between = ring & (ring << 1 | ring >> 5) & (ring >> 1 | ring << 5);
        while between != 0 {
            let middle = self.hexes.neighbour(cell, between.trailing_zeros() as usize);
            if self.hexes.ring(middle, stones) == ENCIRCLED {
                return true;
            }
            between &= between - 1;
        }
        if !joins(ring) && !self.rim.has(cell) {
            return false;
        }
        // Two arcs of neighbours that were linked already make a loop, and one of the gaps between them is inside.
        let before = stones & !Bits256::single(cell);
        let mut chain = Bits256::single(cell);
        let mut arcs = ring & !(ring << 1 | ring >> 5);
        while arcs != 0 {
            let neighbour = self.hexes.neighbour(cell, arcs.trailing_zeros() as usize);
            if chain.has(neighbour) {
                return true;
            }
            chain = chain | self.hexes.chain(Bits256::single(neighbour), before);
            arcs &= arcs - 1;
        }
        self.spans(chain)
    }

    fn wins(&self, stones: Bits256) -> bool {
        let mut left = stones;
        while !left.is_empty() {
            let chain = self.hexes.chain(Bits256::single(left.first()), stones);
            if self.spans(chain) {
                return true;
            }
            left = left & !chain;
        }
        // What is not ours and cannot be reached from the rim is in a ring, and so is a stone with six neighbours.
        let others = self.hexes.board & !stones;
        self.hexes.chain(others & self.rim, others) != others
            || stones.cells().any(|cell| self.hexes.ring(cell, stones) == ENCIRCLED)
    }
}

impl Family for Havannah {
    const INFO: Info = Info {
        usage: "havannah[:SIDE]",
        about: "two colours on a hexagon of hexagons; a ring, or a chain that joins two corners or three edges, wins",
        rules: "C. Freeling 1976; no swap",
    };

    const FACTS: Facts = Facts {
        parameters: &[("4", "cells along a side, from 2 to 8")],
        symmetries: "the twelve of a hexagon",
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<Havannah, SpecError> {
        Ok(Havannah::new(spec.side(4, 2..=8)?))
    }

    fn spec(&self) -> String {
        format!("havannah:{}", self.0.side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{Notation, conformance};

    /// The suite reads every position back, which compares `completes` with `wins`.
    #[test]
    fn other_sizes_conform() {
        for side in [2, 3, 5] {
            conformance::check(&Havannah::new(side));
        }
    }

    #[test]
    fn shapes() {
        let game = Havannah::new(4);
        let won = |text: &str| game.read(text).unwrap().won;
        assert!(won("..../.XX../.X.X../..XX.../OO..../O.O../O..."), "a ring around an empty cell");
        assert!(won("..../.XX../.XXX../..XX.../OO..../OOO../O..."), "a ring around an own stone");
        assert!(!won("..../.XX../.X.X../..X..../OO..../O.O../...."), "an open ring");
        assert!(won("..../...../....../......./OO..../O..../XXXX"), "a bridge");
        assert!(!won("..../...../....../......./O...../O..../.XXX"), "one edge and one corner");
        assert!(won("O.O./O...O/..O.../......./....../XXXXX/.X.."), "a fork");
        assert!(!won("O.O./O...O/..O.../......./....../XXXXX/X..."), "two edges and a corner");
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Havannah::new(2);
        for bad in ["", "../.../..O", "../.../", "XX/X../..", "OO/.../XX", "../O../.."] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
    }
}
