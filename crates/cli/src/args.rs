//! The command line as types. Groups of commands have files of their own.

#[cfg(feature = "cluster")]
mod cluster;
mod lab;
mod play;
#[cfg(feature = "serve")]
mod serve;
mod solve;

#[cfg(feature = "cluster")]
pub(crate) use cluster::{Access, Cluster, ClusterCommand, ClusterStatus, Manage, Way, Work};
pub(crate) use lab::{Lab, LabCommand, LabImport, LabReport, LabRun, Learn, ModelName};
pub(crate) use play::{Arena, Engine, Play, Thinking};
#[cfg(feature = "serve")]
pub(crate) use serve::Serve;
pub(crate) use solve::{Analyze, Check, Effort, Estimate, Judge, Puzzle, Solve, Where};

use crate::{exit, units, version};
use clap::{Parser, Subcommand};
use std::io::IsTerminal;
use std::path::PathBuf;

/// Delphic solves games: it proves the value of a position, shows a line of play, and reports plainly what it could not prove.
#[derive(Parser, Debug)]
#[command(name = "delphic", version = version::FULL, max_term_width = 110)]
#[command(after_help = "Try `delphic solve tictactoe`, `delphic solve connect4:5x4`, `delphic play hex:5`, \
        `delphic games`, `delphic solvers`.")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to colour boards; auto: on a terminal, unless NO_COLOR is set
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
    /// Whether standard output is coloured.
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
    /// Solve a position: prove who wins
    Solve(Solve),
    /// Check a certificate with the rules alone
    Check(Check),
    /// Find the value of every legal move
    Analyze(Analyze),
    /// Look for positions with exactly one winning move
    Puzzle(Puzzle),
    /// Estimate the size of the game tree, and the time and memory that solvers would need
    Estimate(Estimate),
    /// Analyse a game for its designer: value, fairness, length, rules that make no difference
    Judge(Judge),
    /// Play against an agent in the terminal
    Play(Play),
    /// Start the explorer: boards, values of moves, proofs and searches in a browser
    #[cfg(feature = "serve")]
    Serve(Serve),
    /// Play through the Go Text Protocol, for graphical programs such as GoGui and HexGui
    Gtp(Engine),
    /// Play through the Universal Chess Interface (USI for minishogi), for graphical programs
    Uci(Engine),
    /// Show a position and its legal moves
    Show(Show),
    /// Count the move sequences of each length (perft, a test of the rules)
    Perft(Perft),
    /// List the games, or describe one
    Games(Games),
    /// List the solvers and their parameters
    Solvers(Lists),
    /// List the agents and their parameters
    Agents(Lists),
    /// Play matches between agents
    Arena(Arena),
    /// Learn a prior from solved positions
    Learn(Learn),
    /// Reproduce the papers' experiments
    Lab(Lab),
    /// Search on many machines: a manager, workers, and a proof that one machine checks
    #[cfg(feature = "cluster")]
    Cluster(Cluster),
    /// Search on many machines (not compiled into this program: docs/cluster.md)
    #[cfg(not(feature = "cluster"))]
    Cluster(NoCluster),
    /// Measure speeds on this machine
    Bench(Bench),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the manual page, or write one page per command
    Man(Man),
}

#[derive(clap::Args, Debug)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) at: Where,
    /// Draw an SVG picture instead, to FILE or to standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "json")]
    pub(crate) svg: Option<Option<PathBuf>>,
    /// Print one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Perft {
    /// The game, by name or by file; `delphic games` lists them
    pub(crate) game: String,
    /// The maximum depth in plies; the count stops earlier if all games have ended
    #[arg(allow_negative_numbers = true, value_parser = units::small_number)]
    pub(crate) depth: u32,
    /// The position, in the game's notation or as moves from the start
    pub(crate) position: Option<String>,
    /// Moves to play from the position first
    #[arg(long, value_name = "LIST")]
    pub(crate) moves: Option<String>,
    /// Print one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Games {
    /// The game to describe
    pub(crate) name: Option<String>,
    /// Print one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Lists {
    /// Print one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `cluster` in a program compiled without it: all are accepted, so that the error can explain.
#[cfg(not(feature = "cluster"))]
#[derive(clap::Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct NoCluster {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) rest: Vec<std::ffi::OsString>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Bench {
    /// What to measure
    #[arg(value_enum, default_value_t = Topic::Kernel)]
    pub(crate) topic: Topic,
    /// For `peers`: the folder with the programs to compare with
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// For `peers`: write the table as a page in Markdown
    #[arg(long, value_name = "FILE")]
    pub(crate) page: Option<PathBuf>,
    /// Repeat each measurement N times and keep the best
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,
    /// Use smaller problems: a few seconds in all
    #[arg(long)]
    pub(crate) quick: bool,
}

/// What `delphic bench` measures: one file in `bench/` each.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Topic {
    /// The generic kernel compared with a search written for one case; perft and playouts of a few games
    Kernel,
    /// Perft and playouts per second of every game
    Games,
    /// The cost of a created node for each solver, compared with product propagation
    Solvers,
    /// Iterations per second of the Monte-Carlo agents
    Players,
    /// This program compared with programs written for one game: Connect Four, Domineering, NoGo
    Peers,
    /// Two threads compared with one on ten problems, each of seconds to minutes unless --quick; needs an idle machine
    Threads,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
For bash: delphic completions bash > ~/.local/share/bash-completion/completions/delphic. For zsh, write \
_delphic into a folder of $fpath; for fish, ~/.config/fish/completions/delphic.fish.")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Man {
    /// A folder for the pages delphic.1, delphic-solve.1 and so on; without it, delphic.1 goes to standard output
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

/// Prints an error of the arguments on one line, with clap's suggestion if there is one. Help and version are not
/// errors.
pub(crate) fn refuse(error: &clap::Error) -> u8 {
    use clap::error::ErrorKind;
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // A closed pipe is not an error.
            let _ = error.print();
            if error.use_stderr() { exit::USAGE } else { 0 }
        }
        _ => {
            eprintln!("{} (see --help)", one_line(&error.render().to_string()));
            exit::USAGE
        }
    }
}

/// clap puts the message first; tips and the usage follow after blank lines. Tips about `--` are dropped: no value
/// begins with a hyphen here.
fn one_line(text: &str) -> String {
    let message: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let tips = text.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
    let tips = tips.filter(|tip| !tip.contains("'-- ")).map(|tip| format!("; {tip}"));
    message.join(" ") + &tips.collect::<String>()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        super::Args::command().debug_assert();
    }
}
