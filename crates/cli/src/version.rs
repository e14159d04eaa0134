//! The version of the program, and the revision of the sources it was built from (`build.rs`).

/// Such as `0.1.0 (5b4bc8e, 2026-11-15)`: for `--version` and for the program's name in protocols.
pub(crate) const FULL: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("DELPHIC_REVISION"), ")");

/// The revision alone, for records of results: `5b4bc8e+dirty, 2026-11-15`, or `unknown revision` if it was
/// built without git.
pub(crate) const REVISION: &str = env!("DELPHIC_REVISION");
