//! Results that a player is sure of without search, by answering every disc of the opponent in a fixed way (follow-up, or claimeven: V. Allis, A
//! Knowledge-based Approach of Connect-Four, 1988).
//!
//! The cells of each column are paired from the top, so every pair has a lower and an upper cell. In a column with an odd number of empty cells
//! the next disc falls on an upper cell whose lower cell is taken: a single. If the number of empty cells is even, so is that of singles, and
//! the player who is not to move, the follower, can answer a disc on a lower cell by one above it, and a disc on a single by another single. Then
//! the opponent never holds other cells than lower ones and singles. If these complete no line with the opponent's discs, the follower does not
//! lose; if the upper cells that are no singles complete one with the follower's discs, the follower wins. A threat of the follower on
//! such a cell wins too, because the opponent must play below it at last, and what lies above it does not matter.
//!
//! If the number of empty cells is odd, there is one single too many. The follower then needs a threat on a lower cell, and changes the
//! pairs of that column: from a single on, or from its lowest empty cell on, which then counts as a single, the follower gets the lower cells.

use super::{Connect4, State, fours};
use delphic_game::bits::Bits;

/// A result that the follower is sure of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sure {
    Nothing,
    Draw,
    Win,
}

impl Connect4 {
    /// Whether the side to move gets at least this payoff, if that follows from a rule. There is no win by the next disc.
    pub(super) fn by_pairs(&self, &State { mine, all }: &State, payoff: i16) -> Option<bool> {
        let (against, with) = match payoff {
            0 => (Sure::Win, Sure::Draw),
            1 => (Sure::Draw, Sure::Win),
            _ => return None,
        };
        if self.line != 4 {
            return None;
        }
        let theirs = mine ^ all;
        let threats = self.threats(theirs, all);
        if self.follow(mine, theirs, threats) >= against {
            return Some(false);
        }
        let drops = (all + self.bottom) & self.board;
        let blocks = drops & threats;
        let safe = if blocks == 0 { drops } else { blocks } & !(threats >> 1);
        let reaches = |cell: usize| {
            let mine = mine | 1 << cell;
            self.follow(theirs, mine, self.threats(mine, theirs | mine)) >= with
        };
        safe.cells().any(reaches).then_some(true)
    }

    /// What the follower is sure of who has the discs `theirs` and these threats, when the owner of `mine` is to move.
    #[inline]
    fn follow(&self, mine: u64, theirs: u64, threats: u64) -> Sure {
        let all = mine | theirs;
        let (empty, stride) = (self.board & !all, self.grid.rows as u32 + 1);
        let drops = (all + self.bottom) & self.board;
        let (lower, upper) = (empty & self.lower, empty & !self.lower);
        let singles = drops & upper;
        let aims = threats & !drops;
        let below = !self.above(aims & upper);
        if singles.count_ones().is_multiple_of(2) {
            return if fours(mine | lower & below | singles, stride) {
                Sure::Nothing
            } else if aims & upper != 0 || fours(theirs | upper & !singles, stride) {
                Sure::Win
            } else {
                Sure::Draw
            };
        }
        let mut rest = aims & lower;
        while rest != 0 {
            let first = rest & rest.wrapping_neg();
            let column = self.column_of(first);
            let changed = upper & (first - 1) | drops;
            if !fours(mine | (lower & below & !column) | singles | changed & column, stride) {
                return Sure::Win;
            }
            rest &= !column;
        }
        if fours(mine | empty, stride) { Sure::Nothing } else { Sure::Draw }
    }

    /// All cells of the column of one cell.
    fn column_of(&self, cell: u64) -> u64 {
        let stride = self.stride();
        ((1 << self.grid.rows) - 1) << (cell.first() / stride * stride)
    }

    /// The cells above these in their columns.
    #[inline]
    fn above(&self, cells: u64) -> u64 {
        let mut found = (cells << 1) & self.board;
        let mut columns = self.board;
        for step in [1, 2, 4, 8] {
            found |= (found << step) & columns;
            columns &= columns << step;
        }
        found
    }
}
