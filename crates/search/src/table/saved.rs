//! Checkpoints of tables: a walk from the root, and from all positions on the current path, through the positions in the table.
//!
//! Entries are replaced, and nothing below a replaced position is reached. Entries that the walk misses are written in the game's
//! notation, and the walk goes on from there. All entries come back to their very places, so that a search goes on exactly as if
//! nothing had happened; with an entry less, or two exchanged, depth-first searches took up to twice the work of an uninterrupted run, or
//! half of it.
//!
//! The walks are compiled once; a [`Writer`] or a [`Reader`] does what needs the type of the game, and [`SavedSlots`] or [`EmptyTable`] what
//! needs the type of the table's values.

use super::{BUCKET, Entry, Slot, Store, Table};
use crate::Symmetry;
use crate::checkpoint::{Encode, mismatch};
use crate::problem::GameProblem;
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
pub(crate) fn save<G: Progressive + Hints, V: Encode + Copy>(
    table: &Store<G::State, V>,
    problem: &GameProblem<'_, G>,
    symmetry: Symmetry,
    path: &mut dyn Iterator<Item = &G::State>,
    out: &mut dyn Write,
) -> io::Result<()> {
    save_slots(table.slots(), problem, symmetry, path, out)
}

#[inline(never)]
fn save_slots<G: Progressive + Hints>(
    slots: &dyn SavedSlots<G::State>,
    problem: &GameProblem<'_, G>,
    symmetry: Symmetry,
    path: &mut dyn Iterator<Item = &G::State>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut walker = Source { slots, walk: Walk::new(problem, symmetry) };
    for next in path.skip(1) {
        walker.walk.list_last();
        let step = walker.walk.children.iter().position(|child| child == next);
        let Some(step) = step else { unreachable!("a path goes by moves") };
        (true, step as u16).put(out)?;
        walker.walk.stack.push(next.clone());
    }
    false.put(out)?;
    let slots = walker.slots.len();
    write_all(&mut walker, slots, out)
}

/// Puts the entries back into `table` and returns the positions on the path.
#[inline(never)]
pub(crate) fn load<G: Progressive + Hints>(
    table: &mut dyn EmptyTable<G::State>,
    problem: &GameProblem<'_, G>,
    symmetry: Symmetry,
    from: &mut dyn Read,
) -> io::Result<Vec<G::State>> {
    let mut walker = Sink { table, walk: Walk::new(problem, symmetry) };
    while bool::get(from)? {
        let step = usize::from(u16::get(from)?);
        walker.walk.list_last();
        if step >= walker.walk.children.len() {
            return Err(mismatch("there is no such move"));
        }
        walker.walk.check_open(step)?;
        let next = walker.walk.children.swap_remove(step);
        walker.walk.stack.push(next);
    }
    let path = walker.walk.stack.clone();
    walker.table.reserve(1 << u8::get(from)?.min(40));
    read_all(&mut walker, from)?;
    Ok(path)
}

/// The slots of a table, numbered from 0.
pub(super) trait SavedSlots<S> {
    fn len(&self) -> usize;

    /// The slot of a state, whose key is `key`.
    fn find(&self, key: u64, state: &S) -> Option<usize>;

    /// The state in a slot, if it is used.
    fn state(&self, slot: usize) -> Option<S>;

    /// Writes the tag, the work and the value of a used slot; returns whether entries may be below it.
    fn write(&self, slot: usize, out: &mut dyn Write) -> io::Result<bool>;
}

impl<S: Eq + Clone, V: Encode + Copy> SavedSlots<S> for Table<S, V> {
    fn len(&self) -> usize {
        self.len()
    }

    fn find(&self, key: u64, state: &S) -> Option<usize> {
        self.entry(key, state).map(|(slot, _)| slot)
    }

    fn state(&self, slot: usize) -> Option<S> {
        self.slot(slot).as_ref().map(|entry| entry.state.clone())
    }

    fn write(&self, slot: usize, out: &mut dyn Write) -> io::Result<bool> {
        write_entry(self.slot(slot), slot, out)
    }
}

/// Writes the tag, the work and the value of a used slot with this number; returns whether entries may be below it.
pub(super) fn write_entry<S, V: Encode + Copy>(
    entry: &Slot<S, V>,
    slot: usize,
    out: &mut dyn Write,
) -> io::Result<bool> {
    let Some(entry) = entry else { unreachable!("the slot was found to be used") };
    let inner = entry.work > 1;
    let tag = if inner { INNER } else { ENTRY } + (slot % BUCKET) as u8;
    (tag, (entry.work, entry.value)).put(out)?;
    Ok(inner)
}

/// A table to be filled.
pub(crate) trait EmptyTable<S> {
    /// Gives it this many slots, a power of two, if they fit.
    fn reserve(&mut self, slots: usize);

    /// Reads the work and the value of a state into place `nth` of its bucket, if that is free.
    fn read(
        &mut self,
        nth: usize,
        state: S,
        key_of: &dyn Fn(&S) -> u64,
        from: &mut dyn Read,
    ) -> io::Result<()>;
}

impl<S: Eq, V: Encode + Copy> EmptyTable<S> for Store<S, V> {
    fn reserve(&mut self, slots: usize) {
        self.reserve(slots);
    }

    fn read(
        &mut self,
        nth: usize,
        state: S,
        key_of: &dyn Fn(&S) -> u64,
        from: &mut dyn Read,
    ) -> io::Result<()> {
        let (work, value) = Encode::get(from)?;
        self.put_back(nth, Entry { state, value, work }, key_of);
        Ok(())
    }
}

/// The positions of a walk.
struct Walk<'a, 'g, G: Progressive> {
    problem: &'a GameProblem<'g, G>,
    symmetry: Symmetry,
    /// Positions whose children are to be listed.
    stack: Vec<G::State>,
    children: Vec<G::State>,
    moves: Vec<G::Move>,
}

impl<'a, 'g, G: Progressive + Hints> Walk<'a, 'g, G> {
    fn new(problem: &'a GameProblem<'g, G>, symmetry: Symmetry) -> Self {
        let stack = vec![problem.position.clone()];
        Walk { problem, symmetry, stack, children: Vec::new(), moves: Vec::new() }
    }

    /// Lists the children of a position, in the order of moves.
    fn list(&mut self, state: &G::State) {
        self.moves.clear();
        self.problem.list_moves(state, &mut self.moves);
        self.children.clear();
        self.children.extend(self.moves.iter().map(|&mv| self.problem.child_of(state, mv)));
    }

    /// Lists the children of the last position on the stack.
    fn list_last(&mut self) {
        if let Some(last) = self.stack.last().cloned() {
            self.list(&last);
        }
    }

    /// Takes the last position off the stack and lists its children.
    fn next(&mut self) -> Option<usize> {
        let state = self.stack.pop()?;
        self.list(&state);
        Some(self.children.len())
    }

    fn canonical(&self, nth: usize) -> G::State {
        self.symmetry.canonical(self.problem.game, self.children[nth].clone())
    }

    /// Only positions that are not over by the rules are searched. A search need not have seen their static outcome.
    fn check_open(&self, nth: usize) -> io::Result<()> {
        let (game, state) = (self.problem.game, &self.children[nth]);
        if game.outcome(state).is_none() && game.count_moves(state, &mut Vec::new()) > 0 {
            Ok(())
        } else {
            Err(mismatch("moves are made in a position that is over"))
        }
    }
}

/// A table being written.
trait Writer {
    /// Goes to the next position: its number of children, or `None` if there is none.
    fn next(&mut self) -> Option<usize>;

    /// The slot of a child, if it is in the table.
    fn slot(&self, child: usize) -> Option<usize>;

    /// Writes the entry of a slot; returns whether its children are to follow.
    fn write_entry(&self, slot: usize, out: &mut dyn Write) -> io::Result<bool>;

    /// The children of a child are to follow.
    fn push(&mut self, child: usize);

    /// The text of the position in a slot, if there is one that is read as the same position.
    fn text(&self, slot: usize) -> Option<String>;

    /// The children of the position in a slot are to follow.
    fn push_slot(&mut self, slot: usize);
}

fn write_all(walker: &mut dyn Writer, slots: usize, out: &mut dyn Write) -> io::Result<()> {
    (slots.ilog2() as u8).put(out)?;
    let mut written = vec![false; slots];
    let mut missed = 0..slots;
    loop {
        while let Some(children) = walker.next() {
            for child in 0..children {
                match walker.slot(child) {
                    Some(slot) if !std::mem::replace(&mut written[slot], true) => {
                        if walker.write_entry(slot, out)? {
                            walker.push(child);
                        }
                    }
                    _ => NOTHING.put(out)?,
                }
            }
        }
        let next = missed.find_map(|slot| {
            let text = if written[slot] { None } else { walker.text(slot) };
            text.map(|text| (slot, text))
        });
        let Some((slot, text)) = next else { return 0u16.put(out) };
        written[slot] = true;
        (text.len() as u16).put(out)?;
        out.write_all(text.as_bytes())?;
        if walker.write_entry(slot, out)? {
            walker.push_slot(slot);
        }
    }
}

struct Source<'a, 'g, G: Progressive> {
    slots: &'a dyn SavedSlots<G::State>,
    walk: Walk<'a, 'g, G>,
}

impl<G: Progressive + Hints> Writer for Source<'_, '_, G> {
    fn next(&mut self) -> Option<usize> {
        self.walk.next()
    }

    fn slot(&self, child: usize) -> Option<usize> {
        let form = self.walk.canonical(child);
        self.slots.find(self.walk.problem.game.key(&form), &form)
    }

    fn write_entry(&self, slot: usize, out: &mut dyn Write) -> io::Result<bool> {
        self.slots.write(slot, out)
    }

    fn push(&mut self, child: usize) {
        self.walk.stack.push(self.walk.children[child].clone());
    }

    fn text(&self, slot: usize) -> Option<String> {
        let (state, game) = (self.slots.state(slot)?, self.walk.problem.game);
        let text = game.write(&state);
        let fits = (1..1 << 16).contains(&text.len()) && game.read(&text).ok()? == state;
        fits.then_some(text)
    }

    fn push_slot(&mut self, slot: usize) {
        self.walk.stack.extend(self.slots.state(slot));
    }
}

/// A table being read.
trait Reader {
    /// Goes to the next position: its number of children, or `None` if there is none.
    fn next(&mut self) -> Option<usize>;

    /// Makes the position with this text the only child; returns whether there is one.
    fn read(&mut self, text: &str) -> bool;

    /// Reads the entry of a child, as it is or in its canonical form, into place `nth` of its bucket.
    fn read_entry(
        &mut self,
        child: usize,
        canonical: bool,
        nth: usize,
        from: &mut dyn Read,
    ) -> io::Result<()>;

    /// The children of a child follow.
    fn push(&mut self, child: usize);
}

fn read_all(walker: &mut dyn Reader, from: &mut dyn Read) -> io::Result<()> {
    let mut text = Vec::new();
    loop {
        while let Some(children) = walker.next() {
            for child in 0..children {
                let tag = u8::get(from)?;
                if tag != NOTHING {
                    read_child(walker, child, tag, true, from)?;
                }
            }
        }
        text.resize(u16::get(from)?.into(), 0);
        if text.is_empty() {
            return Ok(());
        }
        from.read_exact(&mut text)?;
        if !std::str::from_utf8(&text).is_ok_and(|text| walker.read(text)) {
            return Err(mismatch("an entry is not a position of this game"));
        }
        read_child(walker, 0, u8::get(from)?, false, from)?;
    }
}

fn read_child(
    walker: &mut dyn Reader,
    child: usize,
    tag: u8,
    canonical: bool,
    from: &mut dyn Read,
) -> io::Result<()> {
    if !(ENTRY..END).contains(&tag) {
        return Err(mismatch("an unknown tag"));
    }
    walker.read_entry(child, canonical, usize::from(tag - ENTRY) % BUCKET, from)?;
    if tag >= INNER {
        walker.push(child);
    }
    Ok(())
}

struct Sink<'a, 'g, G: Progressive> {
    table: &'a mut dyn EmptyTable<G::State>,
    walk: Walk<'a, 'g, G>,
}

impl<G: Progressive + Hints> Reader for Sink<'_, '_, G> {
    fn next(&mut self) -> Option<usize> {
        self.walk.next()
    }

    fn read(&mut self, text: &str) -> bool {
        self.walk.children.clear();
        self.walk.children.extend(self.walk.problem.game.read(text));
        !self.walk.children.is_empty()
    }

    fn read_entry(
        &mut self,
        child: usize,
        canonical: bool,
        nth: usize,
        from: &mut dyn Read,
    ) -> io::Result<()> {
        self.walk.check_open(child)?;
        let state = if canonical { self.walk.canonical(child) } else { self.walk.children[child].clone() };
        let game = self.walk.problem.game;
        self.table.read(nth, state, &|state| game.key(state), from)
    }

    fn push(&mut self, child: usize) {
        self.walk.stack.push(self.walk.children[child].clone());
    }
}
