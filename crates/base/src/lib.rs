//! Utilities of all crates of Delphic: a random generator with a fixed stream, files that are written atomically, lists that grow without
//! copying, and estimates with confidence intervals.

pub mod atomic_file;
mod chunks;
mod interval;
mod rng;

pub use chunks::Chunks;
pub use interval::Interval;
pub use rng::{Rng, mix};
