//! All states of a Python game that were reached, by number, with the cached results of the rules.

use super::order::{Cycle, Order};
use super::rules::{Rules, complain, unhashable};
use delphic_game::{Outcome, Player};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// The number of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct StateId(u32);

impl StateId {
    /// No state: where moves lead after the rules have failed.
    pub(super) const NOWHERE: StateId = StateId(0);

    pub(super) fn number(self) -> u64 {
        self.0.into()
    }
}

/// The states of one game.
///
/// No lock is held while Python runs: another thread could wait for that lock while holding the interpreter lock. So two threads may make
/// the same call; the first result is kept.
pub(crate) struct Table {
    pub(crate) rules: Rules,
    /// From keys to numbers.
    numbers: Py<PyDict>,
    nodes: RwLock<Vec<Arc<Node>>>,
    order: Mutex<Order>,
    start: StateId,
    /// About how many bytes a state takes.
    state_bytes: usize,
}

/// A state and what is known of it.
pub(super) struct Node {
    state: Py<PyAny>,
    facts: OnceLock<Facts>,
    moves: OnceLock<Moves>,
    canonical: OnceLock<StateId>,
}

/// What a search asks of every state it meets.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    pub(super) turn: Player,
    pub(super) outcome: Option<Outcome>,
}

/// The moves of a state.
struct Moves {
    moves: Box<[Py<PyAny>]>,
    /// Where they lead; 0 if not known yet.
    children: Box<[AtomicU32]>,
    /// The result if there are none.
    stuck: Option<Outcome>,
    texts: OnceLock<Vec<String>>,
}

impl Table {
    pub(crate) fn new(py: Python<'_>, rules: Rules) -> PyResult<Table> {
        let nowhere = Node {
            state: py.None(),
            facts: OnceLock::new(),
            moves: OnceLock::new(),
            canonical: OnceLock::new(),
        };
        let mut table = Table {
            rules,
            numbers: PyDict::new(py).unbind(),
            nodes: RwLock::new(vec![Arc::new(nowhere)]),
            order: Mutex::new(Order::default()),
            start: StateId::NOWHERE,
            state_bytes: 0,
        };
        table.order().add();
        let start = table.rules.start(py)?;
        table.start = table.number(&start)?;
        table.state_bytes = table.rules.bytes(&start);
        Ok(table)
    }

    pub(crate) fn start(&self) -> StateId {
        self.start
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    pub(super) fn state_bytes(&self) -> usize {
        self.state_bytes
    }

    fn node(&self, id: StateId) -> Arc<Node> {
        Arc::clone(&self.nodes.read().unwrap_or_else(PoisonError::into_inner)[id.0 as usize])
    }

    fn order(&self) -> std::sync::MutexGuard<'_, Order> {
        self.order.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state object itself.
    pub(crate) fn state<'py>(&self, py: Python<'py>, id: StateId) -> Bound<'py, PyAny> {
        self.node(id).state.bind(py).clone()
    }

    /// The number of a state, a new one if it was not met before.
    fn number(&self, state: &Bound<'_, PyAny>) -> PyResult<StateId> {
        let numbers = self.numbers.bind(state.py());
        let key = self.rules.key(state)?;
        if let Some(known) = numbers.get_item(&key).map_err(|error| unhashable(state, error))? {
            return Ok(StateId(known.extract()?));
        }
        let node = Node {
            state: state.clone().unbind(),
            facts: OnceLock::new(),
            moves: OnceLock::new(),
            canonical: OnceLock::new(),
        };
        let id = {
            let mut order = self.order();
            let mut nodes = self.nodes.write().unwrap_or_else(PoisonError::into_inner);
            nodes.push(Arc::new(node));
            order.add();
            nodes.len() - 1
        };
        // If another thread was faster its number is taken, and ours is never used.
        let id = numbers.call_method1("setdefault", (key, id))?;
        Ok(StateId(id.extract()?))
    }

    /// What is known without Python.
    pub(super) fn known_facts(&self, id: StateId) -> Option<Facts> {
        self.node(id).facts.get().copied()
    }

    pub(super) fn facts(&self, py: Python<'_>, id: StateId) -> PyResult<Facts> {
        let node = self.node(id);
        if let Some(facts) = node.facts.get() {
            return Ok(*facts);
        }
        let state = node.state.bind(py);
        let outcome = self.rules.outcome(state)?;
        // Whose turn it would be after the end does not matter, and many rules cannot tell.
        let turn = if outcome.is_some() { Player::FIRST } else { self.rules.turn(state)? };
        Ok(*node.facts.get_or_init(|| Facts { turn, outcome }))
    }

    /// How many moves there are, if Python was asked before.
    pub(super) fn known_moves(&self, id: StateId) -> Option<usize> {
        self.node(id).moves.get().map(|moves| moves.moves.len())
    }

    /// The number of moves.
    pub(super) fn count_moves(&self, py: Python<'_>, id: StateId) -> PyResult<usize> {
        self.node(id).expand(py, &self.rules).map(|moves| moves.moves.len())
    }

    /// The result where there are no moves.
    pub(super) fn stuck(&self, py: Python<'_>, id: StateId) -> PyResult<Option<Outcome>> {
        self.node(id).expand(py, &self.rules).map(|moves| moves.stuck)
    }

    /// Where a move leads, if that was asked before.
    pub(super) fn known_child(&self, id: StateId, nth: u16) -> Option<StateId> {
        let node = self.node(id);
        let child = node.moves.get()?.children[usize::from(nth)].load(Ordering::Relaxed);
        (child != 0).then_some(StateId(child))
    }

    /// Where a move leads.
    pub(super) fn child(&self, py: Python<'_>, id: StateId, nth: u16) -> PyResult<StateId> {
        let node = self.node(id);
        let (state, moves) = (node.state.bind(py), node.expand(py, &self.rules)?);
        if self.rules.has_children() {
            for (nth, child) in self.rules.children(state, moves.moves.len())?.iter().enumerate() {
                let child = self.number(child)?;
                self.link(id, child, moves, nth).map_err(|Cycle| self.repeated(py, child))?;
            }
        } else {
            let mv = moves.moves[usize::from(nth)].bind(py);
            let child = self.number(&self.rules.play(state, mv)?)?;
            self.link(id, child, moves, nth.into()).map_err(|Cycle| self.repeated(py, child))?;
        }
        Ok(StateId(moves.children[usize::from(nth)].load(Ordering::Relaxed)))
    }

    /// Records where a move leads.
    fn link(&self, from: StateId, to: StateId, moves: &Moves, nth: usize) -> Result<(), Cycle> {
        let mut order = self.order();
        let nodes = self.nodes.read().unwrap_or_else(PoisonError::into_inner);
        let children = |state: usize, list: &mut Vec<usize>| {
            if let Some(moves) = nodes[state].moves.get() {
                let known = moves.children.iter().map(|child| child.load(Ordering::Relaxed) as usize);
                list.extend(known.filter(|&child| child != 0));
            }
        };
        order.link(from.0 as usize, to.0 as usize, children)?;
        moves.children[nth].store(to.0, Ordering::Relaxed);
        Ok(())
    }

    fn repeated(&self, py: Python<'_>, id: StateId) -> PyErr {
        let what = "a position can be repeated, so searches need not end; put what prevents it into the state, such as a count of \
                    moves after which the game is a draw";
        complain(self.node(id).state.bind(py), what)
    }

    /// The representative of a state under symmetry: of all images the one with the least text.
    pub(super) fn canonical(&self, py: Python<'_>, id: StateId) -> PyResult<StateId> {
        let node = self.node(id);
        if let Some(&known) = node.canonical.get() {
            return Ok(known);
        }
        let state = node.state.bind(py);
        let mut best = (self.rules.write(state)?, id);
        for image in self.rules.symmetries(state)? {
            let text = self.rules.write(&image)?;
            if text < best.0 {
                best = (text, self.number(&image)?);
            }
        }
        Ok(*node.canonical.get_or_init(|| best.1))
    }

    pub(super) fn write(&self, py: Python<'_>, id: StateId) -> PyResult<String> {
        self.rules.write(self.node(id).state.bind(py))
    }

    pub(super) fn write_move(&self, py: Python<'_>, id: StateId, nth: u16) -> PyResult<String> {
        let node = self.node(id);
        let moves = node.expand(py, &self.rules)?;
        if moves.texts.get().is_none() {
            let texts = self.rules.write_moves(node.state.bind(py), &moves.moves)?;
            // Another thread may have been faster.
            let _ = moves.texts.set(texts);
        }
        let texts = moves.texts.get().map_or(&[][..], Vec::as_slice);
        Ok(texts.get(usize::from(nth)).cloned().unwrap_or_default())
    }

    /// The moves themselves.
    pub(crate) fn move_objects(&self, py: Python<'_>, id: StateId) -> PyResult<Vec<Py<PyAny>>> {
        if self.facts(py, id)?.outcome.is_some() {
            return Ok(Vec::new());
        }
        let node = self.node(id);
        let moves = node.expand(py, &self.rules)?;
        Ok(moves.moves.iter().map(|mv| mv.clone_ref(py)).collect())
    }

    /// The state that a text describes.
    pub(super) fn read(&self, py: Python<'_>, text: &str) -> PyResult<StateId> {
        if self.write(py, self.start)? == text {
            return Ok(self.start);
        }
        self.number(&self.rules.read(py, text)?)
    }

    pub(super) fn picture(&self, py: Python<'_>, id: StateId) -> PyResult<Option<String>> {
        self.rules.picture(self.node(id).state.bind(py))
    }
}

impl Node {
    /// The moves, computed at the first call.
    fn expand(&self, py: Python<'_>, rules: &Rules) -> PyResult<&Moves> {
        if let Some(moves) = self.moves.get() {
            return Ok(moves);
        }
        let state = self.state.bind(py);
        let moves = rules.moves(state)?;
        let stuck = if moves.is_empty() { Some(rules.stuck(state, rules.turn(state)?)?) } else { None };
        let children = moves.iter().map(|_| AtomicU32::new(0)).collect();
        let found = Moves { moves: moves.into(), children, stuck, texts: OnceLock::new() };
        Ok(self.moves.get_or_init(|| found))
    }
}
