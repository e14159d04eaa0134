//! Races to the far row and games of territory.

use super::translate::{SAME, Translator, without_turn};
use super::{Entry, entry};

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
    entry("ludii/reversi", "reversi:8", SAME),
    entry("ludii/reversi.restrict", "reversi:8", SAME),
    entry("ludii/reversi_6x6", "reversi:6", SAME),
    entry("ludii/reversi_4x4", "reversi:4", SAME),
    entry("openspiel/othello", "reversi:8,end=blocked", OPENSPIEL_OTHELLO),
    entry("fairy/othello", "reversi:8,end=blocked", FAIRY_OTHELLO),
    entry("openspiel/clobber_4x4", "clobber:4x4", OPENSPIEL_CLOBBER),
    entry("openspiel/clobber_4x5", "clobber:4x5", OPENSPIEL_CLOBBER),
    entry("openspiel/clobber_5x6", "clobber:5x6", OPENSPIEL_CLOBBER),
    entry("fairy/clobber_6x5", "clobber:6x5", fairy_flipped::<6>()),
    entry("fairy/clobber_10x10", "clobber:10x10", fairy_flipped::<10>()),
    entry("openspiel/amazons_6", "amazons:6", SAME),
    entry("openspiel/amazons_10", "amazons:10", SAME),
    entry("fairy/amazons_10", "amazons:10", Translator { kept: unpacked, ..SAME }),
    entry("ludii/ataxx", "ataxx", SAME),
    entry("ludii/ataxx.restrict", "ataxx", SAME),
    entry("fairy/ataxx", "ataxx:7x7,merged", fairy_flipped::<7>()),
    entry("ludii/awari", "awari", LUDII_AWARI),
    entry("ludii/awari.restrict", "awari", LUDII_AWARI),
    entry("openspiel/oware", "awari:rules=oware", OPENSPIEL_OWARE),
];

/// No hyphen in a move; the board is a FEN with P and p for the two sides.
const FAIRY: Translator = Translator { mv: |mv| mv.replace('-', ""), kept: unpacked, ..SAME };

/// The same with the first player's pieces where we have them after exchanging top and bottom.
const fn fairy_flipped<const ROWS: usize>() -> Translator {
    Translator {
        mv: |mv| flipped_rows::<ROWS>(&mv.replace('-', "")),
        board: |position| flipped(&without_turn(position)),
        ..FAIRY
    }
}

/// Rows are numbered from the top. Discs are small letters on a board with labels on all sides.
const OPENSPIEL_OTHELLO: Translator = Translator {
    mv: flipped_rows::<8>,
    kept: |board| {
        let rows = board.split('/').filter(|row| row.starts_with(|c: char| c.is_ascii_digit()));
        let cells = |row: &str| row.replace(|c: char| c.is_ascii_digit() || c == ' ', "");
        rows.map(cells).collect::<Vec<_>>().join("/").replace('-', ".").to_uppercase()
    },
    ..SAME
};

/// Two passes follow when neither side can move and cells are left; at the end of the board they do not.
const FAIRY_OTHELLO: Translator =
    Translator { mv: flipped_rows::<8>, kept: unpacked, passes_blocked: true, ..SAME };

/// The first player's stones are o, the second's x.
const OPENSPIEL_CLOBBER: Translator = Translator {
    mv: |mv| mv.replace('-', ""),
    kept: |board| unlabelled(board).replace('o', "X").replace('x', "O"),
    ..SAME
};

/// The stores belong to the board.
const LUDII_AWARI: Translator =
    Translator { board: |position| position.split(' ').take(2).collect::<Vec<_>>().join(" "), ..SAME };

/// The holes are A to F and a to f in the order of sowing.
const OPENSPIEL_OWARE: Translator = Translator {
    mv: |hole| match hole.as_bytes() {
        [column, b'1'] => char::from(column - b'a' + b'A').to_string(),
        [column, b'2'] => char::from(b'f' - (column - b'a')).to_string(),
        _ => panic!("{hole} is not a hole"),
    },
    kept: |board| {
        let last_word =
            |line: &str| line.trim_end_matches(" [PLAYING]").rsplit(' ').next().unwrap().to_owned();
        let (stores, rest): (Vec<&str>, Vec<&str>) =
            board.split('/').partition(|line| line.starts_with("Player"));
        let rows = rest.iter().filter(|line| line.contains(|c: char| c.is_ascii_digit()));
        let rows = rows.map(|row| row.split_whitespace().collect::<Vec<_>>().join(","));
        let rows = rows.collect::<Vec<_>>().join("/");
        format!("{rows} {},{}", last_word(stores[1]), last_word(stores[0]))
    },
    ..LUDII_AWARI
};

/// The first player sits at the top.
const fn openspiel_breakthrough<const ROWS: usize>() -> Translator {
    Translator {
        mv: |mv| flipped_rows::<ROWS>(&mv.replace('-', "")),
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
fn flipped_rows<const ROWS: usize>(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - start);
        let row: usize = rest[start..start + digits].parse().unwrap();
        out += &format!("{}{}", &rest[..start], ROWS + 1 - row);
        rest = &rest[start + digits..];
    }
    out + rest
}
