//! Files that appear whole or not at all.

use crate::Failure;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file of which all is known.
pub(crate) fn write_atomically(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let mut file = Atomic::new(path)?;
    file.write_all(content)?;
    file.finish()
}

/// A file being written beside its place. It takes the place when it is complete, and is removed when it never is.
pub(crate) struct Atomic {
    place: PathBuf,
    beside: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Atomic {
    /// Begins to write what is to become the file at `place`.
    pub(crate) fn new(place: &Path) -> Result<Atomic, Failure> {
        let error = |error| Failure::Other(format!("cannot write {}: {error}", place.display()));
        // Renaming over a device or a directory would replace it.
        if fs::metadata(place).is_ok_and(|there| !there.is_file()) {
            return Err(error("it is there and no regular file".to_owned()));
        }
        let name = place.file_name().ok_or_else(|| error("it is no file name".to_owned()))?;
        let mut beside = name.to_owned();
        beside.push(format!(".partial-{}", std::process::id()));
        let beside = place.with_file_name(beside);
        let file = File::create(&beside).map_err(|e| error(e.to_string()))?;
        Ok(Atomic { place: place.to_owned(), beside, file: Some(BufWriter::new(file)) })
    }

    /// The file is complete.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        let done = file
            .flush()
            .and_then(|()| file.get_ref().sync_all())
            .and_then(|()| fs::rename(&self.beside, &self.place));
        done.map_err(|error| Failure::Other(format!("cannot write {}: {error}", self.place.display())))
    }
}

impl Write for Atomic {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Atomic {
    fn drop(&mut self) {
        // After a rename there is nothing left to remove.
        let _ = fs::remove_file(&self.beside);
    }
}
