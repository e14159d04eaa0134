//! What a search remembers when it is done: solved positions, for those who want the whole proof and not only the answer.

use crate::StateMap;
use crate::arena::{Arena, NodeId, ROOT};
use crate::problem::GameProblem;
use crate::table::Store;
use delphic_game::{Game, Hints, Progressive, Verdict};
use std::any::Any;
use std::fmt;

/// Receives solved moves: the position before, the move, and the answer after it.
pub type MoveSink<'t, G> = dyn FnMut(&<G as Game>::State, <G as Game>::Move, Verdict) + 't;

/// Answers that a search has found on its way. Any of them may have been forgotten.
pub trait SolvedPositions<G: Game>: Send + Sync {
    /// The answer at a position, if it is remembered.
    fn recall(&self, problem: &GameProblem<'_, G>, state: &G::State) -> Option<Verdict> {
        let _ = (problem, state);
        None
    }

    /// Enumerates solved positions, for searches that store paths and not states, and so cannot answer [`recall`](Self::recall). The sink returns
    /// whether those below are wanted too: in a tree a position comes as often as lines lead to it.
    fn each_position(&self, problem: &GameProblem<'_, G>, sink: &mut dyn FnMut(&G::State, Verdict) -> bool) {
        let _ = (problem, sink);
    }

    /// The position that `line` leads to from the problem's, which is `state`: its verdict, and how many nodes below it the search holds
    /// or, for tables, was the work spent on it. Nothing if it is not remembered.
    fn effort(
        &self,
        problem: &GameProblem<'_, G>,
        line: &[G::Move],
        state: &G::State,
    ) -> Option<(Verdict, u64)> {
        let _ = (problem, line, state);
        None
    }

    /// Enumerates all solved moves, to learn from. Tables store positions and not moves, and so have none.
    fn each_move(&self, problem: &GameProblem<'_, G>, sink: &mut MoveSink<'_, G>) {
        let _ = (problem, sink);
    }
}

/// [`SolvedPositions`] of a game whose type is not known here.
pub struct ProofMemory(Box<dyn Any + Send + Sync>);

impl ProofMemory {
    /// Hides the type of the game.
    pub(crate) fn new<G: Game + 'static>(solved: Box<dyn SolvedPositions<G>>) -> ProofMemory {
        ProofMemory(Box::new(solved))
    }

    /// The positions, if they are of this game.
    pub fn of<G: Game + 'static>(self) -> Option<Box<dyn SolvedPositions<G>>> {
        self.0.downcast().ok().map(|solved| *solved)
    }

    /// The same without giving up the memory.
    pub fn get<G: Game + 'static>(&self) -> Option<&dyn SolvedPositions<G>> {
        self.0.downcast_ref::<Box<dyn SolvedPositions<G>>>().map(|solved| &**solved)
    }
}

impl fmt::Debug for ProofMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProofMemory")
    }
}

/// The nodes of a best-first search, seen without the rule's values.
pub trait Shape: Send + Sync {
    /// The verdict of a node, the first of its children (in a graph: of its edges) and their number.
    fn node(&self, id: NodeId) -> (Verdict, NodeId, usize);

    /// The node that an edge of a graph leads to; in a tree, edges and children are the same.
    fn child(&self, edge: NodeId) -> NodeId {
        edge
    }
}

/// The tree of a search that is over: its shape, and the moves that lead to its nodes.
pub(crate) struct SolvedTree<M> {
    pub(crate) shape: Box<dyn Shape>,
    pub(crate) moves: Arena<M>,
}

impl<G: Hints> SolvedPositions<G> for SolvedTree<G::Move> {
    /// From the root through the children that have their solved parent's verdict: the answer rests on these.
    fn each_position(&self, problem: &GameProblem<'_, G>, sink: &mut dyn FnMut(&G::State, Verdict) -> bool) {
        let mut stack = vec![(ROOT, problem.position.clone())];
        while let Some((id, state)) = stack.pop() {
            let (verdict, first, width) = self.shape.node(id);
            if !sink(&state, verdict) {
                continue;
            }
            for child in (0..width).map(|nth| first.sibling(nth)) {
                if self.shape.node(child).0 == verdict {
                    stack.push((child, problem.child_of(&state, self.moves[child])));
                }
            }
        }
    }

    fn effort(&self, _: &GameProblem<'_, G>, line: &[G::Move], _: &G::State) -> Option<(Verdict, u64)> {
        let kids = |id: NodeId| {
            let (_, first, width) = self.shape.node(id);
            (0..width).map(move |nth| first.sibling(nth))
        };
        let mut id = ROOT;
        for mv in line {
            id = kids(id).find(|&kid| self.moves[kid] == *mv)?;
        }
        let (mut stack, mut nodes) = (vec![id], 0);
        while let Some(id) = stack.pop() {
            nodes += 1;
            stack.extend(kids(id));
        }
        Some((self.shape.node(id).0, nodes))
    }

    fn each_move(&self, problem: &GameProblem<'_, G>, sink: &mut MoveSink<'_, G>) {
        let mut stack = vec![(ROOT, problem.position.clone())];
        while let Some((id, state)) = stack.pop() {
            let (_, first, width) = self.shape.node(id);
            for child in (0..width).map(|nth| first.sibling(nth)) {
                let (verdict, _, grandchildren) = self.shape.node(child);
                if verdict != Verdict::Open {
                    sink(&state, self.moves[child], verdict);
                }
                if grandchildren > 0 {
                    stack.push((child, problem.child_of(&state, self.moves[child])));
                }
            }
        }
    }
}

/// A table of values that contain verdicts.
pub(crate) struct SolvedTable<S, V> {
    pub(crate) table: Store<S, V>,
    pub(crate) symmetry: crate::Symmetry,
    pub(crate) verdict: fn(V) -> Verdict,
}

impl<G: Progressive, V: Copy + Send + Sync> SolvedPositions<G> for SolvedTable<G::State, V> {
    fn recall(&self, problem: &GameProblem<'_, G>, state: &G::State) -> Option<Verdict> {
        let form = self.symmetry.canonical(problem.game, state.clone());
        self.table.get(problem.game.key(&form), &form).map(self.verdict)
    }

    fn effort(
        &self,
        problem: &GameProblem<'_, G>,
        _: &[G::Move],
        state: &G::State,
    ) -> Option<(Verdict, u64)> {
        let form = self.symmetry.canonical(problem.game, state.clone());
        let (value, work) = self.table.find(problem.game.key(&form), &form)?;
        Some(((self.verdict)(value), work.into()))
    }
}

/// All positions below the root.
pub(crate) struct AllPositions<S>(pub(crate) StateMap<S, Verdict>);

impl<G: Game> SolvedPositions<G> for AllPositions<G::State> {
    fn recall(&self, problem: &GameProblem<'_, G>, state: &G::State) -> Option<Verdict> {
        self.0.get(problem.game.key(state), state).copied()
    }
}
