//! Reversi: a disc brackets lines of enemy discs and turns them over; the most discs at the end win.
//!
//! Rules: the fixed start and flips of Othello (Goro Hasegawa 1971), played here as Ludii 1.3 does: a player who cannot place a
//! disc passes, and the game is over when both have passed, even on a full board. With `end=blocked` it is over as soon
//! as neither side can place a disc, as in OpenSpiel. The result is the same, and empty cells count for neither side.

use crate::kit::colours;
use crate::kit::flanks::{ends, flips};
use crate::kit::symmetry;
use crate::{BOARD_SYMMETRIES, Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError, bits::Bits,
    grid::Grid, mix, picture::Picture,
};

/// Rules for one board size: 4, 6 or 8.
#[derive(Clone, Debug)]
pub struct Reversi {
    size: usize,
    /// Whether the game goes on until both sides have passed.
    passes: bool,
    board: u64,
}

/// A position. Smaller boards lie in the middle of one of 8 by 8, row by row from the top left: so shifts and
/// symmetries are constants, and the frame around a smaller board keeps lines from wrapping.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    discs: [u64; 2],
    turn: Player,
    /// How many of the last plies were passes, if passing ends the game; else 0.
    passed: u8,
}

/// A move: the bit of the cell, or [`PASS`].
type Move = u8;
const PASS: u8 = 64;

impl Reversi {
    /// A board of `size` by `size` cells: 4, 6 or 8. With `passes` the game is over after two passes in a row,
    /// otherwise when neither side can place a disc.
    pub fn new(size: usize, passes: bool) -> Reversi {
        let mut game = Reversi { size, passes, board: 0 };
        game.board = (0..size * size).fold(0, |set, cell| set | 1 << game.bit(cell));
        game
    }

    fn grid(&self) -> Grid {
        Grid { rows: self.size, cols: self.size }
    }

    /// The bit of a cell of the grid.
    fn bit(&self, cell: usize) -> usize {
        let margin = (8 - self.size) / 2;
        (cell / self.size + margin) * 8 + cell % self.size + margin
    }

    /// The discs as sets of cells of the grid.
    fn on_grid(&self, state: &State) -> [u64; 2] {
        let cells = 0..self.size * self.size;
        state.discs.map(|set| {
            cells.clone().filter(|&cell| set.has(self.bit(cell))).fold(0, |out, cell| out | 1 << cell)
        })
    }

    /// The cells where `player` can place a disc.
    #[inline]
    fn places(&self, discs: [u64; 2], player: Player) -> u64 {
        let (mine, theirs) = (discs[player.index()], discs[player.other().index()]);
        ends(mine, theirs) & self.board & !(mine | theirs)
    }

    /// Whether a mover who can place nothing passes: not if that would be the end.
    #[inline]
    fn may_pass(&self, state: &State) -> bool {
        self.passes || self.places(state.discs, state.turn.other()) != 0
    }

    fn count(&self, state: &State) -> Outcome {
        let [first, second] = state.discs.map(u64::count_ones);
        Outcome::score((first as i16 - second as i16).signum())
    }
}

impl Game for Reversi {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        let centre = |cells: [usize; 2]| cells.iter().fold(0, |set, cell| set | 1 << cell);
        State { discs: [centre([28, 35]), centre([27, 36])], turn: Player::FIRST, passed: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<Move>) {
        let places = self.places(state.discs, state.turn);
        list.extend(places.cells().map(|cell| cell as u8));
        if places == 0 && self.may_pass(state) {
            list.push(PASS);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let (mover, other) = (state.turn.index(), state.turn.other().index());
        if mv == PASS {
            state.passed += u8::from(self.passes);
        } else {
            let cell = 1 << mv;
            let turned = flips(state.discs[mover], state.discs[other], cell);
            state.discs[mover] ^= turned | cell;
            state.discs[other] ^= turned;
            state.passed = 0;
        }
        state.turn = state.turn.other();
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.passed == 2).then(|| self.count(state))
    }

    fn stuck(&self, state: &State) -> Outcome {
        self.count(state)
    }

    #[inline]
    fn key(&self, state: &State) -> u64 {
        let rest = 4 * state.turn.index() + usize::from(state.passed);
        mix(mix(state.discs[0]) ^ state.discs[1]) ^ mix(rest as u64)
    }

    fn canonicalize(&self, state: &mut State) {
        state.discs = symmetry::least_of_8x8(state.discs);
    }

    #[inline]
    fn count_moves(&self, state: &State, _: &mut Vec<Move>) -> usize {
        match self.places(state.discs, state.turn) {
            0 => usize::from(self.may_pass(state)),
            places => places.count(),
        }
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Option<Move> {
        match self.places(state.discs, state.turn) {
            0 => self.may_pass(state).then_some(PASS),
            places => Some(places.nth(rng.below(places.count())) as u8),
        }
    }
}

/// Every disc fills a cell for good; passes are counted or, where they are not, followed by a disc.
impl Progressive for Reversi {}
impl Hints for Reversi {}

impl Notation for Reversi {
    const HOW: &'static str = "A move is a cell, c4 (columns a…, rows from 1 at the bottom), or pass. A position is its rows from \
        the top, X for the first player's discs, O for the second's, . for empty, and the player to move, x or o; after a pass also 1, \
        after two 2: ..../.OX./.XO./.... x";

    fn write_move(&self, _: &State, mv: Move) -> String {
        if mv == PASS {
            return "pass".to_owned();
        }
        let margin = (8 - self.size) / 2;
        let (row, col) = (mv as usize / 8 - margin, mv as usize % 8 - margin);
        self.grid().name(self.grid().cell(row, col))
    }

    fn write(&self, state: &State) -> String {
        let passed = if state.passed > 0 { format!(" {}", state.passed) } else { String::new() };
        colours::write_with_turn(self.grid(), &self.on_grid(state), state.turn) + &passed
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let text = text.trim();
        let (rest, passed) = match text.rsplit_once(' ') {
            Some((rest, "1")) => (rest, 1),
            Some((rest, "2")) => (rest, 2),
            _ => (text, 0),
        };
        let (sets, turn): ([u64; 2], Player) = colours::read_with_turn(self.grid(), rest)?;
        let discs = sets.map(|set| set.cells().fold(0, |out, cell| out | 1 << self.bit(cell)));
        let centre = 0x0000_0018_1800_0000;
        if (discs[0] | discs[1]) & centre != centre {
            return Err(NotationError::position("the four cells in the middle are never empty"));
        }
        let movers = [turn.other(), turn];
        if passed > 0
            && (!self.passes || movers[..passed as usize].iter().any(|&side| self.places(discs, side) != 0))
        {
            return Err(NotationError::position(
                "a pass is possible only without a place for a disc, and only if passes end the game",
            ));
        }
        Ok(State { discs, turn, passed })
    }

    fn picture(&self, state: &State) -> Picture {
        colours::picture_with_turn(self.grid(), &self.on_grid(state), state.turn)
    }
}

impl Family for Reversi {
    const INFO: Info = Info {
        usage: "reversi[:8][,end=passes|blocked]",
        about: "bracketed discs are turned over; the most discs win; boards of 4, 6 or 8",
        rules: "Ludii 1.3.14, Reversi; with end=blocked OpenSpiel, Othello",
    };

    const FACTS: Facts = Facts {
        parameters: &[
            ("8", "cells along a side: 4, 6 or 8"),
            (
                "end=passes",
                "the game ends after two passes; end=blocked: as soon as neither side can place a disc",
            ),
        ],
        symmetries: BOARD_SYMMETRIES,
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<Reversi, SpecError> {
        let size = match spec.value().as_deref() {
            None | Some("8") => 8,
            Some("6") => 6,
            Some("4") => 4,
            Some(other) => return Err(spec.impossible(format!("'{other}' is none of the sizes 4, 6, 8"))),
        };
        let passes = match spec.text("end").as_deref() {
            None | Some("passes") => true,
            Some("blocked") => false,
            Some(other) => return Err(spec.impossible(format!("end={other} is neither passes nor blocked"))),
        };
        Ok(Reversi::new(size, passes))
    }

    fn spec(&self) -> String {
        format!("reversi:{},end={}", self.size, if self.passes { "passes" } else { "blocked" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::conformance;

    #[test]
    fn all_sizes_conform() {
        for size in [4, 6, 8] {
            conformance::check(&Reversi::new(size, true));
            conformance::check(&Reversi::new(size, false));
        }
    }

    #[test]
    fn all_eight_directions_flip() {
        let game = Reversi::new(8, true);
        let mut state =
            game.read("X.X.X.../.OOO..../XO.OOX../.OOOO.../X.OOO.../..X..X../......../........ x").unwrap();
        assert_eq!(game.write_move(&state, 18), "c6");
        game.play(&mut state, 18);
        assert_eq!(
            game.write(&state),
            "X.X.X.../.XXX..../XXXXXX../.XXXO.../X.XOX.../..X..X../......../........ o"
        );
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Reversi::new(4, true);
        for bad in [
            "",
            "..../..../..../.... x",
            "..../.OX./.XO./.... x 1",
            "..../.OX./.XO./.... x 3",
            "..../.OX./.XO./....",
        ] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
        assert!(game.read("..../.XX./.XX./.... o 2").is_ok());
        assert!(Reversi::new(4, false).read("..../.XX./.XX./.... o 2").is_err());
        for bad in ["reversi:5", "reversi:8x8", "reversi:8,end=never"] {
            assert!(Reversi::build(&mut Spec::parse(bad)).is_err(), "{bad}");
        }
    }
}
