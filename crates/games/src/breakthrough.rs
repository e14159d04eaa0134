//! Breakthrough: pawns step straight or diagonally forward and capture diagonally; the first to reach the far row wins.
//!
//! Rules: Dan Troyka 2000; played here as Ludii 1.3 does, where a side that has lost all its pieces passes while the
//! other walks home. With `wipeout` that side has lost at once, as the published rules and OpenSpiel say; `home=1`
//! is what OpenSpiel plays on boards of fewer than six rows.

use crate::kit::race::PARAMETERS;
use crate::kit::race::{Race, Runner, Step};
use crate::{Facts, Family, Info, MIRROR};
use delphic_game::{Spec, SpecError};

/// What runs in Breakthrough.
#[derive(Clone, Copy, Debug)]
pub struct Pawn;

impl Runner for Pawn {
    const STEPS: &'static [Step] = &[
        Step { aside: -1, ahead: 1, captures: true },
        Step { aside: 0, ahead: 1, captures: false },
        Step { aside: 1, ahead: 1, captures: true },
    ];
    /// In a single column two pawns would block each other.
    const NARROWEST: usize = 2;
}

/// Rules for one board size.
pub type Breakthrough = Race<Pawn>;

impl Family for Breakthrough {
    const INFO: Info = Info {
        usage: "breakthrough[:ROWSxCOLS][,home=2][,wipeout]",
        about: "pawns that capture diagonally race to the far row; home= sets the number of rows of pawns; with wipeout, \
            capturing all pawns also wins",
        rules: "D. Troyka 2000; Ludii 1.3.14, with wipeout OpenSpiel",
    };

    const FACTS: Facts = Facts { parameters: PARAMETERS, symmetries: MIRROR, ..Facts::PLAIN };

    fn build(spec: &mut Spec) -> Result<Breakthrough, SpecError> {
        Race::take(spec)
    }

    fn spec(&self) -> String {
        self.spec_of("breakthrough")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{Game, Notation, Outcome, Player, conformance, grid::Grid, result};

    #[test]
    fn other_sizes_conform() {
        for (rows, cols, home) in [(2, 2, 1), (2, 32, 1), (32, 2, 7), (4, 5, 2), (5, 4, 1), (8, 8, 4)] {
            for wipeout in [false, true] {
                conformance::check(&Breakthrough::new(Grid { rows, cols }, home, wipeout));
            }
        }
    }

    #[test]
    fn a_side_without_pieces_passes_or_has_lost() {
        let over = |wipeout| {
            let game = Breakthrough::new(Grid { rows: 4, cols: 2 }, 2, wipeout);
            result(&game, &game.read("../../X./.. o").unwrap(), &mut Vec::new())
        };
        assert_eq!(over(false), None);
        assert_eq!(over(true), Some(Outcome::win(Player::FIRST)));
    }

    #[test]
    fn straight_steps_do_not_capture() {
        let game = Breakthrough::new(Grid { rows: 4, cols: 2 }, 2, false);
        let state = game.read("../O./X./.. x").unwrap();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let texts: Vec<String> = moves.into_iter().map(|mv| game.write_move(&state, mv)).collect();
        assert_eq!(texts, ["a2-b3"]);
    }

    #[test]
    fn bad_input_is_refused() {
        for bad in ["b:8x1", "b:9x9", "b:3x3", "b:8x8,home=0", "b:8x8,home=5", "b:8x8,home=x"] {
            assert!(Breakthrough::build(&mut Spec::parse(bad)).is_err(), "{bad}");
        }
        let game = Breakthrough::new(Grid { rows: 4, cols: 2 }, 1, false);
        for bad in [
            "",
            "../../../..",
            "../../../.. x",
            "X./../../.. x",
            "XX/../../O. o",
            "../XX/X./O. x",
            "../../X./O. z",
        ] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
    }
}
