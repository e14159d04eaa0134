//! Moves, mirror images and static knowledge on sets of cells, as words of 64 or 128 bits.

use super::bounds::{Boards, Bounds, Buffers};
use super::thermograph::{MOVE, WIDEST};
use super::word::Word;
use arrayvec::ArrayVec;
use delphic_game::{Appraisal, Outcome, Player, grid::Grid};

/// A player whose bound is further below a proof than this hardly has one after another move.
const FAR: i16 = -2 * MOVE;
/// A bound from the whole board that is closer to a proof is improved by a division into parts.
const NEAR: i16 = -MOVE / 2;
/// The worth of a place for a domino.
const PLACE: i16 = MOVE / 6;

/// The most moves of a board on which siblings are appraised together.
const MOVES: usize = WIDEST * WIDEST;

/// The rules on one board; positions are given by their covered cells.
#[derive(Clone, Debug)]
pub(super) struct Rules<B> {
    grid: Grid,
    board: B,
    /// Cells from which a horizontal domino does not leave the board.
    not_last: B,
    boards: Boards<B>,
}

impl<B: Word> Rules<B> {
    pub(super) fn new(grid: Grid) -> Rules<B> {
        let Grid { rows, cols } = grid;
        let board = B::below(grid.cells());
        let last = (0..rows).fold(B::EMPTY, |set, row| set | B::single(grid.cell(row, cols - 1)));
        Rules { grid, board, not_last: board & !last, boards: Boards::new(rows, cols) }
    }

    /// The upper or left cells of all dominoes `player` can place.
    #[inline]
    pub(super) fn places(&self, covered: B, player: Player) -> B {
        let free = self.board & !covered;
        match player {
            // On a board of one row of 64 the shift by a whole word would wrap; there is no room below anyway.
            Player::FIRST => free & free.down(self.grid.cols),
            _ => free & (free >> 1) & self.not_last,
        }
    }

    #[inline]
    pub(super) fn domino(&self, place: u8, player: Player) -> B {
        let step = if player == Player::FIRST { self.grid.cols } else { 1 };
        B::single(usize::from(place)) | B::single(usize::from(place) + step)
    }

    #[inline]
    pub(super) fn moves(&self, covered: B, player: Player, list: &mut Vec<u8>) {
        list.extend(self.places(covered, player).cells().map(|cell| cell as u8));
    }

    /// The least of a set's mirror images.
    pub(super) fn canonical(&self, set: B) -> B {
        let cells = self.grid.cells();
        let mirrored = self.mirrored(set);
        let [turned, flipped] = [set, mirrored].map(|set| set.reversed(cells));
        set.min(mirrored).min(flipped).min(turned)
    }

    /// Left and right exchanged.
    fn mirrored(&self, set: B) -> B {
        let (cols, cells) = (self.grid.cols, self.grid.cells());
        if cols == 8 {
            // Rows are bytes. Row by row, canonical forms took 5 % of a search of 8x8.
            return set.mirrored_bytes();
        }
        // After a half turn the rows are mirrored, and in the reverse order.
        let (turned, full) = (set.reversed(cells), B::below(cols));
        (0..cells).step_by(cols).fold(B::EMPTY, |out, at| {
            let row = turned >> (cells - cols - at) as u32 & full;
            out | row << at as u32
        })
    }

    /// The row and the column of a cell.
    fn cell(&self, cell: u8) -> (usize, usize) {
        (usize::from(cell) / self.grid.cols, usize::from(cell) % self.grid.cols)
    }

    /// The evaluation for a player: a probability from the bounds of both players.
    fn chance(&self, covered: B, player: Player, [mine, theirs]: [Bounds; 2]) -> f64 {
        let places = |player| self.places(covered, player).count() as f64;
        // With the weight of ⅓ move per place, 7x7 needs half as many nodes as without this term; from ⅙ to 1 it is about the same.
        let lead = mine.mean() - theirs.mean() + (places(player) - places(player.other())) / 3.0;
        1.0 / (1.0 + (-lead / 4.0).exp2())
    }

    /// Whether the bounds on the parts say that a player wins after a move of `mover`.
    fn wins_by_parts(&self, covered: B, player: Player, mover: Player) -> bool {
        let bounds = self.boards.sum(self.board & !covered).bounds(player, &mut Buffers::new());
        if player == mover { bounds.win_moving_second() } else { bounds.win_moving_first() }
    }

    /// See [`Hints::evaluate`](delphic_game::Hints::evaluate).
    pub(super) fn evaluate(&self, covered: B, player: Player) -> f64 {
        let (sum, mut buffers) = (self.boards.sum(self.board & !covered), Buffers::new());
        let bounds = [player, player.other()].map(|player| sum.bounds(player, &mut buffers));
        self.chance(covered, player, bounds)
    }

    /// See [`Hints::appraise`](delphic_game::Hints::appraise).
    pub(super) fn appraise(&self, covered: B, mover: Player, player: Player) -> Appraisal {
        let sum = self.boards.sum(self.board & !covered);
        let mut buffers = Buffers::new();
        let movers = sum.bounds(mover, &mut buffers);
        if movers.win_moving_first() {
            return Appraisal::Exact(Outcome::win(mover));
        }
        let others = sum.bounds(mover.other(), &mut buffers);
        if others.win_moving_second() {
            return Appraisal::Exact(Outcome::loss(mover));
        }
        let bounds = if player == mover { [movers, others] } else { [others, movers] };
        Appraisal::Open(Some(self.chance(covered, player, bounds)))
    }

    /// See [`Hints::appraises_siblings`](delphic_game::Hints::appraises_siblings).
    pub(super) fn appraises_siblings(&self) -> bool {
        self.boards.has_siblings()
    }

    /// Bounds from the whole board come first, for all moves together (`siblings.rs`). Where one comes close to a proof, the board is
    /// divided into parts as well.
    pub(super) fn appraise_children(
        &self,
        before: B,
        mover: Player,
        moves: &[u8],
        list: &mut Vec<(usize, Appraisal)>,
    ) {
        let (other, free) = (mover.other(), self.board & !before);
        let [own, theirs] = [mover, other].map(|player| self.boards.siblings(free, player));
        let own_far = own.before().moving_first() < FAR;
        let their_far = theirs.before().moving_second() < FAR;
        let by_own = !own_far || their_far;
        let mut open = ArrayVec::<_, MOVES>::new();
        for (nth, &place) in moves.iter().enumerate() {
            let bound = if by_own { own.after(self.cell(place), mover).moving_second() } else { FAR };
            if bound > 0 {
                list.push((nth, Appraisal::Exact(Outcome::win(mover))));
                return;
            }
            open.push((nth, bound));
        }
        for (nth, own_bound) in open {
            let their_bound =
                if their_far { FAR } else { theirs.after(self.cell(moves[nth]), mover).moving_first() };
            let covered = before | self.domino(moves[nth], mover);
            if their_bound > 0 || their_bound > NEAR && self.wins_by_parts(covered, other, mover) {
                list.push((nth, Appraisal::Exact(Outcome::loss(mover))));
                continue;
            }
            let [own_places, their_places] =
                [mover, other].map(|player| self.places(covered, player).count() as i16);
            if their_places == 0 || own_bound > NEAR && self.wins_by_parts(covered, mover, mover) {
                list.push((nth, Appraisal::Exact(Outcome::win(mover))));
                return;
            }
            let bound = if by_own { own_bound } else { -their_bound };
            let worth = bound + PLACE * (own_places - their_places);
            list.push((nth, Appraisal::Open(Some(0.5 + f64::from(worth) / 65536.0))));
        }
    }
}
