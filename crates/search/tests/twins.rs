//! Described games and the same games in Rust have the same values.

use delphic_game::{Force, Player, Spec, SpecError, Verdict};
use delphic_games::{Description, Family, Visitor, build};
use delphic_search::{Limits, Position, Searchable, Solvable, Symmetry};
use std::path::Path;

/// The files of `crates/games/tests/twins` and the games they describe.
const TWINS: &[(&str, &str)] = &[
    ("tictactoe", "tictactoe"),
    ("torus", "lines:3x3,length=3,wrap=both"),
    ("hex4", "hex:4"),
    ("domineering", "domineering:5x5"),
    ("cram", "tiles:4x4,first=XX,second=XX,turn"),
    ("clobber", "clobber:3x4"),
    ("breakthrough", "breakthrough:5x4"),
    ("knightthrough", "knightthrough:5x4"),
];

/// Whether the first player can force a win, and whether at least a draw.
fn verdicts<G: Solvable>(game: &G) -> [Verdict; 2] {
    let position = Position { game, state: game.start() };
    [1, 0].map(|at_least| {
        let question = Force { player: Player::FIRST, at_least };
        position.alphabeta(question, Symmetry::On, Limits::default(), &mut ()).truth
    })
}

struct Verdicts;

impl Visitor for Verdicts {
    type Output = [Verdict; 2];
    fn visit<G: Family + 'static>(self, game: G, _: Spec) -> Result<[Verdict; 2], SpecError> {
        Ok(verdicts(&game))
    }
}

#[test]
fn twins_have_the_same_values() {
    for (name, spec) in TWINS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../games/tests/twins/{name}.toml"));
        let game = Description::read(&std::fs::read_to_string(path).unwrap()).unwrap().game;
        let (ours, theirs) = (verdicts(&game), build(Spec::parse(spec), Verdicts).unwrap());
        println!("{name} = {spec}: {ours:?}");
        assert_eq!(ours, theirs, "{name}");
        assert!(!ours.contains(&Verdict::Open), "{name}");
    }
}
