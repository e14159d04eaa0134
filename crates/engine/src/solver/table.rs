//! The table of solvers. A solver is a row: name, parameters, description, source, and the function that runs it.

use super::{Driver, Method, Solver, SolverInfo, Task};
use crate::agent;
use crate::parameter::Kind::{Choice, ChoiceOrFile, Count, Number};
use crate::parameter::{Parameter, Settings};
use delphic_game::{Bounds, Force, Score};
use delphic_search::kernel::Expand;
use delphic_search::mcts::{self, Estimator, FinalMove, FirstVisits, Policy, SelectionTies, Solving};
use delphic_search::prior::Playouts;
use delphic_search::rule::{
    Counts, ExpectedWork, LinearProduct, MinSum, Product, Rates, Rule, Sum, Thresholds, Ties,
};
use delphic_search::{
    LeafPrior, Limits, Precision, Report, Searchable, Symmetry, depth_first, graph, jobs, kernel,
};

const fn parameter(name: &'static str, kind: crate::parameter::Kind, about: &'static str) -> Parameter {
    Parameter { name, kind, about }
}

const PRIOR: &str = "prior";
const SYMMETRY: &str = "symmetry";
const ABOUT_PRIOR: &str = "initial value of a leaf: constant (unit, half), from its number of legal moves, from the game's evaluation, or from learned patterns in a file";

const UNIT_OR_MOBILITY: Parameter = parameter(PRIOR, ChoiceOrFile(&["unit", "mobility"]), ABOUT_PRIOR);
const MOBILITY_OR_UNIT: Parameter = parameter(PRIOR, ChoiceOrFile(&["mobility", "unit"]), ABOUT_PRIOR);
const MOBILITY_OR_HALF: Parameter =
    parameter(PRIOR, ChoiceOrFile(&["mobility", "half", "eval"]), ABOUT_PRIOR);
const SUM: Parameter = parameter(
    "sum",
    Choice(&["plain", "weak"]),
    "how proof numbers are summed: plainly, or (weak) the largest plus one for each other child",
);
const TIES: Parameter = parameter(
    "ties",
    Choice(&["first", "last", "random", "split"]),
    "tie-breaking between equally good children; split: the last at OR nodes, the first at AND nodes",
);
const SELECTION_TIES: Parameter =
    parameter("ties", Choice(&["random", "first", "last", "split"]), TIES.about);
const FINAL: Parameter = parameter(
    "final",
    Choice(&["bound", "visits"]),
    "the final move of an unsolved root: the largest v + 1/√n, as in paper 3, or the most visited",
);
const SYMMETRY_OFF: Parameter =
    parameter(SYMMETRY, Choice(&["off", "on"]), "whether symmetric positions share one node or table entry");
const SYMMETRY_ON: Parameter = parameter(SYMMETRY, Choice(&["on", "off"]), SYMMETRY_OFF.about);
const PRECISION: Parameter = parameter(
    "precision",
    Number { default: 0.0, least: 0.0, closed: true, below: 0.5 },
    "precision rate: the distance of the root's probability from 0 or 1 at which it counts as an estimate; 0 demands a proof",
);
const STOP: Parameter =
    parameter("stop", Choice(&["on", "off"]), "whether the search stops at that estimate");
const THETA: Parameter = parameter(
    "theta",
    Number { default: 0.01, least: 0.0, closed: false, below: 0.5 },
    "replaces a playout success rate of 0; 1 − theta replaces 1",
);
const THETA_OR_ZERO: Parameter = parameter(
    "theta",
    Number { default: 0.01, least: 0.0, closed: true, below: 0.5 },
    "replaces a proof or disproof number of 0",
);
const C: Parameter = parameter(
    "c",
    Number { default: 1.414, least: 0.0, closed: true, below: 1e6 },
    "exploration constant, inside the square root",
);

const MOVES: Parameter =
    parameter("moves", Count { default: 0, least: 0 }, "random moves played before a new node is evaluated");

const JOB_SIZE: Parameter = parameter("size", Count { default: 20_000, least: 1 }, "node limit of a job");
const BELOW: Parameter = parameter("below", Choice(&["dfpn", "dfpp"]), "the solver of the jobs");

const fn playouts(default: u32) -> Parameter {
    parameter("playouts", Count { default, least: 1 }, "playouts at a new leaf")
}

const fn row(
    name: &'static str,
    parameters: &'static [Parameter],
    about: &'static str,
    source: &'static str,
    method: Method,
) -> SolverInfo {
    SolverInfo { name, parameters, about, source, method }
}

/// All solvers.
///
/// ```
/// use delphic_engine::SOLVERS;
///
/// let resumable: Vec<&str> = SOLVERS.iter().filter(|info| info.resumable()).map(|info| info.name).collect();
/// assert!(resumable.contains(&"dfpn") && !resumable.contains(&"brute"));
/// ```
#[rustfmt::skip]
pub static SOLVERS: &[SolverInfo] = &[
    row("auto", &[], "a portfolio chosen for the game; its members take turns, and the first proof ends the search", "Delphic", Method::Portfolio),
    row("pns", &[UNIT_OR_MOBILITY, TIES], "proof-number search: expands the most-proving node", "Allis et al. 1994; papers 1, 2, 3",
        Method::YesNo { driver: Driver::Tree, run: |task| tree(task, Expand::Plain, proof_numbers, prior) }),
    row("pnt", &[MOBILITY_OR_UNIT, SUM, TIES, SYMMETRY_OFF], "proof-number search with transpositions", "Schijf et al. 1994; paper 2, §4",
        Method::YesNo { driver: Driver::Graph, run: |task| shared(task, proof_numbers, prior) }),
    row("pn2", &[MOBILITY_OR_UNIT, TIES], "two-level proof-number search: a second search initialises the leaves", "Breuker 1998; paper 2, §4",
        Method::YesNo { driver: Driver::Tree, run: |task| tree(task, Expand::TwoLevel, proof_numbers, prior) }),
    row("dfpn", &[MOBILITY_OR_UNIT, SUM, SYMMETRY_ON], "depth-first proof-number search (df-pn) with a bounded transposition table", "Nagai 2002",
        Method::YesNo { driver: Driver::Table, run: |task| deep(task, proof_numbers, prior) }),
    row("mcpns", &[playouts(10), THETA_OR_ZERO, TIES], "Monte-Carlo proof-number search: proof numbers from playouts", "Saito et al. 2006; paper 3, §3.1",
        Method::YesNo { driver: Driver::Tree, run: |task| tree(task, Expand::Plain, rates, random_games) }),
    row("pp", &[MOBILITY_OR_HALF, PRECISION, STOP, TIES], "product propagation: backs up probabilities by products", "paper 2, §3",
        Method::YesNo { driver: Driver::Tree, run: |task| tree(task, Expand::Plain, tree_products, prior) }),
    row("ppt", &[MOBILITY_OR_HALF, PRECISION, STOP, TIES, SYMMETRY_OFF], "product propagation with transpositions", "paper 2, §4",
        Method::YesNo { driver: Driver::Graph, run: |task| shared(task, products, prior) }),
    row("pp2", &[MOBILITY_OR_HALF, PRECISION, STOP, TIES], "two-level product propagation", "paper 2, §3.2",
        Method::YesNo { driver: Driver::Tree, run: |task| tree(task, Expand::TwoLevel, tree_products, prior) }),
    row("dfpp", &[MOBILITY_OR_HALF, PRECISION, STOP, SYMMETRY_ON], "depth-first product propagation with a bounded transposition table", "future work of paper 2",
        Method::YesNo { driver: Driver::Table, run: |task| deep(task, products, prior) }),
    row("ppn", &[playouts(60), THETA, PRECISION, STOP, TIES], "probability-based proof-number search (PPN): product propagation with playouts at the leaves", "papers 1 and 3, §2",
        Method::YesNo { driver: Driver::Tree, run: |task| tree(task, Expand::Plain, products, random_games) }),
    row("ppnt", &[playouts(60), THETA, PRECISION, STOP, TIES, SYMMETRY_OFF], "PPN with transpositions", "Delphic",
        Method::YesNo { driver: Driver::Graph, run: |task| shared(task, products, random_games) }),
    row("dfppn", &[playouts(60), THETA, PRECISION, STOP, SYMMETRY_ON], "depth-first PPN with a bounded transposition table", "future work of paper 1",
        Method::YesNo { driver: Driver::Table, run: |task| deep(task, products, random_games) }),
    row("ews", &[playouts(1)], "expected work search: expands where a proof is expected to need the least work", "Randall et al. 2024",
        Method::YesNo { driver: Driver::Tree, run: |task| tree(task, Expand::Plain, |_| ExpectedWork::default(), effort) }),
    row("mcts", &[playouts(10), SELECTION_TIES, FINAL], "Monte-Carlo tree search with exact values backed up; selects the best mean, without exploration", "Winands et al. 2008; paper 3, §3.2",
        Method::Score(|task, score| monte_carlo(task, score, |_| Policy::Greedy, true))),
    row("uct", &[playouts(10), C, SELECTION_TIES, FINAL], "Monte-Carlo tree search with exact values backed up; selects by UCT", "Kocsis and Szepesvári 2006; paper 3, §3.2",
        Method::Score(|task, score| monte_carlo(task, score, uct, true))),
    row("mcts-e", &[C, MOVES, SELECTION_TIES, FINAL], "uct with the game's evaluation instead of playouts", "paper 2, §2",
        Method::Score(|task, score| monte_carlo(task, score, uct, false))),
    row("sb-mcts", agent::MCTS, "score-bounded Monte-Carlo tree search", "Cazenave and Saffidine 2010; paper 5, §3.4",
        Method::Score(|task, score| as_agent(task, score, "sb-mcts"))),
    row("pn-mcts", agent::PN_MCTS, "Monte-Carlo tree search that prefers moves with small proof numbers for the player of the question", "Kowalski et al. 2024; paper 5, §2.3",
        Method::Score(|task, score| as_agent(task, score, "pn-mcts"))),
    row("gpn-mcts", agent::GPN_MCTS, "score-bounded Monte-Carlo tree search that prefers moves with small proof numbers for the player to move", "paper 5, §3",
        Method::Score(|task, score| as_agent(task, score, "gpn-mcts"))),
    row("alphabeta", &[SYMMETRY_ON], "null-window alpha-beta with transposition table, killer moves and history", "paper 2, §4.2",
        Method::YesNo { driver: Driver::Table, run: |task| {
            let symmetry = symmetry(&task);
            task.position.alphabeta(task.question, symmetry, task.limits, task.observer)
        } }),
    row("jobs", &[JOB_SIZE, BELOW], "job-level proof-number search: leaves are depth-first searches, run in parallel by threads", "Wu et al. 2013",
        Method::YesNo { driver: Driver::Jobs, run: by_jobs }),
    row("retro", &[SYMMETRY_ON], "retrograde analysis of all reachable positions, also of games with cycles", "Thompson 1986",
        Method::Retrograde(|task, score| {
            let symmetry = symmetry(&task);
            task.position.retro(score, symmetry, task.limits, task.observer)
        })),
    row("brute", &[], "plain depth-first search that stores every position: the reference", "Delphic",
        Method::YesNo { driver: Driver::Reference, run: |task| task.position.brute(task.question, task.limits, task.observer) }),
];

/// Best-first over jobs.
fn by_jobs(task: Task<'_>) -> Report {
    let below: Solver = match task.settings.word("below") {
        "dfpp" => Solver::named("dfpp"),
        _ => Solver::named("dfpn"),
    };
    let run = |position: &dyn Searchable, question: Force, limits: Limits<'_>| {
        below.run(position, question, None, limits, task.seed, &mut ()).0
    };
    let size = u64::from(task.settings.count("size"));
    jobs::solve(task.position, task.question, size, &run, task.limits, task.observer)
}

/// Best-first over a tree.
fn tree<R: Rule>(
    task: Task<'_>,
    expand: Expand,
    rule: fn(&Task<'_>) -> R,
    prior: fn(&Task<'_>) -> LeafPrior,
) -> Report {
    let (rule, limits) = (rule(&task), limits(&task));
    kernel::solve(task.position.tree(task.question, prior(&task)), &rule, expand, limits, task.observer)
}

/// Best-first over a graph.
fn shared<R: Rule>(task: Task<'_>, rule: fn(&Task<'_>) -> R, prior: fn(&Task<'_>) -> LeafPrior) -> Report {
    let (rule, limits) = (rule(&task), limits(&task));
    let game = task.position.graph(task.question, prior(&task), symmetry(&task));
    graph::solve(game, &rule, limits, task.observer)
}

/// Depth-first with a table, which several workers may share.
fn deep<R: Thresholds + Sync>(
    task: Task<'_>,
    rule: fn(&Task<'_>) -> R,
    prior: fn(&Task<'_>) -> LeafPrior,
) -> Report {
    let (rule, limits) = (rule(&task), limits(&task));
    let (prior, symmetry, bytes) = (prior(&task), symmetry(&task), limits.table_bytes());
    let games = task.position.tables(task.question, prior, symmetry, bytes, limits.crew());
    depth_first::solve_together(games, &rule, limits, task.observer)
}

fn uct(settings: &Settings) -> Policy {
    Policy::Uct { c: settings.number("c") }
}

fn monte_carlo(
    task: Task<'_>,
    score: Score,
    policy: fn(&Settings) -> Policy,
    playouts: bool,
) -> Report<Bounds> {
    let settings = mcts::Settings {
        exploration: policy(task.settings).exploration(),
        estimator: match playouts {
            true => Estimator::Playouts { count: task.settings.count("playouts"), cut: None },
            false => Estimator::Evaluation { after: task.settings.count("moves") },
        },
        solving: Solving::Skip,
        bias: None,
        first_visits: FirstVisits::AtOnce,
        ties: match task.settings.word("ties") {
            "first" => SelectionTies::First,
            "last" => SelectionTies::Last,
            "split" => SelectionTies::Split,
            _ => SelectionTies::Random,
        },
        final_move: match task.settings.word("final") {
            "visits" => FinalMove::Visits,
            _ => FinalMove::Bound,
        },
    };
    mcts::solve(task.position, score, settings, task.limits, task.seed, task.observer)
}

/// The search of an agent, used as a solver. Score bounds are always on: without them there would be no proof.
fn as_agent(task: Task<'_>, score: Score, name: &'static str) -> Report<Bounds> {
    let mut settings = agent::search_settings(name, task.settings, score.player);
    if matches!(settings.solving, Solving::Off | Solving::Ludii) {
        settings.solving = Solving::Bounds;
    }
    mcts::solve(task.position, score, settings, task.limits, task.seed, task.observer)
}

fn proof_numbers(task: &Task<'_>) -> MinSum<Counts> {
    let sum = if task.settings.word("sum") == "weak" { Sum::Weak } else { Sum::Plain };
    MinSum { kind: Counts, sum, ties: ties(task) }
}

fn rates(task: &Task<'_>) -> MinSum<Rates> {
    let kind = Rates { theta: task.settings.number("theta") };
    MinSum { kind, sum: Sum::Plain, ties: ties(task) }
}

fn products(task: &Task<'_>) -> Product {
    let mut rule = Product::default();
    rule.ties = ties(task);
    // Only solvers with playouts have the parameter, and their minimum is 1.
    let theta = task.settings.number("theta");
    if theta > 0.0 {
        rule.theta = theta;
    }
    rule
}

/// For leaves by mobility. Products of rates of few random games are equal up to rounding so often that the two rules follow different children.
fn tree_products(task: &Task<'_>) -> LinearProduct {
    LinearProduct { ties: ties(task), ..LinearProduct::default() }
}

fn ties(task: &Task<'_>) -> Ties {
    match task.settings.word("ties") {
        "last" => Ties::Last,
        "split" => Ties::Split,
        // A random stream different from that of the playouts.
        "random" => Ties::random(delphic_game::mix(task.seed)),
        _ => Ties::First,
    }
}

fn symmetry(task: &Task<'_>) -> Symmetry {
    if task.settings.is_on(SYMMETRY) { Symmetry::On } else { Symmetry::Off }
}

fn limits<'a>(task: &Task<'a>) -> Limits<'a> {
    let rate = task.settings.number("precision");
    let precision = (rate > 0.0).then(|| Precision { rate, stop: task.settings.is_on("stop") });
    Limits { precision, ..task.limits }
}

/// The prior given by name, or the one that replaces it.
fn prior(task: &Task<'_>) -> LeafPrior {
    task.prior.clone().unwrap_or(match task.settings.word(PRIOR) {
        "mobility" => LeafPrior::Mobility,
        "eval" => LeafPrior::Evaluation,
        _ => LeafPrior::Uniform,
    })
}

fn random_games(task: &Task<'_>) -> LeafPrior {
    LeafPrior::Playouts(playouts_of(task))
}

fn effort(task: &Task<'_>) -> LeafPrior {
    LeafPrior::Effort(playouts_of(task))
}

fn playouts_of(task: &Task<'_>) -> Playouts {
    Playouts::new(task.settings.count("playouts"), task.seed).on_threads(task.limits.threads)
}

/// The defaults of a solver in the table.
pub(super) fn defaults(info: &'static SolverInfo) -> Settings {
    Settings::defaults(info.parameters)
}
