//! `--checkpoint` and `--resume` of `delphic solve`.

use crate::Failure;
use crate::args::Solve;
use crate::progress::{Line, Phase, Subject};
use delphic_engine::{
    Answer, AnyPosition, Checkpoint, CheckpointError, Conclusion, Identity, Request, Saved, StopReason,
};
use std::path::Path;

impl From<CheckpointError> for Failure {
    fn from(error: CheckpointError) -> Failure {
        match error {
            CheckpointError::Empty(folder) => Failure::Other(format!(
                "{} has no checkpoint: nothing to resume (a search that is solved before its first checkpoint leaves none)",
                folder.display()
            )),
            error => Failure::Other(error.to_string()),
        }
    }
}

/// The latest undamaged checkpoint of a folder, with a note if it is not the newest.
pub(crate) fn open(folder: &Path, quiet: bool) -> Result<Saved, Failure> {
    let mut line = Line::new(quiet, Subject::default());
    line.show(&Phase::Loading(&folder.to_string_lossy()));
    let saved = Saved::open(folder);
    line.clear();
    let saved = saved?;
    if let Some(damage) = saved.passed_over() {
        eprintln!("note: {damage}; resuming from the checkpoint before it");
    }
    Ok(saved)
}

/// The checkpoints of this search, if it keeps any.
pub(crate) fn keep(
    saved: Option<Saved>,
    options: &Solve,
    request: &Request<'_>,
    position: &dyn AnyPosition,
) -> Result<Option<Checkpoint>, Failure> {
    Ok(match (saved, &options.checkpoint) {
        (None, None) => None,
        (Some(saved), _) => Some(Checkpoint::resume(saved, options.every, position.identify(request))?),
        (None, Some(folder)) => {
            request.check_resumable(position)?;
            Some(Checkpoint::begin(folder, options.every, position.identify(request))?)
        }
    })
}

/// Takes options that were not given from the checkpoint. If a stored value cannot be parsed, the option keeps its default and the
/// mismatch is refused later.
pub(crate) fn fill_in(request: &mut Request<'_>, options: &Solve, said: &Identity) {
    if let (None, Ok(solver)) = (&options.effort.solver, said.solver.parse()) {
        request.solver = solver;
    }
    if let (None, Ok(ask)) = (options.question, said.question.parse()) {
        request.ask = ask;
    }
    if let (None, Ok(player)) = (options.player, said.player.parse()) {
        request.player = Some(player);
    }
    if options.effort.seed.is_none() {
        request.seed = said.seed;
    }
}

/// A checkpoint that cannot be used is an error. A failure to save one was only reported: the answer is still valid.
pub(crate) fn check(checkpoint: Option<&Checkpoint>, answer: &Answer) -> Result<(), Failure> {
    match checkpoint.and_then(Checkpoint::error) {
        Some(error) if answer.stop == StopReason::Checkpoint => Err(error.into()),
        _ => Ok(()),
    }
}

/// Notes that a solved search has no checkpoint to resume from.
pub(crate) fn note_solved(answer: &Answer, folder: Option<&Path>) {
    if let (Some(folder), Conclusion::Proved | Conclusion::Disproved) = (folder, answer.conclusion) {
        eprintln!("note: solved; there is nothing to resume in {}", folder.display());
    }
}
