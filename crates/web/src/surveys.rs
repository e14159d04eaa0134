//! Open checkpoints: the state of an unfinished search, and the distribution of its effort.

use crate::App;
use crate::api::{Reply, Shared, quickly};
use crate::reply::{Fields, Problem, bad, object, problem};
use crate::stream::Sink;
use crate::watch::verdict;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use delphic_engine::{InputError, Nodes, Saved, Solver, Survey, json};
use delphic_game::Verdict;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many checkpoints stay open.
pub(crate) const MOST_OPEN: usize = 2;
/// The time and the branches of an outline, at most.
const OUTLINE_TIME: Duration = Duration::from_secs(1);
const OUTLINE_BRANCHES: usize = 600;
/// Branches with less than this share of the whole are too narrow to be seen.
const NARROW: f64 = 0.002;

/// The checkpoints that are open, by name.
#[derive(Default)]
pub(crate) struct Surveys(Mutex<Vec<(String, Arc<Mutex<Survey>>)>>);

impl Surveys {
    fn keep(&self, name: &str, survey: Survey) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(other, _)| other != name);
        if open.len() == MOST_OPEN {
            open.remove(0);
        }
        open.push((name.to_owned(), Arc::new(Mutex::new(survey))));
    }

    fn get(&self, name: &str) -> Result<Arc<Mutex<Survey>>, Problem> {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = open.iter().find(|(known, _)| known == name).map(|(_, survey)| Arc::clone(survey));
        found.ok_or_else(|| problem(StatusCode::NOT_FOUND, "this checkpoint is not open; open it again"))
    }
}

/// Opens a checkpoint for reading, and says what it knows.
pub(crate) fn open(app: &App, name: &str, folder: &Path, sink: &Sink) -> Result<(), Problem> {
    // The page knows the folder by its name only.
    let hide = |text: String| bad(text.replace(&folder.display().to_string(), name));
    let saved = Saved::open(folder).map_err(|error| hide(error.to_string()))?;
    let said = saved.identity();
    if said.solver.parse::<Solver>().is_ok_and(|solver| solver.pattern_file().is_some()) {
        return Err(bad("searches with a file of patterns cannot be opened here"));
    }
    let survey =
        Survey::open(saved, app.settings.memory_of_survey()).map_err(|error| hide(error.to_string()))?;
    let said = &survey.identity;
    let object = json!({
        "survey": name,
        "game": said.game,
        "position": said.position,
        "question": said.question,
        "for": said.player,
        "solver": said.solver,
        "at_least": json::value(survey.bounds.0),
        "at_most": json::value(survey.bounds.1),
        "asked": survey.question.at_least,
        "stats": json::stats(&survey.stats),
        "root": json::root(survey.root),
        "has_nodes": survey.nodes.is_some(),
    });
    app.surveys.keep(name, survey);
    sink.send("survey", &object);
    Ok(())
}

/// Asks an open checkpoint about the position after some moves.
async fn ask<T: Send + 'static>(
    app: &App,
    body: &[u8],
    question: impl FnOnce(&Nodes, &str) -> Result<T, InputError> + Send + 'static,
) -> Result<T, Problem> {
    let fields = Fields::read(body, &["survey", "moves"])?;
    let (survey, moves) =
        (app.surveys.get(fields.needed("survey")?)?, fields.text("moves")?.unwrap_or("").to_owned());
    quickly(app, move || {
        let survey = survey.lock().unwrap_or_else(PoisonError::into_inner);
        let none = || problem(StatusCode::NOT_FOUND, "this solver keeps no positions that could be shown");
        Ok(question(survey.nodes.as_ref().ok_or_else(none)?, &moves)?)
    })
    .await
}

/// A position of an unfinished search: its verdict and those of its moves, and where the effort went.
pub(crate) async fn node(State(app): Shared, body: Bytes) -> Reply {
    let found = ask(&app, &body, delphic_engine::Nodes::node).await?;
    let one = |(mv, known): &(String, Option<(Verdict, u64)>)| {
        let (verdict, nodes) = known.map_or(("nothing kept", 0), |(found, nodes)| (verdict(found), nodes));
        json!({ "move": mv, "verdict": verdict, "nodes": nodes })
    };
    Ok(object(&json!({
        "verdict": verdict(found.verdict),
        "nodes": found.nodes,
        "moves": found.moves.iter().map(one).collect::<Vec<_>>(),
    })))
}

/// The branches below a position, the ones with the most effort first; each as wide as its share.
pub(crate) async fn outline(State(app): Shared, body: Bytes) -> Reply {
    let slices = ask(&app, &body, outlined).await?;
    Ok(object(&json!({ "slices": slices })))
}

/// A position whose moves are to be listed.
struct Open {
    moves: String,
    parent: Option<usize>,
    ply: usize,
    start: f64,
    share: f64,
}

fn outlined(nodes: &Nodes, moves: &str) -> Result<Vec<Json>, InputError> {
    let (began, mut slices) = (Instant::now(), Vec::new());
    let mut open = vec![Open { moves: moves.to_owned(), parent: None, ply: 0, start: 0.0, share: 1.0 }];
    while slices.len() < OUTLINE_BRANCHES && began.elapsed() < OUTLINE_TIME {
        // The widest one next.
        let widest = (0..open.len()).max_by(|&a, &b| open[a].share.total_cmp(&open[b].share));
        let Some(at) = widest.map(|widest| open.swap_remove(widest)) else { break };
        let found = nodes.node(&at.moves)?;
        let effort = |known: &Option<(Verdict, u64)>| known.map_or(0, |(_, nodes)| nodes);
        // In graphs and tables branches share positions, so their sizes can add up to more than the whole; shares are relative.
        let all: u64 = found.moves.iter().map(|(_, known)| effort(known)).sum();
        let mut start = at.start;
        for (mv, known) in &found.moves {
            let Some((answer, size)) = *known else { continue };
            let share = at.share * size as f64 / all.max(1) as f64;
            if share >= NARROW {
                let next = format!("{} {mv}", at.moves).trim().to_owned();
                if size > 1 {
                    open.push(Open {
                        moves: next,
                        parent: Some(slices.len()),
                        ply: at.ply + 1,
                        start,
                        share,
                    });
                }
                slices.push(json!({
                    "move": mv,
                    "parent": at.parent,
                    "ply": at.ply,
                    "start": start,
                    "share": share,
                    "nodes": size,
                    "verdict": verdict(answer),
                }));
            }
            start += share;
        }
    }
    Ok(slices)
}
