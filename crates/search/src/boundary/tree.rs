//! The game's side of a search over a tree: states on the current path, and moves.

use crate::LeafPrior;
use crate::arena::{Arena, NodeId};
use crate::boundary::Status;
use crate::prior::{LeafPosition, Prior};
use crate::problem::{GameProblem, NodeStatus};
use crate::rule::Evidence;
use crate::solved::{ProofMemory, Shape, SolvedTree};
use delphic_game::{Gate, Hints, Verdict};
use std::io::{self, Read, Write};

/// A child in a tree, and evidence about it if it is open.
pub type TreeChild = (Status, Evidence);

/// Positions of a tree whose nodes the driver numbers. It stands at one node at a time and knows the path there.
pub trait TreeFrontier {
    /// The status of the root and, if it is open, evidence about it.
    fn root(&mut self) -> (Status, Evidence);

    /// Goes up to ply `keep` of the present path, from there down through the nodes `down`, and lists the children of the node it
    /// comes to. They are the next block of nodes. Returns whether all evidence about them is there, as it is where their numbers of
    /// moves are enough; otherwise there is none yet.
    fn expand(&mut self, keep: usize, down: &[NodeId], children: &mut Vec<TreeChild>) -> bool;

    /// Adds the evidence about the children just listed; there is none about those that are over.
    fn evidence(&mut self, children: &mut [TreeChild]);

    /// Goes to a node as [`expand`](Self::expand) does and starts a second tree there. Until it ends, all calls apply to the second tree.
    fn begin_second(&mut self, keep: usize, down: &[NodeId]) -> (Status, Evidence);

    /// Ends the second tree. The block of `width` nodes from `first` on, the children of its root, becomes the next block of the main tree.
    fn end_second(&mut self, first: NodeId, width: usize);

    /// Memory held, in bytes.
    fn bytes(&self) -> u64;

    /// Playouts so far.
    fn playouts(&self) -> u64;

    /// Writes the state of the prior's random generator.
    fn save_prior(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Restores the state of the prior's random generator.
    fn load_prior(&mut self, from: &mut dyn Read) -> io::Result<()>;

    /// The solved positions of the finished tree with this shape.
    fn remember(self: Box<Self>, shape: Box<dyn Shape>) -> ProofMemory;
}

/// A tree and the path to the current node.
struct Level<G: Hints> {
    /// The moves that lead to the nodes, numbered as in the driver's tree.
    moves: Arena<G::Move>,
    /// The states on the path, from the root on.
    path: Vec<G::State>,
}

/// [`TreeFrontier`] of a game.
pub struct GameTree<'g, G: Hints, L = LeafPrior> {
    problem: GameProblem<'g, G>,
    prior: L,
    level: Level<G>,
    /// The main tree during a second search; otherwise the memory to be reused by the next second tree.
    other: Level<G>,
    moves: Vec<G::Move>,
    children: Vec<(G::State, NodeStatus<Gate, Verdict>)>,
    scratch: Vec<G::Move>,
}

impl<'g, G: Hints, L: Prior<G>> GameTree<'g, G, L> {
    /// The tree below the problem's position.
    pub fn new(problem: GameProblem<'g, G>, prior: L) -> Self {
        let level = || Level { moves: Arena::new(), path: Vec::new() };
        GameTree {
            problem,
            prior,
            level: level(),
            other: level(),
            moves: Vec::new(),
            children: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Makes `state` the root of the current tree, which is empty.
    fn plant(&mut self, state: G::State) -> (Status, Evidence) {
        let status = self.problem.status(&state, &mut self.scratch);
        let mut evidence = Evidence::None;
        if let NodeStatus::Open { moves, .. } = status {
            let leaf = LeafPosition { state: &state, moves, parent: None };
            evidence = self.prior.evidence(&self.problem, leaf, &mut self.scratch);
            self.scratch.clear();
            self.problem.game.moves(&state, &mut self.scratch);
            // No move leads to the root; its entry is never read.
            self.level.moves.add_block(std::iter::once(self.scratch[0]));
        }
        self.level.path.push(state);
        (status.into(), evidence)
    }

    #[inline]
    fn go_to(&mut self, keep: usize, down: &[NodeId]) {
        let Level { moves, path } = &mut self.level;
        path.truncate(keep + 1);
        for &node in down {
            let next = self.problem.child(&path[path.len() - 1], moves[node]);
            path.push(next);
        }
    }
}

impl<G: Hints + 'static, L: Prior<G>> TreeFrontier for GameTree<'_, G, L> {
    fn root(&mut self) -> (Status, Evidence) {
        self.plant(self.problem.position.clone())
    }

    fn expand(&mut self, keep: usize, down: &[NodeId], children: &mut Vec<TreeChild>) -> bool {
        self.go_to(keep, down);
        let (problem, state) = (&self.problem, &self.level.path[self.level.path.len() - 1]);
        self.moves.clear();
        problem.game.moves(state, &mut self.moves);
        self.level.moves.add_block(self.moves.iter().copied());
        self.children.clear();
        children.clear();
        let mobility = self.prior.by_mobility(1).is_some();
        for &mv in &self.moves {
            let child = problem.child(state, mv);
            let status = problem.status(&child, &mut self.scratch);
            let evidence = match status {
                NodeStatus::Open { moves, .. } => self.prior.by_mobility(moves).unwrap_or(Evidence::None),
                NodeStatus::Over(_) => Evidence::None,
            };
            children.push((status.into(), evidence));
            if !mobility {
                self.children.push((child, status));
            }
        }
        mobility
    }

    fn evidence(&mut self, children: &mut [TreeChild]) {
        let parent = &self.level.path[self.level.path.len() - 1];
        let open = children.iter_mut().zip(&self.children).zip(&self.moves);
        let open = open.filter_map(|((child, (state, status)), &mv)| match *status {
            NodeStatus::Over(_) => None,
            NodeStatus::Open { moves, .. } => {
                Some((child, LeafPosition { state, moves, parent: Some((parent, mv)) }))
            }
        });
        if self.prior.is_shared() {
            let (children, leaves): (Vec<_>, Vec<_>) = open.unzip();
            let found = self.prior.evidence_of_all(&self.problem, &leaves, &mut self.scratch);
            children.into_iter().zip(found).for_each(|(child, evidence)| child.1 = evidence);
        } else {
            open.for_each(|(child, leaf)| {
                child.1 = self.prior.evidence(&self.problem, leaf, &mut self.scratch);
            });
        }
    }

    fn begin_second(&mut self, keep: usize, down: &[NodeId]) -> (Status, Evidence) {
        self.go_to(keep, down);
        std::mem::swap(&mut self.level, &mut self.other);
        self.level.moves.clear();
        self.level.path.clear();
        let state = self.other.path[self.other.path.len() - 1].clone();
        self.plant(state)
    }

    fn end_second(&mut self, first: NodeId, width: usize) {
        self.other.moves.add_block(self.level.moves.block(first, width).iter().copied());
        std::mem::swap(&mut self.level, &mut self.other);
    }

    fn bytes(&self) -> u64 {
        let path = (self.level.path.capacity() + self.other.path.capacity()) * size_of::<G::State>();
        self.level.moves.bytes() + self.other.moves.bytes() + path as u64
    }

    fn playouts(&self) -> u64 {
        self.prior.playouts()
    }

    fn save_prior(&self, out: &mut dyn Write) -> io::Result<()> {
        self.prior.save(out)
    }

    fn load_prior(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.prior.load(from)
    }

    fn remember(self: Box<Self>, shape: Box<dyn Shape>) -> ProofMemory {
        ProofMemory::new::<G>(Box::new(SolvedTree { shape, moves: self.level.moves }))
    }
}
