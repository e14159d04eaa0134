//! The symmetries of a rectangular board as tables, for canonical forms.

use delphic_game::{bits::Bits, grid::Grid};
use std::collections::HashSet;

/// Where every symmetry but the identity takes each cell.
#[derive(Clone, Debug)]
pub struct Symmetry {
    tables: Vec<Vec<u8>>,
    /// The same for all sets of [`CHUNK`] neighbouring cells, if a word holds all cells. Empty on larger boards.
    chunks: Vec<Vec<[u64; 1 << CHUNK]>>,
}

/// Cells that are looked up together. Canonical forms of NoGo and Clobber took 12 and 21 % of a search cell by cell.
const CHUNK: usize = 6;

impl Symmetry {
    /// Symmetries given as tables; the identity need not be among them.
    pub fn new(tables: Vec<Vec<u8>>) -> Symmetry {
        let fits = |table: &Vec<u8>| table.len() <= 64 && table.iter().all(|&cell| cell < 64);
        let chunks = if tables.iter().all(fits) {
            tables.iter().map(|table| chunks(table)).collect()
        } else {
            Vec::new()
        };
        Symmetry { tables, chunks }
    }

    /// The symmetries of a board of at most 256 cells.
    pub fn of(grid: Grid) -> Symmetry {
        let table = |which| (0..grid.cells()).map(|cell| grid.image(cell, which) as u8).collect();
        Symmetry::new((1..grid.symmetries()).map(table).collect())
    }

    /// Those that take each of these collections of sets to itself. Together with the identity they are a group again.
    pub fn keeping(mut self, collections: &[Vec<u64>]) -> Symmetry {
        self.tables.retain(|table| {
            collections.iter().all(|sets| {
                let known: HashSet<u64> = sets.iter().copied().collect();
                sets.iter().all(|&set| known.contains(&image(table, set)))
            })
        });
        Symmetry::new(self.tables)
    }

    /// The images of `sets` under all symmetries but the identity.
    pub fn images<B: Bits, const N: usize>(&self, sets: [B; N]) -> impl Iterator<Item = [B; N]> {
        self.tables.iter().map(move |table| sets.map(|set| image(table, set)))
    }

    /// The least of the images of `sets`, compared in order: the same for all of them.
    pub fn least<B: Bits + Ord, const N: usize>(&self, sets: [B; N]) -> [B; N] {
        if self.chunks.is_empty() {
            return self.images(sets).fold(sets, std::cmp::Ord::min);
        }
        self.least_words(sets.map(Bits::low)).map(B::of_low)
    }

    fn least_words<const N: usize>(&self, sets: [u64; N]) -> [u64; N] {
        let mut best = sets;
        for chunks in &self.chunks {
            let mut image = [0; N];
            let mut less = false;
            for (nth, &set) in sets.iter().enumerate() {
                image[nth] = image_of_word(chunks, set);
                // The first set that differs decides, so most images need not be computed to the end.
                if !less && image[nth] > best[nth] {
                    break;
                }
                less |= image[nth] < best[nth];
            }
            best = if less { image } else { best };
        }
        best
    }
}

fn image<B: Bits>(table: &[u8], set: B) -> B {
    set.cells().fold(B::EMPTY, |out, cell| out | B::single(usize::from(table[cell])))
}

fn chunks(table: &[u8]) -> Vec<[u64; 1 << CHUNK]> {
    let of_cells = |cells: &[u8]| {
        std::array::from_fn(|set| {
            let inside = cells.iter().enumerate().filter(|(nth, _)| set >> nth & 1 != 0);
            inside.fold(0, |out, (_, &cell)| out | 1 << cell)
        })
    };
    table.chunks(CHUNK).map(of_cells).collect()
}

#[inline]
fn image_of_word(chunks: &[[u64; 1 << CHUNK]], mut set: u64) -> u64 {
    let mut out = 0;
    for chunk in chunks {
        out |= chunk[set as usize % (1 << CHUNK)];
        set >>= CHUNK;
    }
    out
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
    fn cells_and_chunks_of_cells_have_the_same_least_image() {
        let mut rng = Rng::new(1);
        for (rows, cols) in [(1, 1), (1, 7), (2, 3), (4, 5), (5, 5), (7, 8), (8, 8)] {
            let grid = Grid { rows, cols };
            let symmetry = Symmetry::of(grid);
            for _ in 0..1000 {
                let set = |rng: &mut Rng| rng.bits() & rng.bits() & (u64::MAX >> (64 - grid.cells()));
                let sets = [set(&mut rng), set(&mut rng)];
                let least = symmetry.images(sets).fold(sets, Ord::min);
                assert_eq!(symmetry.least(sets), least, "{rows}x{cols}: {sets:x?}");
                let wide = sets.map(u128::from);
                assert_eq!(symmetry.least(wide), least.map(u128::from), "{rows}x{cols}: {sets:x?}");
            }
        }
    }

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
