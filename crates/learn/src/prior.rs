//! Learnt chances as a prior of searches.

use crate::beta::Beta;
use crate::chances::Chances;
use crate::gaussian::Gaussian;
use crate::harvest::stack_of;
use crate::table::{Table, TableError};
use crate::templates::Templates;
use delphic_game::patterns::Patterns;
use delphic_game::{Asked, Force, Hints};
use delphic_search::Prior;
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
}

impl LearnedPrior {
    /// A prior for a game from what a model made of a table.
    pub fn new<G: Patterns>(game: &G, chances: Arc<Chances>) -> LearnedPrior {
        LearnedPrior { templates: Arc::new(Templates::new(game.alike())), chances }
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

impl<G: Patterns + Hints> Prior<Asked<'_, G, Force>> for LearnedPrior {
    /// Of a position that no move led to nothing is known.
    fn evidence(&mut self, _: &Asked<'_, G, Force>, _: &G::State, _: usize, _: &mut Vec<G::Move>) -> Evidence {
        Evidence::None
    }

    #[inline]
    fn evidence_of_move(
        &mut self,
        asked: &Asked<'_, G, Force>,
        before: &G::State,
        mv: G::Move,
        after: &G::State,
        _: usize,
        _: &mut Vec<G::Move>,
    ) -> Evidence {
        self.chance(asked, before, mv, after).map_or(Evidence::None, Evidence::Chance)
    }

    /// A few hundred nanoseconds, as a look into a table.
    fn costly(&self) -> bool {
        false
    }
}
