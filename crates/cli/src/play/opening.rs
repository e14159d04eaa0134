//! Where a game begins.

use super::saved::{Opened, Saved};
use crate::Failure;
use crate::args::Play;
use crate::table::{Table, seat_names};
use delphic_engine::{Agent, AnyPosition, game};

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
            let start = game.position(options.position.as_deref(), None)?;
            let moves = options.moves.as_deref().unwrap_or_default();
            let there = game.position(options.position.as_deref(), Some(moves))?;
            let agent = options.opponent.agent();
            let moves = split(&*start, moves)?;
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
        if person.seat() >= seats {
            let spec = opened.game.spec();
            return Err(Failure::Usage(format!("the seats of {spec} are {}", seat_names(seats))));
        }
        opened.saved.person = person;
    }
    Ok(opened)
}

/// The moves of a list, one by one.
fn split(start: &dyn AnyPosition, list: &str) -> Result<Vec<String>, Failure> {
    let mut table = Table::new(start, 0, Agent::Random, 0);
    table.play_list(list).map_err(Failure::Usage)?;
    Ok(table.record().into_iter().map(str::to_owned).collect())
}
