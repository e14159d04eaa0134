//! Pictures of positions, from which text and SVG are drawn.
//!
//! A game describes its board once; the renderers are independent of the games. Places are in half cells, right and down from
//! the first cell, because hexagons and gaps between parts of a board need halves.

mod svg;
mod text;

use crate::Player;
use std::collections::HashMap;
use std::fmt;

/// What cells look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tiling {
    /// No board: things lie on the table.
    Bare,
    /// Squares of one colour.
    Squares,
    /// Squares of two colours.
    Chequered,
    /// The crossings of lines.
    Crossings,
    /// An upright rack with holes.
    Rack,
    /// Hexagons with a corner at the top.
    Hexagons,
}

/// What stones and men look like in an SVG.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Style {
    /// Discs; those of men with their letter.
    #[default]
    Discs,
    /// Stones are the signs of tic-tac-toe.
    Signs,
    /// Men are the pieces of chess that their letters name.
    Chess,
    /// Men are the pieces of shogi, which point at the opponent.
    Shogi,
}

/// What lies on a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// An empty cell.
    Empty,
    /// A plain stone of a player.
    Stone(Player),
    /// A piece of a player that has a letter or a number.
    Man(Player, String),
    /// A block on the cell, of no player.
    Block,
    /// A token of no player.
    Token,
    /// A number of seeds in one place.
    Seeds(u8),
    /// A coordinate or another inscription; no cell.
    Label(String),
}

/// The letters of the players' stones.
const STONES: [char; 3] = ['X', 'O', 'Z'];

impl Mark {
    /// What a character of the usual notations stands for: `X`, `O` and `Z` are stones, `#` blocks a cell, other capitals are
    /// men of the first player and small letters of the second. Anything else is empty.
    pub fn of(glyph: char) -> Mark {
        match (STONES.iter().position(|&stone| stone == glyph), glyph) {
            (Some(seat), _) => Mark::Stone(Player::new(seat)),
            (_, '#') => Mark::Block,
            (_, 'A'..='Z') => Mark::Man(Player::FIRST, glyph.into()),
            (_, 'a'..='z') => Mark::Man(Player::SECOND, glyph.into()),
            _ => Mark::Empty,
        }
    }

    /// How many pieces lie there.
    pub fn pieces(&self) -> usize {
        match self {
            Mark::Empty | Mark::Label(_) => 0,
            Mark::Seeds(seeds) => *seeds as usize,
            _ => 1,
        }
    }
}

/// A place with what lies on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// Half cells to the right.
    pub x: i32,
    /// Half cells down.
    pub y: i32,
    /// What lies there.
    pub mark: Mark,
    /// Whose ground it is.
    pub owner: Option<Player>,
    /// Whether the last move changed it.
    pub changed: bool,
    /// Whether the last move put there what was not there before.
    pub placed: bool,
    /// Whether it belongs to the line or the chain that has won.
    pub winning: bool,
}

/// Blocks that one move has laid, and that make one piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tile {
    /// The numbers of its places.
    pub spots: Vec<usize>,
    /// Whose move it was.
    pub owner: Player,
}

/// A picture of a position. `Display` writes it as plain text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// What cells look like.
    pub tiling: Tiling,
    /// What stones and men look like.
    pub style: Style,
    /// All places.
    pub spots: Vec<Spot>,
    /// Blocks that make pieces, as far as the moves that laid them are known.
    pub tiles: Vec<Tile>,
    /// Circles around some places, drawn as lines: x, y and radius in half cells.
    pub loops: Vec<(i32, i32, i32)>,
    /// Lines of text below.
    pub notes: Vec<String>,
}

impl Picture {
    /// An empty picture.
    pub fn new(tiling: Tiling) -> Picture {
        let (style, tiles) = (Style::default(), Vec::new());
        Picture { tiling, style, spots: Vec::new(), tiles, loops: Vec::new(), notes: Vec::new() }
    }

    /// Adds a place, `x` and `y` in half cells.
    pub fn put(&mut self, x: i32, y: i32, mark: Mark) -> &mut Spot {
        let (changed, placed, winning) = (false, false, false);
        self.spots.push(Spot { x, y, mark, owner: None, changed, placed, winning });
        self.spots.last_mut().expect("just pushed")
    }

    /// Adds an inscription.
    pub fn label(&mut self, x: i32, y: i32, text: impl fmt::Display) -> &mut Spot {
        self.put(x, y, Mark::Label(text.to_string()))
    }

    /// Adds a line below.
    #[must_use]
    pub fn note(mut self, line: impl fmt::Display) -> Picture {
        self.notes.push(line.to_string());
        self
    }

    /// The same with other cells.
    #[must_use]
    pub fn tiled(self, tiling: Tiling) -> Picture {
        Picture { tiling, ..self }
    }

    /// The same with other pieces.
    #[must_use]
    pub fn styled(self, style: Style) -> Picture {
        Picture { style, ..self }
    }

    /// The same with half a cell of space after every `every` columns and rows.
    #[must_use]
    pub fn parted(mut self, every: i32) -> Picture {
        let moved = |place: i32| place + (place / 2 / every).max(0);
        let beyond = self.cells().map(|spot| (spot.x, spot.y)).reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)));
        let Some((right, bottom)) = beyond else { return self };
        for spot in &mut self.spots {
            // Inscriptions beyond the last cell stay next to it.
            let (over, under) = ((spot.x - right).max(0), (spot.y - bottom).max(0));
            (spot.x, spot.y) = (moved(spot.x.min(right)) + over, moved(spot.y.min(bottom)) + under);
        }
        self
    }

    /// Marks what differs from the picture before the last move.
    pub fn mark_changes(&mut self, before: &Picture) {
        let was: HashMap<_, _> = before.spots.iter().map(|spot| ((spot.x, spot.y), &spot.mark)).collect();
        for spot in &mut self.spots {
            let was = was.get(&(spot.x, spot.y));
            spot.changed = was.is_some_and(|mark| **mark != spot.mark);
            spot.placed = spot.changed && was.is_some_and(|mark| **mark == Mark::Empty);
        }
    }

    /// Marks the cells of the line or the chain that has won, by their numbers among the cells.
    pub fn mark_winning(&mut self, wins: impl Fn(usize) -> bool) {
        let cells = self.spots.iter_mut().filter(|spot| !matches!(spot.mark, Mark::Label(_)));
        cells.enumerate().for_each(|(nth, spot)| spot.winning = wins(nth));
    }

    /// Makes one piece of the blocks that a move of `owner` has laid between two pictures, if it has done nothing else.
    pub fn add_tile(&mut self, before: &Picture, after: &Picture, owner: Player) {
        let pairs = || before.spots.iter().zip(&after.spots).enumerate();
        let differs = |(_, (was, is)): &(usize, (&Spot, &Spot))| was.mark != is.mark;
        let laid =
            |(_, (was, is)): (usize, (&Spot, &Spot))| was.mark == Mark::Empty && is.mark == Mark::Block;
        let alike = before.spots.len() == self.spots.len() && after.spots.len() == self.spots.len();
        if alike && pairs().filter(differs).all(laid) {
            let spots: Vec<usize> = pairs().filter(differs).map(|(number, _)| number).collect();
            if !spots.is_empty() {
                self.tiles.push(Tile { spots, owner });
            }
        }
    }

    /// The places that are no inscriptions.
    pub fn cells(&self) -> impl Iterator<Item = &Spot> {
        self.spots.iter().filter(|spot| !matches!(spot.mark, Mark::Label(_)))
    }

    /// How many pieces lie on the board. The blocks of a tile are one.
    pub fn pieces(&self) -> usize {
        let covered: usize = self.tiles.iter().map(|tile| tile.spots.len() - 1).sum();
        self.spots.iter().map(|spot| spot.mark.pieces()).sum::<usize>() - covered
    }

    /// As text, with colours for a terminal or without.
    pub fn text(&self, coloured: bool) -> String {
        text::draw(self, coloured)
    }

    /// As an SVG document. `title` says what it shows.
    pub fn svg(&self, title: &str) -> String {
        svg::draw(self, title)
    }

    /// As an SVG element for a page: without a background, a size and the notes.
    pub fn drawing(&self) -> String {
        svg::element(self)
    }

    /// The middle of a place in the coordinates of the SVG.
    pub fn centre(&self, spot: &Spot) -> (f64, f64) {
        svg::centre(self, spot)
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;

    fn board() -> Picture {
        Grid { rows: 2, cols: 3 }.picture(|cell| "X.#.kO".chars().nth(cell).unwrap_or('.'))
    }

    #[test]
    fn plain_text_has_coordinates_and_no_codes() {
        assert_eq!(board().note("X & O").to_string(), "2  X . #\n1  . k O\n   a b c\nX & O");
    }

    #[test]
    fn parts_of_a_board_stand_apart() {
        let grid = Grid { rows: 4, cols: 4 };
        let text = grid.picture(|_| '.').parted(2).to_string();
        assert_eq!(text, "4  . .  . .\n3  . .  . .\n\n2  . .  . .\n1  . .  . .\n   a b  c d");
    }

    #[test]
    fn changes_are_what_differs() {
        let mut after = Grid { rows: 2, cols: 3 }.picture(|cell| "X.#X.O".chars().nth(cell).unwrap_or('.'));
        after.mark_changes(&board());
        let changed: Vec<_> =
            after.spots.iter().filter(|spot| spot.changed).map(|spot| (spot.x, spot.y)).collect();
        assert_eq!(changed, [(0, 2), (2, 2)]);
    }

    #[test]
    fn colours_only_add_codes() {
        let coloured = board().text(true);
        let mut plain = String::new();
        let mut rest = coloured.as_str();
        while let Some((text, code)) = rest.split_once('\u{1b}') {
            plain += text;
            rest = code.split_once('m').expect("a code ends with m").1;
        }
        assert_eq!(plain + rest, board().to_string());
        assert!(coloured.contains('\u{1b}'));
    }

    #[test]
    fn pieces_are_counted_and_drawn() {
        let picture = board().note("<&>");
        assert_eq!(picture.pieces(), 4);
        let svg = picture.svg("a \"title\" & more");
        assert_eq!(svg.matches("class=\"piece\"").count(), 4, "{svg}");
        assert!(svg.contains("&lt;&amp;&gt;") && svg.contains("a &quot;title&quot; &amp; more"), "{svg}");
    }
}
