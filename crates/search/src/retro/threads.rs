//! Work shared by threads.

use std::sync::{Mutex, PoisonError};

/// Calls `work` with every item, on at most `threads` threads, and returns the results in the order of the items.
pub(super) fn on_threads<T: Send, R: Send>(
    threads: usize,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let helpers = threads.min(items.len());
    if helpers <= 1 {
        return items.into_iter().map(work).collect();
    }
    let queue = Mutex::new(items.into_iter().enumerate());
    let serve = || {
        let mut done = Vec::new();
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((place, item)) = next else { return done };
            done.push((place, work(item)));
        }
    };
    let mut results = std::thread::scope(|scope| {
        let others: Vec<_> = (1..helpers).map(|_| scope.spawn(serve)).collect();
        let mut results = serve();
        for other in others {
            match other.join() {
                Ok(more) => results.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_unstable_by_key(|&(place, _)| place);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        for threads in [0, 1, 2, 7] {
            let doubled = on_threads(threads, (0..100).collect(), |number: u32| 2 * number);
            assert!(doubled.into_iter().eq((0..100).map(|number| 2 * number)), "{threads} threads");
        }
    }
}
