//! Certificates, analysis, puzzles and estimates as a user meets them.

use crate::common::{arg, delphic, folder, json, program, python, signal, stderr, stdout, text};
use std::path::PathBuf;

/// Connect Four positions after twenty plies and what they are worth (J. Tromp's and P. Pons' solvers agree).
const POSITIONS: &[(&str, &str)] =
    &[("63437665314615276724", "first >= 1"), ("42344726114226737316", "first < 0")];

/// A folder gets the proof in parts, and its check says what single files say.
#[test]
fn a_proof_is_written_and_checked_in_parts() {
    let directory = folder("parts");
    let parts = format!("{}/proof/", arg(&directory));
    let solved = delphic(&["solve", "domineering:4x5", "--proof", &parts, "--part-size", "50", "--quiet"]);
    assert!(matches!(solved.status.code(), Some(10 | 20)), "{}", text(&solved));
    let checked = delphic(&["check", &parts, "-j", "2", "--json"]);
    let object = json(&checked);
    assert_eq!((checked.status.code(), object["valid"].as_bool()), (Some(0), Some(true)), "{object}");
    assert!(object["parts"].as_u64() > Some(2) && object["citations"].as_u64() > Some(1), "{object}");
    assert!(stdout(&delphic(&["check", &parts])).starts_with("VALID: "));

    let list = std::fs::read_to_string(directory.join("proof/bundle")).unwrap();
    let claim = list.lines().find(|line| line.starts_with("claim")).unwrap();
    let contrary = if claim.contains(">=") { claim.replace(">=", "<") } else { claim.replace('<', ">=") };
    std::fs::write(directory.join("proof/bundle"), list.replace(claim, &contrary)).unwrap();
    let refused = delphic(&["check", &parts]);
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused));
    assert!(stdout(&refused).starts_with("NOT VALID: part "), "{}", text(&refused));
    std::fs::remove_file(directory.join("proof/bundle")).unwrap();
    assert_eq!(delphic(&["check", &parts]).status.code(), Some(2), "a folder without a list is not a proof");
}

/// Both checkers, ours and the one in Python, accept the same and refuse the same.
#[test]
fn a_second_checker_agrees_on_connect_four() {
    let directory = folder("second");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/check_connect4.py");
    if python().is_none() {
        return;
    }
    let mut files = Vec::new();
    let drawn = ("connect4", "51161346416653231445", "first < 1");
    for (number, (game, moves, claim)) in
        POSITIONS.iter().map(|&(moves, claim)| ("connect4", moves, claim)).chain([drawn]).enumerate()
    {
        let path = directory.join(format!("{number}.proof"));
        let file = path.to_str().expect("text").to_owned();
        let solved = delphic(&["solve", game, moves, "--proof", &file]);
        assert!(matches!(solved.status.code(), Some(10 | 20 | 30)), "{}", text(&solved));
        let header = String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned();
        assert!(header.contains(&format!("claim {claim}\n")), "{header}");
        files.push(std::fs::read(&path).expect("a file"));
    }
    let (mut valid, mut invalid) = (0, 0);
    for (number, whole) in files.iter().enumerate() {
        let end = whole.windows(2).position(|pair| pair == b"\n\n").expect("an end") + 2;
        let claim = |from: &str, to: &str| {
            let header = String::from_utf8_lossy(&whole[..end]).replace(from, to);
            [header.as_bytes(), &whole[end..]].concat()
        };
        let variants = [
            whole.clone(),
            whole[..whole.len() - 3].to_vec(),
            [&whole[..], b"x"].concat(),
            claim(" >= ", " < "),
            claim(" < 1", " < 0"),
            claim("first", "second"),
            claim("position .", "position X"),
            claim("rules ", "rules 0"),
            claim("connect4:7x6", "connect4:6x7"),
        ];
        for (variant, bytes) in variants.iter().enumerate() {
            let path = directory.join(format!("{number}-{variant}.proof"));
            std::fs::write(&path, bytes).expect("written");
            let ours = delphic(&["check", path.to_str().expect("text")]);
            let mut python = python().expect("it was there a moment ago");
            let theirs = python.arg(script).arg(&path).output().expect("python3 runs");
            assert_eq!(
                ours.status.code(),
                theirs.status.code(),
                "{number}-{variant}: {} / {}",
                text(&ours),
                text(&theirs)
            );
            if ours.status.success() { valid += 1 } else { invalid += 1 }
        }
    }
    assert!(valid >= 3 && invalid >= 15, "{valid} valid, {invalid} not");
}

#[test]
fn check_says_exactly_what_is_wrong() {
    let directory = folder("check");
    let path = directory.join("a.proof");
    let file = path.to_str().expect("text");
    let solved = delphic(&["solve", "nim:1,2,3", "--proof", file]);
    assert_eq!(solved.status.code(), Some(20));
    assert!(text(&solved).contains("proof    first < "), "{}", text(&solved));
    let checked = delphic(&["check", file]);
    assert_eq!(checked.status.code(), Some(0));
    assert!(text(&checked).starts_with("VALID: the first player cannot force"), "{}", text(&checked));
    let printed = text(&delphic(&["check", file, "--print"]));
    assert!(printed.contains("claim first < ") && printed.contains("VALID"), "{printed}");
    // The claim turned round: some line of it must fail, and it is shown.
    let bytes = std::fs::read(&path).expect("a file");
    let at = bytes.windows(3).position(|three| three == b" < ").expect("a claim");
    std::fs::write(&path, [&bytes[..at], b" >= ", &bytes[at + 3..]].concat()).expect("written");
    let refused = delphic(&["check", file]);
    assert_eq!(refused.status.code(), Some(1));
    let refused = text(&refused);
    assert!(refused.starts_with("NOT VALID: 'first >= ") && refused.contains("\nposition "), "{refused}");
    std::fs::write(&path, "Dear reader").expect("written");
    assert_eq!(text(&delphic(&["check", file])), "NOT VALID: this is not a Delphic certificate\n");
    let missing = delphic(&["check", directory.join("none").to_str().expect("text")]);
    // Not a verdict on a certificate, so another exit code than that of a refused one.
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing).starts_with("error: cannot read"), "{}", text(&missing));
    let other = delphic(&["check", arg(&directory)]);
    assert_eq!(other.status.code(), Some(2));
    let said = format!("error: cannot read {}: ", directory.display());
    assert!(text(&other).starts_with(&said), "{}", text(&other));
}

/// A file appears whole or not at all, and failing to write it is an error that does not hide the answer.
#[test]
fn a_proof_is_written_whole_or_not_at_all() {
    let directory = folder("whole");
    let path = directory.join("a.proof");
    let unknown = delphic(&["solve", "connect4", "--nodes", "1k", "--proof", path.to_str().expect("text")]);
    assert_eq!(unknown.status.code(), Some(40));
    assert_eq!(std::fs::read_dir(&directory).expect("a directory").count(), 0, "nothing is left behind");
    let nowhere = delphic(&["solve", "tictactoe", "--proof", "/no/such/place/a.proof"]);
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(text(&nowhere).contains("cannot write /no/such/place/a.proof"), "{}", text(&nowhere));
    let trivial =
        delphic(&["solve", "tictactoe", "--question", ">=-1", "--proof", path.to_str().expect("text")]);
    assert_eq!(trivial.status.code(), Some(1));
    assert!(text(&trivial).contains("PROVED") && text(&trivial).contains("follows from the list of payoffs"));
    let batch = delphic(&["solve", "tictactoe", "-", "--proof", path.to_str().expect("text")]);
    assert_eq!(batch.status.code(), Some(2));
    let device = delphic(&["solve", "tictactoe", "--proof", "/dev/null"]);
    assert!(text(&device).contains("not a regular file"), "{}", text(&device));
    if PathBuf::from("/dev/full").exists() {
        let report = delphic(&["check", "/dev/full"]);
        assert_eq!(report.status.code(), Some(1), "{}", text(&report));
    }
}

#[test]
fn memory_too_small_for_a_certificate_is_said() {
    let directory = folder("memory");
    let path = directory.join("a.proof");
    let file = path.to_str().expect("text");
    assert_eq!(delphic(&["solve", "domineering:5x5", "--proof", file]).status.code(), Some(20));
    let refused = delphic(&["check", file, "--memory", "1k"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused).contains("do not fit into 1024 bytes"), "{}", text(&refused));
}

#[test]
fn analysis_names_the_only_winning_move() {
    let position = "...../...../.O.../.XX..";
    let output = delphic(&["analyze", "connect4:5x4", position, "--json"]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
    assert_eq!(object["best"], serde_json::json!(["4"]));
    assert_eq!(object["complete"], true);
    let moves = object["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), 5);
    assert_eq!((&moves[3]["at_least"], &moves[3]["plies"]), (&"win".into(), &17.into()));
    let plain = text(&delphic(&["analyze", "connect4:5x4", position]));
    assert!(plain.contains("moves    only 4 wins\n"), "{plain}");
    let draw = text(&delphic(&["analyze", "tictactoe", "--moves", "b2"]));
    assert!(
        draw.contains("moves    4 of 8 are best: each draws\n"),
        "corners draw against the centre: {draw}"
    );
}

/// The distances that two other solvers give for positions after twenty plies.
#[test]
fn exact_distances_of_connect_four() {
    for (moves, plies) in [("65756234322472155765", 1), ("42344726114226737316", 4)] {
        let output = delphic(&["analyze", "connect4", moves, "--json", "--exact", "20M"]);
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
        let best = object["best"].as_array().expect("a list").iter().map(|mv| mv.as_str());
        let best: Vec<&str> = best.map(|mv| mv.expect("a move")).collect();
        let all = object["moves"].as_array().expect("a list").iter();
        let distances = all.filter(|mv| best.contains(&mv["move"].as_str().expect("a move")));
        let distances = distances.map(|mv| mv["plies"].as_u64().expect("an exact distance"));
        let won = object["value"] == "win";
        let found = if won { distances.min() } else { distances.max() };
        assert_eq!(found, Some(plies), "{moves}: {object}");
    }
}

#[test]
fn puzzles_come_with_certificates_that_check() {
    let directory = folder("puzzles");
    let proofs = directory.to_str().expect("text");
    let output = delphic(&[
        "puzzle",
        "connect4:5x4",
        "--count",
        "2",
        "--depth",
        "5",
        "--tries",
        "3000",
        "--proofs",
        proofs,
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    for number in 1..=2 {
        let file = directory.join(format!("puzzle-{number}.proof"));
        let checked = delphic(&["check", file.to_str().expect("text")]);
        assert_eq!(checked.status.code(), Some(0), "{}", text(&checked));
        let printed = text(&checked);
        let position = printed.lines().find_map(|line| line.strip_prefix("position ")).expect("a position");
        let analysis = text(&delphic(&["analyze", "connect4:5x4", position, "--question", "value"]));
        assert!(analysis.contains("moves    only "), "{analysis}");
    }
    let none = delphic(&["puzzle", "tictactoe", "--depth", "9", "--tries", "20"]);
    assert_eq!(none.status.code(), Some(40), "{}", text(&none));
}

#[test]
fn an_estimate_tells_size_and_price() {
    let output = delphic(&["estimate", "tictactoe", "--probe", "200ms"]);
    let printed = text(&output);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    // The tree has 549,946 nodes, the board at most 3^9 states.
    assert!(printed.contains("states   at most 19,683"), "{printed}");
    let tree = printed.lines().find_map(|line| line.strip_prefix("tree     ")).expect("a tree");
    let nodes: u64 = tree.split(' ').next().expect("a number").replace(',', "").parse().expect("a number");
    assert!((530_000..570_000).contains(&nodes), "{tree}");
    assert_eq!(printed.matches("solved: draw").count(), 4, "{printed}");
}

/// The verdict is printed when it is known. Ctrl-C while its certificate is written leaves the verdict, no
/// file, and exit code 130.
#[cfg(unix)]
#[test]
fn a_verdict_is_printed_before_its_certificate() {
    use std::io::{BufRead, BufReader, Read};
    let file = folder("announced").join("a.proof");
    let args = ["solve", "domineering:7x6", "--solver", "dfpp", "--proof", arg(&file), "--quiet"];
    let mut child = program(&args).spawn().expect("the program runs");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut verdict = String::new();
    stdout.read_line(&mut verdict).expect("a line");
    assert!(verdict.starts_with("LOSS: ") || verdict.starts_with("WIN: "), "{verdict}");
    assert!(!file.exists(), "the certificate takes longer than the verdict");
    signal(&child, "INT");
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("text");
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{rest}{said}");
    assert!(rest.contains("proof    none") && said.contains("the verdict is proved"), "{rest}{said}");
    assert!(!file.exists());
}

/// With JSON there is one object, whatever is announced.
#[test]
fn a_proof_with_json_is_one_object() {
    let file = folder("one-object").join("a.proof");
    let output = delphic(&["solve", "tictactoe", "--proof", arg(&file), "--json"]);
    assert_eq!(stdout(&output).lines().count(), 1, "{}", stderr(&output));
    assert!(
        json(&output)["certificate"]["strategy_positions"].as_u64().is_some_and(|positions| positions > 0)
    );
}
