//! Havannah: two colours on a hexagon of hexagons; a ring, a bridge or a fork wins, a full board is a draw.
//!
//! Rules: Christian Freeling 1976. A ring is a loop around at least one cell, whoever's stone is on it, if any. A bridge
//! joins two corners, a fork three edges; corners belong to no edge. No swap, as in OpenSpiel.

use crate::hexes::{ENCIRCLED, Hexes, joins};
use crate::stones::{glyph, standing};
use crate::symmetry::Symmetry;
use crate::wide::Wide;
use crate::{Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError, bits::Bits,
    picture::Picture,
};

/// Rules for one board size. Cell (file x, rank y), both from 0, exists if |x − y| is less than the side.
#[derive(Clone, Debug)]
pub struct Havannah {
    side: usize,
    hexes: Hexes<Wide>,
    corners: Wide,
    edges: [Wide; 6],
    /// The corners and the edges.
    rim: Wide,
    symmetry: Symmetry,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    stones: [Wide; 2],
    turn: Player,
    /// Whether the player who is not to move has won.
    won: bool,
}

impl Havannah {
    /// A hexagon of `side` cells a side, from 2 to 8.
    pub fn new(side: usize) -> Havannah {
        let last = 2 * side - 2;
        let hexes = Hexes::new(last + 1, last + 1, |x, y| x.abs_diff(y) < side);
        let lines = [
            hexes.set(|x, _| x == 0),
            hexes.set(|_, y| y == 0),
            hexes.set(|x, _| x == last),
            hexes.set(|_, y| y == last),
            hexes.set(|x, y| x + 1 == y + side),
            hexes.set(|x, y| y + 1 == x + side),
        ];
        let rim = lines.into_iter().fold(Wide::EMPTY, |set, line| set | line);
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
        Havannah { side, hexes, corners, edges, rim, symmetry }
    }

    fn empty(&self, state: &State) -> Wide {
        self.hexes.board & !(state.stones[0] | state.stones[1])
    }

    /// Whether a chain has a bridge or a fork.
    #[inline]
    fn spans(&self, chain: Wide) -> bool {
        (chain & self.corners).count() >= 2
            || self.edges.iter().filter(|&&edge| !(chain & edge).is_empty()).count() >= 3
    }

    /// Whether the stone on `cell` completes a winning shape of `stones`, which had none without it.
    #[inline]
    fn completes(&self, stones: Wide, cell: usize) -> bool {
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
        let before = stones & !Wide::single(cell);
        let mut chain = Wide::single(cell);
        let mut arcs = ring & !(ring << 1 | ring >> 5);
        while arcs != 0 {
            let neighbour = self.hexes.neighbour(cell, arcs.trailing_zeros() as usize);
            if chain.has(neighbour) {
                return true;
            }
            chain = chain | self.hexes.chain(Wide::single(neighbour), before);
            arcs &= arcs - 1;
        }
        self.spans(chain)
    }

    /// Whether `stones` hold any winning shape.
    fn wins(&self, stones: Wide) -> bool {
        let mut left = stones;
        while !left.is_empty() {
            let chain = self.hexes.chain(Wide::single(left.first()), stones);
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

impl Game for Havannah {
    type State = State;
    /// The cell.
    type Move = u8;

    fn start(&self) -> State {
        State { stones: [Wide::EMPTY; 2], turn: Player::FIRST, won: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<u8>) {
        list.extend(self.empty(state).cells().map(|cell| cell as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, cell: u8) {
        let stones = &mut state.stones[state.turn.seat()];
        *stones = *stones | Wide::single(cell as usize);
        state.won = self.completes(*stones, cell as usize);
        state.turn = state.turn.other();
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.won.then(|| Outcome::loss(state.turn))
    }

    fn stuck(&self, _: &State) -> Outcome {
        Outcome::DRAW
    }

    fn canonicalize(&self, state: &mut State) {
        state.stones = self.symmetry.least(state.stones);
    }

    #[inline]
    fn count_moves(&self, state: &State, _: &mut Vec<u8>) -> usize {
        self.empty(state).count()
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        let empty = self.empty(state);
        (!empty.is_empty()).then(|| self.hexes.random(empty, rng) as u8)
    }
}

impl Progressive for Havannah {}
impl Hints for Havannah {}

impl Notation for Havannah {
    const HOW: &'static str = "A move is a cell, c2 (files a…, ranks from 1 at the bottom; c2 touches b1, b2, c1, c3, d2 and d3). A \
        position is its ranks from the top, X for the first player's stones, O for the second's, . for empty; the middle rank has \
        all files, those above lack files on the left, those below on the right: ../.X./.O";

    fn write_move(&self, _: &State, cell: u8) -> String {
        self.hexes.name(cell as usize)
    }

    fn write(&self, state: &State) -> String {
        self.hexes.write(|cell| glyph(&state.stones, cell))
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let stones = self.hexes.read(text.trim())?;
        let (turn, won) = standing(&stones, |set| self.wins(set))?;
        Ok(State { stones, turn, won })
    }

    fn picture(&self, state: &State) -> Picture {
        self.hexes.picture(|cell| glyph(&state.stones, cell))
    }
}

impl Family for Havannah {
    const INFO: Info = Info {
        usage: "havannah[:SIDE]",
        about: "two colours on a hexagon of hexagons; a ring, two corners or three edges joined win",
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
        format!("havannah:{}", self.side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::conformance;

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
