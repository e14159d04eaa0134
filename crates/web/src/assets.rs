//! The files of the page, embedded into the program.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const IMAGE: &str = "image/svg+xml";

macro_rules! assets {
    ($($path:literal $kind:ident),* $(,)?) => {
        /// Path, type and content of every file.
        pub(crate) const ASSETS: &[(&str, &str, &[u8])] = &[
            $((concat!("/", $path), $kind, include_bytes!(concat!("../page/", $path)))),*
        ];
    };
}

assets! {
    "index.html" HTML,
    "style.css" STYLE,
    "icon.svg" IMAGE,
    "app.js" SCRIPT,
    "api.js" SCRIPT,
    "board.js" SCRIPT,
    "charts.js" SCRIPT,
    "dom.js" SCRIPT,
    "moves.js" SCRIPT,
    "play.js" SCRIPT,
    "proof.js" SCRIPT,
    "search.js" SCRIPT,
    "setup.js" SCRIPT,
    "state.js" SCRIPT,
    "tour.js" SCRIPT,
    "values.js" SCRIPT,
}

/// The file at a path; `/` is the page.
pub(crate) fn asset(path: &str) -> Response {
    let path = if path == "/" { "/index.html" } else { path };
    match ASSETS.iter().find(|(name, ..)| *name == path) {
        Some(&(_, kind, content)) => ([(CONTENT_TYPE, kind)], content).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such page\n").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page and all it loads; the aim is a page that is there at once on any line.
    #[test]
    fn the_page_is_small() {
        let bytes: usize = ASSETS.iter().map(|(.., content)| content.len()).sum();
        assert!(bytes < 150_000, "{bytes} bytes");
    }

    #[test]
    fn nothing_is_inline_or_from_elsewhere() {
        for (path, _, content) in ASSETS {
            let text = std::str::from_utf8(content).unwrap();
            for forbidden in
                ["style=\"", "onclick=", "javascript:", "https://", "<script>", "eval(", "innerHTML"]
            {
                assert!(!text.contains(forbidden), "{path} contains {forbidden}");
            }
        }
    }
}
