//! Virtual connections to the sides of a board of hexagons: finds connected sides, and so a winner, without search.
//!
//! Anshelevich, "A hierarchical approach to computer Hex" (2002), with one end of every connection on a side. A *link* between a
//! point (an empty cell or a chain of stones) and a side holds even if the other player moves first, and needs only the empty
//! cells of its carrier; a *half link* holds if the player moves first. A link to a point and a step from there to another, on
//! disjoint cells, add up to a link over a stone and to a half link over an empty cell. Half links without a common cell are
//! together a link. Steps are adjacency and bridges; links as steps, the whole of Anshelevich's search, would find more and take longer.
//!
//! The sides are joined if some point has disjoint links to all of them.

use super::hex_board::HexBoard;
use delphic_game::bits::Bits;

/// The points of the largest board.
const POINTS: usize = 128;
/// Links kept per point and side: the first found, which tend to be small.
const LINKS: usize = 6;
/// Half links kept per point and side.
const HALVES: usize = 10;
/// Half links that may make up a link.
const PARTS: usize = 4;

/// The connection of a player's sides, found without search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threat {
    /// The sides are joined even if the other player moves first.
    Joined,
    /// They are joined if the player moves first. The other player's moves outside this set do not prevent it.
    Half(u128),
    /// Nothing was found.
    Nothing,
}

/// A few carriers, none of which contains another.
#[derive(Clone, Copy)]
struct Carriers<const N: usize> {
    sets: [u128; N],
    count: u8,
}

impl<const N: usize> Carriers<N> {
    const NONE: Self = Carriers { sets: [0; N], count: 0 };

    #[inline]
    fn all(&self) -> &[u128] {
        &self.sets[..usize::from(self.count)]
    }

    /// Adds a carrier as the last one, unless it contains one of the others or there is no room. Those that contain it are removed.
    #[inline]
    fn add(&mut self, carrier: u128) -> bool {
        if self.all().iter().any(|&other| other & !carrier == 0) {
            return false;
        }
        let mut kept = 0;
        for i in 0..usize::from(self.count) {
            if carrier & !self.sets[i] != 0 {
                self.sets[kept] = self.sets[i];
                kept += 1;
            }
        }
        self.count = kept as u8;
        if kept == N {
            return false;
        }
        self.sets[kept] = carrier;
        self.count += 1;
        true
    }
}

/// The links of all points to a side.
type Links = [Carriers<LINKS>; POINTS];

/// The points of a player: all empty cells, and the first cell of every chain.
struct Points {
    all: u128,
    empty: u128,
    /// The cells of each chain.
    chain: [u128; POINTS],
    /// The empty cells next to each point.
    around: [u128; POINTS],
    /// The points a step away.
    near: [u128; POINTS],
}

impl Points {
    fn new(hexes: &HexBoard<u128>, stones: u128, empty: u128) -> Points {
        let none = [0; POINTS];
        let mut points = Points { all: empty, empty, chain: none, around: none, near: none };
        for cell in empty.cells() {
            points.around[cell] = hexes.neighbours(1 << cell) & empty;
        }
        let mut rest = stones;
        while rest != 0 {
            let first = rest.first();
            let chain = hexes.chain(1 << first, stones);
            rest &= !chain;
            points.all |= 1 << first;
            (points.chain[first], points.around[first]) = (chain, hexes.neighbours(chain) & empty);
        }
        for one in points.all.cells() {
            for other in points.all.cells().take_while(|&other| other < one) {
                if points.touch(one, other) || (points.around[one] & points.around[other]).count() > 1 {
                    points.near[one] |= 1 << other;
                    points.near[other] |= 1 << one;
                }
            }
        }
        points
    }

    #[inline]
    fn touch(&self, one: usize, other: usize) -> bool {
        self.around[one].has(other) || self.around[other].has(one)
    }

    /// Finds the links of all points to `side`.
    fn link(&self, side: u128, links: &mut Links) {
        let mut halves = [Carriers::<HALVES>::NONE; POINTS];
        // Every link is extended once, in the order in which they are found.
        let mut queue = Queue { links, entries: [(0, 0); QUEUE], end: 0 };
        for point in self.all.cells() {
            if (self.chain[point] | 1 << point) & side != 0 {
                queue.add(point, 0);
            }
        }
        let mut next = 0;
        while next < queue.end {
            let (from, link) = queue.entries[next];
            let from = usize::from(from);
            next += 1;
            for to in (self.near[from] & !link).cells() {
                if queue.links[to].all().first() == Some(&0) {
                    continue;
                }
                let touch = self.touch(from, to);
                let mut between = self.around[from] & self.around[to] & !link;
                loop {
                    let mut carrier = link;
                    if !touch {
                        // One pair of cells after the other; there is more than one only between chains.
                        let rest = if between == 0 { 0 } else { between.without_first() };
                        if rest == 0 {
                            break;
                        }
                        carrier |= between & !rest.without_first();
                        between = rest;
                    }
                    if !self.empty.has(from) {
                        queue.add(to, carrier);
                    } else if halves[to].add(carrier | 1 << from) {
                        let (last, others) = halves[to].all().split_last().expect("one was added");
                        unite(others, *last, *last, PARTS - 1, &mut |link| queue.add(to, link));
                    }
                    if touch {
                        break;
                    }
                }
            }
        }
    }
}

/// Links found, at most: more are not extended.
const QUEUE: usize = 512;

struct Queue<'l> {
    links: &'l mut Links,
    entries: [(u8, u128); QUEUE],
    end: usize,
}

impl Queue<'_> {
    #[inline]
    fn add(&mut self, point: usize, carrier: u128) {
        if self.links[point].add(carrier) && self.end < QUEUE {
            self.entries[self.end] = (point as u8, carrier);
            self.end += 1;
        }
    }
}

/// Hands on the links that consist of some half links, with these cells in `common` and `all`, and up to `more` of the `others`.
fn unite(others: &[u128], common: u128, all: u128, more: usize, sink: &mut impl FnMut(u128)) {
    for (i, &half) in others.iter().enumerate() {
        let left = common & half;
        if left == 0 {
            sink(all | half);
        } else if left != common && more > 1 {
            unite(&others[i + 1..], left, all | half, more - 1, sink);
        }
    }
}

/// The connection of the sides of the player of `stones` if only the `empty` cells are free.
///
/// Links are found in an order that depends on the numbers of the cells, and not all of them are kept: symmetric boards may get
/// different answers.
pub(crate) fn threat<const SIDES: usize>(
    hexes: &HexBoard<u128>,
    sides: &[u128; SIDES],
    stones: u128,
    empty: u128,
) -> Threat {
    let mut must = None;
    connections(hexes, sides, stones, empty, &mut |carrier, through| {
        let needed = if through != 0 { carrier } else { 0 };
        must = Some(must.map_or(needed, |must: u128| must & needed));
        must != Some(0)
    });
    match must {
        None => Threat::Nothing,
        Some(0) => Threat::Joined,
        Some(must) => Threat::Half(must),
    }
}

/// A connection of more cells is far away. See [`distances`].
const FAR: u32 = 5;

/// Appends for each empty cell twice the number of cells that the smallest connection of the sides needs after a stone there: a connection
/// that holds even if the other player moves next, as far as [`threat`] finds one, and `u32::MAX` if it finds none. The player who keeps to
/// it uses up one of its cells with every move, so it says how long the game can last. One more for a cell away from all stones of the
/// player: of equal moves, those that prolong a chain leave fewer positions (the strategy of y:6 had 130,000 positions instead of 221,000).
///
/// One look at the connections of the position itself gives all numbers, but misses some, because not all links are kept. While every
/// connection is far, each cell gets a look of its own: there are few such positions, and their choices decide the size of the rest (y:6:
/// 86,000 positions in 0.4 s; with a look for every cell everywhere 81,000 in 1.7 s).
pub(crate) fn distances<const SIDES: usize>(
    hexes: &HexBoard<u128>,
    sides: &[u128; SIDES],
    stones: u128,
    empty: u128,
    list: &mut Vec<u32>,
) {
    let (mut anywhere, mut inside) = (u32::MAX, [u32::MAX; POINTS]);
    full_connections(hexes, sides, stones, empty, &mut |carrier, through| {
        let needed = carrier.count_ones();
        let moves = if through == 0 { carrier } else { through };
        moves.cells().for_each(|cell| inside[cell] = inside[cell].min(needed - 1));
        if through == 0 {
            anywhere = anywhere.min(needed);
        }
    });
    let far = empty.cells().all(|cell| inside[cell].min(anywhere) > FAR);
    list.extend(empty.cells().map(|cell| {
        let mut needed = inside[cell].min(anywhere);
        if far {
            let (stones, empty) = (stones | 1 << cell, empty & !(1 << cell));
            needed = u32::MAX;
            full_connections(hexes, sides, stones, empty, &mut |carrier, through| {
                if through == 0 {
                    needed = needed.min(carrier.count_ones());
                }
            });
        }
        let away = hexes.neighbours(1 << cell) & stones == 0;
        needed.saturating_mul(2).saturating_add(u32::from(away))
    }));
}

/// The same as [`connections`], and those that half connections make up together.
fn full_connections<const SIDES: usize>(
    hexes: &HexBoard<u128>,
    sides: &[u128; SIDES],
    stones: u128,
    empty: u128,
    sink: &mut impl FnMut(u128, u128),
) {
    let mut halves = Carriers::<HALVES>::NONE;
    connections(hexes, sides, stones, empty, &mut |carrier, through| {
        sink(carrier, through);
        if through != 0 && halves.add(carrier) {
            let (last, others) = halves.all().split_last().expect("one was added");
            unite(others, *last, *last, PARTS - 1, &mut |carrier| sink(carrier, 0));
        }
        true
    });
}

/// Hands on the carriers of connections of the sides, each with the empty cell in its middle if it is a half connection and with an empty
/// set if it is not, until `sink` returns false.
fn connections<const SIDES: usize>(
    hexes: &HexBoard<u128>,
    sides: &[u128; SIDES],
    stones: u128,
    empty: u128,
    sink: &mut impl FnMut(u128, u128) -> bool,
) {
    let points = Points::new(hexes, stones, empty);
    let mut links = [[Carriers::NONE; POINTS]; SIDES];
    for (side, links) in sides.iter().zip(&mut links) {
        points.link(*side, links);
    }
    for point in points.all.cells() {
        let of_point: [&[u128]; SIDES] = std::array::from_fn(|side| links[side][point].all());
        let through = points.empty & 1 << point;
        let mut more = true;
        disjoint(&of_point, through, &mut |carrier| more = more && sink(carrier, through));
        if !more {
            return;
        }
    }
}

/// Hands on the unions of `used` with one set of each list, all of them disjoint.
fn disjoint(lists: &[&[u128]], used: u128, sink: &mut impl FnMut(u128)) {
    match lists {
        [] => sink(used),
        [first, rest @ ..] => {
            for &set in first.iter().filter(|&set| set & used == 0) {
                disjoint(rest, used | set, sink);
            }
        }
    }
}
