//! Line games: stones are placed in turn, a line of `length` stones wins, a full board is a draw.
//!
//! The family of the m,n,k-games with three choices more: stones may fall to the bottom of their column, the board may be
//! closed to a cylinder or a torus, and longer lines may not count. [`Mnk`](crate::Mnk) and [`Connect4`](crate::Connect4)
//! are faster where none of it is needed.

use crate::kit::colours::{self, glyph, standing};
use crate::kit::symmetry::Symmetry;
use crate::{Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError, bits::Bits,
    grid::Grid, picture::Picture,
};

/// The most cells of a board.
const CELLS: usize = 128;

/// Which opposite sides of the board are glued together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wrap {
    /// The top row follows the bottom one.
    pub rows: bool,
    /// The first column follows the last one.
    pub cols: bool,
}

impl Wrap {
    /// Every way to wrap, by name.
    pub const ALL: [(&'static str, Wrap); 4] = [
        ("none", Wrap { rows: false, cols: false }),
        ("rows", Wrap { rows: true, cols: false }),
        ("columns", Wrap { rows: false, cols: true }),
        ("both", Wrap { rows: true, cols: true }),
    ];

    fn name(self) -> &'static str {
        Wrap::ALL[usize::from(self.rows) + 2 * usize::from(self.cols)].0
    }
}

/// A line that wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Line {
    cells: u128,
    /// What must not be there as well: the cells that would make the line too long.
    beyond: u128,
}

/// Rules for one board.
#[derive(Clone, Debug)]
pub struct InARow {
    grid: Grid,
    length: usize,
    gravity: bool,
    wrap: Wrap,
    exact: bool,
    /// The lines through every cell.
    lines: Vec<Vec<Line>>,
    symmetry: Symmetry,
}

/// A position. Equally many stones mean that the first player moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    stones: [u128; 2],
    /// Whether the player who is not to move has a line.
    won: bool,
}

impl InARow {
    /// A board of at most 128 cells on which `length` (at least 2) in a row win. With `exact` longer lines do not.
    pub fn new(grid: Grid, length: usize, gravity: bool, wrap: Wrap, exact: bool) -> InARow {
        let mut lines = vec![Vec::new(); grid.cells()];
        for cell in 0..grid.cells() {
            for step in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let Some(line) = Line::new(grid, wrap, cell, step, length, exact) else { continue };
                for cell in line.cells.cells() {
                    // A line that goes all the way round starts everywhere.
                    if !lines[cell].contains(&line) {
                        lines[cell].push(line);
                    }
                }
            }
        }
        InARow { grid, length, gravity, wrap, exact, lines, symmetry: symmetries(grid, gravity, wrap) }
    }

    /// The cells a stone can get to.
    #[inline]
    fn places(&self, state: &State) -> u128 {
        let all = state.stones[0] | state.stones[1];
        let (board, cols) = (u128::MAX >> (CELLS - self.grid.cells()), self.grid.cols as u32);
        let floor = if self.gravity {
            (all >> (cols - 1) >> 1) | ((u128::MAX >> (128 - cols)) << (self.grid.cells() as u32 - cols))
        } else {
            board
        };
        board & !all & floor
    }

    /// Whether `stones` have a line through `cell`.
    #[inline]
    fn completes(&self, stones: u128, cell: usize) -> bool {
        self.lines[cell].iter().any(|line| line.is_in(stones))
    }

    fn wins(&self, stones: u128) -> bool {
        stones.cells().any(|cell| self.completes(stones, cell))
    }
}

impl Line {
    /// Whether `stones` have this line, and nothing where it would be too long.
    #[inline]
    fn is_in(&self, stones: u128) -> bool {
        stones & self.cells == self.cells && stones & self.beyond == 0
    }

    /// The line of `length` different cells from `cell` on, if it stays on the board.
    fn new(
        grid: Grid,
        wrap: Wrap,
        cell: usize,
        (down, right): (isize, isize),
        length: usize,
        exact: bool,
    ) -> Option<Line> {
        let along = |steps: isize| {
            let row = shifted(cell / grid.cols, down * steps, grid.rows, wrap.rows)?;
            let col = shifted(cell % grid.cols, right * steps, grid.cols, wrap.cols)?;
            Some(1u128 << grid.cell(row, col))
        };
        let mut cells = 0;
        for step in 0..length as isize {
            let next = along(step)?;
            if cells & next != 0 {
                return None;
            }
            cells |= next;
        }
        let ends = [-1, length as isize].into_iter().filter_map(along).fold(0, |set, end| set | end);
        Some(Line { cells, beyond: if exact { ends & !cells } else { 0 } })
    }
}

/// A coordinate `by` steps further on, round the board if it wraps.
fn shifted(at: usize, by: isize, size: usize, wraps: bool) -> Option<usize> {
    let to = at as isize + by;
    if wraps {
        Some(to.rem_euclid(size as isize) as usize)
    } else {
        usize::try_from(to).ok().filter(|&to| to < size)
    }
}

/// Everything that keeps the lines and the floor: turns and mirrors, and shifts where the board wraps.
fn symmetries(grid: Grid, gravity: bool, wrap: Wrap) -> Symmetry {
    let Grid { rows, cols } = grid;
    let shifts = |wraps: bool, size: usize| if wraps { size } else { 1 };
    let mut tables = Vec::new();
    for which in 0..grid.symmetries() {
        // Mirrors keep the floor, and what exchanges rows and columns needs both to wrap or none.
        if gravity && which > 1 || which >= 4 && wrap.rows != wrap.cols {
            continue;
        }
        for down in 0..shifts(wrap.rows && !gravity, rows) {
            for right in 0..shifts(wrap.cols, cols) {
                let image = |cell: usize| {
                    let cell = grid.image(cell, which);
                    grid.cell((cell / cols + down) % rows, (cell % cols + right) % cols) as u8
                };
                tables.push((0..grid.cells()).map(image).collect());
            }
        }
    }
    // The first is the identity.
    tables.remove(0);
    Symmetry::new(tables)
}

impl Game for InARow {
    type State = State;
    /// The cell.
    type Move = u8;

    fn start(&self) -> State {
        State { stones: [0, 0], won: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        Player::new((state.stones[0] | state.stones[1]).count() & 1)
    }

    #[inline]
    fn moves(&self, state: &State, list: &mut Vec<u8>) {
        list.extend(self.places(state).cells().map(|cell| cell as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, cell: u8) {
        let stones = &mut state.stones[self.turn(state).index()];
        *stones |= 1 << cell;
        state.won = self.completes(*stones, cell.into());
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        if state.won {
            return Some(Outcome::loss(self.turn(state)));
        }
        ((state.stones[0] | state.stones[1]).count() == self.grid.cells()).then_some(Outcome::DRAW)
    }

    fn canonicalize(&self, state: &mut State) {
        state.stones = self.symmetry.least(state.stones);
    }

    #[inline]
    fn count_moves(&self, state: &State, _: &mut Vec<u8>) -> usize {
        self.places(state).count()
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        let places = self.places(state);
        (places != 0).then(|| places.nth(rng.below(places.count())) as u8)
    }
}

impl Progressive for InARow {}
impl Hints for InARow {}

impl Notation for InARow {
    const HOW: &'static str = "A move is a cell, b2 (columns a…, rows from 1 at the bottom), also where stones fall. A position is its rows \
        from the top, X for the first player's stones, O for the second's, . for empty: .../.X./..O";

    fn write_move(&self, _: &State, cell: u8) -> String {
        self.grid.name(cell.into())
    }

    fn write(&self, state: &State) -> String {
        self.grid.write(|cell| glyph(&state.stones, cell))
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let stones: [u128; 2] = colours::read(self.grid, text.trim(), |cell| cell)?;
        let (_, won) = standing(&stones, |set| self.wins(set))?;
        let all = stones[0] | stones[1];
        let hangs =
            |cell: usize| cell + self.grid.cols < self.grid.cells() && !all.has(cell + self.grid.cols);
        if self.gravity && all.cells().any(hangs) {
            return Err(NotationError::position("a stone hangs in the air"));
        }
        Ok(State { stones, won })
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = self.grid.picture(|cell| glyph(&state.stones, cell));
        let line = state.stones.iter().find_map(|&stones| {
            let line = |cell: usize| self.lines[cell].iter().find(|line| line.is_in(stones));
            stones.cells().find_map(line).map(|line| line.cells)
        });
        picture.mark_winning(|cell| line.is_some_and(|line| line.has(cell)));
        picture
    }
}

impl Family for InARow {
    const INFO: Info = Info {
        usage: "lines[:ROWSxCOLS][,length=4][,gravity][,wrap=none|rows|columns|both][,exact]",
        about: "place stones (with gravity, drop them); a line wins; with wrap=, lines go around the board; with exact, longer lines do not count",
        rules: "m,n,k-games and Connect Four; the cylinder and the torus are folklore",
    };

    const FACTS: Facts = Facts {
        parameters: &[
            ("4x5", "rows and columns, at most 128 cells"),
            ("length=4", "how many in a row win"),
            ("gravity", "stones fall to the bottom of their column"),
            ("wrap=none", "rows, columns or both: the last row or column is adjacent to the first"),
            ("exact", "longer lines do not count"),
        ],
        symmetries: "rotations, reflections and shifts that keep the lines and the floor",
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<InARow, SpecError> {
        let grid = Grid::take(spec, "4x5", CELLS)?;
        let (length, gravity, exact) = (spec.number("length", 4)?, spec.flag("gravity"), spec.flag("exact"));
        let wrap = spec.text("wrap").unwrap_or_else(|| "none".to_owned());
        let Some(&(_, wrap)) = Wrap::ALL.iter().find(|(name, _)| *name == wrap) else {
            return Err(spec.impossible(format!("'wrap={wrap}' is none of none, rows, columns, both")));
        };
        if !(2..=CELLS).contains(&length) {
            return Err(spec.impossible(format!("length= is from 2 to {CELLS}")));
        }
        Ok(InARow::new(grid, length, gravity, wrap, exact))
    }

    fn spec(&self) -> String {
        let InARow { grid: Grid { rows, cols }, length, gravity, wrap, exact, .. } = *self;
        let mut spec = format!("lines:{rows}x{cols},length={length}");
        if gravity {
            spec += ",gravity";
        }
        if wrap.rows || wrap.cols {
            spec = spec + ",wrap=" + wrap.name();
        }
        spec + if exact { ",exact" } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Connect4, Mnk};
    use delphic_game::{conformance, perft};

    fn game(spec: &str) -> InARow {
        InARow::build(&mut Spec::parse(spec)).unwrap()
    }

    #[test]
    fn every_kind_conforms() {
        for spec in [
            "lines:1x1,length=2",
            "lines:4x4,length=3,wrap=both",
            "lines:3x4,length=3,wrap=both,exact",
            "lines:3x5,length=3,gravity,wrap=columns",
            "lines:5x3,length=4,gravity,wrap=rows",
            "lines:4x4,length=3,exact",
            "lines:1x128,length=5,exact",
            "lines:128x1,length=3,gravity",
            "lines:8x16,length=5",
        ] {
            let game = game(spec);
            conformance::check(&game);
            assert_eq!(game.spec(), spec);
        }
    }

    /// Where the families meet, they are the same game, and their texts are equal too.
    #[test]
    fn plain_boards_are_those_of_the_games_with_a_name() {
        fn agree<A: Notation, B: Notation>(a: &A, b: &B) {
            for seed in 0..50 {
                let (mut rng, mut there, mut here) = (Rng::new(seed), a.start(), b.start());
                while a.outcome(&there).is_none() {
                    let Some(mv) = a.random_move(&there, &mut rng, &mut Vec::new()) else { break };
                    assert_eq!(perft(a, &there, 3), perft(b, &here, 3), "{}", a.write(&there));
                    a.play(&mut there, mv);
                    here = b.read(&a.write(&there)).unwrap();
                    assert_eq!(a.outcome(&there), b.outcome(&here), "{}", a.write(&there));
                }
            }
        }
        agree(&Mnk::new(4, 5, 3), &game("lines:5x4,length=3"));
        agree(&Mnk::new(3, 3, 3), &game("lines:3x3,length=3"));
        agree(&Connect4::new(7, 6, 4), &game("lines:6x7,gravity"));
        agree(&Connect4::new(5, 3, 3), &game("lines:3x5,length=3,gravity"));
    }

    #[test]
    fn lines_go_round_the_board_and_may_be_too_long() {
        let won = |spec: &str, text: &str| game(spec).read(text).unwrap().won;
        assert!(won("lines:3x4,length=3,wrap=columns", "X.XX/OO../...."));
        assert!(!won("lines:3x4,length=3,wrap=rows", "X.XX/OO../...."));
        assert!(won("lines:3x4,length=3,wrap=columns", "...X/X.../OXO."), "a diagonal");
        assert!(won("lines:4x3,length=3,wrap=rows", "X.O/X.O/.../X.."));
        assert!(won("lines:3x3,length=3,wrap=both", ".X./X../OOX"), "a broken diagonal");
        assert!(!won("lines:2x5,length=3,exact", "XXXX./OO.O."));
        assert!(won("lines:2x5,length=4,exact", "XXXX./OOO.."));
        assert!(!won("lines:3x5,length=4,exact,wrap=columns", "XXXXX/OO.O./.O..."));
        assert!(
            won("lines:2x4,length=4,exact,wrap=columns", "XXXX/OOO."),
            "all the way round is no overline"
        );
    }

    #[test]
    fn bad_input_is_refused() {
        for bad in ["l:9x99", "l:3x3,length=1", "l:3x3,length=x", "l:3x3,wrap=round", "l:3x3,length=999"] {
            assert!(InARow::build(&mut Spec::parse(bad)).is_err(), "{bad}");
        }
        for bad in ["", "X../...", "X../.../...", "OOO/XXX/...", "XX./.../..."] {
            assert!(game("lines:3x3,length=3,gravity").read(bad).is_err(), "{bad}");
        }
    }
}
