//! Finds out what the program is built from, for the provenance of every row in the ledger.
//!
//! Two names, because they answer different questions. `DELPHIC_REVISION` is for people: `git describe`, with a mark if files were
//! changed since. `DELPHIC_CODE` is for the ledger: a fingerprint of the sources that a row depends on, so that a row is reused after a
//! change of a page's wording and not after a change of a solver. Without git the revision is the version of the package; without
//! the workspace's sources so is the fingerprint.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Crates whose sources change no row: they parse, print and draw.
const EDGES: [&str; 2] = ["cli", "lab"];

/// The part of this crate that rows depend on.
const RUNNERS: [&str; 8] = [
    "lab/src/allowance.rs",
    "lab/src/cell.rs",
    "lab/src/experiments/captures/lesson.rs",
    "lab/src/experiments/captures/solver.rs",
    "lab/src/experiments/connect4/doubles.rs",
    "lab/src/experiments/connect4/plies.rs",
    "lab/src/experiments/products/bare.rs",
    "lab/src/instances.rs",
];

fn main() {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let version = env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    println!("cargo::rerun-if-env-changed=DELPHIC_REVISION");
    let crates = package.join("..");
    let sources = sources(&crates);
    let code = if sources.is_empty() { version.clone() } else { fingerprint(&crates, &sources) };
    let revision = env::var("DELPHIC_REVISION").ok().or_else(|| describe(&package)).unwrap_or(version);
    println!("cargo::rustc-env=DELPHIC_REVISION={revision}");
    println!("cargo::rustc-env=DELPHIC_CODE={code}");
    println!("cargo::rustc-env=DELPHIC_COMPILER={}", compiler());
}

/// All files that rows depend on, in a fixed order. Cargo is asked to look at them, and at the crates that could bring new ones.
fn sources(crates: &Path) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed=build.rs");
    let mut found = Vec::new();
    for folder in list(crates) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !EDGES.contains(&name.as_str()) && folder.join("Cargo.toml").exists() {
            println!("cargo::rerun-if-changed={}", folder.join("src").display());
            walk(&folder.join("src"), &mut found);
        }
    }
    if !found.is_empty() {
        let lock = crates.join("../Cargo.lock");
        found.extend(RUNNERS.iter().map(|file| crates.join(file)).chain([lock]).filter(|file| file.exists()));
        // Pages may change without the rows; the revision must still be true.
        println!("cargo::rerun-if-changed={}", crates.join("lab/src").display());
    }
    found
}

fn list(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    entries
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in list(folder) {
        if entry.is_dir() {
            walk(&entry, found);
        } else if entry.extension().is_some_and(|ending| ending == "rs") {
            found.push(entry);
        }
    }
}

/// Names and contents of files in 64 bits (FNV-1a), written as 16 hexadecimal digits.
fn fingerprint(crates: &Path, files: &[PathBuf]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        let name = file.strip_prefix(crates).unwrap_or(file).to_string_lossy().into_owned();
        let content = fs::read(file).unwrap_or_default();
        for byte in name.bytes().chain(content.len().to_le_bytes()).chain(content) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

fn describe(package: &Path) -> Option<String> {
    let git = |arguments: &[&str]| output(Command::new("git").current_dir(package).args(arguments));
    // A commit, a switch of branches and a tag change the answer without changing a source file.
    for file in ["HEAD", "logs/HEAD", "packed-refs"] {
        let path = git(&["rev-parse", "--git-path", file]).map(|path| package.join(path));
        if let Some(path) = path.filter(|path| path.exists()) {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    git(&["describe", "--always", "--dirty", "--abbrev=12"])
}

fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = output(Command::new(rustc).arg("--version")).unwrap_or_else(|| "unknown".to_owned());
    let profile = env::var("PROFILE").unwrap_or_default();
    let level = env::var("OPT_LEVEL").unwrap_or_default();
    format!("{version}, {profile}, opt-level {level}")
}
