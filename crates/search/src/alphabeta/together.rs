//! Several workers on one table: on threads, or in turns on one thread.
//!
//! All search from the root. As soon as a candidate of a position is refuted, a worker prefers candidates that no other searches
//! ("young brothers wait", Feldmann 1993), and takes from the table what the others have found.

use super::Search;
use crate::problem::{GameProblem, NodeStatus};
use crate::solved::{ProofMemory, SolvedTable};
use crate::table::Store;
use crate::workers::{Crew, Job, beside};
use crate::{LimitGuard, Limits, Observer, Report, Solvable, StopReason, Symmetry};
use delphic_game::{Hints, Progressive, Rng, Verdict};

/// Nodes that a worker creates below a position before the others see it there, unless one of them is at the parent. Most positions are left
/// sooner. On Connect Four two threads that wrote a counter at every node, and a count of all nodes, were as slow as one.
const MARKED: u64 = 16;

pub(super) fn solve<G: Solvable>(
    problem: &GameProblem<'_, G>,
    symmetry: Symmetry,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report {
    if let NodeStatus::Over(truth) = problem.status(&problem.position, &mut Vec::new()) {
        return Report::at_once(truth);
    }
    let mut guard = LimitGuard::new(Limits { memory: None, ..limits });
    let crew = Crew::new(limits.crew(), limits.workers);
    let table = Store::shared(limits.table_bytes(), problem.game.heap_bytes());
    let worker = |_| {
        let mut search = Search::new(problem.clone(), symmetry, 0).sharing(&table);
        search.crew = Some(&crew);
        search
    };
    let mut searches: Vec<Search<'_, G>> = (0..limits.crew()).map(worker).collect();
    let Some((first, others)) = searches.split_first_mut() else { unreachable!("there are workers") };
    let resumed = match guard.resume(observer, &mut |from| first.load(from)) {
        Ok(None) => false,
        Ok(Some(stats)) => {
            first.stats = stats;
            crew.count_all(stats.created);
            true
        }
        Err(stop) => return Report::stopped(Verdict::Open, stop),
    };
    let found = if limits.workers.lockstep > 0 {
        in_turns(first, others, &crew, resumed, limits.workers.shuffle, &mut guard, observer)
    } else {
        let mut found = Err(StopReason::Interrupted);
        let follow = |(number, search): (usize, &'_ mut Search<'_, G>)| search.follow(number + 1, &crew);
        let others = others.iter_mut().enumerate().map(|other| Box::new(move || follow(other)) as Job<'_>);
        beside(others.collect(), &mut || {
            found = first.lead(resumed, &mut guard, observer);
            crew.stop();
        });
        found
    };
    let mut report = Report::at_once(Verdict::Open);
    report.stats = first.stats(&guard);
    match found {
        Err(stop) => report.stop = stop,
        Ok(yes) => {
            (report.truth, report.line) = (Verdict::of(yes), first.line(yes));
            drop(searches);
            let solved = SolvedTable { table: Store::Shared(table), symmetry, verdict: Verdict::of };
            report.memory = Some(ProofMemory::new::<G>(Box::new(solved)));
        }
    }
    report
}

/// One step of every worker after the other, or of random workers. The same workers always do the same.
fn in_turns<'s, G: Solvable>(
    first: &mut Search<'s, G>,
    others: &mut [Search<'s, G>],
    crew: &Crew,
    resumed: bool,
    shuffle: u64,
    guard: &mut LimitGuard<'_>,
    observer: &mut dyn Observer,
) -> Result<bool, StopReason> {
    let mut order = (shuffle != 0).then(|| Rng::new(shuffle));
    let mut answers: Vec<Option<bool>> = Vec::new();
    answers.push(if resumed { None } else { first.begin_at_root() });
    answers.extend(others.iter_mut().map(Search::begin_at_root));
    loop {
        for turn in 0..answers.len() {
            let number = order.as_mut().map_or(turn, |order| order.below(answers.len()));
            if number == 0
                && let Some(reason) = first.check_limits(guard, observer)
            {
                return Err(reason);
            }
            let search = if number == 0 { &mut *first } else { &mut others[number - 1] };
            if let Some(yes) = search.settle(&mut answers[number]) {
                for (number, search) in others.iter().enumerate() {
                    crew.note(number + 1, &search.stats);
                }
                return Ok(yes);
            }
            answers[number] = search.advance_apart();
        }
    }
}

impl<G: Progressive + Hints> Search<'_, G> {
    fn begin_at_root(&mut self) -> Option<bool> {
        let answer = self.begin(self.problem.position.clone());
        self.mark();
        answer
    }

    /// The first worker: searches until the root is answered by any of them, or a limit is reached.
    fn lead(
        &mut self,
        resumed: bool,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<bool, StopReason> {
        let answer = if resumed { None } else { self.begin_at_root() };
        self.go_on(answer, guard, observer)
    }

    /// Any other worker: searches until the first says stop.
    fn follow(&mut self, number: usize, crew: &Crew) {
        let mut answer = self.begin_at_root();
        while crew.goes_on(number, &self.stats, &mut self.uncounted) {
            if let Some(yes) = self.settle(&mut answer) {
                crew.solve(Verdict::of(yes));
                break;
            }
            answer = self.advance_apart();
        }
        crew.leave(number, &self.stats, self.uncounted);
    }

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
            self.unmark(frame.key, false);
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
        if table.workers(frame.key) <= own || !crew.spreads_at(frame.gate, frame.refuted) {
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
    fn mark(&mut self) {
        let Some(table) = self.table.as_shared() else { return };
        while let Some(frame) = self.path.get(self.marked) {
            let parent = self.marked.checked_sub(1).map(|ply| self.path[ply].key);
            let is_near = parent.is_none_or(|key| table.workers(key) > 1);
            if !is_near && self.stats.created.saturating_sub(frame.since) < MARKED {
                break;
            }
            table.arrive(frame.key);
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
