//! Every position that can be reached, once up to symmetry, and the moves between them.
//!
//! Positions are spread over shards by their keys. A batch of positions is expanded on all threads, which sort the children by shard;
//! then every shard is entered by one thread, so that nothing is locked. What is known of the moves is the list of the
//! children's numbers, in the order of the parents.

use super::links::{Id, Links, Node, Part};
use super::threads::on_threads;
use crate::arena::{Arena, ROOT};
use crate::index::Index;
use crate::{Event, LimitGuard, Observer, Progress, RootValue, Stats, StopReason, Symmetry};
use delphic_game::{Game, Player};

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
struct Found<S> {
    key: u64,
    state: S,
    /// Its place among the children of its part.
    slot: u32,
}

/// What one thread found.
struct Expanded<S> {
    part: Part,
    nodes: Vec<Node>,
    ends: Vec<(Id, i16)>,
    /// The children by shard, and their number.
    found: Vec<Vec<Found<S>>>,
    count: u32,
}

/// Every position that can be reached from a root.
pub(super) struct Positions<'g, G: Game> {
    pub(super) game: &'g G,
    player: Player,
    symmetry: Symmetry,
    shards: Vec<Shard<G::State>>,
    pub(super) links: Links,
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
        let mut positions = Positions { game, player, symmetry, shards, links: Links::new(bits) };
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

    /// Finds all positions. The counters show how far it came if a limit stops it.
    pub(super) fn enumerate(
        &mut self,
        threads: usize,
        stats: &mut Stats,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), StopReason> {
        loop {
            let batch = self.next_batch(threads.max(1) * PARTS);
            if batch.is_empty() {
                return Ok(());
            }
            self.expand(batch, threads);
            stats.created = self.len() - 1;
            stats.expanded = self.shards.iter().map(|shard| shard.expanded as u64).sum();
            (stats.visited, stats.iterations) = (self.links.edges(), stats.expanded);
            stats.peak_bytes = self.bytes();
            if let Some(reason) = guard.stop(stats.created, stats.peak_bytes) {
                return Err(reason);
            }
            // Numbers of positions and of moves have 32 bits.
            if self.numbers() >= u64::from(u32::MAX) || self.links.edges() >= u64::from(u32::MAX) {
                return Err(StopReason::Memory);
            }
            if guard.report_due() {
                stats.time = guard.elapsed();
                let (solver, root, decided) = ("", RootValue::None, (0, 0));
                observer.event(Event::Progress(Progress { solver, stats: *stats, root, decided }));
            }
        }
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

    fn expand(&mut self, batch: Vec<Part>, threads: usize) {
        let shared = &*self;
        let mut expanded = on_threads(threads, batch, |part| shared.look_at(part));
        // Every shard is entered by one thread, with the children of all parts in their order.
        let incoming: Vec<Vec<Vec<Found<G::State>>>> = (0..self.shards.len())
            .map(|shard| expanded.iter_mut().map(|part| std::mem::take(&mut part.found[shard])).collect())
            .collect();
        let bits = self.links.bits;
        let work = self.shards.iter_mut().zip(incoming).enumerate().collect();
        let entered: Vec<Vec<Vec<(u32, Id)>>> = on_threads(threads, work, |(number, (shard, incoming))| {
            let mut enter = |found: Found<G::State>| {
                let place = shard.enter(found.key, found.state);
                (found.slot, (place << bits | number) as Id)
            };
            incoming.into_iter().map(|part| part.into_iter().map(&mut enter).collect()).collect()
        });
        for (number, Expanded { part, nodes, ends, count, .. }) in expanded.into_iter().enumerate() {
            let mut children = vec![0; count as usize];
            for (slot, id) in entered.iter().flat_map(|shard| &shard[number]) {
                children[*slot as usize] = *id;
            }
            self.links.add(part, nodes, ends, children);
        }
    }

    /// Expands the positions of a part.
    fn look_at(&self, part: Part) -> Expanded<G::State> {
        let found = (0..self.shards.len()).map(|_| Vec::new()).collect();
        let mut expanded = Expanded { part, nodes: Vec::new(), ends: Vec::new(), found, count: 0 };
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
                expanded.ends.push((self.links.id(part.shard, place), outcome.payoff(self.player)));
            }
            expanded.nodes.push(Node::new(game.turn(state) == self.player, moves.len()));
            for &mv in &moves {
                let mut child = state.clone();
                game.play(&mut child, mv);
                let state = self.symmetry.canonical(game, child);
                let key = game.key(&state);
                expanded.found[self.shard_of(key)].push(Found { key, state, slot: expanded.count });
                expanded.count += 1;
            }
        }
        expanded
    }

    /// The number of a position, if it can be reached.
    pub(super) fn find(&self, state: &G::State) -> Option<Id> {
        let form = self.symmetry.canonical(self.game, state.clone());
        let key = self.game.key(&form);
        let shard = &self.shards[self.shard_of(key)];
        let place = shard.index.find(key, |id| shard.states[id] == form)?;
        Some(self.links.id(self.shard_of(key), place.index()))
    }

    /// The canonical form of a position.
    pub(super) fn state(&self, id: Id) -> &G::State {
        let (shard, place) = self.links.place(id);
        &self.shards[shard].states[ROOT.sibling(place)]
    }

    /// How many positions there are.
    pub(super) fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.states.len() as u64).sum()
    }

    /// No position has this number or a higher one.
    fn numbers(&self) -> u64 {
        let longest = self.shards.iter().map(|shard| shard.states.len()).max().unwrap_or(0);
        (longest as u64) << self.links.bits
    }

    /// Memory held, with what the analysis will need besides: the reversed moves, and for every position where they begin, the count of its
    /// moves that are left, and two ranks.
    pub(super) fn bytes(&self) -> u64 {
        let each = size_of::<Node>() + self.game.heap_bytes() + 4 + 2 + 2 * 4;
        let stored: u64 = self.shards.iter().map(|shard| shard.states.bytes() + shard.index.bytes()).sum();
        stored + self.len() * each as u64 + self.links.edges() * 2 * size_of::<Id>() as u64
    }

    /// The same once the moves have been reversed.
    pub(super) fn bytes_reversed(&self) -> u64 {
        self.bytes() - self.links.edges() * size_of::<Id>() as u64
    }
}
