//! m,n,k-games: on a board of m columns and n rows, k in a row wins; a full board is a draw. Tic-tac-toe is 3,3,3.
//!
//! Rules: Zetters, American Mathematical Monthly 87 (1980), Problem S10.

use crate::{BOARD_SYMMETRIES, Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError, bits::Bits,
    grid::Grid, picture::Picture,
};

/// Rules for one board. Rows are one bit wider than the board, so that lines do not wrap.
#[derive(Clone, Debug)]
pub struct Mnk {
    grid: Grid,
    line: u32,
    board: u128,
}

/// A position: the stones of both players. Equally many mean that the first player moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    stones: [u128; 2],
}

impl Mnk {
    /// `cols` × `rows` cells, `line` in a row to win; `(cols + 1) * rows` is at most 128.
    pub fn new(cols: usize, rows: usize, line: u32) -> Mnk {
        let mut game = Mnk { grid: Grid { rows, cols }, line, board: 0 };
        game.board = (0..game.grid.cells()).fold(0, |set, cell| set | game.bit(cell));
        game
    }

    /// The bit of a cell that is counted row by row from the top left.
    fn bit(&self, cell: usize) -> u128 {
        1 << (cell / self.grid.cols * (self.grid.cols + 1) + cell % self.grid.cols)
    }

    /// The cell of a bit number.
    fn cell(&self, bit: usize) -> usize {
        self.grid.cell(bit / (self.grid.cols + 1), bit % (self.grid.cols + 1))
    }

    #[inline]
    fn wins(&self, stones: u128) -> bool {
        let stride = self.grid.cols as u32 + 1;
        [1, stride, stride - 1, stride + 1].into_iter().any(|step| stones.has_line(step, self.line))
    }

    fn empty(&self, state: &State) -> u128 {
        self.board & !(state.stones[0] | state.stones[1])
    }

    fn glyph(&self, state: &State, cell: usize) -> char {
        let bit = self.bit(cell);
        if state.stones[0] & bit != 0 {
            'X'
        } else if state.stones[1] & bit != 0 {
            'O'
        } else {
            '.'
        }
    }
}

impl Game for Mnk {
    type State = State;
    /// The number of the cell's bit.
    type Move = u8;

    fn start(&self) -> State {
        State { stones: [0, 0] }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        Player::new((state.stones[0].count() + state.stones[1].count()) & 1)
    }

    #[inline]
    fn moves(&self, state: &State, list: &mut Vec<u8>) {
        list.extend(self.empty(state).cells().map(|bit| bit as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, bit: u8) {
        let mover = self.turn(state);
        state.stones[mover.seat()] |= 1 << bit;
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let last = self.turn(state).other();
        if self.wins(state.stones[last.seat()]) {
            Some(Outcome::win(last))
        } else {
            (self.empty(state) == 0).then_some(Outcome::DRAW)
        }
    }

    fn canonicalize(&self, state: &mut State) {
        let image = |which: usize| State {
            stones: state.stones.map(|set| {
                set.cells().fold(0, |out, bit| out | self.bit(self.grid.image(self.cell(bit), which)))
            }),
        };
        let images = (1..self.grid.symmetries()).map(image);
        *state = images.fold(*state, |best, image| if image.stones < best.stones { image } else { best });
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

impl Progressive for Mnk {}
impl Hints for Mnk {}

impl Notation for Mnk {
    const HOW: &'static str = "A move is a cell, b2 (columns a…, rows from 1 at the bottom). A position is its rows from \
        the top, X for the first player's stones, O for the second's, . for empty: .../.X./..O";

    fn write_move(&self, _: &State, bit: u8) -> String {
        self.grid.name(self.cell(bit as usize))
    }

    fn write(&self, state: &State) -> String {
        self.grid.write(|cell| self.glyph(state, cell))
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let mut stones = [0; 2];
        for (cell, glyph) in self.grid.read(text.trim(), ".XO")?.into_iter().enumerate() {
            if glyph > 0 {
                stones[glyph - 1] |= self.bit(cell);
            }
        }
        let [first, second] = stones.map(Bits::count);
        if first != second && first != second + 1 {
            return Err(NotationError::position(format!("{first} X and {second} O cannot be")));
        }
        let state = State { stones };
        if self.wins(stones[self.turn(&state).seat()]) {
            return Err(NotationError::position("the side to move has already won"));
        }
        Ok(state)
    }

    fn picture(&self, state: &State) -> Picture {
        self.grid.picture(|cell| self.glyph(state, cell))
    }
}

impl Family for Mnk {
    const INFO: Info = Info {
        usage: "mnk:COLS,ROWS,LINE or tictactoe (3,3,3)",
        about: "place stones, a line of k wins, a full board is a draw",
        rules: "S. Zetters, American Mathematical Monthly 87 (1980), S10",
    };

    const FACTS: Facts = Facts {
        parameters: &[("3,3,3", "columns, rows and the length of a line (tictactoe takes none)")],
        symmetries: BOARD_SYMMETRIES,
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<Mnk, SpecError> {
        let mut sizes = [3, 3, 3];
        if spec.name() == "mnk" {
            for size in &mut sizes {
                if let Some(text) = spec.value() {
                    *size = text.parse().map_err(|_| spec.impossible(format!("'{text}' is not a number")))?;
                }
            }
        }
        let [cols, rows, line] = sizes;
        if cols == 0 || rows == 0 || cols >= 128 || rows > 128 || (cols + 1) * rows > 128 {
            return Err(spec.impossible(format!(
                "a board of {cols}x{rows} is impossible; (columns + 1) × rows is from 2 to 128"
            )));
        }
        if !(2..=128).contains(&line) {
            return Err(spec.impossible("the line has from 2 to 128 stones"));
        }
        Ok(Mnk::new(cols, rows, line as u32))
    }

    fn spec(&self) -> String {
        match (self.grid.cols, self.grid.rows, self.line) {
            (3, 3, 3) => "tictactoe".to_owned(),
            (cols, rows, line) => format!("mnk:{cols},{rows},{line}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::conformance;

    #[test]
    fn boards_conform() {
        for (cols, rows, line) in [(1, 1, 2), (4, 3, 3), (5, 5, 4), (10, 11, 5), (127, 1, 7), (1, 64, 3)] {
            conformance::check(&Mnk::new(cols, rows, line));
        }
    }

    #[test]
    fn lines_do_not_wrap() {
        let game = Mnk::new(3, 3, 3);
        assert!(!game.wins(game.read("..X/XX./.OO").unwrap().stones[0]));
        assert!(game.outcome(&game.read("..X/.X./XOO").unwrap()).is_some());
    }
}
