//! Lines of Action, Surakarta and the relatives of chess.

use super::translate::{SAME, Translator, without_turn};
use super::{Entry, entry};

pub const TABLE: &[Entry] = &[
    entry("ludii/loa7", "loa:7", SAME),
    entry("ludii/loa7.restrict", "loa:7", SAME),
    entry("ludii/loa8", "loa:8", SAME),
    entry("openspiel/lines_of_action", "loa:8,openspiel", OPENSPIEL_LOA),
    entry("ludii/los_alamos_chess", "los-alamos", LUDII_LOS_ALAMOS),
    entry("ludii/los_alamos_chess.restrict", "los-alamos", LUDII_LOS_ALAMOS),
    entry("fairy/losalamos", "los-alamos", FAIRY_CHESS),
    entry("ludii/minishogi", "minishogi", LUDII_MINISHOGI),
    entry("ludii/minishogi.restrict", "minishogi", LUDII_MINISHOGI),
    entry("fairy/minishogi", "minishogi:dropmate", FAIRY_SHOGI),
    entry("ludii/reach_chess", "reach-chess", LUDII_CHESS),
    entry("ludii/reach_chess.restrict", "reach-chess", LUDII_CHESS),
    entry("ludii/reach_chess.kingcap", "reach-chess", LUDII_CHESS),
    entry("ludii/skirmish", "skirmish", LUDII_SKIRMISH),
    entry("ludii/skirmish.restrict", "skirmish", LUDII_SKIRMISH),
    entry("ludii/surakarta", "surakarta", SAME),
    entry("ludii/surakarta.mixed", "surakarta", SAME),
    entry("ludii/surakarta.quiet", "surakarta", SAME),
    entry("ludii/surakarta.quiet-noprop", "surakarta", SAME),
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

/// Promotions are plies of their own, and a stalemated side passes before it is a draw.
const LUDII_LOS_ALAMOS: Translator =
    Translator { passes_stalemate: true, board: without_turn, ..LUDII_SKIRMISH };

/// Promotions are plies of their own.
const LUDII_SKIRMISH: Translator = Translator {
    mv: |mv| mv.split('=').next().unwrap().to_owned(),
    second: Some(|mv| mv.split('-').nth(1).unwrap().to_owned()),
    ..LUDII_CHESS
};

/// Castlings and the cell passed belong to the board.
const LUDII_CHESS: Translator = Translator {
    board: |position| {
        let words: Vec<&str> = position.split(' ').collect();
        format!("{} {} {}", words[0], words[2], words[3])
    },
    ..SAME
};

/// To promote or not is a ply of its own, except for pawns, which must. The hands belong to the board.
const LUDII_MINISHOGI: Translator = Translator {
    mv: |mv| mv.trim_end_matches('+').to_owned(),
    second: Some(|mv| {
        if mv.ends_with('+') { mv.split('-').nth(1).unwrap().to_owned() } else { "pass".to_owned() }
    }),
    board: |position| position.rsplit_once(' ').unwrap().0.to_owned(),
    ..SAME
};

/// Moves without a dash, pieces that a pawn becomes are small letters; runs of empty cells are numbers.
const FAIRY_CHESS: Translator =
    Translator { mv: |mv| without_dash(mv).replace('=', "").to_lowercase(), kept: spelled_out, ..SAME };

/// Promoted pieces are marked by a plus, and the hands stand together in no order that matters.
const FAIRY_SHOGI: Translator = Translator {
    mv: without_dash,
    board: |position| {
        let words: Vec<&str> = position.split(' ').collect();
        format!("{} {}", words[0], sorted_letters(words[1]))
    },
    kept: |fen| {
        let (board, hands) = fen.split_once('[').unwrap();
        let hands = hands.split(']').next().unwrap();
        format!("{} {}", unpromoted_names(&spelled_out(board)), sorted_letters(hands))
    },
    ..SAME
};

/// The board of a position in Forsyth notation with a dot for every empty cell.
fn spelled_out(fen: &str) -> String {
    let cell = |c: char| c.to_digit(10).map_or(c.to_string(), |empty| ".".repeat(empty as usize));
    without_turn(fen).chars().map(cell).collect()
}

/// `+r` is our `d`.
fn unpromoted_names(board: &str) -> String {
    let names = [("+p", "t"), ("+s", "n"), ("+r", "d"), ("+b", "h")];
    names.iter().fold(board.to_owned(), |board, (theirs, ours)| {
        board.replace(theirs, ours).replace(&theirs.to_uppercase(), &ours.to_uppercase())
    })
}

fn sorted_letters(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().filter(char::is_ascii_alphabetic).collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}
