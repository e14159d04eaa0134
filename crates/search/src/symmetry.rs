//! Whether symmetric positions are taken for the same.

use delphic_game::Game;

/// Whether symmetric positions are taken for the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symmetry {
    /// Only equal positions are.
    Off,
    /// Positions with the same canonical form are.
    On,
}

impl Symmetry {
    /// The state under which a position is stored.
    #[inline]
    pub fn canonical<G: Game>(self, game: &G, mut state: G::State) -> G::State {
        if self == Symmetry::On {
            game.canonicalize(&mut state);
        }
        state
    }
}
