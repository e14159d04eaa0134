//! `delphic cluster`: managers, workers and their state.

mod status;

use crate::args::{Access, Cluster, ClusterCommand, Manage, Way, Work};
use crate::interrupt::{self, INTERRUPT};
use crate::{Failure, exit, output, position, progress, units};
use delphic_cluster::files::{self, Folder, Shard, Until};
use delphic_cluster::{
    Ended, Error, Finding, Options, Outcome, Report, Settings, Status, Transport, Worker, manage, worker_name,
};
use delphic_engine::{Conclusion, Value, claim_in_words};
use delphic_search::jobs::Found;
use serde_json::json;

pub(crate) fn run(options: &Cluster) -> Result<u8, Failure> {
    interrupt::listen()?;
    match &options.what {
        ClusterCommand::Manage(options) => run_manager(options),
        ClusterCommand::Work(options) => run_worker(options),
        ClusterCommand::Status(options) => status::run(options),
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Request(_) | Error::Ledger { .. } => Failure::Usage(error.to_string()),
            _ => Failure::Other(error.to_string()),
        }
    }
}

fn address(url: &str, access: &Access) -> delphic_cluster::broker::Address {
    let Access { credentials, token, tls_ca, prefix } = access;
    delphic_cluster::broker::Address {
        url: url.to_owned(),
        credentials: credentials.clone(),
        token: token.clone(),
        authorities: tls_ca.clone(),
        prefix: prefix.clone(),
    }
}

fn connect(way: &Way, options: &Manage, run: &str) -> Result<Box<dyn Transport>, Error> {
    match (&way.broker, &way.jobs) {
        (Some(url), _) => {
            let incoming = incoming(options);
            let address = address(url, &way.access);
            Ok(Box::new(delphic_cluster::broker::Broker::connect(&address, run, &incoming, &INTERRUPT)?))
        }
        (None, Some(folder)) => Ok(Box::new(Folder::open(folder)?)),
        (None, None) => Err(Error::Request("--broker or --jobs is needed".to_owned())),
    }
}

/// Where certificates are put together from the pieces that arrive.
fn incoming(options: &Manage) -> std::path::PathBuf {
    let mut path = options.ledger.as_os_str().to_owned();
    path.push(".incoming");
    path.into()
}

fn run_manager(options: &Manage) -> Result<u8, Failure> {
    let (game, position) = position::at(&options.at)?;
    if options.solver.pattern_file().is_some() {
        return Err(Failure::Usage(
            "jobs name no files: the solver's prior must be one of its own".to_owned(),
        ));
    }
    let settings = Settings {
        solver: options.solver.to_string(),
        seed: options.seed,
        size: options.size,
        target: options.target,
        out: options.out.map(usize::from),
        patience: options.patience,
        check_share: options.check_share,
        prove: options.proof.is_some(),
        part_size: options.part_size,
        lemmas: options.lemmas,
    };
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let managed = Options {
        ledger: &options.ledger,
        proof: options.proof.clone(),
        time: options.time,
        results: options.results,
        memory: options.memory,
        threads: options.threads.map_or_else(cores, std::num::NonZero::get),
        once: options.once,
        interrupt: &INTERRUPT,
    };
    let bar = progress::bar(options.quiet || options.json, None, "{spinner} {msg}");
    let mut watch = |status: &Status| bar.set_message(status::line(status));
    let asked = (options.question, options.player);
    let mut connect = |header: &delphic_cluster::Header| connect(&options.way, options, &header.run);
    let report = manage(&*position, asked, settings, &managed, &mut connect, &mut watch);
    bar.finish_and_clear();
    let report = report?;
    output(&if options.json { json(&report) } else { text(&report, &game.payoffs()) })?;
    Ok(exit_code(options, &report))
}

fn text(report: &Report, payoffs: &[i16]) -> String {
    let Report { ended, conclusion, bounds: (lo, hi), claims, status, bundle } = report;
    let claims: Vec<String> = claims.iter().map(|&claim| claim_in_words(claim, payoffs)).collect();
    let known = if lo == hi { lo.to_string().to_uppercase() } else { conclusion.name().to_uppercase() };
    let claims = if claims.is_empty() { "nothing is decided".to_owned() } else { claims.join("; ") };
    let mut text =
        format!("{known}: {claims}\ngame     {}\nposition {}\n", status.header.game, status.header.position);
    text += &status::rows(status);
    match (bundle, ended) {
        (Some((checked, time)), _) => {
            text += &format!(
                "proof    {}, {}, {}, checked in {}\n",
                units::plural(checked.parts as u64, "part"),
                units::plural(checked.strategy, "strategy position"),
                units::size(checked.bytes),
                units::time(*time)
            );
        }
        (None, Ended::Solved) => {
            text += "proof    none: this is the word of workers (--proof DIR asks for more)\n";
        }
        (None, Ended::Waiting) => {
            text += &format!("waiting  {} for workers\n", units::plural(status.out as u64, "job"));
        }
        (None, ended) => text += &format!("stopped  {}\n", reason(*ended)),
    }
    text
}

fn reason(ended: Ended) -> &'static str {
    match ended {
        Ended::Solved => "it is solved",
        Ended::Time => "the time limit (--time) was reached",
        Ended::Results => "there are as many results as were asked for (--results)",
        Ended::Memory => "the graph does not fit into the memory (--memory)",
        Ended::Interrupted => "it was interrupted",
        Ended::Waiting => "workers have their jobs",
    }
}

fn json(report: &Report) -> String {
    let Report { ended, status, bundle, claims, .. } = report;
    let mut value = status.to_json();
    value["stop"] = json!(reason(*ended));
    value["claims"] = claims.iter().map(ToString::to_string).collect();
    value["bundle"] = bundle.as_ref().map_or(serde_json::Value::Null, |(checked, time)| {
        json!({
            "parts": checked.parts, "citations": checked.citations, "strategy": checked.strategy,
            "looked_at": checked.looked_at, "bytes": checked.bytes, "seconds": time.as_secs_f64(),
        })
    });
    format!("{value}\n")
}

fn exit_code(options: &Manage, report: &Report) -> u8 {
    let exact = options.question == delphic_engine::Ask::Value;
    let between = matches!(report.bounds.0, Value::Draw | Value::Score(_));
    match (report.conclusion, report.ended) {
        (Conclusion::Proved | Conclusion::Disproved, Ended::Solved) if exact && between => exit::OTHER_VALUE,
        (Conclusion::Proved, Ended::Solved) => exit::PROVED,
        (Conclusion::Disproved, Ended::Solved) => exit::DISPROVED,
        (_, Ended::Interrupted) => exit::INTERRUPTED,
        _ => exit::UNDECIDED,
    }
}

fn run_worker(options: &Work) -> Result<u8, Failure> {
    let name = options.name.clone().map_or_else(worker_name, Ok)?;
    let scratch = options.scratch.clone().unwrap_or_else(|| std::env::temp_dir().join("delphic-worker"));
    let names: Vec<String> = match options.workers {
        1 => vec![name.clone()],
        several => (1..=several).map(|number| format!("{name}-{number}")).collect(),
    };
    let workers = Worker::team(&names, options.memory, options.threads.into(), &scratch);
    let counts: Vec<Result<u64, Failure>> = std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for (worker, number) in workers.iter().zip(0..) {
            threads.push(scope.spawn(move || work(options, worker, number)));
        }
        let joined = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        joined.map(|count| count.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    let mut count = 0;
    for done in counts {
        count += done?;
    }
    output(&format!("{} done by {name}\n", units::plural(count, "job")))?;
    Ok(if interrupt::interrupted() { exit::INTERRUPTED } else { 0 })
}

/// The jobs of one worker, the one with this number in the process. Returns how many were done.
fn work(options: &Work, worker: &Worker, number: u64) -> Result<u64, Failure> {
    let mut watch = |outcome: &Outcome| {
        if !options.quiet {
            eprintln!("{}", done(outcome));
        }
    };
    let Some(folder) = &options.way.jobs else { return work_for_broker(options, worker, &mut watch) };
    let until = if options.once { Until::Empty } else { Until::Over };
    let (Shard { index, count }, workers) = (options.shard, u64::from(options.workers));
    let shard = Shard { index: index * workers + number, count: count * workers };
    Ok(files::work(folder, shard, worker, until, &INTERRUPT, &mut watch)?)
}

fn work_for_broker(options: &Work, worker: &Worker, watch: &mut dyn FnMut(&Outcome)) -> Result<u64, Failure> {
    let url = options.way.broker.as_deref().unwrap_or_default();
    let address = address(url, &options.way.access);
    Ok(delphic_cluster::broker::work(&address, worker, options.idle, &INTERRUPT, watch)?)
}

/// A line about a job that was done.
fn done(outcome: &Outcome) -> String {
    let found = match &outcome.finding {
        Finding::Searched(Found::Solved(yes)) => format!("solved, {}", if *yes { "yes" } else { "no" }),
        Finding::Searched(Found::Open(proof, disproof)) => format!("open, {proof} / {disproof}"),
        Finding::Proof { yes, bytes, .. } => {
            format!("proved, {}, {}", if *yes { "yes" } else { "no" }, units::size(bytes.0 + bytes.1))
        }
        Finding::Refused(reason) => format!("refused: {reason}"),
        Finding::Failed(reason) => format!("failed: {reason}"),
    };
    let time = units::time(std::time::Duration::from_secs_f64(outcome.seconds));
    format!("{} {found}, {}, {time}", outcome.job.position, units::plural(outcome.nodes, "node"))
}
