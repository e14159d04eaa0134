//! The vocabulary of Delphic: games and questions.
//!
//! A [`Game`] is a rules value over a small state; [`Force`], [`Score`] and [`Maxn`] are questions about its positions; an
//! [`AndOrProblem`](and_or::AndOrProblem) can be converted to a game. There are also [`adapters`] that make variants of games, helpers for
//! boards and their pictures, and the [`conformance`] suite that every game passes. This crate has no game and no search.
//!
//! ```
//! use delphic_game::random_tree::RandomTree;
//! use delphic_game::{Force, Game, Player, Question, Rng, playout};
//!
//! // A random game, and the answer to a question at its end.
//! let game = RandomTree::small(1);
//! let outcome = playout(&game, &mut game.start(), &mut Rng::new(1), &mut Vec::new());
//! let win = Force { player: Player::FIRST, at_least: 1 };
//! assert_eq!(win.answer(outcome) == delphic_game::Verdict::Proved, outcome.payoff(Player::FIRST) >= 1);
//! ```

pub mod adapters;
pub mod and_or;
pub mod bits;
pub mod conformance;
pub mod erased;
mod game;
mod game_ref;
pub mod grid;
mod notation;
pub mod patterns;
pub mod picture;
mod player;
mod question;
pub mod random_tree;
mod restriction;
pub mod spec;
pub mod sums;
#[doc(hidden)]
pub mod testing;

pub use delphic_base::{Rng, mix};
pub use game::{Appraisal, Game, Hints, LONGEST_PLAYOUT, Progressive, perft, playout, result};
pub use game_ref::GameRef;
pub use notation::{Notation, NotationError, play_all, read_moves, write_moves, write_numbered};
pub use player::{Outcome, Player};
pub use question::{AndOr, Bounds, Force, Gate, Logic, Maxn, Question, Score, Verdict};
pub use restriction::Restriction;
pub use spec::{Spec, SpecError};
