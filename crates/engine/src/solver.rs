//! Solvers by name: a way to guide the search, and a way to walk.

use delphic_game::spec::unknown;
use delphic_game::{Asked, Force, Gate, Hints, Progressive, Spec, SpecError, Verdict};
use delphic_search::dag::Symmetry;
use delphic_search::kernel::Expand;
use delphic_search::prior::{Leaf, Playouts};
use delphic_search::rule::{Counts, MinSum, Product, Rates, Thresholds};
use delphic_search::{Limits, Observer, Report, alphabeta, brute, dag, depth_first, kernel};
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

const fn info(
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
    info("pns", "prior=unit|mobility", "proof-number search: least number of leaves to prove or disprove", "Allis et al. 1994; papers 1, 2, 3"),
    info("pnt", "prior=mobility|unit,symmetry=off|on", "proof-number search with transpositions", "Schijf et al. 1994; paper 2, §4"),
    info("pn2", "prior=mobility|unit", "two-level proof-number search: leaves are valued by a second search", "Breuker 1998; paper 2, §4"),
    info("dfpn", "prior=mobility|unit,symmetry=on|off", "depth-first proof-number search with a table of bounded size", "Nagai 2002"),
    info("mcpns", "playouts=10,theta=0.01", "Monte-Carlo proof-number search: proof numbers from random games", "Saito et al. 2006; paper 3, §3.1"),
    info("pp", "prior=mobility|half|eval", "product propagation: probabilities multiply, leaves by mobility", "paper 2, §3"),
    info("ppt", "prior=mobility|half|eval,symmetry=off|on", "product propagation with transpositions", "paper 2, §4"),
    info("pp2", "prior=mobility|half|eval", "two-level product propagation", "paper 2, §3.2"),
    info("dfpp", "prior=mobility|half|eval,symmetry=on|off", "depth-first product propagation with a table of bounded size", "future work of paper 2"),
    info("ppn", "playouts=60,theta=0.01", "probability-based proof-number search: products with random games at the leaves", "papers 1 and 3, §2"),
    info("ppnt", "playouts=60,theta=0.01,symmetry=off|on", "the same with transpositions", "ours"),
    info("dfppn", "playouts=60,theta=0.01,symmetry=on|off", "the same depth-first with a table of bounded size", "future work of paper 1"),
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
}

/// What guides a search: a rule with its source of evidence.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Guide {
    ProofNumbers { prior: LeafPrior },
    MonteCarloProofNumbers { playouts: u32, theta: f64 },
    Products { prior: LeafPrior },
    MonteCarloProducts { playouts: u32, theta: f64 },
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
    /// Null-window alpha-beta.
    AlphaBeta(Symmetry),
    /// The reference.
    Brute,
}

impl std::str::FromStr for Solver {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Solver, SpecError> {
        let mut spec = Spec::parse(text);
        let name = spec.name().to_owned();
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
                    "pns" => Guide::ProofNumbers { prior: take_prior(&mut spec, "unit", LeafPrior::Even)? },
                    "pnt" | "pn2" | "dfpn" => {
                        Guide::ProofNumbers { prior: take_prior(&mut spec, "unit", LeafPrior::Mobility)? }
                    }
                    "pp" | "ppt" | "pp2" | "dfpp" => {
                        Guide::Products { prior: take_prior(&mut spec, "half", LeafPrior::Mobility)? }
                    }
                    _ => Guide::MonteCarloProducts {
                        playouts: take_playouts(&mut spec, 60)?,
                        theta: take_theta(&mut spec, f64::MIN_POSITIVE)?,
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
        // Whole proof numbers have no room for a chance.
        Some("eval") if even == "half" => Ok(LeafPrior::Evaluation),
        Some(name) if name == even => Ok(LeafPrior::Even),
        Some(name) => {
            let eval = if even == "half" { ", eval" } else { "" };
            Err(spec.impossible(format!("'prior={name}' is unknown; expected {even}, mobility{eval}")))
        }
    }
}

fn take_symmetry(spec: &mut Spec, default: Symmetry) -> Result<Symmetry, SpecError> {
    match spec.text("symmetry").as_deref() {
        None => Ok(default),
        Some("on") => Ok(Symmetry::On),
        Some("off") => Ok(Symmetry::Off),
        Some(word) => Err(spec.impossible(format!("'symmetry={word}' is neither on nor off"))),
    }
}

fn take_playouts(spec: &mut Spec, default: u32) -> Result<u32, SpecError> {
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
            Solver::Guided(guide, walk) => (guide, walk),
        };
        let [tree, two_level, graph, deep] = match guide {
            Guide::ProofNumbers { .. } => ["pns", "pn2", "pnt", "dfpn"],
            Guide::MonteCarloProofNumbers { .. } => ["mcpns"; 4],
            Guide::Products { .. } => ["pp", "pp2", "ppt", "dfpp"],
            Guide::MonteCarloProducts { .. } => ["ppn", "ppn2", "ppnt", "dfppn"],
        };
        let (name, symmetry) = match walk {
            Walk::Tree => (tree, None),
            Walk::TwoLevel => (two_level, None),
            Walk::Dag(symmetry) => (graph, Some(symmetry)),
            Walk::DepthFirst(symmetry) => (deep, Some(symmetry)),
        };
        write!(f, "{name}:")?;
        match guide {
            Guide::ProofNumbers { prior } => write!(f, "prior={}", prior.name("unit"))?,
            Guide::Products { prior } => write!(f, "prior={}", prior.name("half"))?,
            Guide::MonteCarloProofNumbers { playouts, theta }
            | Guide::MonteCarloProducts { playouts, theta } => {
                write!(f, "playouts={playouts},theta={theta}")?;
            }
        }
        symmetry.map_or(Ok(()), |symmetry| write!(f, ",symmetry={}", on_off(symmetry)))
    }
}

impl LeafPrior {
    fn leaf(self) -> Leaf {
        match self {
            LeafPrior::Even => Leaf::Even,
            LeafPrior::Mobility => Leaf::Mobility,
            LeafPrior::Evaluation => Leaf::Evaluation,
        }
    }

    fn name(self, even: &'static str) -> &'static str {
        match self {
            LeafPrior::Even => even,
            LeafPrior::Mobility => "mobility",
            LeafPrior::Evaluation => "eval",
        }
    }
}

/// What a game must be for all solvers: positions do not repeat, and threads may share it.
pub trait Solvable: Progressive<State: Send + Sync, Move: Send> + Hints + Sync {}

impl<G: Progressive<State: Send + Sync, Move: Send> + Hints + Sync> Solvable for G {}

impl Solver {
    /// Asks one yes/no question about a game of any type, your own ones included. The report comes with the name of whoever
    /// searched, which matters for [`Solver::Auto`].
    pub fn run<G: Solvable>(
        &self,
        problem: &Asked<'_, G, Force>,
        limits: Limits<'_>,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> (Report<Verdict, G::Move>, Solver) {
        let foreseen = Asked { foresight: true, position: problem.position.clone(), ..*problem };
        let report = match *self {
            Solver::Auto => return crate::auto::race(problem, limits, seed, observer),
            Solver::AlphaBeta(symmetry) => alphabeta::solve(&foreseen, symmetry, limits, observer),
            Solver::Brute => brute::solve(problem, limits, observer),
            Solver::Guided(guide, walk) => {
                let problem = if matches!(walk, Walk::DepthFirst(_)) { &foreseen } else { problem };
                let playouts = |per_leaf| Leaf::Playouts(Playouts::new(per_leaf, seed));
                match guide {
                    Guide::ProofNumbers { prior } => {
                        walk.search(problem, MinSum(Counts), prior.leaf(), limits, observer)
                    }
                    Guide::Products { prior } => {
                        walk.search(problem, Product::default(), prior.leaf(), limits, observer)
                    }
                    Guide::MonteCarloProducts { playouts: n, theta } => {
                        walk.search(problem, Product { theta }, playouts(n), limits, observer)
                    }
                    Guide::MonteCarloProofNumbers { playouts: n, theta } => kernel::solve(
                        problem,
                        MinSum(Rates { theta }),
                        playouts(n),
                        Expand::Plain,
                        limits,
                        observer,
                    ),
                }
            }
        };
        (report, *self)
    }
}

impl Walk {
    fn search<G: Progressive + Hints, R: Thresholds<Role = Gate>>(
        self,
        problem: &Asked<'_, G, Force>,
        rule: R,
        leaf: Leaf,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Report<Verdict, G::Move> {
        match self {
            Walk::Tree => kernel::solve(problem, rule, leaf, Expand::Plain, limits, observer),
            Walk::TwoLevel => kernel::solve(problem, rule, leaf, Expand::TwoLevel, limits, observer),
            Walk::Dag(symmetry) => dag::solve(problem, rule, leaf, symmetry, limits, observer),
            Walk::DepthFirst(symmetry) => depth_first::solve(problem, rule, leaf, symmetry, limits, observer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_solver_parses_and_prints_its_full_name() {
        for info in SOLVERS {
            let solver: Solver = info.name.parse().unwrap();
            assert_eq!(solver.to_string().parse(), Ok(solver));
            assert_eq!(solver.to_string().split(':').next(), Some(info.name));
        }
        assert_eq!("ppn:theta=0.001".parse::<Solver>().unwrap().to_string(), "ppn:playouts=60,theta=0.001");
    }

    #[test]
    fn wrong_parameters_are_explained() {
        for (text, message) in [
            ("pnss", "unknown solver 'pnss' (did you mean 'pns'?); `delphic solvers` lists them"),
            ("pp:prior=guess", "pp: 'prior=guess' is unknown; expected half, mobility, eval"),
            ("pns:prior=eval", "pns: 'prior=eval' is unknown; expected unit, mobility"),
            ("pp:playouts=3", "pp does not take 'playouts=3'; expected prior=mobility|half|eval"),
            ("ppt:symmetry=maybe", "ppt: 'symmetry=maybe' is neither on nor off"),
            ("ppn:playouts=0", "ppn: playouts= is at least 1"),
            ("ppn:theta=0.7", "ppn: theta= is between 0 and 0.5"),
            ("brute:x=1", "brute does not take 'x=1'; expected no parameter"),
        ] {
            assert_eq!(text.parse::<Solver>().unwrap_err().to_string(), message);
        }
    }
}
