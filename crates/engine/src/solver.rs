//! Solvers by name: a way to guide the search, and a way to walk.

use crate::Knowledge;
use delphic_game::spec::unknown;
use delphic_game::{Asked, Bounds, Force, Gate, Hints, Progressive, Score, Spec, SpecError, Verdict};
use delphic_search::dag::Symmetry;
use delphic_search::kernel::Expand;
use delphic_search::mcts::{Estimator, Policy};
use delphic_search::prior::{Leaf, Playouts};
use delphic_search::rule::{Counts, ExpectedWork, MinSum, Product, Rates, Sum, Thresholds, Ties};
use delphic_search::{Limits, Observer, Precision, Report, alphabeta, brute, dag, depth_first, kernel, mcts};
use std::fmt;

/// A solver in the list.
#[derive(Clone, Copy, Debug)]
pub struct SolverInfo {
    /// Its name.
    pub name: &'static str,
    /// Its parameters with their defaults.
    pub parameters: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

pub(crate) const fn info(
    name: &'static str,
    parameters: &'static str,
    about: &'static str,
    source: &'static str,
) -> SolverInfo {
    SolverInfo { name, parameters, about, source }
}

/// Every solver there is.
#[rustfmt::skip]
pub const SOLVERS: &[SolverInfo] = &[
    info("auto", "", "a portfolio chosen for the game and raced on the threads there are; the first proof wins", ""),
    info("pns", "prior=unit|mobility|FILE", "proof-number search: least number of leaves to prove or disprove", "Allis et al. 1994; papers 1, 2, 3"),
    info("pnt", "prior=mobility|unit|FILE,sum=plain|weak,symmetry=off|on", "proof-number search with transpositions", "Schijf et al. 1994; paper 2, §4"),
    info("pn2", "prior=mobility|unit|FILE", "two-level proof-number search: leaves are valued by a second search", "Breuker 1998; paper 2, §4"),
    info("dfpn", "prior=mobility|unit|FILE,sum=plain|weak,symmetry=on|off", "depth-first proof-number search with a table of bounded size", "Nagai 2002"),
    info("mcpns", "playouts=10,theta=0.01", "Monte-Carlo proof-number search: proof numbers from random games", "Saito et al. 2006; paper 3, §3.1"),
    info("pp", "prior=mobility|half|eval|FILE,precision=0,stop=on|off,ties=first|split", "product propagation: probabilities multiply, leaves by mobility", "paper 2, §3"),
    info("ppt", "prior=mobility|half|eval|FILE,precision=0,stop=on|off,ties=first|split,symmetry=off|on", "product propagation with transpositions", "paper 2, §4"),
    info("pp2", "prior=mobility|half|eval|FILE,precision=0,stop=on|off,ties=first|split", "two-level product propagation", "paper 2, §3.2"),
    info("dfpp", "prior=mobility|half|eval|FILE,precision=0,stop=on|off,symmetry=on|off", "depth-first product propagation with a table of bounded size", "future work of paper 2"),
    info("ppn", "playouts=60,theta=0.01,precision=0,stop=on|off", "probability-based proof-number search: products with random games at the leaves", "papers 1 and 3, §2"),
    info("ppnt", "playouts=60,theta=0.01,precision=0,stop=on|off,symmetry=off|on", "the same with transpositions", "ours"),
    info("dfppn", "playouts=60,theta=0.01,precision=0,stop=on|off,symmetry=on|off", "the same depth-first with a table of bounded size", "future work of paper 1"),
    info("ews", "playouts=1", "expected work search: first where a proof is expected to be cheap", "Randall et al. 2024"),
    info("mcts", "playouts=10", "pure Monte-Carlo tree search that proves: the child with the best mean", "Winands et al. 2008; paper 3, §3.2"),
    info("uct", "playouts=10,c=1.414", "the same with exploration", "Kocsis and Szepesvári 2006; paper 3, §3.2"),
    info("mcts-e", "c=1.414", "the same with the game's evaluation instead of playouts", "paper 2, §2"),
    info("alphabeta", "symmetry=on|off", "null-window alpha-beta with table, killers, history", "paper 2, §4.2"),
    info("brute", "", "plain depth-first search over a table of all positions: the reference", ""),
];

/// What a leaf is valued by, apart from playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafPrior {
    /// All leaves alike.
    Even,
    /// The number of legal moves.
    Mobility,
    /// The game's own evaluation.
    Evaluation,
    /// Patterns learnt from solved positions.
    Learned(&'static Knowledge),
}

/// What guides a search: a rule with its source of evidence.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Guide {
    ProofNumbers { prior: LeafPrior, sum: Sum },
    MonteCarloProofNumbers { playouts: u32, theta: f64 },
    Products { prior: LeafPrior, precision: Option<Precision>, ties: Ties },
    MonteCarloProducts { playouts: u32, theta: f64, precision: Option<Precision> },
    ExpectedWork { playouts: u32 },
}

/// How a guided search walks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Walk {
    /// Best-first over a tree.
    Tree,
    /// The same with a second search at the leaves.
    TwoLevel,
    /// Best-first over a graph in which positions are shared.
    Dag(Symmetry),
    /// Depth-first with thresholds and a table.
    DepthFirst(Symmetry),
}

/// A solver with its parameters. `Display` writes the full spec, all parameters included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Solver {
    /// Races a portfolio of the others.
    Auto,
    /// One of the guided searches.
    Guided(Guide, Walk),
    /// Monte-Carlo tree search; without playouts it asks the game's evaluation.
    MonteCarlo(Policy, Option<u32>),
    /// Null-window alpha-beta.
    AlphaBeta(Symmetry),
    /// The reference.
    Brute,
}

impl std::str::FromStr for Solver {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Solver, SpecError> {
        let mut spec = Spec::parse(text);
        let name = spec.name().to_ascii_lowercase();
        let Some(info) = SOLVERS.iter().find(|info| info.name == name) else {
            return Err(unknown("solver", &name, SOLVERS.iter().map(|info| info.name)));
        };
        let solver = match name.as_str() {
            "auto" => Solver::Auto,
            "brute" => Solver::Brute,
            "alphabeta" => Solver::AlphaBeta(take_symmetry(&mut spec, Symmetry::On)?),
            "mcpns" => {
                let (playouts, theta) = (take_playouts(&mut spec, 10)?, take_theta(&mut spec, 0.0)?);
                Solver::Guided(Guide::MonteCarloProofNumbers { playouts, theta }, Walk::Tree)
            }
            "ews" => {
                let playouts = take_playouts(&mut spec, 1)?;
                Solver::Guided(Guide::ExpectedWork { playouts }, Walk::Tree)
            }
            "mcts" => Solver::MonteCarlo(Policy::Greedy, Some(take_playouts(&mut spec, 10)?)),
            "uct" => {
                let playouts = take_playouts(&mut spec, 10)?;
                Solver::MonteCarlo(take_exploration(&mut spec)?, Some(playouts))
            }
            "mcts-e" => Solver::MonteCarlo(take_exploration(&mut spec)?, None),
            guided => {
                // The rest are the three families in the three walks: pns, pnt, dfpn and so on.
                let walk = if guided.starts_with("df") {
                    Walk::DepthFirst(take_symmetry(&mut spec, Symmetry::On)?)
                } else if guided.ends_with('t') {
                    Walk::Dag(take_symmetry(&mut spec, Symmetry::Off)?)
                } else if guided.ends_with('2') {
                    Walk::TwoLevel
                } else {
                    Walk::Tree
                };
                let guide = match guided {
                    "pns" | "pn2" | "pnt" | "dfpn" => {
                        let default = if guided == "pns" { LeafPrior::Even } else { LeafPrior::Mobility };
                        let prior = take_prior(&mut spec, "unit", default)?;
                        let shared = matches!(walk, Walk::Dag(_) | Walk::DepthFirst(_));
                        Guide::ProofNumbers { prior, sum: take_sum(&mut spec, shared)? }
                    }
                    "pp" | "ppt" | "pp2" | "dfpp" => Guide::Products {
                        prior: take_prior(&mut spec, "half", LeafPrior::Mobility)?,
                        precision: take_precision(&mut spec)?,
                        ties: take_ties(&mut spec, walk)?,
                    },
                    _ => Guide::MonteCarloProducts {
                        playouts: take_playouts(&mut spec, 60)?,
                        theta: take_theta(&mut spec, f64::MIN_POSITIVE)?,
                        precision: take_precision(&mut spec)?,
                    },
                };
                Solver::Guided(guide, walk)
            }
        };
        spec.finish(if info.parameters.is_empty() { "no parameter" } else { info.parameters })?;
        Ok(solver)
    }
}

fn take_prior(spec: &mut Spec, even: &str, default: LeafPrior) -> Result<LeafPrior, SpecError> {
    match spec.text("prior").as_deref() {
        None => Ok(default),
        Some("mobility") => Ok(LeafPrior::Mobility),
        Some("eval") if even == "half" => Ok(LeafPrior::Evaluation),
        Some(name) if name == even => Ok(LeafPrior::Even),
        Some(path) if std::path::Path::new(path).exists() => {
            let known = Knowledge::of(path).map_err(|error| spec.impossible(format!("{path}: {error}")))?;
            Ok(LeafPrior::Learned(known))
        }
        // A name with an ending or a folder was meant as a file.
        Some(path) if path.contains(['.', '/']) => {
            Err(spec.impossible(format!("'prior={path}': there is no such file; `delphic learn` makes one")))
        }
        Some(name) => {
            let eval = if even == "half" { ", eval" } else { "" };
            Err(spec.impossible(format!(
                "'prior={name}' is unknown; expected {even}, mobility{eval} or a file of `delphic learn`"
            )))
        }
    }
}

fn take_symmetry(spec: &mut Spec, default: Symmetry) -> Result<Symmetry, SpecError> {
    let on = spec.switch("symmetry", default == Symmetry::On)?;
    Ok(if on { Symmetry::On } else { Symmetry::Off })
}

/// Only where positions are shared can anything be counted twice.
fn take_sum(spec: &mut Spec, shared: bool) -> Result<Sum, SpecError> {
    if !shared {
        return Ok(Sum::Plain);
    }
    match spec.text("sum").as_deref() {
        None | Some("plain") => Ok(Sum::Plain),
        Some("weak") => Ok(Sum::Weak),
        Some(word) => Err(spec.impossible(format!("'sum={word}' is neither plain nor weak"))),
    }
}

/// Depth-first search stays with a child as long as its threshold allows, whoever else is as likely.
fn take_ties(spec: &mut Spec, walk: Walk) -> Result<Ties, SpecError> {
    if matches!(walk, Walk::DepthFirst(_)) {
        return Ok(Ties::First);
    }
    match spec.text("ties").as_deref() {
        None | Some("first") => Ok(Ties::First),
        Some("split") => Ok(Ties::Split),
        Some(word) => Err(spec.impossible(format!("'ties={word}' is neither first nor split"))),
    }
}

fn take_exploration(spec: &mut Spec) -> Result<Policy, SpecError> {
    let c = spec.number("c", 1.414)?;
    if (0.0..=1e6).contains(&c) {
        Ok(Policy::Uct { c })
    } else {
        Err(spec.impossible("c= is between 0 and 1000000"))
    }
}

/// A rate of 0 asks for proofs alone.
fn take_precision(spec: &mut Spec) -> Result<Option<Precision>, SpecError> {
    let (rate, stop) = (spec.number("precision", 0.0)?, spec.switch("stop", true)?);
    match rate {
        0.0 => Ok(None),
        _ if rate > 0.0 && rate < 0.5 => Ok(Some(Precision { rate, stop })),
        _ => Err(spec.impossible("precision= is between 0 and 0.5")),
    }
}

pub(crate) fn take_playouts(spec: &mut Spec, default: u32) -> Result<u32, SpecError> {
    match spec.number("playouts", default)? {
        0 => Err(spec.impossible("playouts= is at least 1")),
        playouts => Ok(playouts),
    }
}

/// θ from `least` up to one half. Probabilities cannot be 0, proof numbers can.
fn take_theta(spec: &mut Spec, least: f64) -> Result<f64, SpecError> {
    let theta = spec.number("theta", Product::default().theta)?;
    if theta >= least && theta < 0.5 {
        Ok(theta)
    } else {
        Err(spec.impossible("theta= is between 0 and 0.5"))
    }
}

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on_off = |symmetry: Symmetry| if symmetry == Symmetry::On { "on" } else { "off" };
        let (guide, walk) = match *self {
            Solver::Auto => return f.write_str("auto"),
            Solver::Brute => return f.write_str("brute"),
            Solver::AlphaBeta(symmetry) => return write!(f, "alphabeta:symmetry={}", on_off(symmetry)),
            Solver::MonteCarlo(policy, playouts) => return write_monte_carlo(f, policy, playouts),
            Solver::Guided(guide, walk) => (guide, walk),
        };
        let [tree, two_level, graph, deep] = match guide {
            Guide::ProofNumbers { .. } => ["pns", "pn2", "pnt", "dfpn"],
            Guide::MonteCarloProofNumbers { .. } => ["mcpns"; 4],
            Guide::Products { .. } => ["pp", "pp2", "ppt", "dfpp"],
            Guide::MonteCarloProducts { .. } => ["ppn", "ppn2", "ppnt", "dfppn"],
            Guide::ExpectedWork { .. } => ["ews"; 4],
        };
        let (name, symmetry) = match walk {
            Walk::Tree => (tree, None),
            Walk::TwoLevel => (two_level, None),
            Walk::Dag(symmetry) => (graph, Some(symmetry)),
            Walk::DepthFirst(symmetry) => (deep, Some(symmetry)),
        };
        write!(f, "{name}:")?;
        match guide {
            Guide::ProofNumbers { prior, sum } => {
                write!(f, "prior={}", prior.name("unit"))?;
                if symmetry.is_some() {
                    f.write_str(if sum == Sum::Weak { ",sum=weak" } else { ",sum=plain" })?;
                }
            }
            Guide::Products { prior, precision, ties } => {
                write!(f, "prior={}", prior.name("half"))?;
                write_precision(f, precision)?;
                if ties == Ties::Split {
                    f.write_str(",ties=split")?;
                }
            }
            Guide::MonteCarloProofNumbers { playouts, theta } => {
                write!(f, "playouts={playouts},theta={theta}")?;
            }
            Guide::MonteCarloProducts { playouts, theta, precision } => {
                write!(f, "playouts={playouts},theta={theta}")?;
                write_precision(f, precision)?;
            }
            Guide::ExpectedWork { playouts } => write!(f, "playouts={playouts}")?,
        }
        symmetry.map_or(Ok(()), |symmetry| write!(f, ",symmetry={}", on_off(symmetry)))
    }
}

fn write_precision(f: &mut fmt::Formatter<'_>, precision: Option<Precision>) -> fmt::Result {
    match precision {
        None => f.write_str(",precision=0"),
        Some(Precision { rate, stop }) => {
            write!(f, ",precision={rate},stop={}", if stop { "on" } else { "off" })
        }
    }
}

fn write_monte_carlo(f: &mut fmt::Formatter<'_>, policy: Policy, playouts: Option<u32>) -> fmt::Result {
    match (policy, playouts) {
        (Policy::Greedy, None) => f.write_str("mcts-e:c=0"),
        (Policy::Greedy, Some(playouts)) => write!(f, "mcts:playouts={playouts}"),
        (Policy::Uct { c }, None) => write!(f, "mcts-e:c={c}"),
        (Policy::Uct { c }, Some(playouts)) => write!(f, "uct:playouts={playouts},c={c}"),
    }
}

impl LeafPrior {
    fn leaf<G: Hints>(self, game: &G) -> Leaf {
        match self {
            LeafPrior::Even => Leaf::Even,
            LeafPrior::Mobility => Leaf::Mobility,
            LeafPrior::Evaluation => Leaf::Evaluation,
            LeafPrior::Learned(known) => known.leaf(game),
        }
    }

    fn name(self, even: &'static str) -> &'static str {
        match self {
            LeafPrior::Even => even,
            LeafPrior::Mobility => "mobility",
            LeafPrior::Evaluation => "eval",
            LeafPrior::Learned(known) => known.path(),
        }
    }
}

/// What a game must be for all solvers: positions do not repeat, and threads may share it.
pub trait Solvable: Progressive + Hints + Sync {}

impl<G: Progressive + Hints + Sync> Solvable for G {}

/// What a solver reports about a question asked about a game.
pub type Answered<'g, G> = Report<Asked<'g, G, Force>>;

impl Solver {
    /// Asks one yes/no question about a game of any type, your own ones included. The report comes with the name of whoever
    /// searched, which matters for [`Solver::Auto`].
    pub fn run<'g, G: Solvable>(
        &self,
        problem: &Asked<'g, G, Force>,
        limits: Limits<'_>,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> (Answered<'g, G>, Solver) {
        self.run_with(None, problem, limits, seed, observer)
    }

    /// The same with another prior in place of its own, if it has one.
    pub(crate) fn run_with<'g, G: Solvable>(
        &self,
        leaf: Option<Leaf>,
        problem: &Asked<'g, G, Force>,
        limits: Limits<'_>,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> (Answered<'g, G>, Solver) {
        let leaf = |prior: LeafPrior| leaf.clone().unwrap_or_else(|| prior.leaf(problem.game));
        let foreseen = problem.foreseen();
        let report = match *self {
            Solver::Auto => return crate::auto::race(problem, limits, seed, observer),
            Solver::AlphaBeta(symmetry) => alphabeta::solve(&foreseen, symmetry, limits, observer),
            Solver::Brute => brute::solve(problem, limits, observer),
            Solver::MonteCarlo(..) => {
                // A yes/no question is one about a score of two values.
                let Force { player, at_least } = problem.question;
                let range = Bounds { lo: at_least - 1, hi: at_least };
                let score = Asked::new(problem.game, Score { player, range }, problem.position.clone());
                let found = self.score(&score, limits, seed, observer);
                let Some(found) = found else { unreachable!("Monte-Carlo tree search finds scores") };
                let truth = match found.truth {
                    Bounds { lo, hi } if lo == hi => Verdict::of(lo == at_least),
                    _ => Verdict::Open,
                };
                let Report { stop, stats, hope, estimate, line, .. } = found;
                Report { truth, stop, stats, hope, estimate, line, memory: None }
            }
            Solver::Guided(guide, walk) => {
                let problem = if matches!(walk, Walk::DepthFirst(_)) { &foreseen } else { problem };
                let playouts = |per_leaf| Leaf::Playouts(Playouts::new(per_leaf, seed));
                match guide {
                    Guide::ProofNumbers { prior, sum } => {
                        walk.search(problem, MinSum { kind: Counts, sum }, leaf(prior), limits, observer)
                    }
                    Guide::Products { prior, precision, ties } => {
                        let (limits, rule) =
                            (Limits { precision, ..limits }, Product { ties, ..Product::default() });
                        walk.search(problem, rule, leaf(prior), limits, observer)
                    }
                    Guide::MonteCarloProducts { playouts: n, theta, precision } => {
                        let (limits, rule) =
                            (Limits { precision, ..limits }, Product { theta, ..Product::default() });
                        walk.search(problem, rule, playouts(n), limits, observer)
                    }
                    Guide::MonteCarloProofNumbers { playouts: n, theta } => {
                        let rule = MinSum { kind: Rates { theta }, sum: Sum::Plain };
                        kernel::solve(problem, rule, playouts(n), Expand::Plain, limits, observer)
                    }
                    Guide::ExpectedWork { playouts: n } => {
                        let leaf = Leaf::Effort(Playouts::new(n, seed));
                        kernel::solve(problem, ExpectedWork::default(), leaf, Expand::Plain, limits, observer)
                    }
                }
            }
        };
        (report, *self)
    }

    /// The patterns it goes by, if any.
    pub(crate) fn learnt(&self) -> Option<&'static Knowledge> {
        match self {
            Solver::Guided(Guide::ProofNumbers { prior, .. } | Guide::Products { prior, .. }, _) => {
                match prior {
                    LeafPrior::Learned(known) => Some(known),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Finds a score in one search, if this solver can.
    pub(crate) fn score<'g, G: Solvable>(
        &self,
        asked: &Asked<'g, G, Score>,
        limits: Limits<'_>,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Option<Report<Asked<'g, G, Score>>> {
        let Solver::MonteCarlo(policy, playouts) = *self else { return None };
        let estimator = match playouts {
            Some(count) => Estimator::Playouts { count, cut: None },
            None => Estimator::Evaluation,
        };
        Some(mcts::solve(asked, policy, estimator, limits, seed, observer))
    }
}

impl Walk {
    fn search<'g, G: Progressive + Hints, R: Thresholds<Role = Gate>>(
        self,
        problem: &Asked<'g, G, Force>,
        rule: R,
        leaf: Leaf,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Answered<'g, G> {
        match self {
            Walk::Tree => kernel::solve(problem, rule, leaf, Expand::Plain, limits, observer),
            Walk::TwoLevel => kernel::solve(problem, rule, leaf, Expand::TwoLevel, limits, observer),
            Walk::Dag(symmetry) => dag::solve(problem, rule, leaf, symmetry, limits, observer),
            Walk::DepthFirst(symmetry) => depth_first::solve(problem, rule, leaf, symmetry, limits, observer),
        }
    }
}
