//! Several workers in one tree of Monte-Carlo tree search prove what is true, keep their limits and end.

use crate::interrupted;
use delphic_game::{Bounds, Force, Game, Player, Rng, Score, Spec, Verdict, random_tree::RandomTree};
use delphic_games::{Clobber, Connect4, Domineering, Family};
use delphic_search::boundary::GameSimulator;
use delphic_search::mcts::{
    self, Bias, Estimator, FinalMove, FirstVisits, Formula, Goals, Mcts, Objective, SelectionTies, Settings,
    Solving,
};
use delphic_search::{Limits, Position, Searchable, StopReason, Workers};

const SB: Settings = Settings {
    exploration: 1.4,
    estimator: Estimator::Playouts { count: 1, cut: None },
    solving: Solving::Bounds,
    bias: None,
    first_visits: FirstVisits::AtOnce,
    ties: SelectionTies::Random,
    final_move: FinalMove::Bound,
};

fn settings(number: usize) -> Settings {
    let bias = |goals, mobility| Some(Bias { formula: Formula::Rank, weight: 1.0, goals, mobility });
    match number {
        0 => SB,
        1 => Settings { solving: Solving::Skip, exploration: 0.0, ..SB },
        2 => Settings { bias: bias(Goals::OwnWins, true), ..SB },
        _ => Settings { bias: bias(Goals::WinOf(Player::FIRST), false), ties: SelectionTies::First, ..SB },
    }
}

/// Workers on threads or in turns, in order or at random.
fn workers(rng: &mut Rng) -> Limits<'static> {
    let lockstep = 2 + rng.below(15);
    match rng.below(3) {
        0 => Limits { threads: 2 + rng.below(4), ..Limits::default() },
        order => {
            let shuffle = if order == 1 { 0 } else { 1 + rng.below(1 << 30) as u64 };
            Limits { workers: Workers { lockstep, shuffle, ..Workers::default() }, ..Limits::default() }
        }
    }
}

/// The score by brute force: the highest payoff that the player can force.
fn truth(position: &dyn Searchable, score: Score) -> i16 {
    let forces = |at_least: &i16| {
        let question = Force { player: score.player, at_least: *at_least };
        position.brute(question, Limits::default(), &mut ()).truth == Verdict::Proved
    };
    (score.range.lo + 1..=score.range.hi).take_while(forces).last().unwrap_or(score.range.lo)
}

fn agree(position: &dyn Searchable, span: i16, rng: &mut Rng, what: &str) {
    let player = Player::new(rng.below(2));
    let score = Score { player, range: Bounds { lo: -span, hi: span } };
    let (limits, number) = (workers(rng), rng.below(4));
    let report = mcts::solve(position, score, settings(number), limits, rng.below(1 << 30) as u64, &mut ());
    let payoff = truth(position, score);
    assert_eq!(report.truth, Bounds { lo: payoff, hi: payoff }, "{what}, settings {number}, {limits:?}");
    assert_eq!(report.stop, StopReason::Solved);
}

#[test]
fn workers_prove_what_is_true_of_random_trees() {
    let rng = &mut Rng::new(5);
    for seed in 0..2_000 {
        let mut tree = RandomTree::small(seed);
        tree.players = [2, 2, 3][seed as usize % 3];
        agree(&Position { game: &tree, state: tree.start() }, tree.span, rng, &format!("tree {seed}"));
    }
}

fn build<G: Family>(spec: &str) -> G {
    G::build(&mut Spec::parse(spec)).expect("a game")
}

#[test]
fn workers_prove_what_is_true_of_boards() {
    let rng = &mut Rng::new(6);
    let (domineering, clobber) = (build::<Domineering>("domineering:4x4"), build::<Clobber>("clobber:3x3"));
    let connect4 = build::<Connect4>("connect4:3x4");
    for _ in 0..12 {
        agree(&Position { game: &domineering, state: domineering.start() }, 1, rng, "domineering");
        agree(&Position { game: &clobber, state: clobber.start() }, 1, rng, "clobber");
        agree(&Position { game: &connect4, state: connect4.start() }, 1, rng, "connect4");
    }
}

fn search(game: &Connect4, settings: Settings) -> Mcts<'_> {
    Mcts::new(Box::new(GameSimulator::new(game, game.start())), Objective::Own, settings, 1)
}

/// Iterations and nodes are exact, and every iteration is counted once.
#[test]
fn counts_are_kept_by_all_workers() {
    let (game, rng) = (build::<Connect4>("connect4:7x6"), &mut Rng::new(8));
    for round in 0..40 {
        let limits = workers(rng);
        let mut search = search(&game, settings(round % 4));
        let stop = search.run(Some(500), limits, true, &mut ());
        assert_eq!((stop, search.stats().iterations), (StopReason::Iterations, 500), "{limits:?}");
        let visits: u32 = search.move_stats(7).iter().map(|mv| mv.visits).sum();
        assert_eq!(visits, 500, "{limits:?}");
        let created = search.stats().created;
        let stop = search.run(None, Limits { nodes: Some(100), ..limits }, true, &mut ());
        assert_eq!((stop, search.stats().created - created), (StopReason::Nodes, 100), "{limits:?}");
    }
}

/// No virtual loss is left over: without random games, and too early for a game to be over, all values are 0.
#[test]
fn virtual_losses_are_replaced() {
    let (game, rng) = (build::<Connect4>("connect4:7x6"), &mut Rng::new(10));
    for _ in 0..40 {
        let (limits, even) = (workers(rng), Settings { estimator: Estimator::Evaluation { after: 0 }, ..SB });
        let mut search = search(&game, even);
        search.run(Some(1_000), limits, true, &mut ());
        for mv in search.move_stats(7) {
            assert!(mv.mean.abs() < 1e-3 && mv.visits > 100, "{limits:?}: {mv:?}");
        }
    }
}

/// A tree that reaches the memory limit loses parts while all workers rest, and goes on.
#[test]
fn memory_is_kept_by_all_workers() {
    let (game, rng, memory) = (build::<Connect4>("connect4:7x6"), &mut Rng::new(9), 1 << 20);
    for _ in 0..6 {
        let limits = Limits { memory: Some(memory), ..workers(rng) };
        let mut search = search(&game, SB);
        let stop = search.run(Some(60_000), limits, true, &mut ());
        assert_eq!(stop, StopReason::Iterations, "{limits:?}");
        assert!(search.stats().peak_bytes <= memory, "{limits:?}: {:?}", search.stats());
    }
}

/// Searches in turns are repeatable, and differ from those with another number of workers.
#[test]
fn turns_are_repeatable() {
    let game = build::<Connect4>("connect4:7x6");
    let stats = |lockstep| {
        let mut search = search(&game, SB);
        let workers = Workers { lockstep, ..Workers::default() };
        search.run(Some(2_000), Limits { workers, ..Limits::default() }, true, &mut ());
        search.move_stats(7)
    };
    assert_eq!(stats(4), stats(4));
    assert_eq!(stats(0), stats(1));
    assert_ne!(stats(1), stats(4));
}

/// Searches on threads, each interrupted at another moment by a flag, a clock or a limit on nodes: all end, for the true reason.
#[test]
fn interrupted_searches_end() {
    let game = build::<Connect4>("connect4:7x6");
    interrupted::rounds(600, 4, 2_000, |round, limits, expected| {
        let stop = search(&game, settings(round % 4)).run(None, limits, true, &mut ());
        assert_eq!(stop, expected, "round {round}");
    });
}
