//! `auto`: a portfolio of solvers chosen by properties of the game; the first proof ends the search.
//!
//! A few random games show whether the game ends suddenly (a line or a chain is completed) or by running out of moves, and whether it consists
//! of filling a board. Alpha-beta is the favourite except in games with sudden ends and an evaluation in which a board is filled without draws
//! (Hex, Y): there the evaluation is worth more as the value of a leaf (`dfpp`) than for move ordering. It is trusted most where ends are not
//! sudden and where an evaluation or the game itself orders the moves. The members take turns and keep all their state between turns; a member
//! that can use several threads has all of them in its turn. Turns grow with the work done. Games with cycles are left to `retro`.

use crate::Solver;
use crate::solver::Task;
use delphic_game::{Force, Verdict};
use delphic_search::{
    Event, LeafPrior, Limits, Observer, Progress, Report, RootValue, Searchable, Stats, StopReason, Turn,
    Turns,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The number of random games that are sampled.
const PROBES: usize = 32;
/// Nodes of a member's first turn.
const FIRST_TURN: u64 = 25_000;
/// Nodes of a turn, at most.
const LONGEST_TURN: u64 = 1_000_000;
/// The same for the favourite.
const FAVOURITE_TURN: u64 = 4_000_000;

/// How much of the work the favourite gets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// As much as the second member gets.
    Little,
    /// Most. Its first turn is enough for problems of a tenth of a second, and in the long run the others get an eighth of its nodes.
    Much,
}

impl Trust {
    /// First turn, growth and longest turn of the member at this place.
    fn turns(self, place: usize) -> (u64, u64, u64) {
        match (self, place) {
            (Trust::Little, 0) => (FIRST_TURN, 1, FAVOURITE_TURN),
            (Trust::Much, 0) => (16 * FIRST_TURN, 1, FAVOURITE_TURN),
            (Trust::Much, _) => (FIRST_TURN / 4, 2, FAVOURITE_TURN / 16),
            (Trust::Little, 1) => (FIRST_TURN, 1, LONGEST_TURN),
            _ => (FIRST_TURN, 2, FAVOURITE_TURN / 16),
        }
    }
}

/// The members, the favourite first, and how far it is trusted.
fn portfolio(position: &dyn Searchable, seed: u64) -> ([Solver; 3], Trust) {
    let sampled = position.sample(PROBES, seed);
    let (sudden, filling) = (sampled.sudden * 4 > PROBES, sampled.filling == PROBES);
    let evaluated = position.evaluate(position.turn()).is_some();
    let draws = position.payoffs().contains(&0);
    let [alphabeta, dfpn, dfpp] = ["alphabeta", "dfpn", "dfpp"].map(Solver::named);
    let ppt = Solver::named("ppt").with("symmetry", "on");
    match (sudden, evaluated) {
        (true, false) if position.orders_moves() => ([alphabeta, dfpn, ppt], Trust::Much),
        (true, false) => ([alphabeta, dfpn, ppt], Trust::Little),
        (true, true) if draws || !filling => ([alphabeta, dfpp.with("prior", "eval"), dfpn], Trust::Much),
        (true, true) => ([dfpp.with("prior", "eval"), alphabeta, dfpn], Trust::Little),
        (false, _) => ([alphabeta, dfpp, ppt], Trust::Much),
    }
}

/// Runs the portfolio on one question.
pub(crate) fn race(task: Task<'_>) -> (Report, Solver) {
    let Task { position, question, prior, limits, seed, observer, .. } = task;
    if position.endless().is_some() {
        return Solver::named("retro").run(position, question, prior, limits, seed, observer);
    }
    let (members, trust) = portfolio(position, seed);
    // A portfolio cannot be saved and resumed; its favourite can.
    if limits.checkpoints.is_some() {
        return members[0].run(position, question, prior, limits, seed, observer);
    }
    let race = Race { position, question, prior, members: &members, trust, limits: limits.begin(), seed };
    race.run(observer)
}

struct Race<'a> {
    position: &'a dyn Searchable,
    question: Force,
    prior: Option<LeafPrior>,
    members: &'a [Solver],
    trust: Trust,
    limits: Limits<'a>,
    seed: u64,
}

enum Message {
    Progress { member: usize, stats: Stats, root: RootValue, decided: (usize, usize) },
    Done { member: usize, report: Report },
}

/// Sends a member's progress to the calling thread.
struct Sender<'a>(usize, &'a mpsc::Sender<Message>);

impl Observer for Sender<'_> {
    fn event(&mut self, event: Event<'_>) {
        if let Event::Progress(Progress { stats, root, decided, .. }) = event {
            // A send error means that the race is over; then progress does not matter.
            let _ = self.1.send(Message::Progress { member: self.0, stats, root, decided });
        }
    }
}

impl Race<'_> {
    /// Runs the members in turns, one at a time. The first answer stops all.
    fn run(self, observer: &mut dyn Observer) -> (Report, Solver) {
        let Race { position, question, prior, members, trust, limits, seed } = self;
        let (over, started) = (AtomicBool::new(false), Instant::now());
        let turns = Turns::new(members.len());
        let shared = Limits {
            nodes: limits.nodes.map(|nodes| nodes / members.len() as u64),
            memory: limits.memory.map(|memory| memory / members.len() as u64),
            interrupt: Some(&over),
            ..limits
        };
        let (sender, messages) = mpsc::channel();
        std::thread::scope(|scope| {
            for (number, member) in members.iter().enumerate() {
                let (first, slower, longest) = trust.turns(number);
                // A member that uses one thread leaves the others idle, so its turns take as much time as those of the rest.
                let idle = if member.info().has_workers() { 1 } else { limits.threads.max(1) as u64 };
                let longest = longest / idle;
                let turn = Turn { turns: &turns, place: number, first, slower, longest };
                let (sender, over, prior) = (sender.clone(), &over, prior.clone());
                let limits = Limits { turn: Some(turn), ..shared };
                scope.spawn(move || {
                    turn.wait();
                    let observer = &mut Sender(number, &sender);
                    let (report, _) = member.run(position, question, prior, limits, seed, observer);
                    if report.truth != Verdict::Open {
                        over.store(true, Ordering::Relaxed);
                    }
                    turn.turns.leave(turn.place);
                    // The receiver waits for all members, so no report is lost.
                    let _ = sender.send(Message::Done { member: number, report });
                });
            }
            drop(sender);
            let mut state = State::new(members, started);
            loop {
                match messages.recv_timeout(Duration::from_millis(20)) {
                    Ok(message) => state.receive(message, observer),
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                }
                if limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                    over.store(true, Ordering::Relaxed);
                }
            }
            state.finish(&limits)
        })
    }
}

/// The progress of the members.
struct State<'a> {
    members: &'a [Solver],
    started: Instant,
    latest: Vec<Stats>,
    /// The member whose progress is shown: the one with the most nodes.
    shown: usize,
    reports: Vec<(usize, Report)>,
}

impl<'a> State<'a> {
    fn new(members: &'a [Solver], started: Instant) -> State<'a> {
        let latest = vec![Stats::default(); members.len()];
        State { members, started, latest, shown: 0, reports: Vec::new() }
    }

    /// The sum of all members' counters. They hold their memory at the same time.
    fn stats(&self) -> Stats {
        let sum = self.latest.iter().fold(Stats::default(), |sum, &stats| sum.beside(stats));
        Stats { time: self.started.elapsed(), ..sum }
    }

    fn receive(&mut self, message: Message, observer: &mut dyn Observer) {
        match message {
            Message::Progress { member, stats, root, decided } => {
                self.latest[member] = stats;
                if stats.created >= self.latest[self.shown].created {
                    self.shown = member;
                }
                // Root values of different members are not comparable, so only one member's value is shown.
                if member == self.shown {
                    let solver = self.members[member].info().name;
                    observer.event(Event::Progress(Progress { solver, stats: self.stats(), root, decided }));
                }
            }
            Message::Done { member, report } => {
                self.latest[member] = report.stats;
                self.reports.push((member, report));
            }
        }
    }

    /// The first answer; without one, the report of the favourite with the reason why the last member stopped.
    fn finish(mut self, limits: &Limits<'_>) -> (Report, Solver) {
        let stats = self.stats();
        let answered = self.reports.iter().position(|(_, report)| report.truth != Verdict::Open);
        let favourite = || self.reports.iter().position(|(member, _)| *member == 0).unwrap_or(0);
        let place = answered.unwrap_or_else(favourite);
        let stop = match answered {
            Some(_) => StopReason::Solved,
            None => limits.is_over().unwrap_or_else(|| {
                // A member that runs out of memory drops out; the race ends when the last member stops.
                self.reports.last().map_or(StopReason::Interrupted, |(_, report)| report.stop)
            }),
        };
        let (member, report) = self.reports.swap_remove(place);
        (Report { stats, stop, ..report }, self.members[member].clone())
    }
}
