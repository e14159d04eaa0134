//! Proof numbers: minimum where one child is enough, sum where all are needed.
//!
//! Allis, van der Meulen and van den Herik 1994; papers 1 and 3. A leaf has pn = dn = 1, or with mobility (paper 2,
//! §4) the number of moves for the side that must refute them all. Monte-Carlo proof-number search (Saito et al. 2006;
//! paper 3, §3.1) takes pn = 1 − R and dn = R from playouts instead, R being the rate of success.
//!
//! Deviation: the infinities of solved nodes do not exist here, because rules do not meet solved nodes.

use super::{Evidence, Rule};
use crate::Hope;
use delphic_game::Gate;
use std::marker::PhantomData;

/// The min/sum rule over one kind of number.
#[derive(Clone, Copy, Debug)]
pub struct MinSum<N>(PhantomData<N>);

impl<N> Default for MinSum<N> {
    fn default() -> Self {
        MinSum(PhantomData)
    }
}

/// Proof and disproof number of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Numbers<N> {
    pn: N,
    dn: N,
}

/// A kind of proof number.
pub trait Number: Copy + PartialOrd {
    /// Where sums begin.
    const ZERO: Self;
    /// The sum; it may stop growing somewhere.
    fn plus(self, other: Self) -> Self;
    /// Proof and disproof number of a leaf.
    fn leaf(gate: Gate, evidence: Evidence) -> (Self, Self);
    /// For reports.
    fn to_f64(self) -> f64;
}

/// Whole numbers, as in PNS. They saturate, which misguides but never misjudges.
pub type Counts = u32;
/// Real numbers, as in MCPNS.
pub type Rates = f64;

const _: () = assert!(size_of::<Numbers<Counts>>() == 8);

impl Number for Counts {
    const ZERO: u32 = 0;

    #[inline]
    fn plus(self, other: u32) -> u32 {
        self.saturating_add(other)
    }

    #[inline]
    fn leaf(gate: Gate, evidence: Evidence) -> (u32, u32) {
        match (gate, evidence) {
            (Gate::Or, Evidence::Mobility(moves)) => (1, moves as u32),
            (Gate::And, Evidence::Mobility(moves)) => (moves as u32, 1),
            // Whole numbers have no room for rates.
            (_, Evidence::None | Evidence::Playouts { .. }) => (1, 1),
        }
    }

    fn to_f64(self) -> f64 {
        self.into()
    }
}

impl Number for Rates {
    const ZERO: f64 = 0.0;

    #[inline]
    fn plus(self, other: f64) -> f64 {
        self + other
    }

    #[inline]
    fn leaf(gate: Gate, evidence: Evidence) -> (f64, f64) {
        match evidence {
            Evidence::Playouts { wins, played } => {
                let rate = f64::from(wins) / f64::from(played);
                (1.0 - rate, rate)
            }
            _ => {
                let (pn, dn) = Counts::leaf(gate, evidence);
                (pn.into(), dn.into())
            }
        }
    }

    fn to_f64(self) -> f64 {
        self
    }
}

impl<N: Number> Rule for MinSum<N> {
    type Role = Gate;
    type Info = Numbers<N>;

    #[inline]
    fn leaf(&self, gate: Gate, evidence: Evidence) -> Numbers<N> {
        let (pn, dn) = N::leaf(gate, evidence);
        Numbers { pn, dn }
    }

    #[inline]
    fn update(
        &self,
        gate: Gate,
        kids: impl Iterator<Item = (usize, Numbers<N>)> + Clone,
    ) -> (Numbers<N>, usize) {
        // Seen from an AND node the two numbers change places.
        let turned = |n: Numbers<N>| match gate {
            Gate::Or => n,
            Gate::And => Numbers { pn: n.dn, dn: n.pn },
        };
        let mut least: Option<N> = None;
        let (mut sum, mut best) = (N::ZERO, 0);
        for (number, kid) in kids {
            let kid = turned(kid);
            sum = sum.plus(kid.dn);
            if least.is_none_or(|least| kid.pn < least) {
                (least, best) = (Some(kid.pn), number);
            }
        }
        let pn = least.expect("an open node has an open child");
        (turned(Numbers { pn, dn: sum }), best)
    }

    fn hope(&self, info: Numbers<N>) -> Hope {
        Hope::ProofNumbers(info.pn.to_f64(), info.dn.to_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update<N: Number>(gate: Gate, kids: &[(N, N)]) -> (N, N, usize) {
        let kids = kids.iter().map(|&(pn, dn)| Numbers { pn, dn }).enumerate();
        let (info, best) = MinSum::default().update(gate, kids);
        (info.pn, info.dn, best)
    }

    /// OR over (2,1), (1,3), (1,2): pn = min = 1 at child 1, dn = 1+3+2 = 6. AND: pn = 2+1+1 = 4, dn = min = 1 at child 0.
    #[test]
    fn min_and_sum() {
        let kids = [(2, 1), (1, 3), (1, 2)];
        assert_eq!(update::<Counts>(Gate::Or, &kids), (1, 6, 1));
        assert_eq!(update::<Counts>(Gate::And, &kids), (4, 1, 0));
        assert_eq!(update::<Counts>(Gate::And, &[(u32::MAX, 7), (5, 8)]), (u32::MAX, 7, 0));
    }

    /// Paper 3, figure 1: pns 0.2, 0.2, 0.3 give the OR node 0.2.
    #[test]
    fn rates_from_playouts() {
        let rule = MinSum::<Rates>::default();
        let leaf = rule.leaf(Gate::And, Evidence::Playouts { wins: 8, played: 10 });
        assert!((leaf.pn - 0.2).abs() < 1e-12 && (leaf.dn - 0.8).abs() < 1e-12);
        assert_eq!(update::<Rates>(Gate::Or, &[(0.2, 0.8), (0.2, 0.8), (0.3, 0.7)]).0, 0.2);
    }

    /// Paper 2, §4: a max leaf with c moves has numbers 1 and c, a min leaf c and 1.
    #[test]
    fn mobility() {
        let rule = MinSum::<Counts>::default();
        assert_eq!(rule.leaf(Gate::Or, Evidence::Mobility(7)), Numbers { pn: 1, dn: 7 });
        assert_eq!(rule.leaf(Gate::And, Evidence::Mobility(7)), Numbers { pn: 7, dn: 1 });
    }
}
