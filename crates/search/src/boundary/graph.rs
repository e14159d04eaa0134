//! The game's side of a search over a graph: states, and the index that finds them.

use crate::arena::{Arena, NodeId, ROOT};
use crate::boundary::Status;
use crate::index::Index;
use crate::prior::{LeafPosition, Prior};
use crate::problem::{GameProblem, NodeStatus};
use crate::rule::Evidence;
use crate::solved::{MoveSink, ProofMemory, Shape, SolvedPositions};
use crate::{LeafPrior, Symmetry};
use delphic_game::{Hints, Progressive, Verdict};
use std::io::{self, Read, Write};

/// A child of a node that is being expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// Its number.
    pub child: NodeId,
    /// Its status if it is new; `None` for a transposition.
    pub new: Option<Status>,
}

/// The positions of a graph, numbered in the order of their creation.
pub trait GraphFrontier {
    /// Creates the root: its status and, if it is open, evidence about it.
    fn root(&mut self) -> (Status, Evidence);

    /// Finds or creates the children of a node, in the order of moves.
    fn expand(&mut self, node: NodeId, children: &mut Vec<Link>);

    /// Evidence about the new children just created, in their order; `Evidence::None` for terminal ones.
    fn evidence(&mut self, evidence: &mut Vec<Evidence>);

    /// The move numbers of a line of play that leads from the root through these nodes.
    fn line(&self, nodes: &[NodeId]) -> Vec<u16>;

    /// Memory held, in bytes, including what the next expansion may allocate.
    fn bytes(&self) -> u64;

    /// Playouts so far.
    fn playouts(&self) -> u64;

    /// Writes the state of the prior's random generator.
    fn save_prior(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Restores the state of the prior's random generator.
    fn load_prior(&mut self, from: &mut dyn Read) -> io::Result<()>;

    /// The solved positions of the finished graph with this shape.
    fn remember(self: Box<Self>, shape: Box<dyn Shape>) -> ProofMemory;
}

/// The states of a graph by their numbers, and their numbers by their states.
struct States<S> {
    states: Arena<S>,
    index: Index,
    symmetry: Symmetry,
}

/// [`GraphFrontier`] of a game.
pub struct GameGraph<'g, G: Hints, L = LeafPrior> {
    problem: GameProblem<'g, G>,
    prior: L,
    nodes: States<G::State>,
    /// The node being expanded.
    parent: NodeId,
    moves: Vec<G::Move>,
    /// Its children with their keys and the moves to them, the last move first.
    forms: Vec<(G::State, u64, G::Move)>,
    /// Its new children: number, move and number of legal moves, 0 if terminal.
    new: Vec<(NodeId, G::Move, usize)>,
    scratch: Vec<G::Move>,
}

impl<'g, G: Progressive + Hints, L: Prior<G>> GameGraph<'g, G, L> {
    /// The graph below the problem's position.
    pub fn new(problem: GameProblem<'g, G>, prior: L, symmetry: Symmetry) -> Self {
        GameGraph {
            problem,
            prior,
            nodes: States { states: Arena::new(), index: Index::default(), symmetry },
            parent: ROOT,
            moves: Vec::new(),
            forms: Vec::new(),
            new: Vec::new(),
            scratch: Vec::new(),
        }
    }
}

impl<S: Eq> States<S> {
    fn find(&self, key: u64, state: &S) -> Option<NodeId> {
        self.index.find(key, |id| self.states[id] == *state)
    }

    fn add(&mut self, key: u64, state: S) -> NodeId {
        let id = self.states.open_block(1);
        self.states.push(state);
        self.index.insert(key, id);
        id
    }
}

impl<G: Progressive + Hints + 'static, L: Prior<G>> GraphFrontier for GameGraph<'_, G, L> {
    fn root(&mut self) -> (Status, Evidence) {
        let problem = &self.problem;
        let state = self.nodes.symmetry.canonical(problem.game, problem.position.clone());
        let status = problem.status_of(&state);
        let mut evidence = Evidence::None;
        if let NodeStatus::Open { moves, .. } = status {
            let leaf = LeafPosition { state: &state, moves, parent: None };
            evidence = self.prior.evidence(problem, leaf, &mut self.scratch);
        }
        self.nodes.add(problem.game.key(&state), state);
        (status.into(), evidence)
    }

    fn expand(&mut self, node: NodeId, children: &mut Vec<Link>) {
        let (problem, game) = (&self.problem, self.problem.game);
        let state = self.nodes.states[node].clone();
        self.parent = node;
        self.moves.clear();
        game.moves(&state, &mut self.moves);
        self.new.clear();
        children.clear();
        // All of them are made before the first is looked up, so that the look-ups wait for memory at the same time: `ppt` and `pnt` take
        // 10 % less time on domineering:7x8.
        for &mv in self.moves.iter().rev() {
            let child = self.nodes.symmetry.canonical(game, problem.child(&state, mv));
            let key = game.key(&child);
            self.nodes.index.touch(key);
            self.forms.push((child, key, mv));
        }
        while let Some((child, key, mv)) = self.forms.pop() {
            let (child, new) = match self.nodes.find(key, &child) {
                Some(id) => (id, None),
                None => {
                    let status = problem.status(&child, &mut self.scratch);
                    let id = self.nodes.add(key, child);
                    let moves = if let NodeStatus::Open { moves, .. } = status { moves } else { 0 };
                    self.new.push((id, mv, moves));
                    (id, Some(status.into()))
                }
            };
            children.push(Link { child, new });
        }
    }

    fn evidence(&mut self, evidence: &mut Vec<Evidence>) {
        let parent = &self.nodes.states[self.parent];
        evidence.clear();
        if self.prior.is_shared() {
            let open = self.new.iter().filter(|(.., moves)| *moves > 0);
            let leaf = |&(id, mv, moves): &(NodeId, G::Move, usize)| LeafPosition {
                state: &self.nodes.states[id],
                moves,
                parent: Some((parent, mv)),
            };
            let leaves: Vec<_> = open.map(leaf).collect();
            let mut found = self.prior.evidence_of_all(&self.problem, &leaves, &mut self.scratch).into_iter();
            evidence.extend(self.new.iter().map(|(.., moves)| match moves {
                0 => Evidence::None,
                _ => found.next().unwrap_or(Evidence::None),
            }));
            return;
        }
        for &(id, mv, moves) in &self.new {
            let leaf = LeafPosition { state: &self.nodes.states[id], moves, parent: Some((parent, mv)) };
            evidence.push(match moves {
                0 => Evidence::None,
                _ => self.prior.evidence(&self.problem, leaf, &mut self.scratch),
            });
        }
    }

    /// Nodes hold canonical forms, which may be mirror images of the real positions, so each move is found by the position it leads to.
    fn line(&self, nodes: &[NodeId]) -> Vec<u16> {
        let (game, mut line, mut moves) = (self.problem.game, Vec::new(), Vec::new());
        let mut state = self.problem.position.clone();
        for &node in nodes {
            moves.clear();
            self.problem.list_moves(&state, &mut moves);
            let step = moves.iter().enumerate().find_map(|(nth, &mv)| {
                let next = self.problem.child_of(&state, mv);
                let form = self.nodes.symmetry.canonical(game, next.clone());
                (form == self.nodes.states[node]).then_some((nth as u16, next))
            });
            let Some((nth, next)) = step else { break };
            line.push(nth);
            state = next;
        }
        line
    }

    fn bytes(&self) -> u64 {
        let heap = self.nodes.states.len() * self.problem.game.heap_bytes();
        self.nodes.states.bytes() + self.nodes.index.bytes() + heap as u64
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
        ProofMemory::new::<G>(Box::new(SolvedGraph { nodes: self.nodes, shape }))
    }
}

/// The number of nodes, of the `len` nodes of a graph, at or below one.
fn count_below(shape: &dyn Shape, root: NodeId, len: usize) -> u64 {
    let (mut stack, mut seen, mut nodes) = (vec![root], vec![false; len], 0);
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        nodes += 1;
        let (_, first, width) = shape.node(id);
        stack.extend((0..width).map(|nth| shape.child(first.sibling(nth))));
    }
    nodes
}

/// The graph of a finished search.
struct SolvedGraph<S> {
    nodes: States<S>,
    shape: Box<dyn Shape>,
}

impl<G: Progressive> SolvedPositions<G> for SolvedGraph<G::State> {
    fn recall(&self, problem: &GameProblem<'_, G>, state: &G::State) -> Option<Verdict> {
        let form = self.nodes.symmetry.canonical(problem.game, state.clone());
        self.nodes.find(problem.game.key(&form), &form).map(|id| self.shape.node(id).0)
    }

    fn effort(
        &self,
        problem: &GameProblem<'_, G>,
        _: &[G::Move],
        state: &G::State,
    ) -> Option<(Verdict, u64)> {
        let form = self.nodes.symmetry.canonical(problem.game, state.clone());
        let root = self.nodes.find(problem.game.key(&form), &form)?;
        Some((self.shape.node(root).0, count_below(&*self.shape, root, self.nodes.states.len())))
    }

    /// Visits each node once, even if several paths lead there.
    fn each_move(&self, problem: &GameProblem<'_, G>, sink: &mut MoveSink<'_, G>) {
        let (mut stack, mut seen, mut moves) = (vec![ROOT], vec![false; self.nodes.states.len()], Vec::new());
        while let Some(id) = stack.pop() {
            let (_, first, width) = self.shape.node(id);
            if width == 0 {
                continue;
            }
            let state = &self.nodes.states[id];
            moves.clear();
            problem.list_moves(state, &mut moves);
            for (nth, &mv) in moves.iter().enumerate() {
                let child = self.shape.child(first.sibling(nth));
                let (verdict, ..) = self.shape.node(child);
                if verdict != Verdict::Open {
                    sink(state, mv, verdict);
                }
                if !std::mem::replace(&mut seen[child.index()], true) {
                    stack.push(child);
                }
            }
        }
    }
}
