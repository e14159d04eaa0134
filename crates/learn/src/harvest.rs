//! Counting the solved moves of searches (paper 4, §4.1 and §4.2).

use crate::table::Table;
use crate::templates::{Stack, Templates};
use delphic_game::{Asked, Force, Hints, Problem, Verdict};
use delphic_search::Report;

/// Calls `tell` for every solved move of a search that answered its question, at most `most` times, with the move's patterns and
/// whether the answer after it is yes; never for a game without patterns. A search that ended at a limit keeps nothing to learn from.
pub fn solved_moves<'g, G: Hints>(
    asked: &Asked<'g, G, Force>,
    report: &Report<Asked<'g, G, Force>>,
    most: usize,
    mut tell: impl FnMut(&Stack, bool),
) {
    let (Some(patterns), Some(memory)) = (asked.game.patterns(), &report.memory) else { return };
    let (templates, player) = (Templates::new(patterns.alike()), asked.question.player);
    let mut left = most;
    memory.solved_moves(asked, &mut |before: &G::State, mv, truth| {
        if left > 0 {
            left -= 1;
            let seen = patterns.surroundings(before, mv, &asked.child(before, mv), player);
            let stack = templates.stack(&seen, asked.game.turn(before) == player);
            tell(&stack, truth == Verdict::Proved);
        }
    });
}

/// Adds the solved moves of a search to a table.
pub fn harvest<'g, G: Hints>(
    asked: &Asked<'g, G, Force>,
    report: &Report<Asked<'g, G, Force>>,
    most: usize,
    table: &mut Table,
) {
    solved_moves(asked, report, most, |stack, yes| table.observe(stack, yes));
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{Game, Player};
    use delphic_games::NoGo;
    use delphic_search::dag::Symmetry;
    use delphic_search::kernel::Expand;
    use delphic_search::prior::Leaf;
    use delphic_search::rule::Product;
    use delphic_search::{Limits, brute, dag, kernel};

    /// The answers that a tree and a graph list for their moves are those of brute force.
    #[test]
    fn what_is_told_is_true() {
        let game = NoGo::new(3, 3);
        let asked = Asked::new(&game, Force { player: Player::FIRST, at_least: 1 }, game.start());
        let rule = Product::default();
        let tree = kernel::solve(&asked, rule, Leaf::Mobility, Expand::Plain, Limits::default(), &mut ());
        let graph = dag::solve(&asked, rule, Leaf::Mobility, Symmetry::On, Limits::default(), &mut ());
        for report in [tree, graph] {
            let mut told = 0;
            report.memory.as_ref().unwrap().solved_moves(&asked, &mut |before, mv, truth| {
                let child = Asked::new(&game, asked.question, asked.child(before, mv));
                assert_eq!(brute::solve(&child, Limits::default(), &mut ()).truth, truth);
                told += 1;
            });
            let mut table = Table::default();
            harvest(&asked, &report, 50, &mut table);
            let seen: u32 = table
                .iter()
                .filter(|(key, entry)| *key == entry.parent)
                .map(|(_, entry)| entry.yes + entry.no)
                .sum();
            assert_eq!(seen as usize, told.min(50));
            assert!(told > 50);
        }
    }
}
