//! Positions from standard input, one per line, solved in parallel and answered in order.

use crate::args::Solve;
use crate::side_by_side::{in_order, share_out};
use crate::solve::{exit_code, threads};
use crate::{Failure, exit, output, position, text, version};
use delphic_engine::{AnyGame, Request, json};
use std::io::{self, BufRead, BufReader};
use std::sync::atomic::AtomicBool;

pub(crate) fn run(game: &dyn AnyGame, options: &Solve, mut request: Request<'_>) -> Result<u8, Failure> {
    let threads = threads(options, &request.solver);
    let (lines, count) = lines(threads);
    let (takers, each) = share_out(threads, count);
    request.limits.threads = each;
    request.limits.memory = request.limits.memory.map(|memory| memory / takers as u64);
    let work = |line: io::Result<String>| {
        line.map_err(Failure::from).map(|line| answer(game, &line, options, &request))
    };
    let mut code = 0;
    in_order(takers, lines, &AtomicBool::new(false), work, |result| {
        let (printed, its_code) = result?;
        output(&printed)?;
        // The exit code of a malformed line takes precedence over that of an undecided one.
        code = match (code, its_code) {
            (exit::USAGE, _) | (_, exit::USAGE) => exit::USAGE,
            (_, exit::UNDECIDED | exit::INTERRUPTED) => its_code,
            _ => code,
        };
        Ok(true)
    })?;
    Ok(code)
}

type Lines = Box<dyn Iterator<Item = io::Result<String>> + Send>;

/// The lines of standard input, and the number of positions among them if it is less than `threads`.
fn lines(threads: usize) -> (Lines, Option<usize>) {
    let mut lines = BufReader::new(io::stdin()).lines();
    // The program at the other end may wait for an answer before it writes the next line, so lines are not read ahead without need.
    if !input_is_file() {
        return (Box::new(lines), None);
    }
    let is_position = |line: &io::Result<String>| line.as_ref().is_ok_and(|line| !position::is_comment(line));
    let (mut first, mut count) = (Vec::new(), 0);
    while count < threads
        && let Some(line) = lines.next()
    {
        count += usize::from(is_position(&line));
        first.push(line);
    }
    (Box::new(first.into_iter().chain(lines)), (count < threads).then_some(count))
}

#[cfg(unix)]
fn input_is_file() -> bool {
    use std::os::fd::AsFd;
    let file = io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from);
    file.and_then(|file| file.metadata()).is_ok_and(|data| data.is_file())
}

#[cfg(not(unix))]
fn input_is_file() -> bool {
    false
}

/// The output for a line, and the exit code that it alone would give.
fn answer(game: &dyn AnyGame, line: &str, options: &Solve, request: &Request<'_>) -> (String, u8) {
    let line = line.trim();
    if position::is_comment(line) {
        return (String::new(), exit::PROVED);
    }
    match position::read(game, Some(line), options.at.moves.as_deref()) {
        Ok(position) => {
            let answer = position.solve(request, &mut ());
            let printed = if options.json {
                format!("{}\n", json::answer(&answer, version::REVISION))
            } else {
                text::line(&answer)
            };
            (printed, exit_code(&answer))
        }
        Err(Failure::Usage(message) | Failure::Other(message) | Failure::Interrupted(message)) => {
            (refusal(line, &message, options.json), exit::USAGE)
        }
        Err(Failure::PipeClosed) => (String::new(), exit::ERROR),
    }
}

fn refusal(line: &str, message: &str, json: bool) -> String {
    if json {
        format!("{}\n", serde_json::json!({ "schema": 1, "position": line, "error": message }))
    } else {
        format!("{line}\terror: {message}\n")
    }
}
