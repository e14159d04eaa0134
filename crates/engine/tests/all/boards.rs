//! A few boards of every game in the table, small or not: searches on them are cut off.

use delphic_engine::GAMES;

/// The boards by the names of their games. A game that is missing fails [`complete`].
#[rustfmt::skip]
pub const SMALL: &[(&str, &[&str])] = &[
    ("tictactoe", &["tictactoe"]),
    ("mnk", &["mnk:4,3,3"]),
    ("connect4", &["connect4:4x4", "connect4:5x4"]),
    ("domineering", &["domineering:5x5", "domineering:4x6", "domineering:7x7"]),
    ("nogo", &["nogo:3x4", "nogo:1x11"]),
    ("nim", &["nim:3,4,5"]),
    ("pgame", &["pgame:b=2,d=10,seed=3"]),
    ("hex", &["hex:3", "hex:5"]),
    ("y", &["y:4"]),
    ("havannah", &["havannah:3"]),
    ("pentalath", &["pentalath:3,plies=20"]),
    ("pentago", &["pentago"]),
    ("ultimate", &["ultimate"]),
    ("diagonals", &["diagonals:4"]),
    ("mnk3", &["mnk3:3,3,3"]),
    ("rolit", &["rolit:4"]),
    ("loa", &["loa:5,plies=20", "loa:5,openspiel,plies=20"]),
    ("los-alamos", &["los-alamos"]),
    ("minishogi", &["minishogi:plies=20"]),
    ("reach-chess", &["reach-chess:plies=20"]),
    ("skirmish", &["skirmish:plies=20"]),
    ("surakarta", &["surakarta:plies=20"]),
    ("breakthrough", &["breakthrough:4x4"]),
    ("knightthrough", &["knightthrough:5x4"]),
    ("reversi", &["reversi:4"]),
    ("clobber", &["clobber:3x4"]),
    ("amazons", &["amazons:4"]),
    ("ataxx", &["ataxx:3x3,plies=20"]),
    ("awari", &["awari:plies=20", "awari:rules=oware,plies=20"]),
    ("lines", &["lines:4x4,length=3,wrap=both"]),
    ("tiles", &["tiles:4x4,first=XX,second=X/X"]),
    ("octal", &["octal:9,4,code=0.77"]),
    ("go-capture", &["go-capture:5,cap=3"]),
];

/// Fails if a game of the table has no board.
#[test]
fn complete() {
    for (name, _) in GAMES {
        assert!(SMALL.iter().any(|(other, specs)| other == name && !specs.is_empty()), "{name} has no board");
    }
}
