//! From an answer to a strategy: the move to play at every position that a proof can meet.
//!
//! Searches hand over what they remember; the prover looks there first. What was forgotten, thrown away with a second level, or never
//! searched because the other side of a symmetry was, it finds again by two searches in turns: alpha-beta, and depth-first
//! product propagation for problems in which the order of moves says little. Both take whatever is remembered for granted and
//! leave what they learn for the next time.

use crate::alphabeta::Search;
use crate::dag::Symmetry;
use crate::depth_first;
use crate::prior::Mobility;
use crate::rule::Product;
use crate::{Governor, Limits, Memory, StopReason};
use delphic_game::{
    Asked, Force, Game, Gate, Hints, Look, Memorable, Problem, Progressive, Question, Verdict, result,
};
use rustc_hash::FxHashSet;

/// Nodes of the first turn. Most of what is missing lies a ply or two above what is remembered.
const FIRST_TURN: u64 = 20_000;
/// The work that an answer told by another search stands for: worth more than anything found by the way.
const KEEP: u64 = 1 << 30;

/// Why there is no move to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMove {
    /// A limit was met.
    Stopped(StopReason),
    /// The position is not what the proof takes it for. Somebody has made a mistake.
    Refuted,
}

/// Answers one question about any position, and finds the moves behind the answers.
pub struct Prover<'p, 'g, G: Progressive> {
    asked: &'p Asked<'g, G, Force>,
    limits: Limits<'p>,
    search: Search<'p, 'g, G>,
    governor: Governor<'p>,
    scratch: Vec<G::Move>,
    /// Nodes created by the second search.
    second: u64,
}

impl<'p, 'g, G: Progressive + Hints> Prover<'p, 'g, G> {
    /// A prover for the question of `asked`, starting from what a search has left. The memory limit bounds its own tables.
    pub fn new(
        asked: &'p Asked<'g, G, Force>,
        memory: Option<Box<dyn Memory<Asked<'g, G, Force>>>>,
        limits: Limits<'p>,
    ) -> Self {
        // Two tables, one of each search.
        let limits = Limits { memory: Some(limits.table_bytes() / 2), ..limits };
        let mut search = Search::new(asked, Symmetry::On, limits.table_bytes());
        if let Some(memory) = memory {
            memory.unfold(asked, &mut |state, truth| {
                if truth != Verdict::Open {
                    search.remember(state, truth == Verdict::Proved, KEEP);
                }
            });
            search.elder = Some(memory);
        }
        let governor = Governor::new(Limits { memory: None, ..limits });
        Prover { asked, limits, search, governor, scratch: Vec::new(), second: 0 }
    }

    /// The answer at a position.
    pub fn answer(&mut self, state: &G::State) -> Result<bool, StopReason> {
        self.at_once(state).map_or_else(|| self.find(state), Ok)
    }

    /// The answer at a position that is over, foreseen or remembered.
    fn at_once(&mut self, state: &G::State) -> Option<bool> {
        match self.asked.look(state, &mut self.scratch) {
            Look::Over(truth) => Some(truth == Verdict::Proved),
            Look::Open { .. } => self.search.known(state),
        }
    }

    /// The place among `moves` of one that leads to the answer `yes`, which the position is supposed to have.
    pub fn choose(&mut self, state: &G::State, moves: &[G::Move], yes: bool) -> Result<usize, NoMove> {
        if let Some(reason) = self.governor.stop(self.created(), 0) {
            return Err(NoMove::Stopped(reason));
        }
        let asked = self.asked;
        let child = |&mv: &G::Move| asked.child(state, mv);
        // A move that ends the game needs no more proof.
        let mut ends = |mv: &G::Move| {
            let outcome = result(asked.game, &child(mv), &mut self.scratch);
            outcome.is_some_and(|outcome| asked.question.answer(outcome) == Verdict::of(yes))
        };
        if let Some(place) = moves.iter().position(&mut ends) {
            return Ok(place);
        }
        if let Some(place) = moves.iter().position(|mv| self.at_once(&child(mv)) == Some(yes)) {
            return Ok(place);
        }
        if self.find(state).map_err(NoMove::Stopped)? != yes {
            return Err(NoMove::Refuted);
        }
        if let Some(place) = moves.iter().position(|mv| self.at_once(&child(mv)) == Some(yes)) {
            return Ok(place);
        }
        // The table is so small that it has forgotten the move since.
        for (place, mv) in moves.iter().enumerate() {
            if self.answer(&child(mv)).map_err(NoMove::Stopped)? == yes {
                return Ok(place);
            }
        }
        Err(NoMove::Refuted)
    }

    /// Nodes created to find what was not remembered.
    pub fn created(&self) -> u64 {
        self.search.stats.created + self.second
    }

    /// Searches an open position by its children, whatever is remembered of itself, in turns that grow.
    fn find(&mut self, state: &G::State) -> Result<bool, StopReason> {
        let mut turn = FIRST_TURN;
        loop {
            // The limit counts what both searches create, the governor of a turn only what one of them does.
            let left = self.limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.created()));
            let over = |stop| stop != StopReason::Nodes || left <= turn;
            let mut limits = self.limits;
            limits.time = limits.time.map(|time| time.saturating_sub(self.governor.elapsed()));
            limits.nodes = Some(self.search.stats.created.saturating_add(left.min(turn)));
            let mut governor = Governor::new(Limits { memory: None, ..limits });
            match self.search.answer(state.clone(), &mut governor, &mut ()) {
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
        let known = Known { search: &self.search, asked: self.asked, root: state };
        let report = depth_first::solve(&known, Product::default(), Mobility, Symmetry::On, limits, &mut ());
        self.second += report.stats.created;
        let memory = report.memory.as_deref().ok_or(report.stop)?;
        Ok((report.truth == Verdict::Proved, known.rests_on(memory, report.truth)))
    }
}

/// The problem below a position, in which whatever is remembered counts as over.
struct Known<'a, 'p, 'g, G: Game> {
    search: &'a Search<'p, 'g, G>,
    asked: &'a Asked<'g, G, Force>,
    root: &'a G::State,
}

impl<'a, 'p, 'g, G: Progressive + Hints> Known<'a, 'p, 'g, G> {
    /// The positions on which the answer at the root rests, as far as the search remembers them.
    fn rests_on(&self, memory: &dyn Memory<Self>, truth: Verdict) -> Vec<G::State> {
        let (mut waiting, mut found, mut moves) = (vec![self.root.clone()], Vec::new(), Vec::new());
        let (mut scratch, mut met) = (Vec::new(), FxHashSet::default());
        while let Some(state) = waiting.pop() {
            moves.clear();
            self.moves(&state, &mut moves);
            for &mv in &moves {
                let child = self.child(&state, mv);
                let open = matches!(self.look(&child, &mut scratch), Look::Open { .. });
                if open && memory.recall(self, &child) == Some(truth) && met.insert(child.clone()) {
                    waiting.push(child);
                }
            }
            found.push(state);
        }
        found
    }
}

impl<G: Progressive + Hints> Problem for Known<'_, '_, '_, G> {
    type Logic = Force;
    type State = G::State;
    type Move = G::Move;

    fn logic(&self) -> &Force {
        &self.asked.question
    }

    fn root(&self) -> G::State {
        self.root.clone()
    }

    fn look(&self, state: &G::State, scratch: &mut Vec<G::Move>) -> Look<Gate, Verdict> {
        // What is known of the root itself is not to be used; it is not over.
        if state == self.root {
            let moves = self.asked.game.count_moves(state, scratch);
            return Look::Open { role: self.role(state), moves };
        }
        match self.asked.look(state, scratch) {
            open @ Look::Open { .. } => {
                self.search.known(state).map_or(open, |yes| Look::Over(Verdict::of(yes)))
            }
            seen => seen,
        }
    }

    fn role(&self, state: &G::State) -> Gate {
        self.asked.role(state)
    }

    fn moves(&self, state: &G::State, list: &mut Vec<G::Move>) {
        self.asked.moves(state, list);
    }

    fn play(&self, state: &mut G::State, mv: G::Move) {
        self.asked.play(state, mv);
    }
}

impl<G: Progressive + Hints> Memorable for Known<'_, '_, '_, G> {
    fn key(&self, state: &G::State) -> u64 {
        self.asked.key(state)
    }

    fn canonicalize(&self, state: &mut G::State) {
        self.asked.canonicalize(state);
    }
}
