//! Learned probabilities as a leaf prior.

use crate::beta::Beta;
use crate::chances::Chances;
use crate::gaussian::Gaussian;
use crate::table::{Table, TableError};
use crate::templates::{Stack, Templates};
use delphic_game::Gate;
use delphic_game::patterns::{Patterns, Surroundings};
use delphic_search::LeafPrior;
use delphic_search::prior::MoveModel;
use delphic_search::rule::Evidence;
use std::path::Path;
use std::sync::Arc;

/// The model that turns counts into probabilities.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Model {
    /// Uses only the largest known pattern.
    Beta(Beta),
    /// Uses all nested patterns.
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

/// A prior that evaluates a leaf by the patterns around the move that leads to it. Clones share their tables.
#[derive(Clone, Debug)]
pub struct LearnedPrior {
    templates: Arc<Templates>,
    chances: Arc<Chances>,
    mobility: Mobility,
}

/// How the number of replies (mobility) is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mobility {
    /// Not at all: the probability of the pattern is used.
    Ignored,
    /// The odds of the pattern are multiplied by those of paper 2, §3.2: ½ for each reply of a side that must answer everything.
    Weighed,
    /// The odds of paper 2 are multiplied by the pattern's factor over its context ([`Chances::lift`]).
    Lifted,
}

impl LearnedPrior {
    /// A prior for a game, from fitted chances.
    pub fn new<G: Patterns + ?Sized>(game: &G, chances: Arc<Chances>) -> LearnedPrior {
        LearnedPrior::for_symmetry(game.alike(), chances)
    }

    /// The same for a game whose moves are alike under these symmetries of the square, one bit each.
    pub fn for_symmetry(alike: u8, chances: Arc<Chances>) -> LearnedPrior {
        LearnedPrior { templates: Arc::new(Templates::new(alike)), chances, mobility: Mobility::Ignored }
    }

    /// The same with another use of the number of replies.
    pub fn with_mobility(self, mobility: Mobility) -> LearnedPrior {
        LearnedPrior { mobility, ..self }
    }

    /// Reads a table and fits a model to it.
    pub fn open<G: Patterns>(game: &G, path: &Path, model: Model) -> Result<LearnedPrior, TableError> {
        Ok(LearnedPrior::new(game, Arc::new(model.fit(&Table::open(path)?))))
    }
}

/// The chance of a leaf with this many moves by mobility, its odds multiplied by a factor.
fn weighed(factor: f64, gate: Gate, moves: usize) -> f64 {
    // 2^−c, bounded so that the chance stays strictly between 0 and 1.
    let small = 0.5f64.powi(moves.min(50) as i32);
    match gate {
        Gate::And => 1.0 / (1.0 + (1.0 - small) / (small * factor)),
        Gate::Or => 1.0 - 1.0 / (1.0 + factor * (1.0 - small) / small),
    }
    .clamp(1e-18, 1.0 - 1e-15)
}

impl LearnedPrior {
    #[inline]
    fn weigh(&self, stack: &Stack, gate: Gate, moves: usize) -> Evidence {
        let odds = |chance: f64| chance / (1.0 - chance);
        let factor = match self.mobility {
            Mobility::Ignored => return self.chances.of(stack).map_or(Evidence::None, Evidence::Chance),
            Mobility::Weighed => self.chances.of(stack).map(odds),
            Mobility::Lifted => self.chances.lift(stack),
        };
        factor.map_or(Evidence::Mobility(moves), |factor| Evidence::Chance(weighed(factor, gate, moves)))
    }
}

impl MoveModel for LearnedPrior {
    fn judge(&self, surroundings: &Surroundings, own: bool, gate: Gate, moves: usize) -> Evidence {
        self.weigh(&self.templates.stack(surroundings, own), gate, moves)
    }
}

impl From<LearnedPrior> for LeafPrior {
    fn from(prior: LearnedPrior) -> LeafPrior {
        LeafPrior::Learned(Arc::new(prior))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_pattern_leaves_mobility_as_it_is() {
        for moves in 1..200 {
            let (and, or) = (weighed(1.0, Gate::And, moves), weighed(1.0, Gate::Or, moves));
            assert!(and > 0.0 && and < 1.0 && or > 0.0 && or < 1.0);
            if moves < 40 {
                assert!((and - 0.5f64.powi(moves as i32)).abs() < 1e-12);
                assert!((or - (1.0 - 0.5f64.powi(moves as i32))).abs() < 1e-12);
            }
        }
        assert!(weighed(9.0, Gate::And, 3) > 0.125 && weighed(0.1, Gate::And, 3) < 0.125);
    }
}
