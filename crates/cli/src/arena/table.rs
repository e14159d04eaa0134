//! Results as text, CSV and JSON.

use super::{Series, letter, percent};
use crate::tables::table;
use delphic_engine::arena::pairs;
use serde_json::json;

/// A signed difference: `+37`.
fn signed(elo: f64) -> String {
    if elo.is_finite() {
        format!("{elo:+.0}")
    } else if elo > 0.0 {
        "+∞".to_owned()
    } else {
        "−∞".to_owned()
    }
}

/// For two agents a line per game; for more a cross table, with a legend if their names are long.
pub(super) fn text(all: &[Series], names: &[String]) -> String {
    let mut text = String::new();
    let letters: Vec<String> = (0..names.len()).map(|nth| letter(nth).to_string()).collect();
    for (letter, name) in letters.iter().zip(names) {
        text += &format!("{letter}  {name}\n");
    }
    if let [_, _] = names {
        let mut list =
            table(["game", "games", "A wins", "draws", "B wins", "score of A", "95 %", "Elo of A"]);
        for series in all {
            let tally = series.between(0, 1);
            let (score, elo) = (tally.score(), tally.elo());
            list.add_row([
                series.game.clone(),
                tally.games().to_string(),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
                format!("{:.1} %", 100.0 * score.value),
                format!("{:.1} to {:.1}", 100.0 * score.low, 100.0 * score.high),
                format!("{} ({} to {})", signed(elo.value), signed(elo.low), signed(elo.high)),
            ]);
        }
        text += &format!("\n{list}\n");
    } else {
        for series in all {
            let head = ["", "all"].into_iter().chain(letters.iter().map(String::as_str));
            let mut list = table(head);
            for (a, letter) in letters.iter().enumerate() {
                let others = (0..names.len()).filter(|&b| b != a).map(|b| series.between(a, b).score().value);
                let mean = others.sum::<f64>() / (names.len() - 1) as f64;
                let mut row = vec![letter.clone(), format!("{:.1} %", 100.0 * mean)];
                row.extend((0..names.len()).map(|b| match a == b {
                    true => "·".to_owned(),
                    false => percent(&series.between(a, b).score()),
                }));
                list.add_row(row);
            }
            text += &format!("\n{}\n{list}\n", series.game);
        }
    }
    text += "\n";
    for (nth, letter) in letters.iter().enumerate() {
        let (iterations, seconds) = all
            .iter()
            .map(|series| series.spent[nth])
            .fold((0, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
        if seconds > 0.0 {
            text += &format!("{letter}: {:.0} iterations per second\n", iterations as f64 / seconds);
        }
    }
    text
}

/// A line for every game and every two agents.
pub(super) fn csv(all: &[Series], names: &[String]) -> String {
    let mut text =
        "game,agent,opponent,games,wins,draws,losses,score,low,high,elo,elo_low,elo_high\n".to_owned();
    for series in all {
        for (a, b) in pairs(names.len()) {
            let tally = series.between(a, b);
            let (score, elo) = (tally.score(), tally.elo());
            text += &format!(
                "{},{},{},{},{},{},{},{:.4},{:.4},{:.4},{:.1},{:.1},{:.1}\n",
                quoted(&series.game),
                quoted(&names[a]),
                quoted(&names[b]),
                tally.games(),
                tally.wins,
                tally.draws,
                tally.losses,
                score.value,
                score.low,
                score.high,
                elo.value,
                elo.low,
                elo.high
            );
        }
    }
    text
}

/// A field of CSV (RFC 4180): quotes inside are doubled.
fn quoted(field: &str) -> String {
    format!("\"{}\"", field.replace('"', "\"\""))
}

/// The same as one JSON object.
pub(super) fn json(all: &[Series], names: &[String]) -> String {
    let series = all.iter().map(|series| {
        let results = pairs(names.len()).map(|(a, b)| {
            let tally = series.between(a, b);
            let (score, elo) = (tally.score(), tally.elo());
            json!({
                "agent": names[a], "opponent": names[b],
                "games": tally.games(), "wins": tally.wins, "draws": tally.draws, "losses": tally.losses,
                "score": score.value, "low": score.low, "high": score.high,
                "elo": finite(elo.value), "elo_low": finite(elo.low), "elo_high": finite(elo.high),
            })
        });
        let spent = series.spent.iter().zip(names).map(|((iterations, seconds), name)| {
            json!({ "agent": name, "iterations": iterations, "seconds": seconds })
        });
        json!({ "game": series.game, "results": results.collect::<Vec<_>>(), "spent": spent.collect::<Vec<_>>() })
    });
    format!("{}\n", json!({ "schema": 1, "arena": series.collect::<Vec<_>>() }))
}

/// JSON has no infinity.
fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}
