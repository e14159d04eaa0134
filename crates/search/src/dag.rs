//! The best-first kernel over a graph: positions reached in several ways are one node.
//!
//! The same rules and priors as on the [tree](crate::kernel), after Schijf, Allis and Uiterwijk 1994 (PNT) and paper 2, §4 (PPT). A node
//! keeps its state, and a hash hit counts only if the states are equal, so no collision can enter a proof. With symmetry, states
//! are replaced by their canonical form before they are looked up.
//!
//! News goes up to all parents, level by level. A node with very many parents could make one expansion cost a scan of the whole
//! graph; so after [`PATIENCE`] updates the rest waits. A waiting node's numbers are old, which is harmless: they are hope. Its
//! truth is brought up to date at the latest when a descent finds that its chosen child is solved.

mod saved;

use crate::arena::{Arena, NONE, NodeId, ROOT};
use crate::checkpoint::Field;
use crate::index::Index;
use crate::memory::{Memory, Teller};
use crate::rule::{Evidence, Rule};
use crate::{Governor, Hope, Limits, Observer, Prior, Report, Stats, StopReason};
use delphic_game::problem::{Role, Truth};
use delphic_game::{Logic, Look, Memorable};
use std::collections::{HashSet, VecDeque};

/// Updates after one expansion.
const PATIENCE: usize = 20_000;

/// Whether symmetric positions are one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symmetry {
    /// Only equal positions are.
    Off,
    /// Positions with the same canonical form are.
    On,
}

impl Symmetry {
    /// The state under which a position is remembered.
    #[inline]
    pub(crate) fn form<P: Memorable>(self, problem: &P, mut state: P::State) -> P::State {
        if self == Symmetry::On {
            problem.canonicalize(&mut state);
        }
        state
    }
}

struct Node<S, I, T> {
    state: S,
    info: I,
    /// The first of `width` edges to children, once expanded.
    first: NodeId,
    /// The edge by which the latest parent leads here, or [`NONE`].
    parents: NodeId,
    width: u16,
    best: u16,
    truth: T,
    /// Whether the node waits to be updated.
    queued: bool,
}

#[derive(Clone, Copy)]
struct Edge {
    parent: NodeId,
    child: NodeId,
    /// Another edge that leads to the same child, or [`NONE`].
    next: NodeId,
}

struct Search<'p, P: Memorable, R: Rule, L> {
    problem: &'p P,
    rule: R,
    prior: L,
    symmetry: Symmetry,
    nodes: Arena<Node<P::State, R::Info, Truth<P>>>,
    edges: Arena<Edge>,
    index: Index,
    /// Nodes whose children have changed.
    queue: VecDeque<NodeId>,
    moves: Vec<P::Move>,
    scratch: Vec<P::Move>,
    /// New open children of the node being expanded, with what led to them, their roles and numbers of moves.
    fresh: Vec<(NodeId, P::Move, Role<P>, usize)>,
    stats: Stats,
}

/// Searches until the question is answered or a limit is met.
pub fn solve<P, R, L>(
    problem: &P,
    rule: R,
    prior: L,
    symmetry: Symmetry,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report<P>
where
    P: Memorable,
    R: Rule<Role = Role<P>>,
    L: Prior<P>,
    Truth<P>: Field,
{
    let mut governor = Governor::new(limits);
    let mut search = match Search::new(problem, rule, prior, symmetry) {
        Ok(search) => search,
        Err(truth) => return Report::at_once(truth),
    };
    match governor.resume(&mut |from| search.load(limits.memory, from)) {
        Ok(None) => {}
        Ok(Some(stats)) => search.stats = stats,
        Err(stop) => return Report { stop, ..Report::at_once(problem.logic().open()) },
    }
    let mut stop = StopReason::Solved;
    while !search.settled(ROOT) {
        if let Some(reason) = governor.stop(search.stats.created, search.bytes()) {
            stop = reason;
            break;
        }
        if let Some(leaf) = search.descend() {
            search.expand(leaf);
            search.back_up();
        }
        if governor.watches_estimates()
            && let Some(reason) = governor.consider(search.hope(), search.stats.created)
        {
            stop = reason;
            break;
        }
        if governor.report_due() {
            observer.progress(&search.stats(&governor), search.hope());
        }
        if governor.save_due() {
            governor.save(search.stats(&governor), &|out| search.save(out));
        }
    }
    if !search.settled(ROOT) {
        governor.save(search.stats(&governor), &|out| search.save(out));
    }
    let (truth, stats, estimate) = (search.nodes[ROOT].truth, search.stats(&governor), governor.estimate());
    let (hope, line) = (search.hope(), search.line());
    let graph = Graph { nodes: search.nodes, edges: search.edges, index: search.index, symmetry };
    let memory: Option<Box<dyn Memory<P>>> = problem.logic().settled(truth).then(|| Box::new(graph) as _);
    Report { truth, stop, stats, hope, estimate, line, memory }
}

/// The graph of a search that is over.
struct Graph<S, I, T> {
    nodes: Arena<Node<S, I, T>>,
    edges: Arena<Edge>,
    index: Index,
    symmetry: Symmetry,
}

impl<P: Memorable, I: Send> Memory<P> for Graph<P::State, I, Truth<P>> {
    fn recall(&self, problem: &P, state: &P::State) -> Option<Truth<P>> {
        let form = self.symmetry.form(problem, state.clone());
        let node = self.index.find(problem.key(&form), |id| self.nodes[id].state == form);
        node.map(|id| self.nodes[id].truth)
    }

    /// Each node once, though several ways lead there.
    fn solved_moves(&self, problem: &P, tell: &mut Teller<'_, P>) {
        let (mut waiting, mut seen, mut moves) = (vec![ROOT], HashSet::from([ROOT]), Vec::new());
        while let Some(id) = waiting.pop() {
            let node = &self.nodes[id];
            if node.width == 0 {
                continue;
            }
            moves.clear();
            problem.moves(&node.state, &mut moves);
            for (edge, &mv) in self.edges.block(node.first, node.width.into()).iter().zip(&moves) {
                let truth = self.nodes[edge.child].truth;
                if problem.logic().settled(truth) {
                    tell(&node.state, mv, truth);
                }
                if seen.insert(edge.child) {
                    waiting.push(edge.child);
                }
            }
        }
    }
}

impl<'p, P, R, L> Search<'p, P, R, L>
where
    P: Memorable,
    R: Rule<Role = Role<P>>,
    L: Prior<P>,
    Truth<P>: Field,
{
    /// A graph of the root alone, or the answer if no search is needed.
    fn new(problem: &'p P, rule: R, mut prior: L, symmetry: Symmetry) -> Result<Self, Truth<P>> {
        let (state, mut scratch) = (symmetry.form(problem, problem.root()), Vec::new());
        let (role, width) = match problem.look(&state, &mut scratch) {
            Look::Over(truth) => return Err(truth),
            Look::Open { role, moves } => (role, moves),
        };
        let info = rule.leaf(role, prior.evidence(problem, &state, width, &mut scratch));
        let mut search = Search {
            problem,
            rule,
            prior,
            symmetry,
            nodes: Arena::new(),
            edges: Arena::new(),
            index: Index::default(),
            queue: VecDeque::new(),
            moves: Vec::new(),
            scratch,
            fresh: Vec::new(),
            stats: Stats::default(),
        };
        search.add(state, info, problem.logic().open());
        Ok(search)
    }

    /// A new node, entered in the index.
    fn add(&mut self, state: P::State, info: R::Info, truth: Truth<P>) -> NodeId {
        let id = self.nodes.open_block(1);
        let key = self.problem.key(&state);
        self.nodes.push(Node {
            state,
            info,
            first: ROOT,
            parents: NONE,
            width: 0,
            best: 0,
            truth,
            queued: false,
        });
        self.index.insert(key, id);
        id
    }

    fn settled(&self, id: NodeId) -> bool {
        self.problem.logic().settled(self.nodes[id].truth)
    }

    /// Goes down to an open leaf. Where the way on is blocked by a solved child, the parent has old news: it is updated instead.
    fn descend(&mut self) -> Option<NodeId> {
        let mut id = ROOT;
        loop {
            self.stats.visited += 1;
            let node = &self.nodes[id];
            if node.width == 0 {
                return Some(id);
            }
            let child = self.edges[node.first.sibling(node.best.into())].child;
            if self.settled(child) {
                self.enqueue(id);
                self.back_up();
                return None;
            }
            id = child;
        }
    }

    /// Makes the children of a leaf, or finds them.
    fn expand(&mut self, leaf: NodeId) {
        let (problem, logic) = (self.problem, self.problem.logic());
        let state = self.nodes[leaf].state.clone();
        let role = problem.role(&state);
        self.moves.clear();
        problem.moves(&state, &mut self.moves);
        let first = self.edges.open_block(self.moves.len());
        self.fresh.clear();
        for nth in 0..self.moves.len() {
            let child = self.symmetry.form(problem, problem.child(&state, self.moves[nth]));
            let child = match self.index.find(problem.key(&child), |id| self.nodes[id].state == child) {
                Some(id) => id,
                None => self.intern(child, self.moves[nth]),
            };
            self.link(leaf, child, first.sibling(nth));
        }
        // A child that settles its parent makes all evidence about its siblings worthless. New ones are still open nodes that
        // others may reach; they only were not worth a look yet.
        let kids = self.edges.block(first, self.moves.len()).iter();
        let decided = logic.settled(logic.combine(role, kids.map(|edge| self.nodes[edge.child].truth)));
        if !decided {
            for &(id, mv, role, moves) in &self.fresh {
                let (child, scratch) = (&self.nodes[id].state, &mut self.scratch);
                let evidence = self.prior.evidence_of_move(problem, &state, mv, child, moves, scratch);
                self.nodes[id].info = self.rule.leaf(role, evidence);
            }
        }
        let leaf_node = &mut self.nodes[leaf];
        (leaf_node.first, leaf_node.width) = (first, self.moves.len() as u16);
        self.stats.iterations += 1;
        self.stats.expanded += 1;
        self.enqueue(leaf);
    }

    /// Adds the edge `number` from a node to a child.
    fn link(&mut self, parent: NodeId, child: NodeId, number: NodeId) {
        let next = std::mem::replace(&mut self.nodes[child].parents, number);
        self.edges.push(Edge { parent, child, next });
    }

    /// A new node without evidence; if it is open it waits for some.
    fn intern(&mut self, state: P::State, mv: P::Move) -> NodeId {
        let problem = self.problem;
        self.stats.created += 1;
        match problem.look(&state, &mut self.scratch) {
            Look::Over(truth) => {
                let nobody_reads = self.rule.leaf(problem.role(&state), Evidence::None);
                self.add(state, nobody_reads, truth)
            }
            Look::Open { role, moves } => {
                let id = self.add(state, self.rule.leaf(role, Evidence::None), problem.logic().open());
                self.fresh.push((id, mv, role, moves));
                id
            }
        }
    }

    fn enqueue(&mut self, id: NodeId) {
        if !std::mem::replace(&mut self.nodes[id].queued, true) {
            self.queue.push_back(id);
        }
    }

    /// Works off the queue: whoever changes sends its parents there.
    fn back_up(&mut self) {
        for _ in 0..PATIENCE {
            let Some(id) = self.queue.pop_front() else { return };
            if self.update(id) {
                let mut at = self.nodes[id].parents;
                while at != NONE {
                    let Edge { parent, next, .. } = self.edges[at];
                    // A solved parent has nothing more to learn.
                    if !self.settled(parent) {
                        self.enqueue(parent);
                    }
                    at = next;
                }
            }
        }
    }

    /// Looks at the children again and tells whether anything changed.
    fn update(&mut self, id: NodeId) -> bool {
        let logic = self.problem.logic();
        let node = &self.nodes[id];
        let role = self.problem.role(&node.state);
        let edges = self.edges.block(node.first, node.width.into());
        let kids = edges.iter().map(|edge| &self.nodes[edge.child]);
        let truth = logic.combine(role, kids.clone().map(|kid| kid.truth));
        let mut changed = truth != node.truth;
        if logic.settled(truth) {
            let node = &mut self.nodes[id];
            (node.truth, node.queued) = (truth, false);
        } else {
            let open = kids.enumerate().filter(|(_, kid)| !logic.settled(kid.truth));
            let (info, best) = self.rule.update(role, open.map(|(number, kid)| (number, kid.info)));
            let node = &mut self.nodes[id];
            changed |= info != node.info;
            (node.info, node.truth, node.best, node.queued) = (info, truth, best as u16, false);
        }
        changed
    }

    fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.edges.bytes() + self.index.bytes()
    }

    fn stats(&self, governor: &Governor<'_>) -> Stats {
        Stats {
            playouts: self.stats.playouts + self.prior.playouts(),
            time: governor.elapsed(),
            peak_bytes: self.bytes(),
            ..self.stats
        }
    }

    fn hope(&self) -> Hope {
        if self.settled(ROOT) { Hope::None } else { self.rule.hope(self.nodes[ROOT].info) }
    }

    /// From the root through children that share the truth of their solved parents, or the ones to search next. Nodes may be
    /// mirror images of what is really on the board, so each move is found again by where it leads.
    fn line(&self) -> Vec<P::Move> {
        let (problem, logic) = (self.problem, self.problem.logic());
        let (mut line, mut state, mut moves) = (Vec::new(), problem.root(), Vec::new());
        let mut node = &self.nodes[ROOT];
        while node.width > 0 {
            let edges = self.edges.block(node.first, node.width.into());
            let kid = |edge: &Edge| &self.nodes[edge.child];
            let shown =
                edges.iter().map(kid).find(|kid| logic.settled(node.truth) && kid.truth == node.truth);
            node = shown.unwrap_or_else(|| kid(&edges[usize::from(node.best)]));
            moves.clear();
            problem.moves(&state, &mut moves);
            let step = moves.iter().find_map(|&mv| {
                let next = problem.child(&state, mv);
                (self.symmetry.form(problem, next.clone()) == node.state).then_some((mv, next))
            });
            let Some((mv, next)) = step else { break };
            line.push(mv);
            state = next;
        }
        line
    }
}
