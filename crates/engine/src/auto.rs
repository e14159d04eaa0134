//! `auto`: a portfolio chosen from what the game looks like, raced for the first proof.
//!
//! A few random games tell whether the game ends suddenly (somebody completes something) or by running out of moves. Sudden
//! endings suit alpha-beta and proof numbers, slow ones product propagation; an evaluation turns that round, because it orders moves
//! for the one and values leaves for the other. With enough threads the members run side by side;
//! with fewer they take turns on them and lose nothing between turns, so whoever is right for the problem needs at most a few
//! times what it would need alone.

use crate::Solver;
use crate::solver::{Answered, Guide, LeafPrior, Solvable, Walk};
use delphic_game::{Asked, Force, Hints, Rng, Verdict};
use delphic_search::dag::Symmetry;
use delphic_search::rule::{Sum, Ties};
use delphic_search::{Baton, Hope, Limits, Observer, Stats, StopReason, Turn};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Random games played to see what the game is like.
const PROBES: usize = 32;
/// Nodes the favourite creates before anybody else is called.
const SPRINT: u64 = 50_000;
/// Nodes created in one turn.
const TURN: u64 = 1_000_000;
/// The same for the favourite.
const FAVOURITE_TURN: u64 = 4_000_000;

const ALPHABETA: Solver = Solver::AlphaBeta(Symmetry::On);
const DFPN: Solver = Solver::Guided(
    Guide::ProofNumbers { prior: LeafPrior::Mobility, sum: Sum::Plain },
    Walk::DepthFirst(Symmetry::On),
);
const PRODUCTS: Guide = products(LeafPrior::Mobility);
const PPT: Solver = Solver::Guided(PRODUCTS, Walk::Dag(Symmetry::On));
const DFPP_BY_EVALUATION: Solver =
    Solver::Guided(products(LeafPrior::Evaluation), Walk::DepthFirst(Symmetry::On));
const DFPP: Solver = Solver::Guided(PRODUCTS, Walk::DepthFirst(Symmetry::On));

const fn products(prior: LeafPrior) -> Guide {
    Guide::Products { prior, precision: None, ties: Ties::First }
}

/// Who races, the favourite first.
fn portfolio<G: Hints>(game: &G, position: &G::State, seed: u64) -> [Solver; 3] {
    let (mut rng, mut scratch, mut sudden) = (Rng::new(seed), Vec::new(), 0);
    for _ in 0..PROBES {
        let mut state = position.clone();
        sudden += usize::from(loop {
            if let Some(outcome) = game.outcome(&state) {
                break outcome != delphic_game::Outcome::DRAW;
            }
            match game.random_move(&state, &mut rng, &mut scratch) {
                Some(mv) => game.play(&mut state, mv),
                None => break false,
            }
        });
    }
    match (sudden * 4 > PROBES, game.evaluate(position, game.turn(position)).is_some()) {
        (true, false) => [ALPHABETA, DFPN, PPT],
        (true, true) => [DFPP_BY_EVALUATION, ALPHABETA, DFPN],
        (false, false) => [DFPP, ALPHABETA, PPT],
        (false, true) => [ALPHABETA, DFPP, PPT],
    }
}

/// Races the portfolio for one question.
pub(crate) fn race<'g, G: Solvable>(
    problem: &Asked<'g, G, Force>,
    limits: Limits<'_>,
    seed: u64,
    observer: &mut dyn Observer,
) -> (Answered<'g, G>, Solver) {
    let members = portfolio(problem.game, &problem.position, seed);
    // A race cannot be put down and taken up again; its favourite can.
    if limits.archive.is_some() {
        return members[0].run(problem, limits, seed, observer);
    }
    // Most questions are small; no need to wake the whole team for them.
    let sprint = Limits { nodes: Some(limits.nodes.map_or(SPRINT, |nodes| nodes.min(SPRINT))), ..limits };
    let (report, by) = members[0].run(problem, sprint, seed, observer);
    if report.stop != StopReason::Nodes || limits.nodes.is_some_and(|nodes| report.stats.created >= nodes) {
        return (report, by);
    }
    let (mut race, by) = run_all(problem, &members, limits.left_after(&report.stats), seed, observer);
    race.stats = report.stats.then(race.stats);
    (race, by)
}

enum News<R> {
    Progress(usize, Stats, Hope),
    Done(R),
}

/// Passes a member's progress on.
struct Reporter<'a, R>(usize, &'a mpsc::Sender<News<R>>);

impl<R> Observer for Reporter<'_, R> {
    fn progress(&mut self, stats: &Stats, hope: Hope) {
        // If nobody listens any more, nobody is interested.
        let _ = self.1.send(News::Progress(self.0, *stats, hope));
    }
}

/// Every member on a thread of its own, of which no more move at the same time than are allowed. The first answer stops all.
fn run_all<'g, G: Solvable>(
    problem: &Asked<'g, G, Force>,
    members: &[Solver],
    limits: Limits<'_>,
    seed: u64,
    observer: &mut dyn Observer,
) -> (Answered<'g, G>, Solver) {
    let (over, started) = (AtomicBool::new(false), Instant::now());
    let groups = limits.threads.clamp(1, members.len());
    let batons: Vec<Baton> =
        (0..groups).map(|group| Baton::new((members.len() - group).div_ceil(groups))).collect();
    let shared = Limits {
        nodes: limits.nodes.map(|nodes| nodes / members.len() as u64),
        memory: limits.memory.map(|memory| memory / members.len() as u64),
        interrupt: Some(&over),
        threads: 1,
        ..limits
    };
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for (number, &member) in members.iter().enumerate() {
            let nodes = if number == 0 { FAVOURITE_TURN } else { TURN };
            let turn = Turn { baton: &batons[number % groups], place: number / groups, nodes };
            let (sender, over, limits) = (sender.clone(), &over, Limits { turn: Some(turn), ..shared });
            scope.spawn(move || {
                turn.wait();
                let result = member.run(problem, limits, seed, &mut Reporter(number, &sender));
                if result.0.truth != Verdict::Open {
                    over.store(true, Ordering::Relaxed);
                }
                turn.baton.leave(turn.place);
                // The receiver waits for everybody, so nothing is lost.
                let _ = sender.send(News::Done(result));
            });
        }
        drop(sender);
        let mut best: Option<(Answered<'g, G>, Solver)> = None;
        let (mut spent, mut latest) = (Stats::default(), vec![Stats::default(); members.len()]);
        loop {
            match results.recv_timeout(Duration::from_millis(20)) {
                Ok(News::Progress(member, stats, hope)) => {
                    latest[member] = stats;
                    let sum = latest.iter().fold(Stats::default(), |sum, &stats| sum.then(stats));
                    observer.progress(&Stats { time: started.elapsed(), ..sum }, hope);
                }
                Ok(News::Done((report, by))) => {
                    spent = spent.then(report.stats);
                    let answered = report.truth != Verdict::Open;
                    if best.as_ref().is_none_or(|(so_far, _)| answered && so_far.truth == Verdict::Open) {
                        best = Some((report, by));
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            if limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                over.store(true, Ordering::Relaxed);
            }
        }
        let (mut report, by) = best.expect("every member reports");
        report.stats = Stats { time: started.elapsed(), ..spent };
        (report, by)
    })
}
