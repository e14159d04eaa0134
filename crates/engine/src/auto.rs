//! `auto`: a portfolio chosen from what the game looks like, raced for the first proof.
//!
//! A few random games tell whether the game ends suddenly (somebody completes something) or by running out of moves. Sudden
//! endings suit alpha-beta and proof numbers, slow ones product propagation. With several threads the members run side by side;
//! with one they take turns, each turn with twice the nodes of the one before, so that whoever is right for the problem needs
//! at most a few times what it would need alone.

use crate::Solver;
use crate::solver::{Guide, LeafPrior, Walk};
use delphic_game::{Asked, Force, Game, Hints, Progressive, Rng, Verdict};
use delphic_search::dag::Symmetry;
use delphic_search::{Hope, Limits, Observer, Report, Stats, StopReason};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Random games played to see what the game is like.
const PROBES: usize = 32;
/// Nodes of the first turn on one thread: a few seconds, so that the favourite is rarely interrupted where it is right.
const FIRST_TURN: u64 = 5_000_000;

const ALPHABETA: Solver = Solver::AlphaBeta(Symmetry::On);
const DFPN: Solver =
    Solver::Guided(Guide::ProofNumbers { prior: LeafPrior::Mobility }, Walk::DepthFirst(Symmetry::On));
const PPT: Solver = Solver::Guided(Guide::Products { prior: LeafPrior::Mobility }, Walk::Dag(Symmetry::On));
const DFPP: Solver =
    Solver::Guided(Guide::Products { prior: LeafPrior::Mobility }, Walk::DepthFirst(Symmetry::On));

/// Who races, the favourite first.
fn portfolio<G: Game>(game: &G, position: &G::State, seed: u64) -> [Solver; 3] {
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
    if sudden * 4 > PROBES { [ALPHABETA, DFPN, PPT] } else { [DFPP, ALPHABETA, PPT] }
}

/// Races the portfolio for one question.
pub(crate) fn race<G>(
    problem: &Asked<'_, G, Force>,
    limits: Limits<'_>,
    seed: u64,
    observer: &mut dyn Observer,
) -> (Report<Verdict, G::Move>, Solver)
where
    G: Progressive<State: Send + Sync, Move: Send> + Hints + Sync,
{
    let members = portfolio(problem.game, &problem.position, seed);
    match limits.threads.min(members.len()) {
        0 | 1 => take_turns(problem, &members, limits, seed, observer),
        threads => side_by_side(problem, &members[..threads], limits, seed, observer),
    }
}

/// One thread: rounds of growing turns.
fn take_turns<G>(
    problem: &Asked<'_, G, Force>,
    members: &[Solver],
    limits: Limits<'_>,
    seed: u64,
    observer: &mut dyn Observer,
) -> (Report<Verdict, G::Move>, Solver)
where
    G: Progressive<State: Send + Sync, Move: Send> + Hints + Sync,
{
    let mut spent = Stats::default();
    let mut turn = FIRST_TURN;
    loop {
        for &member in members {
            let mut left = limits.left_after(&spent);
            let whole = left.nodes.unwrap_or(u64::MAX);
            left.nodes = Some(whole.min(turn));
            let (mut report, by) = member.run(problem, left, seed, observer);
            spent = spent.then(report.stats);
            // A member that ran out of its turn, or out of memory, passes the baton; other limits are everybody's.
            let turn_over = report.stop == StopReason::Nodes && turn < whole;
            if report.truth != Verdict::Open
                || !(turn_over || report.stop == StopReason::Memory && member != members[1])
            {
                report.stats = spent;
                return (report, by);
            }
        }
        turn = turn.saturating_mul(2);
    }
}

/// Several threads: everybody at once, and the first answer stops the others.
fn side_by_side<G>(
    problem: &Asked<'_, G, Force>,
    members: &[Solver],
    limits: Limits<'_>,
    seed: u64,
    observer: &mut dyn Observer,
) -> (Report<Verdict, G::Move>, Solver)
where
    G: Progressive<State: Send + Sync, Move: Send> + Hints + Sync,
{
    let (over, started) = (AtomicBool::new(false), Instant::now());
    let shared = Limits {
        memory: limits.memory.map(|memory| memory / members.len() as u64),
        interrupt: Some(&over),
        threads: 1,
        ..limits
    };
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for &member in members {
            let (sender, shared) = (sender.clone(), &shared);
            scope.spawn(move || {
                // The receiver waits for everybody, so nothing is lost if it does not listen any more.
                let _ = sender.send(member.run(problem, *shared, seed, &mut ()));
            });
        }
        drop(sender);
        let mut best: Option<(Report<Verdict, G::Move>, Solver)> = None;
        let mut spent = Stats::default();
        loop {
            match results.recv_timeout(Duration::from_millis(20)) {
                Ok((report, by)) => {
                    spent = spent.then(report.stats);
                    let answered = report.truth != Verdict::Open;
                    if answered {
                        over.store(true, Ordering::Relaxed);
                    }
                    if best.as_ref().is_none_or(|(so_far, _)| answered && so_far.truth == Verdict::Open) {
                        best = Some((report, by));
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    if limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                        over.store(true, Ordering::Relaxed);
                    }
                    observer.progress(&Stats { time: started.elapsed(), ..spent }, Hope::None);
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
        let (mut report, by) = best.expect("every member reports");
        report.stats = Stats { time: started.elapsed(), ..spent };
        (report, by)
    })
}
