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
    /// Do what an experiment needs and the ledger does not have
    Run(LabRun),
    /// Write pages with tables and figures, the papers' numbers beside ours
    Report(LabReport),
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Every search is a row in the ledger, written when it is over. Ctrl-C keeps what is done; the same command goes on. Exit codes: 0 complete, 2 bad input, \
130 interrupted.")]
pub(crate) struct LabRun {
    /// The experiment, or all of them; `delphic lab list` names them
    pub(crate) name: String,
    /// How much is done: smoke (seconds), quick (the trend) or paper (as much as the paper did)
    #[arg(long, default_value_t = Scale::Smoke)]
    pub(crate) scale: Scale,
    /// Searches side by side [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Where every search is kept
    #[arg(long, value_name = "FILE", default_value = "lab.sqlite")]
    pub(crate) ledger: PathBuf,
    /// Write the experiment's rows as comma-separated values
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// No progress line
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct LabReport {
    /// The experiments; without one, all that were run
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// The folder for the pages
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Show this scale instead of the one run last
    #[arg(long)]
    pub(crate) scale: Option<Scale>,
    /// Where the searches are kept
    #[arg(long, value_name = "FILE", default_value = "lab.sqlite")]
    pub(crate) ledger: PathBuf,
}
