//! The interface of an experiment.

use crate::claim::Judged;
use crate::report::Block;
use crate::{Cell, Record, Run, RunId};
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// How large an experiment is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Shows that everything works, in seconds.
    Smoke,
    /// Shows the trend, in minutes to an hour.
    Quick,
    /// As much as the paper did.
    Paper,
}

impl Scale {
    /// All of them.
    pub const ALL: [Scale; 3] = [Scale::Smoke, Scale::Quick, Scale::Paper];

    /// The one of three values that belongs to this scale.
    pub fn pick<T>(self, smoke: T, quick: T, paper: T) -> T {
        match self {
            Scale::Smoke => smoke,
            Scale::Quick => quick,
            Scale::Paper => paper,
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.pick("smoke", "quick", "paper"))
    }
}

impl std::str::FromStr for Scale {
    type Err = String;

    fn from_str(text: &str) -> Result<Scale, String> {
        let known = Scale::ALL.into_iter().find(|scale| scale.to_string() == text);
        known.ok_or_else(|| format!("'{text}' is not a scale; expected smoke, quick or paper"))
    }
}

/// The description of an experiment, for its page.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// A line for the list.
    pub title: &'static str,
    /// Where it was published: paper and tables.
    pub paper: &'static str,
    /// The positions, and where they come from.
    pub instances: &'static str,
    /// The solvers or agents.
    pub solvers: &'static str,
    /// What stops a search, by scale.
    pub limits: &'static str,
    /// What the figures count.
    pub counted: &'static str,
    /// Where we differ from the paper.
    pub deviations: &'static [&'static str],
    /// The paper's algorithms, and how near ours are to them.
    pub algorithms: &'static [Algorithm],
}

/// How near an implementation is to the paper's.
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// Its name in the paper.
    pub name: &'static str,
    /// How near ours is.
    pub mark: Mark,
    /// What was chosen, added or changed.
    pub words: &'static str,
}

/// The marks of [`Algorithm`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// As printed.
    AsPrinted,
    /// As printed, with choices where the paper leaves something open.
    Choices,
    /// It does more than the paper's, or something else.
    Differs,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mark::AsPrinted => "as printed",
            Mark::Choices => "as printed, with choices",
            Mark::Differs => "differs",
        })
    }
}

/// A published experiment.
pub trait Experiment: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Its description.
    fn about(&self) -> &'static About;

    /// The paper's claims, each with what the rows say about it.
    fn claims(&self, scale: Scale, known: &Results) -> Vec<Judged>;

    /// The cells it needs. Later ones may depend on earlier results: they are asked for again until nothing is missing.
    fn cells(&self, scale: Scale, known: &Results) -> Vec<Cell>;

    /// The tables and figures, whether all cells are done or not.
    fn report(&self, scale: Scale, known: &Results) -> Vec<Block>;

    /// Options that this experiment was made with and that a command must repeat: ` --problems DIR`.
    fn options(&self) -> &'static str {
        ""
    }
}

/// The rows of one experiment.
#[derive(Debug, Default)]
pub struct Results {
    rows: HashMap<String, (Record, RunId)>,
    /// The runs that the rows refer to.
    pub(crate) runs: BTreeMap<RunId, Run>,
}

impl Results {
    /// The result of a cell, if it is done.
    pub fn get(&self, cell: &Cell) -> Option<&Record> {
        self.rows.get(&cell.key()).map(|(record, _)| record)
    }

    /// The run that a cell's row belongs to.
    pub fn run(&self, cell: &Cell) -> Option<&Run> {
        self.runs.get(&self.rows.get(&cell.key())?.1)
    }

    /// How many cells are done.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(crate) fn insert(&mut self, key: String, record: Record, run: RunId) {
        self.rows.insert(key, (record, run));
    }
}
