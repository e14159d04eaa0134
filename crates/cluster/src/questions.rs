//! The yes/no questions of a run, one graph for each, filled from the results that are known.
//!
//! What is known is kept by position and not by job. A manager that starts again asks the graph for its next leaf as ever, and wherever the
//! answer is known it is entered at once; so the graph grows again from the rows of the ledger, in whatever order they came.

use delphic_certificate::Claim;
use delphic_engine::{Ask, Conclusion, Value, ValueRange};
use delphic_game::erased::{Erased, ErasedState};
use delphic_game::{Force, Game, Notation, Player, Verdict};
use delphic_search::jobs::{self, Found, Strategy};
use std::collections::HashMap;

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// What was found.
    pub found: Found,
    /// Who found it.
    pub worker: String,
    /// Nodes created.
    pub nodes: u64,
}

/// How far a question is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The question.
    pub question: Force,
    /// The proof and disproof number of the root.
    pub numbers: (u32, u32),
    /// The root's moves that are decided, and all of them.
    pub decided: (usize, usize),
}

/// A leaf to be searched.
pub(crate) struct Leaf {
    /// Its number in the graph.
    pub(crate) number: usize,
    /// The question about it.
    pub(crate) question: Force,
    /// Its canonical form in the game's notation: symmetric leaves are searched once.
    pub(crate) form: String,
}

/// A position that an answer rests on, because a job has solved it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lemma {
    pub(crate) question: Force,
    pub(crate) position: String,
    /// Nodes that its search created.
    pub(crate) nodes: u64,
}

/// How the answer of a run is proved.
#[derive(Default)]
pub(crate) struct Plan {
    pub(crate) strategies: Vec<(Claim, Strategy)>,
    pub(crate) lemmas: Vec<Lemma>,
}

pub(crate) struct Questions {
    game: Erased<'static>,
    root: ErasedState,
    ask: Ask,
    player: Player,
    range: ValueRange,
    known: HashMap<(i16, String), Known>,
    /// The memory of what is known, about.
    known_bytes: u64,
    /// One for each question asked so far; the last one may be open.
    graphs: Vec<(Force, jobs::Manager<'static>)>,
}

impl Questions {
    pub(crate) fn new(game: Erased<'static>, root: ErasedState, ask: Ask, player: Player) -> Questions {
        let range = ValueRange::new(game.payoffs());
        Questions {
            game,
            root,
            ask,
            player,
            range,
            known: HashMap::new(),
            known_bytes: 0,
            graphs: Vec::new(),
        }
    }

    /// The next leaf whose result is not known. `None` if all are out, or the run is decided.
    pub(crate) fn next(&mut self) -> Option<Leaf> {
        loop {
            let (question, graph) = self.open_graph()?;
            let job = graph.next_job();
            // The expansion of a leaf may have answered the question.
            self.learn();
            let Some(job) = job else {
                if self.graphs.last().is_some_and(|(_, graph)| graph.verdict() != Verdict::Open) {
                    continue;
                }
                return None;
            };
            let form = self.form(&job.state);
            match self.known.get(&(question.at_least, form.clone())) {
                Some(known) => {
                    let found = known.found;
                    self.report(question, job.number, found);
                }
                None => return Some(Leaf { number: job.number, question, form }),
            }
        }
    }

    /// The graph of the question that is open; a new one when the last is answered.
    fn open_graph(&mut self) -> Option<(Force, &mut jobs::Manager<'static>)> {
        while self.graphs.last().is_none_or(|(_, graph)| graph.verdict() != Verdict::Open) {
            let question = Force { player: self.player, at_least: self.range.next(self.ask)? };
            let graph = jobs::Manager::new(self.game.clone(), question, &self.root);
            self.graphs.push((question, graph));
            // A game that is over is an answer at once.
            self.learn();
        }
        self.graphs.last_mut().map(|(question, graph)| (*question, graph))
    }

    /// Enters a result into the graph of its question.
    pub(crate) fn report(&mut self, question: Force, number: usize, found: Found) {
        if let Some((_, graph)) = self.graphs.iter_mut().find(|(asked, _)| *asked == question) {
            graph.report(number, found);
            self.learn();
        }
    }

    fn learn(&mut self) {
        if let Some((question, graph)) = self.graphs.last()
            && graph.verdict() != Verdict::Open
            && self.range.next(self.ask) == Some(question.at_least)
        {
            self.range.learn(question.at_least, graph.verdict() == Verdict::Proved);
        }
    }

    /// Remembers an answer that is proved. It does not depend on a worker, so it is never discarded.
    pub(crate) fn establish(&mut self, at_least: i16, form: String, yes: bool, nodes: u64) {
        let nodes = self.known(at_least, &form).map_or(nodes, |known| known.nodes);
        let known = Known { found: Found::Solved(yes), worker: String::new(), nodes };
        self.known.insert((at_least, form), known);
    }

    /// The answer at a position, if it is proved.
    pub(crate) fn established(&self, at_least: i16, form: &str) -> Option<bool> {
        match self.known(at_least, form) {
            Some(Known { found: Found::Solved(yes), worker, .. }) if worker.is_empty() => Some(*yes),
            _ => None,
        }
    }

    /// Remembers a result. An answer is not replaced by an open result.
    pub(crate) fn remember(&mut self, at_least: i16, form: String, known: Known) -> bool {
        let bytes = form.len() as u64 + 160;
        match self.known.entry((at_least, form)) {
            std::collections::hash_map::Entry::Occupied(mut there) => {
                let better = matches!((there.get().found, known.found), (Found::Open(..), Found::Solved(_)));
                if better {
                    there.insert(known);
                }
                better
            }
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(known);
                self.known_bytes += bytes;
                true
            }
        }
    }

    pub(crate) fn known(&self, at_least: i16, form: &str) -> Option<&Known> {
        self.known.get(&(at_least, form.to_owned()))
    }

    /// Forgets all results of a worker, and the graphs, which grow again from the others.
    pub(crate) fn forget(&mut self, worker: &str) {
        self.known.retain(|_, known| known.worker != worker);
        self.graphs.clear();
        self.range = ValueRange::new(self.game.payoffs());
    }

    /// Whether a leaf of the open question still matters.
    pub(crate) fn is_needed(&self, question: Force, number: usize) -> bool {
        let asked = self.graphs.last().filter(|(asked, _)| *asked == question);
        asked.is_some_and(|(_, graph)| graph.is_needed(number))
    }

    /// Whether there is an answer.
    pub(crate) fn is_decided(&self) -> bool {
        self.range.next(self.ask).is_none()
    }

    pub(crate) fn conclusion(&self) -> Conclusion {
        self.range.conclusion(self.ask)
    }

    pub(crate) fn bounds(&self) -> (Value, Value) {
        self.range.bounds()
    }

    /// What is known, as claims about the root.
    pub(crate) fn claims(&self) -> Vec<Claim> {
        self.range.claims(self.player)
    }

    /// How far the last question is.
    pub(crate) fn progress(&self) -> Option<Progress> {
        let (question, graph) = self.graphs.last()?;
        Some(Progress { question: *question, numbers: graph.numbers(), decided: graph.decided() })
    }

    /// Positions in the graphs, and their memory in bytes.
    pub(crate) fn size(&self) -> (usize, u64) {
        let graphs = self.graphs.iter().map(|(_, graph)| (graph.len(), graph.bytes()));
        graphs
            .fold((0, self.known_bytes), |(positions, bytes), (more, held)| (positions + more, bytes + held))
    }

    /// How the claims are proved: a strategy above the jobs for each, and the positions that it rests on. Positions whose
    /// certificate is there (`proved`) are preferred, then those that took little work.
    pub(crate) fn plan(&self, proved: &dyn Fn(i16, &str) -> bool) -> Option<Plan> {
        let mut plan = Plan::default();
        for claim in self.claims() {
            let (_, graph) = self.graphs.iter().find(|(question, _)| *question == claim.question)?;
            let at_least = claim.question.at_least;
            let nodes = |state: &ErasedState| {
                self.known(at_least, &self.form(state)).map_or(1, |known| known.nodes.max(1))
            };
            let cost = |state: &ErasedState| match proved(at_least, &self.game.write(state)) {
                true => 0,
                false => nodes(state),
            };
            let strategy = graph.strategy(&cost)?;
            plan.lemmas.extend(strategy.leaves.iter().map(|leaf| Lemma {
                question: claim.question,
                position: self.game.write(leaf),
                nodes: nodes(leaf),
            }));
            plan.strategies.push((claim, strategy));
        }
        Some(plan)
    }

    /// The canonical form of a position, as text.
    pub(crate) fn form(&self, state: &ErasedState) -> String {
        let mut form = state.clone();
        self.game.canonicalize(&mut form);
        self.game.write(&form)
    }

    /// The same from text.
    pub(crate) fn form_of(&self, position: &str) -> Option<String> {
        Some(self.form(&self.game.read(position).ok()?))
    }
}
