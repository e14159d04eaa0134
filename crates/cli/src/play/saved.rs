//! Saved games: small JSON files.

use crate::Failure;
use delphic_engine::{Agent, AnyGame, AnyPosition, Player, atomic_file, game};
use serde_json::{Value, json};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The format's name and version in the files.
const FORMAT: &str = "delphic game";
const VERSION: u64 = 1;

/// The maximum size of a saved game; larger files are refused.
const LARGEST: u64 = 16 << 20;

/// A saved game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Saved {
    pub(crate) game: String,
    pub(crate) start: String,
    pub(crate) moves: Vec<String>,
    pub(crate) agent: Agent,
    /// The player that the person is.
    pub(crate) person: Player,
}

impl Saved {
    /// Writes the file, unless it exists and is not a saved game.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        if path.is_file() && text(path).and_then(|text| content(&text)).is_err() {
            let path = path.display();
            return Err(Failure::Other(format!(
                "{path} exists and is not a saved game; choose another name"
            )));
        }
        let content = json!({
            "format": FORMAT,
            "version": VERSION,
            "game": self.game,
            "start": self.start,
            "moves": self.moves.join(" "),
            "agent": self.agent.to_string(),
            "person": self.person.to_string(),
        });
        Ok(atomic_file::write(path, format!("{content:#}\n").as_bytes())?)
    }

    /// Reads a file, and the game it is about.
    pub(crate) fn read(path: &Path) -> Result<Opened, Failure> {
        let open = || {
            let opened = Saved::parse(&text(path)?)?.open()?;
            Ok(Opened { path: Some(path.to_owned()), ..opened })
        };
        open().map_err(|reason: String| Failure::Other(format!("cannot load {}: {reason}", path.display())))
    }

    fn parse(text: &str) -> Result<Saved, String> {
        let content = content(text)?;
        let field = |name: &str| {
            let text = content.get(name).and_then(Value::as_str);
            text.map(str::to_owned).ok_or_else(|| format!("it has no text \"{name}\""))
        };
        match content.get("version").and_then(Value::as_u64) {
            Some(VERSION) => {}
            Some(other) => return Err(format!("its version is {other}, but this program reads {VERSION}")),
            None => return Err("it has no version".to_owned()),
        }
        Ok(Saved {
            game: field("game")?,
            start: field("start")?,
            moves: field("moves")?.split_whitespace().map(str::to_owned).collect(),
            agent: field("agent")?.parse().map_err(|error| format!("{error}"))?,
            person: field("person")?.parse().map_err(|error| format!("person: {error}"))?,
        })
    }

    /// Builds the game and makes sure that its moves are legal.
    fn open(self) -> Result<Opened, String> {
        let game = game(&self.game).map_err(|error| error.to_string())?;
        let start = game.position(Some(&self.start), None).map_err(|error| error.to_string())?;
        let moves = self.moves.join(" ");
        game.position(Some(&self.start), Some(&moves)).map_err(|error| error.to_string())?;
        if self.person.index() >= game.players() {
            return Err(format!("{} has {} players", game.spec(), game.players()));
        }
        Ok(Opened { game, start, saved: self, path: None })
    }
}

/// A game that was loaded or set up, ready to continue.
pub(crate) struct Opened {
    pub(crate) game: Box<dyn AnyGame>,
    pub(crate) start: Box<dyn AnyPosition>,
    pub(crate) saved: Saved,
    pub(crate) path: Option<PathBuf>,
}

fn text(path: &Path) -> Result<String, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

fn content(text: &str) -> Result<Value, String> {
    let content: Value =
        serde_json::from_str(text).map_err(|error| format!("it is not a saved game: {error}"))?;
    match content.get("format").and_then(Value::as_str) {
        Some(FORMAT) => Ok(content),
        _ => Err(format!("it is not a saved game: \"format\" is not \"{FORMAT}\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GOOD: &str = r#"{"format": "delphic game", "version": 1, "game": "tictactoe", "start": ".../.../...",
        "moves": "b2 a1", "agent": "random", "person": "first"}"#;

    fn open(text: &str) -> Result<Opened, String> {
        Saved::parse(text)?.open()
    }

    #[test]
    fn damage_is_explained() {
        assert!(open(GOOD).is_ok());
        for (old, new, reason) in [
            ("}", "", "it is not a saved game: EOF while parsing"),
            ("delphic game", "chess game", "\"format\" is not"),
            ("\"version\": 1", "\"version\": 2", "its version is 2, but this program reads 1"),
            ("\"version\": 1", "\"version\": \"1\"", "it has no version"),
            ("tictactoe", "checkers", "unknown game 'checkers'"),
            (".../.../...", ".../.../XXX", "malformed position"),
            ("b2 a1", "b2 b2", "ply 2: 'b2' is not a legal move"),
            ("\"b2 a1\"", "[\"b2\"]", "it has no text \"moves\""),
            ("random", "genius", "unknown agent"),
            ("\"first\"", "\"third\"", "has 2 players"),
            ("\"first\"", "\"nobody\"", "expected one of first"),
        ] {
            let error = open(&GOOD.replacen(old, new, 1)).err().unwrap_or_default();
            assert!(error.contains(reason), "{new}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_damage_is_read_or_refused(place in 0..GOOD.len(), byte in 32u8..127) {
            let mut text = GOOD.as_bytes().to_vec();
            text[place] = byte;
            let _ = open(&String::from_utf8_lossy(&text));
            let _ = open(&GOOD[..place]);
        }
    }
}
