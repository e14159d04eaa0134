//! Domineering: the first player places vertical dominoes, the second horizontal ones; a player who cannot move loses.
//!
//! Rules: Göran Andersson, about 1973; Gardner, Scientific American 230 (1974); paper 2, §4.2. Which domino covers a cell does
//! not matter for the rest of the game, so the state is the set of covered cells and the player to move. Most positions are decided
//! without search by bounds from combinatorial game theory (`bounds.rs`, `thermograph.rs`).

mod bounds;
mod rules;
mod siblings;
mod thermograph;
mod turn;
mod word;

use self::rules::Rules;
use crate::{Facts, Family, Info};
use delphic_game::{
    Appraisal, Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError,
    bits::Bits,
    grid::Grid,
    mix,
    patterns::{Patterns, Surroundings, around},
    picture::Picture,
};

/// Cells of the largest board: with the player to move they fill two words.
const CELLS: usize = 127;

/// Rules for one board size, at most 127 cells.
#[derive(Clone, Debug)]
pub struct Domineering {
    grid: Grid,
    rules: Words,
}

/// The rules in words of 64 bits, if these are enough.
#[derive(Clone, Debug)]
enum Words {
    Small(Rules<u64>),
    Large(Box<Rules<u128>>),
}

/// A position. Cell (row, column) is number `row * cols + column`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Which of the first 64 cells are covered.
    low: u64,
    /// Bit 0 is the player to move, bit `n` tells whether cell `63 + n` is covered.
    high: u64,
}

impl State {
    fn new(covered: u128, turn: Player) -> State {
        State { low: covered as u64, high: (covered >> 64) as u64 * 2 + turn.index() as u64 }
    }

    #[inline]
    fn covered(&self) -> u128 {
        u128::from(self.high >> 1) << 64 | u128::from(self.low)
    }

    #[inline]
    fn turn(&self) -> Player {
        if self.high & 1 == 0 { Player::FIRST } else { Player::SECOND }
    }
}

impl Domineering {
    /// A board of `rows` rows and `cols` columns, at most 127 cells.
    pub fn new(rows: usize, cols: usize) -> Domineering {
        let grid = Grid { rows, cols };
        if grid.cells() <= 64 {
            Domineering { grid, rules: Words::Small(Rules::new(grid)) }
        } else {
            Domineering::wide(grid)
        }
    }

    /// The game in words of 128 bits.
    fn wide(grid: Grid) -> Domineering {
        Domineering { grid, rules: Words::Large(Box::new(Rules::new(grid))) }
    }
}

// Searches inline the moves of small boards. Those of large boards are calls, which would double the code of every search otherwise. They take
// and return states by value: with the address of a state or a generator passed to them, random games on small boards could not keep it in
// registers, and took 15 % longer.
impl Rules<u128> {
    #[cold]
    #[inline(never)]
    fn list(&self, state: State, list: &mut Vec<u8>) {
        self.moves(state.covered(), state.turn(), list);
    }

    #[cold]
    #[inline(never)]
    fn count(&self, state: State) -> usize {
        self.places(state.covered(), state.turn()).count()
    }

    /// Move number `n`, counted from 0.
    #[cold]
    #[inline(never)]
    fn nth(&self, state: State, n: usize) -> u8 {
        self.places(state.covered(), state.turn()).nth(n) as u8
    }

    #[cold]
    #[inline(never)]
    fn after(&self, state: State, place: u8) -> State {
        let turn = state.turn();
        State::new(state.covered() | self.domino(place, turn), turn.other())
    }
}

impl Game for Domineering {
    type State = State;
    /// The upper or left cell of the domino.
    type Move = u8;

    fn start(&self) -> State {
        State::new(0, Player::FIRST)
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn()
    }

    #[inline]
    fn moves(&self, state: &State, list: &mut Vec<u8>) {
        match &self.rules {
            Words::Small(rules) => rules.moves(state.low, state.turn(), list),
            Words::Large(rules) => rules.list(*state, list),
        }
    }

    #[inline]
    fn play(&self, state: &mut State, place: u8) {
        match &self.rules {
            Words::Small(rules) => {
                state.low |= rules.domino(place, state.turn());
                state.high ^= 1;
            }
            Words::Large(rules) => *state = rules.after(*state, place),
        }
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }

    #[inline]
    fn key(&self, state: &State) -> u64 {
        mix(state.low ^ mix(state.high))
    }

    fn canonicalize(&self, state: &mut State) {
        match &self.rules {
            Words::Small(rules) => state.low = rules.canonical(state.low),
            Words::Large(rules) => *state = State::new(rules.canonical(state.covered()), state.turn()),
        }
    }

    #[inline]
    fn count_moves(&self, state: &State, _: &mut Vec<u8>) -> usize {
        match &self.rules {
            Words::Small(rules) => rules.places(state.low, state.turn()).count(),
            Words::Large(rules) => rules.count(*state),
        }
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        match &self.rules {
            Words::Small(rules) => {
                let places = rules.places(state.low, state.turn());
                if places.is_empty() { None } else { Some(places.nth(rng.below(places.count())) as u8) }
            }
            Words::Large(rules) => match rules.count(*state) {
                0 => None,
                count => Some(rules.nth(*state, rng.below(count))),
            },
        }
    }
}

impl Progressive for Domineering {}

impl Hints for Domineering {
    fn patterns(&self) -> Option<&dyn Patterns<State = State, Move = u8>> {
        Some(self)
    }

    /// From the midpoint of both players' bounds on the mean value, and the difference of the numbers of their possible dominoes.
    fn evaluate(&self, state: &State, player: Player) -> Option<f64> {
        Some(match &self.rules {
            Words::Small(rules) => rules.evaluate(state.low, player),
            Words::Large(rules) => rules.evaluate(state.covered(), player),
        })
    }

    fn static_outcome(&self, state: &State) -> Option<Outcome> {
        match self.appraise(state, state.turn()) {
            Appraisal::Exact(outcome) => Some(outcome),
            Appraisal::Open(_) => None,
        }
    }

    /// The bounds decide many positions long before the end; 7x8 and 8x7 are decided at the start.
    fn appraise(&self, state: &State, player: Player) -> Appraisal {
        match &self.rules {
            Words::Small(rules) => rules.appraise(state.low, state.turn(), player),
            Words::Large(rules) => rules.appraise(state.covered(), state.turn(), player),
        }
    }

    fn appraises_siblings(&self) -> bool {
        match &self.rules {
            Words::Small(rules) => rules.appraises_siblings(),
            Words::Large(rules) => rules.appraises_siblings(),
        }
    }

    fn appraise_children(&self, state: &State, moves: &[u8], list: &mut Vec<(usize, Appraisal)>) {
        match &self.rules {
            Words::Small(rules) => rules.appraise_children(state.low, state.turn(), moves, list),
            Words::Large(rules) => rules.appraise_children(state.covered(), state.turn(), moves, list),
        }
    }

    /// Upper bound: every cell is covered or free, and either side may be to move.
    fn states(&self) -> Option<f64> {
        Some((self.grid.cells() + 1) as f64 * 2f64.log10())
    }
}

impl Notation for Domineering {
    const HOW: &'static str = "A move names the two cells of the domino, a1+a2 (columns a…, rows from 1 at the bottom). \
        A position is its rows from the top, # covered, . free, and the player to move, v (vertical) or h: ../.#/.# h";

    fn write_move(&self, state: &State, place: u8) -> String {
        // The smaller name first: the lower cell of a vertical domino, the left one of a horizontal.
        let (place, vertical) = (usize::from(place), state.turn() == Player::FIRST);
        let step = if vertical { self.grid.cols } else { 1 };
        let [a, b] = [place, place + step].map(|cell| self.grid.name(cell));
        if vertical { format!("{b}+{a}") } else { format!("{a}+{b}") }
    }

    fn write(&self, state: &State) -> String {
        let covered = state.covered();
        let board = self.grid.write(|cell| if covered.has(cell) { '#' } else { '.' });
        format!("{board} {}", if state.turn() == Player::FIRST { 'v' } else { 'h' })
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let (board, turn) = match text.trim().rsplit_once(' ') {
            Some((board, "v")) => (board, Player::FIRST),
            Some((board, "h")) => (board, Player::SECOND),
            _ => {
                return Err(NotationError::position(
                    "expected the board, a blank, and v or h for the side to move",
                ));
            }
        };
        let cells = self.grid.read(board.trim(), ".#")?;
        let covered = cells
            .iter()
            .enumerate()
            .filter(|(_, glyph)| **glyph == 1)
            .fold(0, |set, (cell, _)| set | 1 << cell);
        Ok(State::new(covered, turn))
    }

    fn picture(&self, state: &State) -> Picture {
        let covered = state.covered();
        let board = self.grid.picture(|cell| if covered.has(cell) { '#' } else { '.' });
        board.note(format!(
            "{} to move",
            if state.turn() == Player::FIRST { "vertical" } else { "horizontal" }
        ))
    }
}

impl Patterns for Domineering {
    /// Covered cells and the edge around the upper or left cell of a domino. A domino of the other direction is another pattern, so mirrors
    /// count only as far as they keep that cell, which none does for both directions.
    fn surroundings(&self, before: &State, place: u8, _: &State, _: Player) -> Surroundings {
        let Grid { rows, cols } = self.grid;
        let centre = (usize::from(place) / cols, usize::from(place) % cols);
        let set = before.covered();
        let covered = |row, col| u8::from(set.has(self.grid.cell(row, col)));
        Surroundings { cells: around(centre, (rows, cols), 1, covered), context: before.turn().index() as u8 }
    }

    fn alike(&self) -> u8 {
        1
    }
}

impl Family for Domineering {
    const INFO: Info = Info {
        usage: "domineering[:ROWSxCOLS]",
        about: "place dominoes, vertical against horizontal; a player who cannot move loses",
        rules: "G. Andersson about 1973; Saffidine and Cazenave, Developments on Product Propagation, §4.2",
    };

    const FACTS: Facts = Facts {
        parameters: &[("6x6", "rows and columns, at most 127 cells")],
        symmetries: "both mirrors and the half turn",
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<Domineering, SpecError> {
        let Grid { rows, cols } = Grid::take(spec, "6x6", CELLS)?;
        Ok(Domineering::new(rows, cols))
    }

    fn spec(&self) -> String {
        format!("domineering:{}x{}", self.grid.rows, self.grid.cols)
    }
}

#[cfg(test)]
mod tests;
