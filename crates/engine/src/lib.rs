//! Games and solvers by name, and requests that run a solver on a position.
//!
//! [`game`] turns `connect4:7x6` into a type-erased game, [`Solver`] is a parsed solver name, and a [`Request`] about a position is
//! answered by `solve`, `analyze` or `prove`. All of this is compiled once; a game adds only its own side of the searches
//! ([`delphic_search::boundary`]). [`own_game`] does the same for a game of your own.
//!
//! ```
//! use delphic_engine::{Ask, Request, Value, game};
//!
//! let position = game("nim:3,4,5")?.position(None, None)?;
//! let answer = position.solve(&Request::default(), &mut ());
//! assert_eq!(answer.value(), Some(Value::Win));
//! # Ok::<(), delphic_engine::InputError>(())
//! ```

mod agent;
mod analyze;
mod answer;
pub mod arena;
mod auto;
mod browse;
mod bundle;
mod checkpoint;
mod cyclic;
mod estimate;
mod game;
pub mod json;
mod judge;
mod own;
pub mod parameter;
mod pattern_prior;
mod player;
mod position;
mod prove;
mod request;
mod solve;
mod solver;
mod strong;
mod survey;
mod toml_game;
mod train;
mod value_range;
pub mod vertex;

pub use agent::{AGENTS, Agent, AgentInfo, MctsAgent, TableAgent};
pub use analyze::{Analysis, Distance, MoveValue, find_puzzle};
pub use answer::{Answer, Conclusion, Estimated, Restricted, Value, claim_in_words};
pub use browse::{Proof, ProofBranch, ProofNode, Slice};
pub use bundle::{BundleRefusal, CheckedBundle, check_bundle, check_bundle_with};
pub use checkpoint::{Checkpoint, CheckpointError, Identity, Saved};
pub use delphic_base::{Interval, atomic_file};
pub use delphic_certificate::{Bundle, Checked, Claim, Header, Refusal};
pub use delphic_game::picture::{Mark, Picture};
pub use delphic_game::{NotationError, Player, SpecError};
pub use delphic_games::{Facts, FileError, GAMES, Info};
pub use delphic_learn::train::{Outcome as Lessons, Pass, Run, Watcher};
pub use delphic_learn::{self as learn, Table};
pub use delphic_search::retro::Worth;
pub use delphic_search::{
    Estimate, Event, Limits, Observer, Precision, Progress, RootMove, RootValue, Spread, Stats, StopReason,
    Symmetry, VirtualValue, Workers,
};
pub use estimate::TreeSize;
pub use game::{AnyGame, game, open_certificate, own_game, own_position};
pub use judge::{JudgeOptions, Judgement, PartJudgement, Results, judge};
pub use own::{Builder, register, registered};
pub use pattern_prior::PatternPrior;
pub use player::{AnyPlayer, Budget, Considered, Thought};
pub use position::{AnyPosition, at_capture};
pub use prove::{Certified, ProofError, Strategies};
pub use request::{Ask, Request};
pub use solver::{SOLVERS, Solver, SolverInfo};
pub use strong::{Entry, Strong, Summary, TableError, TableFile, write_table};
pub use survey::{Nodes, Survey, SurveyError, Surveyed};
pub use train::{Training, train};
pub use value_range::ValueRange;

/// An error in user input.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InputError {
    /// A name or its parameters.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A position or a move.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// An error in a game file.
    #[error("{path}:{error}")]
    File {
        /// The file.
        path: String,
        /// What is wrong, and where.
        error: FileError,
    },
    /// A game file that cannot be read.
    #[error("{path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// A request that this game or this solver does not support.
    #[error("{0}")]
    Request(String),
    /// A question.
    #[error("'{0}' is not a question; expected win, draw, value, maxn or '>=k' with a whole number k")]
    Question(String),
}
