//! Described games: the files of `data/families` conform, and play as the same games in Rust do.

use crate::erased::erased;
use delphic_game::{Game, Notation, Rng, Spec, SpecError, conformance, perft, playout};
use delphic_games::{Described, Description, Family, Visitor, build};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/families")
}

/// Every description of the folder by name.
fn descriptions() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (path.file_stem().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(path).unwrap())
        })
        .filter(|(_, text)| Description::is_one(text))
        .collect();
    found.sort();
    found
}

fn twin(name: &str) -> Described {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/twins/{name}.toml"));
    Description::read(&std::fs::read_to_string(path).unwrap())
        .unwrap_or_else(|error| panic!("{name}:{error}"))
        .game
}

#[test]
fn every_description_conforms() {
    let all = descriptions();
    assert!(all.len() >= 14, "{} descriptions", all.len());
    for (name, text) in all {
        let game = Description::read(&text).unwrap_or_else(|error| panic!("{name}:{error}")).game;
        println!(
            "{name}: {} moves at the start\n  {}",
            perft(&game, &game.start(), 1),
            game.sentences().join("\n  ")
        );
        conformance::check(&game);
        conformance::check_reader(&game);
        conformance::check_symmetry(&game, 8);
    }
}

#[test]
fn symmetries_are_found_from_board_and_rules() {
    let all = descriptions();
    let sentences = |name: &str| {
        let text = &all.iter().find(|(other, _)| other == name).unwrap().1;
        Description::read(text).unwrap().game.sentences().join(" ")
    };
    for (name, count) in [
        ("notakto", "8 symmetries"),
        ("cram", "8 symmetries"),
        ("col", "48 symmetries"),
        ("snort", "2 symmetries"),
        ("toads-and-frogs", "no symmetry"),
        ("konane", "4 symmetries"),
        ("dodgem", "no symmetry"),
        ("three-mens-morris", "8 symmetries"),
        ("hare-and-hounds", "2 symmetries"),
        ("fox-and-hounds", "2 symmetries"),
        ("dots-2x2", "8 symmetries"),
        ("hex-3x4", "2 symmetries"),
        ("torus-snort", "48 symmetries"),
    ] {
        assert!(sentences(name).contains(count), "{name}: {}", sentences(name));
    }
    // Only rules that bring every piece forward or use it up are known to end.
    for (name, ends) in [
        ("notakto", true),
        ("toads-and-frogs", true),
        ("konane", true),
        ("dots-3x3", true),
        ("dodgem", false),
        ("achi", false),
        ("hare-and-hounds", false),
        ("fox-and-hounds", false),
        ("squeeze", false),
    ] {
        assert_eq!(sentences(name).contains("Every game ends"), ends, "{name}");
    }
}

/// What is played by an existing game, and how deep the lines of play are counted.
const TWINS: &[(&str, &str, u32)] = &[
    ("tictactoe", "tictactoe", 9),
    ("torus", "lines:3x3,length=3,wrap=both", 9),
    ("hex4", "hex:4", 5),
    ("domineering", "domineering:5x5", 6),
    ("cram", "tiles:4x4,first=XX,second=XX,turn", 7),
    ("clobber", "clobber:3x4", 8),
    ("breakthrough", "breakthrough:5x4", 6),
    ("knightthrough", "knightthrough:5x4", 6),
];

#[test]
fn twins_have_the_same_lines_of_play() {
    for (name, spec, depth) in TWINS {
        let game = twin(name);
        let same = erased(spec);
        for depth in 1..=*depth {
            let lines = perft(&same, &same.start(), depth);
            println!("{name} = {spec}: {lines} lines of {depth} plies");
            assert_eq!(perft(&game, &game.start(), depth), lines, "{spec} at depth {depth}");
        }
        conformance::check(&game);
    }
}

/// How many random games a second, best of some batches.
fn speed<G: Game>(game: &G) -> f64 {
    let (mut rng, mut scratch, mut best) = (Rng::new(1), Vec::new(), 0.0);
    for _ in 0..40 {
        let started = Instant::now();
        for _ in 0..200 {
            playout(game, &mut game.start(), &mut rng, &mut scratch);
        }
        best = f64::max(best, 200.0 / started.elapsed().as_secs_f64());
    }
    best
}

struct Speed;

impl Visitor for Speed {
    type Output = f64;
    fn visit<G: Family + 'static>(self, game: G, _: Spec) -> Result<f64, SpecError> {
        Ok(speed(&game))
    }
}

/// Random games per second against the same game in Rust: `cargo test -p delphic-games --test all described:: -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn playouts_per_second() {
    for (name, spec, _) in TWINS {
        let (ours, theirs) = (speed(&twin(name)), build(Spec::parse(spec), Speed).unwrap());
        println!(
            "{name}: {:.0} random games a second, {spec} {:.0}, ratio {:.2}",
            ours,
            theirs,
            ours / theirs
        );
    }
}

/// A file with a few bytes, words or lines changed.
fn mutated(files: &[(String, String)], rng: &mut Rng) -> String {
    const PIECES: [&str; 30] = [
        "\"own\"",
        "\"enemy\"",
        "\"any\"",
        "\"empty\"",
        "\"X\"",
        "[64, 64]",
        "[0, 3]",
        "[1, 64]",
        "-1",
        "99999999999999999999",
        "true",
        "\"nne\"",
        "\"top\"",
        "\"a1\"",
        "\"pass\"",
        "\"push\"",
        "\"hop\"",
        "\"slide\"",
        "\"pair\"",
        "\"leave\"",
        "\"stuck\"",
        "\"connect\"",
        "\"gone\"",
        "\"always\"",
        "\"takes\"",
        "[]",
        "[[move]]",
        "[board]",
        "\"é\"",
        "{}",
    ];
    let mut text = files[rng.below(files.len())].1.clone();
    for _ in 0..=rng.below(3) {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let at = rng.below(lines.len());
        let other = files[rng.below(files.len())].1.lines().nth(rng.below(20)).unwrap_or("x = 1").to_owned();
        match rng.below(6) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, other),
            2 => lines[at] = other,
            3 => {
                if let Some((key, _)) = lines[at].split_once('=') {
                    lines[at] = format!("{key}= {}", PIECES[rng.below(PIECES.len())]);
                }
            }
            4 => {
                let key = lines[at].split_once('=').map_or("do ".to_owned(), |(key, _)| key.to_owned());
                lines.insert(at, format!("{key}= {}", PIECES[rng.below(PIECES.len())]));
            }
            _ => {
                let mut letters: Vec<char> = lines[at].chars().collect();
                if !letters.is_empty() {
                    let place = rng.below(letters.len());
                    letters[place] = ['9', '"', '[', 'X', '.', ' ', '#', 'é'][rng.below(8)];
                }
                lines[at] = letters.into_iter().collect();
            }
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
        text = lines.join("\n");
    }
    text
}

/// Whatever a file says, there is a game that can be played or a reason with a place in the file.
#[test]
fn mutated_files_are_refused_or_playable() {
    let (files, mut rng) = (descriptions(), Rng::new(23));
    let (mut played, mut refused, mut slowest) = (0, 0, 0.0);
    for _ in 0..5_000 {
        let text = mutated(&files, &mut rng);
        let started = Instant::now();
        match Description::read(&text) {
            Err(error) => {
                refused += 1;
                assert!(error.line <= text.lines().count() + 1 && error.column > 0, "{error}\n{text}");
                assert!(!error.reason.contains('\n') && !error.reason.is_empty());
            }
            Ok(Description { game, .. }) => {
                played += 1;
                let mut state = game.start();
                let mut scratch = Vec::new();
                for _ in 0..30 {
                    let again = game.read(&game.write(&state));
                    assert_eq!(again.as_ref(), Ok(&state), "{text}");
                    if game.outcome(&state).is_some() {
                        break;
                    }
                    scratch.clear();
                    game.moves(&state, &mut scratch);
                    assert_eq!(game.count_moves(&state, &mut Vec::new()), scratch.len(), "{text}");
                    let Some(mv) = game.random_move(&state, &mut rng, &mut Vec::new()) else { break };
                    assert!(scratch.contains(&mv), "{text}");
                    let mut form = state;
                    game.canonicalize(&mut form);
                    assert_eq!(game.count_moves(&form, &mut Vec::new()), scratch.len(), "{text}");
                    game.play(&mut state, mv);
                }
                playout(&game, &mut game.start(), &mut rng, &mut scratch);
                assert!(game.sentences().iter().all(|sentence| sentence.ends_with('.')));
            }
        }
        slowest = f64::max(slowest, started.elapsed().as_secs_f64());
    }
    println!("{played} played, {refused} refused, the slowest took {slowest:.3} s");
    assert!(played > 500 && refused > 500, "{played} played, {refused} refused");
}

/// What is wrong, and where.
#[test]
fn errors_say_what_was_expected() {
    let plain = "[board]\ngrid = [3, 3]\n\n[[move]]\ndo = 'place'\n";
    for (text, said) in [
        ("title = 'x'\n", "1:1: a description has a [board]"),
        ("[board]\ngrid = [3]\n", "2:8: grid: expected two numbers such as [3, 4]"),
        ("[board]\ngrid = [9, 9]\n", "2:8: grid: a board has at most 64 cells, this one has 81"),
        (
            "[board]\ngird = [3, 3]\n",
            "2:1: the board has no 'gird' (did you mean 'grid'?); expected one of grid, torus",
        ),
        ("[board]\ngrid = [3, 3]\ntorus = [3, 3]\n", "3:9: a board has exactly one of grid, torus"),
        ("[board]\ngrid = [3, 3]\n", "a description has at least one [[move]]"),
        (
            "[board]\ngrid = [3, 3]\n[[move]]\ndo = 'fly'\n",
            "4:6: do: 'fly' is unknown; expected one of place, pair, step",
        ),
        (
            "[board]\ngrid = [3, 3]\n[[move]]\ndo = 'place'\nover = 'own'\n",
            "5:8: over: a move that does 'place' has no such property",
        ),
        (
            "[board]\ngrid = [3, 3]\n[[move]]\ndo = 'step'\ndirections = 'up'\n",
            "5:14: directions: 'up' is unknown here; expected one of n, s, e, w, or a leap such as nne",
        ),
        (
            "[board]\nedges = ['a-b']\n[[move]]\ndo = 'slide'\n",
            "4:6: do: a graph has no straight lines, so nothing can slide",
        ),
        ("[board]\nedges = ['a']\n[[move]]\ndo = 'place'\n", "2:9: edges: 'a' is not an edge such as a-b"),
        (
            "[board]\ngrid = [3, 3]\n[[move]]\ndo = 'step'\nfrom = 'north'\n",
            "5:8: from: there is no 'north' on this board; expected a cell or one of top, bottom, left, right",
        ),
        ("[board]\ngrid = [3, 3]\n[[move]]\ndo = 'pass'\n", "no player has a move other than to pass"),
        (&format!("{plain}[[end]]\nif = 'line'\n"), "an end by 'line' needs a value for 'length'"),
        (
            &format!("{plain}[[end]]\nif = 'full'\nof = 'X'\n"),
            "8:6: of: an end by 'full' has no such property",
        ),
        (&format!("start = ['XX.', '...']\n{plain}"), "1:9: start: expected 3 rows, found 2"),
        (
            &format!("start = ['XX.', '..Z', '...']\n{plain}"),
            "1:9: start: row 2: 'Z' cannot stand there; expected .XO",
        ),
    ] {
        let error = Description::read(text).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(said), "{error}\n{said}");
    }
}
