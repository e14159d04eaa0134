//! The tests of the explorer's server.
//!
//! They are one program: to link every file with all games takes longer than to run most of them.

mod access;
mod common;
mod crowd;
mod searches;
