//! Games and positions, those of the table and those written in Python, as one pair of classes.

use crate::errors;
use crate::own::{PyGame, Rules, StateId, Table};
use crate::request::Options;
use crate::session::Session;
use crate::work::{FirstInterrupt, run};
use delphic_engine::{AnyGame, AnyPosition, Header, InputError, claim_in_words, own_game, own_position};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A game.
#[pyclass(frozen, module = "delphic._delphic")]
pub(crate) struct NativeGame(Arc<Kind>);

enum Kind {
    Listed(Box<dyn AnyGame>),
    Own(Arc<Table>),
}

impl Kind {
    /// Lets `work` use the game in a session.
    fn with<T>(&self, session: &Arc<Session>, work: impl FnOnce(&(dyn AnyGame + 'static)) -> T) -> T {
        match self {
            Kind::Listed(game) => work(&**game),
            Kind::Own(table) => {
                let game = PyGame { table: Arc::clone(table), session: Arc::clone(session) };
                work(&*own_game(&table.rules.name, game))
            }
        }
    }
}

#[pymethods]
impl NativeGame {
    /// The game that a spec names.
    #[staticmethod]
    fn named(py: Python<'_>, spec: &str) -> PyResult<NativeGame> {
        let game = delphic_engine::game(spec).map_err(|error| errors::input(py, error))?;
        Ok(NativeGame(Arc::new(Kind::Listed(game))))
    }

    /// The game of a Python object with rules; `optional` names the optional methods that it has.
    #[staticmethod]
    fn own(
        py: Python<'_>,
        rules: &Bound<'_, PyAny>,
        name: String,
        optional: Vec<String>,
    ) -> PyResult<NativeGame> {
        let table = Table::new(py, Rules::new(rules, name, &optional)?)?;
        Ok(NativeGame(Arc::new(Kind::Own(Arc::new(table)))))
    }

    #[getter]
    fn spec(&self) -> String {
        match &*self.0 {
            Kind::Listed(game) => game.spec().to_owned(),
            Kind::Own(table) => table.rules.name.clone(),
        }
    }

    #[getter]
    fn title(&self) -> Option<String> {
        match &*self.0 {
            Kind::Listed(game) => game.title().map(str::to_owned),
            Kind::Own(_) => None,
        }
    }

    #[getter]
    fn notation(&self) -> String {
        self.0.with(&Arc::default(), |game| game.how().to_owned())
    }

    #[getter]
    fn players(&self) -> usize {
        self.0.with(&Arc::default(), AnyGame::players)
    }

    #[getter]
    fn payoffs(&self) -> Vec<i16> {
        self.0.with(&Arc::default(), AnyGame::payoffs)
    }

    /// The position that a text describes, after further moves.
    #[pyo3(signature = (text, moves))]
    fn position(&self, py: Python<'_>, text: Option<&str>, moves: Option<&str>) -> PyResult<NativePosition> {
        let session = Arc::<Session>::default();
        let at = match &*self.0 {
            Kind::Listed(game) => {
                At::Listed(game.position(text, moves).map_err(|error| errors::input(py, error))?)
            }
            Kind::Own(table) => {
                let game = PyGame { table: Arc::clone(table), session: Arc::clone(&session) };
                let found = game.find(text, moves);
                session.check()?;
                At::Own(found.map_err(|error| errors::input(py, error))?)
            }
        };
        Ok(NativePosition { game: Arc::clone(&self.0), at })
    }

    /// Checks a certificate and returns what it proves, as JSON, and its strategies as text if `print` is set.
    fn check(
        &self,
        py: Python<'_>,
        file: &[u8],
        memory: u64,
        print: bool,
    ) -> PyResult<(String, Option<String>)> {
        let session = Arc::new(Session::new(Some(memory)));
        let work = |_: &mut dyn delphic_engine::Observer| {
            let (mut rest, mut text) = (file, Vec::new());
            let file: &mut dyn BufRead = &mut rest;
            self.0.with(&session, |game| {
                let header = Header::read(file)?;
                let out = print.then_some(&mut text as &mut dyn std::io::Write);
                let checked = game.check(&header, file, memory, out)?;
                let words: Vec<String> =
                    header.claims.iter().map(|&claim| claim_in_words(claim, &game.payoffs())).collect();
                let object = json!({
                    "game": header.game,
                    "position": header.position,
                    "claims": header.claims.iter().map(ToString::to_string).collect::<Vec<_>>(),
                    "claims_in_words": words,
                    "line": checked.line,
                    "plies_at_most": checked.plies,
                    "strategy_positions": checked.strategy,
                    "looked_at": checked.looked_at,
                });
                Ok((object.to_string(), print.then(|| String::from_utf8_lossy(&text).into_owned())))
            })
        };
        run(py, &session, FirstInterrupt::Raises, None, work)?
            .map_err(|refusal| errors::refusal(py, &refusal))
    }
}

/// A position.
#[pyclass(frozen, module = "delphic._delphic")]
pub(crate) struct NativePosition {
    game: Arc<Kind>,
    at: At,
}

enum At {
    Listed(Box<dyn AnyPosition>),
    Own(StateId),
}

impl NativePosition {
    /// Lets `work` use the position in a session.
    pub(crate) fn with<T>(
        &self,
        session: &Arc<Session>,
        work: impl FnOnce(&(dyn AnyPosition + 'static)) -> T,
    ) -> T {
        match (&*self.game, &self.at) {
            (_, At::Listed(position)) => work(&**position),
            (Kind::Own(table), At::Own(state)) => {
                let game = PyGame { table: Arc::clone(table), session: Arc::clone(session) };
                work(&*own_position(&table.rules.name, game, *state))
            }
            (Kind::Listed(_), At::Own(_)) => unreachable!("a state of a Python game belongs to its table"),
        }
    }

    /// The same for a short question, answered at once. Exceptions of the rules come back.
    fn ask<T>(&self, work: impl FnOnce(&(dyn AnyPosition + 'static)) -> T) -> PyResult<T> {
        let session = Arc::default();
        let found = self.with(&session, work);
        session.check()?;
        Ok(found)
    }

    /// The game, for requests.
    pub(crate) fn with_game<T>(&self, work: impl FnOnce(&(dyn AnyGame + 'static)) -> T) -> T {
        self.game.with(&Arc::default(), work)
    }
}

#[pymethods]
impl NativePosition {
    #[getter]
    fn game(&self) -> NativeGame {
        NativeGame(Arc::clone(&self.game))
    }

    fn write(&self) -> PyResult<String> {
        self.ask(AnyPosition::write)
    }

    fn turn(&self) -> PyResult<usize> {
        self.ask(|position| position.turn().seat())
    }

    fn is_over(&self) -> PyResult<bool> {
        self.ask(AnyPosition::is_over)
    }

    fn moves(&self) -> PyResult<Vec<String>> {
        self.ask(AnyPosition::moves)
    }

    fn payoffs(&self) -> PyResult<Option<Vec<i16>>> {
        self.ask(AnyPosition::payoffs)
    }

    fn text(&self) -> PyResult<String> {
        self.ask(|position| position.picture().text(false))
    }

    fn svg(&self, title: &str) -> PyResult<String> {
        self.ask(|position| position.picture().svg(title))
    }

    /// The number that changes when the rules do.
    fn fingerprint(&self) -> PyResult<u64> {
        self.ask(AnyPosition::fingerprint)
    }

    /// The state, if the game is written in Python.
    fn state<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        match (&*self.game, &self.at) {
            (Kind::Own(table), At::Own(state)) => Some(table.state(py, *state)),
            _ => None,
        }
    }

    /// The moves themselves, if the game is written in Python.
    fn move_objects(&self, py: Python<'_>) -> PyResult<Option<Vec<Py<PyAny>>>> {
        match (&*self.game, &self.at) {
            (Kind::Own(table), At::Own(state)) => table.move_objects(py, *state).map(Some),
            _ => Ok(None),
        }
    }

    /// Whether two positions of the same game object are the same.
    fn same(&self, other: &NativePosition) -> PyResult<bool> {
        match (&self.at, &other.at) {
            (At::Own(one), At::Own(two)) if Arc::ptr_eq(&self.game, &other.game) => Ok(one == two),
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
        let at = match (&*self.game, &self.at) {
            (_, At::Listed(position)) => At::Listed(position.after(nth)),
            (Kind::Own(table), At::Own(state)) => {
                let game = PyGame { table: Arc::clone(table), session: Arc::default() };
                let child = game.after(*state, nth);
                game.session.check()?;
                At::Own(child)
            }
            (Kind::Listed(_), At::Own(_)) => unreachable!("a state of a Python game belongs to its table"),
        };
        Ok(NativePosition { game: Arc::clone(&self.game), at })
    }

    /// The position after a list of moves.
    fn play(&self, py: Python<'_>, moves: &str) -> PyResult<NativePosition> {
        match (&*self.game, &self.at) {
            (Kind::Own(table), At::Own(state)) => {
                let game = PyGame { table: Arc::clone(table), session: Arc::default() };
                let found = game.play_text(*state, moves);
                game.session.check()?;
                let at = At::Own(found.map_err(|error| errors::input(py, error))?);
                Ok(NativePosition { game: Arc::clone(&self.game), at })
            }
            _ => self.game().position(py, Some(&self.write()?), Some(moves)),
        }
    }

    /// A position of a random game from here.
    #[pyo3(signature = (plies, seed))]
    fn random(&self, py: Python<'_>, plies: Option<usize>, seed: u64) -> PyResult<NativePosition> {
        if let (Kind::Own(table), At::Own(state)) = (&*self.game, &self.at) {
            let game = PyGame { table: Arc::clone(table), session: Arc::default() };
            let found = game.random(*state, plies, seed);
            game.session.check()?;
            return Ok(NativePosition { game: Arc::clone(&self.game), at: At::Own(found) });
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
