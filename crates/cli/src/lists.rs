//! The lists: games, solvers, agents.

use crate::args::{Colour, Games, Lists};
use crate::tables::{table, wrapped};
use crate::{Failure, output};
use comfy_table::Table;
use delphic_engine::parameter::Parameter;
use delphic_engine::{AGENTS, AgentInfo, AnyGame, GAMES, Info, SOLVERS, SolverInfo, game, registered};
use serde_json::{Value, json};

/// The parameter that every game of the table takes.
const MISERE: (&str, &str) = ("misere", "the player who would win loses");

/// What is known of a game that the program has registered.
const OWN: Info = Info {
    usage: "see the program's documentation",
    about: "a game of this program",
    rules: "those of the program",
};

/// What is known of a game that a file describes.
const DESCRIBED: Info =
    Info { usage: "the path of the file", about: "a game that a file describes", rules: "those of the file" };

pub(crate) fn games(options: &Games, colour: Colour) -> Result<u8, Failure> {
    match &options.name {
        None => all_games(options.json)?,
        Some(name) => one_game(name, options.json, colour)?,
    }
    Ok(0)
}

fn all_games(json: bool) -> Result<(), Failure> {
    let own = registered();
    let own = own.iter().map(|name| (name.as_str(), &OWN));
    let games = own.chain(GAMES.iter().map(|(name, info)| (*name, info)));
    if json {
        let games =
            games.map(|(name, info)| json!({ "game": name, "usage": info.usage, "about": info.about }));
        return print(json!({ "schema": 1, "games": games.collect::<Vec<_>>() }));
    }
    let mut list = table(["game", "what it is"]);
    for (name, info) in games {
        list.add_row([name, info.about]);
    }
    let further = "`delphic games NAME` describes the parameters and the notation of a game. Every game also takes \
        `misere`: the player who would win loses (tictactoe:misere). A GAME that ends in .toml is a file that describes a \
        variant (docs/families.md).";
    output(&format!("{list}\n\n{}\n", wrapped(further)))
}

fn one_game(name: &str, json: bool, colour: Colour) -> Result<(), Failure> {
    let game = game(name)?;
    let listed = info(&*game);
    let info = listed.unwrap_or(if game.rules().is_empty() { &OWN } else { &DESCRIBED });
    let start = game.position(None, None)?;
    let known = game.facts();
    let parameters = || known.parameters.iter().copied().chain(listed.map(|_| MISERE));
    let example = example(&*game)?;
    if json {
        let parameters = parameters().map(|(name, about)| json!({ "parameter": name, "about": about }));
        return print(json!({
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
            "start": start.write(),
            "example": example,
        }));
    }
    if !game.rules().is_empty() {
        let rules = game.rules().iter().map(|sentence| wrapped(sentence)).collect::<Vec<_>>().join("\n");
        let picture = start.picture().text(colour.wanted());
        let notation = wrapped(game.how());
        return output(&format!(
            "{}\n\n{rules}\n\n{notation}\n\n{picture}\n\nTry {example}\n",
            heading(&*game)
        ));
    }
    let mut facts = table(["", info.about]);
    facts.add_row(["usage", info.usage]);
    let parameters: Vec<String> = parameters().map(|(name, what)| format!("{name}: {what}")).collect();
    if !parameters.is_empty() {
        facts.add_row(["parameters", &parameters.join("\n")]);
    }
    facts.add_rows([["rules", info.rules], ["notation", game.how()], ["cycles", known.cycles]]);
    facts.add_row(["symmetry", known.symmetries]);
    let picture = start.picture().text(colour.wanted());
    output(&format!("{facts}\n\n{}\n\n{picture}\n\nTry {example}\n", heading(&*game)))
}

/// The entry of a game in the table, unless the program has registered it.
pub(crate) fn info(game: &dyn AnyGame) -> Option<&'static Info> {
    let bare = game.spec().split(':').next().unwrap_or_default();
    if registered().iter().any(|name| name == bare) {
        return None;
    }
    GAMES.iter().find(|(known, _)| *known == bare).map(|(_, info)| info)
}

/// The title of a game file, and the spec.
pub(crate) fn heading(game: &dyn AnyGame) -> String {
    game.title().map_or_else(|| game.spec().to_owned(), |title| format!("{title}: {}", game.spec()))
}

/// A command that shows a position a few plies into the game.
fn example(game: &dyn AnyGame) -> Result<String, Failure> {
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

pub(crate) fn solvers(options: &Lists) -> Result<u8, Failure> {
    if options.json {
        print(json!({ "schema": 1, "solvers": objects("solver", solver_rows()) }))?;
        return Ok(0);
    }
    let further = "Parameters follow a colon: --solver ppn:playouts=20,theta=0.001";
    output(&format!("{}\n\n{further}\n", named("solver", solver_rows())))?;
    Ok(0)
}

pub(crate) fn agents(options: &Lists) -> Result<u8, Failure> {
    if options.json {
        print(json!({ "schema": 1, "agents": objects("agent", agent_rows()) }))?;
        return Ok(0);
    }
    let further = "Parameters follow a colon: --agent gpn-mcts:bias=max,cpn=0.5. Every solver plays too (`delphic \
        solvers`): it plays what it proves, or what looks best to it. table:FILE plays perfectly from a table that `delphic solve \
        --table FILE` has written.";
    output(&format!("{}\n\n{}\n", named("agent", agent_rows()), wrapped(further)))?;
    Ok(0)
}

/// A solver or an agent, as it is listed.
struct Row {
    name: &'static str,
    parameters: &'static [Parameter],
    usage: String,
    about: &'static str,
    source: &'static str,
}

fn solver_rows() -> impl Iterator<Item = Row> {
    SOLVERS.iter().map(|info| {
        let SolverInfo { name, parameters, about, source, .. } = *info;
        Row { name, parameters, usage: info.usage(), about, source }
    })
}

fn agent_rows() -> impl Iterator<Item = Row> {
    AGENTS.iter().map(|info| {
        let AgentInfo { name, parameters, about, source } = *info;
        Row { name, parameters, usage: info.usage(), about, source }
    })
}

fn named(what: &str, rows: impl Iterator<Item = Row>) -> Table {
    let mut list = table([what, "parameters", "what it does", "source"]);
    for row in rows {
        // With blanks, lines break between parameters and not within them.
        list.add_row([row.name, &row.usage.replace(',', ", "), row.about, row.source]);
    }
    list
}

fn objects(what: &str, rows: impl Iterator<Item = Row>) -> Vec<Value> {
    let parameter = |parameter: &Parameter| {
        json!({
            "name": parameter.name,
            "default": parameter.default().to_string(),
            "usage": parameter.usage(),
            "about": parameter.about,
        })
    };
    let object = |row: Row| {
        let parameters: Vec<Value> = row.parameters.iter().map(parameter).collect();
        json!({ what: row.name, "parameters": parameters, "about": row.about, "source": row.source })
    };
    rows.map(object).collect()
}

fn print(object: Value) -> Result<(), Failure> {
    output(&format!("{object}\n"))
}
