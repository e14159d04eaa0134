//! Limits are promises: peak memory and time of the real program.

use crate::common::{PROGRAM, arg, folder, json};
use delphic_certificate::{Header, Writer};
use delphic_game::testing::skip;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The memory allowed, in MiB.
const LIMIT: u64 = 64;
/// What a program may have beside it: a tenth, and 32 MiB for code, stacks and buffers.
const SLACK: u64 = LIMIT / 10 + 32;

/// The most memory that a run of the program held, in KiB, as the system counts it.
fn peak(args: &[&str]) -> Option<u64> {
    let mut child = Command::new(PROGRAM)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().expect("a child").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok());
        peak = now.max(peak);
        std::thread::sleep(Duration::from_millis(2));
    }
    peak
}

fn keeps_within(args: &[&str]) {
    let Some(peak) = peak(args) else {
        skip("no /proc to read the memory of a program from");
        return;
    };
    println!("{} MiB of {LIMIT}: {args:?}", peak >> 10);
    assert!(peak >> 10 <= LIMIT + SLACK, "{args:?}: {} MiB", peak >> 10);
}

/// Searches that would take all the memory there is, by every kind of driver, and on states that share their history.
#[test]
fn searches_stay_within_their_memory() {
    for (game, solver) in [
        ("domineering:8x8", "auto"),
        ("awari:rules=oware", "ppt"),
        ("awari:rules=oware", "dfpn"),
        ("loa:8,openspiel", "ppt"),
        ("loa:8,openspiel", "mcts:playouts=1"),
        ("connect4", "brute"),
        ("connect4", "pp"),
        ("connect4", "pn2"),
        ("connect4", "uct:playouts=1"),
        ("connect4", "alphabeta"),
        ("nogo:5x5", "dfpp"),
        ("hex:6", "ppt:symmetry=on"),
    ] {
        let memory = format!("{LIMIT}M");
        keeps_within(&["solve", game, "--solver", solver, "--memory", &memory, "--time", "3s", "--quiet"]);
    }
}

/// A value takes two questions, whose proofs are kept; and the certificate is a walk of its own.
#[test]
fn proofs_stay_within_their_memory() {
    let path = folder("limits").join("proof");
    let memory = format!("{LIMIT}M");
    for game in ["connect4:5x5", "domineering:7x7"] {
        keeps_within(&["solve", game, "--proof", arg(&path), "--memory", &memory, "--time", "4s", "--quiet"]);
    }
}

/// A certificate of a game that is far too large, whose claim no game can contradict, is refused within the memory.
#[test]
fn checking_a_hostile_certificate_stays_within_its_memory() {
    let path = folder("hostile").join("proof");
    for spec in ["awari:rules=oware,plies=2500", "loa:8,openspiel,plies=2500"] {
        let game = delphic_engine::game(spec).expect("a game");
        let start = game.position(None, None).expect("a start");
        let header = Header {
            game: game.spec().to_owned(),
            rules: start.fingerprint(),
            position: start.write(),
            claims: vec!["first >= -1".parse().expect("a claim")],
        };
        let file = std::fs::File::create(&path).expect("a file");
        let mut writer = Writer::new(file, &header).expect("a header");
        (0..3_000_000).for_each(|_| writer.choose(0).expect("a choice"));
        writer.finish().expect("an end");
        keeps_within(&["check", arg(&path), "--memory", &format!("{LIMIT}M")]);
    }
}

/// The time limit is one deadline for all members of `auto`, all questions and the printed line; and the reason given is the true one.
#[test]
fn time_limits_are_kept_and_named() {
    for threads in ["1", "2"] {
        for (game, solver) in [("domineering:8x8", "auto"), ("connect4", "auto"), ("hex:9", "dfpn")] {
            let begun = Instant::now();
            let output = crate::common::delphic(&[
                "solve",
                game,
                "--solver",
                solver,
                "--time",
                "2s",
                "--threads",
                threads,
                "--quiet",
                "--json",
            ]);
            let (report, took) = (json(&output), begun.elapsed());
            assert_eq!(report["stop"], "time", "{game} {solver}: {report}");
            // Members with a clock each take twice the limit. Other programs may run beside this one.
            assert!(took < Duration::from_millis(3_500), "{game} {solver}, {threads} threads: {took:?}");
        }
    }
}

/// Loading a checkpoint does not count as search time: with a limit shorter than loading, the search still goes on.
#[test]
fn a_resumed_search_makes_progress_in_a_short_time() {
    let place = folder("short");
    let place = arg(&place);
    let solve = |more: &[&str]| {
        let all = [&["solve", "connect4", "--solver", "alphabeta", "--quiet", "--json"], more].concat();
        json(&crate::common::delphic(&all))
    };
    let first = solve(&["--checkpoint", place, "--nodes", "1500k"]);
    let created = |report: &serde_json::Value| report["stats"]["created"].as_u64().expect("a count");
    let second = solve(&["--resume", place, "--time", "100ms"]);
    assert_eq!(second["stop"], "time", "{second}");
    assert!(created(&second) > created(&first), "{first} {second}");
}

/// With a zone, "not captured" is not a disproof.
#[test]
fn a_restricted_answer_is_unknown() {
    let position =
        "XOO.X.OO./XO.O.O.OX/XXOOXOOXX/XXXOXOXXX/OOXXXXXOO/O.OX.XO.O/.OOX.XOO./X..X.X..X/.OXX.XXOO x O:g9 6";
    let solve = |more: &[&str]| {
        crate::common::delphic(
            &[&["solve", "go-capture:9,zone=on", position, "--time", "20s"], more].concat(),
        )
    };
    let output = solve(&["--json"]);
    let report = json(&output);
    assert_eq!((report["verdict"].as_str(), report["stop"].as_str()), (Some("unknown"), Some("restricted")));
    assert!(report["restricted"]["reason"].is_string() && report["value"].is_null(), "{report}");
    assert_eq!(output.status.code(), Some(40));
    let text = crate::common::text(&solve(&[]));
    assert!(text.contains("only under a restriction"), "{text}");
    let path = folder("restricted").join("proof");
    let proof = solve(&["--proof", arg(&path)]);
    assert_eq!(proof.status.code(), Some(40), "{}", crate::common::text(&proof));
    assert!(!path.exists(), "a certificate of an answer that does not hold");
    // A file that claims it nevertheless is refused.
    let game = delphic_engine::game("go-capture:9,zone=on").expect("a game");
    let start = game.position(Some(position), None).expect("a position");
    let attacker = start.turn();
    let header = Header {
        game: game.spec().to_owned(),
        rules: start.fingerprint(),
        position: start.write(),
        claims: vec![format!("{attacker} < 1").parse().expect("a claim")],
    };
    let file = std::fs::File::create(&path).expect("a file");
    Writer::new(file, &header).and_then(Writer::finish).expect("a file");
    let refused = crate::common::delphic(&["check", arg(&path)]);
    assert_eq!(refused.status.code(), Some(1), "{}", crate::common::text(&refused));
    assert!(crate::common::text(&refused).contains("restriction"), "{}", crate::common::text(&refused));
}
