//! Quantities as people write them: parsing and printing.

use std::time::Duration;

/// A time longer than zero: `90`, `90s`, `10m`, `1h30m`, `500ms`, `1.5h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let error = || "expected a time such as 90, 10m, 1h30m or 500ms".to_owned();
    let mut rest = not_negative(text)?;
    let mut seconds = 0.0;
    if rest.is_empty() {
        return Err(error());
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number: f64 = rest[..digits].parse().map_err(|_| error())?;
        let unit = rest[digits..].find(|c: char| c.is_ascii_digit()).map_or(rest.len(), |end| digits + end);
        seconds += number
            * match &rest[digits..unit] {
                "" | "s" => 1.0,
                "ms" => 0.001,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                "d" => 86400.0,
                _ => return Err(error()),
            };
        rest = &rest[unit..];
    }
    match Duration::try_from_secs_f64(seconds) {
        Ok(Duration::ZERO) => Err(POSITIVE.to_owned()),
        Ok(duration) => Ok(duration),
        Err(_) => Err("too long".to_owned()),
    }
}

const POSITIVE: &str = "must be positive";

/// The text without blanks around it, unless it is a negative number.
fn not_negative(text: &str) -> Result<&str, String> {
    let text = text.trim();
    match text.strip_prefix('-') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => Err(POSITIVE.to_owned()),
        _ => Ok(text),
    }
}

/// A count of at least one: `50000`, `5e7`, `20M`, `1.5k`.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    match count_or_zero(text)? {
        0 => Err(POSITIVE.to_owned()),
        count => Ok(count),
    }
}

/// The same for what is kept in memory, so that more than fits is as good as no limit.
pub(crate) fn positions(text: &str) -> Result<usize, String> {
    count(text).map(|count| usize::try_from(count).unwrap_or(usize::MAX))
}

/// A count, or zero.
pub(crate) fn count_or_zero(text: &str) -> Result<u64, String> {
    scaled(not_negative(text)?, 1000.0, "expected a number such as 50000, 5e7 or 20M")
}

/// `500M`, `8G`, `1.5GiB`, `1000000`. Powers of 1024.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let bare = not_negative(text)?.trim_end_matches(['b', 'B']).trim_end_matches('i');
    match scaled(bare, 1024.0, "expected a size such as 500M or 8G")? {
        0 => Err(POSITIVE.to_owned()),
        bytes => Ok(bytes),
    }
}

/// The minimum memory of a search.
const LEAST_MEMORY: u64 = 1 << 20;

/// Memory for a search: a size that is large enough.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    match bytes(text)? {
        bytes if bytes < LEAST_MEMORY => Err("too small; a search needs at least 1M".to_owned()),
        bytes => Ok(bytes),
    }
}

fn scaled(text: &str, step: f64, expected: &str) -> Result<u64, String> {
    let error = || expected.to_owned();
    let (number, power) = match text.char_indices().last().ok_or_else(error)? {
        (end, 'k' | 'K') => (&text[..end], 1),
        (end, 'm' | 'M') => (&text[..end], 2),
        (end, 'g' | 'G') => (&text[..end], 3),
        (end, 't' | 'T') => (&text[..end], 4),
        _ => (text, 0),
    };
    let value = number.parse::<f64>().map_err(|_| error())? * step.powi(power);
    match value {
        0.0..1e18 => Ok(value as u64),
        _ if value.is_nan() || value < 0.0 || number.contains("inf") => Err(error()),
        _ => Err("too large".to_owned()),
    }
}

/// A whole number, such as a seed.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    whole(text)
}

/// A whole number of plies.
pub(crate) fn size_number(text: &str) -> Result<usize, String> {
    whole(text)
}

/// A whole number of plies to look ahead.
pub(crate) fn small_number(text: &str) -> Result<u32, String> {
    whole(text)
}

fn whole<T: std::str::FromStr<Err = std::num::ParseIntError>>(text: &str) -> Result<T, String> {
    use std::num::IntErrorKind;
    let text = not_negative(text).map_err(|_| "must not be negative".to_owned())?;
    text.parse().map_err(|error: std::num::ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => "too large".to_owned(),
        _ => "expected a whole number".to_owned(),
    })
}

/// `3%`, `±3%`, `0.03`.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let bare = text.trim().trim_start_matches(['±', '+', '-']);
    let (number, scale) = bare.strip_suffix('%').map_or((bare, 1.0), |number| (number, 0.01));
    let share = number.trim().parse::<f64>().map(|number| number * scale);
    share
        .ok()
        .filter(|share| (0.0..1.0).contains(share))
        .ok_or_else(|| "expected a share such as 3%".to_owned())
}

/// `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 thread`, `1,204 visits`.
pub(crate) fn plural(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// `1 ply`, `9 plies`.
pub(crate) fn plies(number: u32) -> String {
    format!("{number} {}", if number == 1 { "ply" } else { "plies" })
}

/// An abbreviated number: `950`, `775 k`, `12.3 M`.
pub(crate) fn short(number: u64) -> String {
    let scaled = |unit: f64, name: &str| {
        let value = number as f64 / unit;
        if value < 99.95 { format!("{value:.1} {name}") } else { format!("{value:.0} {name}") }
    };
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => scaled(1e3, "k"),
        1_000_000..1_000_000_000 => scaled(1e6, "M"),
        _ => scaled(1e9, "G"),
    }
}

/// `1.5 GiB`.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        0x10_0000..0x4000_0000 => format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)),
        _ => format!("{:.2} GiB", bytes as f64 / f64::from(1 << 30)),
    }
}

/// `0.53 s`, `2 min 5 s`.
pub(crate) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..0.1 => format!("{:.1} ms", seconds * 1000.0),
        ..10.0 => format!("{seconds:.2} s"),
        ..60.0 => format!("{seconds:.1} s"),
        ..3600.0 => format!("{} min {} s", time.as_secs() / 60, time.as_secs() % 60),
        _ => format!("{} h {} min", time.as_secs() / 3600, time.as_secs() / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantities() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1h30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(count("5e7"), Ok(50_000_000));
        assert_eq!(count("1.5k"), Ok(1500));
        assert_eq!(bytes("8G"), Ok(8 << 30));
        assert_eq!(bytes("1.5KiB"), Ok(1536));
        for bad in ["", "banana", "-3", "1x", "1e400", "nan", "m", "1..2", "--", "inf"] {
            assert!(duration(bad).is_err() && count(bad).is_err() && bytes(bad).is_err(), "{bad}");
        }
        for none in ["0", "-1", "0.0"] {
            assert_eq!(duration(none), Err(POSITIVE.to_owned()), "{none}");
            assert_eq!(count(none), Err(POSITIVE.to_owned()), "{none}");
            assert_eq!(bytes(none), Err(POSITIVE.to_owned()), "{none}");
        }
        assert_eq!(count_or_zero("0"), Ok(0));
        assert_eq!(memory("999999999999G"), Err("too large".to_owned()));
        assert!(memory("1").is_err() && memory("1023k").is_err());
        assert_eq!(memory("1M"), Ok(1 << 20));
        assert_eq!((number("7"), number("-7")), (Ok(7), Err("must not be negative".to_owned())));
        assert_eq!(number("seven"), Err("expected a whole number".to_owned()));
        assert_eq!(number("99999999999999999999"), Err("too large".to_owned()));
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(123), "123");
        assert_eq!((plies(1), plural(1_204, "visit")), ("1 ply".to_owned(), "1,204 visits".to_owned()));
        for (number, text) in [
            (950, "950"),
            (1_000, "1.0 k"),
            (775_266, "775 k"),
            (12_345_678, "12.3 M"),
            (2_500_000_000, "2.5 G"),
        ] {
            assert_eq!(short(number), text);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,12}") {
            let _ = (duration(&text), count(&text), bytes(&text), memory(&text), number(&text));
        }
    }
}
