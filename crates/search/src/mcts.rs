//! Monte-Carlo tree search with exact values, for agents and for solvers.
//!
//! Every iteration descends from the root by UCT, adds one node, values it by playouts or by the game's evaluation, and backs the value up.
//! A search may also keep
//! - score bounds ([`Solving`]): proved bounds on payoffs. They prove wins, losses and draws; solved nodes are not searched again;
//! - proof numbers ([`Bias`]): selection prefers moves with small proof numbers (paper 5).
//!
//! Means, bounds and proof numbers are kept for every side, so the order and the number of players make no difference.
//!
//! A child is selected only if it is open and its upper bound exceeds what the player to move has already secured, at this node or higher on
//! the path. With two sides an open node always has such a child; so selection never ends at a solved node, and every iteration makes progress.

mod back_up;
mod bounds;
mod choice;
mod leaf;
mod proof;
mod saved;
mod select;
mod sides;
mod solve;
mod together;
mod tree;

pub use bounds::Solving;
pub use choice::MoveStats;
pub use proof::{Bias, Formula, Goals};
pub use sides::Objective;
pub use solve::{Policy, solve};

use crate::arena::{NodeId, ROOT};
use crate::boundary::{PerSide, Simulator};
use crate::{Event, LimitGuard, Limits, Observer, Progress, RootValue, Stats, StopReason};
use delphic_game::{Player, Rng};
use sides::Sides;
use std::time::Duration;
use tree::{SideStats, Tree};

/// The settings of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The weight of exploration in v + C · √(ln n_parent / n), with values from −1 to 1.
    pub exploration: f64,
    /// How new nodes are valued.
    pub estimator: Estimator,
    /// How score bounds are used.
    pub solving: Solving,
    /// Whether proof numbers are kept, and how they are used.
    pub bias: Option<Bias>,
    /// How unvisited moves are selected.
    pub first_visits: FirstVisits,
    /// Tie-breaking in selection.
    pub ties: SelectionTies,
    /// The final move at an unsolved node.
    pub final_move: FinalMove,
}

/// The final move selection at an unsolved node, for the line of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalMove {
    /// The largest v + 1/√n, with values from 0 to 1, as printed in paper 3. It prefers moves with few visits, so a search that spends nearly
    /// all visits on one move reports another.
    Bound,
    /// The most visits, then the larger mean.
    Visits,
}

/// Tie-breaking in selection. Children are stored in random order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SelectionTies {
    /// The one whose move comes first in the order of the rules.
    First,
    /// The one whose move comes last.
    Last,
    /// The last for the side of the question, the first for the other.
    Split,
    /// A random one, drawn in every iteration.
    Random,
}

/// How a new node is valued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Estimator {
    /// By the mean of playouts.
    Playouts {
        /// The number of playouts.
        count: u32,
        /// A playout that is longer than this counts as drawn.
        cut: Option<u32>,
    },
    /// By the game's evaluation (MCTS-E of paper 2, §2); without one, all nodes have the same value.
    Evaluation {
        /// The number of random moves played before the evaluation; a game that ends earlier counts with its result.
        after: u32,
    },
}

/// When a move is visited for the first time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstVisits {
    /// Before any sibling is visited twice, in random order.
    AtOnce,
    /// When its UCT value, with the mean of its parent, exceeds that of its siblings (Ludii).
    ByParent,
}

/// A search that can be continued: with more time, or after a move.
pub struct Mcts<'g> {
    game: Box<dyn Simulator<'g> + 'g>,
    settings: Settings,
    sides: Sides,
    rng: Rng,
    tree: Tree,
    /// The side entries of an unvisited node.
    blank: Vec<SideStats>,
    /// The current path from the root: nodes with the side to move and its proof-number entry.
    path: Vec<Step>,
    /// The nodes of the path that the simulator has not followed yet.
    behind: Vec<NodeId>,
    move_numbers: Vec<u16>,
    proof_numbers: Vec<u32>,
    sorted: Vec<u32>,
    stats: Stats,
}

/// The share of the memory limit at which a tree is full. While it is shrunk to a third, the old tree and the new one exist at the same
/// time, and one more expansion must fit as well.
const FULL: (u64, u64) = (3, 5);

/// One call of [`Mcts::run`].
struct Run<'r> {
    guard: LimitGuard<'r>,
    /// The counters when it began.
    before: Stats,
    /// The iteration after which it ends.
    last: u64,
    /// The memory limit, if a tree that reaches it is shrunk.
    recycled: Option<u64>,
}

impl Run<'_> {
    fn elapsed(&self) -> Duration {
        self.before.time + self.guard.elapsed()
    }
}

/// The next action of a search.
enum Due {
    Iteration,
    Checkpoint,
    /// Shrink the tree to fit this memory.
    Recycling(u64),
    Stop(StopReason),
}

/// A node on the path.
#[derive(Clone, Copy)]
struct Step {
    id: NodeId,
    /// The side to move.
    mover: usize,
    /// The proof-number entry of the player to move.
    entry: usize,
}

impl<'g> Mcts<'g> {
    /// A search from the current position of the simulator, which is not terminal.
    pub fn new(
        mut game: Box<dyn Simulator<'g> + 'g>,
        objective: Objective,
        settings: Settings,
        seed: u64,
    ) -> Mcts<'g> {
        let sides = Sides::new(game.players(), &game.payoffs(), objective);
        let blank = |side| SideStats { mean: 0.0, lo: sides.range(side).lo, hi: sides.range(side).hi, pn: 1 };
        let blank: Vec<SideStats> = (0..sides.count).map(blank).collect();
        game.start();
        Mcts {
            tree: Tree::new(&blank, game.turn()),
            game,
            settings,
            sides,
            rng: Rng::new(seed),
            blank,
            path: Vec::new(),
            behind: Vec::new(),
            move_numbers: Vec::new(),
            proof_numbers: Vec::new(),
            sorted: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// Whether the payoff of the side to move at the root is known.
    pub fn solved(&self) -> bool {
        let side = self.tree.side(ROOT, self.mover());
        side.lo == side.hi && self.solves()
    }

    fn solves(&self) -> bool {
        matches!(self.settings.solving, Solving::Skip | Solving::Bounds)
    }

    /// The side to move at a visited node; arbitrary at a terminal one.
    #[inline]
    fn mover_at(&self, id: NodeId) -> usize {
        self.tree.nodes[id].mover().map_or(0, |player| self.sides.side(player))
    }

    /// The entry of a player's proof number.
    #[inline]
    fn entry(&self, goals: Goals, player: Player) -> usize {
        match goals {
            Goals::OwnWins => self.sides.side(player),
            Goals::WinOf(winner) => usize::from(player != winner),
        }
    }

    /// The side to move at the root.
    fn mover(&self) -> usize {
        self.mover_at(ROOT)
    }

    /// Counters of all runs since the search was created.
    pub fn stats(&self) -> Stats {
        Stats { peak_bytes: self.stats.peak_bytes.max(self.bytes()), ..self.stats }
    }

    fn bytes(&self) -> u64 {
        self.tree.bytes() + self.game.bytes()
    }

    /// Searches until the root is solved, `iterations` more iterations are done, or a limit is reached. With `recycle`, a tree that reaches the
    /// memory limit loses its least visited parts; otherwise the search stops there. With one thread the same seed gives the same search.
    pub fn run(
        &mut self,
        iterations: Option<u64>,
        limits: Limits<'_>,
        recycle: bool,
        observer: &mut dyn Observer,
    ) -> StopReason {
        let before = self.stats;
        let mut run = Run {
            guard: LimitGuard::new(Limits { memory: limits.memory.filter(|_| !recycle), ..limits }),
            before,
            last: iterations.map_or(u64::MAX, |count| before.iterations.saturating_add(count)),
            recycled: limits.memory.filter(|_| recycle),
        };
        match run.guard.resume(observer, &mut |from| self.load(limits.memory, from)) {
            Ok(None) => {}
            Ok(Some(stats)) => self.stats = stats,
            Err(stop) => return stop,
        }
        let stop = match limits.crew() {
            1 => self.alone(&mut run, observer),
            _ if limits.workers.lockstep > 0 => self.in_turns(&mut run, limits, observer),
            _ => self.on_threads(&mut run, limits, observer),
        };
        self.stats.time = run.elapsed();
        if stop != StopReason::Solved {
            run.guard.save(self.stats(), observer, &|out| self.save(out));
        }
        stop
    }

    fn alone(&mut self, run: &mut Run<'_>, observer: &mut dyn Observer) -> StopReason {
        loop {
            match self.due(run, observer) {
                Due::Iteration => self.iterate(),
                Due::Checkpoint => self.checkpoint(run, observer),
                Due::Recycling(memory) if self.recycle(memory) => self.iterate(),
                Due::Recycling(_) => return StopReason::Memory,
                Due::Stop(reason) => return reason,
            }
        }
    }

    /// The next action. Also reports progress if it is due.
    fn due(&mut self, run: &mut Run<'_>, observer: &mut dyn Observer) -> Due {
        if run.guard.report_due() {
            self.stats.time = run.elapsed();
            observer.event(Event::Progress(Progress {
                solver: "",
                stats: self.stats(),
                root: self.root_value(),
                decided: self.decided(),
            }));
        }
        if run.guard.save_due() {
            return Due::Checkpoint;
        }
        if self.solved() {
            return Due::Stop(StopReason::Solved);
        }
        if self.stats.iterations >= run.last {
            return Due::Stop(StopReason::Iterations);
        }
        if let Some(reason) = run.guard.stop(self.stats.created - run.before.created, self.bytes()) {
            return Due::Stop(reason);
        }
        match run.recycled.filter(|&memory| self.bytes() > memory / FULL.1 * FULL.0) {
            Some(memory) => Due::Recycling(memory),
            None => Due::Iteration,
        }
    }

    fn checkpoint(&mut self, run: &Run<'_>, observer: &mut dyn Observer) {
        self.stats.time = run.elapsed();
        run.guard.save(self.stats(), observer, &|out| self.save(out));
    }

    /// Shrinks the tree to fit this memory: discards the least visited nodes and all stored bounds. Returns whether that freed anything.
    fn recycle(&mut self, memory: u64) -> bool {
        let (before, target) = (self.bytes(), memory / 3);
        self.stats.peak_bytes = self.stats.peak_bytes.max(before + target);
        self.game.forget();
        self.prune(ROOT, self.tree.least_visits(target));
        self.reopen_root();
        self.bytes() < before
    }

    /// Makes `root` the root and discards the children of nodes with fewer visits than `least`.
    fn prune(&mut self, root: NodeId, least: u32) {
        let (tree, kept) = self.tree.pruned(root, least);
        self.game.keep(&kept);
        self.tree = tree;
    }

    /// The root may be solved by bounds from another path, or by children that were discarded since. Then no child shows the move to play, so
    /// the root is opened again.
    fn reopen_root(&mut self) {
        let (mover, count) = (self.mover(), self.sides.count);
        let root = *self.tree.side(ROOT, mover);
        let shows = |kid: &SideStats| (kid.lo, kid.hi) == (root.lo, root.hi);
        if root.lo == root.hi && !self.tree.tried(ROOT).1.iter().skip(mover).step_by(count).any(shows) {
            for side in 0..count {
                *self.tree.side_mut(ROOT, side) = self.blank[side];
            }
        }
    }

    /// Makes the position after legal move number `nth`, which is not terminal, the root, and keeps its subtree.
    pub fn advance(&mut self, nth: usize) {
        let node = &self.tree.nodes[ROOT];
        let (kids, _) = self.tree.tried(ROOT);
        match kids.iter().position(|kid| usize::from(kid.number) == nth && kid.tried > 0) {
            Some(place) => {
                self.prune(node.first.sibling(place), 0);
                self.game.advance(nth);
            }
            None => {
                self.game.keep(&[]);
                self.game.advance(nth);
                self.game.start();
                self.tree = Tree::new(&self.blank, self.game.turn());
            }
        }
        self.reopen_root();
    }

    /// Moves the simulator to the end of the path.
    fn catch_up(&mut self) {
        self.game.follow(&self.behind);
        self.behind.clear();
    }

    /// One iteration: selection, expansion, evaluation and back-up.
    fn iterate(&mut self) {
        let (leaf, values) = self.descend();
        let values = values
            .unwrap_or_else(|| self.settings.estimator.values(&mut *self.game, &self.sides, &mut self.rng));
        self.record_path(leaf, &values);
    }

    /// Selects a node, visits it, and backs up its bounds. The path then leads to its parent. Returns the node and its values, `None` if they
    /// have to be estimated.
    fn descend(&mut self) -> (NodeId, Option<PerSide<f32>>) {
        let mut id = ROOT;
        self.path.clear();
        self.behind.clear();
        self.game.start();
        // The payoff that each side has secured at this node or, with two sides, higher on the path: children that cannot exceed it are skipped.
        let mut floor = [i16::MIN; Player::MAX];
        let has_changed = loop {
            self.stats.visited += 1;
            let Some(player) = self.tree.nodes[id].mover() else {
                unreachable!("selection stops where the game is over")
            };
            let mover = self.sides.side(player);
            let entry = self.settings.bias.map_or(0, |bias| self.entry(bias.goals, player));
            self.path.push(Step { id, mover, entry });
            if self.tree.nodes[id].width == 0 {
                self.expand(id);
            }
            for (side, floor) in floor.iter_mut().enumerate().take(self.sides.count) {
                let lo = self.tree.side(id, side).lo;
                *floor = if self.sides.zero_sum() { lo.max(*floor) } else { lo };
            }
            id = self.select(id, mover, entry, floor[mover]);
            self.behind.push(id);
            let node = &self.tree.nodes[id];
            if node.visits == 0 {
                break true;
            }
            // Another path may have found bounds for this position. Looking them up rarely is enough.
            if node.visits.is_power_of_two() && self.solves() {
                self.catch_up();
                if self.recall(id) {
                    break true;
                }
            }
            let over = self.tree.nodes[id].is_over();
            if over || self.settings.solving != Solving::Ludii && self.tree.settled(id) {
                break false;
            }
        };
        self.stats.iterations += 1;
        let values = match self.tree.nodes[id].visits {
            0 => {
                self.catch_up();
                self.visit(id)
            }
            _ => Some(self.known_values(id)),
        };
        if has_changed {
            self.back_up_bounds(id);
            self.back_up_numbers();
        }
        (id, values)
    }

    /// Creates the children of a node.
    fn expand(&mut self, id: NodeId) {
        self.catch_up();
        self.game.expand(&mut self.rng, &mut self.move_numbers);
        let first = self.tree.add(&self.move_numbers, &self.blank);
        self.stats.expanded += 1;
        let node = &mut self.tree.nodes[id];
        (node.first, node.width, node.stale) = (first, self.move_numbers.len() as u16, true);
    }

    /// The estimated winning chance of the side to move at the root.
    fn root_value(&self) -> RootValue {
        if self.solved() {
            return RootValue::None;
        }
        RootValue::Probability((f64::from(self.tree.side(ROOT, self.mover()).mean) + 1.0) / 2.0)
    }

    /// The number of solved children of the root, and of all its children.
    fn decided(&self) -> (usize, usize) {
        let (_, sides) = self.tree.tried(ROOT);
        let solved = |kid: &&[SideStats]| kid.iter().all(|side| side.lo == side.hi);
        (sides.chunks_exact(self.sides.count).filter(solved).count(), self.tree.nodes[ROOT].width.into())
    }
}
