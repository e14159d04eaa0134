//! Certificates of single positions, and the bundle made of them.

use crate::manager::{Manager, Proved};
use crate::{Error, Job};
use delphic_certificate::{Bundle, Claim, Entry, Guide, Lemmas, PartWriter, Refusal, Walk, renumber};
use delphic_engine::{AnyPosition, check_bundle_with};
use delphic_game::Notation;
use delphic_game::erased::{ErasedState, Trail};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A certificate that holds.
pub(crate) struct Accepted {
    pub(crate) folder: String,
    pub(crate) bytes: u64,
    pub(crate) strategy: u64,
    /// The positions that it leaves to certificates of their own.
    pub(crate) cites: Vec<String>,
}

/// The folder of the certificates of a run.
pub(crate) struct Store {
    folder: PathBuf,
    memory: u64,
    threads: usize,
}

impl Store {
    /// The folder beside a ledger. Checks take at most `memory` bytes and run on `threads` threads.
    pub(crate) fn beside(ledger: &Path, memory: u64, threads: usize) -> Result<Store, Error> {
        let mut folder = ledger.as_os_str().to_owned();
        folder.push(".proofs");
        let folder = PathBuf::from(folder);
        fs::create_dir_all(&folder)?;
        Ok(Store { folder, memory, threads })
    }

    /// Checks the certificate in a folder: that it proves the answer of this job, with the rules alone. It may leave positions to other
    /// certificates if they are `proved` to have the same answer. What holds is kept.
    pub(crate) fn accept(
        &self,
        job: &Job,
        yes: bool,
        incoming: &Path,
        proved: &dyn Fn(&str) -> bool,
    ) -> Result<Accepted, String> {
        let claim = Claim { question: job.question, holds: yes };
        let list = File::open(incoming.join(Bundle::LIST)).map_err(|error| error.to_string())?;
        let list = Bundle::read(&mut BufReader::new(list)).map_err(|refusal| refusal.to_string())?;
        let is_about = (&list.game, list.rules, &list.claims) == (&job.game, job.rules, &vec![claim])
            && list.entries[0].position == job.position;
        if !is_about {
            return Err("it is about something else".to_owned());
        }
        let cites = cited(&list);
        if let Some(position) = cites.iter().find(|position| !proved(position)) {
            return Err(format!("it rests on {position}, which is not proved"));
        }
        let given: HashSet<&String> = cites.iter().collect();
        let memory = self.memory / self.threads as u64;
        let given = |entry: &Entry| given.contains(&entry.position);
        let checked = check_bundle_with(incoming, self.threads, memory, &given, &|_, _| {});
        let checked = checked.map_err(|refusal| refusal.to_string())?;
        let (folder, place) = (job.id().to_string(), self.folder.join(job.id().to_string()));
        // Another worker's certificate for the same job is as good.
        let moved = fs::rename(incoming, &place).or_else(|error| match place.join(Bundle::LIST).is_file() {
            true => fs::remove_dir_all(incoming),
            false => copy(incoming, &place).map_err(|_| error),
        });
        moved.map_err(|error| format!("cannot keep it: {error}"))?;
        // The one that is kept may be another worker's.
        let cites = self.cites(&folder)?;
        Ok(Accepted { folder, bytes: checked.bytes, strategy: checked.strategy, cites })
    }

    /// The positions that a certificate leaves to others; an error if it is not there.
    pub(crate) fn cites(&self, folder: &str) -> Result<Vec<String>, String> {
        let list =
            File::open(self.folder.join(folder).join(Bundle::LIST)).map_err(|error| error.to_string())?;
        let list = Bundle::read(&mut BufReader::new(list)).map_err(|refusal| refusal.to_string())?;
        Ok(cited(&list))
    }

    /// Writes the bundle that proves the claims of a run: the moves above the jobs as parts of their own, and behind them the
    /// certificates of the positions where they stop.
    pub(crate) fn compose(
        &self,
        manager: &Manager,
        position: &dyn AnyPosition,
        out: &Path,
    ) -> Result<(), Error> {
        let claims = manager.claims();
        if claims.is_empty() {
            let reason = "the answer follows from the payoffs of the game alone; there is nothing to prove";
            return Err(Error::Request(reason.to_owned()));
        }
        fs::create_dir_all(out)?;
        let entry = |claim| Entry { claim, position: position.write(), offset: 0, length: 0 };
        let list = Bundle {
            game: position.spec().to_owned(),
            rules: position.fingerprint(),
            entries: (0..claims.len()).map(entry).collect(),
            claims: claims.clone(),
        };
        let place = out.join(Bundle::PARTS);
        let mut writing = Composition {
            store: self,
            manager,
            list,
            parts: BufWriter::new(File::create(&place)?),
            written: 0,
            numbers: HashMap::new(),
        };
        if manager.strategies().len() != claims.len() {
            return Err(missing("a strategy"));
        }
        for (nth, (claim, strategy)) in manager.strategies().iter().enumerate() {
            let claim = *claim;
            let mut numbers = HashMap::new();
            for leaf in &strategy.leaves {
                let text = position.erased().write(leaf);
                // A job may have solved the position that the whole run is about.
                let first = (*leaf == position.state()).then_some(nth);
                numbers.insert(leaf.clone(), writing.number_of((nth, claim), &text, first)?);
            }
            if !numbers.contains_key(&position.state()) {
                let above = Above { choices: &strategy.choices };
                writing.write_above(position, nth, above, &numbers, self.memory)?;
            }
        }
        writing.parts.flush()?;
        writing.parts.get_ref().sync_all()?;
        // The list comes last: a folder without one is not a proof.
        let mut text = Vec::new();
        writing.list.write(&mut text)?;
        Ok(delphic_base::atomic_file::write(&out.join(Bundle::LIST), &text)?)
    }
}

/// A folder on another disk cannot be renamed.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    fs::copy(from.join(Bundle::PARTS), to.join(Bundle::PARTS))?;
    fs::copy(from.join(Bundle::LIST), to.join(Bundle::LIST))?;
    fs::remove_dir_all(from)
}

fn missing(what: &str) -> Error {
    Error::Request(format!("the proof is not complete: {what}"))
}

/// The positions of a list that have no part.
fn cited(list: &Bundle) -> Vec<String> {
    list.entries.iter().filter(|entry| entry.length == 0).map(|entry| entry.position.clone()).collect()
}

/// A bundle being put together.
struct Composition<'a> {
    store: &'a Store,
    manager: &'a Manager,
    list: Bundle,
    parts: BufWriter<File>,
    written: u64,
    /// The numbers of positions whose certificates are in it, by the number of the claim and the position.
    numbers: HashMap<(usize, String), usize>,
}

impl Composition<'_> {
    /// The number of a position. Its certificate is added if it is not yet there, after those that it rests on; its number is `first` if
    /// that is given.
    fn number_of(
        &mut self,
        (nth, claim): (usize, Claim),
        position: &str,
        first: Option<usize>,
    ) -> Result<usize, Error> {
        let key = (nth, position.to_owned());
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        let Proved { folder, .. } =
            self.manager.proof_of(claim, position).ok_or_else(|| missing(position))?;
        let folder = self.store.folder.join(folder);
        let damaged =
            |refusal: Refusal| Error::Request(format!("the certificate in {}: {refusal}", folder.display()));
        let list = File::open(folder.join(Bundle::LIST))?;
        let list = Bundle::read(&mut BufReader::new(list)).map_err(damaged)?;
        // Every move brings the end of the game closer, so what a certificate cites never leads back to it.
        let mut numbers = vec![usize::MAX; list.entries.len()];
        for (old, entry) in list.entries.iter().enumerate().filter(|(_, entry)| entry.length == 0) {
            numbers[old] = self.number_of((nth, claim), &entry.position, None)?;
        }
        let mut next = self.list.entries.len();
        for (old, _) in list.entries.iter().enumerate().filter(|(_, entry)| entry.length > 0) {
            numbers[old] = first.filter(|_| old == 0).unwrap_or(next);
            next += usize::from(numbers[old] == next);
        }
        let number = |old: usize| numbers.get(old).copied().unwrap_or(usize::MAX);
        let mut parts = File::open(folder.join(Bundle::PARTS))?;
        for (old, Entry { position, offset, length, .. }) in list.entries.into_iter().enumerate() {
            if length == 0 {
                continue;
            }
            parts.seek(SeekFrom::Start(offset))?;
            let mut part = BufReader::new((&parts).take(length));
            let length = renumber(&mut part, &number, &mut self.parts).map_err(damaged)?;
            let entry = Entry { claim: nth, position, offset: self.written, length };
            self.written += length;
            match number(old) < self.list.entries.len() {
                true => self.list.entries[number(old)] = entry,
                false => self.list.entries.push(entry),
            }
        }
        self.numbers.insert(key, number(0));
        Ok(number(0))
    }

    /// Adds the part of a claim about the root, which stops at the positions that have a number.
    fn write_above(
        &mut self,
        position: &dyn AnyPosition,
        nth: usize,
        above: Above<'_>,
        numbers: &HashMap<ErasedState, usize>,
        memory: u64,
    ) -> Result<(), Error> {
        let claim = self.list.claims[nth];
        let game = position.erased();
        let mut stops = Stops { numbers, cites: Vec::new() };
        let mut writer = Chosen { above, part: PartWriter::new(nth) };
        let mut walk = Walk::new(&game, claim, position.state(), memory);
        walk.run_to(&mut writer, &mut stops)
            .map_err(|_| Error::Request(format!("the graph does not prove '{claim}', which is a bug")))?;
        let mut cites = stops.cites;
        cites.sort_unstable();
        cites.dedup();
        let part = writer.part.finish(self.list.rules, &cites)?;
        self.parts.write_all(&part)?;
        let entry = &mut self.list.entries[nth];
        (entry.offset, entry.length) = (self.written, part.len() as u64);
        self.written += entry.length;
        Ok(())
    }
}

/// The moves above the jobs.
struct Above<'a> {
    choices: &'a HashMap<ErasedState, usize>,
}

/// Plays them and writes them down.
struct Chosen<'a> {
    above: Above<'a>,
    part: PartWriter,
}

impl Guide for Chosen<'_> {
    type Error = ();

    fn choose(&mut self, at: &dyn Trail, _: usize) -> Result<usize, ()> {
        let state = at.present().ok_or(())?;
        let place = *self.above.choices.get(&state).ok_or(())?;
        self.part.choose(place).map_err(|_| ())?;
        Ok(place)
    }
}

/// Where jobs have gone on.
struct Stops<'a> {
    numbers: &'a HashMap<ErasedState, usize>,
    cites: Vec<usize>,
}

impl Lemmas for Stops<'_> {
    fn stops(&mut self, at: &dyn Trail, met: usize) -> bool {
        let number = at.present().filter(|_| met > 0).and_then(|state| self.numbers.get(&state));
        self.cites.extend(number);
        number.is_some()
    }
}
