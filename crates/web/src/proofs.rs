//! Certificates that are open: checked once, kept for browsing, the oldest closed when there are too many.

use crate::App;
use crate::api::{Reply, Shared, quickly};
use crate::reply::{Fields, Problem, bad, object, problem};
use crate::search::start;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use delphic_engine::{
    AnyGame, Proof as ProofTree, ProofBranch, Refusal, Slice, claim_in_words, json, open_certificate,
};
use serde_json::{Value as Json, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How many certificates stay open.
pub(crate) const MOST_OPEN: usize = 4;
/// Branches in an outline, at most.
const MOST_SLICES: usize = 3_000;

/// A certificate that is open.
pub(crate) struct Proof {
    id: u64,
    name: String,
    bytes: Vec<u8>,
    game: Box<dyn AnyGame>,
    tree: ProofTree,
    seconds: f64,
}

impl Proof {
    pub(crate) fn json(&self) -> Json {
        let (header, checked) = (self.tree.header(), self.tree.checked());
        let payoffs = self.game.payoffs();
        let claim =
            |&claim| json!({ "claim": format!("{claim}"), "in_words": claim_in_words(claim, &payoffs) });
        json!({
            "proof": self.id.to_string(),
            "name": self.name,
            "game": header.game,
            "position": header.position,
            "claims": header.claims.iter().map(claim).collect::<Vec<_>>(),
            "line": checked.line,
            "plies_at_most": checked.plies,
            "strategy_positions": checked.strategy,
            "looked_at": checked.looked_at,
            "bytes": self.bytes.len(),
            "seconds": self.seconds,
        })
    }
}

#[derive(Default)]
struct Open {
    last: u64,
    proofs: VecDeque<Arc<Proof>>,
}

/// All certificates that are open.
#[derive(Default)]
pub(crate) struct Proofs(Mutex<Open>);

impl Proofs {
    fn all(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks a certificate within `memory` bytes and opens it.
    pub(crate) fn open(&self, name: String, bytes: Vec<u8>, memory: u64) -> Result<Arc<Proof>, Problem> {
        let started = Instant::now();
        let browse = || {
            let mut file = &bytes[..];
            let (header, game) = open_certificate(&mut file)?;
            let tree = game.browse(&header, &mut file, memory)?;
            Ok((game, tree))
        };
        let (game, tree) = browse().map_err(|refusal: Refusal| bad(format!("not valid: {refusal}")))?;
        let seconds = started.elapsed().as_secs_f64();
        let mut open = self.all();
        open.last += 1;
        let proof = Arc::new(Proof { id: open.last, name, bytes, game, tree, seconds });
        if open.proofs.len() == MOST_OPEN {
            open.proofs.pop_front();
        }
        open.proofs.push_back(Arc::clone(&proof));
        Ok(proof)
    }

    fn get(&self, id: &str) -> Result<Arc<Proof>, Problem> {
        let open = self.all();
        let found = open.proofs.iter().find(|proof| proof.id.to_string() == id);
        found
            .cloned()
            .ok_or_else(|| problem(StatusCode::NOT_FOUND, "this certificate is not open; open it again"))
    }
}

pub(crate) async fn list(State(app): Shared) -> Response {
    let proofs: Vec<Json> = app.proofs.all().proofs.iter().map(|proof| proof.json()).collect();
    object(&json!({ "proofs": proofs }))
}

/// Opens a certificate that the client sends.
pub(crate) async fn open(State(app): Shared, body: Bytes) -> Reply {
    start(&app, move |app, sink| open_bytes(app, "a certificate".to_owned(), body.to_vec(), sink))
}

/// Checks and opens a certificate, and tells the client.
pub(crate) fn open_bytes(
    app: &App,
    name: String,
    bytes: Vec<u8>,
    sink: &crate::stream::Sink,
) -> Result<(), Problem> {
    let proof = app.proofs.open(name, bytes, app.settings.memory_of_proof())?;
    sink.send("proof", &proof.json());
    Ok(())
}

/// The number of a claim and the moves from the certificate's position.
fn place(fields: &Fields) -> Result<(usize, String), Problem> {
    let claim = fields.count("claim")?.unwrap_or(0) as usize;
    Ok((claim, fields.text("moves")?.unwrap_or("").to_owned()))
}

fn branch(branch: &ProofBranch) -> Json {
    let ProofBranch { mv, size, plies, end, again } = branch;
    json!({ "move": mv, "size": size, "plies": plies, "end": end, "again": again })
}

/// What a strategy does after some moves.
pub(crate) async fn node(State(app): Shared, Path(id): Path<String>, body: Bytes) -> Reply {
    let proof = app.proofs.get(&id)?;
    let (claim, moves) = place(&Fields::read(&body, &["claim", "moves"])?)?;
    let node = quickly(&app, move || Ok(proof.tree.node(claim, &moves)?)).await?;
    let Some(node) = node else {
        return Err(problem(StatusCode::NOT_FOUND, "the strategy does not meet this position"));
    };
    Ok(object(&json!({
        "chosen": node.chosen,
        "size": node.size,
        "plies": node.plies,
        "branches": node.branches.iter().map(branch).collect::<Vec<_>>(),
    })))
}

/// The branches of a strategy after some moves.
pub(crate) async fn outline(State(app): Shared, Path(id): Path<String>, body: Bytes) -> Reply {
    let proof = app.proofs.get(&id)?;
    let fields = Fields::read(&body, &["claim", "moves", "plies", "least"])?;
    let (claim, moves) = place(&fields)?;
    let (plies, least) = (fields.count("plies")?.unwrap_or(12), fields.count("least")?.unwrap_or(1));
    let list = move || Ok(proof.tree.outline(claim, &moves, plies.min(200) as usize, least, MOST_SLICES)?);
    let slice = |slice: &Slice| {
        let mut object = branch(&slice.branch);
        object["parent"] = json!(slice.parent);
        object["ply"] = slice.ply.into();
        object["start"] = slice.start.into();
        object["chosen"] = slice.chosen.into();
        object
    };
    let slices = quickly(&app, list).await?;
    Ok(object(&json!({ "slices": slices.iter().map(slice).collect::<Vec<_>>() })))
}

/// Checks a certificate once more, from its bytes and the rules alone.
pub(crate) async fn check(State(app): Shared, Path(id): Path<String>) -> Reply {
    let proof = app.proofs.get(&id)?;
    start(&app, move |app, sink| {
        let started = Instant::now();
        let check = || {
            let mut file = &proof.bytes[..];
            let (header, game) = open_certificate(&mut file)?;
            let checked = game.check(&header, &mut file, app.settings.memory_each(), None)?;
            Ok(json::checked(&header, &game.payoffs(), &checked, proof.bytes.len() as u64, started.elapsed()))
        };
        let refused = |refusal: Refusal| json::refused(&refusal.to_string());
        sink.send("checked", &check().unwrap_or_else(refused));
        Ok(())
    })
}

/// The certificate as a file for `delphic check`.
pub(crate) async fn file(State(app): Shared, Path(id): Path<String>) -> Reply {
    let proof = app.proofs.get(&id)?;
    let headers = [
        (CONTENT_TYPE, "application/octet-stream"),
        (CONTENT_DISPOSITION, "attachment; filename=\"delphic.proof\""),
    ];
    Ok((headers, proof.bytes.clone()).into_response())
}
