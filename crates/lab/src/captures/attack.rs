//! One attempt to capture a stone: the liberty limit is raised until a search proves the capture (paper 4, §5).

use super::Lesson;
use super::problems::rules;
use crate::cell::{full, version};
use crate::{Caps, LabError, Record, Verdict};
use delphic_engine::{InputError, Limits, Solver, Stats, StopReason};
use delphic_game::{Game, Notation, Verdict as Truth};
use delphic_games::GoCapture;
use delphic_games::go::CaptureState;
use delphic_learn::calibration::Calibration;
use delphic_learn::capture::{Attempt, raise_limit};
use delphic_learn::clock::Stopwatch;
use delphic_learn::train::Task;
use delphic_search::LeafPrior;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Solved moves of one search that are looked at.
const MOST: usize = 200_000;

/// Who attacks, and what is told of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Attack {
    /// The solver with all its parameters; for one that has learnt, its lesson.
    name: String,
    lesson: Option<Lesson>,
    /// Whether predictions about moves are compared with what became of them. The record then has them in place of the line.
    foretells: bool,
}

impl Attack {
    /// A solver that has learnt nothing.
    pub fn plain(solver: &str) -> Attack {
        Attack { name: full::<Solver>(solver), lesson: None, foretells: false }
    }

    /// Product propagation with the prior of a lesson.
    pub fn learnt(lesson: Lesson) -> Attack {
        Attack { name: lesson.to_string(), lesson: Some(lesson), foretells: false }
    }

    /// The same, to see how right the predictions about moves are.
    pub fn foretelling(self) -> Attack {
        Attack { foretells: true, ..self }
    }

    /// Who attacks.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is asked, as it stands in the ledger.
    pub fn question(&self) -> &'static str {
        if self.foretells { "foretell" } else { "capture" }
    }

    /// Attacks in a position, from the target's liberties up to the limit that the position has; `None` if it was interrupted.
    pub(crate) fn run(
        &self,
        game: &str,
        position: &str,
        caps: &Caps,
        interrupt: &AtomicBool,
    ) -> Result<Option<Record>, LabError> {
        let game = rules(game)?;
        let position = game.read(position).map_err(InputError::from)?;
        let mut told = Calibration::default();
        let (fighter, mut task) = match self.lesson {
            None => (Fighter::Plain(self.name.parse().map_err(InputError::from)?), Task::Plain),
            Some(lesson) => {
                let Some(chances) = lesson.learnt(caps, interrupt) else { return Ok(None) };
                let leaf = lesson.learner.leaf(&game, chances.clone());
                let task = if self.foretells { Task::Test(chances, &mut told) } else { Task::Plain };
                (Fighter::Learnt(products(), leaf), task)
            }
        };
        let (attempt, time) = fighter.attack(&game, &position, caps.limits(interrupt), &mut task);
        let line = match self.foretells {
            true => told.to_string(),
            false => line_text(&game, &position, &attempt).join(" "),
        };
        Ok((attempt.stop != StopReason::Interrupted).then(|| Record {
            verdict: match attempt.verdict {
                Truth::Proved => Verdict::Proved,
                Truth::Disproved => Verdict::Disproved,
                Truth::Open => Verdict::Unknown,
            },
            stop: attempt.stop.name().to_owned(),
            score: Some(attempt.limit.into()),
            line,
            stats: Stats { time, ..attempt.stats },
            version: version(),
        }))
    }
}

/// Plain product propagation, to which learnt priors are given.
pub(super) fn products() -> Solver {
    "pp".parse().unwrap_or_else(|_| unreachable!("pp is a solver"))
}

/// Who searches.
pub(super) enum Fighter {
    /// A solver as it is.
    Plain(Solver),
    /// Product propagation with learnt leaves.
    Learnt(Solver, LeafPrior),
}

impl Fighter {
    /// Attacks within limits for all searches together; `task` takes what they solve. Also the time of the processor for the searches alone.
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
                let watch = Stopwatch::start();
                let (solver, prior) = match self {
                    Fighter::Plain(solver) => (solver, None),
                    Fighter::Learnt(solver, prior) => (solver, Some(prior.clone())),
                };
                let (report, _) = solver.run(position, question, prior, limits, 1, &mut ());
                time += watch.elapsed();
                report
            },
            |position, question, report| task.take(position, question, report, MOST),
        );
        (attempt, time)
    }
}

/// The line of an attempt as text.
fn line_text(game: &GoCapture, position: &CaptureState, attempt: &Attempt) -> Vec<String> {
    let (mut state, mut moves) = (CaptureState { limit: attempt.limit, ..*position }, Vec::new());
    let step = |&nth: &u16| {
        moves.clear();
        game.moves(&state, &mut moves);
        let mv = *moves.get(usize::from(nth))?;
        let text = game.write_move(&state, mv);
        game.play(&mut state, mv);
        Some(text)
    };
    attempt.line.iter().map_while(step).collect()
}
