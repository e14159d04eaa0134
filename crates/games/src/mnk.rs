//! m,n,k-games: on a board of m columns and n rows, k in a row wins; a full board is a draw. Tic-tac-toe is 3,3,3.
//!
//! Rules: Zetters, American Mathematical Monthly 87 (1980), Problem S10; for any number of players in turn. The winner gets 1 and
//! all others −1, so that of three players one may be unable to win and yet decide who does.

use crate::kit::colours::{self, GLYPHS, glyph, standing, winning_shape};
use crate::kit::symmetry::Symmetry;
use crate::{BOARD_SYMMETRIES, Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError,
    bits::Bits,
    grid::Grid,
    picture::{Picture, Style},
};

/// Rules for one board and `N` players. Rows are one bit wider than the board, so that lines do not wrap.
#[derive(Clone, Debug)]
pub struct Placing<B, const N: usize> {
    pub(crate) grid: Grid,
    pub(crate) line: u32,
    board: B,
    symmetry: Symmetry,
}

/// The games for two.
pub type Mnk = Placing<u128, 2>;

/// A position: the stones of all players. Their number determines the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State<B, const N: usize> {
    stones: [B; N],
}

impl<B: Bits, const N: usize> Placing<B, N> {
    /// `cols` × `rows` cells, `line` in a row to win; `(cols + 1) * rows` is at most the number of bits.
    pub fn new(cols: usize, rows: usize, line: u32) -> Self {
        let grid = Grid { rows, cols };
        let mut game = Placing { grid, line, board: B::EMPTY, symmetry: Symmetry::of(grid) };
        game.board = (0..grid.cells()).fold(B::EMPTY, |set, cell| set | B::single(game.bit(cell)));
        let image =
            |bit, which| if game.board.has(bit) { game.bit(grid.image(game.cell(bit), which)) } else { bit };
        let table = |which| (0..(cols + 1) * rows).map(|bit| image(bit, which) as u8).collect();
        game.symmetry = Symmetry::new((1..grid.symmetries()).map(table).collect());
        game
    }

    /// Takes columns, rows and the length of a line out of a spec.
    pub(crate) fn take(spec: &mut Spec, mut sizes: [usize; 3]) -> Result<Self, SpecError> {
        for size in &mut sizes {
            if let Some(text) = spec.value() {
                *size = text.parse().map_err(|_| spec.impossible(format!("'{text}' is not a number")))?;
            }
        }
        let [cols, rows, line] = sizes;
        let bits = B::WIDTH;
        if cols == 0 || rows == 0 || cols >= bits || rows > bits || (cols + 1) * rows > bits {
            return Err(spec.impossible(format!(
                "a board of {cols}x{rows} is impossible; (columns + 1) × rows is from 2 to {bits}"
            )));
        }
        if !(2..=bits).contains(&line) {
            return Err(spec.impossible(format!("the line has from 2 to {bits} stones")));
        }
        Ok(Self::new(cols, rows, line as u32))
    }

    /// The bit of a cell that is counted row by row from the top left.
    fn bit(&self, cell: usize) -> usize {
        cell / self.grid.cols * (self.grid.cols + 1) + cell % self.grid.cols
    }

    /// The cell of a bit.
    fn cell(&self, bit: usize) -> usize {
        self.grid.cell(bit / (self.grid.cols + 1), bit % (self.grid.cols + 1))
    }

    #[inline]
    fn wins(&self, stones: B) -> bool {
        let stride = self.grid.cols as u32 + 1;
        [1, stride, stride - 1, stride + 1].into_iter().any(|step| stones.has_line(step, self.line))
    }

    #[inline]
    fn all(state: &State<B, N>) -> B {
        state.stones.into_iter().fold(B::EMPTY, |all, set| all | set)
    }

    #[inline]
    fn empty(&self, state: &State<B, N>) -> B {
        self.board & !Self::all(state)
    }
}

impl<B: Bits + Ord, const N: usize> Game for Placing<B, N> {
    type State = State<B, N>;
    /// The number of the cell's bit.
    type Move = u8;

    fn start(&self) -> State<B, N> {
        State { stones: [B::EMPTY; N] }
    }

    #[inline]
    fn turn(&self, state: &State<B, N>) -> Player {
        Player::new(Self::all(state).count() % N)
    }

    #[inline]
    fn moves(&self, state: &State<B, N>, list: &mut Vec<u8>) {
        list.extend(self.empty(state).cells().map(|bit| bit as u8));
    }

    #[inline]
    fn play(&self, state: &mut State<B, N>, bit: u8) {
        let stones = &mut state.stones[self.turn(state).index()];
        *stones = *stones | B::single(bit.into());
    }

    #[inline]
    fn outcome(&self, state: &State<B, N>) -> Option<Outcome> {
        let last = self.turn(state).previous(N);
        if self.wins(state.stones[last.index()]) {
            Some(Outcome::win_among(last, N))
        } else {
            self.empty(state).is_empty().then_some(Outcome::DRAW)
        }
    }

    fn players(&self) -> usize {
        N
    }

    fn canonicalize(&self, state: &mut State<B, N>) {
        state.stones = self.symmetry.least(state.stones);
    }

    #[inline]
    fn count_moves(&self, state: &State<B, N>, _: &mut Vec<u8>) -> usize {
        self.empty(state).count()
    }

    #[inline]
    fn random_move(&self, state: &State<B, N>, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        let empty = self.empty(state);
        (!empty.is_empty()).then(|| empty.nth(rng.below(empty.count())) as u8)
    }
}

impl<B: Bits + Ord, const N: usize> Progressive for Placing<B, N> {}
impl<B: Bits + Ord, const N: usize> Hints for Placing<B, N> {
    /// Every cell is empty or has a stone of some side.
    fn states(&self) -> Option<f64> {
        Some(self.grid.cells() as f64 * ((N + 1) as f64).log10())
    }
}

impl<B: Bits + Ord, const N: usize> Notation for Placing<B, N> {
    const HOW: &'static str = "A move is a cell, b2 (columns a…, rows from 1 at the bottom). A position is its rows from \
        the top, X for the first player's stones, O for the second's, Z for those of a third, . for empty: .../.X./..O";

    fn write_move(&self, _: &State<B, N>, bit: u8) -> String {
        self.grid.name(self.cell(bit as usize))
    }

    fn write(&self, state: &State<B, N>) -> String {
        self.grid.write(|cell| glyph(&state.stones, self.bit(cell)))
    }

    fn read(&self, text: &str) -> Result<State<B, N>, NotationError> {
        let stones = colours::read(self.grid, text.trim(), |cell| self.bit(cell))?;
        standing(&stones, |set| self.wins(set))?;
        Ok(State { stones })
    }

    fn picture(&self, state: &State<B, N>) -> Picture {
        let mut board = self.grid.picture(|cell| glyph(&state.stones, self.bit(cell)));
        let shape = winning_shape(state.stones[self.turn(state).previous(N).index()], |set| self.wins(set));
        board.mark_winning(|cell| shape.has(self.bit(cell)));
        // Small boards are drawn as on paper.
        if self.grid.rows.max(self.grid.cols) <= 4 {
            board = board.styled(Style::Signs);
        }
        if N == 2 { board } else { board.note(format!("{} to move", GLYPHS[self.turn(state).index()])) }
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
        if spec.name() == "mnk" { Mnk::take(spec, [3, 3, 3]) } else { Ok(Mnk::new(3, 3, 3)) }
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
