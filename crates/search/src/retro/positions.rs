//! Every position that can be reached, once up to symmetry, and the moves between them.
//!
//! Positions are spread over shards by their keys. A batch of positions is expanded on all threads, which sort the children by shard;
//! then every shard is entered by one thread, so that no thread waits for another. What is known of the moves is the list of the
//! children's numbers, in the order of the parents.

use super::links::{Id, Links, Node, Part};
use super::threads::{map_on_threads, on_threads};
use crate::Symmetry;
use crate::arena::{Arena, ROOT};
use crate::index::Index;
use delphic_game::erased::ErasedState;
use delphic_game::{Game, Player};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Positions that one thread expands at a time.
const PART: usize = 1 << 10;
/// Parts of a batch, per thread. Limits are looked at between batches.
const PARTS: usize = 8;
/// Shards with more than one thread, as a power of two: enough of them for all threads to be busy.
const SHARD_BITS: u32 = 5;

struct Shard<S> {
    states: Arena<S>,
    index: Index,
    /// How many of its positions have been expanded, or are being so.
    expanded: usize,
}

impl<S: Eq> Shard<S> {
    fn enter(&mut self, key: u64, state: S) -> usize {
        let Shard { states, index, .. } = self;
        let known = index.find(key, |id| states[id] == state);
        let id = known.unwrap_or_else(|| {
            let id = states.open_block(1);
            states.push(state);
            index.insert(key, id);
            id
        });
        id.index()
    }
}

/// A child on its way to its shard.
struct Child<S> {
    key: u64,
    state: S,
    /// Its place among the children of its part.
    slot: u32,
}

/// The children of a part on their way, by shard.
type Found<S> = Vec<Mutex<Vec<Child<S>>>>;

/// A part that was expanded.
struct Expanded {
    part: Part,
    nodes: Vec<Node>,
    ends: Vec<(Id, i16)>,
    /// The numbers of the children, by slot.
    children: Vec<AtomicU32>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Positions that are found batch by batch and have numbers: all that enumeration and analysis know of a game, so that they are compiled
/// once for all games.
pub(super) trait Space {
    /// Expands some positions that have not been, and adds them to the links. Returns whether there were any.
    fn expand(&mut self, threads: usize, links: &mut Links) -> bool;

    /// How many positions there are, and how many of them have been expanded.
    fn len(&self) -> (u64, u64);

    /// No position has this number or a higher one.
    fn numbers(&self) -> u64;

    /// Memory held, in bytes.
    fn bytes(&self) -> u64;

    /// The number of a position, if it can be reached.
    fn find(&self, state: &ErasedState) -> Option<Id>;

    /// The canonical form of a position.
    fn state(&self, id: Id) -> ErasedState;

    /// The numbers of a position's children, in the order of its canonical form's moves.
    fn children(&self, id: Id, children: &mut Vec<Id>);

    /// The numbers of moves from `state` on: at every position the first whose child `accept` takes, until it takes none.
    fn follow(&self, state: &ErasedState, accept: &mut dyn FnMut(Id) -> bool) -> Vec<u16>;
}

/// Every position that can be reached from a root.
pub(super) struct Positions<'g, G: Game> {
    game: &'g G,
    player: Player,
    symmetry: Symmetry,
    /// Bits of a number that tell the shard.
    pub(super) bits: u32,
    shards: Vec<Shard<G::State>>,
}

impl<'g, G: Game + Sync> Positions<'g, G> {
    /// A table of the root alone, for questions about `player`.
    pub(super) fn new(
        game: &'g G,
        root: &G::State,
        player: Player,
        symmetry: Symmetry,
        threads: usize,
    ) -> Self {
        let bits = if threads > 1 { SHARD_BITS } else { 0 };
        let shard = || Shard { states: Arena::new(), index: Index::default(), expanded: 0 };
        let shards = (0..1 << bits).map(|_| shard()).collect();
        let mut positions = Positions { game, player, symmetry, bits, shards };
        let root = symmetry.canonical(game, root.clone());
        let key = game.key(&root);
        let shard = positions.shard_of(key);
        positions.shards[shard].enter(key, root);
        positions
    }

    #[inline]
    fn shard_of(&self, key: u64) -> usize {
        key as usize & (self.shards.len() - 1)
    }

    #[inline]
    fn id(&self, shard: usize, place: usize) -> Id {
        (place << self.bits | shard) as Id
    }

    fn next_batch(&mut self, parts: usize) -> Vec<Part> {
        let mut batch = Vec::new();
        for (number, shard) in self.shards.iter_mut().enumerate() {
            while batch.len() < parts && shard.expanded < shard.states.len() {
                let from = shard.expanded;
                shard.expanded = shard.states.len().min(from + PART);
                batch.push(Part { shard: number, from, to: shard.expanded });
            }
        }
        batch
    }

    /// Expands the positions of a part.
    fn look_at(&self, part: Part, found: &Found<G::State>) -> Expanded {
        let mut found: Vec<_> = found.iter().map(lock).collect();
        let (mut nodes, mut ends, mut count) = (Vec::new(), Vec::new(), 0);
        let (game, mut moves) = (self.game, Vec::new());
        for place in part.from..part.to {
            let state = &self.shards[part.shard].states[ROOT.sibling(place)];
            moves.clear();
            let over = game.outcome(state);
            if over.is_none() {
                game.moves(state, &mut moves);
            }
            if moves.is_empty() {
                let outcome = over.unwrap_or_else(|| game.stuck(state));
                ends.push((self.id(part.shard, place), outcome.payoff(self.player)));
            }
            nodes.push(Node::new(game.turn(state) == self.player, moves.len()));
            for &mv in &moves {
                let (key, state) = self.child(state, mv);
                found[self.shard_of(key)].push(Child { key, state, slot: count });
                count += 1;
            }
        }
        Expanded { part, nodes, ends, children: (0..count).map(|_| AtomicU32::new(0)).collect() }
    }

    /// The canonical form of the position after a move, and its key.
    #[inline]
    fn child(&self, state: &G::State, mv: G::Move) -> (u64, G::State) {
        let mut child = state.clone();
        self.game.play(&mut child, mv);
        let child = self.symmetry.canonical(self.game, child);
        (self.game.key(&child), child)
    }

    /// The number of a position in canonical form, if it can be reached.
    fn find_form(&self, key: u64, form: &G::State) -> Option<Id> {
        let shard = &self.shards[self.shard_of(key)];
        let place = shard.index.find(key, |id| shard.states[id] == *form)?;
        Some(self.id(self.shard_of(key), place.index()))
    }

    /// Calls `sink` with the numbers of the positions after the moves from `state`, until it returns true, and returns that move.
    fn find_child(
        &self,
        state: &G::State,
        sink: &mut dyn FnMut(Option<Id>) -> bool,
    ) -> Option<(usize, G::Move)> {
        let mut moves = Vec::new();
        if self.game.outcome(state).is_none() {
            self.game.moves(state, &mut moves);
        }
        moves.into_iter().enumerate().find(|&(_, mv)| {
            let (key, form) = self.child(state, mv);
            sink(self.find_form(key, &form))
        })
    }

    fn at(&self, id: Id) -> &G::State {
        let (shard, place) = (id as usize & ((1 << self.bits) - 1), id as usize >> self.bits);
        &self.shards[shard].states[ROOT.sibling(place)]
    }
}

impl<G: Game + Sync> Space for Positions<'_, G> {
    fn expand(&mut self, threads: usize, links: &mut Links) -> bool {
        let batch = self.next_batch(threads.max(1) * PARTS);
        if batch.is_empty() {
            return false;
        }
        let by_shard =
            |_: &Part| -> Found<G::State> { self.shards.iter().map(|_| Mutex::default()).collect() };
        let found: Vec<Found<G::State>> = batch.iter().map(by_shard).collect();
        let expanded = map_on_threads(threads, batch.len(), &|part| self.look_at(batch[part], &found[part]));
        // Every shard is entered by one thread, with the children of all parts in their order.
        let bits = self.bits;
        let shards: Vec<Mutex<&mut Shard<G::State>>> = self.shards.iter_mut().map(Mutex::new).collect();
        on_threads(threads, shards.len(), &|number| {
            let mut shard = lock(&shards[number]);
            for (part, found) in expanded.iter().zip(&found) {
                for Child { key, state, slot } in lock(&found[number]).drain(..) {
                    let id = (shard.enter(key, state) << bits | number) as Id;
                    part.children[slot as usize].store(id, Relaxed);
                }
            }
        });
        for Expanded { part, nodes, ends, children } in expanded {
            links.add(part, nodes, ends, children.into_iter().map(AtomicU32::into_inner).collect());
        }
        true
    }

    fn len(&self) -> (u64, u64) {
        let sizes = self.shards.iter().map(|shard| (shard.states.len() as u64, shard.expanded as u64));
        sizes.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1))
    }

    fn numbers(&self) -> u64 {
        let longest = self.shards.iter().map(|shard| shard.states.len()).max().unwrap_or(0);
        (longest as u64) << self.bits
    }

    fn bytes(&self) -> u64 {
        let stored: u64 = self.shards.iter().map(|shard| shard.states.bytes() + shard.index.bytes()).sum();
        stored + self.len().0 * self.game.heap_bytes() as u64
    }

    fn find(&self, state: &ErasedState) -> Option<Id> {
        let form = self.symmetry.canonical(self.game, state.get::<G::State>().clone());
        self.find_form(self.game.key(&form), &form)
    }

    fn state(&self, id: Id) -> ErasedState {
        ErasedState::new(self.at(id).clone())
    }

    fn children(&self, id: Id, children: &mut Vec<Id>) {
        children.clear();
        self.find_child(self.at(id), &mut |child| {
            children.extend(child);
            false
        });
    }

    fn follow(&self, state: &ErasedState, accept: &mut dyn FnMut(Id) -> bool) -> Vec<u16> {
        let (mut state, mut line) = (state.get::<G::State>().clone(), Vec::new());
        while let Some((nth, mv)) = self.find_child(&state, &mut |child| child.is_some_and(&mut *accept)) {
            self.game.play(&mut state, mv);
            line.push(nth as u16);
        }
        line
    }
}
