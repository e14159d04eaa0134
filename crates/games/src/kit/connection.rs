//! Games in which two players place stones on a board of hexagons in turn, and a shape of a player's stones wins.

use super::colours::{glyph, standing, winning_shape};
use super::hex_board::HexBoard;
use super::links::Threat;
use super::symmetry::Symmetry;
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, bits::Bits, picture::Picture,
};
use std::fmt::Debug;

/// A board and the shapes that win on it.
pub trait Shape: Clone + Debug + Send + Sync + 'static {
    /// A set of cells.
    type Cells: Bits + Ord;

    /// See [`Notation::HOW`].
    const HOW: &'static str;

    /// Whether a full board can be without a winning shape: then it is a draw.
    const DRAWS: bool;

    /// The board.
    fn hexes(&self) -> &HexBoard<Self::Cells>;

    /// Its symmetries, which take winning shapes to winning shapes.
    fn symmetry(&self) -> &Symmetry;

    /// Whether the stone on `cell` completes a winning shape of `stones`, which had none without it.
    fn completes(&self, stones: Self::Cells, cell: usize) -> bool;

    /// Whether `stones` hold a winning shape.
    fn wins(&self, stones: Self::Cells) -> bool;

    /// See [`Hints::evaluate`].
    fn evaluate(&self, state: &State<Self::Cells>, player: Player) -> Option<f64> {
        let _ = (state, player);
        None
    }

    /// See [`Hints::win_distances`]: for the player of `stones`, one distance for each of the `empty` cells.
    fn win_distances(&self, stones: Self::Cells, empty: Self::Cells, list: &mut Vec<u32>) {
        let _ = (stones, empty, list);
    }

    /// What the player of `stones` has without a search if all other cells but the `empty` ones are taken.
    fn threat(&self, stones: Self::Cells, empty: Self::Cells) -> Threat {
        let _ = (stones, empty);
        Threat::Nothing
    }
}

/// The game of a shape.
#[derive(Clone, Debug)]
pub struct Connection<S>(pub(crate) S);

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State<B> {
    pub(crate) stones: [B; 2],
    pub(crate) turn: Player,
    /// Whether the player who is not to move has won.
    pub(crate) won: bool,
}

impl<S: Shape> Connection<S> {
    fn empty(&self, state: &State<S::Cells>) -> S::Cells {
        self.0.hexes().board & !(state.stones[0] | state.stones[1])
    }
}

impl<S: Shape> Game for Connection<S> {
    type State = State<S::Cells>;
    /// The cell.
    type Move = u8;

    fn start(&self) -> Self::State {
        State { stones: [S::Cells::EMPTY; 2], turn: Player::FIRST, won: false }
    }

    #[inline]
    fn turn(&self, state: &Self::State) -> Player {
        state.turn
    }

    fn moves(&self, state: &Self::State, list: &mut Vec<u8>) {
        list.extend(self.empty(state).cells().map(|cell| cell as u8));
    }

    #[inline]
    fn play(&self, state: &mut Self::State, cell: u8) {
        let stones = &mut state.stones[state.turn.index()];
        *stones = *stones | S::Cells::single(cell as usize);
        state.won = self.0.completes(*stones, cell as usize);
        state.turn = state.turn.other();
    }

    #[inline]
    fn outcome(&self, state: &Self::State) -> Option<Outcome> {
        state.won.then(|| Outcome::loss(state.turn))
    }

    /// Only a full board has no moves.
    fn stuck(&self, _: &Self::State) -> Outcome {
        Outcome::DRAW
    }

    fn payoffs(&self) -> Vec<i16> {
        if S::DRAWS { vec![-1, 0, 1] } else { vec![-1, 1] }
    }

    fn canonicalize(&self, state: &mut Self::State) {
        state.stones = self.0.symmetry().least(state.stones);
    }

    #[inline]
    fn count_moves(&self, state: &Self::State, _: &mut Vec<u8>) -> usize {
        self.empty(state).count()
    }

    #[inline]
    fn random_move(&self, state: &Self::State, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        let empty = self.empty(state);
        (!empty.is_empty()).then(|| self.0.hexes().random(empty, rng) as u8)
    }
}

impl<S: Shape> Progressive for Connection<S> {}

impl<S: Shape> Hints for Connection<S> {
    fn evaluate(&self, state: &Self::State, player: Player) -> Option<f64> {
        self.0.evaluate(state, player)
    }

    fn win_distances(&self, state: &Self::State, list: &mut Vec<u32>) {
        self.0.win_distances(state.stones[state.turn.index()], self.empty(state), list);
    }

    /// The winner by virtual connections, of the canonical form: see [`Threat`].
    fn static_outcome(&self, state: &Self::State) -> Option<Outcome> {
        let stones = self.0.symmetry().least(state.stones);
        let empty = self.0.hexes().board & !(stones[0] | stones[1]);
        let threat = |player: Player| self.0.threat(stones[player.index()], empty);
        if threat(state.turn) != Threat::Nothing {
            return Some(Outcome::win(state.turn));
        }
        (threat(state.turn.other()) == Threat::Joined).then(|| Outcome::loss(state.turn))
    }
}

impl<S: Shape> Notation for Connection<S> {
    const HOW: &'static str = S::HOW;

    fn write_move(&self, _: &Self::State, cell: u8) -> String {
        self.0.hexes().name(cell as usize)
    }

    fn write(&self, state: &Self::State) -> String {
        self.0.hexes().write(|cell| glyph(&state.stones, cell))
    }

    fn read(&self, text: &str) -> Result<Self::State, NotationError> {
        let stones = self.0.hexes().read(text.trim())?;
        let (turn, won) = standing(&stones, |set| self.0.wins(set))?;
        Ok(State { stones, turn, won })
    }

    fn picture(&self, state: &Self::State) -> Picture {
        let hexes = self.0.hexes();
        let mut picture = hexes.picture(|cell| glyph(&state.stones, cell));
        let shape = winning_shape(state.stones[state.turn.other().index()], |stones| self.0.wins(stones));
        picture.mark_winning(|nth| shape.has(hexes.nth(nth)));
        picture
    }
}
