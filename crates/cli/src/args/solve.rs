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
    /// Moves to play first, such as 4455 or `a1 b2`
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
    /// Stop when the search holds this many bytes, at least 1M: 500M, 8G
    #[arg(long, value_parser = units::memory, default_value = "4G", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) memory: u64,
    /// The seed of all random numbers [default: 1]
    #[arg(long, value_parser = units::number, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Exit codes: 10 proved (or a win), 20 disproved (or a loss), 30 another exact value (a draw, a score), 40 \
undecided, 2 bad input, 1 another error, 130 interrupted. With --proof, 130 also means that the verdict \
stands but writing its certificate was interrupted. A batch ends with 0, with 2 if a line was malformed, or \
with 40 if one is undecided; blank lines and lines that begin with `# ` are skipped.")]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) at: Where,
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// What to ask about the side to move: win (can it force a win?), draw (at least a draw?), '>=k' (a payoff
    /// of at least k?), value (its exact value); or maxn: what does each player get if all play for themselves
    /// and take the first of equal moves? [default: value]
    #[arg(long, short, value_name = "QUESTION")]
    pub(crate) question: Option<Ask>,
    /// Ask about this player instead of the side to move: first, second, … All others play against that player
    #[arg(long = "for", value_name = "PLAYER")]
    pub(crate) player: Option<Player>,
    /// Threads, which share the memory: for one search (docs/threads.md has the solvers that use them), or for the positions of a batch
    /// (position `-`). With several threads value and proof are the same, but counts differ from run to run [default: all cores for
    /// `auto` and batches, otherwise 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    /// Let N workers search in turns on one thread: slower, but repeatable, to study what more threads would do (docs/threads.md)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), conflicts_with = "threads", allow_negative_numbers = true)]
    pub(crate) lockstep: Option<u16>,
    /// At whose positions the workers of one search take different moves: those of the player expected to lose (auto), as if the
    /// answer were yes or no, or everywhere (both)
    #[arg(long, value_name = "WHERE", default_value = "auto", hide_short_help = true)]
    pub(crate) spread: Spread,
    /// How a move that other workers search is made less attractive: its number is multiplied by 1 + workers, or the workers are added
    #[arg(long, value_name = "FORM", default_value = "multiply", hide_short_help = true)]
    pub(crate) virtual_value: VirtualValue,
    /// Print one JSON object for each position (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the proof to a file that `delphic check` accepts (docs/certificates.md); the search then gets a
    /// third of the memory. If it is a folder (`proofs/`), the proof is written there in parts that can be checked one by one
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,
    /// With --proof FOLDER/: positions in each part, about
    #[arg(long, value_name = "N", default_value_t = 1_000_000, requires = "proof")]
    pub(crate) part_size: usize,
    /// Answer from this table of all positions; if there is no such file, solve every position that can be reached, write it, and
    /// print a summary of the game (docs/tables.md)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["proof", "checkpoint", "resume", "solver"])]
    pub(crate) table: Option<PathBuf>,
    /// With --table, when it writes the table: draw the numbers of positions by value and distance as SVG
    #[arg(long, value_name = "FILE", requires = "table")]
    pub(crate) figure: Option<PathBuf>,
    /// Save the state of the search in this folder, regularly and when it stops (docs/checkpoints.md)
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Resume from the checkpoint in this folder, and save further ones there. Options not given are taken from the checkpoint.
    /// --nodes counts from the beginning of the search, --time from now
    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,
    /// The time between checkpoints [default: 5m, or ten times what saving one takes]
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
    /// Print the strategies: one line per reply, followed by the answer to it; # is an end, … a position already shown
    #[arg(long, conflicts_with = "json")]
    pub(crate) print: bool,
    /// Check the parts of a folder on this many threads
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) threads: Option<std::num::NonZeroUsize>,
    /// Refuse a certificate whose positions take more bytes than this: 500M, 8G. The threads share it
    #[arg(long, value_parser = units::bytes, default_value = "4G", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) memory: u64,
    /// Print one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
A game that lasts \"9 plies\" lasts exactly that long if the winner hurries and the loser delays; \"at most \
9 plies\" is a bound from the proof. Exit codes are those of `delphic solve`.")]
pub(crate) struct Analyze {
    #[command(flatten)]
    pub(crate) at: Where,
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// The question about every move: win, draw (at least), value (exact), or '>=k'
    #[arg(long, short, default_value_t = Ask::Value, value_name = "QUESTION")]
    pub(crate) question: Ask,
    /// Look at no more than this number of positions for exact distances to the end; beyond that, the proof
    /// gives a bound
    #[arg(long, value_parser = units::count_or_zero, default_value = "1M", value_name = "POSITIONS")]
    pub(crate) exact: u64,
    /// Answer from this table, written by `delphic solve --table FILE`
    #[arg(long, value_name = "FILE", conflicts_with = "solver")]
    pub(crate) table: Option<PathBuf>,
    /// Threads, for the search of the position and then for its moves, side by side [default: 1]
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
A page for the designer of a game: its value, how it fares between random and between strong players, its length, and whether its rules \
are needed. What is exact is found by solving every position that can be reached; where the limits do not allow that, the page says so.")]
pub(crate) struct Judge {
    /// The game, by name or by file
    pub(crate) game: String,
    /// Stop solving after this time: 90, 10m, 1h30m, 500ms
    #[arg(long, value_parser = units::duration, default_value = "1m", allow_negative_numbers = true)]
    pub(crate) time: Duration,
    /// Stop solving when it holds this many bytes, at least 1M: 500M, 8G
    #[arg(long, value_parser = units::memory, default_value = "4G", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) memory: u64,
    /// Games between random players
    #[arg(long, value_parser = units::count, default_value = "10k", allow_negative_numbers = true)]
    pub(crate) random: u64,
    /// Games between strong players (Monte-Carlo tree search)
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
won positions have several winning moves, so most tries find nothing. Without --nodes a position gets 1M nodes. \
Exit codes: 0 all puzzles found, 40 fewer, 2 bad input, 130 interrupted.")]
pub(crate) struct Puzzle {
    #[command(flatten)]
    pub(crate) at: Where,
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// Try positions after exactly this number of random plies [default: anywhere in a random game]
    #[arg(long, value_parser = units::size_number, allow_negative_numbers = true)]
    pub(crate) plies: Option<usize>,
    /// The fewest plies for which the defender can hold out
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
    /// Look at no more than this number of positions for exact distances to the end; beyond that, the proof
    /// gives a bound
    #[arg(long, value_parser = units::count_or_zero, default_value = "1M", value_name = "POSITIONS")]
    pub(crate) exact: u64,
    /// Positions searched side by side; the puzzles do not depend on it [default: 1]
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
The size of the tree is an unbiased estimate from random games; but where a few of them hold most of the \
tree, a sample may have missed those, and the truth is larger. The nodes that a search needs are known only \
within wide bounds: from about the square root of the number of positions (or of the tree, if no bound on \
the positions is known), when the best moves come first, to all of them.")]
pub(crate) struct Estimate {
    #[command(flatten)]
    pub(crate) at: Where,
    /// The number of random games to sample
    #[arg(long, value_parser = units::count, default_value = "10k", value_name = "GAMES", allow_negative_numbers = true)]
    pub(crate) samples: u64,
    /// The time for which each solver is tried
    #[arg(long, value_parser = units::duration, default_value = "1s", value_name = "TIME", allow_negative_numbers = true)]
    pub(crate) probe: Duration,
    /// The memory of each solver, at least 1M: 500M, 8G
    #[arg(long, value_parser = units::memory, default_value = "4G", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) memory: u64,
    /// The seed of all random numbers
    #[arg(long, default_value = "1", value_parser = units::number, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Print one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}
