//! Disjunctive sums: positions that consist of independent parts, under normal play (the last player to move wins).
//!
//! A sum is decided by the combinatorial values of its parts ([`value`]). A game implements the decomposition of its positions ([`Parts`]); a
//! [`PartTable`] computes the values of small parts, each once, and from them the winner of a sum.

pub mod value;

use crate::{Game, Player};
use rustc_hash::FxHashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use value::{Value, Values};

/// A game of normal play whose positions decompose into parts: every move is made in one part and changes no other.
///
/// ```
/// use delphic_game::sums::{PartTable, Parts};
/// use delphic_game::{Game, Outcome, Player};
///
/// /// Heaps of matches; a move takes one or two from one heap.
/// struct Heaps(Vec<u32>);
///
/// impl Game for Heaps {
///     type State = (Vec<u32>, Player);
///     type Move = (usize, u32);
///     fn start(&self) -> Self::State { (self.0.clone(), Player::FIRST) }
///     fn turn(&self, s: &Self::State) -> Player { s.1 }
///     fn moves(&self, s: &Self::State, list: &mut Vec<(usize, u32)>) {
///         for (i, &heap) in s.0.iter().enumerate() { list.extend((1..=heap.min(2)).map(|taken| (i, taken))) }
///     }
///     fn play(&self, s: &mut Self::State, (i, taken): (usize, u32)) { s.0[i] -= taken; s.1 = s.1.other() }
/// }
///
/// impl Parts for Heaps {
///     type Part = u32;
///     fn parts(&self, state: &Self::State, list: &mut Vec<u32>) -> bool {
///         list.extend(&state.0);
///         true
///     }
///     fn options(&self, heap: &u32, _: Player, sink: &mut dyn FnMut(&[u32])) {
///         (1..=2.min(*heap)).for_each(|taken| sink(&[heap - taken]));
///     }
/// }
///
/// let game = Heaps(vec![1000, 700, 3, 2]);
/// let table = PartTable::default();
/// assert_eq!(table.winner(&game, &game.start()), Some(Player::FIRST));
/// ```
pub trait Parts: Game {
    /// A part; preferably equal for equal parts at different places.
    type Part: Clone + Eq + Hash;

    /// Appends the parts of a position, which do not depend on the player to move, and returns true; or returns false if a part is too large:
    /// time and memory for its value grow exponentially. Parts without moves may be left out.
    fn parts(&self, state: &Self::State, list: &mut Vec<Self::Part>) -> bool;

    /// Calls `sink` with the parts that are left after every move of `player` in a part. Duplicates may be left out.
    fn options(&self, part: &Self::Part, player: Player, sink: &mut dyn FnMut(&[Self::Part]));

    /// The canonical form of a part under symmetry.
    fn representative(&self, part: &Self::Part) -> Self::Part {
        part.clone()
    }
}

/// The values of the parts computed so far. Clones share one table.
///
/// Threads share it too, but up to [`LANES`] of them compute values of their own: one table under one lock let two threads on clobber:4x6 wait
/// for each other 100,000 times in four seconds.
pub struct PartTable<P>(Arc<Lanes<P>>);

struct Lanes<P> {
    lanes: [Lane<P>; LANES],
    /// The parts stored in all of them.
    stored: AtomicUsize,
}

/// What one thread has computed, on cache lines of its own.
#[repr(align(128))]
struct Lane<P>(Mutex<Known<P>>);

const LANES: usize = 16;

thread_local! {
    /// The number of the thread's lane.
    static LANE: usize = {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        THREADS.fetch_add(1, Relaxed) % LANES
    };
}

struct Known<P> {
    values: Values,
    /// `None` for parts whose values, or intermediate values, are too large.
    parts: FxHashMap<P, Option<Value>>,
}

/// The maximum number of parts stored. With the values, sums and comparisons this bounds a table to about 80 MB, and 20 MB more for every
/// further thread.
const MOST_PARTS: usize = 1 << 19;
/// Bytes for each of them, about.
const EACH: u64 = 160;

/// The current limit on the number of parts stored.
static MOST: AtomicUsize = AtomicUsize::new(MOST_PARTS);

/// Bounds the parts in every table of this process to about this many bytes, and never to more than some 80 MB. Tables belong to games and outlive searches,
/// so the limit on the memory of a search cannot count them.
pub fn limit_memory(bytes: u64) {
    MOST.store((bytes / EACH).clamp(1 << 10, MOST_PARTS as u64) as usize, Relaxed);
}

impl<P> Default for PartTable<P> {
    fn default() -> Self {
        let known = || Known { values: Values::default(), parts: FxHashMap::default() };
        let lanes = std::array::from_fn(|_| Lane(Mutex::new(known())));
        PartTable(Arc::new(Lanes { lanes, stored: AtomicUsize::new(0) }))
    }
}

impl<P> Clone for PartTable<P> {
    fn clone(&self) -> Self {
        PartTable(Arc::clone(&self.0))
    }
}

impl<P> fmt::Debug for PartTable<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PartTable")
    }
}

impl<P: Clone + Eq + Hash> PartTable<P> {
    /// The winner of a position under best play, if all of its parts are small and their sum is not too complicated.
    pub fn winner<G: Parts<Part = P>>(&self, game: &G, state: &G::State) -> Option<Player> {
        let mut parts = Vec::new();
        if !game.parts(state, &mut parts) {
            return None;
        }
        self.winner_of(game, game.turn(state), &parts)
    }

    /// The same of a position that has these parts.
    pub fn winner_of<G: Parts<Part = P>>(&self, game: &G, mover: Player, parts: &[P]) -> Option<Player> {
        let Lanes { lanes, stored } = &*self.0;
        // The lock is poisoned if a thread panicked in the rules of a game; the finished entries are still valid.
        let mut known = lanes[LANE.with(|lane| *lane)].0.lock().unwrap_or_else(PoisonError::into_inner);
        let sum = known.sum(&Source { game, stored }, parts)?;
        Some(if known.values.wins_first(sum, mover.index()) { mover } else { mover.other() })
    }
}

/// Where values come from that are not known yet.
struct Source<'a, G> {
    game: &'a G,
    stored: &'a AtomicUsize,
}

impl<P: Clone + Eq + Hash> Known<P> {
    fn sum<G: Parts<Part = P>>(&mut self, source: &Source<'_, G>, parts: &[P]) -> Option<Value> {
        let mut sum = Value::ZERO;
        for part in parts {
            let value = self.value(source, part)?;
            sum = self.values.sum(sum, value)?;
        }
        Some(sum)
    }

    fn value<G: Parts<Part = P>>(&mut self, source: &Source<'_, G>, part: &P) -> Option<Value> {
        if let Some(&known) = self.parts.get(part) {
            return known;
        }
        // If the table is full, the same value would be computed again and again.
        if source.stored.load(Relaxed) >= MOST.load(Relaxed) {
            return None;
        }
        let alike = source.game.representative(part);
        let value = if alike == *part { self.found_value(source, part) } else { self.value(source, &alike) };
        self.parts.insert(part.clone(), value);
        source.stored.fetch_add(1, Relaxed);
        value
    }

    fn found_value<G: Parts<Part = P>>(&mut self, source: &Source<'_, G>, part: &P) -> Option<Value> {
        let mut options = [Vec::new(), Vec::new()];
        for (side, player) in [Player::FIRST, Player::SECOND].into_iter().enumerate() {
            let mut sums: Vec<Vec<P>> = Vec::new();
            source.game.options(part, player, &mut |left| sums.push(left.to_vec()));
            for left in sums {
                options[side].push(self.sum(source, &left)?);
            }
        }
        self.values.game(options)
    }
}
