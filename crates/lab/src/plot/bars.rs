//! Bars from left to right, in parts, with an interval if there is one. On a logarithmic axis, where the length of a bar means nothing,
//! points with intervals instead.

use super::{Axis, CHARACTER, COLOURS, Ruler, WIDTH, open};
use crate::report::Figure;
use crate::text::{csv_field, escape};
use std::fmt::Write;

/// A bar for every name; its parts add up.
#[derive(Clone, PartialEq, Debug)]
pub struct Bars {
    /// The quantity.
    pub axis: Axis,
    /// The names of the parts, for the legend.
    pub parts: Vec<String>,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

/// One of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// Its name, to the left.
    pub name: String,
    /// The lengths of its parts.
    pub parts: Vec<f64>,
    /// The interval of their sum, if it is known.
    pub interval: Option<(f64, f64)>,
}

const ROW: f64 = 26.0;
const LEFT: f64 = 20.0;

impl Bars {
    /// The picture with its numbers, for a page.
    pub fn figure(&self, slug: impl Into<String>, caption: impl Into<String>) -> Figure {
        Figure { slug: slug.into(), caption: caption.into(), svg: self.svg(), csv: self.csv() }
    }

    /// The picture.
    pub fn svg(&self) -> String {
        let widest = self.bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0);
        let (left, right, top) = (LEFT + CHARACTER * widest as f64, WIDTH - 24.0, 14.0);
        let bottom = top + ROW * self.bars.len() as f64;
        let ends = self.bars.iter().flat_map(|Bar { parts, interval, .. }| {
            let sum: f64 = parts.iter().sum();
            [sum, interval.map_or(sum, |interval| interval.1), interval.map_or(sum, |interval| interval.0)]
        });
        // A logarithmic axis begins a little before the smallest value.
        let mut axis = self.axis.clone();
        let shortest = ends.clone().filter(|end| *end > 0.0).min_by(f64::total_cmp);
        let longest = ends.clone().max_by(f64::total_cmp);
        if let (true, None, Some(shortest), Some(longest)) = (axis.log, axis.range, shortest, longest) {
            // Room for the number beside the last point.
            axis = axis.from_to(shortest / 2.0, longest * (longest / shortest).powf(0.15).max(1.5));
        }
        let ruler = Ruler::new(&axis, ends);
        let at = |value: f64| left + (right - left) * ruler.place(value);
        let several = self.parts.len() > 1;
        let (legend, end) = self.legend(bottom + 56.0);
        let mut svg = open(if several { end } else { bottom + 46.0 });
        let mut add = |line: String| {
            let _ = writeln!(svg, "{line}");
        };
        for (value, text) in ruler.ticks(((right - left) / 70.0) as usize) {
            let x = at(value);
            add(format!(
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top}\" y2=\"{bottom}\" stroke=\"#e3e3e3\"/>"
            ));
            add(format!("<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>", bottom + 16.0));
        }
        for (nth, Bar { name, parts, interval }) in self.bars.iter().enumerate() {
            let y = top + ROW * nth as f64;
            add(format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                left - 6.0,
                y + 17.0,
                escape(name)
            ));
            let mut sum = 0.0;
            for (part, length) in parts.iter().enumerate() {
                let (from, to) = (if sum > 0.0 { at(sum) } else { left }, at(sum + length));
                sum += length;
                let (width, colour) = ((to - from).max(0.0), COLOURS[part % COLOURS.len()]);
                if axis.log {
                    let middle = y + ROW / 2.0;
                    add(format!("<circle cx=\"{to:.1}\" cy=\"{middle:.1}\" r=\"4\" fill=\"{colour}\"/>"));
                    let text = crate::report::short(*length);
                    add(format!(
                        "<text x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
                        at(interval.map_or(sum, |ends| ends.1)) + 8.0,
                        y + 17.0
                    ));
                    continue;
                }
                add(format!(
                    "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{}\" fill=\"{colour}\" fill-opacity=\"0.8\"/>",
                    y + 4.0,
                    ROW - 8.0
                ));
                let text = super::tick((length * 10.0).round() / 10.0);
                if several && width > CHARACTER * text.chars().count() as f64 + 6.0 {
                    let middle = (from + to) / 2.0;
                    add(format!(
                        "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"white\">{text}</text>",
                        y + 17.0
                    ));
                }
            }
            if let Some((low, high)) = interval {
                let (low, high, middle) = (at(*low), at(*high), y + ROW / 2.0);
                let ends = (middle - 4.0, middle + 4.0);
                add(format!(
                    "<path d=\"M{low:.1} {}V{}M{low:.1} {middle}H{high:.1}M{high:.1} {}V{}\" stroke=\"#222\" fill=\"none\"/>",
                    ends.0, ends.1, ends.0, ends.1
                ));
            }
        }
        add(format!(
            "<line x1=\"{left:.1}\" x2=\"{left:.1}\" y1=\"{top}\" y2=\"{bottom}\" stroke=\"#888\"/>"
        ));
        let middle = (left + right) / 2.0;
        add(format!(
            "<text x=\"{middle:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            bottom + 36.0,
            escape(&self.axis.label)
        ));
        svg + &legend + "</svg>\n"
    }

    /// The legend from `y` on, and where it ends; none if there is one part only.
    fn legend(&self, y: f64) -> (String, f64) {
        let (mut text, mut x, mut y) = (String::new(), LEFT, y);
        for (nth, part) in self.parts.iter().enumerate().filter(|_| self.parts.len() > 1) {
            let (width, colour) =
                (40.0 + CHARACTER * part.chars().count() as f64, COLOURS[nth % COLOURS.len()]);
            if x > LEFT && x + width > WIDTH {
                (x, y) = (LEFT, y + 20.0);
            }
            let square = format!("width=\"12\" height=\"12\" fill=\"{colour}\" fill-opacity=\"0.8\"");
            let _ = writeln!(text, "<rect x=\"{x:.1}\" y=\"{}\" {square}/>", y - 6.0);
            let _ = writeln!(text, "<text x=\"{:.1}\" y=\"{}\">{}</text>", x + 18.0, y + 4.0, escape(part));
            x += width;
        }
        (text, y + 18.0)
    }

    /// Its numbers: a line for every bar.
    pub fn csv(&self) -> String {
        let field = |text: &String| csv_field(text);
        let parts: Vec<String> = self.parts.iter().map(field).collect();
        let mut text = format!("name,{},low,high\n", parts.join(","));
        for Bar { name, parts, interval } in &self.bars {
            let lengths: Vec<String> = parts.iter().map(f64::to_string).collect();
            let (low, high) =
                interval.map_or_else(Default::default, |(low, high)| (low.to_string(), high.to_string()));
            let _ = writeln!(text, "{},{},{low},{high}", field(name), lengths.join(","));
        }
        text
    }
}
