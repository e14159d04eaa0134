//! Pentago: place a stone on a board of four quadrants, then twist a quadrant by a quarter; five in a row win.
//!
//! Rules: Tomas Flodén 2005. A move here is the whole turn. As in Ludii, a stone that makes five wins at once and nothing is
//! twisted; with `always` the twist is never left out and only the board after it counts, as in OpenSpiel. Five for
//! both after a twist are a draw, five for the opponent alone are a loss, and a full board without five is a draw.

use crate::kit::colours::{self, glyph, mover, winning_shape};
use crate::{BOARD_SYMMETRIES, Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError, bits::Bits,
    grid::Grid, mix, picture::Picture,
};

const GRID: Grid = Grid { rows: 6, cols: 6 };
/// Rows are one bit wider than the board, so that lines do not wrap.
const STRIDE: usize = 7;
const BOARD: u64 = {
    let row = 0b11_1111;
    row | row << STRIDE
        | row << (2 * STRIDE)
        | row << (3 * STRIDE)
        | row << (4 * STRIDE)
        | row << (5 * STRIDE)
};
/// The top left bit of each quadrant and the name of its centre, in the order of the twists.
const QUADRANTS: [(usize, &str); 4] = [(3 * STRIDE, "b2"), (0, "b5"), (3 * STRIDE + 3, "e2"), (3, "e5")];
/// The twist number of no twist.
const NONE: u8 = 8;

/// The rules.
#[derive(Clone, Debug)]
pub struct Pentago {
    always: bool,
    /// The nine cells of a quadrant after a quarter turn to the left and to the right, for each set of them.
    turned: [Vec<u16>; 2],
}

/// A position: the stones of both players. Equally many mean that the first player moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    stones: [u64; 2],
}

/// A stone and a twist.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Turn {
    /// The bit of the cell.
    bit: u8,
    /// The quadrant times two, plus 1 for a turn to the right; or [`NONE`].
    twist: u8,
}

fn bit(cell: usize) -> usize {
    cell / 6 * STRIDE + cell % 6
}

fn cell(bit: usize) -> usize {
    GRID.cell(bit / STRIDE, bit % STRIDE)
}

#[inline]
fn wins(stones: u64) -> bool {
    let stride = STRIDE as u32;
    [1, stride, stride - 1, stride + 1].into_iter().any(|step| stones.has_line(step, 5))
}

impl Pentago {
    /// With `always`, a stone that makes five is followed by a twist as well.
    pub fn new(always: bool) -> Pentago {
        // Row r, column c goes to row 2−c, column r when turned to the left; rows count from the top.
        let left = |i: usize| (2 - i % 3) * 3 + i / 3;
        let right = |i: usize| i % 3 * 3 + 2 - i / 3;
        let table = |to: &dyn Fn(usize) -> usize| -> Vec<u16> {
            let image = |set: u64| set.cells().fold(0, |out, i| out | 1 << to(i));
            (0..512).map(image).collect()
        };
        Pentago { always, turned: [table(&left), table(&right)] }
    }

    #[inline]
    fn twisted(&self, stones: u64, twist: u8) -> u64 {
        let (corner, _) = QUADRANTS[twist as usize / 2];
        let rows = [corner, corner + STRIDE, corner + 2 * STRIDE];
        let nine = (0..3).fold(0, |nine, r| nine | (stones >> rows[r] & 7) << (3 * r));
        let turned = self.turned[twist as usize % 2][nine as usize] as u64;
        (0..3).fold(stones, |out, r| out & !(7 << rows[r]) | (turned >> (3 * r) & 7) << rows[r])
    }

    fn empty(&self, state: &State) -> u64 {
        BOARD & !(state.stones[0] | state.stones[1])
    }

    /// Whether a stone of the mover ends the game before the twist.
    #[inline]
    fn ends(&self, state: &State, bit: usize) -> bool {
        !self.always && wins(state.stones[self.turn(state).index()] | 1 << bit)
    }
}

impl Game for Pentago {
    type State = State;
    type Move = Turn;

    fn start(&self) -> State {
        State { stones: [0, 0] }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        Player::new((state.stones[0] | state.stones[1]).count() & 1)
    }

    fn moves(&self, state: &State, list: &mut Vec<Turn>) {
        for bit in self.empty(state).cells() {
            let twists = if self.ends(state, bit) { NONE..NONE + 1 } else { 0..8 };
            list.extend(twists.map(|twist| Turn { bit: bit as u8, twist }));
        }
    }

    #[inline]
    fn play(&self, state: &mut State, Turn { bit, twist }: Turn) {
        let mover = self.turn(state);
        state.stones[mover.index()] |= 1 << bit;
        if twist != NONE {
            state.stones = state.stones.map(|set| self.twisted(set, twist));
        }
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        match state.stones.map(wins) {
            [true, true] => Some(Outcome::DRAW),
            [true, false] => Some(Outcome::win(Player::FIRST)),
            [false, true] => Some(Outcome::win(Player::SECOND)),
            [false, false] => (self.empty(state) == 0).then_some(Outcome::DRAW),
        }
    }

    #[inline]
    fn key(&self, state: &State) -> u64 {
        mix(state.stones[0] ^ mix(state.stones[1]))
    }

    fn canonicalize(&self, state: &mut State) {
        let image = |which: usize| State {
            stones: state
                .stones
                .map(|set| set.cells().fold(0, |out, b| out | 1 << bit(GRID.image(cell(b), which)))),
        };
        *state = (1..GRID.symmetries()).map(image).fold(*state, Ord::min);
    }

    fn count_moves(&self, state: &State, _: &mut Vec<Turn>) -> usize {
        self.empty(state).cells().map(|bit| if self.ends(state, bit) { 1 } else { 8 }).sum()
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Turn>) -> Option<Turn> {
        let empty = self.empty(state);
        if empty == 0 {
            return None;
        }
        let count = empty.count();
        loop {
            let draw = rng.below(8 * count);
            let (bit, twist) = (empty.nth(draw / 8), (draw % 8) as u8);
            // A stone that ends the game is one move, not eight, so it is taken for one twist only.
            match (self.ends(state, bit), twist) {
                (false, _) => return Some(Turn { bit: bit as u8, twist }),
                (true, 0) => return Some(Turn { bit: bit as u8, twist: NONE }),
                _ => {}
            }
        }
    }
}

impl Progressive for Pentago {}
impl Hints for Pentago {}

impl Notation for Pentago {
    const HOW: &'static str = "A move is the cell of the stone (columns a to f, rows from 1 at the bottom) and, unless the stone wins, the \
        centre of the quadrant to twist with l for left or r for right: c4e2r. A position is its rows from the top, X for the first player's \
        stones, O for the second's, . for empty: ....../....../..X.../....../....O./......";

    fn write_move(&self, _: &State, Turn { bit, twist }: Turn) -> String {
        let place = GRID.name(cell(bit as usize));
        if twist == NONE {
            return place;
        }
        format!("{place}{}{}", QUADRANTS[twist as usize / 2].1, ['l', 'r'][twist as usize % 2])
    }

    fn write(&self, state: &State) -> String {
        GRID.write(|cell| glyph(&state.stones, bit(cell)))
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let stones = colours::read(GRID, text.trim(), bit)?;
        mover(&stones)?;
        Ok(State { stones })
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = GRID.picture(|cell| glyph(&state.stones, bit(cell))).parted(3);
        let shapes = state.stones.map(|stones| winning_shape(stones, wins));
        picture.mark_winning(|cell| shapes.iter().any(|shape| shape.has(bit(cell))));
        picture
    }
}

impl Family for Pentago {
    const INFO: Info = Info {
        usage: "pentago[:always]",
        about: "place a stone, then rotate a quadrant; five in a row win",
        rules: "T. Flodén 2005; details as in Ludii, with always as in OpenSpiel",
    };

    const FACTS: Facts = Facts {
        parameters: &[("always", "a quadrant is rotated even after a winning stone")],
        symmetries: BOARD_SYMMETRIES,
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<Pentago, SpecError> {
        Ok(Pentago::new(spec.flag("always")))
    }

    fn spec(&self) -> String {
        format!("pentago{}", if self.always { ":always" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{perft, play_all, read_moves};

    #[test]
    fn a_winning_stone_needs_no_twist() {
        let position = "XXX.X./OOO.../....../....../....../O.....";
        for (always, moves) in [(false, 8 * 27 + 1), (true, 8 * 28)] {
            let game = Pentago::new(always);
            let state = game.read(position).unwrap();
            assert_eq!(game.count_moves(&state, &mut Vec::new()), moves);
            assert_eq!(read_moves(&game, &state, "d6").is_ok(), !always);
        }
    }

    /// Ludii counts the stone and the twist as two plies: 36, 288, 10080, 80640, 2741760. Nobody can have five by then.
    #[test]
    fn lines_of_play() {
        let game = Pentago::new(false);
        for (turns, lines) in [(1, 8 * 36), (2, 8 * 10_080), (3, 8 * 2_741_760)] {
            assert_eq!(perft(&game, &game.start(), turns), lines);
        }
    }

    #[test]
    fn twists_go_round() {
        let game = Pentago::new(false);
        for twist in 0..8 {
            let there = game.twisted(BOARD / 3, twist);
            assert_eq!(game.twisted(there, twist ^ 1), BOARD / 3, "left and right undo each other");
        }
        let after = |line| {
            game.write(&play_all(&game, &game.start(), &read_moves(&game, &game.start(), line).unwrap()))
        };
        assert_eq!(after("a1b2r"), "....../....../....../X...../....../......");
        assert_eq!(after("a6b5l"), "....../....../X...../....../....../......");
        assert_eq!(after("e3e2l"), "....../....../....../....../...X../......");
    }
}
