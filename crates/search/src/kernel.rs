//! Best-first proof search over a tree: proof-number search, product propagation and relatives (paper 2, Algorithm 1; the papers are
//! listed in `docs/papers.md`).
//!
//! An iteration descends from the current node to the most-proving leaf, expands it, and backs up values until a node does not change.
//! The next descent starts from that node: nothing above it has changed either, so the path to it is still the best. A [`Rule`] (how values
//! are initialised, backed up and compared) and a [`Prior`](crate::Prior) (evidence about new leaves) turn the kernel into a solver.
//!
//! With [`Expand::TwoLevel`] (PN², Breuker 1998; PP², paper 2, §3.2) the children of a leaf are not initialised by the prior but by a
//! second search below the leaf, which may create as many nodes as the main tree has. The second tree is discarded, except for the children
//! of its root, and its memory is reused.
//!
//! Verdicts (proved, disproved, open) are kept beside the rule's values and combined exactly by [`AndOr`]; they are never derived from
//! heuristic values. A rule sees only open nodes. States and moves are on the other side of the [boundary](crate::boundary), behind
//! [`TreeFrontier`], so the kernel is compiled once per rule and not per game.

mod saved;

use crate::arena::{Arena, NONE, NodeId, ROOT};
use crate::boundary::{Status, TreeChild, TreeFrontier};
use crate::rule::Rule;
use crate::solved::Shape;
use crate::{Event, LimitGuard, Limits, Observer, Progress, Report, RootMove, RootValue, Stats, StopReason};
use delphic_game::{AndOr, Gate, Logic, Verdict};

/// A node of the tree. Siblings are contiguous; there are no parent pointers, only the current path. The moves are stored by the
/// [`TreeFrontier`] under the same node numbers.
#[derive(Clone, Copy)]
struct Node<I> {
    info: I,
    /// The first child, once expanded.
    first: NodeId,
    /// The number of children, 0 before the expansion.
    width: u16,
    /// The child to search next by the rule. It is computed during back-up, when all children are read anyway, so that a descent reads
    /// one node per ply.
    best: u16,
    verdict: Verdict,
    gate: Gate,
}

// A node of the product rule takes 20 bytes.
const _: () = assert!(size_of::<Node<crate::rule::Odds>>() == 20);

impl<I> Node<I> {
    fn new(info: I, status: Status) -> Node<I> {
        Node { info, first: ROOT, width: 0, best: 0, verdict: status.verdict(), gate: status.gate() }
    }

    /// Gives it a verdict, and the value that goes with it.
    #[inline]
    fn settle<R: Rule<Info = I>>(&mut self, verdict: Verdict) {
        self.verdict = verdict;
        if let Some([no, yes]) = R::SOLVED
            && verdict != Verdict::Open
        {
            self.info = if verdict == Verdict::Proved { yes } else { no };
        }
    }
}

impl<I: Send + Sync> Shape for Arena<Node<I>> {
    fn node(&self, id: NodeId) -> (Verdict, NodeId, usize) {
        let node = &self[id];
        (node.verdict, node.first, node.width.into())
    }
}

/// How a leaf is expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expand {
    /// The prior initialises its children.
    Plain,
    /// A second search initialises its children.
    TwoLevel,
}

/// A tree, and the path to the current node of the search.
struct Tree<R: Rule> {
    nodes: Arena<Node<R::Info>>,
    /// From the root to the current node.
    path: Vec<NodeId>,
    /// The ply of the path at which the `TreeFrontier` stands; it does not know the later nodes of the path yet.
    synced: usize,
    /// For every ply, the child through which the node there was last updated, and what the rule kept of that child's siblings. The next
    /// update through the same child need not read them: 93 % of all reads of children by PP on domineering:6x6, and a third of its time.
    siblings: Vec<(NodeId, Option<R::Siblings>)>,
}

struct Search<'s, R: Rule> {
    rule: &'s R,
    game: &'s mut dyn TreeFrontier,
    tree: Tree<R>,
    /// The memory of the last second tree, to be reused by the next.
    second: Option<Arena<Node<R::Info>>>,
    two_level: bool,
    children: Vec<TreeChild>,
    stats: Stats,
}

/// Searches until the question is answered or a limit is reached.
///
/// ```
/// # use delphic_game::{Force, Game, Player, Spec, Verdict};
/// # use delphic_games::{Family, Nim};
/// # let game = Nim::build(&mut Spec::parse("nim:1,2,4"))?;
///
/// use delphic_search::kernel::{self, Expand};
/// use delphic_search::rule::Product;
/// use delphic_search::{LeafPrior, Limits, Position, Searchable};
///
/// let position = Position { game: &game, state: game.start() };
/// let win = Force { player: Player::FIRST, at_least: 1 };
/// for expand in [Expand::Plain, Expand::TwoLevel] {
///     let tree = position.tree(win, LeafPrior::Mobility);
///     let report = kernel::solve(tree, &Product::default(), expand, Limits::default(), &mut ());
///     assert_eq!(report.truth, Verdict::Proved);
/// }
/// # Ok::<(), delphic_game::SpecError>(())
/// ```
pub fn solve<R: Rule>(
    mut game: Box<dyn TreeFrontier + '_>,
    rule: &R,
    expand: Expand,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report {
    let mut guard = LimitGuard::new(limits);
    let (status, evidence) = game.root();
    if let Status::Over(verdict) = status {
        return Report::at_once(verdict);
    }
    let mut search = Search {
        rule,
        game: &mut *game,
        tree: Tree::new(rule.leaf(status.gate(), evidence), status, Arena::new()),
        second: None,
        two_level: expand == Expand::TwoLevel,
        children: Vec::new(),
        stats: Stats::default(),
    };
    match guard.resume(observer, &mut |from| search.load(limits.memory, from)) {
        Ok(None) => {}
        Ok(Some(stats)) => search.stats = stats,
        Err(stop) => return Report::stopped(Verdict::Open, stop),
    }
    let stop = search.run(&mut guard, observer);
    if !search.tree.solved() {
        guard.save(search.stats(&guard), observer, &|out| search.save(out));
    }
    let (stats, root, line) = (search.stats(&guard), search.root_value(), search.tree.line());
    let nodes = search.tree.nodes;
    let truth = nodes[ROOT].verdict;
    let memory = (truth != Verdict::Open || limits.keep_open).then(|| game.remember(Box::new(nodes)));
    Report { truth, stop, stats, root, estimate: guard.estimate(), line, memory }
}

impl<R: Rule> Tree<R> {
    /// A tree with only the root, stored in `nodes`, which is empty.
    fn new(info: R::Info, root: Status, mut nodes: Arena<Node<R::Info>>) -> Tree<R> {
        nodes.add_block(std::iter::once(Node::new(info, root)));
        Tree { nodes, path: vec![ROOT], synced: 0, siblings: Vec::new() }
    }

    fn solved(&self) -> bool {
        self.nodes[ROOT].verdict != Verdict::Open
    }

    fn current(&self) -> NodeId {
        self.path[self.path.len() - 1]
    }

    /// The part of the path that the `TreeFrontier` does not know yet, and the ply at which it begins. The caller passes it on.
    fn sync(&mut self) -> (usize, &[NodeId]) {
        let keep = std::mem::replace(&mut self.synced, self.path.len() - 1);
        (keep, &self.path[keep + 1..])
    }

    /// Descends from the current node to a leaf by the best children, and returns the number of nodes visited.
    #[inline]
    fn descend(&mut self) -> u64 {
        let mut node = &self.nodes[self.current()];
        let mut passed = 1;
        while node.width > 0 {
            let child = node.first.sibling(node.best.into());
            self.path.push(child);
            node = &self.nodes[child];
            passed += 1;
        }
        passed
    }

    /// Backs up from the current node until a node does not change, and makes the last node reached the current one. If the rule breaks
    /// ties at random in every iteration, it always backs up to the root.
    fn back_up(&mut self, rule: &R) {
        // The verdict of a node can change only if the verdict of its child on the path has changed.
        let (mut verdict_changed, redraws) = (true, rule.redraws());
        let mut child = NONE;
        while (self.update(rule, child, &mut verdict_changed) || redraws) && self.path.len() > 1 {
            child = self.current();
            self.path.pop();
        }
        self.synced = self.synced.min(self.path.len() - 1);
    }

    /// Computes verdict and value of the current node from its children, and returns whether anything changed. `child` is the only one that
    /// may have changed since the last update, [`NONE`] after the expansion. On entry `verdict_changed` says whether the verdict of a child
    /// may have changed, on return whether that of the node has.
    #[inline]
    fn update(&mut self, rule: &R, child: NodeId, verdict_changed: &mut bool) -> bool {
        let (id, ply) = (self.current(), self.path.len() - 1);
        if self.siblings.len() <= ply {
            self.siblings.resize(ply + 1, (NONE, None));
        }
        // With another verdict among the children, what was kept of them is out of date.
        let child = if *verdict_changed { NONE } else { child };
        if self.siblings[ply].0 != child {
            self.siblings[ply] = (child, None);
        }
        let node = &self.nodes[id];
        let (mut verdict, kids) = (node.verdict, self.nodes.block(node.first, node.width.into()));
        if *verdict_changed {
            verdict = AndOr.combine(node.gate, kids.iter().map(|kid| kid.verdict));
            *verdict_changed = verdict != node.verdict;
        }
        let mut changed = *verdict_changed;
        if verdict != Verdict::Open {
            self.nodes[id].settle::<R>(verdict);
        } else {
            // With values for solved children the rule looks at all, and the test is gone from the loop.
            let open = kids
                .iter()
                .enumerate()
                .filter(|(_, kid)| R::SOLVED.is_some() || kid.verdict == Verdict::Open)
                .map(|(number, kid)| (number, kid.info));
            let (info, best) = if child == NONE {
                rule.update(node.gate, open)
            } else {
                let number = child.index() - node.first.index();
                rule.update_child(node.gate, open, (number, kids[number].info), &mut self.siblings[ply].1)
            };
            let node = &mut self.nodes[id];
            changed |= info != node.info;
            (node.info, node.best) = (info, best as u16);
        }
        changed
    }

    /// Makes the block of `width` nodes from `first` on the children of the current node.
    fn attach(&mut self, first: NodeId, width: usize) {
        let leaf = self.current();
        let node = &mut self.nodes[leaf];
        (node.first, node.width) = (first, width as u16);
    }

    /// The number of solved children of the root, and of all its children.
    fn decided(&self) -> (usize, usize) {
        let root = &self.nodes[ROOT];
        let kids = self.nodes.block(root.first, root.width.into());
        (kids.iter().filter(|kid| kid.verdict != Verdict::Open).count(), kids.len())
    }

    /// The line from the root as move numbers: below a solved node a child with the same verdict, below an open node the best child.
    fn line(&self) -> Vec<u16> {
        let mut line = Vec::new();
        let mut node = &self.nodes[ROOT];
        while node.width > 0 {
            let kids = self.nodes.block(node.first, node.width.into());
            let shows = |kid: &Node<R::Info>| node.verdict != Verdict::Open && kid.verdict == node.verdict;
            let next = kids.iter().position(shows).unwrap_or(node.best.into());
            line.push(next as u16);
            node = &kids[next];
        }
        line
    }
}

impl<R: Rule> Search<'_, R> {
    /// Iterates until the root is solved or a limit is reached.
    fn run(&mut self, guard: &mut LimitGuard<'_>, observer: &mut dyn Observer) -> StopReason {
        while !self.tree.solved() {
            if let Some(reason) = guard.stop(self.stats.created, self.bytes()) {
                return reason;
            }
            self.stats.visited += self.tree.descend();
            if self.two_level {
                if let Some(reason) = self.expand_by_search(guard, observer) {
                    return reason;
                }
            } else {
                let created = self.expand();
                self.stats.iterations += 1;
                self.stats.expanded += 1;
                self.stats.created += created;
            }
            self.tree.back_up(self.rule);
            // The root can have changed only if the back-up reached it.
            if guard.watches_estimates()
                && self.tree.path.len() == 1
                && let Some(reason) = guard.consider(self.root_value(), self.stats.created)
            {
                return reason;
            }
            if guard.report_due() {
                self.report(guard, observer);
            }
            if guard.save_due() {
                guard.save(self.stats(guard), observer, &|out| self.save(out));
            }
        }
        StopReason::Solved
    }

    /// Creates the children of the leaf at the end of the path, and returns their number.
    fn expand(&mut self) -> u64 {
        let (keep, down) = self.tree.sync();
        let complete = self.game.expand(keep, down, &mut self.children);
        let gate = self.tree.nodes[self.tree.current()].gate;
        // A child that settles its parent makes all evidence about its siblings worthless.
        let verdicts = self.children.iter().map(|(status, _)| status.verdict());
        if !complete && AndOr.combine(gate, verdicts) == Verdict::Open {
            self.game.evidence(&mut self.children);
        }
        let first = self.tree.nodes.add_block(self.children.iter().map(|&(status, evidence)| {
            let mut node = Node::new(self.rule.leaf(status.gate(), evidence), status);
            node.settle::<R>(node.verdict);
            node
        }));
        self.tree.attach(first, self.children.len());
        self.children.len() as u64
    }

    /// Creates the children of the leaf at the end of the path by a second search with as many nodes as the main tree has so far.
    fn expand_by_search(
        &mut self,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Option<StopReason> {
        let budget = self.stats.created.max(1);
        let (keep, down) = self.tree.sync();
        let (status, evidence) = self.game.begin_second(keep, down);
        let memory = self.second.take().unwrap_or_else(Arena::new);
        let second = Tree::new(self.rule.leaf(status.gate(), evidence), status, memory);
        let mut main = std::mem::replace(&mut self.tree, second);
        let (mut stop, mut created) = (None, 0);
        while !self.tree.solved() && created < budget && stop.is_none() {
            self.stats.visited += self.tree.descend();
            created += self.expand();
            self.tree.back_up(self.rule);
            // The node limit counts only the main tree; time, memory and interrupts apply to both.
            stop = guard.stop(0, main.nodes.bytes() + self.bytes());
        }
        self.stats.peak_bytes = self.stats.peak_bytes.max(main.nodes.bytes() + self.bytes());
        let Node { first: from, width, .. } = self.tree.nodes[ROOT];
        let kids = self.tree.nodes.block(from, width.into());
        let leaves = kids.iter().map(|&kid| Node { first: ROOT, width: 0, best: 0, ..kid });
        let first = main.nodes.add_block(leaves);
        main.attach(first, kids.len());
        self.game.end_second(from, width.into());
        let mut second = std::mem::replace(&mut self.tree, main).nodes;
        second.clear();
        self.second = Some(second);
        self.stats.iterations += 1;
        self.stats.expanded += 1;
        self.stats.created += u64::from(width);
        if guard.report_due() {
            self.report(guard, observer);
        }
        stop
    }

    fn bytes(&self) -> u64 {
        self.tree.nodes.bytes() + self.game.bytes()
    }

    fn stats(&self, guard: &LimitGuard<'_>) -> Stats {
        Stats {
            playouts: self.stats.playouts + self.game.playouts(),
            time: guard.elapsed(),
            peak_bytes: self.stats.peak_bytes.max(self.bytes()),
            ..self.stats
        }
    }

    fn report(&self, guard: &LimitGuard<'_>, observer: &mut dyn Observer) {
        observer.event(Event::Progress(Progress {
            solver: "",
            stats: self.stats(guard),
            root: self.root_value(),
            decided: self.tree.decided(),
        }));
        let root = &self.tree.nodes[ROOT];
        let kids = self.tree.nodes.block(root.first, root.width.into()).iter();
        let moves: Vec<RootMove> =
            kids.map(|kid| RootMove::new(kid.verdict, || self.rule.display(kid.info))).collect();
        observer.event(Event::RootMoves(&moves));
    }

    fn root_value(&self) -> RootValue {
        if self.tree.solved() { RootValue::None } else { self.rule.display(self.tree.nodes[ROOT].info) }
    }
}
