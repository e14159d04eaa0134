//! Searches that can be stopped, saved and resumed.

use crate::api::{Reply, Shared, named};
use crate::pool::Cancel;
use crate::reply::{Fields, Problem, bad, object, problem};
use crate::search::{Task, limits, start};
use crate::stream::Sink;
use crate::{App, surveys};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use delphic_engine::{Checkpoint, Conclusion, Request, Saved, StopReason, json};
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::io;
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time between two checkpoints of a search that keeps them.
const INTERVAL: Duration = Duration::from_secs(60);
/// How many stopped searches are kept.
const MOST_SAVED: usize = 16;

#[derive(Default)]
struct Known {
    last: u64,
    running: HashMap<u64, Cancel>,
    /// Searches that were stopped and saved, the oldest first, with their reports.
    saved: Vec<(u64, Json)>,
}

/// All searches of `solve`.
pub(crate) struct Runs {
    folder: PathBuf,
    /// Whether the folder is ours to remove.
    temporary: bool,
    known: Mutex<Known>,
}

impl Runs {
    /// Keeps checkpoints in a folder, or in a temporary one.
    pub(crate) fn open(folder: Option<&FilePath>) -> io::Result<Runs> {
        let temporary = folder.is_none();
        let own =
            || Ok::<_, io::Error>(std::env::temp_dir().join(format!("delphic-{}", crate::guard::token()?)));
        let folder = folder.map_or_else(own, |folder| Ok(folder.to_owned()))?;
        // The temporary one is made with the first checkpoint.
        if !temporary {
            std::fs::create_dir_all(&folder)?;
        }
        Ok(Runs { folder, temporary, known: Mutex::default() })
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folder(&self, id: u64) -> PathBuf {
        self.folder.join(format!("run-{id}"))
    }

    /// A number that no folder has yet.
    fn next(&self) -> u64 {
        let mut known = self.known();
        loop {
            known.last += 1;
            if !self.folder(known.last).exists() {
                return known.last;
            }
        }
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        if self.temporary {
            // It lies among temporary files; what is left of it does not matter.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// A search of `solve`.
pub(crate) struct Run {
    id: u64,
    task: Task,
    keep: bool,
    resume: Option<Saved>,
}

impl Run {
    pub(crate) fn begin(app: &App, task: Task, keep: bool) -> Result<Run, Problem> {
        if keep {
            task.request.check_resumable(&*task.position)?;
        }
        Ok(Run { id: app.runs.next(), task, keep, resume: None })
    }

    /// Goes on with a search that was saved.
    pub(crate) fn resume(app: &App, id: &str, fields: &Fields) -> Result<Run, Problem> {
        let unknown = || problem(StatusCode::NOT_FOUND, "there is no such search to resume");
        let id: u64 = id.parse().map_err(|_| unknown())?;
        if !app.runs.known().saved.iter().any(|(saved, _)| *saved == id) {
            return Err(unknown());
        }
        let saved = Saved::open(&app.runs.folder(id)).map_err(|error| bad(error.to_string()))?;
        let said = saved.identity();
        let wrong = |error: &dyn std::fmt::Display| bad(error.to_string());
        let game = named(app, &said.game)?;
        let position = game.position(Some(&said.position), None)?;
        let request = Request {
            ask: said.question.parse()?,
            player: Some(said.player.parse().map_err(|error| wrong(&error))?),
            solver: said.solver.parse().map_err(|error| wrong(&error))?,
            seed: said.seed,
            limits: limits(app, fields)?,
            ..Request::default()
        };
        let task = Task { game, position, request }.checked()?;
        Ok(Run { id, task, keep: true, resume: Some(saved) })
    }
}

/// Searches, and says in the end whether the search can be resumed.
pub(crate) fn run(app: &App, run: Run, sink: &Sink) -> Result<(), Problem> {
    let Run { id, task, keep, resume } = run;
    let wrong = |error: delphic_engine::CheckpointError| bad(error.to_string());
    let identity = task.position.identify(&task.request);
    let checkpoint = match (resume, keep) {
        (Some(saved), _) => Some(Checkpoint::resume(saved, Some(INTERVAL), identity).map_err(wrong)?),
        (None, true) => {
            Some(Checkpoint::begin(&app.runs.folder(id), Some(INTERVAL), identity).map_err(wrong)?)
        }
        (None, false) => None,
    };
    // A search is stopped by the flag that is raised when the client leaves; but then the client still reads the report.
    app.runs.known().running.insert(id, sink.cancel().clone());
    let running = Running { app, id };
    sink.send(
        "started",
        &json!({ "run": id.to_string(), "keeps": keep, "solver": task.request.solver.to_string() }),
    );
    let mut request: Request<'_> = task.request.clone();
    request.limits.interrupt = Some(sink.cancel().flag());
    request.checkpoint = checkpoint.as_ref();
    let answer = task.position.solve_with_line(&request, &mut task.watch(sink));
    drop(running);
    if let (StopReason::Checkpoint, Some(error)) =
        (answer.stop, checkpoint.as_ref().and_then(Checkpoint::error))
    {
        return Err(wrong(error));
    }
    drop(checkpoint);
    let solved = matches!(answer.conclusion, Conclusion::Proved | Conclusion::Disproved);
    let object = json::answer(&answer, app.settings.revision);
    if keep {
        remember(app, id, (!solved).then(|| object.clone()));
    }
    sink.send("answer", &object);
    if keep && !solved {
        sink.send("saved", &json!({ "run": id.to_string() }));
    }
    Ok(())
}

/// Adds a search to the saved ones; one that is solved is not worth keeping, and the oldest make room.
fn remember(app: &App, id: u64, report: Option<Json>) {
    let mut known = app.runs.known();
    known.saved.retain(|(saved, _)| *saved != id);
    let mut gone = Vec::new();
    match report {
        Some(report) => known.saved.push((id, report)),
        None => gone.push(id),
    }
    while known.saved.len() > MOST_SAVED {
        gone.push(known.saved.remove(0).0);
    }
    drop(known);
    for id in gone {
        // What cannot be removed only takes room.
        let _ = std::fs::remove_dir_all(app.runs.folder(id));
    }
}

/// Forgets a search that has ended, however it did.
struct Running<'a> {
    app: &'a App,
    id: u64,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.app.runs.known().running.remove(&self.id);
    }
}

/// The searches that can be resumed.
pub(crate) async fn list(State(app): Shared) -> Response {
    let known = app.runs.known();
    let saved = known.saved.iter().map(|(id, report)| json!({ "run": id.to_string(), "answer": report }));
    object(&json!({ "saved": saved.collect::<Vec<_>>(), "running": known.running.len() }))
}

/// Stops a search; its stream ends with its report.
pub(crate) async fn stop(State(app): Shared, Path(run): Path<String>) -> Reply {
    let known = app.runs.known();
    let cancel = run.parse().ok().and_then(|id: u64| known.running.get(&id));
    cancel.ok_or_else(|| problem(StatusCode::NOT_FOUND, "this search is not running"))?.raise();
    Ok(object(&json!({ "stopping": run })))
}

/// Opens the checkpoint of a search that was stopped here.
pub(crate) async fn open(State(app): Shared, Path(run): Path<String>) -> Reply {
    let known = run.parse().ok().filter(|id| app.runs.known().saved.iter().any(|(saved, _)| saved == id));
    let id: u64 = known.ok_or_else(|| problem(StatusCode::NOT_FOUND, "there is no such search"))?;
    start(&app, move |app, sink| surveys::open(app, &format!("run {run}"), &app.runs.folder(id), sink))
}
