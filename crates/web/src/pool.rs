//! A thread pool with a fixed number of threads and a bounded queue.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// A flag that stops a job, before it begins or while it runs.
#[derive(Clone, Default)]
pub(crate) struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub(crate) fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag as searches read it.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

/// The queue is full.
pub(crate) struct Busy;

struct Job {
    cancel: Cancel,
    work: Box<dyn FnOnce() + Send>,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Job>,
    running: Vec<Cancel>,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    ready: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does jobs until the pool is closed.
    fn work(&self) {
        let mut state = self.state();
        while !state.closed {
            let Some(job) = state.queue.pop_front() else {
                state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            if job.cancel.is_raised() {
                continue;
            }
            state.running.push(job.cancel.clone());
            drop(state);
            // A job that panics must not take a thread with it. Its client sees the stream end without a result.
            let _ = catch_unwind(AssertUnwindSafe(job.work));
            state = self.state();
            state.running.retain(|cancel| !Arc::ptr_eq(&cancel.0, &job.cancel.0));
        }
    }
}

pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    room: usize,
}

impl Pool {
    /// A pool of `threads` threads with a queue of `room` jobs.
    pub(crate) fn new(name: &str, threads: usize, room: usize) -> std::io::Result<Pool> {
        let shared = Arc::new(Shared::default());
        let spawn = |number: usize| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new().name(format!("{name} {number}")).spawn(move || shared.work())
        };
        let threads = (1..=threads.max(1)).map(spawn).collect::<Result<_, _>>()?;
        Ok(Pool { shared, threads: Mutex::new(threads), room })
    }

    /// Adds a job to the queue, and returns how many wait before it.
    pub(crate) fn submit(&self, cancel: Cancel, work: impl FnOnce() + Send + 'static) -> Result<usize, Busy> {
        let mut state = self.shared.state();
        // Jobs whose clients have left give their places free.
        state.queue.retain(|job| !job.cancel.is_raised());
        let ahead = state.queue.len();
        if ahead >= self.room || state.closed {
            return Err(Busy);
        }
        state.queue.push_back(Job { cancel, work: Box::new(work) });
        self.shared.ready.notify_one();
        Ok(ahead)
    }

    /// How many jobs run, and how many wait.
    pub(crate) fn load(&self) -> (usize, usize) {
        let state = self.shared.state();
        (state.running.len(), state.queue.iter().filter(|job| !job.cancel.is_raised()).count())
    }

    /// Stops everything and waits for the threads.
    pub(crate) fn close(&self) {
        {
            let mut state = self.shared.state();
            state.closed = true;
            state.queue.clear();
            state.running.iter().for_each(Cancel::raise);
        }
        self.shared.ready.notify_all();
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        for thread in threads.drain(..) {
            // A thread cannot panic: its jobs are caught.
            let _ = thread.join();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_full_queue_refuses_and_cancelled_jobs_give_way() {
        let pool = Pool::new("test", 1, 2).unwrap();
        let (hold, held) = mpsc::channel::<()>();
        let (begun, begins) = mpsc::channel();
        let first = move || {
            begun.send(()).unwrap();
            let _ = held.recv();
        };
        assert!(pool.submit(Cancel::default(), first).is_ok());
        begins.recv().unwrap();
        let waiting = Cancel::default();
        let never = || panic!("a cancelled job has run");
        assert!(pool.submit(waiting.clone(), never).is_ok_and(|ahead| ahead == 0));
        let (done, is_done) = mpsc::channel();
        assert!(pool.submit(Cancel::default(), move || done.send(()).unwrap()).is_ok());
        assert!(pool.submit(Cancel::default(), || ()).is_err(), "two wait already");
        assert_eq!(pool.load(), (1, 2));
        waiting.raise();
        assert!(pool.submit(Cancel::default(), || panic!("caught")).is_ok(), "one has left");
        drop(hold);
        is_done.recv().unwrap();
        let (again, is_again) = mpsc::channel();
        assert!(pool.submit(Cancel::default(), move || again.send(()).unwrap()).is_ok());
        is_again.recv().expect("the thread has survived the panic");
    }

    #[test]
    fn closing_stops_what_runs() {
        let pool = Pool::new("test", 2, 4).unwrap();
        let cancel = Cancel::default();
        let flag = cancel.clone();
        let run = move || {
            while !flag.is_raised() {
                std::thread::yield_now();
            }
        };
        assert!(pool.submit(cancel, run).is_ok());
        while pool.load().0 == 0 {
            std::thread::yield_now();
        }
        pool.close();
        assert_eq!(pool.load(), (0, 0));
    }
}
