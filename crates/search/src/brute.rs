//! Brute force: plain depth-first search that stores every position. The reference for all other searches.
//!
//! It has no heuristics and shares nothing with the other searches but the question's logic. The only pruning is exact: the remaining
//! children are skipped once those seen decide their parent.

use crate::problem::{GameProblem, NodeStatus};
use crate::solved::{AllPositions, ProofMemory};
use crate::{
    Event, LimitGuard, Limits, Observer, Progress, Report, RootValue, StateMap, Stats, StopReason, line,
};
use delphic_game::{Game, Hints, Logic, Question};

/// A node whose children are being searched.
struct Frame<G: Game, T> {
    state: G::State,
    moves: Vec<G::Move>,
    /// The answers of the children seen so far.
    seen: Vec<T>,
    /// The next child with its key, made one step ahead.
    ahead: Option<(G::State, u64)>,
}

/// Answers a yes/no question by exhaustive search. States must not repeat along a line of play.
pub fn solve<G: Hints + 'static>(
    problem: &GameProblem<'_, G>,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report {
    let (report, table) = search(problem, limits, observer);
    let solved = report.truth != delphic_game::Verdict::Open;
    let memory = solved.then(|| ProofMemory::new::<G>(Box::new(AllPositions(table))));
    Report { memory, ..report }
}

/// The same for any question: a score, or max^n, where every player maximises their own payoff.
///
/// ```
/// use delphic_game::random_tree::RandomTree;
/// use delphic_game::{Bounds, Game, Player, Score};
/// use delphic_search::{GameProblem, Limits, brute};
///
/// let game = RandomTree { seed: 1, depth: 5, width: 3, span: 4, players: 2 };
/// let score = Score { player: Player::FIRST, range: Bounds { lo: -4, hi: 4 } };
/// let report = brute::answer(&GameProblem::new(&game, score, game.start()), Limits::default(), &mut ());
/// assert_eq!(report.truth.lo, report.truth.hi);
/// ```
pub fn answer<G: Hints, Q: Question>(
    problem: &GameProblem<'_, G, Q>,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report<Q::Truth> {
    search(problem, limits, observer).0
}

/// The moves of a node and the answers of its children.
type Lists<G, Q> = (Vec<<G as Game>::Move>, Vec<<Q as Logic>::Truth>);

/// The answers at all positions that were searched.
type Answers<G, Q> = StateMap<<G as Game>::State, <Q as Logic>::Truth>;

/// A node whose children are to be searched, or the answer at a position that is over. `spare` has lists of nodes that are done, to be
/// filled again. Not inlined, because it is called twice.
#[inline(never)]
fn open<G: Hints, Q: Question>(
    problem: &GameProblem<'_, G, Q>,
    state: G::State,
    scratch: &mut Vec<G::Move>,
    spare: &mut Vec<Lists<G, Q>>,
) -> Result<Frame<G, Q::Truth>, Q::Truth> {
    match problem.status(&state, scratch) {
        NodeStatus::Over(truth) => Err(truth),
        NodeStatus::Open { .. } => {
            let (mut moves, seen) = spare.pop().unwrap_or_default();
            problem.game.moves(&state, &mut moves);
            Ok(Frame { state, moves, seen, ahead: None })
        }
    }
}

fn search<G: Hints, Q: Question>(
    problem: &GameProblem<'_, G, Q>,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> (Report<Q::Truth>, Answers<G, Q>) {
    let (game, question, mut guard) = (problem.game, &problem.question, LimitGuard::new(limits));
    let mut table = Answers::<G, Q>::new(problem.game.heap_bytes());
    let (mut scratch, mut spare) = (Vec::new(), Vec::new());
    let mut stats = Stats::default();
    let mut stack = match open(problem, problem.position.clone(), &mut scratch, &mut spare) {
        Ok(frame) => vec![frame],
        Err(truth) => return (Report::at_once(truth), table),
    };
    // Explicit frames instead of recursion, for games of any length.
    let (truth, stop) = loop {
        stats.peak_bytes = table.bytes();
        if let Some(reason) = guard.stop(stats.created, stats.peak_bytes) {
            break (question.open(), reason);
        }
        if guard.report_due() {
            stats.time = guard.elapsed();
            let (root, decided) = (RootValue::None, (stack[0].seen.len(), stack[0].moves.len()));
            observer.event(Event::Progress(Progress { solver: "", stats, root, decided }));
        }
        let frame = stack.last_mut().expect("the root is still open");
        let unseen = std::iter::repeat_n(question.open(), frame.moves.len() - frame.seen.len());
        let truth = question.combine(problem.role(&frame.state), frame.seen.iter().copied().chain(unseen));
        if question.settled(truth) {
            let Some(mut done) = stack.pop() else { unreachable!("the stack has a last frame") };
            stats.expanded += 1;
            done.moves.clear();
            done.seen.clear();
            spare.push((done.moves, done.seen));
            table.get_or_insert(game.key(&done.state), done.state, truth);
            match stack.last_mut() {
                Some(parent) => parent.seen.push(truth),
                None => break (truth, StopReason::Solved),
            }
            continue;
        }
        let make = |nth: usize| {
            let child = problem.child(&frame.state, frame.moves[nth]);
            let key = game.key(&child);
            (child, key)
        };
        let (child, key) = frame.ahead.take().unwrap_or_else(|| make(frame.seen.len()));
        // Memory is asked for the child after this one while this one is looked up: 8 % less time on domineering:7x8, 12 % on nogo:5x5.
        frame.ahead = (frame.seen.len() + 1 < frame.moves.len()).then(|| make(frame.seen.len() + 1));
        if let Some((_, key)) = &frame.ahead {
            table.touch(*key);
        }
        stats.visited += 1;
        if let Some(&known) = table.get(key, &child) {
            frame.seen.push(known);
            continue;
        }
        stats.created += 1;
        match open(problem, child, &mut scratch, &mut spare) {
            Err(over) => frame.seen.push(over),
            Ok(frame) => stack.push(frame),
        }
    };
    stats.iterations = stats.expanded;
    stats.time = guard.elapsed();
    let known = |child: &G::State| table.get(game.key(child), child).copied();
    let line = if question.settled(truth) { line::through(problem, &known, truth) } else { Vec::new() };
    (Report { stop, stats, line, ..Report::at_once(truth) }, table)
}
