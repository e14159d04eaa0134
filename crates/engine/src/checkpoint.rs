//! Checkpoints in a folder: the last two, each in a file that is whole or not there.
//!
//! A file is one gzip stream, whose checksum guards it: a header of lines, an empty line, and the walk that the search wrote
//! (`docs/checkpoints.md`). It is written beside its place, synced and renamed, so that a program killed at any moment leaves a
//! readable one.

mod header;

pub use header::Identity;

use delphic_search::checkpoint::Content;
use delphic_search::{Account, Archive, Stats};
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
/// Saving takes at most about one part in so many of the time.
const SHARE: u32 = 10;

/// Why there are no checkpoints.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The folder cannot be used.
    #[error("{}: {error}", path.display())]
    File {
        /// What was to be read or written.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
    /// A new search would overwrite an older one.
    #[error("{} already holds a checkpoint; go on from it with --resume, or choose another folder", .0.display())]
    Occupied(PathBuf),
    /// Another program is keeping its checkpoints there.
    #[error("{} is in use by another search", .0.display())]
    InUse(PathBuf),
    /// There is nothing to go on from.
    #[error("{} holds no checkpoint", .0.display())]
    Empty(PathBuf),
    /// There is one, but it cannot be read.
    #[error("{} is no usable checkpoint: {reason}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// It is about something else.
    #[error("the checkpoint is of another search: its {what} is {saved}, not {asked}")]
    Other {
        /// In what they differ.
        what: &'static str,
        /// What the file says.
        saved: String,
        /// What was asked for.
        asked: String,
    },
}

/// How far a request has come, one question after the other.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Progress {
    /// The least and the greatest payoff that are still possible.
    pub(crate) known: (i16, i16),
    /// The payoff being asked for.
    pub(crate) at_least: i16,
    /// What the questions before have taken.
    pub(crate) spent: Stats,
}

/// A checkpoint that was found whole.
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

    /// Why the newest file was not used, if it was not.
    pub fn passed_over(&self) -> Option<&CheckpointError> {
        self.passed_over.as_ref()
    }
}

/// Reads a file to its end, so that its checksum is known to be right, and keeps its header.
fn read(path: &Path) -> Result<Saved, CheckpointError> {
    let failed = |error| CheckpointError::File { path: path.to_owned(), error };
    let unusable = |reason: String| CheckpointError::Unusable { path: path.to_owned(), reason };
    let mut file = File::open(path).map_err(failed)?;
    let mut content = unpacked(&file);
    let header = Header::read(&mut content).map_err(|error| unusable(error.to_string()))?;
    io::copy(&mut content, &mut io::sink()).map_err(|error| unusable(error.to_string()))?;
    let mut packed = content.into_inner().into_inner();
    if packed.read(&mut [0]).map_err(failed)? > 0 {
        return Err(unusable("something follows after its end".to_owned()));
    }
    file.rewind().map_err(failed)?;
    Ok(Saved { header, file, path: path.to_owned(), passed_over: None })
}

/// Keeps other programs from the folder.
fn lock(folder: &Path) -> Result<File, CheckpointError> {
    let path = folder.join(LOCK);
    let open = File::options().create(true).append(true).open(&path);
    let file = open.map_err(|error| CheckpointError::File { path: path.clone(), error })?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(CheckpointError::InUse(folder.to_owned())),
        // Some file systems know no locks; there the user has to take care.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

fn unpacked(file: &File) -> BufReader<GzDecoder<BufReader<&File>>> {
    BufReader::with_capacity(1 << 16, GzDecoder::new(BufReader::with_capacity(1 << 16, file)))
}

/// The checkpoints of one search.
#[derive(Debug)]
pub struct Checkpoint {
    folder: PathBuf,
    interval: Duration,
    identity: Identity,
    desk: Mutex<Desk>,
    /// Gives the folder free when it is closed, however the program ends.
    _lock: File,
}

/// What changes while the search goes on.
#[derive(Debug)]
struct Desk {
    /// When the next one is due.
    due: Instant,
    progress: Progress,
    to_load: Option<Saved>,
    /// Whether `current` is worth keeping as `previous`: not if it was passed over.
    current_is_good: bool,
    trouble: Option<CheckpointError>,
}

impl Checkpoint {
    /// Begins to keep the checkpoints of a new search in a folder, which is made if it is not there.
    pub fn begin(
        folder: &Path,
        interval: Duration,
        identity: Identity,
    ) -> Result<Checkpoint, CheckpointError> {
        let failed = |error| CheckpointError::File { path: folder.to_owned(), error };
        fs::create_dir_all(folder).map_err(failed)?;
        let lock = lock(folder)?;
        if [CURRENT, PREVIOUS].iter().any(|name| folder.join(name).exists()) {
            return Err(CheckpointError::Occupied(folder.to_owned()));
        }
        // Better to fail now than after the first interval.
        let partial = folder.join(PARTIAL);
        File::create(&partial).and_then(|_| fs::remove_file(&partial)).map_err(failed)?;
        Ok(Checkpoint::new(folder, lock, interval, identity, Progress::default(), None))
    }

    /// Goes on from a checkpoint, if it is of the search that is asked for, and keeps the further ones in its folder.
    pub fn resume(
        saved: Saved,
        interval: Duration,
        identity: Identity,
    ) -> Result<Checkpoint, CheckpointError> {
        saved.header.identity.compare(&identity)?;
        let folder = saved.path.parent().unwrap_or(Path::new("")).to_owned();
        let progress = saved.header.progress;
        let lock = lock(&folder)?;
        Ok(Checkpoint::new(&folder, lock, interval, identity, progress, Some(saved)))
    }

    fn new(
        folder: &Path,
        lock: File,
        interval: Duration,
        identity: Identity,
        progress: Progress,
        to_load: Option<Saved>,
    ) -> Checkpoint {
        let current_is_good = to_load.as_ref().is_none_or(|saved| saved.passed_over.is_none());
        let due = Instant::now() + interval;
        let desk = Desk { due, progress, to_load, current_is_good, trouble: None };
        Checkpoint { folder: folder.to_owned(), interval, identity, desk: Mutex::new(desk), _lock: lock }
    }

    /// What went wrong last while reading or writing.
    pub fn trouble(&self) -> Option<CheckpointError> {
        self.desk().trouble.take()
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far the search had come that is to be gone on with.
    pub(crate) fn resumed(&self) -> Option<Progress> {
        let desk = self.desk();
        desk.to_load.is_some().then_some(desk.progress)
    }

    /// The next question is asked. Tells whether the checkpoint to be loaded, if there is one, is about it.
    pub(crate) fn asking(&self, progress: Progress) -> bool {
        let mut desk = self.desk();
        let fits = desk.to_load.is_none() || desk.progress.at_least == progress.at_least;
        desk.progress = progress;
        fits
    }

    /// The checkpoint contradicts itself or the rules.
    pub(crate) fn contradicted(&self, reason: String) {
        let path = self.folder.join(CURRENT);
        self.desk().trouble = Some(CheckpointError::Unusable { path, reason });
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
        // On systems where folders are files, the new names are safe only after this.
        if cfg!(unix) { File::open(&self.folder)?.sync_all() } else { Ok(()) }
    }
}

impl Archive for Checkpoint {
    fn due(&self) -> bool {
        Instant::now() >= self.desk().due
    }

    fn save(&self, account: &Account, content: Content<'_>) {
        let started = Instant::now();
        let Desk { progress, current_is_good, .. } = *self.desk();
        let header = Header { identity: self.identity.clone(), progress, account: *account };
        let written = self.write(&header, content, current_is_good);
        let mut desk = self.desk();
        match written {
            Ok(()) => desk.current_is_good = true,
            Err(error) => desk.trouble = Some(CheckpointError::File { path: self.folder.clone(), error }),
        }
        let now = Instant::now();
        desk.due = now + self.interval.max((now - started) * SHARE);
    }

    fn load(&self) -> Option<(Account, Box<dyn Read + '_>)> {
        let saved = self.desk().to_load.take()?;
        let content = BufReader::with_capacity(1 << 16, saved.file);
        let mut content = BufReader::with_capacity(1 << 16, GzDecoder::new(content));
        // It was read before; if it cannot be read now, the search will notice that nothing follows.
        let account = Header::read(&mut content).map(|header| header.account).unwrap_or_default();
        Some((account, Box::new(content)))
    }

    fn refuse(&self, why: io::Error) {
        self.contradicted(why.to_string());
    }
}
