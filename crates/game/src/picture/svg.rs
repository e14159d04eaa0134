//! Pictures as SVG: a document of its own with no styles or fonts from elsewhere.
//!
//! Grounds are drawn first, then what lies on them; each piece is one element of class `piece`.

mod pieces;

use super::{Mark, Picture, Spot, Style, Tile, Tiling};
use std::collections::HashSet;
use std::f64::consts::PI;
use std::fmt::Write;

/// Pixels of half a cell.
const HALF: f64 = 20.0;
/// Pixels around the picture.
const MARGIN: f64 = 12.0;
/// Pixels around an element of a page.
const EDGE: f64 = 2.0;
/// Pixels of a line of text and of one of its characters, for a usual font.
const LINE: f64 = 22.0;
const CHARACTER: f64 = 8.8;

/// The stones and the grounds of the players.
const STONES: [&str; 4] = ["#c8374a", "#2b66b1", "#2f8f4e", "#8a5cb0"];
const GROUNDS: [&str; 4] = ["#f0c4ca", "#c3d6ee", "#c5e3cd", "#ddcdea"];
const INK: &str = "#33302b";
const BOARD: &str = "#efe6d2";
const DARK: &str = "#cbb994";
const CHANGED: &str = "#f6d55c";

pub(super) fn draw(picture: &Picture, title: &str) -> String {
    let (mut body, low, high) = content(picture, HALF * 1.16);
    for (i, note) in picture.notes.iter().enumerate() {
        let y = high.1 + LINE * (i as f64 + 1.0);
        let _ = writeln!(
            body,
            r##"<text x="{:.0}" y="{y:.0}" fill="{INK}" font-size="16">{}</text>"##,
            low.0 + 4.0,
            escaped(note)
        );
    }
    let words = picture.notes.iter().map(|note| note.chars().count() as f64 * CHARACTER).fold(0.0, f64::max);
    let width = (high.0 - low.0).max(words) + 2.0 * MARGIN;
    let height = high.1 - low.1 + LINE * picture.notes.len() as f64 + 2.0 * MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.0} {:.0} {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"sans-serif\" role=\"img\">\n<title>{}</title>\n<rect x=\"{:.0}\" y=\"{:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n{body}</svg>\n",
        low.0 - MARGIN,
        low.1 - MARGIN,
        escaped(title),
        low.0 - MARGIN,
        low.1 - MARGIN,
    )
}

pub(super) fn element(picture: &Picture) -> String {
    // Inscriptions need less room on a page, where the picture may be large.
    let (body, low, high) = content(picture, HALF * 0.5);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.0} {:.0} {:.0} {:.0}\">\n{body}</svg>\n",
        low.0 - EDGE,
        low.1 - EDGE,
        high.0 - low.0 + 2.0 * EDGE,
        high.1 - low.1 + 2.0 * EDGE,
    )
}

pub(super) fn centre(picture: &Picture, spot: &Spot) -> (f64, f64) {
    Canvas::new(picture).middle(spot)
}

/// Everything but the notes, and the corners of the rectangle around it, in which inscriptions reach as far as `inscription`.
fn content(picture: &Picture, inscription: f64) -> (String, (f64, f64), (f64, f64)) {
    let canvas = Canvas::new(picture);
    let mut body = String::new();
    canvas.grounds(picture, &mut body);
    let tiled: HashSet<usize> = picture.tiles.iter().flat_map(|tile| tile.spots.iter().copied()).collect();
    for (number, spot) in picture.spots.iter().enumerate() {
        if !tiled.contains(&number) {
            canvas.mark(spot, &mut body);
        }
    }
    for tile in &picture.tiles {
        canvas.tile(picture, tile, &mut body);
    }
    let (mut low, mut high) = ((0.0f64, 0.0f64), (0.0f64, 0.0f64));
    let mut cover = |x: f64, y: f64, reach: f64| {
        (low.0, low.1) = (low.0.min(x - reach), low.1.min(y - reach));
        (high.0, high.1) = (high.0.max(x + reach), high.1.max(y + reach));
    };
    for spot in &picture.spots {
        let (x, y) = canvas.middle(spot);
        let plain = matches!(spot.mark, Mark::Label(_)) && spot.owner.is_none();
        cover(x, y, if plain { inscription } else { HALF * 1.16 });
    }
    for &(x, y, radius) in &picture.loops {
        let (x, y) = canvas.place(x, y);
        cover(x, y, HALF * f64::from(radius));
    }
    (body, low, high)
}

/// Text between tags or quotes. Control characters, which XML cannot hold, become blanks.
fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        c if c.is_control() => " ".to_owned(),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}

struct Canvas {
    tiling: Tiling,
    style: Style,
    /// How far loops reach, in half cells: inscriptions make way for them.
    aside: i32,
}

impl Canvas {
    fn new(picture: &Picture) -> Canvas {
        let aside = picture.loops.iter().map(|&(_, _, radius)| radius).max().unwrap_or(0);
        Canvas { tiling: picture.tiling, style: picture.style, aside }
    }

    /// The middle of a spot.
    fn middle(&self, spot: &Spot) -> (f64, f64) {
        match spot.mark {
            Mark::Label(_) if spot.x < 0 => self.place(spot.x - self.aside, spot.y),
            Mark::Label(_) => self.place(spot.x, spot.y + self.aside),
            _ => self.place(spot.x, spot.y),
        }
    }

    /// The middle of a place. Rows of hexagons interlock.
    fn place(&self, x: i32, y: i32) -> (f64, f64) {
        let down = if self.tiling == Tiling::Hexagons { 3f64.sqrt() / 2.0 } else { 1.0 };
        (HALF * f64::from(x), HALF * f64::from(y) * down)
    }

    fn grounds(&self, picture: &Picture, body: &mut String) {
        if self.tiling == Tiling::Crossings {
            self.lines(picture, body);
        }
        for spot in &picture.spots {
            let inscription = matches!(spot.mark, Mark::Label(_));
            if inscription && spot.owner.is_none() {
                continue;
            }
            let (x, y) = self.middle(spot);
            let plain = match self.tiling {
                Tiling::Chequered if (spot.x + spot.y) / 2 % 2 != 0 => DARK,
                _ => BOARD,
            };
            let owned = spot.owner.map_or(plain, |owner| GROUNDS[owner.index()]);
            let fill = if spot.changed && !inscription { CHANGED } else { owned };
            let _ = match self.tiling {
                Tiling::Bare => Ok(()),
                Tiling::Crossings if spot.changed => {
                    writeln!(
                        body,
                        r##"<circle cx="{x:.1}" cy="{y:.1}" r="17" fill="none" stroke="{fill}" stroke-width="5"/>"##
                    )
                }
                Tiling::Crossings => Ok(()),
                Tiling::Hexagons => {
                    let corner = |i: u32| {
                        let (sin, cos) = (PI / 3.0 * f64::from(i)).sin_cos();
                        let size = HALF * 2.0 / 3f64.sqrt();
                        format!("{:.1},{:.1}", x + size * sin, y + size * cos)
                    };
                    let corners: Vec<String> = (0..6).map(corner).collect();
                    let line = if inscription { "none" } else { INK };
                    writeln!(
                        body,
                        r##"<polygon points="{}" fill="{fill}" stroke="{line}"/>"##,
                        corners.join(" ")
                    )
                }
                Tiling::Rack => {
                    let hole = if spot.changed { CHANGED } else { "#ffffff" };
                    square(body, x, y, r##"fill="#7d8fb3""##).and_then(|()| {
                        writeln!(body, r##"<circle cx="{x:.0}" cy="{y:.0}" r="17" fill="{hole}"/>"##)
                    })
                }
                Tiling::Squares | Tiling::Chequered => {
                    square(body, x, y, &format!(r##"fill="{fill}" stroke="{INK}""##))
                }
            };
        }
    }

    /// The lines of a board whose crossings are the cells. Its sheet hides the part of a loop that would lie on it.
    fn lines(&self, picture: &Picture, body: &mut String) {
        let (right, bottom) = picture.cells().fold((0, 0), |(x, y), spot| (x.max(spot.x), y.max(spot.y)));
        let (width, height) = self.place(right, bottom);
        let _ = writeln!(body, r##"<g fill="none" stroke="{INK}" stroke-width="2">"##);
        for &(x, y, radius) in &picture.loops {
            let (x, y) = self.place(x, y);
            let _ = writeln!(body, r##"<circle cx="{x:.0}" cy="{y:.0}" r="{}"/>"##, HALF * f64::from(radius));
        }
        let _ =
            writeln!(body, r##"<rect x="0" y="0" width="{width:.0}" height="{height:.0}" fill="{BOARD}"/>"##);
        for x in (2..right).step_by(2).map(|x| HALF * f64::from(x)) {
            let _ = writeln!(body, r##"<path d="M{x:.0} 0V{height:.0}"/>"##);
        }
        for y in (2..bottom).step_by(2).map(|y| HALF * f64::from(y)) {
            let _ = writeln!(body, r##"<path d="M0 {y:.0}H{width:.0}"/>"##);
        }
        body.push_str("</g>\n");
    }

    fn mark(&self, spot: &Spot, body: &mut String) {
        let (x, y) = self.middle(spot);
        let _ = match &spot.mark {
            Mark::Empty => Ok(()),
            Mark::Stone(player) if self.style == Style::Signs => {
                writeln!(body, "{}", pieces::sign(x, y, *player, spot))
            }
            Mark::Stone(player) => writeln!(body, "{}", pieces::stone(x, y, *player, spot)),
            Mark::Man(player, letter) => {
                writeln!(body, "{}", pieces::man(x, y, *player, letter, self.style))
            }
            Mark::Block => writeln!(
                body,
                r##"<rect class="piece" x="{:.1}" y="{:.1}" width="34" height="34" rx="3" fill="#6d655a"/>"##,
                x - 17.0,
                y - 17.0
            ),
            Mark::Token => writeln!(
                body,
                r##"<circle class="piece" cx="{x:.1}" cy="{y:.1}" r="14" fill="{DARK}" stroke="{INK}"/>"##
            ),
            Mark::Seeds(seeds) => writeln!(body, "{}", pit(x, y, *seeds, spot.changed)),
            Mark::Label(label) => {
                // Wide inscriptions shrink to the width of a cell.
                let size = (2.0 * HALF / (0.62 * label.chars().count().max(1) as f64)).min(16.0);
                let text = text(x, y, size, INK, label);
                // Those beside the board stand on the page, whose colours they take; those on a coloured rim do not.
                writeln!(
                    body,
                    "{}",
                    if spot.owner.is_none() {
                        text.replacen("<text", "<text class=\"label\"", 1)
                    } else {
                        text
                    }
                )
            }
        };
    }
}

impl Canvas {
    /// A piece that covers several cells: rounded squares, joined where they touch.
    fn tile(&self, picture: &Picture, tile: &Tile, body: &mut String) {
        let spots: Vec<&Spot> = tile.spots.iter().map(|&number| &picture.spots[number]).collect();
        let mut shape = String::new();
        for (number, spot) in spots.iter().enumerate() {
            let (x, y) = self.middle(spot);
            let _ = write!(shape, "M{:.0} {:.0}h30v30h-30z", x - 15.0, y - 15.0);
            for other in &spots[number + 1..] {
                let (dx, dy) = (other.x - spot.x, other.y - spot.y);
                if dx.abs() + dy.abs() == 2 {
                    let (to_x, to_y) = self.middle(other);
                    let (left, top) = (x.min(to_x) - 15.0, y.min(to_y) - 15.0);
                    let (wide, high) = ((x - to_x).abs() + 30.0, (y - to_y).abs() + 30.0);
                    let _ = write!(shape, "M{left:.0} {top:.0}h{wide:.0}v{high:.0}h{:.0}z", -wide);
                }
            }
        }
        let (fill, line) = (
            STONES[tile.owner.index() % STONES.len()],
            if spots.iter().any(|spot| spot.changed) { CHANGED } else { INK },
        );
        // The outline of the union: a thick line around all parts, and the parts above it.
        let _ = writeln!(
            body,
            r##"<g class="piece"><path d="{shape}" fill="none" stroke="{line}" stroke-width="6" stroke-linejoin="round"/><path d="{shape}" fill="{fill}" stroke="{fill}" stroke-width="3" stroke-linejoin="round"/></g>"##
        );
    }
}

/// A cell of a square board.
fn square(body: &mut String, x: f64, y: f64, look: &str) -> std::fmt::Result {
    writeln!(body, r##"<rect x="{:.0}" y="{:.0}" width="40" height="40" {look}/>"##, x - HALF, y - HALF)
}

/// Text around a point.
fn text(x: f64, y: f64, size: f64, ink: &str, content: &str) -> String {
    format!(
        r##"<text x="{x:.1}" y="{:.1}" font-size="{size:.0}" text-anchor="middle" fill="{ink}">{}</text>"##,
        y + 0.36 * size,
        escaped(content)
    )
}

/// A pit with its seeds, laid like those of a sunflower, and their number in the corner of the cell.
fn pit(x: f64, y: f64, seeds: u8, changed: bool) -> String {
    let number = text(x + 14.0, y - 14.0, 12.0, INK, &seeds.to_string());
    // Far enough into the other corner for two digits to stay clear of it.
    let (x, y) = (x - 3.5, y + 3.5);
    let ground = if changed { CHANGED } else { BOARD };
    let mut pit = format!(r##"<circle cx="{x:.1}" cy="{y:.1}" r="14.5" fill="{ground}" stroke="{INK}"/>"##);
    let (golden, spread) = (PI * (3.0 - 5f64.sqrt()), 11.5 / f64::from(seeds.max(12)).sqrt());
    for seed in 0..seeds {
        let (sin, cos) = (golden * f64::from(seed)).sin_cos();
        let away = spread * (f64::from(seed) + 0.5).sqrt();
        let _ = write!(
            pit,
            r##"<circle class="piece" cx="{:.1}" cy="{:.1}" r="2.4" fill="{DARK}" stroke="{INK}" stroke-width="0.5"/>"##,
            x + away * sin,
            y + away * cos
        );
    }
    pit + &number
}
