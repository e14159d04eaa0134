//! Ctrl-C and SIGTERM: the first signal stops the work cleanly, the second exits at once.

use crate::{Failure, exit};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Raised by the first signal. Searches stop when they see it.
pub(crate) static INTERRUPT: AtomicBool = AtomicBool::new(false);

/// Signals closer together count as one request: GNU `timeout`, for example, signals the process and then its whole group.
const SAME_REQUEST: Duration = Duration::from_millis(500);

/// The time of the last request.
static LAST: Mutex<Option<Instant>> = Mutex::new(None);

/// Installs the handler that most commands use.
pub(crate) fn listen() -> Result<(), Failure> {
    handle(stop_or_exit)
}

/// Calls `request` for every signal, except for those that belong to the previous request.
pub(crate) fn handle(request: impl Fn() + Send + 'static) -> Result<(), Failure> {
    let handler = move || {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if is_new(*last, Instant::now()) {
            *last = Some(Instant::now());
            request();
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::Other(format!("cannot listen for Ctrl-C: {error}")))
}

fn is_new(last: Option<Instant>, now: Instant) -> bool {
    last.is_none_or(|last| now.saturating_duration_since(last) >= SAME_REQUEST)
}

/// The text printed at the first signal.
static NOTICE: OnceLock<String> = OnceLock::new();

/// Prints `notice` at the first signal: for work that takes a while to stop.
pub(crate) fn notice(notice: String) {
    // Only one command runs in a process, so there is only one notice.
    let _ = NOTICE.set(notice);
}

/// Raises [`INTERRUPT`]; if it is raised already, ends the program.
pub(crate) fn stop_or_exit() {
    if INTERRUPT.swap(true, Ordering::Relaxed) {
        std::process::exit(exit::INTERRUPTED.into());
    }
    if let Some(notice) = NOTICE.get() {
        // On a terminal the cursor may be on the live line.
        let clear = if std::io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
        eprintln!("{clear}{notice}");
    }
}

/// Whether a signal has asked the work to stop.
pub(crate) fn interrupted() -> bool {
    INTERRUPT.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_in_quick_succession_are_one_request() {
        let first = Instant::now();
        assert!(is_new(None, first));
        assert!(!is_new(Some(first), first) && !is_new(Some(first), first + SAME_REQUEST / 2));
        assert!(is_new(Some(first), first + SAME_REQUEST));
    }
}
