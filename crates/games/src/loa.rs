//! Lines of Action: a piece moves as far as there are pieces on its line; a player who joins all their pieces wins.
//!
//! Rules: Claude Soucie, in Sackson's A Gamut of Games (1969), in the two forms that programs play. Ludii's (the default):
//! both sides joined at once is a draw, a player who cannot move passes. OpenSpiel's (`openspiel`): both joined is a win for the
//! last mover, a player who cannot move loses, and a board that was there before, with either side to move, is a draw.
//!
//! Ludii also calls it a draw when both sides pass in turn. Nothing can change after that, so here they pass on to the ply
//! limit, which is a draw as well.

use crate::kit::colours;
use crate::kit::history::History;
use crate::kit::rays::{Line, Rays};
use crate::{Facts, Family, Info, PLIES, plies};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Rng, Spec, SpecError,
    adapters::PlyLimit,
    bits::Bits,
    grid::Grid,
    picture::{Picture, Tiling},
};

/// Rules for one board size.
#[derive(Clone, Debug)]
pub struct Loa {
    grid: Grid,
    lines: Rays,
    /// All cells but those of the first column, and all but those of the last.
    not_first: u64,
    not_last: u64,
    /// Where each symmetry takes each cell.
    images: Vec<[u8; 64]>,
    openspiel: bool,
}

/// A position. Cell (row, column) is bit `row * cols + column`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    men: [u64; 2],
    turn: Player,
    /// The boards since the last capture where a repetition counts; else nothing. Boards before a capture cannot repeat.
    seen: History<[u64; 2]>,
}

/// From where to where. A pass goes nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Move {
    from: u8,
    to: u8,
}

const PASS: Move = Move { from: 0, to: 0 };

/// After this many misses the moves are listed: there may be none.
const DRAWS: usize = 40;

impl Loa {
    /// A square board with sides from 4 to 8, under Ludii's rules or OpenSpiel's.
    pub fn new(size: usize, openspiel: bool) -> Loa {
        let grid = Grid { rows: size, cols: size };
        let column = |col| (0..size).fold(0, |set, row| set | 1 << grid.cell(row, col));
        let board = u64::MAX >> (64 - grid.cells());
        let image = |which| {
            let mut image = [0; 64];
            (0..grid.cells()).for_each(|cell| image[cell] = grid.image(cell, which) as u8);
            image
        };
        Loa {
            grid,
            lines: Rays::new(grid),
            not_first: board & !column(0),
            not_last: board & !column(size - 1),
            images: (0..grid.symmetries()).map(image).collect(),
            openspiel,
        }
    }

    /// Where the piece on `cell` gets to on line number `which`, upwards in number or downwards.
    #[inline]
    fn target(&self, mine: u64, theirs: u64, cell: usize, which: usize, ahead: bool) -> Option<Move> {
        let line: Line = self.lines.through(cell)[which];
        let distance = ((line.both() & (mine | theirs)).count() + 1) * self.lines.step(which);
        let (to, way, inner) = if ahead {
            let to = cell + distance;
            (to, line.after, !(u64::MAX << (to & 63)))
        } else {
            let to = cell.wrapping_sub(distance);
            (to, line.before, !1 << (to & 63))
        };
        let open = to < 64 && way.has(to) && !mine.has(to) && way & inner & theirs == 0;
        open.then_some(Move { from: cell as u8, to: to as u8 })
    }

    /// The mover's men and the opponent's.
    #[inline]
    fn sides(&self, state: &State) -> [u64; 2] {
        let mover = state.turn.index();
        [state.men[mover], state.men[1 - mover]]
    }

    /// The set and all its neighbours.
    #[inline]
    fn spread(&self, set: u64) -> u64 {
        let wide = set | (set << 1 & self.not_first) | (set >> 1 & self.not_last);
        wide | wide << self.grid.cols | wide >> self.grid.cols
    }

    /// Whether the men form one group.
    #[inline]
    fn joined(&self, men: u64) -> bool {
        let mut group = men & men.wrapping_neg();
        loop {
            let grown = self.spread(group) & men;
            if grown == group {
                return group == men;
            }
            group = grown;
        }
    }

    fn image(&self, men: [u64; 2], which: usize) -> [u64; 2] {
        men.map(|set| set.cells().fold(0, |out, cell| out | 1 << self.images[which][cell]))
    }

    /// Reads a board and the side to move.
    fn read_board(&self, board: &str, turn: &str) -> Result<([u64; 2], Player), NotationError> {
        let (men, turn) = colours::read_with_turn::<u64, 2>(self.grid, &format!("{board} {turn}"))?;
        let most = 2 * (self.grid.cols - 2);
        if men.iter().any(|set| !(1..=most).contains(&set.count())) {
            return Err(NotationError::position(format!("each side has from 1 to {most} pieces")));
        }
        Ok((men, turn))
    }
}

impl Game for Loa {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        let last = self.grid.cols - 1;
        let edge =
            |cell: &usize| [cell / self.grid.cols, cell % self.grid.cols].map(|at| at == 0 || at == last);
        let men = [[true, false], [false, true]];
        let men = men.map(|on| {
            (0..self.grid.cells()).filter(|cell| edge(cell) == on).fold(0, |set, cell| set | 1 << cell)
        });
        State { men, turn: Player::FIRST, seen: History::new() }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    /// Piece by piece, each along its row, column, falling and rising diagonal, first towards higher cells.
    fn moves(&self, state: &State, list: &mut Vec<Move>) {
        let [mine, theirs] = self.sides(state);
        let before = list.len();
        for cell in mine.cells() {
            for which in 0..4 {
                list.extend(self.target(mine, theirs, cell, which, true));
                list.extend(self.target(mine, theirs, cell, which, false));
            }
        }
        if list.len() == before && !self.openspiel {
            list.push(PASS);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let mover = state.turn.index();
        state.turn = state.turn.other();
        if mv == PASS {
            return;
        }
        let captured = state.men[1 - mover].has(mv.to as usize);
        if self.openspiel {
            if captured {
                state.seen = History::new();
            } else {
                state.seen.push(state.men);
            }
        }
        state.men[mover] ^= 1 << mv.from | 1 << mv.to;
        state.men[1 - mover] &= !(1 << mv.to);
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        match state.men.map(|men| self.joined(men)) {
            [false, false] => state.seen.contains(&state.men).then_some(Outcome::DRAW),
            [true, true] if self.openspiel => Some(Outcome::loss(state.turn)),
            [true, true] => Some(Outcome::DRAW),
            [first, _] => Some(Outcome::win(if first { Player::FIRST } else { Player::SECOND })),
        }
    }

    /// The least image. With a history there is none: an image of it would be a copy of all its boards.
    fn canonicalize(&self, state: &mut State) {
        if !self.openspiel {
            let images = (0..self.images.len()).map(|which| self.image(state.men, which));
            state.men = images.min().unwrap_or(state.men);
        }
    }

    fn heap_bytes(&self) -> usize {
        if self.openspiel { History::<[u64; 2]>::BYTES } else { 0 }
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, scratch: &mut Vec<Move>) -> Option<Move> {
        // A piece has at most one move in each of its eight directions and about three of them are open, so drawing
        // pairs of piece and direction is quick.
        let [mine, theirs] = self.sides(state);
        let pairs = mine.count() * 8;
        for _ in 0..DRAWS {
            let pair = rng.below(pairs);
            let found = self.target(mine, theirs, mine.nth(pair / 8), pair & 3, pair & 4 == 0);
            if found.is_some() {
                return found;
            }
        }
        scratch.clear();
        self.moves(state, scratch);
        if scratch.is_empty() { None } else { Some(scratch[rng.below(scratch.len())]) }
    }
}

impl Hints for Loa {}

impl Notation for Loa {
    const HOW: &'static str = "A move is from-to, b1-b3 (columns a…, rows from 1 at the bottom), or pass. A position is its \
        rows from the top, X for the first player's pieces, O for the second's, . for empty, and the player to move, x or o; where repetition \
        counts, the earlier boards since the last capture follow; then @ and the plies played: .XX./O..O/O..O/.XX. x@0";

    fn write_move(&self, _: &State, mv: Move) -> String {
        let [from, to] = [mv.from, mv.to].map(|cell| self.grid.name(cell as usize));
        if mv == PASS { "pass".to_owned() } else { format!("{from}-{to}") }
    }

    fn write(&self, state: &State) -> String {
        let mut text = colours::write_with_turn(self.grid, &state.men, state.turn);
        for men in state.seen.sorted() {
            let board = colours::write_with_turn(self.grid, &men, state.turn);
            text = text + " " + board.split(' ').next().unwrap_or_default();
        }
        text
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let mut words = text.split_whitespace();
        let [board, turn] = [words.next(), words.next()].map(Option::unwrap_or_default);
        let (men, mover) = self.read_board(board, turn)?;
        let seen = words.map(|board| self.read_board(board, turn).map(|(men, _)| men));
        let mut seen = seen.collect::<Result<Vec<_>, _>>()?;
        seen.sort_unstable();
        seen.dedup();
        if !self.openspiel && !seen.is_empty() {
            return Err(NotationError::position("earlier boards do not matter under these rules"));
        }
        let counts = |men: [u64; 2]| men.map(Bits::count);
        if seen.iter().any(|&board| counts(board) != counts(men)) {
            return Err(NotationError::position("an earlier board has other numbers of pieces"));
        }
        Ok(State { men, turn: mover, seen: seen.into_iter().collect() })
    }

    fn picture(&self, state: &State) -> Picture {
        colours::picture_with_turn(self.grid, &state.men, state.turn).tiled(Tiling::Chequered)
    }
}

impl Family for PlyLimit<Loa> {
    const INFO: Info = Info {
        usage: "loa[:SIZE][,openspiel][,plies=2500]",
        about: "Lines of Action: a piece moves as many cells as there are pieces on its line; connecting all of one's pieces wins",
        rules: "C. Soucie 1969, as Ludii 1.3.14 plays it, or as OpenSpiel 2.0.2 does (then 1000 plies)",
    };

    const FACTS: Facts = Facts {
        parameters: &[
            ("8", "cells along a side, from 4 to 8"),
            (
                "openspiel",
                "OpenSpiel's rules for blocked players, simultaneous connection and repetition, and a limit of 1000 plies",
            ),
            PLIES,
        ],
        cycles: "positions can repeat: plies= ends the game as a draw; with openspiel a repeated board does, too",
        symmetries: "rotations and reflections of the board; none with openspiel",
    };

    fn build(spec: &mut Spec) -> Result<PlyLimit<Loa>, SpecError> {
        let openspiel = spec.flag("openspiel");
        let text = spec.value().unwrap_or_else(|| "8".to_owned());
        let size = text.parse().ok().filter(|size| (4..=8).contains(size));
        let size =
            size.ok_or_else(|| spec.impossible(format!("'{text}' is not a board size from 4 to 8")))?;
        let limit = plies(spec, if openspiel { 1000 } else { 2500 })?;
        Ok(PlyLimit { game: Loa::new(size, openspiel), limit })
    }

    fn spec(&self) -> String {
        let rules = if self.game.openspiel { ",openspiel" } else { "" };
        format!("loa:{}{rules},plies={}", self.game.grid.cols, self.written_limit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::conformance;

    #[test]
    fn all_sizes_and_rules_conform() {
        for (size, openspiel) in [(4, false), (5, true), (7, false), (8, true)] {
            conformance::check(&PlyLimit { game: Loa::new(size, openspiel), limit: Some(300) });
        }
    }

    #[test]
    fn both_sides_joined() {
        for (openspiel, outcome) in [(false, Outcome::DRAW), (true, Outcome::win(Player::FIRST))] {
            let game = Loa::new(4, openspiel);
            let state = game.read("..../XX../OO../.... o").unwrap();
            assert_eq!(game.outcome(&state), Some(outcome));
        }
    }

    #[test]
    fn a_board_seen_before_is_a_draw() {
        let game = Loa::new(8, true);
        let mut state =
            game.read("X......O/......../......../......../......../......../......../O......X x").unwrap();
        for (from, to) in [(0, 2), (7, 5), (2, 0), (5, 7)] {
            assert_eq!(game.outcome(&state), None);
            game.play(&mut state, Move { from, to });
        }
        assert_eq!(game.outcome(&state), Some(Outcome::DRAW));
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Loa::new(4, false);
        for bad in [
            "",
            "..../..../..../.... x",
            "XX../..../..../..OO",
            "XX../..../..../..OO y",
            "XXX./XX../..../..OO x",
        ] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
        assert!(game.read("X..X/..../..../O..O x X..X/..../..../O..O").is_err());
        assert!(Loa::new(4, true).read("X..X/..../..../O..O x X..X/X.../..../O..O").is_err());
    }
}
