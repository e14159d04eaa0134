//! Pentalath: stones on a trapezium of hexagons, captured as in Go; five in a row win.
//!
//! Rules: Cameron Browne and the program Ludi, 2007, as Ludii plays them. A stone goes on an empty cell; enemy chains left
//! without liberty are removed, then the stone's own chain must have one. There is no ko. A player without a legal move passes,
//! two passes in a row are a draw. Captures let positions repeat, so the game is listed with a limit on plies.

use crate::kit::colours::{GLYPHS, glyph, winning_shape};
use crate::kit::hex_board::HexBoard;
use crate::kit::symmetry::Symmetry;
use crate::{ENDED_BY_PLIES, Facts, Family, Info, MIRROR, PLIES, plies};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Rng, Spec, SpecError, adapters::PlyLimit,
    bits::Bits, picture::Picture,
};

/// Rules for one board size. Rank y, from 0, has y cells more than rank 0. The last bit of a rank is a cell only on the last
/// rank, so lines do not wrap.
#[derive(Clone, Debug)]
pub struct Pentalath {
    side: usize,
    hexes: HexBoard<u128>,
    mirror: Symmetry,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    stones: [u128; 2],
    turn: Player,
    /// How many passes came last.
    passes: u8,
}

/// How many in a row win.
const LINE: u32 = 5;
/// The move of a player who has no other.
const PASS: u8 = u8::MAX;

impl Pentalath {
    /// Ranks of `side`, `side` + 1 … 2 `side` − 1 cells; at most 7, which is the usual board.
    pub fn new(side: usize) -> Pentalath {
        let hexes = HexBoard::new(2 * side - 1, side, |x, y| x < side + y);
        let mirror = Symmetry::new(vec![hexes.symmetry(|x, y| (side as i32 - 1 + y - x, y))]);
        Pentalath { side, hexes, mirror }
    }

    #[inline]
    fn wins(&self, stones: u128) -> bool {
        let width = 2 * self.side as u32 - 1;
        [1, width, width + 1].into_iter().any(|step| stones.has_line(step, LINE))
    }

    /// The chains of `stones` with their liberties among the cells `empty`.
    fn chains(&self, stones: u128, empty: u128) -> impl Iterator<Item = (u128, u128)> {
        let mut left = stones;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let chain = self.hexes.chain(1 << left.first(), left);
                left &= !chain;
                (chain, self.hexes.neighbours(chain) & empty)
            })
        })
    }

    /// All cells where `player` may place a stone.
    fn legal(&self, stones: &[u128; 2], player: Player) -> u128 {
        let [mine, theirs] = [player, player.other()].map(|who| stones[who.index()]);
        let empty = self.hexes.board & !mine & !theirs;
        let mut legal = self.hexes.neighbours(empty);
        for (_, liberties) in self.chains(mine, empty) {
            if liberties.without_first() != 0 {
                legal |= liberties;
            }
        }
        for (_, liberties) in self.chains(theirs, empty) {
            if liberties.without_first() == 0 {
                legal |= liberties;
            }
        }
        empty & legal
    }

    /// Whether one cell is legal: the same rule looked at from that cell, much cheaper than [`Pentalath::legal`].
    #[inline]
    fn is_legal(&self, state: &State, cell: usize) -> bool {
        let around = self.hexes.neighbours(1 << cell);
        let others = self.hexes.board & !state.stones[0] & !state.stones[1] & !(1 << cell);
        if around & others != 0 {
            return true;
        }
        // Some own chain next to it breathes elsewhere, or some enemy chain does not.
        [state.turn, state.turn.other()].into_iter().any(|who| {
            let stones = state.stones[who.index()];
            let mut seeds = around & stones;
            while seeds != 0 {
                let chain = self.hexes.chain(1 << seeds.first(), stones);
                if (self.hexes.neighbours(chain) & others != 0) == (who == state.turn) {
                    return true;
                }
                seeds &= !chain;
            }
            false
        })
    }
}

impl Game for Pentalath {
    type State = State;
    /// The cell, or `PASS`.
    type Move = u8;

    fn start(&self) -> State {
        State { stones: [0, 0], turn: Player::FIRST, passes: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<u8>) {
        let legal = self.legal(&state.stones, state.turn);
        if legal == 0 {
            list.push(PASS);
        }
        list.extend(legal.cells().map(|cell| cell as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, cell: u8) {
        let enemy = state.turn.other();
        if cell == PASS {
            state.passes += 1;
        } else {
            state.passes = 0;
            state.stones[state.turn.index()] |= 1 << cell;
            let empty = self.hexes.board & !state.stones[0] & !state.stones[1];
            let theirs = &mut state.stones[enemy.index()];
            let mut seeds = self.hexes.neighbours(1 << cell) & *theirs;
            while seeds != 0 {
                let chain = self.hexes.chain(1 << seeds.first(), *theirs);
                if self.hexes.neighbours(chain) & empty == 0 {
                    *theirs &= !chain;
                }
                seeds &= !chain;
            }
        }
        state.turn = enemy;
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        if self.wins(state.stones[state.turn.other().index()]) {
            return Some(Outcome::loss(state.turn));
        }
        (state.passes == 2).then_some(Outcome::DRAW)
    }

    fn canonicalize(&self, state: &mut State) {
        state.stones = self.mirror.least(state.stones);
    }

    fn count_moves(&self, state: &State, _: &mut Vec<u8>) -> usize {
        self.legal(&state.stones, state.turn).count().max(1)
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        // Most cells are legal, so one is drawn and then looked at.
        let mut left = self.hexes.board & !state.stones[0] & !state.stones[1];
        while left != 0 {
            let cell = self.hexes.random(left, rng);
            if self.is_legal(state, cell) {
                return Some(cell as u8);
            }
            left ^= 1 << cell;
        }
        Some(PASS)
    }
}

impl Hints for Pentalath {}

impl Notation for Pentalath {
    const HOW: &'static str = "A move is a cell, c2 (files a…, ranks from 1 at the bottom; c2 touches b1, b2, c1, c3, d2 and d3), or pass. \
        A position is its ranks from the top, X for the first player's stones, O for the second's, . for empty, the player to move, x or o, \
        and the number of passes if the last move was one; every rank has a cell less than the one above; then @ and \
        the plies played: .X.../..O./... x@2";

    fn write_move(&self, _: &State, cell: u8) -> String {
        if cell == PASS { "pass".to_owned() } else { self.hexes.name(cell as usize) }
    }

    fn write(&self, state: &State) -> String {
        let board = self.hexes.write(|cell| glyph(&state.stones, cell));
        let passes = if state.passes == 0 { String::new() } else { format!(" {}", state.passes) };
        format!("{board} {}{passes}", ['x', 'o'][state.turn.index()])
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let error = |reason: &str| Err(NotationError::position(reason));
        let words: Vec<&str> = text.split_whitespace().collect();
        let (board, turn, passes) = match words[..] {
            [board, turn] => (board, turn, 0),
            [board, turn, "1"] => (board, turn, 1),
            [board, turn, "2"] => (board, turn, 2),
            _ => return error("expected the board, x or o for the side to move, and perhaps 1 or 2 passes"),
        };
        let turn = match turn {
            "x" => Player::FIRST,
            "o" => Player::SECOND,
            _ => return error("expected x or o for the side to move"),
        };
        let stones = self.hexes.read(board)?;
        let empty = self.hexes.board & !stones[0] & !stones[1];
        for (chain, liberties) in stones.iter().flat_map(|&set| self.chains(set, empty)) {
            if liberties == 0 {
                let name = self.hexes.name(chain.first());
                return Err(NotationError::position(format!("the chain of {name} has no liberty")));
            }
        }
        if self.wins(stones[turn.index()]) {
            return error("the side to move has already won");
        }
        let passed = [turn.other(), turn].into_iter().take(passes as usize);
        if passed.into_iter().any(|who| self.legal(&stones, who) != 0) {
            return error("a player who has a legal move cannot have passed");
        }
        Ok(State { stones, turn, passes })
    }

    fn picture(&self, state: &State) -> Picture {
        let mut board = self.hexes.picture(|cell| glyph(&state.stones, cell));
        let shape = winning_shape(state.stones[state.turn.other().index()], |stones| self.wins(stones));
        board.mark_winning(|nth| shape.has(self.hexes.nth(nth)));
        board.note(format!("{} to move", GLYPHS[state.turn.index()]))
    }
}

impl Family for PlyLimit<Pentalath> {
    const INFO: Info = Info {
        usage: "pentalath[:SIDE][,plies=2500]",
        about: "five in a row on a trapezium of hexagons, with captures as in Go; a draw at the ply limit",
        rules: "C. Browne and Ludi 2007; details as in Ludii",
    };

    const FACTS: Facts = Facts {
        parameters: &[("7", "cells along the short side, from 1 to 7"), PLIES],
        cycles: ENDED_BY_PLIES,
        symmetries: MIRROR,
    };

    fn build(spec: &mut Spec) -> Result<PlyLimit<Pentalath>, SpecError> {
        let game = Pentalath::new(spec.side(7, 1..=7)?);
        Ok(PlyLimit { game, limit: plies(spec, 2500)? })
    }

    fn spec(&self) -> String {
        format!("pentalath:{},plies={}", self.game.side, self.written_limit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{conformance, play_all, read_moves};

    #[test]
    fn other_sizes_conform() {
        for (side, limit) in [(1, 10), (2, 100), (3, 300), (4, 1000), (5, 60)] {
            conformance::check(&PlyLimit { game: Pentalath::new(side), limit: Some(limit) });
        }
    }

    #[test]
    fn captures_come_before_suicide() {
        let game = Pentalath::new(2);
        let state = game.read("XXO/O. x").unwrap();
        let after = play_all(&game, &state, &read_moves(&game, &state, "b1").unwrap());
        assert_eq!(game.write(&after), "XX./.X o");
        let state = game.read("OO./.O x").unwrap();
        let after = play_all(&game, &state, &read_moves(&game, &state, "pass").unwrap());
        assert_eq!(game.write(&after), "OO./.O o 1", "both empty cells are suicide");
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Pentalath::new(2);
        for bad in ["", ".../..", ".../.. z", "... x", ".../.. x 3", ".../.. x 1", "XXO/OX x", ".../.. x 1 2"]
        {
            assert!(game.read(bad).is_err(), "{bad}");
        }
        assert!(Pentalath::new(5).read("XXXXX..../......../......./....../..... x").is_err());
    }
}
