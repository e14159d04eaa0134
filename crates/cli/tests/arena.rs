//! `delphic arena` as a user meets it.

use std::path::Path;
use std::process::{Command, Output};

fn arena(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_delphic"));
    command.arg("arena").args(args).arg("--quiet").output().expect("the program runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

const AGENTS: [&str; 6] = ["tictactoe", "--agents", "uct", "random", "--iterations", "50"];

#[test]
fn results_come_in_every_form() {
    let folder = folder("arena-forms");
    let (csv, svg) = (folder.join("a.csv"), folder.join("a.svg"));
    let files = ["--csv", csv.to_str().unwrap(), "--figure", svg.to_str().unwrap()];
    let output = arena(&[&AGENTS[..], &["--games", "20"], &files].concat());
    assert!(output.status.success(), "{}", complaint(&output));
    assert!(text(&output).contains("score of A"), "{}", text(&output));
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
    assert!(whole.status.success(), "{}", complaint(&whole));
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
    assert_eq!(played(&resumed), played(&written), "{}", complaint(&again));
    let table = |output: &Output| {
        text(output)
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
        (vec!["chequers", "--agents", "uct", "random"], "unknown game 'chequers'"),
        (vec!["tictactoe", "--agents", "uct", "random", "--until", "often"], "expected a share such as 3%"),
        (vec!["nim:1", "--agents", "uct", "random", "--opening", "3"], "is over after 3 random plies"),
        (
            [&AGENTS[..], &["--seed", "2"], &ledger].concat(),
            "the ledger is of another arena: its seed is 1, not 2",
        ),
    ] {
        let output = arena(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(complaint(&output).contains(expected), "{args:?}: {}", complaint(&output));
    }
    std::fs::write(&path, "not a ledger\n").unwrap();
    let output = arena(&[&AGENTS[..], &ledger].concat());
    assert!(complaint(&output).contains("this is no ledger of an arena"), "{}", complaint(&output));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "not a ledger\n", "nothing is lost");
}

/// A narrow enough interval ends the series.
#[test]
fn until_ends_early() {
    let output = arena(&[&AGENTS[..], &["--games", "2000", "--until", "12%", "--json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let result = &json["arena"][0]["results"][0];
    let games = result["games"].as_u64().unwrap();
    assert!(games < 200, "{games} games");
    assert!(result["high"].as_f64().unwrap() - result["low"].as_f64().unwrap() <= 0.24);
}
