//! `delphic puzzle`: positions with exactly one winning move. Positions are searched in parallel and reported in order, so the puzzles do
//! not depend on the number of threads.

use crate::analyze::distance;
use crate::args::Puzzle;
use crate::interrupt::{self, interrupted};
use crate::side_by_side::{in_order, share_out};
use crate::solve::request;
use crate::{Failure, exit, output, position, progress, text, units};
use delphic_engine::json::plies;
use delphic_engine::{
    Answer, AnyGame, AnyPosition, Ask, Certified, Distance, Limits, MoveValue, Request, atomic_file,
    find_puzzle, open_certificate,
};
use serde_json::json;
use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::sync::atomic::AtomicBool;

/// The default node limit for one position.
const NODES: u64 = 1_000_000;

pub(crate) fn run(options: &Puzzle) -> Result<u8, Failure> {
    let threads = options.threads.map_or(1, usize::from);
    let (takers, each) = share_out(threads, usize::try_from(options.tries).ok());
    let mut request = request(&options.effort, Ask::Win, each);
    request.limits.nodes.get_or_insert(NODES);
    let from_input = options.at.position.as_deref() == Some("-");
    let base = if from_input { None } else { options.at.position.as_deref() };
    let (game, start) = position::open(&options.at.game, base, options.at.moves.as_deref())?;
    request.prepare(&*game)?;
    interrupt::listen()?;
    let candidates: Box<dyn Iterator<Item = Result<Box<dyn AnyPosition>, Failure>> + Send> = if from_input {
        let lines = BufReader::new(std::io::stdin()).lines();
        let positions = lines.filter(|line| !line.as_ref().is_ok_and(|line| position::is_comment(line)));
        Box::new(positions.map(|line| position::read(&*game, Some(line?.trim()), None)))
    } else {
        Box::new((0..).map(|nth| somewhere(&*game, &*start, options, nth)))
    };
    let mut seen = HashSet::new();
    let candidates = candidates.take(options.tries as usize).take_while(|_| !interrupted());
    // A position that was tried before is skipped.
    let candidates = candidates.map(|candidate| {
        let position = candidate?;
        let is_new = !position.is_over() && seen.insert(position.write());
        Ok::<_, Failure>((position, is_new))
    });
    let over = AtomicBool::new(false);
    let limits = Limits {
        memory: request.limits.memory.map(|memory| memory / takers as u64),
        interrupt: Some(&over),
        ..request.limits
    };
    let search = Request { limits, ..request.clone() };
    let work = |candidate: Result<(Box<dyn AnyPosition>, bool), Failure>| {
        let (position, is_new) = candidate?;
        let find = || find_puzzle(&*position, &search, options.exact, options.depth.into());
        let solution = if is_new { find() } else { None };
        Ok::<_, Failure>((position, solution))
    };
    let (mut found, mut tried, mut ended) = (0, 0, 0);
    let template = "{prefix}  {pos} of {len} positions  {msg}  {elapsed} passed";
    let bar = progress::bar(options.quiet, Some(options.tries), template);
    bar.set_prefix(game.spec().to_owned());
    in_order(takers, candidates, &over, work, |result| {
        let (position, solution) = result?;
        tried += 1;
        bar.set_position(tried);
        ended += u64::from(position.is_over());
        if let Some(solution) = solution {
            found += 1;
            let puzzle = puzzle(&*game, &*position, &solution, &request, options, found)?;
            bar.suspend(|| output(&puzzle))?;
            bar.set_message(units::plural(found, "puzzle"));
        }
        Ok(found < options.count)
    })?;
    bar.finish_and_clear();
    if let (Some(plies), true) = (options.plies, tried > 0 && ended == tried) {
        let plies = units::grouped(plies as u64);
        return Err(Failure::Usage(format!("{}: all random games end before ply {plies}", game.spec())));
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

/// The puzzle as printed, after its certificate was checked.
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
    // Only puzzles whose certificate is valid are shown.
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

/// The line to show, and its length: the shortest win against the longest defence if the exact distance is known;
/// otherwise the line of the proof, which may be longer.
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
