//! Hex: two colours on a rhombus of hexagons, each joins its own pair of opposite sides. There are no draws.
//!
//! Rules: Piet Hein 1942, John Nash 1948. Colour X joins the first file with the last, colour O rank 1 with the last rank,
//! as in Ludii. With `swap` the second player may, instead of a first stone, take over the stone on the board: the
//! players exchange colours and the opener goes on with the other one. A [`Player`] is a person, not a colour.

use crate::kit::colours::{GLYPHS, glyph, mover, winning_shape};
use crate::kit::hex_board::{HexBoard, joins};
use crate::kit::links::{Threat, distances, threat};
use crate::kit::reduction::{owned, reduced};
use crate::{Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError, bits::Bits,
    picture::Picture,
};

/// The longest side that fits into a word.
const LONGEST: usize = 11;

/// Rules for one board size.
#[derive(Clone, Debug)]
pub struct Hex {
    side: usize,
    swap: bool,
    hexes: HexBoard<u128>,
    /// Both sides of each colour.
    sides: [[u128; 2]; 2],
    /// For each colour and cell, the places around it that belong to the border of that colour.
    border: [Vec<u8>; 2],
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// By colour.
    stones: [u128; 2],
    /// The colour to move. Players are colours unless they have swapped.
    colour: u8,
    swapped: bool,
    /// Whether the other colour has joined its sides.
    won: bool,
}

/// The move that takes over the first stone.
const SWAP: u8 = u8::MAX;

impl Hex {
    /// A rhombus of `side` × `side` cells, at most 11 × 11.
    pub fn new(side: usize, swap: bool) -> Hex {
        let hexes = HexBoard::new(side, side, |_, _| true);
        let last = side - 1;
        let sides = [
            [hexes.set(|x, _| x == 0), hexes.set(|x, _| x == last)],
            [hexes.set(|_, y| y == 0), hexes.set(|_, y| y == last)],
        ];
        let off = |z: i32| !(0..side as i32).contains(&z);
        let cells = 0..side * side;
        let border = [
            cells.clone().map(|cell| hexes.outside(cell, |x, _| off(x))).collect(),
            cells.map(|cell| hexes.outside(cell, |_, y| off(y))).collect(),
        ];
        Hex { side, swap, hexes, sides, border }
    }

    fn empty(&self, state: &State) -> u128 {
        self.empty_of(&state.stones)
    }

    fn empty_of(&self, stones: &[u128; 2]) -> u128 {
        self.hexes.board & !(stones[0] | stones[1])
    }

    /// The board after a half turn, the only symmetry that keeps the sides of both colours.
    fn turned(&self, stones: &[u128; 2]) -> [u128; 2] {
        let spare = 128 - self.hexes.size();
        stones.map(|set| set.reverse_bits() >> spare)
    }

    fn may_swap(&self, state: &State) -> bool {
        self.swap && !state.swapped && state.stones[1] == 0 && state.stones[0] != 0
    }

    /// The player of a colour.
    fn player(&self, state: &State, colour: u8) -> Player {
        Player::new((colour ^ u8::from(state.swapped)) as usize)
    }

    /// Whether `colour` has joined its sides.
    fn joined(&self, stones: &[u128; 2], colour: usize) -> bool {
        let [from, to] = self.sides[colour];
        self.hexes.chain(stones[colour] & from, stones[colour]) & to != 0
    }
}

impl Hex {
    /// The chance of colour X by reduction, with the rhombus as a part of a Y board: the corner beyond X's first side is X's and
    /// the corner beyond O's last side is O's, so the colour that joins its sides there joins all three sides of the triangle.
    fn chance(&self, [first, second]: &[u128; 2]) -> f64 {
        let left = self.side - 1;
        reduced::<{ 2 * LONGEST - 1 }>(2 * self.side - 1, |x, y| {
            if x < left || y >= self.side {
                return owned(x < left, y >= self.side);
            }
            let cell = y * self.side + x - left;
            owned(first.has(cell), second.has(cell))
        })
    }
}

impl Game for Hex {
    type State = State;
    /// The cell, or `SWAP`.
    type Move = u8;

    fn start(&self) -> State {
        State { stones: [0, 0], colour: 0, swapped: false, won: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        self.player(state, state.colour)
    }

    fn moves(&self, state: &State, list: &mut Vec<u8>) {
        list.extend(self.empty(state).cells().map(|cell| cell as u8));
        if self.may_swap(state) {
            list.push(SWAP);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, cell: u8) {
        if cell == SWAP {
            state.swapped = true;
            return;
        }
        let (cell, colour) = (cell as usize, state.colour as usize);
        state.stones[colour] |= 1 << cell;
        state.colour ^= 1;
        // Only a stone that joins two chains, or a chain and a side, can complete the connection.
        let stones = state.stones[colour];
        if joins(self.hexes.ring(cell, stones) | self.border[colour][cell]) {
            let chain = self.hexes.chain(1 << cell, stones);
            state.won = self.sides[colour].iter().all(|side| chain & side != 0);
        }
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.won.then(|| Outcome::loss(self.turn(state)))
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }

    fn canonicalize(&self, state: &mut State) {
        state.stones = state.stones.min(self.turned(&state.stones));
    }

    #[inline]
    fn count_moves(&self, state: &State, _: &mut Vec<u8>) -> usize {
        self.empty(state).count() + usize::from(self.may_swap(state))
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        let empty = self.empty(state);
        if self.may_swap(state) && rng.below(empty.count() + 1) == 0 {
            return Some(SWAP);
        }
        (empty != 0).then(|| self.hexes.random(empty, rng) as u8)
    }
}

impl Progressive for Hex {}

impl Hints for Hex {
    /// The mean of the two ways to see the rhombus as a part of a Y board (see `chance`): each favours other sides.
    fn evaluate(&self, state: &State, player: Player) -> Option<f64> {
        let boards = [state.stones, self.turned(&state.stones)];
        let [one, other] = boards.map(|stones| self.chance(&stones));
        let chance = (one + other) / 2.0;
        Some(if player == self.player(state, 0) { chance } else { 1.0 - chance })
    }

    fn win_distances(&self, state: &State, list: &mut Vec<u32>) {
        let colour = usize::from(state.colour);
        distances(&self.hexes, &self.sides[colour], state.stones[colour], self.empty(state), list);
        list.extend(self.may_swap(state).then_some(u32::MAX));
    }

    /// The winner by virtual connections, of the canonical form: see [`threat`].
    fn static_outcome(&self, state: &State) -> Option<Outcome> {
        // As long as a swap is to come, a connection may change hands.
        if self.swap && !state.swapped && state.stones[1] == 0 {
            return None;
        }
        let mut form = *state;
        self.canonicalize(&mut form);
        let empty = self.empty(&form);
        let threat = |colour: usize| threat(&self.hexes, &self.sides[colour], form.stones[colour], empty);
        let colour = usize::from(state.colour);
        if threat(colour) != Threat::Nothing {
            return Some(Outcome::win(self.turn(state)));
        }
        (threat(1 - colour) == Threat::Joined).then(|| Outcome::loss(self.turn(state)))
    }
}

impl Notation for Hex {
    const HOW: &'static str = "A move is a cell, c2 (files a…, ranks from 1 at the bottom; c2 touches b1, b2, c1, c3, d2 and d3), or \
        swap. A position is its ranks from the top, X for the colour that moves first and joins file a with the last, O for the other, \
        . for empty, and the word swapped if the players have exchanged colours: .../.X./..O swapped";

    fn write_move(&self, _: &State, cell: u8) -> String {
        if cell == SWAP { "swap".to_owned() } else { self.hexes.name(cell as usize) }
    }

    fn write(&self, state: &State) -> String {
        let board = self.hexes.write(|cell| glyph(&state.stones, cell));
        if state.swapped { board + " swapped" } else { board }
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let (board, swapped) = match text.trim().split_once(' ') {
            None => (text.trim(), false),
            Some((board, "swapped")) if self.swap => (board, true),
            Some((_, other)) => {
                return Err(NotationError::position(format!("'{other}' after the board means nothing here")));
            }
        };
        let stones = self.hexes.read(board)?;
        let colour = mover(&stones)?.index();
        if swapped && stones[0] == 0 {
            return Err(NotationError::position("there is no stone to swap"));
        }
        if self.joined(&stones, colour) {
            return Err(NotationError::position("the side to move has already won"));
        }
        Ok(State { stones, colour: colour as u8, swapped, won: self.joined(&stones, 1 - colour) })
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = self.hexes.picture(|cell| glyph(&state.stones, cell));
        self.hexes.rim(&mut picture);
        let other = 1 - usize::from(state.colour);
        let joined = |stones: u128| {
            let mut all = state.stones;
            all[other] = stones;
            self.joined(&all, other)
        };
        let shape = winning_shape(state.stones[other], joined);
        picture.mark_winning(|nth| shape.has(self.hexes.nth(nth)));
        let (mover, colour) = (self.turn(state), GLYPHS[state.colour as usize]);
        picture.note(format!("{colour} to move, the {mover} player"))
    }
}

impl Family for Hex {
    const INFO: Info = Info {
        usage: "hex[:SIDE][,swap]",
        about: "two colours on a rhombus of hexagons; a chain that joins one's two sides wins",
        rules: "P. Hein 1942, J. Nash 1948; sides and notation as in Ludii",
    };

    const FACTS: Facts = Facts {
        parameters: &[
            ("5", "cells along a side, from 1 to 11"),
            ("swap", "the second player may take over the first stone"),
        ],
        symmetries: "the half turn",
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<Hex, SpecError> {
        let swap = spec.flag("swap");
        Ok(Hex::new(spec.side(5, 1..=11)?, swap))
    }

    fn spec(&self) -> String {
        format!("hex:{}{}", self.side, if self.swap { ",swap" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a full board the reduction knows the winner, swapped or not.
    #[test]
    fn the_reduction_finds_the_winner_of_full_boards() {
        for side in [1, 2, 5, 8, 11] {
            let game = Hex::new(side, true);
            for seed in 0..50 {
                let (mut rng, mut state) = (Rng::new(seed), game.start());
                while let Some(cell) = game.random_move(&state, &mut rng, &mut Vec::new()) {
                    game.play(&mut state, cell);
                }
                for colour in [0, 1] {
                    let won = game.joined(&state.stones, colour);
                    let player = game.player(&state, colour as u8);
                    assert_eq!(game.evaluate(&state, player).unwrap() > 0.5, won, "{}", game.write(&state));
                }
            }
        }
    }
    use delphic_game::{conformance, play_all, read_moves};

    #[test]
    fn other_sizes_conform() {
        for (side, swap) in [(1, false), (1, true), (2, true), (3, false), (4, true), (7, true)] {
            conformance::check(&Hex::new(side, swap));
        }
    }

    #[test]
    fn a_swap_exchanges_the_players() {
        let game = Hex::new(2, true);
        let end = |line| play_all(&game, &game.start(), &read_moves(&game, &game.start(), line).unwrap());
        let swapped = end("a1 swap");
        assert_eq!(game.turn(&swapped), Player::FIRST);
        assert_eq!(game.write(&swapped), "../X. swapped");
        assert_eq!(game.outcome(&end("a1 swap b1 b2")), Some(Outcome::win(Player::SECOND)));
        assert_eq!(game.outcome(&end("a1 b1 b2")), Some(Outcome::win(Player::FIRST)));
    }

    #[test]
    fn impossible_positions_are_refused() {
        let plain = Hex::new(2, false);
        for bad in ["", "../.", "XX/..", "O./..", "../X?", "../X. swapped", "../.. x"] {
            assert!(plain.read(bad).is_err(), "{bad}");
        }
        assert!(Hex::new(2, true).read("../.. swapped").is_err());
        assert!(plain.read("XX/OO").is_err(), "both colours cannot have won");
    }
}
