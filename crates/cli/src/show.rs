//! `delphic show`: a position and its legal moves.

use crate::args::{Colour, Show};
use crate::lists::heading;
use crate::{Failure, output, position, units};
use delphic_base::atomic_file;
use serde_json::json;

pub(crate) fn run(options: &Show, colour: Colour) -> Result<u8, Failure> {
    let (game, position) = position::at(&options.at)?;
    let picture = position::picture(&*position);
    if let Some(file) = &options.svg {
        let svg = picture.svg(&format!("{} {}", game.spec(), position.write()));
        match file {
            Some(file) => atomic_file::write(file, svg.as_bytes())?,
            None => output(&svg)?,
        }
        return Ok(0);
    }
    let moves = position.moves();
    if options.json {
        let object = json!({
            "schema": 1,
            "game": game.spec(),
            "title": game.title(),
            "position": position.write(),
            "to_move": (!position.is_over()).then(|| position.turn().to_string()),
            "moves": moves,
            "payoffs": position.payoffs(),
            "board": picture.text(false),
        });
        output(&format!("{object}\n"))?;
        return Ok(0);
    }
    let turn = if position.is_over() {
        "the game is over".to_owned()
    } else {
        let legal = units::plural(moves.len() as u64, "legal move");
        format!("{} player to move, {legal}: {}", position.turn(), moves.join(" "))
    };
    let picture = picture.text(colour.wanted());
    output(&format!("{}\n\n{picture}\n\n{}\n{turn}\n", heading(&*game), position.write()))?;
    Ok(0)
}
