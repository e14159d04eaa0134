//! What an attacker may have learnt: a model, fitted to the solved moves of some problems (paper 4, §5.2).
//!
//! A lesson is determined by its problems and by the limit on nodes, so whoever takes it again knows the same. It is taken when it is first
//! needed and remembered as long as the program runs.

use super::attack::{Fighter, products};
use super::problems::rules;
use super::{Problem, Set};
use crate::Caps;
use delphic_engine::Solver;
use delphic_game::{Notation, Verdict};
use delphic_games::GoCapture;
use delphic_learn::beta::Beta;
use delphic_learn::capture::Attempt;
use delphic_learn::chances::Chances;
use delphic_learn::gaussian::Gaussian;
use delphic_learn::train::{self, Config, Run, Task};
use delphic_learn::{LearnedPrior, Mobility, Model, Table};
use delphic_search::LeafPrior;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

/// Passes over the training problems that are still open; one that solves none is the last.
const PASSES: usize = 3;
/// Chooses the problems of the test, and the order of the others.
const SEED: u64 = 1;

/// How a learner makes chances of what it has seen: the four panels of figure 8, and ours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Learner {
    /// The Beta model, α = β = 1.
    Beta,
    /// The Beta model with a peaked prior, α = β = 1000.
    PeakedBeta,
    /// The hierarchical Gaussian model.
    Gaussian,
    /// The same as if two moves had been seen with every largest pattern, one of them a proof.
    CalmGaussian,
    /// The Gaussian model, its odds multiplied by those of mobility.
    WeighedGaussian,
}

impl Learner {
    /// All of them, the paper's first.
    pub const ALL: [Learner; 5] = [
        Learner::Beta,
        Learner::PeakedBeta,
        Learner::Gaussian,
        Learner::CalmGaussian,
        Learner::WeighedGaussian,
    ];

    /// The name in the ledger.
    pub fn name(self) -> &'static str {
        match self {
            Learner::Beta => "beta:1",
            Learner::PeakedBeta => "beta:1000",
            Learner::Gaussian => "gaussian:0",
            Learner::CalmGaussian => "gaussian:2",
            Learner::WeighedGaussian => "gaussian:0*mobility",
        }
    }

    /// The name on the page.
    pub fn label(self) -> &'static str {
        match self {
            Learner::Beta => "Beta, 1 and 1",
            Learner::PeakedBeta => "Beta, 1000 and 1000",
            Learner::Gaussian => "hierarchical",
            Learner::CalmGaussian => "hierarchical, calm",
            Learner::WeighedGaussian => "hierarchical × mobility",
        }
    }

    fn model(self) -> Model {
        let gaussian = |calm| Model::Gaussian(Gaussian { calm, ..Gaussian::default() });
        match self {
            Learner::Beta => Model::Beta(Beta { alpha: 1.0, beta: 1.0 }),
            Learner::PeakedBeta => Model::Beta(Beta { alpha: 1000.0, beta: 1000.0 }),
            Learner::Gaussian | Learner::WeighedGaussian => gaussian(0.0),
            Learner::CalmGaussian => gaussian(2.0),
        }
    }

    /// What it knows, for the leaves of a game.
    pub(super) fn leaf(self, game: &GoCapture, chances: Arc<Chances>) -> LeafPrior {
        let mobility = match self {
            Learner::WeighedGaussian => Mobility::Weighed,
            _ => Mobility::Ignored,
        };
        LearnedPrior::new(game, chances).with_mobility(mobility).into()
    }
}

/// Which problems are learnt from, and which are for the test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Split {
    /// A third, drawn from a seed, is for the test.
    Third,
    /// This part of the set is for the test, the other one is learnt from.
    Part(usize),
}

impl Split {
    /// All of them.
    pub const ALL: [Split; 3] = [Split::Third, Split::Part(0), Split::Part(1)];

    /// The problems to learn from and those to test with.
    pub fn of(self, set: &Set) -> (Vec<&Problem>, Vec<&Problem>) {
        let all: Vec<&Problem> = set.captures().collect();
        match self {
            Split::Third => {
                let (training, test) = train::split(all.len(), 1.0 / 3.0, SEED);
                let pick = |numbers: Vec<usize>| numbers.into_iter().map(|number| all[number]).collect();
                (pick(training), pick(test))
            }
            Split::Part(part) => all.into_iter().partition(|problem| problem.part != part),
        }
    }
}

/// Who learns from what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lesson {
    /// The problems.
    pub set: &'static str,
    /// Which of them.
    pub split: Split,
    /// Who learns.
    pub learner: Learner,
}

/// As it stands in the ledger: `pp:prior=beta:1,learnt=gnugo/third`.
impl fmt::Display for Lesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pp:prior={},learnt={}/", self.learner.name(), self.set)?;
        match (self.split, Set::named(self.set)) {
            (Split::Part(test), Some(set)) => f.write_str(set.parts[1 - test.min(1)]),
            (Split::Part(test), None) => write!(f, "without-{test}"),
            (Split::Third, _) => write!(f, "third-{SEED}"),
        }
    }
}

/// A place for a lesson, empty until it has been taken.
type Place = Arc<Mutex<Option<Arc<Chances>>>>;

/// A place for every lesson and the limits of its searches.
type Places = HashMap<(Lesson, String), Place>;

/// What has been learnt so far.
static LEARNT: LazyLock<Mutex<Places>> = LazyLock::new(Mutex::default);

impl Lesson {
    /// What is known after the lesson, with these limits for each problem; `None` if it was interrupted. Whoever comes while somebody else
    /// takes it waits.
    pub(super) fn learnt(&self, caps: &Caps, interrupt: &AtomicBool) -> Option<Arc<Chances>> {
        let place = {
            let mut all = LEARNT.lock().unwrap_or_else(PoisonError::into_inner);
            all.entry((*self, caps.text())).or_default().clone()
        };
        let mut known = place.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_none() {
            *known = self.take(caps, interrupt);
        }
        known.clone()
    }

    fn take(&self, caps: &Caps, interrupt: &AtomicBool) -> Option<Arc<Chances>> {
        let problems = Set::named(self.set).map(|set| self.split.of(set).0).unwrap_or_default();
        let plain: Solver = super::PLAIN.parse().ok()?;
        // Time must not decide what is learnt.
        let caps = Caps { seconds: None, ..*caps };
        let solve = |problem: &&Problem, mut task: Task<'_>| {
            let mut attack = || {
                let game = rules(&problem.game).ok()?;
                let position = game.read(&problem.position).ok()?;
                let fighter = match task.known() {
                    None => Fighter::Plain(plain.clone()),
                    Some(chances) => Fighter::Learnt(products(), self.learner.leaf(&game, chances)),
                };
                Some(fighter.attack(&game, &position, caps.limits(interrupt), &mut task))
            };
            match attack() {
                // A problem that cannot be read teaches nothing.
                None => Run { solved: false, time: Duration::ZERO, created: 0 },
                Some((Attempt { verdict, stats, .. }, time)) => {
                    Run { solved: verdict == Verdict::Proved, time, created: stats.created }
                }
            }
        };
        let config = Config { model: self.learner.model(), passes: PASSES, test: 0.0, seed: SEED };
        let outcome = train::run(&config, &problems, Table::default(), solve, &mut ());
        (!interrupt.load(Ordering::Relaxed)).then_some(outcome.chances)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_lessons_share_nothing() {
        for set in [Some(Set::own()), Set::gnu_go()].into_iter().flatten() {
            for split in Split::ALL {
                let (training, test) = split.of(set);
                assert!(!training.is_empty() && !test.is_empty());
                assert_eq!(training.len() + test.len(), set.captures().count());
                assert!(test.iter().all(|problem| training.iter().all(|other| other.id != problem.id)));
            }
        }
    }

    #[test]
    fn a_lesson_taken_twice_is_the_same() {
        let lesson = Lesson { set: "own", split: Split::Third, learner: Learner::Gaussian };
        assert_eq!(lesson.to_string(), "pp:prior=gaussian:0,learnt=own/third-1");
        let (caps, go) = (Caps::nodes(200), AtomicBool::new(false));
        let [first, second] = [(); 2].map(|()| lesson.take(&caps, &go).unwrap());
        assert!(first.len() > 100 && format!("{first:?}") == format!("{second:?}"));
        assert_eq!(lesson.take(&caps, &AtomicBool::new(true)).map(|known| known.len()), None);
    }
}
