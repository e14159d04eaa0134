//! `delphic learn` as a user meets it.

use std::path::Path;
use std::process::{Command, Output};

fn delphic(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_delphic")).args(args).output().expect("the program runs")
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", complaint(output)))
}

fn fresh(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path.to_str().expect("plain names").to_owned()
}

/// What is learnt helps, is kept, and solvers that use it say the same as others.
#[test]
fn a_table_is_learnt_and_used() {
    let table = fresh("nogo.patterns");
    let lesson = ["learn", "nogo:4x4", &table, "--random", "60", "--plies", "2", "--quiet", "--json"];
    let report = json(&delphic(&lesson));
    let test = report["test"].as_array().expect("a list");
    assert_eq!(test.len(), 20);
    let created = |way: &str| test.iter().map(|row| row[way]["created"].as_u64().unwrap()).sum::<u64>();
    assert!(created("learnt") < created("plain"), "{} with, {} without", created("learnt"), created("plain"));
    assert!(report["log_loss"].as_f64().unwrap() < 0.69);
    for solver in ["pp", "ppt", "dfpp", "pns", "dfpn"] {
        let spec = format!("{solver}:prior={table}");
        let found = json(&delphic(&["solve", "nogo:3x5", "--solver", &spec, "--json"]));
        let truth = json(&delphic(&["solve", "nogo:3x5", "--json"]));
        assert_eq!(found["value"], truth["value"], "{solver}");
        assert!(found["solver"].as_str().unwrap().contains(&table), "{solver}");
    }
    // Learning goes on: what is known is where it starts.
    let again = json(&delphic(&lesson));
    let first = |report: &serde_json::Value| report["passes"][0]["created"].as_u64().unwrap();
    assert!(first(&again) < first(&report), "{} after {}", first(&again), first(&report));
}

#[test]
fn mistakes_are_explained() {
    let table = fresh("mistakes.patterns");
    for (args, expected) in [
        (vec!["learn", "hex:4", &table], "hex:4 has no patterns to learn"),
        (vec!["learn", "nogo:3x3", &table, "--solver", "dfpn"], "keeps no tree to learn from"),
        (vec!["learn", "nogo:3x3", &table, "--positions", "nowhere.txt"], "nowhere.txt"),
        (vec!["solve", "nogo:3x3", "--solver", "pp:prior=nowhere"], "'prior=nowhere' is unknown"),
    ] {
        let output = delphic(&args);
        assert!(!output.status.success(), "{args:?}");
        assert!(complaint(&output).contains(expected), "{args:?}: {}", complaint(&output));
    }
    std::fs::write(&table, "no table").expect("a file");
    let output = delphic(&["learn", "nogo:3x3", &table]);
    assert!(complaint(&output).contains("no pattern table"), "{}", complaint(&output));
    assert_eq!(std::fs::read_to_string(&table).expect("a file"), "no table", "nothing is overwritten");
    let output = delphic(&["solve", "nogo:3x3", "--solver", &format!("pp:prior={table}")]);
    assert!(complaint(&output).contains("no pattern table"), "{}", complaint(&output));
    assert_eq!(output.status.code(), Some(2));
    let nogo = fresh("little.patterns");
    assert!(
        delphic(&["learn", "nogo:3x3", &nogo, "--random", "6", "--plies", "1", "--quiet"]).status.success()
    );
    let output = delphic(&["solve", "hex:3", "--solver", &format!("ppt:prior={nogo}")]);
    assert!(complaint(&output).contains("has no patterns"), "{}", complaint(&output));
}
