//! The messages of a session.

use crate::move_ranking::{Range, percent};
use crate::tables::table;
use crate::units;
use delphic_engine::{Considered, Player, Thought};

/// The number of moves that a hint shows.
const SHOWN: usize = 10;
/// Columns of a list of moves.
const WIDTH: usize = 100;

/// The agent's estimates of the moves. A proven value replaces the estimate; moves without either are left out.
pub(crate) fn hint(thought: &Thought, range: Range) -> String {
    let moves = range.by_preference(thought);
    let Some(best) = moves.first() else { return String::new() };
    if moves.len() == 1 {
        return format!("{} is your only move\n", best.mv);
    }
    let mut text = format!("the agent would play {}\n", best.mv);
    let known: Vec<&&Considered> =
        moves.iter().filter(|mv| mv.visits > 0 || range.proven(mv).is_some()).collect();
    if known.is_empty() {
        return text + "it has no estimates of the moves\n";
    }
    let mut list = table(["move", "visits", "value", "proven"]);
    for mv in known.iter().take(SHOWN) {
        let visits = if mv.visits > 0 { units::grouped(mv.visits.into()) } else { String::new() };
        let estimate = mv.mean.filter(|_| !is_exact(mv)).map_or_else(String::new, percent);
        list.add_row([mv.mv.clone(), visits, estimate, range.proven(mv).unwrap_or_default()]);
    }
    text += &format!("\n{list}\n");
    if let Some(more @ 1..) = known.len().checked_sub(SHOWN) {
        text += &format!(" … and {more} more\n");
    }
    text + &effort(thought)
}

/// Whether the exact value of a move is proven.
fn is_exact(mv: &Considered) -> bool {
    mv.bounds.0 == mv.bounds.1
}

fn effort(thought: &Thought) -> String {
    let stats = &thought.stats;
    let iterations = match stats.iterations {
        0 => String::new(),
        iterations => format!("{}, ", units::plural(iterations, "iteration")),
    };
    let nodes = units::plural(stats.created, "node");
    format!("effort   {}, {iterations}{nodes} created\n", units::time(stats.time))
}

/// The agent's estimate of its move: ` (61 %, 1,204 visits)`, or ` (proven win)`.
pub(crate) fn opinion(mv: &Considered, range: Range) -> String {
    match (range.proven(mv), mv.mean) {
        (Some(proven), _) if is_exact(mv) => format!(" (proven {proven})"),
        (Some(proven), Some(mean)) => format!(" ({}, proven {proven})", percent(mean)),
        (Some(proven), None) => format!(" (proven {proven})"),
        (None, Some(mean)) => format!(" ({}, {})", percent(mean), units::plural(mv.visits.into(), "visit")),
        (None, None) => String::new(),
    }
}

/// The moves of a list in lines of equal columns.
pub(crate) fn columns(moves: &[&str]) -> String {
    let wide = moves.iter().map(|mv| mv.chars().count()).max().unwrap_or(0) + 2;
    let mut text = String::new();
    for line in moves.chunks((WIDTH / wide).max(1)) {
        let cells: String = line.iter().map(|mv| format!("{mv:<wide$}")).collect();
        text += cells.trim_end();
        text.push('\n');
    }
    text
}

/// The result of a finished game for this player.
pub(crate) fn result(payoffs: &[i16], person: Player) -> String {
    let own = payoffs.get(person.index()).copied().unwrap_or(0);
    let verdict = match own {
        1.. => "you win",
        0 => "a draw",
        _ => "you lose",
    };
    if payoffs.len() == 2 && own.abs() <= 1 {
        return format!("the game is over: {verdict}\n");
    }
    let name =
        |seat: usize| if seat == person.index() { "you".to_owned() } else { Player::new(seat).to_string() };
    let all: Vec<String> =
        payoffs.iter().enumerate().map(|(seat, payoff)| format!("{} {payoff}", name(seat))).collect();
    format!("the game is over ({}): {verdict}\n", all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results() {
        assert_eq!(result(&[1, -1], Player::FIRST), "the game is over: you win\n");
        assert_eq!(result(&[1, -1], Player::SECOND), "the game is over: you lose\n");
        assert_eq!(result(&[6, -6], Player::SECOND), "the game is over (first 6, you -6): you lose\n");
        assert_eq!(
            result(&[0, 0, 0], Player::new(2)),
            "the game is over (first 0, second 0, you 0): a draw\n"
        );
    }

    #[test]
    fn lists_fit_the_page() {
        let moves: Vec<String> = (0..60).map(|n| format!("a{n}")).collect();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let text = columns(&moves);
        assert_eq!(text.split_whitespace().collect::<Vec<_>>(), moves);
        assert!(text.lines().all(|line| line.len() <= WIDTH) && text.lines().count() < 4);
    }
}
