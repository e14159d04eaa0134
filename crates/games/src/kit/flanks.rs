//! Lines of enemy discs between two of one's own, on a board of 8 by 8 cells, row by row.
//!
//! Smaller boards lie somewhere inside, with empty cells around that keep lines from wrapping.

/// All cells but those of the first and the last column, which end a line sideways.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
/// The four axes of lines: how far apart neighbours are, and which discs can stand between two others.
const AXES: [(u32, u64); 4] = [(1, INNER), (7, INNER), (8, u64::MAX), (9, INNER)];

/// The runs of `between` that begin next to `seed`, in both directions of an axis.
#[inline]
fn runs(seed: u64, between: u64, by: u32) -> [u64; 2] {
    // A run has at most six discs: one, then two, then twice two more.
    let up = between & (seed << by);
    let up = up | between & (up << by);
    let pairs = between & (between << by);
    let up = up | pairs & (up << (2 * by));
    let up = up | pairs & (up << (2 * by));
    let down = between & (seed >> by);
    let down = down | between & (down >> by);
    let pairs = between & (between >> by);
    let down = down | pairs & (down >> (2 * by));
    let down = down | pairs & (down >> (2 * by));
    [up, down]
}

/// The cells next to the far end of some run from a disc of `mine` over discs of `theirs`; only empty ones count.
#[inline]
pub fn ends(mine: u64, theirs: u64) -> u64 {
    AXES.iter().fold(0, |set, &(by, inner)| {
        let [up, down] = runs(mine, theirs & inner, by);
        set | up << by | down >> by
    })
}

/// The discs of `theirs` that a disc on `cell` turns over.
#[inline]
pub fn flips(mine: u64, theirs: u64, cell: u64) -> u64 {
    AXES.iter().fold(0, |set, &(by, inner)| {
        let [up, down] = runs(cell, theirs & inner, by);
        let up = if up << by & mine != 0 { up } else { 0 };
        let down = if down >> by & mine != 0 { down } else { 0 };
        set | up | down
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{Rng, bits::Bits};

    /// The same by walking from the cell in all directions.
    fn walked(mine: u64, theirs: u64, cell: usize) -> u64 {
        let mut turned = 0;
        for (down, right) in [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)] {
            let (mut row, mut col) = (cell as i32 / 8 + down, cell as i32 % 8 + right);
            let mut line = 0;
            while (0..8).contains(&row) && (0..8).contains(&col) && theirs.has((row * 8 + col) as usize) {
                line |= 1u64 << (row * 8 + col);
                (row, col) = (row + down, col + right);
            }
            if (0..8).contains(&row) && (0..8).contains(&col) && mine.has((row * 8 + col) as usize) {
                turned |= line;
            }
        }
        turned
    }

    #[test]
    fn lines_agree_with_walking() {
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            let [mine, other, empty] = [(); 3].map(|()| rng.bits());
            let (mine, theirs) = (mine & !empty, other & !mine & !empty);
            let free = !(mine | theirs);
            let ends = ends(mine, theirs);
            for cell in free.cells() {
                let turned = flips(mine, theirs, 1 << cell);
                assert_eq!(turned, walked(mine, theirs, cell), "{mine:x} {theirs:x} {cell}");
                assert_eq!(ends.has(cell), turned != 0, "{mine:x} {theirs:x} {cell}");
            }
        }
    }
}
