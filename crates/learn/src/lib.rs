//! Learning to solve (paper 4): patterns around moves, and priors for leaves trained from solved trees.
//!
//! A search that has solved something tells which moves turned out proved and disproved ([`harvest`]). A [`Table`] counts them for the
//! nested patterns around each move ([`templates`]); a [`Model`] ([`beta`], [`gaussian`]) makes chances of the counts; a
//! [`LearnedPrior`] gives them to later searches. Priors are hope: a wrong one costs time and can make no answer wrong.

pub mod beta;
pub mod calibration;
pub mod capture;
pub mod chances;
pub mod clock;
pub mod compare;
pub mod gaussian;
pub mod harvest;
pub mod normal;
mod prior;
pub mod table;
pub mod templates;
pub mod train;

pub use prior::{LearnedPrior, Mobility, Model};
pub use table::Table;
