//! Paper 5's claims about time and budget: what proof numbers cost, and how the gain depends on the iterations.

use super::claims::{about_half, favourites, full};
use super::tables::rate;
use super::{
    GAMES, Game, Setting, TIMED, budgets, by_budget, by_iterations, by_time, compared, favourite, half,
    tallied,
};
use crate::claim::{Finding, Ruling, rule};
use crate::{Results, Scale};
use delphic_engine::arena::Tally;

pub(super) fn timed(scale: Scale, known: &Results) -> Finding {
    let mut shown = Vec::new();
    let (mut sure, mut against) = (0, 0);
    for game in GAMES.iter().filter(|game| TIMED.contains(&game.spec)) {
        let Some((setting, _)) = favourite(game) else { continue };
        let tally = setting.tally(game.spec, by_time(scale), scale, known);
        if tally.games() == 0 {
            return Finding::incomplete();
        }
        sure += usize::from(tally.score().low > 0.5);
        against += usize::from(tally.score().high < 0.5);
        shown.push(format!("{} {}", game.name, rate(&tally)));
    }
    let holds = if against > 0 { Some(false) } else { (sure == shown.len()).then_some(true) };
    Finding::new(
        rule(holds, false),
        shown.join("; "),
        "Four games by time, with less time a move than the paper's but more iterations, because our program is faster.",
    )
}

/// The smallest and the largest budget of each game's curve.
pub(super) fn budget(scale: Scale, known: &Results) -> Finding {
    let (mut apart, mut shown, mut all) = (0, Vec::new(), 0);
    for game in &GAMES {
        let (Some((setting, _)), [first, .., last]) = (favourite(game), budgets(game.spec, false, scale))
        else {
            continue;
        };
        let [low, high] =
            [first, last].map(|&budget| setting.tally(game.spec, by_budget(budget), scale, known));
        if low.games() == 0 || high.games() == 0 {
            return Finding::incomplete();
        }
        all += 1;
        if low.score().high < high.score().low || high.score().high < low.score().low {
            apart += 1;
            shown.push(format!(
                "{} {:.0} → {:.0}",
                game.name,
                100.0 * low.score().value,
                100.0 * high.score().value
            ));
        }
    }
    if all == 0 {
        return Finding::not_run("Budgets are compared at quick and paper only.");
    }
    let words = match shown.is_empty() {
        true => "No interval at the smallest budget is apart from that at the largest.".to_owned(),
        false => format!("Apart, from the smallest budget to the largest: {}.", shown.join(", ")),
    };
    Finding::new(rule((apart > 0).then_some(true), full(scale)), format!("{apart} of {all} games"), words)
}

pub(super) fn half_budget(scale: Scale, known: &Results) -> Finding {
    let wanted = |game: &Game| compared(game, scale);
    let halved = favourites(wanted, |game, setting| {
        setting.tally(game.spec, half(game.iterations, scale), scale, known)
    });
    let whole = favourites(wanted, |game, setting| {
        setting.tally(game.spec, by_iterations(game.iterations, scale), scale, known)
    });
    let (Some(halved), Some(whole)) = (halved.filter(|all| !all.is_empty()), whole) else {
        return Finding::not_testable(
            "The paper contradicts itself: its text says 0.5 s per turn, the caption of table 1 says 1 s.",
        );
    };
    let shift: f64 = halved
        .iter()
        .zip(&whole)
        .map(|(half, whole)| half.2.score().value - whole.2.score().value)
        .sum::<f64>()
        / halved.len() as f64;
    Finding::new(
        Ruling::NotTestable,
        format!("half the iterations: {:+.1} points on average", 100.0 * shift).replace('-', "−"),
        "The paper contradicts itself, so one of the two is wrong; the shift shows how much it matters.",
    )
}

pub(super) fn overhead(scale: Scale, known: &Results) -> Finding {
    let found = favourites(
        |game| compared(game, scale),
        |game, setting| {
            Setting { column: 0, ..setting }.tally(
                game.spec,
                by_iterations(game.iterations, scale),
                scale,
                known,
            )
        },
    );
    let Some(all) = found.filter(|all| !all.is_empty()) else { return Finding::incomplete() };
    let off: Vec<&str> = all
        .iter()
        .filter(|(.., tally)| tally.score().low > 0.5 || tally.score().high < 0.5)
        .map(|(game, ..)| game.name)
        .collect();
    // All games together: one game alone has too few.
    let together = favourites_together(scale, known);
    let holds = if off.len() > 1 { Some(false) } else { about_half(together.score()) };
    let words = match off.is_empty() {
        true => "Every interval contains 50 %.".to_owned(),
        false => format!("Outside: {}.", off.join(", ")),
    };
    Finding::new(
        rule(holds, full(scale)),
        format!(
            "{} of {} intervals contain 50 %; all games together {}",
            all.len() - off.len(),
            all.len(),
            rate(&together)
        ),
        words + " By iterations, so this tests the play and not the overhead in time.",
    )
}

/// All games of the best settings with C_pn = 0.
fn favourites_together(scale: Scale, known: &Results) -> Tally {
    let settings =
        GAMES.iter().filter(|game| compared(game, scale)).filter_map(|game| Some((game, favourite(game)?.0)));
    let cells = settings.flat_map(|(game, setting)| {
        Setting { column: 0, ..setting }.cells(game.spec, by_iterations(game.iterations, scale), scale)
    });
    tallied(cells, known)
}
