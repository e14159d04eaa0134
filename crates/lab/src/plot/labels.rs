//! Names at the ends of curves.

use super::CHARACTER;

/// The end of a curve: which one, its name, and where it ends.
pub(super) struct End<'a> {
    pub(super) nth: usize,
    pub(super) name: &'a str,
    pub(super) at: (f64, f64),
}

/// The height of a line of small letters.
const LINE: f64 = 11.0;

fn width(name: &str) -> f64 {
    // Small letters, ten for twelve.
    CHARACTER * name.chars().count() as f64 / 1.2
}

/// The left end of the base line of each name: beside the end of its curve, moved up or down until it meets no other name.
pub(super) fn places(ends: &[End<'_>], left: f64, right: f64, top: f64, bottom: f64) -> Vec<(f64, f64)> {
    let mut placed: Vec<(f64, f64, f64)> = Vec::new();
    for end in ends {
        let wide = width(end.name);
        let x = (end.at.0 + 5.0).min(right - wide - 2.0).max(left);
        let (lowest, highest) = (bottom - 3.0, top + LINE);
        let free = |y: f64| {
            placed.iter().all(|&(other, level, width)| {
                x + wide + 3.0 <= other || other + width + 3.0 <= x || (y - level).abs() >= LINE
            })
        };
        let wanted = (end.at.1 + 3.0).clamp(highest, lowest);
        let steps = (0..200).map(|step| f64::from((step + 1) / 2) * if step % 2 == 0 { -2.0 } else { 2.0 });
        let y = steps
            .map(|step| wanted + step)
            .find(|&y| (highest..=lowest).contains(&y) && free(y))
            .unwrap_or(wanted);
        placed.push((x, y, wide));
    }
    placed.into_iter().map(|(x, y, _)| (x, y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_overlap() {
        let names = ["alphabeta", "dfpn", "ppn", "pns", "virtual best", "auto", "mcpns", "uct", "ppt", "pnt"];
        let ends: Vec<End<'_>> = names
            .iter()
            .enumerate()
            .map(|(nth, name)| End { nth, name, at: (600.0 + 7.0 * nth as f64, 20.0 + nth as f64) })
            .collect();
        let places = places(&ends, 60.0, 696.0, 14.0, 374.0);
        for (nth, (x, y)) in places.iter().enumerate() {
            assert!(*x >= 60.0 && x + width(names[nth]) <= 696.0 && (25.0..=371.0).contains(y));
            for (other, (x2, y2)) in places.iter().enumerate().take(nth) {
                let apart =
                    x + width(names[nth]) <= *x2 || x2 + width(names[other]) <= *x || (y - y2).abs() >= LINE;
                assert!(apart, "{} and {}", names[nth], names[other]);
            }
        }
    }
}
