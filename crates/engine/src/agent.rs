//! Agents by name: who plays, as opposed to who solves.

use crate::solver::{info, take_playouts};
use crate::{SOLVERS, Solver, SolverInfo};
use delphic_game::spec::unknown;
use delphic_game::{Player, Spec, SpecError};
use delphic_search::mcts::{Bias, Estimator, FirstVisits, Formula, Goals, Settings, Solving};
use std::f64::consts::SQRT_2;
use std::fmt;

/// Every agent there is, apart from the solvers, which can play as well.
#[rustfmt::skip]
pub const AGENTS: &[SolverInfo] = &[
    info("random", "", "any legal move", ""),
    info("uct", "c=1.414,playouts=1,cut=0,reuse=on|off,compat=off|ludii", "Monte-Carlo tree search; skips what is solved", "Kocsis and Szepesvári 2006; paper 5, §2.1"),
    info("sb-mcts", "c=1.414,playouts=1,cut=0,reuse=on|off,compat=off|ludii", "the same with score bounds for every player", "Cazenave and Saffidine 2010; paper 5, §3.4"),
    info("pn-mcts", "c=1.414,playouts=1,cut=0,reuse=on|off,compat=off|ludii,bias=rank|max|sum,cpn=1,mobility=off|on,sb=off|on", "drawn to what is nearly proved or disproved for the own side", "Kowalski et al. 2024; paper 5, §2.3"),
    info("gpn-mcts", "c=1.414,playouts=1,cut=0,reuse=on|off,compat=off|ludii,bias=rank|max|sum,cpn=1,mobility=on|off,sb=on|off", "drawn to what is nearly proved for whoever moves", "paper 5, §3"),
];

/// An agent with its parameters. `Display` writes the full spec, all parameters included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Agent {
    /// Any legal move.
    Random,
    /// Monte-Carlo tree search of some kind.
    Mcts(MctsAgent),
    /// A solver: plays what it proves, and guesses where it proves nothing.
    Solver(Solver),
}

/// The parameters of the Monte-Carlo agents.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MctsAgent {
    name: &'static str,
    c: f64,
    playouts: u32,
    /// Plies of a playout, 0 for no limit.
    cut: u32,
    /// Whether the tree is kept from move to move.
    pub reuse: bool,
    /// Whether everything is done as in the published code (GPN-MCTS in Ludii).
    ludii: bool,
    bounds: bool,
    bias: Option<(Formula, f64)>,
    mobility: bool,
}

impl MctsAgent {
    /// The settings of its search when it plays for `seat`.
    pub fn settings(&self, seat: Player) -> Settings {
        let goals = if self.name == "pn-mcts" { Goals::WinOf(seat) } else { Goals::OwnWins };
        let mobility = self.mobility;
        Settings {
            exploration: self.c,
            estimator: Estimator::Playouts { count: self.playouts, cut: (self.cut > 0).then_some(self.cut) },
            solving: match (self.ludii, self.bounds) {
                (false, true) => Solving::Bounds,
                (false, false) => Solving::Skip,
                (true, true) => Solving::Ludii,
                (true, false) => Solving::Off,
            },
            bias: self.bias.map(|(formula, weight)| Bias { formula, weight, goals, mobility }),
            first_visits: if self.ludii { FirstVisits::ByParent } else { FirstVisits::AtOnce },
        }
    }

    fn take(name: &'static str, spec: &mut Spec) -> Result<MctsAgent, SpecError> {
        let ludii = match spec.text("compat").as_deref() {
            None | Some("off") => false,
            Some("ludii") => true,
            Some(word) => return Err(spec.impossible(format!("'compat={word}' is neither off nor ludii"))),
        };
        let biased = matches!(name, "pn-mcts" | "gpn-mcts");
        let mut bias = None;
        if biased {
            let formula = match spec.text("bias").as_deref() {
                None | Some("rank") => Formula::Rank,
                Some("max") => Formula::Max,
                Some("sum") => Formula::Sum,
                Some(word) => {
                    return Err(spec.impossible(format!("'bias={word}' is none of rank, max, sum")));
                }
            };
            bias = Some((formula, take_weight(spec, "cpn", 1.0)?));
        }
        let general = name == "gpn-mcts";
        Ok(MctsAgent {
            name,
            c: take_weight(spec, "c", SQRT_2)?,
            playouts: take_playouts(spec, 1)?,
            cut: spec.number("cut", if ludii { 200 } else { 0 })?,
            reuse: spec.switch("reuse", true)?,
            ludii,
            bounds: if biased { spec.switch("sb", general)? } else { name == "sb-mcts" },
            bias,
            mobility: biased && spec.switch("mobility", general)?,
        })
    }
}

fn take_weight(spec: &mut Spec, key: &str, default: f64) -> Result<f64, SpecError> {
    let weight = spec.number(key, default)?;
    if (0.0..=1e6).contains(&weight) {
        Ok(weight)
    } else {
        Err(spec.impossible(format!("{key}= is between 0 and 1000000")))
    }
}

impl std::str::FromStr for Agent {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Agent, SpecError> {
        let mut spec = Spec::parse(text);
        let name = spec.name().to_ascii_lowercase();
        let Some(info) = AGENTS.iter().find(|info| info.name == name) else {
            if SOLVERS.iter().any(|solver| solver.name == name) {
                return text.parse().map(Agent::Solver);
            }
            let names = AGENTS.iter().chain(SOLVERS).map(|info| info.name);
            return Err(unknown("agent", &name, names));
        };
        let agent = match info.name {
            "random" => Agent::Random,
            name => Agent::Mcts(MctsAgent::take(name, &mut spec)?),
        };
        spec.finish(if info.parameters.is_empty() { "no parameter" } else { info.parameters })?;
        Ok(agent)
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agent = match self {
            Agent::Random => return f.write_str("random"),
            Agent::Solver(solver) => return solver.fmt(f),
            Agent::Mcts(agent) => agent,
        };
        let on_off = |on: bool| if on { "on" } else { "off" };
        let MctsAgent { name, c, playouts, cut, reuse, ludii, bounds, bias, mobility } = *agent;
        write!(f, "{name}:c={c},playouts={playouts},cut={cut},reuse={}", on_off(reuse))?;
        write!(f, ",compat={}", if ludii { "ludii" } else { "off" })?;
        let Some((formula, weight)) = bias else { return Ok(()) };
        let formula = match formula {
            Formula::Rank => "rank",
            Formula::Max => "max",
            Formula::Sum => "sum",
        };
        write!(f, ",bias={formula},cpn={weight},mobility={},sb={}", on_off(mobility), on_off(bounds))
    }
}
