//! Searches: one best-first kernel, the rules and priors that make solvers of it, and the brute-force reference.

pub mod alphabeta;
mod arena;
pub mod baton;
pub mod brute;
pub mod checkpoint;
pub mod dag;
pub mod depth_first;
mod index;
pub mod kernel;
mod limits;
mod line;
pub mod mcts;
pub mod memory;
pub mod prior;
pub mod prover;
mod report;
pub mod rule;
mod table;

pub use baton::{Baton, Turn};
pub use checkpoint::{Account, Archive};
pub use limits::{Estimate, Governor, Limits, Precision, StopReason};
pub use memory::Memory;
pub use prior::Prior;
pub use report::{Hope, Observer, Report, Stats};
pub use rule::Rule;
