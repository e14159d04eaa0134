//! Agents for graphical programs: a file for each protocol, and what these have in common.

mod clock;
pub(crate) mod gtp;
mod hex;
pub(crate) mod uci;
mod vertex;

/// The name of the program in all protocols.
const NAME: &str = "Delphic";
