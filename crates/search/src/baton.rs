//! A baton: several searches share one thread's worth of work by taking turns.
//!
//! Each search runs on a thread of its own, but only the holder of the baton moves; the others sleep with everything they have
//! found still in memory. Turns are counted in created nodes, not in time, so that the same searches always do the same work.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Shared by all who take turns.
#[derive(Debug)]
pub struct Baton {
    /// Whose turn it is, and who still takes part.
    ring: Mutex<Ring>,
    moved: Condvar,
}

#[derive(Debug)]
struct Ring {
    holder: usize,
    running: Vec<bool>,
}

/// A place in the ring.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// What is passed round.
    pub baton: &'a Baton,
    /// The place, from 0.
    pub place: usize,
    /// Nodes created in one turn.
    pub nodes: u64,
}

impl Baton {
    /// A baton for so many searches; the first one holds it.
    pub fn new(places: usize) -> Baton {
        Baton { ring: Mutex::new(Ring { holder: 0, running: vec![true; places] }), moved: Condvar::new() }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes the baton on and leaves the ring.
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
    /// Sleeps until it is this place's turn.
    pub fn wait(&self) {
        let ring = self.baton.ring();
        let mine = |ring: &mut Ring| ring.holder != self.place;
        drop(self.baton.moved.wait_while(ring, mine).unwrap_or_else(PoisonError::into_inner));
    }

    /// Ends the turn and sleeps until the next one.
    pub(crate) fn pass(&self) {
        self.baton.ring().pass(self.place);
        self.baton.moved.notify_all();
        self.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn turns_go_round_and_who_leaves_is_passed_over() {
        let (baton, (sender, order)) = (Baton::new(3), mpsc::channel());
        std::thread::scope(|scope| {
            for place in 0..3 {
                let (turn, sender) = (Turn { baton: &baton, place, nodes: 1 }, sender.clone());
                scope.spawn(move || {
                    turn.wait();
                    for round in 0..=place {
                        sender.send(place).unwrap();
                        if round < place {
                            turn.pass();
                        }
                    }
                    turn.baton.leave(place);
                });
            }
        });
        drop(sender);
        assert_eq!(order.iter().collect::<Vec<_>>(), [0, 1, 2, 1, 2, 2]);
    }
}
