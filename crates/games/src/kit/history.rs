//! The boards a game has been through, for rules under which a repetition ends it.
//!
//! A history is a list shared with the histories it grew from: a position adds one link, however long the game. So what a stored
//! position costs is known before the search ([`History::BYTES`]) and a copy is cheap.

use delphic_game::mix;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Distinct boards since the last irreversible move. Two histories are equal if they hold the same boards in any order: what can be
/// repeated is then the same.
#[derive(Clone, Debug)]
pub(crate) struct History<B>(Option<Arc<Link<B>>>);

#[derive(Debug)]
struct Link<B> {
    board: B,
    earlier: History<B>,
    /// The number of boards from here on.
    count: u32,
    /// The sum of their hashes, which does not depend on the order.
    hash: u64,
}

impl<B> History<B> {
    /// Bytes a position's own link takes: the link, two counters of references and what allocators add.
    pub const BYTES: usize = size_of::<Link<B>>() + 4 * size_of::<usize>();

    /// No board.
    pub const fn new() -> Self {
        History(None)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn len(&self) -> u32 {
        self.0.as_ref().map_or(0, |link| link.count)
    }

    fn hash_sum(&self) -> u64 {
        self.0.as_ref().map_or(0, |link| link.hash)
    }

    /// The boards, latest first.
    pub fn iter(&self) -> impl Iterator<Item = &B> {
        std::iter::successors(self.0.as_deref(), |link| link.earlier.0.as_deref()).map(|link| &link.board)
    }
}

impl<B: Copy + Ord + Hash> History<B> {
    /// Adds a board that is not there yet.
    pub fn push(&mut self, board: B) {
        debug_assert!(!self.contains(&board));
        let mut hasher = FxHasher::default();
        board.hash(&mut hasher);
        let (count, hash) = (self.len() + 1, self.hash_sum().wrapping_add(mix(hasher.finish())));
        *self = History(Some(Arc::new(Link { board, earlier: std::mem::take(self), count, hash })));
    }

    pub fn contains(&self, board: &B) -> bool {
        self.iter().any(|seen| seen == board)
    }

    /// The boards in ascending order.
    pub fn sorted(&self) -> Vec<B> {
        let mut boards: Vec<B> = self.iter().copied().collect();
        boards.sort_unstable();
        boards
    }

    /// The boards of the part that two histories of equal length do not share.
    fn apart(&self, other: &Self) -> [Vec<B>; 2] {
        let (mut ours, mut theirs, mut parts) = (self, other, [vec![], vec![]]);
        while let (Some(one), Some(two)) = (&ours.0, &theirs.0)
            && !Arc::ptr_eq(one, two)
        {
            parts[0].push(one.board);
            parts[1].push(two.board);
            (ours, theirs) = (&one.earlier, &two.earlier);
        }
        parts
    }
}

impl<B: Copy + Ord + Hash> FromIterator<B> for History<B> {
    fn from_iter<I: IntoIterator<Item = B>>(boards: I) -> Self {
        boards.into_iter().fold(History::new(), |mut history, board| {
            history.push(board);
            history
        })
    }
}

impl<B> Default for History<B> {
    fn default() -> Self {
        History::new()
    }
}

impl<B: Copy + Ord + Hash> PartialEq for History<B> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.hash_sum() == other.hash_sum() && {
            let [mut ours, mut theirs] = self.apart(other);
            ours.sort_unstable();
            theirs.sort_unstable();
            ours == theirs
        }
    }
}

impl<B: Copy + Ord + Hash> Eq for History<B> {}

impl<B> Hash for History<B> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.hash_sum().hash(hasher);
    }
}

/// Link by link: the derived way would recurse once for every ply of a game.
impl<B> Drop for History<B> {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.earlier.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::Rng;
    use std::collections::HashSet;

    #[test]
    fn equal_sets_are_equal_in_any_order() {
        let mut rng = Rng::new(3);
        let hashed = |history: &History<u8>| {
            let mut hasher = FxHasher::default();
            history.hash(&mut hasher);
            hasher.finish()
        };
        let mut equal = 0;
        for _ in 0..2_000 {
            // Both grow from the same boards; then each by its own, of which there are few.
            let common: History<u8> = (10..10 + rng.below(3) as u8).collect();
            let [one, two] = [(); 2].map(|()| {
                let mut grown = common.clone();
                for _ in 0..2 + rng.below(3) {
                    let board = rng.below(3) as u8;
                    if !grown.contains(&board) {
                        grown.push(board);
                    }
                }
                grown
            });
            assert_eq!(one == two, one.sorted() == two.sorted(), "{:?} {:?}", one.sorted(), two.sorted());
            if one == two {
                assert_eq!(hashed(&one), hashed(&two));
                equal += usize::from(!one.iter().eq(two.iter()));
            }
        }
        assert!(equal > 50, "{equal} pairs in another order");
    }

    /// Positions of a tree own one link each, whatever their depth.
    #[test]
    fn a_position_adds_one_link() {
        let mut rng = Rng::new(4);
        let mut positions = vec![History::<u32>::new()];
        for board in 0..1_000 {
            let mut next = positions[rng.below(positions.len())].clone();
            next.push(board);
            positions.push(next);
        }
        let links: HashSet<*const u32> =
            positions.iter().flat_map(History::iter).map(|board| board as *const _).collect();
        assert_eq!(links.len(), 1_000);
    }

    #[test]
    fn a_long_history_is_dropped_without_recursion() {
        drop((0..200_000u32).fold(History::new(), |earlier: History<u32>, board| {
            History(Some(Arc::new(Link { board, count: board + 1, hash: 0, earlier })))
        }));
    }
}
