//! Retrograde analysis against references that share nothing with it: values by (position, ply), and brute force under a limit on plies.

use crate::erased::game;
use delphic_game::adapters::PlyLimit;
use delphic_game::erased::ErasedState;
use delphic_game::{Bounds, Force, Game, Hints, Notation, Outcome, Player, Rng, Score, Verdict, mix, result};
use delphic_search::retro::{Retrograde, Worth};
use delphic_search::{GameProblem, LimitGuard, Limits, StopReason, Symmetry, brute, retro};
use std::collections::HashMap;

/// A random graph: from every point some moves lead to other points, a few points are ends, and play may go round for ever.
#[derive(Clone, Debug)]
struct RandomGraph {
    seed: u64,
    points: u64,
    endless: Outcome,
}

impl RandomGraph {
    fn number(&self, point: u8, what: u64) -> u64 {
        mix(self.seed ^ mix(u64::from(point) << 8 | what))
    }
}

impl Game for RandomGraph {
    type State = u8;
    type Move = u8;

    fn start(&self) -> u8 {
        0
    }
    /// Turns do not alternate: a point belongs to a player.
    fn turn(&self, &point: &u8) -> Player {
        Player::new(self.number(point, 0) as usize % 2)
    }
    /// Two moves may lead to the same point, and one may lead back to where it began.
    fn moves(&self, &point: &u8, list: &mut Vec<u8>) {
        list.extend((0..self.number(point, 1) % 4).map(|nth| nth as u8));
    }
    fn play(&self, point: &mut u8, nth: u8) {
        *point = (self.number(*point, 2 + u64::from(nth)) % self.points) as u8;
    }
    fn outcome(&self, &point: &u8) -> Option<Outcome> {
        match self.number(point, 9) % 12 {
            end @ 0..3 => Some(Outcome::score(end as i16 - 1)),
            _ => None,
        }
    }
    fn endless(&self) -> Option<Outcome> {
        Some(self.endless)
    }
}

impl Hints for RandomGraph {}

fn enumerate<'g, G: Game + Sync>(
    game: &'g G,
    root: &G::State,
    player: Player,
    threads: usize,
) -> Retrograde<'g> {
    let limits = Limits { threads, ..Limits::default() };
    let mut guard = LimitGuard::new(limits);
    let found = Retrograde::enumerate(game, root, player, Symmetry::On, limits, &mut guard, &mut ());
    let mut solution = found.map_err(|(stop, _)| stop).unwrap();
    solution.decide_all(limits, &mut guard, &mut ()).unwrap();
    solution
}

/// The payoff of every point for the first player if the game is stopped after `plies` plies, when it pays what endless play does.
fn by_plies(game: &RandomGraph, plies: usize) -> Vec<HashMap<u8, i16>> {
    let all = 0..game.points as u8;
    let over = |point: u8| result(game, &point, &mut Vec::new()).map(|outcome| outcome.payoff(Player::FIRST));
    let stopped = game.endless.payoff(Player::FIRST);
    let mut levels =
        vec![all.clone().map(|point| (point, over(point).unwrap_or(stopped))).collect::<HashMap<u8, i16>>()];
    for _ in 0..plies {
        let last = &levels[levels.len() - 1];
        let value = |point: u8| {
            let mut moves = Vec::new();
            game.moves(&point, &mut moves);
            let children = moves.iter().map(|&mv| {
                let mut child = point;
                game.play(&mut child, mv);
                last[&child]
            });
            let best = if game.turn(&point) == Player::FIRST { children.max() } else { children.min() };
            over(point).or(best).unwrap()
        };
        levels.push(all.clone().map(|point| (point, value(point))).collect());
    }
    levels
}

/// On every point of many random graphs value and distance are those of the (position, ply) table with as many plies as there are
/// points: a result that a side can force, it forces without coming to a point twice.
#[test]
fn random_graphs_agree_with_position_and_ply() {
    let mut kinds = HashMap::new();
    for seed in 0..400 {
        let endless =
            [Outcome::DRAW, Outcome::win(Player::FIRST), Outcome::win(Player::SECOND)][seed as usize % 3];
        let game = RandomGraph { seed, points: 40, endless };
        let levels = by_plies(&game, 41);
        for threads in [1, 3] {
            let solution = enumerate(&game, &0, Player::FIRST, threads);
            for point in 0..40 {
                let Some(Worth { payoff, plies }) = solution.worth(&ErasedState::new(point)) else {
                    continue;
                };
                assert_eq!(payoff, levels[41][&point], "graph {seed}, point {point}");
                *kinds.entry((payoff, endless.payoff(Player::FIRST), plies.is_some())).or_insert(0) += 1;
                if payoff != 0 && payoff != endless.payoff(Player::FIRST) {
                    // From the length on the payoff is forced, and before it is not.
                    let first = levels.iter().position(|level| level[&point] == payoff).unwrap();
                    assert_eq!(plies, Some(first as u32), "graph {seed}, point {point}");
                }
                let (nth, value) = (if payoff > 0 { 2 } else { 1 }, Outcome::score(payoff));
                if let Some(plies) = plies {
                    let line = solution.line(nth, &ErasedState::new(point));
                    let mut at = point;
                    line.iter().for_each(|&mv| game.play(&mut at, mv as u8));
                    assert_eq!(line.len(), plies as usize, "graph {seed}, point {point}");
                    assert_eq!(
                        result(&game, &at, &mut Vec::new()),
                        Some(value),
                        "graph {seed}, point {point}"
                    );
                }
            }
        }
    }
    println!("(payoff, endless, with distance): positions\n{kinds:?}");
    // Three payoffs under three rules about endless play, each with distances or without.
    assert_eq!(kinds.len(), 9, "{kinds:?}");
}

/// Compares a game with cycles with brute force, which looks at most `ahead` plies ahead. Returns how many results were compared, by kind:
/// wins, draws, losses.
fn compare(spec: &str, position: Option<&str>, ahead: u32) -> [u32; 3] {
    let game = game(spec);
    let start = position.map_or_else(|| game.start(), |text| game.read(text).unwrap());
    let solution = enumerate(&game, &start, Player::FIRST, 2);
    let mut found = Vec::new();
    for seed in 0..40 {
        let (mut rng, mut state, mut scratch) = (Rng::new(seed), start.clone(), Vec::new());
        for _ in 0..rng.below(30) {
            if result(&game, &state, &mut scratch).is_some() {
                break;
            }
            let mv = game.random_move(&state, &mut rng, &mut scratch).unwrap();
            game.play(&mut state, mv);
        }
        found.push((state.clone(), solution.worth(&ErasedState::new(state.clone())).unwrap()));
    }
    println!("{spec}: {} positions, {} moves", solution.len(), solution.moves());
    drop(solution);
    let mut compared = [0; 3];
    let mut limited = PlyLimit { game, limit: None };
    for (state, Worth { payoff, plies }) in found {
        // A win in d plies is one under a limit of d plies and none under a smaller one. What is a draw is one under every limit.
        let deepest = ahead.min(plies.unwrap_or(u32::MAX));
        for limit in deepest.saturating_sub(1)..=deepest {
            limited.limit = Some(limit);
            let score = Score { player: Player::FIRST, range: Bounds { lo: -1, hi: 1 } };
            let problem = GameProblem::new(&limited, score, (state.clone(), 0));
            let by_brute_force = brute::answer(&problem, Limits::default(), &mut ()).truth;
            let expected = if plies.is_some_and(|plies| plies <= limit) { payoff } else { 0 };
            let here = limited.game.write(&state);
            assert_eq!(
                by_brute_force,
                Bounds { lo: expected, hi: expected },
                "{spec} {here} in {limit} plies"
            );
        }
        if plies.is_none_or(|plies| plies <= ahead) {
            compared[usize::from(payoff.abs_diff(1))] += 1;
        }
    }
    compared
}

/// Every seed game with cycles, without a limit on plies, on a board or with few enough pieces to be enumerated.
#[test]
fn games_with_cycles_agree_with_brute_force() {
    let mut total = [0; 3];
    for (spec, position, deepest) in [
        ("ataxx:3x3,plies=off", None, 6),
        ("ataxx:2x4,plies=off", None, 7),
        ("loa:4,plies=off", None, 5),
        ("awari:plies=off", Some("0,0,1,0,2,1/1,1,0,0,1,1 20,20 x"), 9),
        ("surakarta:plies=off", Some("O...../....../....../....../....../.....X x 102 -"), 5),
        ("los-alamos:plies=off", Some("k...../....../....../....../....../K....R w 102"), 5),
        (
            "reach-chess:plies=off",
            Some("k......./......../......../......../......../......../......../K......R w - - 0"),
            4,
        ),
        (
            "skirmish:plies=off",
            Some("k......./......../......../......../......../......../......../K......R w - - 0"),
            4,
        ),
        ("pentalath:2,plies=off", None, 5),
    ] {
        let compared = compare(spec, position, deepest);
        println!("{spec}: {compared:?} wins, draws and losses compared");
        (0..3).for_each(|kind| total[kind] += compared[kind]);
    }
    assert!(total.iter().all(|&count| count > 20), "{total:?}");
}

/// Yes/no questions between the payoffs and beyond them.
#[test]
fn ranges_need_not_be_payoffs() {
    for seed in 0..60 {
        let game = RandomGraph { seed, points: 40, endless: Outcome::DRAW };
        let ask = |lo, hi| {
            let score = Score { player: Player::SECOND, range: Bounds { lo, hi } };
            retro::solve(&game, &0, score, Symmetry::Off, Limits::default(), &mut ()).truth
        };
        let Bounds { lo: value, hi } = ask(-1, 1);
        assert_eq!(value, hi);
        for (lo, hi) in [(-1, 0), (0, 1), (-5, -4), (4, 5), (-9, 9)] {
            let expected = value.clamp(lo, hi);
            assert_eq!(ask(lo, hi), Bounds { lo: expected, hi: expected }, "graph {seed}: {lo} to {hi}");
        }
    }
}

#[test]
fn limits_stop_it() {
    let game = game("ataxx:4x4,plies=off");
    let run = |limits: Limits<'_>| {
        let score = Score { player: Player::FIRST, range: Bounds { lo: -1, hi: 1 } };
        retro::solve(&game, &game.start(), score, Symmetry::On, limits, &mut ())
    };
    let few = run(Limits { nodes: Some(5_000), ..Limits::default() });
    assert_eq!((few.stop, few.truth), (StopReason::Nodes, Bounds { lo: -1, hi: 1 }));
    let small = run(Limits { memory: Some(1 << 20), threads: 2, ..Limits::default() });
    assert_eq!(small.stop, StopReason::Memory);
    assert!(small.stats.peak_bytes < 8 << 20, "{}", small.stats.peak_bytes);
    let late = run(Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() });
    assert_eq!(late.stop, StopReason::Time);
    let flag = std::sync::atomic::AtomicBool::new(true);
    let interrupted = run(Limits { interrupt: Some(&flag), ..Limits::default() });
    assert_eq!(interrupted.stop, StopReason::Interrupted);
}

/// A yes/no question as the other solvers ask it.
#[test]
fn verdicts_are_those_of_brute_force_without_cycles() {
    for spec in [
        "tictactoe",
        "nim:3,4,5",
        "domineering:4x4",
        "connect4:4x4",
        "clobber:3x4",
        "hex:3",
        "mnk3:3,3,3",
        "pgame:d=9",
    ] {
        let game = game(spec);
        let payoffs = game.payoffs();
        for player in (0..game.players()).map(Player::new) {
            let solution = enumerate(&game, &game.start(), player, 2);
            for (nth, &at_least) in payoffs.iter().enumerate().skip(1) {
                let problem = GameProblem::new(&game, Force { player, at_least }, game.start());
                let truth = brute::solve(&problem, Limits::default(), &mut ()).truth;
                let ours = solution.can_force(nth, &ErasedState::new(game.start())).map(Verdict::of);
                assert_eq!(ours, Some(truth), "{spec} {player} {at_least}");
            }
        }
    }
}
