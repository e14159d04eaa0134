//! Y: two colours on a triangle of hexagons; who joins all three sides with one chain wins. There are no draws.
//!
//! Rules: Claude Shannon, about 1950; Schensted and Titus, "Mudcrack Y and Poly-Y" (1975). No swap, as in Ludii. The
//! evaluation is van Rijswijck's reduction.

use crate::hexes::{Hexes, joins};
use crate::reduction::{owned, reduced};
use crate::stones::{glyph, standing};
use crate::symmetry::Symmetry;
use crate::{Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError, bits::Bits,
    picture::Picture,
};

/// The longest side that fits into a word.
const LONGEST: usize = 11;

/// Rules for one board size. Cell (file x, rank y), both from 0, exists if y ≤ x.
#[derive(Clone, Debug)]
pub struct Y {
    side: usize,
    hexes: Hexes<u128>,
    sides: [u128; 3],
    /// The cells of all sides.
    rim: u128,
    symmetry: Symmetry,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    stones: [u128; 2],
    turn: Player,
    /// Whether the player who is not to move has won.
    won: bool,
}

impl Y {
    /// A triangle of `side` cells a side, at most 11.
    pub fn new(side: usize) -> Y {
        let hexes = Hexes::new(side, side, |x, y| y <= x);
        let sides = [hexes.set(|_, y| y == 0), hexes.set(|x, y| x == y), hexes.set(|x, _| x + 1 == side)];
        let rim = sides[0] | sides[1] | sides[2];
        // The distances to the three sides, y, x − y and last − x, are exchanged in all six ways.
        let last = side as i32 - 1;
        let cell = |[bottom, diagonal, _]: [i32; 3]| (bottom + diagonal, bottom);
        let orders = [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let exchange =
            |order: [usize; 3]| hexes.symmetry(|x, y| cell(order.map(|which| [y, x - y, last - x][which])));
        let symmetry = Symmetry::new(orders.into_iter().map(exchange).collect());
        Y { side, hexes, sides, rim, symmetry }
    }

    fn empty(&self, state: &State) -> u128 {
        self.hexes.board & !(state.stones[0] | state.stones[1])
    }

    /// Whether some chain of `stones` touches all sides.
    fn joined(&self, stones: u128) -> bool {
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
}

impl Game for Y {
    type State = State;
    /// The cell.
    type Move = u8;

    fn start(&self) -> State {
        State { stones: [0, 0], turn: Player::FIRST, won: false }
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
        let cell = cell as usize;
        let stones = &mut state.stones[state.turn.seat()];
        *stones |= 1 << cell;
        // Only a stone that joins two chains or touches a side can complete the Y.
        if self.rim.has(cell) || joins(self.hexes.ring(cell, *stones)) {
            let chain = self.hexes.chain(1 << cell, *stones);
            state.won = self.sides.iter().all(|side| chain & side != 0);
        }
        state.turn = state.turn.other();
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.won.then(|| Outcome::loss(state.turn))
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
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
        (empty != 0).then(|| self.hexes.random(empty, rng) as u8)
    }
}

impl Progressive for Y {}

impl Hints for Y {
    /// By reduction, of the canonical form: rounding would make symmetric boards differ in the last digits.
    fn evaluate(&self, state: &State, player: Player) -> Option<f64> {
        let stones = self.symmetry.least(state.stones);
        let [mine, theirs] = [player, player.other()].map(|who| stones[who.seat()]);
        Some(reduced::<LONGEST>(self.side, |x, y| {
            let cell = y * self.side + x;
            owned(mine.has(cell), theirs.has(cell))
        }))
    }
}

impl Notation for Y {
    const HOW: &'static str = "A move is a cell, c2 (files a…, ranks from 1 at the bottom; c2 touches b1, b2, c1, c3, d2 and d3). A \
        position is its ranks from the top, X for the first player's stones, O for the second's, . for empty; rank 1 has all files, \
        each further rank one file less on the left: ./X./..O";

    fn write_move(&self, _: &State, cell: u8) -> String {
        self.hexes.name(cell as usize)
    }

    fn write(&self, state: &State) -> String {
        self.hexes.write(|cell| glyph(&state.stones, cell))
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let stones = self.hexes.read(text.trim())?;
        let (turn, won) = standing(&stones, |set| self.joined(set))?;
        Ok(State { stones, turn, won })
    }

    fn picture(&self, state: &State) -> Picture {
        self.hexes.picture(|cell| glyph(&state.stones, cell))
    }
}

impl Family for Y {
    const INFO: Info = Info {
        usage: "y[:SIDE]",
        about: "two colours on a triangle of hexagons; one chain that touches all three sides wins",
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
        format!("y:{}", self.side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::conformance;

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
                    let won = game.joined(state.stones[player.seat()]);
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
