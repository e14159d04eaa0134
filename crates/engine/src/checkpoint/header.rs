//! The header of a checkpoint: lines of a name and a value, ended by an empty line.

use super::{Asked, CheckpointError};
use delphic_search::{Estimate, Spent, Stats};
use std::io::{self, BufRead, Read, Write};
use std::str::FromStr;
use std::time::Duration;

/// The first line, up to the version of the format.
const MAGIC: &str = "delphic checkpoint ";
/// The version.
const FORMAT: u32 = 5;
/// The maximum length of a header.
const LONGEST: u64 = 1 << 20;

/// The identity of the search of a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// The game's full spec.
    pub game: String,
    /// The fingerprint of its rules, in hexadecimal digits.
    pub rules: String,
    /// The position in the game's notation.
    pub position: String,
    /// The question.
    pub question: String,
    /// The player it is about.
    pub player: String,
    /// The solver's full spec.
    pub solver: String,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Identity {
    /// The first difference to another search, if there is one.
    pub(super) fn compare(&self, asked: &Identity) -> Result<(), CheckpointError> {
        let pairs = [
            ("game", &self.game, &asked.game),
            ("rules hash", &self.rules, &asked.rules),
            ("position", &self.position, &asked.position),
            ("question", &self.question, &asked.question),
            ("player", &self.player, &asked.player),
            ("solver", &self.solver, &asked.solver),
            ("seed", &self.seed.to_string(), &asked.seed.to_string()),
        ];
        match pairs.into_iter().find(|(_, saved, asked)| saved != asked) {
            None => Ok(()),
            Some((what, saved, asked)) => {
                Err(CheckpointError::Other { what, saved: saved.clone(), asked: asked.clone() })
            }
        }
    }
}

/// The whole header.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Header {
    pub(super) identity: Identity,
    pub(super) asked: Asked,
    pub(super) spent: Spent,
}

impl Header {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Identity { game, rules, position, question, player, solver, seed } = &self.identity;
        let Asked { known: (lo, hi), at_least, spent } = &self.asked;
        writeln!(out, "{MAGIC}{FORMAT}\ngame {game}\nrules {rules}\nposition {position}")?;
        writeln!(out, "question {question}\nfor {player}\nsolver {solver}\nseed {seed}")?;
        writeln!(out, "known {lo} {hi}\nasked {at_least}")?;
        writeln!(out, "before {}\nsearch {}", stats(spent), stats(&self.spent.stats))?;
        match self.spent.estimate {
            None => writeln!(out, "estimate none")?,
            Some(Estimate { yes, created, time }) => {
                writeln!(out, "estimate {yes} {created} {}", time.as_nanos())?;
            }
        }
        writeln!(out)
    }

    /// Reads a header and leaves `from` at the first byte after it.
    pub(super) fn read(from: &mut dyn BufRead) -> io::Result<Header> {
        let mut from = from.take(LONGEST);
        let mut line = || -> io::Result<String> {
            let mut bytes = Vec::new();
            from.read_until(b'\n', &mut bytes)?;
            if bytes.pop() != Some(b'\n') {
                return Err(wrong("its header does not end".to_owned()));
            }
            String::from_utf8(bytes).map_err(|_| wrong("its header is not text".to_owned()))
        };
        let first = line()?;
        if first != format!("{MAGIC}{FORMAT}") {
            return Err(wrong(match first.strip_prefix(MAGIC) {
                Some(version) => format!("its format is {version}, this program reads format {FORMAT}"),
                None => "it is not a Delphic checkpoint".to_owned(),
            }));
        }
        let mut field = |name: &str| {
            let text = line()?;
            let value = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
            value.map(str::to_owned).ok_or_else(|| wrong(format!("expected '{name} …', found '{text}'")))
        };
        let identity = Identity {
            game: field("game")?,
            rules: field("rules")?,
            position: field("position")?,
            question: field("question")?,
            player: field("for")?,
            solver: field("solver")?,
            seed: numbers::<u64, 1>(&field("seed")?)?[0],
        };
        let [lo, hi] = numbers(&field("known")?)?;
        let [at_least] = numbers(&field("asked")?)?;
        let (spent, stats) = (read_stats(&field("before")?)?, read_stats(&field("search")?)?);
        let estimate = match field("estimate")?.split_once(' ') {
            None => None,
            Some((yes, rest)) => {
                let [created, nanos] = numbers(rest)?;
                Some(Estimate { yes: yes == "true", created, time: Duration::from_nanos(nanos) })
            }
        };
        if !line()?.is_empty() {
            return Err(wrong("its header is too long".to_owned()));
        }
        let asked = Asked { known: (lo, hi), at_least, spent };
        Ok(Header { identity, asked, spent: Spent { stats, estimate } })
    }
}

fn wrong(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn numbers<T: FromStr, const N: usize>(text: &str) -> io::Result<[T; N]> {
    let numbers: Option<Vec<T>> = text.split(' ').map(|word| word.parse().ok()).collect();
    let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
    numbers.ok_or_else(|| wrong(format!("expected {N} numbers, found '{text}'")))
}

fn stats(stats: &Stats) -> String {
    let Stats { iterations, created, expanded, visited, playouts, time, peak_bytes } = stats;
    let nanos = time.as_nanos();
    format!("{iterations} {created} {expanded} {visited} {playouts} {nanos} {peak_bytes}")
}

fn read_stats(text: &str) -> io::Result<Stats> {
    let [iterations, created, expanded, visited, playouts, nanos, peak_bytes] = numbers(text)?;
    let time = Duration::from_nanos(nanos);
    Ok(Stats { iterations, created, expanded, visited, playouts, time, peak_bytes })
}
