//! Chains, liberties and captures on bitboards.
//!
//! Nothing is kept up to date: chains are flooded when they are asked for. A position is then two sets of points, which clone and
//! compare fast, and searches copy far more positions than they make moves.

use super::Points;
use delphic_game::Player;
use delphic_game::bits::Bits;
use delphic_game::grid::Grid;

/// The stones of both colours, black first.
pub type Stones = [Points; 2];

/// The largest board.
pub const LARGEST: usize = 19;

/// A square board. Point (row, column), from the top left, is number `row * (size + 1) + column`.
#[derive(Clone, Debug)]
pub struct Board {
    size: usize,
    all: Points,
    /// The neighbours of every point.
    around: Vec<Points>,
}

impl Board {
    /// A board with `size` lines, from 1 to 19.
    ///
    /// # Panics
    /// If there is no such board.
    pub fn new(size: usize) -> Board {
        assert!((1..=LARGEST).contains(&size), "a board has 1 to {LARGEST} lines, not {size}");
        let mut board = Board { size, all: Points::EMPTY, around: Vec::new() };
        for cell in 0..size * size {
            board.all.insert(board.point(cell / size, cell % size));
        }
        board.around = (0..size * (size + 1)).map(|point| board.neighbours(Points::single(point))).collect();
        board
    }

    /// The number of lines.
    pub fn size(&self) -> usize {
        self.size
    }

    /// All points.
    pub fn all(&self) -> Points {
        self.all
    }

    /// The same board for names and pictures.
    pub fn grid(&self) -> Grid {
        Grid { rows: self.size, cols: self.size }
    }

    /// The point in `row` and `col`.
    pub fn point(&self, row: usize, col: usize) -> usize {
        row * (self.size + 1) + col
    }

    /// The row and the column of a point.
    pub fn place(&self, point: usize) -> (usize, usize) {
        (point / (self.size + 1), point % (self.size + 1))
    }

    /// The name of a point: c2, columns from a, rows from 1 at the bottom.
    pub fn name(&self, point: usize) -> String {
        let (row, col) = self.place(point);
        self.grid().name(self.grid().cell(row, col))
    }

    /// The point of that name.
    pub fn named(&self, name: &str) -> Option<usize> {
        let col = name.bytes().next().filter(u8::is_ascii_lowercase)?;
        let (col, row) = ((col - b'a') as usize, name[1..].parse::<usize>().ok()?);
        let inside = col < self.size && (1..=self.size).contains(&row) && !name[1..].starts_with(['0', '+']);
        inside.then(|| self.point(self.size - row, col))
    }

    /// All points next to a point of `set`.
    #[inline]
    pub fn neighbours(&self, set: Points) -> Points {
        let stride = self.size as u32 + 1;
        ((set << 1) | (set >> 1) | (set << stride) | (set >> stride)) & self.all
    }

    /// The neighbours of one point.
    #[inline]
    pub fn around(&self, point: usize) -> Points {
        self.around[point]
    }

    /// A set with all its neighbours.
    #[inline]
    pub fn closure(&self, set: Points) -> Points {
        set | self.neighbours(set)
    }

    /// The empty points.
    #[inline]
    pub fn empty(&self, stones: &Stones) -> Points {
        self.all.without(stones[0] | stones[1])
    }

    /// The chain of `stones` that holds `point`.
    #[inline]
    pub fn chain(&self, point: usize, stones: Points) -> Points {
        let mut chain = Points::single(point);
        let mut grown = chain | (self.around[point] & stones);
        while grown != chain {
            chain = grown;
            grown = chain | (self.neighbours(chain) & stones);
        }
        chain
    }

    /// The chains of `stones` that meet `seeds`.
    pub fn chains(&self, mut seeds: Points, stones: Points) -> impl Iterator<Item = Points> {
        seeds &= stones;
        std::iter::from_fn(move || {
            (!seeds.is_empty()).then(|| {
                let chain = self.chain(seeds.first(), stones);
                seeds = seeds.without(chain);
                chain
            })
        })
    }

    /// Puts a stone on an empty point and takes off the enemy chains that it leaves without liberty, which are returned. The
    /// stone's own chain must breathe afterwards ([`Board::may_place`]).
    #[inline]
    pub fn put(&self, stones: &mut Stones, who: Player, point: usize) -> Points {
        let enemy = who.other().index();
        stones[who.index()].insert(point);
        let empty = self.empty(stones);
        let mut captured = Points::EMPTY;
        for chain in self.chains(self.around[point], stones[enemy]) {
            if !self.neighbours(chain).meets(empty) {
                captured |= chain;
            }
        }
        stones[enemy] = stones[enemy].without(captured);
        captured
    }

    /// Whether a stone on an empty point would breathe: next to an empty point, through a chain of its own with another liberty, or
    /// by taking the last liberty of an enemy chain.
    #[inline]
    pub fn breathes(&self, stones: &Stones, who: Player, point: usize) -> bool {
        let around = self.around[point];
        let mut others = self.empty(stones);
        if around.meets(others) {
            return true;
        }
        others = others.without(Points::single(point));
        let alive = |chain: Points| self.neighbours(chain).meets(others);
        self.chains(around, stones[who.index()]).any(alive)
            || self.chains(around, stones[who.other().index()]).any(|chain| !alive(chain))
    }

    /// Whether a stone may be put on a point, ko apart.
    pub fn may_place(&self, stones: &Stones, who: Player, point: usize) -> bool {
        self.empty(stones).has(point) && self.breathes(stones, who, point)
    }

    /// All points where a stone may be put, ko apart. Most have an empty neighbour, which is seen for all of them at once.
    pub fn placements(&self, stones: &Stones, who: Player) -> Points {
        let empty = self.empty(stones);
        let mut legal = empty & self.neighbours(empty);
        for point in empty.without(legal).cells() {
            if self.breathes(stones, who, point) {
                legal.insert(point);
            }
        }
        legal
    }

    /// The point that a ko forbids after a stone on `point` has captured: one stone was taken, and the stone that took it stands alone
    /// with no liberty but the point of the taken one.
    pub fn ko(&self, stones: &Stones, who: Player, point: usize, captured: Points) -> Option<usize> {
        let single = !captured.is_empty() && captured.without_first().is_empty();
        let alone = !self.around[point].meets(stones[who.index()]);
        let liberties = self.around[point] & self.empty(stones);
        (single && alone && liberties == captured).then(|| captured.first())
    }

    /// A point of a chain without liberties, if there is one: such a position cannot be.
    pub fn breathless(&self, stones: &Stones) -> Option<usize> {
        let empty = self.empty(stones);
        let dead = |&chain: &Points| !self.neighbours(chain).meets(empty);
        stones.iter().find_map(|&set| self.chains(set, set).find(dead)).map(Bits::first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        let board = Board::new(19);
        for point in board.all().cells() {
            assert_eq!(board.named(&board.name(point)), Some(point));
        }
        for bad in ["", "a", "a0", "a20", "t1", "a01", "a+1", "A1", "é1", "aa1"] {
            assert_eq!(board.named(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_corner_is_captured() {
        let board = Board::new(3);
        let at = |name: &str| board.named(name).unwrap();
        let mut stones = [Points::single(at("a2")), Points::single(at("a1"))];
        assert_eq!(board.put(&mut stones, Player::FIRST, at("b1")), Points::single(at("a1")));
        assert!(!board.may_place(&stones, Player::SECOND, at("a1")), "suicide");
        assert!(board.may_place(&stones, Player::FIRST, at("a1")));
        assert_eq!(board.placements(&stones, Player::SECOND).count(), 6);
    }
}
