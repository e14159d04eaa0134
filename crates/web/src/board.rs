//! A position for the page: its picture, its cells, and which cells belong to which move.

use delphic_engine::{AnyGame, AnyPosition, Mark, Picture, Player, json};
use delphic_game::picture::{Spot, Tiling};
use serde_json::{Value as Json, json};
use std::collections::HashMap;

/// Positions with more moves than this get no cells for their moves; the page then offers the list of moves only.
const MOST_MOVES: usize = 2_000;

/// The object of `show`, with `svg`, `cells` and `move_cells`.
pub(crate) fn object(game: &dyn AnyGame, position: &dyn AnyPosition) -> Json {
    let picture = position.shown();
    let moves = position.moves();
    let board = Board::new(&picture);
    let clicks: Vec<Vec<usize>> = match moves.len() {
        0..=MOST_MOVES => {
            let click = |(nth, mv): (usize, &String)| board.clicks(mv, &position.after(nth).picture());
            moves.iter().enumerate().map(click).collect()
        }
        _ => moves.iter().map(|_| Vec::new()).collect(),
    };
    let cells: Vec<Json> = (0..board.cells.len()).map(|cell| board.cell(cell, &moves, &clicks)).collect();
    let mut object = json::position(game, position);
    object["players"] = game.players().into();
    object["notes"] = picture.notes.clone().into();
    object["svg"] = picture.drawing().into();
    object["cells"] = cells.into();
    object["move_cells"] = clicks.into();
    // In a rack a stone falls: all cells of a column mean the same move.
    object["columns"] = (picture.tiling == Tiling::Rack).into();
    object
}

/// The cells of a picture.
struct Board<'a> {
    picture: &'a Picture,
    cells: Vec<&'a Spot>,
    names: Vec<Option<String>>,
    by_name: HashMap<String, usize>,
}

impl<'a> Board<'a> {
    fn new(picture: &'a Picture) -> Board<'a> {
        let cells: Vec<&Spot> = picture.cells().collect();
        let names: Vec<Option<String>> = cells.iter().map(|cell| name(picture, cell)).collect();
        let by_name = names.iter().enumerate();
        let by_name = by_name.filter_map(|(cell, name)| Some((name.clone()?, cell))).collect();
        Board { picture, cells, names, by_name }
    }

    /// The cells to click for a move: those its text names, or else those it changes.
    fn clicks(&self, mv: &str, after: &Picture) -> Vec<usize> {
        let named: Option<Vec<usize>> = words(mv).map(|word| self.by_name.get(word).copied()).collect();
        match named {
            Some(cells) if !cells.is_empty() => cells,
            _ => self.changed(after),
        }
    }

    /// The cells that a move fills or leaves. Where it does neither, those that change in another way.
    fn changed(&self, after: &Picture) -> Vec<usize> {
        let then: HashMap<(i32, i32), &Mark> =
            after.cells().map(|spot| ((spot.x, spot.y), &spot.mark)).collect();
        let (mut filled, mut left, mut gone, mut other) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (cell, spot) in self.cells.iter().enumerate() {
            match (&spot.mark, then.get(&(spot.x, spot.y))) {
                (before, Some(after)) if before == *after => {}
                (_, None) => gone.push(cell),
                (Mark::Empty, Some(_)) => filled.push(cell),
                (_, Some(Mark::Empty)) => left.push(cell),
                (Mark::Seeds(before), Some(Mark::Seeds(after))) if after < before => left.push(cell),
                (Mark::Seeds(_), Some(Mark::Seeds(_))) => {}
                (_, Some(_)) => other.push(cell),
            }
        }
        // Of tokens taken from a heap, the first one stands for all.
        gone.truncate(1);
        left.extend(filled);
        left.extend(gone);
        if left.is_empty() { other } else { left }
    }

    /// The name of a cell without inscriptions: the only move made there, or its place.
    fn described(&self, cell: usize, moves: &[String], clicks: &[Vec<usize>]) -> String {
        let spot = self.cells[cell];
        if self.picture.tiling == Tiling::Rack {
            let bottom = self.cells.iter().map(|spot| spot.y).max().unwrap_or(0);
            return format!("column {}, row {}", spot.x / 2 + 1, (bottom - spot.y) / 2 + 1);
        }
        let mut here = clicks.iter().zip(moves).filter(|(cells, _)| **cells == [cell]);
        match (here.next(), here.next()) {
            (Some((_, mv)), None) => mv.clone(),
            _ => format!("row {}, place {}", spot.y / 2 + 1, spot.x / 2 + 1),
        }
    }

    fn cell(&self, cell: usize, moves: &[String], clicks: &[Vec<usize>]) -> Json {
        let spot = self.cells[cell];
        let (x, y) = self.picture.centre(spot);
        let name = self.names[cell].clone().unwrap_or_else(|| self.described(cell, moves, clicks));
        json!({ "x": x, "y": y, "row": spot.y, "column": spot.x, "name": name, "content": content(spot) })
    }
}

/// The words of a move that look like cells: letters and then digits.
fn words(mv: &str) -> impl Iterator<Item = &str> {
    let mut rest = mv;
    std::iter::from_fn(move || {
        let begin = rest.find(|c: char| c.is_ascii_lowercase())?;
        let word = &rest[begin..];
        let letters = word.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(word.len());
        let digits = word[letters..].find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len() - letters);
        let end = letters + digits;
        rest = &word[end..];
        Some(&word[..end])
    })
}

/// The name of a cell, from the inscriptions of its row and its column.
fn name(picture: &Picture, cell: &Spot) -> Option<String> {
    // Pieces without a board have no cell names.
    if picture.tiling == Tiling::Bare {
        return None;
    }
    let inscription = |spot: &'_ Spot, digits: bool| match &spot.mark {
        Mark::Label(text) if text.starts_with(|c: char| c.is_ascii_digit() == digits) => Some(text.clone()),
        _ => None,
    };
    // The files of hexagons lean to the left as they go up.
    let file = |spot: &Spot| match picture.tiling {
        Tiling::Hexagons => 2 * spot.x - spot.y,
        _ => 2 * spot.x,
    };
    let find = |digits: bool, same: &dyn Fn(&Spot) -> bool| {
        picture.spots.iter().filter(|spot| same(spot)).find_map(|spot| inscription(spot, digits))
    };
    let row = find(true, &|spot| spot.y == cell.y)?;
    let column = find(false, &|spot| file(spot) == file(cell))?;
    Some(column + &row)
}

/// What lies on a cell, in words.
fn content(spot: &Spot) -> String {
    let colour = |player: Player| ["first", "second", "third", "fourth"][player.index() % 4];
    match &spot.mark {
        Mark::Empty | Mark::Label(_) => "empty".to_owned(),
        Mark::Stone(player) => format!("{} player's stone", colour(*player)),
        Mark::Man(player, letter) => format!("{} player's {}", colour(*player), letter.to_uppercase()),
        Mark::Block => "blocked".to_owned(),
        Mark::Token => "token".to_owned(),
        Mark::Seeds(seeds) => format!("{seeds} seeds"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_engine::game;

    fn clicks(spec: &str, moves: Option<&str>, mv: &str) -> Vec<String> {
        let game = game(spec).unwrap();
        let position = game.position(None, moves).unwrap();
        let object = object(&*game, &*position);
        let nth =
            position.moves().iter().position(|legal| legal == mv).unwrap_or_else(|| panic!("{spec}: {mv}"));
        let cells = object["move_cells"][nth].as_array().unwrap();
        let name = |cell: &Json| {
            object["cells"][cell.as_u64().unwrap() as usize]["name"].as_str().unwrap().to_owned()
        };
        cells.iter().map(name).collect()
    }

    #[test]
    fn moves_know_their_cells() {
        assert_eq!(clicks("tictactoe", None, "b2"), ["b2"]);
        assert_eq!(clicks("domineering:5x5", None, "b4+b5"), ["b4", "b5"]);
        assert_eq!(clicks("hex:4", Some("b2"), "c4"), ["c4"]);
        assert_eq!(clicks("connect4:5x4", Some("3"), "3"), ["column 3, row 2"]);
        assert_eq!(clicks("skirmish", None, "e2-e4"), ["e2", "e4"]);
        assert_eq!(
            clicks(
                "reversi:4",
                None,
                game("reversi:4").unwrap().position(None, None).unwrap().moves()[0].as_str()
            )
            .len(),
            1
        );
    }

    #[test]
    fn every_move_of_every_game_can_be_reached_by_clicks() {
        for (name, _) in delphic_engine::GAMES {
            let game = game(name).unwrap();
            let position = game.position(None, None).unwrap();
            let object = object(&*game, &*position);
            let cells = object["move_cells"].as_array().unwrap();
            assert_eq!(cells.len(), position.moves().len());
            let empty = cells.iter().filter(|cells| cells.as_array().unwrap().is_empty()).count();
            // The numbers of a P-game are no places; a pass changes nothing.
            if *name != "pgame" {
                assert!(empty * 2 < cells.len(), "{name}: {empty} of {} moves have no cell", cells.len());
            }
        }
    }

    #[test]
    fn words_of_moves() {
        let all = |mv| words(mv).collect::<Vec<_>>();
        assert_eq!(all("b4+b5"), ["b4", "b5"]);
        assert_eq!(all("d1-d7/g7"), ["d1", "d7", "g7"]);
        assert_eq!(all("P*c3"), ["c3"]);
        assert_eq!(all("4"), Vec::<&str>::new());
        assert_eq!(all("pass"), ["pass"]);
    }
}
