//! Protocols by which graphical programs use an agent: one file each.

mod clock;
pub(crate) mod gtp;
mod hex;
pub(crate) mod uci;
mod vertex;

/// The name of the program in all protocols.
const NAME: &str = "Delphic";
