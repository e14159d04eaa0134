//! Files of learned patterns as priors of solvers: `ppt:prior=nogo.patterns`.

use crate::InputError;
use delphic_learn::chances::Chances;
use delphic_learn::gaussian::Gaussian;
use delphic_learn::{LearnedPrior, Mobility, Model, Table};
use delphic_search::{LeafPrior, Searchable};
use std::path::Path;
use std::sync::Arc;

/// Learned patterns with a fitted model.
#[derive(Clone, Debug)]
pub struct PatternPrior {
    chances: Arc<Chances>,
}

impl PatternPrior {
    /// Reads a file of patterns.
    pub fn open(path: &str) -> Result<PatternPrior, InputError> {
        let unreadable = |reason: String| InputError::Unreadable { path: path.to_owned(), reason };
        let table = Table::open(Path::new(path)).map_err(|error| unreadable(error.to_string()))?;
        Ok(PatternPrior { chances: Arc::new(Model::Gaussian(Gaussian::default()).fit(&table)) })
    }

    /// A prior for the game of a position.
    pub(crate) fn prior(&self, position: &dyn Searchable) -> LeafPrior {
        leaf_prior(position, Arc::clone(&self.chances))
    }
}

/// Learned probabilities as a prior for the game of a position. A game without patterns falls back to mobility.
pub(crate) fn leaf_prior(position: &dyn Searchable, chances: Arc<Chances>) -> LeafPrior {
    match position.pattern_symmetry() {
        None => LeafPrior::Mobility,
        // The prior combines patterns with the number of replies (docs/learning.md).
        Some(alike) => {
            let prior = LearnedPrior::for_symmetry(alike, chances).with_mobility(Mobility::Weighed);
            LeafPrior::Learned(Arc::new(prior))
        }
    }
}
