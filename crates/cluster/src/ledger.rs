//! The ledger: what a run is about, and a row for every result, in an SQLite file.
//!
//! It is the truth about a run. Results are committed before they are acknowledged, so whatever ends the manager, workers or broker, only jobs
//! that were being searched are lost. One manager at a time writes to a ledger; others may read it.

use crate::{Error, Known};
use delphic_search::jobs::Found;
use rusqlite::{Connection, OptionalExtension, Row as SqlRow, Transaction, params};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The version of the tables.
const SCHEMA: i32 = 1;
/// Marks the file as a ledger of a cluster.
const APPLICATION: i32 = 0x444c_5043;

const TABLES: &str = "
CREATE TABLE run (
  run TEXT NOT NULL, game TEXT NOT NULL, rules TEXT NOT NULL, position TEXT NOT NULL, question TEXT NOT NULL, player TEXT NOT NULL,
  started INTEGER NOT NULL
);
CREATE TABLE result (
  at_least INTEGER NOT NULL, position TEXT NOT NULL, solved INTEGER, proof INTEGER, disproof INTEGER, nodes INTEGER NOT NULL,
  seconds REAL NOT NULL, worker TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (at_least, position)
) WITHOUT ROWID;
CREATE TABLE proof (
  at_least INTEGER NOT NULL, position TEXT NOT NULL, answer INTEGER NOT NULL, folder TEXT NOT NULL, bytes INTEGER NOT NULL,
  strategy INTEGER NOT NULL, worker TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (at_least, position)
) WITHOUT ROWID;
CREATE TABLE distrusted (worker TEXT PRIMARY KEY, reason TEXT NOT NULL, time INTEGER NOT NULL);
CREATE TABLE status (one INTEGER PRIMARY KEY CHECK (one = 1), json TEXT NOT NULL);
";

/// What a run is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Its name: 16 random hexadecimal digits, which tell its jobs from those of other runs.
    pub run: String,
    /// The game's full spec.
    pub game: String,
    /// The fingerprint of the rules.
    pub rules: u64,
    /// The position.
    pub position: String,
    /// The question.
    pub question: String,
    /// The player it is about.
    pub player: String,
}

/// A result, or a proof.
#[derive(Clone, PartialEq, Debug)]
pub enum Row {
    /// The result of a search.
    Result {
        /// The payoff that is asked about.
        at_least: i16,
        /// The canonical form of the position.
        position: String,
        /// What was found, and by whom.
        known: Known,
        /// The time it took.
        seconds: f64,
    },
    /// A certificate that was checked.
    Proof {
        /// The payoff that is asked about.
        at_least: i16,
        /// The position.
        position: String,
        /// The answer.
        yes: bool,
        /// Its folder, among those of the run.
        folder: String,
        /// Its size.
        bytes: u64,
        /// Positions in which its strategy chooses.
        strategy: u64,
        /// Who wrote it.
        worker: String,
        /// The positions that it leaves to certificates of their own. They stand in its folder and not in the ledger.
        cites: Vec<String>,
    },
    /// A worker that has returned a false result: its results are discarded.
    Distrusted {
        /// Its name.
        worker: String,
        /// What was false.
        reason: String,
    },
}

/// An open ledger.
#[derive(Debug)]
pub struct Ledger {
    connection: Connection,
    path: PathBuf,
    /// Held by the manager; the system releases it whatever ends the process.
    _lock: Option<File>,
}

impl Ledger {
    /// Opens a ledger for a manager, or creates one. Refused while another manager has it.
    pub fn open(path: &Path) -> Result<Ledger, Error> {
        let refuse = |reason: String| Error::Ledger { path: path.display().to_string(), reason };
        let mut beside = path.as_os_str().to_owned();
        beside.push(".lock");
        let lock = File::options().create(true).append(true).open(&beside);
        let lock = lock.map_err(|error| refuse(format!("it cannot be locked: {error}")))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(refuse("another manager is at work on it".to_owned()));
            }
            Err(TryLockError::Error(error)) => {
                return Err(refuse(format!("it cannot be locked: {error}")));
            }
        }
        let connection = Connection::open(path).map_err(|error| refuse(error.to_string()))?;
        connection.busy_timeout(std::time::Duration::from_secs(30))?;
        // FULL: what is acknowledged has reached the disk.
        connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")?;
        let ledger = Ledger { connection, path: path.to_owned(), _lock: Some(lock) };
        ledger.begin()?;
        Ok(ledger)
    }

    /// Opens a ledger for reading, also while a manager uses it.
    pub fn read(path: &Path) -> Result<Ledger, Error> {
        let refuse = |reason: String| Error::Ledger { path: path.display().to_string(), reason };
        // A reader that may not write could not read the log of a manager that was killed.
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection =
            Connection::open_with_flags(path, flags).map_err(|error| refuse(error.to_string()))?;
        connection.busy_timeout(std::time::Duration::from_secs(30))?;
        let ledger = Ledger { connection, path: path.to_owned(), _lock: None };
        ledger.check_kind(ledger.count_tables()?)?;
        Ok(ledger)
    }

    fn begin(&self) -> Result<(), Error> {
        let tables = self.count_tables()?;
        if tables > 0 {
            return self.check_kind(tables);
        }
        let change = self.connection.unchecked_transaction()?;
        let marks = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA};");
        change.execute_batch(&format!("{TABLES} {marks}"))?;
        Ok(change.commit()?)
    }

    fn count_tables(&self) -> Result<i64, Error> {
        Ok(self.connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?)
    }

    fn check_kind(&self, tables: i64) -> Result<(), Error> {
        let number =
            |pragma: &str| self.connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
        let reason = match (tables, number("application_id")?, number("user_version")?) {
            (1.., APPLICATION, SCHEMA) => return Ok(()),
            (_, APPLICATION, version) => format!("it has schema {version}, this program reads {SCHEMA}"),
            _ => "this database is not the ledger of a cluster".to_owned(),
        };
        Err(Error::Ledger { path: self.path.display().to_string(), reason })
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the run is about; nothing if the ledger is new.
    pub fn header(&self) -> Result<Option<Header>, Error> {
        let read = |row: &SqlRow<'_>| {
            let rules: String = row.get(2)?;
            Ok(Header {
                run: row.get(0)?,
                game: row.get(1)?,
                rules: u64::from_str_radix(&rules, 16).unwrap_or(0),
                position: row.get(3)?,
                question: row.get(4)?,
                player: row.get(5)?,
            })
        };
        let query = "SELECT run, game, rules, position, question, player FROM run";
        Ok(self.connection.query_row(query, [], read).optional()?)
    }

    /// The run of this ledger, begun with this header if the ledger is new. Refused if it is about something else.
    pub fn begin_run(&self, wanted: &Header) -> Result<Header, Error> {
        let Some(found) = self.header()? else {
            let Header { run, game, rules, position, question, player } = wanted;
            self.connection.execute(
                "INSERT INTO run VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![run, game, format!("{rules:016x}"), position, question, player, now()],
            )?;
            return Ok(wanted.clone());
        };
        let fields = |header: &Header| {
            let Header { game, rules, position, question, player, .. } = header.clone();
            [
                ("game", game),
                ("rules", format!("{rules:016x}")),
                ("position", position),
                ("question", question),
                ("player", player),
            ]
        };
        for ((name, theirs), (_, ours)) in fields(&found).into_iter().zip(fields(wanted)) {
            if theirs != ours {
                let reason = format!("it is about another {name}: {theirs} and not {ours}");
                return Err(Error::Ledger { path: self.path.display().to_string(), reason });
            }
        }
        Ok(found)
    }

    /// All rows, proofs and distrusted workers first.
    pub fn rows(&self, sink: &mut dyn FnMut(Row)) -> Result<(), Error> {
        let mut query = self.connection.prepare("SELECT worker, reason FROM distrusted")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            sink(Row::Distrusted { worker: row.get(0)?, reason: row.get(1)? });
        }
        let columns = "at_least, position, answer, folder, bytes, strategy, worker";
        let mut query = self.connection.prepare(&format!("SELECT {columns} FROM proof"))?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            sink(Row::Proof {
                at_least: row.get(0)?,
                position: row.get(1)?,
                yes: row.get(2)?,
                folder: row.get(3)?,
                bytes: row.get::<_, i64>(4)? as u64,
                strategy: row.get::<_, i64>(5)? as u64,
                worker: row.get(6)?,
                cites: Vec::new(),
            });
        }
        let columns = "at_least, position, solved, proof, disproof, nodes, seconds, worker";
        let mut query = self.connection.prepare(&format!("SELECT {columns} FROM result"))?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let solved: Option<bool> = row.get(2)?;
            let number = |place| row.get::<_, Option<i64>>(place).map(|n| n.unwrap_or(1) as u32);
            let found = match solved {
                Some(yes) => Found::Solved(yes),
                None => Found::Open(number(3)?, number(4)?),
            };
            let known = Known { found, nodes: row.get::<_, i64>(5)? as u64, worker: row.get(7)? };
            sink(Row::Result { at_least: row.get(0)?, position: row.get(1)?, known, seconds: row.get(6)? });
        }
        Ok(())
    }

    /// Adds rows, all or none of them.
    pub fn add(&self, rows: &[Row]) -> Result<(), Error> {
        if rows.is_empty() {
            return Ok(());
        }
        let change = self.connection.unchecked_transaction()?;
        rows.iter().try_for_each(|row| insert(&change, row))?;
        Ok(change.commit()?)
    }

    /// Replaces the status that others can read.
    pub fn show(&self, status: &str) -> Result<(), Error> {
        self.connection.execute("INSERT OR REPLACE INTO status VALUES (1, ?1)", [status])?;
        Ok(())
    }

    /// The status that the manager has shown last.
    pub fn status(&self) -> Result<Option<String>, Error> {
        Ok(self.connection.query_row("SELECT json FROM status", [], |row| row.get(0)).optional()?)
    }

    /// For tests: the file may not grow beyond this many pages, as on a full disk.
    #[doc(hidden)]
    pub fn limit_pages(&self, pages: u32) -> Result<(), Error> {
        Ok(self.connection.pragma_update(None, "max_page_count", pages)?)
    }
}

fn insert(change: &Transaction<'_>, row: &Row) -> Result<(), Error> {
    match row {
        Row::Result { at_least, position, known, seconds } => {
            let (solved, numbers) = match known.found {
                Found::Solved(yes) => (Some(yes), None),
                Found::Open(proof, disproof) => (None, Some((proof, disproof))),
            };
            let (proof, disproof) = numbers.unzip();
            change.execute(
                "INSERT OR REPLACE INTO result VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)",
                params![
                    at_least,
                    position,
                    solved,
                    proof,
                    disproof,
                    known.nodes as i64,
                    seconds,
                    known.worker,
                    now()
                ],
            )?;
        }
        Row::Proof { at_least, position, yes, folder, bytes, strategy, worker, .. } => {
            change.execute(
                "INSERT OR REPLACE INTO proof VALUES (?1,?2,?3,?4,?5,?6,?7,?8)",
                params![at_least, position, yes, folder, *bytes as i64, *strategy as i64, worker, now()],
            )?;
        }
        Row::Distrusted { worker, reason } => {
            change.execute(
                "INSERT OR IGNORE INTO distrusted VALUES (?1,?2,?3)",
                params![worker, reason, now()],
            )?;
            change.execute("DELETE FROM result WHERE worker = ?1", [worker])?;
        }
    }
    Ok(())
}

/// Seconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}
