//! The game's side of Monte-Carlo tree search.

use crate::StateMap;
use crate::arena::{Arena, NodeId};
use delphic_game::{Bounds, GameRef, Hints, Outcome, Player, Progressive, Rng, playout, result};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One entry per side; those behind the last side mean nothing.
pub type PerSide<T> = [T; Player::MAX];

/// What values a position that is not over.
pub trait Evaluator: Send {
    /// The game's evaluation for a player.
    fn evaluate(&self, player: Player) -> Option<f64>;

    /// Plays random games from the present position. The sink gets the results, `None` for games cut short after `cut` plies.
    /// The last game is played with the present position itself, which becomes that at its end.
    fn playouts(
        &mut self,
        count: u32,
        cut: Option<u32>,
        rng: &mut Rng,
        sink: &mut dyn FnMut(Option<Outcome>),
    );
}

/// A position that moves through a tree whose nodes the driver numbers, starting anew from the root in every iteration.
pub trait Simulator<'g>: Evaluator {
    /// The number of players.
    fn players(&self) -> usize;

    /// Every payoff a player can get, ascending.
    fn payoffs(&self) -> Vec<i16>;

    /// Makes the root the present position.
    fn start(&mut self);

    /// Plays the moves that lead to these nodes.
    fn follow(&mut self, nodes: &[NodeId]);

    /// The player to move.
    fn turn(&self) -> Player;

    /// The result, if the game is over.
    fn outcome(&mut self) -> Option<Outcome>;

    /// The number of legal moves.
    fn count_moves(&mut self) -> usize;

    /// Adds the legal moves in random order as the next block of nodes. `numbers` becomes their places in the order of the rules.
    fn expand(&mut self, rng: &mut Rng, numbers: &mut Vec<u16>);

    /// The same in the order of `numbers`; returns whether these are the numbers of all legal moves.
    fn expand_in_order(&mut self, numbers: &[u16]) -> bool;

    /// Evaluators for `count` other threads, which value what [`hand_over`](Self::hand_over) gives them.
    fn evaluators(&mut self, count: usize) -> Vec<Box<dyn Evaluator + 'g>>;

    /// Gives the present position to evaluator number `nth`, which must not be at work.
    fn hand_over(&mut self, nth: usize);

    /// The bounds stored for the present position or one symmetric to it.
    fn recall(&self) -> Option<PerSide<Bounds>>;

    /// Intersects the bounds stored for the position that these nodes lead to from the root with `bounds`, and returns what comes of it.
    fn store(&mut self, nodes: &[NodeId], bounds: PerSide<Bounds>) -> PerSide<Bounds>;

    /// Discards all stored bounds.
    fn forget(&mut self);

    /// Keeps only these blocks of nodes and renumbers them in this order. The first is the root.
    fn keep(&mut self, blocks: &[(NodeId, usize)]);

    /// Makes the position after the root's legal move number `nth` the root.
    fn advance(&mut self, nth: usize);

    /// Memory held, in bytes.
    fn bytes(&self) -> u64;
}

/// [`Simulator`] of a game.
pub struct GameSimulator<'g, G: Hints> {
    game: GameRef<'g, G>,
    root: G::State,
    present: G::State,
    /// The moves that lead to the nodes, numbered as in the driver's tree.
    moves: Arena<G::Move>,
    /// Bounds of positions up to symmetry: several paths may lead to one.
    bounds: StateMap<G::State, PerSide<Bounds>>,
    list: Vec<G::Move>,
    order: Vec<(u16, G::Move)>,
    /// The positions of the evaluators on other threads.
    handed: Vec<Arc<Mutex<G::State>>>,
}

/// [`Evaluator`] of positions that a simulator hands over. Both use the lock in turns, so the lock is never contended.
struct GameEvaluator<'g, G: Hints> {
    game: GameRef<'g, G>,
    present: Arc<Mutex<G::State>>,
    list: Vec<G::Move>,
}

fn lock<S>(state: &Mutex<S>) -> MutexGuard<'_, S> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Hints + Send + Sync> Evaluator for GameEvaluator<'_, G> {
    fn evaluate(&self, player: Player) -> Option<f64> {
        self.game.evaluate(&lock(&self.present), player)
    }

    fn playouts(
        &mut self,
        count: u32,
        cut: Option<u32>,
        rng: &mut Rng,
        sink: &mut dyn FnMut(Option<Outcome>),
    ) {
        random_games(&*self.game, &mut lock(&self.present), (count, cut), rng, &mut self.list, sink);
    }
}

impl<'g, G: Progressive + Hints> GameSimulator<'g, G> {
    /// A tree of the root alone, where the game is not over.
    pub fn new(game: impl Into<GameRef<'g, G>>, root: G::State) -> Self {
        let game = game.into();
        let heap = game.heap_bytes();
        let mut simulator = GameSimulator {
            game,
            present: root.clone(),
            root,
            moves: Arena::new(),
            bounds: StateMap::new(heap),
            list: Vec::new(),
            order: Vec::new(),
            handed: Vec::new(),
        };
        simulator.plant();
        simulator
    }

    /// Makes a tree of the root alone. No move leads to the root; its entry is never read.
    fn plant(&mut self) {
        self.list.clear();
        self.game.moves(&self.root, &mut self.list);
        if let Some(&any) = self.list.first() {
            self.moves.open_block(1);
            self.moves.push(any);
        }
    }

    fn canonical(&self, mut state: G::State) -> G::State {
        self.game.canonicalize(&mut state);
        state
    }
}

/// `count` random games, the last of them with the state itself, each cut short after `cut` plies.
fn random_games<G: Hints>(
    game: &G,
    state: &mut G::State,
    (count, cut): (u32, Option<u32>),
    rng: &mut Rng,
    list: &mut Vec<G::Move>,
    sink: &mut dyn FnMut(Option<Outcome>),
) {
    for _ in 1..count {
        sink(random_game(game, &mut state.clone(), cut, rng, list));
    }
    sink(random_game(game, state, cut, rng, list));
}

/// A random game, `None` if it was cut short.
fn random_game<G: Hints>(
    game: &G,
    state: &mut G::State,
    cut: Option<u32>,
    rng: &mut Rng,
    list: &mut Vec<G::Move>,
) -> Option<Outcome> {
    let Some(plies) = cut else { return Some(playout(game, state, rng, list)) };
    for _ in 0..plies {
        let outcome = game.outcome(state);
        if outcome.is_some() {
            return outcome;
        }
        match game.random_move(state, rng, list) {
            Some(mv) => game.play(state, mv),
            None => return Some(game.stuck(state)),
        }
    }
    result(game, state, list)
}

impl<G: Progressive + Hints + Send + Sync> Evaluator for GameSimulator<'_, G> {
    fn evaluate(&self, player: Player) -> Option<f64> {
        self.game.evaluate(&self.present, player)
    }

    fn playouts(
        &mut self,
        count: u32,
        cut: Option<u32>,
        rng: &mut Rng,
        sink: &mut dyn FnMut(Option<Outcome>),
    ) {
        random_games(&*self.game, &mut self.present, (count, cut), rng, &mut self.list, sink);
    }
}

impl<'g, G: Progressive + Hints + Send + Sync> Simulator<'g> for GameSimulator<'g, G> {
    fn players(&self) -> usize {
        self.game.players()
    }

    fn payoffs(&self) -> Vec<i16> {
        self.game.payoffs()
    }

    fn start(&mut self) {
        self.present.clone_from(&self.root);
    }

    fn follow(&mut self, nodes: &[NodeId]) {
        for &node in nodes {
            self.game.play(&mut self.present, self.moves[node]);
        }
    }

    fn turn(&self) -> Player {
        self.game.turn(&self.present)
    }

    fn outcome(&mut self) -> Option<Outcome> {
        result(&*self.game, &self.present, &mut self.list)
    }

    fn count_moves(&mut self) -> usize {
        self.game.count_moves(&self.present, &mut self.list)
    }

    fn expand(&mut self, rng: &mut Rng, numbers: &mut Vec<u16>) {
        self.list.clear();
        self.game.moves(&self.present, &mut self.list);
        self.order.clear();
        self.order.extend((0..).zip(self.list.iter().copied()));
        for nth in (1..self.order.len()).rev() {
            self.order.swap(nth, rng.below(nth + 1));
        }
        self.moves.open_block(self.order.len());
        numbers.clear();
        for &(number, mv) in &self.order {
            self.moves.push(mv);
            numbers.push(number);
        }
    }

    fn expand_in_order(&mut self, numbers: &[u16]) -> bool {
        self.list.clear();
        self.game.moves(&self.present, &mut self.list);
        let mut seen = vec![false; self.list.len()];
        let fresh = |&number: &u16| {
            seen.get_mut(usize::from(number)).is_some_and(|seen| !std::mem::replace(seen, true))
        };
        if numbers.len() != self.list.len() || !numbers.iter().all(fresh) {
            return false;
        }
        self.moves.open_block(numbers.len());
        for &number in numbers {
            self.moves.push(self.list[usize::from(number)]);
        }
        true
    }

    fn evaluators(&mut self, count: usize) -> Vec<Box<dyn Evaluator + 'g>> {
        self.handed = (0..count).map(|_| Arc::new(Mutex::new(self.root.clone()))).collect();
        let evaluator = |present: &Arc<Mutex<G::State>>| GameEvaluator {
            game: self.game.clone(),
            present: Arc::clone(present),
            list: Vec::new(),
        };
        self.handed.iter().map(|present| Box::new(evaluator(present)) as Box<dyn Evaluator + 'g>).collect()
    }

    fn hand_over(&mut self, nth: usize) {
        lock(&self.handed[nth]).clone_from(&self.present);
    }

    fn recall(&self) -> Option<PerSide<Bounds>> {
        if self.bounds.is_empty() {
            return None;
        }
        let form = self.canonical(self.present.clone());
        self.bounds.get(self.game.key(&form), &form).copied()
    }

    fn store(&mut self, nodes: &[NodeId], bounds: PerSide<Bounds>) -> PerSide<Bounds> {
        let mut state = self.root.clone();
        for &node in nodes {
            self.game.play(&mut state, self.moves[node]);
        }
        let state = self.canonical(state);
        let unknown = [Bounds { lo: i16::MIN, hi: i16::MAX }; Player::MAX];
        let stored = self.bounds.get_or_insert(self.game.key(&state), state, unknown);
        for (stored, bounds) in stored.iter_mut().zip(bounds) {
            *stored = Bounds { lo: stored.lo.max(bounds.lo), hi: stored.hi.min(bounds.hi) };
        }
        *stored
    }

    fn forget(&mut self) {
        self.bounds = StateMap::new(self.game.heap_bytes());
    }

    fn keep(&mut self, blocks: &[(NodeId, usize)]) {
        let mut kept = Arena::new();
        for &(first, width) in blocks {
            kept.open_block(width);
            self.moves.block(first, width).iter().for_each(|&mv| kept.push(mv));
        }
        self.moves = kept;
    }

    fn advance(&mut self, nth: usize) {
        self.list.clear();
        self.game.moves(&self.root, &mut self.list);
        self.game.play(&mut self.root, self.list[nth]);
        if self.moves.len() == 0 {
            self.plant();
        }
    }

    fn bytes(&self) -> u64 {
        self.moves.bytes() + self.bounds.bytes()
    }
}
