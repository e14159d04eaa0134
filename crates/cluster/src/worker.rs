//! One job done. A worker runs no code but its own: a job names a game, a solver and a position, and all of them are checked.

use crate::job::is_name;
use crate::{Error, Finding, Hello, Job, JobId, Outcome, Task};
use delphic_certificate::Bundle;
use delphic_engine::{
    AnyGame, AnyPosition, Ask, Conclusion, InputError, Limits, Request, Solver, StopReason, game,
};
use delphic_game::erased::ErasedState;
use delphic_game::{Game, Notation, sums};
use delphic_search::jobs::Found;
use delphic_search::{KeptTable, Lemmas};
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What does jobs.
pub struct Worker {
    /// Its name, which no other worker has.
    pub name: String,
    /// Memory for a search, in bytes.
    pub memory: u64,
    /// Threads for a search.
    pub threads: usize,
    /// Where certificates are written before they are sent.
    pub scratch: PathBuf,
    /// The game of the last job.
    game: Mutex<Option<Loaded>>,
    /// What its searches have found.
    table: Mutex<Kept>,
    /// What the searches of all workers of the process have found, if there are several, and their number.
    shared: Option<(Arc<Mutex<Kept>>, u64)>,
}

/// A table, and the rules, the question and the solver that it belongs to.
type Kept = (String, Arc<KeptTable>);

/// A game with the fingerprint of its rules.
struct Loaded {
    spec: String,
    rules: u64,
    game: Box<dyn AnyGame>,
}

/// What became of a job.
pub enum Performed {
    /// An outcome, and the folder of its certificate if it has one.
    Done(Box<Outcome>, Option<PathBuf>),
    /// It was stopped from outside.
    Stopped,
}

impl Worker {
    /// A worker.
    pub fn new(name: &str, memory: u64, threads: usize, scratch: &Path) -> Worker {
        let (name, scratch) = (name.to_owned(), scratch.to_owned());
        let (game, table) = (Mutex::new(None), Mutex::default());
        Worker { name, memory, threads, scratch, game, table, shared: None }
    }

    /// As many workers as there are names. Each does jobs of its own, and they share the table in which their searches look for what is
    /// known. It has the memory of all of them.
    pub fn team(names: &[String], memory: u64, threads: usize, scratch: &Path) -> Vec<Worker> {
        let (table, number) = (Arc::default(), names.len() as u64);
        let shared = (number > 1).then_some((table, number));
        let worker =
            |name: &String| Worker { shared: shared.clone(), ..Worker::new(name, memory, threads, scratch) };
        names.iter().map(worker).collect()
    }

    /// Checks its name and makes its folder.
    pub(crate) fn prepare(&self) -> Result<(), Error> {
        if !is_name(&self.name) {
            return Err(Error::Request(
                "a worker's name has letters, digits, - and _, at most 64".to_owned(),
            ));
        }
        Ok(fs::create_dir_all(&self.scratch)?)
    }

    /// Its heartbeat while it does this job.
    pub(crate) fn hello(&self, job: Option<JobId>) -> Hello {
        Hello { worker: self.name.clone(), job, version: env!("CARGO_PKG_VERSION").to_owned() }
    }

    /// Does a job, unless `interrupt` is raised.
    pub fn perform(&self, job: &Job, interrupt: &AtomicBool) -> Performed {
        let started = Instant::now();
        let outcome = |finding: Finding, nodes: u64| {
            let (job, worker, seconds) = (job.clone(), self.name.clone(), started.elapsed().as_secs_f64());
            Box::new(Outcome { job, worker, finding, nodes, seconds })
        };
        let (position, solver) = match self.open(job) {
            Ok(opened) => opened,
            Err(reason) => return Performed::Done(outcome(Finding::Refused(reason), 0), None),
        };
        let lemmas = match lemmas(&*position, job) {
            Ok(lemmas) => lemmas,
            Err(reason) => return Performed::Done(outcome(Finding::Refused(reason), 0), None),
        };
        let limits = Limits {
            memory: Some(self.memory),
            interrupt: Some(interrupt),
            threads: self.threads,
            lemmas: Some(Lemmas { question: job.question, answers: &lemmas }),
            ..Limits::default()
        };
        match job.task {
            Task::Search { nodes } => {
                let (table, memory) = self.table(job);
                sums::limit_memory(memory / 16);
                let (nodes, memory) = (Some(nodes), Some(memory));
                let limits = Limits { nodes, memory, kept: Some(&table), ..limits };
                let (report, _) =
                    solver.run(&*position.search(), job.question, None, limits, job.seed, &mut ());
                match report.stop {
                    StopReason::Interrupted => Performed::Stopped,
                    _ => {
                        let found = Finding::Searched(Found::of(&report));
                        Performed::Done(outcome(found, report.stats.created), None)
                    }
                }
            }
            Task::Prove { part_size } => {
                let request = Request {
                    ask: Ask::AtLeast(job.question.at_least),
                    player: Some(job.question.player),
                    solver,
                    limits,
                    seed: job.seed,
                    ..Request::default()
                };
                let folder = self.scratch.join(format!("{}-{}", self.name, job.id()));
                match prove(&*position, &request, part_size, &folder) {
                    Ok(Some((finding, nodes))) => Performed::Done(outcome(finding, nodes), Some(folder)),
                    Ok(None) => {
                        let _ = fs::remove_dir_all(&folder);
                        Performed::Stopped
                    }
                    Err(reason) => {
                        let _ = fs::remove_dir_all(&folder);
                        Performed::Done(outcome(Finding::Failed(reason), 0), None)
                    }
                }
            }
        }
    }

    /// The table for searches with the rules, the question and the solver of a job, and its memory in bytes.
    fn table(&self, job: &Job) -> (Arc<KeptTable>, u64) {
        let Job { game, rules, question, solver, seed, .. } = job;
        let of = format!("{game} {rules:016x} {question:?} {solver} {seed}");
        if let Some((shared, workers)) = &self.shared {
            let mut table = shared.lock().unwrap_or_else(PoisonError::into_inner);
            // A table that others are using stays: with one more of this size the process would exceed its memory.
            if table.0 != of && Arc::strong_count(&table.1) == 1 {
                *table = (of.clone(), Arc::new(KeptTable::shared()));
            }
            if table.0 == of {
                *self.table.lock().unwrap_or_else(PoisonError::into_inner) = Kept::default();
                return (Arc::clone(&table.1), self.memory.saturating_mul(*workers));
            }
        }
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if table.0 != of {
            *table = (of, Arc::default());
        }
        (Arc::clone(&table.1), self.memory)
    }

    /// The position and the solver of a job, or why it is not for this worker.
    fn open(&self, job: &Job) -> Result<(Box<dyn AnyPosition>, Solver), String> {
        let refuse = |error: InputError| error.to_string();
        // Only files below the folder in which the worker was started describe games.
        if job.game.ends_with(".toml") && (job.game.starts_with('/') || job.game.contains("..")) {
            return Err(format!("{} is not a file below the worker's folder", job.game));
        }
        let solver: Solver =
            job.solver.parse().map_err(|error: delphic_engine::SpecError| error.to_string())?;
        if solver.pattern_file().is_some() {
            return Err("a job may not name a file of patterns".to_owned());
        }
        let mut known = self.game.lock().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref().is_none_or(|known| known.spec != job.game) {
            let game = game(&job.game).map_err(refuse)?;
            let rules = delphic_certificate::fingerprint(&game.erased(), game.spec());
            *known = Some(Loaded { spec: job.game.clone(), rules, game });
        }
        let Some(Loaded { spec, rules, game }) = known.as_ref() else { return Err("no game".to_owned()) };
        if *rules != job.rules {
            return Err(format!("its rules of {spec} are others: {rules:016x} and not {:016x}", job.rules));
        }
        if job.question.player.index() >= game.players() || game.endless().is_some() {
            return Err("a question that cannot be asked of this game".to_owned());
        }
        Ok((game.position(Some(&job.position), None).map_err(refuse)?, solver))
    }
}

/// The lemmas of a job as positions.
fn lemmas(position: &dyn AnyPosition, job: &Job) -> Result<Vec<(ErasedState, bool)>, String> {
    let game = position.erased();
    let read = |(text, yes): &(String, bool)| {
        let mut state = game.read(text).map_err(|error| format!("the lemma {text}: {error}"))?;
        game.canonicalize(&mut state);
        Ok((state, *yes))
    };
    job.lemmas.iter().map(read).collect()
}

/// Answers the question and writes the certificate to a folder. `None` if it was interrupted.
fn prove(
    position: &dyn AnyPosition,
    request: &Request<'_>,
    part_size: usize,
    folder: &Path,
) -> Result<Option<(Finding, u64)>, String> {
    let failed = |error: std::io::Error| error.to_string();
    fs::create_dir_all(folder).map_err(failed)?;
    let mut parts = BufWriter::new(File::create(folder.join(Bundle::PARTS)).map_err(failed)?);
    let (answer, proved) = position.prove_in_parts(request, part_size, &mut (), &mut |_| {}, &mut parts);
    let interrupted =
        request.limits.interrupt.is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed));
    let (certified, list) = match proved {
        Ok(proved) => proved,
        Err(_) if interrupted => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    parts.flush().map_err(failed)?;
    let mut text = Vec::new();
    list.write(&mut text).map_err(failed)?;
    fs::write(folder.join(Bundle::LIST), &text).map_err(failed)?;
    let hash = hash_of(folder).map_err(failed)?;
    let yes = answer.conclusion == Conclusion::Proved;
    let finding = Finding::Proof { yes, bytes: (text.len() as u64, certified.bytes), hash };
    Ok(Some((finding, answer.stats.created + certified.created)))
}

/// The hash of a certificate in a folder: its list, then its parts.
pub(crate) fn hash_of(folder: &Path) -> std::io::Result<JobId> {
    let mut hash = JobId::EMPTY;
    let mut buffer = vec![0; 1 << 16];
    for name in [Bundle::LIST, Bundle::PARTS] {
        let mut file = File::open(folder.join(name))?;
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                read => hash = hash.then(&buffer[..read]),
            }
        }
    }
    Ok(hash)
}

/// A name for the worker in this process: that of the machine and the number of the process.
pub fn worker_name() -> Result<String, Error> {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").or_else(|_| std::env::var("HOSTNAME"));
    let host = host.unwrap_or_else(|_| "worker".to_owned());
    let host: String =
        host.trim().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(40).collect();
    // Containers have equal names and process numbers.
    let unique = getrandom::u32().map_err(|error| Error::Request(format!("no random numbers: {error}")))?;
    Ok(format!("{host}-{}-{:04x}", std::process::id(), unique & 0xffff))
}
