//! Jobs and outcomes as files in a folder that all machines see: for machines without a service, such as those of a batch system.
//!
//! ```text
//! jobs/SEQUENCE.ATTEMPT.ID     a job; worker I of N does those where SEQUENCE + ATTEMPT is I modulo N
//! results/ID.WORKER            its outcome
//! proofs/WORKER-ID/            a certificate that belongs to one
//! workers/NAME                 a heartbeat
//! over                         the run has ended
//! ```
//!
//! Every file appears whole or not at all. A job that is given out again goes to the next worker.

use crate::job::parse;
use crate::worker::hash_of;
use crate::{Error, Finding, Hello, Job, JobId, Message, Outcome, Performed, Status, Transport, Worker};
use delphic_base::atomic_file;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The time between heartbeats of a worker.
const HELLO: Duration = Duration::from_secs(2);
/// How often folders are looked at while nothing happens.
const LOOK: Duration = Duration::from_millis(100);
/// Jobs that are out if no number is given.
const OUT: usize = 16;

/// The manager's side of a folder.
pub struct Folder {
    folder: PathBuf,
    sequence: u64,
    /// The files of the jobs that are out.
    out: HashMap<JobId, Vec<PathBuf>>,
    /// Results that were received and not yet acknowledged.
    received: Vec<PathBuf>,
    /// The last signs of life, so that each is taken in once.
    hellos: HashMap<String, Vec<u8>>,
}

impl Folder {
    /// A folder, which is made if it is not there.
    pub fn open(folder: &Path) -> Result<Folder, Error> {
        for name in ["jobs", "results", "proofs", "workers"] {
            fs::create_dir_all(folder.join(name))?;
        }
        let over = folder.join("over");
        if over.exists() {
            fs::remove_file(over)?;
        }
        Ok(Folder {
            folder: folder.to_owned(),
            sequence: 0,
            out: HashMap::new(),
            received: Vec::new(),
            hellos: HashMap::new(),
        })
    }

    /// An outcome as it stands in a file.
    fn read(&self, path: &Path) -> Result<Message, Error> {
        let outcome = Outcome::from_json(&parse(&read_bounded(path)?)?)?;
        let Finding::Proof { hash, .. } = outcome.finding else { return Ok(Message::Outcome(outcome, None)) };
        let proof = self.folder.join("proofs").join(format!("{}-{}", outcome.worker, outcome.job.id()));
        let whole = hash_of(&proof).is_ok_and(|found| found == hash);
        Ok(Message::Outcome(outcome, whole.then_some(proof)))
    }

    fn take_hellos(&mut self, messages: &mut Vec<Message>) -> Result<(), Error> {
        for path in files_in(&self.folder.join("workers"))? {
            let Ok(text) = read_bounded(&path) else { continue };
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            // Each heartbeat has a larger number, so an unchanged file means that its worker has stopped.
            if self.hellos.get(&name) != Some(&text) {
                if let Ok(hello) = parse(&text).and_then(|value| Hello::from_json(&value)) {
                    messages.push(Message::Hello(hello));
                }
                self.hellos.insert(name, text);
            }
        }
        Ok(())
    }
}

impl Transport for Folder {
    fn begin(&mut self) -> Result<(), Error> {
        for file in files_in(&self.folder.join("jobs"))? {
            remove(&file)?;
        }
        Ok(())
    }

    fn send(&mut self, job: &Job, attempt: u32) -> Result<(), Error> {
        let id = job.id();
        let name = format!("{:09}.{attempt}.{id}", self.sequence);
        self.sequence += 1;
        let path = self.folder.join("jobs").join(name);
        atomic_file::write(&path, job.to_json().to_string().as_bytes())?;
        // A worker that has begun an earlier one goes on: its file is left to it.
        self.out.entry(id).or_default().push(path);
        Ok(())
    }

    fn cancel(&mut self, job: JobId) -> Result<(), Error> {
        self.out.remove(&job).into_iter().flatten().try_for_each(|path| remove(&path))
    }

    fn receive(&mut self, wait: Duration) -> Result<Vec<Message>, Error> {
        let until = Instant::now() + wait;
        loop {
            let mut messages = Vec::new();
            for path in files_in(&self.folder.join("results"))? {
                messages.push(match self.read(&path) {
                    Ok(message) => message,
                    Err(Error::Message(reason)) => Message::Nonsense(reason),
                    Err(error) => return Err(error),
                });
                if let Some(Message::Outcome(outcome, _)) = messages.last() {
                    self.received.extend(self.out.remove(&outcome.job.id()).into_iter().flatten());
                }
                self.received.push(path);
            }
            self.take_hellos(&mut messages)?;
            if !messages.is_empty() || Instant::now() >= until {
                return Ok(messages);
            }
            std::thread::sleep(LOOK.min(until - Instant::now()));
        }
    }

    fn acknowledge(&mut self) -> Result<(), Error> {
        self.received.drain(..).try_for_each(|path| remove(&path))
    }

    fn show(&mut self, _: &Status) -> Result<(), Error> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        self.begin()?;
        Ok(atomic_file::write(&self.folder.join("over"), b"")?)
    }

    fn ahead(&self, workers: usize) -> usize {
        OUT.max(2 * workers)
    }
}

/// Which jobs of a folder a worker does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The number of the worker.
    pub index: u64,
    /// How many workers there are.
    pub count: u64,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        let shard = numbers.map(|(index, count)| Shard { index, count });
        shard
            .filter(|shard| shard.index < shard.count)
            .ok_or_else(|| format!("'{text}' is not a shard; expected I/N with I from 0 to N-1, such as 0/4"))
    }
}

/// When a worker of a folder ends by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// When the run is over.
    Over,
    /// When no job is left for it.
    Empty,
}

/// Does the jobs of a folder that belong to a shard. Returns how many were done.
pub fn work(
    folder: &Path,
    shard: Shard,
    worker: &Worker,
    until: Until,
    interrupt: &AtomicBool,
    watch: &mut dyn FnMut(&Outcome),
) -> Result<u64, Error> {
    let jobs = folder.join("jobs");
    worker.prepare()?;
    let (mut done, mut tried, mut signs) = (0, HashSet::new(), 0u64);
    loop {
        if interrupt.load(Relaxed) || folder.join("over").exists() {
            return Ok(done);
        }
        let names = if jobs.is_dir() { files_in(&jobs)? } else { Vec::new() };
        tried.retain(|path| names.contains(path));
        let mine = names.into_iter().find(|path| belongs(path, shard) && !tried.contains(path));
        let Some(path) = mine else {
            if until == Until::Empty {
                return Ok(done);
            }
            say_hello(folder, worker, None, &mut signs)?;
            pause(LOOK * 5, interrupt);
            continue;
        };
        tried.insert(path.clone());
        // It may have been taken back.
        let Ok(text) = read_bounded(&path) else { continue };
        let job = Job::from_json(&parse(&text)?)?;
        match watched(folder, &path, worker, &job, interrupt, &mut signs)? {
            Performed::Stopped => {}
            Performed::Done(outcome, proof) => {
                if let Some(proof) = proof {
                    let place = folder.join("proofs").join(format!("{}-{}", worker.name, job.id()));
                    move_folder(&proof, &place)?;
                }
                let name = format!("{}.{}", job.id(), worker.name);
                let text = outcome.to_json().to_string();
                atomic_file::write(&folder.join("results").join(name), text.as_bytes())?;
                watch(&outcome);
                if let Finding::Refused(reason) = &outcome.finding {
                    return Err(Error::Request(format!("this worker is of no use here: {reason}")));
                }
                done += 1;
            }
        }
    }
}

/// Does a job while another thread sends heartbeats, and stops it when its file is removed.
fn watched(
    folder: &Path,
    path: &Path,
    worker: &Worker,
    job: &Job,
    interrupt: &AtomicBool,
    signs: &mut u64,
) -> Result<Performed, Error> {
    let (stop, finished) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| -> Result<(), Error> {
            let mut sent = None::<Instant>;
            while !finished.load(Relaxed) {
                if sent.is_none_or(|sent| sent.elapsed() >= HELLO) {
                    sent = Some(Instant::now());
                    say_hello(folder, worker, Some(job.id()), signs)?;
                    if !path.exists() {
                        stop.store(true, Relaxed);
                    }
                }
                if interrupt.load(Relaxed) {
                    stop.store(true, Relaxed);
                }
                std::thread::park_timeout(LOOK);
            }
            Ok(())
        });
        let performed = worker.perform(job, &stop);
        finished.store(true, Relaxed);
        watch.thread().unpark();
        watch.join().unwrap_or_else(|_| Err(Error::Request("a thread has failed".to_owned())))?;
        Ok(performed)
    })
}

fn say_hello(folder: &Path, worker: &Worker, job: Option<JobId>, signs: &mut u64) -> Result<(), Error> {
    *signs += 1;
    let mut value = worker.hello(job).to_json();
    value["number"] = (*signs).into();
    fs::create_dir_all(folder.join("workers"))?;
    Ok(atomic_file::write(&folder.join("workers").join(&worker.name), value.to_string().as_bytes())?)
}

/// Whether a job is for a shard.
fn belongs(path: &Path, shard: Shard) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let mut numbers = name.split('.').map(str::parse::<u64>);
    let (Some(Ok(sequence)), Some(Ok(attempt))) = (numbers.next(), numbers.next()) else { return false };
    sequence.wrapping_add(attempt) % shard.count == shard.index
}

/// The finished files of a folder, in the order of their names.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !path.to_string_lossy().contains(".partial-") {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

fn read_bounded(path: &Path) -> Result<Vec<u8>, Error> {
    let longest = crate::LONGEST_MESSAGE as u64;
    match fs::metadata(path)?.len() {
        size if size > longest => Err(Error::Message(format!("{} has {size} bytes", path.display()))),
        _ => Ok(fs::read(path)?),
    }
}

fn move_folder(from: &Path, to: &Path) -> Result<(), Error> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    if fs::rename(from, to).is_err() {
        fs::create_dir_all(to)?;
        for file in fs::read_dir(from)? {
            let file = file?;
            fs::copy(file.path(), to.join(file.file_name()))?;
        }
        fs::remove_dir_all(from)?;
    }
    Ok(())
}

/// Removes a file that others may have removed.
fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

fn pause(time: Duration, interrupt: &AtomicBool) {
    let until = Instant::now() + time;
    while Instant::now() < until && !interrupt.load(Relaxed) {
        std::thread::sleep(LOOK / 2);
    }
}
