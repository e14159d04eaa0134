//! Tie-breaking: which of equally good children is searched next.
//!
//! The papers do not specify it, and it matters wherever many children are equal: with PP's mobility at the leaves, or with few
//! playouts.

use delphic_game::{Gate, Rng};
use std::sync::{Arc, Mutex, PoisonError};

/// Which of equally good children is searched next.
///
/// ```
/// use delphic_game::Gate;
/// use delphic_search::Rule;
/// use delphic_search::rule::{Evidence, Product, Ties};
///
/// let searched = |ties: Ties| {
///     let mut rule = Product::default();
///     rule.ties = ties;
///     let leaf = rule.leaf(Gate::And, Evidence::None);
///     rule.update(Gate::Or, [leaf; 4].into_iter().enumerate()).1
/// };
/// assert_eq!((searched(Ties::First), searched(Ties::Last)), (0, 3));
/// assert!(searched(Ties::random(1)) < 4);
/// ```
#[derive(Clone, Default, Debug)]
pub enum Ties {
    /// The first.
    #[default]
    First,
    /// The last.
    Last,
    /// The first at AND nodes and the last at OR nodes. This is probably what paper 2's program did: with it PP creates the paper's numbers
    /// of nodes to within 2 in a thousand on every board (docs/decisions.md).
    Split,
    /// A random one, drawn again in every iteration on a tree, and whenever the node is updated on a graph. A resumed search draws other
    /// numbers than an uninterrupted one.
    Random(Arc<Mutex<Rng>>),
}

impl Ties {
    /// A random one, drawn from the stream of `seed`.
    pub fn random(seed: u64) -> Ties {
        Ties::Random(Arc::new(Mutex::new(Rng::new(seed))))
    }

    /// Whether ties are broken again in every iteration.
    pub(super) fn redraws(&self) -> bool {
        matches!(self, Ties::Random(_))
    }

    /// Chooses among several equals, of which `first` is the first.
    #[inline]
    pub(super) fn break_tie(&self, gate: Gate, first: usize, equals: impl Iterator<Item = usize>) -> usize {
        match self {
            Ties::First => first,
            Ties::Split if gate == Gate::And => first,
            Ties::Last | Ties::Split => equals.last().unwrap_or(first),
            Ties::Random(rng) => {
                let mut rng = rng.lock().unwrap_or_else(PoisonError::into_inner);
                let mut chosen = first;
                for (met, number) in equals.enumerate() {
                    if met > 0 && rng.below(met + 1) == 0 {
                        chosen = number;
                    }
                }
                chosen
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way() {
        let pick = |ties: &Ties, gate| ties.break_tie(gate, 1, [1, 4, 6].into_iter());
        assert_eq!([Gate::Or, Gate::And].map(|gate| pick(&Ties::First, gate)), [1, 1]);
        assert_eq!([Gate::Or, Gate::And].map(|gate| pick(&Ties::Last, gate)), [6, 6]);
        assert_eq!([Gate::Or, Gate::And].map(|gate| pick(&Ties::Split, gate)), [6, 1]);
        let random = Ties::random(1);
        let mut counts = [0; 7];
        (0..3_000).for_each(|_| counts[pick(&random, Gate::Or)] += 1);
        assert!([1, 4, 6].iter().all(|&number| (900..1_100).contains(&counts[number])), "{counts:?}");
    }
}
