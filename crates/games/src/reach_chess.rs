//! Reach Chess: chess that is won by getting any piece to the opponent's home row.
//!
//! Rules: as Ludii plays its "Reach Chess". All moves are those of chess, the king must not be left attacked, but mate and
//! stalemate end nothing: a player who cannot move passes, and two passes in a row are a draw. After a pass the king may be taken; a
//! side without one plays on. There is no rule about repetition, so a ply limit ends the game.

use crate::kit::chess_base::{Chess, PAWN, Position};
use crate::kit::move_sets::Step;
use crate::{ENDED_BY_PLIES, Facts, Family, Info, PLIES, plies};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Rng, Spec, SpecError, adapters::PlyLimit,
    picture::Picture,
};

/// A pawn in the last row has won, and stays what it is.
const PROMOTIONS: &[usize] = &[PAWN];
const PASS: Step = Step { from: 0, to: 0, becomes: 0 };

/// The rules.
#[derive(Clone, Debug)]
pub struct ReachChess(Chess);

/// A position, and how many passes have just been made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    position: Position,
    passes: u8,
}

impl Default for ReachChess {
    /// The only board there is.
    fn default() -> ReachChess {
        ReachChess(Chess::usual(true))
    }
}

impl Game for ReachChess {
    type State = State;
    type Move = Step;

    fn start(&self) -> State {
        State { position: self.0.start, passes: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.position.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<Step>) {
        let before = list.len();
        self.0.moves(&state.position, PROMOTIONS, |step| list.push(step));
        if list.len() == before {
            list.push(PASS);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, step: Step) {
        if step == PASS {
            self.0.pass(&mut state.position);
            state.passes += 1;
        } else {
            self.0.play(&mut state.position, step);
            state.passes = 0;
        }
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let [first, second] = state.position.board.sides;
        let winner = match (first & self.0.home[1] != 0, second & self.0.home[0] != 0) {
            (true, _) => Player::FIRST,
            (_, true) => Player::SECOND,
            _ => return (state.passes == 2).then_some(Outcome::DRAW),
        };
        Some(Outcome::win(winner))
    }

    fn canonicalize(&self, state: &mut State) {
        self.0.canonicalize(&mut state.position);
    }

    fn count_moves(&self, state: &State, _: &mut Vec<Step>) -> usize {
        let mut count = 0;
        self.0.moves(&state.position, PROMOTIONS, |_| count += 1);
        count.max(1)
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Step>) -> Option<Step> {
        self.0.random_move(&state.position, PROMOTIONS, rng).or(Some(PASS))
    }
}

impl Hints for ReachChess {}

impl Notation for ReachChess {
    const HOW: &'static str = "A move is from-to, castling is the king's move, or pass: e2-e4, e1-g1. A position is its rows from \
        the top, capitals for the first player's pieces, then the player to move (w or b), the castlings still possible, the cell a pawn \
        has just passed, the number of passes just made, and @ with the plies played: \
        rnbqkbnr/pppppppp/......../......../......../......../PPPPPPPP/RNBQKBNR w KQkq - 0@0";

    fn write_move(&self, state: &State, step: Step) -> String {
        if step == PASS { "pass".to_owned() } else { self.0.write_step(&state.position, step) }
    }

    fn write(&self, state: &State) -> String {
        format!("{} {}", self.0.write(&state.position), state.passes)
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let mut words = text.split_whitespace();
        let position = self.0.read(&mut words)?;
        let passes = words.next().and_then(|word| word.parse().ok()).filter(|passes| *passes <= 2);
        let (Some(passes), None) = (passes, words.next()) else {
            return Err(NotationError::position("expected the number of passes, from 0 to 2, at the end"));
        };
        let state = State { position, passes };
        if position.board.sides[0] & self.0.home[1] != 0 && position.board.sides[1] & self.0.home[0] != 0 {
            return Err(NotationError::position("both sides have reached their goal"));
        }
        // Only a side that has passed leaves its king attacked.
        if passes == 0 && self.0.checked(&position, position.turn.other()) {
            return Err(NotationError::position("the side to move could take the king"));
        }
        Ok(state)
    }

    fn picture(&self, state: &State) -> Picture {
        self.0.picture(&state.position)
    }
}

impl Family for PlyLimit<ReachChess> {
    const INFO: Info = Info {
        usage: "reach-chess[:plies=2500]",
        about: "Reach Chess: chess won by getting any piece to the opponent's home row",
        rules: "as Ludii 1.3.14 plays it",
    };

    const FACTS: Facts = Facts {
        parameters: &[PLIES],
        cycles: ENDED_BY_PLIES,
        symmetries: "left and right exchanged once neither side can castle",
    };

    fn build(spec: &mut Spec) -> Result<PlyLimit<ReachChess>, SpecError> {
        Ok(PlyLimit { game: ReachChess::default(), limit: plies(spec, 2500)? })
    }

    fn spec(&self) -> String {
        format!("reach-chess:plies={}", self.written_limit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{play_all, read_moves};

    #[test]
    fn a_mated_side_passes_and_its_king_can_be_taken() {
        let game = ReachChess::default();
        let mate = play_all(
            &game,
            &game.start(),
            &read_moves(&game, &game.start(), "f2-f3 e7-e6 g2-g4 d8-h4").unwrap(),
        );
        assert_eq!(game.count_moves(&mate, &mut Vec::new()), 1);
        let taken = play_all(&game, &mate, &read_moves(&game, &mate, "pass h4-e1").unwrap());
        assert_eq!(game.outcome(&taken), Some(Outcome::win(Player::SECOND)));
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = ReachChess::default();
        for bad in [
            "k......./......../......../......../......../......../......../.......K w - -",
            "k......./......../......../......../......../......../......../.......K w - - 3",
            "k......./......../......../......../......../......../......../.......K w - - 0 0",
            "r......N/......../......../......../......../......../......../R......n w - - 0",
            ".......k/......../......../......../......../.......R/......../R....... w - - 0",
        ] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
    }
}
