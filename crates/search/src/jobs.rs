//! Search by jobs: a graph with proof numbers above, whole searches below (Wu et al. 2013; Čížek, Balko and Schmid 2025).
//!
//! The [`Manager`] holds the graph. It gives out positions to be searched, in the order of proof-number search, and takes the results in whatever
//! order they come: solved, or open with the proof numbers of the search. A position that came back open is expanded when its turn comes
//! again. The manager knows neither threads nor machines; [`solve`] lets threads do the jobs.
//!
//! While a position is out, its numbers count double: others are preferred, but not much worse ones.

mod run;
mod strategy;

pub use run::{Run, solve};
pub use strategy::Strategy;

use crate::{Report, RootValue};
use delphic_game::erased::{Erased, ErasedState};
use delphic_game::{AndOr, Force, Game, Gate, Logic, Question, Verdict, result};
use std::collections::HashMap;

/// More leaves than any search will count.
const INFINITE: u32 = u32::MAX;

/// A position to be searched.
#[derive(Clone)]
pub struct Job {
    /// Names it in [`Manager::report`].
    pub number: usize,
    /// The position.
    pub state: ErasedState,
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// The answer to the question.
    Solved(bool),
    /// No answer yet: the leaves still to be proved, and to be disproved.
    Open(u32, u32),
}

impl Found {
    /// What a search reports.
    pub fn of(report: &Report) -> Found {
        match (report.truth, report.root) {
            (Verdict::Proved, _) => Found::Solved(true),
            (Verdict::Disproved, _) => Found::Solved(false),
            // Products of probabilities are read as the work that is left.
            (Verdict::Open, RootValue::Probability(p)) => {
                let leaves = |chance: f64| (1.0 / chance.max(1e-9)).min(1e9) as u32;
                Found::Open(leaves(p), leaves(1.0 - p))
            }
            (Verdict::Open, RootValue::ProofNumbers(proof, disproof)) => {
                Found::Open(proof as u32, disproof as u32)
            }
            (Verdict::Open, RootValue::None | RootValue::Work { .. }) => Found::Open(1, 1),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Never searched.
    New,
    /// Being searched.
    Out,
    /// Searched without an answer.
    Tried,
    /// It has children.
    Expanded,
}

struct Node {
    state: ErasedState,
    gate: Gate,
    verdict: Verdict,
    /// Leaves to be proved, and to be disproved.
    numbers: (u32, u32),
    stage: Stage,
    /// Whether there is a position at or below it that can be given out or expanded.
    free: bool,
    children: Vec<usize>,
    parents: Vec<usize>,
}

/// A graph of positions, some of which are being searched.
pub struct Manager<'g> {
    game: Erased<'g>,
    question: Force,
    nodes: Vec<Node>,
    index: HashMap<ErasedState, usize>,
}

impl<'g> Manager<'g> {
    /// The position alone.
    pub fn new(game: Erased<'g>, question: Force, root: &ErasedState) -> Manager<'g> {
        let mut manager = Manager { game, question, nodes: Vec::new(), index: HashMap::new() };
        manager.enter(root.clone());
        manager
    }

    /// The number of a position, which is added if it is new.
    fn enter(&mut self, state: ErasedState) -> usize {
        if let Some(&number) = self.index.get(&state) {
            return number;
        }
        let over = result(&self.game, &state, &mut Vec::new());
        let verdict = over.map_or(Verdict::Open, |outcome| self.question.answer(outcome));
        let number = self.nodes.len();
        self.index.insert(state.clone(), number);
        self.nodes.push(Node {
            gate: self.question.role(self.game.turn(&state)),
            state,
            verdict,
            numbers: numbers_of(verdict).unwrap_or((1, 1)),
            stage: Stage::New,
            free: verdict == Verdict::Open,
            children: Vec::new(),
            parents: Vec::new(),
        });
        number
    }

    /// The next position to be searched: the most-proving one that is not out. `None` if all of them are.
    pub fn next_job(&mut self) -> Option<Job> {
        let mut number = 0;
        loop {
            if self.nodes[0].verdict != Verdict::Open || !self.nodes[0].free {
                return None;
            }
            number = match self.nodes[number].stage {
                Stage::Expanded => self.best(number)?,
                Stage::Tried => {
                    self.expand(number);
                    self.back_up(number);
                    // The expansion may have solved it, and what is above.
                    let Node { verdict, free, .. } = self.nodes[number];
                    if verdict == Verdict::Open && free { number } else { 0 }
                }
                Stage::New | Stage::Out => {
                    let node = &mut self.nodes[number];
                    node.stage = Stage::Out;
                    node.free = false;
                    node.numbers = (node.numbers.0.saturating_mul(2), node.numbers.1.saturating_mul(2));
                    let job = Job { number, state: node.state.clone() };
                    self.back_up_from_parents(number);
                    return Some(job);
                }
            };
        }
    }

    /// The open child with free positions that has the fewest leaves to be proved, or disproved.
    fn best(&self, number: usize) -> Option<usize> {
        let Node { gate, ref children, .. } = self.nodes[number];
        let open = children.iter().copied().filter(|&child| {
            let Node { verdict, free, .. } = self.nodes[child];
            verdict == Verdict::Open && free
        });
        open.min_by_key(|&child| match (gate, self.nodes[child].numbers) {
            (Gate::Or, (proof, _)) => proof,
            (Gate::And, (_, disproof)) => disproof,
        })
    }

    fn expand(&mut self, number: usize) {
        let (state, mut moves) = (self.nodes[number].state.clone(), Vec::new());
        self.game.moves(&state, &mut moves);
        for mv in moves {
            let mut child = state.clone();
            self.game.play(&mut child, mv);
            let child = self.enter(child);
            self.nodes[child].parents.push(number);
            self.nodes[number].children.push(child);
        }
        self.nodes[number].stage = Stage::Expanded;
    }

    /// Takes in what the search of a position found.
    pub fn report(&mut self, number: usize, found: Found) {
        let node = &mut self.nodes[number];
        if node.stage != Stage::Out {
            return;
        }
        node.stage = Stage::Tried;
        match found {
            Found::Solved(yes) => {
                node.verdict = Verdict::of(yes);
                node.numbers = numbers_of(node.verdict).unwrap_or(node.numbers);
            }
            Found::Open(proof, disproof) => {
                node.numbers = (proof.clamp(1, INFINITE - 1), disproof.clamp(1, INFINITE - 1));
                node.free = true;
            }
        }
        self.back_up_from_parents(number);
    }

    fn back_up_from_parents(&mut self, number: usize) {
        for parent in self.nodes[number].parents.clone() {
            self.back_up(parent);
        }
    }

    /// Computes a node anew, and those above it as far as anything changes.
    fn back_up(&mut self, number: usize) {
        let mut queue = vec![number];
        while let Some(number) = queue.pop() {
            let node = &self.nodes[number];
            if node.verdict != Verdict::Open || node.stage != Stage::Expanded {
                continue;
            }
            let kids = || node.children.iter().map(|&child| &self.nodes[child]);
            let verdict = AndOr.combine(node.gate, kids().map(|kid| kid.verdict));
            let least = |of: fn(&Node) -> u32| kids().map(of).min().unwrap_or(INFINITE);
            let sum = |of: fn(&Node) -> u32| kids().map(of).fold(0, u32::saturating_add);
            let numbers = numbers_of(verdict).unwrap_or_else(|| match node.gate {
                Gate::Or => (least(|kid| kid.numbers.0), sum(|kid| kid.numbers.1)),
                Gate::And => (sum(|kid| kid.numbers.0), least(|kid| kid.numbers.1)),
            });
            let free = verdict == Verdict::Open && kids().any(|kid| kid.free && kid.verdict == Verdict::Open);
            if (verdict, numbers, free) != (node.verdict, node.numbers, node.free) {
                let node = &mut self.nodes[number];
                (node.verdict, node.numbers, node.free) = (verdict, numbers, free);
                queue.extend(&node.parents);
            }
        }
    }

    /// Whether the answer of a position still matters: some way to it from the root is open.
    pub fn is_needed(&self, number: usize) -> bool {
        let (mut stack, mut met) = (vec![number], std::collections::HashSet::new());
        while let Some(number) = stack.pop() {
            if self.nodes[number].verdict != Verdict::Open || !met.insert(number) {
                continue;
            }
            if number == 0 {
                return true;
            }
            stack.extend(&self.nodes[number].parents);
        }
        false
    }

    /// The answer, if it is known.
    pub fn verdict(&self) -> Verdict {
        self.nodes[0].verdict
    }

    /// The leaves still to be proved at the root, and to be disproved.
    pub fn numbers(&self) -> (u32, u32) {
        self.nodes[0].numbers
    }

    /// Positions in the graph.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there is the root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> u64 {
        let links: usize = self.nodes.len() * 4 * size_of::<usize>();
        let each = size_of::<Node>() + self.game.heap_bytes() + 2 * size_of::<(ErasedState, usize)>();
        (self.nodes.capacity() * each + links) as u64
    }

    /// The root's moves that are decided, and all of them.
    pub fn decided(&self) -> (usize, usize) {
        let children = &self.nodes[0].children;
        let decided = children.iter().filter(|&&child| self.nodes[child].verdict != Verdict::Open);
        (decided.count(), children.len())
    }

    /// The numbers of moves from the root through positions with its answer, as far as the graph goes.
    pub fn line(&self) -> Vec<u16> {
        let (mut line, mut number) = (Vec::new(), 0);
        let shows = |&child: &usize| self.nodes[child].verdict == self.verdict();
        while self.verdict() != Verdict::Open
            && let Some(nth) = self.nodes[number].children.iter().position(shows)
        {
            line.push(nth as u16);
            number = self.nodes[number].children[nth];
        }
        line
    }

    /// The positions that are solved.
    pub fn solved(&self) -> Vec<(ErasedState, Verdict)> {
        let solved = self.nodes.iter().filter(|node| node.verdict != Verdict::Open);
        solved.map(|node| (node.state.clone(), node.verdict)).collect()
    }
}

/// The numbers of a solved position.
fn numbers_of(verdict: Verdict) -> Option<(u32, u32)> {
    match verdict {
        Verdict::Open => None,
        Verdict::Proved => Some((0, INFINITE)),
        Verdict::Disproved => Some((INFINITE, 0)),
    }
}
