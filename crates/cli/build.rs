//! Tells the program which revision it was built from, if that is known.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    let revision = revision().unwrap_or_else(|| "unknown revision".to_owned());
    println!("cargo::rustc-env=DELPHIC_REVISION={revision}");
}

/// Such as `5b4bc8e+dirty, 2026-11-15`: the commit, whether files differ from it, and its date.
fn revision() -> Option<String> {
    watch();
    // The repository must be ours, and not one that happens to lie around an unpacked copy.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    let described = git(&["show", "-s", "--format=%h %cs", "HEAD"])?;
    let (commit, date) = described.split_once(' ')?;
    let dirty =
        if git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty() { "" } else { "+dirty" };
    Some(format!("{commit}{dirty}, {date}"))
}

/// Builds again when another commit is checked out or a source file changes. Naming a file that is not there
/// would build again every time.
fn watch() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut files =
        vec![git(&["rev-parse", "--git-path", "HEAD"]), git(&["rev-parse", "--git-path", "packed-refs"])];
    if let Some(branch) = git(&["symbolic-ref", "-q", "HEAD"]) {
        files.push(git(&["rev-parse", "--git-path", &branch]));
    }
    let crates = std::fs::read_dir("..").into_iter().flatten().flatten();
    let sources = crates.map(|entry| entry.path().join("src"));
    for file in files.into_iter().flatten().map(PathBuf::from).chain(sources) {
        if file.exists() {
            println!("cargo::rerun-if-changed={}", file.display());
        }
    }
}

/// What git prints, or nothing where there is no git or no repository.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
