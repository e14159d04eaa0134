//! Requests from keyword arguments.

use crate::errors;
use crate::position::NativePosition;
use delphic_engine::{InputError, Limits, Player, Request, Solver};
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The keyword arguments of `solve`, `analyze` and `prove`, as a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    question: String,
    player: Option<usize>,
    solver: String,
    nodes: Option<u64>,
    time: Option<f64>,
    pub(crate) memory: u64,
    threads: usize,
    seed: u64,
}

impl Options {
    /// The request about a position, which `stop` interrupts.
    pub(crate) fn request<'a>(
        &self,
        py: Python<'_>,
        position: &NativePosition,
        stop: &'a AtomicBool,
    ) -> PyResult<Request<'a>> {
        let wrong = |what: String| errors::input(py, InputError::Request(what));
        let player = self.player.map(|seat| {
            if seat < Player::MAX {
                Ok(Player::new(seat))
            } else {
                Err(wrong(format!("there is no player {seat}")))
            }
        });
        let limits = Limits {
            nodes: self.nodes,
            time: seconds(self.time).map_err(wrong)?,
            memory: Some(self.memory),
            interrupt: Some(stop),
            threads: self.threads,
            ..Limits::default()
        };
        let mut request = Request {
            ask: self.question.parse().map_err(|error: InputError| errors::input(py, error))?,
            player: player.transpose()?,
            solver: solver(py, &self.solver)?,
            limits,
            seed: self.seed,
            ..Request::default()
        };
        position.with_game(|game| request.prepare(game)).map_err(|error| errors::input(py, error))?;
        Ok(request)
    }
}

/// A solver by name.
pub(crate) fn solver(py: Python<'_>, name: &str) -> PyResult<Solver> {
    name.parse().map_err(|error: delphic_engine::SpecError| errors::input(py, error))
}

/// A number of seconds.
pub(crate) fn seconds(time: Option<f64>) -> Result<Option<Duration>, String> {
    let duration = |seconds: f64| {
        Duration::try_from_secs_f64(seconds).map_err(|_| format!("time cannot be {seconds} seconds"))
    };
    time.map(duration).transpose()
}
