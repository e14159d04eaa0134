//! Bounds on a position from its independent parts, and from the strips that large parts can be cut into.
//!
//! A part that fits into a small rectangle has a known thermograph. A larger one is bounded for each player: one who promises never to
//! place a domino across certain borders is worse off, because fewer moves never help their owner. With borders between rows closed to
//! the vertical player, the part falls into a sum of strips of two rows, which are known. So what this player wins in the sum, they win
//! on the board.
//!
//! Call the player in question Left. Cooling is linear, the stops of sums obey R(G + H) ≥ R(G) + R(H) and L(G + H) ≥ L(G) + R(H), and
//! with falling t left stops do not fall, right stops by no more than t does. So for every temperature t, over the parts and strips i,
//! Left, moving second, has a stop of at least `Σ R_t(i) − t`, and moving first of at least `Σ R_t(i) + max_i (L_t(i) − R_t(i))`.

use super::thermograph::{LANES, Lanes, MOVE, Rectangle, WIDEST, Walls, temperature};
use delphic_game::bits::Bits;

/// Lower bounds on the stops of a sum for one player.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Of the right stop, the sum of all parts.
    second: Lanes,
    /// How much more the left stop is: the most of any part.
    gain: Lanes,
}

impl Bounds {
    const ZERO: Bounds = Bounds { second: [0; LANES], gain: [0; LANES] };

    #[inline]
    fn add(&mut self, second: &Lanes, first: &Lanes) {
        for lane in 0..LANES {
            self.second[lane] += second[lane];
            self.gain[lane] = self.gain[lane].max(first[lane] - second[lane]);
        }
    }

    fn add_moves(&mut self, moves: i16) {
        self.second.iter_mut().for_each(|stop| *stop += moves * MOVE);
    }

    /// Whether the player surely wins moving first.
    pub(super) fn win_moving_first(&self) -> bool {
        (0..LANES).any(|lane| self.second[lane] + self.gain[lane] > 0)
    }

    /// Whether the player surely wins moving second.
    pub(super) fn win_moving_second(&self) -> bool {
        // From a temperature down to −δ the right stop falls by at most the difference.
        (0..LANES).any(|lane| self.second[lane] > temperature(lane))
    }

    /// A lower bound on the mean value, in moves.
    pub(super) fn mean(&self) -> f64 {
        f64::from(self.second[LANES - 1]) / f64::from(MOVE)
    }
}

/// The shape of a board, whose cell (row, column) is bit `row * cols + column` of a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) rows: usize,
    pub(super) cols: usize,
}

impl Board {
    /// Rows and columns exchanged, and so the players.
    pub(super) fn other(self) -> Board {
        Board { rows: self.cols, cols: self.rows }
    }

    /// Bounds for the vertical player where these cells are free.
    pub(super) fn bounds(self, free: u64) -> Bounds {
        let (mut bounds, mut left) = (Bounds::ZERO, free);
        while left != 0 {
            let part = self.part(left & left.wrapping_neg(), free);
            left &= !part;
            let (corner, height, width) = self.extent(part);
            if height == 1 || width == 1 {
                bounds.add_moves((height / 2) as i16 - (width / 2) as i16);
            } else if let Some(walls) = self.known(part >> corner, height, width) {
                bounds.add(&walls.right, &walls.left);
            } else if let Some(walls) = self.other().known(self.turned(part >> corner), width, height) {
                bounds.add(&walls.left.map(|stop| -stop), &walls.right.map(|stop| -stop));
            } else {
                self.cut(part >> (corner % self.cols), width, &mut bounds);
            }
        }
        bounds
    }

    /// The free cells connected with `seed`.
    fn part(self, seed: u64, free: u64) -> u64 {
        let last = (0..self.rows).fold(0, |set: u64, row| set | 1 << (row * self.cols + self.cols - 1));
        let mut part = seed;
        loop {
            let across = part | (part & !last) << 1 | part >> 1 & !last;
            let down = across.checked_shl(self.cols as u32).unwrap_or(0);
            let up = across.checked_shr(self.cols as u32).unwrap_or(0);
            let grown = (across | down | up) & free;
            if grown == part {
                return part;
            }
            part = grown;
        }
    }

    /// The upper left corner of the smallest rectangle around a part, its height and its width.
    fn extent(self, part: u64) -> (usize, usize, usize) {
        let (top, bottom) = (part.first() / self.cols, (63 - part.leading_zeros() as usize) / self.cols);
        let across = (top..=bottom).fold(0, |set, row| set | self.row(part >> (row * self.cols)));
        let (left, right) = (across.first(), 63 - across.leading_zeros() as usize);
        (top * self.cols + left, bottom - top + 1, right - left + 1)
    }

    #[inline]
    fn row(self, set: u64) -> u64 {
        set & u64::MAX >> (64 - self.cols)
    }

    /// The thermograph of a part in a small rectangle, whose corner is the lowest bit.
    fn known(self, part: u64, height: usize, width: usize) -> Option<&'static Walls> {
        let rectangle = match (height, width) {
            (2, ..=WIDEST) => Rectangle::strip(width),
            (..=4, ..=4) => Rectangle::four_by_four(),
            (..=3, ..=5) => Rectangle::three_by_five(),
            _ => return None,
        };
        let full = (1 << width) - 1;
        let rows = (0..height).map(|row| (part >> (row * self.cols) & full) << (row * rectangle.cols));
        Some(rectangle.walls(rows.fold(0, |set, row| set | row)))
    }

    /// Adds bounds for the vertical player on a part in the first `width` columns.
    ///
    /// Which borders are closed is chosen for each run of free cells in a row, because a run can be cut off from others of its row: it goes
    /// with the row above or with the row below. All choices are compared, row by row, for each temperature apart. On 7x7 this
    /// leaves a third of the nodes of a choice for whole rows.
    fn cut(self, part: u64, width: usize, bounds: &mut Bounds) {
        if width > WIDEST {
            // Unknown; the vertical player promises not to move here at all.
            let rows = (0..self.rows).map(|row| fitting(self.row(part >> (row * self.cols))));
            bounds.add_moves(-rows.sum::<i16>());
            return;
        }
        let strips = Rectangle::strip(width);
        let mut buffers = [[Cut { open: 0, second: [0; LANES], first: [0; LANES] }; CHOICES]; 2];
        let [mut now, mut next] = buffers.each_mut();
        let (mut choices, mut above, mut rows) = (1, 0, part);
        while rows != 0 {
            let row = self.row(rows);
            rows = rows.checked_shr(self.cols as u32).unwrap_or(0);
            let (upward, either) = sides(row, above, self.row(rows));
            let (mut made, mut chosen) = (0, 0);
            loop {
                let to = &mut next[made];
                made += 1;
                let up = upward | chosen;
                to.start(&now[0], row & !up, strips.walls(now[0].open | up << width));
                for from in &now[1..choices] {
                    to.improve(from, strips.walls(from.open | up << width));
                }
                // The next subset of the runs, as in counting: the first run that is missing is taken, those before it are left out.
                let missing = either & !chosen;
                if missing == 0 {
                    break;
                }
                chosen = chosen & !((missing & missing.wrapping_neg()) - 1) | first_run(missing);
            }
            (now, next, choices, above) = (next, now, made, row);
        }
        bounds.add(&now[0].second, &now[0].first);
    }

    /// Rows become columns.
    pub(super) fn turned(self, set: u64) -> u64 {
        if self.rows > 8 || self.cols > 8 {
            return set
                .cells()
                .fold(0, |out, cell| out | 1 << (cell % self.cols * self.rows + cell / self.cols));
        }
        let rows = (0..self.rows).fold(0, |out, row| out | self.row(set >> (row * self.cols)) << (8 * row));
        let columns = transposed(rows);
        (0..self.cols).fold(0, |out, col| out | (columns >> (8 * col) & 0xff) << (col * self.rows))
    }
}

/// Two rows of nine cells have at most five runs each, the outer two at most of which need not be free to choose.
const CHOICES: usize = 1 << 5;

/// The rows so far cut into strips.
#[derive(Clone, Copy)]
struct Cut {
    /// The cells of the last row that go with the next one.
    open: u64,
    second: Lanes,
    first: Lanes,
}

impl Cut {
    #[inline]
    fn start(&mut self, from: &Cut, open: u64, strip: &Walls) {
        self.open = open;
        for lane in 0..LANES {
            (self.second[lane], self.first[lane]) = from.with(strip, lane);
        }
    }

    #[inline]
    fn improve(&mut self, from: &Cut, strip: &Walls) {
        for lane in 0..LANES {
            let (second, first) = from.with(strip, lane);
            self.second[lane] = self.second[lane].max(second);
            self.first[lane] = self.first[lane].max(first);
        }
    }

    #[inline]
    fn with(&self, strip: &Walls, lane: usize) -> (i16, i16) {
        let (second, right) = (self.second[lane], strip.right[lane]);
        (second + right, (self.first[lane] + right).max(second + strip.left[lane]))
    }
}

/// The first run of cells of a row.
#[inline]
fn first_run(row: u64) -> u64 {
    row & !row.wrapping_add(row & row.wrapping_neg())
}

/// The runs of a row that go with the row above in any case, because they have no neighbours below, and those that may go either way.
#[inline]
fn sides(row: u64, above: u64, below: u64) -> (u64, u64) {
    let (mut upward, mut either, mut left) = (0, 0, row);
    while left != 0 {
        let run = first_run(left);
        left &= !run;
        if run & below == 0 {
            upward |= run;
        } else if run & above != 0 {
            either |= run;
        }
    }
    (upward, either)
}

/// How many dominoes fit into the free cells of a row.
fn fitting(mut row: u64) -> i16 {
    let mut count = 0;
    while row != 0 {
        let run = first_run(row);
        row &= !run;
        count += run.count() as i16 / 2;
    }
    count
}

/// The rows of a board of eight rows of eight become its columns.
fn transposed(mut board: u64) -> u64 {
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let swapped = (board ^ board >> shift) & mask;
        board ^= swapped ^ swapped << shift;
    }
    board
}
