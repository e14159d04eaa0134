//! What searches remember when they are done, for whoever wants the whole proof and not only the answer.

use crate::dag::Symmetry;
use crate::table::Table;
use delphic_game::problem::Truth;
use delphic_game::{Memorable, Problem};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Somebody who is told about moves: the position before, the move, and the answer after it.
pub type Teller<'t, P> = dyn FnMut(&<P as Problem>::State, <P as Problem>::Move, Truth<P>) + 't;

/// Answers that a search has found on its way. It may have forgotten any of them.
pub trait Memory<P: Problem>: Send {
    /// The answer at a position, as far as it is remembered.
    fn recall(&self, problem: &P, state: &P::State) -> Option<Truth<P>>;

    /// Tells the answers that cannot be looked up, because the search knows its positions only by the way that leads to them.
    fn unfold(&self, problem: &P, tell: &mut dyn FnMut(&P::State, Truth<P>)) {
        let _ = (problem, tell);
    }

    /// Tells every move of the search whose answer it found, with the position before it: what can be learnt from. By default none, as
    /// where only a table is left.
    fn solved_moves(&self, problem: &P, tell: &mut Teller<'_, P>) {
        let _ = (problem, tell);
    }
}

/// A table of values in which the answer is hidden.
pub(crate) struct Tabled<S, V, T> {
    pub(crate) table: Table<S, V>,
    pub(crate) symmetry: Symmetry,
    pub(crate) truth: fn(V) -> T,
}

impl<P: Memorable, V: Copy + Send> Memory<P> for Tabled<P::State, V, Truth<P>> {
    fn recall(&self, problem: &P, state: &P::State) -> Option<Truth<P>> {
        let form = self.symmetry.form(problem, state.clone());
        self.table.get(problem.key(&form), &form).map(self.truth)
    }
}

/// All positions there are.
pub(crate) struct Everything<S, T>(pub(crate) FxHashMap<S, T>);

impl<P: Problem<State: Eq + Hash>> Memory<P> for Everything<P::State, Truth<P>> {
    fn recall(&self, _: &P, state: &P::State) -> Option<Truth<P>> {
        self.0.get(state).copied()
    }
}
