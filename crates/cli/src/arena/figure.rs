//! Results as an SVG picture: a point with its interval for every game and every pair of agents, and a line at 50 %.

use super::{Series, letter};
use delphic_engine::arena::pairs;
use std::fmt::Write;

const LEFT: f64 = 230.0;
const WIDTH: f64 = 520.0;
const ROW: f64 = 22.0;
const TOP: f64 = 46.0;

/// An SVG picture of all scores.
pub(super) fn svg(all: &[Series], names: &[String]) -> String {
    let pairs: Vec<(usize, usize)> = pairs(names.len()).collect();
    let bottom = TOP + ROW * (all.len() * pairs.len()) as f64;
    let height = bottom + 44.0 + 16.0 * names.len() as f64;
    let x = |score: f64| LEFT + WIDTH * score;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        LEFT + WIDTH + 90.0
    );
    let mut add = |line: String| {
        let _ = writeln!(svg, "{line}");
    };
    for tenth in [0, 25, 50, 75, 100] {
        let at = x(f64::from(tenth) / 100.0);
        let colour = if tenth == 50 { "#888" } else { "#ddd" };
        add(format!("<line x1=\"{at}\" x2=\"{at}\" y1=\"{TOP}\" y2=\"{bottom}\" stroke=\"{colour}\"/>"));
        add(format!("<text x=\"{at}\" y=\"{}\" text-anchor=\"middle\">{tenth} %</text>", TOP - 8.0));
    }
    let middle = x(0.5);
    add(format!("<text x=\"{middle}\" y=\"18\" text-anchor=\"middle\">score with 95 % interval</text>"));
    let rows = all.iter().flat_map(|series| pairs.iter().map(move |pair| (series, *pair)));
    for (nth, (series, (a, b))) in rows.enumerate() {
        let (y, score) = (TOP + ROW * (nth as f64 + 0.5), series.between(a, b).score());
        let label = escape(&format!("{} {}–{}", series.game, letter(a), letter(b)));
        add(format!("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{label}</text>", LEFT - 12.0, y + 4.0));
        let (low, high) = (x(score.low), x(score.high));
        add(format!(
            "<line x1=\"{low:.1}\" x2=\"{high:.1}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#369\" stroke-width=\"2\"/>"
        ));
        add(format!("<circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\" fill=\"#369\"/>", x(score.value)));
        let value = format!("{:.1} %", 100.0 * score.value);
        add(format!("<text x=\"{}\" y=\"{}\">{value}</text>", LEFT + WIDTH + 14.0, y + 4.0));
    }
    for (nth, name) in names.iter().enumerate() {
        let y = bottom + 30.0 + 16.0 * nth as f64;
        add(format!("<text x=\"12\" y=\"{y}\">{}: {}</text>", letter(nth), escape(name)));
    }
    svg + "</svg>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
