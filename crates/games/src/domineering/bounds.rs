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
use super::turn::Turn;
use super::word::Word;
use arrayvec::ArrayVec;
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
#[derive(Clone, Debug)]
pub(super) struct Boards<B> {
    pub(super) upright: Board<B>,
    pub(super) turned: Board<B>,
    turn: Turn<B>,
}

/// A position as a sum: bounds on its small parts, and the large parts, which are cut for the player in question.
pub(super) struct Sum<'b, B> {
    boards: &'b Boards<B>,
    small: [Bounds; 2],
    large: ArrayVec<B, LARGE>,
}

/// A large part has at least eight cells: it joins opposite sides of three rows by six, four by five, or more.
const LARGE: usize = 128 / 8;

impl<B: Word> Boards<B> {
    pub(super) fn new(rows: usize, cols: usize) -> Boards<B> {
        let turn = Turn::new(rows, cols);
        Boards { upright: Board::new(rows, cols), turned: Board::new(cols, rows), turn }
    }

    /// The parts of the position with these free cells.
    pub(super) fn sum(&self, free: B) -> Sum<'_, B> {
        let Boards { upright, turned, turn } = self;
        let (mut small, mut large, mut left) = ([Bounds::ZERO; 2], ArrayVec::new(), free);
        while !left.is_empty() {
            let part = upright.part(B::single(left.first()), free);
            left = left & !part;
            let (corner, height, width) = upright.extent(part);
            if height == 1 || width == 1 {
                let moves = (height / 2) as i16 - (width / 2) as i16;
                small[0].add_moves(moves);
                small[1].add_moves(-moves);
            } else if let Some(walls) = upright.known(part >> corner, height, width) {
                small[0].add(Stops(walls.right), Stops(walls.left));
                small[1].add(Stops::ZERO.minus(Stops(walls.left)), Stops::ZERO.minus(Stops(walls.right)));
            } else if let Some(walls) = turned.known(turn.turned(part >> corner), width, height) {
                small[0].add(Stops::ZERO.minus(Stops(walls.left)), Stops::ZERO.minus(Stops(walls.right)));
                small[1].add(Stops(walls.right), Stops(walls.left));
            } else {
                large.push(part);
            }
        }
        Sum { boards: self, small, large }
    }

    /// The board and the free cells as a player sees them whose dominoes are vertical.
    pub(super) fn seen_by(&self, player: Player, free: B) -> (&Board<B>, B) {
        if player == Player::FIRST { (&self.upright, free) } else { (&self.turned, self.turn.turned(free)) }
    }
}

impl<B: Word> Sum<'_, B> {
    /// Bounds for a player.
    pub(super) fn bounds(&self, player: Player, buffers: &mut Buffers) -> Bounds {
        let mut bounds = self.small[player.index()];
        for &part in &self.large {
            let (board, part) = self.boards.seen_by(player, part);
            board.cut(part, &mut bounds, buffers);
        }
        bounds
    }
}

/// The shape of a board, whose cell (row, column) is bit `row * cols + column` of a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board<B> {
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// Cells with a neighbour to the right.
    not_last: B,
    /// 2¹⁶ over the columns, rounded up: divides cells by the columns.
    reciprocal: usize,
}

impl<B: Word> Board<B> {
    fn new(rows: usize, cols: usize) -> Board<B> {
        let last = (0..rows).fold(B::EMPTY, |set, row| set | B::single(row * cols + cols - 1));
        Board { rows, cols, not_last: !last, reciprocal: (1 << 16) / cols + 1 }
    }

    /// The free cells connected with `seed`.
    fn part(&self, seed: B, free: B) -> B {
        let mut part = seed;
        loop {
            let across = part | (part & self.not_last) << 1 | part >> 1 & self.not_last;
            let down = across.up(self.cols);
            let up = across.down(self.cols);
            let grown = (across | down | up) & free;
            if grown == part {
                return part;
            }
            part = grown;
        }
    }

    /// The upper left corner of the smallest rectangle around a part, its height and its width.
    fn extent(&self, part: B) -> (u32, usize, usize) {
        let row_of = |cell: usize| (cell * self.reciprocal) >> 16;
        let (top, bottom) = (row_of(part.first()), row_of(part.last()));
        let rows = (top..=bottom).map(|row| part >> (row * self.cols) as u32);
        let across = rows.fold(B::EMPTY, |set, row| set | row) & B::below(self.cols);
        let (left, right) = (across.first(), across.last());
        ((top * self.cols + left) as u32, bottom - top + 1, right - left + 1)
    }

    /// The first row of a set, on a board of at most 64 columns. Only a board of one row has more, and no part of it is cut.
    #[inline]
    pub(super) fn row(&self, set: B) -> u64 {
        set.low() & u64::MAX >> (64 - self.cols)
    }

    /// The thermograph of a part in a small rectangle, whose corner is the lowest bit.
    fn known(&self, part: B, height: usize, width: usize) -> Option<&'static Walls> {
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
        let rows = (0..height)
            .map(|row| ((part >> (row * self.cols) as u32).low() & full) << (row * rectangle.cols));
        Some(rectangle.walls(rows.fold(0, |set, row| set | row)))
    }

    /// Adds bounds for the vertical player on a part.
    fn cut(&self, part: B, bounds: &mut Bounds, buffers: &mut Buffers) {
        let (corner, height, width) = self.extent(part);
        let part = part >> corner;
        if width > WIDEST {
            // No thermograph is known; the vertical player promises not to move in this part at all.
            let rows = (0..height).map(|row| fitting(self.row(part >> (row * self.cols) as u32)));
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
        part: B,
        width: usize,
        buffers: &mut Buffers<N>,
    ) -> Option<Cut> {
        let strips = Rectangle::strip(width);
        let [mut now, mut next] = buffers.0.each_mut();
        now[0] = Cut::NOTHING;
        let (mut choices, mut rows, (mut upward, mut either)) = (1, part, self.sides(part));
        while !rows.is_empty() {
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
            [rows, upward, either] = [rows, upward, either].map(|set| set.down(self.cols));
        }
        Some(now[0])
    }

    /// The runs of a part's rows that go with the row above in any case, because they have no neighbours below, and those that may go
    /// either way.
    #[inline]
    fn sides(&self, part: B) -> (B, B) {
        let below = part & part.down(self.cols);
        let above = part & part.up(self.cols);
        let [below, above] = [below, above].map(|touched| self.runs(part, touched));
        (part & !below, below & above)
    }

    /// The runs of a part's rows that contain one of these cells. Strips have at most [`WIDEST`] columns, so fifteen steps to either
    /// side are enough.
    #[inline]
    fn runs(&self, part: B, cells: B) -> B {
        let (mut left, mut right) = (cells, cells);
        // Cells that can be reached from one, two, four … cells away.
        let (mut from_left, mut from_right) = (part & self.not_last << 1, part & self.not_last);
        for steps in [1, 2, 4, 8] {
            right = right | from_left & right << steps;
            left = left | from_right & left >> steps;
            from_left = from_left & from_left << steps;
            from_right = from_right & from_right >> steps;
        }
        left | right
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
