//! From an answer to a strategy: the move to play at every position that a proof can meet.
//!
//! A search hands over the solved positions it remembers; the prover looks there first. What was replaced in a table, discarded with
//! a second tree, or never searched because its mirror image was, is found again by two searches in turns: alpha-beta, and
//! depth-first product propagation for problems in which the order of moves says little. Both rely on all solved positions and
//! store the ones they find for the next time.

use crate::alphabeta::Search;
use crate::boundary::GameTable;
use crate::problem::{GameProblem, NodeStatus};
use crate::rule::Product;
use crate::solved::{ProofMemory, SolvedPositions};
use crate::table::Store;
use crate::{LeafPrior, LimitGuard, Limits, Report, Solvable, StopReason, Symmetry, depth_first};
use delphic_game::erased::ErasedState;
use delphic_game::{Progressive, Question, Verdict, result};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Nodes of the first turn. Most of what is missing lies a ply or two above what is remembered.
const FIRST_TURN: u64 = 20_000;
/// Replacement priority of results imported from the main search: never replaced by new ones.
const KEEP: u64 = 1 << 30;

/// Why there is no move to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMove {
    /// A limit was reached.
    Stopped(StopReason),
    /// The position does not have the answer that the proof gives it, which is a bug.
    Refuted,
}

/// Answers one question about any position, and finds the moves behind the answers.
pub struct Prover<'g, G: Progressive> {
    limits: Limits<'g>,
    search: Search<'g, G>,
    guard: LimitGuard<'g>,
    scratch: Vec<G::Move>,
    /// Nodes created by the second search.
    second: u64,
}

/// A [`Prover`] of some game.
pub trait AnyProver: Send {
    /// The answer at a position, creating at most this many nodes.
    fn answer_within(&mut self, state: &ErasedState, nodes: u64) -> Result<bool, StopReason>;

    /// The number of a move that leads to the answer `yes`, which the position is supposed to have.
    fn choose(&mut self, state: &ErasedState, yes: bool) -> Result<usize, NoMove>;

    /// Nodes created to find what was not remembered.
    fn created(&self) -> u64;
}

impl<G: Solvable> AnyProver for Prover<'_, G> {
    fn answer_within(&mut self, state: &ErasedState, nodes: u64) -> Result<bool, StopReason> {
        self.answer_within(state.get(), nodes)
    }

    fn choose(&mut self, state: &ErasedState, yes: bool) -> Result<usize, NoMove> {
        self.choose(state.get(), yes)
    }

    fn created(&self) -> u64 {
        self.created()
    }
}

impl<'g, G: Solvable> Prover<'g, G> {
    /// A prover for a question, with the solved positions of a search. The memory limit bounds its own tables.
    pub fn new(problem: GameProblem<'g, G>, memory: Option<ProofMemory>, limits: Limits<'g>) -> Self {
        let mut one = None;
        Prover::several(&problem, memory, limits, 1, &mut |prover| one = Some(prover));
        let Some(one) = one else { unreachable!("one prover was asked for") };
        one
    }

    /// Hands over `count` provers for threads, which find each other's answers. The memory limit bounds all their tables together.
    pub fn several(
        problem: &GameProblem<'g, G>,
        memory: Option<ProofMemory>,
        limits: Limits<'g>,
        count: usize,
        sink: &mut dyn FnMut(Self),
    ) {
        // Two tables, one of each search.
        let half = limits.table_bytes() / 2;
        let limits = Limits { memory: Some(half / count.max(1) as u64), ..limits.begin() };
        let table = (count > 1).then(|| Store::shared(half, problem.game.heap_bytes()));
        let inherited: Option<Arc<dyn SolvedPositions<G>>> =
            memory.and_then(ProofMemory::of::<G>).map(Arc::from);
        for nth in (0..count.max(1)).rev() {
            let mut search =
                Search::new(problem.clone(), Symmetry::On, if table.is_some() { 0 } else { half });
            if let Some(table) = &table {
                search = search.sharing(table);
            }
            // What can only be enumerated is entered into the table.
            if let Some(solved) = inherited.as_ref().filter(|_| nth == 0) {
                solved.each_position(problem, &mut |state, verdict| {
                    verdict == Verdict::Open || search.is_new(state, verdict == Verdict::Proved, KEEP)
                });
            }
            let lemmas = limits.lemmas.filter(|lemmas| nth == 0 && lemmas.question == problem.question);
            for (state, yes) in lemmas.iter().flat_map(|lemmas| lemmas.answers) {
                search.remember(state.get(), *yes, KEEP);
            }
            search.inherited.clone_from(&inherited);
            let guard = LimitGuard::new(Limits { memory: None, ..limits });
            sink(Prover { limits, search, guard, scratch: Vec::new(), second: 0 });
        }
    }

    /// The answer at a position.
    pub fn answer(&mut self, state: &G::State) -> Result<bool, StopReason> {
        self.at_once(state).map_or_else(|| self.find(state), Ok)
    }

    /// The same, creating at most this many nodes.
    pub fn answer_within(&mut self, state: &G::State, nodes: u64) -> Result<bool, StopReason> {
        let limit = self.created().saturating_add(nodes);
        let whole = self.limits.nodes;
        self.limits.nodes = Some(whole.map_or(limit, |whole| whole.min(limit)));
        let answer = self.answer(state);
        self.limits.nodes = whole;
        answer
    }

    /// The answer at a position that is over, or that is known.
    #[inline(never)]
    fn at_once(&self, state: &G::State) -> Option<bool> {
        match self.search.problem.status_of(state) {
            NodeStatus::Over(truth) => Some(truth == Verdict::Proved),
            NodeStatus::Open { .. } => self.search.known(state),
        }
    }

    /// The number of a move that leads to the answer `yes`, which the position is supposed to have.
    pub fn choose(&mut self, state: &G::State, yes: bool) -> Result<usize, NoMove> {
        if let Some(reason) = self.guard.stop(self.created(), 0) {
            return Err(NoMove::Stopped(reason));
        }
        let problem = self.search.problem.clone();
        let mut moves = Vec::new();
        problem.list_moves(state, &mut moves);
        let child = |&mv: &G::Move| problem.child_of(state, mv);
        // A move that ends the game needs no more proof.
        let mut ends = |mv: &G::Move| {
            let outcome = result(problem.game, &child(mv), &mut self.scratch);
            outcome.is_some_and(|outcome| problem.question.answer(outcome) == Verdict::of(yes))
        };
        if let Some(place) = moves.iter().position(&mut ends) {
            return Ok(place);
        }
        let order = self.by_replies(state, &moves);
        let known = |prover: &Self| order.iter().copied().find(|&place| prover.at_once(&child(&moves[place])) == Some(yes));
        if let Some(place) = known(self) {
            return Ok(place);
        }
        if self.find(state).map_err(NoMove::Stopped)? != yes {
            return Err(NoMove::Refuted);
        }
        if let Some(place) = known(self) {
            return Ok(place);
        }
        // The table is so small that the move was replaced since.
        for (place, mv) in moves.iter().enumerate() {
            if self.answer(&child(mv)).map_err(NoMove::Stopped)? == yes {
                return Ok(place);
            }
        }
        Err(NoMove::Refuted)
    }

    /// The numbers of moves in the order in which a strategy prefers them: those that leave the fewest replies, and of these the ones
    /// nearest to the end. A strategy must answer every reply, so its size depends on them.
    fn by_replies(&mut self, state: &G::State, moves: &[G::Move]) -> Vec<usize> {
        let (problem, player) = (&self.search.problem, self.search.problem.game.turn(state));
        let mut order: Vec<_> = (moves.iter().enumerate())
            .map(|(place, &mv)| {
                let child = problem.child_of(state, mv);
                let distance = problem.game.distance(&child, player);
                // No distance comes after all others.
                (problem.game.count_moves(&child, &mut self.scratch), distance.unwrap_or(u32::MAX), place)
            })
            .collect();
        order.sort_unstable();
        order.into_iter().map(|(.., place)| place).collect()
    }

    /// Nodes created to find what was not remembered.
    pub fn created(&self) -> u64 {
        self.search.stats.created + self.second
    }

    /// Searches an open position by its children, whatever is remembered of itself, in turns that grow.
    #[inline(never)]
    fn find(&mut self, state: &G::State) -> Result<bool, StopReason> {
        let mut turn = FIRST_TURN;
        loop {
            // The limit counts what both searches create, the guard of a turn only what one of them does.
            let left = self.limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.created()));
            let over = |stop| stop != StopReason::Nodes || left <= turn;
            let mut limits = self.limits;
            limits.nodes = Some(self.search.stats.created.saturating_add(left.min(turn)));
            let mut guard = LimitGuard::new(Limits { memory: None, ..limits });
            match self.search.answer(state.clone(), &mut guard, &mut ()) {
                Err(stop) if !over(stop) => {}
                result => return result,
            }
            limits.nodes = Some(left.min(turn));
            match self.by_products(state, limits) {
                Ok((yes, positions)) => {
                    positions.iter().for_each(|state| self.search.remember(state, yes, 1));
                    return Ok(yes);
                }
                Err(stop) if over(stop) => return Err(stop),
                Err(_) => {}
            }
            turn = turn.saturating_mul(2);
        }
    }

    /// The second search: the answer with the positions on which it rests, or why it stopped.
    fn by_products(
        &mut self,
        state: &G::State,
        limits: Limits<'_>,
    ) -> Result<(bool, Vec<G::State>), StopReason> {
        let search = &self.search;
        let known = |state: &G::State| search.known(state);
        let below = GameProblem { position: state.clone(), ..self.search.problem };
        let bytes = limits.table_bytes();
        let table = GameTable::new(below, LeafPrior::Mobility, Symmetry::On, bytes).with_known(&known);
        let report = depth_first::solve(Box::new(table), &Product::default(), limits, &mut ());
        self.second += report.stats.created;
        let Report { truth, stop, memory, .. } = report;
        let solved = memory.and_then(ProofMemory::of::<G>).ok_or(stop)?;
        Ok((truth == Verdict::Proved, self.rests_on(state, &*solved, truth)))
    }

    /// The positions below `root` on which its answer rests, as far as the search remembers them.
    fn rests_on(&self, root: &G::State, solved: &dyn SolvedPositions<G>, truth: Verdict) -> Vec<G::State> {
        let (mut stack, mut found, mut moves) = (vec![root.clone()], Vec::new(), Vec::new());
        // By key: if two positions share one, the other is searched anew when it is needed.
        let mut met = FxHashSet::default();
        while let Some(state) = stack.pop() {
            moves.clear();
            self.search.problem.list_moves(&state, &mut moves);
            for &mv in &moves {
                let child = self.search.problem.child_of(&state, mv);
                if self.at_once(&child).is_none()
                    && solved.recall(&self.search.problem, &child) == Some(truth)
                    && met.insert(self.search.problem.game.key(&child))
                {
                    stack.push(child);
                }
            }
            found.push(state);
        }
        found
    }
}
