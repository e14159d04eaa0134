//! `delphic games`, `delphic solvers` and `delphic agents`.

use crate::args::{Colour, Games, Lists};
use crate::tables::{table, wrapped};
use crate::{Failure, output};
use comfy_table::Table;
use delphic_engine::json::{self, MISERE, OWN, example, listed};
use delphic_engine::{AGENTS, AgentInfo, AnyGame, GAMES, SOLVERS, SolverInfo, game, registered};
use serde_json::Value;

pub(crate) fn games(options: &Games, colour: Colour) -> Result<u8, Failure> {
    match &options.name {
        None => all_games(options.json)?,
        Some(name) => one_game(name, options.json, colour)?,
    }
    Ok(0)
}

fn all_games(json: bool) -> Result<(), Failure> {
    if json {
        return print(&json::games());
    }
    let mut list = table(["game", "description"]);
    for name in registered() {
        list.add_row([&name, OWN.about]);
    }
    for (name, info) in GAMES {
        list.add_row([name, &info.about]);
    }
    let further = "`delphic games NAME` describes the parameters and the notation of a game. Every game also takes \
        `misere`: the player who would normally win loses (tictactoe:misere). A GAME that ends in .toml is a file that describes a \
        variant (docs/families.md).";
    output(&format!("{list}\n\n{}\n", wrapped(further)))
}

fn one_game(name: &str, json: bool, colour: Colour) -> Result<(), Failure> {
    let game = game(name)?;
    if json {
        return print(&json::game(&*game)?);
    }
    if !game.rules().is_empty() {
        let rules = game.rules().iter().map(|sentence| wrapped(sentence)).collect::<Vec<_>>().join("\n");
        let picture = game.position(None, None)?.picture().text(colour.wanted());
        let (notation, example) = (wrapped(game.how()), json::example(&*game)?);
        return output(&format!(
            "{}\n\n{rules}\n\n{notation}\n\n{picture}\n\nTry {example}\n",
            heading(&*game)
        ));
    }
    let listed = listed(&*game);
    let (info, known) = (listed.unwrap_or(&OWN), game.facts());
    let mut facts = table(["", info.about]);
    facts.add_row(["usage", info.usage]);
    let parameters = known.parameters.iter().copied().chain(listed.map(|_| MISERE));
    let parameters: Vec<String> = parameters.map(|(name, what)| format!("{name}: {what}")).collect();
    if !parameters.is_empty() {
        facts.add_row(["parameters", &parameters.join("\n")]);
    }
    facts.add_rows([["rules", info.rules], ["notation", game.how()], ["cycles", known.cycles]]);
    facts.add_row(["symmetry", known.symmetries]);
    let picture = game.position(None, None)?.picture().text(colour.wanted());
    output(&format!("{facts}\n\n{}\n\n{picture}\n\nTry {}\n", heading(&*game), example(&*game)?))
}

/// The title of a game file, and the spec.
pub(crate) fn heading(game: &dyn AnyGame) -> String {
    game.title().map_or_else(|| game.spec().to_owned(), |title| format!("{title}: {}", game.spec()))
}

pub(crate) fn solvers(options: &Lists) -> Result<u8, Failure> {
    if options.json {
        print(&json::solvers())?;
        return Ok(0);
    }
    let further = "Parameters follow a colon: --solver ppn:playouts=20,theta=0.001";
    output(&format!("{}\n\n{further}\n", named("solver", solver_rows())))?;
    Ok(0)
}

pub(crate) fn agents(options: &Lists) -> Result<u8, Failure> {
    if options.json {
        print(&json::agents())?;
        return Ok(0);
    }
    let further = "Parameters follow a colon: --agent gpn-mcts:bias=max,cpn=0.5. Every solver is an agent too (`delphic \
        solvers`): it plays a proved move, or the one that its heuristic values prefer. table:FILE plays perfectly from a table \
        written by `delphic solve --table FILE`.";
    output(&format!("{}\n\n{}\n", named("agent", agent_rows()), wrapped(further)))?;
    Ok(0)
}

/// Name, usage of the parameters, description and source.
type Row = [String; 4];

fn solver_rows() -> impl Iterator<Item = Row> {
    let row = |info: &SolverInfo| [info.name, &info.usage(), info.about, info.source].map(str::to_owned);
    SOLVERS.iter().map(row)
}

fn agent_rows() -> impl Iterator<Item = Row> {
    let row = |info: &AgentInfo| [info.name, &info.usage(), info.about, info.source].map(str::to_owned);
    AGENTS.iter().map(row)
}

fn named(what: &str, rows: impl Iterator<Item = Row>) -> Table {
    let mut list = table([what, "parameters", "description", "source"]);
    for [name, usage, about, source] in rows {
        // With blanks, lines break between parameters and not within them.
        list.add_row([name, usage.replace(',', ", "), about, source]);
    }
    list
}

fn print(object: &Value) -> Result<(), Failure> {
    output(&format!("{object}\n"))
}
