//! The command line: dispatch of commands, exit codes and errors.

use crate::args::{self, Args, Command};
use crate::{
    analyze, arena, bench, check, estimate, judge, lab, learn, lists, manual, perft, play, protocol, puzzle,
    show, solve,
};
use clap::Parser;
use delphic_engine::{InputError, own_game, register};
use delphic_game::Notation;
use delphic_search::Solvable;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Exit codes in the manner of SAT solvers: 10 and 20 for the two answers, others for everything else.
pub(crate) mod exit {
    pub(crate) const PROVED: u8 = 10;
    pub(crate) const DISPROVED: u8 = 20;
    pub(crate) const OTHER_VALUE: u8 = 30;
    pub(crate) const UNDECIDED: u8 = 40;
    pub(crate) const ERROR: u8 = 1;
    pub(crate) const USAGE: u8 = 2;
    pub(crate) const INTERRUPTED: u8 = 130;
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Bad input.
    Usage(String),
    /// Any other error.
    Other(String),
    /// The program was interrupted before it finished; the text says what is missing.
    Interrupted(String),
    /// The reader of our output has closed the pipe.
    PipeClosed,
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::PipeClosed,
            _ => Failure::Other(error.to_string()),
        }
    }
}

/// The `delphic` program: reads the arguments of the process, runs the command they name, and returns the code to exit with.
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os()))
}

/// Like [`main`] with the given arguments, the first of which is the program's name: for programs that embed the command line, such as
/// the Python package.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(error) => return args::refuse(&error),
    };
    let result = match &args.command {
        Command::Solve(options) => solve::run(options),
        Command::Check(options) => check::run(options),
        Command::Analyze(options) => analyze::run(options),
        Command::Puzzle(options) => puzzle::run(options),
        Command::Estimate(options) => estimate::run(options),
        Command::Judge(options) => judge::run(options),
        Command::Perft(options) => perft::run(options),
        Command::Play(options) => play::run(options, args.color),
        #[cfg(feature = "serve")]
        Command::Serve(options) => crate::serve::run(options),
        Command::Gtp(options) => protocol::gtp::run(options),
        Command::Uci(options) => protocol::uci::run(options),
        Command::Show(options) => show::run(options, args.color),
        Command::Games(options) => lists::games(options, args.color),
        Command::Solvers(options) => lists::solvers(options),
        Command::Agents(options) => lists::agents(options),
        Command::Arena(options) => arena::run(options),
        Command::Learn(options) => learn::run(options),
        Command::Lab(options) => lab::run(options),
        #[cfg(feature = "cluster")]
        Command::Cluster(options) => crate::cluster::run(options),
        #[cfg(not(feature = "cluster"))]
        Command::Cluster(_) => Err(Failure::Usage(
            "this program was compiled without clusters; `cargo install --path crates/cli --features cluster` installs one with them"
                .to_owned(),
        )),
        Command::Bench(options) => bench::run(options),
        Command::Completions(options) => manual::completions(options),
        Command::Man(options) => manual::pages(options),
    };
    match result {
        Ok(code) => code,
        Err(Failure::PipeClosed) => 0,
        Err(Failure::Usage(message)) => fail(&message, exit::USAGE),
        Err(Failure::Other(message)) => fail(&message, exit::ERROR),
        Err(Failure::Interrupted(message)) => {
            eprintln!("interrupted: {message}");
            exit::INTERRUPTED
        }
    }
}

/// The same program with a game of your own added: all commands (`solve`, `analyze`, `play`, `arena`, `gtp`, `check`, …) accept it by
/// `name`, which begins with a letter and has no parameters.
///
/// To add a family of games with parameters, [`register`] a function that builds them before calling [`main`].
///
/// ```no_run
/// # use delphic::random_tree::RandomTree;
/// fn main() -> std::process::ExitCode {
///     delphic::cli::main_with("bush", RandomTree::small(7))
/// }
/// ```
pub fn main_with<G: Notation + Solvable + Send + Clone>(name: &str, game: G) -> ExitCode {
    register_game(name, game);
    main()
}

/// Registers one game, without parameters.
fn register_game<G: Notation + Solvable + Send + Clone>(name: &str, game: G) {
    let spec = name.to_owned();
    let build = move |given: delphic_game::Spec| {
        given.finish("no parameter")?;
        Ok(own_game(&spec, game.clone()))
    };
    register(name, Box::new(build));
}

fn fail(message: &str, code: u8) -> u8 {
    eprintln!("error: {message}");
    code
}

/// Writes a result to standard output. Unlike `print!` it does not panic when the pipe is closed.
pub(crate) fn output(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::random_tree::RandomTree;

    /// After the registration every command finds the game, because all of them look it up here.
    #[test]
    fn a_game_of_ones_own_is_found_by_name() {
        assert!(delphic_engine::game("bush").is_err());
        register_game("bush", RandomTree::small(7));
        let bush = delphic_engine::game("bush").expect("the registered game");
        assert_eq!((bush.spec(), delphic_engine::registered()), ("bush", vec!["bush".to_owned()]));
        assert!(delphic_engine::json::listed(&*bush).is_none(), "it is not in the table of games");
        let start = bush.position(None, None).expect("the start");
        assert_eq!(start.perft(1), start.moves().len() as u64);
        let refused = delphic_engine::game("bush:5").err().expect("no parameter is taken");
        assert!(refused.to_string().contains("bush does not take '5'"), "{refused}");
    }
}
