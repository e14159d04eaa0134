//! Searches: one best-first kernel, the rules and priors that make solvers of it, and the brute-force reference.

mod arena;
pub mod brute;
pub mod kernel;
mod limits;
pub mod prior;
mod report;
pub mod rule;

pub use limits::{Governor, Limits, StopReason};
pub use prior::Prior;
pub use report::{Hope, Observer, Report, Stats};
pub use rule::Rule;
