//! Sets of points of a board of up to 19 by 19.

use delphic_game::bits::Bits;
use std::array::from_fn;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// Nineteen rows of twenty: a column more than the board has, so that neighbours never wrap.
const WORDS: usize = 6;

/// A set of points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Points([u64; WORDS]);

impl Points {
    /// The points of this set that are not in `other`.
    #[inline]
    pub fn without(self, other: Points) -> Points {
        Points(from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Whether the sets have a point in common.
    #[inline]
    pub fn meets(self, other: Points) -> bool {
        !(self & other).is_empty()
    }

    /// Adds a point.
    #[inline]
    pub fn insert(&mut self, point: usize) {
        self.0[point / 64] |= 1 << (point % 64);
    }

    /// The 64 bits from bit `from` on; beyond either end there are none.
    #[inline]
    pub fn bits_from(self, from: i32) -> u64 {
        let word = |i: i32| usize::try_from(i).ok().and_then(|i| self.0.get(i)).copied().unwrap_or(0);
        let (index, shift) = (from.div_euclid(64), from.rem_euclid(64));
        let low = word(index) >> shift;
        if shift == 0 { low } else { low | word(index + 1) << (64 - shift) }
    }
}

macro_rules! wordwise {
    ($($operator:ident $method:ident $op:tt),*) => {$(
        impl $operator for Points {
            type Output = Points;
            #[inline]
            fn $method(self, other: Points) -> Points {
                Points(from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
    )*};
}
wordwise!(BitAnd bitand &, BitOr bitor |, BitXor bitxor ^);

impl BitOrAssign for Points {
    #[inline]
    fn bitor_assign(&mut self, other: Points) {
        *self = *self | other;
    }
}

impl BitAndAssign for Points {
    #[inline]
    fn bitand_assign(&mut self, other: Points) {
        *self = *self & other;
    }
}

impl Not for Points {
    type Output = Points;
    #[inline]
    fn not(self) -> Points {
        Points(self.0.map(|word| !word))
    }
}

/// By less than a word, which is all that boards need; and by none.
impl Shl<u32> for Points {
    type Output = Points;
    #[inline]
    fn shl(self, by: u32) -> Points {
        debug_assert!(by < 64);
        let carry = |i: usize| if i == 0 { 0 } else { self.0[i - 1] >> 1 >> (63 - by) };
        Points(from_fn(|i| self.0[i] << by | carry(i)))
    }
}

/// By less than a word.
impl Shr<u32> for Points {
    type Output = Points;
    #[inline]
    fn shr(self, by: u32) -> Points {
        debug_assert!(by < 64);
        let carry = |i: usize| if i + 1 == WORDS { 0 } else { self.0[i + 1] << 1 << (63 - by) };
        Points(from_fn(|i| self.0[i] >> by | carry(i)))
    }
}

impl Bits for Points {
    const EMPTY: Points = Points([0; WORDS]);
    const WIDTH: usize = 64 * WORDS;

    #[inline]
    fn single(cell: usize) -> Points {
        let mut set = Points::EMPTY;
        set.insert(cell);
        set
    }

    #[inline]
    fn count(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    fn first(self) -> usize {
        let word = self.0.iter().position(|&word| word != 0).unwrap_or(WORDS);
        64 * word + self.0.get(word).map_or(0, |bits| bits.trailing_zeros() as usize)
    }

    #[inline]
    fn without_first(mut self) -> Points {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }

    #[inline]
    fn has(self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_words_are_one() {
        let cells = [0, 5, 63, 64, 127, 200, 379];
        let set = cells.iter().fold(Points::EMPTY, |set, &cell| set | Points::single(cell));
        assert_eq!(set.cells().collect::<Vec<_>>(), cells);
        assert_eq!(set.count(), 7);
        for by in [0, 1, 17, 20, 63] {
            let up: Vec<usize> = cells.iter().map(|cell| cell + by).filter(|&cell| cell < 384).collect();
            let down: Vec<usize> = cells.iter().filter_map(|cell| cell.checked_sub(by)).collect();
            assert_eq!((set << by as u32).cells().collect::<Vec<_>>(), up);
            assert_eq!((set >> by as u32).cells().collect::<Vec<_>>(), down);
        }
        for from in -70..400 {
            let expected = (0..64)
                .filter(|bit| usize::try_from(from + bit).is_ok_and(|cell| cell < 384 && set.has(cell)));
            assert_eq!(
                set.bits_from(from).cells().collect::<Vec<_>>(),
                expected.map(|bit| bit as usize).collect::<Vec<_>>()
            );
        }
        assert_eq!(set.without(set << 1).count(), 6, "64 follows 63");
    }
}
