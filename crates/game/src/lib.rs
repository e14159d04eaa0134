//! The words of Delphic: games, questions, problems.
//!
//! Here stands what a [`Game`] is and what can be asked about it ([`Force`], [`Score`], [`Maxn`]); the [`adapters`] that make variants, the helpers for boards and their pictures, and the
//! [`conformance`] suite that every game passes; [`files`] that are whole or not there; and the [`Interval`] around what was measured. No game and no search live here.

pub mod adapters;
pub mod and_or;
pub mod bits;
pub mod certificate;
pub mod conformance;
pub mod files;
mod game;
pub mod grid;
mod interval;
mod notation;
pub mod patterns;
pub mod picture;
mod player;
mod question;
pub mod random_tree;
mod restriction;
mod rng;
pub mod spec;
#[doc(hidden)]
pub mod testing;

pub use game::{Game, Hints, Progressive, perft, playout, result};
pub use interval::Interval;
pub use notation::{Notation, NotationError, play_all, read_moves, write_moves};
pub use player::{Outcome, Player};
pub use question::{AndOr, Bounds, Force, Gate, Logic, Maxn, Question, Score, Verdict};
pub use restriction::Restriction;
pub use rng::{Rng, mix};
pub use spec::{Spec, SpecError};
