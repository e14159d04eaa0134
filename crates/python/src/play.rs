//! Agents in games, matches between them, and learning.

use crate::errors;
use crate::position::NativePosition;
use crate::request::{seconds, solver};
use crate::session::Session;
use crate::work::{FirstInterrupt, run};
use delphic_engine::arena::{fixtures, play, points};
use delphic_engine::learn::Model;
use delphic_engine::learn::beta::Beta;
use delphic_engine::learn::gaussian::Gaussian;
use delphic_engine::learn::train::Config;
use delphic_engine::{
    Agent, AnyPlayer, AnyPosition, Budget, InputError, Limits, Pass, SpecError, Table, Training, Value,
    Watcher, train,
};
use pyo3::prelude::*;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// An agent by name.
fn agent(py: Python<'_>, name: &str) -> PyResult<Agent> {
    name.parse().map_err(|error: SpecError| errors::input(py, error))
}

/// What an agent may spend on a move.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct MoveLimits {
    iterations: Option<u64>,
    time: Option<f64>,
    memory: u64,
    threads: usize,
}

impl MoveLimits {
    fn budget<'a>(&self, py: Python<'_>, stop: &'a AtomicBool) -> PyResult<Budget<'a>> {
        let time = seconds(self.time).map_err(|what| errors::input(py, InputError::Request(what)))?;
        let limits = Limits {
            time,
            memory: Some(self.memory),
            interrupt: Some(stop),
            threads: self.threads,
            ..Limits::default()
        };
        Ok(Budget { iterations: self.iterations, limits })
    }
}

/// An agent in a game.
#[pyclass(frozen, module = "delphic._delphic")]
pub(crate) struct NativePlayer {
    player: Mutex<Box<dyn AnyPlayer>>,
    session: Arc<Session>,
    name: String,
}

#[pymethods]
impl NativePlayer {
    /// An agent that plays for the player to move from this position on.
    #[new]
    fn new(py: Python<'_>, position: &NativePosition, name: &str, seed: u64) -> PyResult<NativePlayer> {
        let (agent, session) = (agent(py, name)?, Arc::<Session>::default());
        let player = position.with(&session, |position| position.player(&agent, position.turn(), seed));
        session.check()?;
        Ok(NativePlayer { player: Mutex::new(player), session, name: agent.to_string() })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Chooses a move; returns JSON.
    fn think(&self, py: Python<'_>, limits: MoveLimits) -> PyResult<String> {
        self.session.stop.store(false, Ordering::Relaxed);
        let budget = limits.budget(py, &self.session.stop)?;
        let thought = run(py, &self.session, FirstInterrupt::Stops, None, |_| {
            self.player.lock().unwrap_or_else(PoisonError::into_inner).think(&budget, &mut ())
        })?;
        let value = |value: Value| match value {
            Value::Score(score) => Json::from(score),
            word => Json::from(word.to_string()),
        };
        let moves = thought.moves.iter().map(|mv| {
            json!({
                "move": mv.mv, "visits": mv.visits, "mean": mv.mean,
                "at_least": value(mv.bounds.0), "at_most": value(mv.bounds.1),
            })
        });
        let object = json!({
            "choice": thought.choice,
            "move": thought.moves[thought.choice].mv,
            "moves": moves.collect::<Vec<_>>(),
            "stop": thought.stop.name(),
            "stats": { "iterations": thought.stats.iterations, "created": thought.stats.created, "seconds": thought.stats.time.as_secs_f64() },
        });
        Ok(object.to_string())
    }

    /// Makes the legal move with this number.
    fn advance(&self, py: Python<'_>, nth: usize) -> PyResult<()> {
        // The thread that thinks may need the interpreter lock.
        py.detach(|| self.player.lock().unwrap_or_else(PoisonError::into_inner).advance(nth));
        self.session.check()
    }
}

/// Plays matches: every two of the agents, `games` each. Returns every game as JSON, and whether all were played.
#[pyfunction]
pub(crate) fn arena(
    py: Python<'_>,
    position: &NativePosition,
    names: Vec<String>,
    games: u64,
    opening: usize,
    seed: u64,
    limits: MoveLimits,
) -> PyResult<String> {
    let agents = names.iter().map(|name| agent(py, name)).collect::<PyResult<Vec<_>>>()?;
    let session = Arc::new(Session::new(Some(limits.memory)));
    let budget = limits.budget(py, &session.stop)?;
    let played: Vec<Json> = run(py, &session, FirstInterrupt::Stops, None, |_| {
        position.with(&session, |start| {
            let fixtures = fixtures(agents.len(), start_players(position), games, seed);
            let game = |fixture: &_| play(start, &agents, fixture, opening, &budget);
            let played = fixtures.map_while(|fixture| game(&fixture).map(|played| (fixture, played)));
            played
                .map(|(fixture, played)| {
                    let seconds = played.spent.iter().map(|spent| spent.time.as_secs_f64());
                    json!({
                        "number": fixture.number, "pair": [fixture.pair.0, fixture.pair.1], "seats": fixture.seats,
                        "moves": played.moves, "opening": played.opening, "payoffs": played.payoffs,
                        "points": points(&fixture, &played.payoffs), "seconds": seconds.collect::<Vec<_>>(),
                    })
                })
                .collect()
        })
    })?;
    let names: Vec<String> = agents.iter().map(ToString::to_string).collect();
    Ok(json!({ "agents": names, "games": played, "interrupted": session.stop.load(Ordering::Relaxed) })
        .to_string())
}

fn start_players(position: &NativePosition) -> usize {
    position.with_game(<dyn delphic_engine::AnyGame>::players)
}

/// How to learn.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Lesson {
    solver: String,
    nodes: Option<u64>,
    time: Option<f64>,
    memory: u64,
    passes: usize,
    test: f64,
    model: String,
    seed: u64,
}

/// Learns patterns from positions of a game and keeps them in a file. Returns JSON.
#[pyfunction]
pub(crate) fn learn(
    py: Python<'_>,
    positions: Vec<PyRef<'_, NativePosition>>,
    path: PathBuf,
    lesson: Lesson,
) -> PyResult<String> {
    let wrong = |what: String| errors::input(py, InputError::Request(what));
    let session = Arc::<Session>::default();
    let limits = Limits {
        nodes: lesson.nodes,
        time: seconds(lesson.time).map_err(wrong)?,
        memory: Some(lesson.memory),
        interrupt: Some(&session.stop),
        ..Limits::default()
    };
    let solver = solver(py, &lesson.solver)?;
    if !solver.info().keeps_moves() {
        return Err(wrong(format!("{solver} keeps no tree to learn from; pp, ppt, pns and pnt do")));
    }
    let model = match lesson.model.as_str() {
        "gaussian" => Model::Gaussian(Gaussian::default()),
        "beta" => Model::Beta(Beta::default()),
        other => return Err(wrong(format!("'{other}' is not a model; expected gaussian or beta"))),
    };
    if !(0.0..1.0).contains(&lesson.test) {
        return Err(wrong(format!("test is {}; expected a share from 0 to below 1", lesson.test)));
    }
    let config = Config { model, passes: lesson.passes, test: lesson.test, seed: lesson.seed };
    let known = match path.exists() {
        true => Table::open(&path).map_err(|error| wrong(format!("{}: {error}", path.display())))?,
        false => Table::default(),
    };
    let positions: Vec<Box<dyn AnyPosition>> =
        positions.iter().map(|position| position.with(&session, AnyPosition::again)).collect();
    let training = Training { solver, limits, config };
    let mut keeper = Keeper { path: &path, failed: None };
    let lessons =
        run(py, &session, FirstInterrupt::Stops, None, |_| train(&positions, &training, known, &mut keeper))?;
    if let Some(error) = keeper.failed {
        return Err(wrong(error));
    }
    lessons
        .map(|lessons| delphic::report::lessons(&lessons).to_string())
        .map_err(|error| errors::input(py, error))
}

/// Saves the table after every pass.
struct Keeper<'a> {
    path: &'a Path,
    failed: Option<String>,
}

impl Watcher for Keeper<'_> {
    fn pass(&mut self, _: &Pass, table: &Table) {
        if let Err(error) = table.save(self.path) {
            self.failed = Some(format!("{}: {error}", self.path.display()));
        }
    }
}
