//! Described games as text: positions, moves, pictures.

use super::board::{Board, Shape};
use super::rules::{Act, KINDS, Kind};
use super::state::{Described, Move, State};
use delphic_game::picture::{Mark, Picture, Tiling};
use delphic_game::{Notation, NotationError, Player, grid::column_name};

/// The glyph of a missing cell, where the board has a place for it.
fn hole(board: &Board) -> Option<char> {
    matches!(board.shape, Shape::Grid | Shape::Torus).then_some('#')
}

/// Reads rows of pieces: a symbol or a point for every cell.
pub(super) fn read_rows<T: AsRef<str>>(
    board: &Board,
    kinds: &[Kind],
    rows: &[T],
) -> Result<[u64; KINDS], String> {
    if rows.len() != board.layout.len() {
        return Err(format!("expected {} rows, found {}", board.layout.len(), rows.len()));
    }
    let mut men = [0; KINDS];
    for (number, (row, cells)) in rows.iter().zip(&board.layout).enumerate() {
        let places: Vec<&Option<u8>> =
            cells.iter().filter(|cell| cell.is_some() || hole(board).is_some()).collect();
        let glyphs: Vec<char> = row.as_ref().chars().collect();
        if glyphs.len() != places.len() {
            return Err(format!("row {} has {} cells, expected {}", number + 1, glyphs.len(), places.len()));
        }
        for (&glyph, place) in glyphs.iter().zip(places) {
            let kind = kinds.iter().position(|kind| kind.symbol == glyph);
            match (place, kind, glyph) {
                (Some(cell), Some(kind), _) => men[kind] |= 1 << cell,
                (Some(_), None, '.') | (None, _, '#') => {}
                _ => {
                    let symbols: String = kinds.iter().map(|kind| kind.symbol).collect();
                    return Err(format!(
                        "row {}: '{glyph}' cannot stand there; expected .{symbols}",
                        number + 1
                    ));
                }
            }
        }
    }
    Ok(men)
}

impl Described {
    fn glyph(&self, state: &State, cell: u8) -> char {
        state.kind_at(cell).map_or('.', |kind| self.kinds[kind].symbol)
    }

    fn has_hands(&self) -> bool {
        self.start.hands != [0; 2]
    }

    /// Whether the mover chooses which piece to place.
    fn several_to_place(&self, player: Player) -> bool {
        let places =
            self.rules.iter().filter(|rule| matches!(rule.act, Act::Place { .. } | Act::Pair { .. }));
        let kinds = places.filter(|rule| rule.by[player.index()]).fold(0, |set, rule| set | rule.kinds);
        let mine = |(nth, kind): &(usize, &Kind)| {
            kinds >> nth & 1 == 1 && kind.owner.is_none_or(|owner| owner == player)
        };
        self.kinds.iter().enumerate().filter(mine).count() > 1
    }
}

impl Notation for Described {
    const HOW: &'static str = "A new piece is the name of its cell, or of two with + between them, after its symbol and @ if there are \
        several to choose from; other moves are from-to; a piece leaves the board by from-off; and pass. Cells of a graph have the \
        names of the file, others a letter for the column and a number for the row from the bottom. A position is its rows from \
        the top, a symbol for each piece and . for each empty cell, whose turn it is (first or second), then, if there are any, the \
        pieces in both hands and by how many regions the first player leads: X.O/.../... first";

    fn write_move(&self, state: &State, mv: Move) -> String {
        let (rule, name) =
            (&self.rules[usize::from(mv.rule)], |cell: u8| &self.board.names[usize::from(cell)]);
        let what = || match self.several_to_place(state.turn) {
            true => format!("{}@", self.kinds[usize::from(mv.kind)].symbol),
            false => String::new(),
        };
        match rule.act {
            Act::Place { .. } => format!("{}{}", what(), name(mv.to)),
            Act::Pair { .. } => format!("{}{}+{}", what(), name(mv.from), name(mv.to)),
            Act::Leave => format!("{}-off", name(mv.from)),
            Act::Pass => "pass".to_owned(),
            _ => format!("{}-{}", name(mv.from), name(mv.to)),
        }
    }

    fn write(&self, state: &State) -> String {
        let glyph = |cell: &Option<u8>| cell.map_or(hole(&self.board), |cell| Some(self.glyph(state, cell)));
        let row = |cells: &Vec<Option<u8>>| cells.iter().filter_map(glyph).collect::<String>();
        let rows: Vec<String> = self.board.layout.iter().map(row).collect();
        let mut text = format!("{} {}", rows.join("/"), state.turn);
        if self.has_hands() {
            text += &format!(" {},{}", state.hands[0], state.hands[1]);
        }
        if !self.board.regions.is_empty() {
            text += &format!(" {}", state.lead);
        }
        text
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let error = |reason: String| NotationError::position(reason);
        let mut words = text.split_whitespace();
        let rows: Vec<&str> = words.next().unwrap_or_default().split('/').collect();
        let men = read_rows(&self.board, &self.kinds, &rows).map_err(error)?;
        let turn = match words.next() {
            Some("first") => Player::FIRST,
            Some("second") => Player::SECOND,
            _ => return Err(error("expected whose turn it is, first or second, after the rows".to_owned())),
        };
        let mut state = State { men, turn, hands: [0; 2], lead: 0, over: 0 };
        if self.has_hands() {
            let most = self.start.hands[0];
            let numbers = words.next().and_then(|word| word.split_once(','));
            let read = |text: &str| text.parse().ok().filter(|&hand: &u8| hand <= most);
            let hands = numbers.and_then(|(first, second)| Some([read(first)?, read(second)?]));
            state.hands = hands.ok_or_else(|| error(format!("expected the hands, such as {most},{most}")))?;
        }
        if !self.board.regions.is_empty() {
            let filled =
                self.board.regions.iter().filter(|&&region| region & !state.occupied() == 0).count() as i8;
            let lead = words.next().and_then(|word| word.parse().ok());
            let fits = |lead: &i8| lead.unsigned_abs() as i8 <= filled && (filled - lead) % 2 == 0;
            state.lead = lead
                .filter(fits)
                .ok_or_else(|| error(format!("expected the lead of one of {filled} regions")))?;
        }
        if words.next().is_some() {
            return Err(error("there is text after the end".to_owned()));
        }
        state.over = self.result_of(&state, u64::MAX);
        Ok(state)
    }

    fn picture(&self, state: &State) -> Picture {
        let board = &self.board;
        let hexagonal = matches!(board.shape, Shape::Rhombus | Shape::Triangle | Shape::Hexagon);
        let tiling = match board.shape {
            Shape::Graph => Tiling::Bare,
            Shape::Dots => Tiling::Crossings,
            _ if hexagonal => Tiling::Hexagons,
            _ => Tiling::Squares,
        };
        let mut picture = Picture::new(tiling);
        let rows = board.layout.len() as i32;
        for (row, cells) in (0..).zip(&board.layout) {
            for (col, cell) in (0..).zip(cells) {
                let mark = match cell.map(|cell| (cell, state.kind_at(cell))) {
                    None if hole(board).is_some() => Mark::Block,
                    None => continue,
                    Some((_, None)) => Mark::Empty,
                    Some((_, Some(kind))) => mark(&self.kinds[kind]),
                };
                let shift = if hexagonal { row } else { 0 };
                picture.put(2 * col + shift, 2 * row, mark);
            }
        }
        if board.shape == Shape::Graph {
            (0..).zip(&board.names).for_each(|(col, name)| {
                picture.label(2 * col, 2, name);
            });
            return picture;
        }
        if !hexagonal {
            (0..rows).for_each(|row| {
                picture.label(-2, 2 * row, rows - row);
            });
            (0..board.layout[0].len()).for_each(|col| {
                picture.label(2 * col as i32, 2 * rows, column_name(col));
            });
        }
        picture
    }
}

fn mark(kind: &Kind) -> Mark {
    match kind.owner {
        None => Mark::Token,
        Some(owner) if Mark::of(kind.symbol) == Mark::Stone(owner) => Mark::Stone(owner),
        Some(owner) => Mark::Man(owner, kind.symbol.to_string()),
    }
}
