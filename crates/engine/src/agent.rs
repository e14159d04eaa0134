//! Agents by name: programs that choose moves.

use crate::parameter::Kind::{Choice, Count, Number};
use crate::parameter::{Parameter, Setting, Settings, usage};
use crate::{AnyPosition, InputError, SOLVERS, Solver, TableFile};
use delphic_game::spec::unknown;
use delphic_game::{Player, Spec, SpecError};
use delphic_search::mcts::{
    self, Bias, Estimator, FinalMove, FirstVisits, Formula, Goals, SelectionTies, Solving,
};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A row of the table of agents.
#[derive(Debug)]
pub struct AgentInfo {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// A one-line description.
    pub about: &'static str,
    /// The publication it comes from.
    pub source: &'static str,
}

impl AgentInfo {
    /// Its parameters with their values, as in `c=1.414,playouts=1`.
    pub fn usage(&self) -> String {
        if self.parameters.is_empty() { String::new() } else { usage(self.parameters) }
    }
}

const fn parameter(name: &'static str, kind: crate::parameter::Kind, about: &'static str) -> Parameter {
    Parameter { name, kind, about }
}

const C: Parameter = parameter(
    "c",
    Number { default: std::f64::consts::SQRT_2, least: 0.0, closed: true, below: 1e6 },
    "exploration constant",
);
const PLAYOUTS: Parameter = parameter("playouts", Count { default: 1, least: 1 }, "playouts at a new leaf");
const CUT: Parameter = parameter(
    "cut",
    Count { default: 0, least: 0 },
    "plies after which a playout counts as drawn; 0 for no limit; the default with compat=ludii is 200",
);
const REUSE: Parameter =
    parameter("reuse", Choice(&["on", "off"]), "whether the tree is reused from move to move");
const COMPAT: Parameter = parameter(
    "compat",
    Choice(&["off", "ludii"]),
    "whether to follow the published code (Ludii) in every detail",
);
const BIAS: Parameter = parameter(
    "bias",
    Choice(&["rank", "max", "sum"]),
    "how proof numbers are turned into a selection bonus (paper 5, §3.1)",
);
const CPN: Parameter = parameter(
    "cpn",
    Number { default: 1.0, least: 0.0, closed: true, below: 1e6 },
    "weight of the selection bonus",
);
const ABOUT_MOBILITY: &str =
    "whether the proof numbers of leaves are initialised by mobility (paper 5, §3.3)";
const ABOUT_SB: &str = "whether values are kept within score bounds";

/// The ply limit of a playout in the published code.
const LUDII_CUT: u32 = 200;

/// The parameters of `uct` and `sb-mcts`.
pub(crate) static MCTS: &[Parameter] = &[C, PLAYOUTS, CUT, REUSE, COMPAT];
pub(crate) static PN_MCTS: &[Parameter] = &[
    C,
    PLAYOUTS,
    CUT,
    REUSE,
    COMPAT,
    BIAS,
    CPN,
    parameter("mobility", Choice(&["off", "on"]), ABOUT_MOBILITY),
    parameter("sb", Choice(&["off", "on"]), ABOUT_SB),
];
pub(crate) static GPN_MCTS: &[Parameter] = &[
    C,
    PLAYOUTS,
    CUT,
    REUSE,
    COMPAT,
    BIAS,
    CPN,
    parameter("mobility", Choice(&["on", "off"]), ABOUT_MOBILITY),
    parameter("sb", Choice(&["on", "off"]), ABOUT_SB),
];

/// All agents, except the solvers, which can play as well.
#[rustfmt::skip]
pub static AGENTS: &[AgentInfo] = &[
    AgentInfo { name: "random", parameters: &[], about: "a random legal move", source: "" },
    AgentInfo { name: "uct", parameters: MCTS, about: "Monte-Carlo tree search (UCT) that does not search solved moves again", source: "Kocsis and Szepesvári 2006; paper 5, §2.1" },
    AgentInfo { name: "sb-mcts", parameters: MCTS, about: "score-bounded Monte-Carlo tree search, with bounds for every player", source: "Cazenave and Saffidine 2010; paper 5, §3.4" },
    AgentInfo { name: "pn-mcts", parameters: PN_MCTS, about: "Monte-Carlo tree search that prefers moves with small proof numbers for its own side", source: "Kowalski et al. 2024; paper 5, §2.3" },
    AgentInfo { name: "gpn-mcts", parameters: GPN_MCTS, about: "score-bounded Monte-Carlo tree search that prefers moves with small proof numbers for the player to move", source: "paper 5, §3" },
];

/// An agent with its parameters. `Display` writes the full spec, all parameters included.
///
/// ```
/// use delphic_engine::{Agent, Budget, Player, game};
///
/// let agent: Agent = "sb-mcts".parse()?;
/// let position = game("tictactoe")?.position(None, Some("a1 b2"))?;
/// let mut player = position.player(&agent, Player::FIRST, 1);
/// let budget = Budget { iterations: Some(200), ..Budget::default() };
/// let thought = player.think(&budget, &mut ());
/// assert!(thought.choice < position.moves().len());
/// player.advance(thought.choice);
/// # Ok::<(), delphic_engine::InputError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Agent {
    /// Random legal moves.
    Random,
    /// A variant of Monte-Carlo tree search.
    Mcts(MctsAgent),
    /// A solver: plays proved moves, and otherwise the move that its heuristic values prefer.
    Solver(Solver),
    /// A strong solution in a table: plays perfectly.
    Table(TableAgent),
}

/// An agent that plays from a table.
#[derive(Clone, Debug)]
pub struct TableAgent(pub(crate) Arc<TableFile>);

impl PartialEq for TableAgent {
    fn eq(&self, other: &TableAgent) -> bool {
        self.0.path() == other.0.path()
    }
}

impl Agent {
    /// Checks that the agent can play from a position: a table may be of another game.
    pub fn check(&self, position: &dyn AnyPosition) -> Result<(), InputError> {
        match self {
            Agent::Table(TableAgent(table)) => table.check(position),
            _ => Ok(()),
        }
    }
}

/// A Monte-Carlo agent.
#[derive(Clone, PartialEq, Debug)]
pub struct MctsAgent {
    name: &'static str,
    settings: Settings,
}

impl MctsAgent {
    /// The settings of its search when it plays for `player`.
    pub fn settings(&self, player: Player) -> mcts::Settings {
        search_settings(self.name, &self.settings, player)
    }

    /// Whether the tree is kept from move to move.
    pub fn reuse(&self) -> bool {
        self.settings.is_on("reuse")
    }
}

/// The settings of the search of an agent that plays for `player`.
pub(crate) fn search_settings(name: &str, settings: &Settings, player: Player) -> mcts::Settings {
    let ludii = settings.word("compat") == "ludii";
    let bias = matches!(name, "pn-mcts" | "gpn-mcts").then(|| Bias {
        formula: match settings.word("bias") {
            "max" => Formula::Max,
            "sum" => Formula::Sum,
            _ => Formula::Rank,
        },
        weight: settings.number("cpn"),
        goals: if name == "pn-mcts" { Goals::WinOf(player) } else { Goals::OwnWins },
        mobility: settings.is_on("mobility"),
    });
    let bounds = if bias.is_some() { settings.is_on("sb") } else { name == "sb-mcts" };
    let cut = settings.count("cut");
    mcts::Settings {
        exploration: settings.number("c"),
        estimator: Estimator::Playouts { count: settings.count("playouts"), cut: (cut > 0).then_some(cut) },
        solving: match (ludii, bounds) {
            (false, true) => Solving::Bounds,
            (false, false) => Solving::Skip,
            (true, true) => Solving::Ludii,
            (true, false) => Solving::Off,
        },
        bias,
        first_visits: if ludii { FirstVisits::ByParent } else { FirstVisits::AtOnce },
        ties: SelectionTies::Random,
        final_move: FinalMove::Bound,
    }
}

impl std::str::FromStr for Agent {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Agent, SpecError> {
        if let Some(path) = text.strip_prefix("table:") {
            let table = TableFile::open(Path::new(path));
            let table = table.map_err(|error| Spec::parse("table").impossible(error.to_string()))?;
            return Ok(Agent::Table(TableAgent(Arc::new(table))));
        }
        let spec = Spec::parse(text);
        let name = spec.name().to_lowercase();
        let Some(info) = AGENTS.iter().find(|info| info.name == name) else {
            if SOLVERS.iter().any(|solver| solver.name == name) {
                return text.parse().map(Agent::Solver);
            }
            let names = AGENTS.iter().map(|info| info.name).chain(SOLVERS.iter().map(|info| info.name));
            return Err(unknown("agent", spec.name(), names));
        };
        let has_cut = Spec::parse(text).text("cut").is_some();
        let mut settings = Settings::take(info.parameters, spec)?;
        if settings.word("compat") == "ludii" && !has_cut {
            settings = settings.with("cut", Setting::Count(LUDII_CUT));
        }
        Ok(match info.name {
            "random" => Agent::Random,
            name => Agent::Mcts(MctsAgent { name, settings }),
        })
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Agent::Random => f.write_str("random"),
            Agent::Solver(solver) => solver.fmt(f),
            Agent::Mcts(agent) => agent.settings.write(agent.name, f),
            Agent::Table(TableAgent(table)) => write!(f, "table:{}", table.path().display()),
        }
    }
}
