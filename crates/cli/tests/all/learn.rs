//! `delphic learn` from the command line.

use crate::common::{delphic, json, stderr};
use std::path::Path;

fn fresh(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path.to_str().expect("plain names").to_owned()
}

/// A learnt table is saved and used, and makes no answer wrong. Whether it helps depends on the game (docs/learning.md).
#[test]
fn a_table_is_learnt_and_used() {
    let table = fresh("nogo.patterns");
    let lesson = [
        "learn", "nogo:4x4", &table, "--random", "12", "--plies", "6", "--nodes", "20k", "--quiet", "--json",
    ];
    let report = json(&delphic(&lesson));
    let test = report["test"].as_array().expect("a list");
    assert_eq!(test.len(), 4);
    assert!(
        test.iter().any(|row| row["plain"]["created"] != row["learnt"]["created"]),
        "the prior is not used"
    );
    // Far from always predicting ½ (0.693) in neither direction: the chances are fitted to such moves.
    let loss = report["log_loss"].as_f64().unwrap();
    assert!((0.05..0.8).contains(&loss), "{loss}");
    for solver in ["pp", "ppt", "dfpp", "pns", "dfpn"] {
        let spec = format!("{solver}:prior={table}");
        let found = json(&delphic(&["solve", "nogo:3x4", "--solver", &spec, "--json"]));
        let truth = json(&delphic(&["solve", "nogo:3x4", "--json"]));
        assert_eq!(found["value"], truth["value"], "{solver}");
        assert!(found["solver"].as_str().unwrap().contains(&table), "{solver}");
    }
    // Learning goes on from what is known.
    let patterns = |report: &serde_json::Value| report["passes"][0]["patterns"].as_u64().unwrap();
    let again = json(&delphic(&lesson));
    assert!(patterns(&again) >= patterns(&report), "{} after {}", patterns(&again), patterns(&report));
}

#[test]
fn mistakes_are_explained() {
    let table = fresh("mistakes.patterns");
    for (args, expected) in [
        (
            vec!["learn", "hex:4", &table],
            "hex:4 has no patterns to learn; games with patterns: go-capture, nogo, domineering",
        ),
        (vec!["learn", "nogo:3x3", &table, "--solver", "dfpn"], "keeps no tree to learn from"),
        (vec!["learn", "nogo:3x3", &table, "--positions", "nowhere.txt"], "nowhere.txt"),
        (vec!["solve", "nogo:3x3", "--solver", "pp:prior=nowhere"], "invalid parameter 'prior=nowhere'"),
        (vec!["solve", "nogo:3x3", "--solver", "pp:prior=no/where"], "no/where: "),
    ] {
        let output = delphic(&args);
        assert!(!output.status.success(), "{args:?}");
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
    }
    std::fs::write(&table, "no table").expect("a file");
    let output = delphic(&["learn", "nogo:3x3", &table]);
    assert!(stderr(&output).contains("not a pattern table"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&table).expect("a file"), "no table", "nothing is overwritten");
    let output = delphic(&["solve", "nogo:3x3", "--solver", &format!("pp:prior={table}")]);
    assert!(stderr(&output).contains("not a pattern table"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
    let nogo = fresh("little.patterns");
    assert!(
        delphic(&["learn", "nogo:3x3", &nogo, "--random", "6", "--plies", "1", "--quiet"]).status.success()
    );
    let output = delphic(&["solve", "hex:3", "--solver", &format!("ppt:prior={nogo}")]);
    assert!(stderr(&output).contains("has no patterns"), "{}", stderr(&output));
}

/// Every phase reports on standard error, also where there is no terminal.
#[test]
fn every_phase_shows_progress() {
    let table = fresh("progress.patterns");
    let lesson = ["learn", "nogo:4x4", &table, "--random", "12", "--plies", "6", "--nodes", "5k"];
    let output = delphic(&lesson);
    assert!(output.status.success(), "{}", stderr(&output));
    for phase in ["pass 1: 8 positions", "solved ", "test: 4 positions", "position "] {
        assert!(stderr(&output).contains(phase), "{phase}: {}", stderr(&output));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("The learned prior ") && text.contains("with the learned prior"), "{text}");
    let quiet = delphic(&[&lesson[..], &["--quiet"]].concat());
    assert_eq!(stderr(&quiet), "");
}
