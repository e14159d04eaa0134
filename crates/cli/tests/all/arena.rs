//! `delphic arena` as a user meets it.

use crate::common::{arg, delphic, folder, program, stderr, stdout};
use std::collections::HashSet;
use std::path::Path;
use std::process::Output;

fn arena(args: &[&str]) -> Output {
    delphic(&[&["arena"], args, &["--quiet"]].concat())
}

const AGENTS: [&str; 6] = ["tictactoe", "--agents", "uct", "random", "--iterations", "50"];

#[test]
fn results_come_in_every_form() {
    let folder = folder("arena-forms");
    let (csv, svg) = (folder.join("a.csv"), folder.join("a.svg"));
    let files = ["--csv", csv.to_str().unwrap(), "--figure", svg.to_str().unwrap()];
    let output = arena(&[&AGENTS[..], &["--games", "20"], &files].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("score of A"), "{}", stdout(&output));
    let csv = std::fs::read_to_string(csv).unwrap();
    let row: Vec<&str> = csv.lines().nth(1).expect("a row").rsplit(',').collect();
    let columns = csv.lines().next().expect("a head").split(',').count();
    assert_eq!(row.len(), columns + 4, "four commas are inside quotes: {csv}");
    assert!(std::fs::read_to_string(svg).unwrap().contains("score with 95 % interval"));
    let json = arena(&[&AGENTS[..], &["--games", "20", "--json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let result = &json["arena"][0]["results"][0];
    assert_eq!(result["games"], 20);
    // Even fifty iterations are better than none.
    assert!(result["score"].as_f64().unwrap() > 0.7, "{result}");
}

/// What the ledger has is not played again, and a line that was cut off is.
#[test]
fn a_ledger_goes_on() {
    let path = folder("arena-ledger").join("games.jsonl");
    let ledger = ["--ledger", path.to_str().unwrap()];
    let whole = arena(&[&AGENTS[..], &["--games", "16"], &ledger].concat());
    assert!(whole.status.success(), "{}", stderr(&whole));
    let written = std::fs::read_to_string(&path).unwrap();
    assert_eq!(written.lines().count(), 17);
    std::fs::write(&path, &written[..written.len() - written.len() / 3]).unwrap();
    let again = arena(&[&AGENTS[..], &["--games", "16"], &ledger].concat());
    let resumed = std::fs::read_to_string(&path).unwrap();
    let played = |text: &str| {
        let mut games: Vec<(u64, String)> = text
            .lines()
            .skip(1)
            .map(|line| {
                let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
                (row["number"].as_u64().unwrap(), row["moves"].as_str().unwrap().to_owned())
            })
            .collect();
        games.sort();
        games
    };
    assert_eq!(played(&resumed), played(&written), "{}", stderr(&again));
    let table = |output: &Output| {
        stdout(output)
            .lines()
            .take_while(|line| !line.contains("per second"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(table(&whole), table(&again));
}

#[test]
fn mistakes_are_explained() {
    let path = folder("arena-mistakes").join("games.jsonl");
    let ledger = ["--ledger", path.to_str().unwrap()];
    assert!(arena(&[&AGENTS[..], &["--games", "2"], &ledger].concat()).status.success());
    for (args, expected) in [
        (vec!["tictactoe", "--agents", "uct"], "at least two agents"),
        (vec!["tictactoe", "--agents", "uct", "sb-mts"], "unknown agent 'sb-mts' (did you mean 'sb-mcts'?)"),
        (vec!["--agents", "uct", "random", "tictactoe"], "'tictactoe' is a game; games go before --agents"),
        (vec!["tictactoe", "--agents", "uct", "random", "--games", "0"], "must be positive"),
        (vec!["chequers", "--agents", "uct", "random"], "unknown game 'chequers'"),
        (vec!["tictactoe", "--agents", "uct", "random", "--until", "often"], "expected a share such as 3%"),
        (vec!["nim:1", "--agents", "uct", "random", "--opening", "3"], "has ended after 3 random plies"),
        (
            [&AGENTS[..], &["--seed", "2"], &ledger].concat(),
            "the ledger is of another arena: its seed is 1, not 2",
        ),
    ] {
        let output = arena(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
    }
    std::fs::write(&path, "not a ledger\n").unwrap();
    let output = arena(&[&AGENTS[..], &ledger].concat());
    assert!(stderr(&output).contains("this is not a ledger of an arena"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "not a ledger\n", "nothing is lost");
}

/// A narrow enough interval ends the series. On one thread, because games that others have begun by then still count.
#[test]
fn until_ends_early() {
    let output =
        arena(&[&AGENTS[..], &["--games", "2000", "--until", "12%", "--threads", "1", "--json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let result = &json["arena"][0]["results"][0];
    let games = result["games"].as_u64().unwrap();
    assert!(games < 200, "{games} games");
    assert!(result["high"].as_f64().unwrap() - result["low"].as_f64().unwrap() <= 0.24);
}

/// Rows of a ledger: the numbers of its games, each of which must be there once.
fn numbers(path: &Path) -> Vec<u64> {
    let text = std::fs::read_to_string(path).expect("a ledger");
    assert!(text.ends_with('\n'), "the last line is whole");
    let number = |line: &str| {
        let row: serde_json::Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        row["number"].as_u64().expect("a number")
    };
    text.lines().skip(1).map(number).collect()
}

/// Two processes at once on one ledger: one of them plays, the other is refused and says why, and no row is
/// lost or doubled.
#[test]
fn two_arenas_cannot_share_a_ledger() {
    let mut refused = 0;
    for round in 0..10 {
        let path = folder(&format!("arena-shared-{round}")).join("games.jsonl");
        let args = [&["arena"], &AGENTS[..], &["--games", "24", "--quiet", "--ledger", arg(&path)]].concat();
        let children = [0, 1].map(|_| program(&args).spawn().expect("the program runs"));
        for child in children {
            let output = child.wait_with_output().expect("it ends");
            match output.status.code() {
                Some(0) => {}
                Some(1) => {
                    assert!(stderr(&output).contains("is in use by another arena"), "{}", stderr(&output));
                    refused += 1;
                }
                code => panic!("{code:?}: {}", stderr(&output)),
            }
        }
        let found = numbers(&path);
        assert_eq!((found.len(), found.iter().collect::<HashSet<_>>().len()), (24, 24), "round {round}");
        let before = std::fs::read(&path).expect("a ledger");
        assert!(delphic(&args).status.success());
        assert_eq!(std::fs::read(&path).expect("a ledger"), before, "a complete ledger does not change");
    }
    println!("{refused} of 20 processes were refused");
}

/// Games of an older program count as played, but not in silence.
#[test]
fn games_of_other_revisions_are_noted() {
    let path = folder("arena-revisions").join("games.jsonl");
    let args = [&AGENTS[..], &["--games", "4", "--ledger", arg(&path)]].concat();
    assert!(arena(&args).status.success());
    assert!(!stderr(&arena(&args)).contains("another revision"));
    let older = std::fs::read_to_string(&path).expect("a ledger").replacen(
        "\"revision\":\"",
        "\"revision\":\"old ",
        3,
    );
    std::fs::write(&path, &older).expect("it is ours");
    assert!(stderr(&arena(&args)).contains("3 games played by another revision of the program"));
    assert_eq!(std::fs::read_to_string(&path).expect("a ledger"), older);
}

/// A ledger that is held open is refused at once, however long its owner takes.
#[test]
fn a_locked_ledger_is_refused() {
    let path = folder("arena-locked").join("games.jsonl");
    let args = [&AGENTS[..], &["--games", "2", "--ledger", arg(&path)]].concat();
    assert!(arena(&args).status.success());
    let held = std::fs::File::open(&path).expect("a ledger");
    held.lock().expect("a lock");
    let output = arena(&args);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("is in use by another arena"), "{}", stderr(&output));
    drop(held);
    assert!(arena(&args).status.success());
}

/// A damaged last line is removed, with a note; what stands before it stays as it is, byte for byte.
#[test]
fn only_a_damaged_last_line_is_removed() {
    let path = folder("arena-damaged").join("games.jsonl");
    let args = [&AGENTS[..], &["--games", "8", "--threads", "1", "--ledger", arg(&path)]].concat();
    assert!(arena(&args).status.success());
    let whole = std::fs::read_to_string(&path).expect("a ledger");
    let last = whole.trim_end().rfind('\n').expect("several lines") + 1;
    for damage in [&whole[last..whole.len() - 1], &whole[last..last + 10], "{\"game\": 3}\n", "garbage\n"] {
        std::fs::write(&path, whole[..last].to_owned() + damage).expect("it is ours");
        let output = arena(&args);
        assert!(output.status.success(), "{damage}: {}", stderr(&output));
        assert!(stderr(&output).contains("the last line was damaged and is removed"), "{}", stderr(&output));
        let mended = std::fs::read_to_string(&path).expect("a ledger");
        assert_eq!(mended[..last], whole[..last], "{damage}");
        assert_eq!(numbers(&path).len(), 8, "{damage}");
    }
    // Damage in the middle is refused, and nothing is changed.
    let broken = whole.replacen("\"payoffs\"", "\"payouts\"", 1);
    std::fs::write(&path, &broken).expect("it is ours");
    let output = arena(&args);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("line 2 is damaged"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&path).expect("a ledger"), broken);
    // A program that died while it wrote the first line.
    std::fs::write(&path, &whole[..20]).expect("it is ours");
    assert!(arena(&args).status.success());
    assert_eq!(numbers(&path).len(), 8);
}
