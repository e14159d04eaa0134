//! Expected work: expands the child whose proof is expected to need the least work.
//!
//! Expected Work Search (Randall, Müller, Wei and Hayward, IJCAI 2024), in terms of OR and AND nodes instead of the player to move. A node
//! keeps the expected work to prove it, the expected work to disprove it, and the rate of playouts below it that ended with yes. To prove
//! an OR node its children are tried in ascending order of prove / yes, the cost per success, until one succeeds: the work is
//! Σ proveᵢ · Π_{j<i} (1 − yesⱼ). To disprove it all children must be disproved: Σ disproveᵢ. AND nodes mirror it. The child to search is
//! the first in that order. A new leaf has for both the sum of the numbers of legal moves along its playouts.
//!
//! Deviation: rates count the playouts below open children only, because rules do not see solved nodes.

use super::{Evidence, Rule};
use crate::RootValue;
use crate::checkpoint::Encode;
use delphic_game::Gate;
use std::cell::RefCell;
use std::io::{self, Read, Write};

/// The rule of expected work.
#[derive(Clone, Debug, Default)]
pub struct ExpectedWork {
    /// A buffer for sorting children.
    order: RefCell<Vec<(f32, Work)>>,
}

/// The expected work of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Work {
    prove: f32,
    disprove: f32,
    wins: f32,
    played: f32,
}

const _: () = assert!(size_of::<Work>() == 16);

impl Encode for Work {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        ((self.prove, self.disprove), (self.wins, self.played)).put(out)
    }

    fn get(from: &mut dyn Read) -> io::Result<Work> {
        let ((prove, disprove), (wins, played)) = Encode::get(from)?;
        Ok(Work { prove, disprove, wins, played })
    }
}

/// Sums saturate here, far below infinity, so that products and quotients stay finite.
const MOST: f32 = 1e30;

impl Work {
    /// The success rate with one virtual win in two virtual playouts: never 0 or 1.
    fn yes(self) -> f32 {
        (self.wins + 1.0) / (self.played + 2.0)
    }

    /// The same node with prove and disprove exchanged.
    fn turned(self) -> Work {
        Work {
            prove: self.disprove,
            disprove: self.prove,
            wins: self.played - self.wins,
            played: self.played,
        }
    }
}

impl Rule for ExpectedWork {
    type Info = Work;
    type Siblings = ();

    fn leaf(&self, _: Gate, evidence: Evidence) -> Work {
        let (work, wins, played) = match evidence {
            Evidence::Effort { wins, played, moves } => {
                (moves as f32 / played as f32, wins as f32, played as f32)
            }
            Evidence::Playouts { wins, played } => (1.0, wins as f32, played as f32),
            Evidence::Mobility(moves) => (moves as f32, 0.0, 0.0),
            Evidence::Chance(chance) => (1.0, chance as f32, 1.0),
            Evidence::None => (1.0, 0.0, 0.0),
        };
        Work { prove: work.max(1.0), disprove: work.max(1.0), wins, played }
    }

    fn update(&self, gate: Gate, kids: impl Iterator<Item = (usize, Work)> + Clone) -> (Work, usize) {
        // An AND node is an OR node with prove and disprove exchanged; the code below is for OR.
        let turned = |work: Work| match gate {
            Gate::Or => work,
            Gate::And => work.turned(),
        };
        let mut order = self.order.borrow_mut();
        order.clear();
        let (mut best, mut least) = (0, f32::INFINITY);
        let mut sum = Work { prove: 0.0, disprove: 0.0, wins: 0.0, played: 0.0 };
        for (number, kid) in kids {
            let kid = turned(kid);
            let price = kid.prove / kid.yes();
            if price < least {
                (best, least) = (number, price);
            }
            sum.disprove += kid.disprove;
            sum.wins += kid.wins;
            sum.played += kid.played;
            order.push((price, kid));
        }
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut reached = 1.0;
        for (_, kid) in order.iter() {
            sum.prove += reached * kid.prove;
            reached *= 1.0 - kid.yes();
        }
        (sum.prove, sum.disprove) = (sum.prove.min(MOST), sum.disprove.min(MOST));
        (turned(sum), best)
    }

    fn display(&self, info: Work) -> RootValue {
        RootValue::Work { prove: info.prove.into(), disprove: info.disprove.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two children: prove 6 at rate 1/2, prove 2 at rate 1/4. Prices 12 and 8, so the second goes first: 2 + 3/4 · 6 = 6.5.
    #[test]
    fn cheapest_success_first() {
        let rule = ExpectedWork::default();
        let kid = |prove, wins, played| Work { prove, disprove: 5.0, wins, played };
        let kids = [kid(6.0, 1.0, 2.0), kid(2.0, 1.0, 6.0)];
        let (or, best) = rule.update(Gate::Or, kids.into_iter().enumerate());
        assert_eq!((or.prove, or.disprove, or.wins, or.played, best), (6.5, 10.0, 2.0, 8.0, 1));
        let (and, best) = rule.update(Gate::And, kids.map(Work::turned).into_iter().enumerate());
        assert_eq!((and.turned(), best), (or, 1));
    }

    #[test]
    fn a_leaf_expects_what_its_playouts_met() {
        let leaf = ExpectedWork::default().leaf(Gate::Or, Evidence::Effort { wins: 1, played: 2, moves: 60 });
        assert_eq!((leaf.prove, leaf.disprove, leaf.yes()), (30.0, 30.0, 0.5));
    }
}
