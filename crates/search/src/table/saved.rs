//! Checkpoints of tables: a walk from the root, and from all positions on the current path, through the positions that the table knows.
//!
//! What can no longer be reached, because everything above it was forgotten, is forgotten too.

use super::Table;
use crate::checkpoint::{Field, misfit};
use crate::dag::{Symmetry, form};
use delphic_game::{Look, Memorable};
use std::io::{self, Read, Write};

/// What is said of a child: nothing new.
const NOTHING: u8 = 0;
/// It is in the table, and it took no work to speak of: there is nothing below.
const ENTRY: u8 = 1;
/// It is in the table, and its children are told later.
const INNER: u8 = 2;

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
    let mut told = vec![false; table.slots.len()];
    while let Some(state) = waiting.pop() {
        for child in children(problem, &state, &mut moves) {
            let form = form(problem, &child, symmetry);
            match table.find(problem.key(&form), &form) {
                Some((place, entry)) if !std::mem::replace(&mut told[place], true) => {
                    let inner = entry.work > 1;
                    (if inner { INNER } else { ENTRY }, (entry.work, entry.value)).put(out)?;
                    if inner {
                        waiting.push(child);
                    }
                }
                _ => NOTHING.put(out)?,
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
            let inner = match u8::get(from)? {
                NOTHING => continue,
                ENTRY => false,
                INNER => true,
                _ => return Err(misfit("neither a position nor none")),
            };
            let (work, value) = <(u32, V)>::get(from)?;
            open(problem, &child, &mut scratch)?;
            let form = form(problem, &child, symmetry);
            table.put(problem.key(&form), form, value, work.into(), |state| problem.key(state));
            if inner {
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
    moves.iter().map(|&mv| {
        let mut child = state.clone();
        problem.play(&mut child, mv);
        child
    })
}

/// Only open positions are searched.
fn open<P: Memorable>(problem: &P, state: &P::State, scratch: &mut Vec<P::Move>) -> io::Result<()> {
    match problem.look(state, scratch) {
        Look::Open { .. } => Ok(()),
        Look::Over(_) => Err(misfit("moves are made in a position that is over")),
    }
}
