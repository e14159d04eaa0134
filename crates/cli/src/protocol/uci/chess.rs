//! Moves and positions as chess programs write them (UCI).

/// A move's name in the protocol: `e2-e4` is e2e4, `b5-b6=Q` is b5b6q, a pass is the null move. Drops and other
/// moves keep our name.
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

/// Readings of a position in our notation, the most likely first. Numbers stand for that many empty squares. Of
/// a Forsyth–Edwards record, with castlings, en passant, the plies without progress and the number of the move,
/// a game takes the fields that its own notation has.
pub(crate) fn readings(fen: &str) -> Vec<String> {
    let (board, rest) = fen.split_once(' ').unwrap_or((fen, ""));
    let board = unfold(board);
    let mut readings = vec![format!("{board} {rest}").trim_end().to_owned()];
    let [side, castlings, passed, idle, number] = rest.split(' ').collect::<Vec<_>>()[..] else {
        return readings;
    };
    let (Ok(idle), Ok(number)) = (idle.parse::<u32>(), number.parse::<u32>()) else { return readings };
    let plies = number.saturating_sub(1).saturating_mul(2).saturating_add(u32::from(side == "b"));
    readings.extend([
        format!("{board} {side} {castlings} {passed} 0@{plies}"),
        format!("{board} {side} {castlings} {passed} {plies}"),
        format!("{board} {side} {}", LOS_ALAMOS_PATIENCE.saturating_sub(idle)),
    ]);
    readings
}

/// Plies without progress that make a draw in Los Alamos chess, at the start.
const LOS_ALAMOS_PATIENCE: u32 = 102;

/// A board in which no numbers stand for empty squares.
pub(crate) fn unfold(board: &str) -> String {
    let mut text = String::new();
    for c in board.chars() {
        match c.to_digit(10) {
            Some(empty) => text.extend(std::iter::repeat_n('.', empty as usize)),
            None => text.push(c),
        }
    }
    text
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
    fn records_of_other_programs_are_understood() {
        for (game, fen, ours) in [
            (
                "los-alamos",
                "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 2 3",
                "rnqknr/pppppp/....../....../PPPPPP/RNQKNR w 100",
            ),
            (
                "los-alamos",
                "rnqknr/pppppp/6/6/PPPPPP/RNQKNR b 7",
                "rnqknr/pppppp/....../....../PPPPPP/RNQKNR b 7",
            ),
            (
                "reach-chess",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                "rnbqkbnr/pppppppp/......../......../....P.../......../PPPP.PPP/RNBQKBNR b KQkq e3 0@1",
            ),
        ] {
            let game = delphic_engine::game(game).expect("a game");
            let read = readings(fen).iter().find_map(|text| game.position(Some(text), None).ok());
            assert_eq!(read.map(|position| position.write()).as_deref(), Some(ours));
        }
    }
}
