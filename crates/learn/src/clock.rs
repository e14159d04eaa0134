//! Time of the processor, which other programs do not lengthen.

use std::time::{Duration, Instant};

/// Measures from its making on: the time that this thread had a processor where the system tells it (Linux), otherwise the time that passed. Short times
/// are always those that passed, because the system counts the others in steps of some milliseconds. To be asked by the thread that made it.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
    had: Option<Duration>,
}

/// Below this the steps would show.
const SHORT: Duration = Duration::from_millis(40);

impl Stopwatch {
    /// Starts it.
    pub fn start() -> Stopwatch {
        Stopwatch { started: Instant::now(), had: processor() }
    }

    /// The time since.
    pub fn elapsed(&self) -> Duration {
        let passed = self.started.elapsed();
        match (self.had, processor()) {
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

    #[test]
    fn work_takes_time() {
        let watch = Stopwatch::start();
        let mut sum = 0u64;
        while watch.elapsed() < Duration::from_millis(2) {
            sum = std::hint::black_box(sum.wrapping_mul(3) + 1);
        }
        assert!(watch.started.elapsed() >= Duration::from_millis(1));
    }
}
