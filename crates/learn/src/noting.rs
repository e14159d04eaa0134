//! Records the patterns of all moves that a search expands (paper 4, §4.1), whether they are solved or not.

use crate::prior::LearnedPrior;
use crate::table::Table;
use crate::templates::Templates;
use delphic_game::Gate;
use delphic_game::patterns::{Patterns, Surroundings};
use delphic_search::prior::MoveModel;
use delphic_search::rule::Evidence;
use std::sync::{Mutex, PoisonError};

/// A prior, or none, that also records the patterns of every leaf it evaluates. Leaves whose parent is decided by a terminal sibling are
/// not evaluated.
#[derive(Debug)]
pub struct Noting {
    templates: Templates,
    prior: Option<LearnedPrior>,
    noted: Mutex<Table>,
}

impl Noting {
    /// Records the leaves that this prior evaluates; without a prior, no leaf has evidence.
    pub fn new<G: Patterns + ?Sized>(game: &G, prior: Option<LearnedPrior>) -> Noting {
        Noting { templates: Templates::new(game.alike()), prior, noted: Mutex::default() }
    }

    /// The patterns recorded since the last call, without counts.
    pub fn take(&self) -> Table {
        std::mem::take(&mut self.noted.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl MoveModel for Noting {
    fn judge(&self, surroundings: &Surroundings, own: bool, gate: Gate, moves: usize) -> Evidence {
        let stack = self.templates.stack(surroundings, own);
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).note(&stack);
        self.prior.as_ref().map_or(Evidence::None, |prior| prior.judge(surroundings, own, gate, moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{Force, Game, Player};
    use delphic_games::NoGo;
    use delphic_search::kernel::{self, Expand};
    use delphic_search::rule::Product;
    use delphic_search::{LeafPrior, Limits, Position, Searchable};
    use std::sync::Arc;

    /// Noting changes nothing, and notes at least the patterns of the moves that are solved.
    #[test]
    fn a_search_is_noted() {
        let game = NoGo::new(3, 3);
        let question = Force { player: Player::FIRST, at_least: 1 };
        let position = Position { game: &game, state: game.start() };
        let solve = |prior| {
            let tree = position.tree(question, prior);
            kernel::solve(tree, &Product::default(), Expand::Plain, Limits::default(), &mut ())
        };
        let noting = Arc::new(Noting::new(&game, None));
        let (plain, noted) = (solve(LeafPrior::Uniform), solve(LeafPrior::Learned(noting.clone())));
        assert_eq!((plain.truth, plain.stats.created), (noted.truth, noted.stats.created));
        let table = noting.take();
        assert!(table.len() > 20 && table.iter().all(|(_, entry)| (entry.yes, entry.no) == (0, 0)));
        assert!(noting.take().is_empty());
    }
}
