//! A list that grows without copying its elements.

use std::ops::{Index, IndexMut};

/// The elements of a chunk, as a power of two.
const BITS: usize = 16;
const CHUNK: usize = 1 << BITS;

/// A list in chunks. A vector that grows needs room for its old and its new copy at the same time; this list needs one more chunk.
///
/// ```
/// use delphic_base::Chunks;
///
/// let mut list = Chunks::new();
/// for number in 0..100_000 {
///     list.push(number);
/// }
/// list[70_000] += 1;
/// assert_eq!((list.len(), list[69_999], list[70_000]), (100_000, 69_999, 70_001));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Chunks<T> {
    /// The first chunk grows like any vector, the others are made in full size.
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Chunks<T> {
    /// An empty list.
    pub const fn new() -> Chunks<T> {
        Chunks { chunks: Vec::new(), len: 0 }
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends an element.
    #[inline]
    pub fn push(&mut self, element: T) {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(if self.len == 0 { Vec::new() } else { Vec::with_capacity(CHUNK) });
        }
        self.chunks[self.len >> BITS].push(element);
        self.len += 1;
    }

    /// The memory in bytes that the elements take up at most while one more is appended.
    pub fn bytes_needed(&self) -> u64 {
        let places = match self.chunks.as_slice() {
            [] => 4,
            [only] if self.len == only.capacity() && self.len < CHUNK => 3 * self.len,
            [only] if self.len < CHUNK => only.capacity(),
            chunks => (self.len / CHUNK + 1).max(chunks.len()) * CHUNK,
        };
        (places * size_of::<T>()) as u64
    }
}

impl<T> Index<usize> for Chunks<T> {
    type Output = T;

    #[inline]
    fn index(&self, place: usize) -> &T {
        &self.chunks[place >> BITS][place & (CHUNK - 1)]
    }
}

impl<T> IndexMut<usize> for Chunks<T> {
    #[inline]
    fn index_mut(&mut self, place: usize) -> &mut T {
        &mut self.chunks[place >> BITS][place & (CHUNK - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_keep_their_places_and_memory_is_as_announced() {
        let mut list = Chunks::new();
        assert!(list.is_empty());
        for number in 0..3 * CHUNK + 5 {
            let announced = list.bytes_needed();
            list.push(number as u32);
            let held: usize = list.chunks.iter().map(|chunk| chunk.capacity() * size_of::<u32>()).sum();
            assert!(held as u64 <= announced, "{held} bytes after {announced} at {number}");
            assert!(announced <= 12 * (number as u64 + 4) + 4 * CHUNK as u64);
        }
        assert!((0..list.len()).all(|place| list[place] == place as u32));
        list[CHUNK] = 7;
        assert_eq!((list[CHUNK - 1], list[CHUNK], list.len()), (CHUNK as u32 - 1, 7, 3 * CHUNK + 5));
    }
}
