//! Rules: how heuristic values are backed up, and which node is searched next.
//!
//! The kernel keeps exact verdicts; the rule keeps heuristic values that only choose the next node. A rule never sees a solved
//! node, so no rule needs a value that means "proved", and none can mistake a rounded number for one.

mod ews;
mod linear;
mod minsum;
mod product;
mod ties;
mod weak;

pub use ews::{ExpectedWork, Work};
pub use linear::{LinearProduct, Probability};
pub use minsum::{Counts, MinSum, Rates};
pub use product::{Odds, Product};
pub use ties::Ties;
pub use weak::Sum;

use crate::checkpoint::Encode;
use crate::{RootValue, VirtualValue};
use delphic_game::Gate;

/// The evidence about a new leaf, besides its gate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Evidence {
    /// Nothing.
    None,
    /// Its number of legal moves.
    Mobility(usize),
    /// An estimated probability, strictly between 0 and 1, that the answer is yes.
    Chance(f64),
    /// The results of playouts.
    Playouts {
        /// Playouts in which the answer was yes.
        wins: u32,
        /// All playouts.
        played: u32,
    },
    /// The results of playouts with the number of legal moves along them.
    Effort {
        /// Playouts in which the answer was yes.
        wins: u32,
        /// All playouts.
        played: u32,
        /// The legal moves, summed over all positions of all playouts.
        moves: u64,
    },
}

/// Guides a best-first search: initialises, backs up and compares heuristic values (the functions of paper 2, Algorithm 1, without
/// `info-term`: terminal nodes have verdicts instead).
///
/// ```
/// # use delphic_game::{Force, Game, Player, Spec, Verdict};
/// # use delphic_games::{Family, Nim};
/// # let game = Nim::build(&mut Spec::parse("nim:1,2,4"))?;
///
/// use delphic_game::Gate;
/// use delphic_search::kernel::{self, Expand};
/// use delphic_search::rule::Evidence;
/// use delphic_search::{LeafPrior, Limits, Position, RootValue, Rule, Searchable};
///
/// /// Breadth-first: the value is the depth of the highest open leaf.
/// struct Shallow;
///
/// impl Rule for Shallow {
///     type Info = u32;
///     type Siblings = ();
///     fn leaf(&self, _: Gate, _: Evidence) -> u32 { 0 }
///     fn update(&self, _: Gate, kids: impl Iterator<Item = (usize, u32)> + Clone) -> (u32, usize) {
///         let (best, depth) = kids.min_by_key(|kid| kid.1).expect("an open node has an open child");
///         (depth + 1, best)
///     }
///     fn display(&self, _: u32) -> RootValue { RootValue::None }
/// }
///
/// let position = Position { game: &game, state: game.start() };
/// let tree = position.tree(Force { player: Player::FIRST, at_least: 1 }, LeafPrior::Uniform);
/// let report = kernel::solve(tree, &Shallow, Expand::Plain, Limits::default(), &mut ());
/// assert_eq!(report.truth, Verdict::Proved);
/// # Ok::<(), delphic_game::SpecError>(())
/// ```
pub trait Rule {
    /// The heuristic value of a node. It should be small: it is most of the memory.
    type Info: Copy + PartialEq + Send + Sync + Encode + 'static;

    /// Values of a disproved and of a proved node that count for nothing among the children of a node they do not decide. A tree search then
    /// need not leave them out, which costs a branch per child that is hard to predict. By default a rule sees open children alone.
    const SOLVED: Option<[Self::Info; 2]> = None;

    /// What [`update_child`](Rule::update_child) keeps of the siblings of a child; `()` for a rule that leaves it to
    /// [`update`](Rule::update).
    type Siblings: Clone;

    /// The value of a fresh open leaf.
    fn leaf(&self, gate: Gate, evidence: Evidence) -> Self::Info;

    /// The value of an inner node, and the number of the child to search next, from its open children (at least one) in
    /// move order with their numbers. By default ties go to the first child; see [`Ties`].
    fn update(
        &self,
        gate: Gate,
        kids: impl Iterator<Item = (usize, Self::Info)> + Clone,
    ) -> (Self::Info, usize);

    /// As [`update`](Rule::update) of a node of which only `child`, with its number and value, has changed since `siblings` was filled. It
    /// is `None` the first time. A rule that can sum up the other children fills it and does not read them again.
    #[inline]
    fn update_child(
        &self,
        gate: Gate,
        kids: impl Iterator<Item = (usize, Self::Info)> + Clone,
        child: (usize, Self::Info),
        siblings: &mut Option<Self::Siblings>,
    ) -> (Self::Info, usize) {
        let _ = (child, siblings);
        self.update(gate, kids)
    }

    /// The value for display.
    fn display(&self, info: Self::Info) -> RootValue;

    /// Whether ties are broken at random in every iteration, so that nodes must be updated even if no value below has changed.
    fn redraws(&self) -> bool {
        false
    }
}

/// A rule for depth-first search, with thresholds: the bounds within which a child is searched before its parent is updated.
pub trait Thresholds: Rule<Info: Pack> {
    /// The bound within which a node is searched.
    type Bound: Copy + Send;

    /// The bound of the root: it contains all values.
    fn unbounded(&self) -> Self::Bound;

    /// Whether a node's value has left the bound.
    fn beyond(&self, info: Self::Info, bound: Self::Bound) -> bool;

    /// The bound for child `best` of a node with this bound: as long as the child is within it, the node is within its own bound, and the
    /// child remains the best.
    fn tighten(
        &self,
        gate: Gate,
        bound: Self::Bound,
        kids: impl Iterator<Item = (usize, Self::Info)> + Clone,
        best: usize,
    ) -> Self::Bound;

    /// The virtual value of a child of a node with this gate, below which `workers` other workers search, at least one. It changes which child
    /// is best, but not the value of the node.
    fn crowded(&self, gate: Gate, info: Self::Info, workers: u16, form: VirtualValue) -> Self::Info;
}

/// A value as stored in a transposition table: 64 bits, aligned to 32 so that entries stay small.
pub type Packed = [u32; 2];

/// A value that can be packed into 64 bits, so that tables do not depend on the rule.
pub trait Pack {
    /// The bits.
    fn pack(self) -> Packed;

    /// The value with these bits.
    fn unpack(bits: Packed) -> Self;
}
