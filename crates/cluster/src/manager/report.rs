//! The manager's part of the status.

use super::proving::key;
use super::{Manager, Peer};
use crate::questions::Lemma;
use crate::{Status, WorkerStatus};
use std::time::{Duration, Instant};

impl Manager {
    /// The state of the run, `elapsed` after this manager began.
    pub fn status(&self, elapsed: Duration, now: Instant) -> Status {
        let (conclusion, (lo, hi)) = self.conclusion();
        let worker = |(name, peer): (&String, &Peer)| WorkerStatus {
            name: name.clone(),
            job: peer.job.map(|id| id.to_string()),
            version: peer.version.clone(),
            results: peer.results,
            nodes: peer.nodes,
            seconds: peer.seconds,
            silent: now.saturating_duration_since(peer.seen).as_secs_f64(),
            trouble: peer.trouble.clone(),
            distrusted: self.distrusted.contains(name),
        };
        let lemmas = self.final_lemmas();
        let done = |lemma: &&Lemma| self.proofs.contains_key(&key(lemma));
        let nodes = |lemmas: &mut dyn Iterator<Item = &Lemma>| lemmas.map(|lemma| lemma.nodes.max(1)).sum();
        let (positions, bytes) = self.questions.size();
        Status {
            header: self.header.clone(),
            solver: self.settings.solver.clone(),
            conclusion: conclusion.name().to_owned(),
            range: (lo.to_string(), hi.to_string()),
            progress: self.questions.progress(),
            elapsed: elapsed.as_secs_f64(),
            out: self.out.len(),
            results: self.counts.results,
            solved: self.counts.solved,
            nodes: self.counts.nodes,
            seconds: self.counts.seconds,
            size: self.size(),
            reissued: self.counts.reissued,
            cancelled: self.counts.cancelled,
            ignored: self.counts.ignored,
            positions,
            bytes,
            lemmas: (lemmas.iter().filter(done).count(), lemmas.len()),
            lemma_nodes: (nodes(&mut lemmas.iter().filter(done)), nodes(&mut lemmas.iter())),
            proofs: self.proofs.len(),
            shared: self.lemmas.len(),
            workers: self.peers.iter().map(worker).collect(),
            results_before: 0,
            forecast: None,
            over: false,
        }
    }
}
