//! The program as a user meets it: answers, exit codes, refusals.

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

fn delphic(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_delphic"))
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stdout)))
}

fn solve_json(args: &[&str]) -> (serde_json::Value, i32) {
    let output = delphic(&[&["solve", "--json"], args].concat());
    (json(&output), output.status.code().expect("an exit code"))
}

/// The sessions shown in the documentation are what the program prints, except for the effort, which varies.
#[test]
fn the_documentation_shows_real_output() {
    for file in ["README.md", "docs/tour.md", "docs/families.md"] {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let path = format!("{root}/{file}");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut sessions = 0;
        for block in text.split("```console\n").skip(1) {
            let block = block.split("```").next().expect("split gives a part");
            for session in block.split("$ delphic ").skip(1) {
                let (command, shown) = session.split_once('\n').expect("a command and its output");
                let output = Command::new("sh")
                    .args(["-c", &format!("{} {command}", env!("CARGO_BIN_EXE_delphic"))])
                    .current_dir(root)
                    .stdin(Stdio::null())
                    .output()
                    .expect("sh runs");
                let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
                assert_eq!(steady(&printed), steady(shown), "{file}: {command}\n{printed}");
                sessions += 1;
            }
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
        let command = command.replacen("delphic", env!("CARGO_BIN_EXE_delphic"), 1);
        let shown = Command::new("sh").args(["-c", &command]).output().expect("sh runs");
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

/// Paper 2, tables 4 and 6 (DESIGN §7): created nodes, and by how many in a thousand ours may differ.
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
        (&["solve", "domineering:9x9"], "from 1 to 64 cells"),
        (&["solve", "connect4:99x99"], "impossible"),
        (&["solve", "connect4:7x6,colour=red"], "does not take 'colour=red'"),
        (&["solve", "nim:many"], "does not take 'many'"),
        (&["solve", "nogo:wide"], "does not take 'wide'; expected nogo[:ROWSxCOLS]"),
        (&["solve", "pgame:b=1000,d=1000"], "too large"),
        (&["solve", "connect4", "--moves", "44444448"], "ply 7: '48' is not a legal move"),
        (&["solve", "connect4", "4444444"], "ply 7"),
        (&["solve", "tictactoe", "XXX/XXX/XXX"], "9 X and 0 O cannot be"),
        (&["solve", "tictactoe", "nonsense"], "malformed position"),
        (
            &["solve", "tictactoe", "--moves", "a1 a2 b1 b2 c1 c2"],
            "ply 6: 'c2' is not a legal move here; the game is over",
        ),
        (&["solve", "tictactoe", "--solver", "magic"], "unknown solver 'magic'"),
        (&["solve", "tictactoe", "--solver", "ppn:playouts=-3"], "not a number"),
        (&["solve", "tictactoe", "--time", "banana"], "expected a time such as"),
        (&["solve", "tictactoe", "--nodes", "few"], "expected a number such as"),
        (&["solve", "tictactoe", "--memory=-1G"], "expected a size such as"),
        (&["solve", "tictactoe", "--question", "why"], "is not a question"),
        (&["solve", "tictactoe", "--threads", "0"], "not in 1.."),
        (&["solve"], "required arguments"),
        (&["frobnicate"], "unrecognized subcommand"),
        (&["perft", "tictactoe", "deep"], "invalid value 'deep'"),
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
        text.contains("memory limit (--memory) was reached") && text.contains("raise --memory"),
        "{text}"
    );
}

#[test]
fn a_batch_answers_line_by_line_in_order() {
    let mut child = spawn(&["solve", "connect4", "-", "--nodes", "200k", "--json", "--threads", "2"]);
    let lines = "121212\n4444448\n121212\n1\n";
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
    let killed =
        Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().expect("sh runs");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    let answer = json(&output);
    assert_eq!((answer["stop"].as_str(), output.status.code()), (Some("interrupted"), Some(130)), "{answer}");
    assert!(answer["stats"]["created"].as_u64().is_some_and(|created| created > 0));
}

/// A picture goes to standard output or, whole, to a file; a file that cannot be written is an error and leaves nothing behind.
#[test]
fn pictures_are_written() {
    let folder = std::env::temp_dir().join(format!("delphic-pictures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("hex.svg");
    let name = file.to_str().expect("a plain name");
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
    std::fs::remove_dir_all(&folder).expect("it is ours");
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

/// Help is plain text where nobody sees colours, and a missing command is an error.
#[test]
fn help_is_readable_in_a_pipe() {
    let help = delphic(&["solve", "--help"]);
    let text = String::from_utf8_lossy(&help.stdout);
    assert!(help.status.success() && text.contains("--question") && !text.contains('\u{1b}'), "{text}");
    assert_eq!(delphic(&[]).status.code(), Some(2));
}

/// A reader that goes away is no reason to panic.
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

fn spawn(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_delphic"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs")
}
