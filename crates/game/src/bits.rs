//! Sets of cells as machine words.

/// The operations boards need from a word; implemented for `u64` and `u128`.
pub trait Bits:
    Copy
    + Send
    + Sync
    + 'static
    + Eq
    + std::hash::Hash
    + std::fmt::Debug
    + std::ops::BitAnd<Output = Self>
    + std::ops::BitOr<Output = Self>
    + std::ops::BitXor<Output = Self>
    + std::ops::Not<Output = Self>
    + std::ops::Shl<u32, Output = Self>
    + std::ops::Shr<u32, Output = Self>
{
    /// The empty set.
    const EMPTY: Self;
    /// How many cells fit.
    const WIDTH: usize;

    /// The set of one cell.
    fn single(cell: usize) -> Self;
    /// The number of cells in the set.
    fn count(self) -> usize;
    /// The lowest cell of a set that is not empty.
    fn first(self) -> usize;
    /// The set without its lowest cell.
    fn without_first(self) -> Self;

    /// The cells below 64, as a word.
    #[inline]
    fn low(self) -> u64 {
        self.cells().take_while(|&cell| cell < 64).fold(0, |word, cell| word | 1 << cell)
    }

    /// The set of the cells in a word.
    #[inline]
    fn of_low(word: u64) -> Self {
        word.cells().fold(Self::EMPTY, |set, cell| set | Self::single(cell))
    }

    /// Whether the set holds `cell`.
    #[inline]
    fn has(self, cell: usize) -> bool {
        self & Self::single(cell) != Self::EMPTY
    }

    /// Whether there is nothing in it.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// The cell number `n` of the set, counted from 0 in ascending order. The set has more than `n` cells.
    #[inline]
    fn nth(mut self, n: usize) -> usize {
        for _ in 0..n {
            self = self.without_first();
        }
        self.first()
    }

    /// The cells in ascending order.
    #[inline]
    fn cells(self) -> Cells<Self> {
        Cells(self)
    }

    /// Whether `length` cells in a row at distance `step` are all in the set. Lines must not wrap: leave an
    /// empty column or row between the end of one line and the start of the next.
    #[inline]
    fn has_line(self, step: u32, length: u32) -> bool {
        if (step * (length - 1)) as usize >= Self::WIDTH {
            return false;
        }
        // Runs double in length until one more overlapping step makes them `length` long.
        let (mut runs, mut have) = (self, 1);
        while 2 * have <= length {
            runs = runs & (runs >> (step * have));
            have *= 2;
        }
        if have < length {
            runs = runs & (runs >> (step * (length - have)));
        }
        !runs.is_empty()
    }
}

/// The lowest bit of each byte.
const ONES: u64 = u64::MAX / 255;

/// For every byte, the places of its bits from the lowest on; entries beyond the last bit are not used.
const IN_BYTE: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut n) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                places[byte][n] = place;
                n += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    places
};

/// The place of bit number `n` of a word that has more than `n` (Vigna, Broadword implementation of rank/select queries, 2008).
///
/// Most random moves need it. The end of a loop over the bits would be mispredicted nearly every time.
#[inline]
fn select(word: u64, n: usize) -> usize {
    // The number of bits in each byte, and in it and all bytes below.
    let pairs = word - (word >> 1 & (ONES * 0x55));
    let nibbles = (pairs & (ONES * 0x33)) + (pairs >> 2 & (ONES * 0x33));
    let sums = ((nibbles + (nibbles >> 4)) & (ONES * 0x0f)).wrapping_mul(ONES);
    // The bytes with at most `n` bits in them and below: the bit is in the one after these.
    let passed = (((ONES * 0x80) | (n as u64 * ONES)) - sums) >> 7 & ONES;
    let place = passed.wrapping_mul(ONES) >> 56 << 3;
    let rank = n as u64 - (sums << 8 >> place & 0xff);
    place as usize + usize::from(IN_BYTE[(word >> place & 0xff) as usize][rank as usize & 7])
}

macro_rules! bits {
    ($word:ty, $nth:expr) => {
        impl Bits for $word {
            const EMPTY: Self = 0;
            const WIDTH: usize = <$word>::BITS as usize;
            #[inline]
            fn single(cell: usize) -> Self {
                1 << cell
            }
            #[inline]
            fn count(self) -> usize {
                self.count_ones() as usize
            }
            #[inline]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn nth(self, n: usize) -> usize {
                $nth(self, n)
            }
            #[inline]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline]
            fn of_low(word: u64) -> Self {
                Self::from(word)
            }
        }
    };
}
bits!(u64, select);
bits!(u128, |set: u128, n: usize| {
    let low = (set as u64).count();
    if n < low { select(set as u64, n) } else { 64 + select((set >> 64) as u64, n - low) }
});

/// The cells of a set, ascending.
#[derive(Clone, Debug)]
pub struct Cells<B>(B);

impl<B: Bits> Iterator for Cells<B> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let cell = self.0.first();
        self.0 = self.0.without_first();
        Some(cell)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.count(), Some(self.0.count()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn cells_come_in_order() {
        let set = 0b1011_0100u64;
        assert_eq!(set.cells().collect::<Vec<_>>(), [2, 4, 5, 7]);
        assert_eq!((0..4).map(|n| set.nth(n)).collect::<Vec<_>>(), [2, 4, 5, 7]);
        assert!(set.has(4) && !set.has(3));
    }

    #[test]
    fn any_cell_by_its_number() {
        let mut rng = Rng::new(1);
        for round in 0..2_000 {
            // Full, nearly empty and half-full words.
            let mut word = || (0..round % 5).fold(u64::MAX, |word, _| word & rng.bits());
            let (small, large) = (word(), u128::from(word()) << 64 | u128::from(word()));
            assert!(small.cells().enumerate().all(|(n, cell)| small.nth(n) == cell), "{small:b}");
            assert!(large.cells().enumerate().all(|(n, cell)| large.nth(n) == cell), "{large:b}");
        }
    }

    #[test]
    fn lines_of_any_length() {
        for length in 1..20 {
            for start in 0..10 {
                let line: u64 = (0..length).map(|i| 1u64 << (start + 2 * i)).sum();
                assert!(line.has_line(2, length));
                assert!(!line.has_line(2, length + 1));
            }
        }
        assert!(!0b101u64.has_line(1, 2));
    }
}
