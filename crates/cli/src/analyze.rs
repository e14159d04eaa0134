//! `delphic analyze`.

use crate::args::Analyze;
use crate::progress::{Line, Subject};
use crate::solve::{exit_code, request};
use crate::tables::table;
use crate::{Failure, interrupt, output, position, strong, units, version};
use delphic_engine::{Analysis, Ask, Distance, MoveValue, StopReason, Value, json};

pub(crate) fn run(options: &Analyze) -> Result<u8, Failure> {
    let (game, position) = position::at(&options.at)?;
    if options.question == Ask::Maxn {
        return Err(Failure::Usage("analyze does not answer maxn; use solve".to_owned()));
    }
    interrupt::listen()?;
    let mut request = request(&options.effort, options.question, options.threads.map_or(1, usize::from));
    request.prepare(&*game)?;
    if let Some(path) = &options.table {
        let analysis = strong::analysis(&*position, &request, path)?;
        output(&if options.json {
            format!("{}\n", json::analysis(&analysis, version::REVISION))
        } else {
            text(&analysis)
        })?;
        return Ok(exit_code(&analysis.answer));
    }
    let mut line = Line::new(options.quiet, Subject::of(&request, game.spec()));
    let analysis = position.analyze(&request, options.exact, &mut line);
    line.clear();
    output(&if options.json {
        format!("{}\n", json::analysis(&analysis, version::REVISION))
    } else {
        text(&analysis)
    })?;
    Ok(exit_code(&analysis.answer))
}

/// The whole analysis, several lines.
pub(crate) fn text(analysis: &Analysis) -> String {
    let answer = &analysis.answer;
    let mut text = crate::text::headline(answer);
    text += &format!("\ngame     {}\nposition {}\n", answer.game, answer.position);
    text += &format!("moves    {}\n", verdict(analysis));
    if analysis.stop != StopReason::Solved {
        text += &format!("stopped  {}\n", crate::text::stopped(analysis.stop));
    }
    text += &format!(
        "effort   {}, {} created for the position, {} for its moves\n",
        units::time(answer.stats.time),
        units::plural(answer.stats.created, "node"),
        units::grouped(analysis.created)
    );
    if analysis.moves.is_empty() {
        return text;
    }
    let mut list = table(["move", "value", "the game lasts"]);
    for mv in &analysis.moves {
        list.add_row([mv.mv.clone(), value(mv), mv.distance.map_or_else(String::new, distance)]);
    }
    text + &format!("\n{list}\n")
}

/// The number of best moves, in words.
fn verdict(analysis: &Analysis) -> String {
    if analysis.moves.is_empty() {
        return "none, the game is over".to_owned();
    }
    let best = analysis.best();
    let Some(value) = analysis.answer.value() else { return "not all values are known".to_owned() };
    let what = match value {
        Value::Win => "wins".to_owned(),
        Value::Draw => "draws".to_owned(),
        Value::Loss => return "all lose".to_owned(),
        Value::Score(score) => format!("gets {score}"),
    };
    let known = if analysis.complete() { "" } else { ", as far as is known" };
    match best[..] {
        [] => format!("a move that {what} exists, but it is not known which"),
        [one] => format!("only {} {what}{known}", one.mv),
        _ => format!("{} of {} are best: each {what}{known}", best.len(), analysis.moves.len()),
    }
}

pub(crate) fn value(mv: &MoveValue) -> String {
    match mv.bounds {
        (low, high) if low == high => low.to_string(),
        (low, high) => format!("{low} to {high}"),
    }
}

/// An exact distance, or an upper bound.
pub(crate) fn distance(distance: Distance) -> String {
    match distance {
        Distance::Exactly(plies) => units::plies(plies),
        Distance::AtMost(plies) => format!("at most {}", units::plies(plies)),
    }
}
