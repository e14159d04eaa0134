//! Alpha-beta for yes/no questions: with a null window it is depth-first AND/OR search, and everything is in the order of moves.
//!
//! Paper 2, §4.2 compares against it. A game that knows which moves to try ([`Hints::candidates`]) is taken at its word, one move
//! after the other. Otherwise all children are looked at before a position is searched: one that is over or in the table may
//! settle it at once (enhanced transposition cut-off), those that cannot help are dropped, and the rest is tried by the game's
//! evaluation, then killers of this ply, the fewest replies, history. The table forgets what took the least work.

mod saved;

use crate::dag::Symmetry;
use crate::memory::{Memory, Tabled};
use crate::table::Table;
use crate::{Governor, Hope, Limits, Observer, Report, Stats, StopReason};
use delphic_game::{Asked, Force, Game, Gate, Hints, Look, Memorable, Problem, Progressive, Verdict};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Places for the history of moves, per gate.
const HISTORY: usize = 1 << 12;

struct Frame<S> {
    state: S,
    gate: Gate,
    /// Its candidate moves are the entries from here on, the best last.
    moves: usize,
    /// Nodes created when it was entered.
    since: u64,
}

struct Candidate<M> {
    mv: M,
    order: (i32, bool, i32, u32),
}

pub(crate) struct Search<'p, 'g, G: Game> {
    asked: &'p Asked<'g, G, Force>,
    symmetry: Symmetry,
    table: Table<G::State, bool>,
    /// What another search has left, to go on from.
    pub(crate) elder: Option<Box<dyn Memory<Asked<'g, G, Force>>>>,
    path: Vec<Frame<G::State>>,
    candidates: Vec<Candidate<G::Move>>,
    /// The marks of the two moves that last settled a position of each ply.
    killers: Vec<[Option<u32>; 2]>,
    history: [Vec<u32>; 2],
    moves: Vec<G::Move>,
    scratch: Vec<G::Move>,
    pub(crate) stats: Stats,
}

/// Searches until the question is answered or a limit is met. The memory limit bounds the table and never stops the search.
pub fn solve<'g, G: Progressive + Hints>(
    asked: &Asked<'g, G, Force>,
    symmetry: Symmetry,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report<Asked<'g, G, Force>> {
    let mut search = Search::new(asked, symmetry, limits.table_bytes());
    if let Look::Over(truth) = asked.look(&asked.position, &mut search.scratch) {
        return Report::at_once(truth);
    }
    let mut governor = Governor::new(Limits { memory: None, ..limits });
    let found = match governor.resume(&mut |from| search.load(from)) {
        Ok(None) => search.answer(asked.position.clone(), &mut governor, observer),
        Ok(Some(stats)) => {
            search.stats = stats;
            search.go_on(None, &mut governor, observer)
        }
        Err(stop) => return Report { stop, ..Report::at_once(Verdict::Open) },
    };
    let mut report = Report::at_once(Verdict::Open);
    report.stats = search.stats(&governor);
    match found {
        Err(stop) => report.stop = stop,
        Ok(yes) => {
            (report.truth, report.line) = (Verdict::of(yes), search.line(yes));
            report.memory = Some(Box::new(Tabled { table: search.table, symmetry, truth: Verdict::of }));
        }
    }
    report
}

impl<'p, 'g, G: Progressive + Hints> Search<'p, 'g, G> {
    /// A search whose table may hold so many bytes.
    pub(crate) fn new(asked: &'p Asked<'g, G, Force>, symmetry: Symmetry, memory: u64) -> Self {
        Search {
            asked,
            symmetry,
            table: Table::new(memory),
            elder: None,
            path: Vec::new(),
            candidates: Vec::new(),
            killers: Vec::new(),
            history: [vec![0; HISTORY], vec![0; HISTORY]],
            moves: Vec::new(),
            scratch: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// The answer at a position that is not over. What is learnt on the way stays in the table, also when a limit is met.
    pub(crate) fn answer(
        &mut self,
        position: G::State,
        governor: &mut Governor<'_>,
        observer: &mut dyn Observer,
    ) -> Result<bool, StopReason> {
        self.path.clear();
        self.candidates.clear();
        let answer = self.enter(position);
        self.go_on(answer, governor, observer)
    }

    /// Goes on along the path, whose last position has just got this answer, if any.
    fn go_on(
        &mut self,
        mut answer: Option<bool>,
        governor: &mut Governor<'_>,
        observer: &mut dyn Observer,
    ) -> Result<bool, StopReason> {
        loop {
            // An answer goes up until somebody is not settled by it.
            while let Some(yes) = answer.take() {
                if self.path.is_empty() {
                    return Ok(yes);
                }
                answer = self.learn(yes);
            }
            let stop = governor.stop(self.stats.created, 0);
            if stop.is_some() || governor.save_due() {
                governor.save(self.stats(governor), &|out| self.save(out));
            }
            if let Some(reason) = stop {
                return Err(reason);
            }
            if governor.report_due() {
                observer.progress(&self.stats(governor), Hope::None);
            }
            answer = self.advance();
        }
    }

    /// What is remembered of a position, by this search or the one before it.
    pub(crate) fn known(&self, state: &G::State) -> Option<bool> {
        let form = self.symmetry.form(self.asked, state.clone());
        self.table.get(self.asked.key(&form), &form).or_else(|| {
            match self.elder.as_ref()?.recall(self.asked, state)? {
                Verdict::Open => None,
                truth => Some(truth == Verdict::Proved),
            }
        })
    }

    /// What stands for a move where only the order is at stake, and can be kept where moves cannot.
    fn mark(mv: G::Move) -> u32 {
        let mut hasher = FxHasher::default();
        mv.hash(&mut hasher);
        (hasher.finish() >> 32) as u32
    }

    fn place(mark: u32) -> usize {
        (mark >> 8) as usize % HISTORY
    }

    /// The answer to a position that needs no search, or its number of moves.
    fn glance(&mut self, state: &G::State) -> Result<bool, usize> {
        self.stats.visited += 1;
        match self.asked.look(state, &mut self.scratch) {
            Look::Over(truth) => Ok(truth == Verdict::Proved),
            Look::Open { moves, .. } => self.known(state).ok_or(moves),
        }
    }

    /// Looks at the children of a position. Either they settle it, or it goes on the path with those worth searching.
    fn enter(&mut self, state: G::State) -> Option<bool> {
        let (asked, ply) = (self.asked, self.path.len());
        let gate = asked.role(&state);
        let wanted = gate == Gate::Or;
        let base = self.candidates.len();
        self.stats.expanded += 1;
        self.moves.clear();
        if asked.game.candidates(&state, &mut self.moves) {
            let moves = self.moves.iter().rev();
            self.candidates.extend(moves.map(|&mv| Candidate { mv, order: (0, false, 0, 0) }));
            self.path.push(Frame { state, gate, moves: base, since: self.stats.created });
            return None;
        }
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        asked.moves(&state, &mut self.moves);
        for i in 0..self.moves.len() {
            let mv = self.moves[i];
            let child = asked.child(&state, mv);
            match self.glance(&child) {
                Ok(yes) if yes == wanted => {
                    self.candidates.truncate(base);
                    return Some(wanted);
                }
                Ok(_) => {}
                Err(replies) => {
                    let mark = Self::mark(mv);
                    let killer = self.killers[ply].contains(&Some(mark));
                    let history = self.history[usize::from(wanted)][Self::place(mark)];
                    // Fine enough to tell chances apart, coarse enough for ties.
                    let worth = asked.game.evaluate(&child, asked.game.turn(&state));
                    let worth = worth.map_or(0, |chance| (chance * 1e6) as i32);
                    let order = (worth, killer, -(replies as i32), history);
                    self.candidates.push(Candidate { mv, order });
                }
            }
        }
        if self.candidates.len() == base {
            return Some(!wanted);
        }
        // Taken from the end, so the best goes last; among equals the first move of the list goes first.
        self.candidates[base..].reverse();
        self.candidates[base..].sort_by_key(|candidate| candidate.order);
        self.path.push(Frame { state, gate, moves: base, since: self.stats.created });
        None
    }

    /// Searches the next candidate of the last position on the path.
    fn advance(&mut self) -> Option<bool> {
        let frame = self.path.last()?;
        let candidate = self.candidates.last()?;
        let child = self.asked.child(&frame.state, candidate.mv);
        // A child that was looked at before may have been met again meanwhile.
        if let Ok(yes) = self.glance(&child) {
            return Some(yes);
        }
        self.stats.created += 1;
        let answer = self.enter(child.clone());
        if let Some(yes) = answer {
            self.remember(&child, yes, 1);
        }
        answer
    }

    pub(crate) fn remember(&mut self, state: &G::State, yes: bool, work: u64) {
        let (asked, form) = (self.asked, self.symmetry.form(self.asked, state.clone()));
        self.table.put(asked.key(&form), form, yes, work, |state| asked.key(state));
    }

    /// The last candidate of the last position on the path turned out `yes`. Tells what that makes of the position, if it is settled.
    fn learn(&mut self, yes: bool) -> Option<bool> {
        let ply = self.path.len() - 1;
        let frame = &self.path[ply];
        let wanted = frame.gate == Gate::Or;
        let tried = self.candidates.pop().map(|candidate| Self::mark(candidate.mv));
        if yes == wanted {
            if let Some(mark) = tried {
                let worth = (self.stats.created - frame.since + 1).ilog2() + 1;
                let place = &mut self.history[usize::from(wanted)][Self::place(mark)];
                *place = place.saturating_add(worth);
                if let Some(killers) = self.killers.get_mut(ply).filter(|killers| killers[0] != Some(mark)) {
                    *killers = [Some(mark), killers[0]];
                }
            }
        } else if self.candidates.len() > frame.moves {
            return None;
        }
        let Some(frame) = self.path.pop() else { unreachable!("the path was just looked at") };
        self.candidates.truncate(frame.moves);
        self.remember(&frame.state, yes, self.stats.created - frame.since + 1);
        Some(yes)
    }

    fn stats(&self, governor: &Governor<'_>) -> Stats {
        let iterations = self.stats.expanded;
        Stats { iterations, time: governor.elapsed(), peak_bytes: self.table.bytes(), ..self.stats }
    }

    /// As much of a line with the root's answer as the table still remembers.
    fn line(&self, yes: bool) -> Vec<G::Move> {
        crate::line::through(self.asked, |child| self.known(child).map(Verdict::of), Verdict::of(yes))
    }
}
