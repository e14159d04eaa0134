//! Los Alamos chess: chess on 6 by 6 without bishops, double steps and castling, the first that a computer played.
//!
//! Rules: Kister, Stein, Ulam, Walden and Wells, "Experiments in Chess" (1957), as Ludii plays them: mate wins, stalemate is a
//! draw, and so are 101 plies in a row without capture or pawn move (102 from the start, where nothing has been captured
//! yet). A promotion is part of the move; Ludii makes two plies of it, so that the second is the first of those 101.
//! Ludii's limit of 2500 turns is left out, as the game ends without it.

use crate::kit::chess_base::{BISHOP, Chess, KING, KNIGHT, PAWN, Position, QUEEN, ROOK};
use crate::kit::move_sets::Step;
use crate::{Facts, Family, Info, MIRROR};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError, bits::Bits,
    grid::Grid, picture::Picture,
};

const START: &str = "rnqknr/pppppp/....../....../PPPPPP/RNQKNR";
const PROMOTIONS: &[usize] = &[QUEEN, ROOK, KNIGHT];
/// After this many quiet plies from the start the game is drawn.
const QUIET: u8 = 102;

/// The rules.
#[derive(Clone, Debug)]
pub struct LosAlamos {
    chess: Chess,
    /// Whether quiet plies are counted. If not, endless play is a draw.
    counted: bool,
}

/// A position, and after how many more quiet plies it is a draw. A capture or pawn move takes the number up, all others
/// down, so no position can repeat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    position: Position,
    left: u8,
}

impl Default for LosAlamos {
    /// The only board there is, with quiet plies counted.
    fn default() -> LosAlamos {
        LosAlamos { chess: Chess::new(Grid { rows: 6, cols: 6 }, START, false, true), counted: true }
    }
}

impl Game for LosAlamos {
    type State = State;
    type Move = Step;

    fn start(&self) -> State {
        State { position: self.chess.start, left: QUIET }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.position.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<Step>) {
        self.chess.moves(&state.position, PROMOTIONS, |step| list.push(step));
    }

    #[inline]
    fn play(&self, state: &mut State, step: Step) {
        let board = &state.position.board;
        let pawn = board.kinds[PAWN].has(step.from as usize);
        state.left = if !self.counted {
            QUIET
        } else if pawn || board.occupied().has(step.to as usize) {
            QUIET - 1 - u8::from(self.chess.promotes(&state.position, step))
        } else {
            state.left - 1
        };
        self.chess.play(&mut state.position, step);
    }

    /// Mate goes before the count.
    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let over = state.left == 0;
        over.then(|| if self.chess.can_move(&state.position) { Outcome::DRAW } else { self.stuck(state) })
    }

    fn endless(&self) -> Option<Outcome> {
        (!self.counted).then_some(Outcome::DRAW)
    }

    fn stuck(&self, state: &State) -> Outcome {
        let mover = state.position.turn;
        if self.chess.checked(&state.position, mover) { Outcome::loss(mover) } else { Outcome::DRAW }
    }

    fn canonicalize(&self, state: &mut State) {
        self.chess.canonicalize(&mut state.position);
    }

    fn count_moves(&self, state: &State, _: &mut Vec<Step>) -> usize {
        let mut count = 0;
        self.chess.moves(&state.position, PROMOTIONS, |_| count += 1);
        count
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Step>) -> Option<Step> {
        self.chess.random_move(&state.position, PROMOTIONS, rng)
    }
}

impl Progressive for LosAlamos {}
impl Hints for LosAlamos {}

impl Notation for LosAlamos {
    const HOW: &'static str = "A move is from-to, with =Q, =R or =N for a promotion: a2-a3, b5-b6=Q. A position is its rows \
        from the top, capitals for the first player's pieces, then the player to move, w or b, and how many more plies without capture \
        or pawn move make a draw: rnqknr/pppppp/....../....../PPPPPP/RNQKNR w 102";

    fn write_move(&self, state: &State, step: Step) -> String {
        self.chess.write_step(&state.position, step)
    }

    fn write(&self, state: &State) -> String {
        format!("{} {}", self.chess.write(&state.position), state.left)
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let error = |reason: &str| Err(NotationError::position(reason));
        let mut words = text.split_whitespace();
        let position = self.chess.read(&mut words)?;
        let left = words.next().and_then(|word| word.parse().ok()).filter(|left| *left <= QUIET);
        let (Some(left), None) = (left.filter(|&left| self.counted || left == QUIET), words.next()) else {
            let least = if self.counted { 0 } else { QUIET };
            return error(&format!("expected the quiet plies left, from {least} to {QUIET}, at the end"));
        };
        let board = &position.board;
        if [Player::FIRST, Player::SECOND].iter().any(|&player| board.of(player, KING) == 0) {
            return error("each side needs a king");
        }
        if board.kinds[BISHOP] != 0 || board.kinds[PAWN] & (self.chess.home[0] | self.chess.home[1]) != 0 {
            return error("there are no bishops, and no pawns in the first and last row");
        }
        if self.chess.checked(&position, position.turn.other()) {
            return error("the side to move could take the king");
        }
        Ok(State { position, left })
    }

    fn picture(&self, state: &State) -> Picture {
        let picture = self.chess.picture(&state.position);
        match self.counted {
            true => picture.note(format!("a draw after {} more quiet plies", state.left)),
            false => picture,
        }
    }
}

impl Family for LosAlamos {
    const INFO: Info = Info {
        usage: "los-alamos[:plies=101|off]",
        about: "Los Alamos chess: 6 by 6, no bishops; stalemate and 101 quiet plies are draws",
        rules: "Kister, Stein, Ulam, Walden and Wells 1957, as Ludii 1.3.14 plays it",
    };

    const FACTS: Facts = Facts {
        parameters: &[(
            "plies=101",
            "this number of plies without capture or pawn move is a draw; plies=off: only endless play is a draw",
        )],
        cycles: "positions include the count of plies without capture or pawn move, so they cannot repeat; with plies=off they can, \
            and only solvers that handle cycles accept the game",
        symmetries: MIRROR,
    };

    fn build(spec: &mut Spec) -> Result<LosAlamos, SpecError> {
        let counted = match spec.text("plies").as_deref() {
            None | Some("101") => true,
            Some("off") => false,
            Some(other) => return Err(spec.impossible(format!("plies={other} is neither 101 nor off"))),
        };
        Ok(LosAlamos { counted, ..LosAlamos::default() })
    }

    fn spec(&self) -> String {
        if self.counted { "los-alamos".to_owned() } else { "los-alamos:plies=off".to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_stalemate_and_the_count() {
        let game = LosAlamos::default();
        let over = |text: &str| delphic_game::result(&game, &game.read(text).unwrap(), &mut Vec::new());
        assert_eq!(over("k...../.Q..../K...../....../....../...... b 50"), Some(Outcome::win(Player::FIRST)));
        assert_eq!(over("k...../.Q..../K...../....../....../...... b 0"), Some(Outcome::win(Player::FIRST)));
        assert_eq!(over("k...../..Q.../K...../....../....../...... b 50"), Some(Outcome::DRAW));
        assert_eq!(over("k...../....../K...../....../....../...... w 0"), Some(Outcome::DRAW));
        assert_eq!(over("k...../....../K...../....../....../...... w 1"), None);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = LosAlamos::default();
        for bad in [
            START,
            "rnqknr/pppppp/....../....../PPPPPP/RNQKNR w 103",
            "rnqknr/pppppp/....../....../PPPPPP/RNQKNR w 7 7",
            "......./....../....../....../....../k..... w 50",
            "....../....../....../....../....../k..... w 50",
            "K....P/....../....../....../....../k..... w 50",
            "K....B/....../....../....../....../k..... w 50",
            "K....R/....../....../....../....../k....R w 50",
        ] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
    }
}
