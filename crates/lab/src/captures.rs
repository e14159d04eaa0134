//! Go capture problems as cells (paper 4): where problems come from, how a stone is attacked, and what an attacker has learnt before.

mod attack;
mod lesson;
mod problems;

pub use attack::Attack;
pub use lesson::{Learner, Lesson, Split};
pub use problems::{Problem, Set};

/// Product propagation that knows nothing: all leaves ½.
pub const PLAIN: &str = "pp:prior=half";
