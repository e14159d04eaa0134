//! The tests of the games from the outside.
//!
//! They are one program: to link every file with all games takes longer than to run most of them.

mod described;
mod erased;
mod facts;
mod hints;
mod notation;
mod symmetry;
