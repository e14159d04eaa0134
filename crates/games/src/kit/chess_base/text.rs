//! The text of chess positions and moves.

use super::{CASTLINGS, Chess, KING, NOWHERE, PAWN, Position, ROOK};
use crate::kit::move_sets::Step;
use crate::kit::pieces::{Board, read_turn, write_turn};
use delphic_game::{NotationError, Player, bits::Bits, picture::Picture};

impl Chess {
    /// `e2-e4`, `e7-e8=Q`.
    pub fn write_step(&self, position: &Position, step: Step) -> String {
        let [from, to] = [step.from, step.to].map(|cell| self.pieces.grid.name(cell as usize));
        if self.promotes(position, step) {
            format!("{from}-{to}={}", self.pieces.letter(step.becomes as usize))
        } else {
            format!("{from}-{to}")
        }
    }

    /// The board, the side to move and, under modern rules, the castlings and the cell passed.
    pub fn write(&self, position: &Position) -> String {
        let text = format!("{} {}", self.pieces.write(&position.board), write_turn(position.turn));
        if !self.modern {
            return text;
        }
        let rights = CASTLINGS.iter().enumerate().filter(|(right, _)| position.castling >> right & 1 != 0);
        let rights: String = rights.map(|(_, castling)| castling.letter).collect();
        let rights = if rights.is_empty() { "-" } else { &rights };
        let passed = position.passed as usize;
        let passed = if position.passed == NOWHERE { "-".to_owned() } else { self.pieces.grid.name(passed) };
        format!("{text} {rights} {passed}")
    }

    /// Reads what [`write`](Chess::write) writes from the first words of a text.
    pub fn read<'a>(&self, words: &mut impl Iterator<Item = &'a str>) -> Result<Position, NotationError> {
        let error = |reason: &str| Err(NotationError::position(reason));
        let board = self.pieces.read(words.next().unwrap_or(""))?;
        let turn = read_turn(words.next())?;
        for player in [Player::FIRST, Player::SECOND] {
            let count = |kind| board.of(player, kind).count();
            if board.sides[player.index()].count() > 2 * self.pieces.grid.cols
                || count(PAWN) > self.pieces.grid.cols
            {
                return error("a side has more pieces than at the start");
            }
            if count(KING) > 1 {
                return error("a side has two kings");
            }
            if board.of(player, PAWN) & self.home[player.index()] != 0 {
                return error("a pawn stands behind its start");
            }
        }
        let mut position = Position { board, turn, castling: 0, passed: NOWHERE };
        if self.modern {
            position.castling = self.read_castling(&board, words.next())?;
            position.passed = self.read_passed(&board, turn, words.next())?;
        }
        Ok(position)
    }

    fn read_castling(&self, board: &Board<6>, text: Option<&str>) -> Result<u8, NotationError> {
        let letters = text.filter(|text| *text != "-").unwrap_or("");
        let mut rights = 0u8;
        for (right, castling) in
            CASTLINGS.iter().enumerate().filter(|(_, castling)| letters.contains(castling.letter))
        {
            let at_home = |kind, cell: usize| board.of(castling.player, kind).has(cell);
            if !at_home(KING, castling.king[0]) || !at_home(ROOK, castling.rook[0]) {
                return Err(NotationError::position(format!(
                    "castling {} needs king and rook at home",
                    castling.letter
                )));
            }
            rights |= 1 << right;
        }
        if text.is_none() || rights.count_ones() as usize != letters.len() {
            return Err(NotationError::position("expected - or some of KQkq for the castlings"));
        }
        Ok(rights)
    }

    fn read_passed(&self, board: &Board<6>, turn: Player, text: Option<&str>) -> Result<u8, NotationError> {
        if text == Some("-") {
            return Ok(NOWHERE);
        }
        let grid = self.pieces.grid;
        let mover = turn.other();
        let second = self.ahead(self.home[mover.index()], mover);
        // The pawn came from the cell behind and stands on the one ahead.
        let passed = |&cell: &usize| {
            let here = 1 << cell;
            let (from, to) = (self.ahead(here, turn), self.ahead(here, mover));
            from & second != 0 && (from | here) & board.occupied() == 0 && to & board.of(mover, PAWN) != 0
        };
        let cell = (0..grid.cells()).filter(passed).find(|&cell| Some(grid.name(cell).as_str()) == text);
        let cell = cell
            .ok_or_else(|| NotationError::position("expected - or the cell that a pawn has just passed"))?;
        Ok(cell as u8)
    }

    /// The picture of the board, with the side to move.
    pub fn picture(&self, position: &Position) -> Picture {
        let turn = if position.turn == Player::FIRST { "White" } else { "Black" };
        self.pieces.picture(&position.board).note(format!("{turn} to move"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(chess: &Chess, text: &str) -> Result<Position, NotationError> {
        chess.read(&mut text.split_whitespace())
    }

    #[test]
    fn impossible_positions_are_refused() {
        let chess = Chess::usual(true);
        for bad in ["w KQkq e3", "w KQkq a9", "w KQkqq -", "w KX -", "w - ", "x - -", "w"] {
            assert!(read(&chess, &format!("{} {bad}", super::super::USUAL)).is_err(), "{bad}");
        }
        for bad in [
            "......../......../......../......../......../......../......../K......P w - -",
            "k......./......../......../......../......../......../......../K......R w K -",
            "KK....../......../......../......../......../......../......../k....... w - -",
        ] {
            assert!(read(&chess, bad).is_err(), "{bad}");
        }
        assert!(read(&chess, &"QQQQQQQQ/".repeat(8)).is_err());
        let passed = "rnbqkbnr/pppppppp/......../......../....P.../......../PPPP.PPP/RNBQKBNR b KQkq e3";
        assert_eq!(chess.write(&read(&chess, passed).unwrap()), passed);
    }
}
