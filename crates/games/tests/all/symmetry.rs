//! A position and its canonical form get the same answers from every game, because searches store one and ask about the other.

use delphic_game::{Spec, SpecError, conformance};
use delphic_games::{Family, GAMES, Visitor, build};

/// Further forms of the games, small ones above all: their random games are short and meet every kind of position. The default
/// form of every game is checked besides.
const FORMS: &[&str] = &[
    "mnk:4,3,3",
    "mnk:5,5,4",
    "connect4:4x4",
    "connect4:5x4,line=3",
    "connect4:8x7",
    "domineering:4x4",
    "domineering:5x3",
    "domineering:7x7",
    "domineering:8x8",
    "domineering:3x20",
    "domineering:9x9",
    "domineering:15x8",
    "domineering:7x10",
    "nogo:3x3",
    "nogo:1x12",
    "nogo:5x6",
    "hex:2",
    "hex:3,swap",
    "hex:4",
    "hex:6",
    "hex:8",
    "hex:11,swap",
    "y:2",
    "y:3",
    "y:8",
    "havannah:2",
    "havannah:3",
    "pentalath:3,plies=60",
    "pentago:always",
    "diagonals:3",
    "mnk3:3,3,3",
    "rolit:4",
    "loa:5,plies=60",
    "minishogi:dropmate,plies=60",
    "reach-chess:plies=60",
    "skirmish:plies=40",
    "surakarta:plies=80",
    "breakthrough:4x3",
    "breakthrough:5x3,home=1,wipeout",
    "breakthrough:8x8",
    "knightthrough:5x4,home=1",
    "knightthrough:6x6,wipeout",
    "reversi:4",
    "reversi:6,end=blocked",
    "clobber:3x3",
    "clobber:2x6",
    "amazons:4",
    "amazons:4x5",
    "ataxx:4x4,plies=60",
    "ataxx:3x5,merged,plies=60",
    "awari:rules=oware,plies=80",
    "lines:4x4,length=3,wrap=both",
    "lines:4x5,length=4,gravity,wrap=columns",
    "tiles:4x4",
    "tiles:4x4,first=X./XX,second=X./XX,turn,flip",
    "octal:9,9,9,code=0.77",
    "nim:5,5,2,5",
    "go-capture:4",
    "go-capture:5,zone=on",
];

/// Checks this many random games.
struct Check(u64);

impl Visitor for Check {
    /// How many positions differ from their canonical form, and whether the game claims symmetries.
    type Output = (usize, bool);

    fn visit<G: Family + 'static>(self, game: G, spec: Spec) -> Result<(usize, bool), SpecError> {
        spec.finish(G::INFO.usage)?;
        Ok((conformance::check_symmetry(&game, self.0), G::FACTS.symmetries != "none"))
    }
}

#[test]
fn symmetric_positions_get_the_same_answers() {
    let defaults = GAMES.iter().map(|(name, _)| (*name, 40));
    for (spec, games) in defaults.chain(FORMS.iter().map(|form| (*form, 100))) {
        let (moved, symmetric) = build(Spec::parse(spec), Check(games)).unwrap();
        println!("{spec}: {moved} positions differ from their canonical form");
        assert_eq!(moved > 50, symmetric, "{spec}: {moved} positions on which the law could fail");
    }
}

/// On whole small boards nothing is left to chance: positions that random games seldom meet are decided early.
#[test]
fn the_games_that_look_ahead_are_checked_thoroughly() {
    for spec in [
        "domineering:5x5",
        "domineering:6x6",
        "hex:4",
        "hex:5",
        "connect4:5x5",
        "y:5",
        "y:7",
        "breakthrough:5x5",
    ] {
        let (moved, _) = build(Spec::parse(spec), Check(1_500)).unwrap();
        assert!(moved > 5_000, "{spec}: {moved}");
    }
}
