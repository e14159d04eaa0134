//! What tests of several crates share: the one way to leave out a test whose data or tools are missing.
//!
//! A test that needs something the repository does not contain asks for it here. Missing, it prints `skipped: why` and passes; in a
//! complete run (`DELPHIC_FULL=1`, or `CI=true`) it fails instead, so that nothing goes untested unnoticed.

use std::path::{Path, PathBuf};

/// Whether this run must test everything.
pub fn complete_run() -> bool {
    let set = |name: &str, on: &str| std::env::var(name).is_ok_and(|value| value == on);
    set("DELPHIC_FULL", "1") || set("CI", "true")
}

/// Records that a test, or a part of one, is left out. The caller returns or continues.
///
/// # Panics
///
/// In a complete run.
pub fn skip(why: &str) {
    assert!(!complete_run(), "skipped in a complete run: {why}");
    println!("skipped: {why}");
}

/// A file with data of independent programs, by its path below `$DELPHIC_ORACLES`; without that variable, below `shared/oracles`
/// beside the repository. `None`, after [`skip`], if it is not there.
pub fn oracle(path: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracles");
    let folder = std::env::var_os("DELPHIC_ORACLES").map_or_else(beside, PathBuf::from);
    let file = folder.join(path);
    if !file.exists() {
        skip(&format!("{path} is not in {}", folder.display()));
        return None;
    }
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Run by the test below in processes of their own, because the environment belongs to the process.
    #[test]
    #[ignore = "a part of the test below"]
    fn skips_always() {
        skip("always");
    }

    #[test]
    fn a_skipped_test_fails_in_a_complete_run() {
        let passes = |name: &str, value: &str| {
            let mut tests = Command::new(std::env::current_exe().unwrap());
            tests.env_remove("DELPHIC_FULL").env_remove("CI").env(name, value);
            let output =
                tests.args(["--exact", "testing::tests::skips_always", "--ignored", "--nocapture"]).output();
            let output = output.unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(text.contains("running 1 test"), "{text}");
            assert_eq!(output.status.success(), text.contains("skipped: always"), "{text}");
            output.status.success()
        };
        assert!(passes("DELPHIC_FULL", "0") && passes("CI", "no"));
        assert!(!passes("DELPHIC_FULL", "1") && !passes("CI", "true"));
    }
}
