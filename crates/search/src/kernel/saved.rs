//! Checkpoints of the tree: its nodes from the root down, siblings in the order of moves.
//!
//! Values of inner nodes are saved too: those computed from the children again may differ in the last bit, because a rule that keeps what
//! siblings come to adds them up in another order.

use super::{Node, Search};
use crate::arena::{NONE, NodeId, ROOT};
use crate::checkpoint::{Encode, Record, too_large};
use crate::rule::{Evidence, Rule};
use delphic_game::Verdict;
use std::io::{self, Read, Write};

impl<R: Rule> Search<'_, R> {
    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let nodes = &self.tree.nodes;
        let grown = nodes[ROOT].width > 0;
        self.game.save_prior(out)?;
        grown.put(out)?;
        nodes[ROOT].info.put(out)?;
        let mut stack = if grown { vec![ROOT] } else { Vec::new() };
        while let Some(id) = stack.pop() {
            let node = &nodes[id];
            for (nth, kid) in nodes.block(node.first, node.width.into()).iter().enumerate() {
                Record::of(kid.width, kid.verdict, kid.info).put(out)?;
                if kid.width > 0 {
                    kid.info.put(out)?;
                    stack.push(node.first.sibling(nth));
                }
            }
        }
        Ok(())
    }

    /// Grows the tree again within this many bytes.
    pub(super) fn load(&mut self, memory: Option<u64>, from: &mut dyn Read) -> io::Result<()> {
        self.game.load_prior(from)?;
        // Nodes to be expanded, with their plies. The next one is always a child of a node on the path to the last one.
        let mut stack: Vec<(NodeId, usize)> = if bool::get(from)? { vec![(ROOT, 0)] } else { Vec::new() };
        self.tree.nodes[ROOT].info = R::Info::get(from)?;
        let (mut expanded, mut ply) = (Vec::new(), 0);
        while let Some((id, at)) = stack.pop() {
            expanded.push(id);
            match at {
                0 => self.game.expand(0, &[], &mut self.children),
                _ => self.game.expand((at - 1).min(ply), &[id], &mut self.children),
            };
            ply = at;
            let first = self.tree.nodes.open_block(self.children.len());
            for nth in 0..self.children.len() {
                let (status, _) = self.children[nth];
                let record = Record::get(status, self.two_level, from)?;
                let mut node = Node::new(self.rule.leaf(status.gate(), Evidence::None), status);
                match record {
                    Record::Leaf(verdict, info) => {
                        node.info = info.unwrap_or(node.info);
                        node.settle::<R>(verdict);
                    }
                    Record::Expanded => {
                        node.info = R::Info::get(from)?;
                        stack.push((first.sibling(nth), at + 1));
                    }
                }
                self.tree.nodes.push(node);
            }
            let node = &mut self.tree.nodes[id];
            (node.first, node.width) = (first, self.children.len() as u16);
            if memory.is_some_and(|limit| self.bytes() > limit) {
                return Err(too_large());
            }
        }
        // Parents were met before their children. Each in turn is the current node, for its verdict and its best child.
        for id in expanded.into_iter().rev() {
            let Node { info, verdict, .. } = self.tree.nodes[id];
            debug_assert!(verdict == Verdict::Open);
            self.tree.path[0] = id;
            self.tree.update(self.rule, NONE, &mut true);
            let node = &mut self.tree.nodes[id];
            if node.verdict == Verdict::Open {
                node.info = info;
            }
        }
        self.tree.path[0] = ROOT;
        Ok(())
    }
}
