//! What a search reports: counters and progress while it runs, and a [`Report`] at its end.

use crate::{Estimate, ProofMemory, StopReason};
use delphic_game::{Player, Verdict};
use std::time::Duration;

/// Counters of a search. `created`, `expanded` and `visited` are three different numbers.
///
/// ```
/// use delphic_search::Stats;
///
/// let [first, second] = [(5, 10), (7, 20)].map(|(created, peak_bytes)| Stats { created, peak_bytes, ..Stats::default() });
/// assert_eq!((first.then(second).created, first.then(second).peak_bytes), (12, 20));
/// assert_eq!((first.beside(second).created, first.beside(second).peak_bytes), (12, 30));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Iterations of selection, expansion and back-up.
    pub iterations: u64,
    /// Nodes created, the root not counted.
    pub created: u64,
    /// Nodes whose children were created.
    pub expanded: u64,
    /// Nodes visited by descents, including the expanded ones.
    pub visited: u64,
    /// Playouts.
    pub playouts: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// The peak memory, in bytes.
    pub peak_bytes: u64,
}

impl Stats {
    /// The difference to earlier counters of the same search.
    pub fn since(self, earlier: &Stats) -> Stats {
        Stats {
            iterations: self.iterations - earlier.iterations,
            created: self.created - earlier.created,
            expanded: self.expanded - earlier.expanded,
            visited: self.visited - earlier.visited,
            playouts: self.playouts - earlier.playouts,
            time: self.time - earlier.time,
            peak_bytes: self.peak_bytes,
        }
    }

    /// The total of two searches run one after the other: times are added, and the peak is the larger one.
    #[must_use]
    pub fn then(self, next: Stats) -> Stats {
        let peak_bytes = self.peak_bytes.max(next.peak_bytes);
        Stats { time: self.time + next.time, peak_bytes, ..self.counts_with(next) }
    }

    /// The total of two searches run at the same time: peaks are added, and the time is the longer one.
    #[must_use]
    pub fn beside(self, other: Stats) -> Stats {
        let peak_bytes = self.peak_bytes + other.peak_bytes;
        Stats { time: self.time.max(other.time), peak_bytes, ..self.counts_with(other) }
    }

    fn counts_with(self, other: Stats) -> Stats {
        Stats {
            iterations: self.iterations + other.iterations,
            created: self.created + other.created,
            expanded: self.expanded + other.expanded,
            visited: self.visited + other.visited,
            playouts: self.playouts + other.playouts,
            ..self
        }
    }
}

/// A rule's heuristic value of the root, for display only.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RootValue {
    /// The rule has none.
    None,
    /// An estimated probability that the answer is yes.
    Probability(f64),
    /// Proof and disproof number.
    ProofNumbers(f64, f64),
    /// The expected work.
    Work {
        /// To prove.
        prove: f64,
        /// To disprove.
        disprove: f64,
    },
}

/// The result of a search. "Not solved" is a result, not an error.
///
/// The answer is a [`Verdict`] for yes/no questions, [`Bounds`](delphic_game::Bounds) for scores, an outcome for max^n.
///
/// ```
/// # use delphic_game::{Force, Game, Player, Spec, Verdict};
/// # use delphic_games::{Family, Nim};
/// # let game = Nim::build(&mut Spec::parse("nim:1,2,4"))?;
///
/// use delphic_search::{Limits, Position, Searchable, StopReason};
///
/// let position = Position { game: &game, state: game.start() };
/// let win = Force { player: Player::FIRST, at_least: 1 };
/// let report = position.brute(win, Limits::default(), &mut ());
/// assert_eq!((report.truth, report.stop), (Verdict::Proved, StopReason::Solved));
/// // The solved positions, here all that were searched.
/// let solved = report.memory.expect("the root is solved");
/// let problem = delphic_search::GameProblem::new(&game, win, game.start());
/// assert_eq!(solved.get::<Nim>().unwrap().recall(&problem, &game.start()), Some(Verdict::Proved));
///
/// let few = Limits { nodes: Some(3), ..Limits::default() };
/// let report = position.brute(win, few, &mut ());
/// assert_eq!((report.truth, report.stop), (Verdict::Open, StopReason::Nodes));
/// # Ok::<(), delphic_game::SpecError>(())
/// ```
#[derive(Debug)]
pub struct Report<T = Verdict> {
    /// The verdict on the root.
    pub truth: T,
    /// Why the search ended.
    pub stop: StopReason,
    /// Its counters.
    pub stats: Stats,
    /// The heuristic value of the root, if it is open.
    pub root: RootValue,
    /// When the precision rate was first reached, if one was requested.
    pub estimate: Option<Estimate>,
    /// A line of play, as move numbers: if the root is solved, one that follows the proof; otherwise the path to the most-proving node.
    pub line: Vec<u16>,
    /// The positions that the search has stored, if the root is solved or [`Limits::keep_open`](crate::Limits) was set.
    pub memory: Option<ProofMemory>,
}

impl<T> Report<T> {
    /// The report on a position that needs no search.
    pub fn at_once(truth: T) -> Report<T> {
        Report {
            truth,
            stop: StopReason::Solved,
            stats: Stats::default(),
            root: RootValue::None,
            estimate: None,
            line: Vec::new(),
            memory: None,
        }
    }

    /// The report of a search that ended before it began.
    pub(crate) fn stopped(truth: T, stop: StopReason) -> Report<T> {
        Report { stop, ..Report::at_once(truth) }
    }
}

/// The state of a running search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress<'a> {
    /// The solver's full name; empty if the sender does not know it.
    pub solver: &'a str,
    /// Its counters so far.
    pub stats: Stats,
    /// The heuristic value of the root.
    pub root: RootValue,
    /// The number of decided moves of the root, and of all its moves.
    pub decided: (usize, usize),
}

/// A move at the root of a running search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootMove {
    /// The verdict after the move.
    pub verdict: Verdict,
    /// The heuristic value while it is open.
    pub value: RootValue,
}

impl RootMove {
    /// A move with this verdict; `value` is called only if it is open.
    pub fn new(verdict: Verdict, value: impl FnOnce() -> RootValue) -> RootMove {
        let value = if verdict == Verdict::Open { value() } else { RootValue::None };
        RootMove { verdict, value }
    }
}

/// An event to be shown or logged.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The search for a yes/no question begins: can `player` force at least `at_least`?
    Question {
        /// The player of the question.
        player: Player,
        /// The payoff of the question.
        at_least: i16,
        /// The least and the greatest payoff that are still possible.
        known: (i16, i16),
    },
    /// Progress of the search, at most ten times a second.
    Progress(Progress<'a>),
    /// The moves at the root, in the order of the rules. Sent after `Progress` by searches that have values for them.
    RootMoves(&'a [RootMove]),
    /// The bounds on a move at the root have narrowed; payoffs are for the side that makes it.
    MoveBounds {
        /// The number of the move.
        nth: usize,
        /// The least and the greatest payoff that are still possible.
        known: (i16, i16),
    },
    /// A checkpoint is being loaded.
    Loading,
    /// A checkpoint is being saved.
    Saving,
    /// A checkpoint could not be saved; the search continues.
    SaveFailed(&'a str),
    /// A proof is being walked, to write it or to find its longest line.
    Proof {
        /// Positions visited.
        positions: u64,
    },
    /// A part of the work begins, for example move number `done` of `all`.
    Part {
        /// What is counted.
        what: &'a str,
        /// The number done so far.
        done: usize,
        /// The total number.
        all: usize,
    },
}

/// Receives the events of a search. Searches print nothing themselves.
///
/// ```
/// use delphic_search::{Event, Observer, Progress};
///
/// /// Remembers how far the search is.
/// #[derive(Default)]
/// struct Nodes(u64);
///
/// impl Observer for Nodes {
///     fn event(&mut self, event: Event<'_>) {
///         if let Event::Progress(Progress { stats, .. }) = event {
///             self.0 = stats.created;
///         }
///     }
/// }
///
/// // Any search takes it as `&mut observer`.
/// let mut observer = Nodes::default();
/// observer.event(Event::Loading);
/// assert_eq!(observer.0, 0);
/// ```
pub trait Observer {
    /// Called for every event, on the thread that started the search.
    fn event(&mut self, event: Event<'_>);
}

/// Ignores all events.
impl Observer for () {
    fn event(&mut self, _: Event<'_>) {}
}
