//! Positions of all games as one class.

use crate::errors;
use crate::game::{Kind, NativeGame};
use crate::own::{PyGame, StateId, Table};
use crate::request::Options;
use crate::session::Session;
use crate::work::{FirstInterrupt, run};
use delphic_engine::{AnyGame, AnyPosition, InputError, own_position};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A position.
#[pyclass(frozen, module = "delphic._delphic")]
pub(crate) struct NativePosition(pub(crate) At);

/// A game with one of its positions.
pub(crate) enum At {
    Listed(Arc<dyn AnyGame>, Box<dyn AnyPosition>),
    Own(Arc<Table>, StateId),
}

impl NativePosition {
    /// Lets `work` use the position in a session.
    pub(crate) fn with<T>(
        &self,
        session: &Arc<Session>,
        work: impl FnOnce(&(dyn AnyPosition + 'static)) -> T,
    ) -> T {
        match &self.0 {
            At::Listed(_, position) => work(&**position),
            At::Own(table, state) => {
                work(&*own_position(&table.rules.name, PyGame::new(table, session), *state))
            }
        }
    }

    /// The same for a short question, answered at once. Exceptions of the rules come back.
    fn ask<T>(&self, work: impl FnOnce(&(dyn AnyPosition + 'static)) -> T) -> PyResult<T> {
        let session = Arc::default();
        let found = self.with(&session, work);
        session.check()?;
        Ok(found)
    }

    /// Lets `work` use the game.
    pub(crate) fn with_game<T>(&self, work: impl FnOnce(&(dyn AnyGame + 'static)) -> T) -> T {
        self.game().0.with(&Arc::default(), work)
    }
}

#[pymethods]
impl NativePosition {
    #[getter]
    fn game(&self) -> NativeGame {
        NativeGame(match &self.0 {
            At::Listed(game, _) => Kind::Listed(Arc::clone(game)),
            At::Own(table, _) => Kind::Own(Arc::clone(table)),
        })
    }

    fn write(&self) -> PyResult<String> {
        self.ask(<dyn AnyPosition>::write)
    }

    fn turn(&self) -> PyResult<usize> {
        self.ask(|position| position.turn().index())
    }

    fn is_over(&self) -> PyResult<bool> {
        self.ask(<dyn AnyPosition>::is_over)
    }

    fn moves(&self) -> PyResult<Vec<String>> {
        self.ask(<dyn AnyPosition>::moves)
    }

    fn payoffs(&self) -> PyResult<Option<Vec<i16>>> {
        self.ask(<dyn AnyPosition>::payoffs)
    }

    fn text(&self) -> PyResult<String> {
        self.ask(|position| position.picture().text(false))
    }

    fn svg(&self, title: &str) -> PyResult<String> {
        self.ask(|position| position.picture().svg(title))
    }

    /// The number that changes when the rules do.
    fn fingerprint(&self) -> PyResult<u64> {
        self.ask(<dyn AnyPosition>::fingerprint)
    }

    /// The state, if the game is written in Python.
    fn state<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        match &self.0 {
            At::Own(table, state) => Some(table.state(py, *state)),
            At::Listed(..) => None,
        }
    }

    /// The moves themselves, if the game is written in Python.
    fn move_objects(&self, py: Python<'_>) -> PyResult<Option<Vec<Py<PyAny>>>> {
        match &self.0 {
            At::Own(table, state) => table.move_objects(py, *state).map(Some),
            At::Listed(..) => Ok(None),
        }
    }

    /// Whether two positions of the same game object are the same.
    fn same(&self, other: &NativePosition) -> PyResult<bool> {
        match (&self.0, &other.0) {
            (At::Own(table, one), At::Own(others, other)) if Arc::ptr_eq(table, others) => Ok(one == other),
            _ => Ok(self.game().spec() == other.game().spec() && self.write()? == other.write()?),
        }
    }

    /// The position after the legal move with this number.
    fn after(&self, py: Python<'_>, nth: usize) -> PyResult<NativePosition> {
        let count = self.ask(|position| position.moves().len())?;
        if nth >= count {
            let what = format!("there is no move number {nth}; the position has {count}");
            return Err(errors::input(py, InputError::Request(what)));
        }
        Ok(NativePosition(match &self.0 {
            At::Listed(game, position) => At::Listed(Arc::clone(game), position.after(nth)),
            At::Own(table, state) => At::Own(Arc::clone(table), table.ask(|game| game.after(*state, nth))?),
        }))
    }

    /// The position after a list of moves.
    fn play(&self, py: Python<'_>, moves: &str) -> PyResult<NativePosition> {
        let At::Own(table, state) = &self.0 else {
            return self.game().position(py, Some(&self.write()?), Some(moves));
        };
        let found =
            table.ask(|game| game.play_text(*state, moves))?.map_err(|error| errors::input(py, error))?;
        Ok(NativePosition(At::Own(Arc::clone(table), found)))
    }

    /// A position of a random game from here.
    #[pyo3(signature = (plies, seed))]
    fn random(&self, py: Python<'_>, plies: Option<usize>, seed: u64) -> PyResult<NativePosition> {
        if let At::Own(table, state) = &self.0 {
            let found = table.ask(|game| game.random(*state, plies, seed))?;
            return Ok(NativePosition(At::Own(Arc::clone(table), found)));
        }
        let text = self.ask(|position| position.random(plies, seed))?;
        self.game().position(py, Some(&text), None)
    }

    /// The number of lines of play of this length.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let session = Arc::default();
        run(py, &session, FirstInterrupt::Raises, None, |_| {
            self.with(&session, |position| perft(position, depth, &session))
        })
    }

    /// The size of the tree below, as JSON.
    fn estimate(&self, py: Python<'_>, samples: usize, seed: u64) -> PyResult<String> {
        let session = Arc::default();
        let size = run(py, &session, FirstInterrupt::Raises, None, |_| {
            self.with(&session, |position| position.estimate(samples, seed))
        })?;
        let (low, high) = size.interval;
        let object = json!({
            "samples": size.samples,
            "log10_tree": size.tree,
            "log10_tree_low": low,
            "log10_tree_high": high,
            "log10_states_at_most": size.states,
            "plies_mean": size.plies,
            "plies_longest": size.longest,
            "branching_mean": size.branching,
        });
        Ok(object.to_string())
    }

    /// Answers a request; returns JSON and the report of the command line.
    fn solve(
        &self,
        py: Python<'_>,
        options: Options,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(String, String)> {
        let session = Arc::new(Session::new(Some(options.memory)));
        let request = options.request(py, self, &session.stop)?;
        let mut answer = run(py, &session, FirstInterrupt::Stops, progress.as_ref(), |observer| {
            self.with(&session, |position| position.solve_with_line(&request, observer))
        })?;
        session.correct(&mut answer.stop);
        Ok((delphic::report::answer(&answer).to_string(), delphic::report::text(&answer, None)))
    }

    /// The same for every move.
    fn analyze(
        &self,
        py: Python<'_>,
        options: Options,
        exact: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(String, String)> {
        let session = Arc::new(Session::new(Some(options.memory)));
        let request = options.request(py, self, &session.stop)?;
        let mut analysis = run(py, &session, FirstInterrupt::Stops, progress.as_ref(), |observer| {
            self.with(&session, |position| position.analyze(&request, exact, observer))
        })?;
        session.correct(&mut analysis.answer.stop);
        session.correct(&mut analysis.stop);
        let text = delphic::report::text(&analysis.answer, None);
        Ok((delphic::report::analysis(&analysis).to_string(), text))
    }

    /// Answers a request with a certificate, if there is an answer.
    #[allow(clippy::type_complexity)]
    fn prove<'py>(
        &self,
        py: Python<'py>,
        options: Options,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(String, String, Option<Bound<'py, PyBytes>>)> {
        let session = Arc::new(Session::new(Some(options.memory)));
        let request = options.request(py, self, &session.stop)?;
        let mut file = Vec::new();
        let (mut answer, certified) =
            run(py, &session, FirstInterrupt::Stops, progress.as_ref(), |observer| {
                self.with(&session, |position| position.prove(&request, observer, &mut file))
            })?;
        session.correct(&mut answer.stop);
        let certified = match certified {
            Ok(certified) => Some(certified),
            Err(delphic_engine::ProofError::NoAnswer) => None,
            Err(error) => return Err(errors::proof(py, &error)),
        };
        let json = delphic::report::proved(&answer, certified.as_ref()).to_string();
        let file = certified.map(|_| PyBytes::new(py, &file));
        Ok((json, delphic::report::text(&answer, None), file))
    }
}

/// Counts lines of play, and stops soon when it is asked to.
fn perft(position: &dyn AnyPosition, depth: u32, session: &Session) -> u64 {
    /// What is counted without looking at the flag.
    const AT_ONCE: u32 = 3;
    if depth <= AT_ONCE {
        return position.perft(depth);
    }
    let mut lines = 0;
    for nth in 0..position.moves().len() {
        if session.stop.load(Ordering::Relaxed) {
            break;
        }
        lines += perft(&*position.after(nth), depth - 1, session);
    }
    lines
}
