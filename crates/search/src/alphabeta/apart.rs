//! How a worker keeps out of the way of the others on its table.
//!
//! As soon as a candidate of a position is refuted, a worker prefers candidates that no other searches ("young brothers wait", Feldmann
//! 1993), and it takes from the table what the others have found.

use super::Search;
use delphic_game::{Hints, Progressive};

impl<G: Progressive + Hints> Search<'_, G> {
    /// Searches the next candidate, away from the other workers if there are any.
    pub(super) fn advance_apart(&mut self) -> Option<bool> {
        if self.crew.is_none() {
            return self.advance();
        }
        if let Some(yes) = self.leave_overtaken() {
            return Some(yes);
        }
        self.claim_deserted();
        let answer = self.advance();
        // A child that was claimed and turned out to be known.
        self.hide(false);
        self.show();
        answer
    }

    /// Leaves the highest position on the path, below the root, that another worker has answered meanwhile, and returns its answer.
    fn leave_overtaken(&mut self) -> Option<bool> {
        if !self.trail.may_be_overtaken(self.table.presence()?) {
            return None;
        }
        let known = |(ply, _): (usize, _)| Some((ply, self.known(&self.path[ply].state)?));
        let (ply, yes) = self.path.iter().enumerate().skip(1).find_map(known)?;
        while self.path.len() > ply
            && let Some(frame) = self.path.pop()
        {
            self.candidates.truncate(frame.moves);
            self.hide(false);
        }
        Some(yes)
    }

    /// Makes a candidate that no other worker searches the next one of the last position, and claims it, if a candidate is refuted there and
    /// others are below it.
    fn claim_deserted(&mut self) {
        let (Some(crew), Some(presence), Some(frame)) = (self.crew, self.table.presence(), self.path.last())
        else {
            return;
        };
        if !self.trail.has_company(presence) || !crew.spreads_at(frame.gate, frame.refuted) {
            return;
        }
        for place in (frame.moves..self.candidates.len()).rev() {
            let child = self.problem.child(&frame.state, self.candidates[place]);
            let key = self.key_of(&child);
            if self.trail.claim(presence, key, self.stats.created) {
                self.candidates[place..].rotate_left(1);
                return;
            }
        }
    }

    /// Shows the other workers that this one goes to a position, before it looks at the children, which takes nearly all the time: a worker
    /// that came to the parent meanwhile would follow.
    pub(super) fn announce(&mut self, key: u64) {
        if let Some(presence) = self.table.presence() {
            // Unless it was claimed.
            if self.trail.len() == self.path.len() {
                self.trail.enter(key, self.stats.created);
            }
            self.trail.show(presence, self.stats.created);
        }
    }

    /// Shows the other workers the positions that have come to the path.
    pub(super) fn show(&mut self) {
        let Some(presence) = self.table.presence() else { return };
        for frame in &self.path[self.trail.len()..] {
            self.trail.enter(frame.form.key, frame.since);
        }
        self.trail.show(presence, self.stats.created);
    }

    /// Takes a position that has left the path, which it may have answered, off the trail.
    pub(super) fn hide(&mut self, answered: bool) {
        if let Some(presence) = self.table.presence()
            && self.trail.len() > self.path.len()
        {
            self.trail.leave(presence, answered);
        }
    }
}
