//! The `delphic` command: arguments in, reports out.

mod allowance;
mod analyze;
mod arena;
mod args;
mod batch;
mod bench;
mod check;
mod checkpoints;
mod estimate;
mod interrupt;
mod json;
mod lab;
mod learn;
mod lists;
mod manual;
mod match_state;
mod move_ranking;
mod perft;
mod play;
mod position;
mod progress;
mod protocol;
mod puzzle;
mod show;
mod solve;
mod tables;
mod text;
mod units;
mod version;

use args::{Args, Command};
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

/// Exit codes in the manner of SAT solvers: 10 and 20 for the two answers, others for everything else.
mod exit {
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
enum Failure {
    /// Bad input.
    Usage(String),
    /// Something else went wrong.
    Other(String),
    /// The program was interrupted before it could finish; the text says what is missing.
    Interrupted(String),
    /// The reader of our output has closed the pipe.
    PipeClosed,
}

impl From<delphic_engine::InputError> for Failure {
    fn from(error: delphic_engine::InputError) -> Failure {
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

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return args::refuse(&error),
    };
    let result = match &args.command {
        Command::Solve(options) => solve::run(options),
        Command::Check(options) => check::run(options),
        Command::Analyze(options) => analyze::run(options),
        Command::Puzzle(options) => puzzle::run(options),
        Command::Estimate(options) => estimate::run(options),
        Command::Perft(options) => perft::run(options),
        Command::Play(options) => play::run(options, args.color),
        Command::Gtp(options) => protocol::gtp::run(options),
        Command::Uci(options) => protocol::uci::run(options),
        Command::Show(options) => show::run(options, args.color),
        Command::Games(options) => lists::games(options, args.color),
        Command::Solvers(options) => lists::solvers(options),
        Command::Agents(options) => lists::agents(options),
        Command::Arena(options) => arena::run(options),
        Command::Learn(options) => learn::run(options),
        Command::Lab(options) => lab::run(options),
        Command::Bench(options) => bench::run(options),
        Command::Completions(options) => manual::completions(options),
        Command::Man(options) => manual::pages(options),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(Failure::PipeClosed) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => fail(&message, exit::USAGE),
        Err(Failure::Other(message)) => fail(&message, exit::ERROR),
        Err(Failure::Interrupted(message)) => {
            eprintln!("interrupted: {message}");
            ExitCode::from(exit::INTERRUPTED)
        }
    }
}

fn fail(message: &str, code: u8) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(code)
}

/// Writes a result to standard output. Unlike `print!` it does not panic when the pipe is closed.
fn output(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}
