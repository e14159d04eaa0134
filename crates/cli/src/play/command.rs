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
    /// The command on a line, or why there is none.
    pub(crate) fn parse(line: &str) -> Result<Command<'_>, String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let file = |command: Command<'static>| match command {
            _ if rest.is_empty() => Err(format!("{word} needs the name of a file")),
            Command::Save(_) => Ok(Command::Save(rest)),
            _ => Ok(Command::Load(rest)),
        };
        let alone = |command: Command<'static>| match rest {
            "" => Ok(command),
            _ => Err(format!("{word} stands alone, without '{rest}'")),
        };
        match word {
            "help" | "?" => Ok(Command::Help),
            "moves" => Ok(Command::Moves(rest)),
            "hint" => alone(Command::Hint),
            "undo" => alone(Command::Undo),
            "board" => alone(Command::Board),
            "go" => alone(Command::Go),
            "switch" => alone(Command::Switch),
            "save" => file(Command::Save("")),
            "load" => file(Command::Load("")),
            "new" => alone(Command::New),
            "agent" => Ok(Command::Agent(rest)),
            "time" => Ok(Command::Time(rest)),
            "resign" => alone(Command::Resign),
            "quit" | "exit" => alone(Command::Quit),
            _ => Err(format!("'{line}' is neither a legal move nor a command")),
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
            assert!(Command::parse(&line).is_ok(), "{usage}");
        }
        assert_eq!(Command::parse("save  my game.json"), Ok(Command::Save("my game.json")));
        for wrong in ["save", "load ", "undo 3", "frobnicate", "Ω x"] {
            assert!(Command::parse(wrong).is_err(), "{wrong}");
        }
    }
}
