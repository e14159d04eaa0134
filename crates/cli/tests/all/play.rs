//! Playing as a person or a graphical program meets it: sessions through pipes.

use crate::common::{PROGRAM, assert_contains, feed, shell, signal, spawn};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What is printed when these lines are typed. Nothing that can be typed is a failure.
fn session(args: &[&str], lines: &[&str]) -> String {
    let output = feed(args, &(lines.join("\n") + "\n"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// A session against an agent that plays the same game every time.
fn play(args: &[&str], lines: &[&str]) -> String {
    session(&[&["play"], args, &["--iterations", "300"]].concat(), lines)
}

/// A folder of our own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("delphic-play-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Sessions in the documentation are real: what follows `> ` is typed, the rest is printed, except for the
/// effort, which varies.
#[test]
fn the_documentation_shows_real_sessions() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let text = std::fs::read_to_string(format!("{root}/docs/play.md")).expect("docs/play.md");
    let program = PathBuf::from(PROGRAM);
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().expect("a folder").display());
    let steady = |text: &str| -> Vec<String> {
        let lines = text.trim_end().lines().map(|line| line.trim_end().to_owned());
        lines.filter(|line| !line.starts_with("effort")).collect()
    };
    let mut sessions = 0;
    for block in text.split("```console\n$ ").skip(1) {
        let block = block.split("```").next().expect("split gives a part");
        let (command, shown) = block.split_once('\n').expect("a command and its output");
        let mut child = Command::new("sh")
            .args(["-c", command])
            .env("PATH", &path)
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("sh runs");
        let typed: Vec<&str> = shown.lines().filter_map(|line| line.strip_prefix("> ")).collect();
        let mut stdin = child.stdin.take().expect("a pipe");
        // A pipeline does not read what we type.
        let _ = stdin.write_all((typed.join("\n") + "\n").as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(steady(&printed), steady(shown), "{command}\n{printed}");
        sessions += 1;
    }
    assert!(sessions >= 4, "{sessions} sessions");
}

#[test]
fn a_game_is_played_to_its_end() {
    let text = play(&["tictactoe"], &["b2", "go", "go", "go", "go", "b2", "go"]);
    assert_contains(
        &text,
        &["you are first", "> b2", "gpn-mcts plays ", "the game is over: a draw", "the game is over; "],
    );
    // The first player wins 3x3 Hex, and our agent finds out how.
    let text = play(&["hex:3", "--as", "second"], &["go", "go", "go", "go"]);
    assert_contains(&text, &["gpn-mcts plays", "the game is over: you lose"]);
    let text = play(&["awari", "--agent", "random", "--seed", "4"], &["go"; 400]);
    assert_contains(&text, &["random plays", "the game is over"]);
}

/// With three seats the agent has two of them, and every agent and solver can be one.
#[test]
fn every_agent_takes_every_other_seat() {
    let text = play(&["mnk3:3,3,3", "--as", "second"], &["go", "quit"]);
    assert_contains(
        &text,
        &[
            "gpn-mcts is first (X) and third (Z)",
            "gpn-mcts, first, plays",
            "plays",
            "for you",
            "gpn-mcts, third, plays",
            "gpn-mcts, first, plays",
        ],
    );
    for agent in
        ["random", "uct", "sb-mcts", "pn-mcts", "gpn-mcts:reuse=off", "alphabeta", "auto", "ppn", "brute"]
    {
        let text = play(&["tictactoe", "--agent", agent], &["b2", "hint", "quit"]);
        assert_contains(&text, &["> b2", " plays ", "> hint", "would play", "> quit"]);
    }
}

#[test]
fn hints_tell_what_is_thought_and_what_is_proven() {
    let text = play(&["tictactoe", "XX./OO./..."], &["hint"]);
    assert_contains(&text, &["the agent would play c3", "move", "visits", "value", "proven", "c3", "win"]);
    let text = play(&["hex:7"], &["hint"]);
    assert_contains(&text, &["would play", "visits", " %", "… and 39 more", "effort"]);
    let text = play(&["tictactoe", "XOX/OOX/OX."], &["hint"]);
    assert_contains(&text, &["c1 is your only move"]);
}

/// Whatever is typed, the game goes on.
#[test]
fn wrong_input_is_explained_and_loses_nothing() {
    let lines = [
        "b2",
        "z9",
        "b",
        "",
        "frobnicate",
        "undo 7",
        "save",
        "load",
        "load /no/such/file",
        "agent genius",
        "time banana",
        "\u{7}\u{1b}[A",
        "save /no/such/folder/game",
        "moves q",
        "Ω",
        "help me",
        "board",
    ];
    let text = play(&["tictactoe", "--agent", "brute"], &lines);
    assert_contains(
        &text,
        &[
            "'z9' is neither a legal move nor a command; `moves` lists the 7 legal moves",
            "'b' is neither a legal move nor a command; legal moves that begin with it: b",
            "'frobnicate' is neither",
            "undo takes no argument such as '7'",
            "save needs the name of a file",
            "load needs the name of a file",
            "cannot load /no/such/file: ",
            "unknown agent 'genius'",
            "expected a time such as",
            "cannot write /no/such/folder/game",
            "none of the 7 legal moves begins with q",
            "command",
            "> board",
            "X",
            "this game is not saved",
            "--moves 'b2 ",
        ],
    );
}

#[test]
fn moves_are_listed_taken_back_and_made_for_the_other_side() {
    let text = play(
        &["hex:3"],
        &[
            "moves", "moves b", "B2", "undo", "undo", "moves c", "new", "switch", "resign", "hint", "undo",
            "moves",
        ],
    );
    assert_contains(
        &text,
        &[
            "a1  b1  c1  a2  b2  c2  a3  b3  c3",
            "b1  b2  b3",
            "> B2",
            "taken back: b2 ",
            "there is no move of yours to take back",
            "c1  c2  c3",
            "you are second (O) now",
            "gpn-mcts plays",
            "you have resigned",
            "the game is over; `undo` takes back",
            "> undo",
        ],
    );
    let last = text.split("> moves").last().expect("a part");
    assert!(
        last.contains("a1") && last.split_whitespace().filter(|word| word.len() == 2).count() >= 8,
        "{text}"
    );
}

#[test]
fn agents_and_times_change_during_a_game() {
    let text = play(
        &["tictactoe"],
        &["agent", "agent random", "time", "time 20ms", "time", "b2", "agent uct:c=1", "go"],
    );
    assert_contains(
        &text,
        &[
            "gpn-mcts:c=",
            "the agent is random",
            "300 iterations per move",
            "20.0 ms per move from now on",
            "20.0 ms per move",
            "random plays",
            "uct:c=1,",
            "uct plays",
        ],
    );
}

#[test]
fn a_saved_game_goes_on() {
    let folder = folder("saved");
    let file = folder.join("my game.json");
    let name = file.to_str().expect("a plain name");
    let text = play(
        &["hex:4", "a1", "--as", "first", "--agent", "sb-mcts"],
        &[&format!("save {name}"), "undo", "quit"],
    );
    assert_contains(
        &text,
        &["sb-mcts plays", "saved in ", "there is no move of yours", "delphic play --load '"],
    );
    let saved = std::fs::read_to_string(&file).expect("the file");
    assert_contains(
        &saved,
        &[
            "\"delphic game\"",
            "\"version\": 1",
            "\"hex:4\"",
            "\"start\"",
            "\"moves\"",
            "sb-mcts:",
            "\"first\"",
        ],
    );
    let text = session(
        &["play", "--load", name, "--iterations", "300"],
        &["go", &format!("save {name}"), "load nothing", &format!("load {name}"), "board"],
    );
    assert_contains(
        &text,
        &[
            "hex:4: you are first (X), sb-mcts is second (O)",
            "for you",
            "saved",
            "cannot load nothing",
            "hex:4: you",
            "> board",
        ],
    );
    let other = session(&["play", "hex:4", "--load", name, "--agent", "random"], &["quit"]);
    assert_contains(&other, &["random is second"]);

    // A file that is not a saved game is neither overwritten nor read.
    let foreign = folder.join("letter.txt");
    std::fs::write(&foreign, "Dear Sir").expect("it is ours");
    let foreign = foreign.to_str().expect("a plain name");
    let text = play(&["nim:3,4"], &["a1", &format!("save {foreign}"), &format!("load {foreign}"), "board"]);
    assert_contains(
        &text,
        &["exists and is not a saved game", "it is not a saved game", "> board", "--moves 'a1 "],
    );
    assert_eq!(std::fs::read(foreign).expect("the letter"), b"Dear Sir");
    for (args, said) in [
        (&["play", "--load", foreign][..], "it is not a saved game"),
        (&["play", "nim:3", "--load", name], "is a game of hex:4, not nim:3"),
    ] {
        let output = feed(args, "");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code().is_some_and(|code| code == 1 || code == 2) && error.contains(said),
            "{error}"
        );
    }
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 2, "drafts are left behind");
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn wrong_arguments_are_refused_in_one_line() {
    for (args, said) in [
        (&["play"][..], "required arguments"),
        (&["play", "checkers"], "unknown game 'checkers'"),
        (&["play", "tictactoe", "--as", "third"], "the players of tictactoe are first, second"),
        (&["play", "tictactoe", "--agent", "genius"], "unknown agent 'genius'"),
        (&["play", "tictactoe", "--moves", "b2 b2"], "ply 2: 'b2' is not a legal move"),
        (&["play", "tictactoe", "XXX"], "neither a position"),
        (&["gtp"], "required arguments"),
        (&["gtp", "chess"], "unknown game 'chess'"),
        (&["uci", "los-alamos", "--time", "soon"], "expected a time such as"),
    ] {
        let output = feed(args, "");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.trim_end().lines().count() == 1 && error.contains(said), "{args:?}: {error}");
    }
    let agents = session(&["agents"], &[]);
    assert!(delphic_engine::AGENTS.iter().all(|info| agents.contains(info.name)), "{agents}");
}

/// The command in the last words is complete.
#[test]
fn a_game_that_was_left_can_be_gone_on_with() {
    let text = play(&["connect4", "445", "--as", "second", "--moves", "3 4", "--agent", "random"], &["1"]);
    let (_, last) = text.rsplit_once("to continue: delphic ").expect("a command");
    let command = last.lines().next().expect("a line");
    assert!(command.contains("--agent random --iterations 300 --as second"), "{command}");
    let output = shell(&format!("delphic {command}"), std::path::Path::new("."));
    let again = String::from_utf8_lossy(&output.stdout);
    assert_contains(&again, &["you are second", "--moves '3 4 1 "]);
}

/// Ctrl-C makes a thinking agent move, and at the prompt it is good-bye.
#[cfg(unix)]
#[test]
fn ctrl_c_stops_thoughts_first_and_the_program_then() {
    let mut child = spawn(&["play", "hex:9", "--as", "second", "--time", "1h"]);
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut until = |part: &str| {
        let mut text = String::new();
        while !text.contains(part) {
            assert!(stdout.read_line(&mut text).expect("text") > 0, "no '{part}' in {text}");
        }
        text
    };
    until("`help` lists the commands");
    std::thread::sleep(std::time::Duration::from_millis(500));
    signal(&child, "INT");
    until(", interrupted\n");
    until("O to move");
    // A signal soon after the first would be the same request.
    std::thread::sleep(std::time::Duration::from_millis(700));
    signal(&child, "INT");
    let last = until("--as second\n");
    assert_contains(&last, &["this game is not saved", "delphic play hex:9 --moves "]);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

/// The first lines say which game it is, which pieces are mine, and what I have to do.
#[test]
fn the_introduction_names_sides_and_goals() {
    let text = play(&["hex:4"], &["quit"]);
    assert_contains(
        &text,
        &[
            "hex:4: you are first (X), gpn-mcts is second (O)",
            "The game: two colours on a rhombus of hexagons",
            "Your side joins the left side (file a) with the right, the other joins the bottom (rank 1) with the top.",
        ],
    );
    assert_contains(&play(&["connect4", "4"], &["quit"]), &["you are second (O), gpn-mcts is first (X)"]);
    assert_contains(&play(&["los-alamos"], &["quit"]), &["you are first (capital letters)"]);
}

/// On a small board an exact solver answers before the agent estimates: a proven win is shown as one.
#[test]
fn small_boards_are_played_exactly() {
    let text = session(&["play", "hex:4", "--as", "second", "--time", "20"], &["quit"]);
    assert_contains(&text, &["gpn-mcts plays ", " (proven win)\n"]);
    let text = session(&["play", "hex:4", "--time", "20"], &["hint"]);
    assert_contains(&text, &["the agent would play ", " win"]);
    assert!(!text.contains(" %"), "an estimate beside a proof: {text}");
    // Where all is lost the agent still chooses.
    let text = session(&["play", "nim:1,2,3", "--as", "second", "--time", "5"], &["quit"]);
    assert_contains(&text, &["gpn-mcts plays ", " (proven loss)\n"]);
}

#[test]
fn a_session_analyzes_and_suggests() {
    let text = play(&["tictactoe", "XX./OO./..."], &["analyze", "und", "analyse"]);
    assert_contains(
        &text,
        &[
            "WIN: the first player, to move, wins",
            "c3    win",
            "did you mean `undo`?",
            "did you mean `analyze`?",
        ],
    );
}
