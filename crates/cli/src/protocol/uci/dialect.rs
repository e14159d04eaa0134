//! UCI for chess, USI for shogi: one protocol in two dialects.

use super::{chess, shogi};
use delphic_engine::{AnyGame, AnyPosition, Player};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    Uci,
    Usi,
}

impl Dialect {
    /// A move's name.
    pub(crate) fn name(self, mv: &str) -> String {
        match self {
            Dialect::Uci => chess::name(mv),
            Dialect::Usi => shogi::name(mv),
        }
    }

    /// The legal move with this name, or with this name of ours: its number and our name.
    pub(crate) fn find(self, position: &dyn AnyPosition, word: &str) -> Option<(usize, String)> {
        let called = |mv: &String| mv == word || self.name(mv) == word;
        position.moves().into_iter().enumerate().find(|(_, mv)| called(mv))
    }

    /// The position that a text in the dialect describes, in our notation.
    pub(crate) fn read(self, game: &dyn AnyGame, text: &str) -> Result<String, String> {
        let mut readings = chess::readings(text);
        readings.extend(match self {
            Dialect::Uci => shogi::chess_reading(text),
            Dialect::Usi => shogi::reading(text),
        });
        let good = readings.iter().find(|reading| game.position(Some(reading), None).is_ok());
        let refusal =
            || game.position(Some(text), None).err().map_or_else(String::new, |error| error.to_string());
        good.cloned().ok_or_else(refusal)
    }

    /// The answer to the first command.
    pub(crate) fn ok(self) -> &'static str {
        match self {
            Dialect::Uci => "uciok",
            Dialect::Usi => "usiok",
        }
    }

    /// The name of the best move where there is none.
    pub(crate) fn no_move(self) -> &'static str {
        match self {
            Dialect::Uci => "(none)",
            Dialect::Usi => "resign",
        }
    }

    /// Whether white's clock is this player's. In chess white moves first, in shogi black.
    pub(crate) fn is_white(self, player: Player) -> bool {
        (player == Player::FIRST) == (self == Dialect::Uci)
    }
}
