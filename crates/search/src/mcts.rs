//! Monte-Carlo tree search that also proves, for players and for solvers.
//!
//! Every iteration goes down from the root by UCT, adds one node, values it by random games or by the game's evaluation, and carries the value up. On
//! top of that a search may keep
//! - score bounds ([`Solving`]): payoffs that are certain. They prove wins, losses and draws; what is solved is not searched again;
//! - proof numbers ([`Bias`]): selection is drawn to what is nearly proved (paper 5).
//!
//! Means, bounds and proof numbers are kept for every side, so that who moves next, and how many play, makes no difference.
//!
//! A child is a way on only if it is open and can still give the mover more than he has for certain, there or by turning off
//! earlier. With two sides there always is one; so selection never ends at a solved node, every iteration adds something and the search ends.

mod back_up;
mod bounds;
mod choice;
mod leaf;
mod proof;
mod select;
mod solve;
mod stakes;
mod tree;

pub use bounds::Solving;
pub use choice::View;
pub use proof::{Bias, Formula, Goals};
pub use solve::{Policy, solve};
pub use stakes::Aim;

use crate::arena::{NodeId, ROOT};
use crate::{Governor, Hope, Limits, Observer, Stats, StopReason};
use bounds::Everyone;
use delphic_game::{Bounds, Game, Hints, Player, Progressive, Rng};
use rustc_hash::FxHashMap;
use stakes::Stakes;
use tree::{Seat, Tree};

/// How to search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The weight of exploration in v + C · √(ln n_parent / n), with values from −1 to 1.
    pub exploration: f64,
    /// How new nodes are valued.
    pub estimator: Estimator,
    /// What is made of certain payoffs.
    pub solving: Solving,
    /// Whether proof numbers are kept, and what for.
    pub bias: Option<Bias>,
    /// How moves without a node are treated.
    pub first_visits: FirstVisits,
}

/// How a new node is valued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Estimator {
    /// By the mean of random games.
    Playouts {
        /// How many.
        count: u32,
        /// After so many plies a game counts as drawn.
        cut: Option<u32>,
    },
    /// By the game's evaluation (MCTS-E of paper 2, §2); where it has none, all nodes alike.
    Evaluation,
}

/// When a move is tried for the first time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstVisits {
    /// Before any other is tried again, in random order.
    AtOnce,
    /// When its value, taken from its parent, beats the others' (Ludii).
    ByParent,
}

/// A search that can go on: after more time, or after a move.
pub struct Mcts<'g, G: Game> {
    game: &'g G,
    settings: Settings,
    stakes: Stakes,
    state: G::State,
    rng: Rng,
    tree: Tree<G::Move>,
    /// What a node has before anything is known of it.
    blank: Vec<Seat>,
    /// The nodes from the root to the new one, with the movers' sides and the entries of their proof numbers.
    path: Vec<(NodeId, usize, usize)>,
    moves: Vec<G::Move>,
    numbers: Vec<u32>,
    sorted: Vec<u32>,
    /// What is certain about positions, up to symmetry: other ways may lead there.
    certain: FxHashMap<G::State, Everyone<Bounds>>,
    stats: Stats,
}

impl<'g, G: Progressive + Hints> Mcts<'g, G> {
    /// A search that starts at `state`, where the game goes on.
    pub fn new(game: &'g G, state: G::State, aim: Aim, settings: Settings, seed: u64) -> Mcts<'g, G> {
        let stakes = Stakes::new(game, aim);
        let blank = |side| Seat { mean: 0.0, lo: stakes.range(side).lo, hi: stakes.range(side).hi, pn: 1 };
        let blank: Vec<Seat> = (0..stakes.sides).map(blank).collect();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        Mcts {
            game,
            settings,
            stakes,
            state,
            rng: Rng::new(seed),
            tree: Tree::new(moves[0], &blank),
            blank,
            path: Vec::new(),
            moves,
            numbers: Vec::new(),
            sorted: Vec::new(),
            certain: FxHashMap::default(),
            stats: Stats::default(),
        }
    }

    /// Where the search starts.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// Whether the mover at the root has nothing more to learn.
    pub fn solved(&self) -> bool {
        let seat = self.tree.seat(ROOT, self.mover());
        seat.lo == seat.hi && self.solves()
    }

    fn solves(&self) -> bool {
        matches!(self.settings.solving, Solving::Skip | Solving::Bounds)
    }

    fn mover(&self) -> usize {
        self.stakes.side(self.game.turn(&self.state))
    }

    /// Counters of all runs since the search was made.
    pub fn stats(&self) -> Stats {
        Stats { peak_bytes: self.stats.peak_bytes.max(self.bytes()), ..self.stats }
    }

    fn bytes(&self) -> u64 {
        // A table is full to seven eighths at most, and has a byte more for every place.
        let entry = size_of::<(G::State, Everyone<Bounds>)>() + 1;
        self.tree.bytes() + (self.certain.capacity() * entry * 8 / 7) as u64
    }

    /// Searches until the root is solved, `iterations` more are done or a limit is met. With `recycle`, a tree that reaches the memory
    /// limit gives up its least visited parts; without, the search stops there.
    pub fn run(
        &mut self,
        iterations: Option<u64>,
        limits: Limits<'_>,
        recycle: bool,
        observer: &mut dyn Observer,
    ) -> StopReason {
        let memory = limits.memory.filter(|_| recycle);
        let mut governor = Governor::new(Limits { memory: limits.memory.filter(|_| !recycle), ..limits });
        let (before, earlier) = (self.stats, self.stats.time);
        let last = iterations.map_or(u64::MAX, |count| before.iterations.saturating_add(count));
        let stop = loop {
            if self.solved() {
                break StopReason::Solved;
            }
            if self.stats.iterations >= last {
                break StopReason::Iterations;
            }
            if let Some(reason) = governor.stop(self.stats.created - before.created, self.bytes()) {
                break reason;
            }
            // The old tree and a new one of a third exist side by side for a moment; one expansion more must fit as well.
            if let Some(memory) = memory.filter(|&memory| self.bytes() > memory / 5 * 3)
                && !self.recycle(memory / 3)
            {
                break StopReason::Memory;
            }
            self.iterate();
            if governor.report_due() {
                self.stats.time = earlier + governor.elapsed();
                observer.progress(&self.stats(), self.hope());
            }
        };
        self.stats.time = earlier + governor.elapsed();
        stop
    }

    /// Gives up what was visited least and what is certain elsewhere, and tells whether that was anything.
    fn recycle(&mut self, target: u64) -> bool {
        let before = self.bytes();
        self.stats.peak_bytes = self.stats.peak_bytes.max(before + target);
        self.certain = FxHashMap::default();
        self.tree = self.tree.pruned(ROOT, self.tree.least_visits(target));
        self.doubt_root();
        self.bytes() < before
    }

    /// A root may be known to be solved by what was found elsewhere or given up since. That does not tell what to play; its children have to
    /// show it once more.
    fn doubt_root(&mut self) {
        let (mover, sides) = (self.mover(), self.stakes.sides);
        let root = *self.tree.seat(ROOT, mover);
        let shows = |kid: &Seat| (kid.lo, kid.hi) == (root.lo, root.hi);
        if root.lo == root.hi && !self.tree.tried(ROOT).1.iter().skip(mover).step_by(sides).any(shows) {
            for side in 0..sides {
                *self.tree.seat_mut(ROOT, side) = self.blank[side];
            }
        }
    }

    /// Goes on from the position after `mv`, with what is known of it.
    pub fn advance(&mut self, mv: G::Move) {
        let node = &self.tree.nodes[ROOT];
        let (kids, _) = self.tree.tried(ROOT);
        let known = kids.iter().position(|kid| kid.mv == mv && kid.tried > 0);
        self.tree = match known {
            Some(nth) => self.tree.pruned(node.first.sibling(nth), 0),
            None => Tree::new(mv, &self.blank),
        };
        self.game.play(&mut self.state, mv);
        self.doubt_root();
    }

    /// One round of selection, expansion, evaluation and back-up.
    fn iterate(&mut self) {
        let game = self.game;
        let (mut id, mut state) = (ROOT, self.state.clone());
        self.path.clear();
        // What each side has for certain here or, with two sides, by turning off earlier: less is of no interest to it.
        let mut floor = [i16::MIN; Player::MAX];
        let is_news = loop {
            self.stats.visited += 1;
            let player = game.turn(&state);
            let mover = self.stakes.side(player);
            let entry = self.settings.bias.map_or(0, |bias| bias.goals.entry(player));
            self.path.push((id, mover, entry));
            if self.tree.nodes[id].width == 0 {
                self.expand(id, &state);
            }
            for (side, floor) in floor.iter_mut().enumerate().take(self.stakes.sides) {
                let lo = self.tree.seat(id, side).lo;
                *floor = if self.stakes.zero_sum() { lo.max(*floor) } else { lo };
            }
            id = self.select(id, mover, entry, floor[mover]);
            let node = &self.tree.nodes[id];
            game.play(&mut state, node.mv);
            if node.visits == 0 {
                break true;
            }
            // Something may have become certain on another way to this position. Rare looks are enough to notice.
            let look = node.visits.is_power_of_two() && self.solves();
            if look && self.recall(id, &state) {
                break true;
            }
            let node = &self.tree.nodes[id];
            if node.over || self.settings.solving != Solving::Ludii && self.tree.settled(id) {
                break false;
            }
        };
        self.stats.iterations += 1;
        let values = match self.tree.nodes[id].visits {
            0 => self.visit(id, &mut state),
            _ => self.known_values(id),
        };
        self.record(id, &values);
        for nth in 0..self.path.len() {
            self.record(self.path[nth].0, &values);
        }
        if is_news {
            self.back_up_bounds(id);
            self.back_up_numbers();
        }
    }

    /// Makes room for the children of a node.
    fn expand(&mut self, id: NodeId, state: &G::State) {
        self.moves.clear();
        self.game.moves(state, &mut self.moves);
        // In random order the next one is a random one.
        for nth in (1..self.moves.len()).rev() {
            self.moves.swap(nth, self.rng.below(nth + 1));
        }
        let first = self.tree.add(&self.moves, &self.blank);
        self.stats.expanded += 1;
        let node = &mut self.tree.nodes[id];
        (node.first, node.width, node.stale) = (first, self.moves.len() as u16, true);
    }

    /// The mover's chance at the root.
    fn hope(&self) -> Hope {
        if self.solved() {
            return Hope::None;
        }
        Hope::Probability((f64::from(self.tree.seat(ROOT, self.mover()).mean) + 1.0) / 2.0)
    }
}
