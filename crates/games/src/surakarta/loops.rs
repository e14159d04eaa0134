//! The two loops of the board as rings of 24 bits, and the captures along them.
//!
//! A capture passes an arc, and nothing stands between the pieces but perhaps the capturing piece itself, whose point a loop may
//! cross twice. So only the pieces nearest to each of the four arcs of a loop matter, one on either side.

use super::GRID;

/// Points of a loop; there is an arc after every sixth.
pub(super) const LENGTH: u32 = 24;
/// Captures past one of the arcs of either loop in one of two directions.
pub(super) const CAPTURES: usize = 2 * 4 * 2;
const RING: u32 = (1 << LENGTH) - 1;

#[derive(Clone, Debug)]
pub(super) struct Loops {
    /// The cell at every place of each loop.
    tracks: [Vec<u8>; 2],
    /// For every row of the board and every set of its cells, their places on both loops, 32 bits each.
    rings: Vec<[u64; 64]>,
}

impl Default for Loops {
    fn default() -> Loops {
        let tracks = [1, 2].map(track);
        let places = |cell: usize| {
            let on = |track: &[u8]| {
                track
                    .iter()
                    .enumerate()
                    .filter(|&(_, &at)| at == cell as u8)
                    .fold(0, |set, (place, _)| set | 1u64 << place)
            };
            on(&tracks[0]) | on(&tracks[1]) << 32
        };
        let ring = |row: usize, set: usize| {
            (0..GRID.cols)
                .filter(|col| set >> col & 1 == 1)
                .fold(0, |all, col| all | places(GRID.cell(row, col)))
        };
        let rings = (0..GRID.rows).map(|row| std::array::from_fn(|set| ring(row, set))).collect();
        Loops { tracks, rings }
    }
}

/// A loop of 24 points along the lines at distance `inset` from the edges, with an arc after every sixth point. Each arc
/// joins a row to the column nearest to its end.
pub(super) fn track(inset: usize) -> Vec<u8> {
    let other = 5 - inset;
    let lower = (0..6).map(|col| (other, col));
    let right = (0..6).rev().map(|row| (row, other));
    let upper = (0..6).rev().map(|col| (inset, col));
    let left = (0..6).map(|row| (row, inset));
    lower.chain(right).chain(upper).chain(left).map(|(row, col)| GRID.cell(row, col) as u8).collect()
}

/// The first and the last place of a ring that is not empty, if one starts at place `from`.
#[inline]
fn ends(ring: u32, from: u32) -> (u32, u32) {
    let turned = (ring >> from | ring << (LENGTH - from)) & RING;
    let place = |distance: u32| (from + distance) % LENGTH;
    (place(turned.trailing_zeros()), place(31 - turned.leading_zeros()))
}

impl Loops {
    /// Both loops of a set of cells.
    #[inline]
    fn rings(&self, men: u64) -> [u32; 2] {
        let rows = self.rings.iter().enumerate();
        let both = rows.fold(0, |all, (row, rings)| all | rings[(men >> (row * GRID.cols)) as usize & 63]);
        [both as u32, (both >> 32) as u32]
    }

    /// Hands on the captures of the player of `mine`, from and to which cell; some come more than once.
    #[inline]
    pub(super) fn captures(&self, mine: u64, theirs: u64, mut sink: impl FnMut(usize, usize)) {
        let (mine, theirs) = (self.rings(mine), self.rings(theirs));
        for number in 0..CAPTURES {
            if let Some((from, to)) = self.capture(mine, theirs, number) {
                sink(from, to);
            }
        }
    }

    /// The capture with this number, unless another one with a smaller number is the same.
    #[inline]
    pub(super) fn distinct_capture(&self, mine: u64, theirs: u64, number: usize) -> Option<(usize, usize)> {
        let (mine, theirs) = (self.rings(mine), self.rings(theirs));
        let capture = self.capture(mine, theirs, number)?;
        let same = |other| self.capture(mine, theirs, other) == Some(capture);
        (!(0..number).any(same)).then_some(capture)
    }

    /// The capture past one of the arcs in one direction, if there is one, from and to which cell.
    #[inline]
    fn capture(&self, mine: [u32; 2], theirs: [u32; 2], number: usize) -> Option<(usize, usize)> {
        let (which, arc, forward) = (number / 8, 6 * (number as u32 / 2 % 4), number.is_multiple_of(2));
        let (track, mine, theirs) = (&self.tracks[which], mine[which], theirs[which]);
        if mine == 0 || theirs == 0 {
            return None;
        }
        let all = mine | theirs;
        let (after, before) = ends(all, arc);
        let cell = |place: u32| usize::from(track[place as usize]);
        let (from, to) = if cell(before) != cell(after) {
            if forward { (before, after) } else { (after, before) }
        } else if forward {
            // One piece on both sides: it runs on past its own point.
            (before, ends(all, (after + 1) % LENGTH).0)
        } else {
            (after, ends(all, before).1)
        };
        (mine >> from & theirs >> to & 1 == 1).then(|| (cell(from), cell(to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{Rng, bits::Bits};

    /// The captures by the wording of the rules: step by step from every piece in both directions.
    fn by_the_rules(mine: u64, theirs: u64) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for track in [1, 2].map(track) {
            for start in (0..24).filter(|&at| mine.has(track[at].into())) {
                for direction in [1, 23] {
                    let (mut at, mut arcs) = (start, 0);
                    for _ in 1..24 {
                        let next = (at + direction) % 24;
                        arcs += usize::from(at / 6 != next / 6);
                        at = next;
                        let cell = usize::from(track[at]);
                        if cell != usize::from(track[start]) && (mine | theirs).has(cell) {
                            if arcs > 0 && theirs.has(cell) {
                                found.push((track[start].into(), cell));
                            }
                            break;
                        }
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn captures_are_those_of_the_rules() {
        let (loops, mut rng) = (Loops::default(), Rng::new(1));
        let mut captures = 0;
        for round in 0..20_000 {
            let mut men = [0u64; 2];
            for _ in 0..1 + round % 24 {
                let cell = rng.below(36);
                if !(men[0] | men[1]).has(cell) {
                    men[rng.below(2)] |= 1 << cell;
                }
            }
            let mut found = Vec::new();
            loops.captures(men[0], men[1], |from, to| found.push((from, to)));
            found.sort_unstable();
            found.dedup();
            captures += found.len();
            assert_eq!(found, by_the_rules(men[0], men[1]), "{men:x?}");
        }
        assert!(captures > 10_000);
    }

    #[test]
    fn loops_are_those_of_the_board() {
        let names = |inset| {
            track(inset).into_iter().map(|cell| GRID.name(cell as usize)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(1), "a2 b2 c2 d2 e2 f2 e1 e2 e3 e4 e5 e6 f5 e5 d5 c5 b5 a5 b6 b5 b4 b3 b2 b1");
        assert!(names(2).starts_with("a3 b3 c3 d3 e3 f3 d1"));
    }
}
