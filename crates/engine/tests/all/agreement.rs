//! Every solver gives the answers of plain minimax, on random trees and on small boards of every game.

use delphic_engine::{
    AnyGame, Ask, Conclusion, GAMES, Limits, Request, SOLVERS, Solver, StopReason, Value, game,
};
use delphic_game::random_tree::RandomTree;
use delphic_game::{Bounds, Force, Game, Maxn, Outcome, Player, Question, Rng, Score, Verdict, result};
use delphic_search::{GameProblem, Position, brute};
use std::collections::HashSet;

/// All solvers of the list, and parameters worth a test of their own.
fn solvers() -> Vec<Solver> {
    let listed = SOLVERS.iter().map(|info| info.name);
    let more = [
        "pns:prior=mobility",
        "pp:prior=half",
        "pp:ties=split",
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
        "jobs:size=3",
        "jobs:size=8,below=dfpp",
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
            let (question, position) =
                (Force { player, at_least }, Position { game: &tree, state: tree.start() });
            for solver in &solvers {
                // A table for every job and threads for every member take longer to make than such a tree to solve: `auto` would take
                // four fifths of the time.
                if ["auto", "jobs"].contains(&solver.info().name) && seed % 10 != 0 {
                    continue;
                }
                let (report, _) = solver.run(&position, question, None, Limits::default(), seed, &mut ());
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

/// Three players: max^n and what each of them can force, best-first and by brute force.
#[test]
fn three_players() {
    let mut seen = HashSet::new();
    for spec in ["mnk3:3,3,3", "mnk3:4,2,2", "mnk3:3,2,2,misere", "rolit"] {
        let game = game(spec).unwrap();
        for seed in 1..8 {
            // The last positions of a game: the first ones are too much for brute force.
            for text in random_line(&*game, seed).into_iter().take(if spec == "rolit" { 7 } else { 9 }) {
                let position = game.position(Some(&text), None).unwrap();
                let ask = |ask, player, solver: &str| {
                    let solver = solver.parse().unwrap();
                    position.solve(&Request { ask, player, solver, ..Request::default() }, &mut ())
                };
                let (ours, brute) = (ask(Ask::Maxn, None, "auto"), ask(Ask::Maxn, None, "brute"));
                assert!(ours.payoffs.is_some(), "{spec} {text}");
                assert_eq!(
                    (ours.payoffs, ours.bounds),
                    (brute.payoffs.clone(), brute.bounds),
                    "{spec} {text}"
                );
                for seat in 0..3 {
                    let player = Some(Player::new(seat));
                    let expected = ask(Ask::Value, player, "brute").value();
                    for solver in ["auto", "pns", "ppt", "dfpn", "alphabeta"] {
                        assert_eq!(
                            ask(Ask::Value, player, solver).value(),
                            expected,
                            "{spec} {text} {solver}"
                        );
                    }
                    seen.insert((seat, expected.unwrap().to_string()));
                }
            }
        }
    }
    assert!(seen.len() >= 8, "all seats must win and lose: {seen:?}");
}

fn ask<Q: Question>(tree: &RandomTree, question: Q) -> Q::Truth {
    brute::answer(&GameProblem::new(tree, question, tree.start()), Limits::default(), &mut ()).truth
}

/// Which positions of random games are asked about.
#[derive(Clone, Copy)]
enum Part {
    /// All of them: the board is small.
    Whole,
    /// The last ones, as long as brute force needs few nodes; with this many plies left, where the game counts them and the board is too
    /// large to be searched to the end.
    Last(Option<u32>),
}
use Part::{Last, Whole};

/// The nodes that brute force may create at a position of [`Part::Last`], and the number of positions of a board.
const FEW_NODES: u64 = 3_000;
const FEW_POSITIONS: usize = 16;

/// Small boards of every game.
const BOARDS: &[(&str, Part)] = &[
    ("tictactoe", Whole),
    ("tictactoe:misere", Whole),
    ("mnk:4,3,3", Whole),
    ("connect4:4x4", Whole),
    ("connect4:4x3,line=3", Whole),
    ("domineering:4x5", Whole),
    ("domineering:5x4", Whole),
    ("nogo:3x3", Whole),
    ("nogo:1x11", Whole),
    ("nogo:2x5,misere", Whole),
    ("nim:1,2,3", Whole),
    ("nim:2,2,2,misere", Whole),
    ("pgame:b=2,d=10,seed=3", Whole),
    ("pgame:b=5,d=4,seed=4", Whole),
    ("hex:3", Whole),
    ("hex:3,swap", Last(None)),
    ("y:3", Whole),
    ("y:4", Last(None)),
    ("havannah:2", Whole),
    ("havannah:3", Last(None)),
    ("pentalath:3", Last(Some(4))),
    ("ultimate", Last(None)),
    ("diagonals:3", Whole),
    ("mnk3:3,2,2", Whole),
    ("mnk3:3,3,3", Last(None)),
    ("rolit", Last(None)),
    ("loa:4", Last(Some(3))),
    ("loa:5,openspiel", Last(Some(3))),
    ("minishogi", Last(Some(2))),
    ("reach-chess", Last(Some(2))),
    ("skirmish", Last(Some(2))),
    ("surakarta", Last(Some(2))),
    ("breakthrough:4x3", Last(None)),
    ("breakthrough:5x3,home=1,wipeout", Last(None)),
    ("knightthrough:4x4,home=1", Last(None)),
    ("reversi:4", Last(None)),
    ("clobber:3x3", Whole),
    ("clobber:2x5", Whole),
    ("amazons:4", Last(None)),
    ("ataxx:3x4", Last(Some(3))),
    ("awari", Last(Some(4))),
    ("awari:rules=oware", Last(Some(4))),
    ("lines:3x3,length=3,wrap=both", Whole),
    ("lines:3x4,length=3,gravity,wrap=columns,exact", Whole),
    ("tiles:board=..#./..../.#..,first=X/X+X,second=XX+XXX", Whole),
    ("tiles:3x4,first=X./XX,second=X./XX,turn", Whole),
    ("octal:9,2,code=0.77", Whole),
    ("octal:8,code=4.07,misere", Whole),
    ("go-capture:4,cap=2", Last(None)),
];

/// Positions, with their values, of games whose random games seldom come near an end that can be searched.
const POSITIONS: &[(&str, &str, &str)] = &[
    // Mate with the next move, after the only reply, and too late.
    ("los-alamos", "k...../....../K...../....../....../.....R w 2", "win"),
    ("los-alamos", "k...../....../.K..../....../....../.....R b 3", "loss"),
    ("los-alamos", "k...../....../.K..../....../....../.....R b 1", "draw"),
    ("pentago", "XXXOOO/OOXXXO/O..X.X/OXOOOX/.XOOOX/XXOOXX", "win"),
    ("pentago", "OXXOOX/.XOXOO/OXO.XO/.XOOXX/XOXOXO/OXX.XO", "loss"),
    ("pentago", "XOOOXX/XXOOX./OXXXOO/XXOXO./XOXOOX/OXOO.X", "draw"),
];

#[test]
fn small_boards_of_every_game() {
    for (name, _) in GAMES {
        let listed = BOARDS.iter().map(|(spec, _)| spec).chain(POSITIONS.iter().map(|(spec, ..)| spec));
        let found = listed.copied().any(|spec| spec.split(':').next() == Some(name));
        assert!(found, "{name} has no small board here");
    }
    for &(spec, part) in BOARDS {
        let game = game(spec).unwrap();
        let (mut positions, mut values) = (0, HashSet::new());
        let games = if let Whole = part { 4 } else { 40 };
        for seed in 0..games {
            // The last position of a game is over.
            let skipped = usize::from(matches!(part, Last(_)));
            for text in random_line(&*game, seed).into_iter().skip(skipped) {
                let text = match part {
                    Last(Some(plies)) => with_plies_left(game.spec(), &text, plies),
                    _ => text,
                };
                if matches!(part, Last(_)) && (positions == FEW_POSITIONS || !is_small(&*game, &text)) {
                    break;
                }
                values.insert(all_solvers_agree(&*game, &text, seed));
                positions += 1;
            }
        }
        println!("{spec}: {positions} positions, {} values", values.len());
        assert!(
            positions >= 10 && values.len() > 1,
            "{spec}: {positions} positions with the values {values:?}"
        );
    }
    for &(spec, text, value) in POSITIONS {
        assert_eq!(all_solvers_agree(&*game(spec).unwrap(), text, 1), value, "{spec} {text}");
    }
}

/// Whether brute force needs few nodes here.
fn is_small(game: &dyn AnyGame, text: &str) -> bool {
    let position = game.position(Some(text), None).unwrap_or_else(|error| panic!("{text}: {error}"));
    let limits = Limits { nodes: Some(FEW_NODES), ..Limits::default() };
    position
        .solve(&Request { solver: "brute".parse().unwrap(), limits, ..Request::default() }, &mut ())
        .value()
        .is_some()
}

/// Asks brute force and then all solvers for the value of a position, and returns it.
fn all_solvers_agree(game: &dyn AnyGame, text: &str, seed: u64) -> String {
    let spec = game.spec();
    let position = game.position(Some(text), None).unwrap_or_else(|error| panic!("{spec} {text}: {error}"));
    let brute = Request { solver: "brute".parse().unwrap(), ..Request::default() };
    let expected = position.solve(&brute, &mut ()).value();
    let value = expected.unwrap_or_else(|| panic!("{spec} {text}"));
    for solver in solvers() {
        // A node limit turns a solver that never ends into a failure.
        let limits = Limits { nodes: Some(20_000_000), ..Limits::default() };
        let request = Request { solver: solver.clone(), limits, seed, ..Request::default() };
        let answer = position.solve(&request, &mut ());
        assert_eq!(answer.value(), expected, "{solver} on {spec} {text}");
    }
    value.to_string()
}

/// A position of a game that counts plies, the count being the last number of its text, when `left` plies are left.
fn with_plies_left(spec: &str, text: &str, left: u32) -> String {
    let limit: u32 = spec.rsplit_once("plies=").expect("a count of plies").1.parse().unwrap();
    let count = text.rfind(|c: char| !c.is_ascii_digit()).unwrap() + 1;
    let played: u32 = text[count..].parse().unwrap();
    format!("{}{}", &text[..count], played.max(limit.saturating_sub(left)))
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
    for name in ["mcts", "uct", "mcts-e", "mcts-e:moves=3", "sb-mcts", "pn-mcts", "gpn-mcts"] {
        let position = game("tictactoe").unwrap().position(None, None).unwrap();
        let answer =
            position.solve(&Request { solver: name.parse().unwrap(), ..Request::default() }, &mut ());
        assert_eq!(answer.value(), Some(Value::Draw), "{name}");
        println!("{name}: {} iterations", answer.stats.iterations);
        assert!(answer.stats.iterations <= 100_000, "{name}: {}", answer.stats.iterations);
    }
}

/// Random moves to the end are a playout: evaluating after them is the search with one playout, random numbers included.
#[test]
fn an_evaluation_after_the_whole_game_is_a_playout() {
    for name in ["tictactoe", "connect4:4x4", "y:4"] {
        let position = game(name).unwrap().position(None, None).unwrap();
        let found = ["mcts-e:moves=100", "uct:playouts=1", "mcts-e"].map(|solver| {
            let limits = Limits { nodes: Some(3_000), ..Limits::default() };
            let request = Request { solver: solver.parse().unwrap(), limits, ..Request::default() };
            let answer = position.solve(&request, &mut ());
            (answer.conclusion, answer.line, answer.stats.expanded, answer.stats.visited)
        });
        assert_eq!(found[0], found[1], "{name}");
        assert_ne!(found[0], found[2], "{name}: otherwise this shows nothing");
    }
}

/// An estimate is never a proof. Without stopping, the report tells what it said, when, and whether it was right.
#[test]
fn estimates_are_told_apart_from_proofs() {
    let game = game("connect4:4x4").unwrap();
    let (mut estimated, mut right, mut wrong) = (0, 0, 0);
    for text in (0..6).flat_map(|seed| random_line(&*game, seed)) {
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
            let mut stats = position
                .solve(
                    &Request { solver: solver.clone(), seed, limits, ask: Ask::Win, ..Request::default() },
                    &mut (),
                )
                .stats;
            stats.time = std::time::Duration::ZERO;
            stats
        };
        assert_eq!(run(7), run(7), "{solver}");
    }
}
