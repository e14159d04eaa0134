//! Depth-first search over the same rules: df-pn and its relatives.
//!
//! Nagai 2002. A node is searched while its value stays within a bound; the rule's [`Thresholds`] say what that means for the
//! child to search. Memory holds the current path and a table of bounded size; what the table has lost is searched again. Positions
//! that are solved or left are stored with the work they took.
//!
//! A position that comes back from the table must be searched at least one step further before it may be left again, whatever
//! rounding makes of its bound; so every round creates something and the search ends.
//!
//! Several workers may search on one table ([`solve_together`]).

mod saved;
mod together;

pub use together::solve_together;

use crate::boundary::{Child, Status, TableFrontier};
use crate::rule::{Evidence, Pack, Thresholds};
use crate::workers::Crew;
use crate::{
    Event, LimitGuard, Limits, Observer, Progress, ProofMemory, Report, RootMove, RootValue, Stats,
    StopReason,
};
use delphic_game::{AndOr, Gate, Logic, Verdict};
use std::any::type_name;

/// A position on the path. Its state is on the game's side.
struct Frame<B> {
    gate: Gate,
    /// Its children are the entries from here on.
    kids: usize,
    bound: B,
    /// The child being searched.
    current: usize,
    /// Nodes created below it.
    work: u64,
    /// Whether it may be left before another step.
    may_leave: bool,
}

struct Kid<I> {
    info: I,
    verdict: Verdict,
    /// The work of the search from which the value comes; 0 if it was not searched.
    work: u32,
    /// The other workers below it.
    workers: u16,
}

/// Aligned, because several workers are beside each other in memory, and what one writes at every step would slow down the next.
#[repr(align(128))]
struct Search<'s, R: Thresholds> {
    rule: &'s R,
    game: &'s mut dyn TableFrontier,
    path: Vec<Frame<R::Bound>>,
    kids: Vec<Kid<R::Info>>,
    children: Vec<Child>,
    root: RootValue,
    stats: Stats,
    /// The other workers, if there are any.
    crew: Option<&'s Crew>,
    /// Nodes that the crew has not counted yet.
    uncounted: u64,
    /// Whether searches of other positions use the same table.
    is_shared: bool,
}

/// Searches until the question is answered or a limit is reached. The memory limit bounds the table and never stops the search.
///
/// ```
/// # use delphic_game::{Force, Game, Player, Spec, Verdict};
/// # use delphic_games::{Family, Nim};
/// # let game = Nim::build(&mut Spec::parse("nim:1,2,4"))?;
///
/// use delphic_search::rule::{Counts, MinSum, Sum, Ties};
/// use delphic_search::{LeafPrior, Limits, Position, Searchable, Symmetry, depth_first};
///
/// // df-pn with a table of one mebibyte.
/// let position = Position { game: &game, state: game.start() };
/// let win = Force { player: Player::FIRST, at_least: 1 };
/// let table = position.table(win, LeafPrior::Uniform, Symmetry::On, 1 << 20);
/// let numbers = MinSum { kind: Counts, sum: Sum::Plain, ties: Ties::First };
/// let report = depth_first::solve(table, &numbers, Limits::default(), &mut ());
/// assert_eq!(report.truth, Verdict::Proved);
/// # Ok::<(), delphic_game::SpecError>(())
/// ```
pub fn solve<R: Thresholds>(
    mut game: Box<dyn TableFrontier + '_>,
    rule: &R,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report {
    if let Status::Over(verdict) = game.root() {
        return Report::at_once(verdict);
    }
    if let Some(kept) = limits.kept {
        game.adopt(kept, type_name::<R>());
    }
    if let Some(lemmas) = &limits.lemmas {
        game.learn(lemmas);
    }
    let mut guard = LimitGuard::new(Limits { memory: None, ..limits });
    let mut search = Search::new(rule, &mut *game, None);
    search.is_shared = limits.kept.is_some_and(crate::KeptTable::is_shared);
    match guard.resume(observer, &mut |from| search.load(from)) {
        Ok(None) => search.enter(0, rule.unbounded(), true),
        Ok(Some(stats)) => search.stats = stats,
        Err(stop) => return Report::stopped(Verdict::Open, stop),
    }
    let (mut truth, mut stop) = match search.run(&mut guard, observer) {
        Ok(verdict) => (verdict, StopReason::Solved),
        Err(stop) => (Verdict::Open, stop),
    };
    let (stats, estimate) = (search.stats(&guard), guard.estimate());
    if truth == Verdict::Open {
        guard.save(stats, observer, &|out| search.save(out));
        let line = search.line();
        if limits.kept.is_some() {
            truth = search.unwind();
        }
        if truth == Verdict::Open {
            let root = search.root;
            let memory = finish::<R>(game, limits).filter(|_| limits.keep_open);
            return Report { truth, stop, stats, root, estimate, line, memory };
        }
        stop = StopReason::Solved;
    }
    let line = game.line(truth);
    let memory = finish::<R>(game, limits);
    Report { truth, stop, stats, root: RootValue::None, estimate, line, memory }
}

/// Leaves the table to the next search, or else returns what it holds.
fn finish<R>(game: Box<dyn TableFrontier + '_>, limits: Limits<'_>) -> Option<ProofMemory> {
    match limits.kept {
        Some(kept) => {
            game.keep(kept, type_name::<R>());
            None
        }
        None => Some(game.remember()),
    }
}

impl<'s, R: Thresholds> Search<'s, R> {
    fn new(rule: &'s R, game: &'s mut dyn TableFrontier, crew: Option<&'s Crew>) -> Search<'s, R> {
        Search {
            rule,
            game,
            path: Vec::new(),
            kids: Vec::new(),
            children: Vec::new(),
            root: RootValue::None,
            stats: Stats::default(),
            crew,
            uncounted: 0,
            is_shared: false,
        }
    }

    /// Steps until the root is solved or a limit is reached.
    fn run(
        &mut self,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Verdict, StopReason> {
        loop {
            if let Some(reason) = guard.stop(self.stats.created, 0) {
                return Err(reason);
            }
            if guard.report_due() {
                observer.event(Event::Progress(Progress {
                    solver: "",
                    stats: self.stats(guard),
                    root: self.root,
                    decided: self.decided(),
                }));
                let kids = self.root_kids().iter();
                let moves: Vec<RootMove> =
                    kids.map(|kid| RootMove::new(kid.verdict, || self.rule.display(kid.info))).collect();
                observer.event(Event::RootMoves(&moves));
            }
            if guard.save_due() {
                guard.save(self.stats(guard), observer, &|out| self.save(out));
            }
            let verdict = if self.is_shared { self.step_together() } else { self.step() };
            if let Some(verdict) = verdict {
                return Ok(verdict);
            }
            if guard.watches_estimates()
                && self.path.len() == 2
                && let Some(reason) = guard.consider(self.root, self.stats.created)
            {
                return Err(reason);
            }
        }
    }

    /// Puts child `nth` of the last position on the path, with what is known of its children.
    fn enter(&mut self, nth: usize, bound: R::Bound, may_leave: bool) {
        let (kids, rule) = (self.kids.len(), self.rule);
        let leaf = |gate, evidence| rule.leaf(gate, evidence).pack();
        let gate = self.game.enter(nth, &leaf, &mut self.children);
        let before = self.stats.created;
        for child in &self.children {
            self.stats.created += u64::from(child.new);
            let Child { verdict, work, workers, .. } = *child;
            self.kids.push(Kid { info: R::Info::unpack(child.value), verdict, work, workers });
        }
        if let Some(crew) = self.crew {
            crew.count(self.stats.created - before, &mut self.uncounted);
        }
        let width = self.children.len() as u64;
        self.stats.visited += width;
        self.stats.expanded += u64::from(may_leave);
        self.path.push(Frame { gate, kids, bound, current: 0, work: width, may_leave });
    }

    /// Values the position at the end of the path: leaves it, or goes on to a child. Returns the verdict of the root once it is
    /// known.
    fn step(&mut self) -> Option<Verdict> {
        let depth = self.path.len() - 1;
        let frame = &mut self.path[depth];
        let kids = &self.kids[frame.kids..];
        let verdict = AndOr.combine(frame.gate, kids.iter().map(|kid| kid.verdict));
        if verdict != Verdict::Open {
            let unused = self.rule.leaf(frame.gate, Evidence::None);
            return self.leave(verdict, unused);
        }
        let open = kids
            .iter()
            .enumerate()
            .filter(|(_, kid)| kid.verdict == Verdict::Open)
            .map(|(number, kid)| (number, kid.info));
        let (info, best) = self.rule.update(frame.gate, open.clone());
        if frame.may_leave && self.rule.beyond(info, frame.bound) && depth > 0 {
            return self.leave(verdict, info);
        }
        let (bound, best) = match self.crew {
            Some(crew) if kids.iter().any(|kid| kid.workers > 0) => apart(self.rule, frame, kids, crew, best),
            _ => (self.rule.tighten(frame.gate, frame.bound, open, best), best),
        };
        let searched = kids[best].work > 0;
        (frame.current, frame.may_leave) = (best, true);
        if depth == 0 {
            self.root = self.rule.display(info);
        }
        self.stats.iterations += 1;
        self.enter(best, bound, !searched);
        None
    }

    /// Takes the last position off the path and hands its value to its parent.
    fn leave(&mut self, verdict: Verdict, info: R::Info) -> Option<Verdict> {
        let Some(done) = self.path.pop() else { unreachable!("a step was made at the end of the path") };
        self.kids.truncate(done.kids);
        self.game.leave(info.pack(), verdict, done.work);
        let Some(parent) = self.path.last_mut() else { return Some(verdict) };
        let kid = &mut self.kids[parent.kids + parent.current];
        (kid.info, kid.verdict, kid.work) =
            (info, verdict, kid.work.max(done.work.min(u32::MAX.into()) as u32));
        parent.work += done.work;
        None
    }

    /// Leaves all positions of the path with their present values, so that the table holds what the search has found. Returns the verdict
    /// of the root.
    fn unwind(&mut self) -> Verdict {
        loop {
            let Some(frame) = self.path.last() else { unreachable!("the root returns") };
            let kids = &self.kids[frame.kids..];
            let verdict = AndOr.combine(frame.gate, kids.iter().map(|kid| kid.verdict));
            let info = match verdict {
                Verdict::Open => {
                    let open = kids.iter().enumerate().filter(|(_, kid)| kid.verdict == Verdict::Open);
                    self.rule.update(frame.gate, open.map(|(number, kid)| (number, kid.info))).0
                }
                _ => self.rule.leaf(frame.gate, Evidence::None),
            };
            if self.path.len() == 1 && verdict == Verdict::Open {
                self.root = self.rule.display(info);
            }
            if let Some(verdict) = self.leave(verdict, info) {
                return verdict;
            }
        }
    }

    /// The children of the root that are solved, and all of them.
    fn decided(&self) -> (usize, usize) {
        let kids = self.root_kids();
        (kids.iter().filter(|kid| kid.verdict != Verdict::Open).count(), kids.len())
    }

    fn root_kids(&self) -> &[Kid<R::Info>] {
        let end = self.path.get(1).map_or(self.kids.len(), |next| next.kids);
        &self.kids[..end]
    }

    fn stats(&self, guard: &LimitGuard<'_>) -> Stats {
        Stats {
            playouts: self.stats.playouts + self.game.playouts(),
            time: guard.elapsed(),
            peak_bytes: self.game.bytes(),
            ..self.stats
        }
    }

    /// The current path.
    fn line(&self) -> Vec<u16> {
        self.path[..self.path.len() - 1].iter().map(|frame| frame.current as u16).collect()
    }
}

/// The child to search instead of `best`, and its bound, where children that others search look worse.
fn apart<R: Thresholds>(
    rule: &R,
    frame: &Frame<R::Bound>,
    kids: &[Kid<R::Info>],
    crew: &Crew,
    mut best: usize,
) -> (R::Bound, usize) {
    // A solved child of an open node does not help the player to move.
    let refuted = kids.iter().any(|kid| kid.verdict != Verdict::Open);
    let spreads = crew.spreads_at(frame.gate, refuted);
    let crowded = |kid: &Kid<R::Info>| match kid.workers {
        workers if workers > 0 && spreads => {
            rule.crowded(frame.gate, kid.info, workers, crew.virtual_value())
        }
        _ => kid.info,
    };
    let open = || kids.iter().enumerate().filter(|(_, kid)| kid.verdict == Verdict::Open);
    if spreads {
        (_, best) = rule.update(frame.gate, open().map(|(number, kid)| (number, crowded(kid))));
    }
    // The bound is for the true value of the child.
    let kids = open().map(|(number, kid)| (number, if number == best { kid.info } else { crowded(kid) }));
    (rule.tighten(frame.gate, frame.bound, kids, best), best)
}
