//! Standard error as a terminal to draw on, reported a little narrower than it is.
//!
//! indicatif fills a line to the last column. The `^C` that a terminal prints for Ctrl-C would then wrap to the next
//! line, and the first line could not be cleared any more.

use indicatif::TermLike;
use std::io::{self, Write};

/// Columns that are left free.
const MARGIN: u16 = 4;
/// The columns if the terminal does not report them.
const WIDTH: u16 = 80;

#[derive(Debug)]
pub(super) struct Terminal;

impl Terminal {
    /// Moves the cursor by an escape sequence.
    fn go(count: usize, direction: char) -> io::Result<()> {
        if count > 0 { write!(io::stderr(), "\x1b[{count}{direction}") } else { Ok(()) }
    }
}

impl TermLike for Terminal {
    fn width(&self) -> u16 {
        let width = terminal_size::terminal_size_of(io::stderr()).map_or(WIDTH, |(width, _)| width.0);
        width.saturating_sub(MARGIN).max(1)
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        Terminal::go(lines, 'A')
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        Terminal::go(lines, 'B')
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        Terminal::go(columns, 'C')
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        Terminal::go(columns, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        writeln!(io::stderr(), "{text}")
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        write!(io::stderr(), "{text}")
    }

    fn clear_line(&self) -> io::Result<()> {
        write!(io::stderr(), "\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        io::stderr().flush()
    }
}
