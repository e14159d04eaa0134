//! `delphic solve`.

use crate::args::{Effort, Solve};
use crate::{Failure, batch, checkpoints, exit, json, output, progress, text};
use delphic_engine::{
    Answer, Ask, Certified, Checkpoint, Conclusion, Limits, ProofError, Request, StopReason, Value, files,
    game,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Raised by Ctrl-C.
pub(crate) static INTERRUPT: AtomicBool = AtomicBool::new(false);

/// The first Ctrl-C (or SIGTERM) ends the search in order, the second the program.
pub(crate) fn listen_for_interrupts() -> Result<(), Failure> {
    let handler = || {
        if INTERRUPT.swap(true, Ordering::Relaxed) {
            std::process::exit(exit::INTERRUPTED.into());
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::Other(format!("cannot listen for Ctrl-C: {error}")))
}

pub(crate) fn run(options: &Solve) -> Result<u8, Failure> {
    let game = game(&options.at.game)?;
    listen_for_interrupts()?;
    let mut request = request(&options.effort, options.question.unwrap_or(Ask::Value), threads(options));
    request.player = options.player;
    if options.at.position.as_deref() == Some("-") {
        let single = [
            ("--proof", &options.proof),
            ("--checkpoint", &options.checkpoint),
            ("--resume", &options.resume),
        ];
        if let Some((option, _)) = single.iter().find(|(_, path)| path.is_some()) {
            return Err(Failure::Usage(format!("{option} is for one position, not for a batch")));
        }
        request.prepare(&*game)?;
        return batch::run(&*game, options, request);
    }
    let saved = options.resume.as_deref().map(checkpoints::open).transpose()?;
    let mut at = options.at.position.clone();
    if let Some(saved) = &saved {
        let said = saved.identity();
        if at.is_none() && options.at.moves.is_none() && said.game == game.spec() {
            at = Some(said.position.clone());
        }
        checkpoints::fill_in(&mut request, options, said);
    }
    request.prepare(&*game)?;
    let position = game.position(at.as_deref(), options.at.moves.as_deref())?;
    let identity = |request: &Request<'_>| position.identify(request);
    let checkpoint = match (saved, &options.checkpoint) {
        (None, None) => None,
        (Some(saved), _) => Some(Checkpoint::resume(saved, options.every, identity(&request))?),
        (None, Some(folder)) => {
            request.check_resumable()?;
            Some(Checkpoint::begin(folder, options.every, identity(&request))?)
        }
    };
    request.checkpoint = checkpoint.as_ref();
    let kept = options.checkpoint.as_deref().or(options.resume.as_deref());
    let mut line = progress::Line::new(options.quiet);
    let Some(path) = &options.proof else {
        let answer = position.solve_with_line(&request, &mut line);
        line.clear();
        checkpoints::trouble(checkpoint.as_ref(), &answer)?;
        let text = || text::answer(&answer, kept);
        output(&if options.json { format!("{}\n", json::answer(&answer)) } else { text() })?;
        return Ok(exit_code(&answer));
    };
    let mut file = files::Whole::new(path)?;
    let (answer, certified) = position.prove(&request, &mut line, &mut file);
    line.clear();
    checkpoints::trouble(checkpoint.as_ref(), &answer)?;
    let print = |certified: Option<&Certified>| match options.json {
        true => output(&format!("{}\n", json::proved(&answer, certified))),
        false => output(&(text::answer(&answer, kept) + &text::certified(certified))),
    };
    match certified {
        Ok(certified) => {
            file.finish()?;
            print(Some(&certified))?;
            Ok(exit_code(&answer))
        }
        Err(ProofError::NoAnswer) => print(None).map(|()| exit_code(&answer)),
        // The answer stands, but what was asked for is not there.
        Err(error) => {
            print(None)?;
            Err(Failure::Other(format!("no certificate in {}: {error}", path.display())))
        }
    }
}

/// What to find out, within the limits given and until somebody interrupts.
pub(crate) fn request(effort: &Effort, ask: Ask, threads: usize) -> Request<'static> {
    let limits = Limits {
        nodes: effort.nodes,
        time: effort.time,
        memory: Some(effort.memory),
        interrupt: Some(&INTERRUPT),
        threads,
        ..Limits::default()
    };
    let solver = effort.solver.clone().unwrap_or_default();
    Request { ask, solver, limits, seed: effort.seed.unwrap_or(1), ..Request::default() }
}

/// The threads asked for, or all there are.
pub(crate) fn threads(options: &Solve) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    options.threads.map_or_else(all, usize::from)
}

pub(crate) fn exit_code(answer: &Answer) -> u8 {
    let exact = ["value", "maxn"].contains(&answer.question.as_str());
    match (answer.conclusion, answer.value()) {
        (Conclusion::Estimated, _) => exit::UNDECIDED,
        (Conclusion::Unknown, _) if answer.stop == StopReason::Interrupted => exit::INTERRUPTED,
        (Conclusion::Unknown, _) => exit::UNDECIDED,
        (Conclusion::Proved, Some(Value::Draw | Value::Score(_))) if exact => exit::OTHER_VALUE,
        (Conclusion::Proved, _) => exit::PROVED,
        (Conclusion::Disproved, Some(Value::Score(_))) if exact => exit::OTHER_VALUE,
        (Conclusion::Disproved, _) => exit::DISPROVED,
    }
}
