//! The lists of games, solvers and agents.

use crate::parameter::Parameter;
use crate::{AGENTS, AgentInfo, AnyGame, GAMES, Info, InputError, SOLVERS, SolverInfo, registered};
use serde_json::{Value as Json, json};

/// The parameter that every built-in game takes, and its meaning.
pub const MISERE: (&str, &str) = ("misere", "the player who would normally win loses");

/// The entry of a game that was registered by the program.
pub const OWN: Info = Info {
    usage: "see the program's documentation",
    about: "a game of this program",
    rules: "those of the program",
};

/// The object of `games`.
pub fn games() -> Json {
    let own = registered();
    let own = own.iter().map(|name| (name.as_str(), &OWN));
    let games = own.chain(GAMES.iter().map(|(name, info)| (*name, info)));
    let games = games.map(|(name, info)| json!({ "game": name, "usage": info.usage, "about": info.about }));
    json!({ "schema": 1, "games": games.collect::<Vec<_>>() })
}

/// The object of `games NAME`.
pub fn game(game: &dyn AnyGame) -> Result<Json, InputError> {
    let listed = listed(game);
    let (info, known) = (listed.unwrap_or(&OWN), game.facts());
    let parameters = known.parameters.iter().copied().chain(listed.map(|_| MISERE));
    let parameters = parameters.map(|(name, about)| json!({ "parameter": name, "about": about }));
    Ok(json!({
        "schema": 1,
        "game": game.spec(),
        "title": game.title(),
        "usage": info.usage,
        "about": info.about,
        "rules": info.rules,
        "notation": game.how(),
        "parameters": parameters.collect::<Vec<_>>(),
        "cycles": known.cycles,
        "symmetries": known.symmetries,
        "described": game.rules(),
        "players": game.players(),
        "payoffs": game.payoffs(),
        "start": game.position(None, None)?.write(),
        "example": example(game)?,
    }))
}

/// The entry of a game in the table, unless the program has registered it.
pub fn listed(game: &dyn AnyGame) -> Option<&'static Info> {
    let bare = game.spec().split(':').next().unwrap_or_default();
    if registered().iter().any(|name| name == bare) {
        return None;
    }
    GAMES.iter().find(|(known, _)| *known == bare).map(|(_, info)| info)
}

/// A command that shows a position a few plies into the game.
pub fn example(game: &dyn AnyGame) -> Result<String, InputError> {
    let mut played = Vec::new();
    let mut position = game.position(None, None)?;
    for _ in 0..4 {
        let moves = position.moves();
        let Some(middle) = moves.get(moves.len() / 2) else { break };
        played.push(middle.clone());
        position = game.position(None, Some(&played.join(" ")))?;
    }
    Ok(format!("delphic show {} '{}'", game.spec(), position.write()))
}

/// The object of `solvers`.
pub fn solvers() -> Json {
    let row = |info: &SolverInfo| object("solver", info.name, info.parameters, info.about, info.source);
    json!({ "schema": 1, "solvers": SOLVERS.iter().map(row).collect::<Vec<_>>() })
}

/// The object of `agents`.
pub fn agents() -> Json {
    let row = |info: &AgentInfo| object("agent", info.name, info.parameters, info.about, info.source);
    json!({ "schema": 1, "agents": AGENTS.iter().map(row).collect::<Vec<_>>() })
}

fn object(what: &str, name: &str, parameters: &[Parameter], about: &str, source: &str) -> Json {
    let parameter = |parameter: &Parameter| {
        json!({
            "name": parameter.name,
            "default": parameter.default().to_string(),
            "usage": parameter.usage(),
            "about": parameter.about,
        })
    };
    let parameters: Vec<Json> = parameters.iter().map(parameter).collect();
    json!({ what: name, "parameters": parameters, "about": about, "source": source })
}
