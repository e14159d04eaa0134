//! The small commands: lists, pictures, counts.

use crate::args::{Colour, Games, Perft, Show};
use crate::{Failure, output, units};
use comfy_table::{ContentArrangement, Table, presets};
use delphic_engine::{AGENTS, AnyGame, GAMES, SOLVERS, files, game};
use std::io::IsTerminal;
use std::time::Instant;

/// Columns of text where there is no terminal to ask.
const WIDTH: u16 = 110;

/// A table without frames that fits the terminal.
pub(crate) fn table<'a>(head: impl IntoIterator<Item = &'a str>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_header(head);
    if !std::io::stdout().is_terminal() {
        table.set_width(WIDTH);
    }
    table
}

pub(crate) fn games(options: &Games, colour: Colour) -> Result<u8, Failure> {
    let Some(name) = &options.name else {
        let mut list = table(["game", "what it is"]);
        for (name, info) in GAMES {
            list.add_row([*name, info.about]);
        }
        output(&format!(
            "{list}\n\n`delphic games NAME` tells the parameters and the notation. Every game also takes `misere`: who would \
             win loses (tictactoe:misere). A GAME that ends in .toml is a file that describes a variant (docs/families.md).\n"
        ))?;
        return Ok(0);
    };
    let game = game(name)?;
    let bare = game.spec().split(':').next().unwrap_or(name);
    let Some((_, info)) = GAMES.iter().find(|(known, _)| *known == bare) else {
        return Err(Failure::Other(format!("'{bare}' is missing from the list of games")));
    };
    let start = game.position(None, None)?;
    let known = game.facts();
    let mut facts = table(["", info.about]);
    facts.add_row(["usage", info.usage]);
    let misere = ("misere", "who would win loses");
    let parameters = known.parameters.iter().chain([&misere]).map(|(name, what)| format!("{name}: {what}"));
    facts.add_row(["parameters", &parameters.collect::<Vec<_>>().join("\n")]);
    facts.add_rows([["rules", info.rules], ["notation", game.how()], ["cycles", known.cycles]]);
    facts.add_row(["symmetry", known.symmetries]);
    let picture = start.picture().text(colour.wanted());
    output(&format!("{facts}\n\n{}\n\n{picture}\n\nTry {}\n", heading(&*game), example(&*game)?))?;
    Ok(0)
}

/// The title of a game file, and the spec.
fn heading(game: &dyn AnyGame) -> String {
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

pub(crate) fn solvers() -> Result<u8, Failure> {
    output(&format!(
        "{}\n\nParameters follow a colon: --solver ppn:playouts=20,theta=0.001\n",
        named(
            "solver",
            SOLVERS.iter().map(|row| [row.name.into(), row.usage(), row.about.into(), row.source.into()])
        )
    ))?;
    Ok(0)
}

pub(crate) fn agents() -> Result<u8, Failure> {
    output(&format!(
        "{}\n\nParameters follow a colon: --agent gpn-mcts:bias=max,cpn=0.5. Every solver plays as well (`delphic solvers`): what it \
         proves, or what looks best to it.\n",
        named(
            "agent",
            AGENTS.iter().map(|row| [row.name.into(), row.usage(), row.about.into(), row.source.into()])
        )
    ))?;
    Ok(0)
}

fn named(what: &str, rows: impl Iterator<Item = [String; 4]>) -> Table {
    let mut list = table([what, "parameters", "what it does", "source"]);
    for [name, parameters, about, source] in rows {
        // With blanks lines break between parameters and not within them.
        list.add_row([name, parameters.replace(',', ", "), about, source]);
    }
    list
}

pub(crate) fn show(options: &Show, colour: Colour) -> Result<u8, Failure> {
    let at = &options.at;
    let game = game(&at.game)?;
    let position = game.position(at.position.as_deref(), at.moves.as_deref())?;
    let picture = position.picture();
    if let Some(file) = &options.svg {
        let svg = picture.svg(&format!("{} {}", game.spec(), position.write()));
        match file {
            Some(file) => files::write(file, svg.as_bytes())?,
            None => output(&svg)?,
        }
        return Ok(0);
    }
    let moves = position.moves();
    let turn = if position.is_over() {
        "the game is over".to_owned()
    } else {
        format!("{} player to move, {} legal moves: {}", position.turn(), moves.len(), moves.join(" "))
    };
    let picture = picture.text(colour.wanted());
    output(&format!("{}\n\n{picture}\n\n{}\n{turn}\n", heading(&*game), position.write()))?;
    Ok(0)
}

pub(crate) fn perft(options: &Perft) -> Result<u8, Failure> {
    let game = game(&options.game)?;
    let position = game.position(options.position.as_deref(), options.moves.as_deref())?;
    for depth in 1..=options.depth {
        let started = Instant::now();
        let lines = position.perft(depth);
        let time = started.elapsed();
        let speed = (lines as f64 / time.as_secs_f64().max(1e-9)) as u64;
        output(&format!(
            "{depth:>3} {:>20}  {:>10}  {:>15}/s\n",
            units::grouped(lines),
            units::time(time),
            units::grouped(speed)
        ))?;
    }
    Ok(0)
}
