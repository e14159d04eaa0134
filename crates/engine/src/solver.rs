//! Solvers by name.

mod table;

pub use table::SOLVERS;

use crate::auto;
use crate::parameter::{Parameter, Settings, usage};
use delphic_game::spec::unknown;
use delphic_game::{Bounds, Force, Score, Spec, SpecError, Verdict};
use delphic_search::{LeafPrior, Limits, Observer, Report, Searchable, StopReason};
use std::fmt;

/// A row of the table of solvers.
#[derive(Debug)]
pub struct SolverInfo {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// A one-line description.
    pub about: &'static str,
    /// The publication it comes from.
    pub source: &'static str,
    pub(crate) method: Method,
}

impl SolverInfo {
    /// Its parameters with their values, as in `playouts=60,theta=0.01`.
    pub fn usage(&self) -> String {
        if self.parameters.is_empty() { String::new() } else { usage(self.parameters) }
    }

    /// Whether its searches can be saved and resumed.
    pub fn resumable(&self) -> bool {
        match self.method {
            Method::YesNo { driver, .. } => !matches!(driver, Driver::Reference | Driver::Jobs),
            Method::Portfolio | Method::Score(_) => true,
            Method::Retrograde(_) => false,
        }
    }

    /// Whether the same search creates the same nodes each time. Threads that share a table, a tree or jobs depend on timing; threads that
    /// divide playouts or the positions of a retrograde analysis do not.
    pub(crate) fn repeats(&self, limits: &Limits<'_>) -> bool {
        let paced = match self.method {
            Method::Portfolio | Method::Score(_) => true,
            Method::YesNo { driver, .. } => matches!(driver, Driver::Table | Driver::Jobs),
            Method::Retrograde(_) => false,
        };
        limits.threads <= 1 || limits.workers.lockstep > 0 || !paced
    }

    /// Whether several workers can search on a shared transposition table.
    pub(crate) fn has_workers(&self) -> bool {
        matches!(self.method, Method::YesNo { driver: Driver::Table, .. })
    }

    /// Whether it handles games whose positions can repeat. Tree searches do: every line of their proofs is finite.
    pub fn takes_cycles(&self) -> bool {
        match self.method {
            Method::Portfolio | Method::Score(_) | Method::Retrograde(_) => true,
            Method::YesNo { driver, .. } => driver == Driver::Tree,
        }
    }

    /// Whether its searches keep a tree or graph of solved moves, from which patterns can be learned.
    pub fn keeps_moves(&self) -> bool {
        matches!(self.method, Method::YesNo { driver: Driver::Tree | Driver::Graph, .. })
    }
}

/// How a solver runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Method {
    /// It runs other solvers.
    Portfolio,
    /// It answers a yes/no question.
    YesNo { driver: Driver, run: fn(Task<'_>) -> Report },
    /// It finds an exact score; a yes/no question is a special case.
    Score(fn(Task<'_>, Score) -> Report<Bounds>),
    /// It finds an exact score by retrograde analysis of all reachable positions, without checkpoints.
    Retrograde(fn(Task<'_>, Score) -> Report<Bounds>),
}

/// The data structure of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Driver {
    /// A tree of moves.
    Tree,
    /// A graph of positions.
    Graph,
    /// A bounded transposition table.
    Table,
    /// All positions, without checkpoints.
    Reference,
    /// A graph whose leaves are jobs (searches), without checkpoints.
    Jobs,
}

/// A question for a solver at a position, with limits.
pub(crate) struct Task<'a> {
    pub(crate) position: &'a dyn Searchable,
    pub(crate) question: Force,
    pub(crate) settings: &'a Settings,
    /// Replaces the prior named in the settings.
    pub(crate) prior: Option<LeafPrior>,
    pub(crate) limits: Limits<'a>,
    pub(crate) seed: u64,
    pub(crate) observer: &'a mut dyn Observer,
}

/// A solver with its parameters. `Display` writes the full spec, all parameters included.
///
/// ```
/// use delphic_engine::Solver;
///
/// let solver: Solver = "ppn:playouts=20".parse()?;
/// assert_eq!(solver.to_string(), "ppn:playouts=20,theta=0.01,precision=0,stop=on,ties=first");
/// assert!("ppn:playouts=0".parse::<Solver>().is_err());
/// # Ok::<(), delphic_engine::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    info: &'static SolverInfo,
    settings: Settings,
}

impl PartialEq for Solver {
    fn eq(&self, other: &Solver) -> bool {
        self.info.name == other.info.name && self.settings == other.settings
    }
}

impl Default for Solver {
    /// `auto`.
    fn default() -> Solver {
        Solver { info: &SOLVERS[0], settings: Settings::defaults(SOLVERS[0].parameters) }
    }
}

impl std::str::FromStr for Solver {
    type Err = SpecError;

    /// Parses `name:key=value,…`. Files that it names are not read.
    fn from_str(text: &str) -> Result<Solver, SpecError> {
        let spec = Spec::parse(text);
        let name = spec.name().to_lowercase();
        let Some(info) = SOLVERS.iter().find(|info| info.name == name) else {
            return Err(unknown("solver", spec.name(), SOLVERS.iter().map(|info| info.name)));
        };
        Ok(Solver { info, settings: Settings::take(info.parameters, spec)? })
    }
}

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.settings.write(self.info.name, f)
    }
}

impl Solver {
    /// A solver of the table with default parameters.
    pub(crate) fn named(name: &str) -> Solver {
        let info = SOLVERS.iter().find(|info| info.name == name);
        let info = info.unwrap_or_else(|| unreachable!("{name} is in the table of solvers"));
        Solver { info, settings: table::defaults(info) }
    }

    /// The same solver with another value for a parameter.
    pub(crate) fn with(self, name: &str, value: &'static str) -> Solver {
        let settings = self.settings.with(name, crate::parameter::Setting::Word(value));
        Solver { settings, ..self }
    }

    /// The solver that runs at a position: for games with cycles `auto` becomes `retro`.
    pub(crate) fn acting(&self, position: &dyn Searchable) -> Solver {
        match self.info.method {
            Method::Portfolio if position.endless().is_some() => Solver::named("retro"),
            _ => self.clone(),
        }
    }

    /// Its row in the table.
    pub fn info(&self) -> &'static SolverInfo {
        self.info
    }

    /// The pattern file that it uses, if any.
    pub fn pattern_file(&self) -> Option<&str> {
        self.settings.file("prior")
    }

    /// Answers a yes/no question about a position. A `prior` replaces the solver's own; it is required if the solver names a
    /// [`pattern_file`](Self::pattern_file). Also returns the solver that gave the answer, which for `auto` is a member of its portfolio.
    pub fn run(
        &self,
        position: &dyn Searchable,
        question: Force,
        prior: Option<LeafPrior>,
        limits: Limits<'_>,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> (Report, Solver) {
        if position.endless().is_some() && !self.info.takes_cycles() {
            let refused = Report { stop: StopReason::Cycles, ..Report::at_once(Verdict::Open) };
            return (refused, self.clone());
        }
        let name = self.to_string();
        let mut observer = Named { name: &name, observer };
        let settings = &self.settings;
        let task = Task { position, question, settings, prior, limits, seed, observer: &mut observer };
        let report = match self.info.method {
            Method::Portfolio => return auto::race(task),
            Method::YesNo { run, .. } => run(task),
            Method::Score(run) | Method::Retrograde(run) => {
                // A yes/no question is a score question with two possible values.
                let Force { player, at_least } = question;
                let range = Bounds { lo: at_least - 1, hi: at_least };
                let found = run(task, Score { player, range });
                let truth = match found.truth {
                    Bounds { lo, hi } if lo == hi => Verdict::of(lo == at_least),
                    _ => Verdict::Open,
                };
                let Report { stop, stats, root, estimate, line, memory, .. } = found;
                Report { truth, stop, stats, root, estimate, line, memory }
            }
        };
        (report, self.clone())
    }

    /// Whether it finds scores in one search.
    pub(crate) fn finds_scores(&self) -> bool {
        matches!(self.info.method, Method::Score(_) | Method::Retrograde(_))
    }

    /// Finds the exact score in one search, if this solver can.
    pub(crate) fn score(
        &self,
        position: &dyn Searchable,
        score: Score,
        limits: Limits<'_>,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Option<Report<Bounds>> {
        let (Method::Score(run) | Method::Retrograde(run)) = self.info.method else { return None };
        let name = self.to_string();
        let mut observer = Named { name: &name, observer };
        let question = Force { player: score.player, at_least: score.range.hi };
        let (settings, prior) = (&self.settings, None);
        Some(run(Task { position, question, settings, prior, limits, seed, observer: &mut observer }, score))
    }
}

/// Adds the name of the solver to its progress.
struct Named<'a> {
    name: &'a str,
    observer: &'a mut dyn Observer,
}

impl Observer for Named<'_> {
    fn event(&mut self, event: delphic_search::Event<'_>) {
        use delphic_search::{Event, Progress};
        self.observer.event(match event {
            Event::Progress(progress) if progress.solver.is_empty() => {
                Event::Progress(Progress { solver: self.name, ..progress })
            }
            event => event,
        });
    }
}
