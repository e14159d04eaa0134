//! Positions given on the command line.

use crate::Failure;
use crate::args::Where;
use delphic_engine::{AnyGame, AnyPosition, InputError, NotationError, game};

/// A game and one of its positions.
pub(crate) type Opened = (Box<dyn AnyGame>, Box<dyn AnyPosition>);

/// The game and the position that the arguments name.
pub(crate) fn at(at: &Where) -> Result<Opened, Failure> {
    open(&at.game, at.position.as_deref(), at.moves.as_deref())
}

/// The same from single arguments.
pub(crate) fn open(spec: &str, text: Option<&str>, moves: Option<&str>) -> Result<Opened, Failure> {
    let game = game(spec)?;
    let position = read(&*game, text, moves)?;
    Ok((game, position))
}

/// A position of `game`. If the text is neither a position nor a list of moves, the error explains both notations.
pub(crate) fn read(
    game: &dyn AnyGame,
    text: Option<&str>,
    moves: Option<&str>,
) -> Result<Box<dyn AnyPosition>, Failure> {
    let error = match game.position(text, moves) {
        Ok(position) => return Ok(position),
        Err(error) => error,
    };
    // If the text alone fails too, the error is about the text and not about `moves`.
    let (Some(text), InputError::Notation(NotationError::Position(reason))) = (text, &error) else {
        return Err(error.into());
    };
    match game.position(None, Some(text)) {
        Err(InputError::Notation(NotationError::Move { expected, .. })) => Err(Failure::Usage(format!(
            "'{text}' is neither a position ({reason}) nor a list of moves ({expected})"
        ))),
        _ => Err(error.into()),
    }
}

/// Whether a line of a list of positions is blank or a comment. Some boards begin with `#`, so a comment is `#` and a
/// space.
pub(crate) fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line == "#" || line.starts_with("# ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_boards_are_told_apart() {
        for (line, comment) in
            [("", true), ("  ", true), ("#", true), ("# a note", true), ("#./..", false), ("4455", false)]
        {
            assert_eq!(is_comment(line), comment, "{line}");
        }
    }
}
