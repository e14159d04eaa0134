//! Ultimate tic-tac-toe: nine small boards; three won boards in a row win.
//!
//! Rules: folklore, as in OpenSpiel. The cell of a stone in its small board decides in which small board the next player
//! must play; if that one is finished (won or full), any other that is not. All boards finished without a row of
//! won ones are a draw; won boards are not counted.

use crate::kit::colours::{self, GLYPHS, mover};
use crate::{BOARD_SYMMETRIES, Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError,
    bits::Bits,
    grid::Grid,
    picture::{Picture, Style},
};

const SMALL: Grid = Grid { rows: 3, cols: 3 };
const WHOLE: Grid = Grid { rows: 9, cols: 9 };
const FULL: u16 = 0b1_1111_1111;
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];
/// The number of no board: the next player may choose.
const ANY: u8 = 9;

/// The rules: tables over the 512 sets of nine cells. A cell is bit `row * 3 + column`, rows from the top.
#[derive(Clone, Debug)]
pub struct Ultimate {
    wins: Vec<bool>,
    /// The image of each set under each symmetry of a square.
    images: Vec<[u16; 512]>,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    /// The stones of each player in each small board.
    stones: [[u16; 9]; 2],
    /// The small boards each player has won, as a set of nine.
    won: [u16; 2],
    /// The small boards that are won or full.
    finished: u16,
    /// Where to play, or [`ANY`].
    next: u8,
    turn: Player,
}

impl Ultimate {
    /// The tables.
    pub fn new() -> Ultimate {
        let wins = (0..512u16).map(|set| LINES.iter().any(|line| set & line == *line)).collect();
        let image =
            |set: usize, which| (set as u64).cells().fold(0, |out, cell| out | 1 << SMALL.image(cell, which));
        let images = (0..SMALL.symmetries()).map(|which| std::array::from_fn(|set| image(set, which)));
        Ultimate { wins, images: images.collect() }
    }

    /// The small boards one may play in.
    #[inline]
    fn open(&self, state: &State) -> u16 {
        if state.next == ANY { FULL & !state.finished } else { 1 << state.next }
    }

    #[inline]
    fn empty(&self, state: &State, board: usize) -> u16 {
        FULL & !(state.stones[0][board] | state.stones[1][board])
    }

    /// Notes that a stone of `player` came to `board`: whether it is won or full now.
    #[inline]
    fn settle(&self, state: &mut State, board: usize, player: Player) {
        if self.wins[state.stones[player.index()][board] as usize] {
            state.won[player.index()] |= 1 << board;
            state.finished |= 1 << board;
        } else if self.empty(state, board) == 0 {
            state.finished |= 1 << board;
        }
    }

    fn image(&self, state: &State, which: usize) -> State {
        let images = &self.images[which];
        let set = |set: u16| images[set as usize];
        let mut image = State {
            won: state.won.map(set),
            finished: set(state.finished),
            next: if state.next == ANY { ANY } else { SMALL.image(state.next as usize, which) as u8 },
            ..*state
        };
        for board in 0..9 {
            for player in 0..2 {
                image.stones[player][SMALL.image(board, which)] = set(state.stones[player][board]);
            }
        }
        image
    }

    fn glyph(&self, state: &State, cell: usize) -> char {
        let (board, inner) = locate(cell);
        match state.stones.map(|boards| boards[board] >> inner & 1 == 1) {
            [true, _] => 'X',
            [_, true] => 'O',
            _ => '.',
        }
    }
}

/// The small board and the cell in it of a cell of the whole board.
fn locate(cell: usize) -> (usize, usize) {
    let (row, col) = (cell / 9, cell % 9);
    (SMALL.cell(row / 3, col / 3), SMALL.cell(row % 3, col % 3))
}

impl Default for Ultimate {
    fn default() -> Ultimate {
        Ultimate::new()
    }
}

impl Game for Ultimate {
    type State = State;
    /// The small board times nine plus the cell in it.
    type Move = u8;

    fn start(&self) -> State {
        State { stones: [[0; 9]; 2], won: [0; 2], finished: 0, next: ANY, turn: Player::FIRST }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn moves(&self, state: &State, list: &mut Vec<u8>) {
        for board in u64::from(self.open(state)).cells() {
            let empty = u64::from(self.empty(state, board));
            list.extend(empty.cells().map(|cell| (board * 9 + cell) as u8));
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: u8) {
        let (board, cell) = (mv as usize / 9, mv as usize % 9);
        state.stones[state.turn.index()][board] |= 1 << cell;
        self.settle(state, board, state.turn);
        state.next = if state.finished >> cell & 1 == 1 { ANY } else { cell as u8 };
        state.turn = state.turn.other();
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let last = state.turn.other();
        if self.wins[state.won[last.index()] as usize] {
            return Some(Outcome::win(last));
        }
        (state.finished == FULL).then_some(Outcome::DRAW)
    }

    fn canonicalize(&self, state: &mut State) {
        *state = (1..SMALL.symmetries()).map(|which| self.image(state, which)).fold(*state, Ord::min);
    }

    #[inline]
    fn count_moves(&self, state: &State, _: &mut Vec<u8>) -> usize {
        let open = u64::from(self.open(state));
        open.cells().map(|board| self.empty(state, board).count_ones() as usize).sum()
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        if state.next != ANY {
            let board = state.next as usize;
            let empty = u64::from(self.empty(state, board));
            return Some((board * 9 + empty.nth(rng.below(empty.count()))) as u8);
        }
        let open = self.open(state);
        loop {
            let draw = rng.below(81);
            if open >> (draw / 9) & 1 == 1 && self.empty(state, draw / 9) >> (draw % 9) & 1 == 1 {
                return Some(draw as u8);
            }
        }
    }
}

impl Progressive for Ultimate {}
impl Hints for Ultimate {}

impl Notation for Ultimate {
    const HOW: &'static str = "A move is the number of the small board and the number of the cell in it, both from 0, row by row from the \
        top left: 48 is the lower right cell of the board in the middle. A position is its nine rows from the top, X for the first player's \
        stones, O for the second's, . for empty, and the number of the board to play in or - for any: \
        ........./........./........./........./........./.....X.../........./........./......... 8";

    fn write_move(&self, _: &State, mv: u8) -> String {
        format!("{}{}", mv / 9, mv % 9)
    }

    fn write(&self, state: &State) -> String {
        let board = WHOLE.write(|cell| self.glyph(state, cell));
        let next = if state.next == ANY { "-".to_owned() } else { state.next.to_string() };
        format!("{board} {next}")
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let error = |reason: &str| NotationError::position(reason);
        let expected = "expected the board, a blank, and the number of a small board from 0 to 8 or -";
        let (board, next) = text.trim().rsplit_once(' ').ok_or_else(|| error(expected))?;
        let mut state = self.start();
        let sets: [u128; 2] = colours::read(WHOLE, board.trim(), |cell| {
            let (board, inner) = locate(cell);
            board * 9 + inner
        })?;
        state.turn = mover(&sets)?;
        state.stones = sets.map(|set| std::array::from_fn(|board| (set >> (9 * board)) as u16 & FULL));
        for board in 0..9 {
            self.settle(&mut state, board, Player::FIRST);
            self.settle(&mut state, board, Player::SECOND);
        }
        if state.won[0] & state.won[1] != 0 {
            return Err(error("both players have a row in the same small board"));
        }
        if self.wins[state.won[state.turn.index()] as usize] {
            return Err(error("the side to move has already won"));
        }
        state.next = match next.parse() {
            Ok(board @ 0..9) if state.finished >> board & 1 == 0 => board,
            Ok(0..9) => return Err(error("the board to play in is finished")),
            // After a stone there is a choice only if the board it points to is finished.
            _ if next == "-" && (sets == [0, 0] || state.finished != 0) => ANY,
            _ if next == "-" => return Err(error("no board is finished, so one must be named")),
            _ => return Err(error(expected)),
        };
        Ok(state)
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = WHOLE.picture(|cell| self.glyph(state, cell)).parted(3).styled(Style::Signs);
        // Moves are named by numbers, so letters and ranks would mislead.
        picture.spots.truncate(81);
        for (cell, spot) in picture.spots.iter_mut().enumerate() {
            let won = |player: &Player| state.won[player.index()] >> locate(cell).0 & 1 != 0;
            spot.owner = [Player::FIRST, Player::SECOND].into_iter().find(won);
        }
        let next = if state.next == ANY { "any board".to_owned() } else { format!("board {}", state.next) };
        picture.note(format!("{} to move in {next}", GLYPHS[state.turn.index()]))
    }
}

impl Family for Ultimate {
    const INFO: Info = Info {
        usage: "ultimate",
        about: "tic-tac-toe of nine tic-tac-toe boards; the cell of a stone determines the board of the next move",
        rules: "folklore; details as in OpenSpiel",
    };

    const FACTS: Facts = Facts { symmetries: BOARD_SYMMETRIES, ..Facts::PLAIN };

    fn build(_: &mut Spec) -> Result<Ultimate, SpecError> {
        Ok(Ultimate::new())
    }

    fn spec(&self) -> String {
        "ultimate".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{play_all, read_moves};

    #[test]
    fn a_finished_board_gives_the_choice() {
        let game = Ultimate::new();
        let after = |line| play_all(&game, &game.start(), &read_moves(&game, &game.start(), line).unwrap());
        assert_eq!(game.count_moves(&after("44"), &mut Vec::new()), 8);
        let won = after("40 04 42 24 41 14");
        assert_eq!((won.won, won.next), ([1 << 4, 0], ANY));
        assert_eq!(
            game.count_moves(&won, &mut Vec::new()),
            81 - 9 - 3,
            "all empty cells but those of board 4"
        );
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Ultimate::new();
        let empty = ["........."; 9].join("/");
        for bad in ["", &empty, &format!("{empty} 9"), &format!("{empty} x"), &empty.replacen("..", "XX", 1)]
        {
            assert!(game.read(bad).is_err(), "{bad}");
        }
        assert!(game.read(&format!("{} -", empty.replacen('.', "X", 1))).is_err());
    }
}
