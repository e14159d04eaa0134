//! The game's side of a depth-first search: the path, and the table of states.

use crate::boundary::Status;
use crate::prior::{LeafPosition, Prior};
use crate::problem::{GameProblem, NodeStatus};
use crate::rule::{Evidence, Packed};
use crate::solved::{ProofMemory, SolvedTable};
use crate::table::{self, Table};
use crate::{LeafPrior, Symmetry, line};
use delphic_game::{Gate, Hints, Progressive, Verdict};
use std::io::{self, Read, Write};

/// A child of a position on the path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Child {
    /// The rule's value, unless it is solved.
    pub value: Packed,
    /// Its verdict.
    pub verdict: Verdict,
    /// Whether the value comes from a search below it.
    pub searched: bool,
    /// Whether it was not in the table.
    pub new: bool,
}

/// What a leaf with this evidence is worth, as it stands in the table.
pub type LeafValue<'a> = &'a dyn Fn(Gate, Evidence) -> Packed;

/// The path of a depth-first search, with a table of bounded size behind it.
pub trait TableFrontier {
    /// The status of the root.
    fn root(&mut self) -> Status;

    /// Puts a position on the path, child number `nth` of the last one or the root if the path is empty, and lists its
    /// children: what the table knows of them, or else their first value. Returns its gate.
    fn enter(&mut self, nth: usize, leaf: LeafValue<'_>, children: &mut Vec<Child>) -> Gate;

    /// Takes the last position off the path and stores its value, found by a search that created `work` nodes.
    fn leave(&mut self, value: Packed, verdict: Verdict, work: u64);

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
pub(crate) type Known<'k, S> = dyn Fn(&S) -> Option<bool> + 'k;

/// [`TableFrontier`] of a game.
pub struct GameTable<'g, G: Hints, L = LeafPrior> {
    problem: GameProblem<'g, G>,
    prior: L,
    symmetry: Symmetry,
    table: Table<G::State, (Packed, Verdict)>,
    /// The states on the path, with the place of their first move in `moves`.
    path: Vec<(G::State, usize)>,
    moves: Vec<G::Move>,
    /// Positions below the root whose answers are known from elsewhere.
    known: Option<&'g Known<'g, G::State>>,
    scratch: Vec<G::Move>,
}

impl<'g, G: Progressive + Hints, L: Prior<G>> GameTable<'g, G, L> {
    /// The positions below the problem's, with a table of at most `bytes`.
    pub fn new(problem: GameProblem<'g, G>, prior: L, symmetry: Symmetry, bytes: u64) -> Self {
        GameTable {
            table: Table::new(bytes, problem.game.heap_bytes()),
            problem,
            prior,
            symmetry,
            path: Vec::new(),
            moves: Vec::new(),
            known: None,
            scratch: Vec::new(),
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

    #[inline]
    fn child(&mut self, parent: &G::State, mv: G::Move, leaf: LeafValue<'_>) -> Child {
        let game = self.problem.game;
        let child = self.problem.child(parent, mv);
        let form = self.symmetry.canonical(game, child.clone());
        let key = game.key(&form);
        if let Some(((value, verdict), work)) = self.table.find(key, &form) {
            return Child { value, verdict, searched: work > 0, new: false };
        }
        match self.status(&child) {
            NodeStatus::Over(verdict) => Child { value: [0; 2], verdict, searched: false, new: true },
            NodeStatus::Open { role, moves } => {
                let position = LeafPosition { state: &child, moves, parent: Some((parent, mv)) };
                let evidence = self.prior.evidence(&self.problem, position, &mut self.scratch);
                let (value, verdict) = (leaf(role, evidence), Verdict::Open);
                if self.prior.costly() {
                    // Worth storing, but it has not been searched.
                    self.table.put(key, form, (value, verdict), 0, &|state| game.key(state));
                }
                Child { value, verdict, searched: false, new: true }
            }
        }
    }
}

impl<G: Progressive + Hints + 'static, L: Prior<G>> TableFrontier for GameTable<'_, G, L> {
    fn root(&mut self) -> Status {
        let position = &self.problem.position;
        match self.known {
            None => self.problem.status(position, &mut self.scratch).into(),
            // What is known of the root itself does not count: its children have to show it.
            Some(_) => Status::Open(self.problem.role(position)),
        }
    }

    fn enter(&mut self, nth: usize, leaf: LeafValue<'_>, children: &mut Vec<Child>) -> Gate {
        let state = match self.path.last() {
            None => self.problem.position.clone(),
            Some((parent, base)) => self.problem.child(parent, self.moves[base + nth]),
        };
        let base = self.moves.len();
        self.problem.game.moves(&state, &mut self.moves);
        children.clear();
        for place in base..self.moves.len() {
            children.push(self.child(&state, self.moves[place], leaf));
        }
        let gate = self.problem.role(&state);
        self.path.push((state, base));
        gate
    }

    fn leave(&mut self, value: Packed, verdict: Verdict, work: u64) {
        let Some((state, base)) = self.path.pop() else {
            unreachable!("the driver leaves what it has entered")
        };
        self.moves.truncate(base);
        let game = self.problem.game;
        let form = self.symmetry.canonical(game, state);
        self.table.put(game.key(&form), form, (value, verdict), work, &|state| game.key(state));
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
        let path = self.path.iter().map(|(state, _)| state);
        table::save(&self.table, &self.problem, self.symmetry, path, out)
    }

    fn load(&mut self, from: &mut dyn Read) -> io::Result<Vec<(Gate, usize)>> {
        self.prior.load(from)?;
        let path = table::load(&mut self.table, &self.problem, self.symmetry, from)?;
        let mut shape = Vec::new();
        for state in path {
            let base = self.moves.len();
            self.problem.game.moves(&state, &mut self.moves);
            shape.push((self.problem.role(&state), self.moves.len() - base));
            self.path.push((state, base));
        }
        Ok(shape)
    }

    fn remember(self: Box<Self>) -> ProofMemory {
        let verdict = |(_, verdict): (Packed, Verdict)| verdict;
        ProofMemory::new::<G>(Box::new(SolvedTable { table: self.table, symmetry: self.symmetry, verdict }))
    }
}
