//! The reduction evaluation of Y and Hex.
//!
//! Van Rijswijck ("Search and evaluation in Hex", 2002): a full board of Y with side n has the same winner as the board of side n−1
//! whose cells are the majorities of its upright triangles. So chances are reduced likewise, each triangle to the chance that a
//! majority of it is owned, from side n to side 1.

/// The chance of owning the last cell left of a triangle of `side` ≤ `N` files, whose cell (file x, rank y ≤ x) is owned with
/// `chance`. It lies strictly between 0 and 1.
pub(crate) fn reduced<const N: usize>(side: usize, chance: impl Fn(usize, usize) -> f64) -> f64 {
    let mut cells = [[0.0f64; N]; N];
    for (x, file) in cells[..side].iter_mut().enumerate() {
        for (y, cell) in file[..=x].iter_mut().enumerate() {
            *cell = chance(x, y);
        }
    }
    for last in (0..side - 1).rev() {
        for x in 0..=last {
            for y in 0..=x {
                // Each cell is written when no triangle needs its old value any more.
                let [a, b, c] = [cells[x][y], cells[x + 1][y], cells[x + 1][y + 1]];
                cells[x][y] = a * b + b * c + c * a - 2.0 * a * b * c;
            }
        }
    }
    cells[0][0].clamp(1e-9, 1.0 - 1e-9)
}

/// The chance that a cell is owned: all, nothing, or even.
pub(crate) fn owned(mine: bool, theirs: bool) -> f64 {
    match (mine, theirs) {
        (true, _) => 1.0,
        (_, true) => 0.0,
        _ => 0.5,
    }
}
