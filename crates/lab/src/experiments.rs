//! Every experiment there is.

mod captures;
mod connect4;
mod pgames;
mod players;
mod products;
mod y;

use crate::Experiment;

/// Every experiment, in the order of `delphic lab list`.
pub const EXPERIMENTS: [&dyn Experiment; 6] = [
    &connect4::Connect4,
    &products::Products,
    &y::Y,
    &pgames::PGames,
    &captures::Captures,
    &players::Players,
];

/// The experiment with this name.
pub fn find(name: &str) -> Option<&'static dyn Experiment> {
    EXPERIMENTS.into_iter().find(|experiment| experiment.name() == name)
}
