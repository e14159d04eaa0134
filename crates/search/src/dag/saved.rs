//! Checkpoints of the graph: a walk from the root in the order of moves that tells every node where it is first met.

use super::Search;
use crate::Prior;
use crate::arena::ROOT;
use crate::checkpoint::{Field, Record, too_large};
use crate::rule::{Evidence, Rule};
use delphic_game::problem::{Role, Truth};
use delphic_game::{Logic, Memorable};
use std::io::{self, Read, Write};

impl<P, R, L> Search<'_, P, R, L>
where
    P: Memorable,
    R: Rule<Role = Role<P>>,
    L: Prior<P>,
    Truth<P>: Field,
{
    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let logic = self.problem.logic();
        let grown = self.nodes[ROOT].width > 0;
        self.prior.save(out)?;
        grown.put(out)?;
        let mut waiting = if grown { vec![ROOT] } else { Vec::new() };
        let mut met = vec![false; self.nodes.len()];
        while let Some(id) = waiting.pop() {
            let node = &self.nodes[id];
            for edge in self.edges.block(node.first, node.width.into()) {
                if !std::mem::replace(&mut met[edge.child.index()], true) {
                    let kid = &self.nodes[edge.child];
                    Record::of(logic, kid.width, kid.truth, kid.info).put(out)?;
                    if kid.width > 0 {
                        waiting.push(edge.child);
                    }
                }
            }
        }
        Ok(())
    }

    /// Grows the graph as it is told, within so many bytes.
    pub(super) fn load(&mut self, memory: Option<u64>, from: &mut dyn Read) -> io::Result<()> {
        let (problem, logic) = (self.problem, self.problem.logic());
        self.prior.load(from)?;
        let mut waiting = if bool::get(from)? { vec![ROOT] } else { Vec::new() };
        let mut expanded = Vec::new();
        while let Some(id) = waiting.pop() {
            expanded.push(id);
            let state = self.nodes[id].state.clone();
            let role = problem.role(&state);
            self.moves.clear();
            problem.moves(&state, &mut self.moves);
            let first = self.edges.open_block(self.moves.len());
            for nth in 0..self.moves.len() {
                let child = self.symmetry.form(problem, problem.child(&state, self.moves[nth]));
                let known = self.index.find(problem.key(&child), |id| self.nodes[id].state == child);
                let child = match known {
                    Some(id) => id,
                    None => {
                        let look = problem.look(&child, &mut self.scratch);
                        let (truth, info, grown) = match Record::get(logic, look, false, from)? {
                            Record::Leaf(truth, info) => (truth, info, false),
                            Record::Expanded => (logic.open(), None, true),
                        };
                        let info = info.unwrap_or_else(|| self.rule.leaf(role, Evidence::None));
                        let id = self.add(child, info, truth);
                        waiting.extend(grown.then_some(id));
                        id
                    }
                };
                self.link(id, child, first.sibling(nth));
            }
            (self.nodes[id].first, self.nodes[id].width) = (first, self.moves.len() as u16);
            if memory.is_some_and(|limit| self.bytes() > limit) {
                return Err(too_large());
            }
        }
        // Most parents were met before their children; the others are updated twice.
        expanded.into_iter().rev().for_each(|id| self.enqueue(id));
        while !self.queue.is_empty() {
            self.back_up();
        }
        Ok(())
    }
}
