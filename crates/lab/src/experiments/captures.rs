//! Paper 4: Go capture problems without knowledge (figure 4) and with priors learnt from solved trees (figure 8).

mod calibration;
mod claims;
mod learning;
mod lesson;
mod long;
mod problems;
mod proofs;
mod scatter;
mod solver;

pub use lesson::{Learner, Lesson, Source, Split};
pub use problems::{Problem, Set};
pub use solver::{CaptureSolver, Guided};

use super::known as named;
use crate::claim::{Judged, judge};
use crate::report::Block;
use crate::{About, Algorithm, Caps, Cell, Experiment, LabError, Mark, Record, Results, Scale};
use std::path::Path;
use std::sync::Arc;

/// Product propagation with all leaves ½.
pub const PLAIN: &str = "pp:prior=half";

/// The experiment, with its problems.
pub(super) struct Captures {
    own: Arc<Set>,
    given: Option<Arc<Set>>,
}

const NAME: &str = "captures";

const ABOUT: About = About {
    title: "Learning to solve Go capture problems (paper 4)",
    paper: "4: Stern, Herbrich and Graepel, Learning to Solve Game Trees (ICML 2007), §5, figures 4 and 8.",
    instances: "With `--problems DIR` the problems of GNU Go in that folder: those with a proof of capture by an independent prover that do not end in a ko; from the regression suite and from games. Otherwise, and always at smoke, the repository's own problems from random games, on 7x7 and 5x5. The \
        paper's problems (from Davies' Tesuji, and others) are not published.",
    solvers: "Captures proved: `pns`, `pp`, `ppt`, `dfpn`, `alphabeta` as they are by default. Learning: PP is `pp:prior=half`, PNS is `pns`; a learnt prior takes the place of ½ at every leaf, also in `dfpn` and `dfpp`. \
        The attacker plays in `zone=on`, where captures are proved for the whole board; for captures proved, `zone=threats` comes first, with a fifth of the limit. The small boards 5x5 have no zone. The liberty limit is raised from the target's liberties to three more (from 3 at least).",
    limits: "Captures proved: 30 s each at paper, 50,000 created nodes at quick, 2,500 at smoke; 1 GiB. Problems without a proof: `dfpn`, 10 s at paper; at quick the first 30, with 50,000 nodes. Figures 4 and 8: created nodes over all liberty limits of a problem, for training and test alike: 2,500 at smoke, 10,000 at quick; at paper 10,000,000 for the random third and 300,000 elsewhere. \
        At quick the test problems of the random third also have 100,000 nodes, those that a search leaves open 1,000,000, and those still open 10,000,000. Their priors are learnt from searches of 10,000. \
        The paper had 120 s. A limit caps every ratio: a problem that takes PNS the whole limit cannot be sped up by more than the limit over the fastest search. Limits of time, at paper, are wall-clock times, so other programs on the machine cost proofs.",
    counted: "A problem is solved if the capture is proved. Developed nodes are those whose children were made. Times are processor times of the searches with all their pattern matching; below about a millisecond they are mostly noise. Ratios are over problems that both ways solve, with 95 % bootstrap intervals; shares have Wilson's.",
    deviations: &[
        "Other problems, and limits of nodes in place of 120 s, so that what is learnt is the same everywhere.",
        "The zone: the paper speaks of all legal moves.",
        "That threats come first was chosen on GNU Go's proven captures themselves, the problems that are counted here.",
        "A ko is decided for the defender, who may also pass.",
        "Pattern keys also contain who moves and the target's liberties after the move; the target's whole chain is marked, where the paper marks the goal stone.",
        "A model is fitted anew whenever its table has grown by an eighth, not after every search; unsolved training problems are tried again at most twice. Chances are kept between 0.001 and 0.999.",
        "Ours learns only from searches that answer their question, and has a pattern once a move with it is solved. The paper learns after every search and has patterns from the expansion of a node on. Both are shown beside ours, the second for the Beta model, where a pattern without counts means ½; in the hierarchical model it means the same as the next smaller pattern.",
        "The hierarchical model is fitted by expectation propagation in three sweeps; the paper makes one pass over the data.",
        "The paper's hand-tuned prior of the hierarchical model is not given; ours is a pseudo-count of two moves for every largest pattern, one of them a proof: the best of 2, 10 and 50 on the third of seed 2, which shares problems with the tests here.",
        "Besides PNS, as in the paper, we compare with plain PP, and with PP by mobility, which has learnt nothing.",
        "Rulings made more cautious after rows had been seen: mean ratios that stay below the paper's (figure 8) are undecided below 10,000,000 nodes, because the limit caps them, where they were contradictions at first, and use the largest limit that all test problems have; that PP becomes faster at all is a claim of its own; and which model over-fits less is decided where most problems are newly failed, and by McNemar's exact test, where the plain counts of failures decided at first and called 3 against 0 a contradiction.",
    ],
    algorithms: &[
        Algorithm {
            name: "PP and PNS (algorithms 1 to 4)",
            mark: Mark::AsPrinted,
            words: "All leaves are ½, or pn = dn = 1.",
        },
        Algorithm {
            name: "Templates of patterns (figure 5)",
            mark: Mark::Differs,
            words: "Keys also contain who moves and the target's liberties, and the whole target chain is marked instead of one goal stone.",
        },
        Algorithm {
            name: "Beta model",
            mark: Mark::Choices,
            words: "Probabilities are kept between 0.001 and 0.999. Which searches and patterns are learnt from is a choice; the paper's is shown beside ours.",
        },
        Algorithm {
            name: "Hierarchical Gaussian model",
            mark: Mark::Differs,
            words: "Fitted by expectation propagation in three sweeps, variances by expectation maximisation; the paper makes one pass. Tests compare it with numerical integration.",
        },
    ],
};

/// The solvers that prove captures.
const SOLVERS: [&str; 5] = ["pns", "pp", "ppt", "dfpn", "alphabeta"];
/// The solver that examines problems without a proof.
const EXAMINER: &str = "dfpn";
/// Proof-number search.
const PNS: &str = "pns";
/// Product propagation by mobility.
const MOBILE: &str = "pp";

/// The depth-first searches that use a learnt prior, too, each with the same search without one.
const DEPTH_FIRST: [(Guided, &str); 2] = [(Guided::Dfpn, "dfpn"), (Guided::Dfpp, "dfpp")];
/// The model they use, which is the best one for PP.
const BEST: Learner = Learner::WeighedGaussian;
/// The models of the cross-validation.
const VALIDATED: [Learner; 2] = [Learner::Gaussian, Learner::WeighedGaussian];

/// Lessons that learn from more than answered searches, beside the same model that does not.
const ABLATIONS: [(Learner, Source); 3] = [
    (Learner::Beta, Source::EverySearch),
    (Learner::Beta, Source::Expanded),
    (Learner::Gaussian, Source::EverySearch),
];

fn cell(problem: &Problem, solver: CaptureSolver, caps: Caps) -> Cell {
    Cell::capture(NAME, &problem.game, &problem.position, solver, caps)
}

/// Part 1: the searches in which a solver tries to prove a capture, each only if those before have not: threats alone for a fifth of the
/// limit, then all moves near the target.
fn proof(problem: &Problem, solver: &str, scale: Scale) -> Vec<Cell> {
    let caps = |fifths: u64| {
        let timed = |millis| Caps { millis: Some(millis * fifths), ..Caps::default() }.bytes(1 << 30);
        scale.pick(Caps::nodes(500 * fifths), Caps::nodes(10_000 * fifths).bytes(1 << 30), timed(6_000))
    };
    let stage = |(zone, fifths): (&str, u64)| {
        let game = problem.game.replace("zone=on", zone);
        cell(&Problem { game, ..problem.clone() }, CaptureSolver::plain(named(solver)), caps(fifths))
    };
    if problem.game.ends_with("zone=on") {
        [("zone=threats", 1), ("zone=on", 4)].map(stage).to_vec()
    } else {
        vec![stage(("zone=off", 5))]
    }
}

/// Part 1: a problem without a proof.
fn opinion(problem: &Problem, scale: Scale) -> Cell {
    let timed = Caps::default().seconds(10);
    let caps = scale.pick(Caps::nodes(2_500), Caps::nodes(50_000), timed).bytes(1 << 30);
    cell(problem, CaptureSolver::plain(named(EXAMINER)), caps)
}

/// Part 2: the limits of a split, the same on every machine.
fn caps(split: Split, scale: Scale) -> Caps {
    match (scale, split) {
        (Scale::Smoke, _) => Caps::nodes(2_500),
        (Scale::Quick, _) => Caps::nodes(10_000),
        // Large ratios need large limits.
        (Scale::Paper, Split::Third) => Caps::nodes(10_000_000).bytes(4 << 30),
        (Scale::Paper, _) => Caps::nodes(300_000),
    }
}

/// Part 2: a solver without a learnt prior, with the limits of a split.
fn plain(problem: &Problem, solver: &str, split: Split, scale: Scale) -> Cell {
    cell(problem, CaptureSolver::plain(named(solver)), caps(split, scale))
}

/// The ways to divide problems that a scale shows.
fn splits(scale: Scale) -> &'static [Split] {
    const QUICK: [Split; 2] = [Split::Third, Split::Part(1)];
    scale.pick(&Split::SHOWN[..1], &QUICK, &Split::SHOWN)
}

/// Whether a split tests depth-first searches with a learnt prior: the third, at paper all folds, which test every problem.
fn guides_depth_first(split: Split, scale: Scale) -> bool {
    match scale {
        Scale::Smoke | Scale::Quick => split == Split::Third,
        Scale::Paper => matches!(split, Split::Fold(_)),
    }
}

/// A split in words: what is learnt from, and what is tested.
fn in_words(split: Split, set: &Set) -> String {
    match split {
        Split::Third => "Two thirds to learn from, the third drawn from seed 1 to test".to_owned(),
        Split::Part(test) => format!("Learnt from {}, tested on {}", set.parts[1 - test], set.parts[test]),
        Split::Fold(fold) => format!("Fold {} of five", fold + 1),
    }
}

impl Captures {
    /// The experiment with the problems of a folder, or with the repository's own.
    pub(super) fn new(problems: Option<&Path>) -> Result<Captures, LabError> {
        Ok(Captures { own: Set::own(), given: problems.map(Set::gnu_go).transpose()? })
    }

    /// The problems of a scale.
    fn set(&self, scale: Scale) -> &Arc<Set> {
        let given = self.given.as_ref().filter(|_| scale != Scale::Smoke);
        given.unwrap_or(&self.own)
    }

    /// Part 2: a search with a learnt prior.
    fn learnt(
        &self,
        problem: &Problem,
        split: Split,
        learner: Learner,
        guided: Guided,
        scale: Scale,
    ) -> Cell {
        let lesson = self.lesson(split, learner, guided, scale);
        cell(problem, CaptureSolver::learnt(lesson), caps(split, scale))
    }

    fn lesson(&self, split: Split, learner: Learner, guided: Guided, scale: Scale) -> Lesson {
        let (set, source, trained) = (self.set(scale).clone(), Source::Answered, None);
        Lesson { set, split, learner, guided, source, trained }
    }

    /// Part 2: PP with what was learnt from another source, on the third.
    fn learnt_from(&self, problem: &Problem, learner: Learner, source: Source, scale: Scale) -> Cell {
        let lesson = Lesson { source, ..self.lesson(Split::Third, learner, Guided::Pp, scale) };
        cell(problem, CaptureSolver::learnt(lesson), caps(Split::Third, scale))
    }

    /// Part 3: a search whose predictions about moves are compared with the answers.
    fn predicted(&self, problem: &Problem, learner: Learner, scale: Scale) -> Cell {
        let lesson = self.lesson(Split::Third, learner, Guided::Pp, scale);
        cell(problem, CaptureSolver::learnt(lesson).comparing(), caps(Split::Third, scale))
    }

    /// The lessons of a scale.
    fn lessons(&self, scale: Scale) -> Vec<(Split, Learner)> {
        let shown = splits(scale).iter().flat_map(|split| Learner::ALL.map(|learner| (*split, learner)));
        let folds = Split::FOLDS.iter().flat_map(|split| VALIDATED.map(|learner| (*split, learner)));
        // The model that is best for PP is validated at quick, both at paper.
        let validated = |(_, learner): &(Split, Learner)| {
            scale == Scale::Paper || (scale == Scale::Quick && *learner == BEST)
        };
        shown.chain(folds.filter(validated)).collect()
    }
}

impl Experiment for Captures {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn options(&self) -> &'static str {
        if self.given.is_some() { " --problems DIR" } else { "" }
    }

    fn claims(&self, scale: Scale, known: &Results) -> Vec<Judged> {
        judge(&claims::CLAIMS, self, scale, known)
    }

    fn cells(&self, scale: Scale, known: &Results) -> Vec<Cell> {
        let set = self.set(scale);
        let (mut cells, mut opinions) = (Vec::new(), Vec::new());
        for problem in &set.problems {
            match problem.proven {
                Some(_) => SOLVERS.iter().for_each(|solver| {
                    let stages = proof(problem, solver, scale);
                    let needed =
                        1 + stages.iter().take_while(|cell| known.get(cell).is_some_and(failed)).count();
                    cells.extend(stages.into_iter().take(needed));
                }),
                None => opinions.push(opinion(problem, scale)),
            }
        }
        opinions.truncate(scale.pick(usize::MAX, 30, usize::MAX));
        cells.extend(opinions);
        for problem in set.captures() {
            for split in [Split::Third, Split::Part(0)] {
                cells.extend([PNS, PLAIN, MOBILE].map(|solver| plain(problem, solver, split, scale)));
            }
        }
        cells.extend(long::cells(self, scale, known));
        let lessons = self.lessons(scale);
        // Two lessons at a time: two threads need not wait for each other, and a run that is continued has little to learn again.
        for pair in lessons.chunks(2) {
            let mut rows: Vec<(usize, Cell)> = Vec::new();
            for &(split, learner) in pair {
                for (nth, problem) in split.of(set).1.into_iter().enumerate() {
                    rows.push((nth, self.learnt(problem, split, learner, Guided::Pp, scale)));
                    if split == Split::Third {
                        rows.push((nth, self.predicted(problem, learner, scale)));
                    }
                    if guides_depth_first(split, scale) && learner == BEST {
                        for (guided, solver) in DEPTH_FIRST {
                            rows.push((nth, plain(problem, solver, split, scale)));
                            rows.push((nth, self.learnt(problem, split, learner, guided, scale)));
                        }
                    }
                }
            }
            rows.sort_by_key(|(nth, _)| *nth);
            cells.extend(rows.into_iter().map(|(_, cell)| cell));
        }
        for (learner, source) in ABLATIONS {
            let test = Split::Third.of(set).1;
            cells.extend(test.iter().map(|problem| self.learnt_from(problem, learner, source, scale)));
        }
        cells
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        let set = self.set(scale);
        let mut blocks =
            vec![Block::text(format!("**Problems.** This page is about {} (`{}`).", set.title, set.name))];
        blocks.extend(proofs::blocks(set, scale, known));
        blocks.extend(scatter::blocks(set, scale, known));
        blocks.extend(learning::blocks(self, scale, known));
        blocks.extend(calibration::blocks(self, scale, known));
        blocks
    }
}

/// Whether a capture was proved.
fn solved(record: &Record) -> bool {
    record.verdict == crate::Verdict::Proved
}

/// Whether something else should be tried.
fn failed(record: &Record) -> bool {
    !solved(record)
}
