//! Tables of text.

use comfy_table::{ContentArrangement, Table, presets};

/// The width of text if standard output is not a terminal.
const WIDTH: u16 = 110;

/// A table without frames that fits the terminal.
pub(crate) fn table<'a>(head: impl IntoIterator<Item = &'a str>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_header(head);
    table.set_width(width());
    table
}

/// The columns of the terminal.
fn width() -> u16 {
    terminal_size::terminal_size_of(std::io::stdout()).map_or(WIDTH, |(width, _)| width.0)
}

/// Text broken between words, at the width of the terminal.
pub(crate) fn wrapped(text: &str) -> String {
    text.split('\n').map(|line| wrap(line, width().into())).collect::<Vec<_>>().join("\n")
}

fn wrap(line: &str, width: usize) -> String {
    let (mut text, mut used) = (String::new(), 0);
    for word in line.split(' ') {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            text.push('\n');
            used = 0;
        } else if used > 0 {
            text.push(' ');
            used += 1;
        }
        text += word;
        used += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("a longer line of words", 10), "a longer\nline of\nwords");
        assert_eq!(wrap("short", 10), "short");
        assert_eq!(wrap("unbreakable x", 4), "unbreakable\nx");
        assert_eq!(wrap("", 4), "");
    }
}
