//! Every experiment there is.

mod benchmark;
pub mod captures;
mod connect4;
mod pgames;
mod players;
mod products;
mod threads;
mod y;

pub use connect4::{Counted, Doubles, Simulated};
pub use products::BareAlphaBeta;
pub use threads::{ThreadProblem, thread_problems};

use crate::claim::sign_test;
use crate::{Experiment, LabError};
use std::path::PathBuf;

/// What experiments need from outside the program.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// A folder with GNU Go's capture problems. Without it `captures` uses the problems that are part of the program.
    pub problems: Option<PathBuf>,
}

/// The experiments' names, in the order of `delphic lab list`.
pub const NAMES: [&str; 8] =
    ["connect4", "products", "y", "pgames", "captures", "players", "benchmark", "threads"];

/// Every experiment, in the order of [`NAMES`].
pub fn experiments(inputs: &Inputs) -> Result<Vec<Box<dyn Experiment>>, LabError> {
    Ok(vec![
        Box::new(connect4::Connect4::new()?),
        Box::new(products::Products),
        Box::new(y::Y::new()?),
        Box::new(pgames::PGames),
        Box::new(captures::Captures::new(inputs.problems.as_deref())?),
        Box::new(players::Players),
        Box::new(benchmark::Benchmark::new()?),
        Box::new(threads::Threads),
    ])
}

/// A solver or an agent from one of the experiments' own tables.
///
/// # Panics
///
/// If it is not one. The names are constants of this program, and a test builds every cell of every scale.
fn known<T: std::str::FromStr<Err: std::fmt::Display>>(name: &str) -> T {
    name.parse().unwrap_or_else(|error| panic!("'{name}' in an experiment's table: {error}"))
}

/// Whether `one` is above `other`, if the sign test decides at 5 %.
fn more_often(one: usize, other: usize) -> Option<bool> {
    (sign_test(one, other) < 0.05).then_some(one > other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clear_majorities_decide() {
        assert_eq!([more_often(6, 0), more_often(0, 6), more_often(5, 0)], [Some(true), Some(false), None]);
    }

    #[test]
    fn names_are_those_of_the_experiments() {
        let made = experiments(&Inputs::default()).unwrap();
        assert!(made.iter().map(|experiment| experiment.name()).eq(NAMES));
    }
}
