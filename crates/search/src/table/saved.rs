//! Checkpoints of tables: a walk from the root, and from all positions on the current path, through the positions that the table knows.
//!
//! The table forgets, and nothing below a forgotten position is reached. What the walk misses is told in writing, and the walk goes on
//! from there. Entries come back to their very places, so that a search goes on exactly as if nothing had happened; with an entry
//! less, or two exchanged, depth-first searches took up to twice the work of an uninterrupted run, or half of it.

use super::{BUCKET, Entry, Table};
use crate::checkpoint::{Field, misfit};
use crate::dag::Symmetry;
use delphic_game::{Look, Memorable};
use std::io::{self, Read, Write};

/// What is said of a child: nothing new.
const NOTHING: u8 = 0;
/// It is in the table, at this place of its bucket, and it took no work to speak of: there is nothing below.
const ENTRY: u8 = 1;
/// It is in the table, at this place of its bucket, and its children are told later.
const INNER: u8 = ENTRY + BUCKET as u8;
const END: u8 = INNER + BUCKET as u8;

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
    let mut missed = 0..table.slots.len();
    loop {
        while let Some(state) = waiting.pop() {
            for child in children(problem, &state, &mut moves) {
                let form = symmetry.form(problem, child.clone());
                match table.entry(problem.key(&form), &form) {
                    Some((place, entry)) if !std::mem::replace(&mut told[place], true) => {
                        if put_entry(place, entry, out)? {
                            waiting.push(child);
                        }
                    }
                    _ => NOTHING.put(out)?,
                }
            }
        }
        let next = missed.find_map(|place| {
            let entry = table.slots[place].as_ref().filter(|_| !told[place])?;
            let text = problem.write(&entry.state).filter(|text| (1..1 << 16).contains(&text.len()))?;
            // Only what leads back to the same position may be kept under this writing.
            (problem.read(&text)? == entry.state).then_some((place, entry, text))
        });
        let Some((place, entry, text)) = next else { return 0u16.put(out) };
        told[place] = true;
        (text.len() as u16).put(out)?;
        out.write_all(text.as_bytes())?;
        if put_entry(place, entry, out)? {
            waiting.push(entry.state.clone());
        }
    }
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
    let mut text = Vec::new();
    loop {
        while let Some(state) = waiting.pop() {
            for child in children(problem, &state, &mut moves) {
                let code = u8::get(from)?;
                if code == NOTHING {
                    continue;
                }
                open(problem, &child, &mut scratch)?;
                if get_entry(table, problem, code, symmetry.form(problem, child.clone()), from)? {
                    waiting.push(child);
                }
            }
        }
        text.resize(u16::get(from)?.into(), 0);
        if text.is_empty() {
            return Ok(path);
        }
        from.read_exact(&mut text)?;
        let state = std::str::from_utf8(&text).ok().and_then(|text| problem.read(text));
        let state = state.ok_or_else(|| misfit("no position of this game"))?;
        open(problem, &state, &mut scratch)?;
        if get_entry(table, problem, u8::get(from)?, state.clone(), from)? {
            waiting.push(state);
        }
    }
}

/// Tells an entry, and whether its children are to be told.
fn put_entry<S, V: Field + Copy>(place: usize, entry: &Entry<S, V>, out: &mut dyn Write) -> io::Result<bool> {
    let inner = entry.work > 1;
    let code = if inner { INNER } else { ENTRY } + (place % BUCKET) as u8;
    (code, (entry.work, entry.value)).put(out)?;
    Ok(inner)
}

/// Takes what is told of a position, and says whether its children are told.
fn get_entry<P: Memorable, V: Field + Copy>(
    table: &mut Table<P::State, V>,
    problem: &P,
    code: u8,
    state: P::State,
    from: &mut dyn Read,
) -> io::Result<bool> {
    if !(ENTRY..END).contains(&code) {
        return Err(misfit("neither a position nor none"));
    }
    let (work, value) = Field::get(from)?;
    let nth = usize::from(code - ENTRY) % BUCKET;
    table.put_back(nth, Entry { state, value, work }, |state| problem.key(state));
    Ok(code >= INNER)
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
