//! What the tests of the program share: running it, and folders to run it in.

// Every test file is a program of its own and uses a part of this.
#![allow(dead_code)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_delphic");

/// The program with arguments, with pipes on all sides and nothing to read.
pub fn program(args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program to its end.
pub fn delphic(args: &[&str]) -> Output {
    program(args).output().expect("the program runs")
}

/// Starts the program with something to read from.
pub fn spawn(args: &[&str]) -> Child {
    program(args).stdin(Stdio::piped()).spawn().expect("the program runs")
}

/// Runs the program with this input.
pub fn feed(args: &[&str], input: &str) -> Output {
    let mut child = spawn(args);
    // A program that refuses its arguments reads nothing.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

/// Runs a line of shell in which `delphic` is the program under test.
pub fn shell(line: &str, folder: &Path) -> Output {
    let path = std::env::var("PATH").unwrap_or_default();
    let bin = Path::new(PROGRAM).parent().expect("a folder").display();
    Command::new("sh")
        .args(["-c", line])
        .env("PATH", format!("{bin}:{path}"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("sh runs")
}

/// python3, for what it does better than we could. Where it is missing the test is skipped, unless `DELPHIC_FULL=1` wants all of them.
pub fn python() -> Option<Command> {
    if Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Some(Command::new("python3"));
    }
    assert!(std::env::var_os("DELPHIC_FULL").is_none_or(|full| full != "1"), "python3 is missing");
    eprintln!("skipped: python3 is missing");
    None
}

/// Sends a signal such as `INT`.
pub fn signal(child: &Child, name: &str) {
    let status = Command::new("sh").args(["-c", &format!("kill -{name} {}", child.id())]).status();
    assert!(status.expect("sh runs").success());
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// All that was printed.
pub fn text(output: &Output) -> String {
    stdout(output) + &stderr(output)
}

/// The JSON object that was printed.
pub fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(output)))
}

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A path as an argument.
pub fn arg(path: &Path) -> &str {
    path.to_str().expect("a plain name")
}

/// Asserts that the text has these parts in this order.
pub fn assert_contains(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let Some(at) = rest.find(part) else { panic!("no '{part}' in its place in\n{text}") };
        rest = &rest[at + part.len()..];
    }
}
