//! Long work: it runs on a thread of its own, so that the thread that asked can see to Ctrl-C and progress.

use crate::errors;
use crate::session::Session;
use delphic_engine::{Event, Observer, Progress, RootValue};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use serde_json::json;
use std::any::Any;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

/// How often signals are looked for.
const PULSE: Duration = Duration::from_millis(50);

/// What the first Ctrl-C does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FirstInterrupt {
    /// The work stops and what it has found is returned. The second Ctrl-C raises.
    Stops,
    /// There is no such thing as half a result: it raises.
    Raises,
}

enum Message<T> {
    /// Progress, as JSON.
    Event(String),
    Done(T),
}

/// Runs `work` without the interpreter lock and returns what it found, unless an exception was raised meanwhile: by Python code that the
/// work called, by `progress`, or by signals.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    session: &Session,
    first: FirstInterrupt,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut dyn Observer) -> T + Send,
) -> PyResult<T> {
    let watched = progress.is_some();
    let done = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, messages) = mpsc::channel();
            let worker = scope.spawn(move || {
                let mut observer = watched.then(|| EventSender(sender.clone()));
                // A thread that is attached once need not be made known to Python at every call.
                let found = Python::attach(|py| {
                    py.detach(|| match &mut observer {
                        Some(observer) => work(observer),
                        None => work(&mut ()),
                    })
                });
                // The receiver waits until this arrives.
                let _ = sender.send(Message::Done(found));
            });
            let mut signals = Signals { raise: first == FirstInterrupt::Raises };
            let found = loop {
                match messages.recv_timeout(PULSE) {
                    Ok(Message::Done(found)) => break Some(found),
                    Ok(Message::Event(event)) => {
                        let shown =
                            Python::attach(|py| progress.map(|progress| progress.call1(py, (event,))));
                        if let Some(Err(error)) = shown {
                            session.fail(error);
                        }
                        signals.look(session);
                    }
                    Err(RecvTimeoutError::Timeout) => signals.look(session),
                    Err(RecvTimeoutError::Disconnected) => break None,
                }
            };
            found.ok_or(worker.join().err())
        })
    });
    session.check()?;
    done.map_err(|panic| errors::bug(py, words(panic.as_deref())))
}

struct Signals {
    /// Whether the next Ctrl-C raises.
    raise: bool,
}

impl Signals {
    fn look(&mut self, session: &Session) {
        Python::attach(|py| match py.check_signals() {
            Ok(()) => {}
            Err(error) if !self.raise && error.is_instance_of::<PyKeyboardInterrupt>(py) => {
                self.raise = true;
                session.stop.store(true, Ordering::Relaxed);
            }
            Err(error) => {
                session.fail(error);
                session.interrupt_rules(py);
            }
        });
    }
}

/// The message of a panic.
fn words(panic: Option<&(dyn Any + Send)>) -> &str {
    let text = panic.and_then(|panic| panic.downcast_ref::<&str>().copied());
    text.or_else(|| panic?.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a search ended without a result")
}

/// Sends events to the thread that asked.
struct EventSender<T>(Sender<Message<T>>);

impl<T> Observer for EventSender<T> {
    fn event(&mut self, event: Event<'_>) {
        // The receiver is gone when the work was given up.
        let _ = self.0.send(Message::Event(event_json(event)));
    }
}

fn event_json(event: Event<'_>) -> String {
    let object = match event {
        Event::Question { player, at_least, known: (low, high) } => json!({
            "event": "question", "player": player.to_string(), "at_least": at_least, "low": low, "high": high,
        }),
        Event::Progress(Progress { solver, stats, root, decided: (decided, moves) }) => {
            let (p, pn, dn) = match root {
                RootValue::None => (None, None, None),
                RootValue::Probability(p) => (Some(p), None, None),
                RootValue::ProofNumbers(pn, dn) | RootValue::Work { prove: pn, disprove: dn } => {
                    (None, Some(pn), Some(dn))
                }
            };
            json!({
                "event": "progress", "solver": solver, "created": stats.created, "expanded": stats.expanded,
                "playouts": stats.playouts, "seconds": stats.time.as_secs_f64(), "peak_bytes": stats.peak_bytes,
                "p": p, "pn": pn, "dn": dn, "decided": decided, "moves": moves,
            })
        }
        Event::Loading => json!({ "event": "loading" }),
        Event::Saving => json!({ "event": "saving" }),
        Event::SaveFailed(error) => json!({ "event": "save failed", "error": error }),
        Event::Proof { positions } => json!({ "event": "proof", "positions": positions }),
        Event::Part { what, done, all } => json!({ "event": "part", "what": what, "done": done, "all": all }),
        _ => json!({ "event": "other" }),
    };
    object.to_string()
}
