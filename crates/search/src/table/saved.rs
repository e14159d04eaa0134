//! Checkpoints of tables: a walk from the root, and from all positions on the current path, through the positions in the table.
//!
//! Entries are replaced, and nothing below a replaced position is reached. Entries that the walk misses are written in the game's
//! notation, and the walk goes on from there. All entries come back to their very places, so that a search goes on exactly as if
//! nothing had happened; with an entry less, or two exchanged, depth-first searches took up to twice the work of an uninterrupted run, or
//! half of it.

use super::{BUCKET, Entry, Table};
use crate::Symmetry;
use crate::checkpoint::{Encode, mismatch};
use crate::problem::{GameProblem, NodeStatus};
use delphic_game::{Hints, Progressive};
use std::io::{self, Read, Write};

/// Tag: no new entry for this child.
const NOTHING: u8 = 0;
/// Tag: an entry at this place of its bucket that took one node of work at most, so that none is below it.
const ENTRY: u8 = 1;
/// Tag: an entry at this place of its bucket whose children follow later.
const INNER: u8 = ENTRY + BUCKET as u8;
const END: u8 = INNER + BUCKET as u8;

/// Writes the entries of `table` and `path`, which begins with the root and goes on by moves.
pub(crate) fn save<'s, G: Progressive + Hints, V: Encode + Copy>(
    table: &Table<G::State, V>,
    problem: &GameProblem<'_, G>,
    symmetry: Symmetry,
    path: impl Iterator<Item = &'s G::State>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let game = problem.game;
    let (mut moves, mut waiting) = (Vec::new(), vec![problem.position.clone()]);
    for next in path.skip(1) {
        let step =
            children(problem, &waiting[waiting.len() - 1], &mut moves).position(|child| child == *next);
        let Some(step) = step else { unreachable!("a path goes by moves") };
        (true, step as u16).put(out)?;
        waiting.push(next.clone());
    }
    false.put(out)?;
    (table.len().ilog2() as u8).put(out)?;
    let mut written = vec![false; table.len()];
    let mut missed = 0..table.len();
    loop {
        while let Some(state) = waiting.pop() {
            for child in children(problem, &state, &mut moves) {
                let form = symmetry.canonical(game, child.clone());
                match table.entry(game.key(&form), &form) {
                    Some((place, entry)) if !std::mem::replace(&mut written[place], true) => {
                        if put_entry(place, entry, out)? {
                            waiting.push(child);
                        }
                    }
                    _ => NOTHING.put(out)?,
                }
            }
        }
        let next = missed.find_map(|place| {
            let entry = table.slot(place).as_ref().filter(|_| !written[place])?;
            let text = Some(game.write(&entry.state)).filter(|text| (1..1 << 16).contains(&text.len()))?;
            // Only a text that is read as the same position may stand for it.
            (game.read(&text).ok()? == entry.state).then_some((place, entry, text))
        });
        let Some((place, entry, text)) = next else { return 0u16.put(out) };
        written[place] = true;
        (text.len() as u16).put(out)?;
        out.write_all(text.as_bytes())?;
        if put_entry(place, entry, out)? {
            waiting.push(entry.state.clone());
        }
    }
}

/// Puts the entries back into `table` and returns the positions on the path.
pub(crate) fn load<G: Progressive + Hints, V: Encode + Copy>(
    table: &mut Table<G::State, V>,
    problem: &GameProblem<'_, G>,
    symmetry: Symmetry,
    from: &mut dyn Read,
) -> io::Result<Vec<G::State>> {
    let game = problem.game;
    let (mut moves, mut scratch, mut waiting) = (Vec::new(), Vec::new(), vec![problem.position.clone()]);
    while bool::get(from)? {
        let step = u16::get(from)?.into();
        let next = children(problem, &waiting[waiting.len() - 1], &mut moves).nth(step);
        let next = next.ok_or_else(|| mismatch("there is no such move"))?;
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
                if get_entry(table, problem, code, symmetry.canonical(game, child.clone()), from)? {
                    waiting.push(child);
                }
            }
        }
        text.resize(u16::get(from)?.into(), 0);
        if text.is_empty() {
            return Ok(path);
        }
        from.read_exact(&mut text)?;
        let state = std::str::from_utf8(&text).ok().and_then(|text| game.read(text).ok());
        let state = state.ok_or_else(|| mismatch("an entry is not a position of this game"))?;
        open(problem, &state, &mut scratch)?;
        if get_entry(table, problem, u8::get(from)?, state.clone(), from)? {
            waiting.push(state);
        }
    }
}

/// Writes an entry, and returns whether its children are to follow.
fn put_entry<S, V: Encode + Copy>(
    place: usize,
    entry: &Entry<S, V>,
    out: &mut dyn Write,
) -> io::Result<bool> {
    let inner = entry.work > 1;
    let code = if inner { INNER } else { ENTRY } + (place % BUCKET) as u8;
    (code, (entry.work, entry.value)).put(out)?;
    Ok(inner)
}

/// Reads the entry of a position, and returns whether its children follow.
fn get_entry<G: Progressive + Hints, V: Encode + Copy>(
    table: &mut Table<G::State, V>,
    problem: &GameProblem<'_, G>,
    code: u8,
    state: G::State,
    from: &mut dyn Read,
) -> io::Result<bool> {
    if !(ENTRY..END).contains(&code) {
        return Err(mismatch("an unknown tag"));
    }
    let (work, value) = Encode::get(from)?;
    let nth = usize::from(code - ENTRY) % BUCKET;
    table.put_back(nth, Entry { state, value, work }, |state| problem.game.key(state));
    Ok(code >= INNER)
}

/// The children of an open position, in the order of moves.
fn children<'a, G: Progressive + Hints>(
    problem: &'a GameProblem<'_, G>,
    state: &'a G::State,
    moves: &'a mut Vec<G::Move>,
) -> impl Iterator<Item = G::State> + 'a {
    moves.clear();
    problem.game.moves(state, moves);
    moves.iter().map(|&mv| problem.child(state, mv))
}

/// Only open positions are searched.
fn open<G: Progressive + Hints>(
    problem: &GameProblem<'_, G>,
    state: &G::State,
    scratch: &mut Vec<G::Move>,
) -> io::Result<()> {
    match problem.status(state, scratch) {
        NodeStatus::Open { .. } => Ok(()),
        NodeStatus::Over(_) => Err(mismatch("moves are made in a position that is over")),
    }
}
