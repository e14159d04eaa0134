//! Positions drawn from seeds.
//!
//! The draws are part of our results: for a game whose legal moves keep their order, the position of a seed never changes (test
//! `instances_never_change`).

use crate::LabError;
use delphic_engine::{InputError, game};
use delphic_game::{Rng, mix};

/// The position after `plies` random moves, as a list of moves, from the start of a game. Every legal move is equally likely. A game that is
/// over by then is discarded, and the same stream continues with the next one; after 10,000 such games the game counts as too short.
pub fn random_position(spec: &str, plies: usize, seed: u64) -> Result<String, LabError> {
    let start = game(spec)?.position(None, None)?;
    let mut rng = Rng::new(mix(seed));
    for _ in 0..10_000 {
        let (mut at, mut line) = (start.again(), Vec::new());
        while line.len() < plies && !at.is_over() {
            let mut moves = at.moves();
            let nth = rng.below(moves.len());
            line.push(moves.swap_remove(nth));
            at = at.after(nth);
        }
        if line.len() == plies && !at.is_over() {
            return Ok(line.join(" "));
        }
    }
    Err(InputError::Request(format!("{spec} has no position after {plies} random moves")).into())
}
