//! Clobber as a disjunctive sum: stones in different connected components never interact.

use super::{Clobber, State};
use delphic_game::sums::Parts;
use delphic_game::{Game, Player, bits::Bits};

/// Values are found for parts of at most this many stones, one fewer on boards of up to [`FEW`] cells. To find those of 9 stones takes a second
/// or more: on 5x5 `alphabeta` creates 933,158 nodes in 2.4 s with 8 stones and 681,874 in 3.2 s with 9, on 4x6 1,023,913 and 630,050 nodes, both in
/// 3.1 s. With 10 there are more nodes on both.
const SMALL: usize = 9;
const FEW: usize = 25;

/// A connected component of stones of both sides, moved to the first row and the first column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Part([u128; 2]);

impl Clobber {
    fn small(&self) -> usize {
        if self.grid.cells() > FEW { SMALL } else { SMALL - 1 }
    }

    fn around(&self, set: u128) -> u128 {
        self.shifted(set).into_iter().fold(set, |all, part| all | part)
    }

    /// Appends the parts with moves among some stones; false if one is too large.
    fn split(&self, stones: [u128; 2], list: &mut Vec<Part>) -> bool {
        let all = stones[0] | stones[1];
        let mut meeting = self.around(stones[0]) & stones[1];
        while meeting != 0 {
            let mut part = meeting & meeting.wrapping_neg();
            loop {
                let grown = self.around(part) & all;
                if grown == part {
                    break;
                }
                part = grown;
                if part.count() > self.small() {
                    return false;
                }
            }
            meeting &= !part;
            list.push(self.part(stones.map(|set| set & part)));
        }
        true
    }

    fn part(&self, stones: [u128; 2]) -> Part {
        let (all, cols) = (stones[0] | stones[1], self.grid.cols);
        let row = all.first() / cols;
        let left = self.columns.iter().position(|column| all & column != 0).unwrap_or(0);
        Part(stones.map(|set| set >> (row * cols + left)))
    }
}

impl Parts for Clobber {
    type Part = Part;

    fn parts(&self, state: &State, list: &mut Vec<Part>) -> bool {
        self.split(state.stones, list)
    }

    fn options(&self, part: &Part, player: Player, sink: &mut dyn FnMut(&[Part])) {
        let state = State { stones: part.0, turn: player };
        let (mut moves, mut left) = (Vec::new(), Vec::new());
        self.moves(&state, &mut moves);
        for mv in moves {
            let mut after = state;
            self.play(&mut after, mv);
            left.clear();
            let small = self.split(after.stones, &mut left);
            debug_assert!(small, "parts only get smaller");
            sink(&left);
        }
    }

    fn representative(&self, part: &Part) -> Part {
        let images = self.symmetry.images(part.0).map(|stones| self.part(stones));
        images.fold(*part, Ord::min)
    }
}
