//! Parallel work on many items, with the results in the order of the items.

use crate::Failure;
use crate::interrupt::interrupted;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

/// How often the interrupt flag is polled.
const PULSE: Duration = Duration::from_millis(20);

/// Every idle thread takes the next item, so items may arrive slowly, for example from another program. `take` gets the results in the
/// order of the items, until it returns false. Then, and after Ctrl-C, `over` is set; work in progress should stop when it sees it.
pub(crate) fn in_order<T, R: Send>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    over: &AtomicBool,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let items = Mutex::new(items.enumerate());
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, items, work) = (sender.clone(), &items, &work);
            scope.spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    let next = items.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((number, item)) = next else { break };
                    if sender.send((number, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut waiting, mut next) = (BTreeMap::new(), 0);
        loop {
            match results.recv_timeout(PULSE) {
                Ok((number, result)) => drop(waiting.insert(number, result)),
                Err(mpsc::RecvTimeoutError::Timeout) if interrupted() => over.store(true, Ordering::Relaxed),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
            }
            while let Some(result) = waiting.remove(&next) {
                next += 1;
                let goes_on = take(result);
                if !matches!(goes_on, Ok(true)) {
                    over.store(true, Ordering::Relaxed);
                    return goes_on.map(drop);
                }
            }
        }
    })
}

/// Divides `threads` between items: the number of threads that take items, and the number of threads for the work on each. If there are
/// fewer items than threads, each item gets several.
pub(crate) fn share_out(threads: usize, items: Option<usize>) -> (usize, usize) {
    let takers = items.map_or(threads, |items| items.clamp(1, threads));
    (takers, threads / takers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_end_when_they_are_enough() {
        for threads in [1, 2, 5] {
            let (mut taken, over) = (Vec::new(), AtomicBool::new(false));
            let work = |item: u64| {
                std::thread::sleep(Duration::from_micros(item * 7_919 % 300));
                item * item
            };
            let take = |square| {
                taken.push(square);
                Ok(taken.len() < 50)
            };
            in_order(threads, 0.., &over, work, take).unwrap();
            assert!(taken.iter().copied().eq((0..50).map(|item| item * item)), "{taken:?}");
            assert!(over.load(Ordering::Relaxed));
        }
    }

    #[test]
    fn few_items_get_several_threads_each() {
        assert_eq!(share_out(8, None), (8, 1));
        assert_eq!(share_out(8, Some(100)), (8, 1));
        assert_eq!(share_out(8, Some(3)), (3, 2));
        assert_eq!(share_out(8, Some(0)), (1, 8));
    }
}
