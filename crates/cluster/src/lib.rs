//! Proof search on many machines.
//!
//! A [`Manager`] holds a graph of positions and gives out its leaves as [`Job`]s; workers search them and send back what they found. Every
//! result is a row of a [`Ledger`] before it is acknowledged, so a manager that ends is continued by the next one. How jobs and results
//! travel is a [`Transport`]: files in a folder ([`files`]), or a NATS server (`broker`, with the cargo feature of that name).
//!
//! A worker's answer is not a proof. For every position that the answer rests on, a worker writes a certificate; the manager checks each, and
//! puts them together into one bundle, which anyone checks with the rules alone.
//!
//! | file | what it has |
//! | --- | --- |
//! | `job` | jobs and outcomes as data |
//! | `ledger` | the rows that are kept |
//! | `questions` | the graphs of a run, filled from what is known |
//! | `manager` | which job is next, which is lost, which is superfluous; no input or output |
//! | `proofs` | certificates that arrived, and the bundle made of them |
//! | `run` | the loop that connects a manager, its ledger and a transport |
//! | `worker` | one job done |

#[cfg(feature = "broker")]
pub mod broker;
pub mod files;
mod job;
mod ledger;
mod manager;
mod proofs;
mod questions;
mod run;
mod status;
mod transport;
mod worker;

pub use job::{Finding, Hello, Job, JobId, LONGEST_MESSAGE, Outcome, Task};
pub use ledger::{Header, Ledger, Row};
pub use manager::{Manager, Settings};
pub use questions::{Known, Progress};
pub use run::{Connect, Ended, Options, Report, manage};
pub use status::{Status, WorkerStatus};
pub use transport::{Message, Transport};
pub use worker::{Performed, Worker, worker_name};

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A problem that cannot be given to a cluster, or options that make no sense.
    #[error("{0}")]
    Request(String),
    /// A ledger that cannot be used.
    #[error("{path}: {reason}")]
    Ledger {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// A message that is not one.
    #[error("malformed message: {0}")]
    Message(String),
    /// The broker.
    #[error("the broker: {0}")]
    Broker(String),
    /// A row that cannot be read or written.
    #[error("the ledger: {0}")]
    Database(#[from] rusqlite::Error),
    /// A file.
    #[error(transparent)]
    File(#[from] std::io::Error),
}
