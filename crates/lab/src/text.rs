//! Text in the formats that pages and exports are written in.

/// A field of comma-separated values, quoted where it must be.
pub(crate) fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A line of comma-separated values.
pub(crate) fn csv_line<'a>(fields: impl IntoIterator<Item = &'a str>) -> String {
    fields.into_iter().map(csv_field).collect::<Vec<_>>().join(",") + "\n"
}

/// The records of comma-separated values, with quotes undone.
pub(crate) fn csv_records(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut field) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut letters) = (false, text.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => field.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            _ => field.push(letter),
        }
    }
    if !field.is_empty() || !record.is_empty() {
        record.push(field);
        records.push(record);
    }
    records
}

/// Text between the tags of XML and HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `+1,234` or `−1,234`.
pub fn signed(number: f64) -> String {
    let sign = if number < 0.0 { '−' } else { '+' };
    format!("{sign}{}", grouped(number.abs().round() as u64))
}

/// `p = 0.0005`, or `p < 0.0001`.
pub fn p_value(p: f64) -> String {
    match p {
        ..0.000_1 => "p < 0.0001".to_owned(),
        ..0.01 => format!("p = {p:.4}"),
        _ => format!("p = {p:.2}"),
    }
}

/// `54 %`.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(csv_line(["a", "b,c", "d\"e", ""]), "a,\"b,c\",\"d\"\"e\",\n");
        let rows = [vec!["a", "b,c", "d\"e", ""], vec!["", "x\ny", "\"", "z"]];
        let text: String = rows.iter().map(|row| csv_line(row.iter().copied())).collect();
        assert_eq!(csv_records(&text), rows);
        assert_eq!(csv_records("a,b"), [["a", "b"]], "the last line may have no end");
        assert_eq!(escape("a<b & c>d"), "a&lt;b &amp; c&gt;d");
    }

    #[test]
    fn numbers_are_written_as_people_write_them() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([4884.4, -322.0].map(signed), ["+4,884", "−322"]);
        assert_eq!(
            [0.000_01, 0.000_5, 0.04, 1.0].map(p_value),
            ["p < 0.0001", "p = 0.0005", "p = 0.04", "p = 1.00"]
        );
    }
}
