//! Searches: solve, analyze and prove. Each request is one search and one stream of events; when the client closes it, the search ends.

use crate::api::{Reply, Shared, place};
use crate::pool::Cancel;
use crate::reply::{Fields, Problem, bad, busy};
use crate::runs::Run;
use crate::stream::{Sink, channel};
use crate::watch::Watch;
use crate::{App, runs};
use axum::body::Bytes;
use axum::extract::State;
use axum::response::IntoResponse;
use delphic_engine::{
    Analysis, AnyGame, AnyPosition, Ask, Limits, Player, ProofError, Request, Solver, StopReason, json,
};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The fields of every search.
const FIELDS: [&str; 9] =
    ["game", "position", "moves", "question", "for", "solver", "seed", "seconds", "nodes"];
/// The time of the first round of an analysis; every further one takes four times as long.
const FIRST_ROUND: Duration = Duration::from_millis(400);
const LONGER: u32 = 4;
/// The limit on positions visited to find exact distances in a round of an analysis.
const EXACT: u64 = 100_000;

/// What is to be searched.
pub(crate) struct Task {
    pub(crate) game: Box<dyn AnyGame>,
    pub(crate) position: Box<dyn AnyPosition>,
    pub(crate) request: Request<'static>,
}

impl Task {
    /// Reads a request. What the server allows bounds what the client asks for.
    pub(crate) fn read(app: &App, fields: &Fields) -> Result<Task, Problem> {
        let (game, position) = place(app, fields)?;
        let solver: Solver = fields.parsed("solver")?.unwrap_or_default();
        let request = Request {
            ask: fields.parsed("question")?.unwrap_or(Ask::Value),
            player: fields.parsed::<Player>("for")?,
            solver,
            seed: fields.count("seed")?.unwrap_or(1),
            limits: limits(app, fields)?,
            ..Request::default()
        };
        Task { game, position, request }.checked()
    }

    /// Refuses what the game cannot answer, and solvers that would read files.
    pub(crate) fn checked(mut self) -> Result<Task, Problem> {
        if self.request.solver.pattern_file().is_some() {
            return Err(bad("solvers with a file of patterns are not available here"));
        }
        self.request.prepare(&*self.game)?;
        Ok(self)
    }

    pub(crate) fn watch<'a>(&self, sink: &'a Sink) -> Watch<'a> {
        Watch { sink, payoffs: self.game.payoffs(), moves: self.position.moves() }
    }

    /// The request, which `cancel` can stop.
    fn with<'a>(&self, cancel: &'a Cancel) -> Request<'a> {
        let mut request: Request<'a> = self.request.clone();
        request.limits.interrupt = Some(cancel.flag());
        request
    }
}

/// The limits of a search.
pub(crate) fn limits(app: &App, fields: &Fields) -> Result<Limits<'static>, Problem> {
    let longest = app.settings.time;
    let time = match fields.number("seconds")? {
        Some(seconds) => Duration::try_from_secs_f64(seconds).map_or(longest, |time| time.min(longest)),
        None => longest,
    };
    Ok(Limits {
        nodes: fields.count("nodes")?,
        time: Some(time),
        memory: Some(app.settings.memory_each()),
        threads: 1,
        ..Limits::default()
    })
}

/// Puts a job into the queue, and returns the stream of its events.
pub(crate) fn start(
    app: &Arc<App>,
    work: impl FnOnce(&App, &Sink) -> Result<(), Problem> + Send + 'static,
) -> Reply {
    let (sink, events) = channel();
    let (cancel, shared) = (sink.cancel().clone(), Arc::clone(app));
    let (running, _) = app.heavy.load();
    if running >= app.settings.searches {
        sink.send("queued", &json!({ "running": running, "waiting": app.heavy.load().1 }));
    }
    let run = move || {
        if let Err(problem) = work(&shared, &sink) {
            sink.send("error", &json!({ "error": problem.reason }));
        }
        sink.send("end", &json!({}));
    };
    app.heavy.submit(cancel, run).map_err(|_| busy())?;
    Ok(events.into_response())
}

/// Answers a question. With `keep` the search can be resumed after it was stopped; `resume` goes on with such a search.
pub(crate) async fn solve(State(app): Shared, body: Bytes) -> Reply {
    let fields = Fields::read(&body, &[&FIELDS[..], &["keep", "resume"]].concat())?;
    let run = match fields.text("resume")? {
        Some(run) => Run::resume(&app, run, &fields)?,
        None => Run::begin(&app, Task::read(&app, &fields)?, fields.flag("keep")?)?,
    };
    start(&app, move |app, sink| runs::run(app, run, sink))
}

/// Answers a question about the position and every move, in rounds that grow until everything is known or the time is over.
pub(crate) async fn analyze(State(app): Shared, body: Bytes) -> Reply {
    let fields = Fields::read(&body, &FIELDS)?;
    let task = Task::read(&app, &fields)?;
    if task.request.ask == Ask::Maxn {
        return Err(bad("analyze asks what the side to move can force; maxn is a question for solve"));
    }
    start(&app, move |app, sink| {
        rounds(app, &task, sink);
        Ok(())
    })
}

fn rounds(app: &App, task: &Task, sink: &Sink) {
    let (started, whole) = (Instant::now(), task.request.limits.time.unwrap_or(app.settings.time));
    let mut time = FIRST_ROUND;
    for round in 1.. {
        let mut request = task.with(sink.cancel());
        let left = whole.saturating_sub(started.elapsed());
        request.limits.time = Some(time.min(left));
        let analysis = task.position.analyze(&request, EXACT, &mut task.watch(sink));
        if sink.cancel().is_raised() {
            return;
        }
        let mut object = json::analysis(&analysis, app.settings.revision);
        object["round"] = round.into();
        object["seconds"] = started.elapsed().as_secs_f64().into();
        sink.send("analysis", &object);
        if is_final(&analysis) || time >= left {
            return;
        }
        time *= LONGER;
    }
}

/// Whether more time would not help.
fn is_final(analysis: &Analysis) -> bool {
    analysis.complete() && analysis.answer.value().is_some()
        || !matches!(analysis.stop, StopReason::Time | StopReason::Solved)
}

/// Answers a question and opens its certificate.
pub(crate) async fn prove(State(app): Shared, body: Bytes) -> Reply {
    let task = Task::read(&app, &Fields::read(&body, &FIELDS)?)?;
    start(&app, move |app, sink| {
        let (mut bytes, revision) = (Vec::new(), app.settings.revision);
        let request = task.with(sink.cancel());
        let mut known =
            |answer: &delphic_engine::Answer| sink.send("answer", &json::answer(answer, revision));
        let (answer, certified) =
            task.position.prove_announced(&request, &mut task.watch(sink), &mut known, &mut bytes);
        let object = json::proved(&answer, certified.as_ref().ok(), revision);
        match certified {
            Ok(_) => {
                let name = format!("{} {}", answer.game, answer.position);
                let proof = app.proofs.open(name, bytes, app.settings.memory_of_proof())?;
                sink.send("proved", &json!({ "answer": object, "proof": proof.json() }));
            }
            Err(ProofError::NoAnswer) => sink.send("unproved", &json!({ "answer": object })),
            Err(error) => return Err(bad(error.to_string())),
        }
        Ok(())
    })
}
