//! The walk that writer and checker share.
//!
//! Depth first from the claim's position. A position that is over must end as claimed. A position met before is passed by. At any other
//! the guide chooses a move if the prover is to move, and all legal moves are followed, in their order, if another player is. Where no
//! position can repeat in one line of play, passing by is no circle.
//!
//! In a game with cycles ([`Game::endless`]) a line may come back to a position on its own way. If the claim allows the result of endless play,
//! the strategy may let it: the positions met are a closed set without a bad end. If it does not, a circle is a fault: then the plies that
//! the game can still last fall with every move, which is what the walk notes of a position.
//!
//! Positions are compared in full. For each the walk notes how many plies the game can still last and the move to take: the
//! strategy's, or the reply that resists longest. So the longest line comes for free.

use crate::{Claim, Lemmas};
use delphic_game::erased::{Erased, ErasedState, Place, Trail};
use delphic_game::{Game, Outcome};
use std::collections::HashSet;

/// Plays the strategy.
pub trait Guide {
    /// Why there may be no choice.
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
    /// How many moves were made before it.
    pub ply: usize,
    /// The positions met.
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
pub struct Visited<'g> {
    trail: Box<dyn Trail + 'g>,
    notes: Vec<Note>,
}

impl Visited<'_> {
    /// The number of a position, if it was met.
    pub fn number(&self, state: &ErasedState) -> Option<usize> {
        self.trail.find(state)
    }

    /// How many were met.
    pub fn len(&self) -> usize {
        self.notes.len()
    }

    /// Whether none was met.
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// A position by its number.
    pub fn state(&self, number: usize) -> ErasedState {
        self.trail.state(number)
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
    number: usize,
    /// The moves still to be followed.
    next: usize,
    end: usize,
    chosen: bool,
}

/// A walk and what it has seen.
pub struct Walk<'g> {
    /// What endless play is worth, in a game with cycles.
    endless_result: Option<Outcome>,
    claim: Claim,
    root: ErasedState,
    visited: Visited<'g>,
    stack: Vec<Frame>,
    memory: u64,
    strategy: u64,
    followed: u64,
    /// Whether some line came back to a position on its own way.
    endless: bool,
}

impl<'g> Walk<'g> {
    /// A walk from `root` that may use `memory` bytes for the positions it has met and the line it is on.
    pub fn new(game: &Erased<'g>, claim: Claim, root: ErasedState, memory: u64) -> Self {
        Walk {
            endless_result: game.endless(),
            claim,
            root,
            visited: Visited { trail: game.trail(), notes: Vec::new() },
            stack: Vec::new(),
            memory,
            strategy: 0,
            followed: 0,
            endless: false,
        }
    }

    /// Goes all the way. `Ok` means that the guide's strategy does what is claimed.
    pub fn run<E>(&mut self, guide: &mut dyn Guide<Error = E>) -> Result<(), Fault<E>> {
        self.run_to(guide, &mut ())
    }

    /// Goes as far as the positions that are left to others. `Ok` means that the guide's strategy does what is claimed if the claim
    /// holds there.
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

    /// Notes that the game can last `plies` plies after the latest move of the last position on the stack.
    #[inline]
    fn note(&mut self, plies: u32) {
        let Some(frame) = self.stack.last() else { return };
        let note = &mut self.visited.notes[frame.number];
        if plies >= note.plies {
            // No line is longer than there are positions, whose numbers have 32 bits.
            note.plies = plies + 1;
            note.choice = (frame.next - 1) as u16;
        }
    }

    /// Judges the place looked at and puts a new position on the stack. Returns how long the game can last from there, if that is known.
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
                    // A game that promised to have no cycles and has one is a game without a result for it.
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

    /// Whether one position more fits.
    fn has_room(&self) -> bool {
        let line = self.stack.capacity() * size_of::<Frame>() * 3 / 2;
        let needed = self.visited.trail.bytes_needed(size_of::<Note>() + 4);
        needed.saturating_add(line as u64) <= self.memory
    }

    /// The numbers of the moves from the root to the place where the walk is: after a fault, the line that shows it.
    pub fn path(&self) -> Vec<u16> {
        self.stack.iter().filter_map(|frame| frame.next.checked_sub(1)).map(|nth| nth as u16).collect()
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
        self.visited.number(&self.root).map_or(0, |number| self.visited.plies(number))
    }

    /// What it has met.
    pub fn into_visited(self) -> Visited<'g> {
        self.visited
    }

    /// The noted move of a position that the walk met: the strategy's, or the reply that resists longest.
    pub fn choice(&self, state: &ErasedState) -> Option<u16> {
        self.visited.number(state).map(|number| self.visited.notes[number].choice)
    }
}

/// The line that comes of all strategies together, from their common root, as numbers of moves: each plays where it chooses, and where none
/// does, the longest resistance. It ends where it would repeat itself.
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
