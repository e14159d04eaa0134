//! Proof numbers: pn is the minimum over children at OR nodes and the sum at AND nodes; dn the other way round.
//!
//! Allis, van der Meulen and van den Herik 1994; papers 1 and 3. A leaf has pn = dn = 1, or with mobility (paper 2,
//! §4) pn = 1 and dn = c at OR nodes, pn = c and dn = 1 at AND nodes with c moves. Monte-Carlo proof-number search (Saito et al.
//! 2006; paper 3, §3.1) takes pn = 1 − R and dn = R from playouts instead, R being the success rate.
//!
//! Deviations: there are no infinities, because rules do not see solved nodes. A leaf that won or lost all its playouts is not
//! solved, so as in PPN (paper 3, §2.2) a number of 0 becomes θ. The paper does not say so, but a program in which pn = 0 means
//! "proved" must do something like it. Verdicts are kept apart here, so θ = 0 is allowed too, and does better: a third of the
//! iterations on paper 3's binary trees (`docs/decisions.md`).

use super::{Evidence, Pack, Packed, Rule, Sum, Thresholds, Ties};
use crate::checkpoint::Encode;
use crate::{RootValue, VirtualValue};
use delphic_game::Gate;
use std::io::{self, Read, Write};

/// The min/sum rule over one kind of proof number.
///
/// ```
/// use delphic_game::Gate;
/// use delphic_search::rule::{Counts, Evidence, MinSum, Sum, Ties};
/// use delphic_search::{RootValue, Rule};
///
/// // An OR node over two leaves with (pn, dn) = (3, 1) and (2, 1).
/// let rule = MinSum { kind: Counts, sum: Sum::Plain, ties: Ties::First };
/// let kids = [3, 2].map(|moves| rule.leaf(Gate::And, Evidence::Mobility(moves)));
/// let (info, best) = rule.update(Gate::Or, kids.into_iter().enumerate());
/// assert_eq!((rule.display(info), best), (RootValue::ProofNumbers(2.0, 2.0), 1));
/// ```
#[derive(Clone, Debug)]
pub struct MinSum<K> {
    /// The kind of proof number.
    pub kind: K,
    /// How they are summed.
    pub sum: Sum,
    /// Tie-breaking.
    pub ties: Ties,
}

/// Proof and disproof number of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Numbers<N> {
    pn: N,
    dn: N,
}

/// A kind of proof number: whole or real.
pub trait Kind {
    /// Its type.
    type Number: Copy + PartialOrd + Send + Sync + Encode + 'static;
    /// The empty sum.
    const ZERO: Self::Number;
    /// The number of one leaf.
    const ONE: Self::Number;
    /// The smallest difference between two numbers.
    const STEP: f64;

    /// The sum; it may saturate.
    fn plus(a: Self::Number, b: Self::Number) -> Self::Number;

    /// Proof and disproof number of a leaf.
    fn leaf(&self, gate: Gate, evidence: Evidence) -> (Self::Number, Self::Number);

    /// The number of a child with other workers below it.
    fn crowded(number: Self::Number, workers: u16, form: VirtualValue) -> Self::Number;

    /// For reports.
    fn to_f64(number: Self::Number) -> f64;
}

/// Whole numbers, as in PNS. They saturate, which can mislead the search but never change a verdict.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts;

/// Real numbers, as in MCPNS.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// Replaces a proof or disproof number of 0.
    pub theta: f64,
}

const _: () = assert!(size_of::<Numbers<u32>>() == 8);

impl<N: Encode> Encode for Numbers<N> {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        (self.pn, self.dn).put(out)
    }

    fn get(from: &mut dyn Read) -> io::Result<Self> {
        Encode::get(from).map(|(pn, dn)| Numbers { pn, dn })
    }
}

impl Pack for Numbers<u32> {
    #[inline]
    fn pack(self) -> Packed {
        [self.pn, self.dn]
    }

    #[inline]
    fn unpack([pn, dn]: Packed) -> Self {
        Numbers { pn, dn }
    }
}

impl Kind for Counts {
    type Number = u32;
    const ZERO: u32 = 0;
    const ONE: u32 = 1;
    const STEP: f64 = 1.0;

    #[inline]
    fn plus(a: u32, b: u32) -> u32 {
        a.saturating_add(b)
    }

    #[inline]
    fn leaf(&self, gate: Gate, evidence: Evidence) -> (u32, u32) {
        match (gate, evidence) {
            (Gate::Or, Evidence::Mobility(moves)) => (1, moves as u32),
            (Gate::And, Evidence::Mobility(moves)) => (moves as u32, 1),
            // The product rule gives c moves p = ½^c where proof numbers give c leaves, so a probability p corresponds to −log₂ p leaves.
            (_, Evidence::Chance(p)) => (leaves(p), leaves(1.0 - p)),
            // Whole numbers cannot represent rates.
            _ => (1, 1),
        }
    }

    fn crowded(number: u32, workers: u16, form: VirtualValue) -> u32 {
        match form {
            VirtualValue::Multiply => number.saturating_mul(1 + u32::from(workers)),
            VirtualValue::Add => number.saturating_add(workers.into()),
        }
    }

    fn to_f64(number: u32) -> f64 {
        number.into()
    }
}

/// The number of leaves that corresponds to probability `p`, at least one.
fn leaves(p: f64) -> u32 {
    // The conversion saturates at the bounds of u32, and p is in (0, 1].
    (-p.log2()).round().max(1.0) as u32
}

impl Kind for Rates {
    type Number = f64;
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    const STEP: f64 = 0.01;

    #[inline]
    fn plus(a: f64, b: f64) -> f64 {
        a + b
    }

    #[inline]
    fn leaf(&self, gate: Gate, evidence: Evidence) -> (f64, f64) {
        match evidence {
            Evidence::Playouts { wins, played } => {
                let rate = f64::from(wins) / f64::from(played);
                ((1.0 - rate).max(self.theta), rate.max(self.theta))
            }
            Evidence::Chance(p) => ((1.0 - p).max(self.theta), p.max(self.theta)),
            _ => {
                let (pn, dn) = Counts.leaf(gate, evidence);
                (pn.into(), dn.into())
            }
        }
    }

    fn crowded(number: f64, workers: u16, form: VirtualValue) -> f64 {
        match form {
            VirtualValue::Multiply => number * f64::from(1 + u32::from(workers)),
            VirtualValue::Add => number + f64::from(workers),
        }
    }

    fn to_f64(number: f64) -> f64 {
        number
    }
}

impl<K: Kind> Rule for MinSum<K> {
    type Info = Numbers<K::Number>;
    type Siblings = ();

    #[inline]
    fn leaf(&self, gate: Gate, evidence: Evidence) -> Self::Info {
        let (pn, dn) = self.kind.leaf(gate, evidence);
        Numbers { pn, dn }
    }

    #[inline]
    fn update(
        &self,
        gate: Gate,
        kids: impl Iterator<Item = (usize, Self::Info)> + Clone,
    ) -> (Self::Info, usize) {
        // At an AND node the two numbers are exchanged.
        let turned = |n: Self::Info| match gate {
            Gate::Or => n,
            Gate::And => Numbers { pn: n.dn, dn: n.pn },
        };
        let mut least: Option<K::Number> = None;
        let (mut sum, mut largest, mut others, mut best) = (K::ZERO, K::ZERO, K::ZERO, 0);
        for (number, kid) in kids.clone() {
            let kid = turned(kid);
            sum = K::plus(sum, kid.dn);
            if self.sum == Sum::Weak {
                largest = if kid.dn > largest { kid.dn } else { largest };
                // Start with the first child, then compare the rest.
                others = if least.is_some() { K::plus(others, K::ONE) } else { others };
            }
            if least.is_none_or(|least| kid.pn < least) {
                (least, best) = (Some(kid.pn), number);
            }
        }
        let pn = least.expect("an open node has an open child");
        if !matches!(self.ties, Ties::First) {
            let equals = kids.filter(|(_, kid)| turned(*kid).pn == pn);
            best = self.ties.break_tie(gate, best, equals.map(|(number, _)| number));
        }
        let dn = self.sum.total(sum, largest, others, K::plus);
        (turned(Numbers { pn, dn }), best)
    }

    fn display(&self, info: Self::Info) -> RootValue {
        RootValue::ProofNumbers(K::to_f64(info.pn), K::to_f64(info.dn))
    }

    fn redraws(&self) -> bool {
        self.ties.redraws()
    }
}

/// Nagai's df-pn (2002) with the 1 + ε trick of Pawlewicz and Lew (2006): a child is searched until it is a little worse than its best
/// sibling, which avoids switching back and forth between two nearly equal children.
const EPSILON: f64 = 0.25;

/// The thresholds: a node is left when its proof or disproof number reaches them.
#[derive(Clone, Copy, Debug)]
pub struct Ceiling {
    pn: f64,
    dn: f64,
}

impl<K: Kind> Thresholds for MinSum<K>
where
    Numbers<K::Number>: Pack,
{
    type Bound = Ceiling;

    fn unbounded(&self) -> Ceiling {
        Ceiling { pn: f64::INFINITY, dn: f64::INFINITY }
    }

    #[inline]
    fn beyond(&self, info: Self::Info, bound: Ceiling) -> bool {
        K::to_f64(info.pn) >= bound.pn || K::to_f64(info.dn) >= bound.dn
    }

    #[inline]
    fn tighten(
        &self,
        gate: Gate,
        bound: Ceiling,
        kids: impl Iterator<Item = (usize, Self::Info)> + Clone,
        best: usize,
    ) -> Ceiling {
        // As in `update`, an AND node is treated as an OR node with the numbers exchanged.
        let turned = |c: Ceiling| match gate {
            Gate::Or => c,
            Gate::And => Ceiling { pn: c.dn, dn: c.pn },
        };
        let bound = turned(bound);
        let (mut rival, mut others) = (f64::INFINITY, 0.0);
        for (number, kid) in kids {
            let kid = turned(Ceiling { pn: K::to_f64(kid.pn), dn: K::to_f64(kid.dn) });
            if number != best {
                rival = rival.min(kid.pn);
                others += if self.sum == Sum::Plain { kid.dn } else { K::to_f64(K::ONE) };
            }
        }
        let second = (rival * (1.0 + EPSILON)).max(rival + K::STEP);
        turned(Ceiling { pn: bound.pn.min(second), dn: bound.dn - others })
    }

    fn crowded(&self, gate: Gate, info: Self::Info, workers: u16, form: VirtualValue) -> Self::Info {
        match gate {
            Gate::Or => Numbers { pn: K::crowded(info.pn, workers, form), ..info },
            Gate::And => Numbers { dn: K::crowded(info.dn, workers, form), ..info },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update<K: Kind>(
        kind: K,
        gate: Gate,
        kids: &[(K::Number, K::Number)],
    ) -> (K::Number, K::Number, usize) {
        let kids = kids.iter().map(|&(pn, dn)| Numbers { pn, dn }).enumerate();
        let (info, best) = MinSum { kind, sum: Sum::Plain, ties: Ties::First }.update(gate, kids);
        (info.pn, info.dn, best)
    }

    /// OR over (2,1), (1,3), (1,2): pn = min = 1 at child 1, dn = 1+3+2 = 6. AND: pn = 2+1+1 = 4, dn = min = 1 at
    /// child 0.
    #[test]
    fn min_and_sum() {
        let kids = [(2, 1), (1, 3), (1, 2)];
        assert_eq!(update(Counts, Gate::Or, &kids), (1, 6, 1));
        assert_eq!(update(Counts, Gate::And, &kids), (4, 1, 0));
        assert_eq!(update(Counts, Gate::And, &[(u32::MAX, 7), (5, 8)]), (u32::MAX, 7, 0));
    }

    /// Ueda et al. 2008: the largest and one for each other.
    #[test]
    fn weak_sums() {
        let kids = [(2, 1), (1, 3), (1, 2)].map(|(pn, dn)| Numbers { pn, dn });
        let weak = MinSum { kind: Counts, sum: Sum::Weak, ties: Ties::First };
        assert_eq!(weak.update(Gate::Or, kids.into_iter().enumerate()), (Numbers { pn: 1, dn: 5 }, 1));
        assert_eq!(weak.update(Gate::And, kids.into_iter().enumerate()), (Numbers { pn: 4, dn: 1 }, 0));
    }

    /// Paper 3, figure 1: pns 0.2, 0.2, 0.3 give the OR node 0.2.
    #[test]
    fn rates_from_playouts() {
        let rates = Rates { theta: 0.01 };
        assert_eq!(rates.leaf(Gate::And, Evidence::Playouts { wins: 3, played: 4 }), (0.25, 0.75));
        assert_eq!(rates.leaf(Gate::Or, Evidence::Playouts { wins: 4, played: 4 }), (0.01, 1.0));
        assert_eq!(update(rates, Gate::Or, &[(0.2, 0.8), (0.2, 0.8), (0.3, 0.7)]).0, 0.2);
    }

    /// Paper 2, §4: a max leaf with c moves has numbers 1 and c, a min leaf c and 1.
    #[test]
    fn mobility() {
        let rule = MinSum { kind: Counts, sum: Sum::Plain, ties: Ties::First };
        assert_eq!(rule.leaf(Gate::Or, Evidence::Mobility(7)), Numbers { pn: 1, dn: 7 });
        assert_eq!(rule.leaf(Gate::And, Evidence::Mobility(7)), Numbers { pn: 7, dn: 1 });
    }

    /// A chance of ½ is an ordinary leaf; ½^c is one with c moves; certainty either way stays finite.
    #[test]
    fn chances() {
        let leaf = |p| {
            MinSum { kind: Counts, sum: Sum::Plain, ties: Ties::First }.leaf(Gate::Or, Evidence::Chance(p))
        };
        assert_eq!(leaf(0.5), Numbers { pn: 1, dn: 1 });
        assert_eq!(leaf(0.5f64.powi(7)), Numbers { pn: 7, dn: 1 });
        assert_eq!(leaf(1.0 - 0.5f64.powi(7)), Numbers { pn: 1, dn: 7 });
        assert_eq!(leaf(f64::MIN_POSITIVE).dn, 1);
    }
}
