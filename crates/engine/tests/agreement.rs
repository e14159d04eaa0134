//! Every solver gives the answers of plain minimax, on random trees and on small boards of every game.

use delphic_engine::{AnyGame, Ask, Conclusion, Limits, Request, SOLVERS, Solver, StopReason, Value, game};
use delphic_game::random_tree::RandomTree;
use delphic_game::{
    Asked, Bounds, Force, Game, Maxn, Outcome, Player, Question, Rng, Score, Verdict, result,
};
use delphic_search::brute;

/// All solvers of the list, and parameters worth a test of their own.
fn solvers() -> Vec<Solver> {
    let listed = SOLVERS.iter().map(|info| info.name);
    let more = [
        "pns:prior=mobility",
        "pp:prior=half",
        "ppt:symmetry=on",
        "pnt:symmetry=on",
        "dfpp:symmetry=off",
        "alphabeta:symmetry=off",
        "ppn:playouts=1,theta=0.4",
        "mcpns:playouts=1,theta=0",
        "pnt:sum=weak,symmetry=on",
        "dfpn:sum=weak",
        "dfpp:prior=eval",
        "ppn:playouts=4,precision=0.2,stop=off",
        "mcts:playouts=1",
        "uct:playouts=1,c=0",
    ];
    listed.chain(more).map(|name| name.parse().unwrap()).collect()
}

/// The value for `player` when everybody else plays against him: the definition, with no cut and no memory.
fn paranoid<G: Game>(game: &G, state: &G::State, player: Player) -> i16 {
    if let Some(outcome) = result(game, state, &mut Vec::new()) {
        return outcome.payoff(player);
    }
    let values = children(game, state).into_iter().map(|child| paranoid(game, &child, player));
    if game.turn(state) == player { values.max() } else { values.min() }.unwrap()
}

/// The outcome when everybody plays for the own payoff and takes the first of equals.
fn maxn<G: Game>(game: &G, state: &G::State) -> Outcome {
    if let Some(outcome) = result(game, state, &mut Vec::new()) {
        return outcome;
    }
    let mover = game.turn(state);
    let values = children(game, state).into_iter().map(|child| maxn(game, &child));
    values.reduce(|best, next| if next.payoff(mover) > best.payoff(mover) { next } else { best }).unwrap()
}

fn children<G: Game>(game: &G, state: &G::State) -> Vec<G::State> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let child = |mv| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        next
    };
    moves.into_iter().map(child).collect()
}

#[test]
fn ten_thousand_random_trees() {
    let solvers = solvers();
    let mut seen = [0; 2];
    for seed in 0..10_000 {
        let mut tree = RandomTree::small(seed);
        tree.players = [2, 2, 3][seed as usize % 3];
        let player = Player::new(seed as usize % tree.players);
        let value = paranoid(&tree, &tree.start(), player);
        for &at_least in &tree.payoffs()[1..] {
            let expected = Verdict::of(value >= at_least);
            seen[usize::from(value >= at_least)] += 1;
            let problem = Asked::new(&tree, Force { player, at_least }, tree.start());
            for solver in &solvers {
                let (report, _) = solver.run(&problem, Limits::default(), seed, &mut ());
                assert_eq!(
                    report.truth, expected,
                    "{solver} on {tree:?}: is the value {value} at least {at_least}?"
                );
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 5_000), "the trees must have answers of both kinds: {seen:?}");
}

/// The other questions, by brute force.
#[test]
fn scores_and_max_n_on_random_trees() {
    for seed in 0..2_000 {
        let mut tree = RandomTree::small(seed);
        tree.players = 2 + seed as usize % 3;
        let start = tree.start();
        let player = Player::new(seed as usize % tree.players);
        let range = Bounds { lo: -tree.span, hi: tree.span };
        let score = Score { player, range };
        let value = paranoid(&tree, &start, player);
        assert_eq!(ask(&tree, score), Bounds { lo: value, hi: value }, "{tree:?}");
        let clamped = Score { player, range: Bounds { lo: 0, hi: 1 } };
        assert_eq!(ask(&tree, clamped).lo, value.clamp(0, 1), "{tree:?}");
        assert_eq!(ask(&tree, Maxn { best: tree.span }), Some(maxn(&tree, &start)), "{tree:?}");
    }
}

fn ask<Q: Question>(tree: &RandomTree, question: Q) -> Q::Truth {
    brute::solve(&Asked::new(tree, question, tree.start()), Limits::default(), &mut ()).truth
}

/// Small boards of every game, from the start and from random positions on the way.
const BOARDS: &[&str] = &[
    "tictactoe",
    "tictactoe:misere",
    "mnk:4,3,3",
    "connect4:4x4",
    "connect4:4x3,line=3",
    "domineering:4x5",
    "domineering:5x4",
    "nogo:3x3",
    "nogo:1x11",
    "nogo:2x5,misere",
    "nim:1,2,3",
    "nim:2,2,2,misere",
    "pgame:b=2,d=10,seed=3",
    "pgame:b=5,d=4,seed=4",
];

#[test]
fn small_boards_of_every_game() {
    for spec in BOARDS {
        let game = game(spec).unwrap();
        let mut positions = 0;
        for seed in 0..12 {
            for text in random_line(&*game, seed) {
                let position = game.position(Some(&text), None).unwrap();
                let brute = Request { solver: Solver::Brute, ..Request::default() };
                let expected = position.solve(&brute, &mut ()).value();
                assert!(expected.is_some(), "{spec} {text}");
                for solver in solvers() {
                    // A node limit turns a solver that never ends into a failure.
                    let limits = Limits { nodes: Some(20_000_000), ..Limits::default() };
                    let request = Request { solver, limits, seed, ask: Ask::Value };
                    let answer = position.solve(&request, &mut ());
                    assert_eq!(answer.value(), expected, "{solver} on {spec} {text}");
                }
                positions += 1;
            }
        }
        println!("{spec}: {positions} positions");
    }
}

/// Positions of a random game, latest first. The early ones, which take longest, only for the first game.
fn random_line(game: &dyn AnyGame, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let mut line = vec![game.position(None, None).unwrap()];
    loop {
        let position = &line[line.len() - 1];
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        let next = game.position(Some(&position.write()), Some(&moves[rng.below(moves.len())])).unwrap();
        line.push(next);
    }
    let skip = if seed == 0 { 0 } else { 2 };
    line.iter().skip(skip).rev().map(|position| position.write()).collect()
}

/// Drawn games finish: every child can be solved and the root still open until the bounds meet.
#[test]
fn monte_carlo_proves_the_draw_of_tic_tac_toe() {
    for name in ["mcts", "uct", "mcts-e"] {
        let position = game("tictactoe").unwrap().position(None, None).unwrap();
        let answer =
            position.solve(&Request { solver: name.parse().unwrap(), ..Request::default() }, &mut ());
        assert_eq!(answer.value(), Some(Value::Draw), "{name}");
        println!("{name}: {} iterations", answer.stats.iterations);
        assert!(answer.stats.iterations <= 100_000, "{name}: {}", answer.stats.iterations);
    }
}

/// An estimate is never a proof. Without stopping, the report tells what it said, when, and whether it was right.
#[test]
fn estimates_are_told_apart_from_proofs() {
    let game = game("connect4:5x4").unwrap();
    let (mut estimated, mut right, mut wrong) = (0, 0, 0);
    for text in (0..4).flat_map(|seed| random_line(&*game, seed)) {
        let position = game.position(Some(&text), None).unwrap();
        let ask = |name: &str| {
            let request = Request { solver: name.parse().unwrap(), ask: Ask::Win, ..Request::default() };
            position.solve(&request, &mut ())
        };
        let exact = ask("alphabeta").conclusion;
        for name in ["pp", "ppt", "ppn", "ppnt", "dfpp", "dfppn", "pp2"] {
            let stopped = ask(&format!("{name}:precision=0.3"));
            match stopped.conclusion {
                Conclusion::Estimated => {
                    assert_eq!((stopped.value(), stopped.stop), (None, StopReason::Precision));
                    estimated += 1;
                }
                proved => assert_eq!((proved, stopped.stop), (exact, StopReason::Solved)),
            }
            let watched = ask(&format!("{name}:precision=0.3,stop=off"));
            assert_eq!(watched.conclusion, exact, "{name} {text}");
            if let Some(estimate) = watched.estimate {
                let said = if estimate.first.yes { Conclusion::Proved } else { Conclusion::Disproved };
                assert_eq!(estimate.right, Some(said == exact));
                if said == exact { right += 1 } else { wrong += 1 }
            }
        }
    }
    println!("{estimated} estimates; gone on with, {right} were right and {wrong} wrong");
    assert!(estimated > 20 && right > 20 && wrong > 0);
}

#[test]
fn the_same_seed_gives_the_same_counts() {
    let position = game("connect4:5x4").unwrap().position(None, None).unwrap();
    for solver in solvers() {
        let run = |seed| {
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let mut stats = position.solve(&Request { solver, seed, limits, ask: Ask::Win }, &mut ()).stats;
            stats.time = std::time::Duration::ZERO;
            stats
        };
        assert_eq!(run(7), run(7), "{solver}");
    }
}
