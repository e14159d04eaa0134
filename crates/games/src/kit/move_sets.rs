//! The moves of a side as a few sets of cells, one for each piece: quick to make, to count and to draw from.

use arrayvec::ArrayVec;
use delphic_game::{Rng, bits::Bits};

/// A piece goes from one cell to another, where it is of kind `becomes`. What `from` means for a piece that comes from
/// elsewhere is the game's to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Step {
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) becomes: u8,
}

/// Steps that differ only in where they go.
#[derive(Clone, Copy, Debug)]
struct MoveSet {
    from: u8,
    becomes: u8,
    /// The number of steps.
    count: u8,
    to: u64,
}

impl MoveSet {
    #[inline]
    fn step(self, to: usize) -> Step {
        Step { from: self.from, to: to as u8, becomes: self.becomes }
    }
}

/// All steps of a side.
#[derive(Default, Debug)]
pub(crate) struct MoveSets(ArrayVec<MoveSet, 64>);

impl MoveSets {
    /// Adds the steps to all cells of `to`.
    #[inline]
    pub fn add(&mut self, from: usize, becomes: usize, to: u64) {
        if to != 0 {
            self.0.push(MoveSet { from: from as u8, becomes: becomes as u8, count: to.count() as u8, to });
        }
    }

    /// MoveSet by fan in the order they were added, each towards higher cells.
    #[inline]
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        self.0.iter().flat_map(|fan| fan.to.cells().map(|to| fan.step(to)))
    }

    /// One of the legal steps, all with the same chance.
    #[inline]
    pub fn draw(mut self, rng: &mut Rng, legal: impl Fn(Step) -> bool) -> Option<Step> {
        let mut left: usize = self.0.iter().map(|fan| usize::from(fan.count)).sum();
        while left > 0 {
            // An illegal step is taken out and another drawn: most are legal, so this beats testing them all.
            let mut n = rng.below(left);
            let mut fans = self.0.iter_mut();
            let fan = loop {
                let fan = fans.next()?;
                let count = usize::from(fan.count);
                if n < count {
                    break fan;
                }
                n -= count;
            };
            let to = fan.to.nth(n);
            let step = fan.step(to);
            if legal(step) {
                return Some(step);
            }
            fan.to ^= 1 << to;
            fan.count -= 1;
            left -= 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_is_fair() {
        let mut seen = [0; 4];
        let mut rng = Rng::new(1);
        for _ in 0..8000 {
            let mut fans = MoveSets::default();
            fans.add(0, 0, 0b1011);
            fans.add(1, 0, 0b110);
            let step = fans.draw(&mut rng, |step| step.to != 1).unwrap();
            seen[step.to as usize] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!([0, 2, 3].iter().all(|&to| (2500..2833).contains(&seen[to])), "{seen:?}");
    }
}
