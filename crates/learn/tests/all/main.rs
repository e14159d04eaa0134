//! The tests of learning.
//!
//! They are one program: to link every file with all games takes longer than to run most of them.

mod captures;
mod generator;
mod priors;
