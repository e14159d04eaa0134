//! Paper 5's claims.

use super::budget::{budget, half_budget, overhead, timed};
use super::tables::rate;
use super::{
    FINER, FORMULAS, Formula, GAMES, Game, OTHERS, PLAIN, PLAIN_ITERATIONS, Players, STEEP, Setting, THREE,
    by_iterations, favourite, finer, settings, tallied, three,
};
use crate::claim::{Claim, Finding, Ruling, larger_for_interval, larger_sample, rule};
use crate::report::short;
use crate::{Record, Results, Scale};
use delphic_base::Interval;
use delphic_engine::arena::Tally;

pub(super) const CLAIMS: [Claim<Players>; 19] = [
    Claim {
        id: "5.fig1",
        place: "figures 1 and 2",
        says: "How proof numbers per player are backed up and ranked.",
        figure: "illustration",
        test: |_, _, _| Finding::not_testable("Illustrations; nothing was measured."),
    },
    Claim {
        id: "5.alg1",
        place: "algorithm 1, formulas 1 to 5",
        says: "GPN-MCTS with the biases PNRank, PNMax and PNSum.",
        figure: "algorithm",
        test: |_, _, _| {
            Finding::new(
                Ruling::Holds,
                "",
                "Implemented as printed, with the choices in the table of algorithms.",
            )
        },
    },
    Claim {
        id: "5.table1.wins",
        place: "table 1",
        says: "With the right formula and C_pn, GPN-MCTS beats Score Bounded MCTS in all eleven games.",
        figure: "11 of 11",
        test: |_, scale, known| wins(scale, known),
    },
    Claim {
        id: "5.eighty",
        place: "abstract, §4",
        says: "The win rate reaches 80 % in 8 of the 11 games.",
        figure: "8 of 11",
        test: |_, scale, known| eighty(scale, known),
    },
    Claim {
        id: "5.table1.levels",
        place: "table 1",
        says: "Win rates at the best setting of each game.",
        figure: "63.2 to 92.4 %",
        test: |_, scale, known| levels(scale, known),
    },
    Claim {
        id: "5.knightthrough",
        place: "§4.1",
        says: "Knightthrough has the lowest best win rate.",
        figure: "63.2 %",
        test: |_, scale, known| lowest(scale, known),
    },
    Claim {
        id: "5.cpn",
        place: "§4.1",
        says: "The best C_pn differs greatly from game to game: Lines of Action 8×8 falls from 82.5 % at 1 to 25.9 % at 5 (PNMax).",
        figure: "82.5 % and 25.9 %",
        test: |_, scale, known| fall(scale, known),
    },
    Claim {
        id: "5.formulas",
        place: "§4.1",
        says: "PNRank is the best formula in Minishogi, PNMax in Surakarta, PNSum in Reversi.",
        figure: "67.8 %, 82.0 %, 76.7 %",
        test: |_, scale, known| formulas(scale, known),
    },
    Claim {
        id: "5.overhead",
        place: "§4.3, column C_pn = 0",
        says: "With C_pn = 0 the win rate is about 50 %: the overhead does not matter.",
        figure: "45.2 to 54.6 %",
        test: |_, scale, known| overhead(scale, known),
    },
    Claim {
        id: "5.time",
        place: "§4",
        says: "The gain is there with equal time, overhead included.",
        figure: "all games",
        test: |_, scale, known| timed(scale, known),
    },
    Claim {
        id: "5.sb",
        place: "§4.2, rows without SB",
        says: "Without score bounds on both sides the win rates are similar.",
        figure: "7 rows, best 69.2 to 89.5 %",
        test: |_, scale, known| unbounded(scale, known, false),
    },
    Claim {
        id: "5.half",
        place: "§4 against table 1",
        says: "0.5 s per turn (text) or 1 s (table).",
        figure: "the paper contradicts itself",
        test: |_, scale, known| half_budget(scale, known),
    },
    Claim {
        id: "5.worse",
        place: "§4",
        says: "Connect Four and Diagonals get worse.",
        figure: "in words",
        test: |_, scale, known| {
            others(scale, known, &OTHERS[..2], |tally| {
                match (tally.score().high < 0.5, tally.score().low > 0.5) {
                    (true, _) => Some(true),
                    (_, true) => Some(false),
                    _ => None,
                }
            })
        },
    },
    Claim {
        id: "5.same",
        place: "§4",
        says: "Pentago and Pentalath show no visible impact.",
        figure: "in words",
        test: |_, scale, known| others(scale, known, &OTHERS[2..], |tally| about_half(tally.score())),
    },
    Claim {
        id: "5.budget",
        place: "not in the paper",
        says: "The gain depends on the number of iterations for each move.",
        figure: "none",
        test: |_, scale, known| budget(scale, known),
    },
    Claim {
        id: "5.sb.plain",
        place: "§4.2, rows without SB",
        says: "The same against a plain baseline that does not skip solved nodes.",
        figure: "7 rows, best 69.2 to 89.5 %",
        test: |_, scale, known| unbounded(scale, known, true),
    },
    Claim {
        id: "5.players",
        place: "§5, future work",
        says: "GPN-MCTS gains in games for three players, too.",
        figure: "future work",
        test: |_, scale, known| three_players(scale, known),
    },
    Claim {
        id: "5.knowledge",
        place: "§5, future work",
        says: "Domain knowledge in the proof numbers.",
        figure: "future work",
        test: |_, _, _| {
            Finding::not_testable(
                "The paper announces it and names no such knowledge, so there is nothing to implement.",
            )
        },
    },
    Claim {
        id: "5.finer",
        place: "§4",
        says: "The tested values of C_pn estimate the highest win rate well: values between or beyond them are not better.",
        figure: "in words",
        test: |_, scale, known| between(scale, known),
    },
];

/// What it takes to tell two win rates apart.
fn games_needed(one: &Tally, other: &Tally, seconds: Option<f64>) -> String {
    let [one_score, other_score] = [one.score(), other.score()];
    let (value, margin) =
        (one_score.value - other_score.value, one_score.margin().hypot(other_score.margin()));
    let difference = Interval { value, low: value - margin, high: value + margin };
    let games = format!("games ({} and {} now)", one.games(), other.games());
    larger_sample(larger_for_interval(difference, 0.0), &games, seconds)
}

pub(super) fn full(scale: Scale) -> bool {
    scale == Scale::Paper
}

/// The best setting of every one of these games with the paper's rate and ours; `None` unless all were played.
pub(super) fn favourites(
    wanted: impl Fn(&Game) -> bool,
    of: impl Fn(&Game, Setting) -> Tally,
) -> Option<Vec<(&'static Game, f64, Tally)>> {
    let one = |game: &'static Game| {
        let (setting, theirs) = favourite(game)?;
        let tally = of(game, setting);
        (tally.games() > 0).then_some((game, theirs, tally))
    };
    GAMES.iter().filter(|game| wanted(game)).map(one).collect()
}

fn at_budget(scale: Scale, known: &Results) -> Option<Vec<(&'static Game, f64, Tally)>> {
    favourites(
        |_| true,
        |game, setting| setting.tally(game.spec, by_iterations(game.iterations, scale), scale, known),
    )
}

fn wins(scale: Scale, known: &Results) -> Finding {
    let Some(all) = at_budget(scale, known) else { return Finding::incomplete() };
    let sure = all.iter().filter(|(.., tally)| tally.score().low > 0.5).count();
    let against: Vec<&str> =
        all.iter().filter(|(.., tally)| tally.score().high < 0.5).map(|(game, ..)| game.name).collect();
    let holds = if !against.is_empty() { Some(false) } else { (sure == all.len()).then_some(true) };
    let words = match holds {
        Some(true) => "At the paper's best setting the interval lies above 50 % in every game.".to_owned(),
        Some(false) => format!("GPN-MCTS loses more than it wins in {}.", against.join(", ")),
        None => "In some games the interval reaches 50 %.".to_owned(),
    };
    Finding::new(rule(holds, full(scale)), format!("{sure} of {}", all.len()), words)
}

fn eighty(scale: Scale, known: &Results) -> Finding {
    let theirs = GAMES.iter().filter_map(favourite).filter(|(_, rate)| *rate >= 80.0).count();
    let ours = at_budget(scale, known).map(|all| {
        let reached = all.iter().filter(|(.., tally)| tally.score().value >= 0.8).count();
        format!("{reached} of {} at the paper's settings", all.len())
    });
    Finding::new(
        Ruling::Contradicted,
        ours.unwrap_or_default(),
        format!(
            "The paper contradicts itself: in its own table the best setting reaches 80 % in {theirs} of the 11 games; 8 would need 76.7 % to count."
        ),
    )
}

fn levels(scale: Scale, known: &Results) -> Finding {
    let Some(all) = at_budget(scale, known) else { return Finding::incomplete() };
    let off: Vec<String> = all
        .iter()
        .filter(|(_, theirs, tally)| !(tally.score().low..=tally.score().high).contains(&(theirs / 100.0)))
        .map(|(game, theirs, tally)| {
            format!("{} {theirs:.0} → {:.0}", game.name, 100.0 * tally.score().value)
        })
        .collect();
    // One in twenty intervals misses by chance.
    let holds = match off.len() {
        0 | 1 => Some(true),
        2 => None,
        _ => Some(false),
    };
    let words = match off.is_empty() {
        true => "All of the paper's rates lie within our intervals.".to_owned(),
        false => format!(
            "Outside our intervals: {}. The paper's machine, and so its number of iterations, is unknown; the budget curve shows how much that matters.",
            off.join(", ")
        ),
    };
    Finding::new(
        rule(holds, full(scale)),
        format!("{} of {} within our intervals", all.len() - off.len(), all.len()),
        words,
    )
}

fn lowest(scale: Scale, known: &Results) -> Finding {
    let Some(all) = at_budget(scale, known) else { return Finding::incomplete() };
    let least = all.iter().min_by(|a, b| a.2.score().value.total_cmp(&b.2.score().value));
    let knight = all.iter().find(|(game, ..)| game.spec == "knightthrough");
    let (Some((game, _, least)), Some((.., knight))) = (least, knight) else { return Finding::incomplete() };
    let apart = knight.score().low > least.score().high;
    let holds = if game.spec == "knightthrough" { Some(true) } else { apart.then_some(false) };
    Finding::new(
        rule(holds, full(scale)),
        format!("Knightthrough {}; lowest {} {}", rate(knight), game.name, rate(least)),
        "At our budget; with many more iterations Knightthrough's gain shrinks (games by time, budget curve).",
    )
    .needing(games_needed(knight, least, None))
}

fn fall(scale: Scale, known: &Results) -> Finding {
    let (spec, formula, columns) = STEEP;
    let Some(game) = GAMES.iter().find(|game| game.spec == spec) else { return Finding::incomplete() };
    let caps = by_iterations(game.iterations, scale);
    let settings = columns.map(|column| Setting { formula, bounds: true, column, ludii: false });
    let [at_1, at_5] = settings.map(|setting| setting.tally(game.spec, caps, scale, known));
    let seconds = settings.iter().flat_map(|setting| seconds(*setting, game, scale, known)).sum();
    if at_1.games() == 0 || at_5.games() == 0 {
        return Finding::incomplete();
    }
    let holds = match (at_1.score().low > at_5.score().high, at_5.score().low > at_1.score().high) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    Finding::new(
        rule(holds, full(scale)),
        format!("{} and {}", rate(&at_1), rate(&at_5)),
        "PNMax on Lines of Action 8×8 with C_pn = 1 and 5.",
    )
    .needing(games_needed(&at_1, &at_5, Some(seconds)))
}

/// The seconds of every game of a match with the paper's budget.
fn seconds(setting: Setting, game: &Game, scale: Scale, known: &Results) -> Vec<f64> {
    let cells = setting.cells(game.spec, by_iterations(game.iterations, scale), scale);
    cells.filter_map(|cell| known.get(&cell).map(Record::seconds)).collect()
}

/// Whether a win rate is about one half: the interval contains it and is not too wide to tell.
pub(super) fn about_half(score: Interval) -> Option<bool> {
    match (score.low > 0.5 || score.high < 0.5, score.low > 0.3 && score.high < 0.7) {
        (true, _) => Some(false),
        (false, true) => Some(true),
        (false, false) => None,
    }
}

fn unbounded(scale: Scale, known: &Results, ludii: bool) -> Finding {
    let mut off = Vec::new();
    let (mut played, mut wide, mut hours) = (0, false, 0.0);
    for game in &GAMES {
        for line in game.lines.iter().filter(|line| !line.bounds) {
            let column = line.best()[0];
            let setting = Setting { ludii, ..Setting::of(line, column) };
            let tally = setting.tally(game.spec, by_iterations(game.iterations, scale), scale, known);
            if tally.games() == 0 {
                return match scale {
                    Scale::Smoke => Finding::not_run("Rows without score bounds are not played at smoke."),
                    Scale::Quick | Scale::Paper => Finding::incomplete(),
                };
            }
            played += 1;
            let seconds = seconds(setting, game, scale, known);
            hours += 500.0 * seconds.iter().sum::<f64>() / seconds.len() as f64 / 3600.0;
            let score = tally.score();
            wide |= score.margin() > 0.15;
            if !(score.low..=score.high).contains(&(line.rates[column] / 100.0)) {
                off.push(format!("{} {:.0} → {:.0}", game.name, line.rates[column], 100.0 * score.value));
            }
        }
    }
    let holds = match off.len() {
        // Intervals that reach further than 15 points do not show that two rates are similar.
        0 | 1 => (!wide).then_some(true),
        2 => None,
        _ => Some(false),
    };
    let words =
        if off.is_empty() { "None is outside.".to_owned() } else { format!("Outside: {}.", off.join(", ")) };
    let words =
        words + if wide { " The intervals are too wide to show that the rates are similar." } else { "" };
    Finding::new(
        rule(holds, full(scale)),
        format!("{} of {played} of the paper's rates within our intervals", played - off.len()),
        words
            + if ludii {
                " Both sides play as the published code without score bounds."
            } else {
                " Our baseline without score bounds still skips solved nodes."
            },
    )
    .needing(format!("500 games for each row, as in the paper, take about {} CPU hours.", short(hours)))
}

fn three_players(scale: Scale, known: &Results) -> Finding {
    let (mut shown, mut answers) = (Vec::new(), Vec::new());
    for (name, spec) in THREE {
        let tally = tallied(three(spec, scale), known);
        if tally.games() == 0 {
            return Finding::incomplete();
        }
        answers.push(match (tally.score().low > 0.5, tally.score().high < 0.5) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        });
        shown.push(format!("{name} {}", rate(&tally)));
    }
    let holds = if answers.contains(&Some(false)) {
        Some(false)
    } else {
        answers.contains(&Some(true)).then_some(true)
    };
    Finding::new(
        rule(holds, full(scale)),
        shown.join("; "),
        "The share of wins of `gpn-mcts` against `uct` over all orders of the players; the paper announces such games and claims nothing.",
    )
}

/// Values of C_pn that the paper does not have, beside its best one.
fn between(scale: Scale, known: &Results) -> Finding {
    let (mut shown, mut better) = (Vec::new(), Vec::new());
    for (spec, formula, weights) in FINER {
        let Some(game) = GAMES.iter().find(|game| game.spec == spec) else { continue };
        let Some((setting, _)) = favourite(game) else { continue };
        let theirs = setting.tally(spec, by_iterations(game.iterations, scale), scale, known);
        for weight in weights {
            let tally = tallied(finer(spec, formula, weight, scale), known);
            if tally.games() == 0 || theirs.games() == 0 {
                return match scale {
                    Scale::Smoke => Finding::not_run("Other values of C_pn are not played at smoke."),
                    Scale::Quick | Scale::Paper => Finding::incomplete(),
                };
            }
            shown.push(format!("{} at {weight}: {}", game.name, rate(&tally)));
            if tally.score().low > theirs.score().high {
                better.push(format!("{} at {weight}", game.name));
            }
        }
        shown.push(format!("at the paper's {}: {}", super::WEIGHTS[setting.column], rate(&theirs)));
    }
    let holds = better.is_empty();
    let words = match holds {
        true => "None is better than the paper's best value beyond the intervals.".to_owned(),
        false => format!("Better: {}.", better.join(", ")),
    };
    Finding::new(rule(Some(holds), full(scale)), shown.join("; "), words)
}

fn others(
    scale: Scale,
    known: &Results,
    games: &[(&str, &str, &str)],
    answer: impl Fn(&Tally) -> Option<bool>,
) -> Finding {
    let mut shown = Vec::new();
    let mut answers = Vec::new();
    for (name, spec, _) in games {
        let tally = PLAIN.tally(spec, by_iterations(PLAIN_ITERATIONS, scale), scale, known);
        if tally.games() == 0 {
            return Finding::incomplete();
        }
        answers.push(answer(&tally));
        shown.push(format!("{name} {}", rate(&tally)));
    }
    let holds =
        if answers.contains(&Some(false)) { Some(false) } else { (!answers.contains(&None)).then_some(true) };
    Finding::new(
        rule(holds, full(scale)),
        shown.join("; "),
        "PNRank with score bounds, C_pn = 1; the paper gives no numbers.",
    )
    .needing("Scale paper, with 500 games for each setting, takes days.")
}

/// Whether the paper's best formula of three games is our best, too, among the settings that were played.
fn formulas(scale: Scale, known: &Results) -> Finding {
    if scale != Scale::Paper {
        return Finding::not_run(
            "In the paper the best formula is 6 to 21 points ahead of the next; to decide that for all three games takes hundreds of games for each setting, as at scale paper, which takes days.",
        );
    }
    let (mut shown, mut answers) = (Vec::new(), Vec::new());
    for (spec, formula) in FORMULAS {
        let Some(game) = GAMES.iter().find(|game| game.spec == spec) else { continue };
        let caps = by_iterations(game.iterations, scale);
        // The best column of each formula, theirs at quick, ours at paper.
        let best = |formula: Formula| {
            let tried = settings(game, scale, false).into_iter();
            let tried = tried.filter(|setting| setting.bounds && setting.formula == formula);
            let played = tried.map(|setting| setting.tally(spec, caps, scale, known));
            let played = played.filter(|tally| tally.games() > 0);
            played.max_by(|a, b| a.score().value.total_cmp(&b.score().value))
        };
        let all = [Formula::Rank, Formula::Max, Formula::Sum].map(|formula| (formula, best(formula)));
        let mut words = Vec::new();
        let (mut mine, mut others) = (None, Vec::new());
        for (tried, tally) in &all {
            let Some(tally) = tally else { return Finding::incomplete() };
            words.push(format!("{} {}", tried.label(), rate(tally)));
            if *tried == formula {
                mine = Some(tally.score());
            } else {
                others.push(tally.score());
            }
        }
        let Some(mine) = mine else { return Finding::incomplete() };
        answers.push(
            match (
                others.iter().all(|other| mine.low > other.high),
                others.iter().any(|other| other.low > mine.high),
            ) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            },
        );
        shown.push(format!("{}: {}", game.name, words.join(", ")));
    }
    let holds =
        if answers.contains(&Some(false)) { Some(false) } else { (!answers.contains(&None)).then_some(true) };
    Finding::new(
        rule(holds, full(scale)),
        shown.join("; "),
        "Each formula at its best C_pn. Decided where intervals do not overlap.",
    )
}
