//! `delphic solve`.

use crate::args::Solve;
use crate::{Failure, batch, exit, json, output, progress, text};
use delphic_engine::{Answer, Conclusion, Limits, Request, StopReason, Value, game};
use std::sync::atomic::{AtomicBool, Ordering};

/// Raised by Ctrl-C.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

/// The first Ctrl-C (or SIGTERM) ends the search in order, the second the program.
fn listen_for_interrupts() -> Result<(), Failure> {
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
    let limits = Limits {
        nodes: options.nodes,
        time: options.time,
        memory: Some(options.memory),
        interrupt: Some(&INTERRUPT),
        threads: threads(options),
        ..Limits::default()
    };
    let request = Request {
        ask: options.question,
        player: options.player,
        solver: options.solver,
        limits,
        seed: options.seed,
    };
    request.check(&*game)?;
    if options.at.position.as_deref() == Some("-") {
        return batch::run(&*game, options, request);
    }
    let position = game.position(options.at.position.as_deref(), options.at.moves.as_deref())?;
    let mut line = progress::Line::new(options.quiet);
    let answer = position.solve(&request, &mut line);
    line.clear();
    output(&if options.json { format!("{}\n", json::answer(&answer)) } else { text::answer(&answer) })?;
    Ok(exit_code(&answer))
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
