//! Type erasure: [`Erased`] is a [`Game`] of one type for games of any type.
//!
//! Code over [`Erased`] is compiled once for all games. The price is a heap allocation per state and an indirect call per rule, so it is for
//! work that is not a search, such as reading moves. Walks through certificates keep their positions in a [`Trail`], whose states have their
//! real type.

mod trail;

pub use trail::{Place, Trail};

use crate::picture::Picture;
use crate::{Game, GameRef, Hints, Notation, NotationError, Outcome, Player, Progressive, Restriction};
use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use trail::TypedTrail;

/// A type-erased game. Its moves are the numbers of the legal moves.
///
/// ```
/// use delphic_game::erased::Erased;
/// use delphic_game::random_tree::RandomTree;
/// use delphic_game::{Game, perft};
///
/// let tree = RandomTree::small(3);
/// let erased = Erased::new(&tree);
/// assert_eq!(perft(&erased, &erased.start(), 3), perft(&tree, &tree.start(), 3));
/// ```
#[derive(Clone)]
pub struct Erased<'g>(Arc<dyn Rules<'g> + 'g>);

impl<'g> Erased<'g> {
    /// Erases the type of a game.
    pub fn new<G: Progressive + Send + Sync + 'g>(game: impl Into<GameRef<'g, G>>) -> Erased<'g> {
        let game = game.into();
        Erased(Arc::new(Typed { game, lists: Mutex::new(Vec::new()) }))
    }
}

impl<'g> Erased<'g> {
    /// An empty trail.
    pub fn trail(&self) -> Box<dyn Trail + 'g> {
        self.0.trail()
    }
}

/// A type-erased state. Copies share it.
#[derive(Clone)]
pub struct ErasedState(Arc<dyn AnyState>);

impl ErasedState {
    /// Erases the type of a state.
    pub fn new<S: Eq + Hash + Send + Sync + 'static>(state: S) -> ErasedState {
        ErasedState(Arc::new(Plain(state)))
    }

    /// The state, which must be of this type.
    pub fn get<S: 'static>(&self) -> &S {
        let state: &dyn Any = &*self.0;
        match state.downcast_ref::<Plain<S>>() {
            Some(plain) => &plain.0,
            None => panic!("a state of another game"),
        }
    }
}

impl PartialEq for ErasedState {
    fn eq(&self, other: &ErasedState) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.equals(&*other.0)
    }
}

impl Eq for ErasedState {}

impl Hash for ErasedState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash_into(hasher);
    }
}

trait AnyState: Any + Send + Sync {
    fn equals(&self, other: &dyn AnyState) -> bool;

    fn hash_into(&self, hasher: &mut dyn Hasher);
}

struct Plain<S>(S);

impl<S: Eq + Hash + Send + Sync + 'static> AnyState for Plain<S> {
    fn equals(&self, other: &dyn AnyState) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Plain<S>>().is_some_and(|other| self.0 == other.0)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.0.hash(&mut hasher);
    }
}

/// [`Game`] and [`Notation`] without types.
trait Rules<'g>: Send + Sync {
    fn start(&self) -> ErasedState;
    fn turn(&self, state: &ErasedState) -> Player;
    fn list_moves(&self, state: &ErasedState) -> usize;
    fn play(&self, state: &ErasedState, nth: usize) -> ErasedState;
    fn outcome(&self, state: &ErasedState) -> Option<Outcome>;
    fn stuck(&self, state: &ErasedState) -> Outcome;
    fn endless(&self) -> Option<Outcome>;
    fn players(&self) -> usize;
    fn payoffs(&self) -> Vec<i16>;
    fn restriction(&self, state: &ErasedState) -> Option<Restriction>;
    fn key(&self, state: &ErasedState) -> u64;
    fn heap_bytes(&self) -> usize;
    fn canonical(&self, state: &ErasedState) -> ErasedState;
    fn write_move(&self, state: &ErasedState, nth: usize) -> String;
    fn write(&self, state: &ErasedState) -> String;
    fn read(&self, text: &str) -> Result<ErasedState, NotationError>;
    fn picture(&self, state: &ErasedState) -> Picture;
    fn trail(&self) -> Box<dyn Trail + 'g>;
}

/// The number of cached move lists, a power of two: about as many as a line of play has positions, so that a walk lists the moves of
/// each position once.
const LISTS: usize = 128;

struct Typed<'g, G: Game> {
    game: GameRef<'g, G>,
    /// None, or [`LISTS`] places.
    lists: Mutex<Vec<Option<List<G>>>>,
}

/// The legal moves of a state.
struct List<G: Game> {
    state: ErasedState,
    moves: Vec<G::Move>,
}

impl<G: Progressive> Typed<'_, G> {
    /// The number of legal moves of a state, and one of them.
    fn list(&self, state: &ErasedState, nth: usize) -> (usize, Option<G::Move>) {
        // The address identifies the state as long as the cache holds a copy of it.
        let address = Arc::as_ptr(&state.0).cast::<()>() as usize;
        let place = (address >> 4) % LISTS;
        let lists = || self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lists().get_mut(place).and_then(|list| match list {
            Some(list) if Arc::ptr_eq(&list.state.0, &state.0) => {
                Some(Ok((list.moves.len(), list.moves.get(nth).copied())))
            }
            _ => list.take().map(Err),
        });
        let mut moves = match known {
            Some(Ok(known)) => return known,
            Some(Err(old)) => old.moves,
            None => Vec::new(),
        };
        // Rules may be foreign code (Python) that waits for other threads, so they are not called under the lock.
        moves.clear();
        self.game.moves(state.get(), &mut moves);
        let found = (moves.len(), moves.get(nth).copied());
        let mut lists = lists();
        lists.resize_with(LISTS, || None);
        lists[place] = Some(List { state: state.clone(), moves });
        found
    }

    /// A legal move. Only rules that fail, as foreign code may, list fewer moves than they did before.
    fn nth(&self, state: &ErasedState, nth: usize) -> Option<G::Move> {
        self.list(state, nth).1
    }
}

impl<'g, G: Progressive + Send + Sync + 'g> Rules<'g> for Typed<'g, G> {
    fn start(&self) -> ErasedState {
        ErasedState::new(self.game.start())
    }

    fn turn(&self, state: &ErasedState) -> Player {
        self.game.turn(state.get())
    }

    fn list_moves(&self, state: &ErasedState) -> usize {
        self.list(state, 0).0
    }

    fn play(&self, state: &ErasedState, nth: usize) -> ErasedState {
        let mut next = state.get::<G::State>().clone();
        if let Some(mv) = self.nth(state, nth) {
            self.game.play(&mut next, mv);
        }
        ErasedState::new(next)
    }

    fn outcome(&self, state: &ErasedState) -> Option<Outcome> {
        self.game.outcome(state.get())
    }

    fn stuck(&self, state: &ErasedState) -> Outcome {
        self.game.stuck(state.get())
    }

    fn endless(&self) -> Option<Outcome> {
        self.game.endless()
    }

    fn players(&self) -> usize {
        self.game.players()
    }

    fn payoffs(&self) -> Vec<i16> {
        self.game.payoffs()
    }

    fn restriction(&self, state: &ErasedState) -> Option<Restriction> {
        self.game.restriction(state.get())
    }

    fn key(&self, state: &ErasedState) -> u64 {
        self.game.key(state.get())
    }

    fn heap_bytes(&self) -> usize {
        // Two counters stand before the state.
        size_of::<G::State>() + 2 * size_of::<usize>() + self.game.heap_bytes()
    }

    fn canonical(&self, state: &ErasedState) -> ErasedState {
        let mut form = state.get::<G::State>().clone();
        self.game.canonicalize(&mut form);
        ErasedState::new(form)
    }

    fn write_move(&self, state: &ErasedState, nth: usize) -> String {
        self.nth(state, nth).map_or_else(|| "?".to_owned(), |mv| self.game.write_move(state.get(), mv))
    }

    fn write(&self, state: &ErasedState) -> String {
        self.game.write(state.get())
    }

    fn read(&self, text: &str) -> Result<ErasedState, NotationError> {
        self.game.read(text).map(ErasedState::new)
    }

    fn picture(&self, state: &ErasedState) -> Picture {
        self.game.picture(state.get())
    }

    fn trail(&self) -> Box<dyn Trail + 'g> {
        Box::new(TypedTrail::new(self.game.clone()))
    }
}

impl Game for Erased<'_> {
    type State = ErasedState;
    type Move = u16;

    fn start(&self) -> ErasedState {
        self.0.start()
    }

    fn turn(&self, state: &ErasedState) -> Player {
        self.0.turn(state)
    }

    fn moves(&self, state: &ErasedState, list: &mut Vec<u16>) {
        list.extend(0..self.0.list_moves(state) as u16);
    }

    fn play(&self, state: &mut ErasedState, mv: u16) {
        *state = self.0.play(state, usize::from(mv));
    }

    fn outcome(&self, state: &ErasedState) -> Option<Outcome> {
        self.0.outcome(state)
    }

    fn stuck(&self, state: &ErasedState) -> Outcome {
        self.0.stuck(state)
    }

    fn endless(&self) -> Option<Outcome> {
        self.0.endless()
    }

    fn players(&self) -> usize {
        self.0.players()
    }

    fn payoffs(&self) -> Vec<i16> {
        self.0.payoffs()
    }

    fn restriction(&self, state: &ErasedState) -> Option<Restriction> {
        self.0.restriction(state)
    }

    fn key(&self, state: &ErasedState) -> u64 {
        self.0.key(state)
    }

    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }

    fn canonicalize(&self, state: &mut ErasedState) {
        *state = self.0.canonical(state);
    }

    fn count_moves(&self, state: &ErasedState, _: &mut Vec<u16>) -> usize {
        self.0.list_moves(state)
    }
}

impl Notation for Erased<'_> {
    const HOW: &'static str = "as the game writes them";

    fn write_move(&self, state: &ErasedState, mv: u16) -> String {
        self.0.write_move(state, usize::from(mv))
    }

    fn write(&self, state: &ErasedState) -> String {
        self.0.write(state)
    }

    fn read(&self, text: &str) -> Result<ErasedState, NotationError> {
        self.0.read(text)
    }

    fn picture(&self, state: &ErasedState) -> Picture {
        self.0.picture(state)
    }
}

impl Progressive for Erased<'_> {}

impl Hints for Erased<'_> {}
