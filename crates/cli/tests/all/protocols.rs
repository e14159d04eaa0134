//! The protocols of graphical programs, spoken through pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// The program at the other end of two pipes.
struct Engine {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Engine {
    fn start(args: &[&str]) -> Engine {
        let mut command = crate::common::program(args);
        let mut child =
            command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program runs");
        let stdin = child.stdin.take().expect("a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        Engine { child, stdin, stdout }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").expect("it reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.stdout.read_line(&mut line).expect("text") > 0, "it has ended");
        line.trim_end_matches('\n').to_owned()
    }

    /// All lines up to the first that begins so.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line: &String| !line.starts_with(start)) {
            lines.push(self.line());
        }
        lines
    }

    /// A GTP command and its response without the empty line at the end.
    fn gtp(&mut self, command: &str) -> String {
        self.say(command);
        let mut lines = vec![self.line()];
        loop {
            let line = self.line();
            if line.is_empty() {
                return lines.join("\n");
            }
            lines.push(line);
        }
    }

    /// A UCI command and the last line up to the one that begins with `end`.
    fn uci(&mut self, command: &str, end: &str) -> String {
        self.say(command);
        self.until(end).pop().expect("a line")
    }

    fn ends_well(mut self) {
        drop(self.stdin);
        assert_eq!(self.child.wait().expect("it ends").code(), Some(0));
    }
}

/// GTP specification, version 2, sections 2 to 6.
#[test]
fn gtp_is_spoken_to_the_letter() {
    let mut engine = Engine::start(&["gtp", "nogo:9x9", "--iterations", "50"]);
    for (command, response) in [
        ("protocol_version", "= 2"),
        ("1 name", "=1 Delphic"),
        ("# a comment alone\n\n  \r\n007 protocol_version # and one behind", "=007 2"),
        ("12\tknown_command\tgenmove", "=12 true"),
        ("known_command tsumego", "= false"),
        ("3 tsumego", "?3 unknown command"),
        ("boardsize 9", "= "),
        ("boardsize 9 9", "= "),
        ("boardsize 19", "? unacceptable size"),
        ("boardsize", "? syntax error"),
        ("boardsize nine", "? syntax error"),
        ("komi 6.5", "= "),
        ("komi", "? syntax error"),
        ("undo", "? cannot undo"),
        ("play black J9", "= "),
        ("play white j9", "? illegal move"),
        ("play W I5", "? illegal move"),
        ("play W pass", "? illegal move"),
        ("play b a1", "? illegal move"),
        ("play green a1", "? syntax error"),
        ("play w", "? syntax error"),
        ("play w h8", "= "),
        (
            "delphic-position",
            "= ........X/.......O./........./........./........./........./........./........./......... x",
        ),
        ("undo", "= "),
        ("final_score", "? cannot score"),
        ("time_settings 300 30 5", "= "),
        ("time_settings soon", "? syntax error"),
        ("time_settings 0 1 0", "= "),
        ("time_left b 10 0", "= "),
        ("time_left b 10 x", "? syntax error"),
        ("genmove b", "? it is the turn of the second player"),
        ("clear_board", "= "),
    ] {
        assert_eq!(engine.gtp(command), response, "{command}");
    }
    let commands = engine.gtp("list_commands");
    for command in commands.strip_prefix("= ").expect("success").lines() {
        assert_eq!(engine.gtp(&format!("known_command {command}")), "= true", "{command}");
    }
    let board = engine.gtp("showboard");
    assert!(board.starts_with("= \n") && board.lines().count() > 9, "{board}");
    assert_eq!(engine.gtp("99 quit"), "=99 ");
    engine.ends_well();
}

/// A game against itself; then the loser resigns and the score is known.
#[test]
fn gtp_plays_a_game() {
    let mut engine = Engine::start(&["gtp", "nogo:4x4", "--iterations", "200"]);
    let view = engine.gtp("delphic-analyze");
    assert_eq!(view.lines().count(), 16, "{view}");
    assert!(
        view.lines().next().is_some_and(|line| line.contains(" visits ") && line.contains(" value ")),
        "{view}"
    );
    let mut plies = 0;
    let loser = loop {
        let colour = ["black", "white"][plies % 2];
        match engine.gtp(&format!("genmove {colour}")).as_str() {
            "= resign" => break colour,
            vertex => assert!(vertex[2..3].contains(['A', 'B', 'C', 'D']), "{vertex}"),
        }
        plies += 1;
    };
    assert_eq!(engine.gtp("final_score"), if loser == "black" { "= W+1" } else { "= B+1" });
    assert_eq!(engine.gtp("delphic-analyze"), "? the game is over");
    let winner = ["black", "white"][usize::from(loser == "black")];
    assert_eq!(engine.gtp(&format!("genmove {winner}")), "= pass");
    for _ in 0..3 {
        assert_eq!(engine.gtp("undo"), "= ");
    }
    assert!(engine.gtp("delphic-analyze").contains(" proven "));
    engine.ends_well();
}

/// Every game can be played, and every name of a move that is given is understood.
#[test]
fn every_game_speaks_both_protocols() {
    for (name, _) in delphic_engine::GAMES {
        let mut engine = Engine::start(&["gtp", name, "--iterations", "4"]);
        let mut other = Engine::start(&["gtp", name]);
        let mut third = Engine::start(&["uci", name]);
        let mut record = Vec::new();
        for ply in 0..4 {
            let position = engine.gtp("delphic-position");
            assert_eq!(other.gtp("delphic-position"), position, "{name}");
            let players = delphic_engine::game(name).expect("a game").players();
            let seat = delphic_engine::Player::new(ply % players);
            let response = engine.gtp(&format!("genmove {seat}"));
            if response.starts_with('?') || ["= pass", "= resign"].contains(&response.as_str()) {
                break;
            }
            let vertex = &response[2..];
            assert_eq!(other.gtp(&format!("play {seat} {vertex}")), "= ", "{name}: {vertex}");
            assert!(engine.gtp("showboard").starts_with("= \n"), "{name}");

            third.say(&format!("position startpos moves {}", record.join(" ")));
            let best = third.uci("go nodes 4", "bestmove").split_off("bestmove ".len());
            record.push(best);
        }
        assert!(!record.is_empty(), "{name}");
        third.say(&format!("position startpos moves {}", record.join(" ")));
        assert_eq!(third.uci("isready", "readyok"), "readyok", "{name}");
        for engine in [engine, other, third] {
            engine.ends_well();
        }
    }
}

#[test]
fn uci_is_spoken() {
    let mut engine = Engine::start(&["uci", "los-alamos", "--iterations", "100"]);
    engine.say("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Delphic") && lines[1].starts_with("id author "), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("option name Agent type string default gpn-mcts:")),
        "{lines:?}"
    );
    assert_eq!(engine.uci("isready", "readyok"), "readyok");
    engine.say("ucinewgame");
    engine.say("position startpos moves a2a3 b1c3");
    for (wrong, said) in [
        ("position startpos moves a2a3 b1c3", "info string ply 2: b1c3 is not a legal move here"),
        ("position fen nonsense", "info string malformed position"),
        ("position", "info string expected position startpos"),
        ("go depth 3", "info string ignored: depth 3"),
        ("setoption name Agent value genius", "info string unknown agent 'genius'"),
        ("setoption name Contempt value 1", "info string unknown option contempt"),
        ("setoption name UCI_Variant value chess", "info string the game is losalamos"),
        ("setoption", "info string expected setoption"),
        ("sing", "info string unknown command sing"),
    ] {
        let answer = if wrong.starts_with("position startpos") {
            engine.line()
        } else {
            engine.uci(wrong, "info string")
        };
        assert!(answer.starts_with(said), "{wrong}: {answer}");
    }
    engine.say("position fen rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1 moves a2a3");
    engine.say("setoption name Agent value uct");
    engine.say("setoption name Hash value 64");
    engine.say("go nodes 300");
    let lines = engine.until("bestmove");
    let info = &lines[lines.len() - 2];
    assert!(
        info.starts_with("info depth 1 time ") && info.contains(" score cp ") && info.contains(" pv "),
        "{lines:?}"
    );
    assert!(engine.uci("go movetime 50", "bestmove").starts_with("bestmove "));
    assert!(engine.uci("go wtime 1000 btime 1000 winc 0 binc 0", "bestmove").starts_with("bestmove "));
    // Promotions, and a game that is over.
    engine.say("position fen k5/3P2/6/6/6/K5 w 100 moves d5d6q");
    assert!(engine.uci("go nodes 50", "bestmove").starts_with("bestmove a6"));
    engine.say("quit");
    engine.ends_well();
}

/// A search without end ends with stop, however early it comes, and with the program that asked.
#[test]
fn uci_stops_on_request() {
    let mut engine = Engine::start(&["uci", "reach-chess"]);
    engine.say("position startpos");
    engine.say("go infinite");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(engine.uci("stop", "bestmove").len() > "bestmove a2".len());
    assert!(engine.uci("go infinite\nstop", "bestmove").len() > "bestmove a2".len());
    assert_eq!(engine.uci("isready", "readyok"), "readyok");
    engine.say("go infinite");
    engine.ends_well();

    let mut engine = Engine::start(&["uci", "tictactoe"]);
    engine.say("position startpos moves b2 a3");
    engine.say("go infinite");
    std::thread::sleep(std::time::Duration::from_millis(600));
    engine.say("quit");
    let lines = engine.until("bestmove");
    assert!(lines.iter().any(|line| line == "info string proven: draw"), "{lines:?}");
    engine.ends_well();
}

/// The dialect of shogi programs.
#[test]
fn usi_is_spoken_for_minishogi() {
    let mut engine = Engine::start(&["uci", "minishogi", "--iterations", "100"]);
    engine.say("usi");
    engine.until("usiok");
    engine.say("usinewgame");
    engine.say("position startpos moves 3e2d");
    let best = engine.uci("go btime 1000 wtime 1000 byoyomi 50", "bestmove").split_off("bestmove ".len());
    assert!(best.starts_with(|c: char| ('1'..='5').contains(&c)), "{best}");
    engine.say("position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 3e2d");
    engine.say(&format!("position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 3e2d {best}"));
    assert_eq!(engine.uci("isready", "readyok"), "readyok");
    engine.ends_well();
    let mut engine = Engine::start(&["uci", "los-alamos"]);
    assert_eq!(engine.uci("usi", "info"), "info string unknown command usi");
    engine.ends_well();
}

/// Hex as HexGui and MoHex know it: columns with i, the other slant, black from north to south.
#[test]
fn hex_is_that_of_hexgui() {
    let mut engine = Engine::start(&["gtp", "hex:3", "--iterations", "50"]);
    // A chain along the short diagonal, from the north to the south.
    for command in ["play b a3", "play w a1", "play b b2", "play w b1", "play b c1"] {
        assert_eq!(engine.gtp(command), "= ", "{command}");
    }
    assert_eq!(engine.gtp("final_score"), "= B+");
    assert_eq!(engine.gtp("genmove w"), "= resign");
    assert_eq!(
        engine.gtp("showboard"),
        "= \n    a b c\n 1  O O X\n  2  . X .\n   3  X . .\nX (black) joins north and south, O (white) joins west and east"
    );
    assert_eq!(engine.gtp("clear_board"), "= ");
    // White joins west and east.
    for command in ["play b a3", "play w a1", "play b b3", "play w b1", "play b c3", "play w c1"] {
        assert_eq!(engine.gtp(command), "= ", "{command}");
    }
    assert_eq!(engine.gtp("final_score"), "= W+");
    engine.ends_well();

    let mut engine = Engine::start(&["gtp", "hex:9", "--iterations", "50"]);
    assert_eq!(engine.gtp("play b I9"), "= ");
    assert_eq!(engine.gtp("play w i9"), "? illegal move");
    assert_eq!(engine.gtp("play w j1"), "? illegal move");
    let legal = engine.gtp("all_legal_moves");
    assert_eq!(legal.split_whitespace().count(), 81, "80 cells behind the sign: {legal}");
    assert!(legal.contains(" i8") && !legal.contains(" i9") && !legal.contains("swap"), "{legal}");
    // A move that is only asked for is not made.
    let asked = engine.gtp("reg_genmove w");
    assert!(asked.len() == 4 && engine.gtp(&format!("play w {}", &asked[2..])) == "= ", "{asked}");
    assert!(engine.gtp("hexgui-analyze_commands").contains("plist/Legal moves/all_legal_moves"));
    engine.ends_well();
}

/// `swap-pieces` turns the first stone into a white one at its mirror image, and black moves next.
#[test]
fn pieces_are_swapped_in_hex() {
    let mut engine = Engine::start(&["gtp", "hex:3,swap", "--iterations", "50"]);
    assert_eq!(engine.gtp("play b a2"), "= ");
    assert!(engine.gtp("all_legal_moves").ends_with("swap-pieces"));
    assert_eq!(engine.gtp("play w swap-pieces"), "= ");
    let board = engine.gtp("showboard");
    assert!(board.starts_with("= \n    a b c\n 1  . O .\n  2  . . .\n   3  . . .\n"), "{board}");
    assert_eq!(engine.gtp("play w a1"), "? illegal move");
    for command in ["play b a3", "play w a1", "play b b3", "play w c1"] {
        assert_eq!(engine.gtp(command), "= ", "{command}");
    }
    // White has the northern row from west to east.
    assert_eq!(engine.gtp("final_score"), "= W+");
    assert_eq!(engine.gtp("undo"), "= ");
    assert_eq!(engine.gtp("final_score"), "? cannot score");
    engine.ends_well();
}
