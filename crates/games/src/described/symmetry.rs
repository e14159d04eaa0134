//! Symmetries of a described game: maps of its board that leave all its rules as they are.
//!
//! The board gives the candidates: rotations and reflections of squares and hexagons, shifts of a torus, and the automorphisms of a graph. Those
//! that preserve every rule and every end are kept. They form a group, so the least image of a position is a canonical form.

use super::board::{Board, CELLS, Shape};
use super::rules::{Act, Ray, Test};
use super::state::Described;
use delphic_game::bits::Bits;
use std::collections::HashSet;

/// The maximum number of symmetries: more cost more than they save, so shifts are left out then.
const MOST: usize = 128;
/// Steps of the search for automorphisms of a graph.
const STEPS: u32 = 100_000;

/// A map of cells, as tables of bytes: the image of a set takes one look-up for eight cells.
#[derive(Clone, Debug)]
pub(crate) struct Permutation {
    bytes: Vec<[u64; 256]>,
}

impl Permutation {
    fn new(map: &[u8]) -> Permutation {
        let image = |set: usize, base: usize| {
            let cells = (0..8).filter(|bit| set >> bit & 1 == 1).map(|bit| base + bit);
            cells.filter_map(|cell| map.get(cell)).fold(0u64, |image, &cell| image | 1 << cell)
        };
        let table = |base| std::array::from_fn(|set| image(set, base));
        Permutation { bytes: (0..map.len()).step_by(8).map(table).collect() }
    }

    /// Where a set of cells goes.
    #[inline]
    pub(crate) fn image(&self, set: u64) -> u64 {
        let bytes = self.bytes.iter().enumerate();
        bytes.fold(0, |image, (number, table)| image | table[(set >> (8 * number)) as usize & 255])
    }
}

/// The symmetries of a game but for the identity.
pub(crate) fn find(game: &Described) -> Vec<Permutation> {
    let valid = |maps: Vec<Vec<u8>>| -> Vec<Vec<u8>> {
        let unique: HashSet<Vec<u8>> = maps.into_iter().collect();
        let mut kept: Vec<_> = unique.into_iter().filter(|map| leaves_rules_alone(game, map)).collect();
        kept.sort_unstable();
        kept
    };
    let board = &game.board;
    let mut maps = match board.shape {
        Shape::Graph => valid(automorphisms(board)),
        Shape::Torus => {
            let shifted = valid(square_maps(board, true));
            if shifted.len() > MOST { valid(square_maps(board, false)) } else { shifted }
        }
        Shape::Grid | Shape::Dots => valid(square_maps(board, false)),
        Shape::Rhombus | Shape::Triangle | Shape::Hexagon => valid(hexagonal_maps(board)),
    };
    maps.retain(|map| map.iter().enumerate().any(|(cell, &to)| cell != usize::from(to)));
    if maps.len() >= MOST {
        maps.clear();
    }
    maps.iter().map(|map| Permutation::new(map)).collect()
}

/// The cells with their coordinates.
fn coordinates(board: &Board) -> Vec<(i32, i32)> {
    let mut places = vec![(0, 0); board.cells];
    for (row, cells) in board.layout.iter().enumerate() {
        for (col, cell) in cells.iter().enumerate() {
            if let Some(cell) = cell {
                places[usize::from(*cell)] = (row as i32, col as i32);
            }
        }
    }
    places
}

/// The map that moves coordinates, if every cell comes to a cell.
fn mapped(board: &Board, moved: &dyn Fn(i32, i32) -> (i32, i32)) -> Option<Vec<u8>> {
    let cell = |(row, col): (i32, i32)| *board.layout.get(row as usize)?.get(col as usize)?;
    coordinates(board).into_iter().map(|(row, col)| cell(moved(row, col))).collect()
}

fn square_maps(board: &Board, shifts: bool) -> Vec<Vec<u8>> {
    let (rows, cols) = (board.layout.len() as i32, board.layout[0].len() as i32);
    let mut maps = Vec::new();
    for which in 0..8 {
        if which >= 4 && rows != cols {
            break;
        }
        let turned = |row: i32, col: i32| {
            let (row, col) = if which >= 4 { (col, row) } else { (row, col) };
            (
                if which & 1 == 1 { rows - 1 - row } else { row },
                if which & 2 == 2 { cols - 1 - col } else { col },
            )
        };
        let (down, right) = if shifts { (rows, cols) } else { (1, 1) };
        for (shift, aside) in (0..down).flat_map(|down| (0..right).map(move |right| (down, right))) {
            let moved = |row, col| {
                let (row, col) = turned(row, col);
                ((row + shift) % rows, (col + aside) % cols)
            };
            maps.extend(mapped(board, &moved));
        }
    }
    maps
}

/// The twelve symmetries of the hexagonal lattice, each shifted so that the board lies where it lay.
fn hexagonal_maps(board: &Board) -> Vec<Vec<u8>> {
    let places = coordinates(board);
    let corner = |places: &[(i32, i32)]| {
        let rows = places.iter().map(|place| place.0).min();
        let cols = places.iter().map(|place| place.1).min();
        (rows.unwrap_or(0), cols.unwrap_or(0))
    };
    let mut maps = Vec::new();
    for which in 0..12 {
        // In coordinates x + y + z = 0 they exchange the axes and turn all signs.
        let turned = |&(row, col): &(i32, i32)| {
            let axes = [col, -col - row, row];
            let order = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]][which % 6];
            let sign = if which < 6 { 1 } else { -1 };
            (sign * axes[order[2]], sign * axes[order[0]])
        };
        let images: Vec<(i32, i32)> = places.iter().map(turned).collect();
        let ((top, left), (old_top, old_left)) = (corner(&images), corner(&places));
        let moved = |row, col| {
            let (row, col) = turned(&(row, col));
            (row - top + old_top, col - left + old_left)
        };
        maps.extend(mapped(board, &moved));
    }
    maps
}

/// The maps of a graph that keep neighbours neighbours, unless they are too many to be found.
fn automorphisms(board: &Board) -> Vec<Vec<u8>> {
    struct Search<'b> {
        board: &'b Board,
        /// The images of the first cells.
        map: Vec<u8>,
        used: u64,
        found: Vec<Vec<u8>>,
        left: u32,
    }
    impl Search<'_> {
        fn go_on(&mut self) {
            let (board, cell) = (self.board, self.map.len());
            if cell == board.cells {
                self.found.push(self.map.clone());
                return;
            }
            for image in 0..board.cells {
                if self.left == 0 || self.found.len() > MOST {
                    self.left = 0;
                    return;
                }
                self.left -= 1;
                let alike = |(other, &its): (usize, &u8)| {
                    board.near[cell].has(other) == board.near[image].has(usize::from(its))
                };
                let fits = !self.used.has(image)
                    && board.near[cell].count() == board.near[image].count()
                    && self.map.iter().enumerate().all(alike);
                if fits {
                    self.map.push(image as u8);
                    self.used |= 1 << image;
                    self.go_on();
                    self.used &= !(1 << image);
                    self.map.pop();
                }
            }
        }
    }
    let mut search = Search { board, map: Vec::new(), used: 0, found: Vec::new(), left: STEPS };
    search.go_on();
    // A part of a group is no group.
    if search.left == 0 { Vec::new() } else { search.found }
}

/// A relation that is listed for the first of two cells, for both of them.
fn both_ways(table: &[u64]) -> Vec<u64> {
    let mut both = table.to_vec();
    for (cell, set) in table.iter().enumerate() {
        set.cells().for_each(|other| both[other] |= 1 << cell);
    }
    both
}

/// Whether all rules and ends go over into themselves.
fn leaves_rules_alone(game: &Described, map: &[u8]) -> bool {
    let permutation = Permutation::new(map);
    let image = |set: u64| permutation.image(set);
    let fixed = |set: u64| set == u64::MAX || image(set) == set;
    let same_sets = |sets: &[u64]| {
        let images = |of: &dyn Fn(u64) -> u64| sets.iter().map(|&set| of(set)).collect::<HashSet<u64>>();
        images(&image) == images(&|set| set)
    };
    let same_table = |table: &[u64]| {
        table.iter().enumerate().all(|(cell, &set)| image(set) == table[usize::from(map[cell])])
    };
    let same_rays = |rays: &[Vec<Ray>]| {
        rays.iter().enumerate().all(|(cell, from)| {
            let moved = |ray: &Ray| ray.iter().map(|&cell| map[usize::from(cell)]).collect::<Ray>();
            let ours: HashSet<Ray> = from.iter().map(moved).collect();
            ours == rays[usize::from(map[cell])].iter().cloned().collect()
        })
    };
    let rule_stays = |rule: &super::rules::Rule| {
        let tables = match &rule.act {
            Act::Pair { partners } => same_table(&both_ways(partners)),
            Act::Step { reach, .. } => same_table(reach),
            Act::Slide { rays, .. } | Act::Hop { rays, .. } | Act::Push { rays, .. } => same_rays(rays),
            Act::Place { .. } | Act::Leave | Act::Pass => true,
        };
        tables && fixed(rule.from) && fixed(rule.to) && rule.becomes.is_none_or(|(_, zone)| fixed(zone))
    };
    let end_stays = |end: &super::rules::End| match &end.test {
        Test::Line { through, .. } => {
            let lines: Vec<u64> = through.iter().flatten().copied().collect();
            same_sets(&lines)
        }
        Test::Reach { zone, .. } => fixed(*zone),
        Test::Connect { ends: [a, b], .. } => {
            [image(*a), image(*b)] == [*a, *b] || [image(*a), image(*b)] == [*b, *a]
        }
        Test::Gone { .. } | Test::Surrounded { .. } | Test::Full | Test::Stuck => true,
    };
    debug_assert!(map.len() <= CELLS);
    same_table(&game.board.near)
        && same_sets(&game.board.regions)
        && game.rules.iter().all(rule_stays)
        && game.ends.iter().all(end_stays)
}
