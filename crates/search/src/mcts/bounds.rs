//! Score bounds per side (Cazenave and Saffidine 2010; paper 5, §3.4): the bounds of a node from those of its children.

use super::sides::Sides;
use super::tree::SideStats;
use crate::boundary::PerSide;
use delphic_game::{Bounds, Player};

/// How score bounds are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solving {
    /// Not at all.
    Off,
    /// Solved and irrelevant nodes are not searched again; values are plain means.
    Skip,
    /// The same, and values are clipped to the bounds.
    Bounds,
    /// Bounds as in Ludii 1.3.14: each side's bounds are independent, so that a win of one side is a loss of the other only after all replies
    /// were visited, and draws are found late.
    Ludii,
}

/// The bounds of a node where `mover` chooses. Unvisited children have the full range.
pub(super) fn combine(
    sides: &Sides,
    solving: Solving,
    mover: usize,
    kids: &[SideStats],
    unvisited: bool,
) -> PerSide<Bounds> {
    let count = sides.count;
    let mut node = [Bounds { lo: 0, hi: 0 }; Player::MAX];
    match solving {
        Solving::Ludii => (0..count).for_each(|side| {
            let mut own = highest(kids, count, side);
            if side != mover {
                own.lo = kids.iter().skip(side).step_by(count).map(|kid| kid.lo).min().unwrap_or(own.lo);
            }
            node[side] = own;
            if unvisited {
                let Bounds { lo, hi } = sides.range(side);
                node[side] = Bounds { lo: if side == mover { own.lo.max(lo) } else { lo }, hi };
            }
        }),
        _ if sides.zero_sum() => {
            let mut own = highest(kids, count, mover);
            if unvisited {
                let Bounds { lo, hi } = sides.range(mover);
                own = Bounds { lo: own.lo.max(lo), hi };
            }
            node[mover] = own;
            node[1 - mover] = Bounds { lo: -own.hi, hi: -own.lo };
        }
        _ => many(sides, mover, kids, unvisited, &mut node),
    }
    node
}

/// More than two sides (max^n): the player to move avoids moves that give less than another move guarantees, and takes the best payoff as
/// soon as it is proved.
fn many(sides: &Sides, mover: usize, kids: &[SideStats], unvisited: bool, node: &mut PerSide<Bounds>) {
    let (count, best) = (sides.count, sides.range(mover).hi);
    let Bounds { lo, hi } = highest(kids, count, mover);
    let taken = kids.chunks_exact(count).find(|kid| kid[mover].lo == best);
    for (side, bounds) in node.iter_mut().enumerate().take(count) {
        *bounds = match taken {
            Some(kid) => Bounds { lo: kid[side].lo, hi: kid[side].hi },
            None if unvisited => sides.range(side),
            None if side == mover => Bounds { lo, hi },
            None => {
                let possible = || kids.chunks_exact(count).filter(|kid| kid[mover].hi >= lo);
                let least = possible().map(|kid| kid[side].lo).min().unwrap_or(lo);
                let most = possible().map(|kid| kid[side].hi).max().unwrap_or(hi);
                Bounds { lo: least, hi: most }
            }
        };
    }
    if unvisited && taken.is_none() {
        node[mover].lo = node[mover].lo.max(lo);
    }
}

/// The highest bounds of a side among children.
fn highest(kids: &[SideStats], count: usize, side: usize) -> Bounds {
    let mut most = Bounds { lo: i16::MIN, hi: i16::MIN };
    for kid in kids.iter().skip(side).step_by(count) {
        most = Bounds { lo: most.lo.max(kid.lo), hi: most.hi.max(kid.hi) };
    }
    most
}
