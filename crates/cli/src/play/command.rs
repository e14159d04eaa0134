//! The commands of a session.

use crate::tables::{table, wrapped};
use delphic_engine::AnyGame;
use delphic_game::spec::nearest;

/// A line that is not a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Command<'a> {
    Help,
    /// Those whose names begin with this.
    Moves(&'a str),
    Hint,
    Analyze,
    Undo,
    Board,
    Go,
    Switch,
    Save(&'a str),
    Load(&'a str),
    New,
    /// Without a name: shows the agent.
    Agent(&'a str),
    /// Without a time: shows the limit.
    Time(&'a str),
    Resign,
    Quit,
}

/// Usage and description of each command, for `help`.
const HELP: &[(&str, &str)] = &[
    ("moves [a…]", "list the legal moves, or those that begin with a…"),
    ("hint", "show the agent's move for you, and its view of the moves"),
    ("analyze", "show the exact value of every move, within the time per move"),
    ("go", "let the agent make this move for you"),
    ("undo", "take back your last move and the answer to it"),
    ("board", "show the board and the position's notation"),
    ("switch", "change sides with the agent"),
    ("agent [NAME]", "show the agent, or choose another one"),
    ("time [T]", "show its time per move, or set it: 500ms, 10, 1m"),
    ("save FILE", "save the game"),
    ("load FILE", "continue a saved game"),
    ("new", "start again"),
    ("resign", "resign the game"),
    ("quit", "leave; so do Ctrl-C and the end of the input"),
];

impl Command<'_> {
    /// The command on a line, if its first word is one; an error if its arguments are wrong.
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
            "analyze" => Command::Analyze,
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
            Err(format!("{word} takes no argument such as '{rest}'"))
        }
    }
}

/// A suggestion for a mistyped command: one with the same beginning, or one spelled similarly.
pub(crate) fn similar(line: &str) -> Option<&'static str> {
    let word = line.split_whitespace().next()?.to_lowercase();
    let names = || HELP.iter().filter_map(|(usage, _)| usage.split(' ').next());
    // A single letter is more likely the beginning of a move.
    let begun = || names().find(|name| word.len() > 1 && name.starts_with(&word));
    begun().or_else(|| nearest(&word, names()))
}

/// All commands, and how moves are written.
pub(crate) fn help(game: &dyn AnyGame) -> String {
    let mut list = table(["command", "what it does"]);
    for (command, what) in HELP {
        list.add_row([*command, *what]);
    }
    format!("{list}\n\n{}\n", wrapped(&about_moves(game)))
}

/// The description of move notation. It is the same for all variants of a game, so a swap that this variant does not
/// have is removed.
pub(crate) fn about_moves(game: &dyn AnyGame) -> String {
    let how = game.how();
    let end = [" A position", " A node"].iter().filter_map(|next| how.find(next)).min();
    let moves = end.map_or(how, |end| &how[..end]);
    if game.spec().contains("swap") { moves.to_owned() } else { moves.replace(", or swap.", ".") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_is_mentioned_where_there_is_one() {
        for (spec, mentioned) in [("hex:4", false), ("hex:4,swap", true)] {
            let game = delphic_engine::game(spec).expect("a game");
            assert_eq!(about_moves(&*game).contains("swap"), mentioned, "{spec}");
        }
    }

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
        for (typed, meant) in [
            ("und", Some("undo")),
            ("analyse", Some("analyze")),
            ("QUIT", Some("quit")),
            ("ana", Some("analyze")),
        ] {
            assert_eq!(similar(typed), meant, "{typed}");
        }
        for other in ["frobnicate", "z9", "b", "d4"] {
            assert_eq!(similar(other), None, "{other}");
        }
        for other in ["frobnicate", "Ω x", "b2", ""] {
            assert_eq!(Command::parse(other), Ok(None));
        }
    }
}
