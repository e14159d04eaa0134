//! The state of a run, for people and programs.

use crate::{Header, Progress};
use serde_json::{Value, json};

/// The state of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Status {
    /// What the run is about.
    pub header: Header,
    /// The solver that does the jobs.
    pub solver: String,
    /// What is known of the answer.
    pub conclusion: String,
    /// The least and the greatest value that are possible.
    pub range: (String, String),
    /// How far the last question is.
    pub progress: Option<Progress>,
    /// Seconds since this manager began.
    pub elapsed: f64,
    /// Jobs that are out.
    pub out: usize,
    /// Searches reported, by all managers of the run.
    pub results: u64,
    /// Those that found an answer.
    pub solved: u64,
    /// Nodes they have created.
    pub nodes: u64,
    /// Seconds that workers have spent on them.
    pub seconds: f64,
    /// Nodes of the next job.
    pub size: u64,
    /// Jobs given out again.
    pub reissued: u64,
    /// Jobs taken back because their result did not matter any more.
    pub cancelled: u64,
    /// Messages that were not used: of other runs, of distrusted workers, malformed.
    pub ignored: u64,
    /// Positions in the graphs.
    pub positions: usize,
    /// Memory of the manager.
    pub bytes: u64,
    /// Lemmas of the final proof that are proved, and all of them.
    pub lemmas: (usize, usize),
    /// The nodes that their searches created, the measure of the work that is left.
    pub lemma_nodes: (u64, u64),
    /// Certificates that were checked.
    pub proofs: usize,
    /// Positions that are given to workers as lemmas.
    pub shared: usize,
    /// The workers that have sent a message to this manager.
    pub workers: Vec<WorkerStatus>,
    /// Searches that were in the ledger when this manager began.
    pub results_before: u64,
    /// Seconds that are left at the present rate: a guess.
    pub forecast: Option<f64>,
    /// Whether the manager has ended.
    pub over: bool,
}

/// The state of a worker.
#[derive(Clone, PartialEq, Debug)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// The job it is doing.
    pub job: Option<String>,
    /// The version of its program.
    pub version: String,
    /// Searches reported.
    pub results: u64,
    /// Nodes created.
    pub nodes: u64,
    /// Seconds of work.
    pub seconds: f64,
    /// Seconds since its last message.
    pub silent: f64,
    /// What was wrong last.
    pub trouble: Option<String>,
    /// Whether its results are rejected.
    pub distrusted: bool,
}

impl Status {
    /// Results per second since this manager began.
    pub fn rate(&self) -> f64 {
        (self.results - self.results_before) as f64 / self.elapsed.max(1e-9)
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        let Header { run, game, rules, position, question, player } = &self.header;
        let asked = self.progress.map(|Progress { question, numbers, decided }| {
            json!({
                "at_least": question.at_least, "proof_numbers": [numbers.0, numbers.1],
                "decided_moves": [decided.0, decided.1],
            })
        });
        let worker = |worker: &WorkerStatus| {
            json!({
                "name": worker.name, "job": worker.job, "version": worker.version, "results": worker.results,
                "nodes": worker.nodes, "seconds": worker.seconds, "silent": worker.silent,
                "trouble": worker.trouble, "distrusted": worker.distrusted,
            })
        };
        json!({
            "run": run, "game": game, "rules": format!("{rules:016x}"), "position": position, "question": question,
            "player": player, "solver": self.solver, "verdict": self.conclusion,
            "range": [self.range.0, self.range.1], "asked": asked, "over": self.over,
            "elapsed": self.elapsed, "forecast": self.forecast,
            "jobs": {
                "out": self.out, "results": self.results, "solved": self.solved, "nodes": self.nodes,
                "seconds": self.seconds, "size": self.size, "per_second": self.rate(), "reissued": self.reissued,
                "cancelled": self.cancelled, "ignored": self.ignored,
            },
            "graph": { "positions": self.positions, "bytes": self.bytes },
            "proof": {
                "lemmas": [self.lemmas.0, self.lemmas.1], "nodes": [self.lemma_nodes.0, self.lemma_nodes.1],
                "certificates": self.proofs, "shared": self.shared,
            },
            "workers": self.workers.iter().map(worker).collect::<Vec<_>>(),
        })
    }
}
