//! The arguments of `delphic serve`.

use crate::units;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
The address that is printed contains a token; only pages opened with it are answered. Close the program with \
Ctrl-C. See docs/explorer.md.")]
pub(crate) struct Serve {
    /// Certificates, folders of checkpoints and game files that the page offers; nothing else is read
    #[arg(value_name = "PATH")]
    pub(crate) files: Vec<PathBuf>,
    /// The port to listen on; 0 for any that is free
    #[arg(long, default_value_t = 7357)]
    pub(crate) port: u16,
    /// Listen on this address instead of 127.0.0.1, so that other machines can connect. The connection is not
    /// encrypted
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) bind: Option<IpAddr>,
    /// A name by which other machines may call this one, with --bind; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// Searches that run at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64), allow_negative_numbers = true)]
    pub(crate) searches: Option<u16>,
    /// The longest time of a search: 90, 10m, 1h30m
    #[arg(long, value_parser = units::duration, default_value = "10m", allow_negative_numbers = true)]
    pub(crate) time: Duration,
    /// The memory of all searches together: 500M, 8G
    #[arg(long, value_parser = units::memory, default_value = "2G", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) memory: u64,
    /// The folder with the pages of `delphic lab report` [default: `results`, if it is there]
    #[arg(long, value_name = "DIR")]
    pub(crate) lab: Option<PathBuf>,
    /// Keep stopped searches in this folder instead of a temporary one
    #[arg(long, value_name = "DIR")]
    pub(crate) runs: Option<PathBuf>,
}
