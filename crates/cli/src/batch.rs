//! Positions from standard input, one per line, solved side by side and answered in order.

use crate::args::Solve;
use crate::{
    Failure, exit, output, position,
    solve::{exit_code, threads},
    text, version,
};
use delphic_engine::{AnyGame, Request, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::sync::{Mutex, mpsc};

pub(crate) fn run(game: &dyn AnyGame, options: &Solve, request: Request<'_>) -> Result<u8, Failure> {
    // The positions share the threads, so each search gets one.
    let threads = threads(options, &request.solver);
    let mut request = request;
    request.limits.threads = 1;
    request.limits.memory = request.limits.memory.map(|memory| memory / threads as u64);
    // Workers take the next line when they are free, so that a batch can be fed by another program.
    let lines = Mutex::new(BufReader::new(std::io::stdin()).lines().enumerate());
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, lines, request) = (sender.clone(), &lines, &request);
            scope.spawn(move || {
                loop {
                    let next = lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
                    let Some((number, line)) = next else { break };
                    let result =
                        line.map_err(Failure::from).map(|line| answer(game, &line, options, request));
                    if sender.send((number, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        print_in_order(results)
    })
}

/// The output for a line, and the exit code it would have alone.
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

type Numbered = (usize, Result<(String, u8), Failure>);

fn print_in_order(results: mpsc::Receiver<Numbered>) -> Result<u8, Failure> {
    let (mut waiting, mut next, mut code) = (BTreeMap::new(), 0, 0);
    for (number, result) in results {
        waiting.insert(number, result?);
        while let Some((printed, its_code)) = waiting.remove(&next) {
            output(&printed)?;
            next += 1;
            // A malformed line outweighs an undecided one.
            code = match (code, its_code) {
                (exit::USAGE, _) | (_, exit::USAGE) => exit::USAGE,
                (_, exit::UNDECIDED | exit::INTERRUPTED) => its_code,
                _ => code,
            };
        }
    }
    Ok(code)
}
