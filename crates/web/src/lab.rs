//! The pages of `delphic lab report`, if their folder was given.
//!
//! A link cannot carry the header with the token, so these pages have an address that cannot be guessed.

use crate::guard;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use std::io;
use std::path::{Path, PathBuf};

pub(crate) struct Pages {
    folder: PathBuf,
    key: String,
}

impl Pages {
    pub(crate) fn open(folder: &Path) -> io::Result<Pages> {
        if folder.join("index.html").is_file() {
            return Ok(Pages { folder: folder.to_owned(), key: guard::token()? });
        }
        let message = format!("{} has no index.html; `delphic lab report` writes it", folder.display());
        Err(io::Error::new(io::ErrorKind::NotFound, message))
    }

    /// The address of the first page.
    pub(crate) fn address(&self) -> String {
        format!("/lab/{}/index.html", self.key)
    }

    /// A file of the folder itself.
    pub(crate) fn get(&self, key: &str, name: &str) -> Response {
        let kind = match name.rsplit_once('.') {
            Some((_, "html")) => "text/html; charset=utf-8",
            Some((_, "svg")) => "image/svg+xml",
            Some((_, "csv")) => "text/csv; charset=utf-8",
            Some((_, "md")) => "text/plain; charset=utf-8",
            _ => "",
        };
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
        if key != self.key || kind.is_empty() || !plain || name.starts_with('.') {
            return StatusCode::NOT_FOUND.into_response();
        }
        match std::fs::read(self.folder.join(name)) {
            Ok(content) => ([(CONTENT_TYPE, kind)], content).into_response(),
            Err(_) => StatusCode::NOT_FOUND.into_response(),
        }
    }
}
