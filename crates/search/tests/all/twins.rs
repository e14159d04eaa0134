//! Described games and the same games in Rust have the same values.

use delphic_game::{Force, Player, Spec, Verdict};
use delphic_games::{
    Breakthrough, Clobber, Description, Domineering, Family, Hex, InARow, Knightthrough, Mnk, Tiles,
};
use delphic_search::{Limits, Position, Searchable, Solvable, Symmetry};
use std::path::Path;

/// Whether the first player can force a win, and whether at least a draw.
fn verdicts<G: Solvable>(game: &G) -> [Verdict; 2] {
    let position = Position { game, state: game.start() };
    [1, 0].map(|at_least| {
        let question = Force { player: Player::FIRST, at_least };
        position.alphabeta(question, Symmetry::On, Limits::default(), &mut ()).truth
    })
}

/// Compares a file of `crates/games/tests/twins` with the game it describes.
fn compare<F: Family + 'static>(name: &str, parameters: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../games/tests/twins/{name}.toml"));
    let described = Description::read(&std::fs::read_to_string(path).unwrap()).unwrap().game;
    let same = F::build(&mut Spec::parse(&format!("{name}:{parameters}"))).unwrap();
    let (ours, theirs) = (verdicts(&described), verdicts(&same));
    println!("{name} = {}: {ours:?}", same.spec());
    assert_eq!(ours, theirs, "{name}");
    assert!(!ours.contains(&Verdict::Open), "{name}");
}

#[test]
fn twins_have_the_same_values() {
    compare::<Mnk>("tictactoe", "3,3,3");
    compare::<InARow>("torus", "3x3,length=3,wrap=both");
    compare::<Hex>("hex4", "4");
    compare::<Domineering>("domineering", "5x5");
    compare::<Tiles>("cram", "4x4,first=XX,second=XX,turn");
    compare::<Clobber>("clobber", "3x4");
    compare::<Breakthrough>("breakthrough", "5x4");
    compare::<Knightthrough>("knightthrough", "5x4");
}
