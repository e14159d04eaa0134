//! Agents for graphical programs: one file for each language they speak, and what these have in common.

mod clock;
pub(crate) mod gtp;
pub(crate) mod uci;
mod vertex;

/// What we call ourselves.
const NAME: &str = "Delphic";
const VERSION: &str = env!("CARGO_PKG_VERSION");
