//! Learnt chances as a prior of searches.

use crate::beta::Beta;
use crate::chances::Chances;
use crate::gaussian::Gaussian;
use crate::harvest::stack_of;
use crate::table::{Table, TableError};
use crate::templates::Templates;
use delphic_game::patterns::{Patterns, Surroundings};
use delphic_game::{Asked, Force, Gate, Hints, Problem};
use delphic_search::Prior;
use delphic_search::prior::Judge;
use delphic_search::rule::Evidence;
use std::path::Path;
use std::sync::Arc;

/// How counts become chances.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Model {
    /// The largest known pattern alone.
    Beta(Beta),
    /// The whole stack of patterns.
    Gaussian(Gaussian),
}

impl Model {
    /// The chances of all patterns of a table.
    pub fn fit(self, table: &Table) -> Chances {
        match self {
            Model::Beta(beta) => beta.fit(table),
            Model::Gaussian(gaussian) => gaussian.fit(table),
        }
    }
}

/// A prior that knows moves by the patterns around them. Searches may share what it knows.
#[derive(Clone, Debug)]
pub struct LearnedPrior {
    templates: Arc<Templates>,
    chances: Arc<Chances>,
    mobility: bool,
}

impl LearnedPrior {
    /// A prior for a game from what a model made of a table.
    pub fn new<G: Patterns + ?Sized>(game: &G, chances: Arc<Chances>) -> LearnedPrior {
        LearnedPrior { templates: Arc::new(Templates::new(game.alike())), chances, mobility: false }
    }

    /// Whether the number of replies counts too: the odds of the pattern are multiplied by those of paper 2, §3.2, which are ½ for
    /// each reply of a side that must answer everything.
    pub fn with_mobility(self, mobility: bool) -> LearnedPrior {
        LearnedPrior { mobility, ..self }
    }

    /// Reads a table and fits a model to it.
    pub fn open<G: Patterns>(game: &G, path: &Path, model: Model) -> Result<LearnedPrior, TableError> {
        Ok(LearnedPrior::new(game, Arc::new(model.fit(&Table::open(path)?))))
    }

    /// The chance that the answer after a move is yes; `None` if nothing like it has been seen.
    pub fn chance<G: Patterns>(
        &self,
        asked: &Asked<'_, G, Force>,
        before: &G::State,
        mv: G::Move,
        after: &G::State,
    ) -> Option<f64> {
        self.chances.of(&stack_of(&self.templates, asked, before, mv, after))
    }
}

/// A chance with its odds multiplied by those of a leaf with so many moves.
fn weighed(chance: f64, gate: Gate, moves: usize) -> f64 {
    // 2^−c, as far as a chance strictly between 0 and 1 can show it.
    let small = 0.5f64.powi(moves.min(50) as i32);
    let odds = chance / (1.0 - chance);
    match gate {
        Gate::And => 1.0 / (1.0 + (1.0 - small) / (small * odds)),
        Gate::Or => 1.0 - 1.0 / (1.0 + odds * (1.0 - small) / small),
    }
    .clamp(1e-18, 1.0 - 1e-15)
}

impl LearnedPrior {
    #[inline]
    fn weigh(&self, chance: Option<f64>, gate: Gate, moves: usize) -> Evidence {
        match chance {
            None if self.mobility => Evidence::Mobility(moves),
            None => Evidence::None,
            Some(chance) if self.mobility => Evidence::Chance(weighed(chance, gate, moves)),
            Some(chance) => Evidence::Chance(chance),
        }
    }
}

/// For searches that know the game only by what it tells.
impl Judge for LearnedPrior {
    fn judge(&self, seen: &Surroundings, asking: bool, gate: Gate, moves: usize) -> Evidence {
        self.weigh(self.chances.of(&self.templates.stack(seen, asking)), gate, moves)
    }
}

impl<G: Patterns + Hints> Prior<Asked<'_, G, Force>> for LearnedPrior {
    /// Of a position that no move led to nothing is known.
    fn evidence(
        &mut self,
        _: &Asked<'_, G, Force>,
        _: &G::State,
        _: usize,
        _: &mut Vec<G::Move>,
    ) -> Evidence {
        Evidence::None
    }

    #[inline]
    fn evidence_of_move(
        &mut self,
        asked: &Asked<'_, G, Force>,
        before: &G::State,
        mv: G::Move,
        after: &G::State,
        moves: usize,
        _: &mut Vec<G::Move>,
    ) -> Evidence {
        self.weigh(self.chance(asked, before, mv, after), asked.role(after), moves)
    }

    /// A few hundred nanoseconds, as a look into a table.
    fn costly(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_pattern_leaves_mobility_as_it_is() {
        for moves in 1..200 {
            let (and, or) = (weighed(0.5, Gate::And, moves), weighed(0.5, Gate::Or, moves));
            assert!(and > 0.0 && and < 1.0 && or > 0.0 && or < 1.0);
            if moves < 40 {
                assert!((and - 0.5f64.powi(moves as i32)).abs() < 1e-12);
                assert!((or - (1.0 - 0.5f64.powi(moves as i32))).abs() < 1e-12);
            }
        }
        assert!(weighed(0.9, Gate::And, 3) > 0.125 && weighed(0.1, Gate::And, 3) < 0.125);
    }
}
