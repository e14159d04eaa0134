//! Checkpoints of alpha-beta: the table, the moves still to be tried along the path, and what orders them.
//!
//! Without the last two the search would find its way back through the table, but try moves in another order: on NoGo 3x5 that took
//! a third as much work again in twenty interruptions.

use super::{Frame, Search};
use crate::checkpoint::{Encode, mismatch};
use crate::table;
use delphic_game::{Hints, Progressive};
use std::io::{self, Read, Write};

impl<G: Progressive + Hints> Search<'_, G> {
    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut path = self.path.iter().map(|frame| &frame.state);
        table::save(&self.table, &self.problem, self.symmetry, &mut path, out)?;
        let mut moves = Vec::new();
        for (depth, frame) in self.path.iter().enumerate() {
            let end = self.path.get(depth + 1).map_or(self.candidates.len(), |next| next.moves);
            let waiting = &self.candidates[frame.moves..end];
            (frame.since, waiting.len() as u16).put(out)?;
            self.all_moves(&frame.state, &mut moves);
            for candidate in waiting {
                let place = moves.iter().position(|mv| mv == candidate);
                let Some(place) = place else { unreachable!("candidates are moves") };
                (place as u16).put(out)?;
            }
        }
        (self.killers.len() as u32).put(out)?;
        self.killers.iter().try_for_each(|&[first, second]| (first, second).put(out))?;
        self.history.iter().flatten().try_for_each(|worth| worth.put(out))
    }

    /// Fills the table and restores the path.
    pub(super) fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let mut moves = Vec::new();
        for state in table::load(&mut self.table, &self.problem, self.symmetry, from)? {
            let step = self.path.last().zip(self.candidates.last());
            if step.is_some_and(|(frame, candidate)| self.problem.child_of(&frame.state, *candidate) != state)
            {
                return Err(mismatch("the path leaves the moves being tried"));
            }
            let (since, waiting) = <(u64, u16)>::get(from)?;
            let (gate, base) = (self.problem.role(&state), self.candidates.len());
            self.all_moves(&state, &mut moves);
            for _ in 0..waiting {
                let place = usize::from(u16::get(from)?);
                let mv = *moves.get(place).ok_or_else(|| mismatch("there is no such move"))?;
                self.candidates.push(mv);
            }
            if waiting == 0 {
                return Err(mismatch("a position on the path has no move left to try"));
            }
            // Candidates that were looked at together are searched also if a look at each would settle them.
            let (form, seen) = (self.form(&state), self.problem.appraises_siblings());
            self.path.push(Frame { state, gate, moves: base, since, refuted: false, seen, form });
        }
        for _ in 0..u32::get(from)? {
            let (first, second) = Encode::get(from)?;
            self.killers.push([first, second]);
        }
        for worth in self.history.iter_mut().flatten() {
            *worth = u32::get(from)?;
        }
        Ok(())
    }

    fn all_moves(&self, state: &G::State, moves: &mut Vec<G::Move>) {
        moves.clear();
        self.problem.list_moves(state, moves);
    }
}
