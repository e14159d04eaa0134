//! `delphic puzzle`: positions with exactly one winning move.

use crate::analyze::distance;
use crate::args::Puzzle;
use crate::solve::{INTERRUPT, listen_for_interrupts, request};
use crate::{Failure, exit, output, text, units};
use delphic_engine::{
    AnyGame, AnyPosition, Ask, Certified, Conclusion, Distance, MoveValue, Request, Value, files, game,
    open_certificate,
};
use std::io::BufRead;
use std::sync::atomic::Ordering;

/// Nodes for one position, if nothing else is said.
const NODES: u64 = 1_000_000;

pub(crate) fn run(options: &Puzzle) -> Result<u8, Failure> {
    let game = game(&options.at.game)?;
    let mut request = request(&options.effort, Ask::Win, 1);
    request.limits.nodes.get_or_insert(NODES);
    let from_input = options.at.position.as_deref() == Some("-");
    let base = if from_input { None } else { options.at.position.as_deref() };
    let start = game.position(base, options.at.moves.as_deref())?;
    listen_for_interrupts()?;
    let mut lines = std::io::stdin().lock().lines();
    let (mut found, mut tried) = (0, 0);
    while found < options.count && tried < options.tries && !INTERRUPT.load(Ordering::Relaxed) {
        let position = if from_input {
            let Some(line) = lines.next().transpose()? else { break };
            game.position(Some(line.trim()), None)?
        } else {
            somewhere(&*game, &*start, options, tried)?
        };
        tried += 1;
        if let Some(solution) = solution(&*game, &*position, &request, options) {
            found += 1;
            show(&*game, &*position, &solution, &request, options, found)?;
        }
    }
    eprintln!("{found} of {} positions are puzzles", units::grouped(tried));
    Ok(match found < options.count {
        false => 0,
        true if INTERRUPT.load(Ordering::Relaxed) => exit::INTERRUPTED,
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

/// The only winning move, if there is exactly one and the defender can hold out long enough.
fn solution(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    request: &Request<'_>,
    options: &Puzzle,
) -> Option<MoveValue> {
    if position.is_over() || position.solve(request, &mut ()).conclusion != Conclusion::Proved {
        return None;
    }
    let analysis = position.analyze(request, options.exact, &mut ());
    let payoffs = game.payoffs();
    let top = Value::of(*payoffs.last()?, &payoffs);
    let mut winning = analysis.moves.iter().filter(|mv| mv.bounds.1 == top);
    let (only, None) = (winning.next()?, winning.next()) else { return None };
    let plies = match only.distance? {
        Distance::Exactly(plies) | Distance::AtMost(plies) => plies,
    };
    (only.bounds.0 == top && plies >= options.depth.into()).then(|| only.clone())
}

fn show(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    solution: &MoveValue,
    request: &Request<'_>,
    options: &Puzzle,
    number: usize,
) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    let (answer, certified) = position.prove(request, &mut (), &mut bytes);
    let certified = certified.map_err(|error| Failure::Other(error.to_string()))?;
    // A puzzle that does not pass its own check is none.
    let mut file = &bytes[..];
    let checked = open_certificate(&mut file)
        .and_then(|(header, _)| game.check(&header, &mut file, options.effort.memory, None));
    checked.map_err(|refusal| Failure::Other(format!("the certificate is refused: {refusal}")))?;
    let file = match &options.proofs {
        None => "checked; --proofs DIR keeps it".to_owned(),
        Some(directory) => {
            std::fs::create_dir_all(directory)?;
            let path = directory.join(format!("puzzle-{number}.proof"));
            files::write(&path, &bytes)?;
            format!("checked, in {}", path.display())
        }
    };
    let last = solution.distance.map_or_else(String::new, distance);
    output(&format!(
        "PUZZLE {number}: the {} player moves and wins\n\n{}\n\ngame     {}\nposition {}\nsolution only {} wins; the game lasts {last}\n\
         line     {}\n{}",
        position.turn(),
        position.picture(),
        answer.game,
        answer.position,
        solution.mv,
        text::moves(&answer.line),
        proof(&certified, &file)
    ))
}

fn proof(certified: &Certified, file: &str) -> String {
    let text = text::certified(Some(certified));
    let first = text.lines().next().unwrap_or_default();
    format!("{first}; {file}\n\n")
}
