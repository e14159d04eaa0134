//! How jobs reach workers and outcomes come back.

use crate::{Error, Hello, Job, JobId, Outcome, Status};
use std::path::PathBuf;
use std::time::Duration;

/// What comes from workers.
#[derive(Debug)]
pub enum Message {
    /// A heartbeat.
    Hello(Hello),
    /// A job is done. A proof is in this folder, which is the manager's to move.
    Outcome(Outcome, Option<PathBuf>),
    /// Something that is not a message: why.
    Nonsense(String),
}

/// The manager's side of a way to its workers.
///
/// A transport may lose, repeat and reorder messages: the manager gives out again what does not come back, and an outcome that comes twice
/// changes nothing. It may not forge them.
pub trait Transport {
    /// Withdraws what earlier managers of the run have given out.
    fn begin(&mut self) -> Result<(), Error>;

    /// Gives out a job for the `attempt`-th time, counted from 0.
    fn send(&mut self, job: &Job, attempt: u32) -> Result<(), Error>;

    /// Takes back a job whose outcome does not matter any more.
    fn cancel(&mut self, job: JobId) -> Result<(), Error>;

    /// What has come since the last call; waits this long for the first message.
    fn receive(&mut self, wait: Duration) -> Result<Vec<Message>, Error>;

    /// All that was received is in the ledger and need not come again.
    fn acknowledge(&mut self) -> Result<(), Error>;

    /// Publishes the state of the run for `cluster status`.
    fn show(&mut self, status: &Status) -> Result<(), Error>;

    /// The run is over: workers need not wait for jobs of it.
    fn end(&mut self) -> Result<(), Error>;

    /// Jobs that should be out if there are this many workers.
    fn ahead(&self, workers: usize) -> usize {
        // One for each, and some that wait for the first to be free: more would be chosen with less knowledge.
        workers + workers.div_ceil(2) + 1
    }
}
