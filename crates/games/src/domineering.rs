//! Domineering: the first player places vertical dominoes, the second horizontal ones; a player who cannot move loses.
//!
//! Rules: Göran Andersson, about 1973; Gardner, Scientific American 230 (1974); paper 2, §4.2. Which domino covers a cell does
//! not matter for the rest of the game, so the state is the set of covered cells and the player to move. Most positions are decided
//! without search by bounds from combinatorial game theory (`bounds.rs`, `thermograph.rs`).

mod bounds;
mod siblings;
mod thermograph;

use self::bounds::{Boards, Bounds, Buffers};
use self::thermograph::MOVE;
use crate::{Facts, Family, Info};
use delphic_game::{
    Appraisal, Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError,
    bits::Bits,
    grid::Grid,
    mix,
    patterns::{Patterns, Surroundings, around},
    picture::Picture,
};

/// A player whose bound is further below a proof than this hardly has one after another move.
const FAR: i16 = -2 * MOVE;
/// A bound from the whole board that is closer to a proof is improved by a division into parts.
const NEAR: i16 = -MOVE / 2;
/// The worth of a place for a domino.
const PLACE: i16 = MOVE / 6;

/// Rules for one board size, at most 64 cells.
#[derive(Clone, Debug)]
pub struct Domineering {
    grid: Grid,
    board: u64,
    /// Cells from which a horizontal domino does not leave the board.
    not_last: u64,
    boards: Boards,
}

/// A position. Cell (row, column) is bit `row * cols + column`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    covered: u64,
    turn: Player,
}

impl Domineering {
    /// A board of `rows` rows and `cols` columns, at most 64 cells.
    pub fn new(rows: usize, cols: usize) -> Domineering {
        let grid = Grid { rows, cols };
        let board = u64::MAX >> (64 - grid.cells());
        let last = (0..rows).fold(0, |set, row| set | 1 << grid.cell(row, cols - 1));
        Domineering { grid, board, not_last: board & !last, boards: Boards::new(rows, cols) }
    }

    /// The upper or left cells of all dominoes `player` can place.
    #[inline]
    fn places(&self, covered: u64, player: Player) -> u64 {
        let free = self.board & !covered;
        match player {
            // On a board of one row of 64 the shift by a whole word would wrap; there is no room below anyway.
            Player::FIRST => free & free.checked_shr(self.grid.cols as u32).unwrap_or(0),
            _ => free & (free >> 1) & self.not_last,
        }
    }

    /// From the first cell of a domino to the second.
    #[inline]
    fn step(&self, player: Player) -> u32 {
        if player == Player::FIRST { self.grid.cols as u32 } else { 1 }
    }

    /// The row and the column of a cell.
    fn cell(&self, cell: u8) -> (usize, usize) {
        (usize::from(cell) / self.grid.cols, usize::from(cell) % self.grid.cols)
    }

    #[inline]
    fn domino(&self, place: u8, player: Player) -> u64 {
        1 << place | 1 << (u32::from(place) + self.step(player))
    }

    /// The evaluation for a player: a probability from the bounds of both players.
    fn chance(&self, state: &State, player: Player, [mine, theirs]: [Bounds; 2]) -> f64 {
        let places = |player| self.places(state.covered, player).count() as f64;
        // With the weight of ⅓ move per place, 7x7 needs half as many nodes as without this term; from ⅙ to 1 it is about the same.
        let lead = mine.mean() - theirs.mean() + (places(player) - places(player.other())) / 3.0;
        1.0 / (1.0 + (-lead / 4.0).exp2())
    }

    /// Whether the bounds on the parts say that a player wins after a move of `mover`.
    fn wins_by_parts(&self, covered: u64, player: Player, mover: Player) -> bool {
        let bounds = self.boards.sum(self.board & !covered).bounds(player, &mut Buffers::new());
        if player == mover { bounds.win_moving_second() } else { bounds.win_moving_first() }
    }

    /// Left and right exchanged.
    fn mirrored(&self, set: u64) -> u64 {
        let (cols, full) = (self.grid.cols, u64::MAX >> (64 - self.grid.cols));
        if cols == 8 {
            // Rows are bytes. Row by row, canonical forms took 5 % of a search of 8x8.
            return set.reverse_bits().swap_bytes();
        }
        (0..self.grid.cells()).step_by(cols).fold(0, |out, at| {
            let row = set >> at & full;
            out | row.reverse_bits() >> (64 - cols) << at
        })
    }

    /// Turned by 180 degrees.
    fn turned(&self, set: u64) -> u64 {
        set.reverse_bits() >> (64 - self.grid.cells())
    }
}

impl Game for Domineering {
    type State = State;
    /// The upper or left cell of the domino.
    type Move = u8;

    fn start(&self) -> State {
        State { covered: 0, turn: Player::FIRST }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn moves(&self, state: &State, list: &mut Vec<u8>) {
        list.extend(self.places(state.covered, state.turn).cells().map(|cell| cell as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, place: u8) {
        state.covered |= self.domino(place, state.turn);
        state.turn = state.turn.other();
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }

    #[inline]
    fn key(&self, state: &State) -> u64 {
        mix(state.covered ^ mix(state.turn.index() as u64))
    }

    fn canonicalize(&self, state: &mut State) {
        let mirrored = self.mirrored(state.covered);
        let [turned, flipped] = [state.covered, mirrored].map(|set| self.turned(set));
        state.covered = state.covered.min(mirrored).min(flipped).min(turned);
    }

    #[inline]
    fn count_moves(&self, state: &State, _: &mut Vec<u8>) -> usize {
        self.places(state.covered, state.turn).count()
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        let places = self.places(state.covered, state.turn);
        if places == 0 { None } else { Some(places.nth(rng.below(places.count())) as u8) }
    }
}

impl Progressive for Domineering {}

impl Hints for Domineering {
    fn patterns(&self) -> Option<&dyn Patterns<State = State, Move = u8>> {
        Some(self)
    }

    /// From the midpoint of both players' bounds on the mean value, and the difference of the numbers of their possible dominoes.
    fn evaluate(&self, state: &State, player: Player) -> Option<f64> {
        let (sum, mut buffers) = (self.boards.sum(self.board & !state.covered), Buffers::new());
        let bounds = [player, player.other()].map(|player| sum.bounds(player, &mut buffers));
        Some(self.chance(state, player, bounds))
    }

    fn static_outcome(&self, state: &State) -> Option<Outcome> {
        match self.appraise(state, state.turn) {
            Appraisal::Exact(outcome) => Some(outcome),
            Appraisal::Open(_) => None,
        }
    }

    /// The bounds decide many positions long before the end; 7x8 and 8x7 are decided at the start.
    fn appraise(&self, state: &State, player: Player) -> Appraisal {
        let (mover, sum) = (state.turn, self.boards.sum(self.board & !state.covered));
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
        Appraisal::Open(Some(self.chance(state, player, bounds)))
    }

    /// Bounds from the whole board come first, for all moves together (`siblings.rs`). Where one comes close to a proof, the board is
    /// divided into parts as well.
    fn appraise_children(&self, state: &State, moves: &[u8], list: &mut Vec<(usize, Appraisal)>) -> bool {
        if !self.boards.has_siblings() {
            return false;
        }
        let (mover, other, free) = (state.turn, state.turn.other(), self.board & !state.covered);
        let [own, theirs] = [mover, other].map(|player| self.boards.siblings(free, player));
        let own_far = own.before().moving_first() < FAR;
        let their_far = theirs.before().moving_second() < FAR;
        let by_own = !own_far || their_far;
        let mut open = Vec::with_capacity(moves.len());
        for (nth, &place) in moves.iter().enumerate() {
            let bound = if by_own { own.after(self.cell(place), mover).moving_second() } else { FAR };
            if bound > 0 {
                list.push((nth, Appraisal::Exact(Outcome::win(mover))));
                return true;
            }
            open.push((nth, bound));
        }
        for (nth, own_bound) in open {
            let their_bound =
                if their_far { FAR } else { theirs.after(self.cell(moves[nth]), mover).moving_first() };
            let covered = state.covered | self.domino(moves[nth], mover);
            if their_bound > 0 || their_bound > NEAR && self.wins_by_parts(covered, other, mover) {
                list.push((nth, Appraisal::Exact(Outcome::loss(mover))));
                continue;
            }
            let [own_places, their_places] =
                [mover, other].map(|player| self.places(covered, player).count() as i16);
            if their_places == 0 || own_bound > NEAR && self.wins_by_parts(covered, mover, mover) {
                list.push((nth, Appraisal::Exact(Outcome::win(mover))));
                return true;
            }
            let bound = if by_own { own_bound } else { -their_bound };
            let worth = bound + PLACE * (own_places - their_places);
            list.push((nth, Appraisal::Open(Some(0.5 + f64::from(worth) / 65536.0))));
        }
        true
    }

    /// Upper bound: every cell is covered or free, and either side may be to move.
    fn states(&self) -> Option<f64> {
        Some((self.grid.cells() + 1) as f64 * 2f64.log10())
    }
}

impl Notation for Domineering {
    const HOW: &'static str = "A move names the two cells of the domino, a1+a2 (columns a…, rows from 1 at the bottom). \
        A position is its rows from the top, # covered, . free, and the player to move, v (vertical) or h: ../.#/.# h";

    fn write_move(&self, state: &State, place: u8) -> String {
        // The smaller name first: the lower cell of a vertical domino, the left one of a horizontal.
        let cells: Vec<usize> = self.domino(place, state.turn).cells().collect();
        let [a, b] = [cells[0], cells[1]].map(|cell| self.grid.name(cell));
        if state.turn == Player::FIRST { format!("{b}+{a}") } else { format!("{a}+{b}") }
    }

    fn write(&self, state: &State) -> String {
        let board = self.grid.write(|cell| if state.covered.has(cell) { '#' } else { '.' });
        format!("{board} {}", if state.turn == Player::FIRST { 'v' } else { 'h' })
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let (board, turn) = match text.trim().rsplit_once(' ') {
            Some((board, "v")) => (board, Player::FIRST),
            Some((board, "h")) => (board, Player::SECOND),
            _ => {
                return Err(NotationError::position(
                    "expected the board, a blank, and v or h for the side to move",
                ));
            }
        };
        let cells = self.grid.read(board.trim(), ".#")?;
        let covered = cells
            .iter()
            .enumerate()
            .filter(|(_, glyph)| **glyph == 1)
            .fold(0, |set, (cell, _)| set | 1 << cell);
        Ok(State { covered, turn })
    }

    fn picture(&self, state: &State) -> Picture {
        let board = self.grid.picture(|cell| if state.covered.has(cell) { '#' } else { '.' });
        board.note(format!("{} to move", if state.turn == Player::FIRST { "vertical" } else { "horizontal" }))
    }
}

impl Patterns for Domineering {
    /// Covered cells and the edge around the upper or left cell of a domino. A domino of the other direction is another pattern, so mirrors
    /// count only as far as they keep that cell, which none does for both directions.
    fn surroundings(&self, before: &State, place: u8, _: &State, _: Player) -> Surroundings {
        let Grid { rows, cols } = self.grid;
        let centre = (usize::from(place) / cols, usize::from(place) % cols);
        let covered = |row, col| u8::from(before.covered.has(self.grid.cell(row, col)));
        Surroundings { cells: around(centre, (rows, cols), 1, covered), context: before.turn.index() as u8 }
    }

    fn alike(&self) -> u8 {
        1
    }
}

impl Family for Domineering {
    const INFO: Info = Info {
        usage: "domineering[:ROWSxCOLS]",
        about: "place dominoes, vertical against horizontal; a player who cannot move loses",
        rules: "G. Andersson about 1973; Saffidine and Cazenave, Developments on Product Propagation, §4.2",
    };

    const FACTS: Facts = Facts {
        parameters: &[("6x6", "rows and columns, at most 64 cells")],
        symmetries: "both mirrors and the half turn",
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<Domineering, SpecError> {
        let Grid { rows, cols } = Grid::take(spec, "6x6", 64)?;
        Ok(Domineering::new(rows, cols))
    }

    fn spec(&self) -> String {
        format!("domineering:{}x{}", self.grid.rows, self.grid.cols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::conformance;

    #[test]
    fn all_shapes_conform() {
        for (rows, cols) in [(1, 1), (1, 64), (64, 1), (2, 3), (8, 8), (5, 6)] {
            conformance::check(&Domineering::new(rows, cols));
        }
    }

    #[test]
    fn dominoes_do_not_wrap() {
        let game = Domineering::new(2, 2);
        let mut state = game.start();
        game.play(&mut state, 0);
        assert_eq!(game.write(&state), "#./#. h");
        assert_eq!(game.count_moves(&state, &mut Vec::new()), 0);
    }

    #[test]
    fn malformed_positions_are_refused() {
        let game = Domineering::new(2, 2);
        for bad in ["", "../..", "../.. x", "../.X v", "... v", "..../.... v", "../../.. h"] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
    }
}
