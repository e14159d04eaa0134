//! A game that is borrowed or shared.

use std::ops::Deref;
use std::sync::Arc;

/// The rules as their user holds them: one type, so that what is generic over games is compiled once for each.
pub enum GameRef<'g, G> {
    /// Borrowed from the caller.
    Borrowed(&'g G),
    /// Held together with others.
    Shared(Arc<G>),
}

impl<G> Clone for GameRef<'_, G> {
    fn clone(&self) -> Self {
        match self {
            GameRef::Borrowed(game) => GameRef::Borrowed(game),
            GameRef::Shared(game) => GameRef::Shared(Arc::clone(game)),
        }
    }
}

impl<G> Deref for GameRef<'_, G> {
    type Target = G;

    #[inline]
    fn deref(&self) -> &G {
        match self {
            GameRef::Borrowed(game) => game,
            GameRef::Shared(game) => game,
        }
    }
}

impl<'g, G> From<&'g G> for GameRef<'g, G> {
    fn from(game: &'g G) -> Self {
        GameRef::Borrowed(game)
    }
}

impl<G> From<Arc<G>> for GameRef<'_, G> {
    fn from(game: Arc<G>) -> Self {
        GameRef::Shared(game)
    }
}
