//! Threads as a user meets them: for one search, or for many things side by side.

use crate::common::{arg, delphic, feed, folder, program, stderr, stdout};
use serde_json::Value;
use std::fs::File;

#[test]
fn reports_say_what_threads_change() {
    let solve = |args: &[&str]| stdout(&delphic(&[&["solve", "connect4:4x4", "--solver"], args].concat()));
    let said = "threads  2: the value is the same in every run";
    assert!(solve(&["uct", "--threads", "2"]).contains(said));
    assert!(!solve(&["uct"]).contains("threads"));
    assert!(!solve(&["dfpn", "--lockstep", "3"]).contains("threads"));
}

/// A file with fewer positions than threads gives each of them several, a pipe does not: its length is not known in advance.
#[cfg(unix)]
#[test]
fn few_positions_of_a_file_share_the_threads() {
    let path = folder("threads-batch").join("positions");
    std::fs::write(&path, "# one position\n121212\n").unwrap();
    let args = ["solve", "connect4", "-", "--solver", "alphabeta", "--json", "--threads", "4"];
    let file = File::open(&path).unwrap();
    let output = program(&args).stdin(file).output().expect("the program runs");
    let from_file: Value = serde_json::from_slice(&output.stdout).expect("an answer");
    assert_eq!((&from_file["value"], &from_file["threads"]), (&"win".into(), &4.into()));
    let from_pipe: Value = serde_json::from_slice(&feed(&args, "121212\n").stdout).expect("an answer");
    assert_eq!((&from_pipe["value"], &from_pipe["threads"]), (&"win".into(), &1.into()));
}

#[test]
fn puzzles_do_not_depend_on_threads() {
    let find = |threads: &str| {
        let args = ["puzzle", "connect4:5x4", "--depth", "5", "--count", "3", "--threads", threads];
        let output = delphic(&[&args[..], &["--solver", "dfpn"]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let one = find("1");
    assert!(one.contains("PUZZLE 3"), "{one}");
    assert_eq!(find("3"), one);
}

#[test]
fn agents_search_with_several_threads() {
    let gtp = feed(
        &["gtp", "hex:5", "--agent", "uct", "--iterations", "300", "--threads", "3"],
        "genmove b\nquit\n",
    );
    assert!(stdout(&gtp).starts_with("= "), "{}{}", stdout(&gtp), stderr(&gtp));
    let path = folder("threads-arena").join("games.jsonl");
    let args =
        ["arena", "tictactoe", "--agents", "uct", "sb-mcts", "--games", "4", "--iterations", "60", "--quiet"];
    let ledger = ["--ledger", arg(&path)];
    let played = delphic(&[&args[..], &ledger, &["--search-threads", "2", "--json"]].concat());
    let json: Value = serde_json::from_slice(&played.stdout).expect("JSON");
    assert_eq!(json["arena"][0]["results"][0]["games"], 4, "{}", stderr(&played));
    let other = delphic(&[&args[..], &ledger].concat());
    assert!(stderr(&other).contains("search_threads"), "{}", stderr(&other));
}
