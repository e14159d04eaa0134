//! Y: two colours on a triangle of hexagons; a chain that joins all three sides wins. There are no draws.
//!
//! Rules: Claude Shannon, about 1950; Schensted and Titus, "Mudcrack Y and Poly-Y" (1975). No swap, as in Ludii. The
//! evaluation is van Rijswijck's reduction.

use crate::kit::connection::{Connection, Shape, State};
use crate::kit::hex_board::{HexBoard, joins};
use crate::kit::links::{Threat, distances, threat};
use crate::kit::reduction::{owned, reduced};
use crate::kit::symmetry::Symmetry;
use crate::{Facts, Family, Info};
use delphic_game::{Player, Spec, SpecError, bits::Bits};

/// The longest side that fits into a word.
const LONGEST: usize = 11;

/// Y on one board size.
pub type Y = Connection<Triangle>;

/// The board. Cell (file x, rank y), both from 0, exists if y ≤ x.
#[derive(Clone, Debug)]
pub struct Triangle {
    side: usize,
    hexes: HexBoard<u128>,
    sides: [u128; 3],
    /// The cells of all sides.
    rim: u128,
    symmetry: Symmetry,
}

impl Y {
    /// A triangle of `side` cells a side, at most 11.
    pub fn new(side: usize) -> Y {
        let hexes = HexBoard::new(side, side, |x, y| y <= x);
        let sides = [hexes.set(|_, y| y == 0), hexes.set(|x, y| x == y), hexes.set(|x, _| x + 1 == side)];
        let rim = sides[0] | sides[1] | sides[2];
        // The distances to the three sides, y, x − y and last − x, are exchanged in all six ways.
        let last = side as i32 - 1;
        let cell = |[bottom, diagonal, _]: [i32; 3]| (bottom + diagonal, bottom);
        let orders = [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let exchange =
            |order: [usize; 3]| hexes.symmetry(|x, y| cell(order.map(|which| [y, x - y, last - x][which])));
        let symmetry = Symmetry::new(orders.into_iter().map(exchange).collect());
        Connection(Triangle { side, hexes, sides, rim, symmetry })
    }
}

impl Shape for Triangle {
    type Cells = u128;

    const HOW: &'static str = "A move is a cell, c2 (files a…, ranks from 1 at the bottom; c2 touches b1, b2, c1, c3, d2 and d3). A \
        position is its ranks from the top, X for the first player's stones, O for the second's, . for empty; rank 1 has all files, \
        each further rank one file less on the left: ./X./..O";

    const DRAWS: bool = false;

    fn hexes(&self) -> &HexBoard<u128> {
        &self.hexes
    }

    fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    #[inline]
    fn completes(&self, stones: u128, cell: usize) -> bool {
        // Only a stone that joins two chains or touches a side can complete the Y.
        (self.rim.has(cell) || joins(self.hexes.ring(cell, stones))) && {
            let chain = self.hexes.chain(1 << cell, stones);
            self.sides.iter().all(|side| chain & side != 0)
        }
    }

    fn wins(&self, stones: u128) -> bool {
        let mut left = stones & self.sides[0];
        while left != 0 {
            let chain = self.hexes.chain(1 << left.first(), stones);
            if self.sides.iter().all(|side| chain & side != 0) {
                return true;
            }
            left &= !chain;
        }
        false
    }

    /// By reduction, of the canonical form: rounding would make symmetric boards differ in the last digits.
    fn evaluate(&self, state: &State<u128>, player: Player) -> Option<f64> {
        let stones = self.symmetry.least(state.stones);
        let [mine, theirs] = [player, player.other()].map(|who| stones[who.index()]);
        Some(reduced::<LONGEST>(self.side, |x, y| {
            let cell = y * self.side + x;
            owned(mine.has(cell), theirs.has(cell))
        }))
    }

    fn win_distances(&self, stones: u128, empty: u128, list: &mut Vec<u32>) {
        distances(&self.hexes, &self.sides, stones, empty, list);
    }

    fn threat(&self, stones: u128, empty: u128) -> Threat {
        threat(&self.hexes, &self.sides, stones, empty)
    }
}

impl Family for Y {
    const INFO: Info = Info {
        usage: "y[:SIDE]",
        about: "two colours on a triangle of hexagons; a chain that touches all three sides wins",
        rules: "C. Shannon about 1950; Schensted and Titus 1975; notation as in Ludii",
    };

    const FACTS: Facts = Facts {
        parameters: &[("5", "cells along a side, from 1 to 11")],
        symmetries: "the six of a triangle",
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<Y, SpecError> {
        Ok(Y::new(spec.side(5, 1..=LONGEST)?))
    }

    fn spec(&self) -> String {
        format!("y:{}", self.0.side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{Game, Hints, Notation, Rng, conformance};

    #[test]
    fn other_sizes_conform() {
        for side in [1, 2, 3, 4, 7] {
            conformance::check(&Y::new(side));
        }
    }

    /// Van Rijswijck's theorem: on a full board the reduction knows the winner.
    #[test]
    fn the_reduction_finds_the_winner_of_full_boards() {
        for side in [1, 2, 5, 8, 11] {
            let game = Y::new(side);
            for seed in 0..50 {
                let (mut rng, mut state) = (Rng::new(seed), game.start());
                while let Some(cell) = game.random_move(&state, &mut rng, &mut Vec::new()) {
                    game.play(&mut state, cell);
                }
                for player in [Player::FIRST, Player::SECOND] {
                    let won = game.0.wins(state.stones[player.index()]);
                    assert_eq!(game.evaluate(&state, player).unwrap() > 0.5, won, "{}", game.picture(&state));
                }
            }
        }
    }

    /// Side 2 with one stone: the mover's half of the two other cells must not both go to the opponent.
    #[test]
    fn chances_are_those_of_random_colouring() {
        let game = Y::new(2);
        assert_eq!(game.evaluate(&game.start(), Player::FIRST), Some(0.5));
        let state = game.read("./X.").unwrap();
        assert_eq!(game.evaluate(&state, Player::FIRST), Some(0.75));
        assert_eq!(game.evaluate(&state, Player::SECOND), Some(0.25));
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Y::new(3);
        for bad in ["", "./../..", "./../....", "X/X./...", "O/../...", "X/XO/XOO", "./../.Z."] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
    }
}
