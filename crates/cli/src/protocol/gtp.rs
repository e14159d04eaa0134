//! The Go Text Protocol, version 2 (G. Farnebäck 2002), for every game. Black is the first player, white the
//! second. Hex is translated to the conventions of HexGui and MoHex (`hex.rs`).

use super::NAME;
use super::clock::Clock;
use super::vertex::{Vertices, shape};
use crate::allowance::Allowance;
use crate::args::Engine;
use crate::match_state::{MatchState, short_name};
use crate::move_ranking::Range;
use crate::{Failure, output, version};
use delphic_engine::{AnyGame, Considered, Player, Thought, game};
use std::io::{BufRead, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

pub(crate) fn run(options: &Engine) -> Result<u8, Failure> {
    let game = game(&options.game)?;
    let start = game.position(None, None)?;
    let (columns, rows) = shape(&*start);
    let mut server = Server {
        game: &*game,
        range: Range::of(&*game),
        vertices: Vertices::of(game.spec(), columns),
        shape: (columns, rows),
        state: MatchState::new(&*game, &*start, options.opponent.agent(), options.opponent.seed),
        allowance: options.opponent.allowance(),
        clocks: vec![None; game.players()],
    };
    let mut stdin = std::io::stdin().lock();
    let mut line = Vec::new();
    while stdin.read_until(b'\n', &mut line)? > 0 {
        let request = Request::parse(&String::from_utf8_lossy(&line));
        line.clear();
        let Some(request) = request else { continue };
        output(&request.response(server.obey(&request)))?;
        if request.command == "quit" {
            break;
        }
    }
    Ok(0)
}

/// A line from the controller.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Request {
    id: String,
    command: String,
    arguments: Vec<String>,
}

impl Request {
    /// A line after the preprocessing of section 3.1 of the specification: without control characters and comments.
    fn parse(line: &str) -> Option<Request> {
        let line: String = line
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_control())
            .take_while(|&c| c != '#')
            .collect();
        let mut words = line.split_whitespace().map(str::to_owned).peekable();
        let is_id = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
        let id = words.next_if(is_id).unwrap_or_default();
        let command = words.next();
        if id.is_empty() && command.is_none() {
            return None;
        }
        Some(Request { id, command: command.unwrap_or_default(), arguments: words.collect() })
    }

    /// Ends with an empty line and has no other.
    fn response(&self, result: Result<String, String>) -> String {
        let (sign, text) = match result {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let mut lines = text.trim_end().split('\n');
        let mut response = format!("{sign}{} {}", self.id, lines.next().unwrap_or_default());
        for line in lines {
            response += if line.is_empty() { "\n " } else { "\n" };
            response += line;
        }
        response + "\n\n"
    }
}

/// A program with a game.
struct Server<'g> {
    game: &'g dyn AnyGame,
    range: Range,
    vertices: Vertices,
    shape: (usize, usize),
    state: MatchState<'g>,
    allowance: Allowance,
    /// By seat.
    clocks: Vec<Option<Clock>>,
}

type Answer = Result<String, String>;
type Handler = fn(&mut Server<'_>, &[&str]) -> Answer;

/// All commands.
const COMMANDS: &[(&str, Handler)] = &[
    ("protocol_version", |_, _| Ok("2".to_owned())),
    ("name", |_, _| Ok(NAME.to_owned())),
    ("version", |server, _| {
        Ok(format!("{} {} {}", version::FULL, server.game.spec(), short_name(&server.state.agent())))
    }),
    ("known_command", |_, words| Ok(words.first().is_some_and(|word| handler(word).is_some()).to_string())),
    ("list_commands", |_, _| Ok(COMMANDS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("\n"))),
    ("quit", |_, _| Ok(String::new())),
    ("boardsize", |server, words| server.board_size(words)),
    ("clear_board", |server, _| {
        server.state.back_to(0);
        Ok(String::new())
    }),
    ("komi", |server, words| server.komi(words)),
    ("play", |server, words| server.play(words)),
    ("genmove", |server, words| server.generate(words)),
    ("reg_genmove", |server, words| server.choose(words).map(|(answer, _)| answer)),
    ("all_legal_moves", |server, _| Ok(server.names().join(" "))),
    ("undo", |server, _| server.undo()),
    ("showboard", |server, _| {
        let board = server.vertices.board(server.state.position());
        Ok(format!("\n{}", board.trim_start_matches('\n')))
    }),
    ("time_settings", |server, words| server.time_settings(words)),
    ("time_left", |server, words| server.time_left(words)),
    ("final_score", |server, _| server.final_score()),
    ("delphic-analyze", |server, _| server.analyze()),
    ("delphic-moves", |server, _| Ok(server.names().join(" "))),
    ("delphic-position", |server, _| Ok(server.state.position().write())),
    ("gogui-analyze_commands", |_, _| Ok(ANALYZE_COMMANDS.to_owned())),
    ("hexgui-analyze_commands", |_, _| Ok(format!("plist/Legal moves/all_legal_moves\n{ANALYZE_COMMANDS}"))),
];

/// What GoGui and HexGui show in their menus.
const ANALYZE_COMMANDS: &str = "string/View of the moves/delphic-analyze\nstring/Legal moves/delphic-moves\n\
    string/Position/delphic-position\nstring/Final score/final_score";

fn handler(name: &str) -> Option<Handler> {
    COMMANDS.iter().find(|(known, _)| *known == name).map(|(_, handler)| *handler)
}

fn syntax_error<T>() -> Result<T, String> {
    Err("syntax error".to_owned())
}

/// A number that is neither negative nor infinite.
fn seconds(word: &str) -> Result<f64, String> {
    let number = word.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.map_or_else(syntax_error, Ok)
}

impl Server<'_> {
    fn obey(&mut self, request: &Request) -> Answer {
        let arguments: Vec<&str> = request.arguments.iter().map(String::as_str).collect();
        match handler(&request.command) {
            Some(handler) => handler(self, &arguments),
            None => Err("unknown command".to_owned()),
        }
    }

    /// The player of a colour; further players have Delphic's names.
    fn player(&self, colour: &str) -> Result<Player, String> {
        let seat = match colour.to_ascii_lowercase().as_str() {
            "b" | "black" => Some(Player::FIRST),
            "w" | "white" => Some(Player::SECOND),
            name => name.parse().ok(),
        };
        seat.filter(|seat| seat.index() < self.game.players()).map_or_else(syntax_error, Ok)
    }

    /// The size of a board is part of the game's name.
    fn board_size(&mut self, words: &[&str]) -> Answer {
        let sizes: Result<Vec<usize>, _> = words.iter().map(|word| word.parse()).collect();
        let Ok(sizes) = sizes else { return syntax_error() };
        let (columns, rows) = self.shape;
        // Some boards, such as Havannah's, are named by the length of a side.
        let side = self.game.spec().split([':', ',']).nth(1).and_then(|side| side.parse().ok());
        let fits = match sizes[..] {
            [] => return syntax_error(),
            [size] => (columns, rows) == (size, size) || side == Some(size),
            [across, down, ..] => (columns, rows) == (across, down),
        };
        if !fits {
            return Err("unacceptable size".to_owned());
        }
        self.state.back_to(0);
        Ok(String::new())
    }

    fn komi(&self, words: &[&str]) -> Answer {
        match words {
            [komi, ..] if komi.parse::<f64>().is_ok() => {
                // A note for the user; the protocol requires an empty answer.
                let _ = writeln!(std::io::stderr(), "komi is ignored: {} has none", self.game.spec());
                Ok(String::new())
            }
            _ => syntax_error(),
        }
    }

    fn names(&self) -> Vec<String> {
        let position = self.state.position();
        position.moves().iter().map(|mv| self.vertices.name(position, mv)).collect()
    }

    fn play(&mut self, words: &[&str]) -> Answer {
        let [colour, vertex, ..] = words else { return syntax_error() };
        let (seat, position) = (self.player(colour)?, self.state.position());
        let nth = self.vertices.find(position, vertex).filter(|_| position.turn() == seat);
        self.state.play(nth.ok_or("illegal move")?);
        Ok(String::new())
    }

    fn generate(&mut self, words: &[&str]) -> Answer {
        let (started, seat) = (Instant::now(), self.state.position().turn().index());
        let (answer, choice) = self.choose(words)?;
        if let Some(nth) = choice {
            self.state.play(nth);
            if let Some(clock) = &mut self.clocks[seat] {
                *clock = clock.after(started.elapsed());
            }
        }
        Ok(answer)
    }

    /// The move to make and its number. If the game is over, its loser resigns and everyone else passes.
    fn choose(&mut self, words: &[&str]) -> Result<(String, Option<usize>), String> {
        let [colour, ..] = words else { return syntax_error() };
        let (seat, position) = (self.player(colour)?, self.state.position());
        if let Some(payoffs) = position.payoffs() {
            return Ok((if payoffs[seat.index()] < 0 { "resign" } else { "pass" }.to_owned(), None));
        }
        if position.turn() != seat {
            return Err(format!("it is the turn of the {} player", position.turn()));
        }
        let thought = self.think(seat);
        let name = self.vertices.name(self.state.position(), &thought.moves[thought.choice].mv);
        Ok((name, Some(thought.choice)))
    }

    fn think(&mut self, seat: Player) -> Thought {
        let allowance =
            self.clocks[seat.index()].map_or(self.allowance, |clock| self.allowance.lasting(clock.share()));
        let never = AtomicBool::new(false);
        self.state.think(&allowance.budget(&never), &mut ())
    }

    fn undo(&mut self) -> Answer {
        let plies = self.state.plies().checked_sub(1).ok_or("cannot undo")?;
        self.state.back_to(plies);
        Ok(String::new())
    }

    /// Byo-yomi without stones means no limit; then the limits of the command line apply.
    fn time_settings(&mut self, words: &[&str]) -> Answer {
        let [main, period, stones, ..] = words else { return syntax_error() };
        let (main, period) = (seconds(main)?, seconds(period)?);
        let Ok(stones) = stones.parse() else { return syntax_error() };
        let unlimited = period > 0.0 && stones == 0;
        self.clocks.fill((!unlimited).then_some(Clock { main, period, stones }));
        Ok(String::new())
    }

    /// With stones, the time is for that number of moves; without, for the whole game.
    fn time_left(&mut self, words: &[&str]) -> Answer {
        let [colour, time, stones, ..] = words else { return syntax_error() };
        let (seat, time) = (self.player(colour)?, seconds(time)?);
        let Ok(stones) = stones.parse() else { return syntax_error() };
        let settings = self.clocks[seat.index()].unwrap_or(Clock { main: 0.0, period: 0.0, stones: 0 });
        let clock = match stones {
            0 => Clock { main: time, ..settings },
            _ => Clock { main: 0.0, period: time, stones },
        };
        self.clocks[seat.index()] = Some(clock);
        Ok(String::new())
    }

    fn final_score(&self) -> Answer {
        match self.state.position().payoffs().as_deref() {
            None => Err("cannot score".to_owned()),
            Some([0, _]) => Ok("0".to_owned()),
            // Match programs compare the texts of both engines, and Hex engines give no margin.
            Some([score, _]) if self.vertices.hex.is_some() => {
                Ok(if *score > 0 { "B+" } else { "W+" }.to_owned())
            }
            Some([score, _]) => {
                Ok(format!("{}+{}", if *score > 0 { 'B' } else { 'W' }, score.unsigned_abs()))
            }
            Some(payoffs) => {
                let each = payoffs
                    .iter()
                    .enumerate()
                    .map(|(seat, payoff)| format!("{} {payoff}", Player::new(seat)));
                Ok(each.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// One move per line, the best first.
    fn analyze(&mut self) -> Answer {
        if self.state.position().is_over() {
            return Err("the game is over".to_owned());
        }
        let thought = self.think(self.state.position().turn());
        let position = self.state.position();
        let line = |mv: &Considered| {
            let mut line = format!("{} visits {}", self.vertices.name(position, &mv.mv), mv.visits);
            if let Some(mean) = mv.mean {
                // Not -0.000.
                line += &format!(" value {:.3}", (mean * 1000.0).round() / 1000.0 + 0.0);
            }
            if let Some(proven) = self.range.proven(mv) {
                line += &format!(" proven {proven}");
            }
            line
        };
        let lines: Vec<String> = self.range.by_preference(&thought).into_iter().map(line).collect();
        Ok(lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_preprocessed() {
        let words = |line: &str| Request::parse(line).map(|r| (r.id, r.command, r.arguments.join(" ")));
        let expected = |id: &str, command: &str, rest: &str| Some((id.into(), command.into(), rest.into()));
        assert_eq!(words("12\tplay  b\u{7} D4 # a comment\r\n"), expected("12", "play", "b D4"));
        assert_eq!(words("name\n"), expected("", "name", ""));
        for nothing in ["", "\n", "  # name", "\r\n", "\u{1}\u{2}"] {
            assert_eq!(words(nothing), None);
        }
    }

    #[test]
    fn responses_end_with_their_only_empty_line() {
        let request = Request { id: "7".into(), command: String::new(), arguments: Vec::new() };
        assert_eq!(request.response(Ok("\na\n\nb\n".into())), "=7 \na\n \nb\n\n");
        assert_eq!(request.response(Err("syntax error".into())), "?7 syntax error\n\n");
        assert_eq!(request.response(Ok(String::new())), "=7 \n\n");
    }
}
