//! The value of every legal move.
//!
//! The position is solved first, by the requested solver, on all threads. Its proof gives the values of some moves; the others are
//! searched in parallel for the same questions, reusing the solved positions. Moves get node budgets that grow from round to round, so
//! that a hard move does not use up what the easy ones need.

mod children;
mod distance;
mod moves;

use children::ChildDistances;
use distance::Distances;
use moves::Moves;

use crate::solve::answer;
use crate::{Answer, AnyPosition, Conclusion, Request, Value};
use delphic_search::{Limits, Observer, StopReason};

/// The plies to the end of a decided game, the move itself included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distance {
    /// Exactly this many plies with the shortest win against the longest defence.
    Exactly(u32),
    /// At most this many, if the winner follows the proof.
    AtMost(u32),
}

/// The proved value of a move, or bounds on it.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveValue {
    /// The move.
    pub mv: String,
    /// Lower and upper bound on the value, for the side that makes the move.
    pub bounds: (Value, Value),
    /// How long the game lasts, if the move decides it.
    pub distance: Option<Distance>,
    /// If the distance is exact, a line of that length that begins with the move. Otherwise empty.
    pub line: Vec<String>,
}

/// The values of a position and of its moves, as far as they are proved.
///
/// ```
/// use delphic_engine::{Request, Value, game};
///
/// // Take 2 of the 3, or lose.
/// let position = game("nim:1,3")?.position(None, None)?;
/// let analysis = position.analyze(&Request::default(), 1_000, &mut ());
/// assert!(analysis.complete());
/// let best: Vec<&str> = analysis.best().iter().map(|mv| mv.mv.as_str()).collect();
/// assert_eq!(best, ["b2"]);
/// assert_eq!(analysis.answer.value(), Some(Value::Win));
/// # Ok::<(), delphic_engine::InputError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The answer for the position.
    pub answer: Answer,
    /// The moves, in the order of the rules.
    pub moves: Vec<MoveValue>,
    /// Why moves are undecided, if any are.
    pub stop: StopReason,
    /// Nodes created for the moves, besides those of the answer.
    pub created: u64,
}

impl Analysis {
    /// The moves proved to have the value of the position. The list is complete if all other moves are proved worse.
    pub fn best(&self) -> Vec<&MoveValue> {
        let best = self.answer.value();
        let is_best = |mv: &&MoveValue| mv.bounds.0 == mv.bounds.1 && Some(mv.bounds.0) == best;
        self.moves.iter().filter(is_best).collect()
    }

    /// Whether every move is decided.
    pub fn complete(&self) -> bool {
        self.moves.iter().all(|mv| mv.bounds.0 == mv.bounds.1)
    }
}

/// The winning move of a position, if there is exactly one and the longest defence takes at least `depth` plies. The request must ask
/// for a win.
///
/// ```
/// use delphic_engine::{Ask, Request, find_puzzle, game};
///
/// let position = game("nim:1,3")?.position(None, None)?;
/// let request = Request { ask: Ask::Win, ..Request::default() };
/// assert_eq!(find_puzzle(&*position, &request, 1_000, 1).map(|puzzle| puzzle.mv), Some("b2".to_owned()));
/// # Ok::<(), delphic_engine::InputError>(())
/// ```
pub fn find_puzzle(
    position: &dyn AnyPosition,
    request: &Request<'_>,
    exact: u64,
    depth: u32,
) -> Option<MoveValue> {
    if position.is_over() || position.solve(request, &mut ()).conclusion != Conclusion::Proved {
        return None;
    }
    let analysis = position.analyze(request, exact, &mut ());
    let payoffs = position.game_payoffs();
    let top = Value::of(*payoffs.last()?, &payoffs);
    let mut winning = analysis.moves.iter().filter(|mv| mv.bounds.1 == top);
    let (only, None) = (winning.next()?, winning.next()) else { return None };
    let (Distance::Exactly(plies) | Distance::AtMost(plies)) = only.distance?;
    (only.bounds.0 == top && plies >= depth).then(|| only.clone())
}

/// The memory for walking proofs to find their lengths.
const WALK_MEMORY: u64 = 64 << 20;

/// Answers a request about a position and every move from it. The search for exact distances may visit `exact` positions.
pub(crate) fn analyze(
    position: &dyn AnyPosition,
    request: &Request<'_>,
    exact: u64,
    observer: &mut dyn Observer,
) -> Analysis {
    if position.search().endless().is_some() {
        return crate::strong::analyze(position, request, observer);
    }
    let mut request = request.clone();
    request.limits = request.limits.begin();
    let memory = request.limits.memory;
    request.limits.memory = memory.map(|memory| memory / 2);
    // The moves get half of the time, plus what the position does not use of its half.
    let time = request.limits.time;
    request.limits.time = time.map(|time| time / 2);
    let (answer, decided) = answer(position, &*position.search(), &request, true, observer);
    request.limits.time = time;
    let mut analysis = Analysis { answer, moves: Vec::new(), stop: StopReason::Solved, created: 0 };
    if position.is_over() {
        return analysis;
    }
    let payoffs = position.game_payoffs();
    let player = position.turn();
    let thresholds = payoffs.len() as u64 - 1;
    let limits = Limits { memory: memory.map(|memory| memory / 2 / thresholds), ..request.limits };
    let moves = Moves::new(position, request.ask, limits);
    for decided in decided.into_iter().filter(|decided| decided.claim.question.player == player) {
        moves.inherit(decided.claim.question.at_least, decided.memory);
    }
    analysis.stop = moves.search(analysis.answer.stats.created, observer);
    let mut distances = ChildDistances::new(position, exact);
    for (number, mv) in position.moves().into_iter().enumerate() {
        let range = moves.range(number);
        let (low, high) = range.bounds();
        let decided = match (range.is_decided(), low) {
            (true, Value::Win) => Some((payoffs.len() - 2, true)),
            (true, Value::Loss) => Some((0, false)),
            _ => None,
        };
        let distance = decided.and_then(|(nth, yes)| {
            let exactly = distances.of(number, yes).map(|plies| Distance::Exactly(plies + 1));
            let at_most = || moves.longest(number, nth, yes).map(|plies| Distance::AtMost(plies + 1));
            exactly.or_else(at_most)
        });
        let line = match (distance, decided) {
            (Some(Distance::Exactly(_)), Some((_, yes))) => position.write_line(&distances.line(number, yes)),
            _ => Vec::new(),
        };
        analysis.moves.push(MoveValue { mv, bounds: (low, high), distance, line });
    }
    analysis.created = moves.created();
    analysis
}
