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

mod bounds;
mod choice;
mod proof;
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
use delphic_game::{Bounds, Game, Hints, Outcome, Player, Progressive, Rng, playout, result};
use proof::NEVER;
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

    /// The child to go to.
    fn select(&mut self, id: NodeId, mover: usize, entry: usize, floor: i16) -> NodeId {
        let node = &self.tree.nodes[id];
        let (first, next) = (node.first, usize::from(node.tried));
        let unvisited = usize::from(node.width - node.tried);
        let at_once = self.settings.first_visits == FirstVisits::AtOnce;
        if unvisited > 0 && at_once {
            self.tree.nodes[id].tried += 1;
            return first.sibling(next);
        }
        let mut weight = 0.0;
        if let Some(bias) = self.settings.bias {
            weight = bias.weight as f32;
            if node.stale && weight > 0.0 {
                self.refresh_biases(bias.formula, id, entry, unvisited);
            }
        }
        let node = &self.tree.nodes[id];
        let seat = *self.tree.seat(id, mover);
        let log = (node.visits.max(1) as f32).ln();
        let c = self.settings.exploration as f32;
        let (mut best, mut highest, mut ties) = (None, f32::NEG_INFINITY, 1);
        let mut consider = |nth: usize, value: f32, rng: &mut Rng| {
            if value > highest {
                (best, highest, ties) = (Some(nth), value, 1);
            } else if value == highest {
                ties += 1;
                if rng.below(ties) == 0 {
                    best = Some(nth);
                }
            }
        };
        if unvisited > 0 {
            // As if visited once, with the value of the parent, which counts as lost once more while it is on the path.
            let value = match node.visits {
                0 => 0.0,
                visits => (seat.mean * visits as f32 - 1.0) / (visits + 1) as f32,
            };
            consider(
                next,
                value + c * log.sqrt() + weight * self.tree.nodes[first.sibling(next)].bias,
                &mut self.rng,
            );
        }
        let (kids, seats) = self.tree.tried(id);
        let sides = self.stakes.sides;
        for (nth, kid) in kids.iter().enumerate() {
            let Some(value) = self.worth(&seat, &seats[nth * sides..][..sides], mover, floor) else {
                continue;
            };
            let value = value + c * (log / kid.visits as f32).sqrt() + weight * kid.bias;
            consider(nth, value, &mut self.rng);
        }
        let chosen = best.unwrap_or_else(|| self.anywhere(id, mover));
        if chosen == next && unvisited > 0 {
            self.tree.nodes[id].tried += 1;
        }
        first.sibling(chosen)
    }

    /// What a visited child is worth to the mover, `None` if it is no way on.
    #[inline]
    fn worth(&self, parent: &Seat, kid: &[Seat], mover: usize, floor: i16) -> Option<f32> {
        let Seat { mean, lo, hi, .. } = kid[mover];
        let value = |payoff| self.stakes.value(payoff, mover);
        match self.settings.solving {
            Solving::Off => Some(mean),
            Solving::Skip | Solving::Bounds => {
                let open = kid.iter().any(|seat| seat.lo < seat.hi);
                let within = self.settings.solving == Solving::Bounds;
                let worth = || if within { mean.clamp(value(lo), value(hi)) } else { mean };
                (open && hi > floor).then(worth)
            }
            Solving::Ludii if hi <= parent.lo && parent.hi > lo => Some(-10_000.0),
            Solving::Ludii if lo == hi => Some(value(lo)),
            Solving::Ludii if self.settings.bias.is_some() => Some(mean.clamp(value(lo), value(hi))),
            Solving::Ludii => Some(mean),
        }
    }

    /// With more than two sides a node can be open though its mover has nothing to gain: an open child, or else one of the best.
    fn anywhere(&mut self, id: NodeId, mover: usize) -> usize {
        let (kids, seats) = self.tree.tried(id);
        let seats = seats.chunks_exact(self.stakes.sides);
        let open = |kid: &[Seat]| kid.iter().any(|seat| seat.lo < seat.hi);
        let best = seats.clone().map(|kid| (open(kid), kid[mover].lo)).max();
        let fitting = |kid: &[Seat]| Some((open(kid), kid[mover].lo)) == best;
        let nth = self.rng.below(seats.clone().filter(|kid| fitting(kid)).count().max(1));
        seats.enumerate().filter(|(_, kid)| fitting(kid)).nth(nth).map_or(kids.len() - 1, |(place, _)| place)
    }

    fn refresh_biases(&mut self, formula: Formula, id: NodeId, entry: usize, unvisited: usize) {
        let first = self.tree.nodes[id].first;
        let (_, seats) = self.tree.tried(id);
        self.numbers.clear();
        self.numbers.extend(seats.iter().skip(entry).step_by(self.stakes.sides).map(|seat| seat.pn));
        if unvisited > 0 {
            self.numbers.push(1);
        }
        let by_width = self.settings.first_visits == FirstVisits::ByParent;
        let nodes = &mut self.tree.nodes;
        proof::biases(formula, &self.numbers, unvisited.max(1), by_width, &mut self.sorted, |nth, bias| {
            nodes[first.sibling(nth)].bias = bias;
        });
        nodes[id].stale = false;
    }

    /// Looks at a new node for the first time. Its position may be played on from.
    fn visit(&mut self, id: NodeId, state: &mut G::State) -> Everyone<f32> {
        self.stats.created += 1;
        let game = self.game;
        if let Some(outcome) = result(game, state, &mut self.moves) {
            self.tree.nodes[id].over = true;
            for side in 0..self.stakes.sides {
                let payoff = self.stakes.payoff(outcome, side);
                let seat = self.tree.seat_mut(id, side);
                (seat.lo, seat.hi) = (payoff, payoff);
            }
            self.settle(id);
            return self.known_values(id);
        }
        if self.solves() && self.recall(id, state) && self.tree.settled(id) {
            return self.known_values(id);
        }
        if let Some(Bias { mobility: true, goals, .. }) = self.settings.bias {
            // The moves were listed to see whether there are any, or are counted once more.
            let moves = game.count_moves(state, &mut self.moves) as u32;
            let mover = goals.entry(game.turn(state));
            for side in (0..self.stakes.sides).filter(|&side| side != mover) {
                self.tree.seat_mut(id, side).pn = moves;
            }
        }
        self.estimate(state)
    }

    /// Takes over what is certain about the position of a node, and tells whether that was news.
    fn recall(&mut self, id: NodeId, state: &G::State) -> bool {
        if self.certain.is_empty() {
            return false;
        }
        let mut form = state.clone();
        self.game.canonicalize(&mut form);
        let Some(certain) = self.certain.get(&form) else { return false };
        let mut news = false;
        for (side, bounds) in certain.iter().enumerate().take(self.stakes.sides) {
            let seat = self.tree.seat_mut(id, side);
            let (lo, hi) = (seat.lo.max(bounds.lo), seat.hi.min(bounds.hi));
            news |= (lo, hi) != (seat.lo, seat.hi);
            (seat.lo, seat.hi) = (lo, hi);
        }
        if self.tree.settled(id) {
            self.settle(id);
        }
        news
    }

    /// Gives a node that is solved its proof numbers.
    fn settle(&mut self, id: NodeId) {
        for side in 0..self.stakes.sides {
            let best = self.stakes.range(side).hi;
            let seat = self.tree.seat_mut(id, side);
            seat.pn = if seat.lo == best { 0 } else { NEVER };
        }
        if let Some(Bias { goals: Goals::WinOf(winner), .. }) = self.settings.bias {
            let won = self.tree.seat(id, self.stakes.side(winner)).pn == 0;
            let number = |proved| if proved { 0 } else { NEVER };
            self.tree.seat_mut(id, 0).pn = number(won);
            self.tree.seat_mut(id, 1).pn = number(!won);
        }
    }

    /// The values of a node that is solved, or what is thought of it so far.
    fn known_values(&self, id: NodeId) -> Everyone<f32> {
        let mut values = [0.0; Player::MAX];
        for (side, value) in values.iter_mut().enumerate().take(self.stakes.sides) {
            let seat = self.tree.seat(id, side);
            *value = if seat.lo == seat.hi { self.stakes.value(seat.lo, side) } else { seat.mean };
        }
        values
    }

    fn estimate(&mut self, state: &mut G::State) -> Everyone<f32> {
        let mut values = [0.0; Player::MAX];
        let sides = self.stakes.sides;
        match self.settings.estimator {
            Estimator::Evaluation => {
                for (side, value) in values.iter_mut().enumerate().take(sides) {
                    let judged = self.stakes.judged(side);
                    let chance =
                        self.game.evaluate(state, judged).map_or(0.0, |chance| 2.0 * chance as f32 - 1.0);
                    *value = if self.stakes.side(judged) == side { chance } else { -chance };
                }
            }
            Estimator::Playouts { count, cut } => {
                for nth in 0..count {
                    let mut copy = (nth + 1 < count).then(|| state.clone());
                    let state = copy.as_mut().unwrap_or(state);
                    if let Some(outcome) = self.playout(state, cut) {
                        for (side, value) in values.iter_mut().enumerate().take(sides) {
                            *value += self.stakes.value(self.stakes.payoff(outcome, side), side);
                        }
                    }
                }
                values.iter_mut().for_each(|value| *value /= count as f32);
                self.stats.playouts += u64::from(count);
            }
        }
        values
    }

    /// A random game, `None` if it was cut short.
    fn playout(&mut self, state: &mut G::State, cut: Option<u32>) -> Option<Outcome> {
        let game = self.game;
        let Some(plies) = cut else { return Some(playout(game, state, &mut self.rng, &mut self.moves)) };
        for _ in 0..plies {
            let outcome = game.outcome(state);
            if outcome.is_some() {
                return outcome;
            }
            match game.random_move(state, &mut self.rng, &mut self.moves) {
                Some(mv) => game.play(state, mv),
                None => return Some(game.stuck(state)),
            }
        }
        result(game, state, &mut self.moves)
    }

    fn record(&mut self, id: NodeId, values: &Everyone<f32>) {
        let node = &mut self.tree.nodes[id];
        node.visits = node.visits.saturating_add(1);
        let (seats, share) = (node.seats, 1.0 / node.visits as f32);
        for (side, value) in values.iter().enumerate().take(self.stakes.sides) {
            let seat = &mut self.tree.seats[seats.sibling(side)];
            seat.mean += (value - seat.mean) * share;
        }
    }

    /// Carries what a new node has made certain up the path, as far as it makes a difference.
    fn back_up_bounds(&mut self, leaf: NodeId) {
        let solving = self.settings.solving;
        let news = |side| {
            let (Seat { lo, hi, .. }, range) = (*self.tree.seat(leaf, side), self.stakes.range(side));
            (lo, hi) != (range.lo, range.hi)
        };
        if solving == Solving::Off || !(0..self.stakes.sides).any(news) {
            return;
        }
        if solving == Solving::Ludii && (0..self.stakes.sides).all(|side| self.tree.seat(leaf, side).lo == 0)
        {
            return;
        }
        for depth in (0..self.path.len()).rev() {
            let (id, mover, _) = self.path[depth];
            let (node, (_, kids)) = (&self.tree.nodes[id], self.tree.tried(id));
            let found = bounds::combine(&self.stakes, solving, mover, kids, node.tried < node.width);
            let mut changed = false;
            for (side, bounds) in found.iter().enumerate().take(self.stakes.sides) {
                // What was certain stays so, even if the children that showed it were given up.
                let seat = self.tree.seat_mut(id, side);
                let (lo, hi) = (seat.lo.max(bounds.lo), seat.hi.min(bounds.hi));
                changed |= (lo, hi) != (seat.lo, seat.hi);
                (seat.lo, seat.hi) = (lo, hi);
            }
            if !changed {
                return;
            }
            if self.solves() {
                self.remember(depth);
            }
        }
    }

    /// Remembers what is certain about a position on the path, and learns what another way there has shown. The root learns from its
    /// children alone, because one of them will be played.
    fn remember(&mut self, depth: usize) {
        let mut state = self.state.clone();
        for &(id, ..) in &self.path[1..=depth] {
            self.game.play(&mut state, self.tree.nodes[id].mv);
        }
        self.game.canonicalize(&mut state);
        let certain =
            self.certain.entry(state).or_insert([Bounds { lo: i16::MIN, hi: i16::MAX }; Player::MAX]);
        for (side, bounds) in certain.iter_mut().enumerate().take(self.stakes.sides) {
            let seat = self.tree.seat_mut(self.path[depth].0, side);
            *bounds = Bounds { lo: seat.lo.max(bounds.lo), hi: seat.hi.min(bounds.hi) };
            if depth > 0 {
                (seat.lo, seat.hi) = (bounds.lo, bounds.hi);
            }
        }
    }

    /// Carries proof numbers up the path, as far as they change (paper 5, Algorithm 1).
    fn back_up_numbers(&mut self) {
        let Some(bias) = self.settings.bias else { return };
        let sides = self.stakes.sides;
        let entries = if bias.goals == Goals::OwnWins { sides } else { 2 };
        for &(id, _, mover) in self.path.iter().rev() {
            let node = &mut self.tree.nodes[id];
            node.stale = true;
            let unvisited = usize::from(node.width - node.tried);
            let mut changed = false;
            for entry in 0..entries {
                let number = proof::combine(self.tree.tried(id).1, sides, entry, mover, unvisited);
                let seat = self.tree.seat_mut(id, entry);
                // Proofs stay, even if the children that showed them were given up.
                if seat.pn != number && seat.pn != 0 && seat.pn != NEVER {
                    (seat.pn, changed) = (number, true);
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The mover's chance at the root.
    fn hope(&self) -> Hope {
        if self.solved() {
            return Hope::None;
        }
        Hope::Probability((f64::from(self.tree.seat(ROOT, self.mover()).mean) + 1.0) / 2.0)
    }
}
