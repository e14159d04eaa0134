//! A cluster in one thread: jobs wait in a queue and are done when the manager asks for outcomes.

use delphic_cluster::{
    Error, Finding, Hello, Job, JobId, Message, Options, Outcome, Performed, Report, Settings, Status,
    Transport, Worker, manage,
};
use delphic_engine::{Ask, Conclusion, Request, game};
use delphic_game::Rng;
use delphic_search::jobs::Found;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub static NEVER: AtomicBool = AtomicBool::new(false);

/// A folder that is removed at the end of its test.
pub struct Folder(PathBuf);

impl std::ops::Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A new folder for a test.
pub fn folder(name: &str) -> Folder {
    // A ledger waits for the disk at every commit; in memory the tests take a tenth of the time.
    let memory = Path::new("/dev/shm");
    let base = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let path = base.join(format!("delphic-cluster-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    Folder(path)
}

/// What goes wrong on the way, each time with this chance in a hundred.
#[derive(Clone, Copy, Default)]
pub struct Faults {
    /// A job does not arrive.
    pub lost: usize,
    /// An outcome comes twice.
    pub twice: usize,
    /// A message is nonsense.
    pub nonsense: usize,
    /// The worker `liar` takes the job: the contrary of a true answer, a solved position where nothing is known, a broken certificate.
    pub lies: usize,
}

/// The cluster.
pub struct Local {
    pub queue: VecDeque<Job>,
    worker: Worker,
    faults: Faults,
    rng: Rng,
    twice: Option<Outcome>,
}

impl Local {
    pub fn new(scratch: &Path, faults: Faults, seed: u64) -> Local {
        let worker = Worker::new("honest", 1 << 26, 1, scratch);
        Local { queue: VecDeque::new(), worker, faults, rng: Rng::new(seed), twice: None }
    }

    fn happens(&mut self, chance: usize) -> bool {
        self.rng.below(100) < chance
    }

    fn lie(&mut self, outcome: &mut Outcome, proof: Option<&Path>) {
        outcome.worker = "liar".to_owned();
        outcome.finding = match outcome.finding.clone() {
            Finding::Searched(Found::Solved(yes)) => Finding::Searched(Found::Solved(!yes)),
            Finding::Searched(Found::Open(..)) => Finding::Searched(Found::Solved(self.rng.below(2) == 0)),
            Finding::Proof { yes, bytes, hash } => {
                let parts = proof.unwrap().join("parts");
                let mut text = std::fs::read(&parts).unwrap();
                let place = self.rng.below(text.len());
                text[place] ^= 1 << self.rng.below(8);
                std::fs::write(&parts, text).unwrap();
                Finding::Proof { yes: yes ^ (self.rng.below(2) == 0), bytes, hash }
            }
            finding => finding,
        };
    }
}

impl Transport for Local {
    fn begin(&mut self) -> Result<(), Error> {
        self.queue.clear();
        Ok(())
    }

    fn send(&mut self, job: &Job, _: u32) -> Result<(), Error> {
        // A job that still waits is not done twice: on a busy machine the manager would give out more than can be done.
        let waits = self.queue.iter().any(|queued| queued.id() == job.id());
        if !self.happens(self.faults.lost) && !waits {
            self.queue.push_back(job.clone());
        }
        Ok(())
    }

    fn cancel(&mut self, job: JobId) -> Result<(), Error> {
        self.queue.retain(|queued| queued.id() != job);
        Ok(())
    }

    fn receive(&mut self, _: Duration) -> Result<Vec<Message>, Error> {
        if self.happens(self.faults.nonsense) {
            return Ok(vec![Message::Nonsense("nonsense".to_owned())]);
        }
        if let Some(outcome) = self.twice.take() {
            return Ok(vec![Message::Outcome(outcome, None)]);
        }
        let Some(job) = self.queue.pop_front() else {
            let hello = Hello { worker: "honest".to_owned(), job: None, version: "test".to_owned() };
            return Ok(vec![Message::Hello(hello)]);
        };
        let Performed::Done(mut outcome, proof) = self.worker.perform(&job, &NEVER) else {
            return Ok(Vec::new());
        };
        if self.happens(self.faults.lies) {
            self.lie(&mut outcome, proof.as_deref());
        }
        if self.happens(self.faults.twice) && proof.is_none() {
            self.twice = Some((*outcome).clone());
        }
        Ok(vec![Message::Outcome(*outcome, proof)])
    }

    fn acknowledge(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn show(&mut self, _: &Status) -> Result<(), Error> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn ahead(&self, _: usize) -> usize {
        4
    }
}

/// Small jobs, and a manager without patience.
pub fn settings(size: u64) -> Settings {
    Settings {
        size: Some(size),
        patience: Duration::from_millis(1),
        check_share: 0.1,
        part_size: 200,
        ..Settings::default()
    }
}

/// The options of a run in a folder, which ends after this many results.
pub fn options<'a>(ledger: &'a Path, results: Option<u64>, proof: bool) -> Options<'a> {
    Options {
        ledger,
        proof: proof.then(|| ledger.with_extension("bundle")),
        time: None,
        results,
        memory: 1 << 28,
        threads: 1,
        once: false,
        interrupt: &NEVER,
    }
}

/// Manages a problem on a [`Local`] cluster.
pub fn run(
    spec: &str,
    settings: &Settings,
    options: &Options<'_>,
    faults: Faults,
    seed: u64,
) -> Result<Report, Error> {
    let position = game(spec).unwrap().position(None, None).unwrap();
    let scratch = options.ledger.with_extension("scratch");
    let mut connect = |_: &_| Ok(Box::new(Local::new(&scratch, faults, seed)) as Box<dyn Transport>);
    manage(&*position, (Ask::Value, None), settings.clone(), options, &mut connect, &mut |_| {})
}

/// What one machine says.
pub fn alone(spec: &str) -> (Conclusion, String) {
    let position = game(spec).unwrap().position(None, None).unwrap();
    let answer = position.solve(&Request::default(), &mut ());
    (answer.conclusion, answer.value().expect("a value").to_string())
}

/// Problems with wins, losses, draws and scores, some for three players.
pub const PROBLEMS: [&str; 10] = [
    "tictactoe",
    "nogo:3x4",
    "clobber:4x4",
    "hex:4",
    "nim:3,5,7",
    "connect4:4x5",
    "domineering:4x4,misere",
    "mnk3:3,3,3",
    "breakthrough:4x4",
    "reversi:4",
];
