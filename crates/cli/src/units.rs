//! Quantities as people write them, in both directions.

use std::time::Duration;

/// `90`, `90s`, `10m`, `1h30m`, `500ms`, `1.5h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let error = || "expected a time such as 90, 10m, 1h30m or 500ms".to_owned();
    let mut rest = text.trim();
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
    Duration::try_from_secs_f64(seconds).map_err(|_| error())
}

/// `50000`, `5e7`, `20M`, `1.5k`.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    scaled(text, 1000.0).ok_or_else(|| "expected a number such as 50000, 5e7 or 20M".to_owned())
}

/// `500M`, `8G`, `1.5GiB`, `1000000`. Powers of 1024.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let bare = text.trim().trim_end_matches(['b', 'B']).trim_end_matches('i');
    scaled(bare, 1024.0).ok_or_else(|| "expected a size such as 500M or 8G".to_owned())
}

fn scaled(text: &str, step: f64) -> Option<u64> {
    let text = text.trim();
    let (number, power) = match text.char_indices().last()? {
        (end, 'k' | 'K') => (&text[..end], 1),
        (end, 'm' | 'M') => (&text[..end], 2),
        (end, 'g' | 'G') => (&text[..end], 3),
        (end, 't' | 'T') => (&text[..end], 4),
        _ => (text, 0),
    };
    let value = number.parse::<f64>().ok()? * step.powi(power);
    (value.is_finite() && (0.0..1e18).contains(&value)).then_some(value as u64)
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
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(123), "123");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,12}") {
            let _ = (duration(&text), count(&text), bytes(&text));
        }
    }
}
