//! `delphic judge`: a page for the designer of a game.

use crate::args::Judge;
use crate::interrupt::{self, INTERRUPT};
use crate::{Failure, output, strong, text, units};
use delphic_engine::{
    JudgeOptions, Judgement, Limits, PartJudgement, Results, Value, atomic_file, json, judge,
};
use serde_json::json;

/// The iterations per move of a strong player.
const ITERATIONS: u64 = 400;

pub(crate) fn run(options: &Judge) -> Result<u8, Failure> {
    interrupt::listen()?;
    let limits = Limits {
        time: Some(options.time),
        memory: Some(options.memory),
        interrupt: Some(&INTERRUPT),
        threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        ..Limits::default()
    };
    let Judge { random, games, seed, .. } = *options;
    let judge_options = JudgeOptions { limits, random, games, iterations: ITERATIONS, seed };
    let judgement = judge(&options.game, &judge_options, &mut ())?;
    if let Some(file) = &options.html {
        atomic_file::write(file, html(&judgement).as_bytes())?;
        return Ok(0);
    }
    output(&if options.json { format!("{}\n", object(&judgement)) } else { page(&judgement) })?;
    Ok(0)
}

/// The sections of the page: a heading and sentences.
fn sections(judgement: &Judgement) -> Vec<(&'static str, Vec<String>)> {
    let mut sections = vec![("Value", value(judgement)), ("Fairness", fairness(judgement))];
    sections.push(("Length and choice", length(judgement)));
    if !judgement.parts.is_empty() {
        sections.push(("Rules", judgement.parts.iter().map(|part| rule(part, judgement.value)).collect()));
    }
    sections
}

fn value(judgement: &Judgement) -> Vec<String> {
    let turn = judgement.turn;
    let mut said = vec![match judgement.value {
        Some(Value::Win) => format!("With best play the {turn} player, who moves first, wins."),
        Some(Value::Loss) => format!("With best play the {turn} player, who moves first, loses."),
        Some(Value::Draw) => "With best play the game is a draw.".to_owned(),
        Some(Value::Score(score)) => {
            format!("With best play the {turn} player, who moves first, gets {score}.")
        }
        None => format!("The value is not known: {}.", text::stopped(judgement.stop)),
    }];
    if let Some(summary) = &judgement.summary {
        let winning =
            summary.first_moves.iter().filter(|(_, value, _)| Some(*value) == judgement.value).count();
        said.push(format!("{winning} of {} first moves keep that value.", summary.first_moves.len()));
        let positions = units::plural(summary.positions, "position");
        said.push(format!(
            "{positions} can be reached; {:.1} % of the non-terminal ones are drawn.",
            100.0 * summary.drawn()
        ));
        // A game is trivial if nearly every move keeps the value.
        if let Some((choices, single)) = judgement.single.filter(|(choices, _)| *choices > 0) {
            let share = 100.0 * single as f64 / choices as f64;
            said.push(format!(
                "In {share:.1} % of the positions with several moves, exactly one keeps the value."
            ));
        }
    }
    said
}

fn percent(results: Results) -> String {
    let all = results.iter().sum::<u64>().max(1) as f64;
    let [won, drawn, lost] = results.map(|count| 100.0 * count as f64 / all);
    format!("{won:.1} % won, {drawn:.1} % drawn, {lost:.1} % lost by the first player")
}

fn fairness(judgement: &Judgement) -> Vec<String> {
    let games = |results: Results| units::plural(results.iter().sum(), "game");
    vec![
        format!("Random players, {}: {}.", games(judgement.random), percent(judgement.random)),
        format!("Strong players, {}: {}.", games(judgement.strong.0), percent(judgement.strong.0)),
    ]
}

fn length(judgement: &Judgement) -> Vec<String> {
    let size = &judgement.size;
    let mut said = vec![
        format!("Random games last {:.1} plies on average, {} at most.", size.plies, size.longest),
        format!("Games of strong players last {:.1} plies on average.", judgement.strong.1),
        format!("A player chooses from {:.1} moves on average.", size.branching),
    ];
    if let Some(summary) = &judgement.summary {
        if let Some((_, Some(plies))) = summary.start {
            said.push(format!("With best play the game lasts {}.", units::plies(plies)));
        }
        if let Some((position, plies, turn)) = &summary.longest {
            said.push(format!(
                "The longest win takes {}: {position}, {turn} player to move.",
                units::plies(*plies)
            ));
        }
    }
    said
}

fn rule(part: &PartJudgement, value: Option<Value>) -> String {
    let applies = match part.applies {
        Some(0) => " It never applies.".to_owned(),
        Some(count) => format!(" It applies in {}.", units::plural(count, "position")),
        None => String::new(),
    };
    let without = match part.value_without {
        Some(without) if Some(without) == value => format!(" Without it the value is the same ({without})."),
        Some(without) => format!(" Without it the value would be a {without}."),
        None => " Without it the rules are not a game, or its value is not known.".to_owned(),
    };
    format!("{}{applies}{without}", part.sentence)
}

fn heading(judgement: &Judgement) -> String {
    let Judgement { title, game, .. } = judgement;
    title.as_ref().map_or_else(|| game.clone(), |title| format!("{title} ({game})"))
}

fn page(judgement: &Judgement) -> String {
    let mut text = format!("{}\n", heading(judgement));
    for (heading, sentences) in sections(judgement) {
        text += &format!("\n{heading}\n");
        text += &sentences.iter().map(|sentence| format!("  {sentence}\n")).collect::<String>();
    }
    text
}

fn html(judgement: &Judgement) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let heading = escaped(&heading(judgement));
    let mut body = format!("<h1>{heading}</h1>\n");
    let rules = (!judgement.rules.is_empty()).then(|| ("Rules as understood", judgement.rules.clone()));
    for (title, sentences) in rules.into_iter().chain(sections(judgement)) {
        let items: String =
            sentences.iter().map(|sentence| format!("<li>{}</li>\n", escaped(sentence))).collect();
        body += &format!("<h2>{title}</h2>\n<ul>\n{items}</ul>\n");
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{heading}</title>\n\
         <style>body {{ font-family: sans-serif; max-width: 50em; margin: 2em auto; }}</style></head>\n<body>\n{body}</body></html>\n"
    )
}

fn object(judgement: &Judgement) -> serde_json::Value {
    let results = |[won, drawn, lost]: Results| json!({ "won": won, "drawn": drawn, "lost": lost });
    let part = |part: &PartJudgement| {
        let PartJudgement { sentence, applies, value_without } = part;
        json!({ "rule": sentence, "applies": applies, "value_without": value_without.map(json::value) })
    };
    let single = judgement
        .single
        .map(|(choices, single)| json!({ "with_a_choice": choices, "one_good_move": single }));
    json!({
        "schema": 1,
        "game": judgement.game,
        "title": judgement.title,
        "rules": judgement.rules,
        "to_move": judgement.turn.to_string(),
        "value": judgement.value.map(json::value),
        "stop": judgement.stop.name(),
        "summary": judgement.summary.as_ref().map(strong::json),
        "choices": single,
        "random": results(judgement.random),
        "strong": results(judgement.strong.0),
        "strong_plies": judgement.strong.1,
        "random_plies": judgement.size.plies,
        "branching": judgement.size.branching,
        "parts": judgement.parts.iter().map(part).collect::<Vec<_>>(),
    })
}
