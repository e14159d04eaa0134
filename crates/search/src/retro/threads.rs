//! Work shared by threads.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Calls `work` with the numbers below `count`, on at most `threads` threads.
pub(super) fn on_threads(threads: usize, count: usize, work: &(dyn Fn(usize) + Sync)) {
    let threads = threads.min(count);
    if threads <= 1 {
        return (0..count).for_each(work);
    }
    let next = AtomicUsize::new(0);
    let serve = || {
        loop {
            match next.fetch_add(1, Relaxed) {
                nth if nth < count => work(nth),
                _ => return,
            }
        }
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(serve)));
        serve();
    });
}

/// The same with results, in the order of the numbers.
pub(super) fn map_on_threads<R: Send>(
    threads: usize,
    count: usize,
    work: &(dyn Fn(usize) -> R + Sync),
) -> Vec<R> {
    let results: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
    on_threads(threads, count, &|nth| {
        *results[nth].lock().unwrap_or_else(PoisonError::into_inner) = Some(work(nth));
    });
    results
        .into_iter()
        .filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_numbers() {
        for threads in [0, 1, 2, 7] {
            let doubled = map_on_threads(threads, 100, &|number| 2 * number);
            assert!(doubled.into_iter().eq((0..100).map(|number| 2 * number)), "{threads} threads");
        }
    }

    #[test]
    #[should_panic]
    fn a_panic_is_passed_on() {
        on_threads(4, 100, &|number| assert_ne!(number, 50));
    }
}
