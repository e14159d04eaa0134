//! Checkpoints of the tree: its nodes from the root down, siblings in the order of moves.

use super::{Node, Search};
use crate::Prior;
use crate::arena::ROOT;
use crate::checkpoint::{Field, Record, too_large};
use crate::rule::{Evidence, Rule};
use delphic_game::problem::{Role, Truth};
use delphic_game::{Logic, Problem};
use std::io::{self, Read, Write};

impl<P, R, L> Search<'_, P, R, L>
where
    P: Problem,
    R: Rule<Role = Role<P>>,
    L: Prior<P>,
    Truth<P>: Field,
{
    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let logic = self.problem.logic();
        let grown = self.tree[ROOT].width > 0;
        self.prior.save(out)?;
        grown.put(out)?;
        let mut waiting = if grown { vec![ROOT] } else { Vec::new() };
        while let Some(id) = waiting.pop() {
            let node = &self.tree[id];
            for (nth, kid) in self.tree.block(node.first, node.width.into()).iter().enumerate() {
                Record::of(logic, kid.width, kid.truth, kid.info).put(out)?;
                if kid.width > 0 {
                    waiting.push(node.first.sibling(nth));
                }
            }
        }
        Ok(())
    }

    /// Grows the tree as it is told, within so many bytes.
    pub(super) fn load(&mut self, memory: Option<u64>, from: &mut dyn Read) -> io::Result<()> {
        let (problem, logic) = (self.problem, self.problem.logic());
        self.prior.load(from)?;
        let mut waiting = if bool::get(from)? { vec![(ROOT, problem.root())] } else { Vec::new() };
        let mut expanded = Vec::new();
        while let Some((id, state)) = waiting.pop() {
            let role = problem.role(&state);
            expanded.push((id, role));
            self.moves.clear();
            problem.moves(&state, &mut self.moves);
            let first = self.tree.open_block(self.moves.len());
            for (nth, &mv) in self.moves.iter().enumerate() {
                let child = problem.child(&state, mv);
                let look = problem.look(&child, &mut self.scratch);
                let (truth, info) = match Record::get(logic, look, self.second.is_some(), from)? {
                    Record::Leaf(truth, info) => (truth, info),
                    Record::Expanded => {
                        waiting.push((first.sibling(nth), child));
                        (logic.open(), None)
                    }
                };
                let info = info.unwrap_or_else(|| self.rule.leaf(role, Evidence::None));
                self.tree.push(Node { info, first: ROOT, width: 0, best: 0, mv, truth });
            }
            (self.tree[id].first, self.tree[id].width) = (first, self.moves.len() as u16);
            if memory.is_some_and(|limit| self.bytes() > limit) {
                return Err(too_large());
            }
        }
        // Parents were met before their children.
        for (id, role) in expanded.into_iter().rev() {
            self.update(id, role, &mut true);
        }
        Ok(())
    }
}
