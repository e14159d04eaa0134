//! What is said during a game.

use crate::lists::table;
use crate::units;
use crate::view::{Range, percent};
use delphic_engine::{Considered, Player, Thought};

/// Moves that a hint shows.
const SHOWN: usize = 10;
/// Columns of a list of moves.
const WIDTH: usize = 100;

/// The agent's view of the moves.
pub(crate) fn hint(thought: &Thought, range: Range) -> String {
    let moves = range.by_preference(thought);
    let known = |mv: &&Considered| mv.visits > 0 || range.proven(mv).is_some();
    let Some(best) = moves.first() else { return String::new() };
    if moves.len() == 1 {
        return format!("{} is your only move\n", best.mv);
    }
    let mut text = format!("the agent would play {}\n", best.mv);
    if !moves.iter().any(known) {
        return text + "it has no opinion of the moves\n";
    }
    let mut list = table(["move", "visits", "value", "proven"]);
    for mv in moves.iter().take(SHOWN) {
        let visits = if mv.visits > 0 { units::grouped(mv.visits.into()) } else { String::new() };
        let value = mv.mean.map_or_else(String::new, percent);
        list.add_row([mv.mv.clone(), visits, value, range.proven(mv).unwrap_or_default()]);
    }
    text += &format!("\n{list}\n");
    if let Some(more @ 1..) = moves.len().checked_sub(SHOWN) {
        text += &format!(" … and {more} more\n");
    }
    text + &effort(thought)
}

fn effort(thought: &Thought) -> String {
    let stats = &thought.stats;
    format!(
        "effort   {}, {} iterations, {} nodes created\n",
        units::time(stats.time),
        units::grouped(stats.iterations),
        units::grouped(stats.created)
    )
}

/// What the agent thinks of the move it makes: ` (61 %, 1,204 visits)`.
pub(crate) fn opinion(mv: &Considered, range: Range) -> String {
    match (range.proven(mv), mv.mean) {
        (Some(proven), _) => format!(" (proven: {proven})"),
        (None, Some(mean)) => {
            let plural = if mv.visits == 1 { "" } else { "s" };
            format!(" ({}, {} visit{plural})", percent(mean), units::grouped(mv.visits.into()))
        }
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

/// How a finished game went for a person in this seat.
pub(crate) fn result(payoffs: &[i16], person: Player) -> String {
    let own = payoffs.get(person.seat()).copied().unwrap_or(0);
    let verdict = match own {
        1.. => "you win",
        0 => "a draw",
        _ => "you lose",
    };
    if payoffs.len() == 2 && own.abs() <= 1 {
        return format!("the game is over: {verdict}\n");
    }
    let name =
        |seat: usize| if seat == person.seat() { "you".to_owned() } else { Player::new(seat).to_string() };
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
