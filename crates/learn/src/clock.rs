//! CPU time, which does not depend on other programs on the machine.

use std::time::{Duration, Instant};

/// Measures from its creation on: this thread's processor time where the system reports it (Linux), otherwise wall-clock time. Short times
/// are always wall-clock times, because the system counts processor time in steps of some milliseconds. Only the thread that created it may
/// read it.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
    processor: Option<Duration>,
}

/// Below this the steps would be visible.
const SHORT: Duration = Duration::from_millis(40);

impl Stopwatch {
    /// Starts it.
    pub fn start() -> Stopwatch {
        Stopwatch { started: Instant::now(), processor: processor() }
    }

    /// The time since its creation.
    pub fn elapsed(&self) -> Duration {
        let passed = self.started.elapsed();
        match (self.processor, processor()) {
            (Some(before), Some(now)) if passed > SHORT => now.saturating_sub(before).min(passed),
            _ => passed,
        }
    }
}

/// The first number of `schedstat` is the time on the processor in nanoseconds. That of the process itself would be its first thread's.
fn processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread that sleeps has no processor: where the system reports processor time, sleeping does not count as work.
    #[test]
    fn sleeping_is_not_counted() {
        let pause = 4 * SHORT;
        let watch = Stopwatch::start();
        std::thread::sleep(pause);
        let (asleep, passed) = (watch.elapsed(), watch.started.elapsed());
        assert!(passed >= pause);
        match processor() {
            Some(_) => assert!(asleep < pause / 2, "{asleep:?} of {passed:?}"),
            None => assert!(asleep >= pause, "{asleep:?} of {passed:?}"),
        }
    }

    /// Short times are wall-clock times, so that the steps of the processor's clock do not show.
    #[test]
    fn short_times_are_those_that_passed() {
        let watch = Stopwatch::start();
        std::thread::sleep(SHORT / 8);
        let elapsed = watch.elapsed();
        // On a busy machine the sleep may become long; then the other rule holds.
        if watch.started.elapsed() <= SHORT {
            assert!(elapsed >= SHORT / 8, "{elapsed:?}");
        }
    }
}
