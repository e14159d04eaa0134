//! `delphic puzzle`: positions with exactly one winning move.

use crate::analyze::distance;
use crate::args::Puzzle;
use crate::interrupt::{self, interrupted};
use crate::solve::request;
use crate::{Failure, exit, output, position, progress, text, units};
use delphic_engine::json::plies;
use delphic_engine::{
    Answer, AnyGame, AnyPosition, Ask, Certified, Distance, MoveValue, Request, atomic_file, find_puzzle,
    open_certificate,
};
use serde_json::json;
use std::collections::HashSet;
use std::io::BufRead;

/// Nodes for one position, unless there is another limit.
const NODES: u64 = 1_000_000;

pub(crate) fn run(options: &Puzzle) -> Result<u8, Failure> {
    let mut request = request(&options.effort, Ask::Win, options.threads.map_or(1, usize::from));
    request.limits.nodes.get_or_insert(NODES);
    let from_input = options.at.position.as_deref() == Some("-");
    let base = if from_input { None } else { options.at.position.as_deref() };
    let (game, start) = position::open(&options.at.game, base, options.at.moves.as_deref())?;
    request.prepare(&*game)?;
    interrupt::listen()?;
    let mut lines = std::io::stdin().lock().lines();
    let (mut found, mut tried, mut over, mut seen) = (0, 0, 0, HashSet::new());
    let template = "{prefix}  {pos} of {len} positions  {msg}  {elapsed} passed";
    let bar = progress::bar(options.quiet, Some(options.tries), template);
    bar.set_prefix(game.spec().to_owned());
    while found < options.count && tried < options.tries && !interrupted() {
        let position = if from_input {
            let Some(line) = lines.next().transpose()? else { break };
            if position::is_comment(&line) {
                continue;
            }
            position::read(&*game, Some(line.trim()), None)?
        } else {
            somewhere(&*game, &*start, options, tried)?
        };
        tried += 1;
        bar.set_position(tried);
        if position.is_over() {
            over += 1;
        } else if seen.insert(position.write())
            && let Some(solution) = find_puzzle(&*position, &request, options.exact, options.depth.into())
        {
            found += 1;
            let puzzle = puzzle(&*game, &*position, &solution, &request, options, found)?;
            bar.suspend(|| output(&puzzle))?;
            bar.set_message(units::plural(found, "puzzle"));
        }
    }
    bar.finish_and_clear();
    if let (Some(plies), true) = (options.plies, tried > 0 && over == tried) {
        let plies = units::grouped(plies as u64);
        return Err(Failure::Usage(format!("{}: all random games are over by ply {plies}", game.spec())));
    }
    if !options.quiet {
        eprintln!("{} in {}", units::plural(found, "puzzle"), units::plural(tried, "position"));
    }
    Ok(match found < options.count {
        false => 0,
        true if interrupted() => exit::INTERRUPTED,
        true => exit::UNDECIDED,
    })
}

/// A position of a random game.
fn somewhere(
    game: &dyn AnyGame,
    start: &dyn AnyPosition,
    options: &Puzzle,
    nth: u64,
) -> Result<Box<dyn AnyPosition>, Failure> {
    let seed = options.effort.seed.unwrap_or(1).wrapping_add(nth);
    Ok(game.position(Some(&start.random(options.plies, seed)), None)?)
}

/// The puzzle as it is printed, after its certificate was checked.
fn puzzle(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    solution: &MoveValue,
    request: &Request<'_>,
    options: &Puzzle,
    number: u64,
) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let (answer, certified) = position.prove(request, &mut (), &mut bytes);
    let certified = certified.map_err(|error| Failure::Other(error.to_string()))?;
    // Only what passes its own check is shown.
    let mut file = &bytes[..];
    let checked = open_certificate(&mut file)
        .and_then(|(header, _)| game.check(&header, &mut file, options.effort.memory, None));
    checked.map_err(|refusal| Failure::Other(format!("the certificate is refused: {refusal}")))?;
    let path = options.proofs.as_ref().map(|folder| folder.join(format!("puzzle-{number}.proof")));
    if let (Some(folder), Some(path)) = (&options.proofs, &path) {
        std::fs::create_dir_all(folder)?;
        atomic_file::write(path, &bytes)?;
    }
    let (line, length) = line(solution, &answer);
    if options.json {
        let (exact, at_most) = plies(length);
        let object = json!({
            "schema": 1,
            "puzzle": number,
            "game": answer.game,
            "position": answer.position,
            "to_move": position.turn().to_string(),
            "solution": solution.mv,
            "plies": exact,
            "plies_at_most": at_most,
            "line": line,
            "strategy_positions": certified.strategy,
            "proof": path.map(|path| path.display().to_string()),
        });
        return Ok(format!("{object}\n"));
    }
    let file = path.map_or("checked; --proofs DIR keeps it".to_owned(), |path| {
        format!("checked, in {}", path.display())
    });
    Ok(format!(
        "PUZZLE {number}: the {} player moves and wins\n\n{}\n\ngame     {}\nposition {}\nsolution only {} wins; the game lasts {}\n\
         line     {}\n{}",
        position.turn(),
        position.shown(),
        answer.game,
        answer.position,
        solution.mv,
        length.map_or_else(String::new, distance),
        text::moves(line),
        proof(&certified, &file)
    ))
}

/// The line to show, and its length: if the exact distance is known, the line in which the winner hurries and
/// the loser delays; otherwise the proof's, which may be longer than it need be.
fn line<'a>(solution: &'a MoveValue, answer: &'a Answer) -> (&'a [String], Option<Distance>) {
    match solution.distance {
        Some(Distance::Exactly(plies)) if solution.line.len() == plies as usize => {
            (&solution.line, solution.distance)
        }
        _ => (&answer.line, answer.plies.map(Distance::AtMost)),
    }
}

fn proof(certified: &Certified, file: &str) -> String {
    let text = text::certified(Some(certified));
    let first = text.lines().next().unwrap_or_default();
    format!("{first}; {file}\n\n")
}
