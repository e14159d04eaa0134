//! Selection: UCT with score bounds and a bias by proof numbers (paper 5, formula (2)).

use super::proof::{self, Formula};
use super::tree::SideStats;
use super::{FirstVisits, Mcts, SelectionTies, Solving};
use crate::arena::NodeId;
use delphic_game::Rng;

impl Mcts<'_> {
    /// The child to descend to.
    pub(super) fn select(&mut self, id: NodeId, mover: usize, entry: usize, floor: i16) -> NodeId {
        let node = &self.tree.nodes[id];
        let (first, next) = (node.first, usize::from(node.tried));
        let unvisited = usize::from(node.width - node.tried);
        let at_once = self.settings.first_visits == FirstVisits::AtOnce;
        if unvisited > 0 && at_once {
            self.tree.nodes[id].tried += 1;
            return first.sibling(next);
        }
        let mut weight = 0.0;
        if let Some(bias) = self.settings.bias {
            weight = bias.weight as f32;
            if node.stale && weight > 0.0 {
                self.refresh_biases(bias.formula, id, entry, unvisited);
            }
        }
        let node = &self.tree.nodes[id];
        let parent = *self.tree.side(id, mover);
        let log = (node.visits.max(1) as f32).ln();
        let c = self.settings.exploration as f32;
        let last = match self.settings.ties {
            SelectionTies::First => Some(false),
            SelectionTies::Last => Some(true),
            SelectionTies::Split => Some(mover == 0),
            SelectionTies::Random => None,
        };
        let (mut best, mut highest, mut ties) = (None, f32::NEG_INFINITY, 1);
        let mut consider = |nth: usize, number: u16, value: f32, rng: &mut Rng| {
            if value > highest {
                (best, highest, ties) = (Some((nth, number)), value, 1);
            } else if value == highest {
                ties += 1;
                let replace = match (last, best) {
                    (Some(last), Some((_, other))) => (number > other) == last,
                    _ => rng.below(ties) == 0,
                };
                if replace {
                    best = Some((nth, number));
                }
            }
        };
        if unvisited > 0 {
            // As if visited once with the mean of the parent, which includes a virtual loss while the parent is on the path.
            let value = match node.visits {
                0 => 0.0,
                visits => (parent.mean * visits as f32 - 1.0) / (visits + 1) as f32,
            };
            let kid = &self.tree.nodes[first.sibling(next)];
            consider(next, kid.number, value + c * log.sqrt() + weight * kid.bias, &mut self.rng);
        }
        let (kids, sides) = self.tree.tried(id);
        let count = self.sides.count;
        for (nth, kid) in kids.iter().enumerate() {
            let Some(value) = self.worth(&parent, &sides[nth * count..][..count], mover, floor) else {
                continue;
            };
            let value = value + c * (log / kid.visits as f32).sqrt() + weight * kid.bias;
            consider(nth, kid.number, value, &mut self.rng);
        }
        let chosen = best.map(|(nth, _)| nth).unwrap_or_else(|| self.anywhere(id, mover));
        if chosen == next && unvisited > 0 {
            self.tree.nodes[id].tried += 1;
        }
        first.sibling(chosen)
    }

    /// The selection value of a visited child for the player to move, `None` if it must not be selected.
    #[inline]
    fn worth(&self, parent: &SideStats, kid: &[SideStats], mover: usize, floor: i16) -> Option<f32> {
        let SideStats { mean, lo, hi, .. } = kid[mover];
        let value = |payoff| self.sides.value(payoff, mover);
        match self.settings.solving {
            Solving::Off => Some(mean),
            Solving::Skip | Solving::Bounds => {
                let open = kid.iter().any(|side| side.lo < side.hi);
                let within = self.settings.solving == Solving::Bounds;
                let worth = || if within { mean.clamp(value(lo), value(hi)) } else { mean };
                (open && hi > floor).then(worth)
            }
            Solving::Ludii if hi <= parent.lo && parent.hi > lo => Some(-10_000.0),
            Solving::Ludii if lo == hi => Some(value(lo)),
            Solving::Ludii if self.settings.bias.is_some() => Some(mean.clamp(value(lo), value(hi))),
            Solving::Ludii => Some(mean),
        }
    }

    /// With more than two sides a node can be open although its player to move has nothing to gain: an open child, or else a best one.
    fn anywhere(&mut self, id: NodeId, mover: usize) -> usize {
        let (kids, sides) = self.tree.tried(id);
        let sides = sides.chunks_exact(self.sides.count);
        let open = |kid: &[SideStats]| kid.iter().any(|side| side.lo < side.hi);
        let best = sides.clone().map(|kid| (open(kid), kid[mover].lo)).max();
        let fitting = |kid: &[SideStats]| Some((open(kid), kid[mover].lo)) == best;
        let nth = self.rng.below(sides.clone().filter(|kid| fitting(kid)).count().max(1));
        sides.enumerate().filter(|(_, kid)| fitting(kid)).nth(nth).map_or(kids.len() - 1, |(place, _)| place)
    }

    fn refresh_biases(&mut self, formula: Formula, id: NodeId, entry: usize, unvisited: usize) {
        let first = self.tree.nodes[id].first;
        let (_, sides) = self.tree.tried(id);
        self.proof_numbers.clear();
        self.proof_numbers.extend(sides.iter().skip(entry).step_by(self.sides.count).map(|side| side.pn));
        if unvisited > 0 {
            self.proof_numbers.push(1);
        }
        let by_width = self.settings.first_visits == FirstVisits::ByParent;
        let nodes = &mut self.tree.nodes;
        proof::biases(
            formula,
            &self.proof_numbers,
            unvisited.max(1),
            by_width,
            &mut self.sorted,
            |nth, bias| {
                nodes[first.sibling(nth)].bias = bias;
            },
        );
        nodes[id].stale = false;
    }
}
