//! Monte-Carlo tree search claims nothing that is not so, whatever it is made of.

use delphic_game::{
    Bounds, Game, Hints, Notation, Outcome, Player, Progressive, Rng, Spec, random_tree::RandomTree, result,
};
use delphic_games::{Clobber, Connect4, Domineering, Family, Mnk, Mnk3, Nim, NoGo, Reversi, Rolit};
use delphic_search::boundary::GameSimulator;
use delphic_search::mcts::{
    Bias, Estimator, FinalMove, FirstVisits, Formula, Goals, Mcts, Objective, SelectionTies, Settings,
    Solving,
};
use delphic_search::{Limits, StopReason};
use std::collections::HashMap;

const UCT: Settings = Settings {
    exploration: std::f64::consts::SQRT_2,
    estimator: Estimator::Playouts { count: 1, cut: None },
    solving: Solving::Skip,
    bias: None,
    first_visits: FirstVisits::AtOnce,
    ties: SelectionTies::Random,
    final_move: FinalMove::Bound,
};
const SB: Settings = Settings { solving: Solving::Bounds, ..UCT };

fn gpn(formula: Formula, weight: f64) -> Settings {
    Settings { bias: Some(Bias { formula, weight, goals: Goals::OwnWins, mobility: true }), ..SB }
}

fn everything() -> Vec<(&'static str, Settings)> {
    let pn =
        Bias { formula: Formula::Rank, weight: 1.0, goals: Goals::WinOf(Player::SECOND), mobility: false };
    let ludii = Settings { solving: Solving::Ludii, first_visits: FirstVisits::ByParent, ..UCT };
    vec![
        ("uct", UCT),
        ("sb-mcts", SB),
        ("gpn-mcts, rank", gpn(Formula::Rank, 1.0)),
        ("gpn-mcts, max", gpn(Formula::Max, 0.5)),
        ("gpn-mcts, sum", gpn(Formula::Sum, 5.0)),
        ("gpn-mcts without bounds", Settings { solving: Solving::Skip, ..gpn(Formula::Rank, 1.0) }),
        ("pn-mcts", Settings { bias: Some(pn), ..UCT }),
        ("as published", ludii),
        ("as published, gpn", Settings { bias: gpn(Formula::Rank, 1.0).bias, ..ludii }),
    ]
}

fn game<F: Family>(spec: &str) -> F {
    F::build(&mut Spec::parse(spec)).unwrap()
}

/// What everybody gets if all play for themselves and take the first of equal moves.
struct Truth<'g, G: Game> {
    game: &'g G,
    known: HashMap<G::State, Outcome>,
}

impl<'g, G: Game> Truth<'g, G> {
    fn new(game: &'g G) -> Self {
        Truth { game, known: HashMap::new() }
    }

    fn of(&mut self, state: &G::State) -> Outcome {
        if let Some(&outcome) = self.known.get(state) {
            return outcome;
        }
        let (game, mut moves) = (self.game, Vec::new());
        let outcome = result(game, state, &mut moves).unwrap_or_else(|| {
            moves.clear();
            game.moves(state, &mut moves);
            let mover = game.turn(state);
            let values: Vec<Outcome> = moves.iter().map(|&mv| self.of(&after(game, state, mv))).collect();
            let best = values.iter().map(|value| value.payoff(mover)).max();
            *values.iter().find(|value| Some(value.payoff(mover)) == best).unwrap()
        });
        self.known.insert(state.clone(), outcome);
        outcome
    }
}

fn after<G: Game>(game: &G, state: &G::State, mv: G::Move) -> G::State {
    let mut next = state.clone();
    game.play(&mut next, mv);
    next
}

/// A search from a position.
fn search_from<G: Progressive + Hints + Send + Sync>(
    game: &G,
    state: G::State,
    settings: Settings,
    seed: u64,
) -> Mcts<'_> {
    Mcts::new(Box::new(GameSimulator::new(game, state)), Objective::Own, settings, seed)
}

fn legal<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

/// Plays random games and searches at every position; returns how many claims were checked.
fn claims<G: Progressive + Hints + Send + Sync>(game: &G, games: u64, iterations: u64) -> u64 {
    let (mut truth, mut checked) = (Truth::new(game), 0);
    let within = |bounds: Bounds, payoff: i16| bounds.lo <= payoff && payoff <= bounds.hi;
    for seed in 0..games {
        let (mut rng, mut scratch, mut state) = (Rng::new(seed), Vec::new(), game.start());
        while result(game, &state, &mut scratch).is_none() {
            for (name, settings) in everything() {
                let mut search = search_from(game, state.clone(), settings, seed);
                search.run(Some(iterations), Limits::default(), false, &mut ());
                let (mover, value) = (game.turn(&state), truth.of(&state));
                let moves = legal(game, &state);
                for view in search.move_stats(moves.len()) {
                    let mv = moves[usize::from(view.number)];
                    let payoff = truth.of(&after(game, &state, mv)).payoff(mover);
                    assert!(
                        within(view.bounds, payoff),
                        "{name}, seed {seed}: {:?}, truly {payoff}",
                        view.bounds
                    );
                    checked += u64::from(view.bounds.lo == view.bounds.hi);
                }
                if search.solved() {
                    let chosen = moves[search.choose(moves.len())];
                    let payoff = truth.of(&after(game, &state, chosen)).payoff(mover);
                    assert_eq!(payoff, value.payoff(mover), "{name}, seed {seed}: chooses badly");
                    checked += 1;
                }
            }
            let mv = game.random_move(&state, &mut rng, &mut scratch).unwrap();
            game.play(&mut state, mv);
        }
    }
    checked
}

#[test]
fn what_is_claimed_is_so() {
    let mut checked = 0;
    checked += claims(&game::<Mnk>("mnk:3,3,3"), 90, 300);
    checked += claims(&game::<Mnk>("mnk:4,3,3"), 6, 300);
    checked += claims(&game::<Connect4>("connect4:4x4,line=3"), 15, 300);
    checked += claims(&game::<Connect4>("connect4:4x4"), 10, 300);
    checked += claims(&game::<Reversi>("reversi:4"), 6, 300);
    checked += claims(&game::<Domineering>("domineering:4x4"), 15, 300);
    checked += claims(&game::<NoGo>("nogo:3x3"), 15, 300);
    checked += claims(&game::<Clobber>("clobber:3x4"), 15, 300);
    checked += claims(&game::<Nim>("nim:3,4,5"), 30, 300);
    for seed in 0..900 {
        let tree = RandomTree::small(seed);
        checked += claims(&tree, 3, 100);
    }
    println!("{checked} claims");
    assert!(checked > 100_000, "only {checked} claims");
}

/// Three players. Only where a win is a loss for all others is the claim about one player a claim about all.
#[test]
fn claims_about_three_are_so() {
    let checked = claims(&game::<Mnk3>("mnk3:3,3,3"), 12, 400) + claims(&game::<Rolit>("rolit:3"), 4, 400);
    println!("{checked} claims");
    assert!(checked > 2_000, "only {checked} claims");
}

fn solves<G: Progressive + Hints + Send + Sync>(game: &G, payoff: i16) {
    for (name, settings) in everything().into_iter().take(7) {
        // What is asked of uct, sb-mcts and gpn-mcts as they are by default; the variants may take longer.
        let iterations = if matches!(name, "uct" | "sb-mcts" | "gpn-mcts, rank") { 200_000 } else { 400_000 };
        let mut search = search_from(game, game.start(), settings, 1);
        let stop = search.run(Some(iterations), Limits::default(), false, &mut ());
        let moves = legal(game, &game.start()).len();
        let (stats, chosen) = (search.stats(), search.choose(moves));
        println!("{name}: {} iterations", stats.iterations);
        assert_eq!(stop, StopReason::Solved, "{name}");
        let view = search.move_stats(moves)[chosen];
        assert_eq!(view.bounds, Bounds { lo: payoff, hi: payoff }, "{name}");
    }
}

#[test]
fn small_games_are_solved() {
    solves(&game::<Mnk>("mnk:3,3,3"), 0);
    solves(&game::<Connect4>("connect4:4x4"), 0);
    solves(&game::<Reversi>("reversi:4"), -1);
}

/// The same seed and the same iterations are the same search; a move keeps what is known of it.
#[test]
fn searches_repeat_and_go_on() {
    let game: Connect4 = game("connect4");
    let start = || {
        let mut search = search_from(&game, game.start(), gpn(Formula::Rank, 1.0), 7);
        search.run(Some(2_000), Limits::default(), true, &mut ());
        search
    };
    let (mut one, other) = (start(), start());
    assert_eq!(one.move_stats(7), other.move_stats(7));
    let mv = one.choose(7);
    let visits = one.move_stats(7)[mv].visits;
    one.advance(mv);
    let kept: u32 = one.move_stats(7).iter().map(|view| view.visits).sum();
    // The first visit was before there were children.
    assert_eq!(kept + 1, visits);
}

/// A tree that may hold little forgets, stays within its limit, and is still right in the end.
#[test]
fn memory_is_recycled() {
    let game: Mnk = game("mnk:3,3,3");
    for (name, settings) in everything().into_iter().take(7) {
        let mut search = search_from(&game, game.start(), settings, 3);
        let limits = Limits { memory: Some(200_000), ..Limits::default() };
        let stop = search.run(Some(300_000), limits, true, &mut ());
        assert!(search.stats().peak_bytes <= 200_000, "{name}: {} bytes", search.stats().peak_bytes);
        assert_eq!(stop, StopReason::Solved, "{name}");
        assert_eq!(search.move_stats(9).iter().map(|view| view.bounds.lo).max(), Some(0), "{name}");
    }
}

/// Of two wins the nearer one is played, and of several losses the farthest.
#[test]
fn wins_are_short_and_losses_long() {
    let board: Mnk = game("mnk:3,3,3");
    // The first player can end the game at c3; every other winning move takes longer. From the other side, only c3 delays the end.
    for (position, wanted) in [("XX./OO./...", "c3"), ("XX./O../...", "c3")] {
        let state = board.read(position).unwrap();
        for (name, settings) in everything().into_iter().take(7) {
            let mut search = search_from(&board, state, settings, 1);
            search.run(Some(20_000), Limits::default(), true, &mut ());
            assert!(search.solved(), "{name}");
            let moves = legal(&board, &state);
            let chosen = moves[search.choose(moves.len())];
            assert_eq!(board.write_move(&state, chosen), wanted, "{name} at {position}");
        }
    }
    let game: Nim = game("nim:1,1,2");
    // Taking both of the last heap leaves 1,1, which is won in two more plies; nothing else wins.
    let mut search = search_from(&game, game.start(), SB, 1);
    search.run(Some(100_000), Limits::default(), true, &mut ());
    assert!(search.solved());
    let moves = legal(&game, &game.start());
    let chosen = moves[search.choose(moves.len())];
    assert_eq!(Truth::new(&game).of(&after(&game, &game.start(), chosen)).payoff(Player::FIRST), 1);
}

/// Agents that follow a game with one tree always have a move, and never give away what they have proved.
#[test]
fn whole_games_are_played_with_one_tree() {
    fn play<G: Progressive + Hints + Send + Sync>(game: &G, games: u64) {
        let mut truth = Truth::new(game);
        for (name, settings) in everything() {
            for seed in 0..games {
                let (mut state, mut scratch) = (game.start(), Vec::new());
                let mut search = search_from(game, state.clone(), settings, seed);
                while result(game, &state, &mut scratch).is_none() {
                    let limits = Limits { memory: Some(30_000 + 5_000 * seed), ..Limits::default() };
                    search.run(Some(60), limits, true, &mut ());
                    let moves = legal(game, &state);
                    let nth = search.choose(moves.len());
                    let mv = moves[nth];
                    let (mover, before) = (game.turn(&state), truth.of(&state));
                    game.play(&mut state, mv);
                    let after = truth.of(&state);
                    assert!(
                        !search.solved() || before.payoff(mover) == after.payoff(mover),
                        "{name}, seed {seed}"
                    );
                    if result(game, &state, &mut scratch).is_none() {
                        search.advance(nth);
                    }
                }
            }
        }
    }
    play(&game::<Mnk>("mnk:3,3,3"), 20);
    play(&game::<Connect4>("connect4:4x4,line=3"), 20);
    play(&game::<Mnk3>("mnk3:3,3,3"), 10);
}
