//! Diagonals: fill a square board; a player who completes a diagonal scores their stones on it, and the higher score wins.
//!
//! Rules: the scoring game that Ludii calls "Diagonals". Players place stones on any empty cell in turn. For each of the two
//! diagonals through the stone, if it has at least two cells and is now full, the mover scores one point for each
//! of their stones on it. On the full board the higher score wins; equal scores are a draw.

use crate::kit::colours::{self, glyph, mover};
use crate::kit::symmetry::Symmetry;
use crate::{BOARD_SYMMETRIES, Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError, bits::Bits,
    grid::Grid, mix, picture::Picture,
};
use std::collections::BTreeSet;

/// Rules for one board size.
#[derive(Clone, Debug)]
pub struct Diagonals {
    grid: Grid,
    board: u64,
    /// The diagonals of at least two cells.
    diagonals: Vec<u64>,
    /// The diagonals through each cell; empty sets stand for those that do not count.
    through: Vec<[u64; 2]>,
    symmetry: Symmetry,
}

/// A position. Equally many stones mean that the first player moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    stones: [u64; 2],
    points: [u8; 2],
}

impl Diagonals {
    /// A board of `side` × `side` cells, at most 8 × 8.
    pub fn new(side: usize) -> Diagonals {
        let grid = Grid { rows: side, cols: side };
        let board = u64::MAX >> (64 - grid.cells());
        let line = |same: &dyn Fn(usize, usize) -> bool| {
            let cells = (0..grid.cells()).filter(|cell| same(cell / side, cell % side));
            let set = cells.fold(0u64, |set, cell| set | 1 << cell);
            if set.count() < 2 { 0 } else { set }
        };
        let both = |cell: usize| {
            let (row, col) = (cell / side, cell % side);
            [line(&|r, c| r + c == row + col), line(&|r, c| r + col == c + row)]
        };
        let through: Vec<[u64; 2]> = (0..grid.cells()).map(both).collect();
        let distinct: BTreeSet<u64> = through.iter().flatten().copied().filter(|&set| set != 0).collect();
        Diagonals {
            grid,
            board,
            diagonals: distinct.into_iter().collect(),
            through,
            symmetry: Symmetry::of(grid),
        }
    }

    #[inline]
    fn empty(&self, state: &State) -> u64 {
        self.board & !(state.stones[0] | state.stones[1])
    }

    /// Whether the points are possible: each full diagonal gave one of the players their stones on it.
    fn possible(&self, state: &State) -> bool {
        let full = self.diagonals.iter().filter(|&&set| set & self.empty(state) == 0);
        let mut sums = BTreeSet::from([[0, 0]]);
        for set in full {
            let [first, second] = state.stones.map(|stones| (stones & set).count() as u8);
            sums = sums.iter().flat_map(|&[a, b]| [[a + first, b], [a, b + second]]).collect();
        }
        sums.contains(&state.points)
    }
}

impl Game for Diagonals {
    type State = State;
    /// The cell.
    type Move = u8;

    fn start(&self) -> State {
        State { stones: [0, 0], points: [0, 0] }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        Player::new((state.stones[0] | state.stones[1]).count() & 1)
    }

    #[inline]
    fn moves(&self, state: &State, list: &mut Vec<u8>) {
        list.extend(self.empty(state).cells().map(|cell| cell as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, cell: u8) {
        let mover = self.turn(state).index();
        state.stones[mover] |= 1 << cell;
        let empty = self.empty(state);
        for set in self.through[cell as usize] {
            if set & empty == 0 {
                state.points[mover] += (state.stones[mover] & set).count() as u8;
            }
        }
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let [first, second] = state.points.map(i16::from);
        (self.empty(state) == 0).then(|| Outcome::score((first - second).signum()))
    }

    #[inline]
    fn key(&self, state: &State) -> u64 {
        mix(state.stones[0] ^ mix(state.stones[1] ^ mix(u64::from(u16::from_le_bytes(state.points)))))
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
        if empty == 0 { None } else { Some(empty.nth(rng.below(empty.count())) as u8) }
    }
}

impl Progressive for Diagonals {}
impl Hints for Diagonals {}

impl Notation for Diagonals {
    const HOW: &'static str = "A move is a cell, c2 (columns a…, rows from 1 at the bottom). A position is its rows from the top, X for the \
        first player's stones, O for the second's, . for empty, and the points of both: X./.O 1,0";

    fn write_move(&self, _: &State, cell: u8) -> String {
        self.grid.name(cell as usize)
    }

    fn write(&self, state: &State) -> String {
        let board = self.grid.write(|cell| glyph(&state.stones, cell));
        format!("{board} {},{}", state.points[0], state.points[1])
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let points = match words[..] {
            [_, points] => points.split_once(','),
            _ => None,
        };
        let points = points.and_then(|(a, b)| Some([a.parse().ok()?, b.parse().ok()?]));
        let Some(points) = points else {
            return Err(NotationError::position(
                "expected the board, a blank, and the points of both such as 3,0",
            ));
        };
        let stones = colours::read(self.grid, words[0], |cell| cell)?;
        mover(&stones)?;
        let state = State { stones, points };
        if !self.possible(&state) {
            return Err(NotationError::position("the full diagonals cannot have given these points"));
        }
        Ok(state)
    }

    fn picture(&self, state: &State) -> Picture {
        let board = self.grid.picture(|cell| glyph(&state.stones, cell));
        board.note(format!("X {}, O {}", state.points[0], state.points[1]))
    }
}

impl Family for Diagonals {
    const INFO: Info = Info {
        usage: "diagonals[:SIDE]",
        about: "fill a square; completing a diagonal scores the player's stones on it; the higher score wins",
        rules: "Ludii's game of that name",
    };

    const FACTS: Facts = Facts {
        parameters: &[("4", "cells along a side, from 1 to 8")],
        symmetries: BOARD_SYMMETRIES,
        ..Facts::PLAIN
    };

    const OWN_SEARCHES: bool = false;

    fn build(spec: &mut Spec) -> Result<Diagonals, SpecError> {
        Ok(Diagonals::new(spec.side(4, 1..=8)?))
    }

    fn spec(&self) -> String {
        format!("diagonals:{}", self.grid.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::conformance;

    #[test]
    fn other_sizes_conform() {
        for side in [1, 2, 3, 5] {
            conformance::check(&Diagonals::new(side));
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Diagonals::new(2);
        assert!(game.read("X./.O 0,1").is_ok() && game.read("X./.O 1,0").is_ok());
        for bad in
            ["", "../..", "X./.O 0,0", "X./.O 1,1", "X./.. 0", "XX/.. 0,0", "../.. 0,999", "../.. 0,0 1"]
        {
            assert!(game.read(bad).is_err(), "{bad}");
        }
    }
}
