//! Tables of learnt patterns as priors of solvers: `ppt:prior=nogo.patterns`.

use delphic_game::Hints;
use delphic_learn::chances::Chances;
use delphic_learn::gaussian::Gaussian;
use delphic_learn::table::TableError;
use delphic_learn::{LearnedPrior, Mobility, Model, Table};
use delphic_search::prior::Leaf;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// What was learnt, by the file it is kept in.
#[derive(Debug)]
pub struct Knowledge {
    path: String,
    chances: Arc<Chances>,
}

/// The files read so far. They stay as long as the program does, so that a solver is a small value that can be copied.
static READ: Mutex<Vec<&'static Knowledge>> = Mutex::new(Vec::new());

impl Knowledge {
    /// What the file at `path` has, read at most once.
    pub fn of(path: &str) -> Result<&'static Knowledge, TableError> {
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.iter().find(|known| known.path == path) {
            return Ok(known);
        }
        let chances = Arc::new(Model::Gaussian(Gaussian::default()).fit(&Table::open(Path::new(path))?));
        let known: &'static Knowledge = Box::leak(Box::new(Knowledge { path: path.to_owned(), chances }));
        read.push(known);
        Ok(known)
    }

    /// The file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The same for the leaves of a game.
    pub(crate) fn leaf<G: Hints>(&self, game: &G) -> Leaf {
        leaf(game, Arc::clone(&self.chances))
    }
}

/// Chances for the leaves of a game. One without patterns has no use for them.
pub(crate) fn leaf<G: Hints>(game: &G, chances: Arc<Chances>) -> Leaf {
    match game.patterns() {
        None => Leaf::Mobility,
        // Replies count as well as patterns (docs/learning.md).
        Some(patterns) => {
            Leaf::Learned(Arc::new(LearnedPrior::new(patterns, chances).with_mobility(Mobility::Weighed)))
        }
    }
}

impl PartialEq for Knowledge {
    fn eq(&self, other: &Knowledge) -> bool {
        self.path == other.path
    }
}

impl Eq for Knowledge {}
