//! What games tell searches beyond their rules must be true: compared with plain minimax on every reachable position of small
//! boards.

use delphic_game::{Appraisal, Force, Game, Player, Rng, Spec, SpecError, Verdict, result};
use delphic_games::{
    Breakthrough, Clobber, Connect4, Domineering, Family, GAMES, Hex, Knightthrough, NoGo, Visitor, Y, build,
};
use rustc_hash::FxHashMap;

/// The value of a position for the first player; `known` gets those of all positions below it too.
fn value<G: Game>(game: &G, state: &G::State, known: &mut FxHashMap<G::State, i16>) -> i16 {
    if let Some(&value) = known.get(state) {
        return value;
    }
    let value = match result(game, state, &mut Vec::new()) {
        Some(outcome) => outcome.payoff(Player::FIRST),
        None => {
            let values = children(game, state).into_iter().map(|(_, child)| value(game, &child, known));
            if game.turn(state) == Player::FIRST { values.max() } else { values.min() }.unwrap()
        }
    };
    known.insert(state.clone(), value);
    value
}

fn children<G: Game>(game: &G, state: &G::State) -> Vec<(G::Move, G::State)> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let after = |mv| {
        let mut child = state.clone();
        game.play(&mut child, mv);
        (mv, child)
    };
    moves.into_iter().map(after).collect()
}

/// Checks what a game says of all children of a position together, and counts the outcomes.
fn check_siblings<G: Family>(game: &G, state: &G::State, known: &FxHashMap<G::State, i16>) -> usize {
    let (children, mut list) = (children(game, state), Vec::new());
    let moves: Vec<G::Move> = children.iter().map(|&(mv, _)| mv).collect();
    if !game.appraises_siblings() {
        return 0;
    }
    game.appraise_children(state, &moves, &mut list);
    let (mover, mut settled, mut wins, mut places) = (game.turn(state), 0, false, vec![false; moves.len()]);
    for (place, appraisal) in list {
        assert!(!places[place] && !wins, "each move once, and none after one that wins");
        places[place] = true;
        match appraisal {
            Appraisal::Exact(outcome) => {
                settled += 1;
                wins = outcome.payoff(mover) > 0;
                let (_, child) = &children[place];
                assert_eq!(outcome.payoff(Player::FIRST), known[child], "{}", game.write(child));
            }
            Appraisal::Open(chance) => assert!(chance.is_some_and(|chance| chance > 0.0 && chance < 1.0)),
        }
    }
    assert!(wins || places.iter().all(|&listed| listed), "{}", game.write(state));
    settled
}

/// Checks everything below the positions reached by `plies` random moves.
struct Check {
    plies: usize,
    lines: u64,
}

impl Check {
    /// The numbers of positions with a static outcome and with candidates, of further static answers, and of outcomes known from siblings.
    fn run<G: Family>(self, spec: &str) -> (usize, usize, usize, usize) {
        let mut spec = Spec::parse(spec);
        let game = G::build(&mut spec).unwrap();
        spec.finish(G::INFO.usage).unwrap();
        let mut known = FxHashMap::default();
        for seed in 0..self.lines {
            let (mut rng, mut state) = (Rng::new(seed), game.start());
            for _ in 0..self.plies {
                if game.outcome(&state).is_none()
                    && let Some(mv) = game.random_move(&state, &mut rng, &mut Vec::new())
                {
                    game.play(&mut state, mv);
                }
            }
            value(&game, &state, &mut known);
        }
        let (mut settled, mut chosen, mut answered, mut together) = (0, 0, 0, 0);
        for (state, &value) in &known {
            if result(&game, state, &mut Vec::new()).is_some() {
                continue;
            }
            let known_early = game.static_outcome(state);
            if let Some(outcome) = known_early {
                settled += 1;
                assert_eq!(outcome.payoff(Player::FIRST), value, "{}", game.write(state));
            }
            for (player, value) in [(Player::FIRST, value), (Player::SECOND, -value)] {
                for at_least in game.payoffs() {
                    let answer = game.static_answer(state, Force { player, at_least });
                    answered += usize::from(answer.is_some() && known_early.is_none());
                    let right = Verdict::of(value >= at_least);
                    assert!(
                        answer.is_none_or(|answer| answer == right),
                        "{player} at least {at_least}: {}",
                        game.write(state)
                    );
                    assert!(answer.is_some() || known_early.is_none());
                }
            }
            let mut list = Vec::new();
            if game.candidates(state, &mut list) {
                chosen += 1;
                let children = children(&game, state);
                let find = |mv: &G::Move| children.iter().find(|(other, _)| other == mv);
                let after = list.iter().map(|mv| known[&find(mv).expect("a legal move").1]);
                let best = if game.turn(state) == Player::FIRST { after.max() } else { after.min() };
                assert_eq!(best, Some(value), "{}", game.write(state));
            }
            together += check_siblings(&game, state, &known);
            for player in [Player::FIRST, Player::SECOND] {
                let chance = game.evaluate(state, player);
                assert!(chance.is_none_or(|chance| chance > 0.0 && chance < 1.0));
                let both = known_early.map_or(Appraisal::Open(chance), Appraisal::Exact);
                assert_eq!(game.appraise(state, player), both, "{}", game.write(state));
            }
        }
        (settled, chosen, answered, together)
    }
}

#[test]
fn hints_are_true() {
    for (spec, plies, foresees, chooses) in [
        ("domineering:4x4", 0, true, false),
        ("domineering:3x6", 0, true, false),
        ("domineering:6x3", 0, true, false),
        ("domineering:2x8", 0, true, false),
        ("domineering:5x4", 0, true, false),
        ("domineering:6x6", 8, true, false),
        ("domineering:7x7", 14, true, false),
        ("domineering:8x8", 20, true, false),
        ("domineering:9x7", 18, true, false),
        ("domineering:6x10", 20, true, false),
        ("domineering:12x5", 22, true, false),
        ("domineering:4x13", 18, true, false),
        ("domineering:9x9", 30, true, false),
        ("domineering:7x10", 26, true, false),
        ("connect4:4x4", 0, true, true),
        ("connect4:4x5", 0, true, true),
        ("connect4:5x4", 5, true, true),
        ("connect4:7x6", 26, true, true),
        ("connect4:6x5", 18, true, true),
        ("connect4:7x5", 22, true, true),
        ("connect4:5x8", 24, true, true),
        ("connect4:4x10", 24, true, true),
        ("connect4:4x11", 28, true, true),
        ("nogo:2x4", 0, true, false),
        ("nogo:3x3", 0, true, false),
        ("nogo:1x9", 0, true, false),
        ("nogo:3x4", 2, true, false),
        ("nogo:4x5", 9, true, false),
        ("nogo:6x6", 22, true, false),
        ("hex:3", 0, true, false),
        ("hex:3,swap", 0, true, false),
        ("hex:4", 7, true, false),
        ("hex:5", 17, true, false),
        ("hex:6", 28, true, false),
        ("hex:6,swap", 28, true, false),
        ("y:2", 0, true, false),
        ("y:3", 0, true, false),
        ("y:4", 0, true, false),
        ("y:5", 6, true, false),
        ("y:7", 19, true, false),
        ("clobber:1x9", 0, true, false),
        ("clobber:3x3", 0, true, false),
        ("clobber:3x4", 0, true, false),
        ("clobber:4x5", 9, true, false),
        ("clobber:6x6", 18, true, false),
        ("breakthrough:4x3", 0, true, false),
        ("breakthrough:5x2", 0, true, false),
        ("breakthrough:5x3,home=1,wipeout", 0, true, false),
        ("breakthrough:6x3,home=1", 0, true, false),
        ("knightthrough:4x4,home=1", 0, true, false),
        ("knightthrough:5x4,home=1,wipeout", 6, true, false),
    ] {
        // By name and not by `build`, which would compile the check for every game, with hints or without.
        let run = match spec.split_once(':').unwrap().0 {
            "domineering" => Check::run::<Domineering>,
            "connect4" => Check::run::<Connect4>,
            "nogo" => Check::run::<NoGo>,
            "hex" => Check::run::<Hex>,
            "y" => Check::run::<Y>,
            "clobber" => Check::run::<Clobber>,
            "breakthrough" => Check::run::<Breakthrough>,
            "knightthrough" => Check::run::<Knightthrough>,
            _ => unreachable!("{spec}"),
        };
        let check = Check { plies, lines: if plies == 0 { 1 } else { 20 } };
        let (settled, chosen, answered, together) = run(check, spec);
        println!(
            "{spec}: {settled} static outcomes, {chosen} with candidates, {answered} more answers, {together} of siblings"
        );
        assert_eq!((settled > 0, chosen > 0), (foresees, chooses), "{spec}");
        assert_eq!(answered > 0, spec.starts_with("connect4"), "{spec}");
        let small = !["6x10", "12x5", "4x13", "7x10"].iter().any(|large| spec.ends_with(large));
        assert_eq!(together > 0, spec.starts_with("domineering") && small, "{spec}");
    }
}

/// Plays random games of a game that shares its searches with others, which know no hints and draw random moves from the list.
struct Shared;

impl Visitor for Shared {
    /// Whether it is such a game.
    type Output = bool;

    fn visit<G: Family + 'static>(self, game: G, _: Spec) -> Result<bool, SpecError> {
        if G::OWN_SEARCHES {
            return Ok(false);
        }
        assert!(game.patterns().is_none());
        for seed in 0..20 {
            let (mut state, mut moves) = (game.start(), Vec::new());
            while result(&game, &state, &mut moves).is_none() {
                let text = game.write(&state);
                let evaluated = game.evaluate(&state, game.turn(&state)).is_some();
                let mut list = Vec::new();
                assert!(
                    !evaluated
                        && game.static_outcome(&state).is_none()
                        && !game.candidates(&state, &mut list),
                    "{text}"
                );
                game.moves(&state, &mut list);
                let nth = Rng::new(seed).below(list.len());
                let drawn = game.random_move(&state, &mut Rng::new(seed), &mut moves);
                assert_eq!(drawn, Some(list[nth]), "{text}");
                game.play(&mut state, list[nth]);
            }
        }
        Ok(true)
    }
}

#[test]
fn games_that_share_searches_need_none_of_their_own() {
    let shared = GAMES.iter().filter(|(name, _)| build(Spec::parse(name), Shared).unwrap());
    assert!(shared.count() >= 3);
}
