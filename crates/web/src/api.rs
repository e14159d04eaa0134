//! The HTTP interface: every path and its handler (docs/api.md).

use crate::pool::Cancel;
use crate::reply::{Fields, Problem, bad, busy, object, problem};
use crate::{App, assets, board, files, guard, play, proofs, puzzle, runs, search, surveys};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, Uri};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use delphic_engine::{AnyGame, AnyPosition, game, json};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use tokio::sync::oneshot;

/// What handlers return.
pub(crate) type Reply = Result<Response, Problem>;
/// A game and one of its positions.
pub(crate) type Place = (Box<dyn AnyGame>, Box<dyn AnyPosition>);
/// The application, as handlers get it.
pub(crate) type Shared = State<Arc<App>>;

/// The most bytes of a request.
const REQUEST_BYTES: usize = 64 << 10;
/// The most bytes of a certificate that is sent here.
const CERTIFICATE_BYTES: usize = 32 << 20;

pub(crate) fn router(app: Arc<App>) -> Router {
    let api = Router::new()
        .route("/about", get(about))
        .route("/games", get(async || object(&json::games())))
        .route("/solvers", get(async || object(&json::solvers())))
        .route("/agents", get(async || object(&json::agents())))
        .route("/game", post(describe))
        .route("/position", post(position))
        .route("/solve", post(search::solve))
        .route("/analyze", post(search::analyze))
        .route("/prove", post(search::prove))
        .route("/play", post(play::choose))
        .route("/puzzle", post(puzzle::find))
        .route("/runs", get(runs::list))
        .route("/runs/{run}/stop", post(runs::stop))
        .route("/runs/{run}/open", post(runs::open))
        .route("/surveys/node", post(surveys::node))
        .route("/surveys/outline", post(surveys::outline))
        .route("/files/{file}/open", post(files::open))
        .route("/proofs", get(proofs::list))
        .route("/proofs", post(proofs::open).layer(DefaultBodyLimit::max(CERTIFICATE_BYTES)))
        .route("/proofs/{proof}/node", post(proofs::node))
        .route("/proofs/{proof}/outline", post(proofs::outline))
        .route("/proofs/{proof}/check", post(proofs::check))
        .route("/proofs/{proof}/file", get(proofs::file))
        .fallback(async || problem(StatusCode::NOT_FOUND, "there is no such path; see docs/api.md"))
        .layer(DefaultBodyLimit::max(REQUEST_BYTES));
    Router::new()
        .nest("/api/v1", api)
        .route("/lab/{key}/{name}", get(lab))
        .fallback(get(async |uri: Uri| assets::asset(uri.path())))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::check))
        .with_state(app)
}

/// Runs something on the threads for quick requests.
pub(crate) async fn quickly<T: Send + 'static>(
    app: &App,
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let (sender, receiver) = oneshot::channel();
    // If the client has left, the work still runs to its end: it is short.
    let run = move || drop(sender.send(work()));
    app.quick.submit(Cancel::default(), run).map_err(|_| busy())?;
    let broken =
        |_| problem(StatusCode::INTERNAL_SERVER_ERROR, "the request could not be answered, which is a bug");
    receiver.await.map_err(broken)?
}

/// The game that a client names. Files are read only if they were offered when the server was started.
pub(crate) fn named(app: &App, spec: &str) -> Result<Box<dyn AnyGame>, Problem> {
    if spec.to_lowercase().ends_with(".toml") {
        return app.offered.iter().find_map(|offered| offered.game(spec)).unwrap_or_else(|| {
            Err(bad(format!("'{spec}' was not offered; name game files when you start `delphic serve`")))
        });
    }
    Ok(game(spec)?)
}

/// A game and a position: `game`, and `position` and `moves` if they are given.
pub(crate) fn place(app: &App, fields: &Fields) -> Result<Place, Problem> {
    let game = named(app, fields.needed("game")?)?;
    let text = fields.text("position")?.filter(|text| !text.trim().is_empty());
    let moves = fields.text("moves")?.filter(|text| !text.trim().is_empty());
    let position = game.position(text, moves)?;
    Ok((game, position))
}

async fn about(State(app): Shared) -> Response {
    let (running, waiting) = app.heavy.load();
    let settings = &app.settings;
    object(&json!({
        "api": 1,
        "revision": settings.revision,
        "limits": {
            "searches": settings.searches,
            "queue": settings.queue,
            "seconds": settings.time.as_secs_f64(),
            "memory": settings.memory_each(),
        },
        "load": { "running": running, "waiting": waiting },
        "files": app.offered.iter().map(files::Offered::json).collect::<Vec<Json>>(),
        "lab": app.lab.as_ref().map(crate::lab::Pages::address),
    }))
}

async fn describe(State(app): Shared, body: Bytes) -> Reply {
    let describe = {
        let app = Arc::clone(&app);
        move || {
            let fields = Fields::read(&body, &["game"])?;
            Ok(json::game(&*named(&app, fields.needed("game")?)?)?)
        }
    };
    Ok(object(&quickly(&app, describe).await?))
}

async fn position(State(app): Shared, body: Bytes) -> Reply {
    let read = {
        let app = Arc::clone(&app);
        move || {
            let fields = Fields::read(&body, &["game", "position", "moves"])?;
            let (game, position) = place(&app, &fields)?;
            Ok(board::object(&*game, &*position))
        }
    };
    Ok(object(&quickly(&app, read).await?))
}

async fn lab(State(app): Shared, Path((key, name)): Path<(String, String)>) -> Response {
    match &app.lab {
        Some(pages) => pages.get(&key, &name),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
