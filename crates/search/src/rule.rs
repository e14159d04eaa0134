//! Rules: how hope travels up a tree and where to look next.
//!
//! The kernel owns truth, the rule owns hope. A rule never meets a solved node: the kernel keeps those to itself, so
//! no rule needs a value that means "proved", and none can mistake a rounded number for one.

mod minsum;
mod product;

pub use minsum::{Counts, MinSum, Rates};
pub use product::{Odds, Product};

use crate::Hope;

/// What is known about a fresh leaf besides its role.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Evidence {
    /// Nothing.
    None,
    /// Its number of legal moves.
    Mobility(usize),
    /// How often the answer was yes: so many times in so many random games.
    Playouts {
        /// Yes.
        wins: u32,
        /// All.
        played: u32,
    },
}

/// A way to guide a best-first search (the four functions of paper 2, Algorithm 1, without `info-term`).
pub trait Rule {
    /// What distinguishes nodes: who decides there.
    type Role: Copy;
    /// What is kept at a node. Small: it is most of the memory.
    type Info: Copy + PartialEq;

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
