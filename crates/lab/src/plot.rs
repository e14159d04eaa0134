//! Figures: curves, scatter plots, bars and points as SVG, without fonts or scripts from elsewhere.
//!
//! Nothing may overlap: ticks are thinned until their texts fit, the legend is below the picture and breaks into lines, names of bars are
//! in a column as wide as the longest.

mod axis;
mod bars;
mod labels;

pub use axis::Axis;
pub use bars::{Bar, Bars};

use crate::report::{Figure, short};
use crate::text::{csv_field, escape};
use axis::Ruler;
use labels::End;
use std::fmt::Write;

/// How a series is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Points joined in order.
    Line,
    /// Points alone.
    Dots,
}

/// Points that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Where its points are.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub mark: Mark,
}

impl Series {
    /// A cactus plot: costs in ascending order, numbered from 1.
    pub fn cactus(name: &str, costs: impl Iterator<Item = f64>) -> Series {
        let mut costs: Vec<f64> = costs.collect();
        costs.sort_by(f64::total_cmp);
        let points = costs.into_iter().enumerate().map(|(nth, cost)| (nth as f64 + 1.0, cost)).collect();
        Series { name: name.to_owned(), points, mark: Mark::Line }
    }
}

impl Series {
    /// Whether it is a curve of many points, such as one of a cactus plot, which has its name at its end.
    fn is_long(&self) -> bool {
        self.mark == Mark::Line && self.points.len() > 16
    }
}

/// Curves or points over two axes.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// The curves or points.
    pub series: Vec<Series>,
    /// Draws the line on which both coordinates are equal.
    pub diagonal: bool,
}

/// The colours of Okabe and Ito, which remain distinct in colour blindness, dark ones first.
pub(crate) const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#000000", "#cc79a7", "#e69f00", "#56b4e9", "#8a7a00"];
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

pub(crate) const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
/// The width of a character, on the safe side.
pub(crate) const CHARACTER: f64 = 7.2;

impl Plot {
    /// The picture with its numbers, for a page.
    pub fn figure(&self, slug: impl Into<String>, caption: impl Into<String>) -> Figure {
        Figure { slug: slug.into(), caption: caption.into(), svg: self.svg(), csv: self.csv() }
    }

    /// The picture.
    pub fn svg(&self) -> String {
        let all = || self.series.iter().flat_map(|series| &series.points);
        let x = Ruler::new(&self.x, all().map(|point| point.0));
        let y = Ruler::new(&self.y, all().map(|point| point.1));
        let labels = y.ticks(8);
        let widest = labels.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
        let (left, right, top) = (34.0 + CHARACTER * widest as f64, WIDTH - 24.0, 14.0);
        let bottom = top + HEIGHT;
        let at_x = |value: f64| left + (right - left) * x.place(value);
        let at_y = |value: f64| bottom - HEIGHT * y.place(value);
        let (legend, end) = self.legend(left, right, bottom + 62.0);
        let mut svg = open(end + 6.0);
        let mut add = |line: String| {
            let _ = writeln!(svg, "{line}");
        };
        for (value, text) in &labels {
            let at = at_y(*value);
            add(format!(
                "<line x1=\"{left:.1}\" x2=\"{right:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#e3e3e3\"/>"
            ));
            let (x, y) = (left - 6.0, at + 4.0);
            add(format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{text}</text>"));
        }
        for (value, text) in x.ticks(((right - left) / 70.0) as usize) {
            let at = at_x(value);
            add(format!(
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top}\" y2=\"{bottom}\" stroke=\"#e3e3e3\"/>"
            ));
            add(format!("<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>", bottom + 18.0));
        }
        add(format!(
            "<rect x=\"{left:.1}\" y=\"{top}\" width=\"{:.1}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#888\"/>",
            right - left
        ));
        let (middle, centre) = ((left + right) / 2.0, (top + bottom) / 2.0);
        add(format!(
            "<text x=\"{middle:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            bottom + 38.0,
            escape(&self.x.label)
        ));
        add(format!(
            "<text transform=\"translate(16 {centre:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            escape(&self.y.label)
        ));
        if self.diagonal {
            let (low, high) = (x.low.max(y.low), x.high.min(y.high));
            let ends = (at_x(low), at_y(low), at_x(high), at_y(high));
            add(format!(
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#888\" stroke-dasharray=\"3 3\"/>",
                ends.0, ends.1, ends.2, ends.3
            ));
        }
        for (nth, series) in self.series.iter().enumerate() {
            let points: Vec<(f64, f64)> =
                series.points.iter().map(|point| (at_x(point.0), at_y(point.1))).collect();
            match series.mark {
                Mark::Line => {
                    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                    add(format!("<polyline points=\"{}\" {}/>", path.join(" "), stroke(nth)));
                    // A few points are marked, too; a single one would not be visible as a line.
                    // Long curves are marked at every eighth of them, so that the legend's marks are found on the curves.
                    let step = if points.len() <= 24 { 1 } else { points.len() / 8 };
                    for point in points.iter().step_by(step) {
                        add(symbol(nth, *point, 2.6));
                    }
                }
                Mark::Dots => points.iter().for_each(|point| add(symbol(nth, *point, 3.2))),
            }
        }
        let ends = self.series.iter().enumerate().filter(|(_, series)| series.is_long()).filter_map(
            |(nth, series)| {
                let (x, y) = *series.points.last()?;
                Some(End { nth, name: &series.name, at: (at_x(x), at_y(y)) })
            },
        );
        let ends: Vec<End<'_>> = ends.collect();
        for (end, (x, y)) in ends.iter().zip(labels::places(&ends, left, right, top, bottom)) {
            let (colour, name) = (COLOURS[end.nth % COLOURS.len()], escape(end.name));
            add(format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"10\" stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\" fill=\"{colour}\">{name}</text>"
            ));
        }
        svg + &legend + "</svg>\n"
    }

    /// The legend from `y` on, and where it ends.
    fn legend(&self, left: f64, right: f64, y: f64) -> (String, f64) {
        let (mut text, mut x, mut y) = (String::new(), left, y);
        for (nth, series) in self.series.iter().enumerate().filter(|(_, series)| !series.points.is_empty()) {
            let width = 44.0 + CHARACTER * series.name.chars().count() as f64;
            if x > left && x + width > right {
                (x, y) = (left, y + 20.0);
            }
            if series.mark == Mark::Line {
                let _ = writeln!(
                    text,
                    "<line x1=\"{x:.1}\" x2=\"{:.1}\" y1=\"{y}\" y2=\"{y}\" {}/>",
                    x + 24.0,
                    stroke(nth)
                );
            }
            let _ = writeln!(text, "{}", symbol(nth, (x + 12.0, y), 3.2));
            let _ = writeln!(
                text,
                "<text x=\"{:.1}\" y=\"{}\">{}</text>",
                x + 30.0,
                y + 4.0,
                escape(&series.name)
            );
            x += width;
        }
        (text, y + 10.0)
    }

    /// Its numbers: a line for every point.
    pub fn csv(&self) -> String {
        let field = csv_field;
        let mut text = format!("series,{},{}\n", field(&self.x.label), field(&self.y.label));
        for series in &self.series {
            for (x, y) in &series.points {
                let _ = writeln!(text, "{},{x},{y}", field(&series.name));
            }
        }
        text
    }
}

/// Begins a picture of this height.
pub(crate) fn open(height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    )
}

fn stroke(nth: usize) -> String {
    let (colour, dash) = (COLOURS[nth % COLOURS.len()], DASHES[(nth + nth / COLOURS.len()) % DASHES.len()]);
    format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\" stroke-dasharray=\"{dash}\"")
}

/// Shapes differ as well as colours, for print in grey.
fn symbol(nth: usize, (x, y): (f64, f64), r: f64) -> String {
    let colour = COLOURS[nth % COLOURS.len()];
    match nth % 3 {
        0 => {
            format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\" fill=\"{colour}\" fill-opacity=\"0.75\"/>")
        }
        1 => format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{}\" height=\"{}\" fill=\"{colour}\" fill-opacity=\"0.75\"/>",
            x - r,
            y - r,
            2.0 * r,
            2.0 * r
        ),
        _ => format!(
            "<path d=\"M{x:.1} {:.1}l{r} {}h-{}z\" fill=\"{colour}\" fill-opacity=\"0.75\"/>",
            y - r,
            2.0 * r,
            2.0 * r
        ),
    }
}

/// A tick's text: `0.001`, `1,000`, `10⁶`.
pub(crate) fn tick(value: f64) -> String {
    let power = value.abs().log10();
    if value != 0.0 && !(-3.5..6.0).contains(&power) && (power - power.round()).abs() < 1e-9 {
        let digit = |c: char| match c {
            '-' => '⁻',
            digit => {
                ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit.to_digit(10).unwrap_or(0) as usize]
            }
        };
        return format!("10{}", format!("{:.0}", power.round()).chars().map(digit).collect::<String>());
    }
    match value.abs() {
        0.0 => "0".to_owned(),
        1000.0.. => short(value),
        _ => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}
