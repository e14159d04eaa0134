//! Tells the program which revision it was built from, if that is known, and the linker to store equal functions once.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    let revision = revision().unwrap_or_else(|| "unknown revision".to_owned());
    println!("cargo::rustc-env=DELPHIC_REVISION={revision}");
    if std::env::var("PROFILE").as_deref() == Ok("release") && links_with_lld() {
        // Searches are compiled once per game, and many of their functions are the same for several games. Rust promises no distinct
        // addresses of functions, so they may be merged: the program is 0.5 MB smaller.
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
    }
}

/// Whether the linker is the one that rustc brings along, which is the default for this target since Rust 1.90. The linkers of other systems
/// need not know the option.
fn links_with_lld() -> bool {
    let get = |name: &str| std::env::var(name).unwrap_or_default();
    let (target, flags) = (get("TARGET"), get("CARGO_ENCODED_RUSTFLAGS"));
    if target != "x86_64-unknown-linux-gnu" || !get("RUSTC_LINKER").is_empty() || flags.contains("link") {
        return false;
    }
    let rustc = |argument: &[&str]| {
        let output = Command::new(get("RUSTC")).args(argument).output().ok()?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    let minor = rustc(&["--version"]).and_then(|version| version.split('.').nth(1)?.parse::<u32>().ok());
    let lld = rustc(&["--print", "sysroot"])
        .map(|root| PathBuf::from(root).join("lib/rustlib").join(&target).join("bin/gcc-ld/ld.lld"));
    minor.is_some_and(|minor| minor >= 90) && lld.is_some_and(|lld| lld.exists())
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
