//! Searches: one best-first kernel with its rules and priors, depth-first and Monte-Carlo drivers over the same games, and the
//! brute-force reference.
//!
//! Searches and games are separated by the [`boundary`]: drivers are compiled once per rule, the game's side of them once per game. A
//! [`Rule`] backs up heuristic values and selects the next node; a [`Prior`] gives evidence about leaves; verdicts are exact and kept
//! apart from both.
//!
//! ```
//! use delphic_game::{Force, Game, Player, Spec, Verdict};
//! use delphic_games::{Family, Nim};
//! use delphic_search::rule::Product;
//! use delphic_search::{LeafPrior, Limits, Position, Searchable, Symmetry, graph};
//!
//! let game = Nim::build(&mut Spec::parse("nim:1,2,4"))?;
//! let position = Position { game: &game, state: game.start() };
//! let win = Force { player: Player::FIRST, at_least: 1 };
//!
//! // Product propagation with transpositions: a driver, a rule and a prior.
//! let positions = position.graph(win, LeafPrior::Mobility, Symmetry::On);
//! let report = graph::solve(positions, &Product::default(), Limits::default(), &mut ());
//! assert_eq!(report.truth, Verdict::Proved);
//! # Ok::<(), delphic_game::SpecError>(())
//! ```

pub mod alphabeta;
mod arena;
pub mod boundary;
pub mod brute;
pub mod checkpoint;
pub mod depth_first;
pub mod graph;
mod index;
pub mod jobs;
pub mod kernel;
mod limits;
mod line;
pub mod mcts;
pub mod prior;
pub mod problem;
pub mod prover;
mod report;
pub mod retro;
pub mod rule;
pub mod solved;
mod state_map;
mod symmetry;
mod table;
mod turns;
mod workers;
pub mod yardstick;

pub use arena::NodeId;
pub use boundary::{Position, Sampled, Searchable, Solvable};
pub use checkpoint::{CheckpointStore, Spent};
pub use limits::{Estimate, KeptTable, Lemmas, LimitGuard, Limits, Precision, StopReason};
pub use prior::{LeafPrior, Prior};
pub use problem::GameProblem;
pub use report::{Event, Observer, Progress, Report, RootMove, RootValue, Stats};
pub use rule::Rule;
pub use solved::{ProofMemory, SolvedPositions};
pub use state_map::StateMap;
pub use symmetry::Symmetry;
pub use turns::{Turn, Turns};
pub use workers::{Spread, VirtualValue, Workers};

/// The example of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/add-a-solver.md")]
struct Guide;
