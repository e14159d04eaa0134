//! The certificates, checkpoint folders and game files named when the server was started. No other files are read.

use crate::api::{Reply, Shared};
use crate::reply::{Problem, bad, problem};
use crate::{proofs, search, surveys};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use delphic_engine::{AnyGame, game};
use serde_json::{Value as Json, json};
use std::io;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Certificate,
    Checkpoint,
    Game,
}

/// A file or folder that the page offers.
#[derive(Debug)]
pub(crate) struct Offered {
    name: String,
    path: PathBuf,
    kind: Kind,
}

/// Looks at a path that was named.
pub(crate) fn offer(path: &FilePath) -> io::Result<Offered> {
    let name =
        path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into());
    let failed = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let kind = match path.extension().and_then(|extension| extension.to_str()) {
        _ if std::fs::metadata(path).map_err(failed)?.is_dir() => Kind::Checkpoint,
        Some("toml") => Kind::Game,
        _ => Kind::Certificate,
    };
    Ok(Offered { name, path: path.to_owned(), kind })
}

impl Offered {
    pub(crate) fn json(&self) -> Json {
        let kind = match self.kind {
            Kind::Certificate => "certificate",
            Kind::Checkpoint => "checkpoint",
            Kind::Game => "game",
        };
        json!({ "name": self.name, "kind": kind })
    }

    /// The game of this file, if it has this name.
    pub(crate) fn game(&self, name: &str) -> Option<Result<Box<dyn AnyGame>, Problem>> {
        if self.kind != Kind::Game || self.name != name {
            return None;
        }
        // The page gets only the file name, not the whole path.
        let hide = |error: delphic_engine::InputError| {
            bad(error.to_string().replace(&self.path.display().to_string(), &self.name))
        };
        Some(game(&self.path.to_string_lossy()).map_err(hide))
    }
}

/// Opens a certificate or a checkpoint, by its number in the list.
pub(crate) async fn open(State(app): Shared, Path(file): Path<String>) -> Reply {
    let number: usize = file.parse().map_err(|_| bad("files have numbers"))?;
    if app.offered.get(number).is_none_or(|offered| offered.kind == Kind::Game) {
        return Err(problem(StatusCode::NOT_FOUND, "there is no such certificate or checkpoint"));
    }
    let shared = Arc::clone(&app);
    search::start(&app, move |app, sink| {
        let Offered { name, path, kind } = &shared.offered[number];
        if *kind == Kind::Checkpoint {
            return surveys::open(app, name, path, sink);
        }
        let bytes = std::fs::read(path).map_err(|error| bad(format!("{name}: {error}")))?;
        proofs::open_bytes(app, name.clone(), bytes, sink)
    })
}
