//! Amazons: a queen's move, then an arrow shot like a queen from where she stands; a player who cannot move loses.
//!
//! Rules: Walter Zamkauskas 1988. A turn, queen's move and arrow together, is one move. Each side has two amazons on its
//! first row and two at the edges, a third of the way along. On 6 and 10 that is OpenSpiel's start, on five rows of six that of
//! M. Müller's page on his solver; on other boards no program has been compared.

use crate::kit::colours;
use crate::kit::symmetry::Symmetry;
use crate::{BOARD_SYMMETRIES, Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Player, Progressive, Rng, Spec, SpecError,
    bits::Bits,
    grid::Grid,
    mix,
    picture::{Picture, Tiling},
};

/// Rules for one board size.
#[derive(Clone, Debug)]
pub struct Amazons {
    grid: Grid,
    /// The cells in each of eight directions from every cell: first the four towards higher cells, then the others.
    rays: Vec<[u128; 8]>,
    /// The most cells that a queen can reach from anywhere.
    most: usize,
    symmetry: Symmetry,
}

/// A position. Cell (row, column) is bit `row * cols + column`, rows from the top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The amazons of both sides, then the arrows.
    sets: [u128; 3],
    turn: Player,
}

/// A move. They are listed by the cells `from`, `to` and `arrow`, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Move {
    from: u8,
    to: u8,
    arrow: u8,
}

const AMAZONS: usize = 4;

impl Amazons {
    /// A board with sides from 4 to 10.
    pub fn new(grid: Grid) -> Amazons {
        let ray = |cell: usize, (down, right): (isize, isize)| {
            let (mut row, mut col) = (cell / grid.cols, cell % grid.cols);
            let mut set = 0u128;
            loop {
                let step = (row.checked_add_signed(down), col.checked_add_signed(right));
                match step {
                    (Some(r), Some(c)) if r < grid.rows && c < grid.cols => (row, col) = (r, c),
                    _ => return set,
                }
                set |= 1 << grid.cell(row, col);
            }
        };
        let directions = [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];
        let rays: Vec<_> =
            (0..grid.cells()).map(|cell| directions.map(|direction| ray(cell, direction))).collect();
        let most = rays.iter().map(|rays| rays.iter().map(|ray| ray.count()).sum()).max().unwrap_or(0);
        Amazons { grid, rays, most, symmetry: Symmetry::of(grid) }
    }

    /// The cells a queen on `from` can go to when `blocked` are in the way.
    #[inline]
    fn reach(&self, from: usize, blocked: u128) -> u128 {
        let rays = &self.rays[from];
        let mut set = 0;
        for &ray in &rays[..4] {
            // All bits up to the lowest that is blocked, or simply all.
            let hit = ray & blocked;
            set |= ray & (hit ^ hit.wrapping_sub(1));
        }
        for &ray in &rays[4..] {
            // All bits down to the highest that is blocked, or to the lowest there is.
            let hit = ray & blocked | 1;
            set |= ray & u128::MAX << (127 - hit.leading_zeros());
        }
        set & !blocked
    }

    /// Every amazon of the mover: where she stands, what is blocked once she has left, and where she can go.
    #[inline]
    fn queens(&self, state: &State) -> impl Iterator<Item = (usize, u128, u128)> {
        let all = state.sets[0] | state.sets[1] | state.sets[2];
        state.sets[state.turn.index()].cells().map(move |from| {
            let blocked = all ^ 1 << from;
            (from, blocked, self.reach(from, blocked))
        })
    }
}

impl Game for Amazons {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        let Grid { rows, cols } = self.grid;
        let (down, aside) = ((rows - 1) / 3, (cols - 1) / 3);
        let cells = [(0, aside), (0, cols - 1 - aside), (down, 0), (down, cols - 1)];
        let second = cells.iter().fold(0, |set, &(row, col)| set | 1 << self.grid.cell(row, col));
        let first = cells.iter().fold(0, |set, &(row, col)| set | 1 << self.grid.cell(rows - 1 - row, col));
        State { sets: [first, second, 0], turn: Player::FIRST }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<Move>) {
        for (from, blocked, targets) in self.queens(state) {
            for to in targets.cells() {
                let arrows = self.reach(to, blocked).cells();
                list.extend(arrows.map(|arrow| Move { from: from as u8, to: to as u8, arrow: arrow as u8 }));
            }
        }
    }

    #[inline]
    fn play(&self, state: &mut State, Move { from, to, arrow }: Move) {
        state.sets[state.turn.index()] ^= 1 << from | 1 << to;
        state.sets[2] |= 1 << arrow;
        state.turn = state.turn.other();
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }

    fn key(&self, state: &State) -> u64 {
        let fold = |hash: u64, set: &u128| mix(mix(hash ^ *set as u64) ^ (*set >> 64) as u64);
        state.sets.iter().fold(state.turn.index() as u64, fold)
    }

    fn canonicalize(&self, state: &mut State) {
        state.sets = self.symmetry.least(state.sets);
    }

    fn count_moves(&self, state: &State, _: &mut Vec<Move>) -> usize {
        let shots = |blocked: u128, targets: u128| -> usize {
            targets.cells().map(|to| self.reach(to, blocked).count()).sum()
        };
        self.queens(state).map(|(_, blocked, targets)| shots(blocked, targets)).sum()
    }

    /// Draws one of the queen's moves and one of the most shots there can be from anywhere, until there is such a shot.
    /// That is uniform over whole moves, and most shots need not be looked at.
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Option<Move> {
        let mut queens = [(0, 0, 0); AMAZONS];
        for (entry, queen) in queens.iter_mut().zip(self.queens(state)) {
            *entry = queen;
        }
        let counts = queens.map(|(_, _, targets)| targets.count());
        let total: usize = counts.iter().sum();
        if total == 0 {
            return None;
        }
        loop {
            let (mut n, mut which) = (rng.below(total), 0);
            while n >= counts[which] {
                n -= counts[which];
                which += 1;
            }
            let (from, blocked, targets) = queens[which];
            let to = targets.nth(n);
            let arrows = self.reach(to, blocked);
            let shot = rng.below(self.most);
            if shot < arrows.count() {
                return Some(Move { from: from as u8, to: to as u8, arrow: arrows.nth(shot) as u8 });
            }
        }
    }
}

impl Progressive for Amazons {}
impl Hints for Amazons {}

impl Notation for Amazons {
    const HOW: &'static str = "A move is where an amazon stands, where she goes and where her arrow lands, a4-a1/c3 (columns a…, \
        rows from 1 at the bottom). A position is its rows from the top, X for the first player's amazons, O for the second's, \
        # for arrows, . for empty, and the player to move, x or o: .O..O./O....O/....../....../X....X/.X..X. x";

    fn write_move(&self, _: &State, mv: Move) -> String {
        let [from, to, arrow] = [mv.from, mv.to, mv.arrow].map(|cell| self.grid.name(cell as usize));
        format!("{from}-{to}/{arrow}")
    }

    fn write(&self, state: &State) -> String {
        colours::write_with_turn(self.grid, &state.sets, state.turn)
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let (sets, turn): ([u128; 3], Player) = colours::read_with_turn(self.grid, text)?;
        if sets[..2].iter().any(|side| side.count() != AMAZONS) {
            return Err(NotationError::position(format!("each side has {AMAZONS} amazons")));
        }
        Ok(State { sets, turn })
    }

    fn picture(&self, state: &State) -> Picture {
        colours::picture_with_turn(self.grid, &state.sets, state.turn).tiled(Tiling::Chequered)
    }
}

impl Family for Amazons {
    const INFO: Info = Info {
        usage: "amazons[:SIDE|ROWSxCOLS]",
        about: "queens move and then shoot an arrow that blocks a cell; a player who cannot move loses",
        rules: "W. Zamkauskas 1988; OpenSpiel, Amazons",
    };

    const FACTS: Facts = Facts {
        parameters: &[("6", "cells along a side, or rows and columns such as 4x5; from 4 to 10")],
        symmetries: BOARD_SYMMETRIES,
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<Amazons, SpecError> {
        let text = spec.value().unwrap_or_else(|| "6".to_owned());
        let (rows, cols) = text.split_once('x').unwrap_or((&text, &text));
        let side = |text: &str| text.parse().ok().filter(|side| (4..=10).contains(side));
        match (side(rows), side(cols)) {
            (Some(rows), Some(cols)) => Ok(Amazons::new(Grid { rows, cols })),
            _ => Err(spec.impossible(format!(
                "'{text}' is neither a side nor rows and columns such as 4x5, from 4 to 10"
            ))),
        }
    }

    fn spec(&self) -> String {
        let Grid { rows, cols } = self.grid;
        if rows == cols { format!("amazons:{rows}") } else { format!("amazons:{rows}x{cols}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::conformance;

    #[test]
    fn rectangles_conform() {
        for (rows, cols) in [(4, 4), (4, 7), (6, 5)] {
            conformance::check(&Amazons::new(Grid { rows, cols }));
        }
    }

    #[test]
    fn end_games_conform() {
        let game = Amazons::new(Grid { rows: 8, cols: 8 });
        let text = "#.#O.#.#/.#O#.#X#/########/##.#..##/#X#.#.##/##O##.X#/#.#.O#.#/.X.#.#.. o";
        conformance::check_from(&game, &game.read(text).unwrap());
    }

    #[test]
    fn rectangles_start_as_drawn() {
        let start = |rows, cols| {
            let game = Amazons::new(Grid { rows, cols });
            game.write(&game.start())
        };
        assert_eq!(start(5, 6), ".O..O./O....O/....../X....X/.X..X. x");
        assert_eq!(start(6, 4), ".OO./O..O/..../..../X..X/.XX. x");
    }

    #[test]
    fn reach_agrees_with_walking() {
        let game = Amazons::new(Grid { rows: 10, cols: 10 });
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let blocked = u128::from(rng.bits() & rng.bits()) << 40 | u128::from(rng.bits() & rng.bits());
            for from in 0..100 {
                let mut walked = 0;
                for (down, right) in [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)] {
                    let (mut row, mut col) = (from as i32 / 10 + down, from as i32 % 10 + right);
                    while (0..10).contains(&row)
                        && (0..10).contains(&col)
                        && !blocked.has((row * 10 + col) as usize)
                    {
                        walked |= 1u128 << (row * 10 + col);
                        (row, col) = (row + down, col + right);
                    }
                }
                assert_eq!(game.reach(from, blocked), walked, "from {from} with {blocked:b}");
            }
        }
    }

    #[test]
    fn bad_input_is_refused() {
        let game = Amazons::new(Grid { rows: 6, cols: 6 });
        for bad in
            ["", ".O..O./O....O/....../....../X....X/.X..X.", ".O..O./O....O/....../....../X....X/.X.... x"]
        {
            assert!(game.read(bad).is_err(), "{bad}");
        }
        for bad in ["a:3", "a:11", "a:4x3", "a:11x4", "a:4x", "a:4x4x4"] {
            assert!(Amazons::build(&mut Spec::parse(bad)).is_err(), "{bad}");
        }
    }
}
