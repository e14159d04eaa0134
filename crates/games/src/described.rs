//! Games described by primitives in a file: a board, pieces, moves, ends.
//!
//! [`read`](Description::read) compiles TOML to a [`Description`] with a game, [`Described`]: names are resolved and tables computed. Sets of
//! cells are machine words, moves are looked up by cell, and symmetries are found from board and rules. `docs/families.md` lists the keys.

mod board;
mod compile;
mod parts;
mod progress;
mod read;
mod rules;
mod section;
mod state;
mod summary;
mod symmetry;
mod text;

pub use parts::Part;
pub use read::Description;
pub use state::{Described, Move, State};
