//! AND/OR problems that are not games, and their conversion to games.
//!
//! A problem becomes a two-player game: the first player chooses at OR nodes and tries to reach a true leaf, the second chooses at AND
//! nodes and tries to prevent it. So all solvers, certificates and checkpoints work with an [`AndOrGame`].

use crate::{Force, Game, Hints, Notation, NotationError, Outcome, Player, Progressive};
use std::hash::Hash;

/// A node of an AND/OR problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AndOrNode {
    /// A leaf that is true or false.
    Leaf(bool),
    /// True if one of its children is true; false if it has none.
    Or,
    /// True if all of its children are true.
    And,
}

/// An AND/OR problem without cycles: no node is its own descendant.
///
/// ```
/// use delphic_game::and_or::{AndOrNode, AndOrProblem};
///
/// /// Can a number be written as a sum of 3s and 5s?
/// struct Coins(u32);
///
/// impl AndOrProblem for Coins {
///     type State = u32;
///     type Move = u32;
///     fn root(&self) -> u32 { self.0 }
///     fn node(&self, &left: &u32) -> AndOrNode {
///         if left == 0 { AndOrNode::Leaf(true) } else { AndOrNode::Or }
///     }
///     fn moves(&self, &left: &u32, list: &mut Vec<u32>) {
///         list.extend([3, 5].iter().filter(|&&coin| coin <= left));
///     }
///     fn play(&self, left: &mut u32, coin: u32) { *left -= coin }
/// }
/// assert_eq!(Coins(8).node(&0), AndOrNode::Leaf(true));
/// ```
pub trait AndOrProblem {
    /// A node.
    type State: Clone + Eq + Hash + Send + Sync + 'static;
    /// An edge from a node to a child.
    type Move: Copy + Eq + Hash + Send + Sync + 'static;

    /// The node in question.
    fn root(&self) -> Self::State;

    /// The kind of a node.
    fn node(&self, state: &Self::State) -> AndOrNode;

    /// Appends the edges of a node that is not a leaf, in a fixed order and without repetition.
    fn moves(&self, state: &Self::State, list: &mut Vec<Self::Move>);

    /// Goes to a child.
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// A node as one line that [`read`](Self::read) turns back into it. By default only the root has a name.
    fn write(&self, state: &Self::State) -> String {
        if *state == self.root() { "root".to_owned() } else { "?".to_owned() }
    }

    /// The node that a line describes.
    fn read(&self, text: &str) -> Option<Self::State> {
        (text == "root").then(|| self.root())
    }

    /// An edge as text without blanks. By default its number.
    fn write_move(&self, state: &Self::State, mv: Self::Move) -> String {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves.iter().position(|&other| other == mv).map_or("?".to_owned(), |place| place.to_string())
    }
}

/// The game of an AND/OR problem: the first player wins if the root is true.
#[derive(Clone, Debug)]
pub struct AndOrGame<P>(pub P);

/// The question whether the root of an [`AndOrGame`] is true.
pub const IS_TRUE: Force = Force { player: Player::FIRST, at_least: 1 };

impl<P: AndOrProblem> Game for AndOrGame<P> {
    type State = P::State;
    type Move = P::Move;

    fn start(&self) -> P::State {
        self.0.root()
    }

    fn turn(&self, state: &P::State) -> Player {
        if self.0.node(state) == AndOrNode::And { Player::SECOND } else { Player::FIRST }
    }

    fn moves(&self, state: &P::State, list: &mut Vec<P::Move>) {
        self.0.moves(state, list);
    }

    fn play(&self, state: &mut P::State, mv: P::Move) {
        self.0.play(state, mv);
    }

    fn outcome(&self, state: &P::State) -> Option<Outcome> {
        match self.0.node(state) {
            AndOrNode::Leaf(true) => Some(Outcome::win(Player::FIRST)),
            AndOrNode::Leaf(false) => Some(Outcome::win(Player::SECOND)),
            AndOrNode::Or | AndOrNode::And => None,
        }
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }
}

impl<P: AndOrProblem> Hints for AndOrGame<P> {}

impl<P: AndOrProblem> Progressive for AndOrGame<P> {}

impl<P: AndOrProblem> Notation for AndOrGame<P> {
    const HOW: &'static str = "Nodes and edges as the problem writes them; `root` is the root.";

    fn write_move(&self, state: &P::State, mv: P::Move) -> String {
        self.0.write_move(state, mv)
    }

    fn write(&self, state: &P::State) -> String {
        self.0.write(state)
    }

    fn read(&self, text: &str) -> Result<P::State, NotationError> {
        self.0
            .read(text)
            .ok_or_else(|| NotationError::position(format!("'{text}' is not a node of the problem")))
    }
}
