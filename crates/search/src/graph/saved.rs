//! Checkpoints of the graph: a walk from the root in the order of moves that writes every node where it is first met.

use super::Search;
use crate::arena::ROOT;
use crate::boundary::Link;
use crate::checkpoint::{Encode, Record, too_large};
use crate::rule::{Evidence, Rule};
use std::io::{self, Read, Write};

impl<R: Rule> Search<'_, R> {
    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let graph = &self.graph;
        let grown = graph.nodes[ROOT].width > 0;
        self.game.save_prior(out)?;
        grown.put(out)?;
        let mut stack = if grown { vec![ROOT] } else { Vec::new() };
        let mut met = vec![false; graph.nodes.len()];
        while let Some(id) = stack.pop() {
            let node = &graph.nodes[id];
            for edge in graph.edges.block(node.first, node.width.into()) {
                if !std::mem::replace(&mut met[edge.child.index()], true) {
                    let kid = &graph.nodes[edge.child];
                    Record::of(kid.width, kid.verdict, kid.info).put(out)?;
                    if kid.width > 0 {
                        stack.push(edge.child);
                    }
                }
            }
        }
        Ok(())
    }

    /// Grows the graph again within this many bytes.
    pub(super) fn load(&mut self, memory: Option<u64>, from: &mut dyn Read) -> io::Result<()> {
        self.game.load_prior(from)?;
        let mut stack = if bool::get(from)? { vec![ROOT] } else { Vec::new() };
        let mut expanded = Vec::new();
        while let Some(id) = stack.pop() {
            expanded.push(id);
            self.game.expand(id, &mut self.children);
            let first = self.graph.edges.open_block(self.children.len());
            for (nth, &Link { child, new }) in self.children.iter().enumerate() {
                if let Some(status) = new {
                    self.graph.add(self.rule.leaf(status.gate(), Evidence::None), status);
                    match Record::get(status, false, from)? {
                        Record::Leaf(_, info) => {
                            let node = &mut self.graph.nodes[child];
                            node.info = info.unwrap_or(node.info);
                        }
                        Record::Expanded => stack.push(child),
                    }
                }
                self.graph.link(id, child, first.sibling(nth));
            }
            let node = &mut self.graph.nodes[id];
            (node.first, node.width) = (first, self.children.len() as u16);
            if memory.is_some_and(|limit| self.bytes() > limit) {
                return Err(too_large());
            }
        }
        // Most parents were met before their children; the others are updated twice.
        expanded.into_iter().rev().for_each(|id| self.graph.enqueue(id));
        while !self.graph.queue.is_empty() {
            self.graph.back_up(self.rule);
        }
        Ok(())
    }
}
