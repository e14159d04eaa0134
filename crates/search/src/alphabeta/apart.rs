//! How a worker keeps out of the way of the others on its table.
//!
//! As soon as a candidate of a position is refuted, a worker prefers candidates that no other searches ("young brothers wait", Feldmann
//! 1993), and it takes from the table what the others have found.

use super::Search;
use delphic_game::{Hints, Progressive};

impl<G: Progressive + Hints> Search<'_, G> {
    /// Searches the next candidate, away from the other workers if there are any.
    pub(super) fn advance_apart(&mut self) -> Option<bool> {
        if self.crew.is_some() {
            if let Some(yes) = self.leave_overtaken() {
                return Some(yes);
            }
            self.prefer_deserted();
        }
        self.advance()
    }

    /// Leaves the highest position on the path, below the root, that another worker has answered meanwhile, and returns its answer.
    fn leave_overtaken(&mut self) -> Option<bool> {
        let table = self.table.as_shared()?;
        let overtaken = table.overtaken();
        if std::mem::replace(&mut self.compared, overtaken) == overtaken {
            return None;
        }
        let known = |(ply, _): (usize, _)| Some((ply, self.known(&self.path[ply].state)?));
        let (ply, yes) = self.path.iter().enumerate().skip(1).find_map(known)?;
        while self.path.len() > ply
            && let Some(frame) = self.path.pop()
        {
            self.candidates.truncate(frame.moves);
            self.depart(frame.key, false);
        }
        Some(yes)
    }

    /// Makes a candidate that no other worker searches the next one of the last position, if a candidate is refuted there.
    fn prefer_deserted(&mut self) {
        let (Some(crew), Some(table), Some(frame)) = (self.crew, self.table.as_shared(), self.path.last())
        else {
            return;
        };
        if !crew.spreads_at(frame.gate, frame.refuted) {
            return;
        }
        let deserted = |&place: &usize| {
            let child = self.problem.child(&frame.state, self.candidates[place]);
            let form = self.symmetry.canonical(self.problem.game, child);
            table.workers(self.problem.game.key(&form)) == 0
        };
        let last = self.candidates.len() - 1;
        if let Some(place) = (frame.moves..=last).rev().find(deserted) {
            self.candidates[place..].rotate_left(1);
        }
    }

    /// In a shared table, counts this worker below a position, whose key is returned.
    pub(super) fn arrive(&self, state: &G::State) -> u64 {
        self.table.as_shared().map_or(0, |table| {
            let game = self.problem.game;
            let key = game.key(&self.symmetry.canonical(game, state.clone()));
            table.arrive(key);
            key
        })
    }

    /// The worker leaves a position, which it may have answered.
    pub(super) fn depart(&self, key: u64, answered: bool) {
        if let Some(table) = self.table.as_shared()
            && table.depart(key)
            && answered
        {
            table.overtake();
        }
    }
}
