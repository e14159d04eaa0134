//! The lab: published experiments, reproduced.
//!
//! An [`Experiment`] describes itself, lists the searches it needs ([`Cell`]) and turns their results into a page that opens with a
//! verdict on every [`claim`] of the paper. [`run`] searches the cells that the [`Ledger`] lacks; [`report::write`] writes the
//! pages. Results are generated, never typed: only the papers' own figures stand in the experiments' files, with the number of their
//! table.

mod allowance;
mod cell;
pub mod claim;
mod experiment;
pub mod experiments;
mod import;
mod instances;
mod ledger;
pub mod plot;
mod provenance;
pub mod report;
mod run;
pub mod stats;
pub mod text;

pub use cell::{Caps, Cell, Crew, Record, Task, Verdict};
pub use experiment::{About, Algorithm, Experiment, Mark, Results, Scale};
pub use experiments::{
    BareAlphaBeta, Counted, Doubles, Inputs, Simulated, ThreadProblem, captures, experiments, thread_problems,
};
pub use instances::random_position;
pub use ledger::{Ledger, Run, RunId};
pub use provenance::Provenance;
pub use run::{End, Observer, Settings, run};

/// Anything that can go wrong in the lab.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A game, a solver or a position that is not one.
    #[error(transparent)]
    Input(#[from] delphic_engine::InputError),
    /// The ledger cannot be read or written.
    #[error("the ledger: {0}")]
    Ledger(String),
    /// Published rows that cannot be read.
    #[error("{0}")]
    Rows(String),
    /// A file cannot be written.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// Files with problems that are missing or not what they should be.
    #[error("--problems {0}")]
    Problems(String),
}

impl From<rusqlite::Error> for LabError {
    fn from(error: rusqlite::Error) -> LabError {
        LabError::Ledger(error.to_string())
    }
}
