//! How a worker keeps out of the way of the others on its table.
//!
//! As soon as a candidate of a position is refuted, a worker prefers candidates that no other searches ("young brothers wait", Feldmann
//! 1993), and it takes from the table what the others have found.

use super::Search;
use delphic_game::{Hints, Progressive};

/// Nodes that a worker creates below a position before the others see it there, unless one of them is at the parent. Most positions are left
/// sooner. On Connect Four two threads that wrote a counter at every node, and a count of all nodes, were as slow as one.
const MARKED: u64 = 16;

impl<G: Progressive + Hints> Search<'_, G> {
    /// Searches the next candidate, away from the other workers if there are any.
    pub(super) fn advance_apart(&mut self) -> Option<bool> {
        if self.crew.is_none() {
            return self.advance();
        }
        if let Some(yes) = self.leave_overtaken() {
            return Some(yes);
        }
        self.prefer_deserted();
        let answer = self.advance();
        self.mark();
        answer
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
            self.unmark(frame.form.key, false);
        }
        Some(yes)
    }

    /// Makes a candidate that no other worker searches the next one of the last position, if a candidate is refuted there and others are
    /// below it.
    fn prefer_deserted(&mut self) {
        let (Some(crew), Some(table), Some(frame)) = (self.crew, self.table.as_shared(), self.path.last())
        else {
            return;
        };
        let own = u16::from(self.marked == self.path.len());
        if table.workers(frame.form.key) <= own || !crew.spreads_at(frame.gate, frame.refuted) {
            return;
        }
        let deserted = |&place: &usize| {
            let child = self.problem.child(&frame.state, self.candidates[place]);
            table.workers(self.key_of(&child)) == 0
        };
        let last = self.candidates.len() - 1;
        if let Some(place) = (frame.moves..=last).rev().find(deserted) {
            self.candidates[place..].rotate_left(1);
        }
    }

    /// Counts this worker below the positions of its path as far as another worker is near, and below those under which it has created
    /// enough nodes.
    pub(super) fn mark(&mut self) {
        let Some(table) = self.table.as_shared() else { return };
        while let Some(frame) = self.path.get(self.marked) {
            let parent = self.marked.checked_sub(1).map(|ply| self.path[ply].form.key);
            let is_near = parent.is_none_or(|key| table.workers(key) > 1);
            if !is_near && self.stats.created.saturating_sub(frame.since) < MARKED {
                break;
            }
            table.arrive(frame.form.key);
            self.marked += 1;
        }
    }

    /// The worker has taken a position with this key, which it may have answered, off its path.
    pub(super) fn unmark(&mut self, key: u64, answered: bool) {
        if self.marked <= self.path.len() {
            return;
        }
        self.marked -= 1;
        if let Some(table) = self.table.as_shared()
            && table.depart(key)
            && answered
        {
            table.overtake();
        }
    }
}
