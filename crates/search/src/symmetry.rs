//! Whether symmetric positions are taken for the same.

use delphic_game::Game;

/// Whether symmetric positions are taken for the same.
///
/// ```
/// use delphic_game::{Game, Notation, Spec};
/// use delphic_games::{Family, Nim};
/// use delphic_search::Symmetry;
///
/// let game = Nim::build(&mut Spec::parse("nim:4,2,1"))?;
/// let stored = |symmetry: Symmetry| game.write(&symmetry.canonical(&game, game.start()));
/// assert_eq!(stored(Symmetry::Off), "4,2,1 first");
/// assert_eq!(stored(Symmetry::On), "1,2,4 first");
/// # Ok::<(), delphic_game::SpecError>(())
/// ```
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
