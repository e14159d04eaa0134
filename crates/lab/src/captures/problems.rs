//! Capture problems: GNU Go's where they lie beside the repository, otherwise our own.

use delphic_game::Notation;
use delphic_game::spec::Spec;
use delphic_games::go::CaptureState;
use delphic_games::{Family, GoCapture};
use delphic_learn::capture::CaptureProblem;
use std::path::Path;
use std::sync::LazyLock;

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
#[derive(Debug)]
pub struct Set {
    /// Its name in the ledger.
    pub name: &'static str,
    /// Its name on the page.
    pub title: &'static str,
    /// The names of its two parts.
    pub parts: [&'static str; 2],
    /// All of them.
    pub problems: Vec<Problem>,
}

/// The problems of this repository (`make_captures` made them). Their answers hold for the limit that each has.
static OWN: LazyLock<Set> = LazyLock::new(|| Set {
    name: "own",
    title: "the repository's own problems (`data/go-captures.tsv`)",
    parts: ["7x7", "5x5"],
    problems: include_str!("../../../../data/go-captures.tsv").lines().filter_map(read_own).collect(),
});

/// Those of GNU Go's regression suite, and of games in it. They are under another licence than we are, so they are not part of the repository.
static GNU_GO: LazyLock<Set> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracles/go-capture");
    let files = ["gnugo_capture.jsonl", "gnugo_games_capture.jsonl"];
    let texts = files.map(|file| std::fs::read_to_string(folder.join(file)).unwrap_or_default());
    let read = |(part, text): (usize, &String)| -> Vec<Problem> {
        text.lines().filter_map(|line| read_gnu_go(line, part)).collect()
    };
    Set {
        name: "gnugo",
        title: "the problems of GNU Go (`gnugo_capture.jsonl`, `gnugo_games_capture.jsonl`)",
        parts: ["suite", "games"],
        problems: texts.iter().enumerate().flat_map(read).collect(),
    }
});

impl Set {
    /// The problems of this repository.
    pub fn own() -> &'static Set {
        &OWN
    }

    /// GNU Go's, if both of their files are there.
    pub fn gnu_go() -> Option<&'static Set> {
        let complete = (0..2).all(|part| GNU_GO.problems.iter().any(|problem| problem.part == part));
        complete.then_some(&*GNU_GO)
    }

    /// The set with this name in the ledger.
    pub fn named(name: &str) -> Option<&'static Set> {
        [Some(Set::own()), Set::gnu_go()].into_iter().flatten().find(|set| set.name == name)
    }

    /// Captures that are proved and that nobody doubts: what can be learnt from, and tested.
    pub fn captures(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().filter(|problem| problem.proven == Some(true) && problem.opinion != Some(false))
    }
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

fn read_gnu_go(line: &str, part: usize) -> Option<Problem> {
    let read = CaptureProblem::read_json(line).ok()?;
    let spec = format!("go-capture:{},zone=on", read.size);
    let limit = read.position.limit.max(3) + 3;
    Some(Problem {
        id: read.id,
        part,
        position: rules(&spec).ok()?.write(&CaptureState { limit, ..read.position }),
        game: spec,
        proven: read.proven.then_some(true),
        opinion: read.capture,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_problems_are_positions() {
        assert_eq!(Set::own().problems.len(), 60);
        assert!(Set::own().captures().count() > 40);
        let sets = [Some(Set::own()), Set::gnu_go()].into_iter().flatten();
        for problem in sets.flat_map(|set| &set.problems) {
            let game = rules(&problem.game).unwrap();
            assert_eq!(game.write(&game.read(&problem.position).unwrap()), problem.position);
        }
        if let Some(set) = Set::gnu_go() {
            let count = |part| set.captures().filter(|problem| problem.part == part).count();
            assert_eq!((set.problems.len(), count(0), count(1)), (535, 44, 159));
        }
    }
}
