//! The paper's number, our number, and their ratio.

use crate::text::grouped;
use delphic_base::Interval;
use std::fmt;

/// A number that was measured, or a lower bound from a search that was stopped.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// Measured.
    Is(f64),
    /// Stopped here.
    Above(f64),
    /// Not given.
    Missing,
}

impl Number {
    /// The number as `write` writes it, with `>` before a lower bound.
    pub fn show(self, write: impl Fn(f64) -> String) -> String {
        match self {
            Number::Is(value) => write(value),
            Number::Above(value) => format!("> {}", write(value)),
            Number::Missing => "–".to_owned(),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(|value| grouped(value.round() as u64)))
    }
}

/// Ours over theirs, where both were measured; where one is a lower bound, the bound that follows.
pub fn ratio(ours: Number, theirs: Number) -> String {
    match (ours, theirs) {
        (Number::Is(ours), Number::Is(theirs)) if theirs > 0.0 => short(ours / theirs),
        (Number::Is(ours), Number::Above(theirs)) if theirs > 0.0 => format!("< {}", short(ours / theirs)),
        (Number::Above(ours), Number::Is(theirs)) if theirs > 0.0 => format!("> {}", short(ours / theirs)),
        _ => "–".to_owned(),
    }
}

/// Two or three digits: `0.0012`, `0.027`, `0.98`, `12.3`, `1,234`.
pub fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        ..0.000_1 => format!("{value:.1e}"),
        ..0.01 => format!("{value:.4}"),
        ..0.1 => format!("{value:.3}"),
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        ..1e15 if value > 0.0 => grouped(value.round() as u64),
        _ => format!("{value:.2e}"),
    }
}

/// `0.98 (0.91 to 1.05)`, each number as `show` writes it.
pub fn range(interval: Interval, show: impl Fn(f64) -> String) -> String {
    let Interval { value, low, high } = interval;
    format!("{} ({} to {})", show(value), show(low), show(high))
}

/// Seconds with about three digits.
pub fn seconds(value: f64) -> String {
    short(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(Number::Is(101_244.0).to_string(), "101,244");
        assert_eq!(Number::Above(1e7).to_string(), "> 10,000,000");
        assert_eq!(ratio(Number::Is(98.0), Number::Is(100.0)), "0.98");
        assert_eq!(ratio(Number::Is(50.0), Number::Above(100.0)), "< 0.50");
        assert_eq!(ratio(Number::Above(50.0), Number::Missing), "–");
        let shown: Vec<String> = [0.0, 0.000_01, 0.0012, 0.0268, 0.5, 12.34, 1234.0].map(short).to_vec();
        assert_eq!(shown, ["0", "1.0e-5", "0.0012", "0.027", "0.50", "12.3", "1,234"]);
    }
}
