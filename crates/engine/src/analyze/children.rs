//! The moves of a position: provers and distances for an analysis.

use super::{Distances, WALK_MEMORY};
use crate::AnyPosition;
use crate::prove::longest;
use delphic_certificate::Claim;
use delphic_game::Force;
use delphic_game::erased::ErasedState;
use delphic_game::{Game, erased::Erased};
use delphic_search::prover::AnyProver;
use delphic_search::{Limits, ProofMemory, StopReason};

/// The positions after all legal moves.
fn children(position: &dyn AnyPosition) -> (Erased<'static>, Vec<ErasedState>) {
    let (game, state, mut moves) = (position.erased(), position.state(), Vec::new());
    game.moves(&state, &mut moves);
    let play = |mv| {
        let mut child = state.clone();
        game.play(&mut child, mv);
        child
    };
    let children = moves.into_iter().map(play).collect();
    (game, children)
}

/// Searches for the values of the moves at a position, for one question.
pub(super) struct ChildProver<'p> {
    game: Erased<'static>,
    question: Force,
    children: Vec<ErasedState>,
    prover: Box<dyn AnyProver + 'p>,
}

impl<'p> ChildProver<'p> {
    /// One prover per thread. They share their results.
    pub(super) fn several(
        position: &'p dyn AnyPosition,
        question: Force,
        memory: Option<ProofMemory>,
        limits: Limits<'p>,
    ) -> Vec<ChildProver<'p>> {
        let prover = |prover| {
            let (game, children) = children(position);
            ChildProver { game, question, children, prover }
        };
        let provers = position.provers(question, memory, limits, limits.threads.max(1));
        provers.into_iter().map(prover).collect()
    }

    /// Whether the answer after move number `nth` is yes, found with at most this many nodes.
    pub(super) fn answer(&mut self, nth: usize, nodes: u64) -> Result<bool, StopReason> {
        self.prover.answer_within(&self.children[nth], nodes)
    }

    /// The maximum length of the game after move number `nth` against the strategy that proves the answer.
    pub(super) fn longest(&mut self, nth: usize, yes: bool) -> Option<u32> {
        let claim = Claim { question: self.question, holds: yes };
        longest(&self.game, &self.children[nth], claim, &mut *self.prover, WALK_MEMORY)
    }

    /// Nodes created so far.
    pub(super) fn created(&self) -> u64 {
        self.prover.created()
    }
}

/// Exact distances after the moves at a position.
pub(super) struct ChildDistances {
    children: Vec<ErasedState>,
    distances: Distances,
}

impl ChildDistances {
    /// Within this many positions in all.
    pub(super) fn new(position: &dyn AnyPosition, positions: u64) -> ChildDistances {
        let (game, children) = children(position);
        let distances = Distances::new(game, position.turn(), &position.game_payoffs(), positions);
        ChildDistances { children, distances }
    }

    /// The plies to the end after move number `nth`, if the player has won there, or has lost.
    pub(super) fn of(&mut self, nth: usize, won: bool) -> Option<u32> {
        self.distances.of(&self.children[nth], won)
    }

    /// The numbers of the moves of such a line, move number `nth` first.
    pub(super) fn line(&mut self, nth: usize, won: bool) -> Vec<u16> {
        let mut line = vec![nth as u16];
        line.extend(self.distances.line(&self.children[nth], won));
        line
    }
}
