//! From a solved graph to the strategy that proves its answer: the moves of the proving side, and the jobs that it rests on.

use super::{Manager, Stage};
use delphic_game::erased::ErasedState;
use delphic_game::{Gate, Verdict};
use std::collections::{HashMap, HashSet};

/// The proof of a graph's answer above its jobs.
#[derive(Default)]
pub struct Strategy {
    /// The numbers of the moves that are chosen, at every position where the proving side moves.
    pub choices: HashMap<ErasedState, usize>,
    /// The positions solved by jobs on which the answer rests, each once.
    pub leaves: Vec<ErasedState>,
}

impl Manager<'_> {
    /// The cheapest strategy that proves the answer, if there is an answer. `cost` is the price of a position that a job has solved; where a
    /// position is reached in several ways it counts each time, so the choice is good and not always the best.
    pub fn strategy(&self, cost: &dyn Fn(&ErasedState) -> u64) -> Option<Strategy> {
        let verdict = self.verdict();
        let chooses = match verdict {
            Verdict::Open => return None,
            Verdict::Proved => Gate::Or,
            Verdict::Disproved => Gate::And,
        };
        let costs = self.costs(verdict, chooses, cost);
        let (mut found, mut stack, mut met) = (Strategy::default(), vec![0], HashSet::new());
        while let Some(number) = stack.pop() {
            let node = &self.nodes[number];
            if !met.insert(number) {
                continue;
            }
            match node.stage {
                // Over by the rules.
                Stage::New | Stage::Out => {}
                Stage::Tried => found.leaves.push(node.state.clone()),
                Stage::Expanded if node.gate == chooses => {
                    let proves = node.children.iter().enumerate();
                    let proves = proves.filter(|&(_, &child)| self.nodes[child].verdict == verdict);
                    if let Some((nth, &child)) = proves.min_by_key(|(_, child)| costs[child]) {
                        found.choices.insert(node.state.clone(), nth);
                        stack.push(child);
                    }
                }
                Stage::Expanded => stack.extend(&node.children),
            }
        }
        Some(found)
    }

    /// What the proof of every position with the root's verdict costs.
    fn costs(
        &self,
        verdict: Verdict,
        chooses: Gate,
        cost: &dyn Fn(&ErasedState) -> u64,
    ) -> HashMap<usize, u64> {
        let mut costs = HashMap::new();
        // A position is met twice: to enter those below it, and when they are known.
        let mut stack = vec![(0, false)];
        while let Some((number, below)) = stack.pop() {
            let node = &self.nodes[number];
            if costs.contains_key(&number) {
                continue;
            }
            let kids = || node.children.iter().filter(|&&child| self.nodes[child].verdict == verdict);
            let known = match node.stage {
                Stage::New | Stage::Out => 0,
                Stage::Tried => cost(&node.state),
                Stage::Expanded if !below => {
                    stack.push((number, true));
                    stack.extend(kids().map(|&child| (child, false)));
                    continue;
                }
                Stage::Expanded if node.gate == chooses => {
                    kids().map(|child| costs[child]).min().unwrap_or(0)
                }
                Stage::Expanded => kids().map(|child| costs[child]).fold(1, u64::saturating_add),
            };
            costs.insert(number, known);
        }
        costs
    }
}
