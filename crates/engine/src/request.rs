//! Requests: a question, the solver, and its limits.

use crate::checkpoint::Identity;
use crate::{AnyGame, AnyPosition, Checkpoint, InputError, PatternPrior, SOLVERS, Solver};
use delphic_game::Player;
use delphic_search::Limits;
use std::fmt;

/// A question about a position, for the side to move or another player.
///
/// ```
/// use delphic_engine::Ask;
///
/// assert_eq!("draw".parse(), Ok(Ask::Draw));
/// assert_eq!(">= 12".parse(), Ok(Ask::AtLeast(12)));
/// assert!("checkmate".parse::<Ask>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Can the player force a win (the highest payoff)?
    Win,
    /// Can the player force at least a draw?
    Draw,
    /// Can the player force at least this payoff?
    AtLeast(i16),
    /// What is the exact value?
    Value,
    /// What are the payoffs if every player maximises their own (max^n)?
    Maxn,
}

impl std::str::FromStr for Ask {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Ask, InputError> {
        match text.trim() {
            "win" => Ok(Ask::Win),
            "draw" => Ok(Ask::Draw),
            "value" => Ok(Ask::Value),
            "maxn" => Ok(Ask::Maxn),
            other => other
                .strip_prefix(">=")
                .and_then(|k| k.trim().parse().ok())
                .map(Ask::AtLeast)
                .ok_or_else(|| InputError::Question(text.to_owned())),
        }
    }
}

impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ask::Win => f.write_str("win"),
            Ask::Draw => f.write_str("draw"),
            Ask::Value => f.write_str("value"),
            Ask::Maxn => f.write_str("maxn"),
            Ask::AtLeast(k) => write!(f, ">={k}"),
        }
    }
}

/// A question with the solver that answers it, and its limits.
///
/// ```
/// use delphic_engine::{Ask, Conclusion, Limits, Request, StopReason, game};
///
/// let position = game("connect4")?.position(None, None)?;
/// let request = Request {
///     ask: Ask::Win,
///     solver: "pp".parse()?,
///     limits: Limits { nodes: Some(1_000), ..Limits::default() },
///     ..Request::default()
/// };
/// let answer = position.solve(&request, &mut ());
/// assert_eq!((answer.conclusion, answer.stop), (Conclusion::Unknown, StopReason::Nodes));
/// # Ok::<(), delphic_engine::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The question.
    pub ask: Ask,
    /// The player that the question is about; all others play against this player. `None` is the side to move.
    pub player: Option<Player>,
    /// The solver that answers it.
    pub solver: Solver,
    /// The learned patterns, if the solver's spec names a file; [`prepare`](Self::prepare) reads it.
    pub patterns: Option<PatternPrior>,
    /// The limits of the search.
    pub limits: Limits<'a>,
    /// The seed of all random numbers: with one thread, the same seed gives the same search.
    pub seed: u64,
    /// The checkpoints to save, and the one to resume from.
    pub checkpoint: Option<&'a Checkpoint>,
}

impl Default for Request<'_> {
    fn default() -> Self {
        Request {
            ask: Ask::Value,
            player: None,
            solver: Solver::default(),
            patterns: None,
            limits: Limits::default(),
            seed: 1,
            checkpoint: None,
        }
    }
}

impl Request<'_> {
    /// Checks that the game and the solver support the request, and reads the pattern file that the solver names, if any.
    pub fn prepare(&mut self, game: &dyn AnyGame) -> Result<(), InputError> {
        let request = |reason: String| Err(InputError::Request(reason));
        if let Some(player) = self.player.filter(|player| player.index() >= game.players()) {
            let (name, players) = (game.spec(), game.players());
            return request(format!("{name} has {players} players; there is no {player} player"));
        }
        if self.ask == Ask::Maxn && !matches!(self.solver.info().name, "auto" | "brute") {
            return request(format!("{} does not answer maxn; auto and brute do", self.solver));
        }
        if game.endless().is_some() {
            self.check_cycles(game)?;
        }
        if let Some(path) = self.solver.pattern_file() {
            let patterns = PatternPrior::open(path)?;
            if !game.has_patterns() {
                return request(format!("{} has no patterns, so {path} cannot be its prior", game.spec()));
            }
            self.patterns = Some(patterns);
        }
        Ok(())
    }

    /// Refuses requests that are not supported for games whose positions can repeat.
    fn check_cycles(&self, game: &dyn AnyGame) -> Result<(), InputError> {
        let (name, info) = (game.spec(), self.solver.info());
        if self.ask == Ask::Maxn {
            let reason = "positions can repeat, and maxn is only defined for games that end";
            return Err(InputError::Request(format!("{name}: {reason}")));
        }
        if info.takes_cycles() {
            return Ok(());
        }
        let able: Vec<&str> =
            SOLVERS.iter().filter(|info| info.takes_cycles()).map(|info| info.name).collect();
        let reason = "positions can repeat, and it does not handle cycles";
        Err(InputError::Request(format!(
            "{} cannot solve {name}: {reason}; use one of {}",
            info.name,
            able.join(", ")
        )))
    }

    /// Whether the search at a position can be saved and resumed.
    pub fn check_resumable(&self, position: &dyn AnyPosition) -> Result<(), InputError> {
        let solver = self.solver.acting(&*position.search());
        if solver.info().resumable() && self.ask != Ask::Maxn {
            return Ok(());
        }
        let what = if self.ask == Ask::Maxn { "a search for maxn".to_owned() } else { solver.to_string() };
        let others = SOLVERS.iter().filter(|info| !info.resumable()).map(|info| info.name);
        let others = others.collect::<Vec<_>>().join(", ");
        Err(InputError::Request(format!("{what} has no checkpoints; all solvers have them except {others}")))
    }

    /// The identity of the search for this request at a position.
    pub(crate) fn identity(&self, position: &dyn AnyPosition) -> Identity {
        Identity {
            game: position.spec().to_owned(),
            rules: format!("{:016x}", position.fingerprint()),
            position: position.write(),
            question: self.ask.to_string(),
            player: self.player.unwrap_or(position.turn()).to_string(),
            solver: self.solver.to_string(),
            seed: self.seed,
        }
    }
}
