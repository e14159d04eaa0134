//! A question about a position of a game: the AND/OR tree that a search solves.

use delphic_game::{Appraisal, Force, Game, Hints, Player, Question, Rng, playout};

/// The status of a node before any search below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeStatus<R, T> {
    /// Terminal: the answer is known.
    Over(T),
    /// The node has children.
    Open {
        /// How their answers combine.
        role: R,
        /// How many there are, at least one.
        moves: usize,
    },
}

/// A question about a position of a game: an AND/OR tree whose root is the position.
///
/// ```
/// # use delphic_game::{Appraisal, Force, Game, Player, Spec, Verdict};
/// # use delphic_games::{Family, Nim};
/// # let game = Nim::build(&mut Spec::parse("nim:1,2,4"))?;
///
/// use delphic_game::Gate;
/// use delphic_search::GameProblem;
/// use delphic_search::problem::NodeStatus;
///
/// let win = Force { player: Player::FIRST, at_least: 1 };
/// let problem = GameProblem::new(&game, win, game.start());
/// let status = problem.status(&problem.position, &mut Vec::new());
/// assert_eq!(status, NodeStatus::Open { role: Gate::Or, moves: 7 });
/// # Ok::<(), delphic_game::SpecError>(())
/// ```
#[derive(Debug)]
pub struct GameProblem<'g, G: Game, Q = Force> {
    /// The rules.
    pub game: &'g G,
    /// The question.
    pub question: Q,
    /// The position it is asked about.
    pub position: G::State,
    /// Whether positions with a static outcome ([`Hints::static_outcome`]) count as terminal.
    pub shortcuts: bool,
}

impl<G: Game, Q: Copy> Clone for GameProblem<'_, G, Q> {
    fn clone(&self) -> Self {
        GameProblem { position: self.position.clone(), ..*self }
    }
}

impl<'g, G: Game, Q> GameProblem<'g, G, Q> {
    /// A question for a search that uses the rules alone.
    pub fn new(game: &'g G, question: Q, position: G::State) -> Self {
        GameProblem { game, question, position, shortcuts: false }
    }

    /// The same question for a search that also uses the game's static outcomes.
    #[must_use]
    pub fn with_shortcuts(mut self) -> Self {
        self.shortcuts = true;
        self
    }

    /// The position after a move.
    #[inline]
    pub fn child(&self, state: &G::State, mv: G::Move) -> G::State {
        let mut child = state.clone();
        self.game.play(&mut child, mv);
        child
    }

    /// [`child`](Self::child) without inlining, for callers where speed does not matter: it is compiled once per game.
    #[inline(never)]
    pub fn child_of(&self, state: &G::State, mv: G::Move) -> G::State {
        self.child(state, mv)
    }

    /// Adds the legal moves of a position to a list; as little inlined as [`child_of`](Self::child_of).
    #[inline(never)]
    pub fn list_moves(&self, state: &G::State, list: &mut Vec<G::Move>) {
        self.game.moves(state, list);
    }
}

impl<G: Hints, Q: Question> GameProblem<'_, G, Q> {
    /// The status of a position. `scratch` is a reusable buffer.
    #[inline]
    pub fn status(&self, state: &G::State, scratch: &mut Vec<G::Move>) -> NodeStatus<Q::Role, Q::Truth> {
        let over = |outcome| NodeStatus::Over(self.question.answer(outcome));
        if let Some(outcome) = self.game.outcome(state) {
            return over(outcome);
        }
        if self.shortcuts
            && let Some(truth) = self.question.static_answer(self.game, state)
        {
            return NodeStatus::Over(truth);
        }
        match self.game.count_moves(state, scratch) {
            0 => over(self.game.stuck(state)),
            moves => NodeStatus::Open { role: self.role(state), moves },
        }
    }

    /// The same, with the evaluation of an open position for `player`, if the game has one.
    #[inline]
    pub fn appraise(
        &self,
        state: &G::State,
        player: Player,
        scratch: &mut Vec<G::Move>,
    ) -> (NodeStatus<Q::Role, Q::Truth>, Option<f64>) {
        let over = |outcome| (NodeStatus::Over(self.question.answer(outcome)), None);
        if let Some(outcome) = self.game.outcome(state) {
            return over(outcome);
        }
        let moves = self.game.count_moves(state, scratch);
        if moves == 0 {
            return over(self.game.stuck(state));
        }
        let open = NodeStatus::Open { role: self.role(state), moves };
        if !self.shortcuts {
            return (open, self.game.evaluate(state, player));
        }
        match self.game.appraise(state, player) {
            Appraisal::Exact(outcome) => over(outcome),
            Appraisal::Open(chance) => (open, chance),
        }
    }

    /// Whether siblings are appraised together: the game prefers it, and the search uses its knowledge.
    #[inline]
    pub(crate) fn appraises_siblings(&self) -> bool {
        self.shortcuts && self.game.appraises_siblings()
    }

    /// [`status`](Self::status) without inlining, for callers where speed does not matter: it is compiled once per game.
    #[inline(never)]
    pub fn status_of(&self, state: &G::State) -> NodeStatus<Q::Role, Q::Truth> {
        self.status(state, &mut Vec::new())
    }

    /// How the answers of an open position's children combine.
    #[inline]
    pub fn role(&self, state: &G::State) -> Q::Role {
        self.question.role(self.game.turn(state))
    }

    /// Plays random moves to the end of the game and returns the answer there.
    #[inline]
    pub fn playout(&self, state: &mut G::State, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> Q::Truth {
        self.question.answer(playout(self.game, state, rng, scratch))
    }
}
