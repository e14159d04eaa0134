//! Knightthrough: Breakthrough with knights that leap forward only.
//!
//! Rules: from the general game playing competitions; played here as Ludii 1.3 does, where a side that has lost all its
//! knights passes while the other leaps home. With `wipeout` it has lost at once.

use crate::kit::race::PARAMETERS;
use crate::kit::race::{Race, Runner, Step};
use crate::{Facts, Family, Info, MIRROR};
use delphic_game::{Spec, SpecError};

/// What runs in Knightthrough.
#[derive(Clone, Copy, Debug)]
pub struct Knight;

impl Runner for Knight {
    const STEPS: &'static [Step] = &[
        Step { aside: -2, ahead: 1, captures: true },
        Step { aside: -1, ahead: 2, captures: true },
        Step { aside: 1, ahead: 2, captures: true },
        Step { aside: 2, ahead: 1, captures: true },
    ];
    /// With three columns a knight in the middle could not enter the far row from the row before it.
    const NARROWEST: usize = 4;
}

/// Rules for one board size.
pub type Knightthrough = Race<Knight>;

impl Family for Knightthrough {
    const INFO: Info = Info {
        usage: "knightthrough[:ROWSxCOLS][,home=2][,wipeout]",
        about: "knights that only jump forward race to the far row; home= and wipeout as in breakthrough",
        rules: "Ludii 1.3.14, Knightthrough",
    };

    const FACTS: Facts = Facts { parameters: PARAMETERS, symmetries: MIRROR, ..Facts::PLAIN };

    fn build(spec: &mut Spec) -> Result<Knightthrough, SpecError> {
        Race::take(spec)
    }

    fn spec(&self) -> String {
        self.spec_of("knightthrough")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{Game, Notation, conformance, grid::Grid};

    #[test]
    fn other_sizes_conform() {
        for (rows, cols, home) in [(2, 4, 1), (2, 32, 1), (16, 4, 3), (4, 5, 2), (5, 12, 1)] {
            for wipeout in [false, true] {
                conformance::check(&Knightthrough::new(Grid { rows, cols }, home, wipeout));
            }
        }
    }

    #[test]
    fn leaps_go_forward_and_do_not_wrap() {
        let game = Knightthrough::new(Grid { rows: 4, cols: 4 }, 2, false);
        let texts = |position: &str| {
            let state = game.read(position).unwrap();
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            moves.into_iter().map(|mv| game.write_move(&state, mv)).collect::<Vec<_>>()
        };
        assert_eq!(texts("O.../..../.X../.... x"), ["b2-a4", "b2-c4", "b2-d3"]);
        assert_eq!(texts("O.../..../.X../.... o"), ["a4-c3", "a4-b2"]);
    }
}
