//! Ataxx: a piece grows a copy onto a cell beside it or jumps two cells far; all enemies around it change sides.
//!
//! Rules: Dave Crummack and Craig Galley 1988 (Infection), played here as Ludii 1.3 does: a player who cannot move passes; the game
//! is over when the board is full or a side has no pieces, and the most pieces win. Before that at least one side can move, because
//! some empty cell is adjacent to a piece. Two pieces that can be copied to the same cell give two moves with the same result; with
//! `merged` they are one move, as in most programs. Jumps can repeat positions, so plies are counted.

use crate::kit::colours;
use crate::kit::symmetry::Symmetry;
use crate::{BOARD_SYMMETRIES, ENDED_BY_PLIES, Facts, Family, Info, PLIES, plies};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Rng, Spec, SpecError, adapters::PlyLimit,
    bits::Bits, grid::Grid, mix, picture::Picture,
};

/// Rules for one board size, at most 64 cells. Positions can repeat.
#[derive(Clone, Debug)]
pub struct Ataxx {
    grid: Grid,
    merged: bool,
    board: u64,
    /// The cells that have one to their left, and to their right.
    beside: [u64; 2],
    /// The cells at distance 1 from every cell.
    near: [u64; 64],
    /// The cells a piece can move to so that it matters where it came from: those at distance 2, and unless copies are
    /// merged those at distance 1 too.
    leaps: [u64; 64],
    symmetry: Symmetry,
}

/// A position. Cell (row, column) is bit `row * cols + column`, rows from the top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pieces: [u64; 2],
    turn: Player,
}

/// A move. A merged copy comes from the cell it goes to. Merged copies are listed first, then the others by `from` and `to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Move {
    from: u8,
    to: u8,
}

const PASS: Move = Move { from: 64, to: 64 };

impl Ataxx {
    /// A board of `grid`, at most 64 cells and at least two rows and columns.
    pub fn new(grid: Grid, merged: bool) -> Ataxx {
        let board = u64::MAX >> (64 - grid.cells());
        let column = |col| (0..grid.rows).fold(0, |set, row| set | 1 << grid.cell(row, col));
        let mut game = Ataxx {
            grid,
            merged,
            board,
            beside: [board & !column(0), board & !column(grid.cols - 1)],
            near: [0; 64],
            leaps: [0; 64],
            symmetry: Symmetry::of(grid),
        };
        for (a, b) in (0..grid.cells()).flat_map(|a| (0..grid.cells()).map(move |b| (a, b))) {
            let (down, right) =
                ((a / grid.cols).abs_diff(b / grid.cols), (a % grid.cols).abs_diff(b % grid.cols));
            match down.max(right) {
                1 => game.near[a] |= 1 << b,
                2 => game.leaps[a] |= 1 << b,
                _ => {}
            }
        }
        if !merged {
            (0..64).for_each(|cell| game.leaps[cell] |= game.near[cell]);
        }
        game
    }

    /// The mover's pieces and the empty cells.
    #[inline]
    fn mine_and_empty(&self, state: &State) -> [u64; 2] {
        [state.pieces[state.turn.index()], self.board & !(state.pieces[0] | state.pieces[1])]
    }

    /// The cells of merged copies.
    #[inline]
    fn copies(&self, [mine, empty]: [u64; 2]) -> u64 {
        if !self.merged {
            return 0;
        }
        let cols = self.grid.cols as u32;
        let [has_left, has_right] = self.beside;
        let wide = mine | (mine & has_left) >> 1 | (mine & has_right) << 1;
        (wide | wide >> cols | wide << cols) & empty
    }
}

impl Game for Ataxx {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        let Grid { rows, cols } = self.grid;
        let corner = |row, col| 1u64 << self.grid.cell(row, col);
        let first = corner(rows - 1, 0) | corner(0, cols - 1);
        State { pieces: [first, corner(0, 0) | corner(rows - 1, cols - 1)], turn: Player::FIRST }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<Move>) {
        let base = list.len();
        let sets @ [mine, empty] = self.mine_and_empty(state);
        list.extend(self.copies(sets).cells().map(|to| Move { from: to as u8, to: to as u8 }));
        for from in mine.cells() {
            let targets = (self.leaps[from] & empty).cells();
            list.extend(targets.map(|to| Move { from: from as u8, to: to as u8 }));
        }
        if list.len() == base {
            list.push(PASS);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        if mv != PASS {
            let (from, to) = (mv.from as usize, mv.to as usize);
            let [mine, theirs] = [state.turn, state.turn.other()].map(Player::index);
            let turned = self.near[to] & state.pieces[theirs];
            let stays = mv.from == mv.to || self.near[from].has(to);
            state.pieces[theirs] ^= turned;
            state.pieces[mine] = (state.pieces[mine] & !(u64::from(!stays) << from)) | turned | 1 << to;
        }
        state.turn = state.turn.other();
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let [first, second] = state.pieces;
        let over = first == 0 || second == 0 || first | second == self.board;
        over.then(|| Outcome::score((first.count() as i16 - second.count() as i16).signum()))
    }

    fn key(&self, state: &State) -> u64 {
        mix(mix(state.pieces[0]) ^ state.pieces[1]) ^ mix(state.turn.index() as u64)
    }

    fn canonicalize(&self, state: &mut State) {
        state.pieces = self.symmetry.least(state.pieces);
    }

    #[inline]
    fn count_moves(&self, state: &State, _: &mut Vec<Move>) -> usize {
        let sets @ [mine, empty] = self.mine_and_empty(state);
        let leaps: usize = mine.cells().map(|cell| (self.leaps[cell] & empty).count()).sum();
        (self.copies(sets).count() + leaps).max(1)
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Option<Move> {
        let sets @ [mine, empty] = self.mine_and_empty(state);
        let copies = self.copies(sets);
        // Leaps join a piece and an empty cell; counting them from the smaller of the two sets, at most
        // 32 cells, is quicker.
        let [few, many] = if mine.count() <= empty.count() { [mine, empty] } else { [empty, mine] };
        let mut counts = [0; 32];
        let mut total = copies.count();
        for (count, cell) in counts.iter_mut().zip(few.cells()) {
            let leaps = (self.leaps[cell] & many).count();
            *count = leaps as u8;
            total += leaps;
        }
        if total == 0 {
            return Some(PASS);
        }
        let mut n = rng.below(total);
        if n < copies.count() {
            let to = copies.nth(n) as u8;
            return Some(Move { from: to, to });
        }
        n -= copies.count();
        let mut place = 0;
        while n >= usize::from(counts[place]) {
            n -= usize::from(counts[place]);
            place += 1;
        }
        let cell = few.nth(place);
        let other = (self.leaps[cell] & many).nth(n);
        let (from, to) = if few == mine { (cell, other) } else { (other, cell) };
        Some(Move { from: from as u8, to: to as u8 })
    }
}

impl Hints for Ataxx {}

impl Notation for Ataxx {
    const HOW: &'static str = "A move is where a piece stands and where it, or its copy, goes, a1-b2 (columns a…, rows from 1 at the \
        bottom), or pass; a merged copy is only where it goes, b2. A position is its rows from the top, X for the first \
        player's pieces, O for the second's, . for empty, and the player to move, x or o; then @ and the plies played: O..X/..../X..O x@0";

    fn write_move(&self, _: &State, mv: Move) -> String {
        let name = |cell: u8| self.grid.name(cell as usize);
        match mv {
            PASS => "pass".to_owned(),
            Move { from, to } if from == to => name(to),
            Move { from, to } => format!("{}-{}", name(from), name(to)),
        }
    }

    fn write(&self, state: &State) -> String {
        colours::write_with_turn(self.grid, &state.pieces, state.turn)
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let (pieces, turn) = colours::read_with_turn(self.grid, text)?;
        if pieces[turn.other().index()] == 0 {
            return Err(NotationError::position("the side that has just moved has no pieces"));
        }
        Ok(State { pieces, turn })
    }

    fn picture(&self, state: &State) -> Picture {
        colours::picture_with_turn(self.grid, &state.pieces, state.turn)
    }
}

impl Family for PlyLimit<Ataxx> {
    const INFO: Info = Info {
        usage: "ataxx[:ROWSxCOLS][,merged][,plies=2500]",
        about: "pieces are copied or jump, and convert all adjacent enemies; the most pieces win; a draw at the ply limit",
        rules: "Ludii 1.3.14, Ataxx; merged as in Fairy-Stockfish",
    };

    const FACTS: Facts = Facts {
        parameters: &[
            ("7x7", "rows and columns, at most 64 cells"),
            ("merged", "copies onto the same cell are one move"),
            PLIES,
        ],
        cycles: ENDED_BY_PLIES,
        symmetries: BOARD_SYMMETRIES,
    };

    fn build(spec: &mut Spec) -> Result<PlyLimit<Ataxx>, SpecError> {
        let grid = Grid::take(spec, "7x7", 64)?;
        if grid.rows < 2 || grid.cols < 2 {
            return Err(spec.impossible("at least two rows and two columns are needed"));
        }
        let merged = spec.flag("merged");
        Ok(PlyLimit { game: Ataxx::new(grid, merged), limit: plies(spec, 2500)? })
    }

    fn spec(&self) -> String {
        let Ataxx { grid: Grid { rows, cols }, merged, .. } = self.game;
        format!("ataxx:{rows}x{cols}{},plies={}", if merged { ",merged" } else { "" }, self.written_limit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{conformance, play_all, read_moves};

    #[test]
    fn other_sizes_conform() {
        for (rows, cols) in [(2, 2), (3, 3), (2, 7), (4, 5)] {
            for merged in [false, true] {
                let game = Ataxx::new(Grid { rows, cols }, merged);
                conformance::check(&PlyLimit { game, limit: Some(300) });
            }
        }
    }

    #[test]
    fn copies_stay_and_jumps_leave() {
        let game = Ataxx::new(Grid { rows: 4, cols: 4 }, false);
        let after = |line: &str| {
            let start = game.start();
            game.write(&play_all(&game, &start, &read_moves(&game, &start, line).unwrap()))
        };
        assert_eq!(after("a1-b2"), "O..X/..../.X../X..O o");
        assert_eq!(after("a1-c3"), "O..X/..X./..../...O o");
        assert_eq!(after("a1-c3 a4-b3"), "O..X/.OO./..../...O x");
    }

    #[test]
    fn merging_leaves_the_positions_that_follow() {
        let grid = Grid { rows: 4, cols: 4 };
        let [each, merged] = [false, true].map(|merged| Ataxx::new(grid, merged));
        let state = each.read("O..X/.XX./.O../X..O x").unwrap();
        let children = |game: &Ataxx| {
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let mut texts: Vec<String> =
                moves.iter().map(|&mv| game.write(&play_all(game, &state, &[mv]))).collect();
            texts.sort_unstable();
            let listed = texts.len();
            texts.dedup();
            (texts, listed)
        };
        let ((all, many), (same, few)) = (children(&each), children(&merged));
        assert!(all == same && few < many);
    }
}
