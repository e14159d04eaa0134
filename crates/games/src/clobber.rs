//! Clobber: a stone moves onto an enemy stone beside it, which is removed; a player who cannot move loses.
//!
//! Rules: Albert, Grossman, Nowakowski and Wolfe 2001. The board starts full, in the colours of a chequerboard, and the
//! cell at the bottom left is the first player's.

mod parts;

use crate::kit::colours;
use crate::kit::symmetry::Symmetry;
use crate::{Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError, bits::Bits,
    grid::Grid, picture::Picture, sums::PartTable,
};
use parts::Part;

/// Rules for one board size, at most 128 cells.
#[derive(Clone, Debug)]
pub struct Clobber {
    grid: Grid,
    board: u128,
    columns: Vec<u128>,
    /// The cells that have one to their left, and to their right.
    beside: [u128; 2],
    symmetry: Symmetry,
    parts: PartTable<Part>,
}

/// A position. Cell (row, column) is bit `row * cols + column`, rows from the top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    stones: [u128; 2],
    turn: Player,
}

/// A move. They are listed by direction (up, left, right, down), then by the cell they go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Move {
    from: u8,
    to: u8,
}

impl Clobber {
    /// A board of `grid`, at most 128 cells.
    pub fn new(grid: Grid) -> Clobber {
        let board = u128::MAX >> (128 - grid.cells());
        let columns: Vec<u128> = (0..grid.cols)
            .map(|col| (0..grid.rows).fold(0, |set, row| set | 1 << grid.cell(row, col)))
            .collect();
        let beside = [board & !columns[0], board & !columns[grid.cols - 1]];
        Clobber { grid, board, columns, beside, symmetry: Symmetry::of(grid), parts: PartTable::default() }
    }

    /// The cells of `set` moved one up, left, right and down; those that would leave the board are dropped.
    #[inline]
    fn shifted(&self, set: u128) -> [u128; 4] {
        let [has_left, has_right] = self.beside;
        // In a single row of 128 the shift by a whole word would wrap; there is nothing above or below anyway.
        let cols = self.grid.cols as u32 & 127;
        let above = if self.grid.rows > 1 { set } else { 0 };
        [above >> cols, (set & has_left) >> 1, (set & has_right) << 1, above << cols & self.board]
    }

    /// The enemy stones that the mover can take in each direction.
    #[inline]
    fn targets(&self, state: &State) -> [u128; 4] {
        let mover = state.turn.index();
        self.shifted(state.stones[mover]).map(|set| set & state.stones[1 - mover])
    }

    /// The move in a direction that ends on `to`.
    #[inline]
    fn arriving(&self, direction: usize, to: usize) -> Move {
        let cols = self.grid.cols;
        let from = [to + cols, to + 1, to.wrapping_sub(1), to.wrapping_sub(cols)][direction];
        Move { from: from as u8, to: to as u8 }
    }

    /// The stones that can ever capture or be captured: those connected with a pair of adjacent stones of both sides.
    fn alive(&self, stones: [u128; 2]) -> u128 {
        let around = |set: u128| self.shifted(set).into_iter().fold(set, |all, part| all | part);
        let all = stones[0] | stones[1];
        let mut alive = around(stones[0]) & stones[1];
        loop {
            let grown = around(alive) & all;
            if grown == alive {
                return alive;
            }
            alive = grown;
        }
    }
}

impl Game for Clobber {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        let Grid { rows, cols } = self.grid;
        let first = |cell: &usize| (cell / cols + rows - 1 + cell % cols).is_multiple_of(2);
        let first = (0..self.grid.cells()).filter(first).fold(0, |set, cell| set | 1 << cell);
        State { stones: [first, self.board & !first], turn: Player::FIRST }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<Move>) {
        for (direction, targets) in self.targets(state).into_iter().enumerate() {
            list.extend(targets.cells().map(|to| self.arriving(direction, to)));
        }
    }

    #[inline]
    fn play(&self, state: &mut State, Move { from, to }: Move) {
        let mover = state.turn.index();
        state.stones[mover] ^= 1 << from | 1 << to;
        state.stones[1 - mover] ^= 1 << to;
        state.turn = state.turn.other();
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }

    fn key(&self, state: &State) -> u64 {
        colours::key(state.stones, state.turn)
    }

    /// Removes stones that can never move again; they do not affect the rest of the game.
    fn canonicalize(&self, state: &mut State) {
        let alive = self.alive(state.stones);
        state.stones = self.symmetry.least(state.stones.map(|set| set & alive));
    }

    #[inline]
    fn count_moves(&self, state: &State, _: &mut Vec<Move>) -> usize {
        self.targets(state).into_iter().map(Bits::count).sum()
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Option<Move> {
        let targets = self.targets(state);
        let counts = targets.map(Bits::count);
        let total: usize = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let (mut n, mut direction) = (rng.below(total), 0);
        while n >= counts[direction] {
            n -= counts[direction];
            direction += 1;
        }
        Some(self.arriving(direction, targets[direction].nth(n)))
    }
}

impl Progressive for Clobber {}
impl Hints for Clobber {
    /// The winner of a sum of small parts, by their values.
    fn static_outcome(&self, state: &State) -> Option<Outcome> {
        self.parts.winner(self, state).map(Outcome::win)
    }

    /// Every cell is empty or has a stone of either side, and either may be to move.
    fn states(&self) -> Option<f64> {
        Some(self.grid.cells() as f64 * 3f64.log10() + 2f64.log10())
    }
}

impl Notation for Clobber {
    const HOW: &'static str = "A move is where a stone stands and the stone beside it that it takes, a1-a2 (columns a…, rows from 1 \
        at the bottom). A position is its rows from the top, X for the first player's stones, O for the second's, . for empty, \
        and the player to move, x or o: XO./O.X x";

    fn write_move(&self, _: &State, Move { from, to }: Move) -> String {
        format!("{}-{}", self.grid.name(from as usize), self.grid.name(to as usize))
    }

    fn write(&self, state: &State) -> String {
        colours::write_with_turn(self.grid, &state.stones, state.turn)
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let (stones, turn) = colours::read_with_turn(self.grid, text)?;
        Ok(State { stones, turn })
    }

    fn picture(&self, state: &State) -> Picture {
        colours::picture_with_turn(self.grid, &state.stones, state.turn)
    }
}

impl Family for Clobber {
    const INFO: Info = Info {
        usage: "clobber[:ROWSxCOLS]",
        about: "on a full board, stones capture adjacent enemy stones; a player who cannot move loses",
        rules: "Albert, Grossman, Nowakowski and Wolfe, An Introduction to Clobber, 2005",
    };

    const FACTS: Facts = Facts {
        parameters: &[("5x6", "rows and columns, at most 128 cells")],
        symmetries: "rotations and reflections of the board; stones out of reach of both sides do not count",
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<Clobber, SpecError> {
        Ok(Clobber::new(Grid::take(spec, "5x6", 128)?))
    }

    fn spec(&self) -> String {
        format!("clobber:{}x{}", self.grid.rows, self.grid.cols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::conformance;

    #[test]
    fn all_shapes_conform() {
        for (rows, cols) in [(1, 1), (1, 7), (7, 1), (2, 3), (4, 4), (1, 128), (128, 1), (8, 16)] {
            conformance::check(&Clobber::new(Grid { rows, cols }));
        }
    }

    #[test]
    fn dead_stones_leave_the_canonical_form() {
        let game = Clobber::new(Grid { rows: 2, cols: 5 });
        let mut state = game.read("XX..X/....O x").unwrap();
        game.canonicalize(&mut state);
        assert_eq!(state.stones.map(Bits::count), [1, 1]);
        assert_eq!(game.count_moves(&state, &mut Vec::new()), 1);
    }

    #[test]
    fn stones_do_not_wrap() {
        let game = Clobber::new(Grid { rows: 2, cols: 3 });
        let state = game.read("..X/O.. x").unwrap();
        assert_eq!(game.count_moves(&state, &mut Vec::new()), 0);
    }
}
