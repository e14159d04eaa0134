//! The `delphic` program.

fn main() -> std::process::ExitCode {
    delphic::cli::main()
}
