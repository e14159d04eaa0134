//! Problems: what a search works on.
//!
//! A [`Problem`] is a tree of nodes with roles and answers. Any game becomes one when a question is
//! [`Asked`] about it; AND/OR problems that are not games implement the trait themselves.

use crate::{Game, Hints, Logic, Progressive, Question, Rng, playout};

/// The truth of a problem's nodes.
pub type Truth<P> = <<P as Problem>::Logic as Logic>::Truth;
/// The role of a problem's nodes.
pub type Role<P> = <<P as Problem>::Logic as Logic>::Role;

/// The state of a node without searching.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look<R, T> {
    /// A leaf with this answer.
    Over(T),
    /// The node has `moves` children, at least one.
    Open {
        /// How they combine.
        role: R,
        /// How many there are.
        moves: usize,
    },
}

/// A tree in which a question is to be answered.
///
/// ```
/// use delphic_game::{Gate, Look, Problem, AndOr, Verdict};
///
/// /// Can a number be written as a sum of 3s and 5s? OR over the summand taken off.
/// struct Coins(u32);
///
/// impl Problem for Coins {
///     type Logic = AndOr;
///     type State = u32;
///     type Move = u32;
///     fn logic(&self) -> &AndOr { &AndOr }
///     fn root(&self) -> u32 { self.0 }
///     fn look(&self, &left: &u32, _: &mut Vec<u32>) -> Look<Gate, Verdict> {
///         match left {
///             0 => Look::Over(Verdict::Proved),
///             1 | 2 => Look::Over(Verdict::Disproved),
///             _ => Look::Open { role: Gate::Or, moves: if left < 5 { 1 } else { 2 } },
///         }
///     }
///     fn role(&self, _: &u32) -> Gate { Gate::Or }
///     fn moves(&self, &left: &u32, list: &mut Vec<u32>) { list.extend([3, 5].iter().filter(|&&c| c <= left)) }
///     fn play(&self, left: &mut u32, coin: u32) { *left -= coin }
/// }
/// assert_eq!(Coins(2).look(&2, &mut vec![]), Look::Over(Verdict::Disproved));
/// ```
pub trait Problem {
    /// How answers combine.
    type Logic: Logic;
    /// A node.
    type State: Clone + Send + 'static;
    /// A move from a node to a child.
    type Move: Copy + Send + 'static;

    /// How answers combine.
    fn logic(&self) -> &Self::Logic;

    /// Where the search starts.
    fn root(&self) -> Self::State;

    /// The state of a node without searching. `scratch` is room to work in.
    fn look(&self, state: &Self::State, scratch: &mut Vec<Self::Move>) -> Look<Role<Self>, Truth<Self>>;

    /// The role of a node that [`look`](Problem::look) calls open.
    fn role(&self, state: &Self::State) -> Role<Self>;

    /// Appends the moves of an open node.
    fn moves(&self, state: &Self::State, list: &mut Vec<Self::Move>);

    /// Goes to a child.
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// The child that a move leads to.
    #[inline]
    fn child(&self, state: &Self::State, mv: Self::Move) -> Self::State {
        let mut child = state.clone();
        self.play(&mut child, mv);
        child
    }

    /// Bytes that a stored node takes on the heap, besides `size_of::<State>()`: see [`Game::heap_bytes`].
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Plays on at random to an end and returns the answer there.
    fn playout(&self, state: &mut Self::State, rng: &mut Rng, scratch: &mut Vec<Self::Move>) -> Truth<Self> {
        loop {
            if let Look::Over(truth) = self.look(state, scratch) {
                return truth;
            }
            scratch.clear();
            self.moves(state, scratch);
            let mv = scratch[rng.below(scratch.len())];
            self.play(state, mv);
        }
    }
}

/// A problem whose nodes can be shared and stored: no node is its own descendant.
///
/// Searches that share nodes or keep them in a table need it. Asking about a [`Progressive`] game gives it.
pub trait Memorable: Problem<State: Eq> {
    /// 64 bits for hash tables: equal nodes have equal keys. Never taken for the node itself.
    fn key(&self, state: &Self::State) -> u64;

    /// Replaces a node by the representative of its class under symmetry, which has the same answer.
    fn canonicalize(&self, state: &mut Self::State);

    /// A node as text that [`read`](Memorable::read) turns back into the node; `None` if there is none.
    fn write(&self, state: &Self::State) -> Option<String> {
        let _ = state;
        None
    }

    /// The node with this text.
    fn read(&self, text: &str) -> Option<Self::State> {
        let _ = text;
        None
    }
}

impl<G: Progressive + Hints, Q: Question> Memorable for Asked<'_, G, Q> {
    #[inline]
    fn key(&self, state: &G::State) -> u64 {
        self.game.key(state)
    }

    #[inline]
    fn canonicalize(&self, state: &mut G::State) {
        self.game.canonicalize(state);
    }

    fn write(&self, state: &G::State) -> Option<String> {
        Some(self.game.write(state))
    }

    fn read(&self, text: &str) -> Option<G::State> {
        self.game.read(text).ok()
    }
}

/// A question asked about a position of a game.
#[derive(Clone, Debug)]
pub struct Asked<'g, G: Game, Q> {
    /// The rules.
    pub game: &'g G,
    /// What is asked.
    pub question: Q,
    /// Where.
    pub position: G::State,
    /// Whether positions count as over where the game sees the end coming ([`Hints::foregone`]).
    pub foresight: bool,
}

impl<'g, G: Game, Q> Asked<'g, G, Q> {
    /// A question to be answered by the rules alone.
    pub fn new(game: &'g G, question: Q, position: G::State) -> Self {
        Asked { game, question, position, foresight: false }
    }

    /// The same question for a search that may use what the game foresees.
    pub fn foreseen(&self) -> Self
    where
        Q: Copy,
    {
        Asked { position: self.position.clone(), foresight: true, ..*self }
    }
}

impl<G: Hints, Q: Question> Problem for Asked<'_, G, Q> {
    type Logic = Q;
    type State = G::State;
    type Move = G::Move;

    fn logic(&self) -> &Q {
        &self.question
    }

    fn root(&self) -> G::State {
        self.position.clone()
    }

    #[inline]
    fn look(&self, state: &G::State, scratch: &mut Vec<G::Move>) -> Look<Q::Role, Q::Truth> {
        if let Some(outcome) = self.game.outcome(state) {
            return Look::Over(self.question.answer(outcome));
        }
        if self.foresight
            && let Some(outcome) = self.game.foregone(state)
        {
            return Look::Over(self.question.answer(outcome));
        }
        match self.game.count_moves(state, scratch) {
            0 => Look::Over(self.question.answer(self.game.stuck(state))),
            moves => Look::Open { role: self.role(state), moves },
        }
    }

    #[inline]
    fn role(&self, state: &G::State) -> Q::Role {
        self.question.role(self.game.turn(state))
    }

    #[inline]
    fn moves(&self, state: &G::State, list: &mut Vec<G::Move>) {
        self.game.moves(state, list);
    }

    #[inline]
    fn play(&self, state: &mut G::State, mv: G::Move) {
        self.game.play(state, mv);
    }

    fn heap_bytes(&self) -> usize {
        self.game.heap_bytes()
    }

    #[inline]
    fn playout(&self, state: &mut G::State, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> Q::Truth {
        self.question.answer(playout(self.game, state, rng, scratch))
    }
}
