//! Rolit for three: Reversi with three colours; the player with the most discs on the full board wins.
//!
//! Rules: after Goliath's Rolit (1997). The first three discs, one of each player, stand in the middle and leave one of the
//! four central cells empty. A disc goes on an empty cell next to any disc, corners included. It turns over every straight
//! row of other players' discs, of whatever colours, between it and another disc of the mover. A player who can turn discs over
//! must; one who cannot may play next to any disc. So there are no passes, and the game lasts until the board is full. Having
//! more discs than all others pays 1, sharing the lead 0, anything else −1.

use crate::kit::colours::{self, GLYPHS, glyph};
use crate::kit::symmetry::Symmetry;
use crate::{BOARD_SYMMETRIES, Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError, bits::Bits,
    grid::Grid, picture::Picture,
};

/// The number of players.
const PLAYERS: usize = 3;

/// Rules for one board size.
#[derive(Clone, Debug)]
pub struct Rolit {
    grid: Grid,
    board: u64,
    /// All columns but the first, and all but the last.
    inner: [u64; 2],
    symmetry: Symmetry,
}

/// A position: the discs of the three players. Their number determines the player to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    discs: [u64; PLAYERS],
}

impl Rolit {
    /// A board of `side` × `side` cells, from 2 to 8.
    pub fn new(side: usize) -> Rolit {
        let grid = Grid { rows: side, cols: side };
        let board = u64::MAX >> (64 - grid.cells());
        let column = |col| (0..side).fold(0, |set, row| set | 1 << grid.cell(row, col));
        Rolit {
            grid,
            board,
            inner: [board & !column(0), board & !column(side - 1)],
            symmetry: Symmetry::of(grid),
        }
    }

    /// The set moved by one step in direction `way`, of which there are eight: opposite ones are 0 and 1, 2 and 3 and so on.
    #[inline]
    fn step(&self, set: u64, way: usize) -> u64 {
        let side = self.grid.cols as u32;
        let [not_first, not_last] = self.inner;
        self.board
            & match way {
                0 => set << 1 & not_first,
                1 => set >> 1 & not_last,
                2 => set << side,
                3 => set >> side,
                4 => set << (side + 1) & not_first,
                5 => set >> (side + 1) & not_last,
                6 => set << (side - 1) & not_last,
                _ => set >> (side - 1) & not_first,
            }
    }

    #[inline]
    fn all(&self, state: &State) -> u64 {
        state.discs[0] | state.discs[1] | state.discs[2]
    }

    /// The discs of others that a disc on `cell` would turn over.
    #[inline]
    fn turned(&self, mine: u64, others: u64, cell: u64) -> u64 {
        let mut turned = 0;
        for way in 0..8 {
            let mut row = 0;
            let mut next = self.step(cell, way);
            while next & others != 0 {
                row |= next;
                next = self.step(next, way);
            }
            if next & mine != 0 {
                turned |= row;
            }
        }
        turned
    }

    /// All legal cells.
    #[inline]
    fn legal(&self, state: &State) -> u64 {
        let all = self.all(state);
        let mine = state.discs[self.turn(state).index()];
        let (others, empty) = (all & !mine, self.board & !all);
        let mut turning = 0;
        for way in 0..8 {
            // Rows of others' discs that begin next to one of ours; the cell behind them is where to play.
            let mut row = self.step(mine, way) & others;
            while row != 0 {
                let next = self.step(row, way);
                turning |= next & empty;
                row = next & others;
            }
        }
        if turning != 0 {
            return turning;
        }
        (0..8).fold(0, |set, way| set | self.step(all, way)) & empty
    }
}

impl Game for Rolit {
    type State = State;
    /// The cell.
    type Move = u8;

    fn start(&self) -> State {
        let middle = self.grid.rows / 2;
        let cells = [(middle - 1, middle - 1), (middle - 1, middle), (middle, middle)];
        State { discs: cells.map(|(row, col)| 1 << self.grid.cell(row, col)) }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        Player::new(self.all(state).count() % PLAYERS)
    }

    #[inline]
    fn moves(&self, state: &State, list: &mut Vec<u8>) {
        list.extend(self.legal(state).cells().map(|cell| cell as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, cell: u8) {
        let mover = self.turn(state).index();
        let mine = state.discs[mover];
        let turned = self.turned(mine, self.all(state) & !mine, 1 << cell);
        for set in &mut state.discs {
            *set &= !turned;
        }
        state.discs[mover] |= turned | 1 << cell;
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        if self.all(state) != self.board {
            return None;
        }
        let counts = state.discs.map(Bits::count);
        let most = counts.into_iter().max().unwrap_or(0);
        let leaders = counts.iter().filter(|&&count| count == most).count();
        let mut payoffs = [0; Player::MAX];
        for (payoff, count) in payoffs.iter_mut().zip(counts) {
            *payoff = if count < most { -1 } else { i16::from(leaders == 1) };
        }
        Some(Outcome::new(payoffs))
    }

    fn players(&self) -> usize {
        PLAYERS
    }

    fn canonicalize(&self, state: &mut State) {
        state.discs = self.symmetry.least(state.discs);
    }

    #[inline]
    fn count_moves(&self, state: &State, _: &mut Vec<u8>) -> usize {
        self.legal(state).count()
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        let legal = self.legal(state);
        if legal == 0 { None } else { Some(legal.nth(rng.below(legal.count())) as u8) }
    }
}

impl Progressive for Rolit {}
impl Hints for Rolit {}

impl Notation for Rolit {
    const HOW: &'static str = "A move is a cell, b2 (columns a…, rows from 1 at the bottom). A position is its rows from the top, X, O and \
        Z for the discs of the first, second and third player, . for empty: ..../.XO./..Z./....";

    fn write_move(&self, _: &State, cell: u8) -> String {
        self.grid.name(cell as usize)
    }

    fn write(&self, state: &State) -> String {
        self.grid.write(|cell| glyph(&state.discs, cell))
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let discs = colours::read(self.grid, text.trim(), |cell| cell)?;
        let state = State { discs };
        let (all, start) = (self.all(&state), self.all(&self.start()));
        if start & !all != 0 {
            return Err(NotationError::position("three cells in the middle are never empty"));
        }
        // Every disc came next to another.
        let mut linked = start;
        loop {
            let grown = (0..8).fold(linked, |set, way| set | self.step(linked, way)) & all;
            if grown == linked {
                break;
            }
            linked = grown;
        }
        if linked != all {
            let name = self.grid.name((all & !linked).first());
            return Err(NotationError::position(format!("the disc on {name} is cut off from the middle")));
        }
        Ok(state)
    }

    fn picture(&self, state: &State) -> Picture {
        let board = self.grid.picture(|cell| glyph(&state.discs, cell));
        let [x, o, z] = state.discs.map(Bits::count);
        board.note(format!("{} to move; X {x}, O {o}, Z {z}", GLYPHS[self.turn(state).index()]))
    }
}

impl Family for Rolit {
    const INFO: Info = Info {
        usage: "rolit[:SIDE]",
        about: "Reversi for three players; turning discs over is compulsory; the most discs win",
        rules: "after Goliath's Rolit, 1997",
    };

    const FACTS: Facts = Facts {
        parameters: &[("4", "cells along a side, from 2 to 8")],
        symmetries: BOARD_SYMMETRIES,
        ..Facts::PLAIN
    };

    const OWN_SEARCHES: bool = false;

    fn build(spec: &mut Spec) -> Result<Rolit, SpecError> {
        Ok(Rolit::new(spec.side(4, 2..=8)?))
    }

    fn spec(&self) -> String {
        format!("rolit:{}", self.grid.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{conformance, play_all, read_moves};

    #[test]
    fn other_sizes_conform() {
        for side in [2, 3, 5, 8] {
            conformance::check(&Rolit::new(side));
        }
    }

    /// A cell turns discs over just if `legal` lists it among those that do, and something turns whenever something can.
    #[test]
    fn both_views_of_turning_agree() {
        for side in [3, 6, 8] {
            let game = Rolit::new(side);
            for seed in 0..50 {
                let (mut rng, mut state) = (Rng::new(seed), game.start());
                while let Some(cell) = game.random_move(&state, &mut rng, &mut Vec::new()) {
                    let all = game.all(&state);
                    let mine = state.discs[game.turn(&state).index()];
                    let turns = |cell: &usize| game.turned(mine, all & !mine, 1 << cell) != 0;
                    let turning: u64 =
                        (game.board & !all).cells().filter(turns).fold(0, |set, cell| set | 1 << cell);
                    if turning != 0 {
                        assert_eq!(turning, game.legal(&state), "{}", game.picture(&state));
                    }
                    game.play(&mut state, cell);
                }
                assert_eq!(game.all(&state), game.board, "every player always has a move");
            }
        }
    }

    #[test]
    fn rows_of_both_others_are_turned() {
        let game = Rolit::new(4);
        let after = |position: &str, line| {
            let state = game.read(position).unwrap();
            game.write(&play_all(&game, &state, &read_moves(&game, &state, line).unwrap()))
        };
        assert_eq!(after("..../XOZ./.OZ./..Z.", "d3"), "..../XXXX/.OZ./..Z.");
        assert_eq!(after("..../.XO./..Z./....", "d1"), "..../.XO./..X./...X");
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Rolit::new(4);
        for bad in ["", "..../..../..../....", "..../.XO./..ZQ/....", "..../.XO./..Z./X..."] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
    }
}
