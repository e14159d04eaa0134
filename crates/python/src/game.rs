//! Games, those of the table and those written in Python, as one class.

use crate::errors;
use crate::own::{PyGame, Rules, Table};
use crate::position::{At, NativePosition};
use crate::session::Session;
use crate::work::{FirstInterrupt, run};
use delphic_engine::{AnyGame, Header, claim_in_words, own_game};
use pyo3::prelude::*;
use serde_json::json;
use std::io::BufRead;
use std::sync::Arc;

/// A game.
#[pyclass(frozen, module = "delphic._delphic")]
pub(crate) struct NativeGame(pub(crate) Kind);

/// Where a game comes from.
#[derive(Clone)]
pub(crate) enum Kind {
    /// From the table of games, or from a file.
    Listed(Arc<dyn AnyGame>),
    /// Written in Python.
    Own(Arc<Table>),
}

impl Kind {
    /// Lets `work` use the game in a session.
    pub(crate) fn with<T>(
        &self,
        session: &Arc<Session>,
        work: impl FnOnce(&(dyn AnyGame + 'static)) -> T,
    ) -> T {
        match self {
            Kind::Listed(game) => work(&**game),
            Kind::Own(table) => work(&*own_game(&table.rules.name, PyGame::new(table, session))),
        }
    }
}

#[pymethods]
impl NativeGame {
    /// The game that a spec names.
    #[staticmethod]
    fn named(py: Python<'_>, spec: &str) -> PyResult<NativeGame> {
        let game = delphic_engine::game(spec).map_err(|error| errors::input(py, error))?;
        Ok(NativeGame(Kind::Listed(game.into())))
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
        Ok(NativeGame(Kind::Own(Arc::new(table))))
    }

    #[getter]
    pub(crate) fn spec(&self) -> String {
        match &self.0 {
            Kind::Listed(game) => game.spec().to_owned(),
            Kind::Own(table) => table.rules.name.clone(),
        }
    }

    #[getter]
    fn title(&self) -> Option<String> {
        match &self.0 {
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
        self.0.with(&Arc::default(), <dyn AnyGame>::players)
    }

    #[getter]
    fn payoffs(&self) -> Vec<i16> {
        self.0.with(&Arc::default(), <dyn AnyGame>::payoffs)
    }

    /// The position that a text describes, after further moves.
    #[pyo3(signature = (text, moves))]
    pub(crate) fn position(
        &self,
        py: Python<'_>,
        text: Option<&str>,
        moves: Option<&str>,
    ) -> PyResult<NativePosition> {
        let wrong = |error| errors::input(py, error);
        Ok(NativePosition(match &self.0 {
            Kind::Listed(game) => At::Listed(
                Arc::clone(game),
                game.position(text, moves).map_err(|error| errors::input(py, error))?,
            ),
            Kind::Own(table) => {
                At::Own(Arc::clone(table), table.ask(|game| game.find(text, moves))?.map_err(wrong)?)
            }
        }))
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
