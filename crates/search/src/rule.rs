//! Rules: how hope travels up a tree and where to look next.
//!
//! The kernel owns truth, the rule owns hope. A rule never meets a solved node: the kernel keeps those to itself, so
//! no rule needs a value that means "proved", and none can mistake a rounded number for one.

mod ews;
mod in_order;
mod minsum;
mod product;
mod weak;

pub use ews::{ExpectedWork, Work};
pub use in_order::InOrder;
pub use minsum::{Counts, MinSum, Rates};
pub use product::{Odds, Product, Ties};
pub use weak::Sum;

use crate::Hope;
use crate::checkpoint::Field;

/// What is known about a fresh leaf besides its role.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Evidence {
    /// Nothing.
    None,
    /// Its number of legal moves.
    Mobility(usize),
    /// An estimated chance, strictly between 0 and 1, that the answer is yes.
    Chance(f64),
    /// How often the answer was yes: so many times in so many random games.
    Playouts {
        /// Yes.
        wins: u32,
        /// All.
        played: u32,
    },
    /// The same with the numbers of legal moves met on the way.
    Effort {
        /// Yes.
        wins: u32,
        /// All.
        played: u32,
        /// Legal moves, summed over all positions of all games.
        moves: u64,
    },
}

/// A way to guide a best-first search (the four functions of paper 2, Algorithm 1, without `info-term`).
pub trait Rule {
    /// What distinguishes nodes: who decides there.
    type Role: Copy;
    /// What is kept at a node. Small: it is most of the memory.
    type Info: Copy + PartialEq + Send + Field + 'static;

    /// The value of a fresh open leaf.
    fn leaf(&self, role: Self::Role, evidence: Evidence) -> Self::Info;

    /// The value of an inner node, and the child to search next, from its open children (at least one) in
    /// move order with their numbers. Ties go to the first.
    fn update(
        &self,
        role: Self::Role,
        kids: impl Iterator<Item = (usize, Self::Info)> + Clone,
    ) -> (Self::Info, usize);

    /// The value for people to read.
    fn hope(&self, info: Self::Info) -> Hope;
}

/// A rule that can say how long a child is worth searching, for depth-first search.
pub trait Thresholds: Rule {
    /// The values within which a node is searched on.
    type Bound: Copy;

    /// Everything is within.
    fn unbounded(&self) -> Self::Bound;

    /// Whether a node's value has left the bound.
    fn beyond(&self, info: Self::Info, bound: Self::Bound) -> bool;

    /// The bound for child `best` of a node with this bound: as long as it is within, the node is and the child stays the one to search.
    fn tighten(
        &self,
        role: Self::Role,
        bound: Self::Bound,
        kids: impl Iterator<Item = (usize, Self::Info)> + Clone,
        best: usize,
    ) -> Self::Bound;
}
