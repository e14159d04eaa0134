//! The command line as types.

mod lab;

pub(crate) use lab::{Lab, LabCommand, LabReport, LabRun};

use crate::{exit, units};
use clap::{Parser, Subcommand};
use delphic_engine::{Agent, Ask, Player, Solver};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Delphic solves games: it proves who wins a position, shows how, and says plainly what it does not know.
#[derive(Parser, Debug)]
#[command(version, max_term_width = 110, disable_help_subcommand = true)]
#[command(
    after_help = "Try `delphic solve tictactoe`, `delphic solve connect4:5x4`, `delphic play hex:5`, `delphic games`, `delphic solvers`."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Whether boards are coloured; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    pub(crate) color: Colour,
}

/// When to colour.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Colour {
    Always,
    Auto,
    Never,
}

impl Colour {
    /// Whether what goes to standard output is coloured.
    pub(crate) fn wanted(self) -> bool {
        let refused = || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => std::io::stdout().is_terminal() && !refused(),
        }
    }
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Who wins this position?
    Solve(Solve),
    /// Check a certificate with the rules alone
    Check(Check),
    /// What is every legal move worth?
    Analyze(Analyze),
    /// Look for positions with exactly one winning move
    Puzzle(Puzzle),
    /// How big is this? The size of the tree, and what a few solvers would need
    Estimate(Estimate),
    /// Play against an agent in the terminal
    Play(Play),
    /// Let a graphical program play, by the Go Text Protocol
    Gtp(Engine),
    /// Let a graphical program play, by the protocol of chess engines
    Uci(Engine),
    /// Show a position and its legal moves
    Show(Show),
    /// Count the lines of play of each length (a test of the rules)
    Perft(Perft),
    /// List the games, or explain one
    Games(Games),
    /// List the solvers and their parameters
    Solvers,
    /// List the agents and their parameters
    Agents,
    /// Let agents play against each other
    Arena(Arena),
    /// Learn a prior from solved positions
    Learn(Learn),
    /// Make the papers' experiments again
    Lab(Lab),
    /// Measure the kernel, the rules and the playouts on this machine
    Bench(Bench),
}

/// A position of a game.
#[derive(clap::Args, Debug)]
pub(crate) struct Where {
    /// The game, such as `connect4:7x6`, or a file `variant.toml` that describes one; `delphic games` lists them
    pub(crate) game: String,
    /// The position, in the game's notation or as moves from the start; without it, the start
    pub(crate) position: Option<String>,
    /// Moves to play first, such as 4455 or `a1 b2`
    #[arg(long, value_name = "LIST")]
    pub(crate) moves: Option<String>,
}

/// Who searches, and what it may cost.
#[derive(clap::Args, Debug)]
pub(crate) struct Effort {
    /// Who searches; `delphic solvers` lists them [default: auto]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) solver: Option<Solver>,
    /// Stop after so long: 90, 10m, 1h30m, 500ms
    #[arg(long, value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Stop after so many created nodes: 50000, 5e7, 20M
    #[arg(long, value_parser = units::count)]
    pub(crate) nodes: Option<u64>,
    /// Stop when the search holds so many bytes: 500M, 8G
    #[arg(long, value_parser = units::bytes, default_value = "4G", value_name = "BYTES")]
    pub(crate) memory: u64,
    /// Where random numbers come from; the same seed gives the same search [default: 1]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Exit codes: 10 proved (or a win), 20 disproved (or a loss), 30 another exact value (a draw, a score), 40 undecided, \
2 bad input, 130 interrupted. A batch ends with 0, with 2 if a line was malformed, or with 40 if one is undecided.")]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) at: Where,
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// What to ask for the side to move: win, draw (at least), value (exact), '>=k', or maxn: what does everybody get if all play
    /// for themselves and take the first of equal moves? [default: value]
    #[arg(long, short, value_name = "QUESTION")]
    pub(crate) question: Option<Ask>,
    /// Ask for this player instead of the side to move: first, second, … All others play against him
    #[arg(long = "for", value_name = "PLAYER")]
    pub(crate) player: Option<Player>,
    /// Threads for `auto`, or positions of a batch (position `-`) solved side by side; the memory is shared [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Print one JSON object for each position (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the proof to a file that `delphic check` accepts (docs/certificates.md); then a third of the memory is the search's
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,
    /// Keep the state of the search in this folder, every few minutes and when it is stopped (docs/checkpoints.md)
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Go on from the checkpoint in this folder, and keep further ones there. Position, question, solver and seed need not be
    /// given again. --nodes counts from the beginning, --time from now
    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,
    /// How often a checkpoint is kept, unless that would take more than a tenth of the time
    #[arg(long, value_parser = units::duration, default_value = "5m", value_name = "TIME")]
    pub(crate) every: Duration,
    /// No progress line
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "Exit codes: 0 valid, 1 not valid (the output says why), 2 bad arguments.")]
pub(crate) struct Check {
    /// The certificate, written by `delphic solve --proof FILE`
    pub(crate) file: PathBuf,
    /// Print the strategies: a line for every reply, the answer to it behind it; # is an end, … a position already shown
    #[arg(long)]
    pub(crate) print: bool,
    /// Refuse a certificate whose positions take more bytes: 500M, 8G
    #[arg(long, value_parser = units::bytes, default_value = "4G", value_name = "BYTES")]
    pub(crate) memory: u64,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
The game lasts \"9 plies\": exactly so long if the winner hurries and the loser delays. \"At most 9 plies\": if the winner plays as the \
proof does. Exit codes are those of `delphic solve`.")]
pub(crate) struct Analyze {
    #[command(flatten)]
    pub(crate) at: Where,
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// What to ask about every move: win, draw (at least), value (exact), or '>=k'
    #[arg(long, short, default_value_t = Ask::Value, value_name = "QUESTION")]
    pub(crate) question: Ask,
    /// Positions that may be looked at to find exact distances to the end; beyond, the proof gives a bound
    #[arg(long, value_parser = units::count, default_value = "1M", value_name = "POSITIONS")]
    pub(crate) exact: u64,
    /// Print one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
A position is won by several moves more often than by one, so most tries find nothing. Exit codes: 0 as many puzzles as asked for, \
40 fewer, 2 bad input, 130 interrupted.")]
pub(crate) struct Puzzle {
    /// Where to look: random games from this position, or `-` for the positions on standard input, one per line
    #[command(flatten)]
    pub(crate) at: Where,
    /// Who searches, and what one position may cost [default for --nodes: 1M]
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// Look at positions after exactly so many random plies; without it, anywhere in a random game
    #[arg(long)]
    pub(crate) plies: Option<usize>,
    /// The defender can hold out for at least so many plies
    #[arg(long, default_value_t = 5, value_name = "PLIES")]
    pub(crate) depth: u16,
    /// Stop after so many puzzles
    #[arg(long, default_value_t = 1)]
    pub(crate) count: usize,
    /// Give up after so many positions
    #[arg(long, default_value_t = 1000)]
    pub(crate) tries: u64,
    /// Write each certificate to a file in this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) proofs: Option<PathBuf>,
    /// Positions that may be looked at to find exact distances to the end; beyond, the proof gives a bound
    #[arg(long, value_parser = units::count, default_value = "1M", value_name = "POSITIONS")]
    pub(crate) exact: u64,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
The tree is estimated from random games without bias, but if few of them hold most of the tree, a sample may have missed those, and \
the truth is larger. How many nodes a search needs is known only within wide bounds: from about the square root of the positions (or of the tree, \
if no bound on the positions is known), when the best moves come first, to all of them.")]
pub(crate) struct Estimate {
    #[command(flatten)]
    pub(crate) at: Where,
    /// Random games to sample
    #[arg(long, value_parser = units::count, default_value = "10k", value_name = "GAMES")]
    pub(crate) samples: u64,
    /// How long each solver is tried
    #[arg(long, value_parser = units::duration, default_value = "1s", value_name = "TIME")]
    pub(crate) probe: Duration,
    /// What each solver may hold: 500M, 8G
    #[arg(long, value_parser = units::bytes, default_value = "4G", value_name = "BYTES")]
    pub(crate) memory: u64,
    /// Where random numbers come from
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Two thirds of the positions are solved, in several passes over those that stay open, and the patterns around solved moves are counted. The others are then solved \
without and with what was learnt. Games with patterns: go-capture, nogo, domineering. The table goes on from what it has; it is kept after every pass. \
Exit codes: 0 done, 2 bad input, 130 interrupted.")]
pub(crate) struct Learn {
    /// The game, such as `nogo:5x5`
    pub(crate) game: String,
    /// Where the patterns are kept
    #[arg(value_name = "TABLE")]
    pub(crate) table: PathBuf,
    /// Positions to learn from, one per line; - is standard input. Without it they are random
    #[arg(long, value_name = "FILE")]
    pub(crate) positions: Option<PathBuf>,
    /// So many random positions
    #[arg(long, default_value_t = 150, value_name = "COUNT")]
    pub(crate) random: u64,
    /// Each after so many random plies
    #[arg(long, default_value_t = 8)]
    pub(crate) plies: usize,
    /// Who searches: pp, ppt, pns, pnt, … [default: ppt]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) solver: Option<Solver>,
    /// Stop a position after so long
    #[arg(long, value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Stop a position after so many created nodes [default: 300k, unless there is a time limit]
    #[arg(long, value_parser = units::count)]
    pub(crate) nodes: Option<u64>,
    /// What a search may hold: 500M, 8G
    #[arg(long, value_parser = units::bytes, default_value = "2G", value_name = "BYTES")]
    pub(crate) memory: u64,
    /// Passes over positions that are not solved yet
    #[arg(long, default_value_t = 3)]
    pub(crate) passes: usize,
    /// The part of the positions kept for the test
    #[arg(long, value_parser = units::share, default_value = "33.3%", value_name = "PERCENT")]
    pub(crate) test: f64,
    /// How counts become chances
    #[arg(long, value_enum, default_value_t = ModelName::Gaussian)]
    pub(crate) model: ModelName,
    /// Which positions, and which of them are kept for the test
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress lines
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// The models of paper 4, §4.2.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ModelName {
    /// The whole stack of nested patterns
    Gaussian,
    /// The largest known pattern alone
    Beta,
}

/// What an agent may spend on a move.
#[derive(clap::Args, Debug)]
pub(crate) struct Thinking {
    /// Think so long about a move: 2, 500ms, 1m
    #[arg(long, value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Think for so many iterations; for a solver, nodes: 5000, 20k
    #[arg(long, value_parser = units::count, value_name = "COUNT")]
    pub(crate) iterations: Option<u64>,
    /// Create so many nodes: 50000, 20M
    #[arg(long, value_parser = units::count)]
    pub(crate) nodes: Option<u64>,
    /// What may be remembered for each seat: 500M, 2G
    #[arg(long, value_parser = units::bytes, default_value = "1G", value_name = "BYTES")]
    pub(crate) memory: u64,
}

/// Who plays, and what a move may cost.
#[derive(clap::Args, Debug)]
pub(crate) struct Opponent {
    /// Who plays; `delphic agents` lists them, and solvers play as well [default: gpn-mcts]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) agent: Option<Agent>,
    #[command(flatten)]
    pub(crate) thinking: Thinking,
    /// Where random numbers come from
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

impl Opponent {
    /// The agent that was asked for, or that of paper 5.
    pub(crate) fn agent(&self) -> Agent {
        let usual = || "gpn-mcts".parse().unwrap_or(Agent::Random);
        self.agent.clone().unwrap_or_else(usual)
    }
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Every two agents meet. Each opening is played in all seatings of the two, draws count half, and the interval is Wilson's for 95 %. Every thread plays one \
game, in which one agent thinks at a time: with no more threads than cores, time budgets are what they say. With a budget of iterations and one seed \
the games are the same each time. Without any limit an agent has 1,000 iterations for a move. Exit codes: 0 played, 2 bad input, 130 interrupted.")]
pub(crate) struct Arena {
    /// The games, such as `ataxx` or `connect4:6x5`
    #[arg(required = true, value_name = "GAME")]
    pub(crate) games: Vec<String>,
    /// Who plays; `delphic agents` and `delphic solvers` list them
    #[arg(long, required = true, num_args = 1.., value_name = "AGENT")]
    pub(crate) agents: Vec<Agent>,
    /// Games of every two agents
    #[arg(long = "games", value_parser = units::count, default_value = "100", value_name = "COUNT")]
    pub(crate) count: u64,
    #[command(flatten)]
    pub(crate) budget: Thinking,
    /// Random plies before the agents take over
    #[arg(long, default_value_t = 2, value_name = "PLIES")]
    pub(crate) opening: usize,
    /// Stop early when the interval is so narrow to either side: 3%
    #[arg(long, value_parser = units::share, value_name = "PERCENT")]
    pub(crate) until: Option<f64>,
    /// Games played side by side [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Where openings and playouts come from
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Keep every game in this file, and go on from what it has (docs/players.md)
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
    /// No progress line
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Type a move, or `help` for the commands: moves, hint, undo, save and more (docs/play.md). Ctrl-C while the agent thinks makes it move; \
at the prompt it ends the program, with exit code 0.")]
pub(crate) struct Play {
    /// The game, by name or by file; `delphic games` lists them
    #[arg(required_unless_present = "load")]
    pub(crate) game: Option<String>,
    /// The position, in the game's notation or as moves from the start; without it, the start
    #[arg(conflicts_with = "load")]
    pub(crate) position: Option<String>,
    /// Moves to play first; they can be taken back
    #[arg(long, value_name = "LIST", conflicts_with = "load")]
    pub(crate) moves: Option<String>,
    /// Your seat: first, second, … The agent has all others [default: who moves in the position]
    #[arg(long = "as", value_name = "PLAYER")]
    pub(crate) person: Option<Player>,
    #[command(flatten)]
    pub(crate) opponent: Opponent,
    /// Go on with a game that was saved
    #[arg(long, value_name = "FILE")]
    pub(crate) load: Option<PathBuf>,
}

/// An agent behind a protocol.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "docs/play.md tells which commands are understood and how moves are written.")]
pub(crate) struct Engine {
    /// The game, by name or by file; `delphic games` lists them
    pub(crate) game: String,
    #[command(flatten)]
    pub(crate) opponent: Opponent,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) at: Where,
    /// Draw an SVG picture instead, to FILE or to standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub(crate) svg: Option<Option<PathBuf>>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Perft {
    /// The game, by name or by file; `delphic games` lists them
    pub(crate) game: String,
    /// Plies to look ahead
    pub(crate) depth: u32,
    /// The position, in the game's notation or as moves from the start
    pub(crate) position: Option<String>,
    /// Moves to play first
    #[arg(long, value_name = "LIST")]
    pub(crate) moves: Option<String>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Games {
    /// The game to explain
    pub(crate) name: Option<String>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Bench {
    /// What to measure
    #[arg(value_enum, default_value_t = Topic::Kernel)]
    pub(crate) topic: Topic,
    /// Repeat each measurement so often and keep the best
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,
    /// Smaller problems: a few seconds in all
    #[arg(long)]
    pub(crate) quick: bool,
}

/// What `delphic bench` measures: one file in `bench/` each.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Topic {
    /// The kernel against a program written for one case, and the rules of a few games
    Kernel,
    /// Lines of play and random games per second of every game
    Games,
    /// What a created node costs each solver, compared with product propagation
    Solvers,
    /// Iterations per second of the Monte-Carlo agents
    Players,
}

/// Says in one line what is wrong with the arguments. Help and version are no errors.
pub(crate) fn refuse(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // A closed pipe is the reader's business.
            let _ = error.print();
            ExitCode::from(if error.use_stderr() { exit::USAGE } else { 0 })
        }
        _ => {
            // clap puts the message first, then hints and usage after blank lines.
            let text = error.render().to_string();
            let message: Vec<&str> =
                text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
            eprintln!("{} (see --help)", message.join(" "));
            ExitCode::from(exit::USAGE)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        super::Args::command().debug_assert();
    }
}
