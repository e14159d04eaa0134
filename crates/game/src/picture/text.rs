//! Pictures as text.
//!
//! A cell takes as many columns as the widest thing on the board and one more; a left-hand coordinate stands one column
//! further away. Where rows lie further apart than one cell, there is an empty line.

use super::{Mark, Picture, STONES, Spot, Tiling};

/// Codes of the colours of the players: red, blue, green.
const PLAYERS: [&str; 3] = ["1;31", "1;34", "1;32"];
const FAINT: &str = "2";
const NEUTRAL: &str = "33";
/// Added for what the last move changed: dark on light.
const CHANGED: &str = ";7";

pub(super) fn draw(picture: &Picture, coloured: bool) -> String {
    let mut lines = board(picture, coloured);
    lines.extend(picture.notes.iter().cloned());
    lines.join("\n")
}

fn board(picture: &Picture, coloured: bool) -> Vec<String> {
    let pitch = pitch(picture);
    let mut spots: Vec<&Spot> = picture.spots.iter().collect();
    spots.sort_by_key(|spot| (spot.y, spot.x));
    let rows: Vec<&[&Spot]> = spots.chunk_by(|a, b| a.y == b.y).collect();
    // Where each text ends, counted from the left edge of the picture.
    let end = |row: &[&Spot], i: usize| {
        let inscribed = |i: usize| row.get(i).is_some_and(|spot| matches!(spot.mark, Mark::Label(_)));
        let aside = i == 0 && inscribed(0) && !inscribed(1);
        row[i].x * pitch / 2 - i32::from(aside)
    };
    let width = |spot: &Spot| glyph(&spot.mark).chars().count() as i32;
    let left = rows.iter().flat_map(|row| (0..row.len()).map(|i| end(row, i) + 1 - width(row[i])));
    let left = left.min().unwrap_or(0);
    let mut lines = Vec::new();
    let mut above = None;
    for row in rows {
        if above.is_some_and(|y| row[0].y - y > 2) {
            lines.push(String::new());
        }
        above = Some(row[0].y);
        let (mut line, mut at) = (String::new(), left);
        for (i, spot) in row.iter().enumerate() {
            let text = glyph(&spot.mark);
            if text.is_empty() {
                continue;
            }
            let start = end(row, i) + 1 - width(spot);
            line += &" ".repeat((start - at).max(0) as usize);
            at = start.max(at) + width(spot);
            line += &if coloured { paint(spot, &text) } else { text };
        }
        lines.push(line);
    }
    lines
}

/// Columns per cell; an even number where half cells count.
fn pitch(picture: &Picture) -> i32 {
    let widest = picture.spots.iter().map(|spot| glyph(&spot.mark).chars().count()).max();
    let pitch = widest.unwrap_or(1).max(1) as i32 + 1;
    if picture.tiling == Tiling::Hexagons { pitch + pitch % 2 } else { pitch }
}

fn glyph(mark: &Mark) -> String {
    match mark {
        Mark::Empty => ".".to_owned(),
        Mark::Stone(player) => STONES[player.index() % STONES.len()].to_string(),
        Mark::Block => "#".to_owned(),
        Mark::Token => "●".to_owned(),
        Mark::Seeds(seeds) => seeds.to_string(),
        Mark::Man(_, text) | Mark::Label(text) => text.clone(),
    }
}

fn paint(spot: &Spot, text: &str) -> String {
    let of = |seat: usize| PLAYERS[seat % PLAYERS.len()];
    let code = match (&spot.mark, spot.owner) {
        (Mark::Stone(player) | Mark::Man(player, _), _) => of(player.index()),
        (Mark::Empty | Mark::Label(_), Some(owner)) => of(owner.index()),
        (Mark::Empty | Mark::Label(_), None) => FAINT,
        (Mark::Block | Mark::Token | Mark::Seeds(_), _) => NEUTRAL,
    };
    let changed = if spot.changed { CHANGED } else { "" };
    format!("\u{1b}[{code}{changed}m{text}\u{1b}[0m")
}
