//! Games that a file describes by primitives: a board, pieces, ways to move, ends.
//!
//! [`read`](Description::read) turns TOML into a [`Description`], whose names are resolved and whose tables are made, and that is a
//! game: [`Described`]. Sets of cells are words, moves are looked up by cell, and symmetries are found from board and
//! rules. `docs/families.md` lists the keys.

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
