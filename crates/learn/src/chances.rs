//! A fitted model: a chance for every pattern, by key.

use crate::templates::Stack;
use rustc_hash::FxHashMap;

/// A chance for every known pattern.
#[derive(Clone, Default, Debug)]
pub struct Chances {
    known: FxHashMap<u64, f32>,
}

/// How close to 0 and 1 a chance may come: an outcome that was never observed may still happen.
const MARGIN: f32 = 1e-3;

impl Chances {
    /// The chances of patterns by key. They are kept away from 0 and 1.
    pub fn new(known: impl Iterator<Item = (u64, f64)>) -> Chances {
        let within = |chance: f64| (chance as f32).clamp(MARGIN, 1.0 - MARGIN);
        Chances { known: known.map(|(key, chance)| (key, within(chance))).collect() }
    }

    /// The chance of the largest known pattern of a stack; `None` if not even the smallest is known.
    #[inline]
    pub fn of(&self, stack: &Stack) -> Option<f64> {
        stack.iter().rev().find_map(|key| self.known.get(key)).map(|&chance| chance.into())
    }

    /// The odds of the largest known pattern of a stack over those of its smallest one, which has only the context.
    pub fn lift(&self, stack: &Stack) -> Option<f64> {
        let odds = |chance: f64| chance / (1.0 - chance);
        let &smallest = self.known.get(&stack[0])?;
        Some(odds(self.of(stack)?) / odds(smallest.into()))
    }

    /// The number of patterns.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}
