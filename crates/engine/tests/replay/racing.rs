//! Races to the far row and games of territory.

use crate::translate::{SAME, Translator, without_turn};
use crate::{Entry, entry};

pub const TABLE: &[Entry] = &[
    entry("ludii/breakthrough", "breakthrough:8x8", SAME),
    entry("ludii/breakthrough_5x5", "breakthrough:5x5", SAME),
    entry("ludii/breakthrough_6x6", "breakthrough:6x6", SAME),
    entry("openspiel/breakthrough_4x4", "breakthrough:4x4,home=1,wipeout", openspiel_breakthrough::<4>()),
    entry("openspiel/breakthrough_5x5", "breakthrough:5x5,home=1,wipeout", openspiel_breakthrough::<5>()),
    entry("openspiel/breakthrough_6x6", "breakthrough:6x6,wipeout", openspiel_breakthrough::<6>()),
    entry("openspiel/breakthrough_8x8", "breakthrough:8x8,wipeout", openspiel_breakthrough::<8>()),
    entry("fairy/breakthrough_8x8", "breakthrough:8x8,wipeout", FAIRY),
    entry("ludii/knightthrough", "knightthrough:8x8", SAME),
    entry("ludii/knightthrough.restrict", "knightthrough:8x8", SAME),
];

/// No hyphen in a move; the board is a FEN with P and p for the two sides.
const FAIRY: Translator = Translator { mv: |mv| mv.replace('-', ""), kept: unpacked, ..SAME };

/// The first player sits at the top.
const fn openspiel_breakthrough<const ROWS: u8>() -> Translator {
    Translator {
        mv: |mv| flipped_moves::<ROWS>(&mv.replace('-', "")),
        board: |position| flipped(&without_turn(position)),
        kept: |board| unlabelled(board).replace('b', "X").replace('w', "O"),
        ..SAME
    }
}

/// The rows of a FEN, a character for each cell: the men P and p and the amazons Q and q are X and O, an arrow is #.
fn unpacked(fen: &str) -> String {
    let mut board = String::new();
    let mut run = 0;
    let rows = fen.split([' ', '[']).next().unwrap();
    for c in rows.chars().chain(['/']) {
        if let Some(digit) = c.to_digit(10) {
            run = 10 * run + digit as usize;
            continue;
        }
        board += &".".repeat(std::mem::take(&mut run));
        board.push(match c {
            'P' | 'Q' => 'X',
            'p' | 'q' => 'O',
            '*' => '#',
            '/' => '/',
            other => panic!("'{other}' in {fen}"),
        });
    }
    board.pop();
    board
}

/// A board without the row numbers on its left and the column letters below.
fn unlabelled(board: &str) -> String {
    let rows: Vec<&str> =
        board.split('/').map(|row| row.trim_start_matches(|c: char| c.is_ascii_digit())).collect();
    rows[..rows.len() - 1].join("/")
}

/// Top and bottom exchanged.
fn flipped(board: &str) -> String {
    board.rsplit('/').collect::<Vec<_>>().join("/")
}

/// A text in which every row number is counted from the other end.
fn flipped_moves<const ROWS: u8>(mv: &str) -> String {
    mv.chars().map(|c| c.to_digit(10).map_or(c, |row| char::from(b'1' + ROWS - row as u8))).collect()
}
