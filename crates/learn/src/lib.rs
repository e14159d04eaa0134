//! Learning to solve (paper 4): patterns around moves, and priors for leaves trained from solved trees.
//!
//! A finished search lists the moves that it proved and disproved ([`harvest`]). A [`Table`] counts them for the nested patterns around
//! each move ([`templates`]); a [`Model`] ([`beta`], [`gaussian`]) turns counts into chances; a [`LearnedPrior`] gives the chances to
//! the leaves of later searches. Priors only guide: a wrong one costs time and cannot make an answer wrong.
//!
//! ```
//! use delphic_learn::beta::Beta;
//! use delphic_learn::{Model, Table};
//!
//! // A move whose nested patterns have the keys 1 to 8 was proved twice and disproved once.
//! let (mut table, patterns) = (Table::default(), [1, 2, 3, 4, 5, 6, 7, 8]);
//! for yes in [true, true, false] {
//!     table.observe(&patterns, yes);
//! }
//! let chances = Model::Beta(Beta::default()).fit(&table);
//! assert!((chances.of(&patterns).unwrap() - 0.6).abs() < 1e-6);
//! ```

pub mod beta;
pub mod calibration;
pub mod capture;
pub mod chances;
pub mod clock;
pub mod compare;
pub mod gaussian;
pub mod harvest;
pub mod normal;
pub mod noting;
mod prior;
pub mod table;
pub mod templates;
pub mod train;

pub use prior::{LearnedPrior, Mobility, Model};
pub use table::Table;
