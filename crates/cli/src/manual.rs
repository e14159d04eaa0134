//! `delphic completions` and `delphic man`, generated from the definition of the arguments.

use crate::args::{Args, Completions, Man};
use crate::{Failure, output};
use clap::CommandFactory;

/// Prints the completion script.
pub(crate) fn completions(options: &Completions) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Args::command(), "delphic", &mut script);
    output(&String::from_utf8_lossy(&script))?;
    Ok(0)
}

/// Prints the page of the whole program, or writes it and the pages of all commands to a folder.
pub(crate) fn pages(options: &Man) -> Result<u8, Failure> {
    let command = Args::command();
    match &options.folder {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            output(&String::from_utf8_lossy(&page))?;
        }
        Some(folder) => std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .map_err(|error| Failure::Other(format!("{}: {error}", folder.display())))?,
    }
    Ok(0)
}
