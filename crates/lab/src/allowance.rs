//! A limit on a search's processor time, which other programs on the machine cannot use up.
//!
//! Searches know wall-clock limits only. So a second thread watches the processor time of the searching thread, where the system
//! reports it (Linux), and interrupts the search when its time is used up.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often the watcher looks, at most; short limits are looked at more often.
const PAUSE: Duration = Duration::from_millis(10);

/// Runs a search on this thread until it ends by itself, its processor time is used up, or `interrupt` is raised; `None` in the last case.
/// The search must stop soon after the flag that it is given is raised. The second value says whether the time ended it.
///
/// Where the system reports no processor time nothing is limited, and `None` is returned before the search starts.
pub(crate) fn within<T>(
    limit: Duration,
    interrupt: &AtomicBool,
    search: impl FnOnce(&AtomicBool) -> T,
) -> Option<(T, bool)> {
    let clock = Clock::of_this_thread()?;
    let end = clock.now()? + limit;
    let (flag, done) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if interrupt.load(Ordering::Relaxed) || clock.now().is_none_or(|now| now >= end) {
                    flag.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(PAUSE.min(limit / 20));
            }
        });
        let found = search(&flag);
        done.store(true, Ordering::Relaxed);
        Some((found, flag.load(Ordering::Relaxed)))
    })
}

/// The processor time of one thread, readable by others.
struct Clock(PathBuf);

impl Clock {
    fn of_this_thread() -> Option<Clock> {
        let thread = std::fs::read_link("/proc/thread-self").ok()?;
        let clock = Clock(PathBuf::from("/proc").join(thread).join("schedstat"));
        clock.now().map(|_| clock)
    }

    /// The first number of `schedstat` is the time on the processor in nanoseconds.
    fn now(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(&self.0).ok()?;
        Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    /// Sleeping uses no processor time, so only work is limited.
    #[test]
    fn work_is_limited_and_sleep_is_not() {
        let (limit, go) = (Duration::from_millis(60), AtomicBool::new(false));
        let asleep = within(limit, &go, |flag| {
            std::thread::sleep(2 * limit);
            flag.load(Ordering::Relaxed)
        });
        let busy = within(limit, &go, |flag| {
            let started = Instant::now();
            while !flag.load(Ordering::Relaxed) {
                assert!(started.elapsed() < Duration::from_secs(60), "the flag was never raised");
            }
        });
        // Elsewhere than on Linux there is nothing to test.
        if let Some((raised, ended)) = asleep {
            assert!(!raised && !ended);
            assert_eq!(busy, Some(((), true)));
        }
    }
}
