//! From TOML to a description.

use super::board::{Board, CELLS, Diagonals, Direction, Shape};
use super::compile::compile;
use super::rules::{Act, Again, End, KINDS, Kind, Rule, Targets, Test, Winner};
use super::section::Section;
use super::state::Described;
use crate::game_file::{FileError, each, fault, text_of};
use delphic_game::{Outcome, Player};
use toml::de::DeTable;

/// A game file that describes a game, read and compiled.
#[derive(Clone, Debug)]
pub struct Description {
    /// What its author calls it.
    pub title: Option<String>,
    /// Whether the player who would normally win loses.
    pub misere: bool,
    /// The game.
    pub game: Described,
}

const TOP: &[&str] = &["title", "board", "piece", "move", "end", "start", "begins", "endless", "misere"];
const BOARD: &[&str] =
    &["grid", "torus", "rhombus", "triangle", "hexagon", "dots", "edges", "diagonals", "holes", "zones"];
const PIECE: &[&str] = &["symbol", "name", "owner"];
const MOVE: &[&str] = &[
    "do",
    "by",
    "piece",
    "directions",
    "onto",
    "over",
    "takes",
    "repeat",
    "hand",
    "beside",
    "apart",
    "from",
    "to",
    "becomes",
    "in",
    "again",
    "when",
];
const END: &[&str] = &["if", "of", "length", "directions", "zone", "zones", "count", "winner"];
const PLAYERS: [(&str, Player); 2] = [("first", Player::FIRST), ("second", Player::SECOND)];
/// The most rules and ends of a file.
const MOST: usize = 32;

impl Description {
    /// Whether a file is a description: it has a board and names no family.
    pub fn is_one(text: &str) -> bool {
        DeTable::parse(text).is_ok_and(|table| {
            let has = |key: &str| table.get_ref().keys().any(|name| name.get_ref() == key);
            has("board") && !has("family")
        })
    }

    /// Reads a file.
    pub fn read(text: &str) -> Result<Description, FileError> {
        let table = DeTable::parse(text)
            .map_err(|error| fault(text, error.span().map_or(0, |span| span.start), error.message()))?;
        let file = Section::new(text, table.get_ref(), 0, "a description");
        file.check_keys(TOP)?;
        let title = file.optional("title", |value| {
            let title = text_of(value)?;
            let plain = !title.contains(char::is_control);
            if plain { Ok(title) } else { Err((value.span(), "expected a single line".to_owned())) }
        })?;
        let board = match file.table("board", "the board")? {
            Some(section) => board(&section)?,
            None => return Err(file.wrong("board", "a description has a [board]")),
        };
        let kinds = kinds(&file)?;
        let reader = Reader { board: &board, kinds: &kinds };
        let moves = file.tables("move", "a move")?;
        let rules = moves.iter().map(|section| reader.rule(section)).collect::<Result<Vec<_>, _>>()?;
        let ends = file.tables("end", "an end")?;
        let ends = ends.iter().map(|section| reader.end(section)).collect::<Result<Vec<_>, _>>()?;
        if rules.is_empty() {
            return Err(file.wrong("move", "a description has at least one [[move]]"));
        }
        if rules.len() > MOST || ends.len() > MOST {
            return Err(
                file.wrong("move", format!("a description has at most {MOST} moves and as many ends"))
            );
        }
        let men = reader.start(&file)?;
        let hand = hand(&moves)?;
        let begins = file.word("begins", &["first", "second"])?.map_or(Player::FIRST, player);
        let endless = match file.word("endless", &["draw", "first", "second"])? {
            None | Some("draw") => Outcome::DRAW,
            Some(name) => Outcome::win(player(name)),
        };
        let misere = file.flag("misere")?;
        let game = compile(board, kinds, rules, ends, men, hand, begins, endless)
            .map_err(|reason| file.wrong("move", reason))?;
        Ok(Description { title, misere, game })
    }
}

fn player(name: &str) -> Player {
    PLAYERS.iter().find(|(known, _)| *known == name).map_or(Player::FIRST, |&(_, player)| player)
}

/// The pieces that each player has in hand.
fn hand(moves: &[Section<'_, '_>]) -> Result<u8, FileError> {
    let mut found = None;
    for section in moves {
        if let Some(hand) = section.number("hand", 1..=CELLS)? {
            if found.is_some_and(|other| other != hand) {
                return Err(section
                    .wrong("hand", "hand: all rules that place from the hand share it; give one number"));
            }
            found = Some(hand);
        }
    }
    Ok(found.unwrap_or(0) as u8)
}

fn board(section: &Section<'_, '_>) -> Result<Board, FileError> {
    section.check_keys(BOARD)?;
    let shapes = &BOARD[..7];
    let given: Vec<&str> = shapes.iter().copied().filter(|shape| section.get(shape).is_some()).collect();
    let [shape] = given[..] else {
        let reason = format!("a board has exactly one of {}", shapes.join(", "));
        return Err(section.wrong(given.get(1).unwrap_or(&""), reason));
    };
    let diagonals = match section.word("diagonals", &["no", "yes", "even", "odd"])? {
        None | Some("no") => Diagonals::No,
        Some("yes") => Diagonals::Yes,
        Some("even") => Diagonals::Even,
        Some(_) => Diagonals::Odd,
    };
    if diagonals != Diagonals::No && !matches!(shape, "grid" | "torus") {
        return Err(section.wrong("diagonals", "only a grid or a torus has diagonals"));
    }
    let too_large = |cells: usize| {
        section.wrong(shape, format!("{shape}: a board has at most {CELLS} cells, this one has {cells}"))
    };
    let side = |most| section.number(shape, 1..=most).map(|side| side.unwrap_or(1));
    let mut board = match shape {
        "grid" | "torus" => {
            let (rows, cols) = section.size(shape, 1..=CELLS)?;
            if rows * cols > 4 * CELLS {
                return Err(too_large(rows * cols));
            }
            let holes = holes(section, rows, cols)?;
            let cells = rows * cols - holes.len();
            if cells > CELLS || cells == 0 {
                return Err(too_large(cells));
            }
            Board::grid(rows, cols, shape == "torus", diagonals, &|row, col| holes.contains(&(row, col)))
        }
        "rhombus" => {
            let (rows, cols) = section.size(shape, 1..=CELLS)?;
            if rows * cols > CELLS {
                return Err(too_large(rows * cols));
            }
            Board::rhombus(rows, cols)
        }
        "triangle" => Board::triangle(side(10)?),
        "hexagon" => Board::hexagon(side(5)?),
        "dots" => {
            let (rows, cols) = section.size(shape, 1..=CELLS)?;
            let lines = rows * (cols + 1) + cols * (rows + 1);
            if lines > CELLS {
                return Err(too_large(lines));
            }
            Board::dots(rows, cols)
        }
        _ => graph(section)?,
    };
    if section.get("holes").is_some() && !matches!(shape, "grid" | "torus") {
        return Err(section.wrong("holes", "only a grid or a torus has holes"));
    }
    if let Some(zones) = section.table("zones", "the zones")? {
        for (name, value) in zones.entries() {
            let cells = zones.optional(name, |value| each(value, text_of))?.unwrap_or_default();
            let unknown = |cell: &String| {
                fault(zones.text, value.span().start, format!("{name}: there is no cell '{cell}'"))
            };
            let set = cells.iter().try_fold(0, |set, cell| {
                board.cell(cell).map(|cell| set | 1u64 << cell).ok_or_else(|| unknown(cell))
            })?;
            if set == 0 || name.is_empty() {
                return Err(fault(zones.text, value.span().start, "a zone has a name and at least one cell"));
            }
            board.zones.retain(|(other, _)| other != name);
            board.zones.push((name.to_owned(), set));
        }
    }
    Ok(board)
}

/// The coordinates of the cells that are missing.
fn holes(section: &Section<'_, '_>, rows: usize, cols: usize) -> Result<Vec<(usize, usize)>, FileError> {
    let mut holes = Vec::new();
    for name in section.texts("holes")?.unwrap_or_default() {
        let places = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let named = |&(row, col): &(usize, usize)| {
            name == format!("{}{}", delphic_game::grid::column_name(col), rows - row)
        };
        let place = places.into_iter().find(named);
        let place =
            place.ok_or_else(|| section.wrong("holes", format!("holes: there is no cell '{name}'")))?;
        if !holes.contains(&place) {
            holes.push(place);
        }
    }
    Ok(holes)
}

/// A graph by its edges, each `a-b`. Points are numbered as they appear.
fn graph(section: &Section<'_, '_>) -> Result<Board, FileError> {
    let texts = section.texts("edges")?.unwrap_or_default();
    let (mut names, mut edges): (Vec<String>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    for text in &texts {
        let wrong = |reason: &str| section.wrong("edges", format!("edges: '{text}' {reason}"));
        let Some((a, b)) = text.split_once('-') else {
            return Err(wrong("is not an edge such as a-b"));
        };
        let plain =
            |name: &str| (1..=8).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric());
        if !plain(a) || !plain(b) || a == b || [a, b].contains(&"pass") {
            return Err(wrong("does not join two points with names of letters and digits"));
        }
        let mut number = |name: &str| {
            names.iter().position(|other| other == name).unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            })
        };
        edges.push((number(a), number(b)));
        if names.len() > CELLS {
            return Err(wrong(&format!("is one point too many: at most {CELLS}")));
        }
    }
    if edges.is_empty() {
        return Err(section.wrong("edges", "edges: expected at least one edge such as \"a-b\""));
    }
    Ok(Board::graph(names, &edges))
}

fn kinds(file: &Section<'_, '_>) -> Result<Vec<Kind>, FileError> {
    let mut kinds: Vec<Kind> = Vec::new();
    for section in file.tables("piece", "a piece")? {
        section.check_keys(PIECE)?;
        let symbol = section.required("symbol", |value| {
            let text = text_of(value)?;
            let mut letters = text.chars();
            match (letters.next(), letters.next()) {
                (Some(letter), None) if letter.is_ascii_alphabetic() => Ok(letter),
                _ => Err((value.span(), "expected one letter".to_owned())),
            }
        })?;
        if kinds.iter().any(|kind| kind.symbol == symbol) {
            return Err(section.wrong("symbol", format!("symbol: there are two pieces '{symbol}'")));
        }
        let owner = match section.word("owner", &["first", "second", "both"])? {
            None | Some("both") => None,
            Some(name) => Some(player(name)),
        };
        let name = section.optional("name", text_of)?.unwrap_or_else(|| symbol.to_string());
        kinds.push(Kind { symbol, name, owner });
        if kinds.len() > KINDS {
            return Err(section.wrong("symbol", format!("a game has at most {KINDS} kinds of pieces")));
        }
    }
    if kinds.is_empty() {
        let plain = |symbol: char, owner| Kind { symbol, name: symbol.to_string(), owner: Some(owner) };
        kinds = vec![plain('X', Player::FIRST), plain('O', Player::SECOND)];
    }
    Ok(kinds)
}

/// Resolves names of pieces, directions and zones.
struct Reader<'a> {
    board: &'a Board,
    kinds: &'a [Kind],
}

impl Reader<'_> {
    fn kind(&self, symbol: &str) -> Option<usize> {
        self.kinds.iter().position(|kind| symbol.chars().eq([kind.symbol]))
    }

    /// The words `empty`, `own`, `enemy`, `shared`, `any` and symbols of pieces.
    fn targets(&self, section: &Section<'_, '_>, key: &str) -> Result<Option<Targets>, FileError> {
        let Some(words) = section.texts(key)? else { return Ok(None) };
        let mut targets = Targets { empty: false, ..Targets::EMPTY };
        for word in &words {
            match word.as_str() {
                "empty" => targets.empty = true,
                "own" => targets.own = true,
                "enemy" => targets.enemy = true,
                "shared" => targets.shared = true,
                "any" => (targets.own, targets.enemy, targets.shared) = (true, true, true),
                other => match self.kind(other) {
                    Some(kind) => targets.kinds |= 1 << kind,
                    None => {
                        let symbols: String =
                            self.kinds.iter().map(|kind| format!(", {}", kind.symbol)).collect();
                        let expected = format!("expected empty, own, enemy, shared, any{symbols}");
                        return Err(section.wrong(key, format!("{key}: '{other}' is unknown; {expected}")));
                    }
                },
            }
        }
        Ok(Some(targets))
    }

    fn directions(&self, section: &Section<'_, '_>) -> Result<Vec<Direction>, FileError> {
        let Some(names) = section.texts("directions")? else { return Ok(self.board.directions.clone()) };
        if self.board.shape == Shape::Graph {
            return Err(section.wrong("directions", "a graph has no directions, only neighbours"));
        }
        let named = |name: &String| {
            self.board.direction(name).ok_or_else(|| {
                let known: Vec<&str> =
                    self.board.directions.iter().map(|direction| direction.name.as_str()).collect();
                let leaps = if known.contains(&"n") { ", or a leap such as nne" } else { "" };
                let expected = format!("expected one of {}{leaps}", known.join(", "));
                section.wrong("directions", format!("directions: '{name}' is unknown here; {expected}"))
            })
        };
        names.iter().map(named).collect()
    }

    /// A zone by name, or cells by name.
    fn zone(&self, section: &Section<'_, '_>, key: &str) -> Result<Option<u64>, FileError> {
        let Some(names) = section.texts(key)? else { return Ok(None) };
        let named = |name: &String| {
            let cell = || self.board.cell(name).map(|cell| 1 << cell);
            self.board.zone(name).or_else(cell).ok_or_else(|| {
                let zones: Vec<&str> = self.board.zones.iter().map(|(name, _)| name.as_str()).collect();
                let expected = format!("expected a cell or one of {}", zones.join(", "));
                section.wrong(key, format!("{key}: there is no '{name}' on this board; {expected}"))
            })
        };
        let sets = names.iter().map(named).collect::<Result<Vec<u64>, _>>()?;
        Ok(Some(sets.into_iter().fold(0, |set, more| set | more)))
    }

    fn rule(&self, section: &Section<'_, '_>) -> Result<Rule, FileError> {
        section.check_keys(MOVE)?;
        const ACTS: [&str; 8] = ["place", "pair", "step", "slide", "hop", "push", "leave", "pass"];
        let act = section.required("do", |value| crate::game_file::word(value, &ACTS))?;
        let applies: &[&str] = match act {
            "place" => &["hand", "beside", "apart"],
            "pair" => &["directions"],
            "step" | "slide" => &["directions", "onto"],
            "hop" => &["directions", "over", "takes", "repeat"],
            "push" => &["directions", "over"],
            _ => &[],
        };
        let special = ["hand", "beside", "apart", "directions", "onto", "over", "takes", "repeat"];
        if let Some(key) = special.iter().find(|key| section.get(key).is_some() && !applies.contains(key)) {
            return Err(section.wrong(key, format!("{key}: a move that does '{act}' has no such property")));
        }
        let by = match section.word("by", &["first", "second", "both"])? {
            None | Some("both") => [true; 2],
            Some(name) => [name == "first", name == "second"],
        };
        let kinds = match section.texts("piece")? {
            None => (1u8 << self.kinds.len()) - 1,
            Some(symbols) => symbols.iter().try_fold(0, |set, symbol| {
                let unknown = || section.wrong("piece", format!("piece: there is no piece '{symbol}'"));
                self.kind(symbol).map(|kind| set | 1 << kind).ok_or_else(unknown)
            })?,
        };
        let directions = self.directions(section)?;
        let rays = |most| rays(self.board, &directions, most);
        let straight = || {
            if self.board.shape == Shape::Graph {
                return Err(
                    section.wrong("do", format!("do: a graph has no straight lines, so nothing can {act}"))
                );
            }
            Ok(())
        };
        let act = match act {
            "place" => Act::Place {
                hand: section.get("hand").is_some(),
                beside: self.targets(section, "beside")?,
                apart: self.targets(section, "apart")?,
            },
            "pair" => Act::Pair { partners: partners(&reach(self.board, &directions)) },
            "step" => {
                let onto = self.targets(section, "onto")?.unwrap_or(Targets::EMPTY);
                Act::Step { reach: reach(self.board, &directions), onto }
            }
            "slide" => {
                straight()?;
                Act::Slide {
                    rays: rays(CELLS),
                    onto: self.targets(section, "onto")?.unwrap_or(Targets::EMPTY),
                }
            }
            "hop" => {
                straight()?;
                let over = self.targets(section, "over")?.unwrap_or(Targets::ENEMY);
                let repeat = section.flag("repeat")?;
                let rays = rays(if repeat { CELLS } else { 2 });
                let landings = |ray: &Vec<u8>| ray.iter().skip(1).step_by(2).copied().collect::<Vec<u8>>();
                self.unambiguous(section, &rays, &landings)?;
                Act::Hop { rays, over, takes: section.flag("takes")?, repeat }
            }
            "push" => {
                straight()?;
                let any = Targets { own: true, enemy: true, shared: true, empty: false, kinds: 0 };
                let over = self.targets(section, "over")?.unwrap_or(any);
                let rays = rays(2);
                self.unambiguous(section, &rays, &|ray: &Vec<u8>| {
                    ray.first().copied().into_iter().collect()
                })?;
                Act::Push { rays, over }
            }
            "leave" => Act::Leave,
            _ => Act::Pass,
        };
        let becomes = match (section.optional("becomes", text_of)?, self.zone(section, "in")?) {
            (None, None) => None,
            (None, Some(_)) => {
                return Err(
                    section.wrong("in", "in: says where a piece becomes another; 'becomes' is missing")
                );
            }
            (Some(symbol), zone) => {
                let unknown = || section.wrong("becomes", format!("becomes: there is no piece '{symbol}'"));
                if matches!(act, Act::Place { .. } | Act::Pair { .. } | Act::Leave | Act::Pass) {
                    return Err(
                        section.wrong("becomes", "becomes: only a piece that moves can become another")
                    );
                }
                Some((self.kind(&symbol).ok_or_else(unknown)? as u8, zone.unwrap_or(u64::MAX)))
            }
        };
        let again = match section.word("again", &["never", "always", "takes", "fills"])? {
            None | Some("never") => Again::Never,
            Some("always") => Again::Always,
            Some("takes") => Again::Takes,
            Some(_) => Again::Fills,
        };
        if again == Again::Fills && self.board.regions.is_empty() {
            return Err(section.wrong("again", "again: this board has no regions to fill; dots = [2, 2] has"));
        }
        let after_placing = section.word("when", &["always", "placed"])? == Some("placed");
        let zone = |key| self.zone(section, key).map(|zone| zone.unwrap_or(u64::MAX));
        Ok(Rule {
            by,
            kinds,
            act,
            from: zone("from")?,
            to: zone("to")?,
            becomes,
            again,
            after_placing,
            shifts: Vec::new(),
        })
    }

    /// On a small torus two ways may lead to the same cell; then a move would have two meanings.
    fn unambiguous(
        &self,
        section: &Section<'_, '_>,
        rays: &[Vec<Vec<u8>>],
        cells: &dyn Fn(&Vec<u8>) -> Vec<u8>,
    ) -> Result<(), FileError> {
        for from in rays {
            let mut met: Vec<u8> = from.iter().flat_map(cells).collect();
            let count = met.len();
            met.sort_unstable();
            met.dedup();
            if met.len() < count {
                return Err(section.wrong("directions", "two ways lead to the same cell of this board"));
            }
        }
        Ok(())
    }

    fn end(&self, section: &Section<'_, '_>) -> Result<End, FileError> {
        section.check_keys(END)?;
        const TESTS: [&str; 7] = ["line", "reach", "connect", "gone", "surrounded", "full", "stuck"];
        let test = section.required("if", |value| crate::game_file::word(value, &TESTS))?;
        let applies: &[&str] = match test {
            "line" => &["of", "length", "directions"],
            "reach" => &["of", "zone", "count"],
            "connect" => &["of", "zones"],
            "gone" | "surrounded" => &["of"],
            _ => &[],
        };
        let special = &END[1..7];
        if let Some(key) = special.iter().find(|key| section.get(key).is_some() && !applies.contains(key)) {
            return Err(section.wrong(key, format!("{key}: an end by '{test}' has no such property")));
        }
        let default = if test == "gone" { Targets::ENEMY } else { Targets::OWN };
        let of = self.targets(section, "of")?.unwrap_or(default);
        if of.empty {
            return Err(section.wrong("of", "of: expected pieces, not empty cells"));
        }
        let missing = |key: &str| section.wrong(key, format!("an end by '{test}' needs a value for '{key}'"));
        let test = match test {
            "line" => {
                if self.board.shape == Shape::Graph {
                    return Err(section.wrong("if", "if: a graph has no straight lines"));
                }
                let length = section.number("length", 2..=CELLS)?.ok_or_else(|| missing("length"))?;
                let lines = self.board.lines(length, &self.directions(section)?);
                let through = |cell| lines.iter().copied().filter(|line| line >> cell & 1 == 1).collect();
                Test::Line { length, of, through: (0..self.board.cells).map(through).collect() }
            }
            "reach" => {
                let zone = self.zone(section, "zone")?.ok_or_else(|| missing("zone"))?;
                Test::Reach { of, zone, count: section.number("count", 1..=CELLS)?.unwrap_or(1) as u32 }
            }
            "connect" => {
                let names = section.texts("zones")?.ok_or_else(|| missing("zones"))?;
                let set = |name: &String| {
                    let unknown =
                        || section.wrong("zones", format!("zones: there is no '{name}' on this board"));
                    self.board.zone(name).ok_or_else(unknown)
                };
                let sets = names.iter().map(set).collect::<Result<Vec<u64>, _>>()?;
                let Ok(ends) = <[u64; 2]>::try_from(sets) else {
                    return Err(section.wrong("zones", "zones: expected two of them"));
                };
                Test::Connect { of, ends }
            }
            "gone" => Test::Gone { of },
            "surrounded" => Test::Surrounded { of },
            "full" => Test::Full,
            _ => Test::Stuck,
        };
        let winner = match section.word("winner", &["last", "next", "first", "second", "nobody", "most"])? {
            None | Some("last") => Winner::Last,
            Some("next") => Winner::Next,
            Some("nobody") => Winner::Nobody,
            Some("most") => Winner::Most,
            Some(name) => Winner::Always(player(name)),
        };
        Ok(End { test, winner })
    }

    /// The pieces on the board at the start: rows from the top, as positions are written.
    fn start(&self, file: &Section<'_, '_>) -> Result<[u64; KINDS], FileError> {
        let Some(rows) = file.texts("start")? else { return Ok([0; KINDS]) };
        super::text::read_rows(self.board, self.kinds, &rows)
            .map_err(|reason| file.wrong("start", format!("start: {reason}")))
    }
}

/// The cells that a step in one of the directions leads to, from every cell.
fn reach(board: &Board, directions: &[Direction]) -> Vec<u64> {
    let from = |cell: usize| {
        directions.iter().filter_map(|direction| direction.to[cell]).fold(0u64, |set, to| set | 1 << to)
    };
    (0..board.cells).map(from).collect()
}

/// Every pair of cells once, under the smaller one.
fn partners(reach: &[u64]) -> Vec<u64> {
    let mut partners = vec![0u64; reach.len()];
    for (cell, &set) in reach.iter().enumerate() {
        for other in (0..reach.len()).filter(|other| set >> other & 1 == 1) {
            partners[cell.min(other)] |= 1 << cell.max(other);
        }
    }
    partners
}

/// The ways of at most `most` cells in every direction from every cell. On a torus a way ends before it comes back.
fn rays(board: &Board, directions: &[Direction], most: usize) -> Vec<Vec<Vec<u8>>> {
    let ray = |direction: &Direction, from: usize| {
        let (mut ray, mut cell) = (Vec::new(), from);
        while let Some(next) =
            direction.to[cell].filter(|&next| usize::from(next) != from && ray.len() < most)
        {
            if ray.contains(&next) {
                break;
            }
            ray.push(next);
            cell = usize::from(next);
        }
        ray
    };
    let from = |cell: usize| -> Vec<Vec<u8>> {
        directions.iter().map(|direction| ray(direction, cell)).filter(|ray| !ray.is_empty()).collect()
    };
    (0..board.cells).map(from).collect()
}
