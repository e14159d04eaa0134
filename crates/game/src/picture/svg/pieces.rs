//! Stones, signs and men. Chessmen are drawn around the middle of a cell, which is 40 wide.

use super::{INK, STONES, Spot, Style, text};
use crate::Player;

/// The colour of what has won.
const WINNING: &str = "#f2b705";
/// The men of the two sides, and the lines within them.
const MEN: [(&str, &str); 2] = [("#ffffff", INK), ("#3f3b36", "#f4efe4")];
/// The foot of every chessman.
const FOOT: &str = "M-11 12.5h22v4h-22z";

/// A disc. The one that was placed last has a dot, those that have won a ring.
pub(super) fn stone(x: f64, y: f64, player: Player, spot: &Spot) -> String {
    let fill = STONES[player.index() % STONES.len()];
    let (ring, width) = if spot.winning { (WINNING, 4.0) } else { (INK, 1.0) };
    let dot = match spot.placed {
        true => format!(r##"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="#ffffff"/>"##),
        false => String::new(),
    };
    format!(
        r##"<g class="piece"><circle cx="{x:.1}" cy="{y:.1}" r="15" fill="{fill}" stroke="{ring}" stroke-width="{width}"/>{dot}</g>"##
    )
}

/// A cross, a nought, or for further players a triangle.
pub(super) fn sign(x: f64, y: f64, player: Player, spot: &Spot) -> String {
    let shape = match player.index() {
        0 => "M-10 -10L10 10M10 -10L-10 10",
        1 => "M0 -11a11 11 0 1 0 .01 0z",
        _ => "M0 -12L12 9H-12z",
    };
    let colour = STONES[player.index() % STONES.len()];
    let halo = match spot.winning {
        true => format!(r##"<path d="{shape}" stroke="{WINNING}" stroke-width="10"/>"##),
        false => String::new(),
    };
    format!(
        r##"<g class="piece" transform="translate({x:.1} {y:.1})" fill="none" stroke-linecap="round">{halo}<path d="{shape}" stroke="{colour}" stroke-width="5"/></g>"##
    )
}

/// A man with a letter.
pub(super) fn man(x: f64, y: f64, player: Player, letter: &str, style: Style) -> String {
    let letter = letter.to_ascii_uppercase();
    match (style, chessman(&letter)) {
        (Style::Chess, Some((outline, detail))) => {
            let (fill, line) = MEN[player.index() % 2];
            format!(
                r##"<g class="piece" transform="translate({x:.1} {y:.1})"><path d="{outline}{FOOT}" fill="{fill}" stroke="{INK}" stroke-width="1.4" stroke-linejoin="round"/><path d="{detail}" fill="none" stroke="{line}" stroke-width="1.6" stroke-linecap="round"/></g>"##
            )
        }
        (Style::Shogi, _) => {
            let turn = if player == Player::FIRST { "" } else { " rotate(180)" };
            // The letters of promoted pieces are red, as promoted pieces are.
            let ink = if "TNDH".contains(&letter) { "#b3261e" } else { INK };
            format!(
                r##"<g class="piece"><path transform="translate({x:.1} {y:.1}){turn}" d="M0 -17L10 -11L13 16H-13L-10 -11z" fill="#f3dca4" stroke="{INK}" stroke-width="1.4" stroke-linejoin="round"/>{}</g>"##,
                text(x, y + 1.0, 18.0, ink, &letter)
            )
        }
        // White and black, so that the letter can be read.
        _ => {
            let (fill, ink) = MEN[player.index() % 2];
            format!(
                r##"<g class="piece"><circle cx="{x:.1}" cy="{y:.1}" r="16" fill="{fill}" stroke="{INK}"/>{}</g>"##,
                text(x, y, 20.0, ink, &letter)
            )
        }
    }
}

/// The outline of a chessman and the lines within it.
fn chessman(letter: &str) -> Option<(&'static str, &'static str)> {
    Some(match letter {
        "P" => (
            "M0 -10a5 5 0 0 1 3 9c0 5 4.5 7 4.5 13.500h-15c0 -6.500 4.500 -8.500 4.500 -13.500a5 5 0 0 1 3 -9z",
            "",
        ),
        "R" => (
            "M-10 -14h5v3.500h2.500v-3.500h5v3.500h2.500v-3.500h5v8l-3.500 2.500v11l3 4h-19l3 -4v-11l-3.500 -2.500z",
            "M-6 -3.500h12M-6.500 8h13",
        ),
        "N" => (
            "M-7 12.500c-1 -8 5.500 -9.500 4 -14.500c-2.500 2.500 -5 3.500 -8 2c-1 -3 3 -5.500 4 -9c1 -3.500 4 -5 6 -5l1.500 -3l2 3.500c6.500 2.500 8 14 7 26z",
            "M-2.500 -8.500v.01M-9.500 -1.500v.01",
        ),
        "B" => (
            "M0 -16.500a2.300 2.300 0 0 1 1.500 4c6 4.500 8.500 11 3.500 16l2 9h-14l2 -9c-5 -5 -2.500 -11.500 3.500 -16a2.300 2.300 0 0 1 1.500 -4z",
            "M0 -8v7M-3 -4.500h6M-4.500 6h9",
        ),
        "Q" => {
            ("M-14 -10l6 10l.5 -13l5 12l2.500 -14l2.500 14l5 -12l.5 13l6 -10l-5 22.500h-18z", "M-7.500 7h15")
        }
        "K" => (
            "M0 -10.500c4.500 -4 12.500 -1.500 12 5.500c-.5 5.500 -4 7.500 -4.500 17.500h-15c-.5 -10 -4 -12 -4.500 -17.500c-.5 -7 7.500 -9.500 12 -5.500zM-1.200 -17.500h2.400v2h2.300v2.200h-2.300v3h-2.400v-3h-2.300v-2.200h2.300z",
            "M-7 7h14M0 -10v13",
        ),
        _ => return None,
    })
}
