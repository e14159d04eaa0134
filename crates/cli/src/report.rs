//! What the command line prints, as values: for other front ends, such as the Python package, that should say the same.

pub use crate::json::{analysis, answer, proved};
pub use crate::learn::lessons;
pub use crate::lists::{agents_json as agents, games_json as games, solvers_json as solvers};
pub use crate::text::answer as text;
