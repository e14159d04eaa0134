//! The manager: the next job, jobs that are lost or superfluous, and workers whose results are rejected.
//!
//! It does no input or output and reads no clock; [`crate::manage`] does. So every situation can be tested in a few lines.

mod proving;
mod report;

pub(crate) use proving::Proved;

use crate::questions::{Known, Leaf, Lemma, Plan, Questions};
use crate::{Finding, Header, Hello, Job, JobId, Outcome, Row, Task};
use delphic_base::Rng;
use delphic_certificate::Claim;
use delphic_engine::{Ask, Conclusion, Value};
use delphic_game::Player;
use delphic_game::erased::{Erased, ErasedState};
use delphic_search::jobs::Found;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

/// The first job creates at most this many nodes, the second twice as many and so on: until there are enough leaves for all workers,
/// a long job keeps them waiting.
const FIRST_SIZE: u64 = 20_000;
/// Tries of a job that workers fail to do, after which the run stops.
const MOST_FAILURES: u32 = 20;

/// How a run is managed.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The solver's spec.
    pub solver: String,
    /// Its seed.
    pub seed: u64,
    /// Nodes of each job; without it, as many as a worker creates in the time `target`.
    pub size: Option<u64>,
    /// The time a job should take.
    pub target: Duration,
    /// Jobs to be out at a time; without it, as many as the workers need.
    pub out: Option<usize>,
    /// A job is assigned again if its worker has sent no heartbeat for this long.
    pub patience: Duration,
    /// The share of the solved positions for which a certificate is asked at once.
    pub check_share: f64,
    /// Whether the answer is to be proved.
    pub prove: bool,
    /// Positions in each part of a certificate, about.
    pub part_size: usize,
    /// Solved positions whose search created at least this many nodes are proved at once, and then given to workers as lemmas.
    pub lemmas: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            solver: "dfpn".to_owned(),
            seed: 1,
            size: None,
            target: Duration::from_secs(10),
            out: None,
            patience: Duration::from_secs(60),
            check_share: 0.01,
            prove: false,
            part_size: 1_000_000,
            lemmas: None,
        }
    }
}

/// A job with a useless answer is given out again at once up to this many times.
const AT_ONCE: u32 = 3;
/// Later copies of such a job wait for the patience divided by this.
const PAUSES: u32 = 16;

/// A job that was given out.
struct Out {
    job: Job,
    /// The leaves of the graph that wait for it: several if they are symmetric.
    numbers: Vec<usize>,
    /// The last sign that it is being done, or when it was given out.
    seen: Instant,
    started: bool,
    /// When it was last given out.
    given: Instant,
    attempt: u32,
    failures: u32,
}

/// What is known of a worker.
struct Peer {
    seen: Instant,
    job: Option<JobId>,
    version: String,
    results: u64,
    nodes: u64,
    seconds: f64,
    trouble: Option<String>,
}

/// Counts for the status.
#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    results: u64,
    solved: u64,
    nodes: u64,
    seconds: f64,
    reissued: u64,
    cancelled: u64,
    ignored: u64,
}

/// The manager of a run.
pub struct Manager {
    header: Header,
    settings: Settings,
    questions: Questions,
    out: HashMap<JobId, Out>,
    /// Certificates that are wanted: samples of what was solved, and the lemmas of the final proof.
    wanted: VecDeque<Lemma>,
    proofs: HashMap<(i16, String), Proved>,
    /// Positions that are proved and took much work, by payoff and form, the most work first.
    lemmas: BTreeMap<(i16, Reverse<u64>, String), bool>,
    /// The final proof, once the answer is known.
    plan: Option<Plan>,
    /// The lemmas of it that have no certificate yet.
    missing: HashSet<(i16, String)>,
    peers: BTreeMap<String, Peer>,
    distrusted: HashSet<String>,
    counts: Counts,
    /// Nodes per second of a worker, on average over the last results.
    speed: f64,
    rng: Rng,
    /// Why the run cannot go on.
    stuck: Option<String>,
}

impl Manager {
    /// A manager that knows nothing yet. `seed` chooses which results are checked at once; workers must not know it.
    pub fn new(
        header: Header,
        settings: Settings,
        (game, root): (Erased<'static>, ErasedState),
        (ask, player): (Ask, Player),
        seed: u64,
    ) -> Manager {
        Manager {
            header,
            settings,
            questions: Questions::new(game, root, ask, player),
            out: HashMap::new(),
            wanted: VecDeque::new(),
            proofs: HashMap::new(),
            lemmas: BTreeMap::new(),
            plan: None,
            missing: HashSet::new(),
            peers: BTreeMap::new(),
            distrusted: HashSet::new(),
            counts: Counts::default(),
            speed: 0.0,
            rng: Rng::new(seed),
            stuck: None,
        }
    }

    /// Takes in a row of the ledger.
    pub fn restore(&mut self, row: Row) {
        match row {
            Row::Result { at_least, position, known, seconds } => {
                self.count(&known, seconds);
                if let Some(yes) = self.questions.established(at_least, &position) {
                    self.share(at_least, position.clone(), yes, known.nodes);
                }
                self.questions.remember(at_least, position, known);
            }
            Row::Proof { at_least, position, yes, folder, cites, .. } => {
                if let Some(form) = self.questions.form_of(&position) {
                    self.questions.establish(at_least, form, yes, 1);
                }
                self.proofs.insert((at_least, position), Proved { yes, folder, cites });
            }
            Row::Distrusted { worker, .. } => {
                self.distrusted.insert(worker);
            }
        }
    }

    fn count(&mut self, known: &Known, seconds: f64) {
        self.counts.results += 1;
        self.counts.solved += u64::from(matches!(known.found, Found::Solved(_)));
        self.counts.nodes += known.nodes;
        self.counts.seconds += seconds;
        if seconds > 0.01 {
            let speed = known.nodes as f64 / seconds;
            self.speed = if self.speed == 0.0 { speed } else { self.speed * 0.95 + speed * 0.05 };
        }
    }

    /// Nodes of the next job.
    fn size(&self) -> u64 {
        self.settings.size.unwrap_or_else(|| {
            let wanted = (self.speed * self.settings.target.as_secs_f64()) as u64;
            wanted.min(FIRST_SIZE.saturating_mul(self.counts.results + 1)).max(FIRST_SIZE)
        })
    }

    /// Why the run cannot go on, if it cannot.
    pub fn stuck(&self) -> Option<&str> {
        self.stuck.as_deref()
    }

    /// The next job to be given out. `None` if enough are out, or nothing is left to be done.
    pub fn next_job(&mut self, most: usize, now: Instant) -> Option<Job> {
        let most = self.settings.out.unwrap_or(most);
        loop {
            if self.out.len() >= most || self.is_over() {
                return None;
            }
            let job = self.next_proof(now).or_else(|| self.next_search(now));
            // Results that are known may just have answered the question; then its lemmas are next.
            if job.is_some() || self.plan.is_some() || !self.questions.is_decided() {
                return job;
            }
        }
    }

    fn next_search(&mut self, now: Instant) -> Option<Job> {
        let nodes = self.size();
        while let Some(Leaf { number, question, form }) = self.questions.next() {
            // A symmetric leaf may be out, perhaps as a job of another size.
            let same = |out: &&mut Out| {
                out.job.position == form
                    && out.job.question == question
                    && matches!(out.job.task, Task::Search { .. })
            };
            if let Some(out) = self.out.values_mut().find(same) {
                out.numbers.push(number);
                continue;
            }
            let job = self.job(form, question, Task::Search { nodes });
            self.enter(&job, vec![number], now);
            return Some(job);
        }
        None
    }

    fn job(&self, position: String, question: delphic_game::Force, task: Task) -> Job {
        let Header { run, game, rules, .. } = &self.header;
        let Settings { solver, seed, .. } = &self.settings;
        Job {
            run: run.clone(),
            game: game.clone(),
            rules: *rules,
            position,
            question,
            task,
            solver: solver.clone(),
            seed: *seed,
            lemmas: self.shared(question.at_least),
        }
    }

    /// Notes that a job is out. `false` if it is already.
    fn enter(&mut self, job: &Job, numbers: Vec<usize>, now: Instant) -> bool {
        let id = job.id();
        if self.out.contains_key(&id) {
            return false;
        }
        let out =
            Out { job: job.clone(), numbers, seen: now, started: false, given: now, attempt: 0, failures: 0 };
        self.out.insert(id, out);
        true
    }

    /// Processes a heartbeat.
    pub fn hello(&mut self, hello: Hello, now: Instant) {
        if let Some(out) = hello.job.and_then(|id| self.out.get_mut(&id)) {
            (out.seen, out.started) = (now, true);
        }
        let peer = self.peer(&hello.worker, now);
        (peer.job, peer.version) = (hello.job, hello.version);
    }

    fn peer(&mut self, worker: &str, now: Instant) -> &mut Peer {
        let peer = self.peers.entry(worker.to_owned()).or_insert_with(|| Peer {
            seen: now,
            job: None,
            version: String::new(),
            results: 0,
            nodes: 0,
            seconds: 0.0,
            trouble: None,
        });
        peer.seen = now;
        peer
    }

    /// Whether an outcome belongs to this run and its worker is trusted. Only then is its proof checked.
    pub fn accepts(&mut self, outcome: &Outcome) -> bool {
        let Header { run, game, rules, .. } = &self.header;
        let Job { run: its_run, game: its_game, rules: its_rules, .. } = &outcome.job;
        let ours = (run, game, rules) == (its_run, its_game, its_rules);
        let good = ours && !self.distrusted.contains(&outcome.worker);
        if !good {
            self.counts.ignored += 1;
            self.free(outcome.job.id());
        }
        good
    }

    /// Counts a message that could not be read.
    pub fn ignore(&mut self) {
        self.counts.ignored += 1;
    }

    /// The search that a worker reports. Returns the row for the ledger, if there is something new in it.
    pub fn searched(&mut self, outcome: &Outcome, found: Found, now: Instant) -> Option<Row> {
        let Outcome { job, worker, nodes, seconds, .. } = outcome;
        let peer = self.peer(worker, now);
        peer.results += 1;
        peer.nodes += nodes;
        peer.seconds += seconds;
        let known = Known { found, worker: worker.clone(), nodes: *nodes };
        let at_least = job.question.at_least;
        // The canonical form is computed here and not taken from the message.
        let position = self.questions.form_of(&job.position).filter(|form| *form == job.position)?;
        if let (Found::Solved(yes), Some(proved)) = (found, self.questions.established(at_least, &position))
            && yes != proved
        {
            let reason = format!("its answer about {position} is refuted by a certificate");
            return Some(self.distrust(worker, reason));
        }
        let out = self.out.remove(&job.id());
        let new = self.questions.remember(at_least, position.clone(), known.clone());
        for number in out.into_iter().flat_map(|out| out.numbers) {
            self.questions.report(job.question, number, found);
        }
        if !new {
            return None;
        }
        self.count(&known, *seconds);
        let is_sample = self.rng.bits() as f64 / (u64::MAX as f64) < self.settings.check_share;
        let is_lemma = self.settings.lemmas.is_some_and(|least| *nodes >= least);
        if matches!(found, Found::Solved(_)) && (is_sample || is_lemma) {
            let lemma = Lemma { question: job.question, position: position.clone(), nodes: *nodes };
            self.wanted.push_back(lemma);
        }
        Some(Row::Result { at_least, position, known, seconds: *seconds })
    }

    /// Forgets the results of a worker.
    pub fn distrust(&mut self, worker: &str, reason: String) -> Row {
        self.distrusted.insert(worker.to_owned());
        if let Some(peer) = self.peers.get_mut(worker) {
            peer.trouble = Some(reason.clone());
        }
        self.questions.forget(worker);
        // Searches that are out are about leaves of a graph that is gone. Their outcomes are remembered when they come.
        self.out.retain(|_, out| matches!(out.job.task, Task::Prove { .. }));
        self.plan = None;
        Row::Distrusted { worker: worker.to_owned(), reason }
    }

    /// A job that a worker did not do.
    pub fn not_done(&mut self, outcome: &Outcome, now: Instant) {
        let id = outcome.job.id();
        let peer = self.peer(&outcome.worker, now);
        match &outcome.finding {
            Finding::Refused(reason) => {
                peer.trouble = Some(reason.clone());
                self.free(id);
            }
            Finding::Failed(reason) => {
                peer.trouble = Some(reason.clone());
                self.free(id);
                if let Some(out) = self.out.get_mut(&id) {
                    out.failures += 1;
                    if out.failures >= MOST_FAILURES {
                        self.stuck =
                            Some(format!("workers cannot do a job at {}: {reason}", out.job.position));
                    }
                }
            }
            Finding::Searched(_) | Finding::Proof { .. } => {}
        }
    }

    /// Lets a job be given out again at once, or after a pause if that has happened several times: a worker that answers every copy of a job
    /// with nonsense would keep the manager busy with it, and the other workers with the copies.
    pub fn free(&mut self, id: JobId) {
        let patience = self.settings.patience;
        if let Some(out) = self.out.get_mut(&id) {
            out.started = true;
            let due = if out.attempt < AT_ONCE { out.seen } else { out.given + patience / PAUSES };
            if let Some(seen) = due.checked_sub(patience) {
                out.seen = seen;
            }
        }
    }

    /// The jobs to be assigned again, with the number of the attempt: their worker has been silent for too long, and they were begun, or
    /// a worker is idle although they wait.
    pub fn lost(&mut self, now: Instant) -> Vec<(Job, u32)> {
        let patience = self.settings.patience;
        let idle = self.peers.values().any(|peer| peer.job.is_none() && now - peer.seen < patience / 4);
        let mut lost = Vec::new();
        for out in self.out.values_mut() {
            if now.saturating_duration_since(out.seen) >= patience && (out.started || idle) {
                (out.seen, out.started, out.given) = (now, false, now);
                out.attempt += 1;
                lost.push((out.job.clone(), out.attempt));
            }
        }
        self.counts.reissued += lost.len() as u64;
        lost
    }

    /// Takes back all jobs: a manager that stops should not keep workers busy.
    pub fn withdraw(&mut self) -> Vec<JobId> {
        self.out.drain().map(|(id, _)| id).collect()
    }

    /// Searches whose result does not matter any more.
    pub fn superfluous(&mut self) -> Vec<JobId> {
        let questions = &self.questions;
        let needed = |out: &Out| match out.job.task {
            Task::Prove { .. } => true,
            Task::Search { .. } => {
                out.numbers.iter().any(|&number| questions.is_needed(out.job.question, number))
            }
        };
        let found: Vec<JobId> = self.out.iter().filter(|(_, out)| !needed(out)).map(|(&id, _)| id).collect();
        found.iter().for_each(|id| drop(self.out.remove(id)));
        self.counts.cancelled += found.len() as u64;
        found
    }

    /// Workers that have sent a message within the manager's patience.
    pub fn live_workers(&self, now: Instant) -> usize {
        let live = |peer: &&Peer| now.saturating_duration_since(peer.seen) < self.settings.patience;
        self.peers.values().filter(live).count()
    }

    /// What is known of the answer, with the least and the greatest value that are possible.
    pub fn conclusion(&self) -> (Conclusion, (Value, Value)) {
        (self.questions.conclusion(), self.questions.bounds())
    }

    /// The claims that are decided.
    pub fn claims(&self) -> Vec<Claim> {
        self.questions.claims()
    }

    /// Results so far.
    pub fn results(&self) -> u64 {
        self.counts.results
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> u64 {
        self.questions.size().1
    }
}
