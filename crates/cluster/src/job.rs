//! Jobs and outcomes as data: what travels between a manager and its workers, as JSON.

use crate::Error;
use delphic_game::{Force, Player};
use delphic_search::jobs::Found;
use serde_json::{Value, json};
use std::fmt;

/// The longest message that is sent or read, in bytes. The default limit of NATS servers is a mebibyte.
pub const LONGEST_MESSAGE: usize = 512 << 10;

/// The name of a job: a hash of its content, so that a job that is given out again has the same name.
///
/// FNV-1a with 128 bits. Only a manager composes jobs, so contents with the same name cannot be chosen on purpose; if it happened by chance, a wrong result
/// would be found like any other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct JobId(pub u128);

impl JobId {
    /// The hash of nothing.
    pub const EMPTY: JobId = JobId(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);

    /// The hash of a text.
    pub fn of(text: &[u8]) -> JobId {
        JobId::EMPTY.then(text)
    }

    /// The hash of what was hashed and these bytes.
    #[must_use]
    pub fn then(self, bytes: &[u8]) -> JobId {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        JobId(bytes.iter().fold(self.0, |hash, &byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME)))
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl std::str::FromStr for JobId {
    type Err = Error;

    fn from_str(text: &str) -> Result<JobId, Error> {
        let number = u128::from_str_radix(text, 16).ok().filter(|_| text.len() == 32);
        number.map(JobId).ok_or_else(|| Error::Message(format!("'{text}' does not name a job")))
    }
}

/// A position to be searched, or whose answer is to be proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// The run that it belongs to.
    pub run: String,
    /// The game's full spec.
    pub game: String,
    /// The fingerprint of the rules.
    pub rules: u64,
    /// The position in the game's notation.
    pub position: String,
    /// The question about it.
    pub question: Force,
    /// What is to be done.
    pub task: Task,
    /// The solver's spec.
    pub solver: String,
    /// The seed of its random numbers.
    pub seed: u64,
    /// Positions that are proved, in canonical form, with their answers to the question. They help and are no part of the job: it has the
    /// same name without them.
    pub lemmas: Vec<(String, bool)>,
}

/// What is to be done with a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Search it, creating at most this many nodes.
    Search {
        /// The limit.
        nodes: u64,
    },
    /// Answer the question and write the certificate, in parts of about this many positions.
    Prove {
        /// The size of a part.
        part_size: usize,
    },
}

impl Job {
    /// Its name.
    pub fn id(&self) -> JobId {
        JobId::of(self.without_lemmas().to_string().as_bytes())
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        let mut value = self.without_lemmas();
        if !self.lemmas.is_empty() {
            value["lemmas"] = self.lemmas.iter().map(|(position, yes)| json!([position, yes])).collect();
        }
        value
    }

    fn without_lemmas(&self) -> Value {
        let Force { player, at_least } = self.question;
        let mut value = json!({
            "run": self.run, "game": self.game, "rules": format!("{:016x}", self.rules), "position": self.position,
            "player": player.to_string(), "at_least": at_least, "solver": self.solver, "seed": self.seed,
        });
        let (name, number) = match self.task {
            Task::Search { nodes } => ("nodes", json!(nodes)),
            Task::Prove { part_size } => ("part_size", json!(part_size)),
        };
        value[name] = number;
        value
    }

    /// From JSON.
    pub fn from_json(value: &Value) -> Result<Job, Error> {
        let rules = text(value, "rules")?;
        let rules =
            u64::from_str_radix(&rules, 16).map_err(|_| Error::Message(format!("'{rules}' are no rules")))?;
        let player: Player = text(value, "player")?.parse().map_err(Error::Message)?;
        let at_least = value["at_least"].as_i64().and_then(|payoff| i16::try_from(payoff).ok());
        let at_least = at_least.ok_or_else(|| Error::Message("a job without a payoff".to_owned()))?;
        let task = match (value["nodes"].as_u64(), value["part_size"].as_u64()) {
            (Some(nodes), None) => Task::Search { nodes },
            (None, Some(part_size)) => Task::Prove { part_size: part_size as usize },
            _ => return Err(Error::Message("a job that is neither to search nor to prove".to_owned())),
        };
        Ok(Job {
            run: text(value, "run")?,
            game: text(value, "game")?,
            rules,
            position: text(value, "position")?,
            question: Force { player, at_least },
            task,
            solver: text(value, "solver")?,
            seed: number(value, "seed")?,
            lemmas: value["lemmas"].as_array().into_iter().flatten().map(lemma).collect::<Result<_, _>>()?,
        })
    }
}

/// What became of a job.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The job, so that a manager that was restarted can still use the outcome.
    pub job: Job,
    /// Who did it.
    pub worker: String,
    /// What was found.
    pub finding: Finding,
    /// Nodes created.
    pub nodes: u64,
    /// The time it took.
    pub seconds: f64,
}

/// What a worker found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The result of a search.
    Searched(Found),
    /// The answer, with a certificate in parts.
    Proof {
        /// The answer.
        yes: bool,
        /// The sizes of its list and of its parts in bytes.
        bytes: (u64, u64),
        /// The hash of both, one after the other: whether all of it has arrived.
        hash: JobId,
    },
    /// The job is not for this worker: its rules are others.
    Refused(String),
    /// It was tried and could not be done.
    Failed(String),
}

impl Outcome {
    /// As JSON.
    pub fn to_json(&self) -> Value {
        let finding = match &self.finding {
            Finding::Searched(Found::Solved(yes)) => json!({ "solved": yes }),
            Finding::Searched(Found::Open(proof, disproof)) => json!({ "open": [proof, disproof] }),
            Finding::Proof { yes, bytes, hash } => {
                json!({ "proof": yes, "bytes": [bytes.0, bytes.1], "hash": hash.to_string() })
            }
            Finding::Refused(reason) => json!({ "refused": reason }),
            Finding::Failed(reason) => json!({ "failed": reason }),
        };
        json!({
            "job": self.job.without_lemmas(), "worker": self.worker, "finding": finding, "nodes": self.nodes,
            "seconds": self.seconds,
        })
    }

    /// From JSON.
    pub fn from_json(value: &Value) -> Result<Outcome, Error> {
        let found = &value["finding"];
        let pair = |name: &str| Some((found[name][0].as_u64()?, found[name][1].as_u64()?));
        let leaves = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let finding = if let Some(yes) = found["solved"].as_bool() {
            Finding::Searched(Found::Solved(yes))
        } else if let Some((proof, disproof)) = pair("open") {
            Finding::Searched(Found::Open(leaves(proof), leaves(disproof)))
        } else if let (Some(yes), Some(bytes)) = (found["proof"].as_bool(), pair("bytes")) {
            Finding::Proof { yes, bytes, hash: text(found, "hash")?.parse()? }
        } else if let Some(reason) = found["refused"].as_str() {
            Finding::Refused(shortened(reason))
        } else if let Some(reason) = found["failed"].as_str() {
            Finding::Failed(shortened(reason))
        } else {
            return Err(Error::Message("an outcome without a finding".to_owned()));
        };
        let seconds = value["seconds"].as_f64().filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
        let seconds = seconds.ok_or_else(|| Error::Message("an outcome without a time".to_owned()))?;
        let job = Job::from_json(&value["job"])?;
        Ok(Outcome { job, worker: name(value)?, finding, nodes: number(value, "nodes")?, seconds })
    }
}

/// The heartbeat of a worker, sent every few seconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hello {
    /// Its name.
    pub worker: String,
    /// The job it is doing.
    pub job: Option<JobId>,
    /// The version of its program.
    pub version: String,
}

impl Hello {
    /// As JSON.
    pub fn to_json(&self) -> Value {
        json!({ "worker": self.worker, "doing": self.job.map(|id| id.to_string()), "version": self.version })
    }

    /// From JSON.
    pub fn from_json(value: &Value) -> Result<Hello, Error> {
        let job = value["doing"].as_str().map(str::parse).transpose()?;
        Ok(Hello { worker: name(value)?, job, version: shortened(&text(value, "version")?) })
    }
}

/// A JSON text of bounded length.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, Error> {
    if bytes.len() > LONGEST_MESSAGE {
        let (have, most) = (bytes.len(), LONGEST_MESSAGE);
        return Err(Error::Message(format!("it has {have} bytes, more than {most}")));
    }
    serde_json::from_slice(bytes).map_err(|error| Error::Message(error.to_string()))
}

fn text(value: &Value, name: &str) -> Result<String, Error> {
    let found = value[name].as_str().map(str::to_owned);
    found.ok_or_else(|| Error::Message(format!("no text '{name}'")))
}

fn lemma(value: &Value) -> Result<(String, bool), Error> {
    let lemma = value[0].as_str().zip(value[1].as_bool());
    let lemma = lemma.map(|(position, yes)| (position.to_owned(), yes));
    lemma.ok_or_else(|| Error::Message("a lemma is a position and its answer".to_owned()))
}

fn number(value: &Value, name: &str) -> Result<u64, Error> {
    value[name].as_u64().ok_or_else(|| Error::Message(format!("no number '{name}'")))
}

/// The name of a worker: it is a part of file names and of subjects.
fn name(value: &Value) -> Result<String, Error> {
    let name = text(value, "worker")?;
    match is_name(&name) {
        true => Ok(name),
        false => Err(Error::Message("a worker's name has letters, digits, - and _, at most 64".to_owned())),
    }
}

/// Whether a text can be a worker's name.
pub(crate) fn is_name(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=64).contains(&text.len()) && text.bytes().all(fits)
}

/// Reasons are for people to read; a longer one is cut.
fn shortened(text: &str) -> String {
    text.chars().take(500).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn job(task: Task) -> Job {
        Job {
            run: "00ff".to_owned(),
            game: "nim:1,2".to_owned(),
            rules: 7,
            position: "1,2".to_owned(),
            question: Force { player: Player::FIRST, at_least: 1 },
            task,
            solver: "dfpn".to_owned(),
            seed: 1,
            lemmas: Vec::new(),
        }
    }

    #[test]
    fn messages_come_back_as_they_were() {
        let search = job(Task::Search { nodes: 5 });
        let prove = job(Task::Prove { part_size: 5 });
        assert_ne!(search.id(), prove.id());
        assert_eq!(search.id().to_string().parse::<JobId>().unwrap(), search.id());
        for finding in [
            Finding::Searched(Found::Solved(true)),
            Finding::Searched(Found::Open(3, 4)),
            Finding::Proof { yes: false, bytes: (10, 20), hash: JobId::of(b"x") },
            Finding::Refused("other rules".to_owned()),
            Finding::Failed("no memory".to_owned()),
        ] {
            for job in [&search, &prove] {
                let outcome = Outcome {
                    job: job.clone(),
                    worker: "w-1".to_owned(),
                    finding: finding.clone(),
                    nodes: 9,
                    seconds: 0.5,
                };
                let text = outcome.to_json().to_string();
                assert_eq!(Outcome::from_json(&parse(text.as_bytes()).unwrap()).unwrap(), outcome);
            }
        }
        let helped =
            Job { lemmas: vec![("0,1".to_owned(), true), ("0,0".to_owned(), false)], ..search.clone() };
        assert_eq!(Job::from_json(&helped.to_json()).unwrap(), helped);
        assert_eq!(helped.id(), search.id());
        let hello = Hello { worker: "w".to_owned(), job: Some(prove.id()), version: "1".to_owned() };
        assert_eq!(Hello::from_json(&hello.to_json()).unwrap(), hello);
    }

    /// FNV-1a's published values for 128 bits.
    #[test]
    fn names_are_fnv() {
        assert_eq!(JobId::of(b"").to_string(), "6c62272e07bb014262b821756295c58d");
        assert_eq!(JobId::of(b"a").to_string(), "d228cb696f1a8caf78912b704e4a8964");
    }

    #[test]
    fn nonsense_is_refused_without_a_panic() {
        let good = Outcome {
            job: job(Task::Search { nodes: 5 }),
            worker: "w".to_owned(),
            finding: Finding::Searched(Found::Solved(true)),
            nodes: 1,
            seconds: 0.0,
        };
        let text = good.to_json().to_string();
        for end in 0..text.len() {
            assert!(parse(&text.as_bytes()[..end]).is_err(), "{end}");
        }
        for (name, wrong) in [
            ("worker", json!("../../etc")),
            ("worker", json!("")),
            ("worker", json!("a.b")),
            ("seconds", json!(-1.0)),
            ("nodes", json!(-1)),
            ("finding", json!({})),
            ("job", json!(null)),
        ] {
            let mut value = good.to_json();
            value[name] = wrong.clone();
            assert!(Outcome::from_json(&value).is_err(), "{name}: {wrong}");
        }
        for (name, wrong) in [
            ("rules", json!("xyz")),
            ("at_least", json!(40_000)),
            ("player", json!("ninth")),
            ("nodes", json!("5")),
        ] {
            let mut value = good.to_json();
            value["job"][name] = wrong.clone();
            assert!(Outcome::from_json(&value).is_err(), "{name}: {wrong}");
        }
        assert!(parse(&vec![b' '; LONGEST_MESSAGE + 1]).is_err());
    }
}
