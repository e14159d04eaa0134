//! Thermographs of all positions within a small rectangle (Conway, On Numbers and Games, chapter 9; Winning Ways, chapter 6).
//!
//! *Left* places vertical dominoes, *Right* horizontal ones. The walls of a thermograph are the left and right stops L_t and R_t of the
//! game cooled by t, where every move costs its player t. They are kept at a few temperatures.
//!
//! A stop other than 0 decides who wins. To decide stops of 0 as well, the lowest temperature is −δ, less than the distance between any
//! two numbers that occur: there every move earns its player δ, so that stops tell who moved last. At −δ Left wins moving second if and
//! only if the right stop is at least 0, and moving first if and only if the left stop is above 0.

use delphic_game::bits::Bits;
use rustc_hash::FxBuildHasher;
use std::collections::HashMap;
use std::sync::OnceLock;

/// One move in units of δ, in which all values are given. Numbers are even, so that δ is less than any difference of two.
pub(super) const MOVE: i16 = 256;
/// Temperatures at which walls are kept: −δ, and from 0 to 1½ in steps of ¼. With steps of ⅛ the search is the same on 7x7 and needs
/// 0.1 % fewer visits on 8x8, but is slower.
pub(super) const LANES: usize = 8;
/// Temperatures at which walls are computed: −δ, and from 0 in steps of 1⁄64. In all rectangles that are used the walls meet at one of
/// these, below 2.
const FINE: usize = FINER * LANES;
/// Steps of the temperatures at which walls are computed, in one of those at which they are kept.
const FINER: usize = 16;
const STEP: i16 = MOVE / 64;
/// More than any stop.
const INFINITE: i16 = 64 * MOVE;
/// The widest strip of two rows.
pub(super) const WIDEST: usize = 9;

/// A value for each temperature.
pub(super) type Lanes = [i16; LANES];

/// The temperature of a lane.
pub(super) const fn temperature(lane: usize) -> i16 {
    if lane == 0 { -1 } else { (lane as i16 - 1) * FINER as i16 * STEP }
}

/// The walls of a thermograph.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Walls<const N: usize = LANES> {
    pub(super) left: [i16; N],
    pub(super) right: [i16; N],
}

/// The thermographs of all positions in a rectangle. There are few: 215 of the 65,536 positions in two rows of eight, 3,179 of the
/// 1,048,576 in four rows of five.
pub(super) struct Rectangle {
    pub(super) cols: usize,
    /// By the free cells, the place of the thermograph.
    place: Box<[u16]>,
    walls: Vec<Walls>,
}

impl Rectangle {
    /// Two rows of this many cells, at most [`WIDEST`]. Computed when it is first needed, which takes 5 ms for eight columns and 18 for
    /// nine.
    pub(super) fn strip(cols: usize) -> &'static Rectangle {
        static STRIPS: [OnceLock<Rectangle>; WIDEST + 1] = [const { OnceLock::new() }; WIDEST + 1];
        STRIPS[cols].get_or_init(|| Rectangle::new(2, cols))
    }

    /// Four rows of four cells.
    pub(super) fn four_by_four() -> &'static Rectangle {
        static SQUARE: OnceLock<Rectangle> = OnceLock::new();
        SQUARE.get_or_init(|| Rectangle::new(4, 4))
    }

    /// Three rows of five cells.
    pub(super) fn three_by_five() -> &'static Rectangle {
        static RECTANGLE: OnceLock<Rectangle> = OnceLock::new();
        RECTANGLE.get_or_init(|| Rectangle::new(3, 5))
    }

    /// Three rows of six cells.
    pub(super) fn three_by_six() -> &'static Rectangle {
        static RECTANGLE: OnceLock<Rectangle> = OnceLock::new();
        RECTANGLE.get_or_init(|| Rectangle::new(3, 6))
    }

    /// Four rows of five cells, which take 0.1 s to compute. With these and three rows of six, 8x8 needs 13 % fewer nodes.
    pub(super) fn four_by_five() -> &'static Rectangle {
        static RECTANGLE: OnceLock<Rectangle> = OnceLock::new();
        RECTANGLE.get_or_init(|| Rectangle::new(4, 5))
    }

    /// The thermograph of the position with these free cells: cell (row, column) is bit `row * cols + column`.
    #[inline]
    pub(super) fn walls(&self, free: u64) -> &Walls {
        &self.walls[usize::from(self.place[free as usize])]
    }

    fn new(rows: usize, cols: usize) -> Rectangle {
        let (cells, row) = (rows * cols, (1usize << cols) - 1);
        let turned = |set: usize| (set as u64).reverse_bits() as usize >> (64 - cells);
        let flipped = |set: usize| {
            (0..rows).fold(0, |out, at| out | (set >> (at * cols) & row) << ((rows - 1 - at) * cols))
        };
        let not_last = (0..rows).fold(0, |set, at| set | (row >> 1) << (at * cols));
        // One of four mirror images is computed. A move leaves fewer free cells, hence a smaller number that is done.
        let mut found: HashMap<Walls<FINE>, u32, FxBuildHasher> = HashMap::default();
        let mut fine: Vec<Walls<FINE>> = Vec::new();
        let mut place: Vec<u32> = Vec::with_capacity(1 << cells);
        for free in 0..1usize << cells {
            let flip = flipped(free);
            let least = flip.min(turned(free)).min(turned(flip));
            if least < free {
                place.push(place[least]);
                continue;
            }
            let after = |domino: usize| &fine[place[free & !domino] as usize];
            let mut lefts = [-INFINITE; FINE];
            for at in ((free & free >> cols) as u64).cells() {
                let stops = &after((1 << cols | 1) << at).right;
                lefts.iter_mut().zip(stops).for_each(|(best, &stop)| *best = stop.max(*best));
            }
            let mut rights = [INFINITE; FINE];
            for at in ((free & free >> 1 & not_last) as u64).cells() {
                let stops = &after(0b11 << at).left;
                rights.iter_mut().zip(stops).for_each(|(best, &stop)| *best = stop.min(*best));
            }
            let walls = thermograph(&lefts, &rights);
            place.push(*found.entry(walls).or_insert_with(|| {
                fine.push(walls);
                fine.len() as u32 - 1
            }));
        }
        let kept =
            |wall: &[i16; FINE]| std::array::from_fn(|lane| wall[(FINER * lane).saturating_sub(FINER - 1)]);
        let (mut walls, mut known) = (Vec::new(), HashMap::new());
        let mut number = |fine: &Walls<FINE>| {
            let kept = Walls { left: kept(&fine.left), right: kept(&fine.right) };
            *known.entry(kept).or_insert_with(|| {
                walls.push(kept);
                u16::try_from(walls.len() - 1).expect("few thermographs")
            })
        };
        let numbers: Vec<u16> = fine.iter().map(&mut number).collect();
        Rectangle { cols, place: place.iter().map(|&place| numbers[place as usize]).collect(), walls }
    }
}

/// The thermograph of a game whose options have at best these stops, before the cost of the move: the right stops of Left's options, the
/// left stops of Right's.
fn thermograph(lefts: &[i16; FINE], rights: &[i16; FINE]) -> Walls<FINE> {
    if let Some(number) = simplest_between(lefts[0], rights[0]) {
        return Walls { left: [number; FINE], right: [number; FINE] };
    }
    let mut walls = Walls { left: [lefts[0] + 1; FINE], right: [rights[0] - 1; FINE] };
    for k in 1..FINE {
        let cost = (k as i16 - 1) * STEP;
        let (left, right) = (lefts[k] - cost, rights[k] + cost);
        if left <= right {
            assert_eq!(left, right, "the walls meet at one of the temperatures");
            walls.left[k..].fill(left);
            walls.right[k..].fill(right);
            break;
        }
        (walls.left[k], walls.right[k]) = (left, right);
    }
    walls
}

/// The simplest number strictly between two stops at −δ, if there is one.
fn simplest_between(low: i16, high: i16) -> Option<i16> {
    if low >= high {
        return None;
    }
    if low < 0 && high > 0 {
        return Some(0);
    }
    if high <= 0 {
        return simplest_between(-high, -low).map(|number| -number);
    }
    let steps = std::iter::successors(Some(MOVE), |step| (step / 2 > 1).then_some(step / 2));
    steps.map(|step| (low / step + 1) * step).find(|&number| number < high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who wins by plain search: whether the player to move does.
    fn mover_wins(free: u64, cols: usize, left: bool, known: &mut HashMap<(u64, bool), bool>) -> bool {
        if let Some(&wins) = known.get(&(free, left)) {
            return wins;
        }
        let step = if left { cols } else { 1 };
        let fits = |&at: &usize| free.has(at + step) && (left || at % cols + 1 < cols);
        let moves: Vec<usize> = free.cells().filter(fits).collect();
        let wins =
            moves.iter().any(|at| !mover_wins(free & !(1 << at | 1 << (at + step)), cols, !left, known));
        known.insert((free, left), wins);
        wins
    }

    /// The lowest temperature tells exactly who wins, on every position of several rectangles.
    #[test]
    fn stops_tell_who_wins() {
        for (rows, cols) in [(2, 6), (3, 4), (4, 3), (6, 2), (1, 9)] {
            let (table, mut known) = (Rectangle::new(rows, cols), Default::default());
            for free in 0..1 << (rows * cols) {
                let walls = table.walls(free);
                let found = (walls.left[0] > 0, walls.right[0] < 0);
                let expected = [true, false].map(|left| mover_wins(free, cols, left, &mut known));
                assert_eq!(found, expected.into(), "{rows}x{cols} {free:b}");
            }
        }
    }

    /// Values of Winning Ways, chapter 5: 2x2 is ±1, 2x3 is {2 | −½}, 2x5 is ½ and an infinitesimal at most.
    #[test]
    fn known_thermographs() {
        let walls = |cols| *Rectangle::strip(cols).walls((1 << (2 * cols)) - 1);
        let ends = |cols: usize| (walls(cols).left[1], walls(cols).right[1], walls(cols).left[LANES - 1]);
        assert_eq!(ends(2), (MOVE, -MOVE, 0));
        assert_eq!(ends(3), (2 * MOVE, -MOVE / 2, 3 * MOVE / 4));
        assert_eq!(ends(5), (MOVE / 2, MOVE / 2, MOVE / 2));
    }
}
