//! The ledger: a row for every search that was finished, in an SQLite file.
//!
//! What a search is (game, position, solver, seed, limits) and the fingerprint of the program that made it are the row's key. A row
//! is written once, when its search is finished, and never changed. Every row refers to its run, which has the [`Provenance`]. Rows of
//! another program are kept and are used only where the caller asks for them.
//!
//! Several processes may fill one ledger. A process *claims* a cell before searching it; claims of a process that has not reported
//! for [`STALE`] seconds are void, so a killed process delays its cells and does not lose them.

use crate::{Cell, LabError, Provenance, Record, Results, Scale, Task, Verdict};
use delphic_engine::{Ask, Stats};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The version of the tables.
const SCHEMA: i32 = 2;
/// Marks the file as a ledger.
const APPLICATION: i32 = 0x444c_5048;
/// How long a process waits for another one's transaction.
const BUSY: Duration = Duration::from_secs(30);
/// Seconds without a report after which a run's claims are void.
const STALE: i64 = 60;

const TABLES: &str = "
CREATE TABLE run (
  id INTEGER PRIMARY KEY, experiment TEXT NOT NULL, scale TEXT NOT NULL, threads INTEGER NOT NULL, reuse INTEGER NOT NULL,
  revision TEXT NOT NULL, code TEXT NOT NULL, compiler TEXT NOT NULL, cpu TEXT NOT NULL, cores INTEGER NOT NULL,
  memory INTEGER NOT NULL, system TEXT NOT NULL, date TEXT NOT NULL, seen INTEGER NOT NULL
);
CREATE TABLE search (
  key TEXT NOT NULL, code TEXT NOT NULL, run INTEGER NOT NULL REFERENCES run (id),
  experiment TEXT NOT NULL, game TEXT NOT NULL, position TEXT NOT NULL, question TEXT NOT NULL,
  solver TEXT NOT NULL, opponent TEXT NOT NULL, number INTEGER, seed INTEGER NOT NULL, limits TEXT NOT NULL,
  verdict TEXT NOT NULL, stop TEXT NOT NULL, score REAL, estimated_at INTEGER, line TEXT NOT NULL,
  iterations INTEGER NOT NULL, created INTEGER NOT NULL, expanded INTEGER NOT NULL, visited INTEGER NOT NULL,
  playouts INTEGER NOT NULL, seconds REAL NOT NULL, peak_bytes INTEGER NOT NULL,
  PRIMARY KEY (key, code)
) WITHOUT ROWID;
CREATE INDEX by_experiment ON search (experiment);
CREATE TABLE claim (key TEXT NOT NULL, code TEXT NOT NULL, run INTEGER NOT NULL, PRIMARY KEY (key, code)) WITHOUT ROWID;
";

/// The columns of the export, in order.
const COLUMNS: &str = "search.experiment, game, position, question, solver, opponent, number, seed, limits, verdict, stop, \
    score, estimated_at, line, iterations, created, expanded, visited, playouts, seconds, peak_bytes, run, revision, search.code, \
    compiler, cpu, cores, memory, system, threads, date, scale";

/// One call of [`run`](crate::run): how an experiment was run, by which program and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The scale.
    pub scale: Scale,
    /// Searches side by side.
    pub threads: usize,
    /// Whether rows of other programs counted as done.
    pub reuse: bool,
    /// Program, machine, date.
    pub provenance: Provenance,
}

/// The number of a run in its ledger.
pub type RunId = i64;

/// An open ledger. Threads may share it.
#[derive(Debug)]
pub struct Ledger(Mutex<Connection>);

impl Ledger {
    /// Opens a ledger, or creates one.
    pub fn open(path: &Path) -> Result<Ledger, LabError> {
        let refuse = |reason: String| LabError::Ledger(format!("{}: {reason}", path.display()));
        let connection = Connection::open(path).map_err(|error| refuse(error.to_string()))?;
        Ledger::begin(connection).map_err(|error| match error {
            LabError::Ledger(reason) => refuse(reason),
            other => other,
        })
    }

    /// A ledger that lives as long as the process.
    pub fn in_memory() -> Result<Ledger, LabError> {
        Ledger::begin(Connection::open_in_memory()?)
    }

    fn begin(connection: Connection) -> Result<Ledger, LabError> {
        connection.busy_timeout(BUSY)?;
        // Rows are whole even if the machine fails; the last few may be missing, and are searched again.
        patiently(|| connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"))?;
        // Two processes may find an empty file at the same time: the one that locks it first creates the tables.
        let change = patiently(|| Transaction::new_unchecked(&connection, TransactionBehavior::Immediate))?;
        let number = |pragma: &str| change.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
        let tables: i64 = change.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
        match (tables, number("application_id")?, number("user_version")?) {
            (0, ..) => {
                let marks = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA};");
                change.execute_batch(&format!("{TABLES} {marks}"))?;
            }
            (_, APPLICATION, SCHEMA) => {}
            (_, APPLICATION, version) => {
                return Err(LabError::Ledger(format!(
                    "it has schema {version}, this program reads {SCHEMA}; start a new ledger"
                )));
            }
            _ => return Err(LabError::Ledger("this database is not a ledger of the lab".to_owned())),
        }
        change.commit()?;
        Ok(Ledger(Mutex::new(connection)))
    }

    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a run, whose number its rows and claims carry.
    pub fn start(&self, experiment: &str, run: &Run) -> Result<RunId, LabError> {
        Ledger::insert_run(&self.connection(), experiment, run, now())
    }

    /// Adds a run that last reported at this time; 0 for one that is over.
    pub(crate) fn insert_run(
        connection: &Connection,
        experiment: &str,
        run: &Run,
        seen: i64,
    ) -> Result<RunId, LabError> {
        let Run { scale, threads, reuse, provenance } = run;
        let Provenance { revision, code, compiler, cpu, cores, memory, system, date } = provenance;
        connection.execute(
            "INSERT INTO run VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            params![
                experiment,
                scale.to_string(),
                *threads as i64,
                reuse,
                revision,
                code,
                compiler,
                cpu,
                *cores as i64,
                *memory as i64,
                system,
                date,
                seen,
            ],
        )?;
        Ok(connection.last_insert_rowid())
    }

    /// Reports that the run is alive: it keeps its claims for another [`STALE`] seconds.
    pub fn keep_alive(&self, run: RunId) -> Result<(), LabError> {
        self.connection().execute("UPDATE run SET seen = ?2 WHERE id = ?1", params![run, now()])?;
        Ok(())
    }

    /// Ends a run: cells that it claimed and did not finish are free again.
    pub fn end(&self, run: RunId) -> Result<(), LabError> {
        let connection = self.connection();
        let change = Transaction::new_unchecked(&connection, TransactionBehavior::Immediate)?;
        change.execute("DELETE FROM claim WHERE run = ?1", [run])?;
        change.execute("UPDATE run SET seen = 0 WHERE id = ?1", [run])?;
        Ok(change.commit()?)
    }

    /// Claims a cell for a run of this program. `false` if its row is there or another live run has claimed it.
    pub fn claim(&self, cell: &Cell, run: RunId) -> Result<bool, LabError> {
        let changed = self.connection().execute(
            "INSERT INTO claim SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM search WHERE key = ?1 AND code = ?2) \
             ON CONFLICT (key, code) DO UPDATE SET run = excluded.run \
             WHERE coalesce((SELECT seen FROM run WHERE id = claim.run), 0) < ?4",
            params![cell.key(), Provenance::code(), run, now() - STALE],
        )?;
        Ok(changed == 1)
    }

    /// The last run of an experiment.
    pub fn last(&self, experiment: &str) -> Result<Option<Run>, LabError> {
        let query = format!("SELECT {RUN} FROM run WHERE experiment = ?1 ORDER BY id DESC LIMIT 1");
        let found = self.connection().query_row(&query, [experiment], read_run).optional()?;
        found.map(|(_, run)| run).transpose()
    }

    /// Adds the result of a cell, unless it is there already, and gives up the claim on it.
    pub fn add(&self, cell: &Cell, record: &Record, run: RunId) -> Result<(), LabError> {
        let (question, opponent, number) = match &cell.task {
            Task::Solve(_, ask) => (ask.to_string(), String::new(), None),
            Task::Together(_, crew) => (Ask::Win.to_string(), crew.to_string(), None),
            Task::Play(_, opponent, number) => (String::new(), opponent.to_string(), Some(*number as i64)),
            Task::Capture(solver) => (solver.question().to_owned(), String::new(), None),
            Task::Doubles(_) | Task::Counted(_) | Task::Bare(_) => {
                (Ask::Win.to_string(), String::new(), None)
            }
        };
        let Stats { iterations, created, expanded, visited, playouts, time, peak_bytes } = record.stats;
        let (key, code, connection) = (cell.key(), Provenance::code(), self.connection());
        let change = Transaction::new_unchecked(&connection, TransactionBehavior::Immediate)?;
        change.execute(
            "INSERT OR IGNORE INTO search VALUES \
             (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24)",
            params![
                key,
                code,
                run,
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
                record.estimated_at.map(|created| created as i64),
                record.line,
                iterations as i64,
                created as i64,
                expanded as i64,
                visited as i64,
                playouts as i64,
                time.as_secs_f64(),
                peak_bytes as i64,
            ],
        )?;
        change.execute("DELETE FROM claim WHERE key = ?1 AND code = ?2", params![key, code])?;
        Ok(change.commit()?)
    }

    /// The rows of an experiment that this program made; with `reuse` also the newest of other programs where it has made none.
    pub fn results(&self, experiment: &str, reuse: bool) -> Result<Results, LabError> {
        let connection = self.connection();
        let mut statement = connection.prepare(
            "SELECT key, verdict, stop, score, line, iterations, created, expanded, visited, playouts, seconds, \
             peak_bytes, run, estimated_at FROM search WHERE experiment = ?1 AND (code = ?2 OR ?3) \
             ORDER BY code = ?2, run",
        )?;
        let mut results = Results::default();
        for row in statement.query_map(params![experiment, Provenance::code(), reuse], read)? {
            let (key, record, run) = row?;
            results.insert(key, record, run);
        }
        let mut statement = connection.prepare(&format!("SELECT {RUN} FROM run WHERE experiment = ?1"))?;
        for row in statement.query_map([experiment], read_run)? {
            let (id, run) = row?;
            results.runs.insert(id, run?);
        }
        Ok(results)
    }

    /// How many rows of an experiment other programs made, by revision.
    pub fn foreign(&self, experiment: &str) -> Result<Vec<(String, u64)>, LabError> {
        let connection = self.connection();
        let mut statement = connection.prepare(
            "SELECT revision, count(*) FROM search JOIN run ON run.id = run WHERE search.experiment = ?1 AND search.code <> ?2 \
             GROUP BY revision ORDER BY min(run.id)",
        )?;
        let count = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)?.max(0) as u64));
        let rows = statement.query_map(params![experiment, Provenance::code()], count)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Rows as comma-separated values with the provenance of each, of one experiment or of all, in the order of their keys.
    pub fn csv(&self, experiment: Option<&str>) -> Result<String, LabError> {
        let query = format!(
            "SELECT {COLUMNS} FROM search JOIN run ON run.id = run \
             WHERE ?1 IS NULL OR search.experiment = ?1 ORDER BY key, run.id"
        );
        let connection = self.connection();
        let mut statement = connection.prepare(&query)?;
        let columns = statement.column_count();
        let mut text = COLUMNS.replace("search.", "").replace(", ", ",") + "\n";
        let mut rows = statement.query([experiment])?;
        while let Some(row) = rows.next()? {
            let fields = (0..columns).map(|column| row.get_ref(column).map(field));
            text += &fields.collect::<Result<Vec<_>, _>>()?.join(",");
            text.push('\n');
        }
        Ok(text)
    }
}

/// Tries again while another process holds a lock for which SQLite itself does not wait.
fn patiently<T>(mut attempt: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let started = Instant::now();
    loop {
        match attempt() {
            Err(rusqlite::Error::SqliteFailure(error, _))
                if error.code == ErrorCode::DatabaseBusy && started.elapsed() < BUSY =>
            {
                std::thread::sleep(Duration::from_millis(20));
            }
            other => return other,
        }
    }
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

const RUN: &str = "id, scale, threads, reuse, revision, code, compiler, cpu, cores, memory, system, date";

/// A run; its scale may be one that this program does not know.
fn read_run(row: &Row<'_>) -> rusqlite::Result<(RunId, Result<Run, LabError>)> {
    let provenance = Provenance {
        revision: row.get(4)?,
        code: row.get(5)?,
        compiler: row.get(6)?,
        cpu: row.get(7)?,
        cores: row.get::<_, i64>(8)?.max(0) as u64,
        memory: row.get::<_, i64>(9)?.max(0) as u64,
        system: row.get(10)?,
        date: row.get(11)?,
    };
    let (threads, reuse) = (row.get::<_, i64>(2)?.max(1) as usize, row.get(3)?);
    let scale = row.get::<_, String>(1)?.parse().map_err(LabError::Ledger);
    Ok((row.get(0)?, scale.map(|scale| Run { scale, threads, reuse, provenance })))
}

fn read(row: &Row<'_>) -> rusqlite::Result<(String, Record, RunId)> {
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
        estimated_at: row.get::<_, Option<i64>>(13)?.map(|created| created.max(0) as u64),
        line: row.get(4)?,
        stats,
    };
    Ok((row.get(0)?, record, row.get(12)?))
}

fn field(value: rusqlite::types::ValueRef<'_>) -> String {
    use rusqlite::types::ValueRef;
    match value {
        ValueRef::Null | ValueRef::Blob(_) => String::new(),
        ValueRef::Integer(whole) => whole.to_string(),
        ValueRef::Real(real) => real.to_string(),
        ValueRef::Text(text) => crate::text::csv_field(&String::from_utf8_lossy(text)),
    }
}
