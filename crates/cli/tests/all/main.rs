//! The tests of the program from the outside.
//!
//! They are one program: to link every file with all games takes longer than to run most of them.

mod arena;
mod checkpoints;
mod cli;
#[cfg(feature = "cluster")]
mod cluster;
mod common;
mod lab;
mod learn;
mod limits;
mod play;
mod proofs;
mod protocols;
#[cfg(feature = "serve")]
mod serve;
mod strong;
mod terminal;
mod threads;
