//! Checkpoints of Monte-Carlo tree search: the random generator, and the tree from the root with children in their random order.
//!
//! The table of bounds is not written: it is rebuilt from the expanded nodes.

use super::Mcts;
use super::tree::{Node, SideStats};
use crate::arena::{NodeId, ROOT};
use crate::checkpoint::{Encode, mismatch, too_large};
use delphic_game::{Bounds, Player, Rng};
use std::io::{self, Read, Write};

impl Mcts<'_> {
    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.rng.place().put(out)?;
        self.save_node(ROOT, out)?;
        let mut stack = vec![ROOT];
        while let Some(id) = stack.pop() {
            let Node { first, width, tried, .. } = self.tree.nodes[id];
            for child in (0..width.into()).map(|nth| first.sibling(nth)) {
                self.tree.nodes[child].number.put(out)?;
                self.save_node(child, out)?;
            }
            let tried = (0..tried.into()).map(|nth| first.sibling(nth));
            stack.extend(tried.filter(|&child| self.tree.nodes[child].width > 0));
        }
        Ok(())
    }

    fn save_node(&self, id: NodeId, out: &mut dyn Write) -> io::Result<()> {
        let node = &self.tree.nodes[id];
        let mover = node.mover().map(|player| player.index() as u8);
        ((node.visits, node.bias), (node.width, node.tried)).put(out)?;
        (mover, node.stale).put(out)?;
        for side in 0..self.sides.count {
            let SideStats { mean, lo, hi, pn } = *self.tree.side(id, side);
            ((mean, pn), (lo, hi)).put(out)?;
        }
        Ok(())
    }

    /// Rebuilds the tree within this many bytes.
    pub(super) fn load(&mut self, memory: Option<u64>, from: &mut dyn Read) -> io::Result<()> {
        self.rng = Rng::at(Encode::get(from)?);
        let mut width = self.load_node(ROOT, from)?;
        let mut path: Vec<NodeId> = Vec::new();
        // Nodes to be expanded, with their plies and numbers of children.
        let mut stack = Vec::new();
        if width.0 > 0 {
            stack.push((ROOT, 0, width));
        }
        while let Some((id, ply, (children, tried))) = stack.pop() {
            if ply > 0 {
                path.truncate(ply - 1);
                path.push(id);
            }
            self.game.start();
            self.game.follow(&path);
            if self.game.outcome().is_some() {
                return Err(mismatch("a terminal position has moves"));
            }
            if self.game.count_moves() != usize::from(children) {
                return Err(mismatch("the moves are not those of the position"));
            }
            let first = self.tree.add(&vec![0; children.into()], &self.blank);
            let node = &mut self.tree.nodes[id];
            (node.first, node.width, node.tried) = (first, children, tried);
            let mut open = Vec::new();
            self.move_numbers.clear();
            for nth in 0..usize::from(children) {
                let child = first.sibling(nth);
                self.tree.nodes[child].number = u16::get(from)?;
                self.move_numbers.push(self.tree.nodes[child].number);
                width = self.load_node(child, from)?;
                open.extend((nth < tried.into() && width.0 > 0).then_some((child, ply + 1, width)));
            }
            if !self.game.expand_in_order(&self.move_numbers) {
                return Err(mismatch("the moves are not those of the position"));
            }
            self.check_ends(&path, first, tried.into())?;
            if self.solves() {
                self.restore_bounds(id, &path);
            }
            stack.extend(open);
            if memory.is_some_and(|limit| self.bytes() > limit) {
                return Err(too_large());
            }
        }
        Ok(())
    }

    /// Reads a node; returns the number of its children, and of those that were visited. They are added when it is expanded.
    fn load_node(&mut self, id: NodeId, from: &mut dyn Read) -> io::Result<(u16, u16)> {
        let ((visits, bias), (width, tried)) = <((u32, f32), (u16, u16))>::get(from)?;
        let (mover, stale) = <(Option<u8>, bool)>::get(from)?;
        let players = self.game.players();
        if tried > width || mover.is_some_and(|player| usize::from(player) >= players) {
            return Err(mismatch("an impossible node"));
        }
        if mover.is_none() && width > 0 {
            return Err(mismatch("a terminal position has moves"));
        }
        let node = &mut self.tree.nodes[id];
        (node.visits, node.bias, node.stale) = (visits, bias, stale);
        node.set_mover(mover.map(|player| Player::new(player.into())));
        for side in 0..self.sides.count {
            let ((mean, pn), (lo, hi)) = <((f32, u32), (i16, i16))>::get(from)?;
            let range = self.sides.range(side);
            if !(-1.0..=1.0).contains(&mean) || lo > hi || lo < range.lo || hi > range.hi {
                return Err(mismatch("impossible values"));
            }
            *self.tree.side_mut(id, side) = SideStats { mean, lo, hi, pn };
        }
        Ok((width, tried))
    }

    /// Checks that visited children are terminal exactly where the rules say so.
    fn check_ends(&mut self, path: &[NodeId], first: NodeId, tried: usize) -> io::Result<()> {
        for child in (0..tried).map(|nth| first.sibling(nth)) {
            self.game.start();
            self.game.follow(path);
            self.game.follow(&[child]);
            let over = self.game.outcome().is_some();
            let node = &self.tree.nodes[child];
            let turn_fits = over || node.mover() == Some(self.game.turn());
            if over != node.is_over() || !turn_fits {
                return Err(mismatch("a position contradicts the rules"));
            }
        }
        Ok(())
    }

    /// Stores the bounds of the expanded node at the end of `path`.
    fn restore_bounds(&mut self, id: NodeId, path: &[NodeId]) {
        let mut known = [Bounds { lo: i16::MIN, hi: i16::MAX }; Player::MAX];
        let mut bounded = false;
        for (side, bounds) in known.iter_mut().enumerate().take(self.sides.count) {
            let SideStats { lo, hi, .. } = *self.tree.side(id, side);
            *bounds = Bounds { lo, hi };
            bounded |= *bounds != self.sides.range(side);
        }
        if bounded {
            self.game.store(path, known);
        }
    }
}
