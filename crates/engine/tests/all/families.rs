//! The game files of `data/families`: each is read, and has the value that is known for it.

use delphic_engine::{InputError, Request, game};
use std::path::{Path, PathBuf};

/// Every file with its value for the side to move. Where the file names no source, a program that
/// shares no code with this one has found it.
const VALUES: &[(&str, &str)] = &[
    ("achi", "win"),
    ("col", "loss"),
    ("corners", "win"),
    ("cram", "loss"),
    ("cylinder", "draw"),
    ("dodgem", "win"),
    ("dots-2x2", "win"),
    ("dots-3x3", "loss"),
    ("exactly-three", "win"),
    ("fox-and-hounds", "loss"),
    ("hare-and-hounds", "win"),
    ("hex-3x4", "loss"),
    ("hex-swap", "loss"),
    ("kayles", "loss"),
    ("knights", "loss"),
    ("konane", "loss"),
    ("last-loses", "loss"),
    ("matches", "win"),
    ("notakto", "win"),
    ("snort", "win"),
    ("squeeze", "draw"),
    ("three-mens-morris", "win"),
    ("toads-and-frogs", "loss"),
    ("torus", "win"),
    ("torus-snort", "loss"),
    ("tridomineering", "win"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/families")
}

#[test]
fn every_file_has_its_value() {
    let mut files: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    let names: Vec<&str> = VALUES.iter().map(|(name, _)| *name).collect();
    assert_eq!(files, names, "the table and the folder list the same files");
    for (name, value) in VALUES {
        let game = game(folder().join(format!("{name}.toml")).to_str().unwrap()).unwrap();
        assert!(game.title().is_some(), "{name}");
        let position = game.position(None, None).unwrap();
        // Brute force and the graph search take no cycles; the largest board is left to `auto`.
        let solvers: &[&str] = match game.endless() {
            Some(_) => &["auto", "retro:symmetry=off"],
            None if *name == "dots-3x3" => &["auto"],
            None => &["auto", "brute", "ppt"],
        };
        for solver in solvers {
            let request = Request { solver: solver.parse().unwrap(), ..Request::default() };
            let answer = position.solve(&request, &mut ());
            println!(
                "{name} ({}): {:?} by {solver}, {} nodes",
                game.spec(),
                answer.value(),
                answer.stats.created
            );
            assert_eq!(
                answer.value().map(|value| value.to_string()).as_deref(),
                Some(*value),
                "{name} {solver}"
            );
        }
        // The spec alone says the same.
        let again = delphic_engine::game(game.spec()).unwrap();
        assert_eq!(again.spec(), game.spec());
        assert_eq!(again.position(Some(&position.write()), None).unwrap().write(), position.write());
    }
}

/// Moves are counted from the start that the file gives.
#[test]
fn a_file_may_start_elsewhere() {
    let game = game(folder().join("last-loses.toml").to_str().unwrap()).unwrap();
    assert_eq!(game.spec(), "nim:3,4,5,misere");
    assert_eq!(game.position(None, Some("a1")).unwrap().write(), "0,1,1 second");
    assert_eq!(game.position(Some("b1 c1"), None).unwrap().write(), "1,0,0 first");
    assert_eq!(game.position(Some("3,4,5 first"), None).unwrap().write(), "3,4,5 first");
    assert!(game.position(Some("c4"), None).is_err(), "it is legal only where the rules start");
}

#[test]
fn wrong_files_are_refused() {
    let refusal = |text: &[u8]| -> InputError {
        let path = std::env::temp_dir().join(format!("delphic-families-{}.toml", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let error = game(path.to_str().unwrap()).err().unwrap();
        std::fs::remove_file(&path).unwrap();
        error
    };
    for (text, said) in [
        (&b"family = 'heaps'\nheaps = 3\nstart = '7'"[..], ".toml:3:9: malformed position"),
        (b"family = 'heaps'\nheaps = 3\nstart = 'a1 a9'", ".toml:3:9: ply 2: 'a9' is not a legal move here"),
        (b"family = 'heaps'\nheaps = 300000", ".toml:2:9: heaps: expected a whole number from 0 to 9999"),
        (
            b"family = 'heaps'\nheap = 3",
            ".toml:2:1: the family 'heaps' has no 'heap' (did you mean 'heaps'?)",
        ),
        (b"family = '\xff'", ".toml: stream did not contain valid UTF-8"),
        (&[b' '; (1 << 20) + 1], ".toml: longer than a mebibyte"),
    ] {
        let error = refusal(text).to_string();
        assert!(error.contains(said), "{error}");
    }
    let missing = game("no/such/file.toml").err().unwrap().to_string();
    assert!(missing.starts_with("no/such/file.toml: "), "{missing}");
}
