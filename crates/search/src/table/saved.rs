//! Checkpoints of tables: a walk from the root, and from all positions on the current path, through the positions that the table knows.
//!
//! The table forgets, and one forgotten position would cut off everything below it. So the walk also goes through unknown positions, but only
//! where much work was done: each gets its share of its parent's. What still cannot be reached is forgotten too.

use super::Table;
use crate::checkpoint::{Field, misfit};
use crate::dag::Symmetry;
use delphic_game::{Look, Memorable};
use rustc_hash::FxHashSet;
use std::io::{self, Read, Write};

/// What is said of a child: nothing new.
const NOTHING: u8 = 0;
/// It is in the table, and it took no work to speak of: there is nothing below.
const ENTRY: u8 = 1;
/// It is in the table, and its children are told later.
const INNER: u8 = 2;
/// It was forgotten, and its children are told later.
const GAP: u8 = 3;
/// The least share of its parent's work that makes a forgotten position worth a look.
const WORTH: u64 = 8;

/// Writes what `table` knows, seen from the positions of `path`, which begins with the root and goes on by moves.
pub(crate) fn save<'s, P: Memorable, V: Field + Copy>(
    table: &Table<P::State, V>,
    problem: &P,
    symmetry: Symmetry,
    path: impl Iterator<Item = &'s P::State>,
    out: &mut dyn Write,
) -> io::Result<()>
where
    P::State: 's,
{
    let (mut moves, mut waiting) = (Vec::new(), vec![problem.root()]);
    for next in path.skip(1) {
        let step =
            children(problem, &waiting[waiting.len() - 1], &mut moves).position(|child| child == *next);
        let Some(step) = step else { unreachable!("a path goes by moves") };
        (true, step as u16).put(out)?;
        waiting.push(next.clone());
    }
    false.put(out)?;
    (table.slots.len().ilog2() as u8).put(out)?;
    let (mut told, mut scratch) = (vec![false; table.slots.len()], Vec::new());
    // Each position with the work below it, as far as that is known: all there is may be below the path.
    let mut waiting: Vec<_> = waiting.into_iter().map(|state| (state, table.used as u64)).collect();
    // Forgotten positions are too many to visit them all, and to remember that they were.
    let (mut gaps, patience) = (FxHashSet::default(), table.used / 8);
    while let Some((state, work)) = waiting.pop() {
        let share = work / children(problem, &state, &mut moves).count() as u64;
        for child in children(problem, &state, &mut moves) {
            let form = symmetry.form(problem, child.clone());
            let key = problem.key(&form);
            match table.find(key, &form) {
                Some((place, _)) if std::mem::replace(&mut told[place], true) => NOTHING.put(out)?,
                Some((_, entry)) => {
                    let inner = entry.work > 1;
                    (if inner { INNER } else { ENTRY }, (entry.work, entry.value)).put(out)?;
                    if inner {
                        waiting.push((child, entry.work.into()));
                    }
                }
                None if share >= WORTH
                    && gaps.len() < patience
                    && open(problem, &child, &mut scratch).is_ok()
                    && gaps.insert(key) =>
                {
                    GAP.put(out)?;
                    waiting.push((child, share));
                }
                None => NOTHING.put(out)?,
            }
        }
    }
    Ok(())
}

/// Puts what was written into `table` and tells the positions on the path.
pub(crate) fn load<P: Memorable, V: Field + Copy>(
    table: &mut Table<P::State, V>,
    problem: &P,
    symmetry: Symmetry,
    from: &mut dyn Read,
) -> io::Result<Vec<P::State>> {
    let (mut moves, mut scratch, mut waiting) = (Vec::new(), Vec::new(), vec![problem.root()]);
    while bool::get(from)? {
        let step = u16::get(from)?.into();
        let next = children(problem, &waiting[waiting.len() - 1], &mut moves).nth(step);
        let next = next.ok_or_else(|| misfit("there is no such move"))?;
        open(problem, &next, &mut scratch)?;
        waiting.push(next);
    }
    let path = waiting.clone();
    table.reserve(1 << u8::get(from)?.min(40));
    while let Some(state) = waiting.pop() {
        for child in children(problem, &state, &mut moves) {
            let code = u8::get(from)?;
            if code == NOTHING {
                continue;
            }
            open(problem, &child, &mut scratch)?;
            match code {
                ENTRY | INNER => {
                    let (work, value) = <(u32, V)>::get(from)?;
                    let form = symmetry.form(problem, child.clone());
                    table.put(problem.key(&form), form, value, work.into(), |state| problem.key(state));
                }
                GAP => {}
                _ => return Err(misfit("neither a position nor none")),
            }
            if code != ENTRY {
                waiting.push(child);
            }
        }
    }
    Ok(path)
}

/// The children of an open position, in the order of moves.
fn children<'a, P: Memorable>(
    problem: &'a P,
    state: &'a P::State,
    moves: &'a mut Vec<P::Move>,
) -> impl Iterator<Item = P::State> + 'a {
    moves.clear();
    problem.moves(state, moves);
    moves.iter().map(|&mv| problem.child(state, mv))
}

/// Only open positions are searched.
fn open<P: Memorable>(problem: &P, state: &P::State, scratch: &mut Vec<P::Move>) -> io::Result<()> {
    match problem.look(state, scratch) {
        Look::Open { .. } => Ok(()),
        Look::Over(_) => Err(misfit("moves are made in a position that is over")),
    }
}
