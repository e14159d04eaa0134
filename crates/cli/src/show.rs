//! `delphic show`: a position and its legal moves.

use crate::args::{Colour, Show};
use crate::lists::heading;
use crate::{Failure, output, position, units};
use delphic_base::atomic_file;
use delphic_engine::json;

pub(crate) fn run(options: &Show, colour: Colour) -> Result<u8, Failure> {
    let (game, position) = position::at(&options.at)?;
    let picture = position.shown();
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
        output(&format!("{}\n", json::position(&*game, &*position)))?;
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
