//! `delphic lab` from the command line.

use crate::common::delphic;
use std::path::PathBuf;

fn missing(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("delphic-{name}-{}", std::process::id()))
}

#[test]
fn the_list_names_every_experiment() {
    let list = String::from_utf8(delphic(&["lab", "list"]).stdout).expect("text");
    for name in ["connect4", "products", "y", "pgames", "captures", "players"] {
        assert!(list.lines().any(|line| line.starts_with(name)), "{name}: {list}");
    }
}

#[test]
fn wrong_input_is_refused_in_a_line() {
    let (ledger, pages) = (missing("no-ledger"), missing("no-pages"));
    let (ledger, pages) = (ledger.to_str().expect("text"), pages.to_str().expect("text"));
    for (args, message) in [
        (
            &["lab", "run", "chess", "--ledger", ledger][..],
            "there is no experiment 'chess'; expected connect4",
        ),
        (&["lab", "run", "all", "--scale", "huge"], "'huge' is not a scale; expected smoke, quick or paper"),
        (&["lab", "report", "--out", pages, "--ledger", ledger], "`delphic lab run` creates it"),
        (
            &["lab", "run", "captures", "--problems", "/nowhere", "--ledger", ledger],
            "--problems /nowhere/gnugo_capture.jsonl",
        ),
        (&["lab", "report", "chess", "--out", pages, "--ledger", ledger], "there is no experiment 'chess'"),
    ] {
        let output = delphic(args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(message) && error.lines().count() == 1, "{args:?}: {error}");
    }
    assert!(
        !missing("no-ledger").exists() && !missing("no-pages").exists(),
        "nothing is written for a mistake"
    );
}

#[test]
fn published_rows_are_imported_once() {
    let ledger = missing("imported-ledger");
    let rows = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/threads-rows.csv.gz");
    let import = |file: &str| {
        let output = delphic(&["lab", "import", file, "--ledger", ledger.to_str().expect("text")]);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, said, _) = import(rows);
    assert!(code == Some(0) && said.ends_with(" new rows\n") && !said.contains(": 0 new"), "{said}");
    assert!(import(rows).1.ends_with(": 0 new rows\n"));
    let (code, _, error) = import(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    assert!(code == Some(2) && error.contains("line 2, column 'experiment'"), "{code:?} {error}");
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", ledger.display()));
    }
}
