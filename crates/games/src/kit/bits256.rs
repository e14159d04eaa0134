//! Sets of up to 256 cells, for boards that are too large for a `u128`.

use delphic_game::bits::Bits;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A word of 256 bits: the low half, then the high one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Bits256([u128; 2]);

impl BitAnd for Bits256 {
    type Output = Bits256;
    #[inline]
    fn bitand(self, other: Bits256) -> Bits256 {
        Bits256([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

impl BitOr for Bits256 {
    type Output = Bits256;
    #[inline]
    fn bitor(self, other: Bits256) -> Bits256 {
        Bits256([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

impl BitXor for Bits256 {
    type Output = Bits256;
    #[inline]
    fn bitxor(self, other: Bits256) -> Bits256 {
        Bits256([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]])
    }
}

impl Not for Bits256 {
    type Output = Bits256;
    #[inline]
    fn not(self) -> Bits256 {
        Bits256([!self.0[0], !self.0[1]])
    }
}

impl Shl<u32> for Bits256 {
    type Output = Bits256;
    #[inline]
    fn shl(self, by: u32) -> Bits256 {
        let [low, high] = self.0;
        match by {
            0 => self,
            1..128 => Bits256([low << by, high << by | low >> (128 - by)]),
            _ => Bits256([0, low << (by - 128)]),
        }
    }
}

impl Shr<u32> for Bits256 {
    type Output = Bits256;
    #[inline]
    fn shr(self, by: u32) -> Bits256 {
        let [low, high] = self.0;
        match by {
            0 => self,
            1..128 => Bits256([low >> by | high << (128 - by), high >> by]),
            _ => Bits256([high >> (by - 128), 0]),
        }
    }
}

impl Bits for Bits256 {
    const EMPTY: Bits256 = Bits256([0, 0]);
    const WIDTH: usize = 256;

    #[inline]
    fn single(cell: usize) -> Bits256 {
        if cell < 128 { Bits256([1 << cell, 0]) } else { Bits256([0, 1 << (cell - 128)]) }
    }

    #[inline]
    fn count(self) -> usize {
        self.0[0].count() + self.0[1].count()
    }

    #[inline]
    fn first(self) -> usize {
        if self.0[0] != 0 { self.0[0].first() } else { 128 + self.0[1].first() }
    }

    #[inline]
    fn without_first(self) -> Bits256 {
        match self.0 {
            [0, high] => Bits256([0, high.without_first()]),
            [low, high] => Bits256([low.without_first(), high]),
        }
    }

    #[inline]
    fn has(self, cell: usize) -> bool {
        self.0[cell / 128] >> (cell % 128) & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_are_one_word() {
        let cells = [0, 5, 127, 128, 200, 255];
        let set = cells.iter().fold(Bits256::EMPTY, |set, &cell| set | Bits256::single(cell));
        assert_eq!(set.cells().collect::<Vec<_>>(), cells);
        assert_eq!(set.count(), 6);
        for by in [0, 1, 17, 127, 128, 129, 255] {
            let kept = |map: &dyn Fn(usize) -> Option<usize>| -> Vec<usize> {
                cells.iter().filter_map(|&cell| map(cell)).filter(|&cell| cell < 256).collect()
            };
            let up = kept(&|cell| cell.checked_add(by));
            let down = kept(&|cell| cell.checked_sub(by));
            assert_eq!((set << by as u32).cells().collect::<Vec<_>>(), up);
            assert_eq!((set >> by as u32).cells().collect::<Vec<_>>(), down);
        }
        assert!(cells.iter().all(|&cell| set.has(cell) && !(!set).has(cell)) && !set.has(129));
    }
}
