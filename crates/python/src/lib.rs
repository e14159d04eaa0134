//! The extension module of the Python package `delphic`.
//!
//! It is thin: positions, requests and answers go through it as text, numbers and JSON (docs/json.md), and the package itself, in
//! `python/delphic`, makes them pleasant to use.

mod errors;
mod game;
mod own;
mod play;
mod position;
mod request;
mod session;
mod work;

use delphic_engine::Header;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The program `delphic` with these arguments, the first of which is its name. Returns the code to exit with.
#[pyfunction]
fn main(py: Python<'_>, args: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| delphic::cli::run(args))
}

/// What a certificate says about itself: game, fingerprint of the rules, position, claims.
#[pyfunction]
fn header<'py>(py: Python<'py>, file: &[u8]) -> PyResult<(String, u64, String, Bound<'py, PyTuple>)> {
    let mut file = file;
    let header = Header::read(&mut file).map_err(|refusal| errors::refusal(py, &refusal))?;
    let claims = PyTuple::new(py, header.claims.iter().map(ToString::to_string))?;
    Ok((header.game, header.rules, header.position, claims))
}

/// Starts a thread, by which Rust learns how large the stacks of threads should be (`RUST_MIN_STACK`).
#[pyfunction]
fn start_thread() -> bool {
    std::thread::spawn(|| ()).join().is_ok()
}

/// The games, solvers and agents that have names, as JSON.
#[pyfunction]
fn lists() -> (String, String, String) {
    let [games, solvers, agents] =
        [delphic::report::games(), delphic::report::solvers(), delphic::report::agents()];
    (games.to_string(), solvers.to_string(), agents.to_string())
}

#[pymodule]
fn _delphic(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::NativeGame>()?;
    module.add_class::<position::NativePosition>()?;
    module.add_class::<play::NativePlayer>()?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(header, module)?)?;
    module.add_function(wrap_pyfunction!(lists, module)?)?;
    module.add_function(wrap_pyfunction!(start_thread, module)?)?;
    module.add_function(wrap_pyfunction!(play::arena, module)?)?;
    module.add_function(wrap_pyfunction!(play::learn, module)?)
}
