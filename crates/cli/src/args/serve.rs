//! The arguments of `delphic serve`.

use crate::units;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
The printed address contains a token; requests without it are refused. Ctrl-C stops the server. See \
docs/explorer.md.")]
pub(crate) struct Serve {
    /// Certificates, checkpoint folders and game files that the page can open; no other file is read
    #[arg(value_name = "PATH")]
    pub(crate) files: Vec<PathBuf>,
    /// The port to listen on; 0 for any free one
    #[arg(long, default_value_t = 7357)]
    pub(crate) port: u16,
    /// Listen on this address instead of 127.0.0.1, so that other machines can connect. The connection is not
    /// encrypted
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) bind: Option<IpAddr>,
    /// With --bind: a host name under which other machines may reach this one; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// The number of searches that run at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64), allow_negative_numbers = true)]
    pub(crate) searches: Option<u16>,
    /// The maximum time of a search: 90, 10m, 1h30m
    #[arg(long, value_parser = units::duration, default_value = "10m", allow_negative_numbers = true)]
    pub(crate) time: Duration,
    /// The memory limit of all searches together: 500M, 8G
    #[arg(long, value_parser = units::memory, default_value = "2G", value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) memory: u64,
    /// The folder with the pages of `delphic lab report` [default: `results`, if it exists]
    #[arg(long, value_name = "DIR")]
    pub(crate) lab: Option<PathBuf>,
    /// Keep stopped searches in this folder instead of a temporary one
    #[arg(long, value_name = "DIR")]
    pub(crate) runs: Option<PathBuf>,
}
