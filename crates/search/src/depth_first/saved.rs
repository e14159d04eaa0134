//! Checkpoints of depth-first search: the table, and the path with what is known of the children on its sides.
//!
//! The bounds along the path follow from those children. With them the search goes on where it was; without, it would find its
//! way back, but with other bounds, which took up to half as much work again in twenty interruptions of small searches.

use super::{Frame, Kid, Search};
use crate::Prior;
use crate::checkpoint::{Field, misfit};
use crate::rule::{Evidence, Thresholds};
use crate::table;
use delphic_game::problem::{Role, Truth};
use delphic_game::{Logic, Memorable};
use std::io::{self, Read, Write};

impl<P, R, L> Search<'_, P, R, L>
where
    P: Memorable,
    R: Thresholds<Role = Role<P>>,
    L: Prior<P>,
    Truth<P>: Field,
{
    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let logic = self.problem.logic();
        self.prior.save(out)?;
        let path = self.path.iter().map(|frame| &frame.state);
        table::save(&self.table, self.problem, self.symmetry, path, out)?;
        for (depth, frame) in self.path.iter().enumerate() {
            let end = self.path.get(depth + 1).map_or(self.kids.len(), |next| next.kids);
            ((frame.current as u16, frame.may_leave), frame.work).put(out)?;
            for kid in &self.kids[frame.kids..end] {
                (kid.known, kid.truth).put(out)?;
                if !logic.settled(kid.truth) {
                    kid.info.put(out)?;
                }
            }
        }
        Ok(())
    }

    /// Fills the table and lays out the path.
    pub(super) fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let (problem, logic) = (self.problem, self.problem.logic());
        self.prior.load(from)?;
        let path = table::load(&mut self.table, problem, self.symmetry, from)?;
        let mut bound = self.rule.unbounded();
        for state in path {
            let ((current, may_leave), work) = <((u16, bool), u64)>::get(from)?;
            let (role, current, kids) = (problem.role(&state), usize::from(current), self.kids.len());
            self.moves.clear();
            problem.moves(&state, &mut self.moves);
            for &mv in &self.moves {
                let (known, truth) = <(bool, Truth<P>)>::get(from)?;
                let info = match logic.settled(truth) {
                    true => self.rule.leaf(role, Evidence::None),
                    false => R::Info::get(from)?,
                };
                self.kids.push(Kid { mv, info, truth, known });
            }
            if current >= self.moves.len() {
                return Err(misfit("there is no such move"));
            }
            self.path.push(Frame { state, kids, bound, current, work, may_leave });
            let open = self.kids[kids..].iter().enumerate().filter(|(_, kid)| !logic.settled(kid.truth));
            bound = self.rule.tighten(role, bound, open.map(|(n, kid)| (n, kid.info)), current);
        }
        Ok(())
    }
}
