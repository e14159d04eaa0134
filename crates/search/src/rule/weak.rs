//! Weak sums, against the overestimation of proof numbers in graphs (double counting).
//!
//! With transpositions a leaf can be below several children of a node, and the sum of their proof numbers counts it several times; a chain
//! of such nodes multiplies the error until the search avoids nodes that are nearly proved. Weak proof-number search (Ueda, Hashimoto,
//! Hashimoto and Iida 2008) takes the largest number plus one for each other child instead of the sum. This never counts a leaf twice, and
//! still grows with the number of children. On trees there is no double counting, so the plain sum is used there.

/// How the proof numbers of children are summed where all children are needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sum {
    /// Σ.
    Plain,
    /// The largest plus one for each other child.
    Weak,
}

impl Sum {
    /// The total of `count` numbers with this plain sum and largest number.
    #[inline]
    pub(super) fn total<N>(self, sum: N, largest: N, others: N, plus: impl Fn(N, N) -> N) -> N {
        match self {
            Sum::Plain => sum,
            Sum::Weak => plus(largest, others),
        }
    }
}
