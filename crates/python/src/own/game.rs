//! A Python game as the searches see it.

use super::table::{Facts, StateId, Table};
use crate::session::Session;
use delphic_game::picture::{Mark, Picture, Tiling};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, mix, play_all, read_moves,
    result,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A Python game in one call of the library.
///
/// A search cannot be aborted in the middle when the rules raise an exception. The [`Session`] stores the first exception and sets the
/// interrupt flag; until the search stops, states that were not expanded before count as terminal. The result of such a search is discarded.
#[derive(Clone)]
pub(crate) struct PyGame {
    table: Arc<Table>,
    session: Arc<Session>,
}

impl Table {
    /// Asks a short question, which is answered at once. Exceptions of the rules come back.
    pub(crate) fn ask<T>(self: &Arc<Table>, question: impl FnOnce(&PyGame) -> T) -> PyResult<T> {
        let game = PyGame::new(self, &Arc::default());
        let found = question(&game);
        game.session.check()?;
        Ok(found)
    }
}

impl PyGame {
    /// The game in a session.
    pub(crate) fn new(table: &Arc<Table>, session: &Arc<Session>) -> PyGame {
        PyGame { table: Arc::clone(table), session: Arc::clone(session) }
    }

    /// The result of a Python call, or `otherwise` if it fails or an earlier call has failed.
    fn ask<T>(&self, otherwise: T, ask: impl FnOnce(Python<'_>, &Table) -> PyResult<T>) -> T {
        if self.session.has_failed() {
            return otherwise;
        }
        let bytes = (self.table.len() as u64).saturating_mul(self.table.state_bytes() as u64);
        self.session.hold(bytes);
        Python::attach(|py| match self.session.in_rules(py, || ask(py, &self.table)) {
            Ok(found) => found,
            Err(error) => {
                self.session.fail(error);
                otherwise
            }
        })
    }

    /// The state that a text describes, or the start, after further moves.
    pub(crate) fn find(&self, text: Option<&str>, moves: Option<&str>) -> Result<StateId, NotationError> {
        let state = match text {
            None => self.start(),
            Some(text) => match (self.read(text), self.play_text(self.start(), text)) {
                (Ok(state), _) | (_, Ok(state)) => state,
                (Err(error), _) => return Err(error),
            },
        };
        moves.map_or(Ok(state), |moves| self.play_text(state, moves))
    }

    /// The state after a list of moves.
    pub(crate) fn play_text(&self, state: StateId, moves: &str) -> Result<StateId, NotationError> {
        Ok(play_all(self, &state, &read_moves(self, &state, moves)?))
    }

    /// The state after the legal move with this number.
    pub(crate) fn after(&self, mut state: StateId, nth: usize) -> StateId {
        self.play(&mut state, nth as u16);
        state
    }

    /// A state of a random game: after `plies` moves, or, without a number, anywhere before the end.
    pub(crate) fn random(&self, start: StateId, plies: Option<usize>, seed: u64) -> StateId {
        let (mut rng, mut scratch, mut line) = (Rng::new(seed), Vec::new(), vec![start]);
        let mut state = start;
        while plies.is_none_or(|plies| line.len() <= plies) && result(self, &state, &mut scratch).is_none() {
            let Some(mv) = self.random_move(&state, &mut rng, &mut scratch) else { break };
            self.play(&mut state, mv);
            line.push(state);
        }
        match plies {
            Some(_) => state,
            None => line[rng.below(line.len().saturating_sub(1).max(1))],
        }
    }

    /// A result for positions after a failure; it is discarded with the search.
    fn any_outcome(&self) -> Outcome {
        Outcome::new([self.table.rules.payoffs[0]; Player::MAX])
    }

    fn facts(&self, id: StateId) -> Facts {
        let known = if id == StateId::NOWHERE { None } else { self.table.known_facts(id) };
        known.unwrap_or_else(|| {
            let over = Facts { turn: Player::FIRST, outcome: Some(self.any_outcome()) };
            if id == StateId::NOWHERE { over } else { self.ask(over, |py, table| table.facts(py, id)) }
        })
    }
}

impl Game for PyGame {
    type State = StateId;
    /// The number of a move among the legal ones.
    type Move = u16;

    fn start(&self) -> StateId {
        self.table.start()
    }

    fn turn(&self, &id: &StateId) -> Player {
        self.facts(id).turn
    }

    fn moves(&self, id: &StateId, list: &mut Vec<u16>) {
        let count = self.count_moves(id, &mut Vec::new());
        // The table holds no longer lists.
        list.extend(0..count as u16);
    }

    fn play(&self, id: &mut StateId, nth: u16) {
        let from = *id;
        let known = self.table.known_child(from, nth);
        let ask = || self.ask(StateId::NOWHERE, |py, table| table.child(py, from, nth));
        *id = known.unwrap_or_else(ask);
    }

    fn outcome(&self, &id: &StateId) -> Option<Outcome> {
        self.facts(id).outcome
    }

    fn stuck(&self, &id: &StateId) -> Outcome {
        let any = self.any_outcome();
        self.ask(any, |py, table| Ok(table.stuck(py, id)?.unwrap_or(any)))
    }

    fn players(&self) -> usize {
        self.table.rules.players
    }

    fn payoffs(&self) -> Vec<i16> {
        self.table.rules.payoffs.clone()
    }

    fn key(&self, &id: &StateId) -> u64 {
        mix(id.number())
    }

    fn heap_bytes(&self) -> usize {
        self.table.state_bytes()
    }

    fn canonicalize(&self, id: &mut StateId) {
        let given = *id;
        if self.table.rules.has_symmetries() && given != StateId::NOWHERE {
            *id = self.ask(given, |py, table| table.canonical(py, given));
        }
    }

    fn count_moves(&self, &id: &StateId, _: &mut Vec<u16>) -> usize {
        match self.table.known_moves(id) {
            Some(count) => count,
            None if id == StateId::NOWHERE => 0,
            None => self.ask(0, |py, table| table.count_moves(py, id)),
        }
    }
}

impl Hints for PyGame {}

// The table finds repetitions and fails.
impl Progressive for PyGame {}

impl Notation for PyGame {
    const HOW: &'static str = "As the methods write and write_move of the game say.";

    fn write_move(&self, &id: &StateId, nth: u16) -> String {
        self.ask(String::new(), |py, table| table.write_move(py, id, nth))
    }

    fn write(&self, &id: &StateId) -> String {
        self.ask(String::new(), |py, table| table.write(py, id))
    }

    fn read(&self, text: &str) -> Result<StateId, NotationError> {
        let failed = Err(NotationError::position("the rules failed"));
        self.ask(failed, |py, table| match table.read(py, text) {
            Ok(id) => Ok(Ok(id)),
            // A text that is no position is no fault of the rules.
            Err(error) if error.is_instance_of::<PyValueError>(py) => {
                Ok(Err(NotationError::position(error.value(py).to_string())))
            }
            Err(error) => Err(error),
        })
    }

    fn picture(&self, id: &StateId) -> Picture {
        let Some(drawn) = self.ask(None, |py, table| table.picture(py, *id)) else {
            return Picture::new(Tiling::Bare).note(self.write(id));
        };
        let mut picture = Picture::new(Tiling::Squares);
        for (y, line) in (0..).zip(drawn.lines()) {
            for (x, glyph) in (0..).zip(line.chars()).filter(|(_, glyph)| *glyph != ' ') {
                picture.put(2 * x, 2 * y, Mark::of(glyph));
            }
        }
        picture
    }
}
