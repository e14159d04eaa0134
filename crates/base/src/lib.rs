//! Utilities of all crates of Delphic: a random generator with a fixed stream, files that are written atomically, and estimates with
//! confidence intervals.

pub mod atomic_file;
mod interval;
mod rng;

pub use interval::Interval;
pub use rng::{Rng, mix};
