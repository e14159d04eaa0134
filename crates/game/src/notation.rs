//! Positions and moves as text.

use crate::picture::{Picture, Tiling};
use crate::{Game, result};
use thiserror::Error;

/// An error in a position or move given as text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotationError {
    /// The text is not a position in the game's notation.
    #[error("malformed position: {0}")]
    Position(String),
    /// A move list with an illegal move.
    #[error("ply {ply}: '{found}' is not a legal move here; {expected}")]
    Move {
        /// Counted from 1.
        ply: usize,
        /// The text at fault.
        found: String,
        /// The legal moves there.
        expected: String,
    },
}

impl NotationError {
    /// A position error.
    pub fn position(reason: impl Into<String>) -> NotationError {
        NotationError::Position(reason.into())
    }
}

/// Text for positions and moves: writing and reading.
pub trait Notation: Game {
    /// The notation of positions and moves, in a sentence or two for the user. The text after the last `: ` is an example of a position.
    const HOW: &'static str;

    /// A move as text without blanks or commas; different legal moves of a position have different texts.
    fn write_move(&self, state: &Self::State, mv: Self::Move) -> String;

    /// A position as one line that [`read`](Notation::read) turns back into an equal state.
    fn write(&self, state: &Self::State) -> String;

    /// Reads what [`write`](Notation::write) writes, and refuses everything that is not a position of the game.
    fn read(&self, text: &str) -> Result<Self::State, NotationError>;

    /// The position as a picture. By default only its text.
    fn picture(&self, state: &Self::State) -> Picture {
        Picture::new(Tiling::Bare).note(self.write(state))
    }
}

/// Characters of a word that an error message shows at most.
const WORD: usize = 20;

/// A line of play, given by move numbers, as text. It ends at the first number that is not that of a legal move.
pub fn write_numbered<G: Notation>(game: &G, state: &G::State, line: &[u16]) -> Vec<String> {
    let (mut state, mut moves) = (state.clone(), Vec::new());
    let step = |&nth: &u16| {
        moves.clear();
        game.moves(&state, &mut moves);
        let mv = *moves.get(usize::from(nth))?;
        let text = game.write_move(&state, mv);
        game.play(&mut state, mv);
        Some(text)
    };
    line.iter().map_while(step).collect()
}

/// The moves of a list such as `4455`, `a1 b2` or `a1,b2`, played one after the other from `state`.
///
/// Where no blank or comma separates two moves, the longest legal move that fits is taken.
///
/// ```
/// use delphic_game::random_tree::RandomTree;
/// use delphic_game::{Game, read_moves, write_moves};
///
/// let game = RandomTree { seed: 1, depth: 4, width: 3, span: 1, players: 2 };
/// let mut legal = Vec::new();
/// game.moves(&game.start(), &mut legal);
/// let text = write_moves(&game, &game.start(), &legal[..1]).join(" ");
/// assert_eq!(read_moves(&game, &game.start(), &text)?, legal[..1]);
/// assert!(read_moves(&game, &game.start(), "castle").is_err());
/// # Ok::<(), delphic_game::NotationError>(())
/// ```
pub fn read_moves<G: Notation>(
    game: &G,
    state: &G::State,
    text: &str,
) -> Result<Vec<G::Move>, NotationError> {
    let mut state = state.clone();
    let mut line = Vec::new();
    let mut legal = Vec::new();
    let separator = |c: char| c.is_whitespace() || c == ',';
    let mut rest = text.trim_start_matches(separator);
    // In a list without separators, such as 4455, the word continues after the illegal move: only the length of a move is quoted.
    let mut longest = WORD;
    while !rest.is_empty() {
        let error = |expected: String| {
            let word: String = rest.chars().take_while(|&c| !separator(c)).take(longest).collect();
            NotationError::Move { ply: line.len() + 1, found: word, expected }
        };
        if result(game, &state, &mut legal).is_some() {
            return Err(error("the game is over".to_owned()));
        }
        legal.clear();
        game.moves(&state, &mut legal);
        let fits =
            |mv: &G::Move| Some(game.write_move(&state, *mv)).filter(|text| rest.starts_with(text.as_str()));
        let best =
            legal.iter().filter_map(|mv| fits(mv).map(|text| (text.len(), *mv))).max_by_key(|(len, _)| *len);
        let Some((len, mv)) = best else {
            let some: Vec<String> = legal.iter().take(12).map(|&mv| game.write_move(&state, mv)).collect();
            let more = if legal.len() > some.len() { " …" } else { "" };
            return Err(error(format!("legal: {}{more}", some.join(" "))));
        };
        game.play(&mut state, mv);
        line.push(mv);
        longest = if rest[len..].starts_with(separator) { WORD } else { len };
        rest = rest[len..].trim_start_matches(separator);
    }
    Ok(line)
}

/// The position after a move list.
pub fn play_all<G: Game>(game: &G, state: &G::State, moves: &[G::Move]) -> G::State {
    let mut state = state.clone();
    for &mv in moves {
        game.play(&mut state, mv);
    }
    state
}

/// The texts of the moves of a line of play from `state`.
pub fn write_moves<G: Notation>(game: &G, state: &G::State, moves: &[G::Move]) -> Vec<String> {
    let mut state = state.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        texts.push(game.write_move(&state, mv));
        game.play(&mut state, mv);
    }
    texts
}
