//! The symmetries of a rectangular board as tables, for canonical forms.

use delphic_game::{bits::Bits, grid::Grid};
use std::collections::HashSet;

/// Where every symmetry but the identity takes each cell.
#[derive(Clone, Debug)]
pub struct Symmetry(Vec<Vec<u8>>);

impl Symmetry {
    /// Symmetries given as tables; the identity need not be among them.
    pub fn new(tables: Vec<Vec<u8>>) -> Symmetry {
        Symmetry(tables)
    }

    /// The symmetries of a board of at most 256 cells.
    pub fn of(grid: Grid) -> Symmetry {
        let table = |which| (0..grid.cells()).map(|cell| grid.image(cell, which) as u8).collect();
        Symmetry((1..grid.symmetries()).map(table).collect())
    }

    /// Those that take each of these collections of sets to itself. Together with the identity they are a group again.
    pub fn keeping(mut self, collections: &[Vec<u64>]) -> Symmetry {
        self.0.retain(|table| {
            collections.iter().all(|sets| {
                let known: HashSet<u64> = sets.iter().copied().collect();
                sets.iter().all(|&set| known.contains(&image(table, set)))
            })
        });
        self
    }

    /// The images of `sets` under all symmetries but the identity.
    pub fn images<B: Bits, const N: usize>(&self, sets: [B; N]) -> impl Iterator<Item = [B; N]> {
        self.0.iter().map(move |table| sets.map(|set| image(table, set)))
    }

    /// The least of the images of `sets`, compared in order: the same for all of them.
    pub fn least<B: Bits + Ord, const N: usize>(&self, sets: [B; N]) -> [B; N] {
        self.images(sets).fold(sets, std::cmp::Ord::min)
    }
}

fn image<B: Bits>(table: &[u8], set: B) -> B {
    set.cells().fold(B::EMPTY, |out, cell| out | B::single(usize::from(table[cell])))
}

/// The same on a board of 8 by 8 cells, or one that lies in its middle: all cells of a set move at once.
pub fn least_of_8x8<const N: usize>(sets: [u64; N]) -> [u64; N] {
    let mirrored = |set: u64| set.swap_bytes().reverse_bits();
    let (mut best, mut image) = (sets, sets);
    for step in 1..8 {
        // Left and right, top and bottom and so on in turn give four images; across the diagonal, four more.
        image = match step {
            4 => image.map(transposed),
            1 | 3 | 5 | 7 => image.map(mirrored),
            _ => image.map(u64::swap_bytes),
        };
        best = best.min(image);
    }
    best
}

/// Exchanges blocks of 4, 2 and 1 cells across the diagonal.
fn transposed(mut set: u64) -> u64 {
    for (by, mask) in [(28, 0xf0f0_f0f0), (14, 0xcccc_0000_cccc), (7, 0xaa_00aa_00aa_00aa)] {
        let moved = (set ^ (set >> by)) & mask;
        set ^= moved ^ (moved << by);
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::Rng;

    #[test]
    fn both_ways_find_the_least_of_eight_images() {
        let symmetry = Symmetry::of(Grid { rows: 8, cols: 8 });
        let mut rng = Rng::new(2);
        for _ in 0..1000 {
            let sets = [rng.bits() & rng.bits(), rng.bits() & rng.bits()];
            assert_eq!(least_of_8x8(sets), symmetry.least(sets), "{sets:x?}");
        }
    }
}
