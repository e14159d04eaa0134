//! Moves in order, for questions that have no yes or no to hope for: max^n (Luckhardt and Irani 1986).
//!
//! Where ties go to the first of equal moves, the first open child of a node has to be solved whatever the later ones are worth,
//! and a later one is not needed once an earlier one pays the most there is. So each node that this rule picks has to be
//! expanded by every search for the root's value: there is nothing to weigh, and nothing is kept at a node.

use super::{Evidence, Rule};
use crate::Hope;
use std::marker::PhantomData;

/// The rule, for nodes with roles of any kind.
#[derive(Clone, Copy, Debug)]
pub struct InOrder<R>(PhantomData<R>);

impl<R> Default for InOrder<R> {
    fn default() -> Self {
        InOrder(PhantomData)
    }
}

impl<R: Copy> Rule for InOrder<R> {
    type Role = R;
    type Info = ();

    fn leaf(&self, _: R, _: Evidence) {}

    #[inline]
    fn update(&self, _: R, mut kids: impl Iterator<Item = (usize, ())> + Clone) -> ((), usize) {
        ((), kids.next().expect("an open node has an open child").0)
    }

    fn hope(&self, (): ()) -> Hope {
        Hope::None
    }
}
