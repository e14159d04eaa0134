//! Product propagation: a node has a probability that the answer is yes, as if its children were independent.
//!
//! Paper 2, tables 1 and 2: p = 1 − Π(1 − pᵢ) at OR nodes and p = Π pᵢ at AND nodes; the search goes to the child with the largest p at
//! OR nodes, the smallest at AND nodes. Leaves: ½; with mobility (§3.2) 1 − ½^c at OR nodes and ½^c at AND nodes with c moves; with
//! playouts (papers 1 and 3, §2.2) the success rate R, except that R = 1 becomes 1 − θ and R = 0 becomes θ.
//!
//! # Numbers
//!
//! A plain float p rounds to 1 when it is close to 1, and underflows close to 0: a product over seven replies takes p to its seventh
//! power at every second ply. Both make different nodes compare equal. So a node keeps both log₂ p and log₂(1 − p) as 32-bit floats:
//! products become sums of one of them, and the other is computed as log₂(1 − 2ˣ) once per node. Base 2 makes the mobility values ½^c,
//! and so ties between them, exact. See `docs/decisions.md` for the measurements.

use super::{Evidence, Pack, Packed, Rule, Thresholds, Ties};
use crate::checkpoint::Encode;
use crate::{RootValue, VirtualValue};
use delphic_game::Gate;
use std::f32::consts::{LN_2, LOG2_E};
use std::io::{self, Read, Write};

/// The product rule.
///
/// ```
/// use delphic_game::Gate;
/// use delphic_search::rule::{Evidence, Product};
/// use delphic_search::{RootValue, Rule};
///
/// // An OR node over leaves of probability ½ and ¼: p = 1 − ½ · ¾.
/// let rule = Product::default();
/// let kids = [0.5, 0.25].map(|p| rule.leaf(Gate::And, Evidence::Chance(p)));
/// let (info, best) = rule.update(Gate::Or, kids.into_iter().enumerate());
/// let RootValue::Probability(p) = rule.display(info) else { unreachable!("the rule keeps probabilities") };
/// assert!((p - 0.625).abs() < 1e-6 && best == 0);
/// ```
#[derive(Clone, Debug)]
pub struct Product {
    /// Playout rates of 0 and 1 are replaced by θ and 1 − θ. Between 0 and ½.
    pub theta: f64,
    /// Tie-breaking between equally likely children.
    pub ties: Ties,
    /// log₂(1 − ½^c) for small c. Every leaf with mobility needs one; computing them took a tenth of a PP run on domineering:6x6.
    complements: [f32; COMPLEMENTS],
}

/// The numbers of moves whose complements are tabulated.
const COMPLEMENTS: usize = 64;

impl Default for Product {
    /// θ as in paper 1.
    fn default() -> Self {
        let complements = std::array::from_fn(|moves| complement(-(moves as f32)));
        Product { theta: 0.01, ties: Ties::First, complements }
    }
}

/// A probability p strictly between 0 and 1, with full relative precision of both p and 1 − p.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Odds {
    /// log₂ p.
    yes: f32,
    /// log₂ (1 − p).
    no: f32,
}

const _: () = assert!(size_of::<Odds>() == 8);

impl Encode for Odds {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        (self.yes, self.no).put(out)
    }

    fn get(from: &mut dyn Read) -> io::Result<Odds> {
        Encode::get(from).map(|(yes, no)| Odds { yes, no })
    }
}

impl Pack for Odds {
    #[inline]
    fn pack(self) -> Packed {
        [self.yes.to_bits(), self.no.to_bits()]
    }

    #[inline]
    fn unpack([yes, no]: Packed) -> Odds {
        Odds { yes: f32::from_bits(yes), no: f32::from_bits(no) }
    }
}

impl Odds {
    /// The odds of probability `p`, 0 < p < 1.
    pub fn new(p: f64) -> Odds {
        Odds { yes: p.log2() as f32, no: ((-p).ln_1p() / std::f64::consts::LN_2) as f32 }
    }

    /// The probability, for display.
    pub fn probability(self) -> f64 {
        if self.yes < self.no { f64::from(self.yes).exp2() } else { 1.0 - f64::from(self.no).exp2() }
    }

    /// log₂ p and log₂ (1 − p).
    #[cfg(test)]
    pub(super) fn logs(self) -> (f32, f32) {
        (self.yes, self.no)
    }

    /// The odds of the complement, 1 − p.
    #[inline]
    fn turned(self) -> Odds {
        Odds { yes: self.no, no: self.yes }
    }

    /// log₂ of p / (1 − p): monotonic in p, and precise at both ends, so children are compared by it.
    #[inline]
    fn log_odds(self) -> f32 {
        self.yes - self.no
    }
}

/// log₂(1 − 2ˣ) for x < 0, to about the last bit of a 32-bit float for large and small |x|.
///
/// For x near 0 and for very negative x the subtraction would cancel, so the series of eᵗ − 1 and of ln(1 − y) are used there. In
/// profiles of domineering:6x6 the library's `exp_m1` and `ln_1p` took 33 % of a PP run, `exp2` and `log2` take 18 to 20 %.
#[inline]
fn complement(x: f32) -> f32 {
    if x > -0.25 {
        let t = x * LN_2;
        let series = 1.0
            + t * (1.0 / 2.0 + t * (1.0 / 6.0 + t * (1.0 / 24.0 + t * (1.0 / 120.0 + t * (1.0 / 720.0)))));
        return (-t * series).log2();
    }
    let y = x.exp2();
    if y < 0.0625 {
        let series =
            1.0 + y * (1.0 / 2.0 + y * (1.0 / 3.0 + y * (1.0 / 4.0 + y * (1.0 / 5.0 + y * (1.0 / 6.0)))));
        return -y * LOG2_E * series;
    }
    (1.0 - y).log2()
}

/// If |log₂(1 − p)| is smaller than this, log₂ p cannot be computed from it in 32-bit floats.
const FAINT: f32 = 1e-30;

impl Product {
    /// The OR node: the odds that at least one of several independent children is proved, and the most likely child.
    #[inline]
    fn any(&self, gate: Gate, kids: impl Iterator<Item = (usize, Odds)> + Clone) -> (Odds, usize) {
        let (mut no, mut best, mut highest) = (0.0, 0, f32::NEG_INFINITY);
        for (number, kid) in kids.clone() {
            no += kid.no;
            let odds = kid.log_odds();
            if odds > highest {
                (highest, best) = (odds, number);
            }
        }
        if !matches!(self.ties, Ties::First) {
            let equals = kids.clone().filter(|(_, kid)| kid.log_odds() == highest);
            best = self.ties.break_tie(gate, best, equals.map(|(number, _)| number));
        }
        let yes = if no < -FAINT { complement(no) } else { faint_sum(kids.map(|(_, kid)| kid.yes)) };
        (Odds { yes, no }, best)
    }

    /// The odds of probability ½^c.
    #[inline]
    fn half_to_the(&self, c: usize) -> Odds {
        let yes = -(c as f32);
        Odds { yes, no: self.complements.get(c).copied().unwrap_or_else(|| complement(yes)) }
    }
}

impl Rule for Product {
    type Info = Odds;
    type Siblings = ();

    #[inline]
    fn leaf(&self, gate: Gate, evidence: Evidence) -> Odds {
        match (gate, evidence) {
            (_, Evidence::None) => Odds { yes: -1.0, no: -1.0 },
            (Gate::And, Evidence::Mobility(moves)) => self.half_to_the(moves),
            (Gate::Or, Evidence::Mobility(moves)) => self.half_to_the(moves).turned(),
            (_, Evidence::Chance(p)) => Odds::new(p),
            (_, Evidence::Playouts { wins, played } | Evidence::Effort { wins, played, .. }) => match wins {
                0 => Odds::new(self.theta),
                all if all == played => Odds::new(self.theta).turned(),
                some => Odds::new(f64::from(some) / f64::from(played)),
            },
        }
    }

    #[inline]
    fn update(&self, gate: Gate, kids: impl Iterator<Item = (usize, Odds)> + Clone) -> (Odds, usize) {
        // An AND node is the complement of an OR node over the complements of its children. Each gate has its own loop, without a branch inside.
        match gate {
            Gate::Or => self.any(gate, kids),
            Gate::And => {
                let (odds, best) = self.any(gate, kids.map(|(number, kid)| (number, kid.turned())));
                (odds.turned(), best)
            }
        }
    }

    fn display(&self, info: Odds) -> RootValue {
        RootValue::Probability(info.probability())
    }

    fn redraws(&self) -> bool {
        self.ties.redraws()
    }
}

/// log₂ Σ 2ˣ: the probability of a union of very unlikely events, which is nearly their sum.
#[cold]
fn faint_sum(logs: impl Iterator<Item = f32> + Clone) -> f32 {
    let largest = logs.clone().fold(f32::NEG_INFINITY, f32::max);
    largest + logs.map(|log| (log - largest).exp2()).sum::<f32>().log2()
}

/// The difference in log₂ of p / (1 − p) by which a child may fall behind its best sibling before it is left.
const SLACK: f32 = 1.0;

/// The bound of a depth-first search: a node is left when its p leaves this interval.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    low: Odds,
    high: Odds,
}

/// Depth-first product propagation, which papers 1 and 2 call future work. A node is searched while its p stays in an interval.
/// At an OR node with best child c and K = Π(1 − pᵢ) over the others, 1 − (1 − p(c))·K must stay in the interval and
/// p(c) must not fall (much) below the best of the others; AND nodes mirror it. In logarithms K is a sum.
impl Thresholds for Product {
    type Bound = Interval;

    fn unbounded(&self) -> Interval {
        Interval { low: IMPOSSIBLE, high: IMPOSSIBLE.turned() }
    }

    #[inline]
    fn beyond(&self, info: Odds, bound: Interval) -> bool {
        info.log_odds() < bound.low.log_odds() || info.log_odds() > bound.high.log_odds()
    }

    #[inline]
    fn tighten(
        &self,
        gate: Gate,
        bound: Interval,
        kids: impl Iterator<Item = (usize, Odds)> + Clone,
        best: usize,
    ) -> Interval {
        // As in `update`, an AND node is treated as an OR node over complements, so the ends of its interval are exchanged.
        let turned = |i: Interval| match gate {
            Gate::Or => i,
            Gate::And => Interval { low: i.high.turned(), high: i.low.turned() },
        };
        let Interval { low, high } = turned(bound);
        let (mut others, mut rival) = (0.0, IMPOSSIBLE);
        for (number, kid) in kids {
            let kid = if gate == Gate::Or { kid } else { kid.turned() };
            if number != best {
                others += kid.no;
                if kid.log_odds() > rival.log_odds() {
                    rival = kid;
                }
            }
        }
        // The odds of this child at which the node reaches the end `edge` of its interval.
        let at = |edge: Odds| {
            let no = edge.no - others;
            if no < 0.0 { Odds { yes: complement(no), no } } else { IMPOSSIBLE }
        };
        let rival = Odds { yes: rival.yes - SLACK, ..rival };
        let low = if at(low).log_odds() > rival.log_odds() { at(low) } else { rival };
        turned(Interval { low, high: at(high) })
    }

    /// Changes only the half by which children are compared (log₂ p at OR nodes). The other half enters the node's product and stays, so
    /// workers do not change the value of the node: otherwise a child's bound would contradict its parent's, and with a small table the
    /// search could cycle without ever leaving a node for good.
    fn crowded(&self, gate: Gate, info: Odds, workers: u16, _: VirtualValue) -> Odds {
        let less = |odds: Odds| {
            let (log_odds, factor) = (odds.log_odds(), f32::from(1 + workers));
            let less = if log_odds > 0.0 { log_odds / factor } else { log_odds * factor } - 1.0;
            Odds { yes: odds.no + less, ..odds }
        };
        match gate {
            Gate::Or => less(info),
            Gate::And => less(info.turned()).turned(),
        }
    }
}

/// Probability 0, less than that of any node.
const IMPOSSIBLE: Odds = Odds { yes: f32::NEG_INFINITY, no: 0.0 };

#[cfg(test)]
mod tests {
    use super::*;

    fn update(gate: Gate, kids: &[f64]) -> (f64, usize) {
        let (odds, best) = Product::default().update(gate, kids.iter().map(|&p| Odds::new(p)).enumerate());
        (odds.probability(), best)
    }

    /// Paper 3, figure 2: OR over 0.8, 0.8, 0.7 is 1 − 0.2·0.2·0.3 = 0.988. AND over them is 0.448.
    #[test]
    fn products() {
        let (p, best) = update(Gate::Or, &[0.8, 0.8, 0.7]);
        assert!((p - 0.988).abs() < 1e-6 && best == 0);
        let (p, best) = update(Gate::And, &[0.8, 0.8, 0.7]);
        assert!((p - 0.448).abs() < 1e-6 && best == 2);
    }

    #[test]
    fn ties() {
        let split = Product { ties: Ties::Split, ..Product::default() };
        let kids = [0.5, 0.8, 0.8, 0.5].map(Odds::new).into_iter().enumerate();
        let best = |rule: &Product, gate| rule.update(gate, kids.clone()).1;
        assert_eq!([Gate::Or, Gate::And].map(|gate| best(&Product::default(), gate)), [1, 0]);
        assert_eq!([Gate::Or, Gate::And].map(|gate| best(&split, gate)), [2, 0]);
    }

    /// Papers 1 and 3, §2.2 (2): only rates of exactly 0 and 1 are moved, by exactly θ.
    #[test]
    fn theta() {
        let rule = Product { theta: 0.01, ..Product::default() };
        let leaf = |wins| rule.leaf(Gate::Or, Evidence::Playouts { wins, played: 1000 }).probability();
        for (wins, p) in [(0, 0.01), (1, 0.001), (500, 0.5), (999, 0.999), (1000, 0.99)] {
            assert!((leaf(wins) - p).abs() < 1e-7, "{wins}: {}", leaf(wins));
        }
    }

    /// With one worker below it the best of three children falls behind the second, but their product stays.
    #[test]
    fn crowds() {
        let rule = Product::default();
        for (gate, p) in [(Gate::Or, [0.8, 0.7, 0.1]), (Gate::And, [0.2, 0.3, 0.9])] {
            let mut kids = p.map(Odds::new);
            let (before, best) = rule.update(gate, kids.into_iter().enumerate());
            assert_eq!(best, 0);
            kids[0] = rule.crowded(gate, kids[0], 1, VirtualValue::Multiply);
            assert_eq!(rule.update(gate, kids.into_iter().enumerate()), (before, 1));
        }
    }

    /// Paper 2, §3.2.
    #[test]
    fn mobility() {
        let leaf = |gate, moves| Product::default().leaf(gate, Evidence::Mobility(moves)).probability();
        assert_eq!(leaf(Gate::And, 3), 0.125);
        assert_eq!(leaf(Gate::Or, 3), 0.875);
    }

    /// The complement of the complement is the number itself, over the whole range of floats.
    #[test]
    fn complements() {
        for exponent in -300..60 {
            let x = -(f64::from(exponent) / 10.0).exp2() as f32;
            let (there, wide) = (complement(x), f64::from(x));
            let ln_2 = std::f64::consts::LN_2;
            let exact =
                if wide > -1.0 { (-(wide * ln_2).exp_m1()).log2() } else { (-wide.exp2()).ln_1p() / ln_2 };
            assert!((f64::from(there) - exact).abs() <= 1e-6 * exact.abs(), "{x} {there} {exact}");
            if there < -1e-30 {
                let back = complement(there);
                assert!(((back - x) / x).abs() < 1e-5, "{x} {there} {back}");
            }
        }
    }

    /// Forty plies of seven replies each: p falls below any float, yet better stays better.
    #[test]
    fn deep_trees_stay_apart() {
        let rule = Product::default();
        let climb = |leaf: f64| {
            let mut odds = Odds::new(leaf);
            for ply in 0..40 {
                let gate = if ply % 2 == 0 { Gate::And } else { Gate::Or };
                odds = rule.update(gate, (0..7).map(|i| (i, odds))).0;
            }
            odds
        };
        let (bad, good) = (climb(0.01), climb(0.02));
        assert!(bad.yes.is_finite() && bad.no <= 0.0);
        assert!(good.log_odds() > bad.log_odds(), "{good:?} {bad:?}");
        let (bad, good) = (climb(0.98), climb(0.99));
        assert!(good.log_odds() > bad.log_odds(), "{good:?} {bad:?}");
    }
}
