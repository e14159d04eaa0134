//! The rules of a described game one by one: where each of them applies, and the game without it.

use super::compile::recompiled;
use super::state::{Described, Move, State};
use delphic_game::Player;

/// A move or an end of a description, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A way to move.
    Move(usize),
    /// An end of the game.
    End(usize),
}

impl Described {
    /// All moves and ends with their sentences.
    pub fn parts(&self) -> Vec<(Part, String)> {
        let moves =
            self.rules.iter().enumerate().map(|(nth, rule)| (Part::Move(nth), self.rule_sentence(rule)));
        let ends = self.ends.iter().enumerate().map(|(nth, end)| (Part::End(nth), self.end_sentence(end)));
        moves.chain(ends).collect()
    }

    /// The rule that allows a move.
    pub fn part_of(&self, mv: Move) -> Part {
        Part::Move(usize::from(mv.rule))
    }

    /// The end that applies at a position where the game is over.
    pub fn end_of(&self, state: &State) -> Option<Part> {
        if state.over == 0 {
            return self.stuck_end().map(Part::End);
        }
        let by = |last: Player| self.ended_by(state, last);
        let found = by(state.turn.other());
        found.or_else(|| if self.extra_turns { by(state.turn) } else { None }).map(Part::End)
    }

    /// The same game without one of its parts, if that is a game.
    pub fn without(&self, part: Part) -> Option<Described> {
        let mut game = self.clone();
        match part {
            Part::Move(nth) => drop(game.rules.remove(nth)),
            Part::End(nth) => drop(game.ends.remove(nth)),
        }
        recompiled(game).ok()
    }
}
