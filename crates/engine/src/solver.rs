//! Solvers by name.

use delphic_game::{Asked, Force, Game, Spec, SpecError, Verdict, spec::unknown};
use delphic_search::rule::{Counts, MinSum, Product, Rates};
use delphic_search::{Limits, Observer, Report, brute, kernel, prior};
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

/// Every solver there is.
pub const SOLVERS: &[SolverInfo] = &[
    SolverInfo {
        name: "pns",
        parameters: "prior=unit|mobility",
        about: "proof-number search: least number of leaves to prove or disprove",
        source: "Allis et al. 1994; papers 1, 2 and 3",
    },
    SolverInfo {
        name: "mcpns",
        parameters: "playouts=10,theta=0.01",
        about: "Monte-Carlo proof-number search: proof numbers from random games",
        source: "Saito et al. 2006; paper 3, §3.1",
    },
    SolverInfo {
        name: "pp",
        parameters: "prior=mobility|half",
        about: "product propagation: probabilities multiply, leaves by mobility",
        source: "paper 2, §3",
    },
    SolverInfo {
        name: "ppn",
        parameters: "playouts=60,theta=0.01",
        about: "probability-based proof-number search: product propagation with random games at the leaves",
        source: "papers 1 and 3, §2",
    },
    SolverInfo {
        name: "brute",
        parameters: "",
        about: "plain depth-first search over a table of all positions: the reference",
        source: "",
    },
];

/// What a leaf is valued by, apart from playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafPrior {
    /// All leaves alike.
    Even,
    /// The number of legal moves.
    Mobility,
}

/// A solver with its parameters. `Display` writes the full spec, all parameters included.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Solver {
    Pns { prior: LeafPrior },
    Mcpns { playouts: u32, theta: f64 },
    Pp { prior: LeafPrior },
    Ppn { playouts: u32, theta: f64 },
    Brute,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::Pp { prior: LeafPrior::Mobility }
    }
}

impl std::str::FromStr for Solver {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Solver, SpecError> {
        let mut spec = Spec::parse(text);
        let solver = match spec.name() {
            "pns" => Solver::Pns { prior: take_prior(&mut spec, "unit", LeafPrior::Even)? },
            "mcpns" => {
                Solver::Mcpns { playouts: take_playouts(&mut spec, 10)?, theta: take_theta(&mut spec, 0.0)? }
            }
            "pp" => Solver::Pp { prior: take_prior(&mut spec, "half", LeafPrior::Mobility)? },
            "ppn" => Solver::Ppn {
                playouts: take_playouts(&mut spec, 60)?,
                theta: take_theta(&mut spec, f64::MIN_POSITIVE)?,
            },
            "brute" => Solver::Brute,
            name => return Err(unknown("solver", name, SOLVERS.iter().map(|info| info.name))),
        };
        let info = SOLVERS.iter().find(|info| info.name == spec.name());
        spec.finish(info.map(|info| info.parameters).filter(|p| !p.is_empty()).unwrap_or("no parameter"))?;
        Ok(solver)
    }
}

fn take_prior(spec: &mut Spec, even: &str, default: LeafPrior) -> Result<LeafPrior, SpecError> {
    match spec.text("prior").as_deref() {
        None => Ok(default),
        Some("mobility") => Ok(LeafPrior::Mobility),
        Some(name) if name == even => Ok(LeafPrior::Even),
        Some(name) => Err(spec.impossible(format!("'prior={name}' is unknown; expected {even} or mobility"))),
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
        let name = |prior: LeafPrior, even: &'static str| match prior {
            LeafPrior::Even => even,
            LeafPrior::Mobility => "mobility",
        };
        match *self {
            Solver::Pns { prior } => write!(f, "pns:prior={}", name(prior, "unit")),
            Solver::Mcpns { playouts, theta } => write!(f, "mcpns:playouts={playouts},theta={theta}"),
            Solver::Pp { prior } => write!(f, "pp:prior={}", name(prior, "half")),
            Solver::Ppn { playouts, theta } => write!(f, "ppn:playouts={playouts},theta={theta}"),
            Solver::Brute => f.write_str("brute"),
        }
    }
}

impl Solver {
    /// Asks one yes/no question about a game of any type, your own ones included.
    pub fn run<G: Game>(
        &self,
        problem: &Asked<'_, G, Force>,
        limits: Limits<'_>,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Report<Verdict, G::Move> {
        let playouts = |per_leaf| prior::Playouts::new(per_leaf, seed);
        let counts = MinSum(Counts);
        let product = Product::default();
        match *self {
            Solver::Pns { prior: LeafPrior::Even } => {
                kernel::solve(problem, counts, prior::Even, limits, observer)
            }
            Solver::Pns { prior: LeafPrior::Mobility } => {
                kernel::solve(problem, counts, prior::Mobility, limits, observer)
            }
            Solver::Mcpns { playouts: n, theta } => {
                kernel::solve(problem, MinSum(Rates { theta }), playouts(n), limits, observer)
            }
            Solver::Pp { prior: LeafPrior::Even } => {
                kernel::solve(problem, product, prior::Even, limits, observer)
            }
            Solver::Pp { prior: LeafPrior::Mobility } => {
                kernel::solve(problem, product, prior::Mobility, limits, observer)
            }
            Solver::Ppn { playouts: n, theta } => {
                kernel::solve(problem, Product { theta }, playouts(n), limits, observer)
            }
            Solver::Brute => brute::solve(problem, limits, observer),
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
            assert!(solver.to_string().starts_with(info.name));
        }
        assert_eq!("ppn:theta=0.001".parse::<Solver>().unwrap().to_string(), "ppn:playouts=60,theta=0.001");
    }

    #[test]
    fn wrong_parameters_are_explained() {
        for (text, message) in [
            ("pnss", "unknown solver 'pnss' (did you mean 'pns'?); `delphic solvers` lists them"),
            ("pp:prior=eval2", "pp: 'prior=eval2' is unknown; expected half or mobility"),
            ("pp:playouts=3", "pp does not take 'playouts=3'; expected prior=mobility|half"),
            ("ppn:playouts=0", "ppn: playouts= is at least 1"),
            ("ppn:theta=0.7", "ppn: theta= is between 0 and 0.5"),
            ("brute:x=1", "brute does not take 'x=1'; expected no parameter"),
        ] {
            assert_eq!(text.parse::<Solver>().unwrap_err().to_string(), message);
        }
    }
}
