//! Games by name, without their types: what is tested on all games is compiled once.

use delphic_game::erased::Erased;
use delphic_game::{Game, Spec, SpecError};
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
pub fn erased(spec: &str) -> Erased<'static> {
    build(Spec::parse(spec), Hide).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// Three stones reach the same position in two orders.
#[test]
fn a_trail_knows_which_moves_lead_back() {
    let game = erased("tictactoe");
    let mut trail = game.trail();
    trail.start(&game.start());
    trail.enter();
    for _ in 0..3 {
        trail.look(0);
        trail.enter();
    }
    for _ in 0..3 {
        trail.leave();
    }
    // The third cell, and then the second.
    trail.look(2);
    trail.enter();
    trail.look(1);
    let back: Vec<bool> = (0..7).map(|nth| trail.leads_back(nth)).collect();
    assert_eq!(back, [true, false, false, false, false, false, false]);
}
