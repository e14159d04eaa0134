//! Where the workers of one search are: how each sees which positions the others are below.
//!
//! Every worker counts itself at the positions of its path, in counters that a hash of the position's key chooses. Two positions may share a
//! counter: that makes a child look more crowded than it is, which misguides a worker and cannot mislead a proof.
//!
//! Most positions are left after a few nodes, before any other worker could come near. There a worker does not count itself, and does not
//! read the counters of children: a word that one core has written costs the other a cache miss.

use crate::workers::Apart;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

const COUNTERS: usize = 1 << 16;

/// Nodes below a position after which a worker counts itself there, unless another worker is at the parent: then it does so at once. On
/// Connect Four two threads that wrote a counter at every node were as slow as one.
const DELAY: u64 = 16;

/// The number of workers below each position.
pub(crate) struct Presence {
    workers: Box<[AtomicU16]>,
    /// Counts the positions that were solved while another worker was below them.
    overtaken: Apart<AtomicU64>,
}

impl Presence {
    pub(crate) fn new() -> Presence {
        Presence { workers: (0..COUNTERS).map(|_| AtomicU16::new(0)).collect(), overtaken: Apart::default() }
    }

    #[inline]
    fn counter(&self, key: u64) -> &AtomicU16 {
        &self.workers[(key >> 24) as usize % COUNTERS]
    }

    /// The workers below a position.
    #[inline]
    pub(crate) fn workers(&self, key: u64) -> u16 {
        self.counter(key).load(Ordering::Relaxed)
    }
}

/// A position on a worker's path.
struct Step {
    key: u64,
    /// The worker's node count when it came here.
    since: u64,
}

/// The path of one worker, as far as the other workers need to know it.
#[derive(Default)]
pub(crate) struct Trail {
    path: Vec<Step>,
    /// The first positions of the path, as many as this, have this worker in their counters.
    counted: usize,
    /// How often positions had been overtaken when the path was last compared with the table.
    compared: u64,
}

impl Trail {
    /// Positions on the path.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.path.len()
    }

    /// The worker goes to a position, having created `created` nodes so far.
    #[inline]
    pub(crate) fn enter(&mut self, key: u64, created: u64) {
        self.path.push(Step { key, since: created });
    }

    /// Goes to a position if no other worker is below it, and counts the worker there at once: of two that come to a parent together only one
    /// gets its best child. Where both looked before either was counted, they went on side by side, on connect4:7x5 for up to a quarter of
    /// all nodes.
    pub(crate) fn claim(&mut self, presence: &Presence, key: u64, created: u64) -> bool {
        let counter = presence.counter(key);
        let is_first = self.counted == self.path.len()
            && counter.compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if is_first {
            self.enter(key, created);
            self.counted += 1;
        }
        is_first
    }

    /// Counts the worker at the positions of its path where it may matter.
    #[inline(never)]
    pub(crate) fn show(&mut self, presence: &Presence, created: u64) {
        while let Some(step) = self.path.get(self.counted) {
            let parent = self.counted.checked_sub(1).map(|ply| self.path[ply].key);
            let is_near = parent.is_none_or(|key| presence.workers(key) > 1);
            if !is_near && created.saturating_sub(step.since) < DELAY {
                break;
            }
            presence.counter(step.key).fetch_add(1, Ordering::Relaxed);
            self.counted += 1;
        }
    }

    /// The worker leaves the last position, which it may have solved. What it has found must be in the table before.
    #[inline(never)]
    pub(crate) fn leave(&mut self, presence: &Presence, solved: bool) {
        let Some(step) = self.path.pop() else { return };
        if self.counted <= self.path.len() {
            return;
        }
        self.counted -= 1;
        let is_alone = presence.counter(step.key).fetch_sub(1, Ordering::Relaxed) <= 1;
        if solved && !is_alone {
            presence.overtaken.0.fetch_add(1, Ordering::Release);
        }
    }

    /// Whether another worker is below the last position.
    #[inline]
    pub(crate) fn has_company(&self, presence: &Presence) -> bool {
        let own = u16::from(self.counted == self.path.len());
        self.path.last().is_some_and(|step| presence.workers(step.key) > own)
    }

    /// Whether a position may have been solved by another worker while this one was below it, since this was last asked.
    #[inline]
    pub(crate) fn may_be_overtaken(&mut self, presence: &Presence) -> bool {
        let overtaken = presence.overtaken.0.load(Ordering::Acquire);
        std::mem::replace(&mut self.compared, overtaken) != overtaken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::mix;

    #[test]
    fn workers_are_seen_where_another_is_near_or_after_some_work() {
        let presence = Presence::new();
        let (mut one, mut two) = (Trail::default(), Trail::default());
        let [root, child, grandchild] = [1, 2, 3].map(mix);
        for key in [root, child] {
            one.enter(key, 0);
        }
        one.show(&presence, 1);
        assert_eq!([root, child].map(|key| presence.workers(key)), [1, 0], "too early for the child");
        two.enter(root, 0);
        two.show(&presence, 0);
        assert!(two.has_company(&presence));
        one.show(&presence, 2);
        assert_eq!(presence.workers(child), 1, "the other one is at the root");
        one.enter(grandchild, 2);
        one.show(&presence, 2 + DELAY);
        assert_eq!(presence.workers(grandchild), 1, "after some work");
        two.enter(child, 0);
        two.show(&presence, 0);
        one.leave(&presence, true);
        assert!(!two.may_be_overtaken(&presence), "the other worker was not below it");
        one.leave(&presence, true);
        assert!(two.may_be_overtaken(&presence));
        assert!(!two.may_be_overtaken(&presence), "asked already");
        assert!(!two.has_company(&presence));
        two.leave(&presence, false);
        two.leave(&presence, false);
        one.leave(&presence, false);
        assert!([root, child, grandchild].iter().all(|&key| presence.workers(key) == 0));
    }

    #[test]
    fn only_one_worker_claims_a_position() {
        let presence = Presence::new();
        let (mut one, mut two) = (Trail::default(), Trail::default());
        let [root, child, other] = [1, 2, 3].map(mix);
        assert!(one.claim(&presence, root, 0));
        two.enter(root, 0);
        assert!(!two.claim(&presence, other, 0), "its parent is not shown");
        two.show(&presence, 0);
        assert!(one.claim(&presence, child, 0));
        assert!(!two.claim(&presence, child, 0), "the other has it");
        assert!(two.claim(&presence, other, 0));
        assert_eq!([root, child, other].map(|key| presence.workers(key)), [2, 1, 1]);
        one.leave(&presence, false);
        two.leave(&presence, false);
        assert!(two.claim(&presence, child, 0), "it is free again");
    }
}
