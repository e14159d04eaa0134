//! The walk that writer and checker share.
//!
//! Depth first from the claim's position. A position that is over must end as claimed. A position met before is passed by. At any other
//! the guide chooses a move if the prover is to move, and all legal moves are followed, in their order, if another player is. Where no
//! position can come again in one line of play, passing by is no circle.
//!
//! In a game with cycles ([`Game::endless`]) a line may come back to a position on its own way. If the claim allows the result of endless play,
//! the strategy may let it: the positions met are a closed set without a bad end. If it does not, a circle is a fault: then the plies that
//! the game can still last fall with every move, which is what the walk notes of a position.
//!
//! Positions are compared in full. For each the walk notes how many plies the game can still last and the move to take: the
//! strategy's, or the reply that resists longest. So the longest line comes for free.

use crate::Claim;
use delphic_game::{Game, Outcome, Progressive};
use hashbrown::HashTable;
use std::collections::HashSet;

/// Plays the strategy.
pub trait Guide<G: Game> {
    /// Why there may be no choice.
    type Error;

    /// The place in `moves`, at least two, of the move that the strategy plays.
    fn choose(&mut self, state: &G::State, moves: &[G::Move]) -> Result<usize, Self::Error>;

    /// Called for every move that is followed.
    #[inline]
    fn follow(&mut self, step: Step<'_, G>) -> Result<(), Self::Error> {
        let _ = step;
        Ok(())
    }

    /// Called when all moves of a new position have been followed.
    #[inline]
    fn leave(&mut self) {}
}

/// A move that is followed.
pub struct Step<'a, G: Game> {
    /// How many moves were made before it.
    pub ply: usize,
    /// The position it is made in.
    pub from: &'a G::State,
    /// The move.
    pub mv: G::Move,
    /// Whether the strategy chose it.
    pub chosen: bool,
    /// Where it leads.
    pub to: Arrival,
}

/// Where a move leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// To an end that is as claimed.
    End(Outcome),
    /// To a position that was met before.
    Again,
    /// To a new position.
    New,
}

/// Why a walk failed. The line of play that leads there is [`Walk::path`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault<E> {
    /// A game ends, and not as claimed.
    Ends(Outcome),
    /// The strategy's move has a place that the list of moves does not have.
    NoSuchMove {
        /// The place asked for.
        place: usize,
        /// How many moves there are.
        moves: usize,
    },
    /// The guide gave up.
    Guide(E),
    /// The strategy lets the game come back to a position, and endless play is not as claimed.
    Circle,
    /// The positions met do not fit into the memory allowed.
    Memory,
}

/// What is noted of a position.
#[derive(Clone, Copy)]
struct Note {
    /// Whether its moves are still being followed: it is on the line from the root.
    open: bool,
    /// The strategy's move, or the reply that resists longest.
    choice: u16,
    /// The most plies the game can still last.
    plies: u32,
}

/// The positions that a walk met, by number in the order of their first meeting.
pub struct Visited<G: Game> {
    states: Vec<G::State>,
    notes: Vec<Note>,
    index: HashTable<u32>,
}

impl<G: Game> Visited<G> {
    /// The number of a position, if it was met.
    pub fn number(&self, game: &G, state: &G::State) -> Option<usize> {
        let number = self.index.find(game.key(state), |&number| self.states[number as usize] == *state)?;
        Some(*number as usize)
    }

    /// How many were met.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether none was met.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// A position by its number.
    pub fn state(&self, number: usize) -> &G::State {
        &self.states[number]
    }

    /// The most plies the game can last from there.
    pub fn plies(&self, number: usize) -> u32 {
        self.notes[number].plies
    }

    /// The place among the legal moves of the one that was noted: the strategy's, or the reply that resists longest.
    pub fn choice(&self, number: usize) -> usize {
        self.notes[number].choice.into()
    }
}

/// A position whose moves are being followed.
struct Frame {
    number: u32,
    /// Its moves are the entries of the list from here on.
    base: usize,
    /// The moves still to be followed.
    next: usize,
    end: usize,
    chosen: bool,
}

/// A walk and what it has seen.
pub struct Walk<'g, G: Game> {
    game: &'g G,
    claim: Claim,
    root: G::State,
    visited: Visited<G>,
    stack: Vec<Frame>,
    moves: Vec<G::Move>,
    memory: u64,
    strategy: u64,
    followed: u64,
    /// Whether some line came back to a position on its own way.
    endless: bool,
}

impl<'g, G: Progressive> Walk<'g, G> {
    /// A walk from `root` that may use `memory` bytes for the positions it has met and the line it is on.
    pub fn new(game: &'g G, claim: Claim, root: G::State, memory: u64) -> Self {
        Walk {
            game,
            claim,
            root,
            visited: Visited { states: Vec::new(), notes: Vec::new(), index: HashTable::new() },
            stack: Vec::new(),
            moves: Vec::new(),
            memory,
            strategy: 0,
            followed: 0,
            endless: false,
        }
    }

    /// Goes all the way. `Ok` means that the guide's strategy does what is claimed.
    pub fn run<E>(&mut self, guide: &mut dyn Guide<G, Error = E>) -> Result<(), Fault<E>> {
        self.arrive(self.root.clone(), guide)?;
        while let Some(frame) = self.stack.last_mut() {
            if frame.next == frame.end {
                let (number, base) = (frame.number, frame.base);
                self.stack.pop();
                self.moves.truncate(base);
                self.visited.notes[number as usize].open = false;
                guide.leave();
                self.note(self.visited.notes[number as usize].plies);
                continue;
            }
            let (from, mv, chosen) =
                (frame.number as usize, self.moves[frame.base + frame.next], frame.chosen);
            frame.next += 1;
            let ply = self.stack.len() - 1;
            self.followed += 1;
            let mut child = self.visited.states[from].clone();
            self.game.play(&mut child, mv);
            let (to, plies) = self.arrive(child, guide)?;
            guide
                .follow(Step { ply, from: &self.visited.states[from], mv, chosen, to })
                .map_err(Fault::Guide)?;
            if let Some(plies) = plies {
                self.note(plies);
            }
        }
        Ok(())
    }

    /// Notes that the game can last `plies` plies after the latest move of the last position on the stack.
    #[inline]
    fn note(&mut self, plies: u32) {
        let Some(frame) = self.stack.last() else { return };
        let note = &mut self.visited.notes[frame.number as usize];
        if plies >= note.plies {
            // No line is longer than there are positions, whose numbers have 32 bits.
            note.plies = plies + 1;
            note.choice = (frame.next - 1) as u16;
        }
    }

    /// Looks at a position and puts a new one on the stack. Returns how long the game can last from there, if that is known.
    #[inline]
    fn arrive<E>(
        &mut self,
        state: G::State,
        guide: &mut dyn Guide<G, Error = E>,
    ) -> Result<(Arrival, Option<u32>), Fault<E>> {
        if let Some(outcome) = self.game.outcome(&state) {
            return self.end(outcome);
        }
        let (states, game) = (&self.visited.states, self.game);
        let key = game.key(&state);
        if let Some(&number) = self.visited.index.find(key, |&number| states[number as usize] == state) {
            let Note { open, plies, .. } = self.visited.notes[number as usize];
            if open {
                // A game that promised to have no cycles and has one is a game without a result for it.
                if !game.endless().is_some_and(|outcome| self.claim.allows(outcome)) {
                    return Err(Fault::Circle);
                }
                self.endless = true;
            }
            return Ok((Arrival::Again, Some(plies)));
        }
        let base = self.moves.len();
        game.moves(&state, &mut self.moves);
        let width = self.moves.len() - base;
        if width == 0 {
            return self.end(game.stuck(&state));
        }
        let chosen = self.claim.chooses(game.turn(&state));
        let (mut next, mut end) = (0, width);
        if chosen {
            self.strategy += 1;
            if width > 1 {
                next = guide.choose(&state, &self.moves[base..]).map_err(Fault::Guide)?;
            }
            if next >= width {
                return Err(Fault::NoSuchMove { place: next, moves: width });
            }
            end = next + 1;
        }
        if !self.has_room() {
            return Err(Fault::Memory);
        }
        let number = self.visited.states.len() as u32;
        self.visited.states.push(state);
        self.visited.notes.push(Note { open: true, choice: 0, plies: 0 });
        let states = &self.visited.states;
        self.visited.index.insert_unique(key, number, |&other| game.key(&states[other as usize]));
        self.stack.push(Frame { number, base, next, end, chosen });
        Ok((Arrival::New, None))
    }

    fn end<E>(&self, outcome: Outcome) -> Result<(Arrival, Option<u32>), Fault<E>> {
        if self.claim.allows(outcome) {
            Ok((Arrival::End(outcome), Some(0)))
        } else {
            Err(Fault::Ends(outcome))
        }
    }

    /// Whether one position more fits. Where a list has to grow, its old and its new copy exist side by side.
    #[inline]
    fn has_room(&self) -> bool {
        let (met, room) = (self.visited.states.len(), self.visited.states.capacity());
        let full = met == room || self.visited.index.len() == self.visited.index.capacity();
        let places = if full { 3 * met.max(4) } else { room };
        let each = size_of::<G::State>() + self.game.heap_bytes() + size_of::<Note>() + 8;
        // The moves of every position on the way are kept, and they may be many more than the positions.
        let line = self.moves.capacity() * size_of::<G::Move>() + self.stack.capacity() * size_of::<Frame>();
        met < u32::MAX as usize && (places * each + line * 3 / 2) as u64 <= self.memory
    }

    /// The moves from the root to the place where the walk is: after a fault, the line that shows it.
    pub fn path(&self) -> Vec<G::Move> {
        let made = |frame: &Frame| frame.next.checked_sub(1).map(|last| self.moves[frame.base + last]);
        self.stack.iter().filter_map(made).collect()
    }

    /// Positions in which the strategy chooses.
    pub fn strategy(&self) -> u64 {
        self.strategy
    }

    /// Positions looked at: the root and one for every move followed.
    pub fn looked_at(&self) -> u64 {
        self.followed + 1
    }

    /// Whether a game can go on for ever against the strategy.
    pub fn is_endless(&self) -> bool {
        self.endless
    }

    /// The most plies a game from the root can last against the strategy; if it can go on for ever, some number of plies without
    /// repetition.
    pub fn plies(&self) -> u32 {
        self.find(&self.root).map_or(0, |note| note.plies)
    }

    fn find(&self, state: &G::State) -> Option<Note> {
        self.visited.number(self.game, state).map(|number| self.visited.notes[number])
    }

    /// What it has met.
    pub fn into_visited(self) -> Visited<G> {
        self.visited
    }

    /// The noted move of a position that the walk met: the strategy's, or the reply that resists longest.
    pub fn choice(&self, state: &G::State) -> Option<G::Move> {
        let (note, mut moves) = (self.find(state)?, Vec::new());
        self.game.moves(state, &mut moves);
        moves.get(usize::from(note.choice)).copied()
    }
}

/// The line that comes of all strategies together, from their common root: each plays where it chooses, and where none does, the
/// longest resistance. It ends where it would repeat itself.
pub fn meeting<G: Progressive>(game: &G, walks: &[Walk<'_, G>]) -> Vec<G::Move> {
    let Some(first) = walks.first() else { return Vec::new() };
    let (mut line, mut state, mut met) = (Vec::new(), first.root.clone(), HashSet::new());
    loop {
        if game.endless().is_some() && !met.insert(state.clone()) {
            return line;
        }
        let mover = game.turn(&state);
        let walk = walks.iter().find(|walk| walk.claim.chooses(mover)).unwrap_or(first);
        let Some(mv) = walk.choice(&state) else { return line };
        game.play(&mut state, mv);
        line.push(mv);
    }
}
