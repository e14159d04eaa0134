//! The tests of the library from the outside: games, solvers and agents by name.
//!
//! They are one program: to link every file with all games takes longer than to run most of them.

mod agents;
mod agreement;
mod analysis;
mod arena;
mod boards;
mod browse;
mod bundles;
mod certificates;
mod connect4;
mod cyclic;
mod families;
mod known_values;
mod names;
mod own_game;
mod paper3;
mod parallel;
mod pictures;
mod replay;
mod resume;
mod retro;
mod signature;
mod tables;
