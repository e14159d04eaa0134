//! The product rule on probabilities themselves, for trees.
//!
//! [`Product`](super::Product) keeps two logarithms, whose sums and differences thresholds need, and every update costs an `exp2` and a `log2`. A
//! tree search only multiplies and compares. So here a node keeps p and 1 − p, each as a float of 32 bits with a wide exponent: about as exact
//! as the logarithms, in as many bits, and without a function to compute. A product over seven replies takes p to its seventh power at every second ply, which is
//! soon below any float, so from 2^-900 on the logarithm takes the place of the number.
//!
//! On domineering:6x6 a search takes 1.35 times as long as a program written for it alone instead of 1.65 to 1.75 times, and the same nodes;
//! and 0.96 to 1.11 times since [`Joint`] keeps what the siblings of a child come to. That program reads all children at every update.

use super::{Evidence, Rule, Ties};
use crate::RootValue;
use crate::checkpoint::Encode;
use delphic_game::Gate;
use std::io::{self, Read, Write};

/// The product rule for trees: the same values as [`Product`](super::Product)'s.
///
/// ```
/// use delphic_game::Gate;
/// use delphic_search::rule::{Evidence, LinearProduct};
/// use delphic_search::{RootValue, Rule};
///
/// // An OR node over leaves of probability ½ and ¼: p = 1 − ½ · ¾.
/// let rule = LinearProduct::default();
/// let kids = [0.5, 0.25].map(|p| rule.leaf(Gate::And, Evidence::Chance(p)));
/// let (info, best) = rule.update(Gate::Or, kids.into_iter().enumerate());
/// assert_eq!((rule.display(info), best), (RootValue::Probability(0.625), 0));
/// ```
#[derive(Clone, Debug)]
pub struct LinearProduct {
    /// Playout rates of 0 and 1 are replaced by θ and 1 − θ. Between 0 and ½.
    pub theta: f64,
    /// Which of equally likely children is searched.
    pub ties: Ties,
}

impl Default for LinearProduct {
    /// θ as in paper 1.
    fn default() -> Self {
        LinearProduct { theta: 0.01, ties: Ties::First }
    }
}

/// A probability strictly between 0 and 1, exact at both ends: p and 1 − p, each a float of 10 bits of exponent and 22 of mantissa.
///
/// These are the bits 30 to 61 of a 64-bit float; those above are zero up to 1. Codes grow with the numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probability {
    yes: u32,
    no: u32,
}

const _: () = assert!(size_of::<Probability>() == 8);

/// The place of the last bit that is kept.
const KEPT: u32 = 30;
/// The code of 1.
const ONE: u32 = (1f64.to_bits() >> KEPT) as u32;
/// −log₂ of the smallest number that is kept as such. Products of 64-bit floats are exact down to 2^-1022. Smaller numbers are kept as the
/// code of −log₂, which shrinks as they grow, counted downwards from the code of this one.
const TINY: f64 = 900.0;
const TINY_CODE: u32 = (1023 - TINY as u32) << (52 - KEPT);
/// No logarithm is larger.
const LARGEST_LOG: f64 = (1u128 << 127) as f64;

/// The code of a number from 2^-TINY to 1, or of a logarithm.
#[inline]
fn encode(x: f64) -> u64 {
    (x.to_bits() + (1 << (KEPT - 1))) >> KEPT
}

/// The number of a code. If it is below 2^-TINY, anything below that.
#[inline]
const fn decode(code: u32) -> f64 {
    f64::from_bits((code as u64) << KEPT)
}

/// The code of 2ˣ, x ≤ 0.
fn from_log(x: f64) -> u32 {
    match -x {
        n if n < TINY => encode(x.exp2()) as u32,
        n => TINY_CODE - (encode(n.min(LARGEST_LOG)) - encode(TINY)) as u32,
    }
}

/// log₂ of a code's number.
fn log(code: u32) -> f64 {
    if code < TINY_CODE {
        -f64::from_bits((encode(TINY) + u64::from(TINY_CODE - code)) << KEPT)
    } else {
        decode(code).log2()
    }
}

impl Encode for Probability {
    fn put(self, out: &mut dyn Write) -> io::Result<()> {
        (self.yes, self.no).put(out)
    }

    fn get(from: &mut dyn Read) -> io::Result<Probability> {
        Encode::get(from).map(|(yes, no)| Probability { yes, no })
    }
}

impl Probability {
    /// The probability `p`, 0 < p < 1.
    #[inline]
    pub fn new(p: f64) -> Probability {
        Probability { yes: encode(p) as u32, no: encode(1.0 - p) as u32 }
    }

    /// One less the probability.
    #[inline]
    fn opposite(self) -> Probability {
        Probability { yes: self.no, no: self.yes }
    }

    /// A number that grows with the probability.
    #[inline]
    fn rank(self) -> i64 {
        i64::from(self.yes) - i64::from(self.no)
    }

    /// The probability, for display.
    pub fn value(self) -> f64 {
        if self.yes < self.no { log(self.yes).exp2() } else { 1.0 - log(self.no).exp2() }
    }
}

/// The probability that all of several independent children hold, where it or the opposite is too small for a float.
#[cold]
fn all_by_logs(kids: impl Iterator<Item = Probability> + Clone) -> Probability {
    let yes: f64 = kids.clone().map(|kid| log(kid.yes)).sum();
    if yes < -1.0 {
        return Probability { yes: from_log(yes), no: encode(1.0 - yes.exp2()) as u32 };
    }
    // The opposite is nearly a sum. Positive terms lose no digits: the chance that a child is the first that does not hold.
    let largest = kids.clone().map(|kid| log(kid.no)).fold(f64::NEG_INFINITY, f64::max);
    let (mut sum, mut before) = (0.0, 1.0);
    for kid in kids {
        sum += (log(kid.no) - largest).exp2() * before;
        before *= decode(kid.yes);
    }
    Probability { yes: encode(before) as u32, no: from_log(largest + sum.log2()) }
}

/// The probability ½^c.
#[inline]
fn half_to_the(c: usize) -> Probability {
    if c < TINY as usize {
        Probability::new(f64::from_bits((1023 - c as u64) << 52))
    } else {
        Probability { yes: from_log(-(c as f64)), no: ONE }
    }
}

/// Above this, 2^-850, no child's number that is kept as a logarithm matters: read as a float it is below 2^-900, and there are fewer than 2^16.
const LEAST: f64 = f64::from_bits((1023 - 850) << 52);

/// Several children of a node together.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// The chance that all hold at an AND node, that none holds at an OR node.
    all: f64,
    /// The opposite, as a sum of positive terms, which loses no digits: the chances of each child to be the first that does not hold.
    missing: f64,
    /// The first child of the least rank at an AND node, of the highest at an OR node.
    best: usize,
    extreme: i64,
}

impl Joint {
    #[inline]
    fn of(gate: Gate, kids: impl Iterator<Item = (usize, Probability)>) -> Joint {
        let (mut all, mut missing, mut best, mut extreme) = (1.0, 0.0, 0, i64::from(ONE));
        // An OR node is an AND node asked the other way round. Two loops, so that neither asks in every round which one it is.
        match gate {
            Gate::Or => {
                extreme = -extreme;
                for (number, kid) in kids {
                    missing += decode(kid.yes) * all;
                    all *= decode(kid.no);
                    let rank = kid.rank();
                    best = if rank > extreme { number } else { best };
                    extreme = extreme.max(rank);
                }
            }
            Gate::And => {
                for (number, kid) in kids {
                    missing += decode(kid.no) * all;
                    all *= decode(kid.yes);
                    let rank = kid.rank();
                    best = if rank < extreme { number } else { best };
                    extreme = extreme.min(rank);
                }
            }
        }
        Joint { all, missing, best, extreme }
    }

    /// These children and the later ones.
    #[inline]
    fn and(self, gate: Gate, later: Joint) -> Joint {
        let replaced = match gate {
            Gate::Or => later.extreme > self.extreme,
            Gate::And => later.extreme < self.extreme,
        };
        let Joint { best, extreme, .. } = if replaced { later } else { self };
        Joint { all: self.all * later.all, missing: self.missing + self.all * later.missing, best, extreme }
    }

    /// The probability of a node with these children.
    #[inline]
    fn value(self, gate: Gate, kids: impl Iterator<Item = (usize, Probability)> + Clone) -> Probability {
        // Rounded codes may add up to a little more than one.
        let exact = self.all >= LEAST && self.missing >= LEAST;
        let found = Probability { yes: encode(self.all) as u32, no: encode(self.missing.min(1.0)) as u32 };
        match gate {
            Gate::And if exact => found,
            Gate::And => all_by_logs(kids.map(|(_, kid)| kid)),
            Gate::Or if exact => found.opposite(),
            Gate::Or => all_by_logs(kids.map(|(_, kid)| kid.opposite())).opposite(),
        }
    }
}

impl Rule for LinearProduct {
    type Info = Probability;
    type Siblings = [Joint; 2];

    /// Probabilities 0 and 1: factors of one, behind all others.
    const SOLVED: Option<[Probability; 2]> =
        Some([Probability { yes: 0, no: ONE }, Probability { yes: ONE, no: 0 }]);

    #[inline]
    fn leaf(&self, gate: Gate, evidence: Evidence) -> Probability {
        match (gate, evidence) {
            (_, Evidence::None) => Probability::new(0.5),
            (Gate::And, Evidence::Mobility(moves)) => half_to_the(moves),
            (Gate::Or, Evidence::Mobility(moves)) => half_to_the(moves).opposite(),
            (_, Evidence::Chance(p)) => Probability::new(p),
            (_, Evidence::Playouts { wins, played } | Evidence::Effort { wins, played, .. }) => match wins {
                0 => Probability::new(self.theta),
                all if all == played => Probability::new(self.theta).opposite(),
                some => Probability::new(f64::from(some) / f64::from(played)),
            },
        }
    }

    #[inline]
    fn update(
        &self,
        gate: Gate,
        kids: impl Iterator<Item = (usize, Probability)> + Clone,
    ) -> (Probability, usize) {
        let joint = Joint::of(gate, kids.clone());
        let best = match self.ties {
            Ties::First => joint.best,
            _ => {
                let equals = kids.clone().filter(|(_, kid)| kid.rank() == joint.extreme);
                self.ties.break_tie(gate, joint.best, equals.map(|(number, _)| number))
            }
        };
        (joint.value(gate, kids), best)
    }

    #[inline]
    fn update_child(
        &self,
        gate: Gate,
        kids: impl Iterator<Item = (usize, Probability)> + Clone,
        child: (usize, Probability),
        siblings: &mut Option<[Joint; 2]>,
    ) -> (Probability, usize) {
        if !matches!(self.ties, Ties::First) {
            return self.update(gate, kids);
        }
        let number = child.0;
        let [before, after] = siblings.get_or_insert_with(|| {
            let before = kids.clone().take_while(|kid| kid.0 < number);
            [Joint::of(gate, before), Joint::of(gate, kids.clone().skip_while(|kid| kid.0 <= number))]
        });
        let joint = before.and(gate, Joint::of(gate, std::iter::once(child))).and(gate, *after);
        (joint.value(gate, kids), joint.best)
    }

    fn display(&self, info: Probability) -> RootValue {
        RootValue::Probability(info.value())
    }

    fn redraws(&self) -> bool {
        self.ties.redraws()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Odds, Product};
    use super::*;
    use delphic_game::Rng;

    fn update(gate: Gate, kids: &[f64]) -> (f64, usize) {
        let kids = kids.iter().map(|&p| Probability::new(p)).enumerate();
        let (info, best) = LinearProduct::default().update(gate, kids);
        (info.value(), best)
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
        let split = LinearProduct { ties: Ties::Split, ..LinearProduct::default() };
        let kids = [0.5, 0.8, 0.8, 0.5].map(Probability::new).into_iter().enumerate();
        let best = |rule: &LinearProduct, gate| rule.update(gate, kids.clone()).1;
        assert_eq!([Gate::Or, Gate::And].map(|gate| best(&LinearProduct::default(), gate)), [1, 0]);
        assert_eq!([Gate::Or, Gate::And].map(|gate| best(&split, gate)), [2, 0]);
    }

    /// Papers 1 and 3, §2.2 (2), and paper 2, §3.2.
    #[test]
    fn leaves() {
        let rule = LinearProduct { theta: 0.01, ..LinearProduct::default() };
        let leaf = |wins| rule.leaf(Gate::Or, Evidence::Playouts { wins, played: 1000 }).value();
        for (wins, p) in [(0, 0.01), (1, 0.001), (500, 0.5), (999, 0.999), (1000, 0.99)] {
            assert!((leaf(wins) - p).abs() < 1e-7, "{wins}: {}", leaf(wins));
        }
        let leaf = |gate, moves| rule.leaf(gate, Evidence::Mobility(moves)).value();
        assert_eq!((leaf(Gate::And, 3), leaf(Gate::Or, 3)), (0.125, 0.875));
        let ranks =
            [1, 2, 899, 900, 901, 5_000].map(|moves| rule.leaf(Gate::And, Evidence::Mobility(moves)).rank());
        assert!(ranks.is_sorted_by(|a, b| a > b), "{ranks:?}");
    }

    /// Logarithms and their codes are each other's inverse, also where they take the place of numbers.
    #[test]
    fn logarithms() {
        for x in [0.0, -0.5, -1.0, -10.25, -899.5, -900.0, -901.0, -12_345.0, -1e20, -1e38] {
            let back = log(from_log(x));
            assert!((back - x).abs() <= 3e-7 * x.abs().max(1.0), "{x} {back}");
        }
        let codes = [-1e38, -1e9, -1000.0, -900.1, -900.0, -899.9, -2.0, 0.0].map(from_log);
        assert!(codes.is_sorted_by(|a, b| a < b) && codes[0] > 0, "{codes:?}");
    }

    /// Solved children change nothing.
    #[test]
    fn solved_children_do_not_count() {
        let rule = LinearProduct::default();
        let [disproved, proved] = LinearProduct::SOLVED.unwrap();
        for (gate, solved) in [(Gate::Or, disproved), (Gate::And, proved)] {
            for open in [[0.3, 0.6], [1e-9, 1e-300], [1.0 - 1e-9, 1.0 - 1e-12]] {
                let open = open.map(Probability::new);
                let (info, best) = rule.update(gate, open.into_iter().enumerate());
                let among = [solved, open[0], solved, open[1], solved];
                assert_eq!(rule.update(gate, among.into_iter().enumerate()), (info, 2 * best + 1));
            }
        }
    }

    /// Both rules give the same values on random trees, however unlikely, and follow a child of the same value.
    #[test]
    fn agrees_with_logarithms() {
        let (linear, product, mut rng) = (LinearProduct::default(), Product::default(), Rng::new(1));
        let mut values = vec![(Probability::new(0.5), Odds::new(0.5))];
        for _ in 0..20_000 {
            let gate = if rng.below(2) == 0 { Gate::Or } else { Gate::And };
            let kids: Vec<_> = (0..1 + rng.below(8)).map(|_| values[rng.below(values.len())]).collect();
            let (ours, at) = linear.update(gate, kids.iter().map(|kid| kid.0).enumerate());
            let (theirs, there) = product.update(gate, kids.iter().map(|kid| kid.1).enumerate());
            let (yes, no) = theirs.logs();
            for (code, exact) in [(ours.yes, yes), (ours.no, no)] {
                let difference = (log(code) - f64::from(exact)).abs();
                assert!(difference <= 1e-4 * (1.0 + f64::from(exact).abs()), "{ours:?} {theirs:?} {kids:?}");
            }
            let [a, b] = [at, there].map(|nth| kids[nth].1.logs());
            assert!((a.0 - b.0).abs() <= 1e-4 * (1.0 + a.0.abs()), "{a:?} {b:?}");
            if values.len() == 500 {
                let out = rng.below(500);
                values.swap_remove(out);
            }
            let fresh = 0.05 + 0.9 * rng.below(1_000) as f64 / 1_000.0;
            values.push(if rng.below(3) == 0 {
                (Probability::new(fresh), Odds::new(fresh))
            } else {
                (ours, theirs)
            });
        }
    }

    /// An update through one child, with its siblings read or kept from an earlier value of the child, gives what reading all children
    /// gives, up to the last bit: factors are multiplied in another order.
    #[test]
    fn kept_siblings_are_as_good_as_read_ones() {
        let (rule, mut rng) = (LinearProduct::default(), Rng::new(2));
        let mut values = vec![Probability::new(0.5)];
        for _ in 0..20_000 {
            let gate = if rng.below(2) == 0 { Gate::Or } else { Gate::And };
            let mut kids: Vec<_> = (0..1 + rng.below(8)).map(|_| values[rng.below(values.len())]).collect();
            let (number, mut siblings) = (rng.below(kids.len()), None);
            for _ in 0..3 {
                kids[number] = values[rng.below(values.len())];
                let all = kids.iter().copied().enumerate();
                let (read, best) = rule.update(gate, all.clone());
                let (kept, found) = rule.update_child(gate, all, (number, kids[number]), &mut siblings);
                assert_eq!(found, best, "{gate:?} {kids:?}");
                assert!(
                    kept.yes.abs_diff(read.yes) <= 1 && kept.no.abs_diff(read.no) <= 1,
                    "{kept:?} {read:?} {kids:?}"
                );
                let fresh = Probability::new(0.05 + 0.9 * rng.below(1_000) as f64 / 1_000.0);
                values.push(if rng.below(3) == 0 { fresh } else { kept });
            }
            if values.len() > 500 {
                let out = rng.below(500);
                values.swap_remove(out);
            }
        }
    }

    /// Forty plies of seven replies each: p falls below any float, yet better stays better.
    #[test]
    fn deep_trees_stay_apart() {
        let rule = LinearProduct::default();
        let climb = |leaf: f64| {
            let mut info = Probability::new(leaf);
            for ply in 0..40 {
                let gate = if ply % 2 == 0 { Gate::And } else { Gate::Or };
                info = rule.update(gate, (0..7).map(|i| (i, info))).0;
            }
            info
        };
        for (bad, good) in [(0.01, 0.02), (0.98, 0.99)] {
            let (bad, good) = (climb(bad), climb(good));
            assert!(good.rank() > bad.rank(), "{good:?} {bad:?}");
        }
    }
}
