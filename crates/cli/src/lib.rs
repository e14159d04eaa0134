//! Delphic solves games: it proves the value of a position, shows a line of play, and reports plainly what it could not prove.
//!
//! This crate re-exports the most used names, and three crates as a whole: [`rules`] (the traits of a game), [`search`] (drivers, rules
//! and priors) and [`engine`] (games, solvers and agents by name). The command line is in [`cli`].
//!
//! | you have | start with |
//! | --- | --- |
//! | a position of a built-in game | [`game`] and [`Request`] |
//! | a game of your own | [`Game`], [`Notation`], [`own_game`], and [`cli::main_with`] for a command line |
//! | an AND/OR problem that is not a game | [`and_or`] |
//! | a search rule or a prior of your own | [`Rule`], [`Prior`], [`kernel`] |
//!
//! The folder `examples` of the repository has a program for each of the last three.
//!
//! # A question about a position
//!
//! ```
//! use delphic::{Ask, Conclusion, Request, game};
//!
//! let position = game("tictactoe")?.position(None, Some("a1 b1"))?;
//! let request = Request { ask: Ask::Win, solver: "pns".parse()?, ..Request::default() };
//! let answer = position.solve(&request, &mut ());
//! assert_eq!(answer.conclusion, Conclusion::Proved);
//! # Ok::<(), delphic::InputError>(())
//! ```
//!
//! # A search with limits and progress
//!
//! ```
//! use delphic::{Event, Limits, Observer, Request, StopReason, game};
//!
//! struct Print;
//!
//! impl Observer for Print {
//!     fn event(&mut self, event: Event<'_>) {
//!         if let Event::Progress(progress) = event {
//!             eprintln!("{} nodes", progress.stats.created);
//!         }
//!     }
//! }
//!
//! let limits = Limits { nodes: Some(1000), ..Limits::default() };
//! let request = Request { solver: "pp".parse()?, limits, ..Request::default() };
//! let answer = game("connect4")?.position(None, None)?.solve(&request, &mut Print);
//! assert_eq!((answer.value(), answer.stop), (None, StopReason::Nodes));
//! # Ok::<(), delphic::InputError>(())
//! ```

mod allowance;
mod analyze;
mod arena;
mod args;
mod batch;
mod bench;
mod check;
mod checkpoints;
pub mod cli;
#[cfg(feature = "cluster")]
mod cluster;
mod estimate;
mod interrupt;
mod judge;
mod lab;
mod learn;
mod lists;
mod manual;
mod match_state;
mod move_ranking;
mod perft;
mod play;
mod position;
mod progress;
mod protocol;
mod puzzle;
pub mod report;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod side_by_side;
mod solve;
mod strong;
mod tables;
mod text;
mod units;
mod version;

pub use delphic_certificate as certificate;
pub use delphic_engine as engine;
pub use delphic_engine::{
    Agent, Analysis, Answer, AnyGame, AnyPlayer, AnyPosition, Ask, Budget, Certified, Checked, Checkpoint,
    Claim, Conclusion, Header, InputError, ProofError, Refusal, Request, Solver, Value, game,
    open_certificate, own_game, register,
};
pub use delphic_game as rules;
pub use delphic_game::{
    Force, Game, Gate, Hints, Notation, NotationError, Outcome, Player, Progressive, Question, Rng, Score,
    Spec, SpecError, Verdict, adapters, and_or, conformance, perft, picture, random_tree,
};
pub use delphic_search as search;
pub use delphic_search::{
    Event, LeafPrior, Limits, Observer, Position, Prior, Progress, Report, RootValue, Rule, Searchable,
    Solvable, Stats, StopReason, Symmetry, depth_first, graph, kernel, prior, rule,
};

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

use cli::{Failure, exit, output};
