//! The loop that connects a manager, its ledger and a transport.

use crate::manager::{Manager, Proved, Settings};
use crate::proofs::Store;
use crate::{Error, Finding, Header, Ledger, Message, Outcome, Row, Status, Transport};
use delphic_certificate::Claim;
use delphic_engine::{AnyPosition, Ask, CheckedBundle, Conclusion, Value, check_bundle};
use delphic_game::{Game, Player};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How often the status is shown, and superfluous jobs are looked for.
const PULSE: Duration = Duration::from_secs(1);
/// The longest wait for a message.
const WAIT: Duration = Duration::from_millis(200);

/// Seconds of search before there is a forecast.
const FIRST_FORECAST: f64 = 60.0;

/// What to do, besides the [`Settings`] of the manager.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The ledger.
    pub ledger: &'a Path,
    /// Where the bundle is written, if the answer is to be proved.
    pub proof: Option<PathBuf>,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// Stop after this number of results.
    pub results: Option<u64>,
    /// Memory for the graphs, and for the checks of certificates, in bytes.
    pub memory: u64,
    /// Threads for the checks.
    pub threads: usize,
    /// Take in what has come, give out the next jobs, and end.
    pub once: bool,
    /// Raised to stop.
    pub interrupt: &'a AtomicBool,
}

/// Why a manager has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The question is answered, and proved if that was asked for.
    Solved,
    /// The time is over.
    Time,
    /// There are as many results as were asked for.
    Results,
    /// The graphs do not fit into the memory.
    Memory,
    /// It was interrupted.
    Interrupted,
    /// The jobs are given out; results are taken in by the next call.
    Waiting,
}

/// What came of a call of [`manage`].
#[derive(Debug)]
pub struct Report {
    /// Why it ended.
    pub ended: Ended,
    /// What is known of the answer.
    pub conclusion: Conclusion,
    /// The least and the greatest value that are possible.
    pub bounds: (Value, Value),
    /// The claims that are decided.
    pub claims: Vec<Claim>,
    /// The state at the end.
    pub status: Status,
    /// The bundle, if one was asked for: every part was checked.
    pub bundle: Option<(CheckedBundle, Duration)>,
}

/// Makes the transport of a run.
pub type Connect<'c> = dyn FnMut(&Header) -> Result<Box<dyn Transport>, Error> + 'c;

/// Manages a run until it is decided, or a limit is reached. What the ledger knows is not searched again.
pub fn manage(
    position: &dyn AnyPosition,
    (ask, player): (Ask, Option<Player>),
    settings: Settings,
    options: &Options<'_>,
    connect: &mut Connect<'_>,
    watch: &mut dyn FnMut(&Status),
) -> Result<Report, Error> {
    check_problem(position, ask, player)?;
    let settings = Settings { prove: options.proof.is_some(), ..settings };
    let player = player.unwrap_or(position.turn());
    let ledger = Ledger::open(options.ledger)?;
    let header = ledger.begin_run(&Header {
        run: format!("{:016x}", random()?),
        game: position.spec().to_owned(),
        rules: position.fingerprint(),
        position: position.write(),
        question: ask.to_string(),
        player: player.to_string(),
    })?;
    let store = Store::beside(options.ledger, options.memory / 2, options.threads.max(1))?;
    let start = (position.erased(), position.state());
    let mut manager = Manager::new(header.clone(), settings, start, (ask, player), random()?);
    ledger.rows(&mut |mut row| {
        if let Row::Proof { folder, cites, .. } = &mut row {
            // A certificate that is gone is asked for again.
            let Ok(found) = store.cites(folder) else { return };
            *cites = found;
        }
        manager.restore(row);
    })?;
    let started = Instant::now();
    let mut run = Run {
        before: manager.results(),
        manager,
        ledger,
        store,
        transport: connect(&header)?,
        options,
        started,
        history: Vec::new(),
    };
    let ended = run.serve(watch)?;
    let solved = ended == Ended::Solved;
    let bundle = match &options.proof {
        Some(folder) if solved => Some(run.prove(position, folder)?),
        _ => None,
    };
    let mut status = run.status();
    status.over = true;
    if !options.once {
        for id in run.manager.withdraw() {
            run.transport.cancel(id)?;
        }
    }
    run.ledger.show(&status.to_json().to_string())?;
    if solved {
        run.transport.end()?;
    }
    let (conclusion, bounds) = run.manager.conclusion();
    Ok(Report { ended, conclusion, bounds, claims: run.manager.claims(), status, bundle })
}

/// Refuses what jobs cannot answer.
fn check_problem(position: &dyn AnyPosition, ask: Ask, player: Option<Player>) -> Result<(), Error> {
    let refuse = |reason: &str| Err(Error::Request(format!("{}: {reason}", position.spec())));
    let game = position.erased();
    if ask == Ask::Maxn {
        return refuse("max^n is not a question for a cluster");
    }
    if game.endless().is_some() {
        return refuse(
            "positions can come again, and jobs share positions; games with cycles are left to one machine",
        );
    }
    if game.restriction(&position.state()).is_some() {
        return refuse("answers under a restriction of the moves do not add up");
    }
    if player.is_some_and(|player| player.index() >= game.players()) {
        return refuse("there is no such player");
    }
    if position.write().len() * 4 > crate::LONGEST_MESSAGE {
        return refuse("its positions are too long for a message");
    }
    Ok(())
}

fn random() -> Result<u64, Error> {
    getrandom::u64().map_err(|error| Error::Request(format!("no random numbers: {error}")))
}

struct Run<'a> {
    manager: Manager,
    ledger: Ledger,
    store: Store,
    transport: Box<dyn Transport>,
    options: &'a Options<'a>,
    started: Instant,
    /// Results that were in the ledger.
    before: u64,
    /// The smaller number of the root over time, for the forecast.
    history: Vec<(f64, f64)>,
}

impl Run<'_> {
    fn serve(&mut self, watch: &mut dyn FnMut(&Status)) -> Result<Ended, Error> {
        let Options { once, interrupt, .. } = *self.options;
        if once {
            while self.take_in(Duration::ZERO)? > 0 {}
        }
        self.transport.begin()?;
        let mut shown = None::<Instant>;
        loop {
            if let Some(reason) = self.manager.stuck() {
                return Err(Error::Request(reason.to_owned()));
            }
            let ended = if self.manager.is_over() {
                Some(Ended::Solved)
            } else if interrupt.load(Relaxed) {
                Some(Ended::Interrupted)
            } else {
                self.limit()
            };
            if ended.is_none() {
                self.give_out()?;
            }
            let now = Instant::now();
            if ended.is_some() || once || shown.is_none_or(|shown| now - shown >= PULSE) {
                shown = Some(now);
                for id in self.manager.superfluous() {
                    self.transport.cancel(id)?;
                }
                let status = self.status();
                self.note(&status);
                self.ledger.show(&status.to_json().to_string())?;
                self.transport.show(&status)?;
                watch(&status);
            }
            // What was given out may have been decided by what is known.
            match ended {
                Some(ended) => return Ok(ended),
                None if once && !self.manager.is_over() => return Ok(Ended::Waiting),
                None => drop(self.take_in(WAIT)?),
            }
        }
    }

    fn limit(&self) -> Option<Ended> {
        let Options { time, results, memory, .. } = self.options;
        if time.is_some_and(|time| self.started.elapsed() >= time) {
            Some(Ended::Time)
        } else if results.is_some_and(|most| self.manager.results() - self.before >= most) {
            Some(Ended::Results)
        } else {
            (self.manager.bytes() > *memory).then_some(Ended::Memory)
        }
    }

    fn give_out(&mut self) -> Result<(), Error> {
        let now = Instant::now();
        for (job, attempt) in self.manager.lost(now) {
            self.transport.send(&job, attempt)?;
        }
        let most = self.transport.ahead(self.manager.live_workers(now));
        while let Some(job) = self.manager.next_job(most, now) {
            self.transport.send(&job, 0)?;
        }
        Ok(())
    }

    /// Takes in what has come: rows are committed, then acknowledged. Returns the number of messages.
    fn take_in(&mut self, wait: Duration) -> Result<usize, Error> {
        let messages = self.transport.receive(wait)?;
        let (count, now, mut rows) = (messages.len(), Instant::now(), Vec::new());
        for message in messages {
            match message {
                Message::Hello(hello) => self.manager.hello(hello, now),
                Message::Nonsense(_) => self.manager.ignore(),
                Message::Outcome(outcome, proof) => {
                    if self.manager.accepts(&outcome) {
                        rows.extend(self.take(&outcome, proof.as_deref(), now));
                    }
                    if let Some(folder) = proof.filter(|folder| folder.exists()) {
                        std::fs::remove_dir_all(folder)?;
                    }
                }
            }
        }
        self.ledger.add(&rows)?;
        self.transport.acknowledge()?;
        Ok(count)
    }

    fn take(&mut self, outcome: &Outcome, proof: Option<&Path>, now: Instant) -> Vec<Row> {
        match (&outcome.finding, proof) {
            (Finding::Searched(found), _) => {
                self.manager.searched(outcome, *found, now).into_iter().collect()
            }
            // Of two copies of an answer that come together, the first takes the certificate.
            (Finding::Proof { .. }, Some(folder)) if !folder.exists() => Vec::new(),
            (Finding::Proof { yes, .. }, Some(folder)) => {
                let at_least = outcome.job.question.at_least;
                let manager = &self.manager;
                let is_proved = |position: &str| manager.is_established(at_least, position, *yes);
                match self.store.accept(&outcome.job, *yes, folder, &is_proved) {
                    Ok(accepted) => {
                        let folder = accepted.folder.clone();
                        let proved = Proved { yes: *yes, folder, cites: accepted.cites.clone() };
                        let row = Row::Proof {
                            at_least,
                            position: outcome.job.position.clone(),
                            yes: *yes,
                            folder: accepted.folder,
                            bytes: accepted.bytes,
                            strategy: accepted.strategy,
                            worker: outcome.worker.clone(),
                            cites: accepted.cites,
                        };
                        std::iter::once(row).chain(self.manager.proved(outcome, proved, now)).collect()
                    }
                    Err(reason) => {
                        let reason =
                            format!("its certificate for {} is refused: {reason}", outcome.job.position);
                        let row = self.manager.distrust(&outcome.worker, reason);
                        self.manager.free(outcome.job.id());
                        vec![row]
                    }
                }
            }
            // A proof that has not arrived is written again.
            (Finding::Proof { .. }, None) => {
                let finding = Finding::Failed("its certificate did not arrive".to_owned());
                self.manager.not_done(&Outcome { finding, ..outcome.clone() }, now);
                Vec::new()
            }
            (Finding::Refused(_) | Finding::Failed(_), _) => {
                self.manager.not_done(outcome, now);
                Vec::new()
            }
        }
    }

    /// Writes the bundle and checks all of it once more, as anyone will.
    fn prove(&self, position: &dyn AnyPosition, folder: &Path) -> Result<(CheckedBundle, Duration), Error> {
        self.store.compose(&self.manager, position, folder)?;
        let started = Instant::now();
        let threads = self.options.threads.max(1);
        let memory = self.options.memory / 2 / threads as u64;
        let checked = check_bundle(folder, threads, memory, &|_, _| {});
        let checked =
            checked.map_err(|refusal| Error::Request(format!("the bundle is refused: {refusal}")))?;
        Ok((checked, started.elapsed()))
    }

    fn status(&self) -> Status {
        let mut status = self.manager.status(self.started.elapsed(), Instant::now());
        status.results_before = self.before;
        status.forecast = self.forecast(&status);
        status
    }

    /// Notes what the forecast is made from.
    fn note(&mut self, status: &Status) {
        let left = match status.lemmas.1 {
            0 => {
                status.progress.map_or(0.0, |progress| f64::from(progress.numbers.0.min(progress.numbers.1)))
            }
            _ => (status.lemma_nodes.1 - status.lemma_nodes.0) as f64,
        };
        self.history.push((status.elapsed, left));
    }

    /// Seconds until nothing is left, if it goes on as in the second half of the time so far.
    fn forecast(&self, status: &Status) -> Option<f64> {
        // The numbers of the root say little at the beginning.
        if status.lemmas.1 == 0 && status.elapsed < FIRST_FORECAST {
            return None;
        }
        let &(now, left) = self.history.last()?;
        let &(then, before) = self.history.iter().find(|(time, _)| *time >= status.elapsed / 2.0)?;
        (before > left && now > then).then(|| left * (now - then) / (before - left))
    }
}
