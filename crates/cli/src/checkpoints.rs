//! `--checkpoint` and `--resume` of `delphic solve`.

use crate::Failure;
use crate::args::Solve;
use delphic_engine::{Answer, Checkpoint, CheckpointError, Identity, Request, Saved, StopReason};
use std::path::Path;

impl From<CheckpointError> for Failure {
    fn from(error: CheckpointError) -> Failure {
        Failure::Other(error.to_string())
    }
}

/// The latest usable checkpoint of a folder, and a notice if it is not the newest.
pub(crate) fn open(folder: &Path) -> Result<Saved, Failure> {
    let saved = Saved::open(folder)?;
    if let Some(damage) = saved.passed_over() {
        eprintln!("note: {damage}; going on from the checkpoint before it");
    }
    Ok(saved)
}

/// What was not said is as it was. What cannot be read is left alone, to be refused as another search.
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

/// A checkpoint that cannot be used is an error; one that could not be written is worth a notice, the answer stands.
pub(crate) fn trouble(checkpoint: Option<&Checkpoint>, answer: &Answer) -> Result<(), Failure> {
    match checkpoint.and_then(Checkpoint::error) {
        Some(error) if answer.stop == StopReason::Checkpoint => Err(error.into()),
        Some(error) => {
            eprintln!("warning: a checkpoint could not be kept: {error}");
            Ok(())
        }
        None => Ok(()),
    }
}
