//! The reference: plain depth-first search over a lossless table.
//!
//! It has no heuristics to be wrong and shares nothing with the other searches but the question's logic. The only
//! cut is the certain one: the children left are not looked at once those seen settle their parent.

use crate::memory::{Everything, Memory};
use crate::{Governor, Hope, Limits, Observer, Report, Stats, StopReason};
use delphic_game::problem::Truth;
use delphic_game::{Logic, Look, Problem};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// A node whose children are being looked at.
struct Frame<P: Problem> {
    state: P::State,
    moves: Vec<P::Move>,
    /// The truths of the children seen so far.
    seen: Vec<Truth<P>>,
}

/// Searches everything. The states of `problem` must not repeat along a line of play.
pub fn solve<P>(problem: &P, limits: Limits<'_>, observer: &mut dyn Observer) -> Report<P>
where
    P: Problem<State: Eq + Hash>,
{
    let (logic, mut governor) = (problem.logic(), Governor::new(limits));
    let mut table: FxHashMap<P::State, Truth<P>> = FxHashMap::default();
    let mut scratch = Vec::new();
    let mut stats = Stats::default();
    let open = |state: P::State, scratch: &mut Vec<P::Move>| match problem.look(&state, scratch) {
        Look::Over(truth) => Err(truth),
        Look::Open { .. } => {
            let mut moves = Vec::new();
            problem.moves(&state, &mut moves);
            Ok(Frame::<P> { state, moves, seen: Vec::new() })
        }
    };
    let mut stack = match open(problem.root(), &mut scratch) {
        Ok(frame) => vec![frame],
        Err(truth) => return Report::at_once(truth),
    };
    // Explicit frames instead of recursion, for games of any length.
    let (truth, stop) = loop {
        stats.peak_bytes = (table.capacity() * size_of::<(P::State, Truth<P>)>()) as u64;
        if let Some(reason) = governor.stop(stats.created, stats.peak_bytes) {
            break (logic.open(), reason);
        }
        if governor.report_due() {
            stats.time = governor.elapsed();
            observer.progress(&stats, Hope::None);
        }
        let frame = stack.last_mut().expect("the root is still open");
        let unseen = std::iter::repeat_n(logic.open(), frame.moves.len() - frame.seen.len());
        let truth = logic.combine(problem.role(&frame.state), frame.seen.iter().copied().chain(unseen));
        if logic.settled(truth) {
            let Some(done) = stack.pop() else { unreachable!("a frame was just looked at") };
            stats.expanded += 1;
            table.insert(done.state, truth);
            match stack.last_mut() {
                Some(parent) => parent.seen.push(truth),
                None => break (truth, StopReason::Solved),
            }
            continue;
        }
        let child = problem.child(&frame.state, frame.moves[frame.seen.len()]);
        stats.visited += 1;
        if let Some(&known) = table.get(&child) {
            frame.seen.push(known);
            continue;
        }
        stats.created += 1;
        match open(child, &mut scratch) {
            Err(over) => frame.seen.push(over),
            Ok(frame) => stack.push(frame),
        }
    };
    stats.iterations = stats.expanded;
    stats.time = governor.elapsed();
    let known = |child: &P::State| table.get(child).copied();
    let line = if logic.settled(truth) { crate::line::through(problem, known, truth) } else { Vec::new() };
    let memory: Option<Box<dyn Memory<P>>> = logic.settled(truth).then(|| Box::new(Everything(table)) as _);
    Report { stop, stats, line, memory, ..Report::at_once(truth) }
}
