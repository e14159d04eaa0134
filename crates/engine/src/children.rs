//! The positions after the moves of a position, for [`analyze`](crate::analyze): their answers and their distances.

use crate::analyze::{Distances, MoveDistances, MoveProver, WALK_MEMORY};
use crate::prove::longest;
use delphic_game::certificate::Claim;
use delphic_game::{Force, Game, Notation};
use delphic_search::prover::Prover;
use delphic_search::{Solvable, StopReason};

/// [`MoveProver`] of a game.
pub(crate) struct ChildProver<'g, G: Notation + Solvable> {
    pub(crate) game: &'g G,
    pub(crate) question: Force,
    pub(crate) children: Vec<G::State>,
    pub(crate) prover: Prover<'g, G>,
}

impl<G: Notation + Solvable> MoveProver for ChildProver<'_, G> {
    fn answer(&mut self, nth: usize, nodes: u64) -> Result<bool, StopReason> {
        self.prover.answer_within(&self.children[nth], nodes)
    }

    fn longest(&mut self, nth: usize, yes: bool) -> Option<u32> {
        let claim = Claim { question: self.question, holds: yes };
        longest(self.game, &self.children[nth], claim, &mut self.prover, WALK_MEMORY)
    }

    fn created(&self) -> u64 {
        self.prover.created()
    }
}

/// [`MoveDistances`] of a game.
pub(crate) struct ChildDistances<'g, G: Game> {
    pub(crate) children: Vec<G::State>,
    pub(crate) distances: Distances<'g, G>,
}

impl<G: Solvable> MoveDistances for ChildDistances<'_, G> {
    fn of(&mut self, nth: usize, won: bool) -> Option<u32> {
        self.distances.of(&self.children[nth], won)
    }

    fn line(&mut self, nth: usize, won: bool) -> Vec<u16> {
        let mut line = vec![nth as u16];
        line.extend(self.distances.line(&self.children[nth], won));
        line
    }
}
