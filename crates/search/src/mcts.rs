//! Monte-Carlo tree search that also proves, for players and for solvers.
//!
//! Every iteration descends from the root by UCT, adds one node, values it by random games or by the game's evaluation, and backs the value
//! up. A search may also keep
//! - score bounds ([`Solving`]): payoffs that are certain. They prove wins, losses and draws; solved nodes are not searched again;
//! - proof numbers ([`Bias`]): selection prefers moves that are nearly proved (paper 5).
//!
//! Means, bounds and proof numbers are kept for every side, so the order of players and their number make no difference.
//!
//! A child is selected only if it is open and can still give the mover more than is certain there or by an earlier deviation. With two
//! sides there always is one; so selection never ends at a solved node, every iteration adds something and the search ends.

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

/// How to search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The weight of exploration in v + C · √(ln n_parent / n), with values from −1 to 1.
    pub exploration: f64,
    /// How new nodes are valued.
    pub estimator: Estimator,
    /// How certain payoffs are used.
    pub solving: Solving,
    /// Whether proof numbers are kept, and how they are used.
    pub bias: Option<Bias>,
    /// How moves without a node are treated.
    pub first_visits: FirstVisits,
    /// Which of equally good children is selected.
    pub ties: SelectionTies,
    /// Which move of an unsolved node its line shows.
    pub final_move: FinalMove,
}

/// Which move of an unsolved node is shown in the line of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalMove {
    /// The largest v + 1/√n, with values from 0 to 1: the rule that paper 3 prints. It prefers moves with few visits, so a search that
    /// spends nearly all visits on one move shows another.
    Bound,
    /// The most visits, then the larger mean.
    Visits,
}

/// Which of equally good children is selected. Children are in random order, so the first is a random one that stays the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SelectionTies {
    /// The one whose move comes first in the order of the rules.
    First,
    /// The one whose move comes last.
    Last,
    /// The last for the side the question is about, the first for the other.
    Split,
    /// A random one, each time anew.
    Random,
}

/// How a new node is valued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Estimator {
    /// By the mean of random games.
    Playouts {
        /// How many.
        count: u32,
        /// A game that is longer than this counts as drawn.
        cut: Option<u32>,
    },
    /// By the game's evaluation (MCTS-E of paper 2, §2); where it has none, all nodes are alike.
    Evaluation {
        /// Random moves that are played before; a game that ends by then counts with its result.
        after: u32,
    },
}

/// When a move is tried for the first time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstVisits {
    /// Before any other is tried again, in random order.
    AtOnce,
    /// When its value, taken from its parent, beats the others' (Ludii).
    ByParent,
}

/// A search that can be continued: with more time, or after a move.
pub struct Mcts<'g> {
    game: Box<dyn Simulator<'g> + 'g>,
    settings: Settings,
    sides: Sides,
    rng: Rng,
    tree: Tree,
    /// The entries of a node of which nothing is known.
    blank: Vec<SideStats>,
    /// The current path: nodes from the root on, with the movers' sides and the entries of their proof numbers.
    path: Vec<Step>,
    /// The nodes of the path that the game's side has not followed yet.
    behind: Vec<NodeId>,
    move_numbers: Vec<u16>,
    proof_numbers: Vec<u32>,
    sorted: Vec<u32>,
    stats: Stats,
}

/// The share of the memory at which a tree is full: the old tree and a new one of a third exist side by side for a moment, and one
/// expansion more must fit as well.
const FULL: (u64, u64) = (3, 5);

/// One call of [`Mcts::run`].
struct Run<'r> {
    guard: LimitGuard<'r>,
    /// The counters when it began.
    before: Stats,
    /// The iteration after which it ends.
    last: u64,
    /// The memory, if a tree that reaches it loses parts.
    recycled: Option<u64>,
}

impl Run<'_> {
    fn elapsed(&self) -> Duration {
        self.before.time + self.guard.elapsed()
    }
}

/// What a search has to do next.
enum Due {
    Iteration,
    Checkpoint,
    /// Discarding nodes, within this memory.
    Recycling(u64),
    Stop(StopReason),
}

/// A node on the path.
#[derive(Clone, Copy)]
struct Step {
    id: NodeId,
    /// The mover's side.
    mover: usize,
    /// The entry of the mover's proof number.
    entry: usize,
}

impl<'g> Mcts<'g> {
    /// A search that starts where the simulator stands, where the game is not over.
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

    /// Whether the payoff of the mover at the root is known.
    pub fn solved(&self) -> bool {
        let side = self.tree.side(ROOT, self.mover());
        side.lo == side.hi && self.solves()
    }

    fn solves(&self) -> bool {
        matches!(self.settings.solving, Solving::Skip | Solving::Bounds)
    }

    /// The side to move at a node that was visited. Where the game is over it does not matter.
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

    /// Searches until the root is solved, `iterations` more are done or a limit is reached. With `recycle`, a tree that reaches the memory
    /// limit loses its least visited parts; without, the search stops there. With one thread the same seed gives the same search.
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

    /// What has to be done next. Reports progress if it is time to.
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

    /// Discards the least visited nodes and all stored bounds, for a search within this much memory. Returns whether that freed anything.
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

    /// A root may be known to be solved by bounds that were found elsewhere or discarded since. That does not show what to play, so it is
    /// opened again for its children to show it.
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

    /// Makes the position after legal move number `nth`, where the game is not over, the root, with what is known of it.
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

    /// Brings the game's side to the end of the path.
    fn catch_up(&mut self) {
        self.game.follow(&self.behind);
        self.behind.clear();
    }

    /// One round of selection, expansion, evaluation and back-up.
    fn iterate(&mut self) {
        let (leaf, values) = self.descend();
        let values = values
            .unwrap_or_else(|| self.settings.estimator.values(&mut *self.game, &self.sides, &mut self.rng));
        self.record_path(leaf, &values);
    }

    /// Selects down to a node, visits it, and backs up what is certain there. Returns the node, to whose parent the path leads, and its
    /// values, `None` if they have to be estimated.
    fn descend(&mut self) -> (NodeId, Option<PerSide<f32>>) {
        let mut id = ROOT;
        self.path.clear();
        self.behind.clear();
        self.game.start();
        // The payoff that is certain for each side here or, with two sides, by an earlier deviation: less is of no interest to it.
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
            // Another path to this position may have found bounds. Looking rarely is enough to notice.
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

    /// The estimated chance of the mover at the root.
    fn root_value(&self) -> RootValue {
        if self.solved() {
            return RootValue::None;
        }
        RootValue::Probability((f64::from(self.tree.side(ROOT, self.mover()).mean) + 1.0) / 2.0)
    }

    /// The children of the root that are solved, and all of them.
    fn decided(&self) -> (usize, usize) {
        let (_, sides) = self.tree.tried(ROOT);
        let solved = |kid: &&[SideStats]| kid.iter().all(|side| side.lo == side.hi);
        (sides.chunks_exact(self.sides.count).filter(solved).count(), self.tree.nodes[ROOT].width.into())
    }
}
