//! The arguments of the commands that play.

use crate::allowance::Allowance;
use crate::units;
use delphic_engine::{Agent, GAMES, Player, registered};
use std::path::PathBuf;
use std::time::Duration;

/// An agent's limits for one move.
#[derive(clap::Args, Debug)]
pub(crate) struct Thinking {
    /// Time per move: 2, 500ms, 1m [default: 2s if no limit is given; in an arena 1,000 iterations instead]
    #[arg(long, value_parser = units::duration, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// Iterations per move (for a solver, nodes): 5000, 20k
    #[arg(long, value_parser = units::count, value_name = "COUNT", allow_negative_numbers = true)]
    pub(crate) iterations: Option<u64>,
    /// Created nodes per move: 50000, 20M
    #[arg(long, value_parser = units::count, allow_negative_numbers = true)]
    pub(crate) nodes: Option<u64>,
    /// The memory limit of each agent, at least 1M: 500M, 2G
    #[arg(long, value_parser = units::memory, default_value = "1G", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) memory: u64,
}

/// The agent and its limits.
#[derive(clap::Args, Debug)]
pub(crate) struct Opponent {
    /// The agent; `delphic agents` lists them, and every solver is an agent too [default: gpn-mcts]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) agent: Option<Agent>,
    #[command(flatten)]
    pub(crate) thinking: Thinking,
    /// The threads of a Monte-Carlo agent or of a solver that can use several; with more than one, moves are not reproducible
    /// [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    /// The seed of all random numbers
    #[arg(long, default_value = "1", value_parser = units::number, allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

impl Opponent {
    /// Its limits per move against a person.
    pub(crate) fn allowance(&self) -> Allowance {
        Allowance::against_a_person(&self.thinking).on_threads(self.threads)
    }

    /// The agent that was named, or that of paper 5.
    pub(crate) fn agent(&self) -> Agent {
        let usual = || "gpn-mcts".parse().unwrap_or(Agent::Random);
        self.agent.clone().unwrap_or_else(usual)
    }
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
A round robin: every pair of agents plays. Each opening is played with the agents on both sides, a draw counts \
one half, and the interval is Wilson's at 95 %. Each thread plays one game, and only the agent to move searches: \
with no more threads than cores, time limits are respected. With an iteration limit and one thread per search, \
games are reproducible by their seed. Without any limit an agent has 1,000 iterations per move. A ledger is locked \
while an arena uses it; a second process exits with an error. Exit codes: 0 played, 2 bad input, 1 another error, \
130 interrupted.")]
pub(crate) struct Arena {
    /// The games, such as `ataxx` or `connect4:6x5`
    #[arg(required = true, value_name = "GAME")]
    pub(crate) games: Vec<String>,
    /// The agents; `delphic agents` and `delphic solvers` list them
    #[arg(long, required = true, num_args = 1.., value_name = "AGENT", value_parser = agent)]
    pub(crate) agents: Vec<Agent>,
    /// The number of games of each pair of agents
    #[arg(long = "games", value_parser = units::count, default_value = "100", value_name = "COUNT", allow_negative_numbers = true)]
    pub(crate) count: u64,
    #[command(flatten)]
    pub(crate) budget: Thinking,
    /// The number of random plies in each opening
    #[arg(long, default_value = "2", value_parser = units::size_number, value_name = "PLIES", allow_negative_numbers = true)]
    pub(crate) opening: usize,
    /// Stop early when the half-width of the interval is at most this: 3%
    #[arg(long, value_parser = units::share, value_name = "PERCENT")]
    pub(crate) until: Option<f64>,
    /// The number of threads; each plays one game at a time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    /// Threads of each agent's search; with N, a game takes N of the --threads [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true)]
    pub(crate) search_threads: Option<u16>,
    /// The seed of openings and playouts
    #[arg(long, default_value = "1", value_parser = units::number, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Append every game to this file, and skip the games that it already has (docs/players.md)
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,
    /// Write the results as comma-separated values
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw the results as an SVG picture
    #[arg(long, value_name = "FILE")]
    pub(crate) figure: Option<PathBuf>,
    /// Print the results as one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// An agent in the list after `--agents`. The list also takes in games that were written after it, which gets an error of its own.
fn agent(text: &str) -> Result<Agent, String> {
    text.parse().map_err(|error| {
        let bare = text.split(':').next().unwrap_or(text);
        let known =
            || GAMES.iter().any(|(name, _)| *name == bare) || registered().iter().any(|name| name == bare);
        if known() || text.ends_with(".toml") {
            format!("'{text}' is a game; games go before --agents")
        } else {
            format!("{error}")
        }
    })
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Type a move, or `help` for the commands: moves, hint, undo, analyze, save and more (docs/play.md). Without a \
limit the agent has 2 s per move. Ctrl-C while the agent searches makes it move at once; at the prompt it ends \
the program, with exit code 0.")]
pub(crate) struct Play {
    /// The game, by name or by file; `delphic games` lists them
    #[arg(required_unless_present = "load")]
    pub(crate) game: Option<String>,
    /// The position, in the game's notation or as moves from the start [default: the start]
    #[arg(conflicts_with = "load")]
    pub(crate) position: Option<String>,
    /// Moves to play from the position first; `undo` takes them back
    #[arg(long, value_name = "LIST", conflicts_with = "load")]
    pub(crate) moves: Option<String>,
    /// The player that you play: first, second, … The agent plays all others [default: the side to move]
    #[arg(long = "as", value_name = "PLAYER")]
    pub(crate) person: Option<Player>,
    #[command(flatten)]
    pub(crate) opponent: Opponent,
    /// Continue a saved game
    #[arg(long, value_name = "FILE")]
    pub(crate) load: Option<PathBuf>,
}

/// An agent that plays through a protocol.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Without a limit, and until the protocol sets a clock, the agent has 2 s per move. docs/play.md lists the \
commands and explains the notation of moves.")]
pub(crate) struct Engine {
    /// The game, by name or by file; `delphic games` lists them
    pub(crate) game: String,
    #[command(flatten)]
    pub(crate) opponent: Opponent,
}
