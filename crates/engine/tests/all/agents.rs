//! Every agent plays every game, and nothing it calls proved is wrong.

use delphic_engine::arena::{Fixture, fixtures, play, points};
use delphic_engine::{AGENTS, Agent, Budget, GAMES, Limits, Player, Request, SOLVERS, Value, game};

fn budget(iterations: u64) -> Budget<'static> {
    let limits = Limits { memory: Some(16 << 20), ..Limits::default() };
    Budget { iterations: Some(iterations), limits }
}

/// A few moves of every game by a Monte-Carlo agent, with the tree kept; and a game to the end where it is short.
#[test]
fn every_game_is_played() {
    for (name, _) in GAMES {
        let game = game(name).unwrap();
        let start = game.position(None, None).unwrap();
        let agent: Agent = "gpn-mcts".parse().unwrap();
        let mut at = start.again();
        let mut player = start.player(&agent, Player::FIRST, 1);
        for _ in 0..6 {
            if at.is_over() {
                break;
            }
            let thought = player.think(&budget(50), &mut ());
            let moves = at.moves();
            assert_eq!(thought.moves.iter().map(|mv| mv.mv.clone()).collect::<Vec<_>>(), moves, "{name}");
            player.advance(thought.choice);
            at = at.after(thought.choice);
        }
    }
}

/// Every agent and every solver plays tic-tac-toe and three-handed noughts and crosses to the end.
#[test]
fn everybody_plays() {
    for spec in ["tictactoe", "nim:3,4,5", "mnk3:3,3,3"] {
        let game = game(spec).unwrap();
        let start = game.position(None, None).unwrap();
        for name in AGENTS.iter().map(|info| info.name).chain(SOLVERS.iter().map(|info| info.name)) {
            let agents: [Agent; 2] = [name.parse().unwrap(), Agent::Random];
            for fixture in fixtures(2, game.players(), 2, 1) {
                let played = play(&*start, &agents, &fixture, 0, &budget(300)).unwrap();
                assert_eq!(played.payoffs.len(), game.players());
                let points = points(&fixture, &played.payoffs);
                assert!((0.0..=1.0).contains(&points), "{name}: {points}");
            }
        }
    }
}

/// With a budget of iterations the same fixture is the same game.
#[test]
fn games_repeat() {
    let game = game("connect4:5x5").unwrap();
    let start = game.position(None, None).unwrap();
    let agents: Vec<Agent> = ["uct", "gpn-mcts"].iter().map(|name| name.parse().unwrap()).collect();
    let fixtures: Vec<Fixture> = fixtures(2, 2, 4, 9).collect();
    for fixture in &fixtures {
        let once = play(&*start, &agents, fixture, 3, &budget(200)).unwrap();
        let again = play(&*start, &agents, fixture, 3, &budget(200)).unwrap();
        assert_eq!((&once.moves, &once.payoffs), (&again.moves, &again.payoffs));
        assert_eq!(once.opening, 3);
    }
    let openings: Vec<_> = fixtures[..2]
        .iter()
        .map(|fixture| play(&*start, &agents, fixture, 3, &budget(50)).unwrap().moves[..3].to_vec())
        .collect();
    assert_eq!(openings[0], openings[1], "both seatings have the same opening");
}

/// An agent that has solved a position says what `auto` says.
#[test]
fn solved_positions_agree_with_the_solvers() {
    let mut claims = 0;
    for spec in
        ["connect4:4x4", "domineering:4x4", "reversi:4", "nogo:3x4", "awari:plies=8", "clobber:4x3", "hex:3"]
    {
        let game = game(spec).unwrap();
        let start = game.position(None, None).unwrap();
        for seed in 0..60 {
            let text = start.random(None, seed);
            let at = game.position(Some(&text), None).unwrap();
            for name in ["uct", "sb-mcts", "pn-mcts", "gpn-mcts"] {
                let agent: Agent = name.parse().unwrap();
                let thought = at.player(&agent, at.turn(), seed).think(&budget(400), &mut ());
                for (nth, considered) in thought.moves.iter().enumerate() {
                    let (low, high) = considered.bounds;
                    if low != high {
                        continue;
                    }
                    let child = at.after(nth);
                    let value = match child.payoffs() {
                        Some(payoffs) => Value::of(payoffs[at.turn().index()], &game.payoffs()),
                        None => {
                            let request = Request { player: Some(at.turn()), ..Request::default() };
                            child.solve(&request, &mut ()).value().expect("small games are solved")
                        }
                    };
                    assert_eq!(value, low, "{name} on {spec} {text}: {}", considered.mv);
                    claims += 1;
                }
            }
        }
    }
    assert!(claims > 1_000, "only {claims} claims");
}

/// A solver that cannot solve the position still sees what is near.
#[test]
fn solvers_block() {
    let game = game("connect4").unwrap();
    // The first player threatens a fourth stone in the first column.
    let at = game.position(Some("13131"), None).unwrap();
    for name in ["alphabeta", "pns", "dfpp", "auto"] {
        let agent: Agent = name.parse().unwrap();
        let thought = at.player(&agent, at.turn(), 1).think(&budget(20_000), &mut ());
        assert_eq!(thought.moves[thought.choice].mv, "1", "{name}");
    }
}
