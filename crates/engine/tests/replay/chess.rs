//! Lines of Action, Surakarta and the relatives of chess.

use super::translate::{SAME, Translator, without_turn};
use super::{Entry, entry};

pub const TABLE: &[Entry] = &[
    entry("ludii/loa7", "loa:7", SAME),
    entry("ludii/loa7.restrict", "loa:7", SAME),
    entry("ludii/loa8", "loa:8", SAME),
    entry("openspiel/lines_of_action", "loa:8,openspiel", OPENSPIEL_LOA),
];

/// Moves without a dash; pieces are small letters, and the board has numbers and letters at its sides.
const OPENSPIEL_LOA: Translator = Translator {
    mv: without_dash,
    board: |position| without_turn(position).to_lowercase(),
    kept: |board| board.split('/').take(8).map(|row| &row[1..]).collect::<Vec<_>>().join("/"),
    ..SAME
};

fn without_dash(mv: &str) -> String {
    mv.replace('-', "")
}
