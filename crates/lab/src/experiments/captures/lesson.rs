//! A learnt prior: a model, fitted to the solved moves of some problems (paper 4, §5.2).
//!
//! A lesson is determined by its problems and by the limit on nodes, so it can be repeated exactly. It is trained when a cell first needs
//! it, and kept as long as the process lives.

use super::problems::{Problem, Set, rules};
use super::solver::{Guided, Search};
use crate::Caps;
use delphic_engine::{Limits, Solver};
use delphic_game::{Notation, Verdict};
use delphic_games::GoCapture;
use delphic_learn::beta::Beta;
use delphic_learn::capture::Attempt;
use delphic_learn::chances::Chances;
use delphic_learn::gaussian::Gaussian;
use delphic_learn::noting::Noting;
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

/// How counts become chances: the four panels of figure 8, and one of ours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Learner {
    /// The Beta model, α = β = 1.
    Beta,
    /// The Beta model with a peaked prior, α = β = 1000.
    PeakedBeta,
    /// The hierarchical Gaussian model.
    Gaussian,
    /// The same with a pseudo-count of two moves for every largest pattern, one of them a proof.
    TamedGaussian,
    /// The Gaussian model, its odds multiplied by those of mobility.
    WeighedGaussian,
}

impl Learner {
    /// All of them, the paper's first.
    pub const ALL: [Learner; 5] = [
        Learner::Beta,
        Learner::PeakedBeta,
        Learner::Gaussian,
        Learner::TamedGaussian,
        Learner::WeighedGaussian,
    ];

    /// The name in the ledger.
    pub fn name(self) -> &'static str {
        match self {
            Learner::Beta => "beta:1",
            Learner::PeakedBeta => "beta:1000",
            Learner::Gaussian => "gaussian:0",
            Learner::TamedGaussian => "gaussian:2",
            Learner::WeighedGaussian => "gaussian:0*mobility",
        }
    }

    /// The name on the page.
    pub fn label(self) -> &'static str {
        match self {
            Learner::Beta => "Beta, 1 and 1",
            Learner::PeakedBeta => "Beta, 1000 and 1000",
            Learner::Gaussian => "hierarchical",
            Learner::TamedGaussian => "hierarchical, pseudo-count 2",
            Learner::WeighedGaussian => "hierarchical × mobility",
        }
    }

    fn model(self) -> Model {
        let gaussian = |pseudo_count| Model::Gaussian(Gaussian { pseudo_count, ..Gaussian::default() });
        match self {
            Learner::Beta => Model::Beta(Beta { alpha: 1.0, beta: 1.0 }),
            Learner::PeakedBeta => Model::Beta(Beta { alpha: 1000.0, beta: 1000.0 }),
            Learner::Gaussian | Learner::WeighedGaussian => gaussian(0.0),
            Learner::TamedGaussian => gaussian(2.0),
        }
    }

    /// The prior for the leaves of a game.
    pub(super) fn prior(self, game: &GoCapture, chances: Arc<Chances>) -> LearnedPrior {
        let mobility = match self {
            Learner::WeighedGaussian => Mobility::Weighed,
            _ => Mobility::Ignored,
        };
        LearnedPrior::new(game, chances).with_mobility(mobility)
    }
}

/// What is learnt from a search on a training problem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// The solved moves of searches that answer their question.
    Answered,
    /// The solved moves of every search, as in the paper.
    EverySearch,
    /// The solved moves of every search; and the patterns of all moves of expanded nodes are known, though not counted, as in the
    /// paper.
    Expanded,
}

impl Source {
    /// Its mark in the ledger.
    fn mark(self) -> &'static str {
        match self {
            Source::Answered => "",
            Source::EverySearch => ",from=every-search",
            Source::Expanded => ",from=expanded",
        }
    }

    /// The name on the page.
    pub fn label(self) -> &'static str {
        match self {
            Source::Answered => "searches that answer their question",
            Source::EverySearch => "every search",
            Source::Expanded => "every search, patterns known from expansion on",
        }
    }
}

/// Which problems are learnt from, and which are for the test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Split {
    /// A third, drawn from a seed, is for the test.
    Third,
    /// This part of the set is for the test, the other one is learnt from.
    Part(usize),
    /// This fifth is for the test: problem n of a shuffled list belongs to fold n mod 5.
    Fold(usize),
}

impl Split {
    /// The splits that are shown one by one.
    pub const SHOWN: [Split; 3] = [Split::Third, Split::Part(0), Split::Part(1)];
    /// Five-fold cross-validation: every problem is tested once.
    pub const FOLDS: [Split; 5] =
        [Split::Fold(0), Split::Fold(1), Split::Fold(2), Split::Fold(3), Split::Fold(4)];

    /// The problems to learn from and those to test with.
    pub fn of(self, set: &Set) -> (Vec<&Problem>, Vec<&Problem>) {
        let all: Vec<&Problem> = set.captures().collect();
        let pick = |numbers: &[usize]| numbers.iter().map(|number| all[*number]).collect();
        match self {
            Split::Third => {
                let (training, test) = train::split(all.len(), 1.0 / 3.0, SEED);
                (pick(&training), pick(&test))
            }
            Split::Part(part) => all.into_iter().partition(|problem| problem.part != part),
            Split::Fold(fold) => {
                let (shuffled, _) = train::split(all.len(), 0.0, SEED);
                let (mut training, mut test) = (Vec::new(), Vec::new());
                for (place, number) in shuffled.into_iter().enumerate() {
                    if place % 5 == fold { test.push(number) } else { training.push(number) }
                }
                (pick(&training), pick(&test))
            }
        }
    }
}

/// A model, the problems it is fitted to, and the search it guides.
#[derive(Clone, PartialEq, Debug)]
pub struct Lesson {
    /// The problems.
    pub set: Arc<Set>,
    /// Which of them.
    pub split: Split,
    /// The model.
    pub learner: Learner,
    /// The search that uses the prior. Training is always by product propagation, which keeps a tree to learn from.
    pub guided: Guided,
    /// What is learnt from.
    pub source: Source,
    /// Nodes for each training problem; by default as many as for the problem of the cell.
    pub trained: Option<u64>,
}

/// As the ledger has it: `pp:prior=beta:1,learnt=own-1f2e3d4c/third-1`.
impl fmt::Display for Lesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.guided.name(), self.training())?;
        self.trained.map_or(Ok(()), |nodes| write!(f, ",trained={nodes}"))
    }
}

/// A place for a lesson, empty until it has been trained.
type Place = Arc<Mutex<Option<Arc<Chances>>>>;

/// The lessons of this process, by training and limits.
static LEARNT: LazyLock<Mutex<HashMap<String, Place>>> = LazyLock::new(Mutex::default);

impl Lesson {
    /// What determines the learnt chances.
    fn training(&self) -> String {
        let Lesson { set, split, learner, source, .. } = self;
        let part = match split {
            Split::Part(test) => set.parts[1 - (*test).min(1)].to_owned(),
            Split::Third => format!("third-{SEED}"),
            Split::Fold(fold) => format!("fold-{fold}-{SEED}"),
        };
        format!("prior={},learnt={}/{part}{}", learner.name(), set.name, source.mark())
    }

    /// The chances after training with these limits for each problem, or those of the lesson; `None` if it was interrupted. A second
    /// caller waits for the first.
    pub(super) fn learnt(&self, caps: &Caps, interrupt: &AtomicBool) -> Option<Arc<Chances>> {
        let caps = &self.trained.map_or(*caps, Caps::nodes);
        let place = {
            let mut all = LEARNT.lock().unwrap_or_else(PoisonError::into_inner);
            all.entry(format!("{} {}", self.training(), caps.text())).or_default().clone()
        };
        let mut known = place.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_none() {
            *known = self.train(caps, interrupt);
        }
        known.clone()
    }

    fn train(&self, caps: &Caps, interrupt: &AtomicBool) -> Option<Arc<Chances>> {
        let problems = self.split.of(&self.set).0;
        let plain: Solver = super::PLAIN.parse().ok()?;
        // Time must not decide what is learnt.
        let caps = Caps { seconds: None, ..*caps };
        let solve = |problem: &&Problem, mut task: Task<'_>| {
            let mut attack = || {
                let game = rules(&problem.game).ok()?;
                let position = game.read(&problem.position).ok()?;
                let prior = task.known().map(|chances| self.learner.prior(&game, chances));
                let noting =
                    (self.source == Source::Expanded).then(|| Arc::new(Noting::new(&game, prior.clone())));
                let search = match (&noting, prior) {
                    (Some(noting), _) => Search::Learnt(Guided::Pp, LeafPrior::Learned(noting.clone())),
                    (None, Some(prior)) => Search::Learnt(Guided::Pp, prior.into()),
                    (None, None) => Search::Own(plain.clone()),
                };
                let keep_open = self.source != Source::Answered;
                let limits = Limits { keep_open, ..caps.limits(interrupt) };
                let found = search.attack(&game, &position, limits, &mut task);
                if let (Some(noting), Task::Learn(_, table)) = (noting, &mut task) {
                    table.merge(&noting.take());
                }
                Some(found)
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
    fn no_problem_is_on_both_sides() {
        let set = Set::own();
        for split in Split::SHOWN.into_iter().chain(Split::FOLDS) {
            let (training, test) = split.of(&set);
            assert!(!training.is_empty() && !test.is_empty());
            assert_eq!(training.len() + test.len(), set.captures().count());
            assert!(test.iter().all(|problem| training.iter().all(|other| other.id != problem.id)));
        }
        let tested: usize = Split::FOLDS.iter().map(|fold| fold.of(&set).1.len()).sum();
        assert_eq!(tested, set.captures().count(), "the folds test every problem once");
    }

    fn lesson(learner: Learner) -> Lesson {
        let (guided, source) = (Guided::Pp, Source::Answered);
        Lesson { set: Set::own(), split: Split::Third, learner, guided, source, trained: None }
    }

    /// More is learnt from more: patterns from every search, and more from every expansion, which no answer is needed for.
    #[test]
    fn sources_differ() {
        let (caps, go) = (Caps::nodes(200), AtomicBool::new(false));
        let known = [Source::Answered, Source::EverySearch, Source::Expanded].map(|source| {
            let lesson = Lesson { source, ..lesson(Learner::Beta) };
            (lesson.to_string(), lesson.train(&caps, &go).unwrap().len())
        });
        assert!(known[0].1 < known[1].1 && known[1].1 < known[2].1, "{known:?}");
        assert!(known[0].0 != known[1].0 && known[2].0.ends_with(",from=expanded"), "{known:?}");
        let shorter = Lesson { trained: Some(10), ..lesson(Learner::Beta) };
        let few = shorter.learnt(&caps, &go).unwrap().len();
        assert!(shorter.to_string().ends_with(",trained=10") && few < known[0].1, "{shorter} {few}");
    }

    #[test]
    fn a_repeated_lesson_is_the_same() {
        let lesson = lesson(Learner::Gaussian);
        let name = lesson.to_string();
        assert!(name.starts_with("pp:prior=gaussian:0,learnt=own-") && name.ends_with("/third-1"), "{name}");
        let (caps, go) = (Caps::nodes(200), AtomicBool::new(false));
        let [first, second] = [(); 2].map(|()| lesson.train(&caps, &go).unwrap());
        assert!(first.len() > 100 && format!("{first:?}") == format!("{second:?}"));
        assert_eq!(lesson.train(&caps, &AtomicBool::new(true)).map(|known| known.len()), None);
    }
}
