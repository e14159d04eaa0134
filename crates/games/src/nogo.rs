//! NoGo: place a stone so that every chain on the board keeps a liberty; a player who cannot move loses.
//!
//! Rules: BIRS workshop on combinatorial game theory 2011 ("Anti Atari Go", Neil McKay 2010); paper 2, §4.3.

mod parts;

use crate::kit::colours;
use crate::kit::symmetry::Symmetry;
use crate::{BOARD_SYMMETRIES, Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError,
    bits::Bits,
    grid::Grid,
    patterns::{Patterns, Surroundings, around},
    picture::{Picture, Tiling},
    sums::PartTable,
};
use parts::Part;

/// Rules for one board size, at most 128 points.
#[derive(Clone, Debug)]
pub struct NoGo {
    grid: Grid,
    board: u128,

    not_first: u128,
    not_last: u128,
    /// The neighbours of every point.
    around: Vec<u128>,
    symmetry: Symmetry,
    parts: PartTable<Part>,
}

/// A position. Point (row, column) is bit `row * cols + column`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    stones: [u128; 2],
    turn: Player,
}

impl NoGo {
    /// A board of `rows` rows and `cols` columns, at most 128 points.
    pub fn new(rows: usize, cols: usize) -> NoGo {
        let grid = Grid { rows, cols };
        let board = u128::MAX >> (128 - grid.cells());
        let column = |col| (0..rows).fold(0, |set, row| set | 1 << grid.cell(row, col));
        let mut game = NoGo {
            grid,
            board,

            not_first: board & !column(0),
            not_last: board & !column(cols - 1),
            around: Vec::new(),
            symmetry: Symmetry::of(grid),
            parts: PartTable::default(),
        };
        game.around = (0..grid.cells()).map(|point| game.neighbours(1 << point)).collect();
        game
    }

    /// All points next to a point of `set`.
    #[inline]
    fn neighbours(&self, set: u128) -> u128 {
        let sideways = (set << 1 & self.not_first) | (set >> 1 & self.not_last);
        if self.grid.rows == 1 {
            return sideways;
        }
        let cols = self.grid.cols as u32;
        (sideways | set << cols | set >> cols) & self.board
    }

    /// The chain of `stones` that holds the points `seed`.
    #[inline]
    fn chain(&self, seed: u128, stones: u128) -> u128 {
        let mut chain = seed;
        loop {
            let grown = (chain | self.neighbours(chain)) & stones;
            if grown == chain {
                return chain;
            }
            chain = grown;
        }
    }

    /// The chains of `stones` with their liberties among the points `empty`.
    fn chains(&self, stones: u128, empty: u128) -> impl Iterator<Item = (u128, u128)> {
        let mut left = stones;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let chain = self.chain(1 << left.first(), left);
                left &= !chain;
                (chain, self.neighbours(chain) & empty)
            })
        })
    }

    /// All legal points at once.
    fn legal(&self, state: &State) -> u128 {
        let [mine, theirs] = self.sides(state);
        let empty = self.board & !mine & !theirs;
        // A stone breathes next to an empty point or through a chain of its own that has another liberty.
        let mut breathing = self.neighbours(empty);
        for (_, liberties) in self.chains(mine, empty) {
            if liberties.without_first() != 0 {
                breathing |= liberties;
            }
        }
        // It may not take the last liberty of an enemy chain.
        let mut capturing = 0;
        for (_, liberties) in self.chains(theirs, empty) {
            if liberties.without_first() == 0 {
                capturing |= liberties;
            }
        }
        empty & breathing & !capturing
    }

    /// Whether one point is legal: the same rule looked at from that point, much cheaper than [`NoGo::legal`].
    fn is_legal(&self, mine: u128, theirs: u128, point: usize) -> bool {
        let around = self.around[point];
        let others = self.board & !mine & !theirs & !(1 << point);
        // Whether every chain of `stones` that touches the point has a liberty elsewhere; or any of them, if `any`.
        let alive = |stones: u128, any: bool| {
            let mut seeds = around & stones;
            while seeds != 0 {
                let chain = self.chain(1 << seeds.first(), stones);
                if (self.neighbours(chain) & others != 0) == any {
                    return any;
                }
                seeds &= !chain;
            }
            !any
        };
        (around & others != 0 || alive(mine, true)) && alive(theirs, false)
    }

    /// The mover's stones and the opponent's.
    #[inline]
    fn sides(&self, state: &State) -> [u128; 2] {
        let mover = state.turn.index();
        [state.stones[mover], state.stones[1 - mover]]
    }

    fn glyph(&self, state: &State, point: usize) -> char {
        match state.stones.map(|stones| stones.has(point)) {
            [true, _] => 'X',
            [_, true] => 'O',
            _ => '.',
        }
    }
}

impl Game for NoGo {
    type State = State;
    /// The point.
    type Move = u8;

    fn start(&self) -> State {
        State { stones: [0, 0], turn: Player::FIRST }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<u8>) {
        list.extend(self.legal(state).cells().map(|point| point as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, point: u8) {
        state.stones[state.turn.index()] |= 1 << point;
        state.turn = state.turn.other();
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }

    fn key(&self, state: &State) -> u64 {
        colours::key(state.stones, state.turn)
    }

    fn canonicalize(&self, state: &mut State) {
        state.stones = self.symmetry.least(state.stones);
    }

    fn count_moves(&self, state: &State, _: &mut Vec<u8>) -> usize {
        self.legal(state).count()
    }

    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        // Draw empty points until one is legal: a look at one point costs far less than listing them all.
        let [mine, theirs] = self.sides(state);
        let mut left = self.board & !mine & !theirs;
        while left != 0 {
            let point = rng.below(self.grid.cells());
            if left.has(point) {
                if self.is_legal(mine, theirs, point) {
                    return Some(point as u8);
                }
                left ^= 1 << point;
            }
        }
        None
    }
}

impl Progressive for NoGo {}
impl Hints for NoGo {
    /// The winner of a sum of small parts, by their values.
    fn static_outcome(&self, state: &State) -> Option<Outcome> {
        self.parts.winner(self, state).map(Outcome::win)
    }

    fn patterns(&self) -> Option<&dyn Patterns<State = State, Move = u8>> {
        Some(self)
    }

    /// Every point is empty or has a stone of either side, and either may be to move.
    fn states(&self) -> Option<f64> {
        Some(self.grid.cells() as f64 * 3f64.log10() + 2f64.log10())
    }
}

impl Notation for NoGo {
    const HOW: &'static str = "A move is a point, c2 (columns a…, rows from 1 at the bottom). A position is its rows from \
        the top, X for the first player's stones, O for the second's, . for empty, and the player to move, x or o: ..O/.X. x";

    fn write_move(&self, _: &State, point: u8) -> String {
        self.grid.name(point as usize)
    }

    fn write(&self, state: &State) -> String {
        let board = self.grid.write(|point| self.glyph(state, point));
        format!("{board} {}", if state.turn == Player::FIRST { 'x' } else { 'o' })
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let (board, turn) = match text.trim().rsplit_once(' ') {
            Some((board, "x")) => (board, Player::FIRST),
            Some((board, "o")) => (board, Player::SECOND),
            _ => {
                return Err(NotationError::position(
                    "expected the board, a blank, and x or o for the side to move",
                ));
            }
        };
        let mut stones = [0; 2];
        for (point, glyph) in self.grid.read(board.trim(), ".XO")?.into_iter().enumerate() {
            if glyph > 0 {
                stones[glyph - 1] |= 1 << point;
            }
        }
        let empty = self.board & !stones[0] & !stones[1];
        for (chain, liberties) in stones.iter().flat_map(|&set| self.chains(set, empty)) {
            if liberties == 0 {
                let name = self.grid.name(chain.first());
                return Err(NotationError::position(format!("the chain of {name} has no liberty")));
            }
        }
        Ok(State { stones, turn })
    }

    fn picture(&self, state: &State) -> Picture {
        let board = self.grid.picture(|point| self.glyph(state, point)).tiled(Tiling::Crossings);
        board.note(format!("{} to move", if state.turn == Player::FIRST { 'X' } else { 'O' }))
    }
}

impl Patterns for NoGo {
    /// Own stones, the other's, and the edge, as the asking player sees them.
    fn surroundings(&self, before: &State, point: u8, _: &State, player: Player) -> Surroundings {
        let Grid { rows, cols } = self.grid;
        let [mine, theirs] = [player, player.other()].map(|who| before.stones[who.index()]);
        let place = (usize::from(point) / cols, usize::from(point) % cols);
        let cells = around(place, (rows, cols), 3, |row, col| {
            let point = self.grid.cell(row, col);
            u8::from(mine.has(point)) + 2 * u8::from(theirs.has(point))
        });
        Surroundings { cells, context: 0 }
    }
}

impl Family for NoGo {
    const INFO: Info = Info {
        usage: "nogo[:ROWSxCOLS]",
        about: "Go without captures: capturing and suicide are illegal; a player who cannot move loses",
        rules: "N. McKay 2010, BIRS workshop 2011; Saffidine and Cazenave, Developments on Product Propagation, §4.3",
    };

    const FACTS: Facts = Facts {
        parameters: &[("4x4", "rows and columns, at most 128 points")],
        symmetries: BOARD_SYMMETRIES,
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<NoGo, SpecError> {
        let Grid { rows, cols } = Grid::take(spec, "4x4", 128)?;
        Ok(NoGo::new(rows, cols))
    }

    fn spec(&self) -> String {
        format!("nogo:{}x{}", self.grid.rows, self.grid.cols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::conformance;

    #[test]
    fn all_shapes_conform() {
        for (rows, cols) in [(1, 1), (1, 18), (18, 1), (3, 4), (9, 9), (8, 16), (1, 128)] {
            conformance::check(&NoGo::new(rows, cols));
        }
    }

    #[test]
    fn both_legality_tests_agree() {
        for (rows, cols) in [(1, 9), (4, 4), (9, 9), (11, 11)] {
            let game = NoGo::new(rows, cols);
            for seed in 0..40 {
                let (mut rng, mut state) = (Rng::new(seed), game.start());
                while let Some(point) = game.random_move(&state, &mut rng, &mut Vec::new()) {
                    let [mine, theirs] = game.sides(&state);
                    let empty = game.board & !mine & !theirs;
                    let one_by_one = empty
                        .cells()
                        .filter(|&p| game.is_legal(mine, theirs, p))
                        .fold(0, |set, p| set | 1u128 << p);
                    assert_eq!(one_by_one, game.legal(&state), "{}", game.picture(&state));
                    game.play(&mut state, point);
                }
            }
        }
    }

    #[test]
    fn suicide_and_capture_are_illegal() {
        let game = NoGo::new(2, 2);
        let state = game.read(".O/O. x").unwrap();
        assert_eq!(game.legal(&state), 0, "both corners are suicide");
        let state = game.read("XO/.O x").unwrap();
        assert_eq!(game.legal(&state), 0, "the last point would capture");
        assert!(game.read("XO/OO x").is_err());
    }
}
