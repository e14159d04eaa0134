//! The initial game of a session.

use super::saved::{Opened, Saved};
use crate::Failure;
use crate::args::Play;
use crate::match_state::{MatchState, seat_names};
use crate::position;
use delphic_engine::{Agent, AnyGame, AnyPosition, game};

/// The game that the arguments describe.
pub(crate) fn open(options: &Play) -> Result<Opened, Failure> {
    let mut opened = match (&options.load, &options.game) {
        (Some(path), name) => {
            let opened = Saved::read(path)?;
            let spec = opened.game.spec();
            if let Some(name) = name
                && game(name)?.spec() != spec
            {
                return Err(Failure::Usage(format!("{} is a game of {spec}, not {name}", path.display())));
            }
            opened
        }
        (None, name) => {
            let game = game(name.as_deref().unwrap_or_default())?;
            let start = position::read(&*game, options.position.as_deref(), None)?;
            let moves = options.moves.as_deref().unwrap_or_default();
            let there = game.position(options.position.as_deref(), Some(moves))?;
            let agent = options.opponent.agent();
            let moves = split(&*game, &*start, moves)?;
            let (spec, written) = (game.spec().to_owned(), start.write());
            let saved = Saved { game: spec, start: written, moves, agent, person: there.turn() };
            Opened { game, start, saved, path: None }
        }
    };
    if let Some(agent) = options.opponent.agent.clone() {
        opened.saved.agent = agent;
    }
    if let Some(person) = options.person {
        let seats = opened.game.players();
        if person.index() >= seats {
            let spec = opened.game.spec();
            return Err(Failure::Usage(format!("the players of {spec} are {}", seat_names(seats))));
        }
        opened.saved.person = person;
    }
    Ok(opened)
}

/// The moves of a list, one by one.
fn split(game: &dyn AnyGame, start: &dyn AnyPosition, list: &str) -> Result<Vec<String>, Failure> {
    let mut state = MatchState::new(game, start, Agent::Random, 0);
    state.play_list(list).map_err(Failure::Usage)?;
    Ok(state.record().into_iter().map(str::to_owned).collect())
}
