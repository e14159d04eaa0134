//! Bounds on a position from its independent components ("parts"), and from strips into which large components are cut.
//!
//! A component that fits into a small rectangle has a tabulated thermograph. A larger one is bounded for each player: a player who promises
//! never to place a domino across certain borders is no better off, because removing a player's own moves never helps that player. With
//! borders between rows closed to the vertical player, the component becomes a sum of strips of two rows, whose thermographs are tabulated.
//! So if this player wins the sum, this player wins on the board.
//!
//! Call the player in question Left. Cooling is linear, the stops of sums obey R(G + H) ≥ R(G) + R(H) and L(G + H) ≥ L(G) + R(H), and
//! with falling t left stops do not fall, right stops by no more than t does. So for every temperature t, over the parts and strips i,
//! Left, moving second, has a stop of at least `Σ R_t(i) − t`, and moving first of at least `Σ R_t(i) + max_i (L_t(i) − R_t(i))`.

use super::thermograph::{LANES, Lanes, MOVE, Rectangle, WIDEST, Walls, temperature};
use delphic_game::{Player, bits::Bits};

/// Stops at all temperatures. Aligned and added as a whole they are vectors: element by element the bounds took twice the time.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Stops(Lanes);

impl Stops {
    const ZERO: Stops = Stops([0; LANES]);
    /// Less than all stops of a position; sums of it do not overflow.
    const LOWEST: Stops = Stops([-64 * MOVE; LANES]);

    const TEMPERATURES: Stops = {
        let (mut lanes, mut lane) = ([0; LANES], 0);
        while lane < LANES {
            lanes[lane] = temperature(lane);
            lane += 1;
        }
        Stops(lanes)
    };

    /// The highest of them.
    #[inline]
    fn highest(self) -> i16 {
        self.0.into_iter().fold(i16::MIN, i16::max)
    }

    #[inline]
    fn plus(mut self, other: Stops) -> Stops {
        self.0.iter_mut().zip(other.0).for_each(|(stop, more)| *stop += more);
        self
    }

    #[inline]
    fn minus(mut self, other: Stops) -> Stops {
        self.0.iter_mut().zip(other.0).for_each(|(stop, less)| *stop -= less);
        self
    }

    #[inline]
    fn max(mut self, other: Stops) -> Stops {
        self.0.iter_mut().zip(other.0).for_each(|(stop, rival)| *stop = rival.max(*stop));
        self
    }
}

/// Lower bounds on the stops of a sum for one player.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Of the right stop: the sum over all parts.
    second: Stops,
    /// The excess of the left stop over the right one: the maximum over all parts.
    gain: Stops,
}

impl Bounds {
    const ZERO: Bounds = Bounds { second: Stops::ZERO, gain: Stops::ZERO };

    /// The bounds from a cut of the whole board.
    pub(super) fn of(cut: Cut) -> Bounds {
        Bounds { second: cut.second, gain: cut.first.minus(cut.second) }
    }

    #[inline]
    fn add(&mut self, second: Stops, first: Stops) {
        self.second = self.second.plus(second);
        self.gain = self.gain.max(first.minus(second));
    }

    fn add_moves(&mut self, moves: i16) {
        self.second = self.second.plus(Stops([moves * MOVE; LANES]));
    }

    /// Whether the player surely wins moving first.
    pub(super) fn win_moving_first(&self) -> bool {
        self.moving_first() > 0
    }

    /// Whether the player surely wins moving second.
    pub(super) fn win_moving_second(&self) -> bool {
        self.moving_second() > 0
    }

    /// A lower bound on the player's stop when moving first, which wins if it is above 0.
    pub(super) fn moving_first(&self) -> i16 {
        self.second.plus(self.gain).highest()
    }

    /// A number that is above 0 if the player surely wins moving second: from a temperature down to −δ the right stop falls by at most the
    /// difference.
    pub(super) fn moving_second(&self) -> i16 {
        self.second.minus(Stops::TEMPERATURES).highest()
    }

    /// A lower bound on the mean value, in moves.
    pub(super) fn mean(&self) -> f64 {
        f64::from(self.second.0[LANES - 1]) / f64::from(MOVE)
    }
}

/// The board as the two players see it: each as the one whose dominoes are vertical.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boards {
    pub(super) upright: Board,
    pub(super) turned: Board,
}

/// A position as a sum: bounds on its small parts, and the large parts, which are cut for the player in question.
pub(super) struct Sum<'b> {
    boards: &'b Boards,
    small: [Bounds; 2],
    large: [u64; LARGE],
    count: usize,
}

/// A large part has at least eight cells: it joins opposite sides of three rows by six, four by five, or more.
const LARGE: usize = 64 / 8;

impl Boards {
    pub(super) fn new(rows: usize, cols: usize) -> Boards {
        Boards { upright: Board::new(rows, cols), turned: Board::new(cols, rows) }
    }

    /// The parts of the position with these free cells.
    pub(super) fn sum(&self, free: u64) -> Sum<'_> {
        let Boards { upright, turned } = self;
        let (mut small, mut large, mut count, mut left) = ([Bounds::ZERO; 2], [0; LARGE], 0, free);
        while left != 0 {
            let part = upright.part(left & left.wrapping_neg(), free);
            left &= !part;
            let (corner, height, width) = upright.extent(part);
            if height == 1 || width == 1 {
                let moves = (height / 2) as i16 - (width / 2) as i16;
                small[0].add_moves(moves);
                small[1].add_moves(-moves);
            } else if let Some(walls) = upright.known(part >> corner, height, width) {
                small[0].add(Stops(walls.right), Stops(walls.left));
                small[1].add(Stops::ZERO.minus(Stops(walls.left)), Stops::ZERO.minus(Stops(walls.right)));
            } else if let Some(walls) = turned.known(upright.turned(part >> corner), width, height) {
                small[0].add(Stops::ZERO.minus(Stops(walls.left)), Stops::ZERO.minus(Stops(walls.right)));
                small[1].add(Stops(walls.right), Stops(walls.left));
            } else {
                large[count] = part;
                count += 1;
            }
        }
        Sum { boards: self, small, large, count }
    }
}

impl Sum<'_> {
    /// Bounds for a player.
    pub(super) fn bounds(&self, player: Player, buffers: &mut Buffers) -> Bounds {
        let (Boards { upright, turned }, first) = (self.boards, player == Player::FIRST);
        let mut bounds = self.small[usize::from(!first)];
        for &part in &self.large[..self.count] {
            if first {
                upright.cut(part, &mut bounds, buffers);
            } else {
                turned.cut(upright.turned(part), &mut bounds, buffers);
            }
        }
        bounds
    }
}

/// The shape of a board, whose cell (row, column) is bit `row * cols + column` of a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// Cells with a neighbour to the right.
    not_last: u64,
    /// 2¹⁶ over the columns, rounded up: divides cells by the columns.
    reciprocal: usize,
}

impl Board {
    fn new(rows: usize, cols: usize) -> Board {
        let last = (0..rows).fold(0, |set: u64, row| set | 1 << (row * cols + cols - 1));
        Board { rows, cols, not_last: !last, reciprocal: (1 << 16) / cols + 1 }
    }

    /// The free cells connected with `seed`.
    fn part(&self, seed: u64, free: u64) -> u64 {
        let mut part = seed;
        loop {
            let across = part | (part & self.not_last) << 1 | part >> 1 & self.not_last;
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
    fn extent(&self, part: u64) -> (usize, usize, usize) {
        let row_of = |cell: usize| (cell * self.reciprocal) >> 16;
        let (top, bottom) = (row_of(part.first()), row_of(63 - part.leading_zeros() as usize));
        let across = (top..=bottom).fold(0, |set, row| set | self.row(part >> (row * self.cols)));
        let (left, right) = (across.first(), 63 - across.leading_zeros() as usize);
        (top * self.cols + left, bottom - top + 1, right - left + 1)
    }

    #[inline]
    pub(super) fn row(&self, set: u64) -> u64 {
        set & u64::MAX >> (64 - self.cols)
    }

    /// The thermograph of a part in a small rectangle, whose corner is the lowest bit.
    fn known(&self, part: u64, height: usize, width: usize) -> Option<&'static Walls> {
        let rectangle = match (height, width) {
            (2, ..=WIDEST) => Rectangle::strip(width),
            (..=4, ..=4) => Rectangle::four_by_four(),
            (..=3, ..=5) => Rectangle::three_by_five(),
            // Boards up to 6x6 are solved in less time than these take to compute.
            (..=3, ..=6) if self.rows * self.cols > 36 => Rectangle::three_by_six(),
            (..=4, ..=5) if self.rows * self.cols > 36 => Rectangle::four_by_five(),
            _ => return None,
        };
        let full = (1 << width) - 1;
        let rows = (0..height).map(|row| (part >> (row * self.cols) & full) << (row * rectangle.cols));
        Some(rectangle.walls(rows.fold(0, |set, row| set | row)))
    }

    /// Adds bounds for the vertical player on a part.
    fn cut(&self, part: u64, bounds: &mut Bounds, buffers: &mut Buffers) {
        let (corner, height, width) = self.extent(part);
        let part = part >> corner;
        if width > WIDEST {
            // No thermograph is known; the vertical player promises not to move in this part at all.
            let rows = (0..height).map(|row| fitting(self.row(part >> (row * self.cols))));
            bounds.add_moves(-rows.sum::<i16>());
            return;
        }
        let cut = self.cut_into_strips(part, width, buffers);
        let cut = cut.or_else(|| self.cut_into_strips(part, width, &mut Buffers::<CHOICES>::new()));
        let Some(Cut { second, first, .. }) = cut else { unreachable!("no row has more choices") };
        bounds.add(second, first);
    }

    /// The best cut of a part in the first `width` columns, for each temperature apart, if no row has more than `N` choices.
    ///
    /// Which borders are closed is chosen for each run of free cells in a row, because a run can be cut off from others of its row: it goes
    /// with the row above or with the row below. All choices are compared, row by row. On 7x7 this leaves a third of the nodes
    /// of a choice for whole rows.
    fn cut_into_strips<const N: usize>(
        &self,
        part: u64,
        width: usize,
        buffers: &mut Buffers<N>,
    ) -> Option<Cut> {
        let strips = Rectangle::strip(width);
        let [mut now, mut next] = buffers.0.each_mut();
        now[0] = Cut::NOTHING;
        let (mut choices, mut rows, (mut upward, mut either)) = (1, part, self.sides(part));
        while rows != 0 {
            let (row, free) = (self.row(rows), self.row(either));
            let (mut made, mut chosen) = (0, 0);
            loop {
                let up = self.row(upward) | chosen;
                let cut = Cut::best(&now[..choices], row & !up, |open| strips.walls(open | up << width));
                *next.get_mut(made)? = cut;
                made += 1;
                // The next subset of the runs, as in counting: the first run that is missing is taken, those before it are left out.
                let missing = free & !chosen;
                if missing == 0 {
                    break;
                }
                chosen = chosen & !((missing & missing.wrapping_neg()) - 1) | first_run(missing);
            }
            (now, next, choices) = (next, now, made);
            [rows, upward, either] = [rows, upward, either].map(|set| self.next_row(set));
        }
        Some(now[0])
    }

    /// Without the first row.
    #[inline]
    fn next_row(&self, set: u64) -> u64 {
        set.checked_shr(self.cols as u32).unwrap_or(0)
    }

    /// The runs of a part's rows that go with the row above in any case, because they have no neighbours below, and those that may go
    /// either way.
    #[inline]
    fn sides(&self, part: u64) -> (u64, u64) {
        let below = part & self.next_row(part);
        let above = part & part.checked_shl(self.cols as u32).unwrap_or(0);
        let [below, above] = [below, above].map(|touched| self.runs(part, touched));
        (part & !below, below & above)
    }

    /// The runs of a part's rows that contain one of these cells. Strips have at most [`WIDEST`] columns, so fifteen steps to either
    /// side are enough.
    #[inline]
    fn runs(&self, part: u64, cells: u64) -> u64 {
        let (mut left, mut right) = (cells, cells);
        // Cells that can be reached from one, two, four … cells away.
        let (mut from_left, mut from_right) = (part & self.not_last << 1, part & self.not_last);
        for steps in [1, 2, 4, 8] {
            right |= from_left & right << steps;
            left |= from_right & left >> steps;
            from_left &= from_left << steps;
            from_right &= from_right >> steps;
        }
        left | right
    }

    /// Rows become columns.
    pub(super) fn turned(&self, set: u64) -> u64 {
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
pub(super) struct Cut {
    /// The cells of the last row that go with the next one.
    pub(super) open: u64,
    second: Stops,
    first: Stops,
}

/// The cuts up to two rows. Rarely does a row have more than three runs to choose for: buffers for all choices, and one for each player,
/// would take 50 % more time to fill.
pub(super) struct Buffers<const N: usize = 8>([[Cut; N]; 2]);

impl<const N: usize> Buffers<N> {
    pub(super) fn new() -> Buffers<N> {
        Buffers([[Cut::NOTHING; N]; 2])
    }
}

impl Cut {
    pub(super) const NOTHING: Cut = Cut { open: 0, second: Stops::ZERO, first: Stops::ZERO };

    /// Worse than any cut.
    pub(super) const LOWEST: Cut = Cut { open: 0, second: Stops::LOWEST, first: Stops::LOWEST };

    /// At least as good as two cuts with one strip between them.
    #[inline]
    pub(super) fn improve(&mut self, one: &Cut, other: &Cut, strip: &Walls) {
        let (right, left) = (Stops(strip.right), Stops(strip.left));
        let (rest, second) = (one.second.plus(other.second), one.second.plus(right));
        self.second = self.second.max(rest.plus(right));
        let first = one.first.plus(right).plus(other.second).max(second.plus(other.first));
        self.first = self.first.max(first).max(rest.plus(left));
    }

    /// The best of these cuts, each with one more strip, which depends on what it leaves open.
    #[inline]
    pub(super) fn best<'w>(cuts: &[Cut], open: u64, strip: impl Fn(u64) -> &'w Walls) -> Cut {
        let (mut second, mut first) = (Stops::LOWEST, Stops::LOWEST);
        for cut in cuts {
            let walls = strip(cut.open);
            let (right, left) = (Stops(walls.right), Stops(walls.left));
            second = second.max(cut.second.plus(right));
            first = first.max(cut.first.plus(right)).max(cut.second.plus(left));
        }
        Cut { open, second, first }
    }
}

/// The first run of cells of a row.
#[inline]
pub(super) fn first_run(row: u64) -> u64 {
    row & !row.wrapping_add(row & row.wrapping_neg())
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
