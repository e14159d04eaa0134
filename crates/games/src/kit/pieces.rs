//! Boards with several kinds of pieces: where they stand, how they go, what they attack.

use crate::kit::rays::{Rays, shifted};
use delphic_game::{
    NotationError, Player,
    bits::Bits,
    grid::Grid,
    picture::{Picture, Style, Tiling},
};

/// How a kind of piece moves or, where it captures otherwise, how it captures. Left and right are always alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gait {
    /// In capitals.
    pub letter: char,
    /// Leaps as (forward, sideways), sideways to both sides.
    pub leaps: &'static [(isize, isize)],
    pub rook: bool,
    pub bishop: bool,
}

/// One step in every direction.
pub(crate) const KING: &[(isize, isize)] = &[(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)];

impl Gait {
    /// A piece that only leaps.
    pub const fn leaper(letter: char, leaps: &'static [(isize, isize)]) -> Gait {
        Gait { letter, leaps, rook: false, bishop: false }
    }

    /// A piece that slides.
    pub const fn slider(letter: char, rook: bool, bishop: bool) -> Gait {
        Gait { letter, leaps: &[], rook, bishop }
    }
}

/// The pieces: the cells of each side and of each of `K` kinds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Board<const K: usize> {
    pub sides: [u64; 2],
    pub kinds: [u64; K],
}

impl<const K: usize> Board<K> {
    pub const EMPTY: Board<K> = Board { sides: [0; 2], kinds: [0; K] };

    #[inline]
    pub fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// The cells where `player` has pieces of `kind`.
    #[inline]
    pub fn of(&self, player: Player, kind: usize) -> u64 {
        self.sides[player.index()] & self.kinds[kind]
    }

    /// What stands on an occupied cell.
    #[inline]
    pub fn kind_at(&self, cell: usize) -> usize {
        (0..K).find(|&kind| self.kinds[kind].has(cell)).unwrap_or(0)
    }

    /// Empties a cell.
    #[inline]
    pub fn remove(&mut self, cell: usize) {
        let others = !(1 << cell);
        self.sides = self.sides.map(|set| set & others);
        self.kinds = self.kinds.map(|set| set & others);
    }

    /// Moves what stands on `from`, capturing what stands on `to`, where it becomes a piece of `kind`.
    #[inline]
    pub fn shift(&mut self, player: Player, from: usize, to: usize, kind: usize) {
        let others = !(1 << from | 1 << to);
        self.sides = self.sides.map(|set| set & others);
        self.kinds = self.kinds.map(|set| set & others);
        self.put(to, player, kind);
    }

    /// Puts a piece on an empty cell.
    #[inline]
    pub fn put(&mut self, cell: usize, player: Player, kind: usize) {
        self.sides[player.index()] |= 1 << cell;
        self.kinds[kind] |= 1 << cell;
    }

    /// Left and right exchanged.
    pub fn mirrored(&self, grid: Grid) -> Board<K> {
        let mirror = |set: u64| set.cells().fold(0, |out, cell| out | 1 << grid.image(cell, 1));
        Board { sides: self.sides.map(mirror), kinds: self.kinds.map(mirror) }
    }
}

/// The pieces of a game on its board: tables of where each kind gets from each cell.
#[derive(Clone, Debug)]
pub(crate) struct Pieces<const K: usize> {
    pub grid: Grid,
    pub lines: Rays,
    gaits: [Gait; K],
    /// By kind, player and cell.
    leaps: Box<[[[u64; 64]; 2]; K]>,
}

impl<const K: usize> Pieces<K> {
    /// Kinds that move by `gaits`. The first player moves up the board.
    pub fn new(grid: Grid, gaits: [Gait; K]) -> Pieces<K> {
        let mut leaps = Box::new([[[0; 64]; 2]; K]);
        for (kind, gait) in gaits.iter().enumerate() {
            for (player, down) in [-1, 1].into_iter().enumerate() {
                for cell in 0..grid.cells() {
                    let both =
                        gait.leaps.iter().flat_map(|&(ahead, aside)| [(ahead, aside), (ahead, -aside)]);
                    let landing = both.filter_map(|(ahead, aside)| shifted(grid, cell, ahead * down, aside));
                    leaps[kind][player][cell] = landing.fold(0, |set, to| set | 1 << to);
                }
            }
        }
        Pieces { grid, lines: Rays::new(grid), gaits, leaps }
    }

    /// Where a piece gets by leaping alone.
    #[inline]
    pub fn leaps(&self, kind: usize, player: Player, cell: usize) -> u64 {
        self.leaps[kind][player.index()][cell & 63]
    }

    /// The cells a piece attacks.
    #[inline]
    pub fn reach(&self, kind: usize, player: Player, cell: usize, occupied: u64) -> u64 {
        let mut reach = self.leaps(kind, player, cell);
        if self.gaits[kind].rook {
            reach |= self.lines.rook(cell, occupied);
        }
        if self.gaits[kind].bishop {
            reach |= self.lines.bishop(cell, occupied);
        }
        reach
    }

    /// Whether a piece of `by` attacks the cell.
    #[inline]
    pub fn attacked(&self, board: &Board<K>, cell: usize, by: Player) -> bool {
        let (mut leapers, mut rooks, mut bishops) = (0, 0, 0);
        for kind in 0..K {
            let pieces = board.kinds[kind];
            // Gaits are the same to the left and to the right, so what a piece of the other side would reach from
            // here is where pieces of this side reach it from.
            leapers |= pieces & self.leaps(kind, by.other(), cell);
            if self.gaits[kind].rook {
                rooks |= pieces;
            }
            if self.gaits[kind].bishop {
                bishops |= pieces;
            }
        }
        let (side, occupied) = (board.sides[by.index()], board.occupied());
        let (rooks, bishops) = (rooks & side, bishops & side);
        leapers & side != 0
            || rooks != 0 && rooks & self.lines.rook(cell, occupied) != 0
            || bishops != 0 && bishops & self.lines.bishop(cell, occupied) != 0
    }

    /// The cells whose pieces must take care of the king: all if the king is attacked, else the king's cell and those in its lines,
    /// since only these can stand between the king and a slider.
    #[inline]
    pub fn tied(&self, board: &Board<K>, player: Player, king: u64) -> u64 {
        if king == 0 {
            return 0;
        }
        let (cell, occupied) = (king.first(), board.occupied());
        if self.attacked(board, cell, player.other()) {
            return u64::MAX;
        }
        king | self.lines.rook(cell, occupied) | self.lines.bishop(cell, occupied)
    }

    /// What stands on a cell: capitals for the first player.
    pub fn glyph(&self, board: &Board<K>, cell: usize) -> char {
        let letter = self.gaits[board.kind_at(cell)].letter;
        match board.sides.map(|side| side.has(cell)) {
            [true, _] => letter,
            [_, true] => letter.to_ascii_lowercase(),
            _ => '.',
        }
    }

    /// The letter of a kind.
    pub fn letter(&self, kind: usize) -> char {
        self.gaits[kind].letter
    }

    pub fn write(&self, board: &Board<K>) -> String {
        self.grid.write(|cell| self.glyph(board, cell))
    }

    pub fn read(&self, text: &str) -> Result<Board<K>, NotationError> {
        let capitals: String = self.gaits.iter().map(|gait| gait.letter).collect();
        let glyphs = format!(".{capitals}{}", capitals.to_lowercase());
        let mut board = Board::EMPTY;
        for (cell, glyph) in self.grid.read(text, &glyphs)?.into_iter().enumerate() {
            if glyph > 0 {
                board.put(cell, Player::new((glyph - 1) / K), (glyph - 1) % K);
            }
        }
        Ok(board)
    }

    /// With the pieces of chess.
    pub fn picture(&self, board: &Board<K>) -> Picture {
        self.grid.picture(|cell| self.glyph(board, cell)).tiled(Tiling::Chequered).styled(Style::Chess)
    }
}

/// `w` or `b`, as chess players write the side to move.
pub(crate) fn write_turn(turn: Player) -> char {
    if turn == Player::FIRST { 'w' } else { 'b' }
}

/// Reads what [`write_turn`] writes.
pub(crate) fn read_turn(text: Option<&str>) -> Result<Player, NotationError> {
    match text {
        Some("w") => Ok(Player::FIRST),
        Some("b") => Ok(Player::SECOND),
        _ => Err(NotationError::position("expected w or b for the side to move after the board")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::Rng;

    const PAWN: &[(isize, isize)] = &[(1, 1)];

    #[test]
    fn attackers_are_found_from_the_attacked_cell() {
        let gaits =
            [Gait::leaper('P', PAWN), Gait::leaper('N', &[(2, 1), (1, 2)]), Gait::slider('Q', true, true)];
        let pieces = Pieces::new(Grid { rows: 5, cols: 6 }, gaits);
        let mut rng = Rng::new(8);
        for _ in 0..300 {
            let mut board = Board::EMPTY;
            for cell in 0..30 {
                if rng.below(5) == 0 {
                    board.put(cell, Player::new(rng.below(2)), rng.below(3));
                }
            }
            for by in [Player::FIRST, Player::SECOND] {
                let reached = board.sides[by.index()]
                    .cells()
                    .fold(0, |set, cell| set | pieces.reach(board.kind_at(cell), by, cell, board.occupied()));
                for cell in 0..30 {
                    assert_eq!(
                        pieces.attacked(&board, cell, by),
                        reached.has(cell),
                        "{}",
                        pieces.write(&board)
                    );
                }
            }
            assert_eq!(pieces.read(&pieces.write(&board)), Ok(board));
        }
    }
}
