//! The tests of searches from the outside.
//!
//! They are one program: to link every file with all games takes longer than to run most of them.

mod erased;
mod interrupted;
mod mcts;
mod mcts_workers;
mod problem;
mod retro;
mod twins;
mod workers;
