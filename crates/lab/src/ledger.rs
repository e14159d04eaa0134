//! The ledger: a row for every search that was ever done, in an SQLite file.
//!
//! A row is written once, when its search is over, and never changed. What a search was (game, position, solver, seed, limits) is its key, so nothing is done
//! twice, at whatever scale it is asked for.

use crate::{Cell, LabError, Record, Results, Scale, Task, Verdict};
use delphic_engine::Stats;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::path::Path;
use std::time::Duration;

/// The form of the tables.
const SCHEMA: i32 = 1;
/// Marks the file as ours.
const APPLICATION: i32 = 0x444c_5048;

const TABLES: &str = "
CREATE TABLE search (
  key TEXT PRIMARY KEY, experiment TEXT NOT NULL, game TEXT NOT NULL, position TEXT NOT NULL, question TEXT NOT NULL,
  solver TEXT NOT NULL, opponent TEXT NOT NULL, number INTEGER, seed INTEGER NOT NULL, limits TEXT NOT NULL,
  verdict TEXT NOT NULL, stop TEXT NOT NULL, score REAL, line TEXT NOT NULL,
  iterations INTEGER NOT NULL, created INTEGER NOT NULL, expanded INTEGER NOT NULL, visited INTEGER NOT NULL,
  playouts INTEGER NOT NULL, seconds REAL NOT NULL, peak_bytes INTEGER NOT NULL, version TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX by_experiment ON search (experiment);
CREATE TABLE run (experiment TEXT NOT NULL, scale TEXT NOT NULL, threads INTEGER NOT NULL, version TEXT NOT NULL);
";

/// What the export has, in order.
const COLUMNS: &str = "experiment, game, position, question, solver, opponent, number, seed, limits, verdict, stop, score, \
    line, iterations, created, expanded, visited, playouts, seconds, peak_bytes, version";

/// How an experiment was last run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// At which scale.
    pub scale: Scale,
    /// Searches side by side.
    pub threads: usize,
    /// The version of the program.
    pub version: String,
}

/// An open ledger.
#[derive(Debug)]
pub struct Ledger(Connection);

impl Ledger {
    /// Opens a ledger, or begins one.
    pub fn open(path: &Path) -> Result<Ledger, LabError> {
        let refuse = |reason: String| LabError::Ledger(format!("{}: {reason}", path.display()));
        let connection = Connection::open(path).map_err(|error| refuse(error.to_string()))?;
        Ledger::begin(connection).map_err(|error| match error {
            LabError::Ledger(reason) => refuse(reason),
            other => other,
        })
    }

    /// A ledger that lives as long as the program.
    pub fn in_memory() -> Result<Ledger, LabError> {
        Ledger::begin(Connection::open_in_memory()?)
    }

    fn begin(connection: Connection) -> Result<Ledger, LabError> {
        let whole = |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
        let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
        let (application, version) = (whole("application_id")?, whole("user_version")?);
        connection.busy_timeout(Duration::from_secs(10))?;
        match (tables, application) {
            (0, _) => {
                connection.execute_batch(&format!(
                    "BEGIN; {TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA}; COMMIT;"
                ))?;
            }
            (_, APPLICATION) if version == SCHEMA => {}
            (_, APPLICATION) => {
                return Err(LabError::Ledger(format!(
                    "it has schema {version}, this program knows {SCHEMA}"
                )));
            }
            _ => return Err(LabError::Ledger("this database is no ledger of the lab".to_owned())),
        }
        // Rows are whole even if the machine dies; the last few may be missing, and are done again.
        connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
        Ok(Ledger(connection))
    }

    /// Notes how an experiment is run.
    pub fn note(&self, experiment: &str, run: &Run) -> Result<(), LabError> {
        let Run { scale, threads, version } = run;
        self.0.execute(
            "INSERT INTO run VALUES (?1, ?2, ?3, ?4)",
            params![experiment, scale.to_string(), *threads as i64, version],
        )?;
        Ok(())
    }

    /// How an experiment was last run.
    pub fn last(&self, experiment: &str) -> Result<Option<Run>, LabError> {
        let query =
            "SELECT scale, threads, version FROM run WHERE experiment = ?1 ORDER BY rowid DESC LIMIT 1";
        let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get(2)?));
        let found = self.0.query_row(query, [experiment], read).optional()?;
        let Some((scale, threads, version)) = found else { return Ok(None) };
        let scale = scale.parse().map_err(LabError::Ledger)?;
        Ok(Some(Run { scale, threads: threads.max(1) as usize, version }))
    }

    /// Adds what came of a cell, unless it is there already.
    pub fn add(&self, cell: &Cell, record: &Record) -> Result<(), LabError> {
        let (question, opponent, number) = match &cell.task {
            Task::Solve(_, ask) => (ask.to_string(), "", None),
            Task::Play(_, opponent, number) => (String::new(), opponent.as_str(), Some(*number as i64)),
            Task::Capture(attack) => (attack.question().to_owned(), "", None),
        };
        let Stats { iterations, created, expanded, visited, playouts, time, peak_bytes } = record.stats;
        let mut statement = self.0.prepare(
            "INSERT OR IGNORE INTO search VALUES \
             (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22)",
        )?;
        statement.execute(params![
            cell.key(),
            cell.experiment,
            cell.game,
            cell.position,
            question,
            cell.who(),
            opponent,
            number,
            cell.seed as i64,
            cell.caps.text(),
            record.verdict.name(),
            record.stop,
            record.score,
            record.line,
            iterations as i64,
            created as i64,
            expanded as i64,
            visited as i64,
            playouts as i64,
            time.as_secs_f64(),
            peak_bytes as i64,
            record.version,
        ])?;
        Ok(())
    }

    /// All that is known of an experiment.
    pub fn results(&self, experiment: &str) -> Result<Results, LabError> {
        let mut statement = self.0.prepare(
            "SELECT key, verdict, stop, score, line, iterations, created, expanded, visited, playouts, seconds, \
             peak_bytes, version FROM search WHERE experiment = ?1",
        )?;
        let rows = statement.query_map([experiment], read)?;
        Ok(rows.collect::<Result<Results, _>>()?)
    }

    /// Rows as comma-separated values, of one experiment or of all, in the order of their keys.
    pub fn csv(&self, experiment: Option<&str>) -> Result<String, LabError> {
        let query = format!("SELECT {COLUMNS} FROM search WHERE ?1 IS NULL OR experiment = ?1 ORDER BY key");
        let mut statement = self.0.prepare(&query)?;
        let columns = statement.column_count();
        let mut text = COLUMNS.replace(", ", ",") + "\n";
        let mut rows = statement.query([experiment])?;
        while let Some(row) = rows.next()? {
            let fields = (0..columns).map(|column| row.get_ref(column).map(field));
            text += &fields.collect::<Result<Vec<_>, _>>()?.join(",");
            text.push('\n');
        }
        Ok(text)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<(String, Record)> {
    let count = |column| row.get::<_, i64>(column).map(|count| count.max(0) as u64);
    let stats = Stats {
        iterations: count(5)?,
        created: count(6)?,
        expanded: count(7)?,
        visited: count(8)?,
        playouts: count(9)?,
        time: Duration::try_from_secs_f64(row.get(10)?).unwrap_or_default(),
        peak_bytes: count(11)?,
    };
    let record = Record {
        verdict: Verdict::parse(&row.get::<_, String>(1)?).unwrap_or(Verdict::Unknown),
        stop: row.get(2)?,
        score: row.get(3)?,
        line: row.get(4)?,
        stats,
        version: row.get(12)?,
    };
    Ok((row.get(0)?, record))
}

fn field(value: rusqlite::types::ValueRef<'_>) -> String {
    use rusqlite::types::ValueRef;
    match value {
        ValueRef::Null | ValueRef::Blob(_) => String::new(),
        ValueRef::Integer(whole) => whole.to_string(),
        ValueRef::Real(real) => real.to_string(),
        ValueRef::Text(text) => crate::report::csv_field(&String::from_utf8_lossy(text)),
    }
}
