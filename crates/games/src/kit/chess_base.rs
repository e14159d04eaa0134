//! The moves of western chess, for the games that share them and differ in how they end.
//!
//! A promotion is part of the pawn's move. Which pieces a pawn may become is asked for with the moves, since in some games
//! it depends on the position; where it stays a pawn that is the only choice.

mod text;

use crate::kit::move_sets::{MoveSets, Step};
use crate::kit::pieces::{Board, Gait, KING as ONE_STEP, Pieces};
use delphic_game::{Player, Rng, bits::Bits, grid::Grid};

pub(crate) const KING: usize = 0;
pub(crate) const QUEEN: usize = 1;
pub(crate) const ROOK: usize = 2;
pub(crate) const BISHOP: usize = 3;
pub(crate) const KNIGHT: usize = 4;
pub(crate) const PAWN: usize = 5;

const GAITS: [Gait; 6] = [
    Gait::leaper('K', ONE_STEP),
    Gait::slider('Q', true, true),
    Gait::slider('R', true, false),
    Gait::slider('B', false, true),
    Gait::leaper('N', &[(2, 1), (1, 2), (-1, 2), (-2, 1)]),
    // How it captures.
    Gait::leaper('P', &[(1, 1)]),
];

/// Where chess starts.
const USUAL: &str = "rnbqkbnr/pppppppp/......../......../......../......../PPPPPPPP/RNBQKBNR";

/// No cell.
const NOWHERE: u8 = u8::MAX;

/// What changes: the board, the player to move, the castlings still possible (one bit each, in the order KQkq) and the cell that a
/// pawn has just passed in a double step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Position {
    pub board: Board<6>,
    pub turn: Player,
    castling: u8,
    passed: u8,
}

/// The king goes two cells towards the rook, the rook to the cell that the king passed.
#[derive(Clone, Copy, Debug)]
struct Castling {
    letter: char,
    player: Player,
    king: [usize; 2],
    rook: [usize; 2],
    /// Must be empty.
    between: u64,
}

const fn castling(
    letter: char,
    player: Player,
    king: [usize; 2],
    rook: [usize; 2],
    between: u64,
) -> Castling {
    Castling { letter, player, king, rook, between }
}

/// On a board of 8 by 8, where e8 is cell 4 and e1 is cell 60.
const CASTLINGS: [Castling; 4] = [
    castling('K', Player::FIRST, [60, 62], [63, 61], 0b110 << 60),
    castling('Q', Player::FIRST, [60, 58], [56, 59], 0b1110 << 56),
    castling('k', Player::SECOND, [4, 6], [7, 5], 0b110 << 4),
    castling('q', Player::SECOND, [4, 2], [0, 3], 0b1110),
];

/// The rules of moving.
#[derive(Clone, Debug)]
pub(crate) struct Chess {
    pub pieces: Pieces<6>,
    pub start: Position,
    /// Each player's own row at the edge.
    pub home: [u64; 2],
    /// Whether there are castling, double steps and capturing in passing.
    modern: bool,
    /// Whether the king must not be left attacked.
    royal: bool,
    /// The castlings that are still possible after a piece came to or from a cell.
    kept: [u8; 64],
}

impl Chess {
    /// Chess from the start position `start`. `modern` rules need the usual board.
    pub fn new(grid: Grid, start: &str, modern: bool, royal: bool) -> Chess {
        let pieces = Pieces::new(grid, GAITS);
        let board = pieces.read(start).expect("a start position of our own");
        let castling = if modern { 0b1111 } else { 0 };
        let row = (1 << grid.cols) - 1;
        let mut kept = [castling; 64];
        for (right, castling) in CASTLINGS.iter().enumerate() {
            kept[castling.king[0]] &= !(1 << right);
            kept[castling.rook[0]] &= !(1 << right);
        }
        let start = Position { board, turn: Player::FIRST, castling, passed: NOWHERE };
        let home = [row << (grid.cells() - grid.cols), row];
        Chess { pieces, start, home, modern, royal, kept }
    }

    /// Chess on `grid`; a king that is not `royal` is a piece like others.
    pub fn usual(royal: bool) -> Chess {
        Chess::new(Grid { rows: 8, cols: 8 }, USUAL, true, royal)
    }

    /// The set one row further on for `player`.
    #[inline]
    fn ahead(&self, set: u64, player: Player) -> u64 {
        let cols = self.pieces.grid.cols;
        if player == Player::FIRST { set >> cols } else { set << cols }
    }

    /// All moves, kings in danger or not. A pawn becomes one of `promotions` in the last row.
    #[inline]
    fn fans(&self, position: &Position, promotions: &[usize]) -> MoveSets {
        let (board, player) = (&position.board, position.turn);
        let [mine, theirs] = [board.sides[player.index()], board.sides[player.other().index()]];
        let occupied = mine | theirs;
        let mut fans = MoveSets::default();
        for kind in KING..PAWN {
            for cell in (mine & board.kinds[kind]).cells() {
                let mut to = self.pieces.reach(kind, player, cell, occupied) & !mine;
                if kind == KING && position.castling != 0 {
                    to |= self.castlings(position, occupied);
                }
                fans.add(cell, kind, to);
            }
        }
        let passed = if position.passed == NOWHERE { 0 } else { 1 << position.passed };
        let last = self.home[player.other().index()];
        let third = self.ahead(self.ahead(self.home[player.index()], player), player);
        for cell in (mine & board.kinds[PAWN]).cells() {
            let mut to = self.ahead(1 << cell, player) & !occupied;
            if self.modern {
                to |= self.ahead(to & third, player) & !occupied;
            }
            to |= self.pieces.leaps(PAWN, player, cell) & (theirs | passed);
            if to & last == 0 {
                fans.add(cell, PAWN, to);
            } else {
                promotions.iter().for_each(|&kind| fans.add(cell, kind, to));
            }
        }
        fans
    }

    /// Where the king may castle to.
    fn castlings(&self, position: &Position, occupied: u64) -> u64 {
        let safe = |cell| !self.royal || !self.pieces.attacked(&position.board, cell, position.turn.other());
        let open = |(right, castling): &(usize, &Castling)| {
            position.castling >> right & 1 != 0
                && castling.player == position.turn
                && castling.between & occupied == 0
                && [castling.king[0], castling.rook[1], castling.king[1]].into_iter().all(safe)
        };
        CASTLINGS.iter().enumerate().filter(open).fold(0, |set, (_, castling)| set | 1 << castling.king[1])
    }

    /// Makes a move.
    #[inline]
    pub fn play(&self, position: &mut Position, step: Step) {
        let [from, to, becomes] = [step.from, step.to, step.becomes].map(usize::from);
        let (player, cols) = (position.turn, self.pieces.grid.cols);
        position.board.shift(player, from, to, becomes);
        let passed = std::mem::replace(&mut position.passed, NOWHERE);
        if becomes == PAWN && self.modern {
            if step.to == passed {
                position.board.remove(if player == Player::FIRST { to + cols } else { to - cols });
            } else if from.abs_diff(to) == 2 * cols {
                position.passed = usize::midpoint(from, to) as u8;
            }
        } else if becomes == KING && from.abs_diff(to) == 2 {
            let castling = CASTLINGS.iter().find(|castling| castling.king == [from, to]);
            let [rook, beside] = castling.expect("only castling kings go so far").rook;
            position.board.shift(player, rook, beside, ROOK);
        }
        position.castling &= self.kept[from] & self.kept[to];
        position.turn = player.other();
    }

    /// Lets the other side move.
    pub fn pass(&self, position: &mut Position) {
        position.passed = NOWHERE;
        position.turn = position.turn.other();
    }

    /// Whether the king of `player` is attacked; without a king, no.
    #[inline]
    pub fn checked(&self, position: &Position, player: Player) -> bool {
        let king = position.board.of(player, KING);
        king != 0 && self.pieces.attacked(&position.board, king.first(), player.other())
    }

    /// Whether a move out of [`fans`](Chess::fans) leaves the king safe.
    #[inline]
    fn legal(&self, position: &Position, step: Step) -> bool {
        if !self.royal {
            return true;
        }
        let mut next = *position;
        self.play(&mut next, step);
        !self.checked(&next, position.turn)
    }

    /// The legal moves: king, queens, rooks, bishops, knights and pawns, each kind from the top left.
    #[inline]
    pub fn moves(&self, position: &Position, promotions: &[usize], mut each: impl FnMut(Step)) {
        let (board, player) = (&position.board, position.turn);
        let tied = if self.royal { self.pieces.tied(board, player, board.of(player, KING)) } else { 0 };
        for step in self.fans(position, promotions).steps() {
            // Capturing in passing takes two pieces off the king's lines.
            let free = !tied.has(step.from as usize) && step.to != position.passed;
            if free || self.legal(position, step) {
                each(step);
            }
        }
    }

    /// Whether there is a legal move.
    pub fn can_move(&self, position: &Position) -> bool {
        self.fans(position, &[PAWN]).steps().any(|step| self.legal(position, step))
    }

    /// A legal move, all with the same chance.
    #[inline]
    pub fn random_move(&self, position: &Position, promotions: &[usize], rng: &mut Rng) -> Option<Step> {
        self.fans(position, promotions).draw(rng, |step| self.legal(position, step))
    }

    /// Whether a move is a pawn's that makes another piece of it.
    pub fn promotes(&self, position: &Position, step: Step) -> bool {
        step.becomes as usize != PAWN && position.board.kinds[PAWN].has(step.from as usize)
    }

    /// Exchanges left and right if that gives the smaller position. Castling is not the same on both sides, so as long as
    /// it is possible nothing changes.
    pub fn canonicalize(&self, position: &mut Position) {
        if position.castling == 0 {
            let grid = self.pieces.grid;
            let passed = position.passed;
            let passed = if passed == NOWHERE { NOWHERE } else { grid.image(passed as usize, 1) as u8 };
            let mirrored = Position { board: position.board.mirrored(grid), passed, ..*position };
            *position = mirrored.min(*position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn perft(chess: &Chess, position: &Position, depth: u32) -> u64 {
        let mut total = 0;
        chess.moves(position, &[QUEEN, ROOK, BISHOP, KNIGHT], |step| {
            let mut next = *position;
            chess.play(&mut next, step);
            total += if depth == 1 { 1 } else { perft(chess, &next, depth - 1) };
        });
        total
    }

    /// Counts that every chess program knows: the start, and a position with castling, pins and promotions all at once
    /// ("Kiwipete", Peter McKenzie).
    #[test]
    fn moves_are_those_of_chess() {
        let chess = Chess::usual(true);
        assert_eq!(perft(&chess, &chess.start, 4), 197_281);
        let text = "r...k..r/p.ppqpb./bn..pnp./...PN.../.p..P.../..N..Q.p/PPPBBPPP/R...K..R w KQkq -";
        let kiwipete = chess.read(&mut text.split_whitespace()).unwrap();
        assert_eq!(chess.write(&kiwipete), text);
        assert_eq!(
            (1..=3).map(|depth| perft(&chess, &kiwipete, depth)).collect::<Vec<_>>(),
            [48, 2039, 97_862]
        );
    }
}
