//! m,n,k-games for three: the rules of [`Mnk`](crate::Mnk) with a third player.

use crate::mnk::Placing;
use crate::{BOARD_SYMMETRIES, Facts, Family, Info};
use delphic_game::{Spec, SpecError};

/// The games for three.
pub type Mnk3 = Placing<u64, 3>;

impl Family for Mnk3 {
    const INFO: Info = Info {
        usage: "mnk3:COLS,ROWS,LINE",
        about: "three players place stones, a line wins against both others, a full board is a draw",
        rules: "m,n,k-games with a third player",
    };

    const FACTS: Facts = Facts {
        parameters: &[("4,3,3", "columns, rows and the length of a line")],
        symmetries: BOARD_SYMMETRIES,
        ..Facts::PLAIN
    };

    const OWN_SEARCHES: bool = false;

    fn build(spec: &mut Spec) -> Result<Mnk3, SpecError> {
        Mnk3::take(spec, [4, 3, 3])
    }

    fn spec(&self) -> String {
        format!("mnk3:{},{},{}", self.grid.cols, self.grid.rows, self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{Game, Notation, Outcome, conformance, perft, play_all, read_moves};

    #[test]
    fn boards_conform() {
        for (cols, rows, line) in [(1, 1, 2), (3, 3, 3), (5, 5, 3), (63, 1, 4), (1, 32, 2), (7, 8, 4)] {
            conformance::check(&Mnk3::new(cols, rows, line));
        }
    }

    #[test]
    fn the_winner_takes_it_from_both() {
        let game = Mnk3::new(3, 3, 2);
        let line = read_moves(&game, &game.start(), "a1 c3 b3 a3 c2").unwrap();
        let end = play_all(&game, &game.start(), &line);
        assert_eq!(game.outcome(&end), Some(Outcome::new([-1, 1, -1, 0])));
    }

    /// Nobody can have three in a row before the seventh ply.
    #[test]
    fn lines_of_play() {
        let game = Mnk3::new(3, 3, 3);
        assert_eq!(perft(&game, &game.start(), 7), 9 * 8 * 7 * 6 * 5 * 4 * 3);
        assert!(perft(&game, &game.start(), 8) < 9 * 8 * 7 * 6 * 5 * 4 * 3 * 2);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Mnk3::new(3, 3, 3);
        for bad in ["", "O../.../...", "X../.X./...", "XXX/OO./OZZ", "X.Y/.../..."] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
    }
}
