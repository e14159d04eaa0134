//! Retrograde analysis by name: which solvers take games with cycles, and what they find.

use delphic_engine::{Ask, Limits, Request, StopReason, game};

fn request(solver: &str) -> Request<'static> {
    Request { solver: solver.parse().unwrap(), ..Request::default() }
}

/// The value by a solver, in words.
fn value(spec: &str, position: Option<&str>, solver: &str) -> Option<String> {
    let game = game(spec).unwrap();
    let mut request = request(solver);
    request.prepare(&*game).unwrap();
    let position = game.position(position, None).unwrap();
    position.solve(&request, &mut ()).value().map(|value| value.to_string())
}

/// Acyclic games: the same value as brute force, on one thread and on several, with symmetry and without.
#[test]
fn games_without_cycles_agree_with_brute_force() {
    for spec in [
        "tictactoe",
        "tictactoe:misere",
        "nim:3,4,5",
        "domineering:4x4",
        "connect4:4x4",
        "hex:3",
        "clobber:3x4",
        "breakthrough:4x3",
        "reversi:4",
        "pgame:b=3,d=7",
        "octal:9,code=0.77",
    ] {
        let expected = value(spec, None, "brute");
        assert!(expected.is_some(), "{spec}");
        for solver in ["retro", "retro:symmetry=off"] {
            assert_eq!(value(spec, None, solver), expected, "{spec} by {solver}");
        }
        let position = game(spec).unwrap().position(None, None).unwrap();
        let limits = Limits { threads: 3, ..Limits::default() };
        let answer = position.solve(&Request { limits, ..request("retro") }, &mut ());
        assert_eq!(answer.value().map(|value| value.to_string()), expected, "{spec} on three threads");
    }
}

/// A win with a limit on plies is a win without one, and `dfpn` finds it.
#[test]
fn wins_agree_with_dfpn_under_a_limit() {
    for (unlimited, limited) in [
        ("loa:4,plies=off", "loa:4,plies=5"),
        ("ataxx:3x3,plies=off", "ataxx:3x3,plies=9"),
        ("ataxx:3x4,plies=off", "ataxx:3x4,plies=5"),
    ] {
        let found = value(limited, None, "dfpn");
        assert!(matches!(found.as_deref(), Some("win" | "loss")), "{limited}: {found:?}");
        for solver in ["retro", "auto", "retro:symmetry=off"] {
            assert_eq!(value(unlimited, None, solver), found, "{unlimited} by {solver}");
        }
        // A tree search proves wins by lines that end; it may give up, but not differ.
        let mut proved = 0;
        for solver in ["pns", "pp", "sb-mcts"] {
            let limits = Limits { nodes: Some(10_000), ..Limits::default() };
            let position = game(unlimited).unwrap().position(None, None).unwrap();
            let answer = position.solve(&Request { limits, ..request(solver) }, &mut ());
            let value = answer.value().map(|value| value.to_string());
            assert!(value.is_none() || value == found, "{unlimited} by {solver}: {value:?}");
            proved += usize::from(value.is_some());
        }
        assert!(proved > 0, "no tree search proves {unlimited}");
    }
}

/// Solvers that share positions refuse games with cycles, before the search and in it.
#[test]
fn cycles_are_refused_where_they_would_be_wrong() {
    let game = game("ataxx:3x3,plies=off").unwrap();
    let position = game.position(None, None).unwrap();
    for solver in ["dfpn", "pnt", "ppt", "dfpp", "alphabeta", "brute"] {
        let mut request = request(solver);
        let error = request.prepare(&*game).unwrap_err().to_string();
        assert!(error.contains("positions can repeat") && error.contains("retro"), "{error}");
        let answer = position.solve(&request, &mut ());
        assert_eq!((answer.value(), answer.stop), (None, StopReason::Cycles), "{solver}");
    }
    let mut maxn = Request { ask: Ask::Maxn, ..Request::default() };
    assert!(maxn.prepare(&*game).is_err());
    for solver in ["auto", "retro"] {
        let error = request(solver).check_resumable(&*position).unwrap_err().to_string();
        assert!(error.contains("has no checkpoints"), "{error}");
    }
    assert!(request("pns").check_resumable(&*position).is_ok());
}

/// Every game that can be played without a limit on plies says so in its name and reads its own start.
#[test]
fn plies_can_be_off() {
    for name in [
        "loa:4",
        "ataxx:4x4",
        "surakarta",
        "awari",
        "minishogi",
        "los-alamos",
        "reach-chess",
        "skirmish",
        "pentalath:3",
    ] {
        let spec = format!("{name}{}plies=off", if name.contains(':') { "," } else { ":" });
        let game = game(&spec).unwrap();
        assert!(game.spec().ends_with("plies=off") && game.endless().is_some(), "{}", game.spec());
        let start = game.position(None, None).unwrap().write();
        assert_eq!(game.position(Some(&start), None).unwrap().write(), start);
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        let answer =
            game.position(None, None).unwrap().solve(&Request { limits, ..request("retro") }, &mut ());
        assert!(answer.value().is_some() || answer.stop == StopReason::Nodes, "{spec}: {:?}", answer.stop);
    }
}
