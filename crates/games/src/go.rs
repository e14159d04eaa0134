//! Go: the board, its rules, game records, and the capture game.

mod board;
mod capture;
mod points;
mod position;
mod sgf;
mod surroundings;
mod zone;

pub use board::Board;
pub use capture::{GoCapture, PASS, State as CaptureState};
pub use points::Points;
pub use position::{IllegalMove, Ko, Position};
pub use sgf::{Record, SgfError};
