//! Going down: UCT with what is certain and what is nearly proved (paper 5, formula (2)).

use super::proof::{self, Formula};
use super::tree::Seat;
use super::{FirstVisits, Mcts, Solving};
use crate::arena::NodeId;
use delphic_game::{Hints, Progressive, Rng};

impl<G: Progressive + Hints> Mcts<'_, G> {
    /// The child to go to.
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
        let seat = *self.tree.seat(id, mover);
        let log = (node.visits.max(1) as f32).ln();
        let c = self.settings.exploration as f32;
        let (mut best, mut highest, mut ties) = (None, f32::NEG_INFINITY, 1);
        let mut consider = |nth: usize, value: f32, rng: &mut Rng| {
            if value > highest {
                (best, highest, ties) = (Some(nth), value, 1);
            } else if value == highest {
                ties += 1;
                if rng.below(ties) == 0 {
                    best = Some(nth);
                }
            }
        };
        if unvisited > 0 {
            // As if visited once, with the value of the parent, which counts as lost once more while it is on the path.
            let value = match node.visits {
                0 => 0.0,
                visits => (seat.mean * visits as f32 - 1.0) / (visits + 1) as f32,
            };
            consider(
                next,
                value + c * log.sqrt() + weight * self.tree.nodes[first.sibling(next)].bias,
                &mut self.rng,
            );
        }
        let (kids, seats) = self.tree.tried(id);
        let sides = self.stakes.sides;
        for (nth, kid) in kids.iter().enumerate() {
            let Some(value) = self.worth(&seat, &seats[nth * sides..][..sides], mover, floor) else {
                continue;
            };
            let value = value + c * (log / kid.visits as f32).sqrt() + weight * kid.bias;
            consider(nth, value, &mut self.rng);
        }
        let chosen = best.unwrap_or_else(|| self.anywhere(id, mover));
        if chosen == next && unvisited > 0 {
            self.tree.nodes[id].tried += 1;
        }
        first.sibling(chosen)
    }

    /// What a visited child is worth to the mover, `None` if it is no way on.
    #[inline]
    fn worth(&self, parent: &Seat, kid: &[Seat], mover: usize, floor: i16) -> Option<f32> {
        let Seat { mean, lo, hi, .. } = kid[mover];
        let value = |payoff| self.stakes.value(payoff, mover);
        match self.settings.solving {
            Solving::Off => Some(mean),
            Solving::Skip | Solving::Bounds => {
                let open = kid.iter().any(|seat| seat.lo < seat.hi);
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

    /// With more than two sides a node can be open though its mover has nothing to gain: an open child, or else one of the best.
    fn anywhere(&mut self, id: NodeId, mover: usize) -> usize {
        let (kids, seats) = self.tree.tried(id);
        let seats = seats.chunks_exact(self.stakes.sides);
        let open = |kid: &[Seat]| kid.iter().any(|seat| seat.lo < seat.hi);
        let best = seats.clone().map(|kid| (open(kid), kid[mover].lo)).max();
        let fitting = |kid: &[Seat]| Some((open(kid), kid[mover].lo)) == best;
        let nth = self.rng.below(seats.clone().filter(|kid| fitting(kid)).count().max(1));
        seats.enumerate().filter(|(_, kid)| fitting(kid)).nth(nth).map_or(kids.len() - 1, |(place, _)| place)
    }

    fn refresh_biases(&mut self, formula: Formula, id: NodeId, entry: usize, unvisited: usize) {
        let first = self.tree.nodes[id].first;
        let (_, seats) = self.tree.tried(id);
        self.numbers.clear();
        self.numbers.extend(seats.iter().skip(entry).step_by(self.stakes.sides).map(|seat| seat.pn));
        if unvisited > 0 {
            self.numbers.push(1);
        }
        let by_width = self.settings.first_visits == FirstVisits::ByParent;
        let nodes = &mut self.tree.nodes;
        proof::biases(formula, &self.numbers, unvisited.max(1), by_width, &mut self.sorted, |nth, bias| {
            nodes[first.sibling(nth)].bias = bias;
        });
        nodes[id].stale = false;
    }
}
