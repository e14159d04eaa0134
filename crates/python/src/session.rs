//! The state shared between a call of the library and the thread that searches for it.

use delphic_engine::StopReason;
use pyo3::PyTypeInfo;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::cell::OnceCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One call: its interrupt flag, and the first exception in Python code that the search ran.
#[derive(Default)]
pub(crate) struct Session {
    /// Searches stop when they see it.
    pub(crate) stop: AtomicBool,
    fault: Mutex<Option<PyErr>>,
    failed: AtomicBool,
    /// What the states of a Python game may take, in bytes.
    memory: Option<u64>,
    exhausted: AtomicBool,
    /// The threads that run Python rules at this moment, by Python's numbers.
    in_rules: Mutex<Vec<u64>>,
}

thread_local! {
    /// Python's number of this thread.
    static IDENT: OnceCell<u64> = const { OnceCell::new() };
}

impl Session {
    pub(crate) fn new(memory: Option<u64>) -> Session {
        Session { memory, ..Session::default() }
    }

    /// Runs Python rules, and lets [`interrupt_rules`](Self::interrupt_rules) know where.
    pub(crate) fn in_rules<T>(&self, py: Python<'_>, run: impl FnOnce() -> T) -> T {
        let number = || py.import("threading")?.call_method0("get_ident")?.extract();
        // Without a number the thread cannot be interrupted, which is all.
        let ident = IDENT.with(|ident| *ident.get_or_init(|| number().unwrap_or(0)));
        self.threads().push(ident);
        let found = run();
        let mut threads = self.threads();
        if let Some(place) = threads.iter().position(|&other| other == ident) {
            threads.swap_remove(place);
        }
        found
    }

    fn threads(&self) -> MutexGuard<'_, Vec<u64>> {
        self.in_rules.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Raises `KeyboardInterrupt` in rules that are running, which may never return otherwise.
    pub(crate) fn interrupt_rules(&self, py: Python<'_>) {
        let threads = self.threads().clone();
        let raise = |ident: u64| -> PyResult<()> {
            let ctypes = py.import("ctypes")?;
            let exception = ctypes.getattr("py_object")?.call1((PyKeyboardInterrupt::type_object(py),))?;
            let thread = ctypes.getattr("c_ulong")?.call1((ident,))?;
            ctypes.getattr("pythonapi")?.getattr("PyThreadState_SetAsyncExc")?.call1((thread, exception))?;
            Ok(())
        };
        // An interpreter without ctypes waits until the rules return.
        let _ = threads.into_iter().try_for_each(raise);
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
