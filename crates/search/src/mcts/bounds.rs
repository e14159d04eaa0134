//! Score bounds per side (Cazenave and Saffidine 2010; paper 5, §3.4): what the children's say about their parent's.

use super::stakes::Stakes;
use super::tree::Seat;
use delphic_game::{Bounds, Player};

/// What a search makes of payoffs that are certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solving {
    /// Nothing.
    Off,
    /// What is solved or can make no difference is not searched again; values are plain means.
    Skip,
    /// The same, and values stay within what is certain.
    Bounds,
    /// Bounds as in Ludii 1.3.14: each side's for itself, so that a win of one side is no loss of the other until all replies were visited,
    /// and draws are noticed late.
    Ludii,
}

/// One entry per side; those behind the last side mean nothing.
pub(super) type Everyone<T> = [T; Player::MAX];

/// The bounds of a node where `mover` chooses. Children that were never visited have the full range.
pub(super) fn combine(
    stakes: &Stakes,
    solving: Solving,
    mover: usize,
    kids: &[Seat],
    unvisited: bool,
) -> Everyone<Bounds> {
    let sides = stakes.sides;
    let mut node = [Bounds { lo: 0, hi: 0 }; Player::MAX];
    match solving {
        Solving::Ludii => (0..sides).for_each(|side| {
            let mut own = highest(kids, sides, side);
            if side != mover {
                own.lo = kids.iter().skip(side).step_by(sides).map(|kid| kid.lo).min().unwrap_or(own.lo);
            }
            node[side] = own;
            if unvisited {
                let Bounds { lo, hi } = stakes.range(side);
                node[side] = Bounds { lo: if side == mover { own.lo.max(lo) } else { lo }, hi };
            }
        }),
        _ if stakes.zero_sum() => {
            let mut own = highest(kids, sides, mover);
            if unvisited {
                let Bounds { lo, hi } = stakes.range(mover);
                own = Bounds { lo: own.lo.max(lo), hi };
            }
            node[mover] = own;
            node[1 - mover] = Bounds { lo: -own.hi, hi: -own.lo };
        }
        _ => many(stakes, mover, kids, unvisited, &mut node),
    }
    node
}

/// More than two sides, all playing for themselves (max^n): the mover goes nowhere where he gets less than is certain elsewhere, and as soon as
/// the best of all is certain he takes it.
fn many(stakes: &Stakes, mover: usize, kids: &[Seat], unvisited: bool, node: &mut Everyone<Bounds>) {
    let (sides, best) = (stakes.sides, stakes.range(mover).hi);
    let Bounds { lo, hi } = highest(kids, sides, mover);
    let taken = kids.chunks_exact(sides).find(|kid| kid[mover].lo == best);
    for (side, bounds) in node.iter_mut().enumerate().take(sides) {
        *bounds = match taken {
            Some(kid) => Bounds { lo: kid[side].lo, hi: kid[side].hi },
            None if unvisited => stakes.range(side),
            None if side == mover => Bounds { lo, hi },
            None => {
                let possible = || kids.chunks_exact(sides).filter(|kid| kid[mover].hi >= lo);
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
fn highest(kids: &[Seat], sides: usize, side: usize) -> Bounds {
    let mut most = Bounds { lo: i16::MIN, hi: i16::MIN };
    for kid in kids.iter().skip(side).step_by(sides) {
        most = Bounds { lo: most.lo.max(kid.lo), hi: most.hi.max(kid.hi) };
    }
    most
}
