//! Errors as Python exceptions. Their classes are in `delphic/errors.py`; the messages are those of the command line.

use delphic_engine::{InputError, ProofError, Refusal};
use pyo3::PyTypeInfo;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// An exception of this class.
fn exception(py: Python<'_>, class: &str, message: String) -> PyErr {
    let found = py.import("delphic.errors").and_then(|module| module.getattr(class));
    let class = found.and_then(|class| Ok(class.cast_into::<PyType>()?));
    PyErr::from_type(class.unwrap_or_else(|_| PyRuntimeError::type_object(py)), message)
}

/// Something that was given is wrong: a name, a position, a request.
pub(crate) fn input(py: Python<'_>, error: impl Into<InputError>) -> PyErr {
    exception(py, "InputError", error.into().to_string())
}

/// The rules of a Python game are wrong.
pub(crate) fn game(py: Python<'_>, message: impl Into<String>) -> PyErr {
    exception(py, "GameError", message.into())
}

/// There is no certificate.
pub(crate) fn proof(py: Python<'_>, error: &ProofError) -> PyErr {
    exception(py, "ProofError", error.to_string())
}

/// A certificate is not accepted.
pub(crate) fn refusal(py: Python<'_>, refusal: &Refusal) -> PyErr {
    exception(py, "CertificateError", refusal.to_string())
}

/// The library is wrong.
pub(crate) fn bug(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "DelphicError", format!("internal error, please report it: {message}"))
}
