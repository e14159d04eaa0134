//! Games by name, without their types: what is tested on many games is compiled once.

use delphic_game::erased::Erased;
use delphic_game::{Spec, SpecError};
use delphic_games::{Family, Visitor, build};
use std::sync::Arc;

struct Hide;

impl Visitor for Hide {
    type Output = Erased<'static>;

    fn visit<G: Family + 'static>(self, game: G, _: Spec) -> Result<Erased<'static>, SpecError> {
        Ok(Erased::new(Arc::new(game)))
    }
}

/// The game of a spec.
pub fn game(spec: &str) -> Erased<'static> {
    build(Spec::parse(spec), Hide).unwrap()
}
