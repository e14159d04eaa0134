//! What can be typed besides moves.

use crate::lists::table;

/// A line that is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Command<'a> {
    Help,
    /// With the beginning of their names.
    Moves(&'a str),
    Hint,
    Undo,
    Board,
    Go,
    Switch,
    Save(&'a str),
    Load(&'a str),
    New,
    /// Without a name: who plays?
    Agent(&'a str),
    /// Without a time: how long?
    Time(&'a str),
    Resign,
    Quit,
}

/// How they are typed and what they do, for `help`.
const HELP: &[(&str, &str)] = &[
    ("moves [a…]", "the legal moves, or those that begin so"),
    ("hint", "what the agent would play for you, and what it thinks of the moves"),
    ("go", "let the agent make this move for you"),
    ("undo", "take back to your last move"),
    ("board", "show the board and the position's notation"),
    ("switch", "change seats with the agent"),
    ("agent [NAME]", "play against another agent"),
    ("time [T]", "let it think so long about a move: 500ms, 10, 1m"),
    ("save FILE", "keep the game"),
    ("load FILE", "go on with a game that was kept"),
    ("new", "begin again"),
    ("resign", "give up"),
    ("quit", "leave; so do Ctrl-C and the end of the input"),
];

impl Command<'_> {
    /// The command on a line, if its first word is one; an error, if the rest does not fit.
    pub(crate) fn parse(line: &str) -> Result<Option<Command<'_>>, String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let command = match word {
            "help" | "?" => return Ok(Some(Command::Help)),
            "moves" => return Ok(Some(Command::Moves(rest))),
            "agent" => return Ok(Some(Command::Agent(rest))),
            "time" => return Ok(Some(Command::Time(rest))),
            "save" | "load" if rest.is_empty() => return Err(format!("{word} needs the name of a file")),
            "save" => return Ok(Some(Command::Save(rest))),
            "load" => return Ok(Some(Command::Load(rest))),
            "hint" => Command::Hint,
            "undo" => Command::Undo,
            "board" => Command::Board,
            "go" => Command::Go,
            "switch" => Command::Switch,
            "new" => Command::New,
            "resign" => Command::Resign,
            "quit" | "exit" => Command::Quit,
            _ => return Ok(None),
        };
        if rest.is_empty() {
            Ok(Some(command))
        } else {
            Err(format!("{word} stands alone, without '{rest}'"))
        }
    }
}

/// All commands, and how moves are written.
pub(crate) fn help(how: &str) -> String {
    let mut list = table(["command", "what it does"]);
    for (command, what) in HELP {
        list.add_row([*command, *what]);
    }
    format!("{list}\n\n{}\n", about_moves(how))
}

/// The part of a game's notation that is about moves.
pub(crate) fn about_moves(how: &str) -> &str {
    let end = [" A position", " A node"].iter().filter_map(|next| how.find(next)).min();
    end.map_or(how, |end| &how[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_help_lists_is_understood() {
        for (usage, _) in HELP {
            let line = usage.replace(['[', ']'], "");
            assert!(matches!(Command::parse(&line), Ok(Some(_))), "{usage}");
        }
        assert_eq!(Command::parse("save  my game.json"), Ok(Some(Command::Save("my game.json"))));
        for wrong in ["save", "load ", "undo 3"] {
            assert!(Command::parse(wrong).is_err(), "{wrong}");
        }
        for other in ["frobnicate", "Ω x", "b2", ""] {
            assert_eq!(Command::parse(other), Ok(None));
        }
    }
}
