//! The arguments of `delphic cluster`.

use super::Where;
use crate::units;
use clap::Subcommand;
use delphic_cluster::files::Shard;
use delphic_engine::{Ask, Player, Solver};
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args, Debug)]
pub(crate) struct Cluster {
    #[command(subcommand)]
    pub(crate) what: ClusterCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ClusterCommand {
    /// Manage a search: assign positions to workers, keep the ledger, assemble the proof
    Manage(Box<Manage>),
    /// Run a worker, which searches positions for managers
    Work(Work),
    /// Show the state of a run: workers, jobs, speed, remaining work
    Status(ClusterStatus),
}

/// How the other machines are reached.
#[derive(clap::Args, Debug)]
pub(crate) struct Way {
    /// A NATS server with JetStream, such as nats://host:4222 or tls://host:4222 (docs/cluster.md)
    #[arg(long, value_name = "URL", required_unless_present = "jobs", conflicts_with = "jobs")]
    pub(crate) broker: Option<String>,
    /// Instead of a broker: a folder that all machines see
    #[arg(long, value_name = "DIR")]
    pub(crate) jobs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) access: Access,
}

/// How this process authenticates itself to the broker.
#[derive(clap::Args, Debug)]
pub(crate) struct Access {
    /// A file with NATS credentials (a user's JWT and key)
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) credentials: Option<PathBuf>,
    /// A file whose first line is the token that the broker requires
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) token: Option<PathBuf>,
    /// A file with the certificate authorities that the broker's certificate is verified against
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) tls_ca: Option<PathBuf>,
    /// The prefix of all subjects and streams; separates clusters that share a broker
    #[arg(long, value_name = "NAME", default_value = "delphic", hide_short_help = true)]
    pub(crate) prefix: String,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
All results are in the ledger: the same command continues where the last one stopped or was killed. Exit codes are those of `delphic solve`: \
10 proved, 20 disproved, 30 another exact value, 40 undecided, 130 interrupted.")]
pub(crate) struct Manage {
    #[command(flatten)]
    pub(crate) at: Where,
    #[command(flatten)]
    pub(crate) way: Way,
    /// The SQLite file with all results; created if it does not exist
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: PathBuf,
    /// The question about the side to move: win, draw, '>=k', value
    #[arg(long, short, value_name = "QUESTION", default_value = "value")]
    pub(crate) question: Ask,
    /// Ask about this player instead of the side to move: first, second, …
    #[arg(long = "for", value_name = "PLAYER")]
    pub(crate) player: Option<Player>,
    /// The solver that workers run on a job
    #[arg(long, short, value_name = "NAME", default_value = "dfpn")]
    pub(crate) solver: Solver,
    /// The seed of the solver's random numbers
    #[arg(long, default_value = "1", value_parser = units::number, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// The time that a job should take
    #[arg(long, value_parser = units::duration, default_value = "10s", value_name = "TIME")]
    pub(crate) target: Duration,
    /// The node limit of each job, instead of --target
    #[arg(long, value_parser = units::count, value_name = "NODES")]
    pub(crate) size: Option<u64>,
    /// The number of jobs assigned at a time [default: with a broker 3 for 2 workers, with --jobs 16 or 2 for each worker]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) out: Option<u16>,
    /// Reassign a job if its worker has been silent for this long
    #[arg(long, value_parser = units::duration, default_value = "60s", value_name = "TIME")]
    pub(crate) patience: Duration,
    /// The share of solved positions for which a certificate is requested at once, to detect faulty workers
    #[arg(long, value_parser = units::share, default_value = "0.01", value_name = "SHARE")]
    pub(crate) check_share: f64,
    /// Write a proof of the answer into this folder, in parts, for `delphic check`
    #[arg(long, value_name = "DIR")]
    pub(crate) proof: Option<PathBuf>,
    /// The approximate number of positions in each part of the proof
    #[arg(long, value_name = "N", value_parser = units::positions, default_value = "1M")]
    pub(crate) part_size: usize,
    /// Prove solved positions whose search created this many nodes at once, and give them to workers as lemmas, which later certificates
    /// cite
    #[arg(long, value_parser = units::count, value_name = "NODES")]
    pub(crate) lemmas: Option<u64>,
    /// Read the results that have arrived, assign the next jobs and exit; exit code 40 until the answer is known
    #[arg(long, requires = "jobs")]
    pub(crate) once: bool,
    /// Stop after this time: 90, 10m, 1h30m
    #[arg(long, value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Stop after this number of results
    #[arg(long, value_parser = units::count, value_name = "N")]
    pub(crate) results: Option<u64>,
    /// The memory limit of the manager: 500M, 8G
    #[arg(long, value_parser = units::memory, default_value = "4G", value_name = "BYTES")]
    pub(crate) memory: u64,
    /// Threads that check certificates [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<std::num::NonZero<usize>>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
A worker takes jobs of all managers until it is stopped (Ctrl-C; its current job is then reassigned). A worker does one job at a time: use \
--workers N on a machine with N cores.")]
pub(crate) struct Work {
    #[command(flatten)]
    pub(crate) way: Way,
    /// With --jobs: the number of this worker, I of N, from 0/N to (N-1)/N; with --workers, of this process
    #[arg(long, value_name = "I/N", default_value = "0/1", requires = "jobs")]
    pub(crate) shard: Shard,
    /// With --jobs: exit when no job is left, instead of waiting for the end of the run
    #[arg(long, requires = "jobs")]
    pub(crate) once: bool,
    /// With --broker: exit after this long without a job
    #[arg(long, value_parser = units::duration, value_name = "TIME", conflicts_with = "jobs")]
    pub(crate) idle: Option<Duration>,
    /// The number of workers in this process, each with jobs of its own; they share a table
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) workers: u16,
    /// The memory limit of a job, for each worker: 500M, 8G
    #[arg(long, value_parser = units::memory, default_value = "1G", value_name = "BYTES")]
    pub(crate) memory: u64,
    /// Threads for a job
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: u16,
    /// The name of this worker, unique in the cluster; several get numbers behind it [default: from the machine's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The folder in which certificates are written before they are sent [default: the folder for temporary files]
    #[arg(long, value_name = "DIR")]
    pub(crate) scratch: Option<PathBuf>,
    /// Print no line for each job
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct ClusterStatus {
    /// The ledger of a run
    #[arg(long, value_name = "FILE", required_unless_present = "broker", conflicts_with = "broker")]
    pub(crate) ledger: Option<PathBuf>,
    /// Ask the managers at this broker
    #[arg(long, value_name = "URL")]
    pub(crate) broker: Option<String>,
    #[command(flatten)]
    pub(crate) access: Access,
    /// Refresh every second
    #[arg(long)]
    pub(crate) watch: bool,
    /// Print one JSON object for each run
    #[arg(long)]
    pub(crate) json: bool,
}
