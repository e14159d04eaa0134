//! The positions visited by a walk through a game.

use super::ErasedState;
use crate::{Game, GameRef, Outcome, Player};
use delphic_base::Chunks;
use hashbrown::HashTable;

/// The positions visited by walks from a root, numbered in the order of their first visit, and the path from the root to the current
/// position. Positions are compared in full.
pub trait Trail: Send + Sync {
    /// Visits the root. The path is empty until it is entered.
    fn start(&mut self, root: &ErasedState) -> Place;

    /// Visits the position after legal move number `nth` of the last position on the path.
    fn look(&mut self, nth: usize) -> Place;

    /// Enters the new position visited last: gives it a number and appends it to the path.
    fn enter(&mut self) -> usize;

    /// Removes the last position from the path.
    fn leave(&mut self);

    /// The position visited last, if it is new and has not been entered.
    fn present(&self) -> Option<ErasedState>;

    /// Whether legal move number `nth` of the present position leads to a position that was entered.
    fn leads_back(&self, nth: usize) -> bool;

    /// The number of a position, if it was entered.
    fn find(&self, state: &ErasedState) -> Option<usize>;

    /// A position by its number.
    fn state(&self, number: usize) -> ErasedState;

    /// How many positions have been entered.
    fn len(&self) -> usize;

    /// Whether none has been.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory needed to enter one more position.
    fn bytes_needed(&self) -> u64;
}

/// The kind of position that a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A terminal position.
    End(Outcome),
    /// A position that was visited before, by its number.
    Known(usize),
    /// A new position.
    New {
        /// The player to move.
        turn: Player,
        /// The number of legal moves, at least one.
        moves: usize,
    },
}

/// [`Trail`] of a game of known type.
pub(super) struct TypedTrail<'g, G: Game> {
    game: GameRef<'g, G>,
    states: Chunks<G::State>,
    index: HashTable<u32>,
    /// The numbers of the positions on the path, and where their moves begin in the list.
    path: Vec<(u32, usize)>,
    moves: Vec<G::Move>,
    /// The new position visited last, its key, and where its moves begin.
    present: Option<(G::State, u64, usize)>,
}

impl<'g, G: Game> TypedTrail<'g, G> {
    pub(super) fn new(game: GameRef<'g, G>) -> Self {
        let (states, index, path, moves) = (Chunks::new(), HashTable::new(), Vec::new(), Vec::new());
        TypedTrail { game, states, index, path, moves, present: None }
    }

    /// The number of a position with this key, if it was entered.
    fn number(&self, state: &G::State, key: u64) -> Option<usize> {
        self.index.find(key, |&number| self.states[number as usize] == *state).map(|&number| number as usize)
    }

    fn arrive(&mut self, state: G::State) -> Place {
        // A position that was visited but not entered has left its moves in the list.
        if let Some((.., base)) = self.present.take() {
            self.moves.truncate(base);
        }
        if let Some(outcome) = self.game.outcome(&state) {
            return Place::End(outcome);
        }
        let key = self.game.key(&state);
        if let Some(number) = self.number(&state, key) {
            return Place::Known(number);
        }
        let base = self.moves.len();
        self.game.moves(&state, &mut self.moves);
        if self.moves.len() == base {
            return Place::End(self.game.stuck(&state));
        }
        let turn = self.game.turn(&state);
        self.present = Some((state, key, base));
        Place::New { turn, moves: self.moves.len() - base }
    }
}

impl<G: Game + Send + Sync> Trail for TypedTrail<'_, G> {
    fn start(&mut self, root: &ErasedState) -> Place {
        self.arrive(root.get::<G::State>().clone())
    }

    fn look(&mut self, nth: usize) -> Place {
        let (number, base) = self.path[self.path.len() - 1];
        let mut child = self.states[number as usize].clone();
        self.game.play(&mut child, self.moves[base + nth]);
        self.arrive(child)
    }

    fn enter(&mut self) -> usize {
        let Some((state, key, base)) = self.present.take() else {
            unreachable!("a new position was looked at")
        };
        let number = self.states.len() as u32;
        self.states.push(state);
        let (game, states) = (&self.game, &self.states);
        self.index.insert_unique(key, number, |&other| game.key(&states[other as usize]));
        self.path.push((number, base));
        number as usize
    }

    fn leave(&mut self) {
        if let Some((_, base)) = self.path.pop() {
            self.moves.truncate(base);
        }
    }

    fn present(&self) -> Option<ErasedState> {
        self.present.as_ref().map(|(state, ..)| ErasedState::new(state.clone()))
    }

    fn leads_back(&self, nth: usize) -> bool {
        self.present.as_ref().is_some_and(|(state, _, base)| {
            let mut child = state.clone();
            self.game.play(&mut child, self.moves[base + nth]);
            self.number(&child, self.game.key(&child)).is_some()
        })
    }

    fn find(&self, state: &ErasedState) -> Option<usize> {
        let state = state.get::<G::State>();
        self.number(state, self.game.key(state))
    }

    fn state(&self, number: usize) -> ErasedState {
        ErasedState::new(self.states[number].clone())
    }

    fn len(&self) -> usize {
        self.states.len()
    }

    fn bytes_needed(&self) -> u64 {
        let met = self.states.len();
        if met >= u32::MAX as usize {
            return u64::MAX;
        }
        // A slot of the index takes a number and a byte, and seven of eight are used. While it grows, its old and its new copy exist.
        let slots = (self.index.capacity().max(4) / 7 + 1) * 8;
        let slots = if self.index.len() == self.index.capacity() { 3 * slots } else { slots };
        // The moves of every position on the way are kept, and they may be many more than the positions.
        let line =
            self.moves.capacity() * size_of::<G::Move>() + self.path.capacity() * size_of::<(u32, usize)>();
        let heap = met * self.game.heap_bytes();
        self.states.bytes_needed() + (slots * (size_of::<u32>() + 1) + heap + line * 3 / 2) as u64
    }
}
