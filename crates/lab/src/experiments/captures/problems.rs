//! Capture problems: the repository's own, or GNU Go's from a folder that the user names.

use crate::LabError;
use delphic_game::spec::Spec;
use delphic_game::{Notation, mix};
use delphic_games::go::CaptureState;
use delphic_games::{Family, GoCapture};
use delphic_learn::capture::CaptureProblem;
use std::path::Path;
use std::sync::Arc;

/// A capture problem.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// Its name in its source.
    pub id: String,
    /// Which of the two parts of its set it belongs to.
    pub part: usize,
    /// The spec of its game, zone included.
    pub game: String,
    /// The position, with the largest liberty limit that is tried.
    pub position: String,
    /// Whether the target falls, if there is a proof of it.
    pub proven: Option<bool>,
    /// Whether it falls according to the source, proved or not.
    pub opinion: Option<bool>,
}

/// Problems from two sources.
#[derive(PartialEq, Debug)]
pub struct Set {
    /// Its name in the ledger. It has a fingerprint of the problems, so rows of other problems are other rows.
    pub name: String,
    /// Its name on the page.
    pub title: &'static str,
    /// The names of its two parts.
    pub parts: [&'static str; 2],
    /// All of them.
    pub problems: Vec<Problem>,
}

/// The two files that `--problems` expects.
const FILES: [&str; 2] = ["gnugo_capture.jsonl", "gnugo_games_capture.jsonl"];

impl Set {
    /// The problems of this repository, which are part of the program (`data/go-captures.tsv`). Their answers hold for the limit that
    /// each has.
    pub fn own() -> Arc<Set> {
        let text = include_str!("../../../data/go-captures.tsv");
        Arc::new(Set {
            name: named("own", [text]),
            title: "the repository's own problems (`data/go-captures.tsv`)",
            parts: ["7x7", "5x5"],
            problems: text.lines().filter_map(read_own).collect(),
        })
    }

    /// The problems of GNU Go's regression suite, and of games in it, as JSON lines in a folder. Their licence is not ours, so they are
    /// not part of the repository.
    pub fn gnu_go(folder: &Path) -> Result<Arc<Set>, LabError> {
        let read = |file: &str| {
            let path = folder.join(file);
            std::fs::read_to_string(&path).map_err(|error| {
                LabError::Problems(format!("{}: {error}; it needs {}", path.display(), FILES.join(" and ")))
            })
        };
        let texts = [read(FILES[0])?, read(FILES[1])?];
        let mut problems = Vec::new();
        for (part, text) in texts.iter().enumerate() {
            for (nth, line) in text.lines().enumerate() {
                let problem = read_gnu_go(line, part).map_err(|why| {
                    LabError::Problems(format!("{}:{}: {why}", folder.join(FILES[part]).display(), nth + 1))
                })?;
                problems.push(problem);
            }
        }
        let set = Set {
            name: named("gnugo", texts.iter().map(String::as_str)),
            title: "the problems of GNU Go (`gnugo_capture.jsonl`, `gnugo_games_capture.jsonl`)",
            parts: ["suite", "games"],
            problems,
        };
        match (0..2).find(|&part| set.captures().all(|problem| problem.part != part)) {
            None => Ok(Arc::new(set)),
            Some(part) => {
                Err(LabError::Problems(format!("{}: no proven capture", folder.join(FILES[part]).display())))
            }
        }
    }

    /// Captures that are proved and that no source disputes: the problems for training and test.
    pub fn captures(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().filter(|problem| problem.proven == Some(true) && problem.opinion != Some(false))
    }
}

/// `own-1f2e3d4c`.
fn named<'a>(name: &str, texts: impl IntoIterator<Item = &'a str>) -> String {
    let hash = texts.into_iter().flat_map(str::bytes).fold(0, |hash: u64, byte| mix(hash ^ u64::from(byte)));
    format!("{name}-{:08x}", hash as u32)
}

/// The game with this spec, if it is one of capturing.
pub(super) fn rules(spec: &str) -> Result<GoCapture, delphic_engine::InputError> {
    let mut words = Spec::parse(spec);
    let game = GoCapture::build(&mut words)?;
    words.finish(GoCapture::INFO.usage)?;
    Ok(game)
}

/// A line of our file: lines of the board, zone, answer, position.
fn read_own(line: &str) -> Option<Problem> {
    let words: Vec<&str> = line.split('\t').collect();
    let [size, zone, answer, position] = words[..] else { return None };
    // What falls to threats falls in the wider zone, too.
    let zone = if zone == "off" { "off" } else { "on" };
    let falls = Some(answer == "captured");
    Some(Problem {
        id: position.to_owned(),
        part: usize::from(size != "7"),
        game: format!("go-capture:{size},zone={zone}"),
        position: position.to_owned(),
        proven: falls,
        opinion: falls,
    })
}

fn read_gnu_go(line: &str, part: usize) -> Result<Problem, String> {
    let read = CaptureProblem::read_json(line).map_err(|error| error.to_string())?;
    let spec = format!("go-capture:{},zone=on", read.size);
    let limit = read.position.limit.max(3) + 3;
    let game = rules(&spec).map_err(|error| error.to_string())?;
    Ok(Problem {
        id: read.id,
        part,
        position: game.write(&CaptureState { limit, ..read.position }),
        game: spec,
        proven: read.proven.then_some(true),
        opinion: read.capture,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::testing::oracle;

    fn check(set: &Set) {
        for problem in &set.problems {
            let game = rules(&problem.game).unwrap();
            assert_eq!(game.write(&game.read(&problem.position).unwrap()), problem.position);
        }
    }

    #[test]
    fn our_problems_are_positions() {
        let set = Set::own();
        assert_eq!(set.problems.len(), 60);
        assert!(set.captures().count() > 40);
        check(&set);
    }

    #[test]
    fn gnu_go_problems_are_positions() {
        let Some(file) = oracle("go-capture/gnugo_capture.jsonl") else { return };
        let set = Set::gnu_go(file.parent().unwrap()).unwrap();
        check(&set);
        let count = |part| set.captures().filter(|problem| problem.part == part).count();
        assert_eq!((set.problems.len(), count(0), count(1)), (535, 44, 159));
    }

    /// The error names what is missing or wrong, and its place; no other problems are taken instead.
    #[test]
    fn a_folder_without_problems_is_refused() {
        let folder = std::env::temp_dir().join(format!("delphic-problems-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let refused = || Set::gnu_go(&folder).unwrap_err().to_string();
        assert!(refused().contains("gnugo_capture.jsonl") && refused().contains("it needs"), "{}", refused());
        for file in FILES {
            std::fs::write(folder.join(file), "{\"size\":3}\n").unwrap();
        }
        assert!(refused().contains("gnugo_capture.jsonl:1: "), "{}", refused());
        let problem = r#"{"size":3,"black":["B3"],"white":["A3","C1"],"to_move":"black","target":"A3","target_color":"white","ko_ban":null}"#;
        for file in FILES {
            std::fs::write(folder.join(file), format!("{problem}\n")).unwrap();
        }
        assert!(refused().contains("no proven capture"), "{}", refused());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
