//! Game files: from a path to a game.

use crate::game::Erase;
use crate::{AnyGame, InputError};
use delphic_game::Spec;
use delphic_games::{GameFile, build};
use std::fs::File;
use std::io::Read;

/// The longest file that is read.
const LONGEST: u64 = 1 << 20;

/// The game that a file describes.
pub(crate) fn game(path: &str) -> Result<Box<dyn AnyGame>, InputError> {
    let unreadable = |reason: String| InputError::Unreadable { path: path.to_owned(), reason };
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text));
    match read {
        Err(error) => return Err(unreadable(error.to_string())),
        Ok(_) if text.len() as u64 > LONGEST => return Err(unreadable("longer than a mebibyte".to_owned())),
        Ok(_) => {}
    }
    let wrong = |error| InputError::File { path: path.to_owned(), error };
    let file = GameFile::read(&text).map_err(wrong)?;
    let erase = Erase { title: file.title.clone(), start: file.start.clone() };
    let game = build(Spec::parse(&file.spec), erase).map_err(|error| wrong(file.refused(error)))?;
    game.map_err(|error| wrong(file.refused_start(error)))
}
