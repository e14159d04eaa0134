//! Every notation of every game under a fuzzer: what is written is read back, and nothing that is typed makes a reader panic.

use crate::erased::erased;
use delphic_game::erased::{Erased, ErasedState};
use delphic_game::{Game, Notation, NotationError, Rng, Spec, SpecError, read_moves, result, write_moves};
use delphic_games::{Family, GAMES, Visitor, build};
use proptest::prelude::*;

/// Forms of the games besides the defaults: other sizes and every option.
const FORMS: [&str; 31] = [
    "mnk:5,4,4",
    "mnk3:5,3,3",
    "connect4:9x4,line=3",
    "domineering:3x7",
    "domineering:9x9",
    "nogo:2x7",
    "nim:1,20,300",
    "pgame:b=12,d=5,seed=3",
    "hex:4,swap",
    "hex:11",
    "y:3",
    "havannah:3",
    "pentalath:4,plies=30",
    "pentago:always",
    "diagonals:5",
    "rolit:5",
    "loa:7,openspiel",
    "minishogi:dropmate,plies=60",
    "skirmish:plies=20",
    "breakthrough:5x3,home=1",
    "knightthrough:6x4,wipeout",
    "reversi:4,end=blocked",
    "reversi:6",
    "clobber:3x4",
    "amazons:10",
    "amazons:4x5",
    "ataxx:4x5,merged",
    "awari:rules=oware",
    "lines:5x4,length=3,gravity,wrap=columns,exact",
    "tiles:board=..#./..../.#..,first=X/X+X,second=XX+XXX,turn,flip",
    "octal:9,2,code=4.137",
];

/// What to do with each form of each game.
trait Law {
    fn hold(&self, game: &Erased<'_>, spec: &str);
}

fn everywhere(law: &impl Law) {
    for spec in GAMES.iter().map(|(name, _)| *name).chain(FORMS) {
        law.hold(&erased(spec), spec);
    }
}

/// The moves of the beginning of a random game.
fn prefix(game: &Erased<'_>, seed: u64, plies: usize) -> (Vec<u16>, ErasedState) {
    let (mut rng, mut scratch) = (Rng::new(seed), Vec::new());
    let (mut line, mut state) = (Vec::new(), game.start());
    while line.len() < plies && result(game, &state, &mut scratch).is_none() {
        let Some(mv) = game.random_move(&state, &mut rng, &mut scratch) else { break };
        line.push(mv);
        game.play(&mut state, mv);
    }
    (line, state)
}

/// Positions and lines of play survive being written and read.
struct RoundTrip {
    seed: u64,
    plies: usize,
}

impl Law for RoundTrip {
    fn hold(&self, game: &Erased<'_>, spec: &str) {
        let (line, state) = prefix(game, self.seed, self.plies);
        let text = game.write(&state);
        assert!(game.read(&text).as_ref() == Ok(&state), "{spec} {text}");
        assert!(game.read(&format!(" {text} ")).as_ref() == Ok(&state), "{spec}: blanks around {text}");
        for between in [" ", ",", ", "] {
            let moves = write_moves(game, &game.start(), &line).join(between);
            assert_eq!(read_moves(game, &game.start(), &moves).as_ref(), Ok(&line), "{spec} {moves}");
        }
    }
}

/// What a reader makes of any text: a position that can be written, or one line that says what is wrong.
fn is_read_or_refused(game: &Erased<'_>, spec: &str, text: &str) {
    match game.read(text) {
        Ok(state) => {
            let again = game.write(&state);
            assert!(game.read(&again).as_ref() == Ok(&state), "{spec}: {text:?} and {again}");
            // Whatever is accepted can be drawn and has a result or moves.
            assert!(!game.picture(&state).to_string().is_empty());
            result(game, &state, &mut Vec::new());
        }
        Err(error @ NotationError::Position(_)) => {
            let message = error.to_string();
            let reason = message.strip_prefix("malformed position: ");
            assert!(reason.is_some_and(|reason| reason.len() > 8), "{spec}: {text:?} gives {message:?}");
        }
        Err(error) => panic!("{spec}: {text:?} as a position gives {error:?}"),
    }
    if let Err(error) = read_moves(game, &game.start(), text) {
        assert!(matches!(error, NotationError::Move { .. }), "{spec}: {text:?} as moves gives {error:?}");
    }
}

/// A valid position with some of its characters exchanged, dropped, doubled or replaced.
struct Damage {
    seed: u64,
    plies: usize,
    edits: Vec<(u8, usize, char)>,
}

impl Law for Damage {
    fn hold(&self, game: &Erased<'_>, spec: &str) {
        let (_, state) = prefix(game, self.seed, self.plies);
        let mut text: Vec<char> = game.write(&state).chars().collect();
        for &(kind, place, new) in &self.edits {
            let (place, other) = (place % (text.len() + 1), place / 7 % (text.len() + 1));
            match kind % 5 {
                0 => text.insert(place, new),
                1 if place < text.len() => drop(text.remove(place)),
                2 if place < text.len() => text[place] = new,
                3 if place.max(other) < text.len() => text.swap(place, other),
                4 => text.extend_from_within(place..),
                _ => {}
            }
        }
        is_read_or_refused(game, spec, &text.into_iter().collect::<String>());
    }
}

/// A text that has nothing to do with the game.
struct Nonsense(String);

impl Law for Nonsense {
    fn hold(&self, game: &Erased<'_>, spec: &str) {
        is_read_or_refused(game, spec, &self.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_back(seed: u64, plies in 0usize..80) {
        everywhere(&RoundTrip { seed, plies });
    }

    #[test]
    fn damaged_positions_are_read_or_refused(
        seed: u64,
        plies in 0usize..40,
        edits in prop::collection::vec((any::<u8>(), any::<usize>(), "[XOZ.#/ ,@|0-9a-zA-Z\\[\\]+-]"), 1..6),
    ) {
        let edits = edits.into_iter().filter_map(|(kind, place, new)| Some((kind, place, new.chars().next()?)));
        everywhere(&Damage { seed, plies, edits: edits.collect() });
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}") {
        everywhere(&Nonsense(text));
    }

    #[test]
    fn texts_of_the_usual_letters_are_read_or_refused(text in "[XO./#]{0,40}( [xowbvh1-9,@-]{1,4}){0,3}") {
        everywhere(&Nonsense(text));
    }

    /// Names of games with any parameters build something or are refused.
    #[test]
    fn any_spec_is_built_or_refused(parameters in "[0-9x=,a-z-]{0,24}") {
        struct Ignore;
        impl Visitor for Ignore {
            type Output = ();
            fn visit<G: Family + 'static>(self, game: G, spec: Spec) -> Result<(), SpecError> {
                // The spec that a game gives itself is one it takes.
                let own = game.spec();
                let again = G::build(&mut Spec::parse(&own)).unwrap_or_else(|error| panic!("{own}: {error}"));
                assert_eq!(again.spec(), own);
                spec.finish(G::INFO.usage)
            }
        }
        for (name, _) in GAMES {
            let _ = build(Spec::parse(&format!("{name}:{parameters}")), Ignore);
        }
    }
}
