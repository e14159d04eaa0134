//! The lab: published experiments made again, one file each.
//!
//! An [`Experiment`] describes itself, lists the searches it needs ([`Cell`]) and turns what came of them into a page. [`run`] does the cells that
//! the [`Ledger`] does not have yet; [`report::write`] draws the pages. Results are generated, never typed: only the papers' own
//! figures stand in the experiments' files, with the number of their table.

pub mod captures;
mod cell;
mod experiment;
pub mod experiments;
mod instances;
mod ledger;
pub mod plot;
pub mod report;
mod run;

pub use cell::{Caps, Cell, Record, Task, Verdict};
pub use experiment::{About, Experiment, Results, Scale};
pub use experiments::{EXPERIMENTS, find};
pub use instances::random_position;
pub use ledger::{Ledger, Run};
pub use run::{End, Settings, Watch, run};

/// Anything that can go wrong in the lab.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A game, a solver or a position that cannot be.
    #[error(transparent)]
    Input(#[from] delphic_engine::InputError),
    /// The ledger cannot be read or written.
    #[error("the ledger: {0}")]
    Ledger(String),
    /// A file cannot be written.
    #[error("{0}")]
    File(#[from] std::io::Error),
}

impl From<rusqlite::Error> for LabError {
    fn from(error: rusqlite::Error) -> LabError {
        LabError::Ledger(error.to_string())
    }
}
