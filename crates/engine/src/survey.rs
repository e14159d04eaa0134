//! Unfinished searches, read from a checkpoint.

use crate::checkpoint::ReadOnly;
use crate::{Ask, CheckpointError, InputError, PatternPrior, Request, Saved, Value, game};
use delphic_game::erased::{Erased, ErasedState};
use delphic_game::{Force, Game, Notation, Player, Verdict, play_all, read_moves};
use delphic_search::problem::NodeStatus;
use delphic_search::{GameProblem, Limits, ProofMemory, RootValue, Solvable, Stats, StopReason};
use std::sync::Arc;

/// A checkpoint that was opened for reading. The folder is neither locked nor changed.
pub struct Survey {
    /// Which search it is of.
    pub identity: crate::Identity,
    /// The question being searched.
    pub question: Force,
    /// Lower and upper bound on the value from the questions before.
    pub bounds: (Value, Value),
    /// The effort of all runs.
    pub stats: Stats,
    /// The heuristic value of the root.
    pub root: RootValue,
    /// The positions that the search has stored, if its solver keeps them.
    pub nodes: Option<Nodes>,
}

/// Why a checkpoint cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SurveyError {
    /// It cannot be read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Its game, solver or question is not known to this program.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Its content contradicts the rules, or does not fit into the memory limit.
    #[error("the checkpoint cannot be loaded (stop: {})", .0.name())]
    Content(StopReason),
}

/// The positions of an unfinished search, by lines of play from its root.
pub struct Nodes {
    game: Erased<'static>,
    root: ErasedState,
    memory: Box<dyn AnyMemory>,
}

/// The stored positions of a search, with the game's type erased.
#[doc(hidden)]
pub trait AnyMemory: Send {
    /// The verdict at the position after a line of play, given by move numbers, and the work spent on it.
    fn effort(&self, line: &[u16]) -> Option<(Verdict, u64)>;
}

impl Nodes {
    /// The position after these moves. It is open if the search has not stored it.
    pub fn node(&self, moves: &str) -> Result<Surveyed, InputError> {
        let mut line = read_moves(&self.game, &self.root, moves)?;
        let state = play_all(&self.game, &self.root, &line);
        // A depth-first search writes a position to its table when it leaves it: those on its current path are not in the table.
        let (verdict, nodes) = self.memory.effort(&line).unwrap_or((Verdict::Open, 0));
        let mut legal = Vec::new();
        if self.game.outcome(&state).is_none() {
            self.game.moves(&state, &mut legal);
        }
        let mut moves = Vec::new();
        for mv in legal {
            line.push(mv);
            moves.push((self.game.write_move(&state, mv), self.memory.effort(&line)));
            line.pop();
        }
        let below: u64 = moves.iter().filter_map(|(_, known)| Some(known.as_ref()?.1)).sum();
        Ok(Surveyed { verdict, nodes: nodes.max(below), moves })
    }
}

/// A position of an unfinished search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Surveyed {
    /// The answer to the question, if it is known here.
    pub verdict: Verdict,
    /// Nodes at and below it; for searches with a table, the work spent on it.
    pub nodes: u64,
    /// The legal moves, each with the same data if the search has stored the position after it.
    pub moves: Vec<(String, Option<(Verdict, u64)>)>,
}

impl Survey {
    /// Loads a checkpoint within `memory` bytes.
    pub fn open(saved: Saved, memory: u64) -> Result<Survey, SurveyError> {
        let identity = saved.identity().clone();
        let (asked, spent) = saved.asked();
        let rules = game(&identity.game)?;
        let position = rules.position(Some(&identity.position), None)?;
        let player: Player = identity.player.parse().map_err(InputError::Request)?;
        let solver: crate::Solver = identity.solver.parse().map_err(InputError::Spec)?;
        let patterns = solver.pattern_file().map(PatternPrior::open).transpose()?;
        let checkpoint = ReadOnly::new(saved);
        // A node limit of zero: the search is loaded and stops at once.
        let limits = Limits {
            nodes: Some(0),
            memory: Some(memory),
            checkpoints: Some(&checkpoint),
            keep_open: true,
            ..Limits::default()
        };
        let question = Force { player, at_least: asked.at_least };
        let search = position.search();
        let prior = patterns.as_ref().map(|patterns| patterns.prior(&*search));
        let (report, _) = solver.run(&*search, question, prior, limits, identity.seed, &mut ());
        if let Some(error) = checkpoint.error() {
            return Err(error.into());
        }
        if report.stop == StopReason::Checkpoint {
            return Err(SurveyError::Content(report.stop));
        }
        let payoffs = position.game_payoffs();
        Ok(Survey {
            question,
            bounds: (Value::of(asked.known.0, &payoffs), Value::of(asked.known.1, &payoffs)),
            stats: asked.spent.then(spent),
            root: report.root,
            nodes: report.memory.map(|memory| Nodes {
                game: position.erased(),
                root: position.state(),
                memory: position.memory(question, memory),
            }),
            identity,
        })
    }

    /// The request that continues the search, without limits.
    pub fn request(&self) -> Result<Request<'static>, InputError> {
        let ask: Ask = self.identity.question.parse()?;
        let solver = self.identity.solver.parse()?;
        Ok(Request {
            ask,
            solver,
            player: Some(self.question.player),
            seed: self.identity.seed,
            ..Request::default()
        })
    }
}

/// [`AnyMemory`] of a game.
pub(crate) struct Memory<G: Notation> {
    pub(crate) game: Arc<G>,
    pub(crate) root: G::State,
    pub(crate) question: Force,
    pub(crate) memory: ProofMemory,
}

impl<G: Notation + Solvable> AnyMemory for Memory<G> {
    fn effort(&self, line: &[u16]) -> Option<(Verdict, u64)> {
        let game = &*self.game;
        let (mut state, mut moves, mut legal) = (self.root.clone(), Vec::new(), Vec::new());
        for &nth in line {
            legal.clear();
            game.moves(&state, &mut legal);
            moves.push(*legal.get(usize::from(nth))?);
            game.play(&mut state, moves[moves.len() - 1]);
        }
        let problem = GameProblem::new(game, self.question, self.root.clone()).with_shortcuts();
        match problem.status_of(&state) {
            NodeStatus::Over(verdict) => Some((verdict, 1)),
            NodeStatus::Open { .. } => self.memory.get::<G>()?.effort(&problem, &moves, &state),
        }
    }
}
