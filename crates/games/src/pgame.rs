//! P-games: random trees with values on the moves (Kocsis and Szepesvári 2006; paper 3, §4).
//!
//! The first player (MAX) adds a random number from 0 to 127, the second (MIN) one from −127 to 0; after d plies MAX
//! wins if the sum is positive, MIN if it is negative. The tree is a pure function of the seed and is never stored.

use crate::{Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Spec, SpecError, mix,
    picture::{Mark, Picture, Tiling},
};

/// One tree: branching factor, depth and seed.
#[derive(Clone, Debug)]
pub struct PGame {
    branching: u16,
    depth: u16,
    seed: u64,
}

/// A node and the sum on the way to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    depth: u16,
    sum: i32,
    /// The number of the node among all of its depth: the moves so far as digits in base `branching`.
    index: u64,
}

impl PGame {
    /// The tree of `seed`; `branching`^`depth` must fit 64 bits, so that every node has a number of its own.
    pub fn new(branching: u16, depth: u16, seed: u64) -> PGame {
        PGame { branching, depth, seed }
    }

    /// The number that the move to this node adds: 0 to 127, negative for MIN.
    #[inline]
    fn step(&self, depth: u16, index: u64) -> i32 {
        let drawn = (mix(mix(self.seed) ^ mix(index).wrapping_add(u64::from(depth))) >> 57) as i32;
        if depth % 2 == 1 { drawn } else { -drawn }
    }

    /// The moves so far.
    fn path(&self, state: &State) -> Vec<String> {
        let (mut digits, mut index) = (Vec::new(), state.index);
        for _ in 0..state.depth {
            digits.push((index % u64::from(self.branching)).to_string());
            index /= u64::from(self.branching);
        }
        digits.reverse();
        digits
    }
}

impl Game for PGame {
    type State = State;
    /// The number of the child, from 0.
    type Move = u16;

    fn start(&self) -> State {
        State { depth: 0, sum: 0, index: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        Player::new(usize::from(state.depth % 2))
    }

    #[inline]
    fn moves(&self, _: &State, list: &mut Vec<u16>) {
        list.extend(0..self.branching);
    }

    #[inline]
    fn play(&self, state: &mut State, child: u16) {
        state.depth += 1;
        state.index = state.index * u64::from(self.branching) + u64::from(child);
        state.sum += self.step(state.depth, state.index);
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.depth == self.depth).then(|| Outcome::score(state.sum.signum() as i16))
    }

    #[inline]
    fn count_moves(&self, _: &State, _: &mut Vec<u16>) -> usize {
        self.branching.into()
    }

    #[inline]
    fn random_move(&self, _: &State, rng: &mut delphic_game::Rng, _: &mut Vec<u16>) -> Option<u16> {
        Some(rng.below(self.branching.into()) as u16)
    }
}

impl Progressive for PGame {}
impl Hints for PGame {
    /// All nodes of the tree.
    fn states(&self) -> Option<f64> {
        let (width, depth) = (f64::from(self.branching), i32::from(self.depth));
        Some((0..=depth).map(|ply| width.powi(ply)).sum::<f64>().log10())
    }
}

impl Notation for PGame {
    const HOW: &'static str = "A move is the number of a child from 0. A node is the moves that lead to it, each with a \
        slash before it, so / alone is the root: /0/1/1";

    fn write_move(&self, _: &State, child: u16) -> String {
        child.to_string()
    }

    fn write(&self, state: &State) -> String {
        format!("/{}", self.path(state).join("/"))
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let path = text
            .trim()
            .strip_prefix('/')
            .ok_or_else(|| NotationError::position("expected / and the moves so far"))?;
        let mut state = self.start();
        for digit in path.split('/').filter(|_| !path.is_empty()) {
            let child =
                digit.parse().ok().filter(|&child| child < self.branching && state.depth < self.depth);
            let expected = format!(
                "'{digit}' is not a child from 0 to {} within {} plies",
                self.branching - 1,
                self.depth
            );
            self.play(&mut state, child.ok_or(NotationError::Position(expected))?);
        }
        Ok(state)
    }

    fn picture(&self, state: &State) -> Picture {
        let side = if self.turn(state) == Player::FIRST { "MAX" } else { "MIN" };
        let note = format!("ply {} of {}, sum {}, {side} to move", state.depth, self.depth, state.sum);
        let mut picture = Picture::new(Tiling::Bare).note(note);
        picture.label(0, 0, "/");
        for (ply, child) in self.path(state).into_iter().enumerate() {
            picture.put(2 * ply as i32 + 2, 0, Mark::Man(Player::new(ply % 2), child));
        }
        picture
    }
}

impl Family for PGame {
    const INFO: Info = Info {
        usage: "pgame[:b=2][,d=20][,seed=1]",
        about: "P-game: a random tree with values on the moves; the first player wins if their sum is positive",
        rules: "Kocsis and Szepesvári 2006; Song, Iida and van den Herik, Probability based Proof Number Search, §4",
    };

    const FACTS: Facts = Facts {
        parameters: &[("b=2", "moves at every node"), ("d=20", "plies"), ("seed=1", "which tree")],
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<PGame, SpecError> {
        let (branching, depth, seed) =
            (spec.number("b", 2u16)?, spec.number("d", 20u16)?, spec.number("seed", 1)?);
        if branching == 0 {
            return Err(spec.impossible("b= is at least 1"));
        }
        if u64::from(branching).checked_pow(depth.into()).is_none() {
            return Err(spec.impossible(format!(
                "b={branching},d={depth} is too large; b to the power of d must be below 2^64"
            )));
        }
        Ok(PGame::new(branching, depth, seed))
    }

    fn spec(&self) -> String {
        format!("pgame:b={},d={},seed={}", self.branching, self.depth, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::conformance;

    #[test]
    fn trees_conform() {
        for (branching, depth) in [(1, 5), (2, 20), (8, 8), (300, 3)] {
            conformance::check(&PGame::new(branching, depth, 9));
        }
    }

    #[test]
    fn values_are_uniform_and_signed_by_the_mover() {
        let game = PGame::new(2, 40, 3);
        for depth in [1u16, 2] {
            let mut seen = [0; 128];
            for index in 0..128_000 {
                let step = game.step(depth, index);
                assert!(if depth == 1 { step >= 0 } else { step <= 0 });
                seen[step.unsigned_abs() as usize] += 1;
            }
            assert!(seen.iter().all(|&n| (850..1150).contains(&n)), "{seen:?}");
        }
    }
}
