//! The best-first kernel (paper 2, Algorithm 1).
//!
//! It grows a tree from the root: go down by the rule's choice to a leaf, make its children, and carry the news
//! back up until nothing changes; the next descent starts there, because above that node nothing has
//! changed either. What a solver is beyond that is a [`Rule`] and a [`Prior`].
//!
//! With [`Expand::TwoLevel`] (PN², Breuker 1998; PP², paper 2, §3.2) a leaf is not given its children's first impressions but those of
//! a second search below it, as large as the main tree is so far. The second tree is thrown away, except for the children of its root, and
//! its memory is used again.
//!
//! The kernel owns truth: whether a node is solved is [`Logic::combine`] of its children, kept beside the rule's
//! numbers and never read off them. Open nodes are all a rule ever sees.

mod saved;

use crate::arena::{Arena, NodeId, ROOT};
use crate::checkpoint::Field;
use crate::memory::{Memory, Teller};
use crate::rule::{Evidence, Rule};
use crate::{Governor, Hope, Limits, Observer, Prior, Report, Stats, StopReason};
use delphic_game::problem::{Role, Truth};
use delphic_game::{Logic, Look, Problem};

/// A node of the tree. Siblings stand side by side; parents are on the path that leads here.
#[derive(Clone, Copy)]
struct Node<I, M, T> {
    info: I,
    /// The first child, once expanded.
    first: NodeId,
    /// The number of children, 0 before the expansion.
    width: u16,
    /// The child that the rule would search next. Found while backing up, when all children are looked at
    /// anyway, so that going down looks at one node per ply.
    best: u16,
    /// What led here from the parent.
    mv: M,
    truth: T,
}

/// The product rule on a game with small moves.
const _: () = assert!(size_of::<Node<crate::rule::Odds, u16, delphic_game::Verdict>>() == 20);

/// How a leaf gets its children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expand {
    /// They are valued as they are.
    Plain,
    /// A second search values them.
    TwoLevel,
}

struct Search<'p, P: Problem, R: Rule, L> {
    problem: &'p P,
    /// Lent, because a second search shares them.
    rule: &'p R,
    prior: &'p mut L,
    /// Where the tree of a second search is kept between searches.
    second: Option<Tree<P, R>>,
    tree: Tree<P, R>,
    /// The nodes from the root to the current one, with their states.
    path: Vec<(NodeId, P::State)>,
    /// The children of the node being expanded.
    fresh: Vec<Fresh<P>>,
    moves: Vec<P::Move>,
    scratch: Vec<P::Move>,
    stats: Stats,
}

type Tree<P, R> = Arena<Node<<R as Rule>::Info, <P as Problem>::Move, Truth<P>>>;
type Fresh<P> = (<P as Problem>::State, Look<Role<P>, Truth<P>>);

/// Searches until the question is answered or a limit is met.
pub fn solve<P, R, L>(
    problem: &P,
    rule: R,
    mut prior: L,
    expand: Expand,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report<P>
where
    P: Problem,
    R: Rule<Role = Role<P>>,
    L: Prior<P>,
    Truth<P>: Field,
{
    let mut governor = Governor::new(limits);
    let mut search = match Search::new(problem, problem.root(), &rule, &mut prior, Arena::new()) {
        Ok(search) => search,
        Err(truth) => return Report::at_once(truth),
    };
    if expand == Expand::TwoLevel {
        search.second = Some(Arena::new());
    }
    match governor.resume(&mut |from| search.load(limits.memory, from)) {
        Ok(None) => {}
        Ok(Some(stats)) => search.stats = stats,
        Err(stop) => return Report { stop, ..Report::at_once(problem.logic().open()) },
    }
    let mut stop = StopReason::Solved;
    while !search.solved() {
        if let Some(reason) = governor.stop(search.stats.created, search.bytes()) {
            stop = reason;
            break;
        }
        search.descend();
        if expand == Expand::TwoLevel {
            if let Some(reason) = search.expand_by_search(&mut governor, observer) {
                stop = reason;
                break;
            }
        } else {
            search.expand();
        }
        search.back_up();
        // The root has changed only if the news went all the way up.
        if governor.watches_estimates()
            && search.path.len() == 1
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
    if !search.solved() {
        governor.save(search.stats(&governor), &|out| search.save(out));
    }
    let (truth, stats, estimate) = (search.tree[ROOT].truth, search.stats(&governor), governor.estimate());
    let (hope, line) = (search.hope(), search.line());
    let grown = Grown { tree: search.tree };
    let memory: Option<Box<dyn Memory<P>>> = problem.logic().settled(truth).then(|| Box::new(grown) as _);
    Report { truth, stop, stats, hope, estimate, line, memory }
}

/// The tree of a search that is over.
struct Grown<I, M, T> {
    tree: Arena<Node<I, M, T>>,
}

impl<P: Problem, I: Send> Memory<P> for Grown<I, P::Move, Truth<P>> {
    /// Positions are known only by the way that leads to them.
    fn recall(&self, _: &P, _: &P::State) -> Option<Truth<P>> {
        None
    }

    /// From the root through the children that have their solved parent's truth: whatever it rests on is among them.
    fn unfold(&self, problem: &P, tell: &mut dyn FnMut(&P::State, Truth<P>)) {
        let mut waiting = vec![(ROOT, problem.root())];
        while let Some((id, state)) = waiting.pop() {
            let node = &self.tree[id];
            tell(&state, node.truth);
            for (nth, kid) in self.tree.block(node.first, node.width.into()).iter().enumerate() {
                if kid.truth == node.truth {
                    waiting.push((node.first.sibling(nth), problem.child(&state, kid.mv)));
                }
            }
        }
    }

    fn solved_moves(&self, problem: &P, tell: &mut Teller<'_, P>) {
        let mut waiting = vec![(ROOT, problem.root())];
        while let Some((id, state)) = waiting.pop() {
            let node = &self.tree[id];
            for (nth, kid) in self.tree.block(node.first, node.width.into()).iter().enumerate() {
                if problem.logic().settled(kid.truth) {
                    tell(&state, kid.mv, kid.truth);
                }
                if kid.width > 0 {
                    waiting.push((node.first.sibling(nth), problem.child(&state, kid.mv)));
                }
            }
        }
    }
}

impl<'p, P, R, L> Search<'p, P, R, L>
where
    P: Problem,
    R: Rule<Role = Role<P>>,
    L: Prior<P>,
    Truth<P>: Field,
{
    /// A tree of the root alone, or the answer if no search is needed. The tree is kept in `tree`, which is empty.
    fn new(
        problem: &'p P,
        state: P::State,
        rule: &'p R,
        prior: &'p mut L,
        mut tree: Tree<P, R>,
    ) -> Result<Self, Truth<P>> {
        let (mut scratch, mut moves) = (Vec::new(), Vec::new());
        let (role, width) = match problem.look(&state, &mut scratch) {
            Look::Over(truth) => return Err(truth),
            Look::Open { role, moves } => (role, moves),
        };
        let info = rule.leaf(role, prior.evidence(problem, &state, width, &mut scratch));
        problem.moves(&state, &mut moves);
        // Nothing led to the root; its move is never looked at.
        let root = Node { info, first: ROOT, width: 0, best: 0, mv: moves[0], truth: problem.logic().open() };
        tree.open_block(1);
        tree.push(root);
        let path = vec![(ROOT, state)];
        Ok(Search {
            problem,
            rule,
            prior,
            second: None,
            tree,
            path,
            fresh: Vec::new(),
            moves,
            scratch,
            stats: Stats::default(),
        })
    }

    fn solved(&self) -> bool {
        self.problem.logic().settled(self.tree[ROOT].truth)
    }

    /// Goes down from the end of the path to a leaf.
    fn descend(&mut self) {
        loop {
            self.stats.visited += 1;
            let (id, state) = self.path.last().expect("the path begins with the root");
            let node = &self.tree[*id];
            if node.width == 0 {
                return;
            }
            let child = node.first.sibling(node.best.into());
            let next = self.problem.child(state, self.tree[child].mv);
            self.path.push((child, next));
        }
    }

    /// Makes the children of the leaf at the end of the path.
    fn expand(&mut self) {
        let (leaf, state) = self.path.last().expect("the path begins with the root");
        let problem = self.problem;
        let role = problem.role(state);
        self.moves.clear();
        problem.moves(state, &mut self.moves);
        self.fresh.clear();
        for &mv in &self.moves {
            let child = problem.child(state, mv);
            let look = problem.look(&child, &mut self.scratch);
            self.fresh.push((child, look));
        }
        let logic = problem.logic();
        let seen = |look: &Look<Role<P>, Truth<P>>| match look {
            Look::Over(truth) => *truth,
            Look::Open { .. } => logic.open(),
        };
        // A child that settles its parent makes all evidence about its siblings worthless.
        let decided = logic.settled(logic.combine(role, self.fresh.iter().map(|(_, look)| seen(look))));
        let nobody_reads = self.rule.leaf(role, Evidence::None);
        let first = self.tree.open_block(self.fresh.len());
        for ((child, look), &mv) in self.fresh.iter().zip(&self.moves) {
            let info = match *look {
                Look::Open { role, moves } if !decided => {
                    let scratch = &mut self.scratch;
                    self.rule
                        .leaf(role, self.prior.evidence_of_move(problem, state, mv, child, moves, scratch))
                }
                _ => nobody_reads,
            };
            self.tree.push(Node { info, first: ROOT, width: 0, best: 0, mv, truth: seen(look) });
        }
        let leaf = &mut self.tree[*leaf];
        leaf.first = first;
        leaf.width = self.moves.len() as u16;
        self.stats.iterations += 1;
        self.stats.expanded += 1;
        self.stats.created += self.moves.len() as u64;
    }

    /// Makes the children of the leaf at the end of the path by a second search, as large as the main tree so far.
    fn expand_by_search(
        &mut self,
        governor: &mut Governor<'_>,
        observer: &mut dyn Observer,
    ) -> Option<StopReason> {
        let (leaf, state) = self.path.last().expect("the path begins with the root");
        let (leaf, budget) = (*leaf, self.stats.created.max(1));
        let tree = self.second.take().unwrap_or_else(Arena::new);
        let Ok(mut second) = Search::new(self.problem, state.clone(), self.rule, &mut *self.prior, tree)
        else {
            unreachable!("a leaf that is over is settled when it is made")
        };
        let mut stop = None;
        while !second.solved() && second.stats.created < budget && stop.is_none() {
            second.descend();
            second.expand();
            second.back_up();
            // The limit on nodes is for the main tree; time, memory and interruptions are for both.
            stop = governor.stop(0, self.tree.bytes() + second.tree.bytes());
        }
        let root = &second.tree[ROOT];
        let kids = second.tree.block(root.first, root.width.into());
        let first = self.tree.open_block(kids.len());
        for kid in kids {
            self.tree.push(Node { first: ROOT, width: 0, best: 0, ..*kid });
        }
        let width = kids.len();
        (self.tree[leaf].first, self.tree[leaf].width) = (first, width as u16);
        self.stats.iterations += 1;
        self.stats.expanded += 1;
        self.stats.visited += second.stats.visited;
        self.stats.created += width as u64;
        let (mut tree, bytes) = (second.tree, self.tree.bytes());
        self.stats.peak_bytes = self.stats.peak_bytes.max(tree.bytes() + bytes);
        tree.clear();
        self.second = Some(tree);
        if governor.report_due() {
            observer.progress(&self.stats(governor), self.hope());
        }
        stop
    }

    fn bytes(&self) -> u64 {
        let path = self.path.capacity() * size_of::<(NodeId, P::State)>();
        self.tree.bytes() + path as u64
    }

    /// Carries the news up from the end of the path, and shortens the path to the highest node that was reached.
    fn back_up(&mut self) {
        // The truth of a node can change only if that of the child below it on the path has.
        let mut truth_changed = true;
        loop {
            let (id, state) = self.path.last().expect("the path begins with the root");
            let (id, role) = (*id, self.problem.role(state));
            if !self.update(id, role, &mut truth_changed) || self.path.len() == 1 {
                return;
            }
            self.path.pop();
        }
    }

    /// Looks at the children of a node again and tells whether anything changed. `truth_changed` says whether the truth of a child
    /// may have, and then whether that of the node has.
    #[inline]
    fn update(&mut self, id: NodeId, role: Role<P>, truth_changed: &mut bool) -> bool {
        let logic = self.problem.logic();
        let node = &self.tree[id];
        let (mut truth, kids) = (node.truth, self.tree.block(node.first, node.width.into()));
        if *truth_changed {
            truth = logic.combine(role, kids.iter().map(|kid| kid.truth));
            *truth_changed = truth != node.truth;
        }
        let mut changed = *truth_changed;
        if logic.settled(truth) {
            self.tree[id].truth = truth;
        } else {
            let open = kids.iter().enumerate().filter(|(_, kid)| !logic.settled(kid.truth));
            let (info, best) = self.rule.update(role, open.map(|(number, kid)| (number, kid.info)));
            let node = &mut self.tree[id];
            changed |= info != node.info;
            (node.info, node.truth, node.best) = (info, truth, best as u16);
        }
        changed
    }

    fn stats(&self, governor: &Governor<'_>) -> Stats {
        Stats {
            playouts: self.stats.playouts + self.prior.playouts(),
            time: governor.elapsed(),
            peak_bytes: self.stats.peak_bytes.max(self.bytes()),
            ..self.stats
        }
    }

    fn hope(&self) -> Hope {
        if self.solved() { Hope::None } else { self.rule.hope(self.tree[ROOT].info) }
    }

    /// From the root through children that share the truth of their solved parents, or the ones to search next.
    fn line(&self) -> Vec<P::Move> {
        let logic = self.problem.logic();
        let mut line = Vec::new();
        let mut node = &self.tree[ROOT];
        while node.width > 0 {
            let kids = self.tree.block(node.first, node.width.into());
            let shown = kids.iter().find(|kid| logic.settled(node.truth) && kid.truth == node.truth);
            node = shown.unwrap_or(&kids[usize::from(node.best)]);
            line.push(node.mv);
        }
        line
    }
}
