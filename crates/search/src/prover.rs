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

    /// The number of a move that leads to the answer `yes`, which the position is supposed to have. A strategy is to be small; `back` says
    /// which moves lead to a position that it has an answer to already. A line of play takes any move, which is found sooner: `None`.
    fn choose(
        &mut self,
        state: &ErasedState,
        yes: bool,
        back: Option<&dyn Fn(usize) -> bool>,
    ) -> Result<usize, NoMove>;

    /// Nodes created to find what was not remembered.
    fn created(&self) -> u64;
}

impl<G: Solvable> AnyProver for Prover<'_, G> {
    fn answer_within(&mut self, state: &ErasedState, nodes: u64) -> Result<bool, StopReason> {
        self.answer_within(state.get(), nodes)
    }

    fn choose(
        &mut self,
        state: &ErasedState,
        yes: bool,
        back: Option<&dyn Fn(usize) -> bool>,
    ) -> Result<usize, NoMove> {
        if let Some(reason) = self.guard.stop(self.created(), 0) {
            return Err(NoMove::Stopped(reason));
        }
        let children = self.children(state.get());
        choose(&mut Choice { prover: self, state: state.get(), children }, yes, back)
    }

    fn created(&self) -> u64 {
        self.created()
    }
}

/// A position at which a move is chosen, and what can be asked about the positions after its moves, by their places.
trait Choices {
    /// How many there are.
    fn count(&self) -> usize;

    /// The answer, if the game is over.
    fn end(&mut self, place: usize) -> Option<bool>;

    /// The answer, if it needs no search.
    fn known(&self, place: usize) -> Option<bool>;

    /// For every place the number of replies, and how far the player to choose is from a win.
    fn ranks(&mut self) -> Vec<(usize, u32)>;

    /// The answer, by a search.
    fn answer(&mut self, place: usize) -> Result<bool, StopReason>;

    /// The answer of the position itself, by a search that remembers the answers below it.
    fn find(&mut self) -> Result<bool, StopReason>;
}

struct Choice<'a, 'g, G: Solvable> {
    prover: &'a mut Prover<'g, G>,
    state: &'a G::State,
    children: Vec<G::State>,
}

impl<G: Solvable> Choices for Choice<'_, '_, G> {
    fn count(&self) -> usize {
        self.children.len()
    }

    fn end(&mut self, place: usize) -> Option<bool> {
        let problem = &self.prover.search.problem;
        let outcome = result(problem.game, &self.children[place], &mut self.prover.scratch)?;
        Some(problem.question.answer(outcome) == Verdict::Proved)
    }

    fn known(&self, place: usize) -> Option<bool> {
        self.prover.at_once(&self.children[place])
    }

    fn ranks(&mut self) -> Vec<(usize, u32)> {
        let (game, mut distances) = (self.prover.search.problem.game, Vec::new());
        game.win_distances(self.state, &mut distances);
        distances.resize(self.children.len(), u32::MAX);
        let replies = self.children.iter().map(|child| game.count_moves(child, &mut self.prover.scratch));
        replies.zip(distances).collect()
    }

    fn answer(&mut self, place: usize) -> Result<bool, StopReason> {
        self.prover.answer(&self.children[place])
    }

    fn find(&mut self) -> Result<bool, StopReason> {
        self.prover.find(self.state)
    }
}

/// See [`AnyProver::choose`]. A strategy must answer every reply to its moves, so the order in which moves are preferred decides how large
/// it becomes: on domineering:6x6 a seventh of what the first good moves give, on domineering:6x7 an eleventh.
fn choose(
    choices: &mut dyn Choices,
    yes: bool,
    back: Option<&dyn Fn(usize) -> bool>,
) -> Result<usize, NoMove> {
    let mut order: Vec<_> = (0..choices.count()).collect();
    if let Some(back) = back {
        // A move that ends the game needs no more proof, nor does one to a position that was answered.
        let end = order.iter().copied().find(|&place| choices.end(place) == Some(yes));
        if let Some(place) = end.or_else(|| order.iter().copied().find(|&place| back(place))) {
            return Ok(place);
        }
        // Those that leave the fewest replies first, and of these the ones nearest to a win.
        let ranks = choices.ranks();
        order.sort_by_key(|&place| ranks[place]);
    }
    let known =
        |choices: &dyn Choices| order.iter().copied().find(|&place| choices.known(place) == Some(yes));
    if let Some(place) = known(choices) {
        return Ok(place);
    }
    if choices.find().map_err(NoMove::Stopped)? != yes {
        return Err(NoMove::Refuted);
    }
    if let Some(place) = known(choices) {
        return Ok(place);
    }
    // The table is so small that the move was replaced since.
    for place in 0..choices.count() {
        if choices.answer(place).map_err(NoMove::Stopped)? == yes {
            return Ok(place);
        }
    }
    Err(NoMove::Refuted)
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

    /// The positions that the legal moves lead to, in their order.
    #[inline(never)]
    fn children(&self, state: &G::State) -> Vec<G::State> {
        let mut moves = Vec::new();
        self.search.problem.list_moves(state, &mut moves);
        moves.iter().map(|&mv| self.search.problem.child_of(state, mv)).collect()
    }

    /// Nodes created to find what was not remembered.
    pub fn created(&self) -> u64 {
        self.search.stats.created + self.second
    }

    /// Searches an open position by its children, whatever is remembered of itself.
    #[inline(never)]
    fn find(&mut self, state: &G::State) -> Result<bool, StopReason> {
        let limits = self.limits;
        in_turns(&mut Pair { prover: self, state }, limits)
    }

    /// The positions below `root` on which its answer rests, as far as the search remembers them.
    fn rests_on(&self, root: &G::State, solved: &dyn SolvedPositions<G>, truth: Verdict) -> Vec<G::State> {
        let (mut stack, mut found) = (vec![root.clone()], Vec::new());
        // By key: if two positions share one, the other is searched anew when it is needed.
        let mut met = FxHashSet::default();
        while let Some(state) = stack.pop() {
            for child in self.children(&state) {
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

/// Two searches for the answer at one position, in turns.
trait Searches {
    /// Alpha-beta, with a guard that counts all that it ever created.
    fn first(&mut self, guard: &mut LimitGuard<'_>) -> Result<bool, StopReason>;

    /// Product propagation. The other search remembers the positions on which its answer rests.
    fn second(&mut self, limits: Limits<'_>) -> Result<bool, StopReason>;

    /// What each of them has created.
    fn created(&self) -> [u64; 2];
}

struct Pair<'a, 'g, G: Solvable> {
    prover: &'a mut Prover<'g, G>,
    state: &'a G::State,
}

impl<G: Solvable> Searches for Pair<'_, '_, G> {
    fn first(&mut self, guard: &mut LimitGuard<'_>) -> Result<bool, StopReason> {
        self.prover.search.answer(self.state.clone(), guard, &mut ())
    }

    fn second(&mut self, limits: Limits<'_>) -> Result<bool, StopReason> {
        let search = &self.prover.search;
        let known = |state: &G::State| search.known(state);
        let below = GameProblem { position: self.state.clone(), ..search.problem };
        let bytes = limits.table_bytes();
        let table = GameTable::new(below, LeafPrior::Mobility, Symmetry::On, bytes).with_known(&known);
        let report = depth_first::solve(Box::new(table), &Product::default(), limits, &mut ());
        self.prover.second += report.stats.created;
        let Report { truth, stop, memory, .. } = report;
        let solved = memory.and_then(ProofMemory::of::<G>).ok_or(stop)?;
        let yes = truth == Verdict::Proved;
        for state in self.prover.rests_on(self.state, &*solved, truth) {
            self.prover.search.remember(&state, yes, 1);
        }
        Ok(yes)
    }

    fn created(&self) -> [u64; 2] {
        [self.prover.search.stats.created, self.prover.second]
    }
}

/// The answer of two searches in turns that grow.
fn in_turns(searches: &mut dyn Searches, limits: Limits<'_>) -> Result<bool, StopReason> {
    let mut turn = FIRST_TURN;
    loop {
        // The limit counts what both searches create, the guard of a turn only what one of them does.
        let [first, second] = searches.created();
        let left = limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(first + second));
        let over = |stop| stop != StopReason::Nodes || left <= turn;
        let nodes = Some(first.saturating_add(left.min(turn)));
        let mut guard = LimitGuard::new(Limits { nodes, memory: None, ..limits });
        match searches.first(&mut guard) {
            Err(stop) if !over(stop) => {}
            result => return result,
        }
        match searches.second(Limits { nodes: Some(left.min(turn)), ..limits }) {
            Err(stop) if !over(stop) => {}
            result => return result,
        }
        turn = turn.saturating_mul(2);
    }
}
