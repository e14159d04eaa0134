//! NoGo: place a stone so that every chain on the board keeps a liberty; a player who cannot move loses.
//!
//! Rules: BIRS workshop on combinatorial game theory 2011 ("Anti Atari Go", Neil McKay 2010); paper 2, §4.3.

mod board;
mod parts;

use crate::kit::colours;
use crate::kit::symmetry::Symmetry;
use crate::{BOARD_SYMMETRIES, Facts, Family, Info};
use board::Board;
use delphic_game::{
    Appraisal, Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError,
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
    board: Words,
    symmetry: Symmetry,
    parts: PartTable<Part>,
}

/// The board in words of 64 bits, if these are enough.
#[derive(Clone, Debug)]
enum Words {
    Small(Board<u64>),
    Large(Board<u128>),
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
        let board =
            if grid.cells() <= 64 { Words::Small(Board::new(grid)) } else { Words::Large(Board::new(grid)) };
        NoGo { grid, board, symmetry: Symmetry::of(grid), parts: PartTable::default() }
    }

    /// All legal points at once.
    fn legal(&self, state: &State) -> u128 {
        let sides = self.sides(state);
        match &self.board {
            Words::Small(board) => board.legal(sides.map(Bits::low)).into(),
            Words::Large(board) => board.legal(sides),
        }
    }

    /// Whether a point is legal for the player to move.
    fn is_legal(&self, state: &State, point: usize) -> bool {
        let sides = self.sides(state);
        match &self.board {
            Words::Small(board) => board.is_legal(sides.map(Bits::low), point),
            Words::Large(board) => board.is_legal(sides, point),
        }
    }

    /// A point of a chain without a liberty, if there is one.
    fn captured(&self, stones: [u128; 2]) -> Option<usize> {
        let board = Board::<u128>::new(self.grid);
        let mut chains = stones.iter().flat_map(|&set| board.chains(set, !stones[0] & !stones[1]));
        chains.find(|(_, liberties)| *liberties == 0).map(|(chain, _)| chain.first())
    }

    fn empty(&self, state: &State) -> u128 {
        (u128::MAX >> (128 - self.grid.cells())) & !state.stones[0] & !state.stones[1]
    }

    /// The winner of a position whose parts are small; otherwise the chance of the player to move. Both need the liberties of all chains.
    fn judge<B: Bits>(&self, board: &Board<B>, stones: [B; 2], turn: Player) -> Appraisal {
        let liberties = board.liberties(stones);
        let mut parts = Vec::new();
        if board.parts(stones, &liberties, &mut parts)
            && let Some(winner) = self.parts.winner_of(self, turn, &parts)
        {
            return Appraisal::Exact(Outcome::win(winner));
        }
        Appraisal::Open(Some(board.chance(stones, &liberties, turn)))
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
        let mut left = self.empty(state);
        while left != 0 {
            let point = rng.below(self.grid.cells());
            if left.has(point) {
                if self.is_legal(state, point) {
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
    /// From the legal points of the player to move and the liberties of both sides.
    fn evaluate(&self, state: &State, player: Player) -> Option<f64> {
        let chance = match &self.board {
            Words::Small(board) => {
                let stones = state.stones.map(Bits::low);
                board.chance(stones, &board.liberties(stones), state.turn)
            }
            Words::Large(board) => board.chance(state.stones, &board.liberties(state.stones), state.turn),
        };
        Some(if player == state.turn { chance } else { 1.0 - chance })
    }

    /// The winner of a sum of small parts, by their values.
    fn static_outcome(&self, state: &State) -> Option<Outcome> {
        self.parts.winner(self, state).map(Outcome::win)
    }

    fn appraise(&self, state: &State, player: Player) -> Appraisal {
        let appraisal = match &self.board {
            Words::Small(board) => self.judge(board, state.stones.map(Bits::low), state.turn),
            Words::Large(board) => self.judge(board, state.stones, state.turn),
        };
        match appraisal {
            Appraisal::Open(Some(chance)) if player != state.turn => Appraisal::Open(Some(1.0 - chance)),
            other => other,
        }
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
        if let Some(point) = self.captured(stones) {
            let name = self.grid.name(point);
            return Err(NotationError::position(format!("the chain of {name} has no liberty")));
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
                    let one_by_one = game
                        .empty(&state)
                        .cells()
                        .filter(|&p| game.is_legal(&state, p))
                        .fold(0, |set, p| set | 1u128 << p);
                    assert_eq!(one_by_one, game.legal(&state), "{}", game.picture(&state));
                    game.play(&mut state, point);
                }
            }
        }
    }

    #[test]
    fn words_of_both_sizes_agree() {
        for (rows, cols) in [(1, 9), (1, 64), (4, 5), (5, 4), (8, 8)] {
            let grid = Grid { rows, cols };
            let (game, small, large) =
                (NoGo::new(rows, cols), Board::<u64>::new(grid), Board::<u128>::new(grid));
            for seed in 0..40 {
                let (mut rng, mut state) = (Rng::new(seed), game.start());
                while let Some(point) = game.random_move(&state, &mut rng, &mut Vec::new()) {
                    game.play(&mut state, point);
                    let (low, all) = (state.stones.map(Bits::low), state.stones);
                    let (narrow, wide) = (small.liberties(low), large.liberties(all));
                    let mut parts = [Vec::new(), Vec::new()];
                    let split =
                        [small.parts(low, &narrow, &mut parts[0]), large.parts(all, &wide, &mut parts[1])];
                    assert!(split[0] == split[1] && parts[0] == parts[1], "{}", game.picture(&state));
                    for turn in [Player::FIRST, Player::SECOND] {
                        assert_eq!(u128::from(narrow.legal(turn.index())), wide.legal(turn.index()));
                        let mover_first = if turn == Player::FIRST { all } else { [all[1], all[0]] };
                        assert_eq!(large.legal(mover_first), wide.legal(turn.index()));
                        let chances = [small.chance(low, &narrow, turn), large.chance(all, &wide, turn)];
                        assert!(chances[0] == chances[1] && (0.0..1.0).contains(&chances[0]), "{chances:?}");
                    }
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
