//! Checkpoints of depth-first search: the table, and the path with what is known of the children beside it.
//!
//! The bounds along the path follow from those children. With them the search goes on where it was; without, it would find its
//! way back, but with other bounds, which took up to half as much work again in twenty interruptions of small searches.

use super::{Frame, Kid, Search};
use crate::checkpoint::{Encode, mismatch};
use crate::rule::{Evidence, Rule, Thresholds};
use delphic_game::Verdict;
use std::io::{self, Read, Write};

impl<R: Thresholds> Search<'_, R> {
    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.game.save(out)?;
        for (depth, frame) in self.path.iter().enumerate() {
            let end = self.path.get(depth + 1).map_or(self.kids.len(), |next| next.kids);
            ((frame.current as u16, frame.may_leave), frame.work).put(out)?;
            for kid in &self.kids[frame.kids..end] {
                (kid.work > 0, kid.verdict).put(out)?;
                if kid.verdict == Verdict::Open {
                    kid.info.put(out)?;
                }
            }
        }
        Ok(())
    }

    /// Fills the table and restores the path.
    pub(super) fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let mut bound = self.rule.unbounded();
        for (gate, moves) in self.game.load(from)? {
            let ((current, may_leave), work) = <((u16, bool), u64)>::get(from)?;
            let (current, kids) = (usize::from(current), self.kids.len());
            for _ in 0..moves {
                let (searched, verdict) = <(bool, Verdict)>::get(from)?;
                let info = match verdict {
                    Verdict::Open => <R as Rule>::Info::get(from)?,
                    _ => self.rule.leaf(gate, Evidence::None),
                };
                self.kids.push(Kid { info, verdict, work: searched.into(), workers: 0 });
            }
            if current >= moves {
                return Err(mismatch("there is no such move"));
            }
            self.path.push(Frame { gate, kids, bound, current, work, may_leave });
            let open = self.kids[kids..].iter().enumerate().filter(|(_, kid)| kid.verdict == Verdict::Open);
            bound = self.rule.tighten(gate, bound, open.map(|(n, kid)| (n, kid.info)), current);
        }
        Ok(())
    }
}
