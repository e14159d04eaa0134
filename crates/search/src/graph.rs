//! Best-first proof search over a directed acyclic graph: transpositions share one node.
//!
//! It uses the same rules and priors as the [tree](crate::kernel), after Schijf, Allis and Uiterwijk 1994 (PNT) and paper 2, §4 (PPT).
//! States are compared in full, so hash collisions cannot enter a proof. With symmetry, states are replaced by their canonical form
//! before they are looked up.
//!
//! Changes are backed up to all parents through a queue. A node with very many parents could make one expansion cost a scan of the whole
//! graph; so after `MOST_UPDATES` updates the rest stays in the queue. The values of a queued node are stale, which is harmless because
//! they are heuristic. Its verdict is updated at the latest when a descent finds that its best child is solved.

mod saved;

use crate::arena::{Arena, NONE, NodeId, ROOT};
use crate::boundary::{GraphFrontier, Link, Status};
use crate::rule::{Evidence, Rule};
use crate::solved::Shape;
use crate::{Event, LimitGuard, Limits, Observer, Progress, Report, RootMove, RootValue, Stats, StopReason};
use delphic_game::{AndOr, Gate, Logic, Verdict};
use std::collections::VecDeque;

/// The maximum number of updates after one expansion.
const MOST_UPDATES: usize = 20_000;

/// A node. Its state is stored by the [`GraphFrontier`] under the same number.
struct Node<I> {
    info: I,
    /// The first of `width` edges to children, once expanded.
    first: NodeId,
    /// The head of the list of edges that lead here, or [`NONE`].
    parents: NodeId,
    width: u16,
    best: u16,
    verdict: Verdict,
    gate: Gate,
    /// Whether the node is queued to be updated.
    queued: bool,
}

const _: () = assert!(size_of::<Node<crate::rule::Odds>>() == 24);

#[derive(Clone, Copy)]
struct Edge {
    parent: NodeId,
    child: NodeId,
    /// The next edge that leads to the same child, or [`NONE`].
    next: NodeId,
}

struct Graph<I> {
    nodes: Arena<Node<I>>,
    edges: Arena<Edge>,
    /// Nodes whose children have changed.
    queue: VecDeque<NodeId>,
}

struct Search<'s, R: Rule> {
    rule: &'s R,
    game: &'s mut dyn GraphFrontier,
    graph: Graph<R::Info>,
    children: Vec<Link>,
    evidence: Vec<Evidence>,
    stats: Stats,
}

/// Searches until the question is answered or a limit is reached.
///
/// ```
/// # use delphic_game::{Force, Game, Player, Spec, Verdict};
/// # use delphic_games::{Family, Nim};
/// # let game = Nim::build(&mut Spec::parse("nim:1,2,4"))?;
///
/// use delphic_search::rule::Product;
/// use delphic_search::{LeafPrior, Limits, Position, Searchable, Symmetry, graph};
///
/// let position = Position { game: &game, state: game.start() };
/// let win = Force { player: Player::FIRST, at_least: 1 };
/// let created = |symmetry| {
///     let positions = position.graph(win, LeafPrior::Uniform, symmetry);
///     graph::solve(positions, &Product::default(), Limits::default(), &mut ()).stats.created
/// };
/// assert!(created(Symmetry::On) < created(Symmetry::Off));
/// # Ok::<(), delphic_game::SpecError>(())
/// ```
pub fn solve<R: Rule>(
    mut game: Box<dyn GraphFrontier + '_>,
    rule: &R,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report {
    let mut guard = LimitGuard::new(limits);
    let (status, evidence) = game.root();
    if let Status::Over(verdict) = status {
        return Report::at_once(verdict);
    }
    let mut graph = Graph { nodes: Arena::new(), edges: Arena::new(), queue: VecDeque::new() };
    graph.add(rule.leaf(status.gate(), evidence), status);
    let mut search = Search {
        rule,
        game: &mut *game,
        graph,
        children: Vec::new(),
        evidence: Vec::new(),
        stats: Stats::default(),
    };
    match guard.resume(observer, &mut |from| search.load(limits.memory, from)) {
        Ok(None) => {}
        Ok(Some(stats)) => search.stats = stats,
        Err(stop) => return Report::stopped(Verdict::Open, stop),
    }
    let stop = search.run(&mut guard, observer);
    if !search.graph.solved(ROOT) {
        guard.save(search.stats(&guard), observer, &|out| search.save(out));
    }
    let (stats, root) = (search.stats(&guard), search.root_value());
    let graph = search.graph;
    let (truth, line) = (graph.nodes[ROOT].verdict, game.line(&graph.line()));
    let memory = (truth != Verdict::Open || limits.keep_open).then(|| game.remember(Box::new(graph)));
    Report { truth, stop, stats, root, estimate: guard.estimate(), line, memory }
}

impl<I: Send + Sync> Shape for Graph<I> {
    fn node(&self, id: NodeId) -> (Verdict, NodeId, usize) {
        let node = &self.nodes[id];
        (node.verdict, node.first, node.width.into())
    }

    fn child(&self, edge: NodeId) -> NodeId {
        self.edges[edge].child
    }
}

impl<I: Copy + PartialEq> Graph<I> {
    fn add(&mut self, info: I, status: Status) {
        self.nodes.open_block(1);
        self.nodes.push(Node {
            info,
            first: ROOT,
            parents: NONE,
            width: 0,
            best: 0,
            verdict: status.verdict(),
            gate: status.gate(),
            queued: false,
        });
    }

    fn solved(&self, id: NodeId) -> bool {
        self.nodes[id].verdict != Verdict::Open
    }

    /// Adds the edge `number` from a node to a child.
    fn link(&mut self, parent: NodeId, child: NodeId, number: NodeId) {
        let next = std::mem::replace(&mut self.nodes[child].parents, number);
        self.edges.push(Edge { parent, child, next });
    }

    fn enqueue(&mut self, id: NodeId) {
        if !std::mem::replace(&mut self.nodes[id].queued, true) {
            self.queue.push_back(id);
        }
    }

    /// Updates the queued nodes. If a node changes, its parents are queued.
    fn back_up<R: Rule<Info = I>>(&mut self, rule: &R) {
        for _ in 0..MOST_UPDATES {
            let Some(id) = self.queue.pop_front() else { return };
            if self.update(rule, id) {
                let mut at = self.nodes[id].parents;
                while at != NONE {
                    let Edge { parent, next, .. } = self.edges[at];
                    // A solved parent cannot change any more.
                    if !self.solved(parent) {
                        self.enqueue(parent);
                    }
                    at = next;
                }
            }
        }
    }

    /// Computes verdict and value of a node from its children, and returns whether anything changed.
    fn update<R: Rule<Info = I>>(&mut self, rule: &R, id: NodeId) -> bool {
        let node = &self.nodes[id];
        let edges = self.edges.block(node.first, node.width.into());
        let kids = edges.iter().map(|edge| &self.nodes[edge.child]);
        let verdict = AndOr.combine(node.gate, kids.clone().map(|kid| kid.verdict));
        let mut changed = verdict != node.verdict;
        if verdict != Verdict::Open {
            let node = &mut self.nodes[id];
            (node.verdict, node.queued) = (verdict, false);
        } else {
            let open = kids.enumerate().filter(|(_, kid)| kid.verdict == Verdict::Open);
            let (info, best) = rule.update(node.gate, open.map(|(number, kid)| (number, kid.info)));
            let node = &mut self.nodes[id];
            changed |= info != node.info;
            (node.info, node.verdict, node.best, node.queued) = (info, verdict, best as u16, false);
        }
        changed
    }

    /// Descends to an open leaf, counting nodes in `visited`. If the best child of a node is already solved, the node is stale and is
    /// returned as the error, to be updated first.
    fn descend(&self, visited: &mut u64) -> Result<NodeId, NodeId> {
        let mut id = ROOT;
        loop {
            *visited += 1;
            let node = &self.nodes[id];
            if node.width == 0 {
                return Ok(id);
            }
            let child = self.edges[node.first.sibling(node.best.into())].child;
            if self.solved(child) {
                return Err(id);
            }
            id = child;
        }
    }

    /// The number of solved children of the root, and of all its children.
    fn decided(&self) -> (usize, usize) {
        let root = &self.nodes[ROOT];
        let edges = self.edges.block(root.first, root.width.into());
        (edges.iter().filter(|edge| self.solved(edge.child)).count(), edges.len())
    }

    /// The nodes of the line from the root: below a solved node a child with the same verdict, below an open node the best child.
    fn line(&self) -> Vec<NodeId> {
        let mut line = Vec::new();
        let mut node = &self.nodes[ROOT];
        while node.width > 0 {
            let edges = self.edges.block(node.first, node.width.into());
            let shows = |edge: &&Edge| {
                node.verdict != Verdict::Open && self.nodes[edge.child].verdict == node.verdict
            };
            let next = edges.iter().find(shows).unwrap_or(&edges[usize::from(node.best)]).child;
            line.push(next);
            node = &self.nodes[next];
        }
        line
    }

    fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.edges.bytes() + (self.queue.capacity() * size_of::<NodeId>()) as u64
    }
}

impl<R: Rule> Search<'_, R> {
    /// Iterates until the root is solved or a limit is reached.
    fn run(&mut self, guard: &mut LimitGuard<'_>, observer: &mut dyn Observer) -> StopReason {
        while !self.graph.solved(ROOT) {
            if let Some(reason) = guard.stop(self.stats.created, self.bytes()) {
                return reason;
            }
            match self.graph.descend(&mut self.stats.visited) {
                Ok(leaf) => self.expand(leaf),
                Err(stale) => self.graph.enqueue(stale),
            }
            self.graph.back_up(self.rule);
            if guard.watches_estimates()
                && let Some(reason) = guard.consider(self.root_value(), self.stats.created)
            {
                return reason;
            }
            if guard.report_due() {
                observer.event(Event::Progress(Progress {
                    solver: "",
                    stats: self.stats(guard),
                    root: self.root_value(),
                    decided: self.graph.decided(),
                }));
                observer.event(Event::RootMoves(&self.root_moves()));
            }
            if guard.save_due() {
                guard.save(self.stats(guard), observer, &|out| self.save(out));
            }
        }
        StopReason::Solved
    }

    fn root_moves(&self) -> Vec<RootMove> {
        let root = &self.graph.nodes[ROOT];
        let edges = self.graph.edges.block(root.first, root.width.into()).iter();
        let nodes = edges.map(|edge| &self.graph.nodes[edge.child]);
        nodes.map(|node| RootMove::new(node.verdict, || self.rule.display(node.info))).collect()
    }

    /// Expands a leaf: creates its children, or finds those that exist.
    fn expand(&mut self, leaf: NodeId) {
        self.game.expand(leaf, &mut self.children);
        let first = self.graph.edges.open_block(self.children.len());
        for (nth, &Link { child, new }) in self.children.iter().enumerate() {
            if let Some(status) = new {
                self.graph.add(self.rule.leaf(status.gate(), Evidence::None), status);
                self.stats.created += 1;
            }
            self.graph.link(leaf, child, first.sibling(nth));
        }
        // If a solved child decides the node, the prior is skipped for its siblings. The new ones stay open nodes without evidence, which
        // other paths may reach.
        let gate = self.graph.nodes[leaf].gate;
        let verdicts = self.children.iter().map(|link| self.graph.nodes[link.child].verdict);
        if AndOr.combine(gate, verdicts) == Verdict::Open {
            self.game.evidence(&mut self.evidence);
            let new = self.children.iter().filter_map(|link| link.new.map(|status| (link.child, status)));
            for ((child, status), &evidence) in new.zip(&self.evidence) {
                self.graph.nodes[child].info = self.rule.leaf(status.gate(), evidence);
            }
        }
        let node = &mut self.graph.nodes[leaf];
        (node.first, node.width) = (first, self.children.len() as u16);
        self.stats.iterations += 1;
        self.stats.expanded += 1;
        self.graph.enqueue(leaf);
    }

    fn bytes(&self) -> u64 {
        self.graph.bytes() + self.game.bytes()
    }

    fn stats(&self, guard: &LimitGuard<'_>) -> Stats {
        Stats {
            playouts: self.stats.playouts + self.game.playouts(),
            time: guard.elapsed(),
            peak_bytes: self.bytes(),
            ..self.stats
        }
    }

    fn root_value(&self) -> RootValue {
        if self.graph.solved(ROOT) { RootValue::None } else { self.rule.display(self.graph.nodes[ROOT].info) }
    }
}
