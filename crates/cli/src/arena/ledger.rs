//! The ledger of an arena: one line of JSON per game, so that no game is played twice and every game can be replayed.
//!
//! The first line describes the arena. Lines are appended, each by a single write, and never changed. The file is
//! locked while it is open, so that two processes cannot play the same games or mix their lines. An incomplete last
//! line, left by a program that crashed, is removed; nothing else is.

use crate::allowance::Allowance;
use crate::args::Arena;
use crate::{Failure, units, version};
use delphic_engine::Agent;
use delphic_engine::arena::{Fixture, Played};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;

/// The recorded result of a game.
pub(super) struct Row {
    pub(super) payoffs: Vec<i16>,
    /// Iterations and seconds of every player.
    pub(super) spent: Vec<(u64, f64)>,
    /// The program that played it.
    revision: Option<String>,
}

/// An open ledger. Dropping it releases the lock.
pub(super) struct Ledger {
    file: File,
    rows: HashMap<(String, u64), Row>,
}

/// The format of these files.
const VERSION: u64 = 1;

const NOT_A_LEDGER: &str = "this is not a ledger of an arena";

impl Ledger {
    /// Starts a ledger, or continues one of the same arena.
    pub(super) fn open(path: &Path, options: &Arena) -> Result<Ledger, Failure> {
        let refuse = |reason: String| Failure::Usage(format!("{}: {reason}", path.display()));
        let unreadable = |error: io::Error| refuse(error.to_string());
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(unreadable)?;
        lock(&file, path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unreadable)?;
        let header = header(options);
        let content = Content::of(&bytes, &header.to_string()).map_err(refuse)?;
        if let Some(first) = content.lines.first() {
            let found: Value = serde_json::from_str(first).map_err(|_| refuse(NOT_A_LEDGER.to_owned()))?;
            compare(&found, &header).map_err(refuse)?;
        }
        let (mut rows, mut foreign) = (HashMap::new(), 0);
        for (number, line) in content.lines.iter().enumerate().skip(1) {
            let row = read(line).ok_or_else(|| refuse(format!("line {} is damaged", number + 1)))?;
            foreign += u64::from(row.1.revision.as_deref() != Some(version::REVISION));
            rows.insert(row.0, row.1);
        }
        if foreign > 0 {
            // Games of older revisions count as played: an arena may take weeks, during which the program changes.
            let (path, games) = (path.display(), units::plural(foreign, "game"));
            eprintln!(
                "note: {path}: {games} played by another revision of the program, and not played again"
            );
        }
        if content.damaged > 0 {
            let (path, damaged) = (path.display(), content.damaged);
            eprintln!(
                "note: {path}: the last line was damaged and is removed ({damaged} bytes); its game is played again"
            );
            file.set_len((bytes.len() - damaged) as u64)?;
        }
        let empty = content.lines.is_empty();
        let mut ledger = Ledger { file, rows };
        if empty {
            ledger.append(&header)?;
        }
        Ok(ledger)
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
            "revision": version::REVISION,
        });
        self.append(&row)
    }

    /// Appends a line by a single write, so that only the last line of a file can be incomplete.
    fn append(&mut self, row: &Value) -> io::Result<()> {
        let line = format!("{row}\n");
        loop {
            match self.file.write(line.as_bytes()) {
                Ok(written) if written == line.len() => return Ok(()),
                Ok(_) => {
                    return Err(io::Error::other("a line of the ledger was only partly written"));
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Locks the ledger as long as the file is open.
fn lock(file: &File, path: &Path) -> Result<(), Failure> {
    let path = path.display();
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            let advice = "wait until it ends, or use another --ledger";
            Err(Failure::Other(format!("{path} is in use by another arena; {advice}")))
        }
        Err(TryLockError::Error(error)) => {
            eprintln!("note: {path} cannot be locked ({error}); do not use it in another arena meanwhile");
            Ok(())
        }
    }
}

/// The contents of a file: complete lines, and the number of bytes of a damaged last line.
struct Content {
    lines: Vec<String>,
    damaged: usize,
}

impl Content {
    fn of(bytes: &[u8], header: &str) -> Result<Content, String> {
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut damaged = bytes.len() - whole;
        // A crash while the first line was written leaves a part of it. Any other file without a complete line is not a
        // ledger and must not be changed.
        if whole == 0 && damaged > 0 && !header.as_bytes().starts_with(bytes) {
            return Err(NOT_A_LEDGER.to_owned());
        }
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        if damaged == 0 && lines.len() > 1 && lines.last().is_some_and(|last| read(last).is_none()) {
            let start = bytes[..whole - 1].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            damaged = bytes.len() - start;
            lines.pop();
        }
        Ok(Content { lines, damaged })
    }
}

/// The parameters of a series of games, except their number.
fn header(options: &Arena) -> Value {
    let budget = Allowance::among_agents(&options.budget);
    json!({
        "arena": VERSION,
        "agents": options.agents.iter().map(Agent::to_string).collect::<Vec<_>>(),
        "iterations": budget.iterations,
        "time": budget.time.map(|time| time.as_secs_f64()),
        "nodes": budget.nodes,
        "memory": budget.memory,
        "search_threads": options.search_threads.filter(|&threads| threads > 1),
        "opening": options.opening,
        "seed": options.seed,
    })
}

fn compare(found: &Value, wanted: &Value) -> Result<(), String> {
    if found.get("arena").is_none() {
        return Err(NOT_A_LEDGER.to_owned());
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
    let revision = row.get("revision").and_then(Value::as_str).map(str::to_owned);
    let spent = iterations?.into_iter().zip(seconds?).collect();
    Some(((game, row.get("number")?.as_u64()?), Row { payoffs: payoffs?, spent, revision }))
}
