//! The walk that writer and checker share.
//!
//! A depth-first traversal from the claim's position. A terminal position must agree with the claim. A position visited before is skipped. At
//! any other position the guide chooses a move if the prover is to move, and all legal moves are followed, in their order, if another player
//! is. If no position can repeat in a line of play, skipping is sound.
//!
//! In a game with cycles ([`Game::endless`]) a line may return to a position on its own path. If the result of endless play agrees with the
//! claim, this is allowed: the positions visited are a closed set without a bad end. If it does not, a cycle is a fault; without cycles the
//! maximum number of plies to the end, which the walk records for each position, decreases with every move.
//!
//! Positions are compared in full. For each position the walk records the maximum number of plies to the end and a move: the strategy's, or
//! the reply of longest resistance. So the longest line costs nothing extra.

use crate::{Claim, Lemmas};
use delphic_base::Chunks;
use delphic_game::erased::{Erased, ErasedState, Place, Trail};
use delphic_game::{Game, Outcome};
use std::collections::HashSet;

/// Plays the strategy.
pub trait Guide {
    /// The error if there is no choice.
    type Error;

    /// The number of the move that the strategy plays at the [present](Trail::present) position, which has this many moves, at least two.
    fn choose(&mut self, at: &dyn Trail, moves: usize) -> Result<usize, Self::Error>;

    /// Called for every move that is followed.
    #[inline]
    fn follow(&mut self, step: Step<'_>) -> Result<(), Self::Error> {
        let _ = step;
        Ok(())
    }

    /// Called when all moves of a new position have been followed.
    #[inline]
    fn leave(&mut self) {}
}

/// A move that is followed.
pub struct Step<'a> {
    /// The number of moves before it.
    pub ply: usize,
    /// The positions visited.
    pub trail: &'a dyn Trail,
    /// The number of the position it is made in.
    pub from: usize,
    /// The number of the move.
    pub mv: u16,
    /// Whether the strategy chose it.
    pub chosen: bool,
    /// Where it leads.
    pub to: Arrival,
}

/// Where a move leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// To a terminal position that agrees with the claim.
    End(Outcome),
    /// To a position that was visited before.
    Again,
    /// To a new position.
    New,
}

/// Why a walk failed. The line of play that leads there is [`Walk::path`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault<E> {
    /// A terminal position contradicts the claim.
    Ends(Outcome),
    /// The strategy's choice is not the number of a legal move.
    NoSuchMove {
        /// The number chosen.
        place: usize,
        /// The number of legal moves.
        moves: usize,
    },
    /// The guide has no choice.
    Guide(E),
    /// The strategy allows a position to repeat, and endless play contradicts the claim.
    Circle,
    /// The positions visited do not fit into the memory limit.
    Memory,
}

/// The record of a position.
#[derive(Clone, Copy)]
struct Note {
    /// Whether its moves are still being followed: it is on the current path.
    open: bool,
    /// The strategy's move, or the reply of longest resistance.
    choice: u16,
    /// The maximum number of plies to the end.
    plies: u32,
}

/// The positions visited by a walk, numbered in the order of their first visit.
pub struct Visited<'g> {
    trail: Box<dyn Trail + 'g>,
    notes: Chunks<Note>,
}

impl Visited<'_> {
    /// The number of a position, if it was visited.
    pub fn number(&self, state: &ErasedState) -> Option<usize> {
        self.trail.find(state)
    }

    /// The number of positions visited.
    pub fn len(&self) -> usize {
        self.notes.len()
    }

    /// Whether none was visited.
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// A position by its number.
    pub fn state(&self, number: usize) -> ErasedState {
        self.trail.state(number)
    }

    /// The maximum number of plies to the end from there.
    pub fn plies(&self, number: usize) -> u32 {
        self.notes[number].plies
    }

    /// The number of the recorded move: the strategy's, or the reply of longest resistance.
    pub fn choice(&self, number: usize) -> usize {
        self.notes[number].choice.into()
    }
}

/// A position whose moves are being followed.
struct Frame {
    number: usize,
    /// The moves still to be followed.
    next: usize,
    end: usize,
    chosen: bool,
}

/// A walk and its state.
pub struct Walk<'g> {
    /// The result of endless play, in a game with cycles.
    endless_result: Option<Outcome>,
    claim: Claim,
    root: ErasedState,
    visited: Visited<'g>,
    stack: Vec<Frame>,
    memory: u64,
    strategy: u64,
    followed: u64,
    /// Whether some line returned to a position on its own path.
    endless: bool,
}

impl<'g> Walk<'g> {
    /// A walk from `root` that may use `memory` bytes for the positions visited and the current path.
    pub fn new(game: &Erased<'g>, claim: Claim, root: ErasedState, memory: u64) -> Self {
        Walk {
            endless_result: game.endless(),
            claim,
            root,
            visited: Visited { trail: game.trail(), notes: Chunks::new() },
            stack: Vec::new(),
            memory,
            strategy: 0,
            followed: 0,
            endless: false,
        }
    }

    /// Runs the walk to its end. `Ok` means that the guide's strategy proves the claim.
    pub fn run<E>(&mut self, guide: &mut dyn Guide<Error = E>) -> Result<(), Fault<E>> {
        self.run_to(guide, &mut ())
    }

    /// Runs the walk as far as the cited positions. `Ok` means that the guide's strategy proves the claim if the claim holds at those.
    pub fn run_to<E>(
        &mut self,
        guide: &mut dyn Guide<Error = E>,
        lemmas: &mut dyn Lemmas,
    ) -> Result<(), Fault<E>> {
        let place = self.visited.trail.start(&self.root);
        self.arrive(place, guide, lemmas)?;
        while let Some(frame) = self.stack.last_mut() {
            if frame.next == frame.end {
                let number = frame.number;
                self.stack.pop();
                self.visited.trail.leave();
                self.visited.notes[number].open = false;
                guide.leave();
                self.note(self.visited.notes[number].plies);
                continue;
            }
            let (from, nth, chosen) = (frame.number, frame.next, frame.chosen);
            frame.next += 1;
            let ply = self.stack.len() - 1;
            self.followed += 1;
            let place = self.visited.trail.look(nth);
            let (to, plies) = self.arrive(place, guide, lemmas)?;
            let step = Step { ply, trail: &*self.visited.trail, from, mv: nth as u16, chosen, to };
            guide.follow(step).map_err(Fault::Guide)?;
            if let Some(plies) = plies {
                self.note(plies);
            }
        }
        Ok(())
    }

    /// Records that the game can last `plies` plies after the latest move of the top of the stack.
    #[inline]
    fn note(&mut self, plies: u32) {
        let Some(frame) = self.stack.last() else { return };
        let note = &mut self.visited.notes[frame.number];
        if plies >= note.plies {
            // Lines are no longer than the number of positions, which fits into 32 bits.
            note.plies = plies + 1;
            note.choice = (frame.next - 1) as u16;
        }
    }

    /// Checks the position reached and pushes it on the stack if it is new. Returns the maximum number of plies to the end from there, if it is
    /// known.
    fn arrive<E>(
        &mut self,
        place: Place,
        guide: &mut dyn Guide<Error = E>,
        lemmas: &mut dyn Lemmas,
    ) -> Result<(Arrival, Option<u32>), Fault<E>> {
        let (turn, moves) = match place {
            Place::End(outcome) if self.claim.allows(outcome) => return Ok((Arrival::End(outcome), Some(0))),
            Place::End(outcome) => return Err(Fault::Ends(outcome)),
            Place::Known(number) => {
                let Note { open, plies, .. } = self.visited.notes[number];
                if open {
                    // The game promised to be acyclic and is not: there is no result of endless play.
                    if !self.endless_result.is_some_and(|outcome| self.claim.allows(outcome)) {
                        return Err(Fault::Circle);
                    }
                    self.endless = true;
                }
                return Ok((Arrival::Again, Some(plies)));
            }
            Place::New { turn, moves } => (turn, moves),
        };
        if lemmas.stops(&*self.visited.trail, self.visited.len()) {
            return Ok((Arrival::Again, Some(0)));
        }
        let chosen = self.claim.chooses(turn);
        let (mut next, mut end) = (0, moves);
        if chosen {
            self.strategy += 1;
            if moves > 1 {
                next = guide.choose(&*self.visited.trail, moves).map_err(Fault::Guide)?;
            }
            if next >= moves {
                return Err(Fault::NoSuchMove { place: next, moves });
            }
            end = next + 1;
        }
        if !self.has_room() {
            return Err(Fault::Memory);
        }
        let number = self.visited.trail.enter();
        self.visited.notes.push(Note { open: true, choice: 0, plies: 0 });
        self.stack.push(Frame { number, next, end, chosen });
        Ok((Arrival::New, None))
    }

    /// Whether one more position fits.
    fn has_room(&self) -> bool {
        let line = self.stack.capacity() * size_of::<Frame>() * 3 / 2;
        let visited = self.visited.trail.bytes_needed().saturating_add(self.visited.notes.bytes_needed());
        visited.saturating_add(line as u64) <= self.memory
    }

    /// The move numbers from the root to the current position: after a fault, the line that leads to it.
    pub fn path(&self) -> Vec<u16> {
        self.stack.iter().filter_map(|frame| frame.next.checked_sub(1)).map(|nth| nth as u16).collect()
    }

    /// The positions in which the strategy chooses a move.
    pub fn strategy(&self) -> u64 {
        self.strategy
    }

    /// Positions visited: the root and one for every move followed.
    pub fn looked_at(&self) -> u64 {
        self.followed + 1
    }

    /// Whether endless play is possible against the strategy.
    pub fn is_endless(&self) -> bool {
        self.endless
    }

    /// The maximum length of a game from the root against the strategy; if endless play is possible, the length of some line without
    /// repetition.
    pub fn plies(&self) -> u32 {
        self.visited.number(&self.root).map_or(0, |number| self.visited.plies(number))
    }

    /// The positions visited.
    pub fn into_visited(self) -> Visited<'g> {
        self.visited
    }

    /// The recorded move of a visited position: the strategy's, or the reply of longest resistance.
    pub fn choice(&self, state: &ErasedState) -> Option<u16> {
        self.visited.number(state).map(|number| self.visited.notes[number].choice)
    }
}

/// The line in which all strategies play against each other from their common root, as move numbers: each plays where it chooses, and where
/// none does, the longest resistance. It ends before the first repetition.
pub fn meeting(game: &Erased<'_>, walks: &[Walk<'_>]) -> Vec<u16> {
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
