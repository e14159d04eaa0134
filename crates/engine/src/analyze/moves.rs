//! The values of the moves at a position, searched in rounds: each round searches all open moves, in parallel on all threads.

use super::children::ChildProver;
use crate::value_range::ValueRange;
use crate::{AnyPosition, Ask};
use delphic_game::{Bounds, Force, Player, Verdict};
use delphic_search::{Event, Limits, Observer, ProofMemory, StopReason};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};

/// The node budget of each move in the first round. It doubles from round to round.
const FIRST_ROUND: u64 = 20_000;

/// The moves of a position, with bounds on their values.
pub(super) struct Moves<'p> {
    position: &'p dyn AnyPosition,
    ask: Ask,
    player: Player,
    payoffs: Vec<i16>,
    limits: Limits<'p>,
    /// For every payoff but the least, the idle provers; `None` until one is needed.
    provers: Vec<Mutex<Option<Vec<ChildProver<'p>>>>>,
    ranges: Vec<Mutex<ValueRange>>,
    /// Nodes created so far.
    created: AtomicU64,
}

/// How the search of a move ended in a round.
enum Ended {
    Decided,
    /// Its nodes were used up.
    Open,
    /// It is decided only under a restriction of the rules.
    Restricted,
    Stopped(StopReason),
}

/// The report of a thread.
enum Message {
    Begun,
    Bounds { number: usize, known: Bounds },
    Ended { number: usize, ended: Ended },
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'p> Moves<'p> {
    /// All moves, undecided. The memory limit is shared by all provers of one payoff.
    pub(super) fn new(position: &'p dyn AnyPosition, ask: Ask, limits: Limits<'p>) -> Moves<'p> {
        let payoffs = position.game_payoffs();
        Moves {
            position,
            ask,
            player: position.turn(),
            limits,
            provers: payoffs[1..].iter().map(|_| Mutex::new(None)).collect(),
            ranges: position.moves().iter().map(|_| Mutex::new(ValueRange::new(payoffs.clone()))).collect(),
            payoffs,
            created: AtomicU64::new(0),
        }
    }

    /// Uses the solved positions of a search for this payoff.
    pub(super) fn inherit(&self, at_least: i16, memory: Option<ProofMemory>) {
        let nth = self.nth_of(at_least);
        *lock(&self.provers[nth]) = Some(self.start(nth, memory));
    }

    fn nth_of(&self, at_least: i16) -> usize {
        self.payoffs.partition_point(|&payoff| payoff < at_least) - 1
    }

    fn start(&self, nth: usize, memory: Option<ProofMemory>) -> Vec<ChildProver<'p>> {
        let question = Force { player: self.player, at_least: self.payoffs[nth + 1] };
        ChildProver::several(self.position, question, memory, self.limits)
    }

    /// Runs `work` with a prover for payoff number `nth`.
    fn with_prover<T>(&self, nth: usize, work: impl FnOnce(&mut ChildProver<'p>) -> T) -> T {
        let mut idle = lock(&self.provers[nth]);
        let Some(mut prover) = idle.get_or_insert_with(|| self.start(nth, None)).pop() else {
            unreachable!("there is a prover for every thread")
        };
        drop(idle);
        let done = work(&mut prover);
        lock(&self.provers[nth]).get_or_insert_default().push(prover);
        done
    }

    /// Searches until every move is decided or a limit is reached, with `spent` nodes created before.
    pub(super) fn search(&self, spent: u64, observer: &mut dyn Observer) -> StopReason {
        let mut open: Vec<usize> = (0..self.ranges.len()).collect();
        let (mut nodes, mut restricted) = (FIRST_ROUND, false);
        while !open.is_empty() {
            let done = self.ranges.len() - open.len();
            let (mut left, mut stopped) = (Vec::new(), None);
            let mut receive = |message, observer: &mut dyn Observer| match message {
                Message::Begun => observer.event(Event::Part { what: "move", done, all: self.ranges.len() }),
                Message::Bounds { number, known: Bounds { lo, hi } } => {
                    observer.event(Event::MoveBounds { nth: number, known: (lo, hi) });
                }
                Message::Ended { number, ended } => match ended {
                    Ended::Decided => {}
                    Ended::Open => left.push(number),
                    Ended::Restricted => restricted = true,
                    Ended::Stopped(stop) => stopped = stopped.or(Some(stop)),
                },
            };
            let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
            let work = |report: &mut dyn FnMut(Message)| {
                while !over.load(Ordering::Relaxed)
                    && let Some(&number) = open.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    report(Message::Begun);
                    let ended = self.search_move(number, spent, nodes, report);
                    if matches!(ended, Ended::Stopped(_)) {
                        over.store(true, Ordering::Relaxed);
                    }
                    report(Message::Ended { number, ended });
                }
            };
            match self.limits.threads.clamp(1, open.len()) {
                1 => work(&mut |message| receive(message, observer)),
                threads => std::thread::scope(|scope| {
                    let (sender, messages) = mpsc::channel();
                    for _ in 0..threads {
                        let (sender, work) = (sender.clone(), &work);
                        // The receiver waits for all threads, so sending cannot fail.
                        scope.spawn(move || work(&mut |message| drop(sender.send(message))));
                    }
                    drop(sender);
                    messages.iter().for_each(|message| receive(message, observer));
                }),
            }
            if let Some(stop) = stopped {
                return stop;
            }
            left.sort_unstable();
            open = left;
            nodes = nodes.saturating_mul(2);
        }
        if restricted { StopReason::Restricted } else { StopReason::Solved }
    }

    fn search_move(&self, number: usize, spent: u64, nodes: u64, report: &mut dyn FnMut(Message)) -> Ended {
        if self.limits.nodes.is_some_and(|limit| spent + self.created() >= limit) {
            return Ended::Stopped(StopReason::Nodes);
        }
        let restriction = self.position.search().restriction();
        let mut range = lock(&self.ranges[number]);
        while let Some(at_least) = range.next(self.ask) {
            let found = self.with_prover(self.nth_of(at_least), |prover| {
                let before = prover.created();
                let found = prover.answer(number, nodes);
                self.created.fetch_add(prover.created() - before, Ordering::Relaxed);
                found
            });
            match found {
                Ok(yes) => {
                    let verdict = Verdict::of(yes);
                    if restriction.is_some_and(|it| it.verdict(self.player, verdict) == Verdict::Open) {
                        return Ended::Restricted;
                    }
                    range.learn(at_least, yes);
                    report(Message::Bounds { number, known: range.range() });
                }
                Err(StopReason::Nodes) => return Ended::Open,
                Err(stop) => return Ended::Stopped(stop),
            }
        }
        Ended::Decided
    }

    /// Nodes created so far.
    pub(super) fn created(&self) -> u64 {
        self.created.load(Ordering::Relaxed)
    }

    /// The bounds on move number `number`.
    pub(super) fn range(&self, number: usize) -> MutexGuard<'_, ValueRange> {
        lock(&self.ranges[number])
    }

    /// The maximum length of the game after move number `number` against the strategy that proves whether payoff number `nth` is reached.
    pub(super) fn longest(&self, number: usize, nth: usize, yes: bool) -> Option<u32> {
        self.with_prover(nth, |prover| {
            let before = prover.created();
            let longest = prover.longest(number, yes);
            self.created.fetch_add(prover.created() - before, Ordering::Relaxed);
            longest
        })
    }
}
