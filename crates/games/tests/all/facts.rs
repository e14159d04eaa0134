//! What is said about the games is true: examples are positions, parameters are taken, symmetries are used.

use delphic_game::erased::Erased;
use delphic_game::{Game, Rng, Spec, SpecError, result};
use delphic_games::{Facts, Family, GAMES, Info, Visitor, build};
use std::sync::Arc;

/// The forms of the games that the examples of their notations show, where it is not the default form.
const SHOWN: [(&str, &str); 19] = [
    ("nogo", "nogo:2x3"),
    ("domineering", "domineering:3x2"),
    ("hex", "hex:3,swap"),
    ("y", "y:3"),
    ("havannah", "havannah:2"),
    ("pentalath", "pentalath:3"),
    ("diagonals", "diagonals:2"),
    ("mnk3", "mnk3:3,3,3"),
    ("loa", "loa:4"),
    ("breakthrough", "breakthrough:4x4"),
    ("knightthrough", "knightthrough:4x4"),
    ("reversi", "reversi:4"),
    ("clobber", "clobber:2x3"),
    ("ataxx", "ataxx:3x4"),
    ("nim", "nim:3,0,5"),
    ("connect4", "connect4:7x6"),
    ("lines", "lines:3x3"),
    ("tiles", "tiles:3x2"),
    ("go-capture", "go-capture:3"),
];

/// The texts of a game, its full spec, and whether it reads the example of its notation and uses symmetries.
struct Known {
    info: Info,
    facts: Facts,
    spec: String,
    example: Result<(), String>,
    symmetric: bool,
}

/// Whether some position differs from its canonical form.
fn has_symmetries(game: &Erased<'_>) -> bool {
    (0..20).any(|seed| {
        let (mut rng, mut state, mut scratch) = (Rng::new(seed), game.start(), Vec::new());
        for _ in 0..60 {
            let mut form = state.clone();
            game.canonicalize(&mut form);
            if form != state {
                return true;
            }
            if result(game, &state, &mut scratch).is_some() {
                break;
            }
            let Some(mv) = game.random_move(&state, &mut rng, &mut scratch) else { break };
            game.play(&mut state, mv);
        }
        false
    })
}

struct Look;

impl Visitor for Look {
    type Output = Known;

    fn visit<G: Family + 'static>(self, game: G, spec: Spec) -> Result<Known, SpecError> {
        spec.finish(G::INFO.usage)?;
        let example = G::HOW.rsplit(": ").next().unwrap_or_default();
        let own = game.spec();
        let read = |text: &str| game.read(text).map(drop).map_err(|error| format!("{text}: {error}"));
        let example = read(example);
        let symmetric = has_symmetries(&Erased::new(Arc::new(game)));
        Ok(Known { info: G::INFO, facts: G::FACTS, spec: own, example, symmetric })
    }
}

fn look(spec: &str) -> Known {
    build(Spec::parse(spec), Look).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

#[test]
fn the_examples_of_all_notations_are_positions() {
    for (name, _) in GAMES {
        let spec = SHOWN.iter().find(|(shown, _)| shown == name).map_or(*name, |(_, spec)| spec);
        assert_eq!(look(spec).example, Ok(()), "{spec}");
    }
}

/// A parameter with a value is the default and changes nothing; a word changes the game.
#[test]
fn parameters_are_what_they_are_said_to_be() {
    // Tic-tac-toe is the form of mnk that takes none.
    for (name, _) in GAMES.iter().filter(|(name, _)| *name != "tictactoe") {
        let known = look(name);
        for (parameter, meaning) in known.facts.parameters {
            assert!(!meaning.is_empty(), "{name}: {parameter}");
            let given = look(&format!("{name}:{parameter}")).spec;
            let plain = parameter.contains('=') || parameter.starts_with(|c: char| c.is_ascii_digit());
            assert_eq!(given == known.spec, plain, "{name}:{parameter} is {given}");
        }
        // Nothing in the usage is left unexplained.
        let options = known.info.usage.matches(['[', ',']).count();
        assert!(options == 0 || !known.facts.parameters.is_empty(), "{name}: {}", known.info.usage);
    }
}

#[test]
fn symmetries_are_used_where_they_are_claimed() {
    for (name, _) in GAMES {
        let known = look(name);
        assert_eq!(known.symmetric, known.facts.symmetries != "none", "{name}: {}", known.facts.symmetries);
    }
}

/// Every game says where its rules come from, and those that end by counting plies say so.
#[test]
fn rules_have_a_source_and_cycles_a_convention() {
    for (name, _) in GAMES {
        let known = look(name);
        assert!(known.info.rules.len() > 8 && known.info.about.len() > 20, "{name}");
        let limited = known.spec.contains("plies=");
        assert_eq!(known.facts.cycles.contains("plies"), limited || *name == "los-alamos", "{name}");
    }
}
