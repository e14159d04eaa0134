//! Certificates in pieces of bounded size: a line of JSON with the place of the piece, then its bytes.

use crate::job::{is_name, parse};
use crate::worker::hash_of;
use crate::{Error, JobId, LONGEST_MESSAGE};
use delphic_certificate::Bundle;
use serde_json::json;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes of a certificate in one message.
const PIECE: usize = LONGEST_MESSAGE / 2;
/// The largest file that pieces may make.
const LARGEST: u64 = 1 << 36;

/// The folder for the certificate of a job by a worker.
pub(super) fn folder(incoming: &Path, worker: &str, job: JobId) -> PathBuf {
    incoming.join(format!("{worker}-{job}"))
}

/// The pieces of the certificate in a folder, one at each call.
pub(super) struct Pieces<'a> {
    folder: &'a Path,
    worker: &'a str,
    job: JobId,
    /// The file that is being read, its name and the place in it.
    files: Vec<&'static str>,
    open: Option<(File, &'static str, u64)>,
}

impl<'a> Pieces<'a> {
    pub(super) fn of(folder: &'a Path, worker: &'a str, job: JobId) -> Pieces<'a> {
        Pieces { folder, worker, job, files: vec![Bundle::LIST, Bundle::PARTS], open: None }
    }

    pub(super) fn next(&mut self) -> std::io::Result<Option<Vec<u8>>> {
        loop {
            let Some((file, name, place)) = &mut self.open else {
                let Some(name) = self.files.pop() else { return Ok(None) };
                self.open = Some((File::open(self.folder.join(name))?, name, 0));
                continue;
            };
            let mut bytes = Vec::new();
            let read = file.take(PIECE as u64).read_to_end(&mut bytes)?;
            if read == 0 {
                self.open = None;
                continue;
            }
            let head =
                json!({ "worker": self.worker, "job": self.job.to_string(), "file": name, "offset": *place });
            *place += read as u64;
            let mut message = format!("{head}\n").into_bytes();
            message.append(&mut bytes);
            return Ok(Some(message));
        }
    }
}

/// Writes a piece to where it belongs. Pieces may come in any order and more than once.
pub(super) fn store(message: &[u8], incoming: &Path) -> Result<(), Error> {
    let malformed = || Error::Message("a piece that says not where it belongs".to_owned());
    let end = message.iter().position(|&byte| byte == b'\n').ok_or_else(malformed)?;
    let (head, bytes) = (parse(&message[..end])?, &message[end + 1..]);
    let worker = head["worker"].as_str().filter(|name| is_name(name)).ok_or_else(malformed)?;
    let job: JobId = head["job"].as_str().ok_or_else(malformed)?.parse()?;
    let name = [Bundle::LIST, Bundle::PARTS].into_iter().find(|name| head["file"].as_str() == Some(name));
    let name = name.ok_or_else(malformed)?;
    let offset = head["offset"].as_u64().filter(|offset| *offset <= LARGEST).ok_or_else(malformed)?;
    let folder = folder(incoming, worker, job);
    fs::create_dir_all(&folder)?;
    let mut file = File::options().create(true).write(true).truncate(false).open(folder.join(name))?;
    file.seek(SeekFrom::Start(offset))?;
    Ok(file.write_all(bytes)?)
}

/// The folder of a certificate, if all of it has arrived. If not it is removed, so that nothing of it is left when it is sent again. A complete one
/// gets a folder of its own: the worker may send another one for this job before the manager has looked at this one, and pieces of that
/// one would go into the same files.
pub(super) fn complete(incoming: &Path, worker: &str, job: JobId, hash: JobId) -> Option<PathBuf> {
    let folder = folder(incoming, worker, job);
    let own = incoming.join(format!("{worker}-{job}-{hash}"));
    let is_whole = hash_of(&folder).is_ok_and(|found| found == hash);
    let is_there = is_whole && (own.is_dir() || fs::rename(&folder, &own).is_ok());
    // What is left is not complete, or a second copy.
    let _ = fs::remove_dir_all(folder);
    is_there.then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files do not depend on the order of the pieces; a piece with an invalid place is refused.
    #[test]
    fn pieces_in_any_order_make_the_files_again() {
        let base = std::env::temp_dir().join(format!("delphic-pieces-{}", std::process::id()));
        let (from, to) = (base.join("from"), base.join("to"));
        fs::create_dir_all(&from).unwrap();
        let parts: Vec<u8> = (0..PIECE * 2 + 77).map(|nth| (nth * 7 % 251) as u8).collect();
        fs::write(from.join(Bundle::LIST), b"list").unwrap();
        fs::write(from.join(Bundle::PARTS), &parts).unwrap();
        let (job, hash) = (JobId::of(b"job"), hash_of(&from).unwrap());
        let (mut pieces, mut messages) = (Pieces::of(&from, "w", job), Vec::new());
        while let Some(message) = pieces.next().unwrap() {
            assert!(message.len() <= LONGEST_MESSAGE);
            messages.push(message);
        }
        assert_eq!(messages.len(), 4);
        messages.reverse();
        messages.push(messages[1].clone());
        store(&messages[0], &to).unwrap();
        assert!(complete(&to, "w", job, hash).is_none() && !folder(&to, "w", job).exists());
        messages.iter().for_each(|message| store(message, &to).unwrap());
        let own = complete(&to, "w", job, hash).unwrap();
        // Pieces of another certificate for this job do not touch it, and a second copy goes to the same place.
        store(&messages[1], &to).unwrap();
        assert_eq!(fs::read(own.join(Bundle::PARTS)).unwrap(), parts);
        messages.iter().for_each(|message| store(message, &to).unwrap());
        assert_eq!(complete(&to, "w", job, hash).as_ref(), Some(&own));
        assert!(!folder(&to, "w", job).exists());
        for wrong in [
            &b"no line"[..],
            b"{}\nx",
            b"{\"worker\":\"../x\",\"job\":\"0\",\"file\":\"parts\",\"offset\":0}\nx",
        ] {
            assert!(store(wrong, &to).is_err());
        }
        fs::remove_dir_all(base).unwrap();
    }
}
