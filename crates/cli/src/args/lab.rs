//! The arguments of `delphic lab`.

use clap::Subcommand;
use delphic_lab::Scale;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct Lab {
    #[command(subcommand)]
    pub(crate) what: LabCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum LabCommand {
    /// List the experiments
    List,
    /// Run an experiment's missing searches
    Run(LabRun),
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
    /// Searches side by side [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
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
