//! Files written whole or not at all.

use crate::Failure;
use std::io::Write;
use std::path::Path;

/// Writes `text` to a new file beside `path` and then gives it that name, so that nobody ever sees half of it.
pub(crate) fn write_atomically(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Other(format!("{}: {error}", path.display()));
    let Some(name) = path.file_name() else {
        return Err(Failure::Usage(format!("'{}' is not a file", path.display())));
    };
    let mut draft = std::ffi::OsString::from(".");
    draft.push(name);
    draft.push(format!(".{}", std::process::id()));
    let draft = path.with_file_name(draft);
    let write = || {
        let mut file = std::fs::File::create_new(&draft)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&draft, path)
    };
    write().map_err(|error| {
        // The draft may not exist; the first error is the one to tell.
        let _ = std::fs::remove_file(&draft);
        failed(error)
    })
}
