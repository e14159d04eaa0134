//! The analysis of positions that are known by their numbers alone.

use super::Worth;
use super::attractor::{Attractor, Reversed, Run};
use super::links::{Id, Links, Node};
use super::positions::Space;
use crate::{LimitGuard, Limits, Observer, Report, Stats, StopReason};
use delphic_game::Bounds;

/// The moves between all positions, and the questions that have been decided.
pub(super) struct Analysis {
    links: Links,
    reversed: Reversed,
    /// What endless play pays the player; `None` in a game without cycles.
    endless: Option<i16>,
    payoffs: Vec<i16>,
    /// One for every payoff but the least: whether the player can force it.
    attractors: Vec<Option<Attractor>>,
    /// Without cycles and with two payoffs: the other side of the only question, for its distances.
    opposite: Option<Attractor>,
    stats: Stats,
}

impl Analysis {
    /// Finds all positions of a space, whose numbers tell the shard by this many `bits`.
    pub(super) fn enumerate(
        space: &mut dyn Space,
        bits: u32,
        payoffs: Vec<i16>,
        endless: Option<i16>,
        run: &mut Run<'_, '_, '_>,
    ) -> Result<Analysis, (StopReason, Stats)> {
        let mut links = Links::new(bits);
        while space.expand(run.threads, &mut links) {
            let (positions, expanded) = space.len();
            run.stats.created = positions - 1;
            (run.stats.expanded, run.stats.iterations) = (expanded, expanded);
            run.stats.visited = links.edges();
            run.stats.peak_bytes = bytes_while_enumerating(space.bytes(), positions, links.edges());
            // Numbers of positions and of moves have 32 bits.
            let numbers = space.numbers().max(links.edges());
            let checked = run.check();
            let checked = if numbers < u64::from(u32::MAX) { checked } else { Err(StopReason::Memory) };
            if let Err(stop) = checked {
                run.stats.time = run.guard.elapsed();
                return Err((stop, run.stats));
            }
        }
        run.stats.time = run.guard.elapsed();
        let reversed = Reversed::of(&mut links, run.threads);
        let attractors = payoffs.iter().skip(1).map(|_| None).collect();
        Ok(Analysis { links, reversed, endless, payoffs, attractors, opposite: None, stats: run.stats })
    }

    /// Decides whether the player can force payoff number `nth` of the game, counted from 0, at every position.
    pub(super) fn decide(
        &mut self,
        nth: usize,
        limits: Limits<'_>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), StopReason> {
        if nth == 0 || self.attractors[nth - 1].is_some() {
            return Ok(());
        }
        let ours = self.endless.unwrap_or(0) < self.payoffs[nth];
        self.attractors[nth - 1] = Some(self.attract(nth, ours, limits, guard, observer)?);
        Ok(())
    }

    /// The same for all payoffs of the game.
    pub(super) fn decide_all(
        &mut self,
        limits: Limits<'_>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), StopReason> {
        (1..self.payoffs.len()).try_for_each(|nth| self.decide(nth, limits, guard, observer))?;
        if self.payoffs.len() == 2 && self.endless.is_none() {
            let ours = self.payoffs[1] <= 0;
            self.opposite = Some(self.attract(1, ours, limits, guard, observer)?);
        }
        Ok(())
    }

    /// The attractor of payoff number `nth` and more for the player, or of less for the others.
    fn attract(
        &mut self,
        nth: usize,
        ours: bool,
        limits: Limits<'_>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Attractor, StopReason> {
        let at_least = self.payoffs[nth];
        let wanted = |payoff: i16| (payoff >= at_least) == ours;
        let mut run = Run { threads: limits.threads.max(1), stats: self.stats, guard, observer };
        let found = Attractor::find(&self.links, &self.reversed, ours, &wanted, &mut run);
        self.stats.time = guard.elapsed();
        found
    }

    /// Whether the player can force payoff number `nth` at a position, and in how many plies the attacker of that question gets it.
    pub(super) fn answer(&self, nth: usize, id: Id) -> Option<(bool, Option<u32>)> {
        if nth == 0 {
            return Some((true, None));
        }
        let attractor = self.attractors.get(nth - 1)?.as_ref()?;
        let rank = attractor.rank(id);
        let other = || self.opposite.as_ref()?.rank(id);
        Some((rank.is_some() == attractor.ours, rank.or_else(other)))
    }

    /// What a position is worth, if all payoffs have been decided.
    pub(super) fn worth(&self, id: Id) -> Option<Worth> {
        let mut nth = 0;
        while nth + 1 < self.payoffs.len() && self.answer(nth + 1, id)?.0 {
            nth += 1;
        }
        let plies = match self.decisive(nth) {
            Some(question) => self.answer(question, id)?.1,
            None => None,
        };
        Some(Worth { payoff: self.payoffs[nth], plies })
    }

    /// The question whose attractor leads to payoff number `nth`, if that is the least or the greatest.
    fn decisive(&self, nth: usize) -> Option<usize> {
        match nth {
            _ if self.payoffs.len() == 1 => None,
            0 => Some(1),
            nth if nth + 1 == self.payoffs.len() => Some(nth),
            _ => None,
        }
    }

    /// Calls `sink` with every position and what it is worth, if all payoffs have been decided.
    pub(super) fn each(&self, sink: &mut dyn FnMut(Id, Worth)) {
        self.links.ids().for_each(|id| {
            if let Some(worth) = self.worth(id) {
                sink(id, worth);
            }
        });
    }

    /// Calls `sink` with the number of moves and the number of best moves of every position that is not over, if all payoffs have been
    /// decided.
    pub(super) fn each_choice(&self, space: &dyn Space, sink: &mut dyn FnMut(usize, usize)) {
        let mut children = Vec::new();
        for id in self.links.ids().filter(|&id| self.links.node(id).moves() > 0) {
            let Some(worth) = self.worth(id) else { return };
            space.children(id, &mut children);
            let keeps = |child: &&Id| self.worth(**child).is_some_and(|after| after.payoff == worth.payoff);
            sink(children.len(), children.iter().filter(keeps).count());
        }
    }

    /// Decides as many questions as it takes to tell the payoffs in a range apart at the root. Returns also the question whose attractor
    /// gives the line of play, if there is one.
    pub(super) fn score(
        &mut self,
        root: Option<Id>,
        range: Bounds,
        limits: Limits<'_>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> (Report<Bounds>, Option<usize>) {
        let root = root.unwrap_or_else(|| unreachable!("the root was entered first"));
        let mut stop = StopReason::Solved;
        // The ends of the range need not be payoffs themselves.
        let mut lo = self.payoffs.partition_point(|&payoff| payoff <= range.lo).saturating_sub(1);
        let least = self.payoffs.partition_point(|&payoff| payoff < range.hi);
        let mut hi = least.clamp(lo, self.payoffs.len() - 1);
        // A win is asked for first: it is the question with the best line.
        while lo < hi {
            let nth = (lo + hi).div_ceil(2);
            if let Err(reason) = self.decide(nth, limits, guard, observer) {
                stop = reason;
                break;
            }
            match self.answer(nth, root) {
                Some((true, _)) => lo = nth,
                _ => hi = nth - 1,
            }
        }
        let clamp = |payoff: i16| payoff.clamp(range.lo, range.hi);
        let truth = Bounds { lo: clamp(self.payoffs[lo]), hi: clamp(self.payoffs[hi]) };
        let stats = Stats { time: guard.elapsed(), ..self.stats };
        let shown = if lo == hi { self.decisive(lo) } else { None };
        (Report { stop, stats, ..Report::at_once(truth) }, shown)
    }

    /// The number of a payoff among those of the game.
    pub(super) fn place(&self, payoff: i16) -> Option<usize> {
        self.payoffs.iter().position(|&other| other == payoff)
    }

    /// The number of moves between positions.
    pub(super) fn moves(&self) -> u64 {
        self.links.edges()
    }

    /// Counters so far, with the bytes held now.
    pub(super) fn stats(&self) -> Stats {
        self.stats
    }

    /// Memory held, with this much for the positions.
    pub(super) fn bytes(&self, positions: u64) -> u64 {
        let edges = self.links.edges();
        bytes_while_enumerating(positions, self.stats.created + 1, edges) - edges * size_of::<Id>() as u64
    }
}

/// Memory held, with what the analysis will need besides: the reversed moves, and for every position where they begin, the count of its
/// moves that are left, and two ranks.
fn bytes_while_enumerating(stored: u64, positions: u64, edges: u64) -> u64 {
    let each = size_of::<Node>() + 4 + 2 + 2 * 4;
    stored + positions * each as u64 + edges * 2 * size_of::<Id>() as u64
}
