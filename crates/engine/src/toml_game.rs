//! Game files: reads a game from a TOML file.

use crate::game::{Erase, described};
use crate::{AnyGame, InputError};
use delphic_game::Spec;
use delphic_game::adapters::Misere;
use delphic_games::{Described, Description, GameFile, build};
use std::fs::File;
use std::io::Read;

/// The maximum length of a game file.
const LONGEST: u64 = 1 << 20;

fn text(path: &str) -> Result<String, InputError> {
    let unreadable = |reason: String| InputError::Unreadable { path: path.to_owned(), reason };
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text));
    match read {
        Err(error) => Err(unreadable(error.to_string())),
        Ok(_) if text.len() as u64 > LONGEST => Err(unreadable("longer than a mebibyte".to_owned())),
        Ok(_) => Ok(text),
    }
}

/// The game described by the primitives in a file; `None` for other specs and files.
pub(crate) fn description(spec: &str) -> Result<Option<Misere<Described>>, InputError> {
    if !spec.ends_with(".toml") {
        return Ok(None);
    }
    let text = text(spec)?;
    if !Description::is_one(&text) {
        return Ok(None);
    }
    let wrong = |error| InputError::File { path: spec.to_owned(), error };
    let Description { game, misere: on, .. } = Description::read(&text).map_err(wrong)?;
    Ok(Some(Misere { game, on }))
}

/// The game that a file describes.
pub(crate) fn game(path: &str) -> Result<Box<dyn AnyGame>, InputError> {
    let text = text(path)?;
    let wrong = |error| InputError::File { path: path.to_owned(), error };
    if Description::is_one(&text) {
        // The path is the game's name, which takes one line in certificates and tables.
        if path.contains(char::is_control) {
            let reason = "the path of a game file must not contain a line break".to_owned();
            return Err(InputError::Unreadable { path: path.to_owned(), reason });
        }
        return Ok(described(path, Description::read(&text).map_err(wrong)?));
    }
    let file = GameFile::read(&text).map_err(wrong)?;
    let erase = Erase { title: file.title.clone(), start: file.start.clone() };
    let game = build(Spec::parse(&file.spec), erase).map_err(|error| wrong(file.refused(error)))?;
    game.map_err(|error| wrong(file.refused_start(error)))
}
