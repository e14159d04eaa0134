//! Counting the moves that searches have solved (paper 4, §4.1 and §4.2).

use crate::table::Table;
use crate::templates::{Stack, Templates};
use delphic_game::Force;
use delphic_search::{Report, Searchable};

/// Enumerates at most `most` solved moves of a search that answered `question` at `position`: the keys of their patterns, and whether the
/// answer after the move is yes. A game without patterns has none.
pub fn solved_moves(
    position: &dyn Searchable,
    question: Force,
    report: &Report,
    most: usize,
    sink: &mut dyn FnMut(&Stack, bool),
) {
    let (Some(alike), Some(memory)) = (position.pattern_symmetry(), &report.memory) else { return };
    let templates = Templates::new(alike);
    position.solved_moves(question, memory, most, &mut |surroundings, own, yes| {
        sink(&templates.stack(surroundings, own), yes);
    });
}

/// Adds the solved moves of a search to a table.
pub fn harvest(position: &dyn Searchable, question: Force, report: &Report, most: usize, table: &mut Table) {
    solved_moves(position, question, report, most, &mut |stack, yes| table.observe(stack, yes));
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{Game, Player, Verdict};
    use delphic_games::NoGo;
    use delphic_search::kernel::{self, Expand};
    use delphic_search::rule::Product;
    use delphic_search::{GameProblem, LeafPrior, Limits, Position, Symmetry, brute, graph};

    /// The solved moves of a tree and of a graph have the answers that brute force finds.
    #[test]
    fn solved_moves_are_right() {
        let game = NoGo::new(3, 3);
        let question = Force { player: Player::FIRST, at_least: 1 };
        let position = Position { game: &game, state: game.start() };
        let problem = GameProblem::new(&game, question, game.start());
        let (rule, limits) = (Product::default(), Limits::default());
        let tree = position.tree(question, LeafPrior::Mobility);
        let tree = kernel::solve(tree, &rule, Expand::Plain, limits, &mut ());
        let shared = position.graph(question, LeafPrior::Mobility, Symmetry::On);
        for report in [tree, graph::solve(shared, &rule, limits, &mut ())] {
            let mut seen = 0;
            let solved = report.memory.as_ref().unwrap().get::<NoGo>().unwrap();
            solved.each_move(&problem, &mut |before, mv, verdict: Verdict| {
                let child = GameProblem::new(&game, question, problem.child(before, mv));
                assert_eq!(brute::solve(&child, Limits::default(), &mut ()).truth, verdict);
                seen += 1;
            });
            let mut table = Table::default();
            harvest(&position, question, &report, 50, &mut table);
            let counted: u32 = table
                .iter()
                .filter(|(key, entry)| *key == entry.parent)
                .map(|(_, entry)| entry.yes + entry.no)
                .sum();
            assert_eq!(counted as usize, seen.min(50));
            assert!(seen > 50);
        }
    }
}
