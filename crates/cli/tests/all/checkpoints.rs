//! Checkpoints as a user meets them: the program is killed, and goes on.

use crate::common::{delphic, program, stderr, text};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The place of a folder of its own for every test.
fn place(name: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    let name = path.to_str().expect("text").to_owned();
    (path, name)
}

/// Random numbers that differ from run to run, because the moments at which we kill should. `DELPHIC_SEED` repeats a run.
fn random(below: u64) -> u64 {
    use std::sync::{LazyLock, Mutex};
    static STATE: LazyLock<Mutex<u64>> = LazyLock::new(|| {
        let given = std::env::var("DELPHIC_SEED").ok().and_then(|seed| seed.parse().ok());
        let now = || std::time::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64);
        let seed = given.unwrap_or_else(now);
        println!("DELPHIC_SEED={seed}");
        Mutex::new(seed)
    });
    // SplitMix64 (Steele et al. 2014).
    let mut state = STATE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) % below
}

/// What is asked, and for how long at most the program is left alone.
const PROBLEMS: &[(&[&str], u64)] = &[
    (&["domineering:6x6", "--question", "win", "--solver", "pp"], 500),
    (&["domineering:6x6", "--solver", "ppt"], 400),
    (&["connect4:5x5", "--solver", "dfpn"], 300),
    (&["connect4:6x5", "--question", "win", "--solver", "alphabeta"], 300),
    (&["nogo:4x4", "--solver", "dfpp", "--threads", "2"], 300),
    (&["connect4:6x5", "--question", "win", "--solver", "alphabeta", "--threads", "3"], 300),
    (&["nogo:4x4", "--solver", "dfpp"], 300),
    (&["domineering:6x6", "--solver", "pp2"], 300),
    (&["connect4:5x4", "--question", "win", "--solver", "mcts:playouts=1"], 150),
    (&["connect4:5x4", "--question", "win", "--solver", "uct:playouts=1", "--threads", "2"], 150),
    (&["nogo:4x4", "--question", "win"], 200),
    (&["connect4:5x4", "--question", "win", "--solver", "ews:playouts=2"], 300),
];

/// The time between checkpoints while we kill. The work lost is what was done since the last one: this time, and what loading and
/// saving take.
const INTERVAL: &str = "50ms";
/// Kills of one search, so that all of them get some.
const MOST: usize = 6;
/// The least number of kills.
const KILLS: usize = 60;

/// A program killed at any moment loses little and never leaves a state that cannot be gone on from.
#[test]
fn killed_at_random_moments_the_answer_is_the_same() {
    let (mut kills, mut round) = (0, 0);
    while kills < KILLS {
        let (problem, patience) = PROBLEMS[round % PROBLEMS.len()];
        let (path, folder) = place(&format!("killed-{round}"));
        round += 1;
        let whole = delphic(&[&["solve", "--json"], problem].concat());
        let whole: Value = serde_json::from_slice(&whole.stdout).expect("an answer");
        let mut killed = 0;
        loop {
            let has_one = path.join("current").exists() || path.join("previous").exists();
            let option = if has_one { "--resume" } else { "--checkpoint" };
            let mut args = vec!["solve", "--json", option, &folder];
            args.extend(problem);
            if killed < MOST {
                args.extend(["--every", INTERVAL]);
            }
            let mut child = program(&args).spawn().expect("the program runs");
            // After some kills it may end, because this is about many moments and not about many problems.
            let end = Instant::now() + Duration::from_millis(random(patience));
            while killed < MOST && Instant::now() < end && child.try_wait().expect("a child").is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            if killed < MOST && child.try_wait().expect("a child").is_none() {
                child.kill().expect("it can be killed");
                child.wait().expect("a child");
                killed += 1;
                // What was done since the last checkpoint is lost.
                let saved = std::fs::metadata(path.join("current")).and_then(|file| file.modified());
                let since = saved.ok().and_then(|saved| saved.elapsed().ok());
                println!(
                    "{problem:?}: lost {}",
                    since.map_or("all".to_owned(), |time| format!("{time:.0?}"))
                );
                continue;
            }
            let output = child.wait_with_output().expect("it ends");
            assert!(matches!(output.status.code(), Some(10 | 20 | 30)), "{args:?}: {}", text(&output));
            let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer");
            for field in ["verdict", "value", "at_least", "at_most", "stop"] {
                assert_eq!(answer[field], whole[field], "{args:?}: {answer}");
            }
            println!(
                "{problem:?}: killed {killed} times, {} nodes instead of {}",
                answer["stats"]["created"], whole["stats"]["created"]
            );
            break;
        }
        kills += killed;
    }
    println!("killed {kills} times");
}

/// A limit is a way to stop in order: the whole state is kept, and the program says how to go on.
#[test]
fn a_stopped_search_says_how_to_go_on() {
    let (path, folder) = place("stopped");
    let first = delphic(&["solve", "domineering:6x5", "-s", "pp", "--checkpoint", &folder, "--nodes", "50k"]);
    assert_eq!(first.status.code(), Some(40), "{}", text(&first));
    assert!(text(&first).contains(&format!("continue with --resume {folder}")), "{}", text(&first));
    assert!(path.join("current").is_file() && !path.join("previous").exists());
    // Nothing but the game has to be said again, and the tree is the one of an uninterrupted search.
    let on = delphic(&["solve", "domineering:6x5", "--resume", &folder, "--json"]);
    let answer: Value = serde_json::from_slice(&on.stdout).expect("an answer");
    assert_eq!((answer["value"].as_str(), answer["stats"]["created"].as_u64()), (Some("win"), Some(101_244)));
    let occupied = delphic(&["solve", "domineering:6x5", "-s", "pp", "--checkpoint", &folder]);
    assert_eq!(occupied.status.code(), Some(1));
    assert!(text(&occupied).contains("already has a checkpoint"), "{}", text(&occupied));
}

/// Ctrl-C and SIGTERM keep a checkpoint.
#[cfg(unix)]
#[test]
fn an_interrupted_search_keeps_a_checkpoint() {
    for signal in ["INT", "TERM"] {
        let (path, folder) = place(&format!("interrupted-{signal}"));
        let child = program(&["solve", "connect4", "--checkpoint", &folder]).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(400));
        let second = delphic(&["solve", "connect4", "--checkpoint", &folder]);
        assert_eq!(second.status.code(), Some(1), "{}", text(&second));
        assert!(text(&second).contains("in use by another search"), "{}", text(&second));
        crate::common::signal(&child, signal);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130), "{}", text(&output));
        assert!(stderr(&output).contains("the checkpoint is being saved in"), "{}", text(&output));
        assert!(path.join("current").is_file(), "{}", text(&output));
        let on = delphic(&["solve", "connect4", "--resume", &folder, "--time", "200ms", "--json"]);
        let answer: Value = serde_json::from_slice(&on.stdout).expect("an answer");
        assert_eq!(answer["stop"], "time", "{answer}");
        assert!(answer["stats"]["seconds"].as_f64().is_some_and(|seconds| seconds > 0.45), "{answer}");
    }
}

/// Damaged files and other searches are refused in one line with exit code 1; one good file of two is enough.
#[test]
fn what_cannot_be_gone_on_from_is_refused() {
    let (path, folder) = place("refused");
    let file = |name: &str| path.join(name);
    let resume = |more: &[&str]| {
        delphic(&[&["solve", "domineering:6x6", "--resume", &folder, "--json"], more].concat())
    };
    let refused = |more: &[&str], said: &str| {
        let output = resume(more);
        assert_eq!(output.status.code(), Some(1), "{more:?}: {}", text(&output));
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.starts_with("error: ") && error.contains(said), "{more:?}: {error}");
        assert!(error.lines().count() == 1 && output.stdout.is_empty(), "{more:?}: {}", text(&output));
    };
    refused(&[], "has no checkpoint");
    let start = ["solve", "domineering:6x6", "-s", "pp", "--nodes", "20k", "--checkpoint", &folder];
    assert_eq!(delphic(&start).status.code(), Some(40));
    let limit = ["--nodes", "40k"];
    assert_eq!(resume(&limit).status.code(), Some(40));
    assert!(file("current").is_file() && file("previous").is_file());
    refused(&["--solver", "ppt"], "its solver is pp:prior=mobility,precision=0,stop=on,ties=first, not ppt:");
    refused(&["--seed", "2"], "its seed is 1, not 2");
    refused(&["--question", "win"], "its question is value, not win");
    refused(&["--moves", "a1+a2"], "its position is");
    let other = delphic(&["solve", "domineering:5x6", "--resume", &folder]);
    assert_eq!(other.status.code(), Some(1));
    assert!(text(&other).contains("its game is domineering:6x6, not domineering:5x6"), "{}", text(&other));

    let whole = std::fs::read(file("current")).expect("a file");
    let before = std::fs::read(file("previous")).expect("a file");
    let damage = |bytes: &[u8], name: &str| std::fs::write(file(name), bytes).expect("a file");
    // Of two files one is enough.
    for number in 0..20 {
        let mut wrong = whole.clone();
        match number {
            0 => wrong.clear(),
            1..10 => wrong.truncate(random(whole.len() as u64) as usize),
            10 => wrong.push(0),
            // One bit alone may point the decompressor to another copy of the same bytes: nothing is damaged
            // then, as the checksum confirms.
            _ => {
                let at = 10 + random(whole.len() as u64 - 30) as usize;
                wrong[at..at + 16].iter_mut().for_each(|byte| *byte = !*byte);
            }
        }
        damage(&wrong, "current");
        let output = resume(&["--nodes", "21k"]);
        assert_eq!(output.status.code(), Some(40), "{}", text(&output));
        assert!(text(&output).contains("resuming from the checkpoint before it"), "{}", text(&output));
        // Without the other one there is nothing to go on from.
        damage(&wrong, "current");
        std::fs::remove_file(file("previous")).expect("a file");
        refused(&[], "is not a usable checkpoint");
        damage(&before, "previous");
    }
    // As if killed between two renames.
    std::fs::remove_file(file("current")).expect("a file");
    assert_eq!(resume(&["--nodes", "21k"]).status.code(), Some(40));
    assert_eq!(resume(&[]).status.code(), Some(10), "and after all that it is solved");
}

#[test]
fn solvers_and_folders_that_cannot_keep_checkpoints_are_named() {
    let (_, folder) = place("unable");
    let output = delphic(&["solve", "tictactoe", "--solver", "brute", "--checkpoint", &folder]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("has no checkpoints"), "{}", text(&output));
    let batch = delphic(&["solve", "tictactoe", "-", "--checkpoint", &folder]);
    assert_eq!(batch.status.code(), Some(2), "{}", text(&batch));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let output = delphic(&["solve", "tictactoe", "--checkpoint", file.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
}

/// A solved search leaves nothing to resume, and says so; there is no half-written file.
#[test]
fn a_solved_search_leaves_nothing_to_resume() {
    let (path, folder) = place("solved");
    let solved = delphic(&["solve", "domineering:5x5", "--solver", "dfpp", "--checkpoint", &folder]);
    assert!(stderr(&solved).contains("note: solved; there is nothing to resume"), "{}", text(&solved));
    assert!(!path.join("partial").exists(), "an empty draft is left behind");
    let resumed = delphic(&["solve", "domineering:5x5", "--resume", &folder]);
    assert_eq!(resumed.status.code(), Some(1));
    assert!(stderr(&resumed).contains("has no checkpoint: nothing to resume"), "{}", text(&resumed));
}

/// The commands of docs/checkpoints.md work as written; only a limit is added, so that they end.
#[test]
fn the_example_of_the_documentation_works() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let page = std::fs::read_to_string(format!("{root}/docs/checkpoints.md")).expect("docs/checkpoints.md");
    let block = page.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let folder = crate::common::folder("example");
    let commands: Vec<&str> =
        block.lines().filter_map(|line| line.split(" #").next()).map(str::trim).collect();
    assert_eq!(commands.len(), 2, "{block}");
    for (command, limit) in commands.iter().zip(["--nodes 50k", "--nodes 100k"]) {
        let output = crate::common::shell(&format!("{command} {limit}"), &folder);
        assert_eq!(output.status.code(), Some(40), "{command}: {}", text(&output));
        assert!(folder.join("run1/current").is_file(), "{command}: {}", text(&output));
    }
}

/// A save that fails in the middle of the file, as on a full disk, leaves no part of it behind and does not damage the one before. The
/// limit on the size of files stands for the full disk.
#[cfg(unix)]
#[test]
fn a_save_that_fails_half_way_leaves_nothing_behind() {
    let (path, folder) = place("full");
    let start = ["solve", "domineering:6x6", "-s", "pp", "--nodes", "2k", "--checkpoint", &folder];
    assert_eq!(delphic(&start).status.code(), Some(40));
    let before = std::fs::read(path.join("current")).expect("a checkpoint");
    let blocks = before.len().div_ceil(512) + 8;
    let line = format!(
        "trap '' XFSZ; ulimit -f {blocks}; delphic solve domineering:6x6 --resume {folder} --nodes 500k --every 20ms"
    );
    let output = crate::common::shell(&line, &path);
    assert_eq!(output.status.code(), Some(40), "{}", text(&output));
    assert!(stderr(&output).contains("warning: a checkpoint could not be saved: "), "{}", text(&output));
    assert!(!path.join("partial").exists(), "{}", text(&output));
    // What was saved while the files were still small can be resumed.
    let on = delphic(&["solve", "domineering:6x6", "--resume", &folder, "--nodes", "500k"]);
    assert_eq!(on.status.code(), Some(40), "{}", text(&on));
}

/// A checkpoint that cannot be saved is reported while the search goes on, and the answer is not lost.
#[cfg(unix)]
#[test]
fn a_failed_save_is_reported_at_once() {
    use std::io::{BufRead, BufReader};
    let (path, folder) = place("failing");
    let mut child =
        program(&["solve", "connect4", "-s", "dfpn", "--checkpoint", &folder, "--every", "100ms"])
            .spawn()
            .expect("the program runs");
    while !path.join("current").exists() {
        assert!(child.try_wait().expect("a child").is_none(), "it ends before it saves");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::fs::rename(&path, path.with_extension("gone")).expect("it is ours");
    let mut said = String::new();
    let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
    while !said.contains("warning: a checkpoint could not be saved: ") {
        assert!(errors.read_line(&mut said).expect("text") > 0, "it ends without a warning: {said}");
    }
    assert!(child.try_wait().expect("a child").is_none(), "the search goes on");
    crate::common::signal(&child, "INT");
    let output = child.wait_with_output().expect("it ends");
    assert!(text(&output).contains("UNKNOWN: "), "{}", text(&output));
    std::fs::remove_dir_all(path.with_extension("gone")).expect("it is ours");
}
