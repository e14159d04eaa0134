//! The arguments of the commands that solve: positions, limits, questions.

use crate::units;
use delphic_engine::{Ask, Player, Solver, Spread, VirtualValue};
use std::path::PathBuf;
use std::time::Duration;

/// A position of a game.
#[derive(clap::Args, Debug)]
pub(crate) struct Where {
    /// The game, such as `connect4:7x6`, or a file `variant.toml` that describes one; `delphic games` lists them
    pub(crate) game: String,
    /// The position, in the game's notation or as moves from the start [default: the start]
    pub(crate) position: Option<String>,
    /// Moves to play from the position first, such as 4455 or `a1 b2`
    #[arg(long, value_name = "LIST")]
    pub(crate) moves: Option<String>,
}

impl Where {
    /// Whether positions are read from standard input.
    pub(crate) fn is_batch(&self) -> bool {
        self.position.as_deref() == Some("-")
    }
}

/// The solver and its limits.
#[derive(clap::Args, Debug)]
pub(crate) struct Effort {
    /// The solver; `delphic solvers` lists them [default: auto]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) solver: Option<Solver>,
    /// Stop after this time: 90, 10m, 1h30m, 500ms
    #[arg(long, value_parser = units::duration, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// Stop after this number of created nodes: 50000, 5e7, 20M
    #[arg(long, value_parser = units::count, allow_negative_numbers = true)]
    pub(crate) nodes: Option<u64>,
    /// The memory limit of the search, at least 1M: 500M, 8G
    #[arg(long, value_parser = units::memory, default_value = "4G", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) memory: u64,
    /// The seed of all random numbers [default: 1]
    #[arg(long, value_parser = units::number, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Exit codes: 10 proved (or a win), 20 disproved (or a loss), 30 another exact value (a draw, a score), 40 \
undecided, 2 bad input, 1 another error, 130 interrupted. With --proof, 130 can also mean that the verdict was \
printed but writing its certificate was interrupted. A batch ends with 0, with 2 if a line was malformed, or \
with 40 if a position is undecided; blank lines and lines that begin with `# ` are skipped.")]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) at: Where,
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// The question about the side to move: win (can it force a win?), draw (at least a draw?), '>=k' (a payoff of
    /// at least k?), value (the exact value); or maxn, the payoffs if every player maximises their own (max^n) and
    /// plays the first of equally good moves [default: value]
    #[arg(long, short, value_name = "QUESTION")]
    pub(crate) question: Option<Ask>,
    /// Ask about this player instead of the side to move: first, second, … All others play against this player
    #[arg(long = "for", value_name = "PLAYER")]
    pub(crate) player: Option<Player>,
    /// The number of threads, which share the memory limit: for one search (docs/threads.md lists the solvers that use them), or for the
    /// positions of a batch (position `-`). With several threads the value is the same, but node counts differ between runs [default:
    /// all cores for `auto` and batches, otherwise 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    /// Simulate N worker threads by taking turns on one thread: slow but reproducible (docs/threads.md)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), conflicts_with = "threads", allow_negative_numbers = true)]
    pub(crate) lockstep: Option<u16>,
    /// The nodes at which the workers of one search choose different children: those with a refuted child (auto), also all AND nodes
    /// (yes), also all OR nodes (no), or all nodes (both)
    #[arg(long, value_name = "WHERE", default_value = "auto", hide_short_help = true)]
    pub(crate) spread: Spread,
    /// The virtual value of a child below which n other workers search: its number times 1 + n (multiply), or plus n (add)
    #[arg(long, value_name = "FORM", default_value = "multiply", hide_short_help = true)]
    pub(crate) virtual_value: VirtualValue,
    /// Print one JSON object for each position (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a certificate for `delphic check` (docs/certificates.md); the search then gets a third of the memory limit.
    /// If FILE is a folder (`proofs/`), the proof is written in parts that can be checked independently
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,
    /// With --proof FOLDER/: the approximate number of positions in each part, fewer if a part does not fit into its share of the memory
    /// limit. Parts repeat each other's positions, larger ones less
    #[arg(long, value_name = "N", value_parser = units::positions, default_value = "1M", requires = "proof")]
    pub(crate) part_size: usize,
    /// Answer from this table, a strong solution; if the file does not exist, solve every reachable position, write the table, and print
    /// a summary of the game (docs/tables.md)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["proof", "checkpoint", "resume", "solver"])]
    pub(crate) table: Option<PathBuf>,
    /// With --table, when it writes the table: draw the numbers of positions by value and distance to the end as SVG
    #[arg(long, value_name = "FILE", requires = "table")]
    pub(crate) figure: Option<PathBuf>,
    /// Save the state of the search in this folder, periodically and when it stops (docs/checkpoints.md)
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Resume from the checkpoint in this folder, and save further ones there. Options not given are taken from the checkpoint.
    /// --nodes counts from the start of the search, --time from now
    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,
    /// The time between checkpoints [default: 5m, or ten times the time that saving takes]
    #[arg(long, value_parser = units::duration, value_name = "TIME", allow_negative_numbers = true)]
    pub(crate) every: Option<Duration>,
    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Exit codes: 0 valid, 1 not valid (the output says why), 2 bad arguments, or a file that cannot be read.")]
pub(crate) struct Check {
    /// The certificate, written by `delphic solve --proof FILE`, or a folder with one in parts
    pub(crate) file: PathBuf,
    /// Print the strategies: one line per reply, followed by the strategy's answer; # is the end of a game, … a position already printed
    #[arg(long, conflicts_with = "json")]
    pub(crate) print: bool,
    /// Check the parts of a folder on this many threads
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) threads: Option<std::num::NonZeroUsize>,
    /// The memory limit, shared by all threads: 500M, 8G. A certificate that needs more is refused
    #[arg(long, value_parser = units::bytes, default_value = "4G", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) memory: u64,
    /// Print one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
\"9 plies\" is the exact distance to the end: the winner plays the shortest win, the loser the longest defence. \
\"at most 9 plies\" is an upper bound from the proof. Exit codes are those of `delphic solve`.")]
pub(crate) struct Analyze {
    #[command(flatten)]
    pub(crate) at: Where,
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// The question about every move: win, draw (at least), value (exact), or '>=k'
    #[arg(long, short, default_value_t = Ask::Value, value_name = "QUESTION")]
    pub(crate) question: Ask,
    /// The limit on positions visited to find exact distances to the end; beyond it, the proof gives an upper bound
    #[arg(long, value_parser = units::count_or_zero, default_value = "1M", value_name = "POSITIONS")]
    pub(crate) exact: u64,
    /// Answer from this table, written by `delphic solve --table FILE`
    #[arg(long, value_name = "FILE", conflicts_with = "solver")]
    pub(crate) table: Option<PathBuf>,
    /// The number of threads, for the search of the position and then for its moves in parallel [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    /// Print one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
The page has the value of the game, results between random and between strong players, the length of games, and whether each rule makes a \
difference. Exact results come from solving every reachable position; where the limits do not allow that, the page says so.")]
pub(crate) struct Judge {
    /// The game, by name or by file
    pub(crate) game: String,
    /// Stop solving after this time: 90, 10m, 1h30m, 500ms
    #[arg(long, value_parser = units::duration, default_value = "1m", allow_negative_numbers = true)]
    pub(crate) time: Duration,
    /// The memory limit for solving, at least 1M: 500M, 8G
    #[arg(long, value_parser = units::memory, default_value = "4G", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) memory: u64,
    /// The number of games between random players
    #[arg(long, value_parser = units::count, default_value = "10k", allow_negative_numbers = true)]
    pub(crate) random: u64,
    /// The number of games between strong players (Monte-Carlo tree search)
    #[arg(long, value_parser = units::count, default_value = "20", allow_negative_numbers = true)]
    pub(crate) games: u64,
    /// The seed of all random numbers
    #[arg(long, default_value = "1", value_parser = units::number, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Write the page as HTML to this file
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub(crate) html: Option<PathBuf>,
    /// Print one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Positions come from random games that start at POSITION, or with `-` from standard input, one per line. Most \
won positions have several winning moves, so most tries fail. The default of --nodes is 1M per position. \
Exit codes: 0 all puzzles found, 40 fewer, 2 bad input, 130 interrupted.")]
pub(crate) struct Puzzle {
    #[command(flatten)]
    pub(crate) at: Where,
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// Try only positions after exactly this number of random plies [default: any position of a random game]
    #[arg(long, value_parser = units::size_number, allow_negative_numbers = true)]
    pub(crate) plies: Option<usize>,
    /// The minimum length of the longest defence, in plies
    #[arg(long, default_value_t = 5, value_name = "PLIES")]
    pub(crate) depth: u16,
    /// Stop after this number of different puzzles
    #[arg(long, default_value = "1", value_parser = units::count, allow_negative_numbers = true)]
    pub(crate) count: u64,
    /// Give up after this number of positions
    #[arg(long, default_value = "1000", value_parser = units::count, allow_negative_numbers = true)]
    pub(crate) tries: u64,
    /// Write each certificate to a file in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) proofs: Option<PathBuf>,
    /// The limit on positions visited to find exact distances to the end; beyond it, the proof gives an upper bound
    #[arg(long, value_parser = units::count_or_zero, default_value = "1M", value_name = "POSITIONS")]
    pub(crate) exact: u64,
    /// The number of positions searched in parallel; the puzzles do not depend on it [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    /// Print one JSON object for each puzzle (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
The tree size is Knuth's unbiased estimate from random games; if a few lines hold most of the tree, the sample \
may miss them and the true size is larger. The nodes that a search needs are known only within wide bounds: \
from about the square root of the number of positions (or of the tree size, if no bound on the positions is \
known) with perfect move ordering, to all of them.")]
pub(crate) struct Estimate {
    #[command(flatten)]
    pub(crate) at: Where,
    /// The number of random games to sample
    #[arg(long, value_parser = units::count, default_value = "10k", value_name = "GAMES", allow_negative_numbers = true)]
    pub(crate) samples: u64,
    /// The time for which each solver is run
    #[arg(long, value_parser = units::duration, default_value = "1s", value_name = "TIME", allow_negative_numbers = true)]
    pub(crate) probe: Duration,
    /// The memory limit of each solver, at least 1M: 500M, 8G
    #[arg(long, value_parser = units::memory, default_value = "4G", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) memory: u64,
    /// The seed of all random numbers
    #[arg(long, default_value = "1", value_parser = units::number, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Print one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}
