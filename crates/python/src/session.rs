//! What one call of the library has in common with the thread that searches for it.

use delphic_engine::StopReason;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// One call: its flag to stop, and what went wrong in Python code that the search ran.
#[derive(Default)]
pub(crate) struct Session {
    /// Searches stop when they see it.
    pub(crate) stop: AtomicBool,
    fault: Mutex<Option<PyErr>>,
    failed: AtomicBool,
    /// What the states of a Python game may take, in bytes.
    memory: Option<u64>,
    exhausted: AtomicBool,
}

impl Session {
    pub(crate) fn new(memory: Option<u64>) -> Session {
        Session { memory, ..Session::default() }
    }

    /// Keeps the first exception and asks the search to stop.
    pub(crate) fn fail(&self, error: PyErr) {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.get_or_insert(error);
        self.failed.store(true, Ordering::Relaxed);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether an exception was raised. Then no answer of the search counts.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// The exception, if there was one.
    pub(crate) fn check(&self) -> PyResult<()> {
        match &*self.fault.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(Python::attach(|py| error.clone_ref(py))),
            None => Ok(()),
        }
    }

    /// Asks the search to stop if the states take more than the limit.
    pub(crate) fn hold(&self, bytes: u64) {
        if self.memory.is_some_and(|limit| bytes > limit) {
            self.exhausted.store(true, Ordering::Relaxed);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Says that memory was the reason, if it was: searches know it as an interrupt.
    pub(crate) fn correct(&self, stop: &mut StopReason) {
        if *stop == StopReason::Interrupted && self.exhausted.load(Ordering::Relaxed) {
            *stop = StopReason::Memory;
        }
    }
}
