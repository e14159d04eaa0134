//! `delphic serve`: the explorer.

use crate::args::Serve;
use crate::interrupt::{self, INTERRUPT};
use crate::{Failure, output, version};
use delphic_web::{Server, Settings};
use std::path::PathBuf;

pub(crate) fn run(options: &Serve) -> Result<u8, Failure> {
    let default = Settings::default();
    let results = || Some(PathBuf::from("results")).filter(|folder| folder.join("index.html").is_file());
    let settings = Settings {
        address: options.bind.unwrap_or(default.address),
        port: options.port,
        hosts: options.hosts.clone(),
        searches: options.searches.map_or(default.searches, usize::from),
        time: options.time,
        memory: options.memory,
        files: options.files.clone(),
        lab: options.lab.clone().or_else(results),
        runs: options.runs.clone(),
        revision: version::REVISION,
        ..default
    };
    if !settings.address.is_loopback() {
        eprintln!(
            "warning: other machines can reach {}; the connection is not encrypted, so the token can be intercepted",
            settings.address
        );
    }
    let server = Server::bind(settings).map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            Failure::Other(format!("port {} is in use; choose another with --port", options.port))
        }
        _ => Failure::Other(error.to_string()),
    })?;
    interrupt::listen()?;
    output(&format!("{}\n", server.url()))?;
    Ok(server.run(&INTERRUPT).map(|()| 0)?)
}
