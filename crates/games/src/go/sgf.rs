//! Game records: a small sound part of SGF (FF[4]).
//!
//! Read are the size (`SZ`), stones set up (`AB`, `AW`, `AE`, with rectangles `aa:cc`), who moves (`PL`), moves (`B`, `W`) and the marked
//! point (`MA`, `TR`, `CR` or `SQ`), along the main line: the first variation everywhere. Everything else is skipped, but must be well formed.

use super::board::LARGEST;
use super::{Board, IllegalMove, Ko, Points, Position};
use delphic_game::{Player, bits::Bits};
use std::sync::Arc;
use thiserror::Error;

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SgfError {
    /// The text is not SGF.
    #[error("malformed SGF at byte {at}: expected {expected}")]
    Syntax {
        /// Where, from 0.
        at: usize,
        /// What should have stood there.
        expected: &'static str,
    },
    /// A property with an impossible value.
    #[error("SGF: {property}[{value}] is impossible: {reason}")]
    Value {
        /// The property.
        property: String,
        /// Its value.
        value: String,
        /// Why.
        reason: &'static str,
    },
    /// A move that the rules forbid.
    #[error("SGF: move {number} is illegal: {reason}")]
    Move {
        /// Counted from 1.
        number: usize,
        /// Why.
        reason: IllegalMove,
    },
}

/// A record: stones to begin with, who moves first, and moves. `None` is a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Lines of the board.
    pub size: usize,
    /// The stones set up.
    pub stones: [Points; 2],
    /// The player to move after the set-up.
    pub turn: Player,
    /// The moves, each with its player.
    pub moves: Vec<(Player, Option<usize>)>,
    /// The last point marked.
    pub marked: Option<usize>,
}

impl Record {
    /// Reads a record.
    pub fn read(text: &str) -> Result<Record, SgfError> {
        let mut record = Record {
            size: LARGEST,
            stones: [Points::EMPTY; 2],
            turn: Player::FIRST,
            moves: Vec::new(),
            marked: None,
        };
        let properties = main_line(text)?;
        if let Some((name, value)) = properties.iter().find(|(name, _)| name == "SZ") {
            let size = value.trim().parse().ok().filter(|size| (1..=LARGEST).contains(size));
            record.size =
                size.ok_or_else(|| wrong(name, value, "a board has 1 to 19 lines, as many as columns"))?;
        }
        let board = Board::new(record.size);
        for (name, value) in &properties {
            let point =
                || read_point(&board, value).ok_or_else(|| wrong(name, value, "no point of the board"));
            match name.as_str() {
                "AB" | "AW" | "AE" if !record.moves.is_empty() => {
                    return Err(wrong(name, value, "stones are set up before the first move"));
                }
                "AB" => record.set(&board, name, value, Some(Player::FIRST))?,
                "AW" => record.set(&board, name, value, Some(Player::SECOND))?,
                "AE" => record.set(&board, name, value, None)?,
                "PL" => {
                    record.turn = match value.trim() {
                        "B" | "b" => Player::FIRST,
                        "W" | "w" => Player::SECOND,
                        _ => return Err(wrong(name, value, "expected B or W")),
                    }
                }
                "B" | "W" => {
                    let who = if name == "B" { Player::FIRST } else { Player::SECOND };
                    // `tt` is a pass on boards where it is no point.
                    let pass = value.is_empty() || (value == "tt" && record.size <= 19);
                    record.moves.push((who, if pass { None } else { Some(point()?) }));
                }
                "MA" | "TR" | "CR" | "SQ" => record.marked = Some(point()?),
                _ => {}
            }
        }
        Ok(record)
    }

    fn set(&mut self, board: &Board, name: &str, value: &str, who: Option<Player>) -> Result<(), SgfError> {
        let (from, to) = value.split_once(':').unwrap_or((value, value));
        let corner = |text| read_point(board, text).map(|point| board.place(point));
        let (Some((top, left)), Some((bottom, right))) = (corner(from), corner(to)) else {
            return Err(wrong(name, value, "no point of the board"));
        };
        for row in top..=bottom {
            for col in left..=right {
                let point = Points::single(board.point(row, col));
                self.stones = self.stones.map(|stones| stones.without(point));
                if let Some(who) = who {
                    self.stones[who.index()] |= point;
                }
            }
        }
        Ok(())
    }

    /// Plays the moves under a ko rule: the position at the end.
    pub fn replay(&self, rule: Ko) -> Result<Position, SgfError> {
        let mut position = Position::set_up(Arc::new(Board::new(self.size)), rule, self.stones, self.turn);
        for (number, &(who, point)) in self.moves.iter().enumerate() {
            if position.turn() != who {
                position.set_turn(who);
            }
            match point {
                None => position.pass(),
                Some(point) => {
                    let illegal = |reason| SgfError::Move { number: number + 1, reason };
                    position.play(point).map_err(illegal)?;
                }
            }
        }
        Ok(position)
    }

    /// The record as text that [`Record::read`] turns back into an equal one.
    pub fn write(&self) -> String {
        let board = Board::new(self.size);
        let mut text = format!("(;FF[4]GM[1]SZ[{}]", self.size);
        for (name, stones) in ["AB", "AW"].into_iter().zip(self.stones) {
            if !stones.is_empty() {
                text += name;
            }
            for point in stones.cells() {
                text += &format!("[{}]", write_point(&board, point));
            }
        }
        text += if self.turn == Player::FIRST { "PL[B]" } else { "PL[W]" };
        if let Some(point) = self.marked {
            text += &format!("TR[{}]", write_point(&board, point));
        }
        for &(who, point) in &self.moves {
            let name = if who == Player::FIRST { 'B' } else { 'W' };
            text +=
                &format!(";{name}[{}]", point.map_or_else(String::new, |point| write_point(&board, point)));
        }
        text + ")"
    }
}

fn wrong(property: &str, value: &str, reason: &'static str) -> SgfError {
    SgfError::Value { property: property.to_owned(), value: value.chars().take(40).collect(), reason }
}

/// Two letters: the column from the left, the row from the top.
fn read_point(board: &Board, text: &str) -> Option<usize> {
    let &[col, row] = text.trim().as_bytes() else { return None };
    let index = |letter: u8| letter.checked_sub(b'a').map(usize::from).filter(|&i| i < board.size());
    Some(board.point(index(row)?, index(col)?))
}

fn write_point(board: &Board, point: usize) -> String {
    let (row, col) = board.place(point);
    let letter = |i: usize| char::from(b'a' + i as u8);
    [letter(col), letter(row)].into_iter().collect()
}

/// The properties of the main line, one entry for each value. Variations after the first are walked over.
fn main_line(text: &str) -> Result<Vec<(String, String)>, SgfError> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let syntax = |at, expected| Err(SgfError::Syntax { at, expected });
    let mut found = Vec::new();
    // How many brackets are open, and from which depth on we are beside the main line: a second branch begins there.
    let (mut depth, mut beside, mut begun) = (0usize, None::<usize>, false);
    let mut closed_once = false;
    let mut name = String::new();
    while at < bytes.len() {
        match bytes[at] {
            byte if byte.is_ascii_whitespace() => {}
            b'(' => {
                if depth == 0 && begun {
                    break;
                }
                begun = true;
                depth += 1;
                if closed_once && beside.is_none() {
                    beside = Some(depth);
                }
                name.clear();
            }
            b')' if depth > 0 => {
                // Whatever opens after the first closing bracket is another branch.
                closed_once = true;
                if beside == Some(depth) {
                    beside = None;
                }
                depth -= 1;
                if depth == 0 {
                    return Ok(found);
                }
                name.clear();
            }
            byte if byte != b'(' && closed_once && beside.is_none() => {
                return syntax(at, "another variation or the end of the game");
            }
            b';' if depth > 0 => name.clear(),
            byte if byte.is_ascii_alphabetic() && depth > 0 => {
                let start = at;
                while at < bytes.len() && bytes[at].is_ascii_alphabetic() {
                    at += 1;
                }
                // Old records write `Black` for `B`: small letters do not count.
                name = text[start..at].chars().filter(char::is_ascii_uppercase).collect();
                while at < bytes.len() && bytes[at].is_ascii_whitespace() {
                    at += 1;
                }
                if name.is_empty() || bytes.get(at) != Some(&b'[') {
                    return syntax(at, "a property in capitals with a value in brackets");
                }
                continue;
            }
            b'[' if depth > 0 && !name.is_empty() => {
                let start = at + 1;
                let Some(end) = end_of_value(bytes, start) else {
                    return syntax(start, "a value that ends with ]");
                };
                if beside.is_none() {
                    found.push((name.clone(), text[start..end].to_owned()));
                }
                at = end;
            }
            _ if depth == 0 => return syntax(at, "an opening bracket"),
            _ => return syntax(at, "a node, a property or a bracket"),
        }
        at += 1;
    }
    syntax(at, if depth == 0 { "a game in brackets" } else { "a closing bracket" })
}

/// Where the value that starts here ends; a backslash protects what follows it.
fn end_of_value(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b']' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_main_line_is_read() {
        let text = "(;GM[1]SZ[5]C[a \\] bracket (;B[aa\\])]AB[aa][bb:cc]AE[cb]PL[W]TR[bb];W[dd](;B[ee](;W[]))(;B[ed];W[ab])(;B[da]))";
        let record = Record::read(text).unwrap();
        assert_eq!((record.size, record.turn), (5, Player::SECOND));
        assert_eq!(record.stones[0].count(), 4);
        assert_eq!(record.moves.len(), 3);
        assert_eq!(record.moves[1].1, Some(Board::new(5).point(4, 4)));
        assert_eq!(record.moves[2], (Player::SECOND, None));
        assert!(record.marked.is_some());
        assert_eq!(Record::read(&record.write()), Ok(record));
    }

    #[test]
    fn malformed_records_are_refused() {
        for bad in [
            "",
            "x",
            "(",
            "(;",
            "(;B[aa]",
            "(;B)",
            "(;B[aa)",
            "(;SZ[0])",
            "(;SZ[20])",
            "(;SZ[9:7])",
            "(;SZ[9]B[jj])",
            "(;AB[a])",
            "(;PL[X])",
            "(;B[aa];AB[bb])",
            "(;b[aa])",
            "(;[aa])",
            "(;C[\\",
            "(;AB[é])",
        ] {
            assert!(Record::read(bad).is_err(), "{bad}");
        }
        assert!(Record::read("(;SZ[3];B[aa];B[aa])").unwrap().replay(Ko::Simple).is_err());
    }

    proptest! {
        #[test]
        fn records_are_read_back(size in 1usize..=19, cells in prop::collection::vec((0usize..361, 0usize..2), 0..60), turn in 0usize..2,
            moves in prop::collection::vec((0usize..362, 0usize..2), 0..60), marked in prop::option::of(0usize..361)) {
            let board = Board::new(size);
            let point = |cell: usize| board.point(cell / 19 % size, cell % 19 % size);
            let mut stones = [Points::EMPTY; 2];
            for (cell, seat) in cells {
                let point = Points::single(point(cell));
                stones[1 - seat] = stones[1 - seat].without(point);
                stones[seat] |= point;
            }
            let moves = moves.into_iter().map(|(cell, seat)| (Player::new(seat), (cell < 361).then(|| point(cell)))).collect();
            let record = Record { size, stones, turn: Player::new(turn), moves, marked: marked.map(point) };
            prop_assert_eq!(Record::read(&record.write()), Ok(record));
        }

        #[test]
        fn no_text_crashes_the_reader(text in "[(;)\\[\\]A-Za-e:\\\\ é]{0,60}") {
            if let Ok(record) = Record::read(&text) {
                let _ = record.replay(Ko::Simple);
                prop_assert_eq!(Record::read(&record.write()), Ok(record));
            }
        }
    }
}
