//! What is to be proved: samples of what workers answer, lemmas for the jobs to come, and at the end the positions that the answer rests on.

use super::Manager;
use crate::questions::{Known, Lemma};
use crate::{Job, Outcome, Row, Task};
use delphic_certificate::Claim;
use delphic_search::jobs::{Found, Strategy};
use std::cmp::Reverse;
use std::collections::{HashSet, VecDeque};
use std::time::Instant;

/// The longest list of lemmas that is sent with a job, in bytes.
const LEMMA_BYTES: usize = crate::LONGEST_MESSAGE / 8;

/// A certificate that is in the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Proved {
    pub(crate) yes: bool,
    pub(crate) folder: String,
    /// The positions that it leaves to certificates of their own.
    pub(crate) cites: Vec<String>,
}

impl Manager {
    /// Whether the answer is known, and proved if it is to be.
    pub fn is_over(&mut self) -> bool {
        // Results that are known may decide more than one question without a job.
        if !self.questions.is_decided() {
            return false;
        }
        if self.settings.prove && self.plan.is_none() {
            let proofs = &self.proofs;
            let is_proved =
                |at_least: i16, position: &str| proofs.contains_key(&(at_least, position.to_owned()));
            self.plan = Some(self.questions.plan(&is_proved).unwrap_or_default());
            // The longest first: at the end no worker is left alone with one.
            let mut lemmas = self.final_lemmas().to_vec();
            lemmas.sort_by_key(|lemma| Reverse(lemma.nodes));
            self.wanted.clear();
            self.missing.clear();
            self.require(lemmas);
        }
        !self.settings.prove || self.missing.is_empty()
    }

    pub(super) fn final_lemmas(&self) -> &[Lemma] {
        self.plan.as_ref().map_or(&[], |plan| &plan.lemmas)
    }

    /// Asks for the certificates of positions, and of those that their certificates rest on.
    fn require(&mut self, lemmas: Vec<Lemma>) {
        let (mut lemmas, mut met) = (VecDeque::from(lemmas), HashSet::new());
        while let Some(lemma) = lemmas.pop_front() {
            if !met.insert(key(&lemma)) {
                continue;
            }
            match self.proofs.get(&key(&lemma)) {
                Some(Proved { cites, .. }) => {
                    let below = |position: &String| Lemma { position: position.clone(), nodes: 1, ..lemma };
                    lemmas.extend(cites.iter().map(below));
                }
                None => {
                    self.missing.insert(key(&lemma));
                    self.wanted.push_back(lemma);
                }
            }
        }
    }

    /// Notes a position that is proved for the jobs to come, if it took enough work.
    pub(super) fn share(&mut self, at_least: i16, form: String, yes: bool, nodes: u64) {
        if self.settings.lemmas.is_some_and(|least| nodes >= least) {
            self.lemmas.insert((at_least, Reverse(nodes), form), yes);
        }
    }

    /// The lemmas for a job about a question: those that took most work, as many as fit into a message.
    pub(super) fn shared(&self, at_least: i16) -> Vec<(String, bool)> {
        let (mut bytes, from) = (0, (at_least, Reverse(u64::MAX), String::new()));
        let lemmas = self.lemmas.range(from..).take_while(|((payoff, ..), _)| *payoff == at_least);
        let fits = |((_, _, form), _): &(&(i16, Reverse<u64>, String), &bool)| {
            bytes += form.len() + 16;
            bytes <= LEMMA_BYTES
        };
        lemmas.take_while(fits).map(|((_, _, form), yes)| (form.clone(), *yes)).collect()
    }

    /// The next certificate to be asked for.
    pub(super) fn next_proof(&mut self, now: Instant) -> Option<Job> {
        while let Some(lemma) = self.wanted.pop_front() {
            if self.proofs.contains_key(&key(&lemma)) {
                continue;
            }
            let task = Task::Prove { part_size: self.settings.part_size };
            let job = self.job(lemma.position, lemma.question, task);
            if self.enter(&job, Vec::new(), now) {
                return Some(job);
            }
        }
        None
    }

    /// A certificate that was checked. If it contradicts a result, the worker that reported that result is not trusted any more.
    pub(crate) fn proved(&mut self, outcome: &Outcome, proved: Proved, now: Instant) -> Option<Row> {
        let Job { position, question, .. } = &outcome.job;
        let peer = self.peer(&outcome.worker, now);
        peer.nodes += outcome.nodes;
        peer.seconds += outcome.seconds;
        self.out.remove(&outcome.job.id());
        let form = self.questions.form_of(position)?;
        let yes = proved.yes;
        let cites = proved.cites.iter().map(|position| Lemma {
            question: *question,
            position: position.clone(),
            nodes: 1,
        });
        let cites: Vec<Lemma> = cites.collect();
        self.proofs.insert((question.at_least, position.clone()), proved);
        if self.missing.remove(&(question.at_least, position.clone())) {
            self.require(cites);
        }
        let liar = match self.questions.known(question.at_least, &form) {
            Some(Known { found: Found::Solved(found), worker, .. }) if *found != yes => Some(worker.clone()),
            _ => None,
        };
        self.questions.establish(question.at_least, form.clone(), yes, outcome.nodes);
        let nodes = self.questions.known(question.at_least, &form).map_or(0, |known| known.nodes);
        self.share(question.at_least, form, yes, nodes);
        let liar = liar?;
        let reason = format!("its answer about {position} is refuted by a certificate");
        Some(self.distrust(&liar, reason))
    }

    /// The strategies of the final proof above its lemmas, one for each claim.
    pub(crate) fn strategies(&self) -> &[(Claim, Strategy)] {
        self.plan.as_ref().map_or(&[], |plan| &plan.strategies)
    }

    /// Whether a position is proved to have this answer.
    pub(crate) fn is_established(&self, at_least: i16, position: &str, yes: bool) -> bool {
        let form = self.questions.form_of(position);
        form.is_some_and(|form| self.questions.established(at_least, &form) == Some(yes))
    }

    pub(crate) fn proof_of(&self, claim: Claim, position: &str) -> Option<&Proved> {
        let proved = self.proofs.get(&(claim.question.at_least, position.to_owned()));
        proved.filter(|proved| proved.yes == claim.holds)
    }
}

pub(super) fn key(lemma: &Lemma) -> (i16, String) {
    (lemma.question.at_least, lemma.position.clone())
}
