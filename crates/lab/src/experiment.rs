//! What an experiment is.

use crate::report::Block;
use crate::{Cell, Record};
use std::collections::HashMap;
use std::fmt;

/// How much is done.
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
        known.ok_or_else(|| format!("'{text}' is no scale; expected smoke, quick or paper"))
    }
}

/// What a reader must know before the figures.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// A line for the list.
    pub title: &'static str,
    /// Where it was published: paper and tables.
    pub paper: &'static str,
    /// What the paper says.
    pub claim: &'static str,
    /// What is searched, and where it comes from.
    pub instances: &'static str,
    /// Who searches.
    pub solvers: &'static str,
    /// What stops a search, by scale.
    pub limits: &'static str,
    /// What the figures count.
    pub counted: &'static str,
    /// Where we do something else than the paper.
    pub deviations: &'static [&'static str],
}

/// A published experiment.
pub trait Experiment: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it is about.
    fn about(&self) -> &'static About;

    /// The cells it needs. Later ones may depend on what is already known: they are asked for again until nothing is missing.
    fn cells(&self, scale: Scale, known: &Results) -> Vec<Cell>;

    /// What came of them, whether all are done or not.
    fn report(&self, scale: Scale, known: &Results) -> Vec<Block>;
}

/// What is known so far.
#[derive(Debug, Default)]
pub struct Results(HashMap<String, Record>);

impl Results {
    /// What came of a cell, if it is done.
    pub fn get(&self, cell: &Cell) -> Option<&Record> {
        self.0.get(&cell.key())
    }

    /// How many cells are done.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(String, Record)> for Results {
    fn from_iter<I: IntoIterator<Item = (String, Record)>>(rows: I) -> Results {
        Results(rows.into_iter().collect())
    }
}
