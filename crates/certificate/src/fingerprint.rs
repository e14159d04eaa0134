//! The fingerprint of rules: a hash that changes when the rules do.

use delphic_game::{Notation, Player, Rng, result};

/// The number of random games.
const GAMES: u64 = 8;
/// The maximum plies of each.
const PLIES: usize = 200;
/// The approximate number of moves hashed from a longer list.
const MOVES: usize = 40;

/// A hash of the behaviour of the rules `spec` in a few random games: positions, players to move, moves and their order, results.
///
/// It detects that a certificate was made under other rules, or with another order of moves, before the walk fails. Correctness does
/// not depend on it: a certificate is checked against the rules at hand.
pub fn fingerprint<G: Notation>(game: &G, spec: &str) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    hash.line(spec);
    let payoffs: Vec<String> = game.payoffs().iter().map(i16::to_string).collect();
    hash.line(&payoffs.join(" "));
    let (mut moves, mut scratch) = (Vec::new(), Vec::new());
    for seed in 0..GAMES {
        let (mut rng, mut state) = (Rng::new(seed), game.start());
        for _ in 0..PLIES {
            hash.line(&game.write(&state));
            if let Some(outcome) = result(game, &state, &mut scratch) {
                let payoff = |seat| outcome.payoff(Player::new(seat)).to_string();
                hash.line(&(0..game.players()).map(payoff).collect::<Vec<_>>().join(" "));
                break;
            }
            moves.clear();
            game.moves(&state, &mut moves);
            hash.line(&format!("{} {}", game.turn(&state), moves.len()));
            for &mv in moves.iter().step_by(moves.len().div_ceil(MOVES)) {
                hash.line(&game.write_move(&state, mv));
            }
            game.play(&mut state, moves[rng.below(moves.len())]);
        }
    }
    hash.0
}

/// FNV-1a, 64 bits.
struct Fnv(u64);

impl Fnv {
    fn line(&mut self, text: &str) {
        for &byte in text.as_bytes().iter().chain(b"\n") {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::*;
    use delphic_game::adapters::Misere;
    use delphic_game::random_tree::RandomTree;

    #[test]
    fn other_rules_have_other_fingerprints() {
        let tree = RandomTree::small(3);

        let plain = fingerprint(&tree, "tree");
        assert_eq!(plain, fingerprint(&tree, "tree"));
        assert_ne!(plain, fingerprint(&tree, "bush"), "the name");
        assert_ne!(plain, fingerprint(&RandomTree::small(4), "tree"), "the moves");
        assert_ne!(plain, fingerprint(&Misere { game: tree, on: true }, "tree"), "the results");
    }
}
