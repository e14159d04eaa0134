//! The file formats, read into one shape. All are JSON lines, packed by gzip; `data/README.md` describes them.

use delphic_engine::Player;
use flate2::read::GzDecoder;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A recording of one game by one program, in that program's notation.
#[derive(Default)]
pub struct Record {
    /// The board at the start.
    pub start: String,
    /// Depths in plies, and how many lines of play have exactly that many. The counts of games over by then, which
    /// stand beside them, are not read: one more or less of those shows in the next count of lines.
    pub perfts: Vec<(u32, u64)>,
    /// The same with depths in turns, where some turns have several plies.
    pub turns: Vec<(u32, u64)>,
    pub games: Vec<Game>,
}

/// A game.
pub struct Game {
    pub name: String,
    pub plies: Vec<Ply>,
    pub ending: Ending,
    /// The last board.
    pub end: String,
}

/// How a recording of a game stops.
#[derive(Clone, Copy)]
pub enum Ending {
    /// The game is over. For the first player: 1 won, 0 drawn, −1 lost.
    Over(i16),
    /// A draw is claimed that a player need not claim.
    Claimed,
    /// It was cut off at some length.
    CutOff,
}

/// A move with all that could have been played instead.
pub struct Ply {
    pub mover: Player,
    /// In byte order, where the program wrote them down.
    pub legal: Option<Vec<String>>,
    /// How many of them.
    pub count: usize,
    /// Where lists are long, the [`fnv`] hash of the moves in byte order with a blank between them.
    pub hash: Option<String>,
    pub chosen: String,
    /// The board after the move, where the program wrote it down.
    pub board: Option<String>,
}

impl Record {
    /// Reads a whole file.
    ///
    /// # Panics
    /// If there is anything in it that is not understood: a line left out would be a comparison left out.
    pub fn read(path: &Path) -> Record {
        let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut record = Record::default();
        for (number, line) in BufReader::new(GzDecoder::new(file)).lines().enumerate() {
            let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
            // The programs name the kind of a line differently, so this tells their files apart.
            match (line["t"].as_str(), line["type"].as_str()) {
                (Some("meta"), _) => record.start = text(&line["start"]),
                (Some("perft"), _) => record.perfts.push(perft(&line["d"], &line["n"])),
                (Some("perft_turns"), _) => record.turns.push(perft(&line["d"], &line["n"])),
                (Some("game"), _) => record.games.push(ludii_game(&line)),
                (_, Some("header")) => record.start = rows(&line["start"]),
                (_, Some("perft")) => record.perfts.push(perft(&line["depth"], &line["nodes"])),
                (_, Some("playout")) => record.games.push(openspiel_game(&line)),
                _ => panic!("{}: line {} is of no known kind", path.display(), number + 1),
            }
        }
        record
    }
}

fn ludii_game(line: &Value) -> Game {
    let ply = |ply: &Value| {
        let legal = (!ply[4].is_null()).then(|| words(&ply[4]));
        let count = number(&ply[1]) as usize - ply[5].as_u64().unwrap_or(0) as usize;
        assert!(legal.as_ref().is_none_or(|list| list.len() == count), "the number of moves of {ply}");
        let mover = Player::new(number(&ply[0]) as usize - 1);
        Ply { mover, legal, count, hash: None, chosen: text(&ply[2]), board: Some(text(&ply[3])) }
    };
    let ending = match line["winner"].as_u64() {
        Some(0) => Ending::Over(0),
        Some(1) => Ending::Over(1),
        Some(2) => Ending::Over(-1),
        None if line["end"] == "Truncated" => Ending::CutOff,
        other => panic!("there is no player {other:?}"),
    };
    let mut game = recorded(line, &line["id"], ply, ending, text(&line["final"]));
    exchange_seats(&mut game);
    game
}

/// Movers and winners are colours in Ludii's Hex. Who swaps takes the other's colour; from then on the seats are exchanged.
fn exchange_seats(game: &mut Game) {
    let Some(swap) = game.plies.iter().position(|ply| ply.chosen == "swap") else { return };
    for ply in &mut game.plies[swap + 1..] {
        ply.mover = ply.mover.other();
    }
    if let Ending::Over(result) = &mut game.ending {
        *result = -*result;
    }
}

/// OpenSpiel's games and Fairy-Stockfish's.
fn openspiel_game(line: &Value) -> Game {
    let ply = |ply: &Value| {
        let legal = ply.get("l").map(words);
        let count = number(&ply["n"]) as usize;
        assert!(legal.as_ref().is_none_or(|list| list.len() == count), "the number of moves of {ply}");
        let hash = legal.is_none().then(|| text(&ply["h"]));
        let mover = Player::new(number(&ply["m"]) as usize);
        Ply { mover, legal, count, hash, chosen: text(&ply["c"]), board: None }
    };
    // Fairy-Stockfish says how a game ended, OpenSpiel only that it did.
    let ending = match line["end"].as_str() {
        Some("optional") => Ending::Claimed,
        how => {
            assert!(how.is_some() || line["terminal"] == true, "an unfinished game has no result to compare");
            Ending::Over(line["returns"][0].as_f64().unwrap() as i16)
        }
    };
    recorded(line, &line["seed"], ply, ending, rows(&line["final"]))
}

/// What all formats have alike.
fn recorded(line: &Value, name: &Value, ply: impl Fn(&Value) -> Ply, ending: Ending, end: String) -> Game {
    let plies = list(&line["plies"], ply);
    assert_eq!(plies.len() as u64, number(&line["len"]), "the length of game {name}");
    Game { name: name.to_string(), plies, ending, end }
}

/// The FNV-1a hash of 64 bits, in 16 hexadecimal digits.
pub fn fnv(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

fn perft(depth: &Value, nodes: &Value) -> (u32, u64) {
    (number(depth) as u32, number(nodes))
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a text")).to_owned()
}

/// A board of several lines in one, as the other format has it.
fn rows(value: &Value) -> String {
    text(value).trim_end().replace('\n', "/")
}

fn words(value: &Value) -> Vec<String> {
    text(value).split(' ').map(str::to_owned).collect()
}

fn list<T>(value: &Value, read: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().unwrap_or_else(|| panic!("{value} is not a list")).iter().map(read).collect()
}
