//! The symmetries of a rectangular board as tables, for canonical forms.

use delphic_game::{bits::Bits, grid::Grid};

/// Where every symmetry but the identity takes each cell.
#[derive(Clone, Debug)]
pub struct Symmetry(Vec<Vec<u8>>);

impl Symmetry {
    /// The symmetries of a board of at most 256 cells.
    pub fn of(grid: Grid) -> Symmetry {
        let table = |which| (0..grid.cells()).map(|cell| grid.image(cell, which) as u8).collect();
        Symmetry((1..grid.symmetries()).map(table).collect())
    }

    /// The least of the images of `sets`, compared in order: the same for all of them.
    pub fn least<B: Bits + Ord, const N: usize>(&self, sets: [B; N]) -> [B; N] {
        let image = |table: &Vec<u8>| {
            sets.map(|set| set.cells().fold(B::EMPTY, |out, cell| out | B::single(usize::from(table[cell]))))
        };
        self.0.iter().map(image).fold(sets, std::cmp::Ord::min)
    }
}
