//! Reading published rows back into a ledger.

use crate::ledger::Ledger;
use crate::text::csv_records;
use crate::{LabError, Provenance, Run};
use rusqlite::{Transaction, TransactionBehavior, params};
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

/// A line of the file, by the names of its columns.
struct Line<'a> {
    columns: &'a HashMap<String, usize>,
    fields: &'a [String],
    number: usize,
}

impl Line<'_> {
    fn text(&self, name: &str) -> Result<&str, LabError> {
        let field = self.columns.get(name).and_then(|&column| self.fields.get(column));
        field.map(String::as_str).ok_or_else(|| self.refuse(name, "it is missing"))
    }

    fn value<T: std::str::FromStr>(&self, name: &str) -> Result<T, LabError> {
        let text = self.text(name)?;
        text.parse().map_err(|_| self.refuse(name, &format!("'{text}' is not a value of it")))
    }

    /// A value, or nothing where the field is empty.
    fn optional<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, LabError> {
        if self.text(name)?.is_empty() { Ok(None) } else { self.value(name).map(Some) }
    }

    fn refuse(&self, name: &str, reason: &str) -> LabError {
        LabError::Rows(format!("line {}, column '{name}': {reason}", self.number))
    }

    fn run(&self) -> Result<Run, LabError> {
        let scale = self.text("scale")?.parse().map_err(|reason: String| self.refuse("scale", &reason))?;
        let own = |name| self.text(name).map(str::to_owned);
        let provenance = Provenance {
            revision: own("revision")?,
            code: own("code")?,
            compiler: own("compiler")?,
            cpu: own("cpu")?,
            cores: self.value("cores")?,
            memory: self.value("memory")?,
            system: own("system")?,
            date: own("date")?,
        };
        Ok(Run { scale, threads: self.value("threads")?, reuse: true, provenance })
    }

    /// The cell's identity, in the form of [`Cell::key`](crate::Cell::key).
    fn key(&self) -> Result<String, LabError> {
        let (opponent, number) = (self.text("opponent")?, self.text("number")?);
        let task = match (number, opponent) {
            ("", "") => self.text("question")?.to_owned(),
            ("", workers) => format!("{}|{workers}", self.text("question")?),
            (number, opponent) => format!("{opponent}|{number}"),
        };
        let of = |name| self.text(name);
        let (experiment, game, position) = (of("experiment")?, of("game")?, of("position")?);
        let (solver, seed, limits) = (of("solver")?, of("seed")?, of("limits")?);
        Ok(format!("{experiment}|{game}|{position}|{solver}|{task}|{seed}|{limits}"))
    }
}

impl Ledger {
    /// Adds the rows of a file that [`csv`](Ledger::csv) wrote, compressed or not, with their runs; rows that are there already are
    /// kept. Returns how many rows are new.
    pub fn import(&self, file: &Path) -> Result<usize, LabError> {
        let bytes = std::fs::read(file)?;
        let mut text = String::new();
        let read = match bytes.starts_with(&[0x1f, 0x8b]) {
            true => flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text),
            false => (&bytes[..]).read_to_string(&mut text),
        };
        let refuse = |reason: String| LabError::Rows(format!("{}: {reason}", file.display()));
        read.map_err(|error| refuse(error.to_string()))?;
        self.import_text(&text).map_err(|error| match error {
            LabError::Rows(reason) => refuse(reason),
            other => other,
        })
    }

    fn import_text(&self, text: &str) -> Result<usize, LabError> {
        let mut records = csv_records(text).into_iter();
        let head = records.next().unwrap_or_default();
        let columns = head.into_iter().enumerate().map(|(nth, name)| (name, nth)).collect();
        let mut runs = HashMap::new();
        let connection = self.connection();
        let change = Transaction::new_unchecked(&connection, TransactionBehavior::Immediate)?;
        let mut added = 0;
        for (nth, fields) in records.enumerate() {
            let line = Line { columns: &columns, fields: &fields, number: nth + 2 };
            let (experiment, theirs) = (line.text("experiment")?.to_owned(), line.text("run")?.to_owned());
            let run = match runs.get(&(experiment.clone(), theirs.clone())) {
                Some(run) => *run,
                None => {
                    let run = Ledger::insert_run(&change, &experiment, &line.run()?, 0)?;
                    runs.insert((experiment.clone(), theirs), run);
                    run
                }
            };
            added += change.execute(
                "INSERT OR IGNORE INTO search VALUES \
                 (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24)",
                params![
                    line.key()?,
                    line.text("code")?,
                    run,
                    experiment,
                    line.text("game")?,
                    line.text("position")?,
                    line.text("question")?,
                    line.text("solver")?,
                    line.text("opponent")?,
                    line.optional::<i64>("number")?,
                    line.value::<i64>("seed")?,
                    line.text("limits")?,
                    line.text("verdict")?,
                    line.text("stop")?,
                    line.optional::<f64>("score")?,
                    line.optional::<i64>("estimated_at")?,
                    line.text("line")?,
                    line.value::<i64>("iterations")?,
                    line.value::<i64>("created")?,
                    line.value::<i64>("expanded")?,
                    line.value::<i64>("visited")?,
                    line.value::<i64>("playouts")?,
                    line.value::<f64>("seconds")?,
                    line.value::<i64>("peak_bytes")?,
                ],
            )?;
        }
        change.commit()?;
        Ok(added)
    }
}
