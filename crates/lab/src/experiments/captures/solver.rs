//! One attempt to capture a stone: the liberty limit is raised until a search proves the capture (paper 4, §5).

use super::lesson::Lesson;
use super::problems::rules;
use crate::{Caps, LabError, Record, Verdict};
use delphic_engine::{InputError, Limits, Solver, Stats, StopReason, at_capture};
use delphic_game::{Notation, Verdict as Truth};
use delphic_games::GoCapture;
use delphic_games::go::CaptureState;
use delphic_learn::calibration::Calibration;
use delphic_learn::capture::{Attempt, raise_limit};
use delphic_learn::clock::Stopwatch;
use delphic_learn::train::Task;
use delphic_search::LeafPrior;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The most solved moves of one search that are counted or compared.
const MOST: usize = 200_000;

/// A solver of capture problems.
#[derive(Clone, PartialEq, Debug)]
pub struct CaptureSolver {
    prior: Prior,
    /// Whether predictions about moves are compared with the answers. The record then has the calibration in place of the line.
    compares: bool,
}

/// Where the values of leaves come from.
#[derive(Clone, PartialEq, Debug)]
enum Prior {
    /// The solver's own prior.
    Own(Solver),
    /// A prior that was learnt.
    Learnt(Lesson),
}

impl CaptureSolver {
    /// A solver that has learnt nothing.
    pub fn plain(solver: Solver) -> CaptureSolver {
        CaptureSolver { prior: Prior::Own(solver), compares: false }
    }

    /// A search with the prior of a lesson.
    pub fn learnt(lesson: Lesson) -> CaptureSolver {
        CaptureSolver { prior: Prior::Learnt(lesson), compares: false }
    }

    /// The same, with predictions about moves compared with the answers.
    pub fn comparing(self) -> CaptureSolver {
        CaptureSolver { compares: true, ..self }
    }

    /// The question, as the ledger has it.
    pub fn question(&self) -> &'static str {
        if self.compares { "calibration" } else { "capture" }
    }

    /// Attacks in a position, from the target's liberties up to the position's limit; `None` if it was interrupted.
    pub(crate) fn run(
        &self,
        game: &str,
        position: &str,
        caps: &Caps,
        interrupt: &AtomicBool,
    ) -> Result<Option<Record>, LabError> {
        let game = rules(game)?;
        let position = game.read(position).map_err(InputError::from)?;
        let mut predictions = Calibration::default();
        let (search, mut task) = match &self.prior {
            Prior::Own(solver) => (Search::Own(solver.clone()), Task::Plain),
            Prior::Learnt(lesson) => {
                let Some(chances) = lesson.learnt(caps, interrupt) else { return Ok(None) };
                let leaf = lesson.learner.prior(&game, chances.clone()).into();
                let task = if self.compares { Task::Test(chances, &mut predictions) } else { Task::Plain };
                (Search::Learnt(lesson.guided, leaf), task)
            }
        };
        let (attempt, time) = search.attack(&game, &position, caps.limits(interrupt), &mut task);
        let line = match self.compares {
            true => predictions.to_string(),
            false => attempt.write_line(&game, &position).join(" "),
        };
        Ok((attempt.stop != StopReason::Interrupted).then(|| Record {
            verdict: match attempt.verdict {
                Truth::Proved => Verdict::Proved,
                Truth::Disproved => Verdict::Disproved,
                Truth::Open => Verdict::Unknown,
            },
            stop: attempt.stop.name().to_owned(),
            score: Some(attempt.limit.into()),
            estimated_at: None,
            line,
            stats: Stats { time, ..attempt.stats },
        }))
    }
}

/// The solver with all its parameters; with a learnt prior, the lesson.
impl fmt::Display for CaptureSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.prior {
            Prior::Own(solver) => solver.fmt(f),
            Prior::Learnt(lesson) => lesson.fmt(f),
        }
    }
}

/// A search that a learnt prior can guide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guided {
    /// Product propagation on a tree, as in the paper.
    Pp,
    /// Depth-first proof-number search.
    Dfpn,
    /// Depth-first product propagation.
    Dfpp,
}

impl Guided {
    /// The solver's name.
    pub fn name(self) -> &'static str {
        match self {
            Guided::Pp => "pp",
            Guided::Dfpn => "dfpn",
            Guided::Dfpp => "dfpp",
        }
    }

    fn solver(self) -> Solver {
        // The rules of go-capture have no symmetries that would pay off.
        let name = match self {
            Guided::Pp => "pp",
            Guided::Dfpn => "dfpn:symmetry=off",
            Guided::Dfpp => "dfpp:symmetry=off",
        };
        name.parse().unwrap_or_else(|error| unreachable!("{error}"))
    }
}

/// A search for one liberty limit.
pub(super) enum Search {
    /// A solver with its own prior.
    Own(Solver),
    /// A search with learnt leaves.
    Learnt(Guided, LeafPrior),
}

impl Search {
    /// Attacks within limits for all searches together; `task` takes what they solve. Also returns the processor time of the
    /// searches alone.
    pub(super) fn attack(
        &self,
        game: &GoCapture,
        position: &CaptureState,
        limits: Limits<'_>,
        task: &mut Task<'_>,
    ) -> (Attempt, Duration) {
        let mut time = Duration::ZERO;
        let attempt = raise_limit(
            game,
            position,
            position.limit,
            limits,
            |position, question, limits| {
                let (solver, prior) = match self {
                    Search::Own(solver) => (solver.clone(), None),
                    Search::Learnt(guided, prior) => (guided.solver(), Some(prior.clone())),
                };
                let mut found = None;
                at_capture(position, &mut |position| {
                    let watch = Stopwatch::start();
                    found = Some(solver.run(position, question, prior.clone(), limits, 1, &mut ()).0);
                    time += watch.elapsed();
                });
                found.unwrap_or_else(|| unreachable!("the search was run"))
            },
            |position, question, report| {
                at_capture(position, &mut |position| task.take(position, question, report, MOST));
            },
        );
        (attempt, time)
    }
}
