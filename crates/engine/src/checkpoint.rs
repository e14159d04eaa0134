//! Checkpoints in a folder: the last two, each in a file that is written atomically.
//!
//! A file is one gzip stream with a checksum: header lines, an empty line, and the data of the search (`docs/checkpoints.md`). It is
//! written under a temporary name, synced and renamed, so that a program killed at any moment leaves a readable checkpoint.

mod header;

pub use header::Identity;

use delphic_search::checkpoint::Content;
use delphic_search::{CheckpointStore, Spent, Stats};
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use header::Header;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader, BufWriter, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const CURRENT: &str = "current";
const PREVIOUS: &str = "previous";
const PARTIAL: &str = "partial";
/// Locked by the program that uses the folder.
const LOCK: &str = "lock";
/// The default time between two checkpoints.
const INTERVAL: Duration = Duration::from_secs(300);
/// The default interval is at least this many times as long as saving takes.
const SHARE: u32 = 10;

/// Why checkpoints cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The folder cannot be used.
    #[error("{}: {error}", path.display())]
    File {
        /// The path that was to be read or written.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
    /// A new search would overwrite an older one.
    #[error("{} already has a checkpoint; resume it with --resume, or choose another folder", .0.display())]
    Occupied(PathBuf),
    /// Another program uses the folder.
    #[error("{} is in use by another search", .0.display())]
    InUse(PathBuf),
    /// There is nothing to resume from.
    #[error("{} has no checkpoint: none was saved yet, or the search was solved and there is nothing to resume", .0.display())]
    Empty(PathBuf),
    /// There is one, but it cannot be read.
    #[error("{} is not a usable checkpoint: {reason}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The checkpoint belongs to another search.
    #[error("the checkpoint is of another search: its {what} is {saved}, not {asked}")]
    Other {
        /// The field in which they differ.
        what: &'static str,
        /// Its value in the file.
        saved: String,
        /// Its value in the request.
        asked: String,
    },
}

/// The current yes/no question, and the bounds from the questions before it.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Asked {
    /// The least and the greatest payoff that are still possible.
    pub(crate) known: (i16, i16),
    /// The payoff of the question.
    pub(crate) at_least: i16,
    /// The effort of the questions before it.
    pub(crate) spent: Stats,
}

/// A complete checkpoint.
#[derive(Debug)]
pub struct Saved {
    header: Header,
    file: File,
    path: PathBuf,
    passed_over: Option<CheckpointError>,
}

impl Saved {
    /// The latest usable checkpoint of a folder.
    pub fn open(folder: &Path) -> Result<Saved, CheckpointError> {
        let (current, previous) = (folder.join(CURRENT), folder.join(PREVIOUS));
        match read(&current) {
            Err(damage) if previous.exists() => match read(&previous) {
                Ok(saved) => Ok(Saved { passed_over: Some(damage), ..saved }),
                Err(error) => Err(if current.exists() { damage } else { error }),
            },
            Err(_) if !current.exists() => Err(CheckpointError::Empty(folder.to_owned())),
            result => result,
        }
    }

    /// Which search it is of.
    pub fn identity(&self) -> &Identity {
        &self.header.identity
    }

    /// The current question, and the effort of its search.
    pub(crate) fn asked(&self) -> (Asked, Stats) {
        (self.header.asked, self.header.spent.stats)
    }

    /// The effort so far, and a reader of the data of the search.
    fn content<'a>(self) -> (Spent, Box<dyn Read + 'a>) {
        let content = BufReader::with_capacity(1 << 16, self.file);
        let mut content = BufReader::with_capacity(1 << 16, GzDecoder::new(content));
        // The file was readable before; if it is not now, the search gets no data and reports an error.
        let spent = Header::read(&mut content).map(|header| header.spent).unwrap_or_default();
        (spent, Box::new(content))
    }

    /// Why the newest file was not used, if it was not.
    pub fn passed_over(&self) -> Option<&CheckpointError> {
        self.passed_over.as_ref()
    }
}

/// Reads a file to its end to verify its checksum, and returns its header.
fn read(path: &Path) -> Result<Saved, CheckpointError> {
    let failed = |error| CheckpointError::File { path: path.to_owned(), error };
    let unusable = |reason: String| CheckpointError::Unusable { path: path.to_owned(), reason };
    let mut file = File::open(path).map_err(failed)?;
    let mut content = unpacked(&file);
    let header = Header::read(&mut content).map_err(|error| unusable(error.to_string()))?;
    io::copy(&mut content, &mut io::sink()).map_err(|error| unusable(error.to_string()))?;
    let mut packed = content.into_inner().into_inner();
    if packed.read(&mut [0]).map_err(failed)? > 0 {
        return Err(unusable("there are bytes after its end".to_owned()));
    }
    file.rewind().map_err(failed)?;
    Ok(Saved { header, file, path: path.to_owned(), passed_over: None })
}

/// Locks the folder against other programs.
fn lock(folder: &Path) -> Result<File, CheckpointError> {
    let path = folder.join(LOCK);
    let open = File::options().create(true).append(true).open(&path);
    let file = open.map_err(|error| CheckpointError::File { path: path.clone(), error })?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(CheckpointError::InUse(folder.to_owned())),
        // Some file systems have no locks; there the user has to take care.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

fn unpacked(file: &File) -> BufReader<GzDecoder<BufReader<&File>>> {
    BufReader::with_capacity(1 << 16, GzDecoder::new(BufReader::with_capacity(1 << 16, file)))
}

/// A checkpoint opened for reading: nothing is saved.
#[derive(Debug)]
pub(crate) struct ReadOnly {
    to_load: Mutex<Option<Saved>>,
    path: PathBuf,
    refused: Mutex<Option<String>>,
}

impl ReadOnly {
    pub(crate) fn new(saved: Saved) -> ReadOnly {
        let path = saved.path.clone();
        ReadOnly { to_load: Mutex::new(Some(saved)), path, refused: Mutex::new(None) }
    }

    /// Why it cannot be used.
    pub(crate) fn error(&self) -> Option<CheckpointError> {
        let reason = self.refused.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some(CheckpointError::Unusable { path: self.path.clone(), reason })
    }
}

impl CheckpointStore for ReadOnly {
    fn due(&self) -> bool {
        false
    }

    fn save(&self, _: &Spent, _: Content<'_>) -> io::Result<()> {
        Ok(())
    }

    fn load(&self) -> Option<(Spent, Box<dyn Read + '_>)> {
        let saved = self.to_load.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some(saved.content())
    }

    fn refuse(&self, why: io::Error) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(why.to_string());
    }
}

/// The checkpoints of one search.
#[derive(Debug)]
pub struct Checkpoint {
    folder: PathBuf,
    every: Option<Duration>,
    identity: Identity,
    state: Mutex<CheckpointState>,
    /// Releases the folder when it is closed, however the program ends.
    _lock: File,
}

/// The part that changes during the search.
#[derive(Debug)]
struct CheckpointState {
    /// When the next one is due.
    due: Instant,
    asked: Asked,
    to_load: Option<Saved>,
    /// Whether `current` may become `previous`: not if it was found damaged.
    current_is_good: bool,
    /// The last error while reading or writing.
    error: Option<CheckpointError>,
    /// The time that loading took.
    loading: Duration,
}

impl Checkpoint {
    /// Keeps the checkpoints of a new search in a folder, which is created if needed: at the given interval, or every five minutes and less
    /// often if saving is slow.
    pub fn begin(
        folder: &Path,
        every: Option<Duration>,
        identity: Identity,
    ) -> Result<Checkpoint, CheckpointError> {
        let failed = |error| CheckpointError::File { path: folder.to_owned(), error };
        fs::create_dir_all(folder).map_err(failed)?;
        let lock = lock(folder)?;
        if [CURRENT, PREVIOUS].iter().any(|name| folder.join(name).exists()) {
            return Err(CheckpointError::Occupied(folder.to_owned()));
        }
        // Test now whether the folder is writable, rather than after the first interval.
        let partial = folder.join(PARTIAL);
        File::create(&partial).and_then(|_| fs::remove_file(&partial)).map_err(failed)?;
        Ok(Checkpoint::new(folder, lock, every, identity, Asked::default(), None))
    }

    /// Resumes from a checkpoint, if it belongs to the requested search, and keeps further checkpoints in its folder.
    pub fn resume(
        saved: Saved,
        every: Option<Duration>,
        identity: Identity,
    ) -> Result<Checkpoint, CheckpointError> {
        saved.header.identity.compare(&identity)?;
        let folder = saved.path.parent().unwrap_or(Path::new("")).to_owned();
        let asked = saved.header.asked;
        let lock = lock(&folder)?;
        Ok(Checkpoint::new(&folder, lock, every, identity, asked, Some(saved)))
    }

    fn new(
        folder: &Path,
        lock: File,
        every: Option<Duration>,
        identity: Identity,
        asked: Asked,
        to_load: Option<Saved>,
    ) -> Checkpoint {
        let current_is_good = to_load.as_ref().is_none_or(|saved| saved.passed_over.is_none());
        let due = Instant::now() + every.unwrap_or(INTERVAL);
        let loading = Duration::ZERO;
        let state = CheckpointState { due, asked, to_load, current_is_good, error: None, loading };
        Checkpoint { folder: folder.to_owned(), every, identity, state: Mutex::new(state), _lock: lock }
    }

    /// The last error while reading or writing.
    pub fn error(&self) -> Option<CheckpointError> {
        self.state().error.take()
    }

    fn state(&self) -> MutexGuard<'_, CheckpointState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The question to be resumed, until its checkpoint is loaded.
    pub(crate) fn resumed(&self) -> Option<Asked> {
        let state = self.state();
        state.to_load.is_some().then_some(state.asked)
    }

    /// Takes the time that loading took; zero at further calls.
    pub(crate) fn take_loading_time(&self) -> Duration {
        std::mem::take(&mut self.state().loading)
    }

    /// Records the next question. Returns whether the checkpoint to be loaded, if there is one, is about it.
    pub(crate) fn asking(&self, asked: Asked) -> bool {
        let mut state = self.state();
        let fits = state.to_load.is_none() || state.asked.at_least == asked.at_least;
        state.asked = asked;
        fits
    }

    /// The checkpoint contradicts itself or the rules.
    pub(crate) fn contradicted(&self, reason: String) {
        let path = self.folder.join(CURRENT);
        self.state().error = Some(CheckpointError::Unusable { path, reason });
    }

    fn write(&self, header: &Header, content: Content<'_>, keep_current: bool) -> io::Result<()> {
        let [partial, current, previous] = [PARTIAL, CURRENT, PREVIOUS].map(|name| self.folder.join(name));
        let file = BufWriter::with_capacity(1 << 16, File::create(&partial)?);
        let mut packed = BufWriter::with_capacity(1 << 16, GzEncoder::new(file, Compression::fast()));
        header.write(&mut packed)?;
        content(&mut packed)?;
        let packed = packed.into_inner().map_err(io::IntoInnerError::into_error)?;
        packed.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        if keep_current && current.exists() {
            fs::rename(&current, &previous)?;
        }
        fs::rename(&partial, &current)?;
        // On Unix the renames are durable only after the folder itself is synced.
        if cfg!(unix) { File::open(&self.folder)?.sync_all() } else { Ok(()) }
    }
}

impl CheckpointStore for Checkpoint {
    fn due(&self) -> bool {
        Instant::now() >= self.state().due
    }

    fn save(&self, spent: &Spent, content: Content<'_>) -> io::Result<()> {
        let started = Instant::now();
        let CheckpointState { asked, current_is_good, .. } = *self.state();
        let header = Header { identity: self.identity.clone(), asked, spent: *spent };
        let written = self.write(&header, content, current_is_good);
        let mut state = self.state();
        match &written {
            Ok(()) => (state.current_is_good, state.error) = (true, None),
            Err(error) => {
                // An incomplete file must not use the disk space of the next one.
                let _ = fs::remove_file(self.folder.join(PARTIAL));
                let error = io::Error::new(error.kind(), error.to_string());
                state.error = Some(CheckpointError::File { path: self.folder.clone(), error });
            }
        }
        let now = Instant::now();
        state.due = now + self.every.unwrap_or_else(|| INTERVAL.max((now - started) * SHARE));
        written
    }

    fn load(&self) -> Option<(Spent, Box<dyn Read + '_>)> {
        let saved = self.state().to_load.take()?;
        Some(saved.content())
    }

    fn loaded(&self, took: Duration) {
        self.state().loading += took;
    }

    fn refuse(&self, why: io::Error) {
        self.contradicted(why.to_string());
    }
}
