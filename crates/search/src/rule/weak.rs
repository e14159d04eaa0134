//! Weak sums against overestimation.
//!
//! Where positions are shared, one leaf can be below several children of a node, and a sum of their proof numbers counts it
//! several times; a chain of such nodes multiplies the error until the search avoids what is nearly proved. Weak proof-number
//! search (Ueda, Hashimoto, Hashimoto and Iida 2008) takes the largest number and one for each other child instead of the sum.
//! That never counts a leaf twice, and in trees of equal leaves it still grows with the number of children. Trees have no shared
//! leaves, so there the plain sum stays.

/// How the numbers of children that must all be dealt with add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sum {
    /// Σ.
    Plain,
    /// The largest and one for each other.
    Weak,
}

impl Sum {
    /// The total of several numbers with this plain sum, largest and count.
    #[inline]
    pub(super) fn total<N>(self, sum: N, largest: N, others: N, plus: impl Fn(N, N) -> N) -> N {
        match self {
            Sum::Plain => sum,
            Sum::Weak => plus(largest, others),
        }
    }
}
