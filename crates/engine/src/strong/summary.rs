//! Statistics of a game from its strong solution.

use super::{Strong, for_player};
use crate::{AnyPosition, Value};
use std::collections::BTreeMap;

/// A summary of all positions of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Positions up to symmetry.
    pub positions: u64,
    /// Moves between them.
    pub moves: u64,
    /// Terminal positions.
    pub ends: u64,
    /// Non-terminal positions by the value for the side to move and the plies to the end.
    pub by_value: Vec<(Value, Option<u32>, u64)>,
    /// The position with the longest win, its plies, and the side to move there in words.
    pub longest: Option<(String, u32, String)>,
    /// The value of the start for the side to move there, and the plies to the end.
    pub start: Option<(Value, Option<u32>)>,
    /// The first moves, each with its value for the side that makes it and the plies to the end, the move included.
    pub first_moves: Vec<(String, Value, Option<u32>)>,
}

impl Summary {
    /// Collects the statistics over all positions.
    pub fn of(position: &dyn AnyPosition, strong: &Strong<'_>) -> Summary {
        let payoffs = position.game_payoffs();
        let (mut ends, mut counts) = (0, BTreeMap::new());
        let mut longest: Option<(String, u32, String)> = None;
        let most = payoffs[payoffs.len() - 1];
        strong.each(&mut |entry, worth| {
            if entry.is_over() {
                ends += 1;
                return;
            }
            let payoff = for_player(worth.payoff, entry.turn());
            *counts.entry((-payoff, worth.plies)).or_insert(0u64) += 1;
            if let Some(plies) = worth.plies.filter(|_| payoff == most)
                && longest.as_ref().is_none_or(|(_, longest, _)| plies > *longest)
            {
                longest = Some((entry.write(), plies, entry.turn().to_string()));
            }
        });
        let by_value = counts.into_iter();
        let by_value =
            by_value.map(|((payoff, plies), count)| (Value::of(-payoff, &payoffs), plies, count)).collect();
        let player = position.turn();
        let value = |line: &[u16]| {
            let worth = strong.worth(line)?;
            Some((Value::of(for_player(worth.payoff, player), &payoffs), worth.plies))
        };
        let first = |(nth, mv): (u16, String)| {
            value(&[nth]).map(|(value, plies)| (mv, value, plies.map(|plies| plies + 1)))
        };
        Summary {
            positions: strong.positions(),
            moves: strong.moves(),
            ends,
            by_value,
            longest,
            start: value(&[]),
            first_moves: (0..).zip(position.moves()).filter_map(first).collect(),
        }
    }

    /// The number of positions with this value for the side to move.
    pub fn count(&self, value: Value) -> u64 {
        self.by_value.iter().filter(|(other, ..)| *other == value).map(|(.., count)| count).sum()
    }

    /// The share of draws among the non-terminal positions.
    pub fn drawn(&self) -> f64 {
        let open: u64 = self.by_value.iter().map(|(.., count)| count).sum();
        self.count(Value::Draw) as f64 / open.max(1) as f64
    }
}
