//! The program as a user meets it: answers, exit codes, refusals.

use crate::common::{arg, delphic, feed, folder, json, shell, signal, spawn, stderr, stdout, text};
use std::io::Write;
use std::path::Path;
use std::process::Command;

fn solve_json(args: &[&str]) -> (serde_json::Value, i32) {
    let output = delphic(&[&["solve", "--json"], args].concat());
    (json(&output), output.status.code().expect("an exit code"))
}

/// The sessions shown in the documentation are what the program prints, except for the effort, which varies. With
/// `DELPHIC_OVERWRITE=1` they are replaced by what it prints.
#[test]
fn the_documentation_shows_real_output() {
    for file in ["README.md", "docs/tour.md", "docs/families.md"] {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let path = format!("{root}/{file}");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let (mut sessions, mut renewed) = (0, text.clone());
        let overwrite = std::env::var("DELPHIC_OVERWRITE").is_ok_and(|value| value == "1");
        for block in text.split("```console\n").skip(1) {
            let block = block.split("```").next().expect("split gives a part");
            for session in block.split("$ delphic ").skip(1) {
                let (command, shown) = session.split_once('\n').expect("a command and its output");
                let output = shell(&format!("delphic {command}"), Path::new(root));
                let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
                if overwrite && steady(&printed) != steady(shown) {
                    let blank = if shown.ends_with("\n\n") { "\n" } else { "" };
                    let (old, new) =
                        (format!("$ delphic {session}"), format!("$ delphic {command}\n{printed}{blank}"));
                    renewed = renewed.replace(&old, &new);
                } else {
                    assert_eq!(steady(&printed), steady(shown), "{file}: {command}\n{printed}");
                }
                sessions += 1;
            }
        }
        if overwrite {
            std::fs::write(&path, &renewed).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
        assert!(sessions > 0, "{file} shows no session");
    }
}

/// What `delphic games` says about a game contains a command that can be typed.
#[test]
fn the_example_of_every_game_can_be_typed() {
    for (name, _) in delphic_engine::GAMES {
        let output = delphic(&["games", name]);
        let text = String::from_utf8_lossy(&output.stdout);
        let command = text.lines().last().and_then(|line| line.strip_prefix("Try ")).expect("an example");
        let shown = shell(command, Path::new("."));
        assert!(shown.status.success(), "{command}: {}", String::from_utf8_lossy(&shown.stderr));
        let misere = delphic(&["show", &format!("{name}:misere")]);
        assert!(misere.status.success(), "{name}: {}", String::from_utf8_lossy(&misere.stderr));
    }
}

/// No solver without a page.
#[test]
fn every_solver_has_a_section_in_the_documentation() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/solvers.md");
    let text = std::fs::read_to_string(path).expect("docs/solvers.md");
    let sections: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let listed: Vec<&str> = delphic_engine::SOLVERS.iter().map(|info| info.name).collect();
    assert_eq!(sections, listed);
}

/// The lines without those that differ from run to run, and without blanks at their ends.
fn steady(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> =
        text.lines().map(str::trim_end).filter(|line| !line.starts_with("effort")).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

/// Paper 2, tables 4 and 6: created nodes, and by how many in a thousand ours may differ.
#[test]
fn product_propagation_creates_as_many_nodes_as_in_the_paper() {
    for (game, solver, theirs, thousandths) in [
        ("domineering:6x5", "pp", 101_244, 0),
        ("domineering:6x5", "pp:ties=split", 101_244, 0),
        ("domineering:6x6", "pp:ties=split", 5_525_608, 2),
        ("nogo:1x18", "pp:ties=split", 864_951, 2),
        ("nogo:1x18", "ppt:ties=split", 98_991, 11),
        ("domineering:6x6", "pp", 5_525_608, 6),
        // Here the default's own count: the first of equals is another search than the paper's.
        ("nogo:1x18", "pp", 769_996, 0),
    ] {
        let (answer, code) = solve_json(&[game, "--question", "win", "--solver", solver]);
        let created = answer["stats"]["created"].as_u64().expect("a count");
        println!("{solver} on {game}: {created} created");
        assert!(created.abs_diff(theirs) * 1000 <= theirs * thousandths, "{solver} on {game}: {created}");
        assert_eq!((answer["verdict"].as_str(), code), (Some("proved"), 10), "{game}");
    }
}

#[test]
fn exit_codes_and_verdicts() {
    for (args, code, verdict, value) in [
        (&["nim:3,4,5"][..], 10, "proved", "win"),
        (&["nim:1,2,3"], 20, "disproved", "loss"),
        (&["tictactoe"], 30, "proved", "draw"),
        (&["tictactoe", "--question", "win"], 20, "disproved", "-"),
        (&["tictactoe", "--question", "draw"], 10, "proved", "-"),
        (&["connect4", "--nodes", "1000"], 40, "unknown", "-"),
        (&["connect4", "--time", "50ms"], 40, "unknown", "-"),
        (&["tictactoe", "XX./OO./..."], 10, "proved", "win"),
        (&["connect4", "--moves", "121212"], 10, "proved", "win"),
        (&["connect4", "1212127", "--question", ">=0"], 10, "proved", "-"),
        (&["tictactoe", "XX./OO./...", "--for", "second"], 20, "disproved", "loss"),
        (&["mnk3:3,3,3", "--question", "win", "--for", "third"], 20, "disproved", "-"),
        (&["mnk3:3,2,2", "--question", "maxn"], 10, "proved", "win"),
        (&["mnk3:3,3,3", "--question", "maxn", "--solver", "brute"], 30, "proved", "draw"),
        (&["mnk3:5,5,3", "--question", "maxn", "--nodes", "1000"], 40, "unknown", "-"),
        (&["nim:3,4,5", "--solver", "PP"], 10, "proved", "win"),
        (&["../../data/families/kayles.toml"], 20, "disproved", "loss"),
        (&["../../data/families/last-loses.toml", "--moves", "a1", "--solver", "pns"], 10, "proved", "win"),
    ] {
        let (answer, found) = solve_json(args);
        assert_eq!((found, answer["verdict"].as_str()), (code, Some(verdict)), "{args:?}: {answer}");
        assert!(value == "-" || answer["value"] == value, "{args:?}: {answer}");
    }
}

/// Every refusal is one line on standard error and exit code 2.
#[test]
fn bad_input_is_refused_in_one_line() {
    for (args, said) in [
        (&["solve", "checkers"][..], "unknown game 'checkers'"),
        (&["solve", "conect4"], "did you mean 'connect4'?"),
        (&["solve", "domineering:0x5"], "impossible"),
        (&["solve", "domineering:8x16"], "from 1 to 127 cells"),
        (&["solve", "connect4:99x99"], "impossible"),
        (&["solve", "connect4:7x6,colour=red"], "does not take 'colour=red'"),
        (&["solve", "nim:many"], "does not take 'many'"),
        (&["solve", "nogo:wide"], "does not take 'wide'; expected nogo[:ROWSxCOLS]"),
        (&["solve", "pgame:b=1000,d=1000"], "too large"),
        (
            &["solve", "connect4", "--moves", "44444448"],
            "ply 7: '4' is not a legal move here; legal: 1 2 3 5 6 7",
        ),
        (&["solve", "connect4", "44444444"], "ply 7: '4' is not a legal move here; legal: 1 2 3 5 6 7"),
        (&["solve", "tictactoe", "XXX/XXX/XXX"], "9 X and 0 O cannot be"),
        (&["solve", "tictactoe", "nonsense"], "'nonsense' is neither a position (expected 3 rows"),
        (&["solve", "tictactoe", "B2"], "nor a list of moves (legal: a3 b3 c3"),
        (&["solve", "connect4", "8"], "nor a list of moves (legal: 1 2 3 4 5 6 7)"),
        (&["solve", "hex:3", "é"], "'é' is neither a position"),
        (
            &["solve", "tictactoe", "--moves", "a1 a2 b1 b2 c1 c2"],
            "ply 6: 'c2' is not a legal move here; the game is over",
        ),
        (&["solve", "tictactoe", "--solver", "magic"], "unknown solver 'magic'"),
        (&["solve", "tictactoe", "--solver", "ppn:playouts=-3"], "expected a whole number of at least 1"),
        (&["solve", "tictactoe", "--time", "banana"], "expected a time such as"),
        (&["solve", "tictactoe", "--nodes", "few"], "expected a number such as"),
        (&["solve", "tictactoe", "--memory=-1G"], "must be positive"),
        (&["solve", "tictactoe", "--memory", "much"], "expected a size such as"),
        (&["solve", "tictactoe", "--memory", "0"], "must be positive"),
        (&["solve", "tictactoe", "--memory", "1"], "too small; a search needs at least 1M"),
        (&["solve", "tictactoe", "--memory", "999999999999G"], "too large"),
        (&["solve", "tictactoe", "--nodes", "-1"], "must be positive"),
        (&["solve", "tictactoe", "--nodes", "0"], "must be positive"),
        (&["solve", "tictactoe", "--time", "-5"], "must be positive"),
        (&["solve", "tictactoe", "--seed", "-1"], "must not be negative"),
        (&["solve", "tictactoe", "--seed", "abc"], "expected a whole number"),
        (&["solve", "tictactoe", "--every", "5m"], "--every needs --checkpoint or --resume"),
        (&["solve", "tictactoe", "--solver", "pp:prior=missing.patterns"], "missing.patterns: "),
        (&["solve", "tictactoe", "--solver", "PQ"], "unknown solver 'PQ' (did you mean '"),
        (&["estimate", "hex:11", "--probe", "0"], "must be positive"),
        (&["estimate", "hex:11", "--samples", "0"], "must be positive"),
        (&["puzzle", "tictactoe", "--plies", "100"], "tictactoe: all random games end before ply 100"),
        (&["solve", "tictactoe", "--question", "why"], "is not a question"),
        (&["solve", "tictactoe", "--threads", "0"], "not in 1.."),
        (&["solve"], "required arguments"),
        (&["frobnicate"], "unrecognized subcommand"),
        (&["slove", "x"], "some similar subcommands exist: 'serve', 'solvers', 'solve'"),
        (&["solve", "tictactoe", "--solvr", "pp"], "a similar argument exists: '--solver'"),
        (&["solve", "tictactoe", "--jsn"], "a similar argument exists: '--json'"),
        (&["perft", "tictactoe", "deep"], "invalid value 'deep' for '<DEPTH>': expected a whole number"),
        (&["perft", "tictactoe", "-1"], "must not be negative"),
        (&["games", "checkers"], "unknown game 'checkers'"),
        (&["show", "nogo:2x2", "XO/OO x"], "has no liberty"),
        (&["solve", "no-such-file.toml"], "no-such-file.toml: "),
        (&["solve", "tictactoe", "--for", "third"], "has 2 players"),
        (&["solve", "tictactoe", "--for", "nobody"], "expected one of first, second"),
        (&["solve", "mnk3", "--question", "maxn", "--solver", "pns"], "auto and brute do"),
    ] {
        let output = delphic(args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert_eq!(error.trim_end().lines().count(), 1, "{args:?}: {error}");
        assert!(error.starts_with("error: ") && error.contains(said), "{args:?}: {error}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

/// The limit is kept, and the report says which one fired and how to go on.
#[test]
fn memory_stays_within_its_limit() {
    let args = ["connect4", "--solver", "pns", "--memory", "50M", "--question", "win"];
    let (answer, code) = solve_json(&args);
    let stats = &answer["stats"];
    assert_eq!(
        (answer["verdict"].as_str(), answer["stop"].as_str(), code),
        (Some("unknown"), Some("memory"), 40)
    );
    let peak = stats["peak_bytes"].as_u64().expect("a size");
    assert!(peak <= (50 << 20) + 4096 && peak > 45 << 20, "{peak}");
    let text = delphic(&[&["solve"], &args[..]].concat());
    let text = String::from_utf8_lossy(&text.stdout);
    assert!(
        text.contains("memory limit (--memory) was reached")
            && text.contains("raise --memory or try another --solver"),
        "{text}"
    );
}

#[test]
fn a_smaller_question_is_suggested_where_there_is_one() {
    for (question, smaller) in [("value", true), ("win", false)] {
        let output =
            delphic(&["solve", "connect4", "--nodes", "1k", "--solver", "pns", "--question", question]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("raise --nodes"), "{text}");
        assert_eq!(text.contains("(--question win)"), smaller, "{text}");
    }
}

#[test]
fn a_batch_answers_line_by_line_in_order() {
    let mut child = spawn(&["solve", "connect4", "-", "--nodes", "200k", "--json", "--threads", "2"]);
    let lines = "121212\n# a comment\n4444448\n\n121212\n1\n";
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let answers: Vec<serde_json::Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("one object per line"))
        .collect();
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0]["value"], "win");
    assert!(answers[1]["error"].as_str().is_some_and(|error| error.contains("ply 7")), "{}", answers[1]);
    assert_eq!(answers[2]["value"], "win");
    assert_eq!(answers[3]["verdict"], "unknown");
    assert_eq!(output.status.code(), Some(2), "a malformed line outweighs an undecided one");
}

/// Ctrl-C ends the search, not the program: what is known is printed.
#[cfg(unix)]
#[test]
fn an_interrupted_search_reports() {
    let child = spawn(&["solve", "connect4", "--json"]);
    std::thread::sleep(std::time::Duration::from_millis(400));
    // `timeout` signals the process and then its group: two signals are one request.
    signal(&child, "INT");
    signal(&child, "INT");
    let output = child.wait_with_output().expect("it ends");
    let answer = json(&output);
    assert_eq!((answer["stop"].as_str(), output.status.code()), (Some("interrupted"), Some(130)), "{answer}");
    assert!(answer["stats"]["created"].as_u64().is_some_and(|created| created > 0));
}

/// A picture goes to standard output or, whole, to a file; a file that cannot be written is an error and leaves
/// nothing behind.
#[test]
fn pictures_are_written() {
    let folder = folder("pictures");
    let file = folder.join("hex.svg");
    let name = arg(&file);
    let printed = delphic(&["show", "hex:3", "b2", "--svg"]);
    assert!(printed.status.success() && printed.stdout.starts_with(b"<svg "), "{printed:?}");
    for _ in 0..2 {
        let written = delphic(&["show", "hex:3", "b2", "--svg", name]);
        assert!(written.status.success() && written.stdout.is_empty(), "{written:?}");
    }
    assert_eq!(std::fs::read(&file).expect("the picture"), printed.stdout);
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 1, "drafts are left behind");
    let refused = delphic(&["show", "hex:3", "--svg", folder.to_str().expect("a plain name")]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
}

/// Colours are for terminals, unless they are asked for.
#[test]
fn boards_are_coloured_on_demand() {
    let coded = |args: &[&str]| delphic(args).stdout.contains(&0x1b);
    assert!(!coded(&["show", "tictactoe", "b2"]) && !coded(&["show", "tictactoe", "b2", "--color", "never"]));
    assert!(
        coded(&["show", "tictactoe", "b2", "--color", "always"])
            && coded(&["--color=always", "games", "hex"])
    );
}

/// Every game is measured, and aims stand beside the games that have one.
#[test]
fn the_speed_of_every_game_is_measured() {
    let output = delphic(&["bench", "games", "--quick", "--rounds", "1"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    for (name, _) in delphic_engine::GAMES {
        let game = delphic_engine::game(name).expect("a game");
        let rows = text.lines().filter(|line| line.split_whitespace().next() == Some(game.spec())).count();
        assert_eq!(rows, 1, "{name}\n{text}");
    }
    let aims = text.lines().filter(|line| line.trim_end().ends_with('%')).count();
    assert_eq!(aims, 6, "{text}");
}

/// Another program is run beside this one: the page has both times, and a disagreement is an error.
#[cfg(unix)]
#[test]
fn peers_are_measured_and_compared() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("peers");
    let peer = folder.join("sbh_3x6");
    let measure = |answer: &str| {
        std::fs::write(&peer, format!("#!/bin/sh\nread command\necho '= {answer}'\n")).expect("a script");
        std::fs::set_permissions(&peer, std::fs::Permissions::from_mode(0o755)).expect("its mode");
        let (place, page) = (folder.display().to_string(), folder.join("speed.md").display().to_string());
        delphic(&["bench", "peers", &place, "--quick", "--rounds", "1", "--page", &page])
    };
    let agreed = measure("1");
    assert!(agreed.status.success(), "{}", text(&agreed));
    let page = std::fs::read_to_string(folder.join("speed.md")).expect("the page");
    let row = page.lines().find(|line| line.starts_with("| NoGo 3x6 |")).expect("a row");
    assert!(row.contains("| sbh_3x6 |") && !row.ends_with("| – |"), "{row}");
    let row = page.lines().find(|line| line.starts_with("| Hex 5 |")).expect("a row");
    assert!(row.ends_with("| – | – | – |"), "{row}");
    let disagreed = measure("0");
    assert!(!disagreed.status.success() && text(&disagreed).contains("disagree"), "{}", text(&disagreed));
}

/// Help is plain text in a pipe, and a missing command is an error.
#[test]
fn help_is_readable_in_a_pipe() {
    let help = delphic(&["solve", "--help"]);
    let text = String::from_utf8_lossy(&help.stdout);
    assert!(help.status.success() && text.contains("--question") && !text.contains('\u{1b}'), "{text}");
    assert_eq!(delphic(&[]).status.code(), Some(2));
}

/// The program does not panic when its reader goes away.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let program = env!("CARGO_BIN_EXE_delphic");
    let output = Command::new("sh")
        .args(["-c", &format!("{program} perft tictactoe 8 | true")])
        .output()
        .expect("sh runs");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Every command with `--json` prints objects that can be parsed and say which schema they have.
#[test]
fn json_is_printed_everywhere() {
    let proof = folder("json").join("a.proof");
    assert_eq!(delphic(&["solve", "nim:1,2", "--proof", arg(&proof)]).status.code(), Some(10));
    for (args, field) in [
        (&["solve", "nim:1,2"][..], "revision"),
        (&["check", arg(&proof)], "strategy_positions"),
        (&["analyze", "nim:1,2"], "moves"),
        (&["puzzle", "connect4:5x4", "--depth", "7", "--seed", "3"], "solution"),
        (&["estimate", "nim:1,2", "--probe", "50ms", "--samples", "10"], "probes"),
        (&["show", "connect4", "445"], "moves"),
        (&["show", "tictactoe", "XXX/OO./..."], "payoffs"),
        (&["games"], "games"),
        (&["games", "hex"], "parameters"),
        (&["solvers"], "solvers"),
        (&["agents"], "agents"),
        (&["perft", "tictactoe", "2"], "perft"),
    ] {
        let object = json(&delphic(&[args, &["--json"]].concat()));
        assert_eq!(object["schema"], 1, "{args:?}: {object}");
        assert!(!object[field].is_null(), "{args:?}: {object}");
    }
    // A refused certificate is an object too.
    std::fs::write(&proof, "Dear reader").expect("written");
    let refused = delphic(&["check", arg(&proof), "--json"]);
    let object = json(&refused);
    assert_eq!((object["valid"].as_bool(), refused.status.code()), (Some(false), Some(1)));
    assert!(object["reason"].as_str().is_some_and(|reason| reason.contains("not a Delphic certificate")));
}

/// Where no game lasts that long, deeper counts are all 0 and left out.
#[test]
fn perft_stops_at_zero() {
    let output = delphic(&["perft", "tictactoe", "100"]);
    let lines = stdout(&output);
    assert_eq!((lines.lines().count(), output.status.code()), (10, Some(0)), "{lines}");
    assert!(lines.lines().nth(8).is_some_and(|line| line.contains("127,872")), "{lines}");
    let last = lines.lines().last().expect("a line");
    assert_eq!(last.split_whitespace().nth(1), Some("0"), "{lines}");
}

#[test]
fn help_version_completions_and_manual() {
    for args in [&["help"][..], &["help", "solve"], &["solve", "--help"], &["help", "lab", "run"]] {
        let help = delphic(args);
        assert!(
            help.status.success() && stdout(&help).contains("Usage: delphic"),
            "{args:?}: {}",
            text(&help)
        );
    }
    for command in ["play", "gtp", "uci"] {
        let help = stdout(&delphic(&[command, "--help"]));
        assert!(help.contains("the agent has 2 s per move"), "{help}");
    }
    let version = stdout(&delphic(&["--version"]));
    let revision =
        version.strip_prefix(concat!("delphic ", env!("CARGO_PKG_VERSION"), " (")).expect("a version");
    assert!(revision.trim_end().ends_with(')') && revision.len() > 3, "{version}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&delphic(&["completions", shell]));
        assert!(script.contains("delphic") && script.contains("checkpoint"), "{shell}: {script}");
    }
    assert!(stdout(&delphic(&["man"])).contains(".TH delphic 1"));
    let pages = folder("man");
    assert!(delphic(&["man", arg(&pages)]).status.success());
    for page in ["delphic.1", "delphic-solve.1", "delphic-lab-run.1"] {
        assert!(pages.join(page).is_file(), "{page}");
    }
}

/// A probe that is too short to create a node gives no estimate, and certainly not infinity.
#[test]
fn an_estimate_is_a_number_or_nothing() {
    let output = delphic(&["estimate", "hex:11", "--samples", "5", "--probe", "1ms"]);
    let printed = text(&output);
    assert!(output.status.success() && !printed.contains("NaN") && !printed.contains("inf"), "{printed}");
}

/// Positions that repeat are one puzzle.
#[test]
fn puzzles_do_not_repeat() {
    let output = delphic(&["puzzle", "nim", "--count", "5", "--tries", "3000", "--json", "--depth", "3"]);
    let positions: Vec<String> = stdout(&output)
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("an object")["position"].to_string()
        })
        .collect();
    let distinct: std::collections::HashSet<&String> = positions.iter().collect();
    assert!(positions.len() > 1 && distinct.len() == positions.len(), "{positions:?}: {}", stderr(&output));
}

/// A line as long as the game is said to last, and at its end the game is over.
#[test]
fn the_line_of_a_puzzle_has_its_length() {
    let args =
        ["puzzle", "connect4", "--plies", "24", "--count", "2", "--nodes", "200k", "--json", "--exact", "5M"];
    let mut exact = 0;
    for line in stdout(&delphic(&args)).lines() {
        let puzzle: serde_json::Value = serde_json::from_str(line).expect("an object");
        let moves: Vec<&str> =
            puzzle["line"].as_array().expect("a list").iter().filter_map(|mv| mv.as_str()).collect();
        let length = puzzle["plies"].as_u64().or(puzzle["plies_at_most"].as_u64());
        assert_eq!(Some(moves.len() as u64), length, "{puzzle}");
        assert_eq!(puzzle["solution"], moves[0], "{puzzle}");
        let position = puzzle["position"].as_str().expect("a position");
        let end = delphic(&["show", "connect4", position, "--moves", &moves.join(" ")]);
        assert!(stdout(&end).contains("the game is over"), "{}", text(&end));
        exact += u32::from(puzzle["plies"].is_u64());
    }
    assert!(exact > 0, "no exact distance was found");
}

/// A finished game has no side to move.
#[test]
fn a_finished_game_has_no_side_to_move() {
    let shown = stdout(&delphic(&["show", "hex:3", "a1 a2 b1 b2 c1"]));
    assert!(shown.contains("the game is over") && !shown.contains("to move"), "{shown}");
    assert!(
        stdout(&feed(&["play", "hex:3", "a1 a2 b1 b2", "--iterations", "10"], "c1\n")).contains("you win")
    );
}
