//! Searches on threads that end before their answer: by a flag, a clock or a limit on nodes, each at another moment.

use delphic_game::Rng;
use delphic_search::{Limits, StopReason};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Calls `search` with the number of the round, limits that end it, and the reason with which it must end. Limits on nodes are at most
/// `most_nodes`.
pub fn rounds(
    rounds: usize,
    seed: u64,
    most_nodes: usize,
    search: impl Fn(usize, Limits<'_>, StopReason) + Sync,
) {
    let rng = &mut Rng::new(seed);
    for round in 0..rounds {
        let (flag, wait) = (AtomicBool::new(false), Duration::from_micros(rng.below(3_000) as u64));
        let mut limits = Limits { threads: 2 + rng.below(3), interrupt: Some(&flag), ..Limits::default() };
        let expected = match round % 3 {
            0 => StopReason::Interrupted,
            1 => {
                limits.time = Some(wait);
                StopReason::Time
            }
            _ => {
                limits.nodes = Some(1 + rng.below(most_nodes) as u64);
                StopReason::Nodes
            }
        };
        std::thread::scope(|scope| {
            if round % 3 == 0 {
                scope.spawn(|| {
                    std::thread::sleep(wait);
                    flag.store(true, Ordering::Relaxed);
                });
            }
            search(round, limits, expected);
        });
    }
}
