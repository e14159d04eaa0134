//! NoGo as a disjunctive sum.
//!
//! A point that is illegal for a player stays illegal: the chain that would be captured has no other liberty at which to grow, and a stone
//! without a liberty would need a neighbour that grows at this same point. A point that is illegal for both players is *dead*. It stays a
//! liberty of every adjacent chain, so these chains are *safe* and can be removed, except that a stone of their colour next to them needs no
//! other liberty. The rest splits into parts whose points are neither adjacent nor liberties of a common chain.
//!
//! A part is determined by a graph: which open points are adjacent, and the liberties of each chain. The places of its stones do not matter,
//! so that many parts become equal.

use super::board::{Board, Liberties};
use super::{NoGo, State, Words};
use delphic_game::sums::Parts;
use delphic_game::{Player, bits::Bits, grid::Grid};

/// Open points of the largest part: sets of liberties have as many bits, and a set of such sets fits into a word.
const MOST: usize = 7;
/// Values are found for parts of at most this many open points, and of up to [`MOST`] in a single row, where parts are simpler. On 3x6
/// `alphabeta` creates 705,421 nodes without parts, 303,337 with parts of 3 points, 227,182 with 4 (1.8 s become 1.0), 170,210 with 5
/// and 119,826 with 6 (all of them without an evaluation); from 5 points on finding the values takes longer than it saves.
const SMALL: usize = 4;

/// A few open points, numbered from 0, and the chains beside them that are not safe. Points are bits of a byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Part {
    points: u8,
    /// The points next to each.
    around: [u8; MOST],
    /// For each player the liberties of every chain, as the numbers in a set.
    chains: [u128; 2],
    /// Points where a stone of a player is safe.
    safe: [u8; 2],
}

/// The points of `set` under the numbers that they have among `kept`.
fn renumbered(set: u8, kept: u8) -> u8 {
    let numbers = u128::from(kept).cells().enumerate();
    numbers.fold(0, |out, (number, point)| out | (set >> point & 1) << number)
}

/// The same for the liberties of chains; chains without any are dropped.
fn renumbered_chains(chains: u128, kept: u8) -> u128 {
    chains.cells().fold(0, |out, liberties| out | 1 << renumbered(liberties as u8, kept)) & !1
}

impl Part {
    /// All points next to those of a set.
    fn neighbours(&self, set: u8) -> u8 {
        u128::from(set).cells().fold(0, |out, point| out | self.around[point])
    }

    /// The part after a stone of a side, if that is legal; it may have dead points and fall apart.
    fn after(&self, side: usize, point: usize) -> Option<Part> {
        let at = 1u8 << point;
        let touches = |liberties: &usize| *liberties as u8 & at != 0;
        let joined = self.chains[side]
            .cells()
            .filter(touches)
            .fold(self.around[point], |all, chain| all | chain as u8);
        let (joined, is_safe) = (joined & !at, self.safe[side] & at != 0);
        if self.chains[1 - side].has(usize::from(at)) || (joined == 0 && !is_safe) {
            return None;
        }
        let mut after = *self;
        after.points &= !at;
        let apart = self.chains[side]
            .cells()
            .filter(|chain| !touches(chain))
            .fold(0, |set, chain| set | 1u128 << chain);
        if is_safe {
            after.chains[side] = apart;
            after.safe[side] |= joined;
        } else {
            after.chains[side] = apart | 1 << joined;
        }
        let theirs = self.chains[1 - side].cells().map(|chain| chain & !usize::from(at));
        after.chains[1 - side] = theirs.fold(0, |set, chain| set | 1 << chain);
        after.safe = after.safe.map(|set| set & !at);
        after.around = after.around.map(|set| set & !at);
        Some(after)
    }

    /// The part without dead points and safe chains.
    fn settled(mut self) -> Part {
        let several = self.chains.map(|chains| {
            let chains = chains.cells().filter(|chain| !chain.is_power_of_two());
            chains.fold(0, |set, chain| set | chain as u8)
        });
        let single = self.chains.map(|chains| {
            let chains = chains.cells().filter(|chain| chain.is_power_of_two());
            chains.fold(0, |set, chain| set | chain as u8)
        });
        let beside = self.neighbours(self.points);
        let legal =
            [0, 1].map(|side| self.points & (beside | self.safe[side] | several[side]) & !single[1 - side]);
        let dead = self.points & !(legal[0] | legal[1]);
        self.points &= !dead;
        for side in [0, 1] {
            self.safe[side] |= self.neighbours(dead);
            for chain in self.chains[side].cells().filter(|chain| *chain as u8 & dead != 0) {
                self.chains[side] &= !(1 << chain);
                self.safe[side] |= chain as u8;
            }
            self.safe[side] &= legal[side];
        }
        self
    }

    /// Appends the parts into which a settled part falls.
    fn split(&self, list: &mut Vec<Part>) {
        let mut rest = self.points;
        while rest != 0 {
            let mut points = rest & rest.wrapping_neg();
            loop {
                let mut grown = points | (self.neighbours(points) & self.points);
                for chain in self.chains.iter().flat_map(|chains| chains.cells()) {
                    grown |= if chain as u8 & points != 0 { chain as u8 } else { 0 };
                }
                if grown == points {
                    break;
                }
                points = grown;
            }
            rest &= !points;
            let mut part = Part {
                points: renumbered(points, points),
                chains: self.chains.map(|chains| {
                    let ours = chains.cells().filter(|chain| *chain as u8 & points != 0);
                    renumbered_chains(ours.fold(0, |set, chain| set | 1 << chain), points)
                }),
                safe: self.safe.map(|set| renumbered(set, points)),
                ..Part::default()
            };
            for (number, point) in u128::from(points).cells().enumerate() {
                part.around[number] = renumbered(self.around[point], points);
            }
            list.push(part);
        }
    }
}

/// Open points of the largest part whose value is found.
pub(super) fn small(grid: Grid) -> usize {
    if grid.rows.min(grid.cols) == 1 { MOST } else { SMALL }
}

/// What is left of a board without dead points and safe chains.
struct Region<B> {
    open: B,
    stones: [B; 2],
    safe: [B; 2],
}

impl<B: Bits> Board<B> {
    fn region(&self, mut stones: [B; 2], liberties: &Liberties<B>) -> Region<B> {
        let legal = [0, 1].map(|side| liberties.legal(side));
        let open = legal[0] | legal[1];
        let by_dead = self.neighbours(liberties.empty & !open);
        let mut safe = [B::EMPTY; 2];
        for side in [0, 1] {
            let saved = self.chain(by_dead & stones[side], stones[side]);
            stones[side] = stones[side] & !saved;
            safe[side] = (by_dead | self.neighbours(saved)) & legal[side];
        }
        Region { open, stones, safe }
    }

    /// The part of some open points and the chains beside them.
    fn part(&self, region: &Region<B>, open: B, chains: [B; 2]) -> Part {
        let numbered = |set: B| {
            let numbers = open.cells().enumerate();
            numbers.fold(0, |out, (number, point)| out | u8::from(set.has(point)) << number)
        };
        let mut part = Part {
            points: numbered(open),
            safe: region.safe.map(numbered),
            chains: chains.map(|stones| {
                self.chains(stones, open).fold(0, |set, (_, liberties)| set | 1 << numbered(liberties))
            }),
            ..Part::default()
        };
        for (number, point) in open.cells().enumerate() {
            part.around[number] = numbered(self.around[point]);
        }
        part
    }

    /// Appends the parts of a position; false if one is too large.
    pub(super) fn parts(&self, stones: [B; 2], liberties: &Liberties<B>, list: &mut Vec<Part>) -> bool {
        // Boards with that many empty points hardly ever fall into small parts.
        if liberties.empty.count() > 3 * self.small {
            return false;
        }
        let region = self.region(stones, liberties);
        let mut rest = region.open;
        while !rest.is_empty() {
            let mut open = B::single(rest.first());
            let chains = loop {
                let chains = region.stones.map(|stones| self.chain(self.neighbours(open) & stones, stones));
                let grown = (open | self.neighbours(open | chains[0] | chains[1])) & region.open;
                if grown == open {
                    break chains;
                }
                open = grown;
                if open.count() > self.small {
                    return false;
                }
            };
            rest = rest & !open;
            list.push(self.part(&region, open, chains));
        }
        true
    }
}

impl Parts for NoGo {
    type Part = Part;

    fn parts(&self, state: &State, list: &mut Vec<Part>) -> bool {
        match &self.board {
            Words::Small(board) => {
                let stones = state.stones.map(Bits::low);
                board.parts(stones, &board.liberties(stones), list)
            }
            Words::Large(board) => board.parts(state.stones, &board.liberties(state.stones), list),
        }
    }

    fn options(&self, part: &Part, player: Player, sink: &mut dyn FnMut(&[Part])) {
        let mut list = Vec::new();
        for point in u128::from(part.points).cells() {
            if let Some(after) = part.after(player.index(), point) {
                list.clear();
                after.settled().split(&mut list);
                sink(&list);
            }
        }
    }
}
