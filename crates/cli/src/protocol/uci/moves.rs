//! The names of moves and positions between chess programs.

use delphic_engine::AnyPosition;

/// A move's name in the protocol: `e2-e4` is e2e4, `b5-b6=Q` is b5b6q, a pass is the null move. Drops and other moves keep our name.
pub(crate) fn name(mv: &str) -> String {
    if mv == "pass" {
        return "0000".to_owned();
    }
    let Some((from, rest)) = mv.split_once('-') else { return mv.to_owned() };
    let (to, promotion) = rest.split_once('=').unwrap_or((rest, ""));
    if starts_with_square(from) && starts_with_square(to) && !to.contains('/') {
        format!("{from}{to}{}", promotion.to_ascii_lowercase())
    } else {
        mv.to_owned()
    }
}

fn starts_with_square(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 2 && bytes[0].is_ascii_lowercase() && bytes[1].is_ascii_digit()
}

/// The legal move with this name, the protocol's or ours: its number and our name.
pub(crate) fn find(position: &dyn AnyPosition, word: &str) -> Option<(usize, String)> {
    let called = |mv: &String| mv == word || name(mv) == word;
    position.moves().into_iter().enumerate().find(|(_, mv)| called(mv))
}

/// A position in which numbers may stand for as many empty squares of the board.
pub(crate) fn unfold(fen: &str) -> String {
    let (board, rest) = fen.split_once(' ').unwrap_or((fen, ""));
    let mut text = String::new();
    for c in board.chars() {
        match c.to_digit(10) {
            Some(empty) => text.extend(std::iter::repeat_n('.', empty as usize)),
            None => text.push(c),
        }
    }
    if rest.is_empty() { text } else { format!("{text} {rest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_as_chess_engines_do() {
        for (ours, theirs) in [
            ("e2-e4", "e2e4"),
            ("b5-b6=Q", "b5b6q"),
            ("a4-a5+", "a4a5+"),
            ("P@c3", "P@c3"),
            ("pass", "0000"),
            ("propose-end", "propose-end"),
            ("a4-a1/c3", "a4-a1/c3"),
            ("a1+a2", "a1+a2"),
            ("4", "4"),
        ] {
            assert_eq!(name(ours), theirs);
        }
    }

    #[test]
    fn numbers_are_empty_squares_on_the_board_only() {
        assert_eq!(unfold("rnqknr/6/2P3/RNQKNR w 102"), "rnqknr/....../..P.../RNQKNR w 102");
        assert_eq!(unfold("8"), "........");
    }
}
