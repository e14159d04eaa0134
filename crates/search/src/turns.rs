//! Several searches share one thread's worth of work by taking turns.
//!
//! Each search runs on a thread of its own, but only the one whose turn it is works; the others sleep with everything they have
//! found still in memory. Turns are counted in created nodes, not in time, so that the same searches always do the same work.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The turns of several searches.
#[derive(Debug)]
pub struct Turns {
    /// Whose turn it is, and which searches still take part.
    ring: Mutex<Ring>,
    moved: Condvar,
}

#[derive(Debug)]
struct Ring {
    holder: usize,
    running: Vec<bool>,
}

/// The place of one search.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// All places.
    pub turns: &'a Turns,
    /// This one, from 0.
    pub place: usize,
    /// Nodes created in the first turn.
    pub first: u64,
    /// A later turn creates as many nodes as all before it, divided by this.
    pub slower: u64,
    /// Nodes created in a turn, at most.
    pub longest: u64,
}

impl Turns {
    /// Turns for this many searches, beginning with the first.
    pub fn new(places: usize) -> Turns {
        Turns { ring: Mutex::new(Ring { holder: 0, running: vec![true; places] }), moved: Condvar::new() }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the turns of a search for good.
    pub fn leave(&self, place: usize) {
        let mut ring = self.ring();
        ring.running[place] = false;
        ring.pass(place);
        drop(ring);
        self.moved.notify_all();
    }
}

impl Ring {
    fn pass(&mut self, place: usize) {
        let places = self.running.len();
        let next = (1..=places).map(|step| (place + step) % places).find(|&next| self.running[next]);
        if self.holder == place {
            self.holder = next.unwrap_or(place);
        }
    }
}

impl Turn<'_> {
    /// The length of the turn that begins after `created` nodes. Turns grow with what was done, so that a search that needs
    /// little gets it after little work of the others.
    pub(crate) fn nodes(&self, created: u64) -> u64 {
        (created / self.slower.max(1)).clamp(self.first, self.longest.max(self.first))
    }

    /// Sleeps until it is this place's turn.
    pub fn wait(&self) {
        let ring = self.turns.ring();
        let mine = |ring: &mut Ring| ring.holder != self.place;
        drop(self.turns.moved.wait_while(ring, mine).unwrap_or_else(PoisonError::into_inner));
    }

    /// Ends the turn and sleeps until the next one.
    pub(crate) fn pass(&self) {
        self.turns.ring().pass(self.place);
        self.turns.moved.notify_all();
        self.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn turns_go_round_and_skip_those_who_left() {
        let (turns, (sender, order)) = (Turns::new(3), mpsc::channel());
        std::thread::scope(|scope| {
            for place in 0..3 {
                let (turn, sender) =
                    (Turn { turns: &turns, place, first: 1, slower: 1, longest: 1 }, sender.clone());
                scope.spawn(move || {
                    turn.wait();
                    for round in 0..=place {
                        sender.send(place).unwrap();
                        if round < place {
                            turn.pass();
                        }
                    }
                    turn.turns.leave(place);
                });
            }
        });
        drop(sender);
        assert_eq!(order.iter().collect::<Vec<_>>(), [0, 1, 2, 1, 2, 2]);
    }
}
