//! Depth-first search over the same rules: df-pn and its relatives.
//!
//! Nagai 2002. A node is searched while its value stays within a bound; the rule's [`Thresholds`] say what that means for the
//! child to search. Memory holds the current path and a table of bounded size; what the table forgets is found again. Positions
//! solved or left are remembered with the work they took.
//!
//! A position that comes back from the table must be searched at least one step further before it may be left again, whatever
//! rounding makes of its bound; so every round creates something and the search ends.

mod saved;

use crate::checkpoint::Field;
use crate::dag::Symmetry;
use crate::memory::{Memory, Tabled};
use crate::rule::{Evidence, Thresholds};
use crate::table::Table;
use crate::{Governor, Hope, Limits, Observer, Prior, Report, Stats, StopReason};
use delphic_game::problem::{Role, Truth};
use delphic_game::{Logic, Look, Memorable};

struct Frame<S, B> {
    state: S,
    /// Its children are the entries from here on.
    kids: usize,
    bound: B,
    /// The child being searched.
    current: usize,
    /// Nodes created below, the size of the search it stands for.
    work: u64,
    /// Whether it may be left before another step.
    may_leave: bool,
}

struct Kid<M, I, T> {
    mv: M,
    info: I,
    truth: T,
    /// Whether the value comes from a search.
    known: bool,
}

struct Search<'p, P: Memorable, R: Thresholds, L> {
    problem: &'p P,
    rule: R,
    prior: L,
    symmetry: Symmetry,
    table: Table<P::State, (R::Info, Truth<P>)>,
    path: Vec<Frame<P::State, R::Bound>>,
    kids: Vec<Kid<P::Move, R::Info, Truth<P>>>,
    moves: Vec<P::Move>,
    scratch: Vec<P::Move>,
    stats: Stats,
}

/// Searches until the question is answered or a limit is met. The memory limit bounds the table and never stops the search.
pub fn solve<P, R, L>(
    problem: &P,
    rule: R,
    prior: L,
    symmetry: Symmetry,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report<P>
where
    P: Memorable,
    R: Thresholds<Role = Role<P>>,
    L: Prior<P>,
    Truth<P>: Field,
{
    let (root, mut scratch) = (problem.root(), Vec::new());
    if let Look::Over(truth) = problem.look(&root, &mut scratch) {
        return Report::at_once(truth);
    }
    let table = Table::new(limits.table_bytes());
    let mut governor = Governor::new(Limits { memory: None, ..limits });
    let bound = rule.unbounded();
    let mut search = Search {
        problem,
        rule,
        prior,
        symmetry,
        table,
        path: Vec::new(),
        kids: Vec::new(),
        moves: Vec::new(),
        scratch,
        stats: Stats::default(),
    };
    match governor.resume(&mut |from| search.load(from)) {
        Ok(None) => search.enter(root, bound, true),
        Ok(Some(stats)) => search.stats = stats,
        Err(stop) => return Report { stop, ..Report::at_once(problem.logic().open()) },
    }
    let (mut truth, mut stop, mut hope) = (problem.logic().open(), StopReason::Solved, Hope::None);
    loop {
        if let Some(reason) = governor.stop(search.stats.created, 0) {
            stop = reason;
            break;
        }
        if governor.report_due() {
            observer.progress(&search.stats(&governor), hope);
        }
        if governor.save_due() {
            governor.save(search.stats(&governor), &|out| search.save(out));
        }
        match search.step() {
            Step::Solved(answer) => {
                truth = answer;
                hope = Hope::None;
                break;
            }
            Step::On(None) => {}
            Step::On(Some(root_hope)) => {
                hope = root_hope;
                if let Some(reason) = governor.consider(hope, search.stats.created) {
                    stop = reason;
                    break;
                }
            }
        }
    }
    if !problem.logic().settled(truth) {
        governor.save(search.stats(&governor), &|out| search.save(out));
    }
    let line = search.line(truth);
    let (stats, estimate) = (search.stats(&governor), governor.estimate());
    let table = Tabled { table: search.table, symmetry, truth: |(_, truth)| truth };
    let settled = problem.logic().settled(truth);
    let memory: Option<Box<dyn Memory<P>>> = settled.then(|| Box::new(table) as _);
    Report { truth, stop, stats, hope, estimate, line, memory }
}

enum Step<T> {
    Solved(T),
    On(Option<Hope>),
}

impl<P, R, L> Search<'_, P, R, L>
where
    P: Memorable,
    R: Thresholds<Role = Role<P>>,
    L: Prior<P>,
    Truth<P>: Field,
{
    fn remember(&mut self, state: &P::State, value: (R::Info, Truth<P>), work: u64) {
        let (problem, form) = (self.problem, self.symmetry.form(self.problem, state.clone()));
        self.table.put(problem.key(&form), form, value, work, |state| problem.key(state));
    }

    /// Puts a position on the path, with what is known of its children.
    fn enter(&mut self, state: P::State, bound: R::Bound, may_leave: bool) {
        let kids = self.kids.len();
        self.moves.clear();
        self.problem.moves(&state, &mut self.moves);
        let blank = self.rule.leaf(self.problem.role(&state), Evidence::None);
        for i in 0..self.moves.len() {
            let mv = self.moves[i];
            let child = self.problem.child(&state, mv);
            self.stats.visited += 1;
            let kid = self.first_look(&state, mv, child, blank);
            self.kids.push(kid);
        }
        self.stats.expanded += u64::from(may_leave);
        self.path.push(Frame { state, kids, bound, current: 0, work: self.moves.len() as u64, may_leave });
    }

    fn first_look(
        &mut self,
        parent: &P::State,
        mv: P::Move,
        child: P::State,
        blank: R::Info,
    ) -> Kid<P::Move, R::Info, Truth<P>> {
        let form = self.symmetry.form(self.problem, child.clone());
        let key = self.problem.key(&form);
        if let Some(((info, truth), work)) = self.table.find(key, &form) {
            return Kid { mv, info, truth, known: work > 0 };
        }
        self.stats.created += 1;
        match self.problem.look(&child, &mut self.scratch) {
            Look::Over(truth) => Kid { mv, info: blank, truth, known: false },
            Look::Open { role, moves } => {
                let (problem, scratch) = (self.problem, &mut self.scratch);
                let evidence = self.prior.evidence_of_move(problem, parent, mv, &child, moves, scratch);
                let (info, truth) = (self.rule.leaf(role, evidence), self.problem.logic().open());
                if self.prior.costly() {
                    // Not worth losing, but it has not been searched.
                    let problem = self.problem;
                    self.table.put(key, form, (info, truth), 0, |state| problem.key(state));
                }
                Kid { mv, info, truth, known: false }
            }
        }
    }

    /// Looks at the position at the end of the path: leaves it, or goes on to a child.
    fn step(&mut self) -> Step<Truth<P>> {
        let (problem, logic) = (self.problem, self.problem.logic());
        let depth = self.path.len() - 1;
        let frame = &mut self.path[depth];
        let role = problem.role(&frame.state);
        let kids = &self.kids[frame.kids..];
        let truth = logic.combine(role, kids.iter().map(|kid| kid.truth));
        if logic.settled(truth) {
            let blank = self.rule.leaf(role, Evidence::None);
            return self.leave(truth, blank);
        }
        let open = kids
            .iter()
            .enumerate()
            .filter(|(_, kid)| !logic.settled(kid.truth))
            .map(|(n, kid)| (n, kid.info));
        let (info, best) = self.rule.update(role, open.clone());
        if frame.may_leave && self.rule.beyond(info, frame.bound) && depth > 0 {
            return self.leave(truth, info);
        }
        let bound = self.rule.tighten(role, frame.bound, open, best);
        let child = problem.child(&frame.state, kids[best].mv);
        let known = kids[best].known;
        (frame.current, frame.may_leave) = (best, true);
        let hope = (depth == 0).then(|| self.rule.hope(info));
        self.stats.iterations += 1;
        self.enter(child, bound, !known);
        Step::On(hope)
    }

    /// Takes the last position off the path and tells its parent.
    fn leave(&mut self, truth: Truth<P>, info: R::Info) -> Step<Truth<P>> {
        let Some(done) = self.path.pop() else { unreachable!("somebody asked for a step") };
        self.kids.truncate(done.kids);
        self.remember(&done.state, (info, truth), done.work);
        match self.path.last_mut() {
            None => Step::Solved(truth),
            Some(parent) => {
                let kid = &mut self.kids[parent.kids + parent.current];
                (kid.info, kid.truth, kid.known) = (info, truth, true);
                parent.work += done.work;
                Step::On(None)
            }
        }
    }

    fn stats(&self, governor: &Governor<'_>) -> Stats {
        Stats {
            playouts: self.stats.playouts + self.prior.playouts(),
            time: governor.elapsed(),
            peak_bytes: self.table.bytes(),
            ..self.stats
        }
    }

    /// As much of a line with the root's answer as the table still remembers.
    fn line(&self, truth: Truth<P>) -> Vec<P::Move> {
        let problem = self.problem;
        if !problem.logic().settled(truth) {
            return self.path[..self.path.len() - 1]
                .iter()
                .map(|f| self.kids[f.kids + f.current].mv)
                .collect();
        }
        let known = |child: &P::State| {
            let form = self.symmetry.form(problem, child.clone());
            self.table.get(problem.key(&form), &form).map(|(_, truth)| truth)
        };
        crate::line::through(problem, known, truth)
    }
}
