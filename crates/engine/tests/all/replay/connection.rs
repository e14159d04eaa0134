//! Connection games and games of lines.

use super::translate::{SAME, Translator, coordinates, without_turn};
use super::{Entry, entry};

pub const TABLE: &[Entry] = &[
    entry("ludii/hex", "hex:11,swap", SAME),
    entry("ludii/hex_5x5", "hex:5", SAME),
    entry("ludii/hex_5x5_swap", "hex:5,swap", SAME),
    entry("ludii/y", "y:11", SAME),
    entry("ludii/y_5", "y:5", SAME),
    entry("ludii/pentalath", "pentalath:7", SAME),
    entry("ludii/pentago", "pentago", LUDII_PENTAGO),
    entry("ludii/diagonals", "diagonals:8", LUDII_DIAGONALS),
    entry("openspiel/hex_3", "hex:3", openspiel_hex::<3>()),
    entry("openspiel/hex_4", "hex:4", openspiel_hex::<4>()),
    entry("openspiel/hex_5", "hex:5", openspiel_hex::<5>()),
    entry("openspiel/hex_6", "hex:6", openspiel_hex::<6>()),
    entry("openspiel/y_4", "y:4", OPENSPIEL_Y),
    entry("openspiel/y_5", "y:5", OPENSPIEL_Y),
    entry("openspiel/y_6", "y:6", OPENSPIEL_Y),
    entry("openspiel/havannah_3", "havannah:3", OPENSPIEL_HAVANNAH),
    entry("openspiel/havannah_4", "havannah:4", OPENSPIEL_HAVANNAH),
    entry("openspiel/havannah_5", "havannah:5", OPENSPIEL_HAVANNAH),
    entry("openspiel/havannah_8", "havannah:8", OPENSPIEL_HAVANNAH),
    entry("openspiel/pentago", "pentago:always", OPENSPIEL_PENTAGO),
    entry("openspiel/ultimate_tic_tac_toe", "ultimate", OPENSPIEL_ULTIMATE),
];

/// The twist is a ply of its own, and a full board is a draw only after two passes.
const LUDII_PENTAGO: Translator = Translator {
    mv: |turn| turn[..2].to_owned(),
    second: Some(|turn| turn[2..].to_owned()),
    passes_at_end: true,
    ..SAME
};

/// The points are on the board as well.
const LUDII_DIAGONALS: Translator = Translator { board: str::to_owned, ..SAME };

/// The first player joins the rows at the top and at the bottom, and cells touch along the other diagonal: our board with
/// rows and columns exchanged. Rows are numbered from the top.
const fn openspiel_hex<const SIDE: u8>() -> Translator {
    Translator {
        mv: |cell| {
            let (file, rank) = coordinates(cell);
            format!("{}{file}", letter(SIDE + 1 - rank))
        },
        board: |position| {
            let rows: Vec<&str> = position.split('/').collect();
            let column = |col| rows.iter().map(|row| char::from(row.as_bytes()[col])).collect::<String>();
            (0..rows.len()).map(column).collect::<Vec<_>>().join("/")
        },
        kept: |board| stones(board, "xo"),
        ..SAME
    }
}

/// Files are counted from the start of their rank, and rank 1 is at the top.
const OPENSPIEL_Y: Translator = Translator {
    mv: |cell| {
        let (file, rank) = coordinates(cell);
        format!("{}{rank}", letter(file + 1 - rank))
    },
    ..OPENSPIEL_HAVANNAH
};

/// Rank 1 is at the top.
const OPENSPIEL_HAVANNAH: Translator = Translator {
    board: |position| position.rsplit('/').collect::<Vec<_>>().join("/"),
    kept: |board| stones(board, "O@"),
    ..SAME
};

/// Row 1 is at the top; each twist has a letter.
const OPENSPIEL_PENTAGO: Translator = Translator {
    mv: |turn| {
        let (column, row) = coordinates(&turn[..2]);
        let twist = match &turn[2..] {
            "b5l" => 's',
            "b5r" => 't',
            "e5l" => 'u',
            "e5r" => 'v',
            "e2l" => 'w',
            "e2r" => 'x',
            "b2l" => 'y',
            "b2r" => 'z',
            other => panic!("'{other}' is not a twist"),
        };
        format!("{}{}{twist}", letter(column), 7 - row)
    },
    kept: |board| stones(board, "O@"),
    ..SAME
};

/// Below the board stand who moves and where.
const OPENSPIEL_ULTIMATE: Translator = Translator {
    board: without_turn,
    kept: |board| {
        let rows: Vec<&str> = board.split('/').filter(|row| !row.contains(':')).collect();
        stones(&rows.join("/"), "xo")
    },
    ..SAME
};

/// The letter of a column counted from 1.
fn letter(column: u8) -> char {
    char::from(b'a' + column - 1)
}

/// A board without blanks, marks and the names of rows and columns: `.`, and X and O for the stones, which are `glyphs` there.
fn stones(board: &str, glyphs: &str) -> String {
    let glyph = |c: char| Some(if c == '.' { '.' } else { ['X', 'O'][glyphs.find(c)?] });
    let rows = board.split('/').map(|row| row.chars().filter_map(glyph).collect::<String>());
    rows.filter(|row| !row.is_empty()).collect::<Vec<_>>().join("/")
}
