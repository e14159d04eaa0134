//! From the ends backwards: where one side can force the other to an end it wants.
//!
//! The attacker wants an end of some kind and can wait for ever in vain; the defender is content with endless play. A
//! position belongs to the attractor if the attacker moves and one child does, or the defender moves and all children do. It is found by
//! going through the moves backwards, level by level, and counting down the defender's moves that do not lead there. The level is the
//! number of plies to the end if the attacker hurries and the defender delays.

use super::links::{Id, Links};
use super::threads::{map_on_threads, on_threads};
use crate::{Event, LimitGuard, Observer, Progress, RootValue, Stats, StopReason};
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering::Relaxed};

/// Positions that one thread looks at before limits are looked at.
const PART: usize = 1 << 14;

/// Every move backwards: the parents of every position.
pub(super) struct Reversed {
    /// Where the parents of a position end; they begin where those of the position before end.
    ends: Vec<AtomicU32>,
    parents: Vec<AtomicU32>,
}

impl Reversed {
    /// Turns the moves round. The list of them is given up.
    pub(super) fn of(links: &mut Links, threads: usize) -> Reversed {
        let zeros = |count: u64| (0..count).map(|_| AtomicU32::new(0)).collect::<Vec<_>>();
        let (ends, parents) = (zeros(links.numbers()), zeros(links.edges()));
        let moves = std::mem::take(&mut links.moves);
        let links = &*links;
        on_threads(threads, moves.len(), &|part| {
            moves[part].children.iter().for_each(|&child| {
                ends[child as usize].fetch_add(1, Relaxed);
            });
        });
        let mut sum = 0;
        for end in &ends {
            sum += end.swap(sum, Relaxed);
        }
        // Now each entry is where the position's parents begin; it moves to where they end.
        on_threads(threads, moves.len(), &|part| {
            links.each_move(&moves[part], |parent, child| {
                let place = ends[child as usize].fetch_add(1, Relaxed);
                parents[place as usize].store(parent, Relaxed);
            });
        });
        Reversed { ends, parents }
    }

    #[inline]
    fn parents(&self, id: Id) -> &[AtomicU32] {
        let end = |id: usize| self.ends[id].load(Relaxed) as usize;
        let from = if id == 0 { 0 } else { end(id as usize - 1) };
        &self.parents[from..end(id as usize)]
    }
}

/// Where the attacker gets what it wants.
pub(super) struct Attractor {
    /// Plies to the end and one more; 0 outside.
    ranks: Vec<AtomicU32>,
    /// Whether the player asked about is the attacker.
    pub(super) ours: bool,
}

impl Attractor {
    /// The plies to the end, if the position belongs to it.
    #[inline]
    pub(super) fn rank(&self, id: Id) -> Option<u32> {
        self.ranks[id as usize].load(Relaxed).checked_sub(1)
    }

    /// The attractor of the ends with payoffs that `wanted` accepts, for the player asked about or for the others.
    pub(super) fn find(
        links: &Links,
        reversed: &Reversed,
        ours: bool,
        wanted: &dyn Fn(i16) -> bool,
        run: &mut Run<'_, '_, '_>,
    ) -> Result<Attractor, StopReason> {
        let numbers = links.numbers() as usize;
        let ranks: Vec<AtomicU32> = (0..numbers).map(|_| AtomicU32::new(0)).collect();
        let left: Vec<AtomicU16> = (0..numbers).map(|_| AtomicU16::new(0)).collect();
        links.ids().for_each(|id| left[id as usize].store(links.node(id).moves(), Relaxed));
        let mut level: Vec<Id> =
            links.ends.iter().filter(|(_, payoff)| wanted(*payoff)).map(|&(id, _)| id).collect();
        level.iter().for_each(|&id| ranks[id as usize].store(1, Relaxed));
        let attractor = Attractor { ranks, ours };
        for rank in 2.. {
            let mut next = Vec::new();
            for parts in level.chunks(PART * run.threads.max(1)) {
                let parts: Vec<&[Id]> = parts.chunks(PART).collect();
                let step = |part: usize| attractor.step_back(links, reversed, &left, parts[part], rank);
                next.extend(map_on_threads(run.threads, parts.len(), &step).into_iter().flatten());
                run.check()?;
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        Ok(attractor)
    }

    /// The positions that come in because of those of `part`.
    fn step_back(
        &self,
        links: &Links,
        reversed: &Reversed,
        left: &[AtomicU16],
        part: &[Id],
        rank: u32,
    ) -> Vec<Id> {
        let mut found = Vec::new();
        for &id in part {
            for parent in reversed.parents(id) {
                let parent = parent.load(Relaxed);
                let attacks = links.node(parent).is_ours() == self.ours;
                // The last of the defender's moves counts: it is the one that delays longest.
                let enters = attacks || left[parent as usize].fetch_sub(1, Relaxed) == 1;
                let own = &self.ranks[parent as usize];
                if enters && own.compare_exchange(0, rank, Relaxed, Relaxed).is_ok() {
                    found.push(parent);
                }
            }
        }
        found
    }
}

/// The limits and the observer of an analysis.
pub(super) struct Run<'a, 'l, 'o> {
    pub(super) threads: usize,
    pub(super) stats: Stats,
    pub(super) guard: &'a mut LimitGuard<'l>,
    pub(super) observer: &'o mut dyn Observer,
}

impl Run<'_, '_, '_> {
    /// Whether a limit is reached; otherwise progress is reported when it is due.
    pub(super) fn check(&mut self) -> Result<(), StopReason> {
        if let Some(reason) = self.guard.stop(self.stats.created, self.stats.peak_bytes) {
            return Err(reason);
        }
        if self.guard.report_due() {
            self.stats.time = self.guard.elapsed();
            let (solver, root, decided) = ("", RootValue::None, (0, 0));
            self.observer.event(Event::Progress(Progress { solver, stats: self.stats, root, decided }));
        }
        Ok(())
    }
}
