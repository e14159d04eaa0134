//! The arguments of `delphic lab` and `delphic learn`.

use crate::units;
use clap::Subcommand;
use delphic_engine::Solver;
use delphic_lab::Scale;
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args, Debug)]
pub(crate) struct Lab {
    #[command(subcommand)]
    pub(crate) what: LabCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum LabCommand {
    /// List the experiments
    List,
    /// Run the searches of an experiment that the ledger does not have yet
    Run(LabRun),
    /// Read published rows into a ledger
    Import(LabImport),
    /// Write pages: a verdict on every claim, tables, figures, and the raw rows
    Report(LabReport),
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Every search is a row in the ledger, written when it is finished, with the revision of the program that made it. Rows of another revision are searched again, unless --reuse is given. \
Several processes may share a ledger; each cell is searched by one of them. Ctrl-C keeps finished rows; the same command continues. Exit codes: 0 complete, 2 bad input, \
130 interrupted.")]
pub(crate) struct LabRun {
    /// The experiment, or all of them; `delphic lab list` names them
    pub(crate) name: String,
    /// smoke (seconds, shows that everything works), quick (shows trends) or paper (the paper's instances and limits)
    #[arg(long, default_value_t = Scale::Smoke)]
    pub(crate) scale: Scale,
    /// The number of parallel searches [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    /// The SQLite file with all rows
    #[arg(long, value_name = "FILE", default_value = "lab.sqlite")]
    pub(crate) ledger: PathBuf,
    /// Accept rows that other revisions of the program made; the pages report how many
    #[arg(long)]
    pub(crate) reuse: bool,
    /// A folder with GNU Go's capture problems, for `captures` [default: the repository's own problems]
    #[arg(long, value_name = "DIR")]
    pub(crate) problems: Option<PathBuf>,
    /// Write the experiment's rows as comma-separated values
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Rows keep the revision that made them, so `lab run` and `lab report` use them only with --reuse, unless the program is the same. Rows that the ledger has already are kept.")]
pub(crate) struct LabImport {
    /// Files of rows: results/*-rows.csv.gz, or what --csv wrote
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The SQLite file that gets the rows
    #[arg(long, value_name = "FILE", default_value = "lab.sqlite")]
    pub(crate) ledger: PathBuf,
}

#[derive(clap::Args, Debug)]
pub(crate) struct LabReport {
    /// The experiments [default: all that were run]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// The folder for the pages
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// The scale to show [default: the last that was run]
    #[arg(long)]
    pub(crate) scale: Option<Scale>,
    /// The SQLite file with all rows
    #[arg(long, value_name = "FILE", default_value = "lab.sqlite")]
    pub(crate) ledger: PathBuf,
    /// Also show rows that other revisions of the program made; the pages report how many
    #[arg(long)]
    pub(crate) reuse: bool,
    /// The folder with GNU Go's capture problems, if `captures` was run with one
    #[arg(long, value_name = "DIR")]
    pub(crate) problems: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Two thirds of the positions are solved, in several passes over those not solved yet, and the patterns around \
their moves are counted. The remaining third is then solved without and with the learned prior. Games with \
patterns: go-capture, nogo, domineering. An existing table is extended; it is saved after every pass. Exit \
codes: 0 done, 2 bad input, 130 interrupted.")]
pub(crate) struct Learn {
    /// The game, such as `nogo:5x5`
    pub(crate) game: String,
    /// The file of the pattern table
    #[arg(value_name = "TABLE")]
    pub(crate) table: PathBuf,
    /// Positions to learn from, one per line; - is standard input [default: random positions]
    #[arg(long, value_name = "FILE")]
    pub(crate) positions: Option<PathBuf>,
    /// The number of random positions
    #[arg(long, default_value = "150", value_parser = units::count, value_name = "COUNT", allow_negative_numbers = true)]
    pub(crate) random: u64,
    /// The number of random plies played before each of them
    #[arg(long, default_value = "8", value_parser = units::size_number, allow_negative_numbers = true)]
    pub(crate) plies: usize,
    /// The solver: pp, ppt, pns, pnt, … [default: ppt]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) solver: Option<Solver>,
    /// The time limit for one position
    #[arg(long, value_parser = units::duration, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// The limit on created nodes for one position [default: 300k, unless there is a time limit]
    #[arg(long, value_parser = units::count, allow_negative_numbers = true)]
    pub(crate) nodes: Option<u64>,
    /// The memory limit of a search, at least 1M: 500M, 8G
    #[arg(long, value_parser = units::memory, default_value = "2G", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) memory: u64,
    /// The number of passes over positions not solved yet
    #[arg(long, default_value = "3", value_parser = units::size_number, allow_negative_numbers = true)]
    pub(crate) passes: usize,
    /// The share of the positions held out for the test
    #[arg(long, value_parser = units::share, default_value = "33.3%", value_name = "PERCENT")]
    pub(crate) test: f64,
    /// The model that turns counts into probabilities
    #[arg(long, value_enum, default_value_t = ModelName::Gaussian)]
    pub(crate) model: ModelName,
    /// The seed of the random positions and of the held-out set
    #[arg(long, default_value = "1", value_parser = units::number, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Print one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// The models of paper 4, §4.2.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ModelName {
    /// Uses all nested patterns around the move
    Gaussian,
    /// Uses only the largest pattern in the table
    Beta,
}
