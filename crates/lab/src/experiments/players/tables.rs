//! The tables and figures of paper 5.

use super::{
    Formula, GAMES, OTHERS, PLAIN, PLAIN_ITERATIONS, Setting, THREE, WEIGHTS, budgets, by_budget,
    by_iterations, by_time, favourite, half, settings, tallied, three, variant,
};
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::{Block, Figure, Table};
use crate::text::grouped;
use crate::{Cell, Results, Scale};
use delphic_engine::arena::Tally;

pub(super) fn blocks(scale: Scale, known: &Results) -> Vec<Block> {
    let mut blocks = vec![Block::heading("The best setting of each game")];
    blocks.extend(best(scale, known));
    blocks.extend([scatter(scale, known).into(), otherwise(scale, known).into()]);
    if scale != Scale::Smoke {
        blocks.push(Block::heading("Win rate against budget"));
        blocks.extend([curve(scale, known, false).into(), curve(scale, known, true).into()]);
        blocks.push(growing(scale, known).into());
        blocks.extend([Block::heading("Without score bounds (§4.2)"), unbounded(scale, known).into()]);
    }
    for (ludii, heading) in [(false, "Table 1"), (true, "Table 1 as Ludii plays")] {
        if scale == Scale::Paper || !ludii {
            blocks.extend([Block::heading(heading), grid(scale, known, ludii).into()]);
        }
    }
    blocks.push(Block::heading("Where the paper saw no gain"));
    let mut table = Table::new("PNRank+SB, C_pn = 1", ["game", "paper", "ours (95 %)", "games"]);
    for (name, spec, said) in OTHERS {
        let tally = PLAIN.tally(spec, by_iterations(PLAIN_ITERATIONS, scale), scale, known);
        table.row([name.to_owned(), said.to_owned(), rate(&tally), tally.games().to_string()]);
    }
    blocks.push(table.into());
    blocks.extend([Block::heading("Three players (future work)"), of_three(scale, known).into()]);
    blocks
}

fn of_three(scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        "`gpn-mcts` (PNRank, C_pn = 1) against `uct` in games for three, over all orders of the players; 50 % is even",
        ["game", "ours (95 %)", "games"],
    );
    for (name, spec) in THREE {
        let tally = tallied(three(spec, scale), known);
        table.row([name.to_owned(), rate(&tally), tally.games().to_string()]);
    }
    table
}

/// The numbers of the curves, with intervals.
fn growing(scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        "Win rate in percent for growing budgets at the paper's best setting (95 %)",
        ["game", "play", "paper", "64", "256", "1,024", "4,096", "16,000"],
    );
    for game in &GAMES {
        for ludii in [false, true] {
            let Some((setting, theirs)) = favourite(game) else { continue };
            let setting = Setting { ludii, ..setting };
            let budgets = budgets(game.spec, ludii, scale);
            if budgets.is_empty() {
                continue;
            }
            let mut row = vec![
                game.name.to_owned(),
                if ludii { "as Ludii" } else { "ours" }.to_owned(),
                format!("{theirs:.1}"),
            ];
            let cell = |budget: &u64| rate(&setting.tally(game.spec, by_budget(*budget), scale, known));
            row.extend(budgets.iter().map(cell));
            row.resize(table.head.len(), "–".to_owned());
            table.rows.push(row);
        }
    }
    table
}

fn unbounded(scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        "PNRank without score bounds at the paper's best C_pn: against our `uct`, which skips solved nodes, and against a plain one (both as Ludii plays)",
        ["game", "C_pn", "paper", "ours (95 %)", "plain baseline (95 %)"],
    );
    for game in &GAMES {
        for line in game.lines.iter().filter(|line| !line.bounds) {
            let column = line.best()[0];
            let played = |ludii| {
                let setting = Setting { ludii, ..Setting::of(line, column) };
                rate(&setting.tally(game.spec, by_iterations(game.iterations, scale), scale, known))
            };
            table.row([
                game.name.to_owned(),
                WEIGHTS[column].to_owned(),
                format!("{:.1}", line.rates[column]),
                played(false),
                played(true),
            ]);
        }
    }
    table
}

/// How the best setting's win rate depends on the iterations of a move.
fn curve(scale: Scale, known: &Results, ludii: bool) -> Figure {
    let series = GAMES.iter().filter_map(|game| {
        let setting = Setting { ludii, ..favourite(game)?.0 };
        let point = |&budget: &u64| {
            let tally = setting.tally(game.spec, by_budget(budget), scale, known);
            (tally.games() > 0).then(|| (budget as f64, 100.0 * tally.score().value))
        };
        let points: Vec<(f64, f64)> = budgets(game.spec, ludii, scale).iter().filter_map(point).collect();
        (!points.is_empty()).then(|| Series { name: game.name.to_owned(), points, mark: Mark::Line })
    });
    let plot = Plot {
        x: Axis::log("iterations a move"),
        y: Axis::linear("win rate of GPN-MCTS (%)").from_to(0.0, 100.0),
        series: series.collect(),
        diagonal: false,
    };
    let (slug, how) =
        if ludii { ("budget-ludii", "as Ludii plays") } else { ("budget", "with our score bounds") };
    plot.figure(slug, format!("The paper's best setting of each game for growing budgets, {how}."))
}

/// `58.3 (54.1 to 62.4)`.
pub(super) fn rate(tally: &Tally) -> String {
    let score = tally.score();
    if tally.games() == 0 {
        return "–".to_owned();
    }
    format!("{:.1} ({:.1} to {:.1})", 100.0 * score.value, 100.0 * score.low, 100.0 * score.high)
}

fn best(scale: Scale, known: &Results) -> Vec<Block> {
    let mut table = Table::new(
        "Win rate in percent at the setting that is the paper's best with score bounds, and at our own best",
        ["game", "setting", "paper", "ours (95 %)", "our best", "ours there (95 %)", "games"],
    );
    let (mut agree, mut sure, mut played) = (0, 0, 0);
    for game in &GAMES {
        let Some((setting, theirs)) = favourite(game) else { continue };
        let caps = by_iterations(game.iterations, scale);
        let tally = |setting: Setting| setting.tally(game.spec, caps, scale, known);
        let there = tally(setting);
        let tried = settings(game, scale, false).into_iter().filter(|setting| setting.bounds);
        let tried = tried.map(|setting| (setting, tally(setting)));
        let own = tried.max_by(|a, b| a.1.score().value.total_cmp(&b.1.score().value));
        let Some((own_setting, own)) = own.filter(|own| own.1.games() > 0) else { continue };
        played += 1;
        agree += usize::from((there.score().value > 0.5) == (theirs > 50.0));
        sure += usize::from(there.score().low > 0.5);
        table.row([
            game.name.to_owned(),
            setting.label(),
            format!("{theirs:.1}"),
            rate(&there),
            own_setting.label(),
            rate(&own),
            there.games().to_string(),
        ]);
    }
    let text = format!(
        "At the paper's best setting the sign agrees (GPN-MCTS wins more than half) in {agree} of {played} games; in {sure} of them the interval lies above 50 %. Our own best \
         setting is chosen after the fact, so its rate flatters."
    );
    vec![table.into(), Block::text(text)]
}

/// The paper's best settings under other conditions.
fn otherwise(scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        "The paper's best settings under other conditions; win rates in percent with 95 % intervals",
        [
            "game",
            "setting",
            "paper",
            "by iterations",
            "half of them",
            "C_pn = 0",
            "as Ludii plays",
            "by time",
            "iterations by time",
        ],
    );
    for game in &GAMES {
        let Some((setting, theirs)) = favourite(game) else { continue };
        let caps = by_iterations(game.iterations, scale);
        let rate = |setting: Setting, caps| rate(&setting.tally(game.spec, caps, scale, known));
        table.row([
            game.name.to_owned(),
            setting.label(),
            format!("{theirs:.1}"),
            rate(setting, caps),
            rate(setting, half(game.iterations, scale)),
            rate(Setting { column: 0, ..setting }, caps),
            rate(Setting { ludii: true, ..setting }, caps),
            rate(setting, by_time(scale)),
            iterations(setting.cells(game.spec, by_time(scale), scale), known),
        ]);
    }
    table
}

/// Iterations a move, on average over all games.
fn iterations(cells: impl Iterator<Item = Cell>, known: &Results) -> String {
    let (mut iterations, mut moves) = (0, 0);
    for record in cells.filter_map(|cell| known.get(&cell)) {
        iterations += record.stats.iterations;
        moves += record.line.split(' ').count() as u64;
    }
    iterations.checked_div(moves).map_or_else(|| "–".to_owned(), grouped)
}

fn grid(scale: Scale, known: &Results, ludii: bool) -> Table {
    let mut table = Table::new(
        "Win rate of GPN-MCTS in percent for every C_pn: the paper's → ours ± half of its 95 % interval",
        ["game", "variant", "0", "0.1", "0.5", "1", "2", "5"],
    );
    for game in &GAMES {
        for line in game.lines {
            let cell = |column: usize| {
                let setting = Setting { ludii, ..Setting::of(line, column) };
                let tally = setting.tally(game.spec, by_iterations(game.iterations, scale), scale, known);
                let theirs = line.rates[column];
                let score = tally.score();
                match tally.games() {
                    0 => format!("{theirs:.1}"),
                    _ => format!("{theirs:.0} → {:.0} ± {:.0}", 100.0 * score.value, 100.0 * score.margin()),
                }
            };
            let mut row = vec![game.name.to_owned(), variant(line.formula, line.bounds)];
            row.extend((0..WEIGHTS.len()).map(cell));
            table.rows.push(row);
        }
    }
    table
}

fn scatter(scale: Scale, known: &Results) -> Figure {
    let series = [Formula::Rank, Formula::Max, Formula::Sum].map(|formula| {
        let mut points = Vec::new();
        for game in &GAMES {
            for line in game.lines.iter().filter(|line| line.formula == formula && line.bounds) {
                for column in line.columns(scale) {
                    let caps = by_iterations(game.iterations, scale);
                    let tally = Setting::of(line, column).tally(game.spec, caps, scale, known);
                    if tally.games() > 0 {
                        points.push((line.rates[column], 100.0 * tally.score().value));
                    }
                }
            }
        }
        Series { name: formula.label().to_owned(), points, mark: Mark::Dots }
    });
    let plot = Plot {
        x: Axis::linear("win rate in the paper (%)").from_to(0.0, 100.0),
        y: Axis::linear("win rate here (%)").from_to(0.0, 100.0),
        series: series.to_vec(),
        diagonal: true,
    };
    plot.figure(
        "rates",
        "Every setting with score bounds that was played; on the dashed line the win rates are equal.",
    )
}
