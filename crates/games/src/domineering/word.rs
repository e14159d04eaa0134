//! Words whose cells are moved as a whole: 64 bits, and 128 for larger boards.

use delphic_game::bits::Bits;

/// A set of cells as one number.
pub(super) trait Word: Bits + Ord {
    /// The highest cell of a set that is not empty.
    fn last(self) -> usize;
    /// All cells below a number, which is at least 1.
    fn below(cells: usize) -> Self;
    /// Every cell moved up by any number; those that leave the word are dropped.
    fn up(self, by: usize) -> Self;
    /// Every cell moved down by any number; those that leave the word are dropped.
    fn down(self, by: usize) -> Self;
    /// The first cells of the word in the reverse order.
    fn reversed(self, cells: usize) -> Self;
    /// The bits of each byte in the reverse order.
    fn mirrored_bytes(self) -> Self;
}

macro_rules! word {
    ($word:ty) => {
        impl Word for $word {
            #[inline]
            fn last(self) -> usize {
                Self::WIDTH - 1 - self.leading_zeros() as usize
            }
            #[inline]
            fn below(cells: usize) -> Self {
                <$word>::MAX >> (Self::WIDTH - cells)
            }
            #[inline]
            fn up(self, by: usize) -> Self {
                self.unbounded_shl(by as u32)
            }
            #[inline]
            fn down(self, by: usize) -> Self {
                self.unbounded_shr(by as u32)
            }
            #[inline]
            fn reversed(self, cells: usize) -> Self {
                self.reverse_bits() >> (Self::WIDTH - cells)
            }
            #[inline]
            fn mirrored_bytes(self) -> Self {
                self.reverse_bits().swap_bytes()
            }
        }
    };
}
word!(u64);
word!(u128);
