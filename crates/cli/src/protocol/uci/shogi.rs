//! Moves and positions of minishogi as shogi programs write them (USI): files from the right, ranks as letters
//! from the top.

use super::chess::unfold;

/// Rows and columns.
const SIDE: u8 = 5;

/// Our letters of promoted pieces.
const PROMOTED: [(char, char); 4] = [('S', 'N'), ('B', 'H'), ('R', 'D'), ('P', 'T')];

/// A move's name in the protocol: `d1-c2` is 2e3d, `a4-a5+` is 5b5a+, `P@c3` is P*3c. Other texts stay as they are.
pub(crate) fn name(mv: &str) -> String {
    let plain = mv.strip_suffix('+').unwrap_or(mv);
    let translated = match (plain.split_once('-'), plain.split_once('@')) {
        (Some((from, to)), _) => square(from).zip(square(to)).map(|(from, to)| from + &to),
        (_, Some((piece, to))) => square(to).map(|to| format!("{piece}*{to}")),
        _ => None,
    };
    match translated {
        Some(name) => name + &mv[plain.len()..],
        None => mv.to_owned(),
    }
}

fn square(ours: &str) -> Option<String> {
    let [column, row] = *ours.as_bytes() else { return None };
    let column = column.checked_sub(b'a').filter(|&column| column < SIDE)?;
    let row = row.checked_sub(b'1').filter(|&row| row < SIDE)?;
    Some(format!("{}{}", SIDE - column, char::from(b'a' + SIDE - 1 - row)))
}

/// The position that `rbsgk/4p/5/P4/KGSBR b - 1` describes, in our notation: black, who moves first, has our capitals.
pub(crate) fn reading(sfen: &str) -> Option<String> {
    let (board, side, hands, number) = match sfen.split(' ').collect::<Vec<_>>()[..] {
        [board, side, hands] => (board, side, hands, "1"),
        [board, side, hands, number] => (board, side, hands, number),
        _ => return None,
    };
    let turn = match side {
        "b" => 'w',
        "w" => 'b',
        _ => return None,
    };
    let plies = number.parse::<u32>().ok()?.saturating_sub(1);
    Some(format!("{} {} {turn}@{plies}", pieces(board), both_hands(hands)))
}

/// The same in the words of chess programs, `rbsgk/4p/5/P4/KGSBR[-] w - - 0 1`, where white moves first.
pub(crate) fn chess_reading(fen: &str) -> Option<String> {
    let [board, side, .., number] = fen.split(' ').collect::<Vec<_>>()[..] else { return None };
    let (board, hands) = board.strip_suffix(']')?.split_once('[')?;
    let moves = number.parse::<u32>().ok()?.saturating_sub(1);
    let plies = moves.saturating_mul(2).saturating_add(u32::from(side == "b"));
    Some(format!("{} {} {side}@{plies}", pieces(board), both_hands(hands)))
}

/// A board with our letters.
fn pieces(board: &str) -> String {
    let mut text = unfold(board);
    let small = |letter: char| letter.to_ascii_lowercase().to_string();
    for (plain, letter) in PROMOTED {
        text = text.replace(&format!("+{plain}"), &letter.to_string());
        text = text.replace(&format!("+{}", small(plain)), &small(letter));
    }
    text
}

/// `2Sb` is `[SS|b]`.
fn both_hands(hands: &str) -> String {
    let (mut first, mut second, mut count) = (String::new(), String::new(), None);
    for c in hands.chars().filter(|&c| c != '-') {
        if let Some(digit) = c.to_digit(10) {
            count = Some(digit as usize);
            continue;
        }
        let hand = if c.is_ascii_uppercase() { &mut first } else { &mut second };
        hand.extend(std::iter::repeat_n(c, count.take().unwrap_or(1)));
    }
    format!("[{first}|{second}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_as_shogi_engines_do() {
        for (ours, theirs) in
            [("d1-c2", "2e3d"), ("a4-a5+", "5b5a+"), ("P@c3", "P*3c"), ("e1-a5", "1e5a"), ("pass", "pass")]
        {
            assert_eq!(name(ours), theirs);
        }
    }

    #[test]
    fn positions_are_read() {
        let game = delphic_engine::game("minishogi").expect("a game");
        let start = reading("rbsgk/4p/5/P4/KGSBR b - 1");
        assert_eq!(start, game.position(None, None).ok().map(|start| start.write()));
        let hands = reading("r2gk/5/4p/+P4/KG1BR w 2Sb 8").expect("a position");
        assert_eq!(hands, "r..gk/...../....p/T..../KG.BR [SS|b] b@7");
        assert!(game.position(Some(&hands), None).is_ok());
        assert_eq!(chess_reading("r2gk/5/4p/+P4/KG1BR[SSb] b - - 0 4"), Some(hands));
        assert_eq!(chess_reading("rbsgk/4p/5/P4/KGSBR[-] w - - 0 1"), start);
        for wrong in ["", "rbsgk", "rbsgk/4p/5/P4/KGSBR x - 1", "rbsgk/4p/5/P4/KGSBR b - many"] {
            assert_eq!(reading(wrong), None);
        }
    }
}
