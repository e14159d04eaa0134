//! Search by jobs: in turns and on threads, within limits, with the answers of brute force. Random games on threads.

use delphic_engine::{Limits, Request, Solver, StopReason, Workers, game, own_game};
use delphic_game::random_tree::RandomTree;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

fn request<'a>(solver: &str, limits: Limits<'a>) -> Request<'a> {
    Request { solver: solver.parse::<Solver>().unwrap(), limits, ..Request::default() }
}

fn in_turns(lockstep: usize) -> Limits<'static> {
    Limits { workers: Workers { lockstep, ..Workers::default() }, ..Limits::default() }
}

#[test]
fn random_trees_agree_with_brute_force() {
    for seed in 0..300 {
        let tree = RandomTree { seed, depth: 6, width: 4, span: 1, players: 2 };
        let position = own_game("tree", tree).position(None, None).unwrap();
        let expected = position.solve(&request("brute", Limits::default()), &mut ()).value();
        for limits in [in_turns(1 + seed as usize % 17), Limits { threads: 3, ..Limits::default() }] {
            let size = 1 + seed % 7;
            let answer = position.solve(&request(&format!("jobs:size={size}"), limits), &mut ());
            assert_eq!(answer.value(), expected, "tree {seed}, jobs of {size} nodes, {:?}", limits.workers);
        }
    }
}

/// Jobs that are small beside the proof, so that the graph above them grows.
#[test]
fn boards_agree_and_their_proofs_check() {
    for spec in [
        "domineering:4x5",
        "clobber:3x5",
        "nogo:3x3",
        "hex:4",
        "connect4:4x4",
        "tictactoe",
        "breakthrough:4x4",
    ] {
        let position = game(spec).unwrap().position(None, None).unwrap();
        let expected = position.solve(&Request::default(), &mut ()).value();
        for limits in [in_turns(4), Limits { threads: 2, ..Limits::default() }] {
            let mut file = Vec::new();
            let (answer, certified) = position.prove(&request("jobs:size=60", limits), &mut (), &mut file);
            assert_eq!(answer.value(), expected, "{spec}");
            assert!(certified.is_ok() && answer.value().is_some(), "{spec}");
            let mut read = file.as_slice();
            let (header, rules) = delphic_engine::open_certificate(&mut read).unwrap();
            rules.check(&header, &mut read, 1 << 26, None).unwrap();
        }
    }
}

#[test]
fn turns_are_repeatable() {
    let position = game("domineering:5x5").unwrap().position(None, None).unwrap();
    let run = |lockstep| position.solve(&request("jobs:size=200", in_turns(lockstep)), &mut ()).stats;
    for workers in [1, 2, 16] {
        let (one, two) = (run(workers), run(workers));
        assert_eq!((one.created, one.expanded), (two.created, two.expanded), "{workers} workers");
    }
}

#[test]
fn limits_are_kept() {
    let position = game("domineering:8x8").unwrap().position(None, None).unwrap();
    for threads in [1, 3] {
        let nodes = Limits { nodes: Some(30_000), threads, ..Limits::default() };
        let answer = position.solve(&request("jobs:size=1000", nodes), &mut ());
        assert_eq!(answer.stop, StopReason::Nodes);
        assert!((20_000..=30_000 + 3_000).contains(&answer.stats.created), "{}", answer.stats.created);
        let time = Limits { time: Some(Duration::from_millis(200)), threads, ..Limits::default() };
        assert_eq!(position.solve(&request("jobs", time), &mut ()).stop, StopReason::Time);
        let flag = AtomicBool::new(false);
        let interrupt = Limits { interrupt: Some(&flag), threads, ..Limits::default() };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                flag.store(true, Relaxed);
            });
            let started = Instant::now();
            assert_eq!(position.solve(&request("jobs", interrupt), &mut ()).stop, StopReason::Interrupted);
            assert!(started.elapsed() < Duration::from_secs(60), "an interrupt is heard");
        });
    }
}

/// Two threads and more play the same random games, whichever of them plays which, so that the search is the same.
#[test]
fn random_games_are_the_same_for_every_number_of_threads() {
    let position = game("hex:6").unwrap().position(None, None).unwrap();
    for solver in ["ppn:playouts=60", "ppnt:playouts=60", "mcpns:playouts=60", "ews:playouts=60"] {
        let run = |threads| {
            let limits = Limits { nodes: Some(1_500), threads, ..Limits::default() };
            let answer = position.solve(&request(solver, limits), &mut ());
            let root = format!("{:?}", answer.root);
            (answer.stats.created, answer.stats.expanded, answer.stats.playouts, root, answer.line)
        };
        let two = run(2);
        assert!(two.2 > 10_000, "{solver}: {} playouts", two.2);
        assert_eq!(run(3), two, "{solver}");
        assert_eq!(run(16), two, "{solver}");
    }
}

/// The report says whether its counts are reproducible; the value always is.
#[test]
fn reports_say_what_is_repeatable() {
    let position = game("domineering:4x4").unwrap().position(None, None).unwrap();
    let free = |threads| Limits { threads, ..Limits::default() };
    for (solver, limits, repeatable) in [
        ("dfpn", free(1), true),
        ("dfpn", free(2), false),
        ("dfpn", in_turns(3), true),
        ("uct", free(2), false),
        ("auto", free(2), false),
        ("jobs", free(2), false),
        ("ppn", free(2), true),
        ("pp", free(2), true),
        ("retro", free(2), true),
    ] {
        let answer = position.solve(&request(solver, limits), &mut ());
        assert_eq!(answer.repeatable, repeatable, "{solver}, {limits:?}");
        assert_eq!(answer.threads, limits.threads.max(1), "{solver}");
        let object = delphic_engine::json::answer(&answer, "");
        assert_eq!((&object["repeatable"], &object["value"]), (&repeatable.into(), &"win".into()));
    }
}

/// Monte-Carlo solvers on threads and in turns, through the table of solvers.
#[test]
fn monte_carlo_solvers_agree_on_threads() {
    for spec in ["tictactoe", "connect4:4x4", "nogo:3x3", "domineering:4x4", "clobber:3x4"] {
        let position = game(spec).unwrap().position(None, None).unwrap();
        let expected = position.solve(&request("brute", Limits::default()), &mut ()).value();
        for solver in ["mcts", "uct:playouts=1", "sb-mcts", "pn-mcts", "gpn-mcts"] {
            for limits in [in_turns(7), Limits { threads: 3, ..Limits::default() }] {
                let answer = position.solve(&request(solver, limits), &mut ());
                assert_eq!(answer.value(), expected, "{spec}, {solver}, {limits:?}");
            }
        }
    }
}
