//! Every experiment there is.

pub mod captures;
mod connect4;
mod pgames;
mod players;
mod products;
mod y;

use crate::{Experiment, LabError};
use std::path::PathBuf;

/// What experiments need from outside the program.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// A folder with GNU Go's capture problems. Without it `captures` uses the problems that are part of the program.
    pub problems: Option<PathBuf>,
}

/// The experiments' names, in the order of `delphic lab list`.
pub const NAMES: [&str; 6] = ["connect4", "products", "y", "pgames", "captures", "players"];

/// Every experiment, in the order of [`NAMES`].
pub fn experiments(inputs: &Inputs) -> Result<Vec<Box<dyn Experiment>>, LabError> {
    Ok(vec![
        Box::new(connect4::Connect4::new()?),
        Box::new(products::Products),
        Box::new(y::Y::new()?),
        Box::new(pgames::PGames),
        Box::new(captures::Captures::new(inputs.problems.as_deref())?),
        Box::new(players::Players),
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

/// The probability that a fair coin falls at least as unevenly as `one` to `other` (sign test, two-sided; McNemar's exact test for
/// pairs).
fn sign_test(one: usize, other: usize) -> f64 {
    let tosses = one + other;
    let mut ways = 1.0;
    let mut tail = 0.0;
    for heads in 0..=one.min(other) {
        tail += ways;
        ways *= (tosses - heads) as f64 / (heads + 1) as f64;
    }
    (2.0 * tail * 0.5f64.powi(tosses as i32)).min(1.0)
}

/// Whether `one` is above `other`, if the sign test decides at 5 %.
fn more_often(one: usize, other: usize) -> Option<bool> {
    (sign_test(one, other) < 0.05).then_some(one > other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coins_fall_as_they_do() {
        assert_eq!([sign_test(0, 0), sign_test(3, 3), sign_test(1, 0)], [1.0; 3]);
        assert_eq!([sign_test(5, 0), sign_test(0, 5)], [0.0625; 2]);
        // 1, 10 and 45 ways of 1024, on both sides.
        assert!((sign_test(8, 2) - 112.0 / 1024.0).abs() < 1e-12);
        assert_eq!([more_often(6, 0), more_often(0, 6), more_often(5, 0)], [Some(true), Some(false), None]);
    }

    #[test]
    fn names_are_those_of_the_experiments() {
        let made = experiments(&Inputs::default()).unwrap();
        assert!(made.iter().map(|experiment| experiment.name()).eq(NAMES));
    }
}
