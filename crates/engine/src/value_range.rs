//! The range of possible values, narrowed by yes/no questions.

use crate::{Ask, Conclusion, Value};
use delphic_certificate::Claim;
use delphic_game::{Bounds, Force, Player};

/// The payoffs that are still possible, as indices into the game's ascending list: the value is one of `lo..=hi`.
#[derive(Clone, Debug)]
pub struct ValueRange {
    payoffs: Vec<i16>,
    lo: usize,
    hi: usize,
}

impl ValueRange {
    /// All of them.
    pub fn new(payoffs: Vec<i16>) -> ValueRange {
        ValueRange { lo: 0, hi: payoffs.len() - 1, payoffs }
    }

    /// Whether the question "at least this?" is one of the two whose answers bound the range.
    pub(crate) fn is_bound(&self, at_least: i16) -> bool {
        let above = self.payoffs.get(self.hi + 1).copied();
        (self.lo > 0 && at_least == self.payoffs[self.lo]) || Some(at_least) == above
    }

    /// The bounds as claims about `player`: at least the least payoff, and not more than the greatest.
    pub fn claims(&self, player: Player) -> Vec<Claim> {
        let claim = |at_least, holds| Claim { question: Force { player, at_least }, holds };
        let lower = (self.lo > 0).then(|| claim(self.payoffs[self.lo], true));
        let upper = self.payoffs.get(self.hi + 1).map(|&above| claim(above, false));
        lower.into_iter().chain(upper).collect()
    }

    /// The least and the greatest, as values.
    pub fn bounds(&self) -> (Value, Value) {
        let value = |place: usize| Value::of(self.payoffs[place], &self.payoffs);
        (value(self.lo), value(self.hi))
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.lo == self.hi
    }

    /// The payoff of the next question. With an even number of candidates the upper middle is taken: "win?" is asked before "draw?".
    pub fn next(&self, ask: Ask) -> Option<i16> {
        let within = |k: i16| self.payoffs[self.lo] < k && k <= self.payoffs[self.hi];
        match ask {
            Ask::Win => self.payoffs.last().copied().filter(|&k| within(k)),
            Ask::Draw => Some(0).filter(|&k| within(k)),
            Ask::AtLeast(k) => Some(k).filter(|&k| within(k)),
            Ask::Maxn => None,
            Ask::Value => (self.lo < self.hi).then(|| self.payoffs[(self.lo + self.hi) / 2 + 1]),
        }
    }

    /// Narrows the range by the answer to "at least this?".
    pub fn learn(&mut self, at_least: i16, yes: bool) {
        let place = self.payoffs.partition_point(|&payoff| payoff < at_least);
        if yes { self.lo = place } else { self.hi = place - 1 }
    }

    /// The least and the greatest of them.
    pub(crate) fn range(&self) -> Bounds {
        Bounds { lo: self.payoffs[self.lo], hi: self.payoffs[self.hi] }
    }

    /// Narrows the range to these bounds.
    pub(crate) fn narrow(&mut self, bounds: Bounds) {
        let last = self.payoffs.len() - 1;
        self.lo = self.payoffs.partition_point(|&payoff| payoff < bounds.lo).min(last);
        self.hi = self.payoffs.partition_point(|&payoff| payoff <= bounds.hi).saturating_sub(1).max(self.lo);
    }

    /// Whether the value is known and neither the least nor the greatest of all.
    pub(crate) fn is_between(&self) -> bool {
        self.is_decided() && (1..self.payoffs.len() - 1).contains(&self.lo)
    }

    /// The conclusion for a question.
    pub fn conclusion(&self, ask: Ask) -> Conclusion {
        let threshold = match ask {
            Ask::Win => self.payoffs[self.payoffs.len() - 1],
            Ask::Draw => 0,
            Ask::AtLeast(k) => k,
            Ask::Value | Ask::Maxn if self.lo < self.hi => return Conclusion::Unknown,
            // An exact value is `Proved`, except the lowest, which is `Disproved`.
            Ask::Value | Ask::Maxn if self.lo == 0 && self.payoffs.len() > 1 => return Conclusion::Disproved,
            Ask::Value | Ask::Maxn => return Conclusion::Proved,
        };
        if self.payoffs[self.lo] >= threshold {
            Conclusion::Proved
        } else if self.payoffs[self.hi] < threshold {
            Conclusion::Disproved
        } else {
            Conclusion::Unknown
        }
    }
}
