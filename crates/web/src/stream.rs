//! Server-sent events from a thread that works to a client that listens. When the client leaves, the work is cancelled.

use crate::pool::Cancel;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde_json::Value as Json;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, Interval, interval_at};

/// Progress is left out while this many events wait for a slow client.
const MOST_WAITING: usize = 32;
/// A comment is sent this often, so that a connection that is gone is noticed although nothing happens.
const PULSE: Duration = Duration::from_secs(2);

/// Both ends of a stream of events.
pub(crate) fn channel() -> (Sink, Events) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let (cancel, waiting) = (Cancel::default(), Arc::new(AtomicUsize::new(0)));
    let sink = Sink { sender, cancel: cancel.clone(), waiting: Arc::clone(&waiting) };
    (sink, Events { receiver, cancel, waiting, pulse: interval_at(Instant::now() + PULSE, PULSE) })
}

/// The end that sends.
pub(crate) struct Sink {
    sender: mpsc::UnboundedSender<String>,
    cancel: Cancel,
    waiting: Arc<AtomicUsize>,
}

impl Sink {
    /// Sends an event. For results, of which a job has few.
    pub(crate) fn send(&self, event: &str, data: &Json) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // JSON on one line has no line breaks, which would end the field.
        if self.sender.send(format!("event: {event}\ndata: {data}\n\n")).is_err() {
            self.cancel.raise();
        }
    }

    /// Sends an event unless the client is slow. For progress, of which only the latest matters.
    pub(crate) fn offer(&self, event: &str, data: &Json) {
        if self.waiting.load(Ordering::Relaxed) < MOST_WAITING {
            self.send(event, data);
        }
    }

    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}

/// The end that the client reads.
pub(crate) struct Events {
    receiver: mpsc::UnboundedReceiver<String>,
    cancel: Cancel,
    waiting: Arc<AtomicUsize>,
    pulse: Interval,
}

impl Stream for Events {
    type Item = Result<String, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.receiver.poll_recv(context) {
            Poll::Ready(event) => {
                self.waiting.fetch_sub(usize::from(event.is_some()), Ordering::Relaxed);
                Poll::Ready(event.map(Ok))
            }
            Poll::Pending => self.pulse.poll_tick(context).map(|_| Some(Ok(": waiting\n\n".to_owned()))),
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.cancel.raise();
    }
}

impl IntoResponse for Events {
    fn into_response(self) -> Response {
        let headers = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store")];
        (headers, Body::from_stream(self)).into_response()
    }
}
