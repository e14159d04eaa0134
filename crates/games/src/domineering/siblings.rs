//! Bounds on the positions after each move of one position.
//!
//! A move changes one row of the board, or two; what can be made of the rows above and below is computed once for all moves. The whole
//! board is cut into strips here, not its parts one by one: on 8x8 that decides nine in ten of the positions that the bounds decide, in
//! a fraction of the time.

use super::bounds::{Boards, Bounds, Cut, first_run};
use super::thermograph::{Rectangle, WIDEST};
use super::word::Word;
use arrayvec::ArrayVec;
use delphic_game::Player;

/// Choices kept for a row: those for its first three runs. Any subset of the choices gives bounds.
const CHOICES: usize = 8;

/// The bounds of one player after any move.
pub(super) struct Siblings {
    player: Player,
    strips: &'static Rectangle,
    rows: ArrayVec<u64, WIDEST>,
    above: Half,
    below: Half,
}

/// The best cuts of the first rows, counted from one edge: of none, one, two …
struct Half {
    cuts: Vec<Cut>,
    ends: ArrayVec<usize, { WIDEST + 2 }>,
}

impl<B: Word> Boards<B> {
    /// Whether the board is small enough for both players' strips.
    pub(super) fn has_siblings(&self) -> bool {
        self.upright.rows.max(self.upright.cols) <= WIDEST
    }

    /// The bounds of a player after the moves in a position.
    pub(super) fn siblings(&self, free: B, player: Player) -> Siblings {
        let (board, free) = self.seen_by(player, free);
        let rows = (0..board.rows).map(|row| board.row(free >> (row * board.cols) as u32));
        Siblings::new(Rectangle::strip(board.cols), rows.collect(), player)
    }
}

impl Siblings {
    fn new(strips: &'static Rectangle, rows: ArrayVec<u64, WIDEST>, player: Player) -> Siblings {
        let reversed: ArrayVec<u64, WIDEST> = rows.iter().rev().copied().collect();
        let (above, below) = (Half::new(strips, &rows), Half::new(strips, &reversed));
        Siblings { player, strips, rows, above, below }
    }

    /// The bounds before the move.
    pub(super) fn before(&self) -> Bounds {
        self.joined(self.above.of(self.rows.len()), 0)
    }

    /// The bounds after `mover` has covered a cell and its neighbour below or to the right.
    pub(super) fn after(&self, (row, col): (usize, usize), mover: Player) -> Bounds {
        let (row, col) = if self.player == Player::FIRST { (row, col) } else { (col, row) };
        let over = if row > 0 { self.rows[row - 1] } else { 0 };
        let under = |row: usize| self.rows.get(row).copied().unwrap_or(0);
        let (mut cuts, above) = (ArrayVec::new(), self.above.of(row));
        if self.player == mover {
            let [first, second] = [row, row + 1].map(|row| self.rows[row] & !(1 << col));
            let mut next = ArrayVec::new();
            self.strips.extend(above, [over, first, second], &mut cuts);
            self.strips.extend(&cuts, [first, second, under(row + 2)], &mut next);
            self.joined(&next, self.rows.len() - row - 2)
        } else {
            let changed = self.rows[row] & !(0b11 << col);
            self.strips.extend(above, [over, changed, under(row + 1)], &mut cuts);
            self.joined(&cuts, self.rows.len() - row - 1)
        }
    }

    /// The bounds from these cuts of all rows but the last `left`.
    fn joined(&self, cuts: &[Cut], left: usize) -> Bounds {
        let mut whole = Cut::LOWEST;
        for other in self.below.of(left) {
            for cut in cuts {
                whole.improve(cut, other, self.strips.walls(cut.open | other.open << self.strips.cols));
            }
        }
        Bounds::of(whole)
    }
}

impl Half {
    fn new(strips: &Rectangle, rows: &[u64]) -> Half {
        let mut half = Half { cuts: Vec::with_capacity(32), ends: ArrayVec::from_iter([0, 1]) };
        half.cuts.push(Cut::NOTHING);
        let mut over = 0;
        for (at, &row) in rows.iter().enumerate() {
            let mut cuts = ArrayVec::new();
            strips.extend(half.of(at), [over, row, rows.get(at + 1).copied().unwrap_or(0)], &mut cuts);
            half.cuts.extend_from_slice(&cuts);
            half.ends.push(half.cuts.len());
            over = row;
        }
        half
    }

    /// The best cuts of this many rows.
    #[inline]
    fn of(&self, rows: usize) -> &[Cut] {
        &self.cuts[self.ends[rows]..self.ends[rows + 1]]
    }
}

impl Rectangle {
    /// The best of these cuts with one more row, the second of three rows: for each set of its runs that go with the row before.
    #[inline]
    fn extend(&self, cuts: &[Cut], [before, row, next]: [u64; 3], list: &mut ArrayVec<Cut, CHOICES>) {
        // Runs without neighbours in the next row go with the row before in any case.
        let (mut back, mut sets, mut count, mut left) = (0, [0; CHOICES], 1, row);
        while left != 0 {
            let run = first_run(left);
            left &= !run;
            if run & next == 0 {
                back |= run;
            } else if run & before != 0 && 2 * count <= CHOICES {
                for at in 0..count {
                    sets[count + at] = sets[at] | run;
                }
                count *= 2;
            }
        }
        for set in &sets[..count] {
            let back = back | set;
            list.push(Cut::best(cuts, row & !back, |open| self.walls(open | back << self.cols)));
        }
    }
}
