//! The conformance suite that every game passes: `conformance::check(&game)`.
//!
//! It plays random games and checks every position. A game whose moves, hash, symmetries or notation are wrong fails with the
//! position in the message.

use crate::{
    Force, Game, Hints, LONGEST_PLAYOUT, Notation, Player, Progressive, Rng, playout, read_moves, result,
};
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

/// The number of random games played.
const GAMES: u64 = 30;
/// A random game must be over after this many plies.
const LONGEST: usize = 20_000;
/// The number of positions of a game that are checked for symmetry; the check visits all grandchildren.
const SYMMETRIC: usize = 12;

/// The approximate number of moves of a position that are read back: reading a move writes all the others.
const READ: usize = 40;

/// Checks all laws of the required traits.
///
/// # Panics
/// If the game breaks one.
pub fn check<G>(game: &G)
where
    G: Progressive,
    G::State: Debug,
    G::Move: Debug,
{
    check_from(game, &game.start());
}

/// The same from another position than the start.
///
/// # Panics
/// If the game breaks a law.
pub fn check_from<G>(game: &G, start: &G::State)
where
    G: Progressive,
    G::State: Debug,
    G::Move: Debug,
{
    let mut keys = HashMap::new();
    every_position(game, start, |game, state, rng, ply| {
        keys.insert(state.clone(), game.key(state));
        moves_are_distinct_and_counted(game, state);
        random_moves_are_legal(game, state, rng);
        text_round_trips(game, state);
        if ply < SYMMETRIC {
            canonical_form_is_an_invariant(game, state);
        }
    });
    playouts_end_and_repeat(game, start);
    keys_vary_in_both_halves(&keys.into_values().collect::<Vec<_>>());
}

/// Checks that a position and its canonical form get the same answers: searches store the canonical form and ask about it instead of the
/// position that was played, and after loading a checkpoint they ask about the position again.
///
/// Checks every position of `games` random games and returns the number of those that differ from their canonical form: only on these
/// can the check fail.
///
/// # Panics
/// If the game breaks the law.
pub fn check_symmetry<G: Progressive + Hints>(game: &G, games: u64) -> usize
where
    G::State: Debug,
{
    let mut moved = 0;
    for seed in 0..games {
        let (mut rng, mut state) = (Rng::new(seed), game.start());
        for _ in 0..LONGEST {
            moved += usize::from(symmetric_positions_agree(game, &state));
            let list = moves(game, &state);
            if list.is_empty() {
                break;
            }
            game.play(&mut state, list[rng.below(list.len())]);
        }
    }
    moved
}

/// Compares a position with its canonical form; returns whether they differ.
fn symmetric_positions_agree<G: Progressive + Hints>(game: &G, state: &G::State) -> bool
where
    G::State: Debug,
{
    let form = canonical(game, state);
    if form == *state {
        return false;
    }
    let here = game.write(state);
    let both = [state, &form];
    let same = |what: &str, [a, b]: [String; 2]| {
        assert_eq!(a, b, "{what} is {a} in {here} and {b} in its canonical form {}", game.write(&form));
    };
    same("the mover", both.map(|state| game.turn(state).to_string()));
    same("the outcome", both.map(|state| format!("{:?}", game.outcome(state))));
    same("static_outcome", both.map(|state| format!("{:?}", game.static_outcome(state))));
    for player in (0..game.players()).map(Player::new) {
        for at_least in game.payoffs() {
            let answer = |state| format!("{:?}", game.static_answer(state, Force { player, at_least }));
            same("static_answer", both.map(answer));
        }
        same("the evaluation", both.map(|state| format!("{:?}", game.evaluate(state, player))));
    }
    let lists = both.map(|state| moves(game, state));
    same("the number of moves", lists.each_ref().map(|list| list.len().to_string()));
    if lists[0].is_empty() {
        same("the result", both.map(|state| format!("{:?}", result(game, state, &mut Vec::new()))));
        return true;
    }
    let reached = |state: &G::State, list: &[G::Move]| {
        let mut forms = HashMap::<G::State, usize>::new();
        for &mv in list {
            *forms.entry(canonical(game, &child(game, state, mv))).or_default() += 1;
        }
        forms
    };
    let [ours, theirs] = [0, 1].map(|which| reached(both[which], &lists[which]));
    assert!(ours == theirs, "the moves of {here} and of its canonical form lead to different positions");
    let chosen = both.map(|state| {
        let mut list = Vec::new();
        game.candidates(state, &mut list).then(|| reached(state, &list))
    });
    assert!(
        chosen[0] == chosen[1],
        "the candidates of {here} and of its canonical form lead to different positions"
    );
    true
}

fn canonical<G: Game>(game: &G, state: &G::State) -> G::State {
    let mut form = state.clone();
    game.canonicalize(&mut form);
    form
}

fn child<G: Game>(game: &G, state: &G::State, mv: G::Move) -> G::State {
    let mut next = state.clone();
    game.play(&mut next, mv);
    next
}

/// Checks the reader on damaged text: every position that it accepts can be written, read again and played to the end.
///
/// # Panics
/// If it does not.
pub fn check_reader<G>(game: &G)
where
    G: Progressive,
    G::State: Debug,
{
    let mut rng = Rng::new(11);
    let mut accepted = 0;
    for round in 0..3_000 {
        let mut state = game.start();
        for _ in 0..rng.below(40) {
            let list = moves(game, &state);
            if list.is_empty() {
                break;
            }
            game.play(&mut state, list[rng.below(list.len())]);
        }
        let text = damaged(&game.write(&state), &mut rng);
        if let Ok(state) = game.read(&text) {
            accepted += 1;
            text_round_trips(game, &state);
            if round % 10 == 0 {
                playout(game, &mut state.clone(), &mut rng, &mut Vec::new());
            }
        }
        let _ = read_moves(game, &game.start(), &text);
    }
    assert!(accepted < 3_000, "every damaged text was accepted");
}

/// A text with a few characters replaced, removed, doubled or moved.
fn damaged(text: &str, rng: &mut Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let odd = ['X', 'O', '.', '#', '/', ' ', ',', '-', '0', '9', 'k', 'P', '@', 'é', '\u{0}'];
    for _ in 0..=rng.below(3) {
        let at = rng.below(letters.len() + 1);
        match rng.below(4) {
            0 => letters.insert(at, odd[rng.below(odd.len())]),
            1 => letters.truncate(at),
            _ if letters.is_empty() => letters.push('/'),
            2 => {
                letters.remove(at.min(letters.len() - 1));
            }
            _ => {
                let last = letters.len() - 1;
                letters[at.min(last)] = odd[rng.below(odd.len())];
            }
        }
    }
    letters.into_iter().collect()
}

fn every_position<G: Game>(game: &G, start: &G::State, mut look: impl FnMut(&G, &G::State, &mut Rng, usize)) {
    for seed in 0..GAMES {
        let mut rng = Rng::new(seed);
        let mut state = start.clone();
        let mut scratch = Vec::new();
        for ply in 0.. {
            if game.endless().is_some() && ply == LONGEST_PLAYOUT {
                break;
            }
            assert!(ply < LONGEST, "a random game (seed {seed}) is not over after {LONGEST} plies");
            look(game, &state, &mut rng, ply);
            if result(game, &state, &mut scratch).is_some() {
                break;
            }
            let list = moves(game, &state);
            game.play(&mut state, list[rng.below(list.len())]);
        }
    }
}

fn moves<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut list = Vec::new();
    if game.outcome(state).is_none() {
        game.moves(state, &mut list);
    }
    list
}

fn moves_are_distinct_and_counted<G: Notation>(game: &G, state: &G::State)
where
    G::Move: Debug,
{
    let list = moves(game, state);
    let here = game.write(state);
    for (i, mv) in list.iter().enumerate() {
        assert!(!list[..i].contains(mv), "{mv:?} is listed twice in {here}");
    }
    let texts: HashSet<String> = list.iter().map(|&mv| game.write_move(state, mv)).collect();
    assert_eq!(texts.len(), list.len(), "two moves have the same text in {here}");
    if game.outcome(state).is_none() {
        assert_eq!(game.count_moves(state, &mut Vec::new()), list.len(), "count_moves is wrong in {here}");
        let mut kept = list.clone();
        game.moves(state, &mut kept);
        assert_eq!(kept.len(), 2 * list.len(), "moves must append to the list it is given, in {here}");
    }
    for &mv in list.iter().step_by(list.len() / READ + 1) {
        let text = game.write_move(state, mv);
        assert!(!text.is_empty() && !text.contains([' ', ',']), "'{text}' cannot be the text of a move");
        assert_eq!(
            read_moves(game, state, &text),
            Ok(vec![mv]),
            "'{text}' is read as another move in {here}"
        );
    }
}

fn random_moves_are_legal<G: Notation>(game: &G, state: &G::State, rng: &mut Rng)
where
    G::Move: Debug,
{
    if game.outcome(state).is_some() {
        return;
    }
    let list = moves(game, state);
    for _ in 0..4 {
        match game.random_move(state, rng, &mut Vec::new()) {
            None => assert!(
                list.is_empty(),
                "random_move finds none of {} moves in {}",
                list.len(),
                game.write(state)
            ),
            Some(mv) => assert!(list.contains(&mv), "random_move plays {mv:?} in {}", game.write(state)),
        }
    }
}

/// A state that is read from text is computed from scratch, so it detects errors in incremental fields and keys.
fn text_round_trips<G: Notation>(game: &G, state: &G::State)
where
    G::State: Debug,
{
    let text = game.write(state);
    assert!(!text.contains('\n'), "a position is one line: {text}");
    let again = game.read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(&again, state, "{text} is read as another position");
    assert_eq!(game.key(&again), game.key(state), "the key of {text} depends on how it came about");
    assert_eq!(game.turn(&again), game.turn(state), "{text}");
    assert_eq!(moves(game, &again).len(), moves(game, state).len(), "{text}");
    assert_eq!(game.outcome(&again), game.outcome(state), "{text}");
}

/// A position and its canonical form must have the same mover, result and, up to symmetry, the same children.
fn canonical_form_is_an_invariant<G: Notation>(game: &G, state: &G::State)
where
    G::State: Debug,
{
    let form = canonical(game, state);
    let here = game.write(state);
    assert_eq!(canonical(game, &form), form, "canonicalize is not idempotent at {here}");
    assert_eq!(game.turn(&form), game.turn(state), "canonicalize changes the mover at {here}");
    assert_eq!(game.outcome(&form), game.outcome(state), "canonicalize changes the result at {here}");
    let forms = |state: &G::State| -> HashSet<G::State> {
        moves(game, state).into_iter().map(|mv| canonical(game, &child(game, state, mv))).collect()
    };
    assert_eq!(forms(&form), forms(state), "canonicalize changes what can be reached from {here}");
}

/// Searches use the high half of a key in one place and the low bits in another: different positions must differ in both.
fn keys_vary_in_both_halves(keys: &[u64]) {
    let values =
        |part: &dyn Fn(u64) -> u32| keys.iter().map(|&key| part(key)).collect::<HashSet<u32>>().len();
    let halves = [values(&|key| (key >> 32) as u32), values(&|key| key as u32)];
    // Among so few random halves, hardly any would be equal.
    let spare = 2 + keys.len() / 100;
    for (half, which) in halves.into_iter().zip(["high", "low"]) {
        assert!(half + spare >= keys.len(), "{} positions have {half} {which} halves of keys", keys.len());
    }
    // A small table uses few bits. It must fill at least three quarters as well as random keys would fill it.
    const BITS: u32 = 10;
    let slots = f64::from(1 << BITS);
    let random = slots * (1.0 - (-(keys.len() as f64) / slots).exp());
    let low = values(&|key| key as u32 % (1 << BITS)) as f64;
    assert!(low + 4.0 >= 0.75 * random, "{} positions fill {low} of {slots} slots", keys.len());
}

fn playouts_end_and_repeat<G: Game>(game: &G, start: &G::State) {
    let run = |seed| {
        let (mut rng, mut scratch) = (Rng::new(seed), Vec::new());
        let outcomes: Vec<_> =
            (0..20).map(|_| playout(game, &mut start.clone(), &mut rng, &mut scratch)).collect();
        (outcomes, rng.bits())
    };
    assert_eq!(run(5), run(5), "equal seeds play different games");
    let payoffs = game.payoffs();
    for outcome in run(6).0 {
        for seat in 0..game.players() {
            let payoff = outcome.payoff(Player::new(seat));
            assert!(payoffs.contains(&payoff), "a payoff of {payoff} is not among {payoffs:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Outcome,
        adapters::{Misere, PlyLimit},
        random_tree::RandomTree,
    };

    #[test]
    fn random_trees_and_adapters_conform() {
        for seed in 0..50 {
            let game = RandomTree::small(seed);
            check(&game);
            check(&Misere { game, on: true });
            check(&PlyLimit { game, limit: Some(3) });
        }
    }

    /// Moves 1 and 2 in a list that names one of them twice.
    struct Liar;

    impl Game for Liar {
        type State = u8;
        type Move = u8;
        fn start(&self) -> u8 {
            0
        }
        fn turn(&self, _: &u8) -> Player {
            Player::FIRST
        }
        fn moves(&self, &s: &u8, list: &mut Vec<u8>) {
            if s == 0 {
                list.extend([1, 2, 1]);
            }
        }
        fn play(&self, s: &mut u8, mv: u8) {
            *s += mv;
        }
        fn stuck(&self, _: &u8) -> Outcome {
            Outcome::DRAW
        }
    }
    impl Progressive for Liar {}
    impl Notation for Liar {
        const HOW: &'static str = "";
        fn write_move(&self, _: &u8, mv: u8) -> String {
            mv.to_string()
        }
        fn write(&self, s: &u8) -> String {
            s.to_string()
        }
        fn read(&self, text: &str) -> Result<u8, crate::NotationError> {
            Ok(text.parse().unwrap())
        }
    }

    #[test]
    #[should_panic(expected = "listed twice")]
    fn a_broken_game_is_caught() {
        check(&Liar);
    }

    #[test]
    #[should_panic(expected = "1 high halves of keys")]
    fn poor_keys_are_caught() {
        keys_vary_in_both_halves(&(0..300).collect::<Vec<_>>());
    }
}
