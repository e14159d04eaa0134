//! Boards of hexagons, for Hex, Y, Havannah and Pentalath.
//!
//! A cell has a file x and a rank y in skew coordinates: its neighbours are (x±1, y), (x, y±1), (x+1, y+1) and
//! (x−1, y−1). In a picture rank y+1 lies above rank y and half a cell to the left. Games differ in which (x, y)
//! exist. Cell (x, y) is bit `y * width + x`, so that a whole set is grown by one step with a few shifts.

use delphic_game::{
    NotationError, Player, Rng,
    bits::Bits,
    grid::column_name,
    picture::{Mark, Picture, Tiling},
};

/// The way to the six neighbours, each next to the one before it.
const STEPS: [(i32, i32); 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];

/// Six neighbours that are all in a set.
pub const ENCIRCLED: u8 = 0b11_1111;

/// A board: which cells exist and what is next to them.
#[derive(Clone, Debug)]
pub struct HexBoard<B> {
    width: usize,
    height: usize,
    /// Every cell.
    pub board: B,
    not_first: B,
    not_last: B,
    /// The neighbours of every bit in the order of [`STEPS`]; the last bit of the word, which is no cell, stands
    /// for those that do not exist.
    around: Vec<[u8; 6]>,
    cells: Vec<u8>,
}

impl<B: Bits> HexBoard<B> {
    /// The cells (x, y) below `width` and `height` for which `exists` holds. They must leave the last bit free.
    pub fn new(width: usize, height: usize, exists: impl Fn(usize, usize) -> bool) -> HexBoard<B> {
        assert!(width * height < B::WIDTH);
        let cells: Vec<u8> = (0..width * height)
            .filter(|&cell| exists(cell % width, cell / width))
            .map(|cell| cell as u8)
            .collect();
        let mut hexes = HexBoard {
            width,
            height,
            board: B::EMPTY,
            not_first: B::EMPTY,
            not_last: B::EMPTY,
            around: Vec::new(),
            cells,
        };
        hexes.board = hexes.set(|_, _| true);
        // The way up or down may lead past a cell that does not exist, so these reach beyond the board.
        let files = |holds: &dyn Fn(usize) -> bool| {
            let picked = (0..width * height).filter(|cell| holds(cell % width));
            picked.fold(B::EMPTY, |set, cell| set | B::single(cell))
        };
        hexes.not_first = files(&|x| x > 0);
        hexes.not_last = files(&|x| x + 1 < width);
        let neighbour = |cell: usize, (dx, dy): (i32, i32)| {
            let found = hexes.at((cell % width) as i32 + dx, (cell / width) as i32 + dy);
            found.unwrap_or(B::WIDTH - 1) as u8
        };
        hexes.around = (0..width * height).map(|cell| STEPS.map(|step| neighbour(cell, step))).collect();
        hexes
    }

    /// The cells that `holds` picks by their coordinates.
    pub fn set(&self, holds: impl Fn(usize, usize) -> bool) -> B {
        let picked = self.cells.iter().map(|&cell| cell as usize);
        let picked = picked.filter(|cell| holds(cell % self.width, cell / self.width));
        picked.fold(B::EMPTY, |set, cell| set | B::single(cell))
    }

    /// The number of cells.
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// The cell at some coordinates, if there is one.
    fn at(&self, x: i32, y: i32) -> Option<usize> {
        let (width, height) = (self.width as i32, self.height as i32);
        let inside = (0..width).contains(&x) && (0..height).contains(&y);
        Some((y * width + x) as usize).filter(|&cell| inside && self.board.has(cell))
    }

    /// All cells next to a cell of `set`, and perhaps some of `set` itself.
    #[inline]
    pub fn neighbours(&self, set: B) -> B {
        let right = set << 1 & self.not_first;
        let left = set >> 1 & self.not_last;
        let width = self.width as u32;
        (right | left | (set | right) << width | (set | left) >> width) & self.board
    }

    /// All cells of `stones` that are linked to a cell of `seed` through `stones`, the seed included.
    #[inline]
    pub fn chain(&self, seed: B, stones: B) -> B {
        let mut chain = seed;
        loop {
            let grown = chain | (self.neighbours(chain) & stones);
            if grown == chain {
                return chain;
            }
            chain = grown;
        }
    }

    /// Which of the six neighbours of `cell` are in `set`, as six bits in circular order.
    #[inline]
    pub fn ring(&self, cell: usize, set: B) -> u8 {
        let around = &self.around[cell];
        (0..6).fold(0, |ring, i| ring | u8::from(set.has(around[i] as usize)) << i)
    }

    /// The neighbour of `cell` that is bit `place` of a [`ring`](HexBoard::ring) around it; it must exist.
    #[inline]
    pub fn neighbour(&self, cell: usize, place: usize) -> usize {
        self.around[cell][place] as usize
    }

    /// Those of the six places around `cell` that are off the board and that `holds` picks by their coordinates,
    /// as bits of a [`ring`](HexBoard::ring).
    pub fn outside(&self, cell: usize, holds: impl Fn(i32, i32) -> bool) -> u8 {
        let (x, y) = ((cell % self.width) as i32, (cell / self.width) as i32);
        let picked = |(dx, dy)| self.at(x + dx, y + dy).is_none() && holds(x + dx, y + dy);
        (0..6).fold(0, |ring, i| ring | u8::from(picked(STEPS[i])) << i)
    }

    /// A cell of `set` (a part of the board that is not empty), drawn uniformly.
    #[inline]
    pub fn random(&self, set: B, rng: &mut Rng) -> usize {
        let count = set.count();
        if count * 8 < self.cells.len() {
            return set.nth(rng.below(count));
        }
        // Few draws are in vain as long as the set is large, and walking to the n-th bit would cost more.
        loop {
            let cell = self.cells[rng.below(self.cells.len())] as usize;
            if set.has(cell) {
                return cell;
            }
        }
    }

    /// Where each bit goes under a symmetry given in coordinates. The symmetry must keep the board.
    pub fn symmetry(&self, map: impl Fn(i32, i32) -> (i32, i32)) -> Vec<u8> {
        let mut images = vec![0; self.width * self.height];
        for &cell in &self.cells {
            let (x, y) = map((cell as usize % self.width) as i32, (cell as usize / self.width) as i32);
            images[cell as usize] = self.at(x, y).expect("a symmetry keeps the board") as u8;
        }
        images
    }

    /// A file letter and a rank number from 1.
    pub fn name(&self, cell: usize) -> String {
        format!("{}{}", column_name(cell % self.width), cell / self.width + 1)
    }

    /// The cells of every rank from the left, the highest rank first.
    fn ranks(&self) -> impl Iterator<Item = Vec<usize>> {
        (0..self.height).rev().map(|y| {
            let rank = y * self.width..(y + 1) * self.width;
            rank.filter(|&cell| self.board.has(cell)).collect()
        })
    }

    /// A board as text, ranks from the top separated by `/`.
    pub fn write(&self, glyph: impl Fn(usize) -> char) -> String {
        let rank = |cells: Vec<usize>| cells.into_iter().map(&glyph).collect::<String>();
        self.ranks().map(rank).collect::<Vec<_>>().join("/")
    }

    /// Reads what [`write`](HexBoard::write) writes with the characters `.`, `X` and `O`: the cells of X and of O.
    pub fn read(&self, text: &str) -> Result<[B; 2], NotationError> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.height {
            let (expected, found) = (self.height, rows.len());
            return Err(NotationError::position(format!(
                "expected {expected} rows separated by '/', found {found}"
            )));
        }
        let mut stones = [B::EMPTY; 2];
        for (number, (cells, row)) in self.ranks().zip(rows).enumerate() {
            let (number, expected, found) = (number + 1, cells.len(), row.chars().count());
            if found != expected {
                return Err(NotationError::position(format!(
                    "row {number} has {found} cells, expected {expected}"
                )));
            }
            for (cell, glyph) in cells.into_iter().zip(row.chars()) {
                match glyph {
                    '.' => {}
                    'X' => stones[0] = stones[0] | B::single(cell),
                    'O' => stones[1] = stones[1] | B::single(cell),
                    _ => {
                        return Err(NotationError::position(format!(
                            "row {number}: '{glyph}' is none of '.XO'"
                        )));
                    }
                }
            }
        }
        Ok(stones)
    }

    /// The cell that is drawn as number `nth`.
    pub fn nth(&self, nth: usize) -> usize {
        self.cells[nth].into()
    }

    /// A picture of a board: rank numbers on the left, the letter of each file below its lowest cell.
    pub fn picture(&self, glyph: impl Fn(usize) -> char) -> Picture {
        let mut picture = Picture::new(Tiling::Hexagons);
        for &cell in &self.cells {
            let (x, y) = self.place((cell as usize % self.width) as i32, (cell as usize / self.width) as i32);
            picture.put(x, y, Mark::of(glyph(cell as usize)));
        }
        for rank in 0..self.height {
            if let Some(file) = (0..self.width).find(|file| self.board.has(rank * self.width + file)) {
                let (x, y) = self.place(file as i32 - 1, rank as i32);
                picture.label(x, y, rank + 1);
            }
        }
        for file in 0..self.width {
            if let Some(rank) = (0..self.height).find(|rank| self.board.has(rank * self.width + file)) {
                let (x, y) = self.place(file as i32, rank as i32 - 1);
                picture.label(x, y, column_name(file));
            }
        }
        picture
    }

    /// Colours the margin of the picture of a rhombus: left and right belong to the first player, the rest to the second.
    pub fn rim(&self, picture: &mut Picture) {
        for spot in picture.spots.iter_mut().skip(self.size()) {
            let numbered = matches!(&spot.mark, Mark::Label(text) if text.starts_with(char::is_numeric));
            spot.owner = Some(if numbered { Player::FIRST } else { Player::SECOND });
        }
        let (width, height) = (self.width as i32, self.height as i32);
        let right = (0..height).map(|rank| (width, rank, Player::FIRST));
        let top = (0..width).map(|file| (file, height, Player::SECOND));
        for (file, rank, owner) in right.chain(top) {
            let (x, y) = self.place(file, rank);
            picture.label(x, y, "").owner = Some(owner);
        }
    }

    /// Where a cell lies in a picture, in half cells from the left end of the highest rank.
    fn place(&self, file: i32, rank: i32) -> (i32, i32) {
        let top = self.height as i32 - 1;
        (2 * file - rank + top, 2 * (top - rank))
    }
}

/// Whether the places in a [`ring`](HexBoard::ring) fall apart into two or more arcs. If not, a stone in their middle
/// joins nothing that was not joined before.
#[inline]
pub fn joins(ring: u8) -> bool {
    (ring & !(ring << 1 | ring >> 5)).count_ones() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::Notation;

    #[test]
    fn shifts_agree_with_the_table_of_neighbours() {
        let hexagon = HexBoard::<u128>::new(9, 9, |x, y| x.abs_diff(y) < 5);
        let rhombus = HexBoard::<u128>::new(5, 4, |_, _| true);
        for hexes in [hexagon, rhombus] {
            for &cell in &hexes.cells {
                let cell = cell as usize;
                let neighbours = hexes.around[cell].iter().filter(|&&other| other != 127);
                let one_by_one = neighbours.fold(0, |set, &other| set | 1u128 << other);
                assert_eq!(hexes.neighbours(1 << cell), one_by_one, "{}", hexes.name(cell));
                assert_eq!(
                    hexes.ring(cell, hexes.board).count_ones()
                        + hexes.outside(cell, |_, _| true).count_ones(),
                    6
                );
            }
        }
    }

    #[test]
    fn arcs_of_a_ring() {
        assert!(!joins(0) && !joins(0b1) && !joins(0b11_0011) && !joins(ENCIRCLED));
        assert!(joins(0b101) && joins(0b1_0001) && joins(0b10_1001));
    }

    /// The suite is slow on large boards; what matters there is that no set runs over the edge of its word.
    #[test]
    fn the_largest_boards_are_read_as_they_were_played() {
        fn check<G: Notation<State: std::fmt::Debug>>(game: &G) {
            for seed in 0..30 {
                let (mut rng, mut state, mut scratch) = (Rng::new(seed), game.start(), Vec::new());
                while game.outcome(&state).is_none() {
                    let Some(mv) = game.random_move(&state, &mut rng, &mut scratch) else { break };
                    game.play(&mut state, mv);
                    assert_eq!(
                        game.read(&game.write(&state)).as_ref(),
                        Ok(&state),
                        "{}",
                        game.picture(&state)
                    );
                }
            }
        }
        check(&crate::Hex::new(11, true));
        check(&crate::Y::new(11));
        check(&crate::Havannah::new(8));
        check(&crate::Pentalath::new(7));
    }

    #[test]
    fn pictures_lean() {
        let hexes = HexBoard::<u64>::new(2, 2, |_, _| true);
        assert_eq!(
            hexes.picture(|cell| if cell == 1 { 'X' } else { '.' }).to_string(),
            "2  . .\n 1  . X\n     a b"
        );
    }
}
