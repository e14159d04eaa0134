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
    /// Manage a search: give out positions to workers, keep the ledger, put the proof together
    Manage(Box<Manage>),
    /// Work: search positions for managers
    Work(Work),
    /// Show the state of a run: workers, jobs, speed, what is left
    Status(ClusterStatus),
}

/// The way to the other machines.
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

/// Who we are to the broker.
#[derive(clap::Args, Debug)]
pub(crate) struct Access {
    /// A file with NATS credentials (a user's JWT and key)
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) credentials: Option<PathBuf>,
    /// A file whose first line is the token that the broker asks for
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) token: Option<PathBuf>,
    /// A file with the certificates of the authorities that the broker's certificate must come from
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) tls_ca: Option<PathBuf>,
    /// The first word of all subjects and streams, to keep clusters on one broker apart
    #[arg(long, value_name = "NAME", default_value = "delphic", hide_short_help = true)]
    pub(crate) prefix: String,
}

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
What is known is in the ledger; the same command goes on where the last one ended, however it ended. Exit codes are those of `delphic solve`: \
10 proved, 20 disproved, 30 another exact value, 40 undecided, 130 interrupted.")]
pub(crate) struct Manage {
    #[command(flatten)]
    pub(crate) at: Where,
    #[command(flatten)]
    pub(crate) way: Way,
    /// The SQLite file with all results; made if it is not there
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: PathBuf,
    /// What to ask about the side to move: win, draw, '>=k', value
    #[arg(long, short, value_name = "QUESTION", default_value = "value")]
    pub(crate) question: Ask,
    /// Ask about this player instead of the side to move: first, second, …
    #[arg(long = "for", value_name = "PLAYER")]
    pub(crate) player: Option<Player>,
    /// The solver that does the jobs
    #[arg(long, short, value_name = "NAME", default_value = "dfpn")]
    pub(crate) solver: Solver,
    /// The seed of the solver's random numbers
    #[arg(long, default_value = "1", value_parser = units::number, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Let jobs take about this time
    #[arg(long, value_parser = units::duration, default_value = "10s", value_name = "TIME")]
    pub(crate) target: Duration,
    /// Let each job create this many nodes at most, instead of --target
    #[arg(long, value_parser = units::count, value_name = "NODES")]
    pub(crate) size: Option<u64>,
    /// Jobs that are out at a time [default: with a broker 3 for 2 workers, with --jobs 16 or 2 for each worker]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) out: Option<u16>,
    /// Give out a job again if nothing was heard of its worker for this long
    #[arg(long, value_parser = units::duration, default_value = "60s", value_name = "TIME")]
    pub(crate) patience: Duration,
    /// The share of the solved positions for which a certificate is asked at once, to find workers that are wrong
    #[arg(long, value_parser = units::share, default_value = "0.01", value_name = "SHARE")]
    pub(crate) check_share: f64,
    /// Prove the answer: write a proof in parts into this folder, which `delphic check` accepts
    #[arg(long, value_name = "DIR")]
    pub(crate) proof: Option<PathBuf>,
    /// Positions in each part of the proof, about
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) part_size: usize,
    /// Take in what has come, give out the next jobs and end; exit code 40 until the answer is known
    #[arg(long, requires = "jobs")]
    pub(crate) once: bool,
    /// Stop after this time: 90, 10m, 1h30m
    #[arg(long, value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Stop after this number of results
    #[arg(long, value_parser = units::count, value_name = "N")]
    pub(crate) results: Option<u64>,
    /// Memory of the manager: 500M, 8G
    #[arg(long, value_parser = units::memory, default_value = "4G", value_name = "BYTES")]
    pub(crate) memory: u64,
    /// Threads for the checks of certificates [default: all cores]
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
A worker takes jobs of all managers until it is stopped (Ctrl-C; the job it is doing goes to another worker). One worker does one job at a time: start one \
for each core, or give it --threads.")]
pub(crate) struct Work {
    #[command(flatten)]
    pub(crate) way: Way,
    /// With --jobs: be worker I of N, from 0/N to (N-1)/N
    #[arg(long, value_name = "I/N", default_value = "0/1", requires = "jobs")]
    pub(crate) shard: Shard,
    /// With --jobs: end when no job is left, and not only when the run is over
    #[arg(long, requires = "jobs")]
    pub(crate) once: bool,
    /// With --broker: end when there was no job for this long
    #[arg(long, value_parser = units::duration, value_name = "TIME", conflicts_with = "jobs")]
    pub(crate) idle: Option<Duration>,
    /// Memory for a job: 500M, 8G
    #[arg(long, value_parser = units::memory, default_value = "1G", value_name = "BYTES")]
    pub(crate) memory: u64,
    /// Threads for a job
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: u16,
    /// A name that no other worker has [default: from the machine's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Where certificates are written before they are sent [default: the folder for temporary files]
    #[arg(long, value_name = "DIR")]
    pub(crate) scratch: Option<PathBuf>,
    /// Print nothing for each job
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
    /// Show it again every second
    #[arg(long)]
    pub(crate) watch: bool,
    /// Print one JSON object for each run
    #[arg(long)]
    pub(crate) json: bool,
}
