//! Several workers on one table give the answers of one, whatever their number, their order and the size of the table.

use crate::interrupted;
use delphic_game::random_tree::RandomTree;
use delphic_game::{Force, Game, Notation, Player, Progressive, Rng, Spec, Verdict};
use delphic_games::{Connect4, Domineering, Family, NoGo};
use delphic_search::prior::Playouts;
use delphic_search::rule::{Counts, MinSum, Product, Sum, Ties};
use delphic_search::{
    KeptTable, LeafPrior, Limits, Position, Report, Searchable, Solvable, Spread, StopReason, Symmetry,
    VirtualValue, Workers, depth_first,
};

/// df-pn, df-pp, df-ppn or alpha-beta.
fn search(position: &dyn Searchable, win: Force, solver: usize, bytes: u64, limits: Limits<'_>) -> Report {
    if solver == 3 {
        return position.alphabeta(win, Symmetry::On, Limits { memory: Some(bytes), ..limits }, &mut ());
    }
    let prior = match solver {
        2 => LeafPrior::Playouts(Playouts::new(2, 1)),
        _ => LeafPrior::Mobility,
    };
    let tables = position.tables(win, prior, Symmetry::On, bytes, limits.crew());
    match solver {
        0 => {
            let rule = MinSum { kind: Counts, sum: Sum::Plain, ties: Ties::First };
            depth_first::solve_together(tables, &rule, limits, &mut ())
        }
        _ => depth_first::solve_together(tables, &Product::default(), limits, &mut ()),
    }
}

fn wins(player: Player) -> Force {
    Force { player, at_least: 1 }
}

fn random_workers(rng: &mut Rng) -> Workers {
    Workers {
        lockstep: 2 + rng.below(15),
        shuffle: 1 + rng.below(1 << 30) as u64,
        spread: [Spread::Auto, Spread::Yes, Spread::No, Spread::Both][rng.below(4)],
        virtual_value: [VirtualValue::Multiply, VirtualValue::Add][rng.below(2)],
    }
}

/// 10,000 random trees with 2 to 16 workers in random turns, in tables of a hundred entries and more, so that
/// entries are lost all the time.
#[test]
fn workers_agree_with_brute_force_on_random_trees() {
    let rng = &mut Rng::new(7);
    for seed in 0..10_000 {
        let mut tree = RandomTree::small(seed);
        tree.players = [2, 2, 3][seed as usize % 3];
        let position = Position { game: &tree, state: tree.start() };
        let win = wins(Player::new(rng.below(tree.players)));
        let truth = position.brute(win, Limits::default(), &mut ()).truth;
        let limits = Limits { workers: random_workers(rng), nodes: Some(50_000_000), ..Limits::default() };
        let bytes = [4_000, 8_000, 1 << 20][rng.below(3)];
        let report = search(&position, win, rng.below(4), bytes, limits);
        assert_eq!(
            report.truth, truth,
            "tree {seed}, {win:?}, {limits:?}, {bytes} bytes {:?} {:?}",
            report.stats, report.root
        );
    }
}

fn build<G: Family>(spec: &str) -> G {
    G::build(&mut Spec::parse(spec)).expect("a game")
}

/// Random positions of a game, with threads and in turns.
fn agree_on_boards<G: Solvable + Progressive + Notation>(game: &G, openings: usize) {
    let rng = &mut Rng::new(11);
    for round in 0..40 {
        let (mut state, mut moves) = (game.start(), Vec::new());
        for _ in 0..openings + rng.below(3) {
            moves.clear();
            game.moves(&state, &mut moves);
            if moves.is_empty() || game.outcome(&state).is_some() {
                break;
            }
            game.play(&mut state, moves[rng.below(moves.len())]);
        }
        let position = Position { game, state };
        let win = wins(Player::new(rng.below(2)));
        let truth = position.brute(win, Limits::default(), &mut ()).truth;
        for solver in 0..4 {
            let bytes = [2_000, 20_000, 1 << 22][rng.below(3)];
            let free = Limits { threads: 2 + rng.below(7), ..Limits::default() };
            let turns = Limits { workers: random_workers(rng), ..Limits::default() };
            for limits in [free, turns] {
                let report = search(&position, win, solver, bytes, limits);
                let board = game.write(&position.state);
                assert_eq!(
                    report.truth, truth,
                    "round {round}: {board}, solver {solver}, {limits:?}, {bytes} bytes"
                );
                assert!(report.stats.peak_bytes <= bytes.max(1_000), "{limits:?}: {:?}", report.stats);
            }
        }
    }
}

#[test]
fn workers_agree_with_brute_force_on_boards() {
    agree_on_boards(&build::<Domineering>("domineering:4x4"), 0);
    agree_on_boards(&build::<Connect4>("connect4:4x4"), 4);
}

/// With one worker in turns the search is the one without crew, node by node; with several it is repeatable.
#[test]
fn turns_are_repeatable() {
    let game = build::<Connect4>("connect4:4x4");
    let position = Position { game: &game, state: game.start() };
    let count = |lockstep, solver| {
        let workers = Workers { lockstep, ..Workers::default() };
        let report =
            search(&position, wins(Player::FIRST), solver, 1 << 22, Limits { workers, ..Limits::default() });
        assert_eq!(report.truth, Verdict::Disproved);
        report.stats.created
    };
    for solver in 0..4 {
        assert_eq!(count(0, solver), count(1, solver));
        assert_eq!(count(5, solver), count(5, solver));
        assert_ne!(count(1, solver), count(5, solver));
    }
}

/// Workers that take turns stop at a limit, although no other thread can rest for them.
#[test]
fn searches_in_turns_keep_limits() {
    let game = build::<Connect4>("connect4:7x6");
    let position = Position { game: &game, state: game.start() };
    let workers = Workers { lockstep: 5, ..Workers::default() };
    for solver in 0..4 {
        let limits = Limits { nodes: Some(5_000), workers, ..Limits::default() };
        let report = search(&position, wins(Player::FIRST), solver, 1 << 20, limits);
        assert_eq!((report.truth, report.stop), (Verdict::Open, StopReason::Nodes), "solver {solver}");
    }
}

/// 1,000 searches on threads, each interrupted at another moment by a flag, a clock or a limit on nodes: all end, for the true reason.
#[test]
fn interrupted_searches_end() {
    let game = build::<Connect4>("connect4:7x6");
    let position = Position { game: &game, state: game.start() };
    interrupted::rounds(1_000, 3, 20_000, |round, limits, expected| {
        let report = search(&position, wins(Player::FIRST), round % 4, 1 << 20, limits);
        assert_eq!((report.truth, report.stop), (Verdict::Open, expected), "round {round}");
    });
}

/// A position reached by up to four random moves.
fn below<G: Game>(game: &G, rng: &mut Rng) -> G::State {
    let (mut state, mut moves) = (game.start(), Vec::new());
    for _ in 0..rng.below(5) {
        moves.clear();
        if game.outcome(&state).is_none() {
            game.moves(&state, &mut moves);
        }
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.below(moves.len())];
        game.play(&mut state, mv);
    }
    state
}

/// Searches of different positions on three threads at the same time, one after the other on each, with small limits and without, in tables
/// that lose entries all the time.
#[test]
fn searches_that_share_a_kept_table_agree_with_brute_force() {
    for seed in 0..1_000 {
        let rng = &mut Rng::new(seed);
        let mut tree = RandomTree::small(seed);
        tree.players = [2, 2, 3][seed as usize % 3];
        let (tree, win) = (&tree, wins(Player::new(rng.below(tree.players))));
        let (bytes, solver, kept) =
            ([4_000, 8_000, 1 << 20][rng.below(3)], rng.below(2), &KeptTable::shared());
        std::thread::scope(|scope| {
            for thread in 0..3 {
                scope.spawn(move || {
                    let rng = &mut Rng::new(seed * 3 + thread);
                    for _ in 0..6 {
                        let position = Position { game: tree, state: below(tree, rng) };
                        let truth = position.brute(win, Limits::default(), &mut ()).truth;
                        let few = rng.below(2) == 0;
                        let nodes = Some(if few { 20 } else { 50_000_000 });
                        let limits = Limits { nodes, kept: Some(kept), ..Limits::default() };
                        let found = search(&position, win, solver, bytes, limits).truth;
                        assert!(
                            found == truth || few && found == Verdict::Open,
                            "tree {seed}, {win:?}, {bytes} bytes"
                        );
                    }
                });
            }
        });
    }
}

/// What one search has found the next one does not search again, also while the table is in use elsewhere.
#[test]
fn searches_use_what_others_have_found_in_a_shared_kept_table() {
    let game: NoGo = build("nogo:3x4");
    let position = Position { game: &game, state: game.start() };
    let created = |kept: &KeptTable| {
        let limits = Limits { kept: Some(kept), ..Limits::default() };
        search(&position, wins(Player::FIRST), 0, 1 << 24, limits).stats.created
    };
    let (kept, other) = (KeptTable::shared(), KeptTable::shared());
    let alone = created(&kept);
    assert!(alone > 1_000, "{alone}");
    assert!(created(&kept) * 20 < alone);
    assert_eq!(created(&other), alone, "a table of its own");
    let limits = Limits { kept: Some(&kept), ..Limits::default() };
    // Another memory limit is another table, which loses other entries.
    assert!(search(&position, wins(Player::FIRST), 0, 1 << 25, limits).stats.created * 2 > alone);
}
