//! The game's side of a depth-first search: the path, and the table of states.

use crate::boundary::Status;
use crate::prior::{LeafPosition, Prior};
use crate::problem::{GameProblem, NodeStatus};
use crate::rule::{Evidence, Packed};
use crate::solved::{ProofMemory, SolvedTable};
use crate::table::{self, Store, Trail};
use crate::{KeptTable, LeafPrior, Lemmas, Solvable, Symmetry, line};
use delphic_game::{Force, Gate, Hints, Progressive, Verdict};
use std::io::{self, Read, Write};
use std::sync::Arc;

/// A child of a position on the path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Child {
    /// The rule's value, unless it is solved.
    pub value: Packed,
    /// Its verdict.
    pub verdict: Verdict,
    /// The work of the search below it from which the value comes; 0 if it was not searched.
    pub work: u32,
    /// Whether it was not in the table.
    pub new: bool,
    /// The other workers below it.
    pub workers: u16,
}

/// What has become of a child since it was listed, where other workers use the same table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Update {
    /// The other workers below it.
    pub workers: u16,
    /// Its entry in the table, which one of them may have changed: value, verdict and work.
    pub entry: Option<(Packed, Verdict, u32)>,
}

/// What a leaf with this evidence is worth, as it stands in the table.
pub type LeafValue<'a> = &'a dyn Fn(Gate, Evidence) -> Packed;

/// The path of a depth-first search, with a table of bounded size behind it.
pub trait TableFrontier: Send {
    /// The status of the root.
    fn root(&mut self) -> Status;

    /// Puts a position on the path, child number `nth` of the last one or the root if the path is empty, and lists its
    /// children: what the table knows of them, or else their first value. Returns its gate.
    fn enter(&mut self, nth: usize, leaf: LeafValue<'_>, children: &mut Vec<Child>) -> Gate;

    /// Enters the answers of lemmas into the table, if they are about the same question.
    fn learn(&mut self, lemmas: &Lemmas<'_>);

    /// Goes on with a table that was kept, if it is one of this game, question, size and rule. A shared one is made if there is none.
    fn adopt(&mut self, kept: &KeptTable, rule: &'static str);

    /// Leaves the table for the next search with this rule.
    fn keep(self: Box<Self>, kept: &KeptTable, rule: &'static str);

    /// Takes the last position off the path and stores its value, found by a search that created `work` nodes.
    fn leave(&mut self, value: Packed, verdict: Verdict, work: u64);

    /// Takes the last position off the path and stores nothing.
    fn abandon(&mut self);

    /// Reports, by number, the children of the last position that other workers are or were below.
    fn refresh(&mut self, sink: &mut dyn FnMut(usize, Update));

    /// The highest position on the path, below the root, that another worker has solved meanwhile: its ply and its verdict.
    fn overtaken(&mut self) -> Option<(usize, Verdict)>;

    /// A line of play that shows the verdict of the root, as far as the table remembers it.
    fn line(&self, verdict: Verdict) -> Vec<u16>;

    /// Memory held, in bytes.
    fn bytes(&self) -> u64;

    /// Random games played so far.
    fn playouts(&self) -> u64;

    /// Writes the state of the prior, the table and the path.
    fn save(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Reads what [`save`](Self::save) has written: for each position of the path its gate and its number of moves.
    fn load(&mut self, from: &mut dyn Read) -> io::Result<Vec<(Gate, usize)>>;

    /// The solved positions.
    fn remember(self: Box<Self>) -> ProofMemory;
}

/// Answers known from elsewhere.
pub(crate) type Known<'k, S> = dyn Fn(&S) -> Option<bool> + Sync + 'k;

/// A position on the path.
struct Place<S> {
    state: S,
    /// Its first move.
    moves: usize,
    /// Whether other workers were below its children when these were last looked at.
    crowded: bool,
}

/// A child of the position that is being entered.
struct Candidate<S, V> {
    state: S,
    /// The canonical form, under which it is stored, and its key.
    form: S,
    key: u64,
    /// What the table has of it: value and work.
    found: Option<(V, u32)>,
}

/// The table of a search that is over.
struct Kept<S> {
    table: Store<S, (Packed, Verdict)>,
    question: Force,
    symmetry: Symmetry,
    /// The rule that the values belong to.
    rule: &'static str,
}

impl<S> Kept<S> {
    fn belongs_to(&self, question: Force, symmetry: Symmetry, rule: &'static str) -> bool {
        (self.question, self.symmetry, self.rule) == (question, symmetry, rule)
    }
}

/// [`TableFrontier`] of a game. Aligned, because those of several workers are beside each other in memory.
#[repr(align(128))]
pub struct GameTable<'g, G: Hints, L = LeafPrior> {
    problem: GameProblem<'g, G>,
    prior: L,
    symmetry: Symmetry,
    table: Store<G::State, (Packed, Verdict)>,
    path: Vec<Place<G::State>>,
    moves: Vec<G::Move>,
    /// In a shared table, the keys of the children that `moves` lead to, and the workers last seen below them.
    crowds: Vec<(u64, u16)>,
    /// In a shared table, the path as the other workers see it.
    trail: Trail,
    /// Positions entered.
    entered: u64,
    /// The children of the position that is being entered.
    candidates: Vec<Candidate<G::State, (Packed, Verdict)>>,
    /// Positions below the root whose answers are known from elsewhere.
    known: Option<&'g Known<'g, G::State>>,
    scratch: Vec<G::Move>,
}

impl<'g, G: Progressive + Hints, L: Prior<G>> GameTable<'g, G, L> {
    /// The positions below the problem's, with a table of at most `bytes`.
    pub fn new(problem: GameProblem<'g, G>, prior: L, symmetry: Symmetry, bytes: u64) -> Self {
        let table = Store::new(bytes, problem.game.heap_bytes());
        GameTable::on(table, problem, prior, symmetry)
    }

    #[inline(never)]
    fn on(
        table: Store<G::State, (Packed, Verdict)>,
        problem: GameProblem<'g, G>,
        prior: L,
        symmetry: Symmetry,
    ) -> Self {
        GameTable {
            table,
            problem,
            prior,
            symmetry,
            path: Vec::new(),
            moves: Vec::new(),
            crowds: Vec::new(),
            trail: Trail::default(),
            entered: 0,
            candidates: Vec::new(),
            known: None,
            scratch: Vec::new(),
        }
    }

    /// Hands over the paths of several workers, one for each prior, over one table of at most `bytes`.
    pub fn share(
        problem: &GameProblem<'g, G>,
        priors: Vec<L>,
        symmetry: Symmetry,
        bytes: u64,
        sink: &mut dyn FnMut(Self),
    ) {
        let table = Store::shared(bytes, problem.game.heap_bytes());
        for prior in priors {
            sink(GameTable::on(Store::Shared(Arc::clone(&table)), problem.clone(), prior, symmetry));
        }
    }

    /// The same, where positions below the root whose answers are `known` count as over.
    #[must_use]
    pub(crate) fn with_known(self, known: &'g Known<'g, G::State>) -> Self {
        GameTable { known: Some(known), ..self }
    }

    /// What is remembered of a position.
    pub(crate) fn recall(&self, state: &G::State) -> Option<Verdict> {
        let form = self.symmetry.canonical(self.problem.game, state.clone());
        self.table.get(self.problem.game.key(&form), &form).map(|(_, verdict)| verdict)
    }

    /// Shows the other workers that this one goes to a position. Before its children are listed, which takes nearly all the time of a step:
    /// a worker that came to the parent meanwhile would follow. On nogo:4x5 two threads created half as many nodes again.
    fn announce(&mut self, key: u64) {
        self.entered += 1;
        if let Some(presence) = self.table.presence() {
            self.trail.enter(key, self.entered);
            self.trail.show(presence, self.entered);
        }
    }

    /// Takes the last position off the path.
    fn pop(&mut self) -> G::State {
        let Some(place) = self.path.pop() else { unreachable!("the driver leaves what it has entered") };
        self.moves.truncate(place.moves);
        self.crowds.truncate(place.moves);
        place.state
    }

    /// The other workers below a position in a shared table.
    #[inline]
    fn workers(&self, key: u64) -> u16 {
        self.table.presence().map_or(0, |presence| presence.workers(key))
    }

    /// The key of a position's canonical form.
    fn key(&self, state: &G::State) -> u64 {
        self.problem.game.key(&self.symmetry.canonical(self.problem.game, state.clone()))
    }

    /// Lists the children that the moves from `base` on lead to, with what the table knows of them. The look-ups follow each other closely, so that
    /// the processor fetches several entries at a time.
    fn list_candidates(&mut self, parent: &G::State, base: usize) {
        let (game, table) = (self.problem.game, &self.table);
        self.candidates.clear();
        for &mv in &self.moves[base..] {
            let state = self.problem.child(parent, mv);
            let form = self.symmetry.canonical(game, state.clone());
            let key = game.key(&form);
            self.candidates.push(Candidate { state, form, key, found: None });
        }
        self.candidates.iter().for_each(|candidate| table.touch(candidate.key));
        for candidate in &mut self.candidates {
            candidate.found = table.find(candidate.key, &candidate.form);
        }
    }

    /// The value of child number `nth`, which move `mv` leads to.
    #[inline]
    fn child(&mut self, nth: usize, (parent, mv): (&G::State, G::Move), leaf: LeafValue<'_>) -> Child {
        let Candidate { state, form, key, found } = &self.candidates[nth];
        let found = found.or_else(|| {
            // A child before it may have been the same position.
            if self.prior.costly() { self.table.find(*key, form) } else { None }
        });
        if let Some(((value, verdict), work)) = found {
            return Child { value, verdict, work, new: false, workers: 0 };
        }
        let status = self.problem.status(state, &mut self.scratch);
        match known_status(self.known, state, status) {
            NodeStatus::Over(verdict) => Child { value: [0; 2], verdict, work: 0, new: true, workers: 0 },
            NodeStatus::Open { role, moves } => {
                let position = LeafPosition { state, moves, parent: Some((parent, mv)) };
                let evidence = self.prior.evidence(&self.problem, position, &mut self.scratch);
                let (value, verdict) = (leaf(role, evidence), Verdict::Open);
                if self.prior.costly() {
                    // Worth storing, but it has not been searched.
                    let game = self.problem.game;
                    self.table.put(*key, form.clone(), (value, verdict), 0, &|state| game.key(state));
                }
                Child { value, verdict, work: 0, new: true, workers: 0 }
            }
        }
    }
}

/// The status of a position, or the answer that is known from elsewhere.
#[inline]
fn known_status<S>(
    known: Option<&Known<'_, S>>,
    state: &S,
    status: NodeStatus<Gate, Verdict>,
) -> NodeStatus<Gate, Verdict> {
    match (known, status) {
        (Some(known), NodeStatus::Open { .. }) => {
            known(state).map_or(status, |yes| NodeStatus::Over(Verdict::of(yes)))
        }
        _ => status,
    }
}

impl<G: Solvable, L: Prior<G> + Send> TableFrontier for GameTable<'_, G, L> {
    fn root(&mut self) -> Status {
        let position = &self.problem.position;
        match self.known {
            None => self.problem.status_of(position).into(),
            // What is known of the root itself does not count: its children have to show it.
            Some(_) => Status::Open(self.problem.role(position)),
        }
    }

    fn enter(&mut self, nth: usize, leaf: LeafValue<'_>, children: &mut Vec<Child>) -> Gate {
        let is_shared = self.table.presence().is_some();
        let (state, key) = match self.path.last() {
            None => (self.problem.position.clone(), self.key(&self.problem.position)),
            Some(parent) => {
                let place = parent.moves + nth;
                let key = self.crowds.get(place).map_or(0, |(key, _)| *key);
                (self.problem.child(&parent.state, self.moves[place]), key)
            }
        };
        let crowded = is_shared && self.workers(key) > 0;
        self.announce(key);
        let base = self.moves.len();
        self.problem.game.moves(&state, &mut self.moves);
        self.list_candidates(&state, base);
        children.clear();
        for place in base..self.moves.len() {
            children.push(self.child(place - base, (&state, self.moves[place]), leaf));
        }
        if is_shared {
            for (candidate, child) in self.candidates.iter().zip(children) {
                // Without another worker below the position there is none below its children.
                child.workers = if crowded { self.workers(candidate.key) } else { 0 };
                self.crowds.push((candidate.key, child.workers));
            }
        }
        let gate = self.problem.role(&state);
        self.path.push(Place { state, moves: base, crowded });
        gate
    }

    fn learn(&mut self, lemmas: &Lemmas<'_>) {
        if lemmas.question != self.problem.question {
            return;
        }
        let game = self.problem.game;
        for (state, yes) in lemmas.answers {
            let form = self.symmetry.canonical(game, state.get::<G::State>().clone());
            // As much work as an entry can have: other entries are replaced first.
            let work = u64::from(u32::MAX);
            self.table
                .put(game.key(&form), form, ([0; 2], Verdict::of(*yes)), work, &|state| game.key(state));
        }
    }

    fn adopt(&mut self, kept: &KeptTable, rule: &'static str) {
        let (question, symmetry) = (self.problem.question, self.symmetry);
        let mut place = kept.lock();
        if kept.is_shared() {
            let there = place.as_ref().and_then(|table| table.downcast_ref::<Kept<G::State>>());
            let there = there.filter(|kept| kept.belongs_to(question, symmetry, rule));
            let there =
                there.and_then(|kept| kept.table.another()).filter(|table| table.has_size_of(&self.table));
            // Made while the lock is held: of two searches that begin together only one makes it.
            let is_new = there.is_none();
            self.table = there.unwrap_or_else(|| self.table.made_shared());
            if is_new && let Some(table) = self.table.another() {
                *place = Some(Box::new(Kept { table, question, symmetry, rule }));
            }
        } else if let Some(kept) = place.take().and_then(|table| table.downcast::<Kept<G::State>>().ok())
            && kept.belongs_to(question, symmetry, rule)
            && kept.table.has_size_of(&self.table)
        {
            self.table = kept.table;
        }
    }

    fn keep(self: Box<Self>, kept: &KeptTable, rule: &'static str) {
        let GameTable { table, problem, symmetry, .. } = *self;
        if table.presence().is_none() {
            *kept.lock() = Some(Box::new(Kept { table, question: problem.question, symmetry, rule }));
        }
    }

    fn leave(&mut self, value: Packed, verdict: Verdict, work: u64) {
        let game = self.problem.game;
        let state = self.pop();
        let form = self.symmetry.canonical(game, state);
        self.table.put(game.key(&form), form, (value, verdict), work, &|state| game.key(state));
        if let Some(presence) = self.table.presence() {
            self.trail.leave(presence, verdict != Verdict::Open);
        }
    }

    fn abandon(&mut self) {
        self.pop();
        if let Some(presence) = self.table.presence() {
            self.trail.leave(presence, false);
        }
    }

    fn refresh(&mut self, sink: &mut dyn FnMut(usize, Update)) {
        let (Some(presence), Some(last)) = (self.table.presence(), self.path.last_mut()) else { return };
        if !last.crowded && !self.trail.has_company(presence) {
            return;
        }
        last.crowded = false;
        for nth in last.moves..self.moves.len() {
            let (key, before) = self.crowds[nth];
            let workers = presence.workers(key);
            if workers > 0 || before > 0 {
                let child = self.problem.child(&last.state, self.moves[nth]);
                let form = self.symmetry.canonical(self.problem.game, child);
                let entry = self.table.find(key, &form);
                let entry = entry.map(|((value, verdict), work)| (value, verdict, work));
                sink(nth - last.moves, Update { workers, entry });
                self.crowds[nth].1 = workers;
                last.crowded |= workers > 0;
            }
        }
    }

    fn overtaken(&mut self) -> Option<(usize, Verdict)> {
        if !self.trail.may_be_overtaken(self.table.presence()?) {
            return None;
        }
        let solved = |place: &Place<G::State>| self.recall(&place.state).filter(|&v| v != Verdict::Open);
        self.path.iter().enumerate().skip(1).find_map(|(ply, place)| Some((ply, solved(place)?)))
    }

    fn line(&self, verdict: Verdict) -> Vec<u16> {
        line::through(&self.problem, &|state| self.recall(state), verdict)
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    fn playouts(&self) -> u64 {
        self.prior.playouts()
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.prior.save(out)?;
        let mut path = self.path.iter().map(|place| &place.state);
        table::save(&self.table, &self.problem, self.symmetry, &mut path, out)
    }

    fn load(&mut self, from: &mut dyn Read) -> io::Result<Vec<(Gate, usize)>> {
        self.prior.load(from)?;
        let path = table::load(&mut self.table, &self.problem, self.symmetry, from)?;
        let mut shape = Vec::new();
        for state in path {
            let base = self.moves.len();
            self.problem.list_moves(&state, &mut self.moves);
            shape.push((self.problem.role(&state), self.moves.len() - base));
            if self.table.presence().is_some() {
                for place in base..self.moves.len() {
                    // Any of them may have been searched by others.
                    let key = self.key(&self.problem.child_of(&state, self.moves[place]));
                    self.crowds.push((key, 1));
                }
            }
            self.announce(self.key(&state));
            self.path.push(Place { state, moves: base, crowded: true });
        }
        Ok(shape)
    }

    fn remember(self: Box<Self>) -> ProofMemory {
        let verdict = |(_, verdict): (Packed, Verdict)| verdict;
        ProofMemory::new::<G>(Box::new(SolvedTable { table: self.table, symmetry: self.symmetry, verdict }))
    }
}
