//! Skirmish: chess without check; after 100 plies the side with more pieces wins.
//!
//! Rules: as Ludii plays its "Skirmish (GDL)". Kings are pieces like others and may be left attacked, taken, and castled
//! whatever is attacked. The game also ends when the side to move has no move. A promotion is part of the move but counts as
//! two plies, as Ludii makes it; a pawn that comes to the last row with the last ply stays a pawn.

use crate::kit::chess_base::{BISHOP, Chess, KNIGHT, PAWN, Position, QUEEN, ROOK};
use crate::kit::move_sets::Step;
use crate::{Facts, Family, Info, plies};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError, bits::Bits,
    picture::Picture,
};

/// The rules.
#[derive(Clone, Debug)]
pub struct Skirmish {
    chess: Chess,
    /// The plies after which the game ends. Without it, plies are not counted and endless play is a draw.
    plies: Option<u16>,
}

/// A position and how many plies it took.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    position: Position,
    ply: u16,
}

impl Skirmish {
    /// A game of `plies` plies, or of any number of them.
    pub fn new(plies: Option<u16>) -> Skirmish {
        Skirmish { chess: Chess::usual(false), plies }
    }

    /// What a pawn may become.
    #[inline]
    fn promotions(&self, state: &State) -> &'static [usize] {
        if Some(state.ply + 1) == self.plies { &[PAWN] } else { &[QUEEN, KNIGHT, BISHOP, ROOK] }
    }

    /// More pieces win.
    fn tally(&self, state: &State) -> Outcome {
        let [first, second] = state.position.board.sides.map(Bits::count);
        Outcome::score((first as i16 - second as i16).signum())
    }
}

impl Game for Skirmish {
    type State = State;
    type Move = Step;

    fn start(&self) -> State {
        State { position: self.chess.start, ply: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.position.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<Step>) {
        self.chess.moves(&state.position, self.promotions(state), |step| list.push(step));
    }

    #[inline]
    fn play(&self, state: &mut State, step: Step) {
        if self.plies.is_some() {
            state.ply += 1 + u16::from(self.chess.promotes(&state.position, step));
        }
        self.chess.play(&mut state.position, step);
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (Some(state.ply) == self.plies).then(|| self.tally(state))
    }

    fn endless(&self) -> Option<Outcome> {
        self.plies.is_none().then_some(Outcome::DRAW)
    }

    fn stuck(&self, state: &State) -> Outcome {
        self.tally(state)
    }

    fn canonicalize(&self, state: &mut State) {
        self.chess.canonicalize(&mut state.position);
    }

    fn count_moves(&self, state: &State, _: &mut Vec<Step>) -> usize {
        let mut count = 0;
        self.chess.moves(&state.position, self.promotions(state), |_| count += 1);
        count
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Step>) -> Option<Step> {
        self.chess.random_move(&state.position, self.promotions(state), rng)
    }
}

impl Progressive for Skirmish {}
impl Hints for Skirmish {}

impl Notation for Skirmish {
    const HOW: &'static str = "A move is from-to, castling is the king's move, with =Q, =N, =B or =R for a promotion: e2-e4, e1-g1, \
        b7-b8=Q. A position is its rows from the top, capitals for the first player's pieces, then the player to move (w or b), the \
        castlings still possible, the cell a pawn has just passed, and the number of plies played: \
        rnbqkbnr/pppppppp/......../......../......../......../PPPPPPPP/RNBQKBNR w KQkq - 0";

    fn write_move(&self, state: &State, step: Step) -> String {
        self.chess.write_step(&state.position, step)
    }

    fn write(&self, state: &State) -> String {
        format!("{} {}", self.chess.write(&state.position), state.ply)
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let mut words = text.split_whitespace();
        let position = self.chess.read(&mut words)?;
        let longest = self.plies.unwrap_or(0);
        let ply = words.next().and_then(|word| word.parse().ok()).filter(|ply| *ply <= longest);
        let (Some(ply), None) = (ply, words.next()) else {
            let reason = format!("expected the number of plies, from 0 to {longest}, at the end");
            return Err(NotationError::position(reason));
        };
        let last = self.chess.home[0] | self.chess.home[1];
        if Some(ply) != self.plies && position.board.kinds[PAWN] & last != 0 {
            return Err(NotationError::position("a pawn in the last row must be promoted"));
        }
        Ok(State { position, ply })
    }

    fn picture(&self, state: &State) -> Picture {
        let picture = self.chess.picture(&state.position);
        match self.plies {
            Some(plies) => picture.note(format!("ply {} of {plies}", state.ply)),
            None => picture,
        }
    }
}

impl Family for Skirmish {
    const INFO: Info = Info {
        usage: "skirmish[:plies=100]",
        about: "Skirmish: chess without check; after 100 plies the side with more pieces wins",
        rules: "as Ludii 1.3.14 plays its Skirmish (GDL)",
    };

    const FACTS: Facts = Facts {
        parameters: &[(
            "plies=100",
            "the ply at which pieces are counted; plies=off: endless play is a draw",
        )],
        cycles: "positions include the ply, so they cannot repeat; with plies=off they can, and only solvers that handle cycles \
            accept the game",
        symmetries: "left and right exchanged once neither side can castle",
    };

    fn build(spec: &mut Spec) -> Result<Skirmish, SpecError> {
        let plies = plies(spec, 100)?.map(u16::try_from).transpose();
        match plies {
            Ok(plies) if plies != Some(0) => Ok(Skirmish::new(plies)),
            _ => Err(spec.impossible("plies= is from 1 to 65535, or off")),
        }
    }

    fn spec(&self) -> String {
        format!("skirmish:plies={}", self.plies.map_or_else(|| "off".to_owned(), |plies| plies.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::conformance;

    #[test]
    fn longer_and_shorter_games_conform() {
        for plies in [1, 7, 301] {
            conformance::check(&Skirmish::new(Some(plies)));
        }
    }

    #[test]
    fn a_promotion_takes_two_plies() {
        let game = Skirmish::new(Some(100));
        let count = |ply| {
            let text = format!(
                "......../P......./......../......../......../......../......../.......k w - - {ply}"
            );
            game.count_moves(&game.read(&text).unwrap(), &mut Vec::new())
        };
        assert_eq!((count(98), count(99)), (4, 1));
        let pawn = "P......./......../......../......../......../......../......../.......k b - -";
        assert!(game.read(&format!("{pawn} 99")).is_err());
        assert_eq!(game.outcome(&game.read(&format!("{pawn} 100")).unwrap()), Some(Outcome::DRAW));
    }
}
