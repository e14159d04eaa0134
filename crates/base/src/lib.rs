//! What every crate of Delphic needs and no crate is about: a random generator with a fixed stream, files that are written whole or not at
//! all, and estimates with confidence intervals.

pub mod atomic_file;
mod interval;
mod rng;

pub use interval::Interval;
pub use rng::{Rng, mix};
