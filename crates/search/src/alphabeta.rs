//! Alpha-beta for yes/no questions: with a null window it is depth-first AND/OR search, and all depends on the order of moves.
//!
//! Paper 2, §4.2 compares against it. If the game says which moves to try ([`Hints::candidates`]), these are tried in its
//! order. Otherwise all children are looked at before a position is searched: one that is over or in the table may
//! settle it at once (enhanced transposition cut-off), those that cannot help are dropped, and the rest is ordered by the game's
//! evaluation, then killers of this ply, the fewest replies, history. Killers and moves with history are looked at first. The table
//! replaces what took the least work.

mod apart;
mod children;
mod saved;
mod workers;

use crate::problem::{GameProblem, NodeStatus};
use crate::solved::SolvedPositions;
use crate::table::{SharedTable, Store, Trail};
use crate::workers::Crew;
use crate::{
    Event, LimitGuard, Limits, Observer, Progress, Report, RootValue, Solvable, Stats, StopReason, Symmetry,
    line,
};
use children::Children;
use delphic_game::{Game, Gate, Hints, Progressive, Verdict};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use workers::Worker;

/// Places for the history of moves, per gate.
const HISTORY: usize = 1 << 12;

struct Frame<S> {
    state: S,
    gate: Gate,
    /// Its moves still to be tried are the entries from here on, the best last.
    moves: usize,
    /// Nodes created when it was entered.
    since: u64,
    /// Whether a child was refuted.
    refuted: bool,
    /// Whether its candidates were looked at, so that none of them is over.
    seen: bool,
    /// Its canonical form.
    form: Form<S>,
}

/// A canonical form, under which a position is stored, and its key.
#[derive(Clone)]
struct Form<S> {
    state: S,
    key: u64,
}

/// Aligned, because several workers are beside each other in memory, and what one writes at every step would slow down the next.
#[repr(align(128))]
pub(crate) struct Search<'g, G: Game> {
    pub(crate) problem: GameProblem<'g, G>,
    symmetry: Symmetry,
    table: Store<G::State, bool>,
    /// Solved positions of another search.
    pub(crate) inherited: Option<Arc<dyn SolvedPositions<G>>>,
    path: Vec<Frame<G::State>>,
    candidates: Vec<G::Move>,
    /// The children being looked at.
    children: Children<G>,
    /// The children of one of them.
    replies: Children<G>,
    /// The children of the one that will be searched next.
    best: Children<G>,
    /// That one, if it has been looked at.
    prepared: Option<G::State>,
    /// The hashes of the two moves that last settled a position of each ply.
    killers: Vec<[Option<u32>; 2]>,
    history: [Vec<u32>; 2],
    scratch: Vec<G::Move>,
    pub(crate) stats: Stats,
    /// The other workers, if there are any.
    crew: Option<&'g Crew>,
    /// Nodes that the crew has not counted yet.
    uncounted: u64,
    /// The path as the other workers see it.
    trail: Trail,
}

/// Searches until the question is answered or a limit is reached. The memory limit bounds the table and never stops the search.
///
/// ```
/// # use delphic_game::{Force, Game, Player, Spec, Verdict};
/// # use delphic_games::{Family, Nim};
/// # let game = Nim::build(&mut Spec::parse("nim:1,2,4"))?;
///
/// use delphic_search::{GameProblem, Limits, Symmetry, alphabeta};
///
/// let win = Force { player: Player::FIRST, at_least: 1 };
/// let problem = GameProblem::new(&game, win, game.start()).with_shortcuts();
/// let report = alphabeta::solve(&problem, Symmetry::On, Limits::default(), &mut ());
/// assert_eq!(report.truth, Verdict::Proved);
/// # Ok::<(), delphic_game::SpecError>(())
/// ```
pub fn solve<G: Solvable>(
    problem: &GameProblem<'_, G>,
    symmetry: Symmetry,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report {
    if let NodeStatus::Over(truth) = problem.status_of(&problem.position) {
        return Report::at_once(truth);
    }
    if limits.crew() <= 1 {
        let search = Search::new(problem.clone(), symmetry, limits.table_bytes());
        return workers::run(vec![Box::new(search)], None, limits, observer);
    }
    let crew = Crew::new(limits.crew(), limits.workers);
    let table = Store::shared(limits.table_bytes(), problem.game.heap_bytes());
    let worker = |_| -> Box<dyn Worker + '_> {
        let mut search = Search::new(problem.clone(), symmetry, 0).sharing(&table);
        search.crew = Some(&crew);
        Box::new(search)
    };
    workers::run((0..limits.crew()).map(worker).collect(), Some(&crew), limits, observer)
}

impl<'g, G: Progressive + Hints> Search<'g, G> {
    /// A search whose table may hold `memory` bytes.
    #[inline(never)]
    pub(crate) fn new(problem: GameProblem<'g, G>, symmetry: Symmetry, memory: u64) -> Self {
        Search {
            table: Store::new(memory, problem.game.heap_bytes()),
            problem,
            symmetry,
            inherited: None,
            path: Vec::new(),
            candidates: Vec::new(),
            children: Children::new(),
            replies: Children::new(),
            best: Children::new(),
            prepared: None,
            killers: Vec::new(),
            history: [vec![0; HISTORY], vec![0; HISTORY]],
            scratch: Vec::new(),
            stats: Stats::default(),
            crew: None,
            uncounted: 0,
            trail: Trail::default(),
        }
    }

    /// The same over a table that it shares with other searches of the same question. They find each other's answers there.
    pub(crate) fn sharing(mut self, table: &Arc<SharedTable<G::State, bool>>) -> Self {
        self.table = Store::Shared(Arc::clone(table));
        self
    }

    /// The answer at a position that is not over. What is found on the way stays in the table, also when a limit is reached.
    pub(crate) fn answer(
        &mut self,
        position: G::State,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<bool, StopReason> {
        self.path.clear();
        self.candidates.clear();
        let answer = self.begin(position);
        self.go_on(answer, guard, observer)
    }

    /// Goes on along the path, whose last position has just got this answer, if any.
    fn go_on(
        &mut self,
        mut answer: Option<bool>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<bool, StopReason> {
        loop {
            if let Some(yes) = self.settle(&mut answer) {
                return Ok(yes);
            }
            if let Some(reason) = self.check_limits(guard, observer) {
                return Err(reason);
            }
            if let Some(verdict) = self.crew.and_then(Crew::answer) {
                return Ok(verdict == Verdict::Proved);
            }
            if guard.report_due() {
                observer.event(Event::Progress(Progress {
                    solver: "",
                    stats: self.stats(guard),
                    root: RootValue::None,
                    decided: self.decided(),
                }));
            }
            answer = self.advance_apart();
        }
    }

    /// Backs up an answer to the first position that it does not settle. Returns the answer of the root once it is known.
    fn settle(&mut self, answer: &mut Option<bool>) -> Option<bool> {
        while let Some(yes) = answer.take() {
            if self.path.is_empty() {
                return Some(yes);
            }
            *answer = self.back_up(yes);
        }
        None
    }

    /// Stops or saves if it is time to. The other workers rest meanwhile.
    fn check_limits(&self, guard: &mut LimitGuard<'_>, observer: &mut dyn Observer) -> Option<StopReason> {
        let created = self.crew.map_or(self.stats.created, |crew| crew.created() + self.uncounted);
        let stop = match self.crew {
            Some(crew) if guard.turn_ends(created) => crew.while_resting(&mut || guard.stop(created, 0)),
            _ => guard.stop(created, 0),
        };
        if stop.is_some() || guard.save_due() {
            let mut save = || guard.save(self.stats(guard), observer, &|out| self.save(out));
            match self.crew {
                Some(crew) => crew.while_resting(&mut save),
                None => save(),
            }
        }
        stop
    }

    /// The answer at a position, if this search or the one it inherits from remembers it.
    pub(crate) fn known(&self, state: &G::State) -> Option<bool> {
        self.look_up(state, &self.form(state))
    }

    /// The same with its canonical form.
    #[inline]
    fn look_up(&self, state: &G::State, form: &Form<G::State>) -> Option<bool> {
        self.table.get(form.key, &form.state).or_else(|| self.recall(state))
    }

    /// The answer at a position, if the search that this one inherits from remembers it.
    #[inline]
    fn recall(&self, state: &G::State) -> Option<bool> {
        match self.inherited.as_ref()?.recall(&self.problem, state)? {
            Verdict::Open => None,
            truth => Some(truth == Verdict::Proved),
        }
    }

    #[inline]
    fn form(&self, state: &G::State) -> Form<G::State> {
        let state = self.symmetry.canonical(self.problem.game, state.clone());
        Form { key: self.problem.game.key(&state), state }
    }

    /// Goes to a position, of which nothing is known.
    fn begin(&mut self, position: G::State) -> Option<bool> {
        let form = self.form(&position);
        self.enter(position, form)
    }

    /// The key of a position's canonical form.
    fn key_of(&self, state: &G::State) -> u64 {
        self.form(state).key
    }

    /// A 32-bit hash of a move, the key of killers and history; unlike moves it can be stored in a checkpoint.
    fn move_hash(mv: G::Move) -> u32 {
        let mut hasher = FxHasher::default();
        mv.hash(&mut hasher);
        (hasher.finish() >> 32) as u32
    }

    fn place(hash: u32) -> usize {
        (hash >> 8) as usize % HISTORY
    }

    /// Looks at the children of a position. Either they settle it, or it goes on the path with those worth searching.
    fn enter(&mut self, state: G::State, form: Form<G::State>) -> Option<bool> {
        let (game, ply) = (self.problem.game, self.path.len());
        let gate = self.problem.role(&state);
        let wanted = gate == Gate::Or;
        let base = self.candidates.len();
        self.stats.expanded += 1;
        self.scratch.clear();
        if game.candidates(&state, &mut self.scratch) {
            self.candidates.extend(self.scratch.iter().rev());
            self.path.push(Frame {
                state,
                gate,
                moves: base,
                since: self.stats.created,
                refuted: false,
                seen: false,
                form,
            });
            return None;
        }
        if self.look_at_children(&state, ply, wanted) {
            return Some(wanted);
        }
        let Children { moves, orders, .. } = &mut self.children;
        if orders.is_empty() {
            return Some(!wanted);
        }
        // Taken from the end, so the best goes last.
        orders.sort_unstable();
        self.candidates.extend(orders.iter().map(|order| moves[usize::from(order.4.0)]));
        let refuted = orders.len() < moves.len();
        self.path.push(Frame {
            state,
            gate,
            moves: base,
            since: self.stats.created,
            refuted,
            seen: true,
            form,
        });
        None
    }

    /// Searches the next candidate of the last position on the path.
    fn advance(&mut self) -> Option<bool> {
        let frame = self.path.last()?;
        let candidate = self.candidates.last()?;
        let child = self.problem.child(&frame.state, *candidate);
        self.stats.visited += 1;
        if !frame.seen
            && let NodeStatus::Over(truth) = self.problem.status(&child, &mut self.scratch)
        {
            return Some(truth == Verdict::Proved);
        }
        // A child that was looked at before may have been met again meanwhile.
        let form = self.form(&child);
        if let Some(yes) = self.look_up(&child, &form) {
            return Some(yes);
        }
        self.stats.created += 1;
        if let Some(crew) = self.crew {
            crew.count(1, &mut self.uncounted);
        }
        self.announce(form.key);
        let answer = self.enter(child, form.clone());
        if let Some(yes) = answer {
            self.store(form, yes, 1);
            self.hide(true);
        }
        answer
    }

    #[inline(never)]
    pub(crate) fn remember(&mut self, state: &G::State, yes: bool, work: u64) {
        self.store(self.form(state), yes, work);
    }

    /// Remembers an answer, and returns whether there was none yet.
    pub(crate) fn is_new(&mut self, state: &G::State, yes: bool, work: u64) -> bool {
        let form = self.form(state);
        let new = self.table.get(form.key, &form.state).is_none();
        if new {
            self.store(form, yes, work);
        }
        new
    }

    fn store(&mut self, form: Form<G::State>, yes: bool, work: u64) {
        let game = self.problem.game;
        self.table.put(form.key, form.state, yes, work, &|state| game.key(state));
    }

    /// The last candidate of the last position on the path has the answer `yes`. Returns the answer of the position, if that settles it.
    fn back_up(&mut self, yes: bool) -> Option<bool> {
        let ply = self.path.len() - 1;
        let frame = &self.path[ply];
        let wanted = frame.gate == Gate::Or;
        let tried = self.candidates.pop().map(Self::move_hash);
        if yes == wanted {
            if let Some(hash) = tried {
                let worth = self.work(frame.since).ilog2() + 1;
                let place = &mut self.history[usize::from(wanted)][Self::place(hash)];
                *place = place.saturating_add(worth);
                if let Some(killers) = self.killers.get_mut(ply).filter(|killers| killers[0] != Some(hash)) {
                    *killers = [Some(hash), killers[0]];
                }
            }
        } else if self.candidates.len() > frame.moves {
            self.path[ply].refuted = true;
            return None;
        }
        let Some(frame) = self.path.pop() else { unreachable!("the path has a last position") };
        self.candidates.truncate(frame.moves);
        self.store(frame.form, yes, self.work(frame.since));
        self.hide(true);
        Some(yes)
    }

    /// The moves of the root that were tried, and all of them.
    fn decided(&self) -> (usize, usize) {
        let Some(root) = self.path.first() else { return (0, 0) };
        let end = self.path.get(1).map_or(self.candidates.len(), |next| next.moves);
        let (all, left) = (self.problem.game.count_moves(&root.state, &mut Vec::new()), end - root.moves);
        (all.saturating_sub(left), all)
    }

    /// Nodes created since a position was entered, itself included. A damaged checkpoint may say that it was entered later.
    fn work(&self, since: u64) -> u64 {
        self.stats.created.saturating_sub(since) + 1
    }

    fn stats(&self, guard: &LimitGuard<'_>) -> Stats {
        let others = self.crew.map_or(Stats::default(), Crew::others);
        let all = self.stats.beside(others);
        let created = self.crew.map_or(all.created, |crew| crew.created() + self.uncounted);
        let (iterations, time, peak_bytes) = (all.expanded, guard.elapsed(), self.table.bytes());
        Stats { iterations, created, time, peak_bytes, ..all }
    }

    /// As much of a line with the root's answer as the table still remembers.
    fn line(&self, yes: bool) -> Vec<u16> {
        line::through(&self.problem, &|child| self.known(child).map(Verdict::of), Verdict::of(yes))
    }
}
