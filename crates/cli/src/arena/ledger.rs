//! The ledger of an arena: a line of JSON for every game, so that nothing is played twice and everything can be looked at again.
//!
//! The first line says what the arena is. Lines are appended and never changed; a last line that was cut off when the program died is given up.

use crate::Failure;
use crate::allowance::Allowance;
use crate::args::Arena;
use delphic_engine::Agent;
use delphic_engine::arena::{Fixture, Played};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

/// What is needed of a game that was played.
pub(super) struct Row {
    pub(super) payoffs: Vec<i16>,
    /// Iterations and seconds of every seat.
    pub(super) spent: Vec<(u64, f64)>,
}

pub(super) struct Ledger {
    file: File,
    rows: HashMap<(String, u64), Row>,
}

/// The format of these files.
const VERSION: u64 = 1;

impl Ledger {
    /// Starts a ledger, or goes on with one that is about the same arena.
    pub(super) fn open(path: &Path, options: &Arena) -> Result<Ledger, Failure> {
        let refuse = |reason: String| Failure::Usage(format!("{}: {reason}", path.display()));
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|error| refuse(error.to_string()))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| refuse(error.to_string()))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines().enumerate();
        let header = header(options);
        match lines.next() {
            None if !text.is_empty() => return Err(refuse("this is no ledger of an arena".to_owned())),
            None => writeln!(file, "{header}")?,
            Some((_, first)) => {
                let found: Value = serde_json::from_str(first)
                    .map_err(|_| refuse("this is no ledger of an arena".to_owned()))?;
                compare(&found, &header).map_err(refuse)?;
                file.set_len(whole as u64)?;
                file.seek(io::SeekFrom::End(0))?;
            }
        }
        let mut rows = HashMap::new();
        for (number, line) in lines {
            let row = read(line).ok_or_else(|| refuse(format!("line {} is damaged", number + 1)))?;
            rows.insert(row.0, row.1);
        }
        Ok(Ledger { file, rows })
    }

    pub(super) fn find(&self, game: &str, number: u64) -> Option<&Row> {
        self.rows.get(&(game.to_owned(), number))
    }

    pub(super) fn add(&mut self, game: &str, fixture: &Fixture, played: &Played) -> io::Result<()> {
        let iterations: Vec<u64> = played.spent.iter().map(|stats| stats.iterations).collect();
        let seconds: Vec<f64> = played.spent.iter().map(|stats| stats.time.as_secs_f64()).collect();
        let row = json!({
            "game": game,
            "number": fixture.number,
            "seats": fixture.seats,
            "opening": played.opening,
            "moves": played.moves.join(" "),
            "payoffs": played.payoffs,
            "iterations": iterations,
            "seconds": seconds,
        });
        // One write, so that a line is there as a whole or, if the machine dies, not at the end.
        self.file.write_all(format!("{row}\n").as_bytes())?;
        self.file.flush()
    }
}

/// What a series of games depends on, apart from their number.
fn header(options: &Arena) -> Value {
    let budget = Allowance::among_agents(&options.budget);
    json!({
        "arena": VERSION,
        "agents": options.agents.iter().map(Agent::to_string).collect::<Vec<_>>(),
        "iterations": budget.iterations,
        "time": budget.time.map(|time| time.as_secs_f64()),
        "nodes": budget.nodes,
        "memory": budget.memory,
        "opening": options.opening,
        "seed": options.seed,
    })
}

fn compare(found: &Value, wanted: &Value) -> Result<(), String> {
    if found.get("arena").is_none() {
        return Err("this is no ledger of an arena".to_owned());
    }
    let (Some(found), Some(wanted)) = (found.as_object(), wanted.as_object()) else {
        return Err("its first line is damaged".to_owned());
    };
    for (key, value) in wanted {
        let other = found.get(key).unwrap_or(&Value::Null);
        if other != value {
            return Err(format!("the ledger is of another arena: its {key} is {other}, not {value}"));
        }
    }
    Ok(())
}

fn read(line: &str) -> Option<((String, u64), Row)> {
    let row: Value = serde_json::from_str(line).ok()?;
    let list = |key: &str| row.get(key)?.as_array();
    let payoffs: Option<_> = list("payoffs")?.iter().map(|value| value.as_i64()?.try_into().ok()).collect();
    let iterations: Option<Vec<u64>> = list("iterations")?.iter().map(Value::as_u64).collect();
    let seconds: Option<Vec<f64>> = list("seconds")?.iter().map(Value::as_f64).collect();
    let game = row.get("game")?.as_str()?.to_owned();
    let spent = iterations?.into_iter().zip(seconds?).collect();
    Some(((game, row.get("number")?.as_u64()?), Row { payoffs: payoffs?, spent }))
}
