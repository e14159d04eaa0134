//! The reports of the command line as strings, for other front ends such as the Python package.

pub use crate::learn::lessons;
pub use crate::text::answer as text;
pub use delphic_engine::json::{agents, games, solvers};

use crate::version::REVISION;
use delphic_engine::{Analysis, Answer, Certified, json};
use serde_json::Value as Json;

/// An answer.
pub fn answer(answer: &Answer) -> Json {
    json::answer(answer, REVISION)
}

/// An answer whose certificate was asked for.
pub fn proved(answer: &Answer, certified: Option<&Certified>) -> Json {
    json::proved(answer, certified, REVISION)
}

/// The values of all moves.
pub fn analysis(analysis: &Analysis) -> Json {
    json::analysis(analysis, REVISION)
}
