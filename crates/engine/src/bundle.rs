//! Proofs in parts, for proofs too large for one walk: written part by part, checked in parallel.

use crate::prove::{PROVER_SHARE, ProofError, Strategies, StrategyWriter, walk_error};
use crate::solve::Decided;
use crate::{AnyGame, AnyPosition, game};
use delphic_certificate::{
    Bundle, CheckedEntry, Claim, Entry, Fault, Lemmas, PartWriter, Refusal, Walk, find_circle,
};
use delphic_game::erased::{Erased, ErasedState, Trail};
use delphic_game::{Game, Notation};
use delphic_search::{Event, Limits, Observer};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Walks through the proofs of decided questions and writes them in parts of about `most` positions. Positions beyond the limit of a part
/// are cited and proved in parts of their own. The walk stops at the lemmas of the limits, too: their entries have no part (length 0), so
/// the bundle is complete only together with the certificates of those positions.
pub(crate) fn in_parts(
    position: &dyn AnyPosition,
    decided: Vec<Decided>,
    limits: Limits<'_>,
    most: usize,
    out: &mut dyn Write,
    observer: &mut dyn Observer,
) -> Result<(Strategies, Bundle), ProofError> {
    let (game, root) = (position.erased(), position.state());
    if game.endless().is_some() {
        return Err(ProofError::Cycles);
    }
    let claims: Vec<Claim> = decided.iter().map(|decided| decided.claim).collect();
    let entry = |claim| Entry { claim, position: position.write(), offset: 0, length: 0 };
    let mut bundle = Bundle {
        game: position.spec().to_owned(),
        rules: position.fingerprint(),
        entries: (0..claims.len()).map(entry).collect(),
        claims,
    };
    // Memory is divided between the prover, the walk and the positions cited from other parts; the walk gets half of it.
    let memory = limits.memory.unwrap_or(u64::MAX);
    let for_prover = memory / PROVER_SHARE;
    let (share, for_cited) = (memory / 2, memory / 2 - for_prover);
    let limits = Limits { memory: limits.memory.map(|_| for_prover), ..limits };
    let (mut found, mut written) = (Strategies::default(), 0);
    for (nth, Decided { claim, memory }) in decided.into_iter().enumerate() {
        let mut prover = position.provers(claim.question, memory, limits, 1).swap_remove(0);
        let mut known = HashMap::from([(root.clone(), nth)]);
        let lemmas = limits.lemmas.filter(|lemmas| lemmas.question == claim.question);
        let lemmas = lemmas.iter().flat_map(|lemmas| lemmas.answers);
        let lemmas = lemmas.filter(|(_, yes)| *yes == claim.holds).map(|(form, _)| form.clone()).collect();
        let mut waiting = vec![(nth, root.clone())];
        let mut size = most;
        while let Some((number, state)) = waiting.pop() {
            let entries = bundle.entries.len();
            let mut part = PartWriter::new(number);
            let mut write = |place: usize| part.choose(place);
            let mut player = StrategyWriter::new(&mut *prover, claim, &mut write, &mut *observer);
            let mut cut = Cut {
                game: &game,
                claim: nth,
                most: size,
                known: &mut known,
                lemmas: &lemmas,
                entries: &mut bundle.entries,
                waiting: &mut waiting,
                cites: Vec::new(),
            };
            let mut walk = Walk::new(&game, claim, state.clone(), share);
            match walk.run_to(&mut player, &mut cut) {
                Ok(()) => {}
                // The part does not fit into the memory, so this and all others become half of what did.
                Err(Fault::Memory) if size > 1 => {
                    size = size.min(walk.into_visited().len()) / 2;
                    bundle.entries.truncate(entries);
                    known.retain(|_, number| *number < entries);
                    waiting.retain(|(number, _)| *number < entries);
                    waiting.push((number, state));
                    continue;
                }
                Err(fault) => return Err(walk_error(&game, &state, claim, fault, &walk, share)),
            }
            let mut cites = cut.cites;
            cites.sort_unstable();
            cites.dedup();
            let bytes = part.finish(bundle.rules, &cites)?;
            out.write_all(&bytes)?;
            let entry = &mut bundle.entries[number];
            (entry.offset, entry.length) = (written, bytes.len() as u64);
            written += entry.length;
            found.strategy += walk.strategy();
            found.looked_at += walk.looked_at();
            observer.event(Event::Proof { positions: found.strategy });
            let bytes: usize = known.len() * (game.heap_bytes() + size_of::<(ErasedState, usize)>() * 2);
            if bytes as u64 > for_cited {
                return Err(ProofError::Memory(for_cited));
            }
        }
        found.created += prover.created();
    }
    Ok((found, bundle))
}

/// Decides which positions are cited: those that have a part already, and all new ones once this part is large enough.
struct Cut<'a> {
    game: &'a Erased<'static>,
    claim: usize,
    most: usize,
    known: &'a mut HashMap<ErasedState, usize>,
    /// The canonical forms of positions that are proved elsewhere.
    lemmas: &'a HashSet<ErasedState>,
    entries: &'a mut Vec<Entry>,
    waiting: &'a mut Vec<(usize, ErasedState)>,
    cites: Vec<usize>,
}

impl Cut<'_> {
    fn is_lemma(&self, state: &ErasedState) -> bool {
        if self.lemmas.is_empty() {
            return false;
        }
        let mut form = state.clone();
        self.game.canonicalize(&mut form);
        self.lemmas.contains(&form)
    }
}

impl Lemmas for Cut<'_> {
    fn stops(&mut self, at: &dyn Trail, met: usize) -> bool {
        let Some(state) = at.present().filter(|_| met > 0) else { return false };
        let number = match self.known.get(&state) {
            Some(&number) => number,
            None => {
                let is_lemma = self.is_lemma(&state);
                if !is_lemma && met < self.most {
                    return false;
                }
                let number = self.entries.len();
                let position = self.game.write(&state);
                self.entries.push(Entry { claim: self.claim, position, offset: 0, length: 0 });
                self.known.insert(state.clone(), number);
                if !is_lemma {
                    self.waiting.push((number, state));
                }
                number
            }
        };
        self.cites.push(number);
        true
    }
}

/// A valid bundle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedBundle {
    /// The full spec of the game.
    pub game: String,
    /// The position that the claims are about.
    pub position: String,
    /// What is proved.
    pub claims: Vec<Claim>,
    /// Every payoff of the game.
    pub payoffs: Vec<i16>,
    /// The number of parts, including those of the claims themselves.
    pub parts: usize,
    /// Citations among them.
    pub citations: usize,
    /// Positions in which a strategy chooses.
    pub strategy: u64,
    /// Positions visited.
    pub looked_at: u64,
    /// The size of the folder.
    pub bytes: u64,
}

/// Why a bundle is invalid: the number of the faulty part, if there is one, and the reason.
#[derive(Debug, thiserror::Error)]
#[error("{}{reason}", part.map_or_else(String::new, |part| format!("part {part}: ")))]
pub struct BundleRefusal {
    /// The part.
    pub part: Option<usize>,
    /// What is wrong.
    pub reason: Refusal,
}

impl From<Refusal> for BundleRefusal {
    fn from(reason: Refusal) -> BundleRefusal {
        BundleRefusal { part: None, reason }
    }
}

impl From<std::io::Error> for BundleRefusal {
    fn from(error: std::io::Error) -> BundleRefusal {
        Refusal::File(error).into()
    }
}

/// Checks the bundle in a folder on this many threads, within `memory` bytes for each: first every part alone, then that the citations
/// are acyclic. `progress` is called with the number of parts checked and the total.
pub fn check_bundle(
    folder: &Path,
    threads: usize,
    memory: u64,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<CheckedBundle, BundleRefusal> {
    check_bundle_with(folder, threads, memory, &|_| false, progress)
}

/// The same for a bundle that may rest on entries without a part (length 0), if they are `given`: it proves its claims where those hold.
/// The caller has to know that they do.
pub fn check_bundle_with(
    folder: &Path,
    threads: usize,
    memory: u64,
    given: &(dyn Fn(&Entry) -> bool + Sync),
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<CheckedBundle, BundleRefusal> {
    let list = File::open(folder.join(Bundle::LIST))?;
    let mut bytes = list.metadata()?.len();
    let bundle = Bundle::read(&mut BufReader::new(list))?;
    let rules: Box<dyn AnyGame> = game(&bundle.game).map_err(|error| Refusal::Header(error.to_string()))?;
    bundle.check_rules(&rules.erased(), rules.spec())?;
    bytes += std::fs::metadata(folder.join(Bundle::PARTS))?.len();
    let (next, failed, done) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicUsize::new(0));
    let results = Mutex::new((Vec::new(), None::<BundleRefusal>));
    let check = |number: usize, file: &File| {
        let Entry { offset, length, .. } = bundle.entries[number];
        // The claims themselves are never given.
        if length == 0 && number >= bundle.claims.len() && given(&bundle.entries[number]) {
            return Ok(CheckedEntry { strategy: 0, looked_at: 0, cites: Vec::new() });
        }
        let mut file = BufReader::new(file);
        file.seek(SeekFrom::Start(offset))?;
        bundle.check(number, &rules.erased(), &mut file.take(length), memory)
    };
    let serve = || {
        let file = File::open(folder.join(Bundle::PARTS));
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= bundle.entries.len() || failed.load(Relaxed) {
                return;
            }
            let checked = match &file {
                Ok(file) => check(number, file),
                Err(error) => Err(Refusal::File(std::io::Error::new(error.kind(), error.to_string()))),
            };
            let mut results = results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match checked {
                Ok(checked) => results.0.push((number, checked)),
                Err(reason) => {
                    failed.store(true, Relaxed);
                    results.1.get_or_insert(BundleRefusal { part: Some(number), reason });
                }
            }
            progress(done.fetch_add(1, Relaxed) + 1, bundle.entries.len());
        }
    };
    std::thread::scope(|scope| {
        (1..threads.max(1)).for_each(|_| drop(scope.spawn(serve)));
        serve();
    });
    let (mut checked, refused) = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(refused) = refused {
        return Err(refused);
    }
    checked.sort_unstable_by_key(|(number, _)| *number);
    let cites: Vec<Vec<usize>> = checked.iter().map(|(_, checked)| checked.cites.clone()).collect();
    if let Some(part) = find_circle(&cites) {
        let reason = Refusal::Header("its citations lead back to itself".to_owned());
        return Err(BundleRefusal { part: Some(part), reason });
    }
    Ok(CheckedBundle {
        position: bundle.entries[0].position.clone(),
        payoffs: rules.payoffs(),
        parts: cites.len(),
        citations: cites.iter().map(Vec::len).sum(),
        strategy: checked.iter().map(|(_, checked)| checked.strategy).sum(),
        looked_at: checked.iter().map(|(_, checked)| checked.looked_at).sum(),
        game: bundle.game,
        claims: bundle.claims,
        bytes,
    })
}
