//! Toads and Frogs (Berlekamp, Conway and Guy, Winning Ways, chapter 1): a user-defined game with its own command line.
//!
//! Toads move to the right and frogs to the left: to the next cell if it is empty, or over one piece of the other kind to the
//! empty cell behind it. A player who cannot move loses.

use delphic::{Game, Hints, Notation, NotationError, Player, Progressive};

/// The row at the start: toads `T`, frogs `F`, empty cells `.`.
#[derive(Clone)]
struct ToadsAndFrogs<const N: usize>([u8; N]);

/// Where the piece in cell `from` can go.
fn target(row: &[u8], from: usize) -> Option<usize> {
    let (step, other) = if row[from] == b'T' { (1, b'F') } else { (-1, b'T') };
    let cell = |distance: isize| from.checked_add_signed(step * distance).filter(|&cell| cell < row.len());
    let next = cell(1)?;
    if row[next] == b'.' { Some(next) } else { cell(2).filter(|&to| row[next] == other && row[to] == b'.') }
}

impl<const N: usize> Game for ToadsAndFrogs<N> {
    type State = ([u8; N], Player);
    type Move = usize;

    fn start(&self) -> Self::State {
        (self.0, Player::FIRST)
    }

    fn turn(&self, state: &Self::State) -> Player {
        state.1
    }

    fn moves(&self, (row, turn): &Self::State, list: &mut Vec<usize>) {
        let own = if *turn == Player::FIRST { b'T' } else { b'F' };
        list.extend((0..N).filter(|&from| row[from] == own && target(row, from).is_some()));
    }

    fn play(&self, (row, turn): &mut Self::State, from: usize) {
        let to = target(row, from).expect("a legal move");
        row.swap(from, to);
        *turn = turn.other();
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }
}

impl<const N: usize> Hints for ToadsAndFrogs<N> {}
// Pieces never go back, so no position can be repeated.
impl<const N: usize> Progressive for ToadsAndFrogs<N> {}

impl<const N: usize> Notation for ToadsAndFrogs<N> {
    const HOW: &'static str =
        "The row and the side to move, as in TT..FF T; a move is the number of a piece's cell.";
    fn write_move(&self, _: &Self::State, from: usize) -> String {
        (from + 1).to_string()
    }

    fn write(&self, (row, turn): &Self::State) -> String {
        format!("{} {}", row.escape_ascii(), if *turn == Player::FIRST { 'T' } else { 'F' })
    }

    fn read(&self, text: &str) -> Result<Self::State, NotationError> {
        let count = |row: &[u8; N]| [b'T', b'F', b'.'].map(|kind| row.iter().filter(|&&c| c == kind).count());
        let row = text.as_bytes().first_chunk().filter(|row| count(row) == count(&self.0));
        let mut states = row.into_iter().flat_map(|row| [(*row, Player::FIRST), (*row, Player::SECOND)]);
        let error = || NotationError::position(format!("'{text}'; expected {}", self.write(&self.start())));
        states.find(|state| self.write(state) == text).ok_or_else(error)
    }
}

fn main() -> std::process::ExitCode {
    delphic::cli::main_with("toads", ToadsAndFrogs(*b"TTTT...FFFF"))
}

#[test]
fn the_rules_pass_the_suite_of_all_games() {
    delphic::conformance::check(&ToadsAndFrogs(*b"TT..FF"));
}
