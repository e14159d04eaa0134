//! The game's side of a depth-first search: the path, and the table of states.

use crate::boundary::Status;
use crate::prior::{LeafPosition, Prior};
use crate::problem::{GameProblem, NodeStatus};
use crate::rule::{Evidence, Packed};
use crate::solved::{ProofMemory, SolvedTable};
use crate::table::{self, Store};
use crate::{LeafPrior, Solvable, Symmetry, line};
use delphic_game::{Gate, Hints, Progressive, Verdict};
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
    /// In a shared table, the key of its canonical form.
    key: u64,
    /// Its first move.
    moves: usize,
}

/// [`TableFrontier`] of a game.
pub struct GameTable<'g, G: Hints, L = LeafPrior> {
    problem: GameProblem<'g, G>,
    prior: L,
    symmetry: Symmetry,
    table: Store<G::State, (Packed, Verdict)>,
    path: Vec<Place<G::State>>,
    moves: Vec<G::Move>,
    /// In a shared table, the keys of the children that `moves` lead to, and the workers last seen below them.
    crowds: Vec<(u64, u16)>,
    /// How often a position of a shared table was overtaken when the path was last compared with it.
    compared: u64,
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
            compared: 0,
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

    #[inline]
    fn status(&mut self, state: &G::State) -> NodeStatus<Gate, Verdict> {
        let status = self.problem.status(state, &mut self.scratch);
        match (self.known, status) {
            (Some(known), NodeStatus::Open { .. }) => {
                known(state).map_or(status, |yes| NodeStatus::Over(Verdict::of(yes)))
            }
            _ => status,
        }
    }

    /// Puts a position on the path, whose moves begin at `moves`.
    fn push(&mut self, state: G::State, moves: usize) {
        let game = self.problem.game;
        let key = self.table.as_shared().map_or(0, |table| {
            let key = game.key(&self.symmetry.canonical(game, state.clone()));
            table.arrive(key);
            key
        });
        self.path.push(Place { state, key, moves });
    }

    /// Takes the last position off the path.
    fn pop(&mut self) -> Place<G::State> {
        let Some(place) = self.path.pop() else { unreachable!("the driver leaves what it has entered") };
        self.moves.truncate(place.moves);
        self.crowds.truncate(place.moves);
        place
    }

    /// Notes the keys of the children of the last position, whose moves begin at `base`; all may have been searched by others.
    fn list_keys(&mut self, base: usize) {
        let (Some(_), Some(last)) = (self.table.as_shared(), self.path.last()) else { return };
        for place in base..self.moves.len() {
            let child = self.problem.child(&last.state, self.moves[place]);
            let form = self.symmetry.canonical(self.problem.game, child);
            self.crowds.push((self.problem.game.key(&form), 1));
        }
    }

    #[inline]
    fn child(&mut self, parent: &G::State, mv: G::Move, leaf: LeafValue<'_>) -> Child {
        let game = self.problem.game;
        let child = self.problem.child(parent, mv);
        let form = self.symmetry.canonical(game, child.clone());
        let key = game.key(&form);
        let workers = self.table.as_shared().map_or(0, |table| table.workers(key));
        if self.table.as_shared().is_some() {
            self.crowds.push((key, workers));
        }
        if let Some(((value, verdict), work)) = self.table.find(key, &form) {
            return Child { value, verdict, work, new: false, workers };
        }
        match self.status(&child) {
            NodeStatus::Over(verdict) => Child { value: [0; 2], verdict, work: 0, new: true, workers },
            NodeStatus::Open { role, moves } => {
                let position = LeafPosition { state: &child, moves, parent: Some((parent, mv)) };
                let evidence = self.prior.evidence(&self.problem, position, &mut self.scratch);
                let (value, verdict) = (leaf(role, evidence), Verdict::Open);
                if self.prior.costly() {
                    // Worth storing, but it has not been searched.
                    self.table.put(key, form, (value, verdict), 0, &|state| game.key(state));
                }
                Child { value, verdict, work: 0, new: true, workers }
            }
        }
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
        let state = match self.path.last() {
            None => self.problem.position.clone(),
            Some(parent) => self.problem.child(&parent.state, self.moves[parent.moves + nth]),
        };
        let base = self.moves.len();
        self.problem.game.moves(&state, &mut self.moves);
        children.clear();
        for place in base..self.moves.len() {
            children.push(self.child(&state, self.moves[place], leaf));
        }
        let gate = self.problem.role(&state);
        self.push(state, base);
        gate
    }

    fn leave(&mut self, value: Packed, verdict: Verdict, work: u64) {
        let game = self.problem.game;
        let place = self.pop();
        let form = self.symmetry.canonical(game, place.state);
        self.table.put(game.key(&form), form, (value, verdict), work, &|state| game.key(state));
        // Only now can the others find out.
        if let Some(table) = self.table.as_shared()
            && table.depart(place.key)
            && verdict != Verdict::Open
        {
            table.overtake();
        }
    }

    fn abandon(&mut self) {
        let Place { key, .. } = self.pop();
        if let Some(table) = self.table.as_shared() {
            table.depart(key);
        }
    }

    fn refresh(&mut self, sink: &mut dyn FnMut(usize, Update)) {
        let (Some(table), Some(last)) = (self.table.as_shared(), self.path.last()) else { return };
        for nth in last.moves..self.moves.len() {
            let (key, before) = self.crowds[nth];
            let workers = table.workers(key);
            if workers > 0 || before > 0 {
                let child = self.problem.child(&last.state, self.moves[nth]);
                let form = self.symmetry.canonical(self.problem.game, child);
                let entry = self.table.find(key, &form);
                let entry = entry.map(|((value, verdict), work)| (value, verdict, work));
                sink(nth - last.moves, Update { workers, entry });
                self.crowds[nth].1 = workers;
            }
        }
    }

    fn overtaken(&mut self) -> Option<(usize, Verdict)> {
        let table = self.table.as_shared()?;
        let overtaken = table.overtaken();
        if std::mem::replace(&mut self.compared, overtaken) == overtaken {
            return None;
        }
        let solved = |place: &Place<G::State>| {
            let form = self.symmetry.canonical(self.problem.game, place.state.clone());
            let (_, verdict) = self.table.get(place.key, &form)?;
            (verdict != Verdict::Open).then_some(verdict)
        };
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
            self.problem.game.moves(&state, &mut self.moves);
            shape.push((self.problem.role(&state), self.moves.len() - base));
            self.push(state, base);
            self.list_keys(base);
        }
        Ok(shape)
    }

    fn remember(self: Box<Self>) -> ProofMemory {
        let verdict = |(_, verdict): (Packed, Verdict)| verdict;
        ProofMemory::new::<G>(Box::new(SolvedTable { table: self.table, symmetry: self.symmetry, verdict }))
    }
}
