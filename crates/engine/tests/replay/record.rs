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
    pub games: Vec<Game>,
}

/// A finished game.
pub struct Game {
    pub name: String,
    pub plies: Vec<Ply>,
    /// For the first player: 1 won, 0 drawn, −1 lost.
    pub result: i16,
    /// The last board.
    pub end: String,
}

/// A move with all that could have been played instead.
pub struct Ply {
    pub mover: Player,
    pub legal: Legal,
    pub chosen: String,
    /// The board after the move, where the program wrote it down.
    pub board: Option<String>,
}

/// The legal moves, in byte order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Legal {
    List(Vec<String>),
    /// Where the lists are long: the FNV-1a hash of the moves with a blank between them, as 16 hexadecimal digits.
    Hash(String),
}

impl Legal {
    /// Whether these are the moves, given in byte order.
    pub fn is(&self, moves: &[&str]) -> bool {
        match self {
            Legal::List(list) => list == moves,
            Legal::Hash(hash) => *hash == fnv(&moves.join(" ")),
        }
    }
}

fn fnv(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
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
        let legal = words(&ply[4]);
        let repeated = ply[5].as_u64().unwrap_or(0);
        assert_eq!(legal.len() as u64, number(&ply[1]) - repeated, "the number of moves of {ply}");
        let mover = Player::new(number(&ply[0]) as usize - 1);
        Ply { mover, legal: Legal::List(legal), chosen: text(&ply[2]), board: Some(text(&ply[3])) }
    };
    let result = match number(&line["winner"]) {
        0 => 0,
        1 => 1,
        2 => -1,
        other => panic!("there is no player {other}"),
    };
    recorded(line, &line["id"], ply, result, text(&line["final"]))
}

fn openspiel_game(line: &Value) -> Game {
    let ply = |ply: &Value| {
        let legal = match ply.get("l") {
            Some(moves) => Legal::List(words(moves)),
            None => Legal::Hash(text(&ply["h"])),
        };
        if let Legal::List(legal) = &legal {
            assert_eq!(legal.len() as u64, number(&ply["n"]), "the number of moves of {ply}");
        }
        Ply { mover: Player::new(number(&ply["m"]) as usize), legal, chosen: text(&ply["c"]), board: None }
    };
    // OpenSpiel says that a game is over, Fairy-Stockfish says why.
    let over = line["terminal"] == true || line["end"] == "immediate" || line["end"] == "no_moves";
    assert!(over, "an unfinished game has no result to compare");
    let result = line["returns"][0].as_f64().unwrap() as i16;
    recorded(line, &line["seed"], ply, result, rows(&line["final"]))
}

/// What both formats have alike.
fn recorded(line: &Value, name: &Value, ply: impl Fn(&Value) -> Ply, result: i16, end: String) -> Game {
    let plies = list(&line["plies"], ply);
    assert_eq!(plies.len() as u64, number(&line["len"]), "the length of game {name}");
    Game { name: name.to_string(), plies, result, end }
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
