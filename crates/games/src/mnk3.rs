//! m,n,k-games for three: players place stones in turn, a line of k wins, a full board is a draw.
//!
//! The rules are those of [`Mnk`](crate::Mnk) with a third seat. The winner gets 1 and both others −1, so that a player may
//! be unable to win and yet decide who does.

use crate::stones::{self, GLYPHS, glyph, mover};
use crate::{BOARD_SYMMETRIES, Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError, bits::Bits,
    grid::Grid, picture::Picture,
};

/// The number of seats.
const PLAYERS: usize = 3;

/// Rules for one board. Rows are one bit wider than the board, so that lines do not wrap.
#[derive(Clone, Debug)]
pub struct Mnk3 {
    grid: Grid,
    line: u32,
    board: u64,
}

/// A position: the stones of the three players. Their number tells who moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    stones: [u64; PLAYERS],
}

impl Mnk3 {
    /// `cols` × `rows` cells, `line` in a row to win; `(cols + 1) * rows` is at most 64.
    pub fn new(cols: usize, rows: usize, line: u32) -> Mnk3 {
        let mut game = Mnk3 { grid: Grid { rows, cols }, line, board: 0 };
        game.board = (0..game.grid.cells()).fold(0, |set, cell| set | 1 << game.bit(cell));
        game
    }

    /// The bit of a cell that is counted row by row from the top left.
    fn bit(&self, cell: usize) -> usize {
        cell / self.grid.cols * (self.grid.cols + 1) + cell % self.grid.cols
    }

    /// The cell of a bit number.
    fn cell(&self, bit: usize) -> usize {
        self.grid.cell(bit / (self.grid.cols + 1), bit % (self.grid.cols + 1))
    }

    #[inline]
    fn wins(&self, stones: u64) -> bool {
        let stride = self.grid.cols as u32 + 1;
        [1, stride, stride - 1, stride + 1].into_iter().any(|step| stones.has_line(step, self.line))
    }

    #[inline]
    fn all(&self, state: &State) -> u64 {
        state.stones[0] | state.stones[1] | state.stones[2]
    }
}

impl Game for Mnk3 {
    type State = State;
    /// The number of the cell's bit.
    type Move = u8;

    fn start(&self) -> State {
        State { stones: [0; PLAYERS] }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        Player::new(self.all(state).count() % PLAYERS)
    }

    #[inline]
    fn moves(&self, state: &State, list: &mut Vec<u8>) {
        list.extend((self.board & !self.all(state)).cells().map(|bit| bit as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, bit: u8) {
        let mover = self.turn(state);
        state.stones[mover.seat()] |= 1 << bit;
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        // The last mover sits before the next one, which is two seats further on.
        let last = self.turn(state).next(PLAYERS).next(PLAYERS);
        if self.wins(state.stones[last.seat()]) {
            let mut payoffs = [-1, -1, -1, 0];
            payoffs[last.seat()] = 1;
            return Some(Outcome::new(payoffs));
        }
        (self.all(state) == self.board).then_some(Outcome::DRAW)
    }

    fn players(&self) -> usize {
        PLAYERS
    }

    fn canonicalize(&self, state: &mut State) {
        let image = |which: usize| State {
            stones: state.stones.map(|set| {
                set.cells().fold(0, |out, bit| out | 1 << self.bit(self.grid.image(self.cell(bit), which)))
            }),
        };
        *state = (1..self.grid.symmetries()).map(image).fold(*state, Ord::min);
    }

    #[inline]
    fn count_moves(&self, state: &State, _: &mut Vec<u8>) -> usize {
        (self.board & !self.all(state)).count()
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        let empty = self.board & !self.all(state);
        if empty == 0 { None } else { Some(empty.nth(rng.below(empty.count())) as u8) }
    }
}

impl Progressive for Mnk3 {}
impl Hints for Mnk3 {}

impl Notation for Mnk3 {
    const HOW: &'static str = "A move is a cell, b2 (columns a…, rows from 1 at the bottom). A position is its rows from the top, X, O and \
        Z for the stones of the first, second and third player, . for empty: Z../.X./..O";

    fn write_move(&self, _: &State, bit: u8) -> String {
        self.grid.name(self.cell(bit as usize))
    }

    fn write(&self, state: &State) -> String {
        self.grid.write(|cell| glyph(&state.stones, self.bit(cell)))
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let stones = stones::read(self.grid, text.trim(), |cell| self.bit(cell))?;
        let mover = mover(&stones)?;
        if [mover, mover.next(PLAYERS)].into_iter().any(|who| self.wins(stones[who.seat()])) {
            return Err(NotationError::position("a player has a line who did not move last"));
        }
        Ok(State { stones })
    }

    fn picture(&self, state: &State) -> Picture {
        let board = self.grid.picture(|cell| glyph(&state.stones, self.bit(cell)));
        board.note(format!("{} to move", GLYPHS[self.turn(state).seat()]))
    }
}

impl Family for Mnk3 {
    const INFO: Info = Info {
        usage: "mnk3:COLS,ROWS,LINE",
        about: "three players place stones, a line wins against both others, a full board is a draw",
        rules: "m,n,k-games with a third seat",
    };

    const FACTS: Facts = Facts {
        parameters: &[("4,3,3", "columns, rows and the length of a line")],
        symmetries: BOARD_SYMMETRIES,
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<Mnk3, SpecError> {
        let mut sizes = [4, 3, 3];
        for size in &mut sizes {
            if let Some(text) = spec.value() {
                *size = text.parse().map_err(|_| spec.impossible(format!("'{text}' is not a number")))?;
            }
        }
        let [cols, rows, line] = sizes;
        if cols == 0 || rows == 0 || cols >= 64 || rows > 64 || (cols + 1) * rows > 64 {
            return Err(spec.impossible(format!(
                "a board of {cols}x{rows} is impossible; (columns + 1) × rows is from 2 to 64"
            )));
        }
        if !(2..=64).contains(&line) {
            return Err(spec.impossible("the line has from 2 to 64 stones"));
        }
        Ok(Mnk3::new(cols, rows, line as u32))
    }

    fn spec(&self) -> String {
        format!("mnk3:{},{},{}", self.grid.cols, self.grid.rows, self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{conformance, perft, play_all, read_moves};

    #[test]
    fn boards_conform() {
        for (cols, rows, line) in [(1, 1, 2), (3, 3, 3), (5, 5, 3), (63, 1, 4), (1, 32, 2), (7, 8, 4)] {
            conformance::check(&Mnk3::new(cols, rows, line));
        }
    }

    #[test]
    fn the_winner_takes_it_from_both() {
        let game = Mnk3::new(3, 3, 2);
        let line = read_moves(&game, &game.start(), "a1 c3 b3 a3 c2").unwrap();
        let end = play_all(&game, &game.start(), &line);
        assert_eq!(game.outcome(&end), Some(Outcome::new([-1, 1, -1, 0])));
    }

    /// Nobody can have three in a row before the seventh ply.
    #[test]
    fn lines_of_play() {
        let game = Mnk3::new(3, 3, 3);
        assert_eq!(perft(&game, &game.start(), 7), 9 * 8 * 7 * 6 * 5 * 4 * 3);
        assert!(perft(&game, &game.start(), 8) < 9 * 8 * 7 * 6 * 5 * 4 * 3 * 2);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Mnk3::new(3, 3, 3);
        for bad in ["", "O../.../...", "X../.X./...", "XXX/OO./OZZ", "X.Y/.../..."] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
    }
}
