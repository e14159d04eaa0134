//! Positions drawn from seeds.
//!
//! The draws are part of our results: for a game whose legal moves keep their order, the position of a seed never changes (test
//! `instances_never_change`).

use crate::LabError;
use delphic_engine::game;
use delphic_game::{Rng, mix};

/// The position after `plies` random moves, as a list of moves, from the start of a game. Every legal move is equally likely. A game that is over by
/// then is thrown away, and the same stream goes on with the next one.
pub fn random_position(spec: &str, plies: usize, seed: u64) -> Result<String, LabError> {
    let start = game(spec)?.position(None, None)?;
    let mut rng = Rng::new(mix(seed));
    // A game that always ends so early has no such position; then the start will do.
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
    Ok(String::new())
}
