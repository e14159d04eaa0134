//! Random game trees, with the irregularities that games can have.
//!
//! Turns do not alternate, nodes have no, one or several children, some moves pass, payoffs are scores with
//! draws in between, and dead ends pay the mover's opponent. The tree is a function of the seed alone.

use crate::{Game, Hints, Notation, NotationError, Outcome, Player, Progressive, mix};

/// A family of random trees.
#[derive(Clone, Copy, Debug)]
pub struct RandomTree {
    /// Which tree.
    pub seed: u64,
    /// No node lies deeper than this.
    pub depth: u32,
    /// The most children of a node.
    pub width: u32,
    /// Payoffs go from `-span` to `span`.
    pub span: i16,
    /// The number of players.
    pub players: usize,
}

/// A node of a random tree, identified by the path to it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    depth: u32,
    /// The moves so far as digits in base `width`, with a leading 1 that keeps paths of different lengths apart.
    path: u64,
}

impl RandomTree {
    /// A tree small enough for brute force.
    pub fn small(seed: u64) -> RandomTree {
        let draw = |salt: u64, n: u64| mix(seed ^ mix(salt)) % n;
        RandomTree {
            seed,
            depth: 1 + draw(1, 7) as u32,
            width: 1 + draw(2, 4) as u32,
            span: 1 + draw(3, 3) as i16,
            players: 2,
        }
    }

    fn draw(&self, node: &Node, salt: u64, n: u64) -> u64 {
        mix(self.seed ^ mix(node.path ^ mix(u64::from(node.depth) << 8 | salt))) % n
    }

    fn width_at(&self, node: &Node) -> u32 {
        // One node in eight ends early without children, one in eight has a single child.
        match self.draw(node, 0, 8) {
            0 => 0,
            1 => 1,
            _ => 1 + self.draw(node, 1, u64::from(self.width)) as u32,
        }
    }
}

impl Game for RandomTree {
    type State = Node;
    type Move = u32;

    fn start(&self) -> Node {
        Node { depth: 0, path: 1 }
    }

    fn turn(&self, node: &Node) -> Player {
        // Mostly in turn, but at one node in four any player may move.
        let seat = match self.draw(node, 2, 4) {
            0 => self.draw(node, 3, self.players as u64),
            _ => u64::from(node.depth) % self.players as u64,
        };
        Player::new(seat as usize)
    }

    fn moves(&self, node: &Node, list: &mut Vec<u32>) {
        list.extend(0..self.width_at(node));
    }

    fn play(&self, node: &mut Node, mv: u32) {
        node.depth += 1;
        node.path = node.path * u64::from(self.width.max(2)) + u64::from(mv);
    }

    fn outcome(&self, node: &Node) -> Option<Outcome> {
        let over = node.depth >= self.depth || self.draw(node, 4, 10) == 0;
        over.then(|| {
            let payoff = |salt| self.draw(node, salt, 2 * self.span as u64 + 1) as i16 - self.span;
            match self.players {
                2 => Outcome::score(payoff(5)),
                players => Outcome::new(std::array::from_fn(|seat| {
                    if seat < players { payoff(5 + seat as u64) } else { 0 }
                })),
            }
        })
    }

    fn stuck(&self, node: &Node) -> Outcome {
        match (self.players, self.turn(node)) {
            (2, Player::FIRST) => Outcome::score(-self.span),
            (2, _) => Outcome::score(self.span),
            (players, mover) => Outcome::loss_among(mover, players),
        }
    }

    fn players(&self) -> usize {
        self.players
    }

    fn payoffs(&self) -> Vec<i16> {
        (-self.span..=self.span).collect()
    }
}

impl Progressive for RandomTree {}
impl Hints for RandomTree {}

impl Notation for RandomTree {
    const HOW: &'static str = "A move is the number of a child from 0; a node is depth:path.";

    fn write_move(&self, _: &Node, mv: u32) -> String {
        mv.to_string()
    }

    fn write(&self, node: &Node) -> String {
        format!("{}:{}", node.depth, node.path)
    }

    fn read(&self, text: &str) -> Result<Node, NotationError> {
        let error = || NotationError::position("expected depth:path");
        let (depth, path) = text.split_once(':').ok_or_else(error)?;
        Ok(Node { depth: depth.parse().map_err(|_| error())?, path: path.parse().map_err(|_| error())? })
    }
}
