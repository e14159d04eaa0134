//! Files that are written atomically.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file with these contents.
pub fn write(place: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::new(place)?;
    file.write_all(content)?;
    file.finish()
}

/// A file being written under a temporary name. It is renamed to its place when it is complete, and removed otherwise.
#[derive(Debug)]
pub struct AtomicFile {
    place: PathBuf,
    beside: PathBuf,
    file: BufWriter<File>,
}

impl AtomicFile {
    /// Begins to write the file at `place`. Errors name the place.
    pub fn new(place: &Path) -> io::Result<AtomicFile> {
        // Renaming over a device or a directory would replace it.
        if fs::metadata(place).is_ok_and(|there| !there.is_file()) {
            return Err(failed(place, "it exists and is not a regular file"));
        }
        let name = place.file_name().ok_or_else(|| failed(place, "it is not a file name"))?;
        let mut beside = name.to_owned();
        beside.push(format!(".partial-{}", std::process::id()));
        let beside = place.with_file_name(beside);
        let file = File::create(&beside).map_err(|error| failed(place, error))?;
        Ok(AtomicFile { place: place.to_owned(), beside, file: BufWriter::new(file) })
    }

    /// Completes the file.
    pub fn finish(mut self) -> io::Result<()> {
        let written = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        let done = written.and_then(|()| fs::rename(&self.beside, &self.place));
        done.map_err(|error| failed(&self.place, error))
    }
}

fn failed(place: &Path, why: impl ToString) -> io::Error {
    io::Error::other(format!("cannot write {}: {}", place.display(), why.to_string()))
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        // After a rename there is nothing left to remove.
        let _ = fs::remove_file(&self.beside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is not finished leaves the old file and nothing beside it.
    #[test]
    fn files_are_whole_or_as_before() {
        let folder = std::env::temp_dir().join(format!("delphic-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let place = folder.join("a");
        write(&place, b"old").unwrap();
        let mut half = AtomicFile::new(&place).unwrap();
        half.write_all(b"half").unwrap();
        drop(half);
        assert_eq!(fs::read(&place).unwrap(), b"old");
        write(&place, b"new").unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        for wrong in [folder.clone(), folder.join("no/such"), PathBuf::from("/")] {
            let error = write(&wrong, b"x").unwrap_err().to_string();
            assert!(error.contains(&*wrong.display().to_string()), "{error}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
