//! The program on a terminal, which only a terminal can test: python3 has one.

use crate::common::{PROGRAM, python, text};

#[cfg(unix)]
#[test]
fn sessions_on_a_terminal() {
    let Some(mut python) = python() else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/terminal.py");
    let output = python.args([script, PROGRAM]).output().expect("python3 runs");
    assert!(output.status.success(), "{}", text(&output));
}
