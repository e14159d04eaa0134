//! CPU time. Unlike wall-clock time it excludes other programs, so ratios are meaningful on a busy machine too.

use std::time::Duration;

/// The CPU time of this process so far.
#[cfg(unix)]
pub(super) fn own() -> Duration {
    let spent = nix::time::clock_gettime(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID);
    spent.map_or(Duration::ZERO, Duration::from)
}

/// The user time of child processes that have exited.
#[cfg(unix)]
pub(super) fn of_children() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let spent = getrusage(UsageWho::RUSAGE_CHILDREN).map(|usage| usage.user_time().num_microseconds());
    Duration::from_micros(spent.unwrap_or(0).max(0) as u64)
}

/// On systems without this measurement: wall-clock time.
#[cfg(not(unix))]
pub(super) fn own() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

#[cfg(not(unix))]
pub(super) fn of_children() -> Duration {
    own()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_sleep_takes_almost_none() {
        let before = own();
        let spun = (0..20_000_000u64).fold(0u64, |sum, nth| std::hint::black_box(sum ^ nth));
        assert!(own() > before, "{spun}");
        if cfg!(unix) {
            let before = own();
            std::thread::sleep(Duration::from_millis(50));
            assert!(own() - before < Duration::from_millis(25));
        }
    }
}
